"""A first visit to a page: what it loads, what moves, what axe says."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import Browser, Error, TimeoutError, ViewportSize, async_playwright

from docs._make.chromium import START
from tests.audit.finding import Finding
from tests.audit.traffic import Traffic
from tests.browser.whole import WHOLE

LAPTOP = ViewportSize(width=1280, height=900)
PHONE = ViewportSize(width=390, height=844)
AT_ONCE = 2  # pages; each keeps a core busy

VIEWS = ("light", "dark", "phone")
AXE = """() =>
  axe.run(document, { resultTypes: ["violations"] }).then((result) => result.violations)"""
# How far things have moved, as the browser has seen it from the start.
SHIFTED = """() => new Promise((tell) => {
  new PerformanceObserver((list) =>
    tell(list.getEntries().reduce((sum, entry) => sum + entry.value, 0)),
  ).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => tell(0), 200);
})"""
# What there is to read, without what only a script can serve.
WORDS = """() => {
  const controls = document.querySelectorAll("button, input, label, noscript");
  for (const control of controls) control.remove();
  return document.body.innerText.split(/\\s+/);
}"""


async def findings(
    address: str, pages: Mapping[str, Sequence[str]], budgets: Mapping[str, Any], axe: str
) -> list[Finding]:
    """Visit pages of a site, each in some views; `axe` is the script of axe-core."""
    turn = asyncio.Semaphore(AT_ONCE)

    async def visit(browser: Browser, name: str, views: Sequence[str]) -> list[Finding]:
        async with turn:
            try:
                found = await look(browser, f"{address}{name}.html", views, budgets, axe)
            except TimeoutError as late:
                found = [("timeout", str(late).splitlines()[0])]
            return [Finding(name, *problem) for problem in found]

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(**START)
        found = await asyncio.gather(*(visit(browser, *page) for page in pages.items()))
        await browser.close()
    return [finding for page in found for finding in page]


async def look(
    browser: Browser, url: str, views: Sequence[str], budgets: Mapping[str, Any], axe: str
) -> list[tuple[str, str]]:
    """Open a page with an empty cache; look at it as the views say."""
    context = await browser.new_context(viewport=LAPTOP, bypass_csp=True)
    page = await context.new_page()
    traffic = Traffic(page)
    try:
        answer = await page.goto(url, wait_until="networkidle")
    except Error as error:
        if "ERR_HTTP_RESPONSE_CODE_FAILURE" not in str(error):
            raise
        answer = None  # the host has no page of its own for such an address
    if answer is None or not answer.ok:
        await context.close()
        return [("missing", "there is no such page: build the site, or mend budgets.toml")]
    found = [*traffic.elsewhere(urlsplit(url).netloc)]
    found += await traffic.heavy(budgets["visit"])
    moved = await page.evaluate(SHIFTED)
    # In thousandths, as Lighthouse gives it: what is below is one sign, drawn before it was whole.
    if round(moved, 3) > budgets["visit"]["layout_shift"]:
        found.append(("layout shift", f"{moved:.3f}: give images and boxes their size"))
    await page.evaluate(WHOLE)
    await page.evaluate(axe)
    for view in views:
        await page.emulate_media(color_scheme="dark" if view == "dark" else "light")
        await page.set_viewport_size(PHONE if view == "phone" else LAPTOP)
        violations = await page.evaluate(AXE)
        found += [(f"axe ({view})", advice(violation)) for violation in violations]
    await page.set_viewport_size(LAPTOP)
    if not url.endswith(tuple(f"/{name}.html" for name in budgets["scripts"]["needed_by"])):
        shown = set(await page.evaluate(WORDS))
        if missing := sorted(shown - await words_without_scripts(browser, url)):
            missed = f"these words are missing: {' '.join(missing[:8])}"
            found.append(("without JavaScript", missed))
    await context.close()
    return found


def advice(violation: Mapping[str, Any]) -> str:
    """The rule, how often it is broken, and where first.

    >>> broken = {"id": "image-alt", "help": "Images must have alternative text"}
    >>> advice(broken | {"nodes": [{"html": "<img src='a.png'>"}]})
    "image-alt: Images must have alternative text: 1 × <img src='a.png'>"
    """
    nodes = violation["nodes"]
    first = " ".join(nodes[0]["html"].split())[:160]
    return f"{violation['id']}: {violation['help']}: {len(nodes)} × {first}"


async def words_without_scripts(browser: Browser, url: str) -> set[str]:
    """The words that a page shows where JavaScript is switched off."""
    context = await browser.new_context(viewport=LAPTOP, java_script_enabled=False)
    page = await context.new_page()
    await page.goto(url)
    await page.evaluate(WHOLE)
    read = set(await page.evaluate(WORDS))
    await context.close()
    return read
