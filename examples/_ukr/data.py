"""The data of the command line: a surface, digits, or a file.

Everything is scaled to a total variance of 1. So the loss is the part of the variance that is not
explained, and one set of defaults suits all data.
"""

import csv
import math
import zipfile
from pathlib import Path
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

SUFFIXES = (".csv", ".npz")


class Data(NamedTuple):
    """Data to fit.

    Attributes:
        X: Shape (N, D), with a total variance of 1.
        colors: A number for each point to colour it by, shape (N,).
    """

    X: np.ndarray
    colors: np.ndarray


def saddle(key: jax.Array, n: int) -> jax.Array:
    """Draw points near the surface x₃ = x₁² - x₂².

    Args:
        key: A key from ``jax.random.key``.
        n: How many points.

    Returns:
        Shape (n, 3); the first two columns uniform on [-1, 1], noise of 0.05 N(0, 1).

    >>> saddle(jax.random.key(0), 5).shape
    (5, 3)
    """
    key_plane, key_noise = jax.random.split(key)
    a, b = jax.random.uniform(key_plane, (2, n), minval=-1, maxval=1)
    return jnp.stack([a, b, a**2 - b**2], axis=1) + 0.05 * jax.random.normal(key_noise, (n, 3))


def load(name: str, points: int, seed: int) -> Data:
    """Make or read data.

    Args:
        name: "saddle", "digits", or a file that ends in .csv or .npz.
        points: How many points of the saddle.
        seed: For the saddle.

    Returns:
        The data, scaled.

    Raises:
        ValueError: If it cannot be read; the message says what to do.

    >>> load("saddle", 5, 0).X.shape
    (5, 3)
    >>> load("letters", 5, 0)
    Traceback (most recent call last):
    ValueError: 'letters': give saddle, digits, or a file that ends in .csv or .npz
    """
    if name == "saddle":
        X = np.asarray(saddle(jax.random.key(seed), points))
        return scaled(X, X[:, 0])
    if name == "digits":
        return digits()
    path = Path(name)
    if path.suffix.lower() not in SUFFIXES:
        raise ValueError(f"{name!r}: give saddle, digits, or a file that ends in .csv or .npz")
    try:
        X = read_csv(path) if path.suffix.lower() == ".csv" else read_npz(path)
    except OSError as error:
        raise ValueError(f"{name}: {error.strerror or error}") from None
    if len(X) < 2:
        raise ValueError(f"{name}: give at least two points, not {len(X)}")
    return scaled(X, X[:, 0])


def scaled(X: np.ndarray, colors: np.ndarray) -> Data:
    """Scale data to a total variance of 1.

    Args:
        X: Shape (N, D).
        colors: Shape (N,).

    Returns:
        The data.

    Raises:
        ValueError: If all points are equal, or too large to be squared.

    >>> scaled(np.array([[0.0], [10.0]]), np.zeros(2)).X.ravel().tolist()
    [-1.0, 1.0]
    """
    centred = X - X.mean(axis=0)
    with np.errstate(over="ignore"):
        deviation = math.sqrt((centred**2).sum() / len(X))
    if not 0 < deviation < math.inf:
        raise ValueError("the data: all points are equal, or their numbers are too large")
    return Data(centred / deviation, colors)


def digits() -> Data:
    """Read the handwritten digits that come with scikit-learn.

    Returns:
        1797 images of 8 × 8 pixels as rows, coloured by the digit.

    Raises:
        ValueError: If scikit-learn is not installed.

    Source:
        E. Alpaydin and C. Kaynak (1998), Optical recognition of handwritten digits, UCI Machine
        Learning Repository.

    >>> digits().X.shape
    (1797, 64)
    """
    try:
        from sklearn.datasets import load_digits
    except ModuleNotFoundError:
        raise ValueError("digits: install scikit-learn, which brings them") from None
    images, labels = load_digits(return_X_y=True)
    return scaled(images, labels)


def read_npz(path: Path) -> np.ndarray:
    """Read the array X of an .npz file, or its only array.

    Args:
        path: The file.

    Returns:
        Shape (N, D), float64.

    Raises:
        ValueError: If there is no such array of finite numbers.
        OSError: If the file cannot be opened.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            names = list(file)
            name = "X" if "X" in names else names[0] if len(names) == 1 else ""
            array = np.asarray(file[name], float) if name else np.zeros(0)
    except (ValueError, TypeError, EOFError, zipfile.BadZipFile, AttributeError):
        raise ValueError(f"{path}: write it with numpy.savez(file, X=numbers)") from None
    if not name:
        raise ValueError(f"{path}: it has no array X: write it with numpy.savez(file, X=numbers)")
    if array.ndim != 2 or not array.size:
        raise ValueError(f"{path}: give {name} two axes, points and columns, not {array.shape}")
    if not np.isfinite(array).all():
        row, column = np.argwhere(~np.isfinite(array))[0]
        raise ValueError(f"{path}: {name}[{row}, {column}] is not a finite number; drop that row")
    return array


def read_csv(path: Path) -> np.ndarray:
    """Read numbers from a .csv file whose first line may name the columns.

    Args:
        path: The file, in UTF-8.

    Returns:
        Shape (N, D), float64.

    Raises:
        ValueError: With the line that is not usable.
        OSError: If the file cannot be opened.
    """
    rows: list[list[float]] = []
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            for line, cells in enumerate(csv.reader(file), start=1):
                try:
                    values = [float(cell) for cell in cells]
                except ValueError:
                    if line == 1:
                        continue  # the names of the columns
                    raise ValueError(f"{path}: line {line} has more than numbers") from None
                if not all(map(math.isfinite, values)):
                    raise ValueError(f"{path}: line {line} is not finite; drop that line")
                if rows and values and len(values) != len(rows[0]):
                    wanted = len(rows[0])
                    message = f"{path}: line {line} has {len(values)} numbers, not {wanted}"
                    raise ValueError(message)
                rows += [values] if values else []
    except (UnicodeDecodeError, csv.Error):
        raise ValueError(f"{path}: save it as comma-separated text in UTF-8") from None
    if not rows:
        raise ValueError(f"{path}: there is no line of numbers in it")
    return np.array(rows)
