"""Whether the files of an earlier build are still what it left: else they are made anew.

Sphinx goes by the times of files. It takes a page that was half written when the build was killed
for finished, and a damaged file for right; it never looks into what it wrote. So what ends well
leaves a digest of all its files, and the next build begins by comparing.
"""

import hashlib
import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path


def seal(mark: Path, places: Sequence[Path], source: str = "") -> None:
    """Say that the files in these places are whole, and of what they were made."""
    mark.write_text(contents(places, source))


def is_sealed(mark: Path, places: Sequence[Path], source: str = "") -> bool:
    """Tell whether the files are those that were sealed, byte for byte, and made of the same."""
    return mark.exists() and mark.read_bytes() == contents(places, source).encode()


def contents(places: Sequence[Path], source: str) -> str:
    """Digest of some files and of all files in some folders, with their names."""
    digest = hashlib.sha256(source.encode())
    files = [file for place in places for file in (place, *place.rglob("*")) if file.is_file()]
    for file in sorted(map(str, files)):
        known = os.stat(file)
        digest.update(f"{file}\0".encode() + content(file, known.st_size, known.st_mtime_ns))
    return digest.hexdigest()


@cache
def content(file: str, size: int, time_ns: int) -> bytes:
    """Digest of a file; a build reads it again only if it wrote it meanwhile."""
    return hashlib.sha256(Path(file).read_bytes()).digest()
