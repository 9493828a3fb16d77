"""Every page knows itself in the other languages: for the switcher and for search engines."""

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.locale import _
from sphinx.util.osutil import relative_uri


def name_the_guide(app: Sphinx, config: Config) -> None:
    """Say in the site's language what conf.py says before the language is known."""
    config.html_title = _("JAX guide")
    config.nb_code_prompt_show = _("Show the answer")
    config.nb_code_prompt_hide = _("Hide the answer")
    config.html_baseurl = absolute(config, f"{config.language}/")


def add_languages(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    """Tell the templates where this page is in each language, relative and absolute."""
    names = app.config.languages
    published = app.config.published_languages.split(",")
    target = app.builder.get_target_uri(pagename)
    here = f"{app.config.language}/{target}"
    context["in_languages"] = [
        {
            "code": code,
            "name": names[code],
            "relative": relative_uri(here, f"{code}/{target}") or target.split("/")[-1],
            "absolute": absolute(app.config, f"{code}/{target}"),
        }
        for code in names
        if code in published
    ]


def absolute(config: Config, path: str) -> str:
    """The published address, if the site has one."""
    return f"{config.site_url.rstrip('/')}/{path}" if config.site_url else ""


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_config_value("languages", {}, "html", dict)
    app.add_config_value("site_url", "", "html", str)
    app.add_config_value("published_languages", "", "html", str)
    app.connect("config-inited", name_the_guide)
    app.connect("html-page-context", add_languages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
