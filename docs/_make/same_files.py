"""Copy a folder into a new site; what the site before has already is not copied, but linked.

So an edit of one page does not copy all others. Two files of the same size and time are the same,
as for `rsync --link-dest`. Nothing may then be written into a file of the new site, for the site
before would change with it: a changed file is another file.
"""

import os
import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path


def copy(source: Path, target: Path, before: Path, left_out: Iterable[str] = ()) -> None:
    """Make `target` of the files of `source`, but for names that match a pattern."""

    def link_or_copy(file: str, copied: str) -> None:
        same = f"{before}{copied.removeprefix(str(target))}"
        with suppress(OSError):  # the site before has none, or the disk knows no links
            if size_and_time(same) == size_and_time(file):
                os.link(same, copied)
                return
        shutil.copy2(file, copied)

    ignore = shutil.ignore_patterns(*left_out)
    shutil.copytree(source, target, ignore=ignore, copy_function=link_or_copy, dirs_exist_ok=True)


def size_and_time(file: str) -> tuple[int, int]:
    """What two files have in common if they are the same."""
    known = os.stat(file)
    return known.st_size, known.st_mtime_ns


def write_anew(file: Path, text: str) -> None:
    """Replace a file that may be linked."""
    file.unlink()
    file.write_text(text, encoding="utf-8")
