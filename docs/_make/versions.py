"""Show the lines of JAX that a site holds: the newest at its root, others in `jax-0.10/` and so on.

Pages get their switcher when the site is put together, as HTML: it needs no script and no request,
knows which pages each line has, and comes to old pages too, which are not built again. Where there
is one line, pages have none. sphinx-multiversion builds all versions in one environment, mike is
MkDocs'; the switchers of themes are scripts that ask a server for a list, which a strict policy, a
disk or an old page's own script can break.
"""

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path

from packaging.version import Version

from docs._make.options import SITE_LIST, configured_languages
from docs._make.same_files import copy, write_anew
from docs._make.words import template

FOLDER = re.compile(r"jax-(\d+\.\d+)")
MARK, END = "<!-- versions -->", "<!-- /versions -->"  # the first in docs/_templates/languages.html
COLAB = r"https://colab\.research\.google\.com/"
# What a site has once, and what tells others of pages: both are the newest line's.
ONCE = ("404.html", "_headers", ".nojekyll", SITE_LIST)
TOLD_TO_OTHERS = ("robots.txt", "sitemap.xml", "llms.txt", "changes.xml")


class Unfit(Exception):
    """A site that cannot be what is asked for."""


def line_of(version: str) -> str:
    """The line of JAX that a version belongs to.

    >>> line_of("0.10.2"), line_of("0.12.0.1"), line_of("1.0.0.dev20261122")
    ('0.10', '0.12', '1.0')
    """
    major, minor, *_ = (*Version(version).release, 0)
    return f"{major}.{minor}"


def folder(line: str) -> str:
    """Where an older line is, from the site's root."""
    return f"jax-{line}"


def older_lines(site: Path) -> dict[str, Path]:
    """The older lines that a site holds with their folders, newest first."""
    found = {match[1]: path for path in site.glob("*/") if (match := FOLDER.fullmatch(path.name))}
    return dict(sorted(found.items(), key=lambda entry: Version(entry[0]), reverse=True))


def refuse_older(line: str, site: Path) -> None:
    """Stop a build whose line is no newer than those that the site holds beside it."""
    for older in older_lines(site):
        if Version(line) <= Version(older):
            raise Unfit(
                f"{site} holds JAX {older} as an older line, so JAX {line} cannot be its newest: "
                "build into another folder (--site FOLDER)"
            )


def add(site: Path, line: str, source: Path, before: Path) -> None:
    """Copy the pages of an older line into the site, or take them from the site before."""
    left_out = (*ONCE, *TOLD_TO_OTHERS, *map(folder, older_lines(source)))
    copy(source, site / folder(line), before / folder(line), left_out)


def list_lines(site: Path, newest: str) -> None:
    """List the site's lines in a file."""
    lines = {newest: site} | older_lines(site)
    entries = [{"jax": line, "path": path_in(site, root)} for line, root in lines.items()]
    text = json.dumps(entries, indent=2) + "\n"
    (site / SITE_LIST).write_text(text, encoding="utf-8")


def listed(site: Path) -> bytes:
    """The list of a site's lines as it is written; nothing, where there is none."""
    file = site / SITE_LIST
    return file.read_bytes() if file.exists() else b""


def show(site: Path, newest: str) -> None:
    """Give each page of the site its links to the other lines."""
    lines = {newest: site} | older_lines(site)
    for line, root in lines.items():
        for language in configured_languages():
            for page in (root / language).rglob("*.html"):
                before = page.read_text(encoding="utf-8")
                after = with_switcher(before, page.relative_to(root), line, lines)
                if line != newest:
                    after = led_to_newest(after, page.relative_to(root), line, site)
                if after != before:
                    write_anew(page, after)


def path_in(site: Path, root: Path) -> str:
    """Where a line is, as an address from the site's root."""
    return "" if root == site else f"{root.name}/"


def with_switcher(html: str, page: Path, line: str, lines: Mapping[str, Path]) -> str:
    """Put links to the other lines into a page, and above an older one which line is the newest."""
    before, mark, after = html.partition(MARK)
    if not mark:
        return html
    _, end, behind = after.partition(END)
    switcher = MARK
    if len(lines) > 1:
        entries = [entry(page, lines[line], other, root) for other, root in lines.items()]
        known = {"language": page.parts[0], "line": line, "lines": entries}
        switcher = template("versions.html").render(known).strip()
    return before + switcher + (behind if end else after)


def entry(page: Path, here: Path, line: str, root: Path) -> dict[str, object]:
    """Say where a page is in another line: the same page, else the start of that line."""
    start = Path(page.parts[0], "index.html")
    there = next((path for path in (page, start) if (root / path).exists()), Path("index.html"))
    address = Path(os.path.relpath(root / there, (here / page).parent)).as_posix()
    return {"jax": line, "address": address, "same_page": there == page}


def led_to_newest(html: str, page: Path, line: str, site: Path) -> str:
    """Let an older page tell search engines, readers of feeds and Colab the right addresses.

    It was built for the site's root, where the newest line is now: so it names the newest page as
    the canonical one, and its feed is the newest. A page that the newest line does not have names
    itself; and notebooks stay those of the line.
    """
    language, own = page.parts[0], folder(line)
    head, end, body = html.partition("</head>")
    if named := re.search(rf'rel="canonical" href="([^"]*?)(?:/{own})?/{page.as_posix()}"', head):
        root = named[1] if (site / page).exists() else f"{named[1]}/{own}"
        head = re.sub(rf"{re.escape(named[1])}(?:/{own})?/", f"{root}/", head)
    html = head + end + body
    feed = rf'href="\1../../{language}/changes.xml"'
    html = re.sub(r'href="((?:\.\./)*)changes\.xml"', feed, html)
    return re.sub(rf'({COLAB}[^"]*?)(?:/{own})?(/{language}/_notebooks/)', rf"\1/{own}\2", html)
