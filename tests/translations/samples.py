"""A random sample of the guide's own translations, to damage on purpose."""

import os
import random
from functools import cache

from docs._guide.l10n.entry import Entry, catalogs

SEED = int(os.environ.get("GUIDE_SEED", random.randrange(2**32)))
SIZE = 400


@cache
def translations(language: str) -> list[Entry]:
    return [entry for entry in catalogs(language) if entry.msgstr and not entry.fuzzy]


def seeded() -> random.Random:
    print(f"GUIDE_SEED={SEED}")  # pytest shows it with a failure
    return random.Random(SEED)
