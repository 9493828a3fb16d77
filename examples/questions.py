"""Frequent mistakes about JAX, each answered by a measurement on this machine.

Each question has a name. The script runs the question that it is given, or all of them, and prints
the measured figures and whether they agree with the answer in the guide:

    python examples/questions.py --list
    python examples/questions.py jit-is-aot

Source: the statements are summaries, in this guide's words, of what Japanese and Korean articles
of 2019 to 2022 repeat.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["flax", "jax", "matplotlib", "scikit-learn"]
# ///

import argparse
import contextlib
import functools
import importlib.metadata
import io
import os
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple
from unittest import mock

import jax
import jax.numpy as jnp
import numpy as np
from _command_line import command_line, picture_file, save
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P
from matplotlib.axes import Axes
from matplotlib.figure import Figure

Run = Callable[[], Any]


class Answer(NamedTuple):
    """What was measured for a question, and whether the guide's answer holds here.

    >>> Answer({"entries": 1}, True).confirmed
    True
    """

    figures: dict[str, Any]
    confirmed: bool


class Counted:
    """Wrap a function and count how often Python enters it.

    >>> counted = Counted(jnp.sin)
    >>> compiled = jax.jit(counted)
    >>> _ = compiled(1.0), compiled(2.0)
    >>> counted.entries
    1
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function, self.entries = function, 0

    def __call__(self, *arguments: Any) -> Any:
        """Count the entry and pass the arguments on.

        >>> Counted(abs)(-3)
        3
        """
        self.entries += 1
        return self.function(*arguments)


def seconds(run: Run) -> float:
    """Give the time of one run, up to its finished result, in seconds.

    >>> seconds(lambda: jnp.ones(3)) > 0
    True
    """
    begin = time.perf_counter()
    jax.block_until_ready(run())  # type: ignore[no-untyped-call]
    return time.perf_counter() - begin


def dispatch_seconds(run: Run) -> float:
    """Give the time until a run returns, in seconds; its result may still be unfinished.

    >>> dispatch_seconds(lambda: jnp.ones(3)) > 0
    True
    """
    begin = time.perf_counter()
    result = run()
    passed = time.perf_counter() - begin
    result.block_until_ready()
    return passed


def gain(slow: Run, fast: Run, rounds: int = 7) -> float:
    """Give the least time of one way divided by that of another; both run in turn.

    Args:
        slow: The way whose time is divided.
        fast: The way whose time divides.
        rounds: How many times each way counts, after one round that does not count.

    Returns:
        The ratio; above 1 if ``fast`` was faster.

    >>> 2 < gain(lambda: time.sleep(0.02), lambda: time.sleep(0.002), 3) < 20
    True
    """
    runs = [(seconds(slow), seconds(fast)) for _ in range(rounds + 1)]
    return float(np.divide(*np.min(runs[1:], axis=0)))


def failure(function: Callable[..., Any], *arguments: Any) -> str | None:
    """Call a function and give the name of its error, or None.

    >>> failure(jax.grad(lambda x: x), jnp.ones(2)), failure(abs, -1)
    ('TypeError', None)
    """
    try:
        function(*arguments)
    except Exception as error:
        return type(error).__name__
    return None


def h(x1: Any, x2: Any) -> Any:
    """Give 2 sin x1 sin x2, as the slides of 2022 have it; arrays of one shape.

    >>> round(float(h(0.5, 0.7)), 4)
    0.6177
    """
    return 2 * jnp.sin(x1) * jnp.sin(x2)


def chain(x: Any) -> Any:
    """Apply forty elementwise operations: twenty times sin and + 1; any shape.

    >>> chain(jnp.zeros(2)).shape
    (2,)
    """
    for _ in range(20):
        x = jnp.sin(x) + 1
    return x


def scale(x: Any, factor: Any) -> Any:
    """Multiply by a factor, which may be static under jit.

    >>> float(jax.jit(scale, static_argnums=1)(1.5, 2))
    3.0
    """
    return x * factor


def zeros(n: int) -> jax.Array:
    """Make n zeros, shape (n,), float32.

    Raises:
        TypeError: Under jit, unless n is a static argument.

    >>> jax.jit(zeros, static_argnums=0)(3).shape
    (3,)
    """
    return jnp.zeros(n)


def scores(x: Any, logits: bool) -> Any:
    """Give x itself or its softmax, by an ordinary if.

    Args:
        x: Logits, shape (n,).
        logits: Whether to leave x as it is; under jit it must be static.

    Returns:
        Shape (n,).

    Raises:
        jax.errors.TracerBoolConversionError: Under jit, unless logits is static.

    >>> float(scores(jnp.zeros(2), False)[0]), float(scores(jnp.zeros(2), True)[0])
    (0.5, 0.0)
    """
    return x if logits else jax.nn.softmax(x)


def power(x: Any, n: int) -> Any:
    """Multiply x by 1.1 n times in a Python loop, which jit writes out.

    >>> [len(jax.make_jaxpr(power, static_argnums=1)(1.0, n).eqns) for n in (5, 50)]
    [5, 50]
    """
    for _ in range(n):
        x = x * 1.1
    return x


def train(steps: int) -> Any:
    """Descend to 3 with a fori_loop whose body is a new function at each call.

    Args:
        steps: How many steps of learning rate 0.01 on (w - 3)².

    Returns:
        The last w, shape ().

    >>> round(float(train(1000)), 3)
    3.0
    """

    def body(n: Any, w: Any) -> Any:
        return w - 0.01 * jax.grad(lambda w: (w - 3) ** 2)(w)

    return jax.lax.fori_loop(0, steps, body, 0.0)


def update(x: jax.Array) -> Any:
    """Set the first element to 1; shape (n,), n > 0.

    >>> update(jnp.zeros(2)).tolist()
    [1.0, 0.0]
    """
    return x.at[0].set(1.0)


def parabola(x: Any) -> Any:
    """Give x² + 3, element by element; any shape.

    >>> jax.jacobian(parabola)(jnp.arange(2.0)).tolist()
    [[0.0, 0.0], [0.0, 2.0]]
    """
    return x**2 + 3


def cross_entropy(w: Any, x: Any, y: Any) -> Any:
    """Give the loss of a linear classifier.

    Args:
        w: Weights, shape (d, c).
        x: Examples, shape (n, d).
        y: Integer labels from 0 to c - 1, shape (n,).

    Returns:
        The mean cross entropy in nats, shape ().

    >>> round(float(cross_entropy(jnp.zeros((3, 2)), jnp.ones((4, 3)), jnp.zeros(4, int))), 4)
    0.6931
    """
    return -jnp.mean(jax.nn.log_softmax(x @ w)[jnp.arange(len(y)), y])


@jax.jit
def fit(x: Any, y: Any) -> Any:
    """Train a linear classifier of digits: 100 steps of learning rate 1 from zero.

    Args:
        x: Images, shape (n, 64).
        y: Digits, shape (n,).

    Returns:
        Weights, shape (64, 10).

    >>> fit(jnp.eye(64), jnp.arange(64) % 10).shape
    (64, 10)
    """

    def descend(n: Any, w: Any) -> Any:
        return w - jax.grad(cross_entropy)(w, x, y)

    return jax.lax.fori_loop(0, 100, descend, jnp.zeros((64, 10)))


def first_uniform() -> float:
    """Give the first of ten uniform numbers from key 0.

    >>> with jax.threefry_partitionable(False):
    ...     print(round(first_uniform(), 8))
    0.35490513
    """
    return float(jax.random.uniform(jax.random.key(0), (10,))[0])


def on_cpu(*shape: int) -> Any:
    """Give an array of ones, float32, on the CPU.

    >>> on_cpu(2, 3).shape
    (2, 3)
    """
    return jax.device_put(np.ones(shape, np.float32), jax.devices("cpu")[0])


def entries_of(counted: Counted, run: Run) -> int:
    """Give how often Python enters a counted function during a run.

    >>> counted = Counted(jnp.sin)
    >>> entries_of(counted, lambda: [counted(1.0), counted(2.0)])
    2
    """
    before = counted.entries
    run()
    return counted.entries - before


def when_jit_compiles() -> Answer:
    """Answer: jit compiles at the first call with a shape, not in advance.

    >>> when_jit_compiles()
    Answer(figures={'entries': [0, 1, 1, 2]}, confirmed=True)
    """
    counted = Counted(h)
    compiled, counts = jax.jit(counted), [counted.entries]
    for n in (3, 3, 4):
        compiled(jnp.ones(n), jnp.ones(n))
        counts.append(counted.entries)
    return Answer({"entries": counts}, counts == [0, 1, 1, 2])


def jit_on_a_cpu() -> Answer:
    """Answer: jit gains on a CPU too, when it joins many operations.

    >>> list(jit_on_a_cpu().figures)
    ['gain']
    """
    x, compiled = on_cpu(100), jax.jit(chain)
    measured = gain(lambda: chain(x), lambda: compiled(x), 20)
    return Answer({"gain": measured}, measured > 1.5)


def jit_of_one_operation() -> Answer:
    """Answer: one operation is a compiled program already, and jit changes little.

    >>> list(jit_of_one_operation().figures)
    ['gain']
    """
    matrix, product = jnp.ones((600, 600)), jax.jit(jnp.matmul)
    measured = gain(lambda: jnp.matmul(matrix, matrix), lambda: product(matrix, matrix))
    return Answer({"gain": measured}, 0.3 < measured < 3)


def changing_lengths() -> Answer:
    """Answer: jit compiles again for each new length, and that takes long.

    >>> changing_lengths().figures["entries"]
    6
    """
    counted = Counted(chain)
    compiled = jax.jit(counted)
    arrays = [np.ones(n, np.float32) for n in range(1, 7)]
    first, later = [sum(seconds(functools.partial(compiled, a)) for a in arrays) for _ in range(2)]
    figures = {"entries": counted.entries, "first calls / later calls": first / later}
    return Answer(figures, counted.entries == 6 and first > 10 * later)


def static_and_speed() -> Answer:
    """Answer: each value of a static argument costs a compilation.

    >>> static_and_speed()
    Answer(figures={'entries': [5, 1]}, confirmed=True)
    """
    counted = Counted(scale)
    counts = []
    for function in (jax.jit(counted, static_argnums=1), jax.jit(counted)):
        before = counted.entries
        for factor in range(2, 7):
            function(1.0, factor)
        counts.append(counted.entries - before)
    return Answer({"entries": counts}, counts == [5, 1])


def shape_arguments() -> Answer:
    """Answer: an argument may decide a shape, if the argument is static.

    >>> shape_arguments()
    Answer(figures={'ordinary': 'TypeError', 'static': (3,)}, confirmed=True)
    """
    error = failure(jax.jit(zeros), 3)
    shape = jax.jit(zeros, static_argnums=0)(3).shape
    return Answer({"ordinary": error, "static": shape}, (error, shape) == ("TypeError", (3,)))


def how_long_kept() -> Answer:
    """Answer: a new function is compiled anew, and the programs end with the process.

    >>> how_long_kept().figures["entries"]
    [3, 1]
    """
    counted = Counted(jnp.sin)
    kept = jax.jit(counted)
    counts = [
        entries_of(counted, lambda: [jax.jit(lambda x: counted(x))(1.0) for _ in range(3)]),
        entries_of(counted, lambda: [kept(1.0) for _ in range(3)]),
    ]
    folder = jax.config.values["jax_compilation_cache_dir"]
    return Answer({"entries": counts, "cache folder": folder}, counts == [3, 1])


def print_inside_jit() -> Answer:
    """Answer: print writes once, while tracing; jax.debug.print writes at every call.

    >>> print_inside_jit()
    Answer(figures={'lines': ['traced', 'value', 'value']}, confirmed=True)
    """

    @jax.jit
    def speak(x: Any) -> Any:
        print("traced", x)
        jax.debug.print("value {}", x)
        return x

    with contextlib.redirect_stdout(io.StringIO()) as output:
        speak(1.0), speak(2.0)
        jax.effects_barrier()  # type: ignore[no-untyped-call]
    words = [line.split()[0] for line in output.getvalue().splitlines()]
    return Answer({"lines": words}, words == ["traced", "value", "value"])


def branches_inside_jit() -> Answer:
    """Answer: if works with a static argument, not with a value of an array.

    >>> branches_inside_jit().figures["ordinary"]
    'TracerBoolConversionError'
    """
    x = jnp.ones(4)
    fixed = jax.jit(scores, static_argnames="logits")
    error = failure(jax.jit(scores), x, True)
    sums = [float(fixed(x, logits=logits).sum()) for logits in (False, True)]
    confirmed = error == "TracerBoolConversionError" and np.allclose(sums, [1, 4])
    return Answer({"static": sums, "ordinary": error}, confirmed)


def loops_inside_jit() -> Answer:
    """Answer: for works, and its body is written out once for each pass.

    >>> loops_inside_jit()
    Answer(figures={'operations': [5, 50]}, confirmed=True)
    """
    sizes = [len(jax.make_jaxpr(power, static_argnums=1)(1.0, n).eqns) for n in (5, 50)]
    return Answer({"operations": sizes}, sizes == [5, 50])


def branches_of_cond() -> Answer:
    """Answer: cond runs one branch; under vmap it runs both.

    >>> branches_of_cond()
    Answer(figures={'alone': ['sin'], 'vmap': ['cos', 'sin']}, confirmed=True)
    """
    ran: list[str] = []

    def noting(function: Callable[..., Any]) -> Callable[..., Any]:
        def run(x: Any) -> Any:
            jax.debug.callback(lambda: ran.append(function.__name__))
            return function(x)

        return run

    def either(x: Any) -> Any:
        return jax.lax.cond(x > 0, noting(jnp.sin), noting(jnp.cos), x)

    def names_run(function: Callable[..., Any], x: Any) -> list[str]:
        ran.clear()
        jax.block_until_ready(jax.jit(function)(x))  # type: ignore[no-untyped-call]
        jax.effects_barrier()  # type: ignore[no-untyped-call]
        return sorted(ran)

    alone, mapped = names_run(either, 1.0), names_run(jax.vmap(either), jnp.ones(1))
    confirmed = alone == ["sin"] and mapped == ["cos", "sin"]
    return Answer({"alone": alone, "vmap": mapped}, confirmed)


class Meter:
    """A total that a method changes: misleading under jit.

    >>> meter = Meter()
    >>> _ = jax.jit(meter.add)(2.0)
    >>> isinstance(meter.total, jax.core.Tracer)
    True
    """

    total = 0.0

    def add(self, amount: Any) -> None:
        """Add to the total; under jit a tracer is left in it.

        >>> meter = Meter()
        >>> meter.add(2.0)
        >>> meter.total
        2.0
        """
        self.total = self.total + amount


@jax.jit
def add(total: Any, amount: Any) -> None:
    """Add an amount to a Ref from jax.new_ref; this does change it.

    >>> total = jax.new_ref(jnp.float32(0))
    >>> add(total, 2.0)
    >>> float(total[...])
    2.0
    """
    total[...] += amount


def state_inside_jit() -> Answer:
    """Answer: a changed attribute becomes a tracer; a Ref is mutable state that works.

    >>> state_inside_jit()
    Answer(figures={'attribute is a tracer': True, 'Ref': 5.0}, confirmed=True)
    """
    meter, total = Meter(), jax.new_ref(jnp.float32(0))
    jax.jit(meter.add)(2.0)
    add(total, 2.0), add(total, 3.0)
    tracer = isinstance(meter.total, jax.core.Tracer)
    value = float(total[...])
    return Answer({"attribute is a tracer": tracer, "Ref": value}, tracer and value == 5)


def waiting() -> Answer:
    """Answer: the ratio with and without waiting only grows with the size.

    >>> list(waiting().figures)
    ['n = 100', 'n = 1200']
    """
    product = jax.jit(jnp.matmul)
    ratios = {}
    for n in (100, 1200):
        m = on_cpu(n, n)
        run = functools.partial(product, m, m)
        dispatch = min(dispatch_seconds(run) for _ in range(6))
        ratios[f"n = {n}"] = min(seconds(run) for _ in range(6)) / dispatch
    small, large = ratios.values()
    return Answer(ratios, large > 10 * small)


def fori_without_jit() -> Answer:
    """Answer: fori_loop compiles its body anyway, and jit keeps the program.

    >>> list(fori_without_jit().figures)
    ['gain']
    """
    compiled = jax.jit(train)
    measured = gain(lambda: train(1000), lambda: compiled(1000), 3)
    return Answer({"gain": measured}, measured > 3)


def vmap_alone() -> Answer:
    """Answer: vmap enters the function once, and jit makes it fast.

    >>> vmap_alone().figures["entries"]
    1
    """
    table, vectors = jnp.ones((150, 100)), jnp.ones((10, 100))
    counted = Counted(lambda v: table @ v)
    mapped = jax.vmap(counted)
    entries = entries_of(counted, lambda: mapped(vectors))
    compiled = jax.jit(mapped)
    measured = gain(lambda: mapped(vectors), lambda: compiled(vectors), 30)
    return Answer({"entries": entries, "gain": measured}, entries == 1 and measured > 1.5)


def several_devices() -> Answer:
    """Answer: vmap stays on one device; a sharded array uses all, without pmap.

    >>> several_devices().confirmed
    True
    """
    devices = jax.devices("cpu")
    mesh = jax.make_mesh((len(devices),), ("i",), devices=devices)
    rows = on_cpu(2 * len(devices), 100)
    cut = jax.device_put(rows, NamedSharding(mesh, P("i")))  # type: ignore[no-untyped-call]
    sums = jax.jit(jax.vmap(jnp.sum))
    used = [len(sums(rows).devices()), len(sums(cut).devices())]
    return Answer({"devices": used}, used == [1, len(devices)])


def choice_of_the_device() -> Answer:
    """Answer: pip install jax has no GPU part; a calculation stays where its arrays are.

    >>> choice_of_the_device().confirmed
    True
    """
    lines = importlib.metadata.requires("jax") or []
    needed = [line for line in lines if "extra ==" not in line]
    stays = (on_cpu(3) + 1).devices() == on_cpu(3).devices()
    figures = {"needed": needed, "backend": jax.default_backend()}
    return Answer(figures, stays and not any("cuda" in line for line in needed))


def gpu_memory() -> Answer:
    """Answer: JAX reserves GPU memory, and a variable ends that (read here, not measured).

    >>> gpu_memory()
    Answer(figures={'preallocate': False}, confirmed=True)
    """
    from jaxlib import xla_client

    with mock.patch.dict(os.environ, XLA_PYTHON_CLIENT_PREALLOCATE="false"):
        chosen = xla_client.generate_pjrt_gpu_plugin_options()["preallocate"]
    return Answer({"preallocate": chosen}, chosen is False)


def device_array() -> Answer:
    """Answer: the type is jax.Array, and NumPy accepts it as it is.

    >>> device_array()
    Answer(figures={'jnp.DeviceArray': False, 'np.sin': 'ndarray'}, confirmed=True)
    """
    values = jnp.arange(4.0)
    exists, name = hasattr(jnp, "DeviceArray"), type(np.sin(values)).__name__
    confirmed = isinstance(values, jax.Array) and not exists and name == "ndarray"
    return Answer({"jnp.DeviceArray": exists, "np.sin": name}, confirmed)


def numpy_names() -> Answer:
    """Answer: jax.numpy has most names of NumPy, not all.

    >>> numpy_names().confirmed
    True
    """
    public = [n for n in dir(np) if n[0] != "_" and callable(getattr(np, n))]
    shared = [n for n in public if hasattr(jnp, n)]
    figures = {"shared": len(shared), "of": len(public)}
    return Answer(figures, 0.6 * len(public) < len(shared) < len(public))


def numpy_habits() -> Answer:
    """Answer: dtypes, indices that are too large, and assignments differ from NumPy.

    >>> numpy_habits().figures["assignment"]
    'TypeError'
    """
    values = jnp.arange(3.0)
    error = failure(lambda: values.__setitem__(0, 5.0))
    figures = {"dtype": str(values.dtype), "values[7]": float(values[7]), "assignment": error}
    return Answer(figures, list(figures.values()) == ["float32", 2.0, "TypeError"])


def small_arrays() -> Answer:
    """Answer: NumPy is faster than JAX for one operation on ten numbers.

    >>> list(small_arrays().figures)
    ['JAX / NumPy']
    """
    few, few_jax = np.ones(10, np.float32), on_cpu(10)
    slower = gain(lambda: few_jax + 1, lambda: few + 1, 100)
    return Answer({"JAX / NumPy": slower}, slower > 1.3)


def updates_and_copies() -> Answer:
    """Answer: a plain update copies; with a donated argument it reuses the memory.

    >>> updates_and_copies()
    Answer(figures={'plain': 'copy', 'donated': 'same memory'}, confirmed=True)
    """
    big = jnp.zeros(1_000_000)
    address = big.unsafe_buffer_pointer()
    copied = update(big).unsafe_buffer_pointer() != address
    reused = jax.jit(update, donate_argnums=0)(big).unsafe_buffer_pointer() == address
    kinds = {True: "same memory", False: "copy"}
    return Answer({"plain": kinds[not copied], "donated": kinds[reused]}, copied and reused)


def wide_numbers() -> Answer:
    """Answer: float32 is the default, and float64 can be switched on.

    >>> wide_numbers()
    Answer(figures={'enable_x64': 'float64', 'default': 'float32'}, confirmed=True)
    """
    with jax.enable_x64(True):
        wide = jnp.arange(3.0) / 3
    narrow = jnp.arange(3.0) / 3
    dtypes = [str(wide.dtype), str(narrow.dtype)]
    figures = dict(zip(["enable_x64", "default"], dtypes, strict=True))
    return Answer(figures, dtypes == ["float64", "float32"])


def numbers_of_a_seed() -> Answer:
    """Answer: key 0 gives other numbers since a default changed; the option brings them back.

    >>> numbers_of_a_seed().confirmed
    True
    """
    with jax.threefry_partitionable(False):
        old = first_uniform()
    new = first_uniform()
    return Answer({"old": old, "today": new}, abs(old - 0.35490513) < 1e-7 and old != new)


def numpy_random() -> Answer:
    """Answer: a number from np.random is a constant of the compiled program.

    >>> numpy_random().confirmed
    True
    """
    generator = np.random.default_rng()
    from_numpy = jax.jit(lambda x: x + generator.random())
    from_key = jax.jit(lambda x, key: x + jax.random.uniform(key))
    fixed = [float(from_numpy(0.0)) for _ in range(2)]
    drawn = [float(from_key(0.0, key)) for key in jax.random.split(jax.random.key(0))]
    confirmed = len(set(fixed)) == 1 and len(set(drawn)) == 2
    return Answer({"np.random": fixed, "jax.random": drawn}, confirmed)


def vector_derivatives() -> Answer:
    """Answer: grad refuses a vector result; jacobian gives all its slopes.

    >>> vector_derivatives().figures["grad"]
    'TypeError'
    """
    values = jnp.arange(3.0)
    error, slopes = failure(jax.grad(parabola), values), jax.jacobian(parabola)(values)
    figures = {"grad": error, "jacobian": slopes.tolist()}
    confirmed = error == "TypeError" and bool(jnp.array_equal(slopes, jnp.diag(2 * values)))
    return Answer(figures, confirmed)


def jax_alone() -> Answer:
    """Answer: jax.nn has no classes of layers, and JAX still trains a classifier alone.

    >>> jax_alone().confirmed
    True
    """
    from sklearn.datasets import load_digits

    images, labels = load_digits(return_X_y=True)
    images = (images / 16).astype(np.float32)

    def accuracy(seed: int) -> float:
        order = np.random.default_rng(seed).permutation(len(labels))
        test, rest = order[:360], order[360:]
        w = fit(images[rest], labels[rest])
        return float(jnp.mean((images[test] @ w).argmax(axis=1) == labels[test]))

    accuracies = [accuracy(seed) for seed in range(3)]
    classes = [name for name in dir(jax.nn) if isinstance(getattr(jax.nn, name), type)]
    figures = {"accuracies": accuracies, "classes of jax.nn": classes}
    return Answer(figures, min(accuracies) > 0.85 and not classes)


def flax_parameters() -> Answer:
    """Answer: a layer of NNX holds its parameters; Linen's are in a plain dictionary.

    >>> flax_parameters()
    Answer(figures={'nnx': (2, 3), 'linen': 'dict'}, confirmed=True)
    """
    import flax.linen as linen
    from flax import nnx

    layer, old = nnx.Linear(2, 3, rngs=nnx.Rngs(0)), linen.Dense(3)
    kind = type(old.init(jax.random.key(0), jnp.ones((1, 2)))).__name__
    confirmed = layer.kernel.shape == (2, 3) and not hasattr(old, "kernel") and kind == "dict"
    return Answer({"nnx": layer.kernel.shape, "linen": kind}, confirmed)


def own_words() -> Answer:
    """Answer: the package says what it does, and not what its letters mean.

    >>> own_words().confirmed
    True
    """
    summary = importlib.metadata.metadata("jax")["Summary"]
    return Answer({"summary": summary}, "compile" in summary.lower())


QUESTIONS: dict[str, Callable[[], Answer]] = {
    "jit-is-aot": when_jit_compiles,
    "jit-needs-gpu": jit_on_a_cpu,
    "jit-everything": jit_of_one_operation,
    "changing-lengths": changing_lengths,
    "static-is-fast": static_and_speed,
    "no-shape-arguments": shape_arguments,
    "kept-forever": how_long_kept,
    "print-in-jit": print_inside_jit,
    "any-branch": branches_inside_jit,
    "loops-in-jit": loops_inside_jit,
    "cond-runs-both": branches_of_cond,
    "no-state": state_inside_jit,
    "509-times": waiting,
    "fori-without-jit": fori_without_jit,
    "vmap-is-fast": vmap_alone,
    "several-devices": several_devices,
    "uses-the-gpu": choice_of_the_device,
    "memory-leak": gpu_memory,
    "device-array": device_array,
    "numpy-names": numpy_names,
    "numpy-is-enough": numpy_habits,
    "small-arrays": small_arrays,
    "updates-copy": updates_and_copies,
    "float64": wide_numbers,
    "numbers-of-key-zero": numbers_of_a_seed,
    "np-random": numpy_random,
    "no-vector-derivative": vector_derivatives,
    "jax-alone": jax_alone,
    "model-without-parameters": flax_parameters,
    "name": own_words,
}
# The gains of jit, for the figure: the name on the page, and the question that measures it.
GAINS = {
    "chain": "jit-needs-gpu",
    "matmul": "jit-everything",
    "train": "fori-without-jit",
    "vmap": "vmap-is-fast",
}


def draw(ax: Axes, gains: dict[str, float]) -> None:
    """Draw one point for each gain of jit, on a logarithmic axis.

    Args:
        ax: Where to draw.
        gains: Ratios of times, all positive, by name.

    >>> ax = Figure().subplots()
    >>> draw(ax, {"a": 2.0, "b": 1.0})
    >>> ax.get_lines()[0].get_xdata().tolist()
    [1.0, 2.0]
    """
    names = sorted(gains, key=gains.get)  # type: ignore[arg-type]
    ax.semilogx([gains[name] for name in names], names, "o", ms=10, color="#0b5fa5")
    ax.axvline(1, ls="--", lw=2, color="0.4")
    ax.grid(axis="x", alpha=0.4)
    ax.margins(0.1, 0.3)
    ax.set_xlabel("time without jit / time with jit")
    ax.tick_params("y", labelfontfamily="monospace")


def as_text(name: str, answer: Answer) -> str:
    """Write an answer as lines.

    >>> print(as_text("one", Answer({"gain": 2.04, "entries": [1, 2]}, True)))
    one: as in the guide
      gain: 2.04
      entries: [1, 2]
    """
    lines = [f"{name}: {'as in the guide' if answer.confirmed else 'NOT as in the guide'}"]
    for label, value in answer.figures.items():
        rounded = jax.tree.map(lambda v: float(f"{v:.3g}") if isinstance(v, float) else v, value)
        lines.append(f"  {label}: {rounded}")
    return "\n".join(lines)


def question(text: str) -> str:
    """Read the name of a question for argparse.

    >>> question("jit-is-aot")
    'jit-is-aot'
    >>> question("jit")
    Traceback (most recent call last):
    argparse.ArgumentTypeError: 'jit': give a name that --list prints
    """
    if text not in QUESTIONS:
        raise argparse.ArgumentTypeError(f"{text!r}: give a name that --list prints")
    return text


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the answers and print them.

    Args:
        arguments: Command-line arguments; those of the process by default.

    Returns:
        The exit status: 0 if all answers are as in the guide, otherwise 1.

    Raises:
        SystemExit: With status 2 after one line on stderr, if an argument is not usable.

    >>> main(["print-in-jit"])
    print-in-jit: as in the guide
      lines: ['traced', 'value', 'value']
    0
    """
    parser = command_line(__doc__)
    add = parser.add_argument
    add("name", nargs="*", type=question, metavar="NAME", help="a question; all by default")
    add("--list", action="store_true", help="print the names of the questions and the answers")
    add("--plot", type=picture_file, metavar="FILE", help="draw the gains of jit into FILE")
    options = parser.parse_args(arguments)

    if options.list:
        for name, answer in QUESTIONS.items():
            print(f"{name:<24}  {(answer.__doc__ or '').splitlines()[0].removeprefix('Answer: ')}")
    names = options.name or ([] if options.list else list(QUESTIONS))
    answers = {}
    for name in names:
        answers[name] = QUESTIONS[name]()
        print(as_text(name, answers[name]), flush=True)
    if options.plot:
        measured = {of: answers.get(name) or QUESTIONS[name]() for of, name in GAINS.items()}
        figure = Figure(figsize=(5, 2.4), layout="constrained")
        draw(figure.subplots(), {of: answer.figures["gain"] for of, answer in measured.items()})
        save(figure, options.plot, parser)
    return 0 if all(answer.confirmed for answer in answers.values()) else 1


if __name__ == "__main__":
    # For several-devices; JAX reads this once, before its first array.
    jax.config.update("jax_num_cpu_devices", 4)  # type: ignore[no-untyped-call]
    raise SystemExit(main())
