"""Routes that lead: a page's place in each of its routes, and the way on from there.

Routes are written in one place, docs/start/routes.md: a section each, with a list of steps that
begin with the minutes of a page. A link that follows a route names it, as in
`grad.html?route=for-science`. The templates have the way on for every route of a page, and
progress.js shows that of the reader's.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.environment import BuildEnvironment
from sphinx.locale import _

ROUTES = "start/routes"


class Step(NamedTuple):
    """A page of a route, and where in it the route leads."""

    page: str
    anchor: str = ""
    minutes: int = 0


class Route(NamedTuple):
    """A route, whose name is its anchor."""

    name: str
    title: str
    steps: list[Step]


def save_routes(app: Sphinx, doctree: nodes.document) -> None:
    """Save the routes, in the language of the build, in the metadata of their page."""
    if app.env.docname == ROUTES:
        app.env.metadata[ROUTES]["routes"] = [route(steps) for steps in lists(doctree)]


def lists(doctree: nodes.document) -> Iterator[nodes.container]:
    """Yield the steps of each route."""
    return (node for node in doctree.findall(nodes.container) if "routes" in node["classes"])


def route(steps: nodes.container) -> Route:
    """Read a route from its section."""
    title = next(steps.parent.findall(nodes.title)).astext()
    items = steps.findall(nodes.list_item)
    return Route(steps.parent["ids"][0], title, [step(item) for item in items])


def step(item: nodes.list_item) -> Step:
    """Read a step, which begins with its minutes."""
    link = next(item.findall(addnodes.pending_xref))
    minutes = re.split(r"\D", item.astext(), maxsplit=1)[0]
    return Step(link["reftarget"], link.get("reftargetid") or "", int(minutes))


def routes(env: BuildEnvironment) -> list[Route]:
    """Return all routes."""
    all_routes: list[Route] = env.metadata.get(ROUTES, {}).get("routes", [])
    return all_routes


def minutes(env: BuildEnvironment) -> dict[str, int]:
    """Return the minutes of the pages that a route has."""
    return {step.page: step.minutes for route in routes(env) for step in route.steps}


def address(builder: StandaloneHTMLBuilder, page: str, step: Step, name: str = "") -> str:
    """Return a page's link to a step, which names the route that it follows."""
    query = f"?route={name}" if name else ""
    anchor = f"#{step.anchor}" if step.anchor else ""
    return builder.get_relative_uri(page, step.page) + query + anchor


def ways(builder: StandaloneHTMLBuilder, page: str) -> Iterator[dict[str, Any]]:
    """Yield the way on and back from a page: of the sidebar, then of each route of the page."""
    _parent, before, after = builder.relations.get(page, (None, None, None))
    yield {
        "route": "",
        "prev": neighbour(builder, page, Step(before)) if before else None,
        "next": neighbour(builder, page, Step(after)) if after else None,
    }
    for name, title, steps in routes(builder.env):
        pages = [step.page for step in steps]
        if page in pages:
            place = pages.index(page) + 1
            ends = Step(ROUTES, name)
            around = [ends, *steps, ends]
            yield {
                "route": name,
                "title": title,
                "step": place,
                "steps": len(steps),
                "list": address(builder, page, ends),
                "prev": neighbour(builder, page, around[place - 1], name),
                "next": neighbour(builder, page, around[place + 1], name),
            }


def neighbour(
    builder: StandaloneHTMLBuilder, page: str, step: Step, name: str = ""
) -> dict[str, Any]:
    """Return what a page shows of another: title, minutes, the first sentence that describes it."""
    env = builder.env
    title = builder.render_partial(env.titles[step.page])["title"]
    description = env.metadata[step.page].get("description", "")
    return {
        "link": address(builder, page, step, name),
        "title": _("Home") if step.page == builder.config.root_doc else title,
        "sentence": re.split(r"(?<=[.?]) |(?<=。)", description, maxsplit=1)[0],
        "minutes": minutes(env).get(step.page),
    }


def add_ways(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    """Give a page's template its minutes and its ways on."""
    if isinstance(app.builder, StandaloneHTMLBuilder):
        context["minutes"] = minutes(app.env).get(pagename)
        context["ways"] = list(ways(app.builder, pagename))


def follow_routes(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Let the lists of steps name their route, and the home page's cards open its first step."""
    builder = app.builder
    if not isinstance(builder, StandaloneHTMLBuilder):
        return
    if docname == ROUTES:
        for items, (name, _title, steps) in zip(lists(doctree), routes(app.env), strict=True):
            for item, step in zip(items.findall(nodes.list_item), steps, strict=True):
                link = next(item.findall(nodes.reference))
                link["refuri"] = address(builder, docname, step, name)
    elif docname == app.config.root_doc:
        first = {
            address(builder, docname, Step(ROUTES, name)): address(builder, docname, steps[0], name)
            for name, _title, steps in routes(app.env)
        }
        for link in doctree.findall(nodes.reference):
            if link.get("refuri") in first:
                link["refuri"] = first[link["refuri"]]


def setup(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.connect("doctree-read", save_routes)
    app.connect("doctree-resolved", follow_routes)
    app.connect("html-page-context", add_ways)
