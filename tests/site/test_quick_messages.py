"""The patches of upstream code: still needed, and still harmless."""

import ast
import inspect
from pathlib import Path

import pytest
from docutils.nodes import Node, paragraph, section, title
from myst_parser.mdit_to_docutils.base import DocutilsRenderer
from sphinx.util import nodes
from sphinx.util.nodes import NodeMatcher

from docs._ext.quick_messages import find
from docs._make.languages import BUILD


def test_myst_still_makes_a_document_that_it_throws_away() -> None:
    source = inspect.getsource(DocutilsRenderer.setup_render)
    assert 'options.get("document", make_document())' in source


def test_sphinx_still_writes_nodes_as_xml_for_its_log_alone() -> None:
    tree = ast.parse(Path(nodes.__file__).read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    written = [call for call in calls if ast.unparse(call.func) == "repr_domxml"]
    logged = [
        arg for call in calls if ast.unparse(call.func) == "logger.debug" for arg in call.args
    ]
    assert written
    assert set(written) <= set(logged)


def test_sphinx_still_asks_a_function_about_every_node() -> None:
    assert "in node.findall(self):" in Path(nodes.__file__).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "matcher",
    [
        NodeMatcher(paragraph),
        NodeMatcher(paragraph, title, classes=["one"]),
        NodeMatcher(classes=["one"]),
        NodeMatcher(),
    ],
)
def test_our_way_finds_what_sphinx_finds(matcher: NodeMatcher[Node]) -> None:
    tree = section("", title("", "One"), paragraph("", "two", classes=["one"]), paragraph())
    assert [*find(matcher, tree)] == [*tree.findall(matcher)]


def test_no_page_is_kept_with_what_sphinx_knows_of_all_pages(site: Path) -> None:
    kept = list((BUILD / "ja" / "html" / ".doctrees").rglob("*.doctree"))
    assert kept
    assert [file for file in kept if b"BuildEnvironment" in file.read_bytes()] == []
