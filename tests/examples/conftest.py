"""What the tests of several examples need: fresh random data, and programs that heed Ctrl-C."""

import signal

import numpy as np
import pytest


@pytest.fixture
def seed() -> int:
    seed = int(np.random.default_rng().integers(2**31))  # fits an int32
    print(f"seed {seed}")  # shown by pytest if the test fails
    return seed


@pytest.fixture
def random(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def heed_ctrl_c() -> None:
    """A shell starts programs in the background deaf to Ctrl-C, and these tests with them."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
