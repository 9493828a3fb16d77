"""What cannot be built is refused at once, in one line."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from docs._guide.options import MARKER, ROOT, groups, parse


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--backend=gpu"], "choose one of cpu, cuda, tpu"),
        (["--backend=cuda,cpu"], "choose one of cpu, cuda, tpu"),
        (["--backend="], "choose one of cpu, cuda, tpu"),
        (["--backend=tpu"], "tpu is not available: no TPU device"),
        (["--jobs=0"], "'0' is not a whole number of at least 1"),
        (["--jobs=two"], "'two' is not a whole number of at least 1"),
        (["--page=transforms/none"], "there is no page docs/transforms/none.md"),
        (["--language=fr"], "invalid choice: 'fr'"),
        (["--with=chemistry"], "invalid choice: 'chemistry'"),
        *(
            ([f"--site={folder}"], "choose another folder")
            for folder in ("docs", ".", "..", "README.md", "docs/index.md/site")
        ),
    ],
)
def test_a_wrong_option_ends_in_one_line(
    arguments: list[str],
    problem: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr("docs._guide.options.has_tpu", lambda: False)
    with pytest.raises(SystemExit) as stopped:
        parse(arguments)
    error = capsys.readouterr().err
    assert stopped.value.code == 2
    assert error.count("\n") == 1
    assert problem in error


def test_the_environment_names_the_backend_if_no_option_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("docs._guide.options.has_nvidia_gpu", lambda: True)
    monkeypatch.setenv("JAX_PLATFORMS", "cuda")
    assert parse([]).backend == "cuda"
    assert parse([]).jobs == 1, "a GPU runs one page at a time"
    assert parse(["--jobs=4"]).jobs == 4, "unless more are asked for"
    assert parse(["--backend=cpu"]).backend == "cpu"
    monkeypatch.setenv("JAX_PLATFORMS", "metal")
    with pytest.raises(SystemExit):
        parse([])


def test_languages_keep_their_order_and_a_page_can_be_named_as_its_file() -> None:
    assert parse([]).languages == ("en", "ja", "ko")
    assert parse(["--language=ko", "--language=en"]).languages == ("en", "ko")
    assert parse(["--page=docs/transforms/grad.md"]).page == "transforms/grad"


def test_only_a_site_or_an_empty_folder_becomes_the_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "public" / ".site.old").mkdir(parents=True)  # of a swap that was interrupted
    assert parse(["--site=public/site"]).site == tmp_path / "public" / "site"
    shutil.rmtree(tmp_path / "public")
    assert parse([f"--site={tmp_path}"]).site == tmp_path
    (tmp_path / "notes.txt").touch()
    with pytest.raises(SystemExit):
        parse([f"--site={tmp_path}"])
    (tmp_path / MARKER).touch()
    assert parse([f"--site={tmp_path}"]).site == tmp_path


def test_a_mount_point_does_not_become_the_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("os.path.ismount", lambda path: Path(path) == tmp_path)
    with pytest.raises(SystemExit):
        parse([f"--site={tmp_path}"])
    assert capsys.readouterr().err.endswith(f"{tmp_path} is a mount point: choose a folder in it\n")
    assert parse([f"--site={tmp_path}/guide"]).site == tmp_path / "guide"


def test_a_bare_python_checks_the_options() -> None:
    code = "from docs._guide.options import groups, parse; print(*groups(parse(['--jobs=1'])))"
    command = [sys.executable, "-S", "-c", code]
    checked = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8")
    assert (checked.returncode, checked.stdout) == (0, "torch\n"), checked.stderr


def test_the_options_select_the_groups_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docs._guide.options.has_nvidia_gpu", lambda: True)
    monkeypatch.delenv("JAX_PLATFORMS", raising=False)
    assert groups(parse([])) == ["torch"]
    assert groups(parse(["--without=torch"])) == []
    assert groups(parse(["--backend=cuda", "--with=physics"])) == ["torch", "cuda", "physics"]
