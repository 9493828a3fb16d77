"""What a guide needs beside its pages, copied from this one for guides that tests make."""

import shutil
from pathlib import Path

from docs._make.options import ROOT

FOLDERS = ("_make", "_ext", "_l10n", "_templates", "_static", "_locale")
WORDS = ("terms.csv", "taught.csv")  # for the search


def copy_machinery(root: Path) -> None:
    """Copy what runs pages and builds the site, and nothing that is on a page."""
    for folder in FOLDERS:
        shutil.copytree(ROOT / "docs" / folder, root / "docs" / folder)
    shutil.copy(ROOT / "docs" / "conf.py", root / "docs")
    shutil.copytree(ROOT / "requirements", root / "requirements")
    (root / "locale").mkdir()
    for words in WORDS:
        shutil.copy(ROOT / "locale" / words, root / "locale")
