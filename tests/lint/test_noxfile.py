"""What the noxfile installs, when, and what it says where something is missing."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from docs._guide.options import ROOT
from tests.conftest import SmallGuide


class Aborted(Exception):
    """What `session.error` raises."""


class FakeSession:
    """Records commands instead of running them."""

    def __init__(self) -> None:
        self.commands: list[str] = []

    def run(self, *command: object, **_options: object) -> None:
        self.commands.append(" ".join(map(str, command)))

    def error(self, message: str) -> None:
        raise Aborted(message)


@pytest.fixture
def noxfile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The noxfile, with an environment that exists only in its stamps."""
    import noxfile

    environment = tmp_path / "guide"
    environment.mkdir()
    (environment / "python").write_text(sys.version, encoding="utf-8")
    monkeypatch.setattr(noxfile, "ENVIRONMENT", environment)
    monkeypatch.setattr(noxfile, "uv_settings", dict)
    return noxfile


@pytest.fixture
def pytorch(noxfile: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Install PyTorch where some installers have it; return the commands that were tried."""

    def install(*having: str) -> list[str]:
        tried: list[str] = []

        def run(command: Any, **_options: object) -> subprocess.CompletedProcess[str]:
            tried.append(" ".join(map(str, command)))
            has = any(f"-m {installer} " in tried[-1] for installer in having)
            return subprocess.CompletedProcess(command, 0 if has else 1)

        monkeypatch.setattr(noxfile.subprocess, "run", run)
        noxfile.install(FakeSession(), "torch")
        return tried

    return install


def test_nox_refuses_before_it_installs_anything(small_guide: SmallGuide) -> None:
    small_guide.write("noxfile.py", (ROOT / "noxfile.py").read_text(encoding="utf-8"))
    refused = subprocess.run(
        [sys.executable, "-m", "nox", "-s", "docs", "--", "--backend", "metal"],
        cwd=small_guide.root,
        capture_output=True,
        encoding="utf-8",
    )
    assert refused.returncode == 2
    assert "choose one of cpu, cuda, tpu" in refused.stderr
    assert not list(small_guide.root.glob(".nox/guide*"))


def test_pytorch_comes_from_uv_or_else_from_pip(pytorch: Callable[..., list[str]]) -> None:
    [first, second] = pytorch("pip")
    assert "-m uv pip install" in first and "--torch-backend=cpu torch==" in first
    assert "-m pip install --no-compile torch==" in second
    assert pytorch() == [], "it is installed"


def test_a_pytorch_that_is_not_there_is_an_error_and_tried_again(
    pytorch: Callable[..., list[str]],
) -> None:
    with pytest.raises(Aborted, match="`-- --without torch`"):
        pytorch()
    assert len(pytorch("uv")) == 1


def test_another_pytorch_is_installed(
    pytorch: Callable[..., list[str]], noxfile: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytorch("uv")
    monkeypatch.setattr(noxfile, "PYTORCH", "torch==2.99.0")
    assert pytorch("uv")[0].endswith("torch==2.99.0")


def test_uv_takes_the_index_and_the_certificate_that_pip_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import noxfile

    monkeypatch.setattr(noxfile, "PYTHON", sys.executable)
    monkeypatch.setenv("PIP_INDEX_URL", "https://mirror.example.org/simple")
    monkeypatch.setenv("PIP_CERT", "/a/certificate.pem")
    for name in ("UV_DEFAULT_INDEX", "SSL_CERT_FILE", "UV_INDEX_URL"):
        monkeypatch.delenv(name, raising=False)
    settings = noxfile.uv_settings.__wrapped__()
    assert settings["UV_DEFAULT_INDEX"] == "https://mirror.example.org/simple"
    assert settings["SSL_CERT_FILE"] == "/a/certificate.pem"
    monkeypatch.setenv("UV_DEFAULT_INDEX", "https://own.example.org/simple")
    assert "UV_DEFAULT_INDEX" not in noxfile.uv_settings.__wrapped__()


def test_without_a_home_uv_caches_in_the_checkout(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import noxfile

    monkeypatch.setattr(noxfile, "PYTHON", sys.executable)
    monkeypatch.setenv("HOME", "/nowhere")
    assert noxfile.uv_settings.__wrapped__()["UV_CACHE_DIR"].startswith(str(ROOT))


def test_what_is_missing_is_named_with_its_package(
    noxfile: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(noxfile.shutil, "which", lambda name: None)
    with pytest.raises(Aborted, match=r"missing: msgfmt, npm; .*: apt install gettext npm "):
        noxfile.needs(FakeSession(), "msgfmt", "npm")


def test_a_chromium_that_is_not_there_is_an_error(
    noxfile: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GUIDE_CHROMIUM", "no-such-program")
    with pytest.raises(Aborted, match="GUIDE_CHROMIUM: there is no program no-such-program"):
        noxfile.install_chromium(FakeSession())


def test_a_site_with_a_list_of_versions_is_not_tested_without_its_host(
    noxfile: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GUIDE_VERSIONS_URL", "/versions.json")
    with pytest.raises(Aborted, match="unset GUIDE_VERSIONS_URL"):
        noxfile.browser(FakeSession())


def test_no_session_calls_sudo() -> None:
    assert "sudo" not in (ROOT / "noxfile.py").read_text(encoding="utf-8")
