"""Find the old names of JAX, Flax and Optax in code, and say what to write today.

Python files and notebooks are read, not run: what a name stands for follows from the imports, so
strings, comments and other things of the same name do not count. With --write, pure renamings are
made. In a notebook, article.ipynb[4]:2 is the second line of the fourth code cell.

    python examples/modernize.py --language en article.ipynb
    python -m examples.modernize --write article.py

The status is 1 if something no longer works today, 0 if nothing does, and 2 if a file cannot be
read. Names that still work are listed too, except with --only-broken.

Source: the articles of 2021 and 2022 that this guide grew from, the change logs of the libraries,
and their releases since 2020. The parts are in `examples/_modernize/`.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "libcst", "matplotlib"]
# ///

import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from _command_line import command_line
from _modernize.advice import SENTENCES, advice, language
from _modernize.find import Finding, find
from _modernize.rewrite import rewrite
from _modernize.rows import Row
from _modernize.source import Source, read


def at_lines(source: Source, findings: list[Finding]) -> list[tuple[str, Row]]:
    """Keep each old name once a line, with the name of the line."""
    pairs = dict.fromkeys((finding.line, finding.row) for finding in findings)
    return [(source.place(line), row) for line, row in pairs]


def replace(path: Path, data: bytes) -> None:
    """Write a file, whole or not at all.

    Raises:
        OSError: If it cannot be written; the file is then as it was.
    """
    target = path.resolve()
    number, name = tempfile.mkstemp(dir=target.parent)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(data)
        shutil.copymode(target, name)
        Path(name).replace(target)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


def load(name: str) -> tuple[bytes, Source]:
    """Read a file, or standard input for ``-``.

    Raises:
        ValueError: With one line that says what is wrong.
    """
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        return data, read(data)
    except OSError as error:
        raise ValueError(f"{name}: {error.strerror}; name a Python file or a notebook") from None
    except UnicodeError as error:
        raise ValueError(f"{name}: not a text in {error.args[0]}") from None
    except SyntaxError as error:
        place = f"line {error.lineno}: " if error.lineno else ""
        raise ValueError(f"{name}: {place}not Python: {error.msg}") from None


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what is to be changed.

    Args:
        arguments: Command-line arguments; those of the process by default.

    Returns:
        The exit status: 1 if something that no longer works is left, otherwise 0.

    Raises:
        SystemExit: With status 2 after one line on stderr, if an argument is not usable.

    >>> import contextlib
    >>> with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
    ...     code = "from jax import ops\\nx = ops.index_add(x, 0, 1)\\n"
    ...     _ = Path("article.py").write_text(code)
    ...     main(["--language", "en", "article.py"])
    article.py:2: jax.ops.index_add → Removed in JAX 0.3.2. Write x.at[i].add(y) instead.
    Lines that no longer work: 1. Dated lines that still work: 0.
    1
    """
    parser = command_line(__doc__)
    add: Any = parser.add_argument
    add("files", nargs="*", default=["-"], metavar="FILE", help="- or nothing: standard input")
    add("--language", choices=list(SENTENCES), default=language(), help="of what is printed")
    add("--only-broken", action="store_true", help="leave out names that still work")
    add("--write", action="store_true", help="make the changes that are pure renamings")
    options = parser.parse_args(arguments)
    if options.write and "-" in options.files:
        parser.error("--write needs the name of a file")

    sentences = SENTENCES[options.language]
    try:
        sources = [(name, *load(name)) for name in options.files]
    except ValueError as error:
        parser.error(str(error))
    rows: list[Row] = []
    for name, data, source in sources:
        for number in source.unread:
            print(f"{name}[{number}]: {sentences['unread']}")
        changed: list[Finding] = []
        if options.write:
            if source.text.encode(source.encoding) != data:
                parser.error(f"{name}: cannot be written back byte for byte; save it as UTF-8")
            text, changed, findings = rewrite(source)
            try:
                if changed:
                    replace(Path(name), text.encode(source.encoding))
            except OSError as error:
                parser.error(f"--write {name}: {error.strerror}")
            for place, row in at_lines(source, changed):
                print(f"{name}{place}: {row.old} → {sentences['changed'].format(new=row.new)}")
            source = read(text.encode(source.encoding))
        else:
            findings = find(source.code)[0]
        left = [(place, row) for place, row in at_lines(source, findings)
                if row.broken or not options.only_broken]  # fmt: skip
        if not left and not changed:
            print(f"{name}: {sentences['nothing']}")
        for place, row in left:
            print(f"{name}{place}: {row.old} → {advice(row, options.language)}")
        rows += [row for _, row in left]
    broken = sum(row.broken for row in rows)
    if rows:
        print(sentences["sum"].format(broken=broken, working=len(rows) - broken))
    return int(broken > 0)


if __name__ == "__main__":
    raise SystemExit(main())
