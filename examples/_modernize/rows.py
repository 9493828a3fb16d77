"""The old names: `rows.csv`, some of whose rows name several at once."""

import csv
import re
from dataclasses import dataclass, replace
from pathlib import Path


@dataclass(frozen=True)
class Row:
    """An old name.

    Attributes:
        old: A path such as ``jax.tree_map``, perhaps with what a call must look like:
            ``f(name=)`` has this argument, ``f([])`` begins with a list, ``f("x")`` with this
            text, and ``f(a, b)`` has so many arguments and no others.
            ``import jax.config`` is an import, not a use.
        new: The new path, or code to write instead; empty if there is none.
        version: Of the library that ``old`` begins with; empty if it is not known.
        kind: "gone", "refused" (the function is there), "warns" or "dated" (works silently).
        change: "rename" if the new name means the same, otherwise "rewrite".
    """

    old: str
    new: str
    version: str
    kind: str
    change: str

    @property
    def path(self) -> str:
        """The name without the call.

        >>> Row("jax.jit(f, 1)", "", "", "", "").path
        'jax.jit'
        """
        return self.old.split("(")[0].removeprefix("import ")

    @property
    def form(self) -> str:
        """What a call must look like, with its parentheses; empty if a call is not needed."""
        return self.old.removeprefix(self.old.split("(")[0])

    @property
    def broken(self) -> bool:
        """Whether code with this name fails today."""
        return self.kind in ("gone", "refused")


def expanded(row: Row) -> list[Row]:
    """Write a row for each name in braces.

    >>> [(row.old, row.new) for row in expanded(Row("a.{b,c}", "d.{}", "", "", ""))]
    [('a.b', 'd.b'), ('a.c', 'd.c')]
    """
    braces = re.search(r"\{([^}]+)\}", row.old)
    if not braces:
        return [row]
    names = re.split(r",\s*", braces[1])
    return [
        replace(row, old=row.old.replace(braces[0], name), new=row.new.replace("{}", name))
        for name in names
    ]


def load() -> list[Row]:
    """Read the rows.

    >>> [row.new for row in load() if row.old == "jax.tree_map"]
    ['jax.tree.map']
    """
    with (Path(__file__).parent / "rows.csv").open(encoding="utf-8", newline="") as file:
        return [row for fields in csv.DictReader(file) for row in expanded(Row(**fields))]


ROWS = load()
