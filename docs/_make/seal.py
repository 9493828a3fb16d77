"""Whether the files of an earlier build are still what it left: else they are made anew.

Sphinx goes by the times of files. It takes a page that was half written when the build was killed
for finished, and a damaged file for right; it never looks into what it wrote. So what ends well
leaves a digest of all its files, and the next build begins by comparing.

For an edit of one page, the files of all others need not be read: as in git, a file is read again
only where its size, its inode or a time is not what it was. One of the times is that of the last
change of any kind, which only the system sets.
"""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple


class Sealed(NamedTuple):
    """One digest of all, and of each file what the system said of it and its own digest."""

    digest: str = ""
    files: Mapping[str, tuple[list[int], str]] = {}


def seal(mark: Path, places: Sequence[Path], source: str = "") -> None:
    """Say that the files in these places are whole, and of what they were made."""
    write(mark, look(places, source, sealed(mark)))


def is_sealed(mark: Path, places: Sequence[Path], source: str = "") -> bool:
    """Tell whether the files are those that were sealed, byte for byte, and made of the same."""
    before = sealed(mark)
    now = look(places, source, before)
    if now.digest == before.digest and now.files != before.files:
        write(mark, now)  # what was touched and is the same need not be read the next time
    return now.digest == before.digest


def write(mark: Path, now: Sealed) -> None:
    """Write a mark."""
    mark.write_text(json.dumps(now._asdict()))


def sealed(mark: Path) -> Sealed:
    """What was sealed, without files that could have changed in the same moment."""
    try:
        found = Sealed(**json.loads(mark.read_bytes()))
        moment = mark.stat().st_mtime_ns
        files = {
            name: (said, digest)
            for name, (said, digest) in found.files.items()
            if max(said) < moment
        }
        return found._replace(files=files)
    except (OSError, ValueError, TypeError, AttributeError):  # none, or a damaged one
        return Sealed()


def look(places: Sequence[Path], source: str, before: Sealed) -> Sealed:
    """Look at files, and at all in folders; read those that are not as they were before."""
    total = hashlib.sha256(source.encode())
    files = {}
    for file in sorted(all_files(places)):
        now = os.stat(file)
        said = [now.st_size, now.st_ino, now.st_mtime_ns, now.st_ctime_ns]
        known, digest = before.files.get(file, ([], ""))
        if known != said:
            digest = hashlib.sha256(Path(file).read_bytes()).hexdigest()
        files[file] = said, digest
        total.update(f"{file}\0{digest}".encode())
    return Sealed(total.hexdigest(), files)


def all_files(places: Sequence[Path]) -> Iterator[str]:
    """The files among some places, and those in the folders."""
    for place in map(os.fspath, places):
        if os.path.isfile(place):
            yield place
        for folder, _, names in os.walk(place):
            yield from (os.path.join(folder, name) for name in names)
