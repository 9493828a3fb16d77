"""The pictures of the READMEs can be taken, and show the figure whole."""

from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser

from tests.browser.pictures import picture
from tests.site.built import LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_picture_shows_the_figure(chromium: Browser, site: Path, language: str) -> None:
    taken = Image.open(BytesIO(picture(chromium, language))).convert("RGB")
    assert taken.size == (1200, 760)
    middle = np.asarray(taken.crop((352, 150, 1088, 550)))
    coloured = np.ptp(middle, axis=2) > 100  # neither paper nor lines nor text
    assert coloured.sum() > 10_000
