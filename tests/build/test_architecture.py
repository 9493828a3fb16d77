"""The page on architecture names files that exist."""

import re

import pytest

from docs._guide.options import ROOT

BUILT = ("_build/", "site/")  # a build creates them
PAGE = (ROOT / "docs" / "contribute" / "architecture.md").read_text(encoding="utf-8")
PATHS = set(re.findall(r"`([\w.<>*/-]+/[\w.<>*/-]*)`", PAGE))


@pytest.mark.parametrize("path", sorted(path for path in PATHS if not path.startswith(BUILT)))
def test_a_path_on_the_page_exists(path: str) -> None:
    assert any(ROOT.glob(re.sub(r"<\w+>", "*", path).rstrip("/")))
