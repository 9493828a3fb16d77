"""A training run: what it is made of, and how it goes on from epoch to epoch."""

import dataclasses
from collections.abc import Callable, Iterator

import jax
import jax.numpy as jnp
from _digits.data import Data
from _digits.model import CNN, accuracy, initialized
from _digits.training import SCHEDULES, Batch, batches, make_optimizer, train_epoch
from flax import nnx

EVALUATED_AT_ONCE = 1000  # images; bounds the memory for large test sets


@dataclasses.dataclass(frozen=True)
class Settings:
    """What makes a run: the same settings and data give the same model.

    Args:
        epochs: How often the run shows each image.
        batch: How many images a step sees.
        learning_rate: The largest one.
        schedule: One of ``SCHEDULES``.
        seed: Of the initial weights, the order and the shifts.

    Raises:
        ValueError: If the schedule is not known.
    """

    epochs: int = 12
    batch: int = 64
    learning_rate: float = 1.2e-2
    schedule: str = "one-cycle"
    seed: int = 0

    def __post_init__(self) -> None:
        if self.schedule not in SCHEDULES:
            raise ValueError(f"schedule {self.schedule!r}: give {' or '.join(SCHEDULES)}")


@dataclasses.dataclass
class Run:
    """A run as far as it has come.

    Args:
        settings: What it is made of.
        data: Its images.
        model: The network.
        optimizer: Its optimizer.
        losses: The mean training loss of each finished epoch.
        accuracies: The test accuracy after each.
    """

    settings: Settings
    data: Data
    model: CNN
    optimizer: nnx.Optimizer[CNN]
    losses: list[float]
    accuracies: list[float]

    @property
    def epoch(self) -> int:
        """How many epochs are finished."""
        return len(self.losses)


def begin(settings: Settings, data: Data) -> Run:
    """Make a run of no epochs.

    Args:
        settings: What it is made of.
        data: Its images.

    Returns:
        The run.

    Raises:
        ValueError: If a batch has more images than there are.
    """
    steps = len(data.train_images) // settings.batch
    if not steps:
        raise ValueError(f"a batch of {settings.batch}: there are {len(data.train_images)} images")
    initial, _ = keys(settings)
    model = initialized(data.side, data.classes, initial)
    rate, schedule = settings.learning_rate, settings.schedule
    optimizer = make_optimizer(model, settings.epochs * steps, rate, schedule)
    return Run(settings, data, model, optimizer, [], [])


def keys(settings: Settings) -> tuple[jax.Array, jax.Array]:
    """Give the keys of a run: of its initial weights, and of its epochs."""
    initial, epochs = jax.random.split(jax.random.key(settings.seed))
    return initial, epochs


def accuracy_for(model: CNN, data: Data) -> float:
    """Give the share of right answers for the test images.

    Args:
        model: The network.
        data: The images.

    Returns:
        From 0 to 1.
    """
    starts = range(0, len(data.test_images), EVALUATED_AT_ONCE)
    parts = [slice(start, start + EVALUATED_AT_ONCE) for start in starts]
    images, labels = jnp.asarray(data.test_images), jnp.asarray(data.test_labels)
    right = [float(accuracy(model, images[p], labels[p])) * len(labels[p]) for p in parts]
    return sum(right) / len(labels)


def advance(run: Run, watch: Callable[[Iterator[Batch]], Iterator[Batch]] = iter) -> Iterator[Run]:
    """Train until the run has all its epochs.

    Args:
        run: Where to begin; it is changed in place.
        watch: Hands the batches on one by one, so that it can tell how far the epoch is.

    Yields:
        The run after each epoch.

    >>> from _digits.data import small_digits
    >>> run = begin(Settings(epochs=1), small_digits())
    >>> [done.epoch for done in advance(run)], run.accuracies[0] > 0.5
    ([1], True)
    """
    _, epochs = keys(run.settings)
    images, labels = run.data.train_images, run.data.train_labels
    while run.epoch < run.settings.epochs:
        key = jax.random.fold_in(epochs, run.epoch)
        dealt = batches(key, images, labels, run.settings.batch)
        losses = train_epoch(run.model, run.optimizer, watch(dealt))
        run.losses.append(float(losses.mean()))
        run.accuracies.append(accuracy_for(run.model, run.data))
        yield run
