"""Lighthouse's scores: on its slow telephone, with simulated throttling."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from tests.audit.finding import Finding

Report = dict[str, Any]


def findings(pages: Mapping[str, str], budgets: Mapping[str, Any], work: Path) -> Iterator[Finding]:
    """Audit pages (name to address); a page that is slow once is measured twice more."""
    reports = run(pages, budgets, work)
    slow = {name: url for name, url in pages.items() if is_slow(reports[name], budgets)}
    again = [run(slow, budgets, work) for _ in range(2)] if slow else []
    for name in pages:
        tried = [reports[name], *(more[name] for more in again if name in more)]
        report = sorted(tried, key=speed)[len(tried) // 2]  # the median
        yield from below(name, report, budgets["lighthouse"])


def run(pages: Mapping[str, str], budgets: Mapping[str, Any], work: Path) -> dict[str, Report]:
    """Run Lighthouse; keep its reports, as JSON and as pages to look at."""
    asked = [
        {"name": name, "url": url, "categories": categories(name, budgets)}
        for name, url in pages.items()
    ]
    # Speed is measured with nothing beside it.
    at_once = 1 if "performance" in budgets["lighthouse"] else 2
    parts = [part for first in range(at_once) if (part := asked[first::at_once])]
    with ThreadPoolExecutor(at_once) as threads:
        list(threads.map(partial(run_lighthouse, work), parts))
    return {
        name: json.loads((work / "lighthouse" / f"{name}.json").read_text(encoding="utf-8"))
        for name in pages
    }


def run_lighthouse(work: Path, asked: list[dict[str, Any]]) -> None:
    """Score pages one after the other, in one browser."""
    subprocess.run(
        ["node", "lighthouse.mjs", work / "lighthouse"],
        cwd=work,
        env=os.environ | {"CHROME_PATH": shutil.which("chromium") or "chromium"},
        input=json.dumps(asked),
        check=True,
        text=True,
        stdout=subprocess.DEVNULL,
    )


def categories(name: str, budgets: Mapping[str, Any]) -> list[str]:
    """What is measured: pages that are not for search engines have no score for them.

    >>> budgets = {"lighthouse": {"performance": 100, "seo": 100}, "no-index": {"pages": ["404"]}}
    >>> categories("ja/404", budgets), categories("ja/index", budgets)
    (['performance'], ['performance', 'seo'])
    """
    hidden = name.split("/", 1)[-1] in budgets["no-index"]["pages"]
    return [key for key in budgets["lighthouse"] if not (hidden and key == "seo")]


def speed(report: Report) -> float:
    """Its performance, from 0 to 1."""
    return float(report["categories"].get("performance", {}).get("score") or 0)


def is_slow(report: Report, budgets: Mapping[str, Any]) -> bool:
    """Whether its performance is below the budget."""
    return round(100 * speed(report)) < int(budgets["lighthouse"].get("performance", 0))


def below(name: str, report: Report, wanted: Mapping[str, int]) -> Iterator[Finding]:
    """Name every audit that keeps a category below its budget."""
    for key, category in report["categories"].items():
        score = round(100 * (category["score"] or 0))
        if score >= wanted[key]:
            continue
        failed = [report["audits"][ref["id"]] for ref in category["auditRefs"] if ref["weight"]]
        failed = [audit for audit in failed if (audit["score"] or 0) < 0.995 and counts(audit)]
        for audit in failed:
            yield Finding(name, f"Lighthouse {key} {score}", advice(audit))


def counts(audit: Report) -> bool:
    """Whether an audit has a part in the score."""
    return audit["scoreDisplayMode"] not in ("notApplicable", "informative", "manual")


def advice(audit: Report) -> str:
    """Title, value and the first place of what an audit found."""
    items = audit.get("details", {}).get("items", [])
    node = next((item["node"]["snippet"] for item in items if "node" in item), "")
    error = audit.get("errorMessage", "")
    parts = (audit["title"], audit.get("displayValue", ""), error, node)
    return " · ".join(part for part in parts if part)
