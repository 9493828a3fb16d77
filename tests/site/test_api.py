"""Cards and the index of JAX's names, made from the installed JAX and from what pages use."""

import pytest

from tests.site.built import LANGUAGES, SITE, page_tree, target

pytestmark = pytest.mark.usefixtures("site")
API = "reference/api"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_link_to_the_reference_has_its_card(language: str) -> None:
    (link,) = page_tree(language, API).xpath("//article//a[has-class('api')]")
    assert link.get("data-signature").startswith("jax.lax.scan(f, init, xs=None, length=None")
    assert link.get("data-meaning").startswith("Scan a function over leading array axes")
    place = target(SITE / language / f"{API}.html", link.get("data-address"))
    assert place == (SITE / language / "transforms" / "scan.html", "")
    title = page_tree(language, "transforms/scan").find(".//h1").text_content()
    assert link.get("data-page").endswith(title.removesuffix("¶"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_index_leads_from_a_name_to_the_page_that_teaches_it(language: str) -> None:
    html = page_tree(language, API)
    for name, page in {
        "jax.lax.scan": "transforms/scan",
        "jax.numpy.where": "transforms/control-flow",
        "jax.random.key": "arrays/random-keys",
        "jax.shard_map": "scale/shard-map",
    }.items():
        links = html.xpath(f"//dt[@id='{name}']/following-sibling::dd[1]//a/@href")
        assert 1 <= len(links) <= 3 and links[0] == f"../{page}.html", name
    names = html.xpath("//dl[has-class('api-names')]/dt/@id")
    assert len(names) > 200 and len({*names}) == len(names)
    assert not [name for name in names if "._" in name or name in {"jax.tree_map", "jax.lax"}]
