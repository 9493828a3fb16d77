"""JAX's names: which pages use them, what the installed JAX has on them, cards and an index.

A link to a name in JAX's reference gets a card, which preview.js shows: the signature, the first
sentence of the docstring, and the page of the guide that teaches the name. `{api-index}` lists all
names that pages use or link to. Names in code are found in its syntax tree, so `jnp.sum` is one,
whatever `jax.numpy` is called on a page.
"""

import ast
import inspect
import re
from collections import Counter
from collections.abc import Sequence
from importlib.metadata import version
from itertools import groupby
from pkgutil import resolve_name
from textwrap import shorten
from types import ModuleType, SimpleNamespace
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.environment import BuildEnvironment
from sphinx.locale import _
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.writers.html5 import HTML5Translator

from docs._guide.execute.page import statements
from docs._guide.ext.generated import add_placeholder
from docs._guide.ext.i18n.source_text import source_texts
from docs._guide.site.search_terms import taught_terms

REFERENCE = re.compile(r"https://docs\.jax\.dev/.*/_autosummary/(jax\.[\w.]+)\.html")
PYTHON = {"python", "ipython", "ipython3"}
PAGES = 3  # shown of each name
# Markup of docstrings, the end of a sentence, and defaults such as <object at 0x7f70f3bc1c50>.
MARKUP = re.compile(r"\s\(see :ref:[^)]*\)|(?::[\w:]+:)?`+~?([^`<]*?)(?:\s<[^`]*>)?`+_*")
SENTENCE = re.compile(r"(?<=[\w)]{2}\.)\s+(?=[A-Z])")
UNREADABLE = re.compile("<[^<>]*>")

# Signature, first sentence of the docstring, and pages, first the one that teaches the name.
Facts = tuple[str, str, list[str]]


class api_link(nodes.reference):
    """A link to JAX's reference with its card: attributes of the HTML."""


def save_uses(app: Sphinx, doctree: nodes.document) -> None:
    """Save the share of each name in a page's code, plus 1 if the page links to its reference."""
    blocks = doctree.findall(nodes.literal_block)
    code = [block.astext() for block in blocks if block.get("language") in PYTHON]
    uses = uses_in([tree for cell in code for tree in statements(cell)])
    linked = {name for link in doctree.findall(nodes.reference) if (name := linked_name(link))}
    app.env.metadata[app.env.docname]["api"] = {
        name: uses[name] / (uses.total() or 1) + (name in linked)
        for name in sorted({*uses, *linked})
    }


def linked_name(link: nodes.reference) -> str:
    """Return the name to whose reference a link leads, or nothing."""
    match = REFERENCE.match(link.get("refuri", ""))
    return match[1] if match else ""


def uses_in(code: Sequence[ast.stmt]) -> Counter[str]:
    """Count the names of JAX in code, by their full names.

    >>> code = "import jax.numpy as jnp; from jax import lax, vmap; vmap(lax.scan)(jnp.sum(a).T)"
    >>> sorted(uses_in(ast.parse(code).body))
    ['jax.lax', 'jax.lax.scan', 'jax.numpy', 'jax.numpy.sum', 'jax.vmap']
    """
    trees = [node for tree in code for node in ast.walk(tree)]
    names = {"jax": "jax"}
    for node in trees:
        if isinstance(node, ast.Import | ast.ImportFrom):
            module = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            names |= {each.asname or each.name: module + each.name for each in node.names}

    def full(node: ast.AST) -> str:
        if isinstance(node, ast.Attribute):
            return f"{full(node.value)}.{node.attr}"
        return names.get(node.id, "") if isinstance(node, ast.Name) else ""

    return Counter(name for name in map(full, trees) if name.startswith("jax."))


def look_up(name: str) -> tuple[str, str, str] | None:
    """Return a name of the installed JAX, its signature and the first sentence of its docstring.

    Modules and private names are none; of a method it is the name of its object.

    >>> look_up("jax.config.update"), look_up("jax.lax"), look_up("jax.none")
    (('jax.config', 'jax.config', ''), None, None)
    >>> look_up("jax.lax.map")[1]
    'jax.lax.map(f, xs, *, batch_size=None)'
    """
    path, *rest = name.split(".")
    value: Any = ModuleType(path)
    while rest and isinstance(value, ModuleType | SimpleNamespace | type):
        path = f"{path}.{rest.pop(0)}"
        try:
            value = resolve_name(path)
        except (AttributeError, ImportError):
            return None
    if isinstance(value, ModuleType) or "._" in path:
        return None
    return path, path + parameters(value), summary(value)


def parameters(value: Any) -> str:
    """Return the parameters of a function or class, without types and private ones, shortened."""
    if isinstance(value, type) and "__init__" not in vars(value):
        return ""  # an abstract class, say
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):  # no function, or one in C++
        return ""
    public = [each for each in signature.parameters.values() if not each.name.startswith("_")]
    plain = [each.replace(annotation=each.empty) for each in public]
    text = str(signature.replace(parameters=plain, return_annotation=signature.empty))
    return shorten(UNREADABLE.sub("…", text), 120, placeholder=" …)")


def summary(value: Any) -> str:
    """Return the first sentence of a docstring, unless it is that of the object's type."""
    text = value.__doc__ or ""
    if text == type(value).__doc__:
        return ""
    text = inspect.cleandoc(text).rpartition("\n--\n\n")[2]  # below a signature of C
    paragraph = MARKUP.sub(r"\1", text.split("\n\n")[0])
    return shorten(SENTENCE.split(paragraph)[0], 160, placeholder=" …")


def collect(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Look up what all pages use, and return the pages with a name that shows something new."""
    known: dict[str, tuple[str, str, str] | None]
    jax, known = getattr(env, "guide_api_known", ("", {}))
    known = known if jax == version("jax") else {}  # JAX takes seconds to import
    weights: dict[tuple[str, str, str], Counter[str]] = {}
    for page, values in env.metadata.items():
        taught = [term.replace("jnp.", "numpy.") for term in taught_terms().get(page, [])]
        for name, weight in values.get("api", {}).items():
            if name not in known:
                known[name] = look_up(name)
            if facts := known[name]:
                pages = weights.setdefault(facts, Counter())
                teaches = any(f".{facts[0]}".endswith(f".{term}") for term in taught)
                if values.get("search") != "tables":  # such a page names everything once
                    pages[page] += weight + 2 * teaches
    names: dict[str, Facts] = {
        name: (signature, docstring, sorted(pages, key=lambda page: (-pages[page], page))[:PAGES])
        for (name, signature, docstring), pages in weights.items()
    }
    before = names_of(env)
    vars(env).update(guide_api=names, guide_api_known=(version("jax"), known))
    changed = {name for name in {*names, *before} if names.get(name) != before.get(name)}
    return [page for page, values in env.metadata.items() if changed & values.get("api", {}).keys()]


def names_of(env: BuildEnvironment) -> dict[str, Facts]:
    """Return all names that `collect` looked up."""
    names: dict[str, Facts] = getattr(env, "guide_api", {})
    return names


class AddCards(SphinxPostTransform):
    """Give the links to JAX's reference their cards."""

    default_priority = 900
    formats = ("html",)

    def run(self, **kwargs: object) -> None:
        """Replace the page's links; those of its English original stay."""
        page, names = self.env.current_document.docname, names_of(self.env)
        if self.env.metadata[page].get("search") == "errors":
            return  # the heaviest pages, on which one looks for a message
        original = {
            id(node) for part in self.document.findall(source_texts) for node in part.findall()
        }
        for link in list(self.document.findall(nodes.reference)):
            facts = names.get(linked_name(link))
            if facts is None or id(link) in original:
                continue
            signature, docstring, pages = facts
            card = {"data-signature": signature, "data-meaning": docstring}
            if pages and pages[0] != page:
                card["data-page"] = _("In this guide: %s") % self.env.titles[pages[0]].astext()
                card["data-address"] = self.app.builder.get_relative_uri(page, pages[0])
            link.replace_self(api_link("", "", *link.children, refuri=link["refuri"], card=card))


def visit_api_link(translator: HTML5Translator, node: api_link) -> None:
    """Write the link, with its data for preview.js."""
    classes, address = "api reference external", node["refuri"]
    tag = translator.starttag(node, "a", "", CLASS=classes, href=address, **node["card"])
    translator.body.append(tag)


def api_index(builder: Builder, docname: str) -> nodes.container:
    """`{api-index}`: the names in each module, with their docstrings and pages."""
    modules, titles = nodes.paragraph(), builder.env.titles
    content = nodes.container("", modules)
    for module, names in groupby(sorted(names_of(builder.env), key=in_order), key=module_of):
        entries = nodes.definition_list(classes=["api-names"])
        for name in names:
            _signature, docstring, pages = names_of(builder.env)[name]
            links = nodes.paragraph()
            for page in pages:
                url = builder.get_relative_uri(docname, page)
                links += nodes.reference("", titles[page].astext(), refuri=url, internal=True)
                links += nodes.Text(" ")
            term = nodes.term("", "", nodes.literal("", name), ids=[name])
            text = nodes.paragraph("", docstring, classes=["language-en"])
            about = nodes.definition("", text, links, classes=["no-search"])
            entries += nodes.definition_list_item("", term, about)
        anchor = f"module-{module}"
        title = nodes.title("", "", nodes.literal("", module))
        content += nodes.section("", title, entries, ids=[anchor])
        link = nodes.reference("", "", nodes.literal("", module), refid=anchor, internal=True)
        modules += [link, nodes.Text(" ")]
    return content


def in_order(name: str) -> tuple[str, str]:
    """Return what names are sorted by."""
    return module_of(name), name.casefold()


def module_of(name: str) -> str:
    """Return the heading of a name, such as jax.numpy for jax.numpy.linalg.norm."""
    return ".".join(name.split(".")[: 2 if name.count(".") > 1 else 1])


def setup(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.add_node(api_link, html=(visit_api_link, HTML5Translator.depart_reference))
    app.connect("doctree-read", save_uses)
    app.connect("env-updated", collect)
    app.add_post_transform(AddCards)
    add_placeholder(app, "api-index", api_index)
