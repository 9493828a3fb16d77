"""Where a notebook is published, and where its links lead."""

import posixpath
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from docutils import nodes
from sphinx.builders import Builder
from sphinx.config import Config

from docs._guide.ext.i18n.languages import absolute
from docs._guide.ext.notebooks.markdown import UnsupportedNode

FILES = ("ipynb", "py", "md")


def file_path(page: str, end: str = "ipynb") -> str:
    """Return the path of a page's notebook, script or Markdown in its language's site."""
    return f"_notebooks/{page}.{end}"


def colab_url(config: Config, page: str) -> str:
    """Return where Colab opens a notebook, or nothing: it opens those in a branch on GitHub."""
    repository = urlsplit(config.repository_url)
    if repository.netloc != "github.com" or not config.site_branch:
        return ""
    return (
        f"https://colab.research.google.com/github{repository.path}"
        f"/blob/{config.site_branch}/{config.language}/{file_path(page)}"
    )


@dataclass(frozen=True)
class Links:
    """The links of one page.

    In its notebook they lead to the published site where its URL is configured. Otherwise they
    lead to the notebook beside this one, or to a page that has none; Jupyter cannot follow a link
    to a section of another notebook.
    """

    builder: Builder
    page: str
    document: nodes.document

    def target(self, node: nodes.Element) -> str:
        """Return where a link leads from the page's notebook."""
        if "filename" in node:  # a download
            return self.on_site(f"_downloads/{node['filename']}", "")
        parts = urlsplit(node.get("refuri", f"#{node.get('refid')}"))
        if parts.scheme or parts.netloc:
            return str(node["refuri"])
        if not parts.path:
            return f"#{self.heading(parts.fragment)}"
        folder = posixpath.dirname(self.builder.get_target_uri(self.page))
        return self.on_site(posixpath.normpath(posixpath.join(folder, parts.path)), parts.fragment)

    def on_site(self, path: str, anchor: str) -> str:
        """Return where a file of the language's site is, seen from the notebook."""
        config, env = self.builder.config, self.builder.env
        address = f"{path}#{anchor}" if anchor else path
        if config.site_url:
            return absolute(config, f"{config.language}/{address}")
        page = path.removesuffix(".html")
        if "run" in env.metadata.get(page, {}):
            address = file_path(page)
        return posixpath.relpath(address, posixpath.dirname(file_path(self.page)))

    def heading(self, anchor: str) -> str:
        """Return Jupyter's anchor for the section that contains an anchor of the page."""
        around = [
            section
            for section in self.document.findall(nodes.section)
            if any(anchor in element["ids"] for element in section.findall(nodes.Element))
        ]
        if not around:
            raise UnsupportedNode(
                f"docs/{self.page}.md: no section has the anchor #{anchor}, to which a link leads"
            )
        title = next(around[-1].findall(nodes.title)).astext()  # outer sections come first
        return quote(title.replace(" ", "-"), safe="")
