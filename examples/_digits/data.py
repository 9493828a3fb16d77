"""Images of handwritten digits: scikit-learn's, or files in MNIST's format from a folder.

Nothing is downloaded. Source of the digits: E. Alpaydin and C. Kaynak (1998), Optical Recognition
of Handwritten Digits, UCI Machine Learning Repository. Of the format: the description beside
MNIST's files by Y. LeCun, C. Cortes and C. Burges.
"""

import gzip
import hashlib
import math
import zlib
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

UNSIGNED_BYTES = 0x08  # the third byte of a file in MNIST's format; the fourth counts its axes


class Data(NamedTuple):
    """Images for training and for testing.

    Attributes:
        train_images: Shape (N, side, side, 1), float32 from 0 to 1.
        test_images: Shape (M, side, side, 1), as the others.
        train_labels: Shape (N,), int32 from 0.
        test_labels: Shape (M,), as the others.
    """

    train_images: np.ndarray
    test_images: np.ndarray
    train_labels: np.ndarray
    test_labels: np.ndarray

    @property
    def side(self) -> int:
        """Height and width of an image in pixels."""
        return int(self.train_images.shape[1])

    @property
    def classes(self) -> int:
        """How many labels there are."""
        return int(self.train_labels.max()) + 1

    @property
    def digest(self) -> str:
        """A name for exactly these numbers."""
        return hashlib.sha256(b"".join(np.ascontiguousarray(a).data for a in self)).hexdigest()


def small_digits() -> Data:
    """Give scikit-learn's digits: 1437 images for training, 360 for testing, always the same.

    Returns:
        Images of 8 × 8 pixels with ten classes.

    >>> data = small_digits()
    >>> data.train_images.shape, data.test_images.shape, data.classes
    ((1437, 8, 8, 1), (360, 8, 8, 1), 10)
    """
    pixels, labels = load_digits(return_X_y=True)
    images = (pixels / 16).astype(np.float32).reshape(-1, 8, 8, 1)
    labels = labels.astype(np.int32)
    return Data(*train_test_split(images, labels, test_size=0.2, stratify=labels, random_state=0))


def load(folder: Path | None) -> Data:
    """Give the files of a folder, or scikit-learn's digits.

    Args:
        folder: Has four files in MNIST's format; None for scikit-learn's digits.

    Returns:
        The images.

    Raises:
        ValueError: If a file is missing or malformed; the message names it and what to do.

    >>> load(Path("no/such/folder"))
    Traceback (most recent call last):
    ValueError: no/such/folder: train-images-idx3-ubyte is missing; put MNIST's four files there
    """
    if folder is None:
        return small_digits()
    parts = [
        read(folder, name, axes)
        for name, axes in [
            ("train-images-idx3-ubyte", 3),
            ("t10k-images-idx3-ubyte", 3),
            ("train-labels-idx1-ubyte", 1),
            ("t10k-labels-idx1-ubyte", 1),
        ]
    ]
    shapes = {images.shape[1:] for images in parts[:2]}
    side = parts[0].shape[1]
    if shapes != {(side, side)} or side % 2 or side < 6:
        raise ValueError(f"{folder}: give square images of one size, with an even side from 6 on")
    for images, labels in zip(parts[:2], parts[2:], strict=True):
        if len(images) != len(labels) or not len(images):
            raise ValueError(f"{folder}: {len(images)} images have {len(labels)} labels")
    if parts[3].max() > parts[2].max():
        raise ValueError(f"{folder}: label {parts[3].max()} is in the test files only")
    train, test = ((images / np.float32(255))[..., None] for images in parts[:2])
    return Data(train, test, *(labels.astype(np.int32) for labels in parts[2:]))


def read(folder: Path, name: str, axes: int) -> np.ndarray:
    """Read one file in MNIST's format, compressed with gzip or not.

    Args:
        folder: Where the file is.
        name: The file's name, without the .gz.
        axes: How many axes its array has.

    Returns:
        The array, uint8.

    Raises:
        ValueError: If the file is missing or malformed.
    """
    path = next((p for p in (folder / name, folder / f"{name}.gz") if p.is_file()), None)
    if path is None:
        raise ValueError(f"{folder}: {name} is missing; put MNIST's four files there")
    try:
        content = path.read_bytes()
        content = gzip.decompress(content) if path.suffix == ".gz" else content
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError(f"{path}: it cannot be read ({error}); fetch it again") from None
    header = 4 + 4 * axes
    magic = content[:4] == bytes([0, 0, UNSIGNED_BYTES, axes])
    # A header that is cut off gives no shape. Python's whole numbers give the others, because a
    # wrong one may multiply to more than 64 bits hold.
    shape = np.frombuffer(content, ">u4", axes, offset=4).tolist() if len(content) >= header else []
    if not magic or not shape or len(content) != header + math.prod(shape):
        raise ValueError(f"{path}: it is not in MNIST's format, or cut off; fetch it again")
    return np.frombuffer(content, np.uint8, offset=header).reshape(shape)
