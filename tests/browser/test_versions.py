"""The links to the guides for other versions of JAX, from a list that the host keeps."""

import json
import re

import jinja2
from playwright.sync_api import Page, Route, expect

from docs._guide.options import ROOT

LIST = [{"jax": "0.12", "url": "/guide/"}, {"jax": "0.10", "url": "/guide-0.10/"}]
SCRIPT = ROOT / "docs" / "_static" / "versions.js"


def open_page(page: Page, address: str, version: str, versions: list[dict[str, str]]) -> None:
    """Open a page as it is built with GUIDE_VERSIONS_URL for a version of JAX."""
    template = (ROOT / "docs" / "_templates" / "versions.html").read_text(encoding="utf-8")
    html = jinja2.Template(template).render(
        _=str,
        versions_url="/guide/versions.json",
        version=version,
        language="ja",
        pagename="transforms/grad",
    )

    def add_versions(route: Route) -> None:
        response = route.fetch()
        added = f'{html}<script src="/guide/versions.js"></script></body>'
        route.fulfill(response=response, body=response.text().replace("</body>", added))

    page.route("**/grad.html", add_versions)
    page.route("**/versions.js", lambda route: route.fulfill(path=SCRIPT))
    page.route("**/versions.json", lambda route: route.fulfill(body=json.dumps(versions)))
    with page.expect_response("**/versions.json"):
        page.goto(f"{address}ja/transforms/grad.html")


def test_another_version_is_one_click_away(laptop: Page, address: str) -> None:
    open_page(laptop, address, "0.12.3", LIST)
    expect(laptop.locator("nav.versions")).to_have_text(re.compile(r"JAX\s*0\.12\s*0\.10"))
    expect(laptop.locator("nav.versions [aria-current]")).to_have_text("0.12")
    link = laptop.get_by_role("link", name="0.10", exact=True)
    assert link.evaluate("(link) => link.pathname") == "/guide-0.10/ja/transforms/grad.html"
    expect(laptop.locator(".older-version")).to_be_hidden()


def test_an_older_version_leads_to_the_newest(laptop: Page, address: str) -> None:
    open_page(laptop, address, "0.10.1", LIST)
    notice = laptop.locator(".older-version")
    expect(notice).to_contain_text("This page is for JAX 0.10.1.")
    link = notice.get_by_role("link", name="0.12")
    assert link.evaluate("(link) => link.pathname") == "/guide/ja/transforms/grad.html"


def test_a_single_version_needs_no_links(laptop: Page, address: str) -> None:
    open_page(laptop, address, "0.12.3", LIST[:1])
    expect(laptop.locator("nav.versions")).to_have_text(re.compile(r"JAX\s*0\.12"))
    expect(laptop.locator("nav.versions")).to_be_hidden()
