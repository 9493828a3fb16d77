"""The audit finds what is wrong with pages that were spoiled on purpose."""

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from docs._make import npm
from docs._make.options import ROOT
from tests.audit import __main__ as audit
from tests.audit import scores
from tests.audit.finding import Finding
from tests.audit.traffic import bare
from tests.audit.visit import VIEWS

SOUND = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>A page</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
<meta name="description" content="A page with nothing wrong.">{head}</head>
<body><main><h1>A page</h1><p>Some words.</p>{body}</main></body></html>
"""
PIXEL = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA="
LATER = "document.body.style.paddingTop = '9em'"
MOVES = f"<script>onload = () => setTimeout(() => ({LATER}), 200)</script>"
PALE = "body { color: #bbb; background: #fff }"
GREY = f"<style>@media (prefers-color-scheme: dark) {{ {PALE} }}</style>"
WIDE = f"<pre style='overflow: auto'>{'wide ' * 20}</pre>"
SPOILED = {
    "alt": ("", f'<img src="{PIXEL}">', "axe (light)", "image-alt"),
    "host": ("", '<img alt="" src="http://other.invalid/a.png">', "other host", "other.invalid"),
    "heavy": ('<link rel="stylesheet" href="heavy.css">', "", "weight", "heavy.css 2"),
    "moves": ("", MOVES, "layout shift", "give images"),
    "dark": (GREY, "", "axe (dark)", "color-contrast"),
    "script": ("", "<script>document.write('<p>Only here.</p>')</script>", "without", "Only"),
    "narrow": ("", WIDE, "axe (phone)", "scrollable-region"),
}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> list[Finding]:
    """What the audit says about a sound page, and about one for each fault."""
    npm.install(audit.HERE, audit.WORK)
    site = tmp_path_factory.mktemp("site")
    pages = {"sound": ("", "")} | {name: parts[:2] for name, parts in SPOILED.items()}
    for name, (head, body) in pages.items():
        (site / f"{name}.html").write_text(SOUND.format(head=head, body=body), encoding="utf-8")
    (site / "heavy.css").write_bytes(random_css(200_000))
    visited = dict.fromkeys([*pages, "gone"], VIEWS)
    return audit.audit(site, visited, ["sound", "alt", "gone"], audit.read_budgets())


def random_css(size: int) -> bytes:
    """A style sheet that cannot be compressed much."""
    return b"/*" + random.Random(0).randbytes(size).replace(b"*", b"+") + b"*/"


def test_a_sound_page_is_over_no_budget(found: list[Finding]) -> None:
    assert [str(finding) for finding in found if finding.page == "sound"] == []


def test_a_page_that_is_not_there_is_found(found: list[Finding]) -> None:
    assert [finding.check for finding in found if finding.page == "gone"] == ["missing"]


@pytest.mark.parametrize("name", SPOILED)
def test_a_spoiled_page_is_found(found: list[Finding], name: str) -> None:
    *_, check, words = SPOILED[name]
    told = [finding for finding in found if finding.page == name]
    assert any(f.check.startswith(check) and words in f.advice for f in told), told


def test_lighthouse_names_what_lowers_a_score(found: list[Finding]) -> None:
    lines = [str(finding) for finding in found if "Lighthouse accessibility" in finding.check]
    assert len(lines) == 1
    assert lines[0].startswith("alt: ")
    assert "<img" in lines[0]


def test_figures_do_not_count_as_weight() -> None:
    drawing = "<svg>" + "<path d='M0 0'/>" * 1000 + "</svg>"
    assert len(bare(f"<figure>{drawing}</figure>")) < 100
    assert len(bare(f"<header>{drawing}</header>")) > 10_000


@pytest.mark.parametrize(
    ("speeds", "lines"), [([1.0], 0), ([0.9, 1.0, 1.0], 0), ([0.9, 0.95, 1.0], 1)]
)
def test_a_slow_run_is_judged_by_the_median_of_three(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, speeds: list[float], lines: int
) -> None:
    left = iter(speeds)

    def run(pages: Mapping[str, str], *_more: object) -> dict[str, dict[str, Any]]:
        audits = {"speed": {"title": "Speed", "score": 0.5, "scoreDisplayMode": "numeric"}}
        refs = [{"id": "speed", "weight": 1}]
        score = {"performance": {"score": next(left), "auditRefs": refs}}
        return {name: {"categories": score, "audits": audits} for name in pages}

    monkeypatch.setattr(scores, "run", run)
    found = list(scores.findings({"ja/index": "..."}, audit.read_budgets(), tmp_path))
    assert len(found) == lines
    assert next(left, None) is None


@pytest.mark.parametrize("wrong", ["jp", "transforms/gard"])
def test_an_unknown_page_is_refused_in_one_line(
    capsys: pytest.CaptureFixture[str], wrong: str
) -> None:
    if not (ROOT / "site").is_dir():
        pytest.skip("there is no site")
    assert audit.main(["ja", wrong]) == 2
    error = capsys.readouterr().err
    assert repr(wrong) in error
    assert error.count("\n") == 1


def test_every_kind_of_page_is_there() -> None:
    kinds = audit.read_budgets()["kinds"].values()
    docs = ROOT / "docs"
    assert [kind for kind in kinds if kind != "search" and not (docs / f"{kind}.md").exists()] == []
