"""What a first visit loads: from which hosts, and how much of it."""

import gzip
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from bs4 import BeautifulSoup
from playwright.async_api import Page, Request

FIGURES = "figure svg, .cell_output svg"


class Traffic:
    """Notes every request of a page that is about to be opened."""

    def __init__(self, page: Page) -> None:
        self.requests: list[Request] = []
        page.on("request", lambda request: self.requests.append(request))

    def elsewhere(self, host: str) -> Iterator[tuple[str, str]]:
        """Requests to other hosts than the site's."""
        for request in self.requests:
            address = urlsplit(request.url)
            if address.scheme != "data" and address.netloc != host:
                yield "other host", f"asks for {request.url}: serve it from the site"

    async def heavy(self, budgets: Mapping[str, Any]) -> list[tuple[str, str]]:
        """The weight, if it is over the budget, with its parts."""
        sizes = {urlsplit(r.url).path: await size(r) for r in self.requests if counts(r)}
        if sum(sizes.values()) <= 1000 * budgets["kilobytes"]:
            return []
        parts = sorted(sizes.items(), key=lambda part: -part[1])
        told = ", ".join(f"{path.rpartition('/')[2]} {kB(bytes_)}" for path, bytes_ in parts[:4])
        total = f"{kB(sum(sizes.values()))} kB, budget {budgets['kilobytes']} kB"
        return [("weight", f"{total}: {told} ...")]


def counts(request: Request) -> bool:
    """Whether a request is for more than a figure; icons are images too, but not figures.

    Figures are what a page shows from `_images`.
    """
    return "/_images/" not in request.url and not request.url.startswith("data:")


async def size(request: Request) -> int:
    """Bytes over the wire, without the figures that are part of an HTML file."""
    response = await request.response()
    if response is None:  # it failed: no such host
        return 0
    sizes = await request.sizes()
    total = sizes["responseHeadersSize"] + sizes["responseBodySize"]
    if request.resource_type != "document":
        return total
    html = await response.text()
    return total - len(gzip.compress(html.encode(), 6)) + len(gzip.compress(bare(html), 6))


def bare(html: str) -> bytes:
    """A page without its figures.

    >>> bare("<figure><svg><path/></svg></figure>")
    b'<figure></figure>'
    """
    soup = BeautifulSoup(html, "html.parser")
    drawn = soup.select(FIGURES)
    if not drawn:
        return html.encode()
    for figure in drawn:
        figure.decompose()
    return str(soup).encode()


def kB(count: int) -> str:
    """Thousands of bytes, as they are read.

    >>> kB(61_449)
    '61.4'
    """
    return f"{count / 1000:.1f}"
