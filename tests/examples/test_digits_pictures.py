"""What `examples/digits.py` makes of a picture."""

from pathlib import Path

import jax.numpy as jnp
import matplotlib.image
import numpy as np
import pytest
from _digits.data import Data, small_digits
from _digits.model import CNN
from _digits.prediction import prepared, read_picture
from _digits.runs import Run


@pytest.fixture(scope="module")
def data() -> Data:
    return small_digits()


@pytest.fixture
def model(trained_digits: tuple[Path, Run]) -> CNN:
    return trained_digits[1].model


def enlarged(image: np.ndarray) -> np.ndarray:
    """A digit as ink on a page of 120 × 150 pixels, from 0 to 1."""
    page = np.zeros((120, 150))
    page[20:100, 30:110] = np.kron(image[..., 0], np.ones((10, 10)))
    return page


def accuracy(model: CNN, data: Data, images: np.ndarray) -> float:
    answers = model(jnp.asarray(images)).argmax(axis=1)
    return float((np.asarray(answers) == data.test_labels[: len(images)]).mean())


def test_enlarged_digits_are_read_like_the_digits_themselves(model: CNN, data: Data) -> None:
    images = data.test_images[:100]
    pictures = np.stack([prepared(enlarged(image), 8) for image in images])
    plain = accuracy(model, data, images)
    assert plain > 0.9
    assert accuracy(model, data, pictures) > plain - 0.05


@pytest.mark.parametrize("kind", ["rgb", "rgba", "white on black", "transparent"])
def test_every_kind_of_png_gives_the_same_image(tmp_path: Path, data: Data, kind: str) -> None:
    ink = enlarged(data.test_images[0])
    opaque = np.ones_like(ink)
    pixels = {
        "rgb": np.dstack([1 - ink] * 3),
        "rgba": np.dstack([1 - ink] * 3 + [opaque]),
        "white on black": np.dstack([ink] * 3),
        "transparent": np.dstack([0 * ink] * 3 + [ink]),
    }[kind]
    matplotlib.image.imsave(tmp_path / "digit.png", pixels)
    image = read_picture(tmp_path / "digit.png", 8)
    np.testing.assert_allclose(image, prepared(ink, 8), atol=0.02)


def test_a_picture_for_mnist_keeps_its_margin(data: Data) -> None:
    image = prepared(enlarged(data.test_images[0]), 28)[..., 0]
    rows = np.flatnonzero(image.max(axis=1) > 0.5)
    assert 2 <= rows[0] <= 5
    assert 22 <= rows[-1] <= 25


def test_pictures_without_a_digit_are_refused(tmp_path: Path) -> None:
    (tmp_path / "text.png").write_text("no picture")
    matplotlib.image.imsave(tmp_path / "white.png", np.ones((20, 20, 3)))
    matplotlib.image.imsave(tmp_path / "digit.jpg", np.zeros((20, 20, 3)))
    for name, message in [
        ("text.png", "cannot be read as a PNG"),
        ("digit.jpg", "cannot be read as a PNG"),
        ("white.png", "nothing but background"),
    ]:
        with pytest.raises(ValueError, match=message):
            read_picture(tmp_path / name, 8)
