"""Draw the picture that is shown where a page's address is shared: its title, in its language.

Matplotlib's own fonts have no Japanese and no Korean; those used here come with two packages that
exist to bring them, so that a card looks the same on every machine.
"""

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from fontTools.ttLib import TTFont  # type: ignore[import-untyped]
from PIL import Image, ImageDraw, ImageFont, PngImagePlugin
from sphinx.errors import ExtensionError

SIZE = (1200, 630)  # what Open Graph's readers expect
MARGIN = 90
COLOURS = 24  # enough for the edges of letters, and a third of the bytes of all
PAPER, INK, SOFT, ACCENT = "#10182b", "#ffffff", "#aab8d4", "#4cc2a7"

FONTS = {"ja": ("matplotlib_fontja", "ipaexg.ttf")}
OTHER_FONTS = ("koreanize_matplotlib", "NanumGothicBold.ttf")  # Korean and Latin letters

# Japanese has no spaces: a line may end after hiragana or a mark that closes something, before
# what is neither. That keeps words and their particles together.
JAPANESE_PIECE = re.compile(r"[^{0}]*[{0}]+|[^{0}]+".format(r"ぁ-ゖ、。：）」』】・！？\s"))


def font_file(language: str) -> Path:
    """The font for the titles of a language; its package is found, not imported.

    Importing would change Matplotlib's settings, and fails on Pythons without distutils.
    """
    package, name = FONTS.get(language, OTHER_FONTS)
    found = find_spec(package)
    if found is None or not found.submodule_search_locations:
        raise ExtensionError(f"no fonts for social cards: install {package.replace('_', '-')}")
    file = Path(found.submodule_search_locations[0], "fonts", name)
    if not file.exists():
        raise ExtensionError(
            f"no fonts for social cards: {package.replace('_', '-')} has no {name}"
        )
    return file


@cache
def font(language: str, size: int) -> ImageFont.FreeTypeFont:
    """Load the font once for all cards."""
    return ImageFont.truetype(font_file(language), size)


@cache
def letters(file: Path) -> frozenset[int]:
    """The letters that a font has; any other would be drawn as a box."""
    return frozenset(TTFont(file).getBestCmap())


def draw(file: Path, language: str, title: str, guide: str, part: str) -> None:
    """Draw a card, unless the file is already the card of these words."""
    digest = digest_of(language, title, guide, part)
    if file.exists():
        with Image.open(file) as existing:
            if existing.info.get("Comment") == digest:
                return
    typeface = font_file(language)
    for letter in f"{title}{guide}{part}":
        if ord(letter) not in letters(typeface):
            raise ExtensionError(
                f"a social card cannot be drawn: no letter {letter!r} in {typeface.name}"
            )
    file.parent.mkdir(parents=True, exist_ok=True)
    comment = PngImagePlugin.PngInfo()
    comment.add_text("Comment", digest)
    picture = picture_of(language, title, guide, part)
    few = picture.quantize(
        COLOURS, method=Image.Quantize.FASTOCTREE
    )  # a sixth of the default's time
    few.save(file, pnginfo=comment)


def digest_of(*words: str) -> str:
    """Digest of what a card says and of how it is drawn."""
    drawing = Path(__file__).read_bytes()
    return hashlib.sha256("\0".join(words).encode() + drawing).hexdigest()


def picture_of(language: str, title: str, guide: str, part: str) -> Image.Image:
    """Draw the guide's name above, the title in the middle, the part below."""
    picture = Image.new("RGB", SIZE, PAPER)
    pen = ImageDraw.Draw(picture)
    pen.rectangle((0, 0, 18, SIZE[1]), fill=ACCENT)
    small = font(language, 38)
    large, lines = fitted(language, title)
    height = round(large.size * 1.4)
    top = (SIZE[1] - height * len(lines)) // 2
    bolder = 1.5 if language in FONTS else 0  # the Japanese font has no bold letters
    for number, line in enumerate(lines):
        place = MARGIN, top + height * number + large.size
        pen.text(place, line, INK, large, anchor="ls", stroke_width=bolder)
    if title != guide:  # as on the card of the first page
        pen.text((MARGIN, 80), guide, INK, small, anchor="ls")
        pen.text((MARGIN, SIZE[1] - 70), part, SOFT, small, anchor="ls")
    return picture


def fitted(language: str, title: str) -> tuple[ImageFont.FreeTypeFont, list[str]]:
    """Choose the largest size at which a title takes at most three lines, and break it."""
    width = SIZE[0] - 2 * MARGIN
    for size in (88, 72, 60, 48):
        large = font(language, size)
        lines = balanced(pieces(language, title), large.getlength, width)
        if len(lines) <= 3 and all(large.getlength(line) <= width for line in lines):
            break
    return large, lines


def pieces(language: str, title: str) -> list[str]:
    """Cut a title where a line may end.

    >>> pieces("ja", "古いコードから現在のAPIへ")
    ['古い', 'コードから', '現在の', 'APIへ']
    >>> pieces("ja", "このコードを実行")
    ['この', 'コードを', '実行']
    >>> pieces("ko", "옛 코드에서 지금의 API로")
    ['옛 ', '코드에서 ', '지금의 ', 'API로']
    """
    if language == "ja":
        return JAPANESE_PIECE.findall(title)
    return re.findall(r"\S+\s*", title)


def balanced(parts: Sequence[str], length: Callable[[str], float], width: float) -> list[str]:
    """Break into as few lines as fit, and make them about equally long.

    >>> balanced(["one ", "two ", "three ", "four"], len, 15)
    ['one two', 'three four']
    """
    lines = list(filled(parts, length, width))
    narrower = max(map(length, lines))
    while narrower > 0:
        narrower *= 0.97
        shorter = list(filled(parts, length, narrower))
        if len(shorter) > len(lines) or max(map(length, shorter)) >= max(map(length, lines)):
            break
        lines = shorter
    return lines


def filled(parts: Sequence[str], length: Callable[[str], float], width: float) -> Iterator[str]:
    """Put as much as fits on each line."""
    line = ""
    for part in parts:
        if line and length((line + part).rstrip()) > width:
            yield line.rstrip()
            line = ""
        line += part
    yield line.rstrip()
