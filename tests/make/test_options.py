"""What cannot be built is refused at once, in one line."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from docs._make.options import ROOT, configured_languages, parse
from tests.conftest import SmallGuide


def check(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "docs/_make/options.py", *arguments]
    return subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True)


@pytest.mark.parametrize("backend", ["gpu", "cuda,cpu", ""])
def test_unknown_backend_is_refused_in_one_line(backend: str) -> None:
    refused = check(f"--backend={backend}")
    assert refused.returncode == 2
    assert refused.stderr.count("\n") == 1
    assert "choose one of cpu, cuda, tpu" in refused.stderr


def test_absent_backend_is_refused_in_one_line() -> None:
    refused = check("--backend=tpu")
    assert refused.returncode == 2
    assert refused.stderr.count("\n") == 1
    assert "tpu is not available: no TPU device" in refused.stderr
    assert "choose one of cpu, cuda, tpu" in refused.stderr


def test_environment_chooses_the_backend_when_no_option_does() -> None:
    assert check(JAX_PLATFORMS="cpu").stdout == "backend: cpu\n"
    assert "'metal' is not a backend" in check(JAX_PLATFORMS="metal").stderr
    assert check("--backend=cpu", JAX_PLATFORMS="metal").stdout == "backend: cpu\n"


def test_nox_refuses_before_it_installs_or_builds_anything(small_guide: SmallGuide) -> None:
    small_guide.write("noxfile.py", (ROOT / "noxfile.py").read_text())
    started = time.perf_counter()
    refused = subprocess.run(
        [sys.executable, "-m", "nox", "-s", "docs", "--", "--backend", "tpu"],
        cwd=small_guide.root,
        capture_output=True,
        text=True,
    )
    assert time.perf_counter() - started < 2
    assert refused.returncode != 0
    assert "choose one of cpu, cuda, tpu" in refused.stderr
    assert not (small_guide.root / ".nox" / "guide").exists()
    assert not (small_guide.root / "_build").exists()


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--jobs", "0"], "'0' is not a whole number of at least 1"),
        (["--jobs", "two"], "'two' is not a whole number of at least 1"),
        (["--page", "transforms/none"], "there is no page docs/transforms/none.md"),
        (["--language", "fr"], "invalid choice: 'fr'"),
    ],
)
def test_bad_values_end_in_one_line(arguments: list[str], problem: str) -> None:
    refused = check(*arguments)
    assert refused.returncode == 2
    assert refused.stderr.count("\n") == 1
    assert problem in refused.stderr


def test_languages_are_listed_in_conf_and_nowhere_else() -> None:
    assert list(configured_languages()) == ["en", "ja", "ko"]
    assert parse(["--language=ko", "--language=en"]).languages == ("en", "ko")


def test_a_page_can_be_named_as_its_file() -> None:
    assert parse(["--page=docs/transforms/grad.md"]).page == "transforms/grad"


def test_the_site_can_go_elsewhere(tmp_path: Path) -> None:
    assert parse([f"--site={tmp_path}"]).site == tmp_path


@pytest.mark.parametrize("folder", ["docs", ".", "..", "README.md", "docs/index.md/site"])
def test_a_folder_with_something_else_never_becomes_the_site(folder: str) -> None:
    refused = check(f"--site={folder}")
    assert refused.returncode == 2
    assert refused.stderr.count("\n") == 1
    assert "choose another folder" in refused.stderr


def test_a_site_that_was_made_here_can_be_replaced(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    assert check(f"--site={tmp_path}").returncode == 2
    (tmp_path / "versions.json").touch()
    assert check(f"--site={tmp_path}").returncode == 0
