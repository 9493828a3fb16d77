"""What the command lines of the examples share: numbers with limits, and the file of a picture.

``python examples/grad.py`` finds this module beside the script. Every mistake in an argument ends
in one line on stderr that says what to give instead, with status 2.
"""

import argparse
import io
import math
from collections.abc import Callable
from pathlib import Path

from matplotlib.figure import Figure

SUFFIXES = (".pdf", ".png", ".svg")
DEFAULT = "default: %(default)s"  # the end of an option's help


def command_line(documentation: str | None) -> argparse.ArgumentParser:
    """Begin a command line with the first paragraph of a module's docstring.

    >>> command_line("What it does.\\n\\nMore.").description
    'What it does.'
    """
    return argparse.ArgumentParser(description=(documentation or "").split("\n\n")[0])


def whole_number(low: int, high: int) -> Callable[[str], int]:
    """Make an argparse type that accepts whole numbers from low to high.

    >>> whole_number(1, 9)("7")
    7
    >>> whole_number(1, 9)("ten")
    Traceback (most recent call last):
    argparse.ArgumentTypeError: 'ten': give a whole number from 1 to 9
    """

    def convert(text: str) -> int:
        # int() reads further than anyone writes: " 7 ", "1_000".
        digits = text.removeprefix("-") if low < 0 else text
        if not digits.isdecimal() or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"{text!r}: give a whole number from {low} to {high}")
        return int(text)

    return convert


def real_number(low: float, high: float) -> Callable[[str], float]:
    """Make an argparse type that accepts finite numbers from low to high.

    >>> real_number(0, 1)("1e-3")
    0.001
    >>> real_number(0, 1)("nan")
    Traceback (most recent call last):
    argparse.ArgumentTypeError: 'nan': give a number from 0 to 1
    """

    def convert(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not low <= value <= high or math.isinf(value):  # NaN fails every comparison
            raise argparse.ArgumentTypeError(f"{text!r}: give a number from {low:g} to {high:g}")
        return value

    return convert


def folder(text: str) -> Path:
    """Read the name of a folder for argparse.

    >>> folder(".").is_dir()
    True
    >>> folder("no/such/folder")
    Traceback (most recent call last):
    argparse.ArgumentTypeError: 'no/such/folder': create this folder first
    """
    path = Path(text)
    if not path.is_dir():
        raise argparse.ArgumentTypeError(f"{text!r}: create this folder first")
    return path


def picture_file(text: str) -> Path:
    """Read the name of a picture's file for argparse.

    >>> picture_file("figure.svg").name
    'figure.svg'
    >>> picture_file("figure.doc")
    Traceback (most recent call last):
    argparse.ArgumentTypeError: 'figure.doc': end the name in .pdf, .png, .svg
    """
    return file_to_write(text, *SUFFIXES)


def file_to_write(text: str, *suffixes: str) -> Path:
    """Read the name of a file that a script will write, for argparse.

    >>> file_to_write("film.gif", ".gif").name
    'film.gif'
    >>> file_to_write("no/film.gif", ".gif")
    Traceback (most recent call last):
    argparse.ArgumentTypeError: 'no/film.gif': create the folder no first
    """
    path = Path(text)
    if path.suffix.lower() not in suffixes:
        raise argparse.ArgumentTypeError(f"{text!r}: end the name in {', '.join(suffixes)}")
    if not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"{text!r}: create the folder {path.parent} first")
    return path


def save(figure: Figure, path: Path, parser: argparse.ArgumentParser) -> None:
    """Write a picture, whole or not at all; end the command line if that cannot be done."""
    picture = io.BytesIO()
    figure.savefig(picture, format=path.suffix[1:].lower(), bbox_inches="tight")
    try:
        path.write_bytes(picture.getvalue())
    except OSError as error:
        parser.error(f"--plot {path}: {error.strerror}; name another file")
