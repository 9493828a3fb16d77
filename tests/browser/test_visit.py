"""A visit finds what was spoiled on purpose, so the crawl can fail."""

import random
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.visit import VIEWS, View, over_budget, problems_of
from tests.host import served

LIGHT, DARK, _ = VIEWS
SOUND = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>A page</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
<meta name="description" content="A page with nothing wrong.">{head}</head>
<body><main><h1>A page</h1><article><p>Some words.</p>{body}</article></main></body></html>
"""
PALE = "body { color: #bbb; background: #fff }"
POLICY = "<meta http-equiv='Content-Security-Policy' content=\"script-src 'none'\">"
MOVES = """<script>
  const move = () => { document.body.style.paddingTop = "9em" };
  onload = () => requestAnimationFrame(() => requestAnimationFrame(move));
</script>"""
DRAWING = "<svg class='drawing' role='img' aria-label='A' width='100' height='40'>{}</svg>"
SPOILED = {
    "no alt": ("", "<img src='data:,'>", "image-alt"),
    "other host": ("", "<img alt='' src='http://other.invalid/a.png'>", "other.invalid"),
    "missing file": ("", "<img alt='' src='gone.png'>", "404: "),
    "heavy": ("<link rel='stylesheet' href='heavy.css'>", "", "heavy.css 2"),
    "moves": ("", MOVES, "layout shift"),
    "pale in the dark": (
        f"<style>@media (prefers-color-scheme: dark) {{ {PALE} }}</style>",
        "",
        "axe (dark): color-contrast",
    ),
    "out of reach": (
        "",
        f"<pre style='overflow: auto'>{'wide ' * 20}</pre>",
        "not scrolled by keyboard: wide",
    ),
    "only with scripts": ("", "<script>document.write('Written.')</script>", "Written."),
    "logs an error": ("", "<script>console.error('Logged.')</script>", "Logged."),
    "throws": ("", "<script>null.value</script>", "Cannot read properties of null"),
    "policy": (POLICY, "<script>window.ran = 1</script>", "Content Security Policy"),
    "wide page": ("", "<div style='width: 600px'>Wide.</div>", "wider than 390: the page"),
    "cut off": ("", DRAWING.format("<text x='80' y='20'>a word</text>"), "cut off: a word"),
    "no glyph": ("", DRAWING.format("<text y='20'>\u0378</text>"), "no font has: \u0378"),
}


@pytest.fixture(scope="module")
def spoiled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    site = tmp_path_factory.mktemp("site")
    for name, (head, body, _) in {"sound": ("", "", ""), **SPOILED}.items():
        (site / f"{name}.html").write_text(SOUND.format(head=head, body=body), encoding="utf-8")
    noise = random.Random(0).randbytes(200_000).replace(b"*", b"+")  # cannot be compressed
    (site / "heavy.css").write_bytes(b"/*" + noise + b"*/")
    with served(site) as address:
        yield address


def problems(chromium: Browser, address: str, name: str, view: View) -> list[str]:
    path = f"{name}.html"
    return problems_of(chromium, address, path, view, kilobytes=60, needs_scripts=False)


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.name)
def test_a_sound_page_has_no_problem(chromium: Browser, spoiled: str, view: View) -> None:
    assert problems(chromium, spoiled, "sound", view) == []


@pytest.mark.parametrize("name", SPOILED)
def test_a_spoiled_page_is_found(chromium: Browser, spoiled: str, name: str) -> None:
    *_, words = SPOILED[name]
    view = DARK if "dark" in name else LIGHT
    messages = problems(chromium, spoiled, name, view)
    assert any(words in message for message in messages), messages


def test_a_budget_names_the_largest_parts() -> None:
    (problem,) = over_budget("", [("a.css", 61_000), ("b.js", 1_500)], 60)
    assert problem.startswith("weight 62.5 kB, budget 60 kB: a.css 61.0, b.js 1.5")
    assert over_budget("", [("a.css", 59_000)], 60) == []
