"""Transfer: a trained network's weights as the start for other images, some of them frozen.

Three ways are compared, each with several seeds: train only a new last layer on frozen features,
train all weights from the source's, and train from scratch. The last layer is ``logits``; all
layers before it are the features.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import jax
import numpy as np
import optax
from _digits.data import Data
from _digits.model import CNN, initialized
from _digits.runs import accuracy_for
from _digits.training import train_step
from flax import nnx

BATCH = 16  # images; every number of shots then shares the compiled step
SOURCE_STEPS = 300
NOISE = 0.8  # the greatest; an image goes from 0 to 1
CLASSES = 10
NEW_CLASSES = 5  # digits 5 to 9; the digits before them are the source's

FEATURES = nnx.Not(nnx.PathContains("logits"))


def labelled(params: Any) -> Any:
    """Say of each parameter whether it is trained or frozen.

    Args:
        params: The parameters of a model, or anything of their structure.

    Returns:
        The same structure, with ``"trained"`` in the last layer and ``"frozen"`` elsewhere.

    >>> params = nnx.state(CNN(8, 10, rngs=nnx.Rngs(0)), nnx.Param)
    >>> labels = nnx.to_pure_dict(labelled(params))
    >>> labels["hidden"], labels["logits"]
    ({'bias': 'frozen', 'kernel': 'frozen'}, {'bias': 'trained', 'kernel': 'trained'})
    """
    return jax.tree.map_with_path(
        lambda path, _: "trained" if path[0].key == "logits" else "frozen", params
    )


def last_layer_only(rule: optax.GradientTransformation) -> optax.GradientTransformation:
    """Restrict an update rule to the last layer.

    Args:
        rule: Any rule, such as ``optax.adam(1e-3)``.

    Returns:
        The rule that leaves all other parameters as they are, bit for bit.
    """
    return optax.partition({"trained": rule, "frozen": optax.set_to_zero()}, labelled)


# One object each: a new one would make train_step compile again.
EVERYTHING = optax.adam(1e-3)
LAST_LAYER = last_layer_only(optax.adam(3e-3))


class Way(NamedTuple):
    """One way to use the source.

    Attributes:
        taken: A filter: which of the source's parameters replace the initial ones.
        rule: What trains the network.
        steps: How many.
    """

    taken: Any
    rule: optax.GradientTransformation
    steps: int


# With the source's own classes, its last layer is of use too.
SAME_CLASSES = {
    "frozen": Way(FEATURES, LAST_LAYER, 100),
    "tuned": Way(nnx.Param, EVERYTHING, 50),
    "scratch": Way(False, EVERYTHING, 150),
}
OTHER_CLASSES = SAME_CLASSES | {"tuned": Way(FEATURES, EVERYTHING, 50)}


class Task(NamedTuple):
    """What is to be learnt, and from where.

    Attributes:
        source: The trained network.
        data: The new images and labels.
        ways: How the source can be used, by name.
    """

    source: CNN
    data: Data
    ways: dict[str, Way]


def fit(
    key: jax.Array,
    model: CNN,
    rule: optax.GradientTransformation,
    images: np.ndarray,
    labels: np.ndarray,
    steps: int,
) -> None:
    """Train a network with batches drawn with replacement; it is changed in place.

    Args:
        key: A random key.
        model: The network.
        rule: What trains it.
        images: Shape (N, side, side, 1); N may be less than a batch.
        labels: Shape (N,).
        steps: How many batches.
    """
    optimizer = nnx.Optimizer(model, rule, wrt=nnx.Param)
    step = nnx.cached_partial(train_step, model, optimizer)
    for chosen in np.asarray(jax.random.randint(key, (steps, BATCH), 0, len(labels))):
        step(images[chosen], labels[chosen])


def few_shots(key: jax.Array, labels: np.ndarray, shots: int) -> np.ndarray:
    """Choose a few images of each class.

    Args:
        key: A random key.
        labels: Shape (N,).
        shots: How many of each class; of a smaller class all.

    Returns:
        Their indices.

    >>> labels = np.array([4, 4, 4, 7, 7, 7])
    >>> labels[few_shots(jax.random.key(0), labels, 2)].tolist()
    [4, 4, 7, 7]
    """
    order = np.asarray(jax.random.permutation(key, len(labels)))
    return np.concatenate([order[labels[order] == name][:shots] for name in np.unique(labels)])


def adapt(
    key: jax.Array, source: CNN, way: Way, images: np.ndarray, labels: np.ndarray, shots: int
) -> CNN:
    """Give a new network, trained in one of the ways with a few images.

    Args:
        key: Where the choice of the images, the initial weights and the batches come from.
        source: The trained network; it stays as it is.
        way: Which of its parameters are taken, and what trains the network.
        images: Shape (N, side, side, 1).
        labels: Shape (N,).
        shots: Images of each class.

    Returns:
        The network.
    """
    choice, initial, order = jax.random.split(key, 3)
    few = few_shots(choice, labels, shots)
    taken, rule, steps = way
    model = CNN(images.shape[1], source.logits.out_features, rngs=nnx.Rngs(initial))
    nnx.update(model, nnx.state(source, taken))
    fit(order, model, rule, images[few], labels[few], steps)
    return model


def compare(task: Task, shots: int, seeds: int) -> dict[str, np.ndarray]:
    """Train in each way, with each seed.

    Args:
        task: What is to be learnt.
        shots: Images of each class.
        seeds: How many; each has its own initial weights and its own choice of the images.

    Returns:
        The test accuracies of each way, shape (seeds,); the ways share the seeds' choices.
    """
    found: dict[str, list[float]] = {name: [] for name in task.ways}
    data = task.data
    for seed in range(seeds):
        for name, way in task.ways.items():
            key = jax.random.key(seed)
            model = adapt(key, task.source, way, data.train_images, data.train_labels, shots)
            found[name].append(accuracy_for(model, data))
    return {name: np.array(values) for name, values in found.items()}


def paired(these: np.ndarray, those: np.ndarray) -> tuple[float, float]:
    """Compare two ways seed by seed.

    Args:
        these: One accuracy a seed, shape (seeds,), two or more.
        those: Those of the other way, with the same seeds.

    Returns:
        The mean difference, and its standard error.

    >>> paired(np.array([0.5, 0.75]), np.array([0.25, 0.5]))
    (0.25, 0.0)
    """
    gain = these - those
    return float(gain.mean()), float(gain.std(ddof=1) / np.sqrt(len(gain)))


def noisy(key: jax.Array, images: np.ndarray) -> np.ndarray:
    """Add noise to images.

    Args:
        key: A random key.
        images: Shape (N, side, side, 1), from 0 to 1.

    Returns:
        The images, float32: where the noise is brighter than an image, there is the noise.

    >>> images = noisy(jax.random.key(0), np.zeros((5, 8, 8, 1), np.float32))
    >>> images.dtype, bool(0 <= images.min()), bool(images.max() < 0.8)
    (dtype('float32'), True, True)
    """
    noise = NOISE * np.asarray(jax.random.uniform(key, images.shape))
    return np.maximum(images, noise, dtype=np.float32)


def only(data: Data, first: int, end: int) -> Data:
    """Keep the images of the digits from first to end - 1.

    >>> from _digits.data import small_digits
    >>> sorted(set(only(small_digits(), 5, 10).test_labels.tolist()))
    [5, 6, 7, 8, 9]
    """
    train, test = ((first <= labels) & (labels < end) for labels in data[2:])
    return Data(*(array[keep] for array, keep in zip(data, [train, test] * 2, strict=True)))


def noisy_task(source: CNN, data: Data) -> Task:
    """Make the task of the same digits with noise.

    Args:
        source: Trained with the images of ``data``.
        data: Images without noise.

    Returns:
        The task.
    """
    train, test = jax.random.split(jax.random.key(2**31))  # no seed of a run
    images = noisy(train, data.train_images), noisy(test, data.test_images)
    return Task(source, Data(*images, *data[2:]), SAME_CLASSES)


def classes_task(data: Data, known: int) -> tuple[Task, float]:
    """Train a source with the first digits, and make the task of digits 5 to 9.

    Args:
        data: Images of the ten digits.
        known: How many digits the source sees: 0 to known - 1.

    Returns:
        The task, and the source's test accuracy on its own digits.

    Raises:
        ValueError: If there are not ten classes.
    """
    if data.classes != CLASSES:
        raise ValueError(f"--task classes: the data have {data.classes} classes, not {CLASSES}")
    initial, order = jax.random.split(jax.random.key(2**31))  # no seed of a run
    source, old = initialized(data.side, CLASSES, initial), only(data, 0, known)
    fit(order, source, EVERYTHING, old.train_images, old.train_labels, SOURCE_STEPS)
    task = Task(source, only(data, NEW_CLASSES, CLASSES), OTHER_CLASSES)
    return task, accuracy_for(source, old)


def table(results: dict[str, np.ndarray]) -> Iterator[str]:
    """Write accuracies as lines.

    Args:
        results: From ``compare``, with two seeds or more.

    Yields:
        A heading, and a line for each way; the last columns compare it with the last way.

    >>> print("\\n".join(table({"a": np.array([0.5, 0.75]), "b": np.array([0.25, 0.5])})))
    way        mean     sd    min    max  minus b
    a         0.625  0.177  0.500  0.750   +0.250 +- 0.000
    b         0.375  0.177  0.250  0.500
    """
    *_, last = results
    yield f"way        mean     sd    min    max  minus {last}"
    for name, values in results.items():
        figures = values.mean(), values.std(ddof=1), values.min(), values.max()
        line = f"{name:<8}" + "".join(f"{figure:>7.3f}" for figure in figures)
        gain, error = paired(values, results[last])
        yield line if name == last else f"{line}  {gain:>+7.3f} +- {error:.3f}"
