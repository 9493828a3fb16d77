"""Outputs of environments that are not used any more do not fill the disk."""

import os
import time
from pathlib import Path

from docs._guide.execute import cache


def test_outputs_that_no_build_used_for_a_month_are_removed(tmp_path: Path) -> None:
    for name, days in (("used", 40), ("unused", 31), ("recent", 29)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "one.ipynb").touch()
        moment = time.time() - days * 24 * 3600
        os.utime(tmp_path / name, (moment, moment))
    cache.prune(tmp_path / "used")
    cache.prune(tmp_path / "new")
    assert {folder.name for folder in tmp_path.iterdir()} == {"used", "recent", "new"}
