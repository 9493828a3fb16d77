"""The pictures of shared addresses: every letter is in the font, no line is too long."""

from importlib.machinery import ModuleSpec
from itertools import accumulate
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]
from PIL import Image
from sphinx.errors import ExtensionError
from sphinx_intl.catalog import load_po

from docs._ext.cards import MARGIN, SIZE, draw, fitted, font_file, pieces
from docs._make.options import LOCALE, ROOT, configured_languages

LANGUAGES = list(configured_languages())


def titles(language: str) -> list[str]:
    """Every title that a card may show: the headings and the names of the parts."""
    english = [
        line.lstrip("# :").removeprefix("caption: ").replace("`", "")
        for page in [*sorted((ROOT / "docs").glob("*/*.md")), ROOT / "docs" / "index.md"]
        for line in page.read_text(encoding="utf-8").splitlines()
        if line.startswith(("# ", ":caption: "))
    ]
    if language == "en":
        return english
    catalogues = [load_po(file) for file in sorted((LOCALE / language).rglob("*.po"))]
    translated = {
        str(message.id).replace("`", ""): str(message.string).replace("`", "")
        for catalogue in catalogues
        for message in catalogue
    }
    return [translated[title] for title in english if title in translated]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_font_has_every_letter(language: str) -> None:
    letters = set("".join(titles(language))) - {"\n"}
    assert len(letters) > 50
    known = TTFont(font_file(language)).getBestCmap()
    assert [letter for letter in sorted(letters) if ord(letter) not in known] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_title_fits_and_keeps_its_words(language: str) -> None:
    for title in titles(language):
        font, lines = fitted(language, title)
        assert len(lines) <= 3
        assert max(map(font.getlength, lines)) <= SIZE[0] - 2 * MARGIN
        parts = pieces(language, title)
        assert "".join(parts) == title
        # A line ends where a piece does.
        assert set(accumulate(map(tight, lines))) <= set(accumulate(map(tight, parts)))
        assert tight("".join(lines)) == tight(title)


def tight(text: str) -> str:
    """A text without its spaces: a line's end replaces one."""
    return text.replace(" ", "")


def test_no_japanese_line_begins_with_what_must_not_begin_one() -> None:
    for title in titles("ja"):
        for piece in pieces("ja", title)[1:]:
            assert piece[0] not in "、。：）」』】・！？ーぁぃぅぇぉっゃゅょァィゥェォッャュョ"


def test_a_card_is_small_and_drawn_again_only_for_other_words(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "er" / "card.png"
    draw(file, "ja", "非同期ディスパッチ", "JAXガイド", "計測")
    with Image.open(file) as picture:
        assert picture.size == SIZE
    assert file.stat().st_size < 25_000
    first = file.stat().st_mtime_ns
    draw(file, "ja", "非同期ディスパッチ", "JAXガイド", "計測")
    assert file.stat().st_mtime_ns == first
    draw(file, "ja", "別の題", "JAXガイド", "計測")
    assert file.stat().st_mtime_ns != first


def test_a_missing_font_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docs._ext.cards.find_spec", lambda _name: None)
    with pytest.raises(ExtensionError, match="install matplotlib-fontja"):
        font_file("ja")


def test_a_font_that_its_package_no_longer_has_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = ModuleSpec("koreanize_matplotlib", None, is_package=True)
    found.submodule_search_locations = [str(tmp_path)]
    monkeypatch.setattr("docs._ext.cards.find_spec", lambda _name: found)
    with pytest.raises(ExtensionError, match=r"koreanize-matplotlib has no NanumGothicBold\.ttf"):
        font_file("ko")


def test_a_title_with_a_letter_that_the_font_lacks_is_not_drawn(tmp_path: Path) -> None:
    with pytest.raises(ExtensionError, match=r"no letter '한' in ipaexg\.ttf"):
        draw(tmp_path / "card.png", "ja", "한글", "JAXガイド", "計測")
    assert not (tmp_path / "card.png").exists()
