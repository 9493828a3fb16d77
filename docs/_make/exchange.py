"""Put a new folder in the place of an old one, in a single step."""

import ctypes
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

AT_FDCWD = -100
RENAME_EXCHANGE = 2


@contextmanager
def replaced(site: Path) -> Iterator[Path]:
    """Give a new folder to fill, which then is the site; where filling it fails, nothing changes.

    It is beside the site, for folders of two disks cannot be swapped.
    """
    new = site.with_name(f".{site.name}.new")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    try:
        yield new
        exchange(new, site)
    except shutil.Error as errors:  # it names every file that did not fit on the disk
        raise OSError(errors.args[0][0][2]) from errors
    finally:
        shutil.rmtree(new, ignore_errors=True)  # now the site before, or what could not be one


def exchange(new: Path, site: Path) -> None:
    """Swap two folders, so that at every moment there is a whole site, the old or the new.

    Python has no call that exchanges two folders. Linux has; elsewhere there is a moment
    without a site, between two renames.
    """
    if not site.exists():
        new.rename(site)
        return
    renameat2 = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if renameat2 and not renameat2(
        AT_FDCWD, os.fsencode(new), AT_FDCWD, os.fsencode(site), RENAME_EXCHANGE
    ):
        return
    old = new.with_name("site.old")
    site.rename(old)
    new.rename(site)
    old.rename(new)
