"""The guide's parts and their pages, as the tables of contents of the first page name them."""

from collections.abc import Iterator

from sphinx import addnodes
from sphinx.environment import BuildEnvironment


def parts(env: BuildEnvironment) -> Iterator[tuple[str, list[str]]]:
    """Each part's name, in the language of the build, and its pages in order."""
    for contents in env.get_doctree(env.config.root_doc).findall(addnodes.toctree):
        yield contents["caption"] or "", list(contents["includefiles"])


def part_of_each(env: BuildEnvironment) -> dict[str, str]:
    """The name of the part that each page is in; the first page is in none."""
    return {page: name for name, pages in parts(env) for page in pages}
