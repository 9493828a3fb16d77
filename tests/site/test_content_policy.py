"""No built page holds or names what its Content-Security-Policy forbids."""

import re
from html.parser import HTMLParser

import pytest

from docs._ext.content_policy import source
from tests.site.built import SITE, all_pages

pytestmark = pytest.mark.usefixtures("site")

ADDRESSES = {"href", "src", "srcset", "action", "formaction", "poster", "data", "xlink:href"}
CODE = re.compile(r"\s*javascript:", re.IGNORECASE)
ELSEWHERE = re.compile(r"\s*(?:[a-z][a-z0-9+.-]*:)?//", re.IGNORECASE)
LOOSE = re.compile(r"'unsafe-|'strict-dynamic'|\*|\bhttps?:")
FOLLOWED_BY_READERS = {"canonical", "alternate", "next", "prev"}


class Look(HTMLParser):
    """Reads a page; `faults` is what its policy would stop, or should have stopped."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.faults: list[str] = []
        self.policies: list[str] = []
        self.inside: str | None = None  # the text of a script or style, while it is read
        self.feed(html)
        if len(self.policies) != 1:
            self.faults.append(f"{len(self.policies)} policies")
        self.faults += [f"loose: {policy}" for policy in self.policies if LOOSE.search(policy)]

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Look at what a tag has, and whether it comes too early."""
        given = {name: value or "" for name, value in attributes}
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policies.append(given["content"])
        elif tag in {"script", "style", "link"} and not self.policies:
            self.faults.append(f"before the policy: {tag}")
        if tag in {"script", "style"} and "src" not in given:
            self.inside = ""
        followed = tag == "a" or given.get("rel") in FOLLOWED_BY_READERS
        for name, value in given.items():
            if name == "style" or name.startswith("on"):
                self.faults.append(f"{name}= of {tag}")
            elif name in ADDRESSES and CODE.match(value):
                self.faults.append(f"code as an address: {value}")
            elif name in ADDRESSES and ELSEWHERE.match(value) and not followed:
                self.faults.append(f"from elsewhere: {value}")

    def handle_data(self, data: str) -> None:
        """Collect what is inside a script or style."""
        if self.inside is not None:
            self.inside += data

    def handle_endtag(self, tag: str) -> None:
        """At the end of a script or style, look for its digest."""
        if self.inside is not None and source(self.inside) not in " ".join(self.policies):
            self.faults.append(f"without its digest: {self.inside}")
        self.inside = None


def test_every_page_keeps_its_policy() -> None:
    looked_at = {path: Look(path.read_text(encoding="utf-8")).faults for path in all_pages()}
    assert len(looked_at) > 100
    assert {str(path): faults for path, faults in looked_at.items() if faults} == {}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("Policy", "None"), "0 policies"),
        (("<meta http", "<script src=a.js></script><meta http"), "before the policy: script"),
        (("'self'", "'self' 'unsafe-inline'"), "loose"),
        (("'self'", "'self' https://example.org"), "loose"),
        (("go()", "went()"), "without its digest"),
        (("<p>", "<p><style>p {}</style>"), "without its digest"),
        (("<p>", "<p onclick='go()'>"), "onclick"),
        (("<p>", "<p style='color: red'>"), "style="),
        (("<p>", "<p><a href='JavaScript:go()'>"), "code as an address"),
        (("<p>", "<p><img src='//example.org/a.png'>"), "from elsewhere"),
        (("<p>", "<form action='https://example.org'>"), "from elsewhere"),
        (("<p>", "<link rel='stylesheet' href='https://example.org/a.css'>"), "from elsewhere"),
    ],
)
def test_a_fault_would_be_found(change: tuple[str, str], said: str) -> None:
    policy = f"script-src 'self' {source('go()')}"
    meta = f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy}">'
    right = f"<head>{meta}<script>go()</script></head><p><a href='https://example.org'>there</a>"
    assert Look(right).faults == []
    assert said in " ".join(Look(right.replace(*change, 1)).faults)


def test_originals_and_style_sheets_ask_for_no_more() -> None:
    """A page takes them in after it was loaded."""
    originals, sheets = [*SITE.rglob("_originals/**/*.js")], [*SITE.rglob("*.css")]
    assert originals and sheets
    for path in originals:
        assert not re.search(r"<[^>]* (?:style|on\w+)=", path.read_text(encoding="utf-8")), path
    for path in sheets:
        asked = re.findall(
            r"@import[^;]*|url\(\s*['\"]?([^)]{5})", path.read_text(encoding="utf-8")
        )
        assert set(asked) <= {"data:"}, path


def test_a_host_that_reads_headers_forbids_frames() -> None:
    lines = (SITE / "_headers").read_text(encoding="utf-8").splitlines()
    rules = lines[lines.index("/*") + 1 :]
    assert "  Content-Security-Policy: frame-ancestors 'none'" in rules
    assert all(re.match(r"  [A-Z][A-Za-z-]+: \S", rule) for rule in rules)
