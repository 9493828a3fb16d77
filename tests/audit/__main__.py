"""Measure the built site: `python -m tests.audit [steady] [ja] [transforms/grad]`.

Every page is visited (axe, weight, hosts, what moves). One of every kind is shown in light, in dark
and on a telephone in all languages, and scored by Lighthouse; the others have one view and one
language each, in turn. The budgets are in budgets.toml, the reports under _build/audit/. `steady`
leaves out Lighthouse's performance, the one thing that a busy machine changes.
"""

import asyncio
import sys
import time
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from docs._make.npm import NoNode, install
from docs._make.options import ROOT, configured_languages
from tests.audit import scores, visit
from tests.audit.finding import Finding
from tests.host import served

HERE = Path(__file__).parent
WORK = ROOT / "_build" / "audit"
STEADY = "steady"


def main(arguments: Sequence[str]) -> int:
    """Audit what was asked for; one line for each page that is over a budget."""
    site = ROOT / "site"
    budgets = read_budgets()
    if STEADY in arguments:
        arguments = [argument for argument in arguments if argument != STEADY]
        del budgets["lighthouse"]["performance"]
    problem = unknown(arguments, site)
    if not site.is_dir():
        problem = "there is no site yet: nox -s docs builds it"
    if problem:
        print(problem, file=sys.stderr)
        return 2
    try:
        install(HERE, WORK)
    except NoNode as missing:
        print(f"audit: {missing}", file=sys.stderr)
        return 2
    visited, scored = chosen(arguments, site, budgets)
    found = audit(site, visited, scored, budgets)
    for finding in found:
        print(finding)
    print(f"{len(found)} found on {len(visited)} pages: {WORK / 'lighthouse'} has the reports")
    return 1 if found else 0


def read_budgets() -> dict[str, Any]:
    """What a page may cost."""
    return tomllib.loads((HERE / "budgets.toml").read_text(encoding="utf-8"))


def unknown(arguments: Sequence[str], site: Path) -> str:
    """Say which argument is neither a language nor a page; empty if all are."""
    languages = configured_languages()
    for argument in arguments:
        found = any(site.glob(f"*/{argument}.html")) or (site / f"{argument}.html").is_file()
        if argument not in languages and not found:
            return f"{argument!r} is neither a language ({', '.join(languages)}) nor a page"
    return ""


def chosen(
    arguments: Sequence[str], site: Path, budgets: Mapping[str, Any]
) -> tuple[dict[str, Sequence[str]], list[str]]:
    """Pages to visit with the views of each, and those of them that Lighthouse scores."""
    known = list(configured_languages())
    languages = [code for code in known if code in arguments] or known
    pages = [argument for argument in arguments if argument not in known]
    kinds = pages or list(budgets["kinds"].values())
    scored = [f"{code}/{page}" for code in languages for page in kinds]
    visited: dict[str, Sequence[str]] = dict.fromkeys(scored, visit.VIEWS)
    if arguments:
        return visited, scored
    visited["404"] = visit.VIEWS
    first = site / known[0]
    every = [file.relative_to(first).with_suffix("").as_posix() for file in first.rglob("*.html")]
    others = sorted(set(every) - set(kinds))
    for place, page in enumerate(others):
        round_, turn = divmod(place, len(known))
        visited[f"{known[turn]}/{page}"] = [visit.VIEWS[round_ % len(visit.VIEWS)]]
    return visited, [*scored, "404"]


def audit(
    site: Path,
    visited: Mapping[str, Sequence[str]],
    scored: Sequence[str],
    budgets: Mapping[str, Any],
) -> list[Finding]:
    """Serve the site and measure it; also called by the audit's own tests."""
    with served(site) as address:
        started = time.perf_counter()
        axe = (WORK / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
        found = asyncio.run(visit.findings(address, visited, budgets, axe))
        print(f"{len(visited)} pages visited in {time.perf_counter() - started:.0f} s", flush=True)
        missing = {finding.page for finding in found if finding.check == "missing"}
        pages = {name: f"{address}{name}.html" for name in scored if name not in missing}
        found += scores.findings(pages, budgets, WORK)
        print(f"{len(pages)} scored by Lighthouse; in all {time.perf_counter() - started:.0f} s")
    return sorted(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
