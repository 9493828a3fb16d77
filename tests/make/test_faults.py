"""Interruptions, full disks and the like end in one clear line, and lose nothing."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from docs._make import languages
from tests.conftest import SmallGuide, notebook

# Needs Linux's mount namespaces: root, or unprivileged ones, has them.
NAMESPACES = (
    sys.platform == "linux"
    and shutil.which("unshare") is not None
    and subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode == 0
)

# A job in the background, as CI may be, is started with Ctrl-C ignored.
HEED_CTRL_C = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])
"""


@pytest.mark.parametrize("seconds", [0.5, 1.5, 6])  # while the kernel starts, and while a cell runs
def test_an_interrupted_build_goes_on_where_it_was(small_guide: SmallGuide, seconds: float) -> None:
    small_guide.write("docs/two.md", notebook("import time\ntime.sleep(60)"))
    build = subprocess.Popen(
        [sys.executable, "-c", HEED_CTRL_C, *small_guide.command("--jobs=1")],
        cwd=small_guide.root,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert build.stdout
    for line in build.stdout:
        if line.startswith("running two"):
            break
    time.sleep(seconds)
    build.send_signal(signal.SIGINT)
    _, said = build.communicate(timeout=30)
    assert build.returncode == 1
    assert said == (
        "interrupted: pages that had run are kept; the same command goes on from there\n"
    )
    assert not (small_guide.root / "site").exists()
    small_guide.write("docs/two.md", notebook("print('short')"))
    assert small_guide.ran(small_guide.make()) == {"two"}


def test_two_builds_at_once_do_not_meet(small_guide: SmallGuide) -> None:
    small_guide.write("docs/two.md", notebook("import time\ntime.sleep(8)"))
    first = subprocess.Popen(
        small_guide.command(), cwd=small_guide.root, stdout=subprocess.PIPE, text=True
    )
    assert first.stdout
    first.stdout.readline()
    second = small_guide.make()
    assert second.returncode == 1
    assert second.stderr == (
        "another build is running in this checkout: wait until it ends, or stop it\n"
    )
    first.communicate(timeout=120)
    assert first.returncode == 0


def test_damaged_outputs_run_again(small_guide: SmallGuide) -> None:
    assert small_guide.make("--language=en").returncode == 0
    stored = sorted((small_guide.root / "_build" / "outputs").rglob("base.ipynb"))
    stored[0].write_text(stored[0].read_text().replace("42", "24"))
    again = small_guide.make("--language=en")
    assert len(small_guide.ran(again)) == 1
    assert ">24\n" not in small_guide.page("one") + small_guide.page("two")
    for database in (small_guide.root / "_build" / "outputs").rglob("global.db"):
        database.write_bytes(b"\0" * 5000)
    again = small_guide.make("--language=en")
    assert again.returncode == 0
    assert "are damaged: every page runs again" in again.stdout
    assert small_guide.ran(again) == {"one", "two"}


def made_on_a_small_disk(
    guide: SmallGuide, folder: str, size: str, option: str
) -> subprocess.CompletedProcess[str]:
    """Build in English, with a folder on a disk of its own that is soon full."""
    command = " ".join(guide.command("--language=en", option))
    return subprocess.run(
        ["unshare", "-rm", "sh", "-c", f"mount -t tmpfs -o size={size} none {folder} && {command}"],
        cwd=guide.root,
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.mark.skipif(not NAMESPACES, reason="needs mount namespaces (unshare)")
def test_a_full_disk_ends_in_one_line_and_keeps_the_site(small_guide: SmallGuide) -> None:
    assert small_guide.make("--language=en").returncode == 0
    before = small_guide.page("one")
    small_guide.write(
        "docs/one.md", notebook("for n in range(300_000):\n    print('a line of output')")
    )
    full = made_on_a_small_disk(small_guide, "_build", "1m", "--fresh")
    assert full.returncode == 1
    assert full.stderr.count("\n") == 1
    assert "No space left on device" in full.stderr
    assert small_guide.page("one") == before


@pytest.mark.skipif(not NAMESPACES, reason="needs mount namespaces (unshare)")
def test_a_disk_that_fills_later_ends_in_one_line_and_keeps_the_site(
    small_guide: SmallGuide,
) -> None:
    assert small_guide.make("--language=en").returncode == 0
    (small_guide.root / "published").mkdir()
    for full, site in (("_build/en", "site"), ("published", "published/site")):
        stopped = made_on_a_small_disk(small_guide, full, "300k", f"--site={site}")
        assert stopped.returncode == 1
        assert "No space left on device" in stopped.stdout + stopped.stderr
        assert "Traceback" not in stopped.stdout + stopped.stderr
        assert stopped.stderr.count("\n") <= 1
        assert ">42\n" in small_guide.page("one")


def killed(*_arguments: object) -> bool:
    os.kill(os.getpid(), signal.SIGKILL)
    return True


def test_sphinx_killed_for_its_memory_ends_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(languages, "BUILD", tmp_path)
    monkeypatch.setattr(languages, "build_one", killed)
    with pytest.raises(OSError, match="Sphinx was killed, perhaps because memory was full"):
        languages.build("html", ["en"], tmp_path, ["en"])


def checked_with_read_only(
    folder: str, guide: SmallGuide, *options: str
) -> subprocess.CompletedProcess[str]:
    """Ask whether a build can be made, where a folder can only be read."""
    script = " ".join([sys.executable, "docs/_make/options.py", *options])
    mount = f"mount --bind {folder} {folder} && mount -o remount,bind,ro {folder} && cd $PWD"
    command = ["unshare", "-rm", "sh", "-c", f"{mount} && {script}"]
    return subprocess.run(command, cwd=guide.root, capture_output=True, text=True, timeout=60)


@pytest.mark.skipif(not NAMESPACES, reason="needs mount namespaces (unshare)")
def test_a_read_only_checkout_is_refused_in_one_line(small_guide: SmallGuide) -> None:
    refused = checked_with_read_only(".", small_guide)
    assert refused.returncode == 1
    assert refused.stderr.count("\n") == 1
    assert "Read-only file system; build in a checkout you can write to" in refused.stderr


@pytest.mark.skipif(not NAMESPACES, reason="needs mount namespaces (unshare)")
def test_a_place_where_no_site_can_be_is_refused_at_once(small_guide: SmallGuide) -> None:
    (small_guide.root / "published").mkdir()
    refused = checked_with_read_only("published", small_guide, "--site=published/site")
    assert refused.returncode == 2
    assert refused.stderr.count("\n") == 1
    assert "published: choose another folder" in refused.stderr


def test_a_page_changed_during_the_build_is_not_published_with_old_outputs(
    small_guide: SmallGuide,
) -> None:
    cell = "import pathlib\npage = pathlib.Path({!r})\n".format(
        str(small_guide.root / "docs" / "one.md")
    )
    change = "page.write_text(page.read_text().replace('print(1)', 'print(2)'))"
    small_guide.write("docs/one.md", notebook("print(1)"))
    small_guide.write("docs/two.md", notebook(cell + change))
    failed = small_guide.make("--jobs=1")
    assert failed.returncode == 1
    assert "No stored outputs: for docs/one.md as it is now: run `nox -s docs`" in failed.stdout
    assert not (small_guide.root / "site").exists()
