"""What depends on the language of the build: titles, addresses, the languages to switch to."""

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.locale import _


def translate_settings(app: Sphinx, config: Config) -> None:
    """Set what depends on the language, which conf.py cannot: it is read too early."""
    config.html_title = _("JAX guide")
    config.nb_code_prompt_show = config.nb_code_prompt_hide = _("Code")  # of a folded cell
    config.html_baseurl = absolute(config, f"{config.language}/")
    published = config.published_languages.split(",")
    names = {code: name for code, name in config.languages.items() if code in published}
    config.html_context["published_languages"] = names


def absolute(config: Config, path: str) -> str:
    """Return the published URL of a path, or nothing where the site's URL is not configured."""
    return f"{config.site_url}/{path}" if config.site_url else ""
