"""The old names: one row of `rows.csv` each, as on the page "Old code to today's API"."""

import ast
import csv
from dataclasses import dataclass
from pathlib import Path

# Whose objects have an old attribute. Their type is not known before the code runs, so the name
# of the attribute counts, in a file that imports the package.
OWNERS = {"jax.Array": "jax", "flax.core.FrozenDict": "flax", "flax.nnx.Variable": "flax.nnx"}


@dataclass(frozen=True)
class Row:
    """An old name.

    Attributes:
        old: A path such as ``jax.tree_map``, perhaps with what a call must look like:
            ``f(name=)`` has this argument, ``f([])`` begins with a list, and ``f(a, b)`` has so
            many arguments and no others.
        new: The new path, or code to write instead.
        version: Of the library that ``old`` begins with.
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
        return self.old.split("(")[0]

    @property
    def owner(self) -> str:
        """The type whose attribute is meant; empty for a name of a module."""
        owner = self.path.rpartition(".")[0]
        return owner if owner in OWNERS else ""

    def fits(self, call: ast.Call | None, skip: int = 0) -> bool:
        """Tell whether a use has the form that the row speaks of.

        Args:
            call: The call of the name; None if it is not called.
            skip: How many arguments come before those of the function, as in ``partial(f, ...)``.

        >>> call = ast.parse("jax.jit(f, 1)", mode="eval").body
        >>> Row("jax.jit(f, 1)", "", "", "", "").fits(call)
        True
        >>> Row("jax.jit(backend=)", "", "", "", "").fits(call)
        False
        """
        _, parenthesis, form = self.old.partition("(")
        form = form.removesuffix(")")
        if not parenthesis or call is None:
            return not parenthesis
        arguments = call.args[skip:]
        if form.endswith("="):
            return any(keyword.arg == form[:-1] for keyword in call.keywords)
        if form == "[]":
            return bool(arguments) and isinstance(arguments[0], ast.List)
        if any(isinstance(argument, ast.Starred) for argument in arguments) or call.keywords:
            return False
        return not skip and len(arguments) == len(form.split(",")) * bool(form)


def load() -> list[Row]:
    """Read the rows.

    >>> [row.new for row in load() if row.old == "jax.tree_map"]
    ['jax.tree.map']
    """
    with (Path(__file__).parent / "rows.csv").open(encoding="utf-8", newline="") as file:
        return [Row(**row) for row in csv.DictReader(file)]


ROWS = load()
