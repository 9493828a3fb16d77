"""Measure how time and memory grow with the pages: `python -m tests.scale [PAGES ...]`.

Guides of generated pages are built in three languages: first whole, from stored outputs, then
again with nothing changed, and after one edit of each kind. What was measured replaces the figures
of the same number of pages in docs/_pictures/scale.json, and CONTRIBUTING.md shows all of them.
"""

import json
import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from docs._make.environment import available_cpus, folder_name, processor
from docs._make.kernel import commit
from docs._make.languages import BUILD
from docs._make.options import ROOT, configured_languages
from docs._make.ready import ReadyPages
from docs._make.store import open_store
from tests.scale.generated import MODULE, OTHERS, USES_MODULE, Generated, generate, real_pages
from tests.scale.measured import Cost, build
from tests.scale.plot import draw

PAGES = (30, 100, 300, 1000)
PICTURES = ROOT / "docs" / "_pictures"
PACKAGES = ("sphinx", "docutils", "myst-nb", "furo", "pagefind")


def nothing(guide: Generated) -> None:
    """Change nothing."""


def prose(guide: Generated) -> None:
    """Add a sentence to a page."""
    page = guide.root / "docs" / f"{guide.name(7)}.md"
    with page.open("a", encoding="utf-8") as file:
        file.write("\nOne more sentence.\n")


def translation(guide: Generated) -> None:
    """Change a paragraph of a page in Japanese."""
    file = guide.root / "locale" / "ja" / "LC_MESSAGES" / f"{guide.name(8)}.po"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("。", "。なお、", 1), encoding="utf-8")


def module(guide: Generated) -> None:
    """Change a module that one page imports: that page runs again."""
    (guide.root / MODULE).write_text("ANSWER = 43\n", encoding="utf-8")


EDITS: dict[str, Callable[[Generated], None]] = {
    "whole": nothing,
    "nothing": nothing,
    "prose": prose,
    "translation": translation,
    "module": module,
}


def measure(pages: int) -> dict[str, Cost]:
    """Measure one guide."""
    costs = {}
    with TemporaryDirectory(prefix="scale-", dir=BUILD) as folder:
        guide = generate(Path(folder), pages, real_pages())
        build(guide.root, f"--page={USES_MODULE}")  # the one that has no outputs yet
        for name, edit in EDITS.items():
            edit(guide)
            costs[name] = cost = build(guide.root)
            print(
                f"{pages:5} pages, {name:11} {cost.cpu_s:7.1f} s CPU, {cost.wall_s:6.1f} s, "
                f"{cost.memory_mib:5.0f} MiB, search {cost.search_mib:5.0f} MiB, "
                f"read {cost.read}, written {cost.written}",
                flush=True,
            )
    return costs


def about() -> dict[str, Any]:
    """What measured it, and when."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "commit": commit(),
        "processor": processor(),
        "cpus": available_cpus(),
        "python": platform.python_version(),
        "packages": {package: version(package) for package in PACKAGES},
        "languages": list(configured_languages()),
    }


def main(arguments: Sequence[str]) -> int:
    """Measure what was asked for; only the guide's own figures are kept."""
    wrong = [each for each in arguments if not each.isdecimal() or int(each) <= OTHERS]
    if wrong:
        print(f"{wrong[0]!r} is not a number of pages above {OTHERS}", file=sys.stderr)
        return 2
    outputs = BUILD / "outputs" / folder_name("cpu")
    if ReadyPages(outputs).update(open_store(outputs)):
        print("not every page has run yet: nox -s docs, then again", file=sys.stderr)
        return 1
    for pages in arguments or PAGES:
        keep(int(pages), measure(int(pages)))
    return 0


def keep(pages: int, costs: Mapping[str, Cost]) -> None:
    """Write the figures of a number of pages beside those of others, and draw all."""
    file = PICTURES / "scale.json"
    result = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    result[str(pages)] = about() | {name: cost._asdict() for name, cost in costs.items()}
    result = dict(sorted(result.items(), key=lambda item: int(item[0])))
    file.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    draw(result).savefig(PICTURES / "scale.svg", facecolor="white", metadata={"Date": None})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
