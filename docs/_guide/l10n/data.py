"""Word lists and patterns: TOML files in `locale/`, beside the translations."""

import tomllib
from functools import cache
from typing import Any

from docs._guide.options import LOCALE


@cache
def load(path: str) -> dict[str, Any]:
    """Read a file of `locale/`.

    >>> load("numbers.toml")["ordinals"].split()[2]
    'second'
    """
    return tomllib.loads((LOCALE / path).read_text(encoding="utf-8"))
