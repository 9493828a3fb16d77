"""What `examples/digits.py` makes of a picture, and what it sees inside a network."""

from pathlib import Path

import jax
import jax.numpy as jnp
import matplotlib.image
import numpy as np
import pytest
from _digits.data import Data, small_digits
from _digits.inside import against, confusion, slope
from _digits.model import CNN, loss
from _digits.prediction import prepared, probabilities, read_picture
from _digits.runs import Settings, advance, begin
from flax import nnx


@pytest.fixture(scope="module")
def data() -> Data:
    return small_digits()


@pytest.fixture(scope="module")
def model(data: Data) -> CNN:
    """A network that was trained a little."""
    run = begin(Settings(epochs=4), data)
    for _ in advance(run):
        pass
    return run.model


def enlarged(image: np.ndarray) -> np.ndarray:
    """A digit as ink on a page of 120 × 150 pixels, from 0 to 1."""
    page = np.zeros((120, 150))
    page[20:100, 30:110] = np.kron(image[..., 0], np.ones((10, 10)))
    return page


def right(model: CNN, data: Data, images: list[np.ndarray]) -> float:
    answers = model(jnp.asarray(np.stack(images))).argmax(axis=1)
    return float((np.asarray(answers) == data.test_labels[: len(images)]).mean())


def test_a_picture_is_found_wherever_it_is(model: CNN, data: Data) -> None:
    """Enlarged digits are read about as well as the digits themselves."""
    pictures = [prepared(enlarged(image), 8) for image in data.test_images[:100]]
    plain = right(model, data, list(data.test_images[:100]))
    assert plain > 0.9
    assert right(model, data, pictures) > plain - 0.05


@pytest.mark.parametrize("kind", ["gray", "rgb", "rgba", "white on black", "transparent"])
def test_each_kind_of_png_gives_the_same_image(tmp_path: Path, data: Data, kind: str) -> None:
    ink = enlarged(data.test_images[0])
    gray = ink if kind == "white on black" else 1 - ink
    pixels = {
        "gray": np.repeat(gray[..., None], 3, axis=2),
        "rgb": np.repeat(gray[..., None], 3, axis=2),
        "rgba": np.dstack([gray, gray, gray, np.ones_like(gray)]),
        "white on black": np.repeat(gray[..., None], 3, axis=2),
        "transparent": np.dstack([np.zeros((*ink.shape, 3)), ink]),
    }[kind]
    matplotlib.image.imsave(tmp_path / "digit.png", pixels)
    image = read_picture(tmp_path / "digit.png", 8)
    assert image.shape == (8, 8, 1)
    np.testing.assert_allclose(image, prepared(ink, 8), atol=0.02)


def test_a_picture_for_mnist_keeps_its_margin(data: Data) -> None:
    image = prepared(enlarged(data.test_images[0]), 28)[..., 0]
    rows = np.flatnonzero(image.max(axis=1) > 0.5)
    assert 2 <= rows[0] <= 5
    assert 22 <= rows[-1] <= 25


def test_what_is_no_picture_of_a_digit_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text.png").write_text("no picture")
    matplotlib.image.imsave(tmp_path / "white.png", np.ones((20, 20, 3)))
    matplotlib.image.imsave(tmp_path / "digit.jpg", np.zeros((20, 20, 3)))
    for name, words in [
        ("text.png", "cannot be read as a PNG"),
        ("digit.jpg", "cannot be read as a PNG"),
        ("white.png", "nothing but background"),
    ]:
        with pytest.raises(ValueError, match=words):
            read_picture(tmp_path / name, 8)


def test_probabilities_add_up(model: CNN, data: Data) -> None:
    likely = probabilities(model, data.test_images[0])
    assert likely.shape == (10,)
    np.testing.assert_allclose(likely.sum(), 1, rtol=1e-5)


def test_confusion_counts_every_pair(random: np.random.Generator) -> None:
    answers, labels = random.integers(0, 4, size=(2, 200))
    counts = confusion(jnp.asarray(answers), jnp.asarray(labels), 4)
    for label in range(4):
        for answer in range(4):
            both = (labels == label) & (answers == answer)
            assert counts[label, answer] == both.sum()


def test_slope_is_that_of_each_image_alone(random: np.random.Generator) -> None:
    """Against differences in float64, in a random direction."""
    with jax.enable_x64(True):
        model = CNN(8, 10, rngs=nnx.Rngs(0))
        for layer in (model.conv, model.hidden, model.logits):
            layer.dtype = jnp.dtype("float64")
        images = jnp.asarray(random.uniform(size=(3, 8, 8, 1)))
        labels, direction = jnp.array([3, 1, 4]), jnp.asarray(random.normal(size=(8, 8, 1)))
        for number in range(3):
            one, label = images[number : number + 1], labels[number : number + 1]
            ends = [loss(model, one + step * direction, label) for step in (1e-7, -1e-7)]
            expected = (ends[0] - ends[1]) / 2e-7
            found = (slope(model, images, labels)[number] * direction).sum()
            np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-7)


def test_steps_against_the_network_harm_it(model: CNN, data: Data) -> None:
    images, labels = jnp.asarray(data.test_images), jnp.asarray(data.test_labels)
    changed = against(images, slope(model, images, labels), 0.1)
    assert abs(changed - images).max() <= 0.1 + 1e-6
    assert changed.min() >= 0 and changed.max() <= 1
    assert loss(model, changed, labels) > 2 * loss(model, images, labels)
