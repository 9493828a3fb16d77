"""Score the built site with Lighthouse: `python -m tests.audit [--steady] [PAGE ...]`."""

import argparse
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from pathlib import Path
from typing import Any

from docs._guide.machine import at_once
from docs._guide.options import ROOT, configured_languages
from docs._guide.tools.npm import install
from tests.chromium import program
from tests.host import served

HERE = Path(__file__).parent
WORK = ROOT / "_build" / "audit"
REPORTS = WORK / "lighthouse"
BUDGETS = tomllib.loads((HERE / "budgets.toml").read_text(encoding="utf-8"))
NOT_INDEXED = ("search", "404")  # pages with noindex, which lowers the score of "seo"
SPEED_RUNS = 3
CHROME = "--headless=new --no-sandbox --disable-gpu --disable-background-networking"

Report = dict[str, Any]


def main(arguments: Sequence[str]) -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser(prog="nox -s audit --", description="Score the built site.")
    steady = "leave out performance, which a busy machine changes"
    parser.add_argument("--steady", action="store_true", help=steady)
    pages = "such as ja/transforms/grad; one page of every kind if there is none"
    parser.add_argument("pages", nargs="*", metavar="PAGE", help=pages)
    options = parser.parse_args(arguments)
    options.pages = options.pages or pages_of_every_kind(BUDGETS["kinds"].values())
    for page in options.pages:
        if not (ROOT / "site" / f"{page}.html").is_file():
            parser.error(f"there is no site/{page}.html; nox -s docs builds the site")
    install(HERE, WORK)
    budgets = dict(BUDGETS["lighthouse"])
    if options.steady:
        del budgets["performance"]
    problems = audit(ROOT / "site", options.pages, budgets)
    print(*problems, f"{len(problems)} below a budget; reports: {REPORTS}", sep="\n")
    return 1 if problems else 0


def pages_of_every_kind(kinds: Iterable[str]) -> list[str]:
    """Return one page of every kind, in the languages in turn, and that for wrong addresses.

    >>> pages_of_every_kind(["index", "search"])
    ['en/index', 'ja/search', '404']
    """
    languages = cycle(configured_languages())
    return [
        *(f"{language}/{kind}" for kind, language in zip(kinds, languages, strict=False)),
        "404",
    ]


def audit(site: Path, pages: Sequence[str], budgets: Mapping[str, int]) -> list[str]:
    """Score pages of a site; return a line for each audit that keeps one below its budget.

    Performance is the median of some runs, with nothing running beside them.
    """
    with_speed = "performance" in budgets
    program()  # here, since Playwright does not start in several threads at once
    problems: list[str] = []

    def median(page: str) -> Report:
        runs = [lighthouse(address, page, budgets) for _ in range(SPEED_RUNS if with_speed else 1)]
        return sorted(runs, key=speed)[len(runs) // 2]

    with served(site) as address, ThreadPoolExecutor(1 if with_speed else at_once()) as threads:
        for page, report in zip(pages, threads.map(median, pages), strict=True):
            scores = [f"{key} {score(part)}" for key, part in report["categories"].items()]
            print(f"{page}: {', '.join(scores)}", flush=True)
            problems += [f"{page}: {line}" for line in below(report, budgets)]
    return problems


def lighthouse(address: str, page: str, categories: Iterable[str]) -> Report:
    """Run Lighthouse once, with its slow phone; keep the report as JSON and HTML."""
    if page.split("/")[-1] in NOT_INDEXED:
        categories = [key for key in categories if key != "seo"]
    output = REPORTS / page
    output.parent.mkdir(parents=True, exist_ok=True)
    command: list[str | Path] = [
        WORK / "node_modules" / ".bin" / "lighthouse",
        f"{address}{page}.html",
        f"--only-categories={','.join(categories)}",
        f"--chrome-flags={CHROME}",
        "--output=json",
        "--output=html",
        f"--output-path={output}",
        "--disable-full-page-screenshot",
        "--quiet",
    ]
    subprocess.run(command, check=True, env=os.environ | {"CHROME_PATH": program()})
    report: Report = json.loads(Path(f"{output}.report.json").read_text(encoding="utf-8"))
    return report


def score(part: Report) -> int:
    """The score of a category or an audit, from 0 to 100."""
    return round(100 * (part["score"] or 0))


def speed(report: Report) -> int:
    """The score of performance, or 0 where it was not measured."""
    return score(report["categories"].get("performance", {"score": 0}))


def below(report: Report, budgets: Mapping[str, int]) -> Iterator[str]:
    """Return what keeps each category below its budget, with the first place in the page."""
    for key, category in report["categories"].items():
        if score(category) >= budgets[key]:
            continue
        for reference in category["auditRefs"]:
            check = report["audits"][reference["id"]]
            if reference["weight"] and check["score"] is not None and score(check) < 100:
                items = check.get("details", {}).get("items", [])
                place = next((item["node"]["snippet"] for item in items if "node" in item), "")
                parts = (check["title"], check.get("displayValue", ""), place)
                yield f"{key} {score(category)}: {' · '.join(part for part in parts if part)}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
