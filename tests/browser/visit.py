"""One visit to a page: every problem that shows without using it."""

import gzip
from typing import Any, Literal, NamedTuple

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Response, ViewportSize

LAPTOP = ViewportSize(width=1280, height=900)
PHONE = ViewportSize(width=390, height=844)


class View(NamedTuple):
    """How axe sees a page."""

    name: str
    size: ViewportSize
    colours: Literal["light", "dark"]


VIEWS = (
    View("light", LAPTOP, "light"),
    View("dark", LAPTOP, "dark"),
    View("phone", PHONE, "light"),
)

# Blocks of code have thousands of elements in a dozen colours and take axe two thirds of its time.
WITHOUT_CODE = {"exclude": ["pre"]}
AXE_OPTIONS = {"resultTypes": ["violations"]}

COUNT_SHIFTS = """window.layoutShift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.layoutShift += entry.value;
}).observe({ type: "layout-shift", buffered: true });"""
NEXT_FRAME = """() => new Promise((resolve) => requestAnimationFrame(() =>
  requestAnimationFrame(resolve)))"""
# A drawer is out of sight some time after the window became too narrow for it.
NO_TRANSITION = """() => Promise.all(document.getAnimations()
  .filter((each) => each instanceof CSSTransition).map((each) => each.finished))"""

# Words that leave the figure, where they would be cut off or lie on something else.
CUT_OFF = """() => [...document.querySelectorAll("svg.drawing text")].filter((text) => {
  const [inner, outer] = [text, text.ownerSVGElement].map((e) => e.getBoundingClientRect());
  return inner.width && (inner.left < outer.left - 1 || inner.right > outer.right + 1
    || inner.top < outer.top - 1 || inner.bottom > outer.bottom + 1);
}).map((text) => text.textContent)"""

# A character that no font has is drawn like one that cannot exist.
NO_GLYPH = """() => {
  const context = Object.assign(document.createElement("canvas"), {width: 40, height: 40})
    .getContext("2d", {willReadFrequently: true});
  const picture = (character, font) => {
    context.clearRect(0, 0, 40, 40);
    context.font = font;
    context.fillText(character, 4, 30);
    return context.getImageData(0, 0, 40, 40).data.join();
  };
  const characters = {};
  for (const text of document.querySelectorAll("svg.drawing :is(text, tspan)")) {
    if (text.childElementCount) continue;
    const font = `24px ${getComputedStyle(text).fontFamily}`;
    characters[font] = new Set([...(characters[font] ?? []), ...text.textContent]);
  }
  return Object.entries(characters).flatMap(([font, used]) => {
    const box = picture("\\u{10fffe}", font);
    return [...used].filter((c) => c.trim() && picture(c, font) === box);
  });
}"""

# The page without its figures, and words that the page shows but the HTML file lacks.
FILE = """(html) => {
  const file = new DOMParser().parseFromString(html, "text/html");
  const words = (root) => {
    const all = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode())
      if (!walker.currentNode.parentElement.closest("button, label, script, style, noscript"))
        all.push(...walker.currentNode.data.split(/\\s+/));
    return new Set(all);
  };
  const inFile = words(file.body);
  const missing = [...words(document.body)].filter((word) => !inFile.has(word));
  for (const figure of file.querySelectorAll("figure svg, .cell_output svg")) figure.remove();
  return [file.documentElement.outerHTML, missing];
}"""

# Bytes of every file that the page loads, but its pictures.
TRANSFERS = """() => performance.getEntriesByType("resource")
  .filter((file) => !/^data:|_images/.test(file.name))
  .map((file) => [file.name.replace(/.*[/]/, ""), file.transferSize])"""

TOO_WIDE = """() => {
  for (const details of document.querySelectorAll("details")) details.open = true;
  if (document.documentElement.scrollWidth > innerWidth) return ["the page"];
  return [...document.querySelectorAll("article :is(img, p, figcaption, li)")]
    .filter((e) => e.offsetWidth > 0 && !e.closest(".table-wrapper"))
    .filter((e) => e.getBoundingClientRect().right > innerWidth + 1)
    .map((e) => e.outerHTML.slice(0, 80));
}"""

# axe's rule scrollable-region-focusable, for the code that axe leaves out.
OUT_OF_REACH = """() => [...document.querySelectorAll("article pre")]
  .filter((box) => box.scrollWidth > box.clientWidth && box.tabIndex !== 0)
  .map((box) => box.textContent.slice(0, 40))"""


def watch(page: Page, address: str) -> list[str]:
    """Return a list that receives the page's errors, and its requests outside an address.

    The browser logs violations of the Content-Security-Policy as errors.
    """
    problems: list[str] = []

    def log(message: ConsoleMessage) -> None:
        # A failed request has no address in its message: see fail().
        if message.type == "error" and "Failed to load resource" not in message.text:
            problems.append(message.text)

    def request(request: Request) -> None:
        if not request.url.startswith((address, "data:", "blob:")):
            problems.append(f"other host: {request.url}")

    def respond(response: Response) -> None:
        if response.status >= 400:
            problems.append(f"{response.status}: {response.url}")

    page.on("console", log)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("request", request)
    page.on("requestfailed", lambda request: problems.append(f"failed: {request.url}"))
    page.on("response", respond)
    return problems


def problems_of(
    chromium: Browser,
    address: str,
    path: str,
    view: View | None,
    kilobytes: int,
    needs_scripts: bool,
) -> list[str]:
    """Visit a page with an empty cache, on a laptop and on a phone; axe sees one view, or none.

    `kilobytes` is the budget of the first visit, without figures. `needs_scripts` is for a page
    that shows more with JavaScript than without.
    """
    context = chromium.new_context(viewport=LAPTOP)
    context.add_init_script(COUNT_SHIFTS)
    page = context.new_page()
    problems = watch(page, address)
    response = page.goto(address + path)
    assert response, path
    file, missing = page.evaluate(FILE, response.text())
    if missing and not needs_scripts:
        problems.append(f"not without JavaScript: {' '.join(missing[:8])}")
    problems += over_budget(file, page.evaluate(TRANSFERS), kilobytes)
    problems += [f"cut off: {word}" for word in page.evaluate(CUT_OFF)]
    problems += [f"no font has: {character}" for character in page.evaluate(NO_GLYPH)]
    page.evaluate(NEXT_FRAME)
    if (shift := page.evaluate("layoutShift")) > 0.0005:  # what Lighthouse rounds to 0.001
        problems.append(f"layout shift {shift:.3f}: give images and boxes their size")
    page.emulate_media(color_scheme=view.colours if view else "light")
    for size in (LAPTOP, PHONE):
        page.set_viewport_size(size)
        page.evaluate(NO_TRANSITION)
        problems += [f"wider than {size['width']}: {wide}" for wide in page.evaluate(TOO_WIDE)]
        if view and size == view.size:
            problems += [f"axe ({view.name}): {violation}" for violation in axe(page)]
    page.evaluate(NEXT_FRAME)
    problems += [f"not scrolled by keyboard: {code}" for code in page.evaluate(OUT_OF_REACH)]
    context.close()
    return problems


def over_budget(file: str, transfers: list[tuple[str, int]], kilobytes: int) -> list[str]:
    """Return the weight of a first visit if it is over the budget, with its largest parts."""
    sizes = {"HTML": len(gzip.compress(file.encode(), 6))} | dict(transfers)
    total = sum(sizes.values())
    if total <= 1000 * kilobytes:
        return []
    largest = sorted(sizes.items(), key=lambda item: -item[1])[:4]
    parts = ", ".join(f"{name} {size / 1000:.1f}" for name, size in largest)
    return [f"weight {total / 1000:.1f} kB, budget {kilobytes} kB: {parts} ..."]


def axe(page: Page, context: dict[str, list[str]] | None = WITHOUT_CODE) -> list[str]:
    """Return one line for each rule that a page breaks, with the first place."""
    violations = Axe().run(page, context, AXE_OPTIONS).response["violations"]
    return [advice(violation) for violation in violations]


def advice(violation: dict[str, Any]) -> str:
    """The rule, how often it is broken, and where first.

    >>> broken = {"id": "image-alt", "help": "Images must have alternative text"}
    >>> advice(broken | {"nodes": [{"html": "<img src='a.png'>"}]})
    "image-alt: Images must have alternative text: 1 × <img src='a.png'>"
    """
    nodes = violation["nodes"]
    first = " ".join(nodes[0]["html"].split())[:160]
    return f"{violation['id']}: {violation['help']}: {len(nodes)} × {first}"
