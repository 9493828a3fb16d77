"""Link each page to its translations, for the language switcher and for search engines."""

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.locale import _
from sphinx.util.osutil import relative_uri


def translate_settings(app: Sphinx, config: Config) -> None:
    """Set what depends on the language, which conf.py cannot: it is read too early."""
    config.html_title = _("JAX guide")
    config.nb_code_prompt_show = _("Show the answer")
    config.nb_code_prompt_hide = _("Hide the answer")
    config.html_baseurl = absolute(config, f"{config.language}/")


def add_languages(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    """Give templates the page's address in each published language, relative and absolute."""
    published = app.config.published_languages.split(",")
    target = app.builder.get_target_uri(pagename)
    here = f"{app.config.language}/{target}"
    context["in_languages"] = [
        {
            "code": code,
            "name": name,
            "relative": relative_uri(here, f"{code}/{target}") or target.split("/")[-1],
            "absolute": absolute(app.config, f"{code}/{target}"),
        }
        for code, name in app.config.languages.items()
        if code in published
    ]


def absolute(config: Config, path: str) -> str:
    """Return the published URL of a path, or nothing where the site's URL is not configured."""
    return f"{config.site_url}/{path}" if config.site_url else ""
