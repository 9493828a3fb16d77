"""Put sites of older lines of JAX beside the newest: `nox -s versions -- OLDER/site ...`.

Each was built by `nox -s docs` with a Python of its own, or long ago. Without a site, the switchers
are made again: after the folder of a line was removed, for instance.
"""

import json
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from filelock import FileLock, Timeout
from packaging.version import Version

from docs._make.exchange import replaced
from docs._make.options import ROOT, SITE_LIST, OneLineParser, configured_languages
from docs._make.same_files import copy
from docs._make.versions import FOLDER, Unfit, add, folder, list_lines, older_lines, show


def main(arguments: Sequence[str]) -> int:
    """Join what was asked for; tell in one line what stopped it."""
    parser = OneLineParser(
        prog="nox -s versions --", description="Put sites of older JAX beside the newest."
    )
    parser.add_argument(
        "older",
        nargs="*",
        type=Path,
        metavar="SITE",
        help="a site of an older line of JAX; the lines that it holds come with it",
    )
    parser.add_argument(
        "--site",
        type=Path,
        default=ROOT / "site",
        help="the site of the newest line, which takes them in (default: site)",
    )
    given = parser.parse_args(arguments)
    site = given.site.resolve()
    try:
        newest = line_at(site)
        older = chosen(given.older, newest, site)
        build = ROOT / "_build"
        build.mkdir(exist_ok=True)
        with FileLock(build / "lock", blocking=False):
            join(site, newest, older)
    except Unfit as problem:
        parser.error(str(problem))
    except Timeout:
        parser.error("a build is running in this checkout: wait until it ends, or stop it")
    except OSError as error:
        parser.error(f"{error}: the site is as it was")
    print(f"{site}: JAX {', '.join([newest, *older_lines(site)])}")
    return 0


def line_at(site: Path) -> str:
    """The line at a site's root; a folder such as `jax-0.10`, taken from a site, says its own."""
    if not any((site / code / "index.html").is_file() for code in configured_languages()):
        raise Unfit(f"{site} is no site of this guide: nox -s docs builds one")
    if found := FOLDER.fullmatch(site.name):
        return found[1]
    try:
        line = json.loads((site / SITE_LIST).read_text(encoding="utf-8"))[0]["jax"]
    except (OSError, ValueError, LookupError, TypeError):
        line = None
    if not re.fullmatch(r"\d+\.\d+", str(line)):
        raise Unfit(
            f"{site / SITE_LIST} does not say the site's line of JAX: build that site again"
        )
    return str(line)


def chosen(sites: Sequence[Path], newest: str, site: Path) -> dict[str, Path]:
    """Every line of the given sites with its folder; each must be there once, and be older."""
    lines: dict[str, Path] = {}
    for given in sites:
        root = given.resolve()
        for line, source in ({line_at(root): root} | older_lines(root)).items():
            if line in lines:
                raise Unfit(f"{lines[line]} and {source} are both JAX {line}: give one of them")
            if Version(line) >= Version(newest):
                raise Unfit(
                    f"{source} is JAX {line}, not older than JAX {newest} in {site}: "
                    "--site FOLDER says which site is the newest"
                )
            lines[line] = source
    return lines


def join(site: Path, newest: str, older: Mapping[str, Path]) -> None:
    """Copy the older lines into the site; one that it holds already is replaced."""
    with replaced(site) as new:
        copy(site, new, site, (*map(folder, older), SITE_LIST))
        for line, source in older.items():
            add(new, line, source, site)
        list_lines(new, newest)
        show(new, newest)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
