"""The audit finds what was spoiled on purpose, and checks one page of every kind."""

from pathlib import Path
from typing import Any

import pytest

from docs._guide.options import ROOT
from docs._guide.tools import npm
from tests.audit import __main__ as audit

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>A page</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
<meta name="description" content="A page with one fault at most."></head>
<body><main><h1>A page</h1><p>Some words.</p>{}</main></body></html>
"""


def test_lighthouse_names_what_lowers_a_score(tmp_path: Path) -> None:
    npm.install(audit.HERE, audit.WORK)
    (tmp_path / "sound.html").write_text(PAGE.format(""), encoding="utf-8")
    (tmp_path / "spoiled.html").write_text(PAGE.format("<img src='data:,'>"), encoding="utf-8")
    budgets = {"accessibility": 100, "best-practices": 90, "seo": 90}
    (problem,) = audit.audit(tmp_path, ["sound", "spoiled"], budgets)
    assert problem.startswith("spoiled: accessibility ")
    assert "<img" in problem


@pytest.mark.parametrize(
    ("speeds", "problems"), [([1.0, 1.0, 0.9], 0), ([0.9, 1.0, 0.95], 1), ([0.98, 0.9, 1.0], 0)]
)
def test_performance_is_the_median(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, speeds: list[float], problems: int
) -> None:
    scores = iter(speeds)

    def lighthouse(*_arguments: object) -> dict[str, Any]:
        references = [{"id": "paint", "weight": 1}]
        performance = {"score": next(scores), "auditRefs": references}
        paint = {"title": "First paint", "score": 0.5, "displayValue": "3 s"}
        return {"categories": {"performance": performance}, "audits": {"paint": paint}}

    monkeypatch.setattr(audit, "lighthouse", lighthouse)
    assert len(audit.audit(tmp_path, ["ja/index"], {"performance": 98})) == problems


def test_an_unknown_page_is_an_error_of_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        audit.main(["ja/transforms/gard"])
    *_, line = capsys.readouterr().err.splitlines()
    assert "there is no site/ja/transforms/gard.html" in line


def test_every_kind_of_page_is_a_page() -> None:
    kinds = [kind for kind in audit.BUDGETS["kinds"].values() if kind != "search"]
    assert [kind for kind in kinds if not (ROOT / "docs" / f"{kind}.md").exists()] == []
