"""Find what an error message of JAX means, and what to write instead.

Give a message from your terminal, a part of one, or a whole traceback. Without a message, all
rows are listed; a message of - is read from standard input.

    python examples/errors.py "Pred must be a scalar"
    python train.py 2>&1 | python examples/errors.py -

The messages are in `examples/_errors/`, with the section of the guide that explains each of them.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib"]
# ///

import csv
import functools
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from _command_line import DEFAULT, command_line, whole_number

Row = dict[str, str]


def raised(function: Callable[..., Any], *arguments: Any) -> Exception:
    """Call a function that fails, and return its error.

    Args:
        function: What to call.
        arguments: Its arguments.

    Raises:
        AssertionError: If the function raises nothing.

    >>> raised(int, "x")
    ValueError("invalid literal for int() with base 10: 'x'")
    """
    try:
        function(*arguments)
    except Exception as error:
        return error
    raise AssertionError(function.__name__)


def message(function: Callable[..., Any], *arguments: Any) -> str:
    """Return the first line of the error of a function that fails.

    Args:
        function: What to call.
        arguments: Its arguments.

    Returns:
        Name and message, without addresses and files, which differ from run to run.

    Raises:
        AssertionError: If the function raises nothing.

    >>> message(int, "x")
    "ValueError: invalid literal for int() with base 10: 'x'"
    """
    error = raised(function, *arguments)
    line = str(error).splitlines()[0]
    line = re.sub(r" at (0x[0-9a-f]+|/\S+)", "", line)
    return f"{type(error).__name__}: {line}"


@functools.cache
def table() -> list[Row]:
    """Read all rows: message, cause, fix, and the page and section that explain them."""
    files = sorted(Path(__file__).with_name("_errors").glob("*.csv"))
    texts = [file.read_text(encoding="utf-8").splitlines() for file in files]
    return [row for text in texts for row in csv.DictReader(text)]


def likeness(quoted: str, text: str) -> int:
    """Return how many characters of a quoted message are in a text, or 0 if a part is missing.

    Args:
        quoted: Parts of a message, with " … " where it differs from program to program.
        text: A traceback, on a single line.

    >>> likeness("cannot add … to", "TypeError: cannot add int32[3] to float32[4]")
    12
    >>> likeness("cannot add … to", "TypeError: cannot add int32[3] and float32[4]")
    0
    """
    parts = quoted.split(" … ")
    return sum(map(len, parts)) if re.search(".*".join(map(re.escape, parts)), text) else 0


def find(text: str) -> list[Row]:
    """Find the rows whose message is in a text, or else those that contain the text.

    Args:
        text: A message, a part of one, or a traceback.

    Returns:
        The rows, the longest message first.

    >>> [row["section"] for row in find("TypeError: Pred must be a scalar, got [ True False].")]
    ['pred-must-be-a-scalar']
    >>> [row["section"] for row in find("pred must")]
    ['pred-must-be-a-scalar']
    """
    text = " ".join(text.split())
    scored = [(likeness(row["message"], text), row) for row in table()]
    if any(score for score, _ in scored):
        ordered = sorted(scored, key=lambda pair: -pair[0])
        return [row for score, row in ordered if score]
    return [row for row in table() if text.lower() in f"{row['message']} {row['section']}".lower()]


def show(row: Row) -> str:
    """Write a row as a paragraph."""
    address = f"docs/{row['page']}.md#{row['section']}"
    return f"{row['message']}\n  cause: {row['cause']}\n  fix:   {row['fix']}\n  page:  {address}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Show the rows that explain a message; return 1 if there is none."""
    parser = command_line(__doc__)
    add = parser.add_argument
    add("text", nargs="*", metavar="MESSAGE", help="message or traceback; - reads standard input")
    limit = f"show at most so many; {DEFAULT}"
    add("--rows", type=whole_number(1, 99), default=3, metavar="N", help=limit)
    options = parser.parse_args(arguments)

    text = sys.stdin.read() if options.text == ["-"] else " ".join(options.text)
    if options.text and len(text.strip()) < 4:
        parser.error(f"{text.strip()!r}: give a longer part of the message")
    rows = find(text)[: options.rows] if text else table()
    if not rows:
        print("no row has such a message; give the line that begins with the name of the error")
        return 1
    print("\n\n".join(map(show, rows)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
