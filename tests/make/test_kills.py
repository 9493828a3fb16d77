"""A build that is killed, or finds damaged files, leaves the old site or makes the right one."""

import os
import random
import shutil
import signal
import time
from collections.abc import Iterator
from contextlib import closing, suppress

import pytest

from tests.conftest import SmallGuide, notebook
from tests.make.builder import Builder, builder

# Stands for JAX in the kernels of these pages: the build asks it what ran a page.
JAX = """
__version__ = "0"
class Device: device_kind = "a device"
def devices(): return [Device]
def default_backend(): return "cpu"
"""


@pytest.fixture
def builders(
    small_guide: SmallGuide, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Builder, Builder]]:
    """Two builders of equal guides, the second with the outputs of the first."""
    small_guide.write("jax.py", JAX)
    (small_guide.root / "_build" / "outputs").mkdir(parents=True)
    other = tmp_path_factory.mktemp("undisturbed") / "guide"
    shutil.copytree(small_guide.root, other)
    (other / "_build" / "outputs").rmdir()
    (other / "_build" / "outputs").symlink_to(small_guide.root / "_build" / "outputs")
    option = "--language=en"
    with (
        closing(builder(small_guide, option)) as disturbed,
        closing(builder(SmallGuide(other), option)) as undisturbed,
    ):
        yield disturbed, undisturbed


def change(guide: SmallGuide, number: int, runs: bool) -> None:
    """Give a build something to do: new words always, sometimes a page to run."""
    guide.write("docs/one.md", notebook("print(6 * 7)", prose=f"These are the words {number}."))
    if runs:  # a page whose file does not change, for Sphinx goes by its time
        guide.write("examples/used.py", f"ANSWER = {number}\n")


def test_a_build_that_is_killed_at_any_moment(builders: tuple[Builder, Builder]) -> None:
    killed, undisturbed = builders
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    chance = random.Random(seed)
    whole = {}
    killed.published()
    undisturbed.published()
    for runs in (True, False):
        change(killed.guide, -1, runs)
        started = time.perf_counter()
        killed.published()
        whole[runs] = time.perf_counter() - started
    for number in range(20):
        runs = number % 4 == 0  # a fifth of the pages' time is a fair share of a build's
        old = killed.site()
        for each in builders:
            change(each.guide, number, runs)
        build = killed.start()
        moment = whole[runs] * (number + chance.random()) / 20
        time.sleep(moment)
        with suppress(ProcessLookupError):  # it was quicker than the one that was measured
            (os.kill if number % 2 else os.killpg)(build, signal.SIGKILL)
        killed.answer()
        found = killed.site()
        new = killed.published()
        which = "old" if found == old else "new" if found == new else "neither"
        print(number, runs, f"{moment:.2f} s of {whole[runs]:.2f} s", which)
        assert found in (old, new)
        assert f"the words {number}." in new["en/one.html"].decode()
        assert new == undisturbed.published()
    assert killed.others() == []


def test_damaged_files_of_sphinx_are_made_anew(builders: tuple[Builder, Builder]) -> None:
    builder, _ = builders
    whole = builder.published()
    made = builder.guide.root / "_build" / "en"
    for number, name in enumerate(
        (
            "html/.doctrees/environment.pickle",
            "html/.doctrees/one.doctree",
            "html/html/one.html",
            "html/html/_static/guide.css",
            "html/untranslated.json",
            "pagefind/words.json",
            "pagefind/0/pagefind-entry.json",
            "html.whole",
        )
    ):
        content = (made / name).read_bytes()
        middle = len(content) // 2
        rest = b"" if number % 2 else b"?" + content[middle + 1 :]
        (made / name).write_bytes(content[:middle] + rest)
        assert builder.published() == whole, name
