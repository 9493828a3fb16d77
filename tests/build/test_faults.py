"""Interruptions, full disks and the like end in one clear line, and lose nothing."""

import fcntl
import os
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from docs._guide.site import build as site_build
from tests.conftest import SmallGuide, notebook


def has_namespaces() -> bool:
    """Whether this user may mount; assumed in CI, where a test must not be skipped unnoticed."""
    if sys.platform != "linux":
        return False
    if "CI" in os.environ:
        return True
    if shutil.which("unshare") is None:
        return False
    return subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode == 0


NAMESPACES = pytest.mark.skipif(not has_namespaces(), reason="needs mount namespaces (unshare)")

# A job in the background, as CI may be, is started with Ctrl-C ignored.
WITH_CTRL_C = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])
"""

# A build that is killed once it has called a function.
KILLED = """
import importlib, os, signal, subprocess, sys
from docs._guide.__main__ import main
module, owner, name = sys.argv[1:4]
imported = importlib.import_module(module)
owner = getattr(imported, owner) if owner else imported
function = getattr(owner, name)
def killing(*arguments, **options):
    result = function(*arguments, **options)
    if isinstance(result, subprocess.Popen):
        os.kill(result.pid, signal.SIGSTOP)
        print(result.pid, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
setattr(owner, name, killing)
main(sys.argv[4:])
"""

MOMENTS = {
    "a page has run, another not": ("docs._guide.execute.cache", "", "put"),
    "Sphinx runs": ("docs._guide.site.build", "", "start"),
    "the new site is complete": ("docs._guide.site.publish", "", "write_root"),
    "the old site is renamed": ("pathlib", "Path", "rename"),
}


@pytest.mark.parametrize("moment", MOMENTS)
def test_the_build_after_a_killed_one_repairs_the_site(
    built_guide: SmallGuide, moment: str
) -> None:
    guide = built_guide
    old = guide.site()
    guide.write("docs/one.md", notebook("print(44)", prose="New words."))
    guide.write("docs/two.md", notebook("print(45)"))
    command = [sys.executable, "-c", KILLED, *MOMENTS[moment], "--language=ja", "--jobs=1"]
    killed = subprocess.run(command, cwd=guide.root, env=guide.environment(), capture_output=True)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    published = (guide.root / "site").exists()
    assert published == (moment != "the old site is renamed")
    assert not published or guide.site() == old

    if moment == "Sphinx runs":  # and writes to the folders of the build
        refused = guide.make("--language=ja")
        assert refused.returncode == 1
        assert refused.stderr == (
            "another build is running in this checkout: wait until it ends, or stop it\n"
        )
        os.kill(int(killed.stdout.split()[-1]), signal.SIGCONT)
        with (guide.root / "_build" / "lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)  # until it has ended
    again = guide.build("--language=ja")
    assert guide.ran(again) == ({"two"} if moment.startswith("a page") else set())
    new = guide.site()
    assert "New words." in guide.page("one", "ja")
    others = ("en/", "ko/")
    assert {name: old[name] for name in old if name.startswith(others)} == {
        name: new[name] for name in new if name.startswith(others)
    }
    if moment == "Sphinx runs":
        shutil.rmtree(guide.root / "_build" / "ja")
        assert guide.make("--language=ja").returncode == 0
        assert guide.site() == new
    assert list(guide.root.glob(".site*")) == []


@pytest.mark.parametrize("moment", ["the kernel starts", "a cell runs"])
def test_ctrl_c_ends_in_one_line_and_the_next_build_resumes(
    small_guide: SmallGuide, moment: str
) -> None:
    started = small_guide.root / "started"
    small_guide.write("docs/one.md", notebook("print(1)"))
    small_guide.write(
        "docs/two.md",
        notebook(f"import time\nopen({str(started)!r}, 'w').write('x')\ntime.sleep(60)"),
    )
    build = subprocess.Popen(
        [sys.executable, "-c", WITH_CTRL_C, *small_guide.command("--jobs=1")],
        cwd=small_guide.root,
        env=small_guide.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert build.stdout
    for line in build.stdout:
        if line.startswith("running two"):
            break
    while moment == "a cell runs" and not started.exists():
        assert build.poll() is None
    build.send_signal(signal.SIGINT)
    _, error = build.communicate(timeout=60)
    assert build.returncode == 1
    assert error == "interrupted: finished pages are cached, and the same command resumes\n"
    assert not (small_guide.root / "site").exists()
    small_guide.write("docs/two.md", notebook("raise SystemError"))
    assert small_guide.ran(small_guide.make()) == {"two"}


def make_on_a_small_disk(
    guide: SmallGuide, folder: str, *options: str
) -> subprocess.CompletedProcess[str]:
    """Build in English, with a folder on a disk of its own that is soon full."""
    command = shlex.join(guide.command("--language=en", *options))
    mount = f"mount -t tmpfs -o size=300k none {folder} && {command}"
    return subprocess.run(
        ["unshare", "-rm", "sh", "-c", mount],
        cwd=guide.root,
        env=guide.environment(),
        capture_output=True,
        text=True,
        timeout=120,
    )


@NAMESPACES
def test_a_full_disk_ends_in_one_line_and_keeps_the_site(built_guide: SmallGuide) -> None:
    guide = built_guide
    before = guide.site()
    (guide.root / "published").mkdir()
    large = notebook("for n in range(30_000):\n    print('a line of output')")
    for folder, option in (
        ("published", "--site=published/site"),
        ("_build/en", "--jobs=1"),
        ("_build/outputs", "--fresh"),
    ):
        if folder == "_build/outputs":
            guide.write("docs/one.md", large)
        full = make_on_a_small_disk(guide, folder, option)
        assert full.returncode == 1
        assert "No space left on device" in full.stdout + full.stderr
        if folder == "_build/en":  # Sphinx reports it at length
            assert full.stdout.endswith("Sphinx did not build: en; the site stays as it was\n")
        else:
            assert full.stderr.count("\n") == 1
            assert "Traceback" not in full.stdout
        assert guide.site() == before


@NAMESPACES
@pytest.mark.parametrize(
    ("folder", "option", "problem"),
    [
        (".", "--jobs=1", "build in a checkout that you can write to"),
        ("published", "--site=published/site", "published: choose another folder"),
    ],
)
def test_a_read_only_folder_is_refused_at_once(
    small_guide: SmallGuide, folder: str, option: str, problem: str
) -> None:
    (small_guide.root / "published").mkdir()
    check = shlex.join(small_guide.command(option))
    mount = f'mount --bind {folder} {folder} && mount -o remount,bind,ro {folder} && cd "$PWD"'
    refused = subprocess.run(
        ["unshare", "-rm", "sh", "-c", f"{mount} && {check}"],
        cwd=small_guide.root,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert refused.returncode == 2
    assert refused.stderr.count("\n") == 1
    assert problem in refused.stderr


def test_sphinx_that_is_killed_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def start(*_arguments: object) -> subprocess.Popen[str]:
        return subprocess.Popen(["sh", "-c", "kill -9 $$"], stdout=subprocess.PIPE, text=True)

    monkeypatch.setattr(site_build, "BUILD", tmp_path)
    monkeypatch.setattr(site_build, "start", start)
    assert not site_build.build_languages("html", ["en"], tmp_path, ["en"])
    assert "en: signal 9 ended Sphinx; memory may have been full\n" in capsys.readouterr().out
