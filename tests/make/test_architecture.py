"""The page on architecture explains the whole tree, and the tree keeps to what the page says."""

import ast
import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter

import pytest

from docs._ext.own_words import files, own_words
from docs._make.options import ROOT
from docs._make.page import pages_that_run
from tests.conftest import SmallGuide

NAME = "docs/contribute/architecture.md"
PAGE = (ROOT / NAME).read_text(encoding="utf-8")
FLOWS = PAGE.partition(":::{container} flows")[2].partition(":::\n")[0]
LISTED = " ".join(re.findall(r"^```\{own-words\} (.+)$", PAGE, re.MULTILINE)).split()
MADE = (ROOT / ".gitignore").read_text(encoding="utf-8").split()

# What may be imported from another folder of docs. Sphinx reads outputs, but runs and builds
# nothing; the gate reads .po files; the build takes what it shares with a page's HTML, and the part
# of the gate that no site can do without.
SHARED = {
    "docs/_ext": {
        *("docs/_make/options.py", "docs/_make/page.py"),
        *("docs/_make/environment.py", "docs/_make/ready.py"),
        "docs/_l10n/termbase.py",
    },
    "docs/_l10n": {"docs/_make/options.py", "docs/_make/page.py", "docs/_make/npm.py"},
    "docs/_make": {
        *("docs/_ext/book.py", "docs/_ext/content_policy.py", "docs/_ext/licences.py"),
        *("docs/_l10n/entry.py", "docs/_l10n/structure.py", "docs/_l10n/termbase.py"),
    },
}


@cache
def tree() -> list[str]:
    """The files of the repository; of an unpacked archive, all that .gitignore does not name."""
    if shutil.which("git") and (ROOT / ".git").exists():
        told = subprocess.run(
            ["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True
        )
        return [name for name in told.stdout.split("\0") if (ROOT / name).is_file()]
    made = {name.strip("/") for name in MADE}
    found = (path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file())
    return [path.as_posix() for path in found if not made & {*path.parts, f"*{path.suffix}"}]


def spans(text: str) -> list[str]:
    """What a text names in typewriter that looks like a place in the tree."""
    return [span for span in re.findall(r"`([^`\n]+)`", text) if re.search(r"[/.*]|^LICENSE", span)]


def places(text: str) -> list[re.Pattern[str]]:
    """The same as patterns: a folder's stands for what lies directly in it."""
    return [pattern(span) for span in spans(text)]


def pattern(span: str) -> re.Pattern[str]:
    """`<name>` and `*` stand for any name, but not for one of ours that begins with `_`."""
    name = re.sub(r"<\w+>", "[^/_.][^/]*", re.escape(span).replace(r"\*", "[^/]*"))
    return re.compile(f"{name}[^/]*" if span.endswith("/") else name)


def imported(path: str) -> Iterator[str]:
    """The files of the repository that a module imports, at its head or in a function."""
    names = []
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names += [node.module, *(f"{node.module}.{each.name}" for each in node.names)]
    for name in names:
        file = name.replace(".", "/")
        for place in (file, f"examples/{file}"):  # examples import each other by their own names
            yield from {f"{place}.py", f"{place}/__init__.py"} & modules()


@cache
def modules() -> set[str]:
    return {name for name in tree() if name.endswith(".py")}


def folder(path: str) -> str:
    """The part of the tree that a module is in: docs has three, each other folder is one."""
    return "/".join(path.split("/")[: 2 if path.startswith("docs/_") else 1])


def test_every_file_is_explained() -> None:
    known = places(PAGE.partition("## Every folder")[2])
    unexplained = [name for name in tree() if not any(each.fullmatch(name) for each in known)]
    assert unexplained == [], f"give their folder a line in {NAME}"


def test_what_the_page_names_is_there() -> None:
    for span in spans(PAGE):
        if span.startswith("nox ") or span == ".po":
            continue
        made = f"/{span.split('/')[0]}/" in MADE
        there = made or (ROOT / span).exists() or f"docs/_make/{span}" in tree()
        assert there or any(pattern(span).fullmatch(name) for name in tree()), span


def test_every_file_of_a_list_says_what_it_is() -> None:
    assert {"docs/_make", "docs/_ext", "docs/_l10n", "docs/_static", "tests"} <= set(LISTED)
    silent = [f"{p}/{name}" for p in LISTED for name, words in own_words(ROOT / p) if not words]
    assert silent == [], "begin it with a docstring or a comment"
    listed = {path.relative_to(ROOT).as_posix() for p in LISTED for path in files(ROOT / p)}
    code = {name for name in modules() if (ROOT / name).stat().st_size}
    assert code - listed == {"docs/conf.py"}


def test_the_diagram_has_every_folder() -> None:
    named = spans(FLOWS)
    top = {name.split("/")[0] + "/" for name in tree() if "/" in name}
    ours = {"/".join(name.split("/")[:2]) + "/" for name in tree() if name.startswith("docs/_")}
    for each in (top - {"docs/"}) | ours:
        assert any(span.startswith(each) for span in named), f"{each} is in no flow"
    sessions = {name for name, _ in own_words(ROOT / "noxfile.py")}
    assert set(re.findall(r"`(nox -s \w+)`", PAGE)) <= sessions


def test_no_module_imports_another_in_a_circle() -> None:
    graph = {path: set(imported(path)) - {path} for path in modules()}
    assert sum(map(len, graph.values())) > 300  # the names are found
    TopologicalSorter(graph).prepare()  # raises where there is one


@pytest.mark.parametrize(
    "place", ["docs/_ext", "docs/_l10n", "docs/_make", "examples", "noxfile.py"]
)
def test_nothing_flows_back(place: str) -> None:
    for path in modules():
        if folder(path) == place:
            for other in imported(path):
                assert folder(other) == place or other in SHARED.get(place, ()), (
                    f"{path} imports {other}"
                )


def test_what_the_page_says_of_sphinx_is_what_may_be_imported() -> None:
    (said,) = re.findall(r"^- \*\*Sphinx never runs a cell.*$", PAGE, re.MULTILINE)
    allowed = {path for path in SHARED["docs/_ext"] if path.startswith("docs/_make/")}
    assert {f"docs/_make/{name}" for name in re.findall(r"`(\w+\.py)`", said)} == allowed
    reached = set(SHARED["docs/_ext"])
    while more := {other for path in reached for other in imported(path)} - reached:
        reached |= more
    assert not any("AsyncKernelManager" in (ROOT / path).read_text() for path in reached)
    assert "AsyncKernelManager" in (ROOT / "docs/_make/kernel.py").read_text()


def test_cells_import_nothing_of_the_repository() -> None:
    own = {"docs", "examples", "tests", "noxfile"}
    for page in pages_that_run():
        code = "\n".join(cell.source for cell in page.code_cells)
        found = re.findall(r"^\s*(?:from|import)\s+(\w+)", code, re.MULTILINE)
        assert not own & set(found), page.path


def test_a_list_follows_its_folder_and_a_silent_file_stops_the_build(
    small_guide: SmallGuide,
) -> None:
    small_guide.write("docs/one.md", "# A page\n\n```{own-words} examples\n```\n")
    small_guide.write("examples/used.py", '"""Adds."""\n\nANSWER = 41 + 1\n')
    assert small_guide.make("--language=en").returncode == 0
    assert '<span lang="en">Adds.</span>' in small_guide.page("one")
    small_guide.write("examples/new.py", '"""Subtracts."""\n')
    assert small_guide.make("--language=en").returncode == 0
    assert "Subtracts." in small_guide.page("one")
    small_guide.write("examples/new.py", "ANSWER = 1\n")
    done = small_guide.make("--language=en")
    assert done.returncode == 1
    assert "new.py has to begin by saying what it is" in done.stdout + done.stderr
