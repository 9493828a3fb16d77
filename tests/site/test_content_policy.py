"""No built page contains or loads what its Content-Security-Policy forbids."""

import base64
import hashlib
import re
from collections.abc import Iterator

import pytest
from lxml import html  # type: ignore[import-untyped]

from tests.site.built import SITE, all_pages

pytestmark = pytest.mark.usefixtures("site")

POLICY = "//meta[@http-equiv='Content-Security-Policy']"
ADDRESSES = {"href", "src", "srcset", "action", "formaction", "poster", "data", "xlink:href"}
CODE = re.compile(r"\s*javascript:", re.IGNORECASE)
OTHER_HOST = re.compile(r"\s*(?:[a-z][a-z0-9+.-]*:)?//", re.IGNORECASE)
# 'unsafe-inline' is for styles only.
LOOSE = re.compile(r"(?<!style-src 'self' )'unsafe-|'strict-dynamic'|\*|\bhttps?:")
FOLLOWED_BY_READERS = {"canonical", "alternate", "next", "prev"}


def source(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def faults(text: bytes) -> Iterator[str]:
    """Yield what the policy of a page would block, and what makes it too loose."""
    page = html.document_fromstring(text)
    policies = page.xpath(f"{POLICY}/@content")
    if len(policies) != 1:
        yield f"{len(policies)} policies"
    yield from (f"loose: {policy}" for policy in policies if LOOSE.search(policy))
    for early in page.xpath(f"{POLICY}/preceding::*[self::script or self::style or self::link]"):
        yield f"before the policy: {early.tag}"
    for inline in page.xpath("//script[not(@src)]"):
        if source(inline.text or "") not in " ".join(policies):
            yield f"without its hash: {inline.text}"
    for element in page.iter("*"):
        followed = element.tag == "a" or element.get("rel") in FOLLOWED_BY_READERS
        for name, value in element.items():
            if name.startswith("on"):
                yield f"{name}= of {element.tag}"
            elif name in ADDRESSES and CODE.match(value):
                yield f"code as an address: {value}"
            elif name in ADDRESSES and OTHER_HOST.match(value) and not followed:
                yield f"from another host: {value}"


def test_every_page_follows_its_policy() -> None:
    pages = {str(path): list(faults(path.read_bytes())) for path in all_pages()}
    assert len(pages) > 100
    assert {path: problems for path, problems in pages.items() if problems} == {}


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (("Policy", "None"), "0 policies"),
        (("<meta http", "<script src=a.js></script><meta http"), "before the policy: script"),
        (("'self'", "'self' 'unsafe-inline'"), "loose"),
        (("'self'", "'self' https://example.org"), "loose"),
        (("go()", "went()"), "without its hash"),
        (("<p>", "<p onclick='go()'>"), "onclick"),
        (("<p>", "<p><a href='JavaScript:go()'>"), "code as an address"),
        (("<p>", "<p><img src='//example.org/a.png'>"), "from another host"),
        (("<p>", "<form action='https://example.org'>"), "from another host"),
        (("<p>", "<link rel='stylesheet' href='https://example.org/a.css'>"), "from another host"),
    ],
)
def test_a_fault_would_be_reported(change: tuple[str, str], fault: str) -> None:
    policy = f"script-src 'self' {source('go()')}"
    meta = f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy}">'
    right = f"<head>{meta}<script>go()</script></head><p><a href='https://example.org'>there</a>"
    assert list(faults(right.encode())) == []
    assert fault in " ".join(faults(right.replace(*change, 1).encode()))


def test_originals_and_style_sheets_follow_the_policy_too() -> None:
    originals, sheets = [*SITE.rglob("_source_text/**/*.js")], [*SITE.rglob("*.css")]
    assert originals and sheets
    for path in originals:
        assert not re.search(r"<[^>]* on\w+=", path.read_text(encoding="utf-8")), path
    for path in sheets:
        text = path.read_text(encoding="utf-8")
        assert "@import" not in text, path
        urls = re.findall(r"url\(\s*['\"]?([^)'\"]+)", text)
        assert all(url.startswith("data:") or (path.parent / url).is_file() for url in urls), path


def test_the_headers_forbid_frames() -> None:
    lines = (SITE / "_headers").read_text(encoding="utf-8").splitlines()
    rules = lines[lines.index("/*") + 1 :]
    assert "  Content-Security-Policy: frame-ancestors 'none'" in rules
    assert all(re.match(r"  [A-Z][A-Za-z-]+: \S", rule) for rule in rules)
