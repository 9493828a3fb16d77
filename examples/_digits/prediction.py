"""From a picture's file to an image as the network knows it, and to an answer.

scikit-learn's digits were made from scans in which each stroke was black or white: a pixel counts
the black ones of its block. So a picture is cut to its stroke, centred, and shrunk by averaging.
"""

import warnings
from pathlib import Path

import jax.numpy as jnp
import matplotlib.image
import numpy as np
from _digits.model import CNN
from flax import nnx

# scikit-learn's digits touch the border; MNIST's leave 4 of 28 pixels on each side.
MARGIN = 4 / 28
SIDE_WITHOUT_MARGIN = 8


def read_picture(path: Path, side: int) -> np.ndarray:
    """Read a picture of one digit.

    Args:
        path: A PNG, dark on light or light on dark.
        side: Height and width that the network wants, in pixels.

    Returns:
        The image, shape (side, side, 1), float32 from 0 (background) to 1 (stroke).

    Raises:
        ValueError: If it is no picture, or has nothing but background; the message says so.

    >>> read_picture(Path("no/such.png"), 8)
    Traceback (most recent call last):
    ValueError: no/such.png: it cannot be read as a PNG; give a picture of one digit
    """
    try:
        with warnings.catch_warnings(action="ignore"):
            pixels = matplotlib.image.imread(path, format="png")
    except (OSError, SyntaxError, ValueError):
        raise ValueError(
            f"{path}: it cannot be read as a PNG; give a picture of one digit"
        ) from None
    return prepared(darkness(pixels), side, path)


def darkness(pixels: np.ndarray) -> np.ndarray:
    """Give a gray picture, shape (height, width), from 0 for white to 1 for black.

    Args:
        pixels: As matplotlib reads them: from 0 to 1, gray or with 3 or 4 channels.

    Returns:
        The gray picture; what is transparent is white.

    >>> darkness(np.array([[[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]]])).tolist()
    [[0.0, 1.0]]
    """
    pixels = np.asarray(pixels, float)
    if pixels.ndim == 2:
        return 1 - pixels
    colors = 3 if pixels.shape[2] > 2 else 1
    gray: np.ndarray = 1 - pixels[..., :colors].mean(axis=2)
    return gray * pixels[..., -1] if pixels.shape[2] > colors else gray


def prepared(dark: np.ndarray, side: int, name: object = "the picture") -> np.ndarray:
    """Cut a gray picture to its stroke, centre it, and shrink it.

    Args:
        dark: Shape (height, width), from 0 to 1.
        side: Height and width of the result.
        name: For messages.

    Returns:
        Shape (side, side, 1), float32 from 0 to 1.

    Raises:
        ValueError: If there is nothing but background.

    >>> picture = np.zeros((40, 40)); picture[10:30, 18:22] = 1
    >>> prepared(picture, 8)[..., 0].argmax(axis=1).tolist()
    [3, 3, 3, 3, 3, 3, 3, 3]
    """
    border = np.concatenate([dark[0], dark[-1], dark[:, 0], dark[:, -1]])
    dark = dark - np.median(border)  # now the background is 0
    stroke = np.abs(dark)
    if stroke.max() < 0.1:
        raise ValueError(f"{name}: it shows nothing but background; give a picture of one digit")
    stroke = np.clip(stroke / stroke.max(), 0, 1)
    rows, columns = np.nonzero(stroke > 0.25)
    stroke = stroke[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
    margin = 0 if side <= SIDE_WITHOUT_MARGIN else MARGIN
    size = round(max(stroke.shape) / (1 - 2 * margin))
    above, left = ((size - length) // 2 for length in stroke.shape)
    square = np.zeros((size, size))
    square[above : above + stroke.shape[0], left : left + stroke.shape[1]] = stroke
    average = averages(size, side)
    return (average @ square @ average.T).astype(np.float32)[..., None]


def averages(size: int, side: int) -> np.ndarray:
    """Give the matrix that shrinks a line of pixels by averaging.

    Args:
        size: How many pixels the line has.
        side: How many it will have.

    Returns:
        Shape (side, size); each row adds up to 1.

    >>> averages(3, 2).round(2).tolist()
    [[0.67, 0.33, 0.0], [0.0, 0.33, 0.67]]
    """
    edges = np.linspace(0, size, side + 1)
    begin = np.maximum(edges[:-1, None], np.arange(size))
    end = np.minimum(edges[1:, None], np.arange(1, size + 1))
    return np.asarray(np.maximum(end - begin, 0) * side / size)


def probabilities(model: CNN, image: np.ndarray) -> np.ndarray:
    """Give the probability of each class.

    Args:
        model: The network.
        image: Shape (side, side, 1).

    Returns:
        Shape (classes,); they add up to 1.

    >>> image = np.zeros((8, 8, 1), np.float32)
    >>> probabilities(CNN(8, 10, rngs=nnx.Rngs(0)), image).round(1)[:2]
    array([0.1, 0.1], dtype=float32)
    """
    return np.asarray(nnx.softmax(model(jnp.asarray(image)[None]))[0])
