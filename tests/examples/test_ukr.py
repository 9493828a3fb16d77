"""UKR: its symmetries on random data, its numerical traps, and forms that must agree."""

import json
import warnings
from typing import Any

import jax
import numpy as np
import pytest
import ukr
import ukr_bench
from _ukr import rivalry, rivals
from _ukr.data import load
from _ukr.fused import CPU_OPTIONS, fused
from _ukr.model import autodiff
from ukr import Fit, fit

from docs._guide.options import ROOT

SETTINGS: dict[str, Any] = {"epochs": 20, "bandwidth": 0.3, "learning_rate": 0.2}
FORMS = [method for method in ukr.METHODS if method != "auto"]


def data(random: np.random.Generator, n: int = 40, d: int = 3, latent: int = 2) -> Any:
    return random.normal(size=(n, d)), random.uniform(-0.9, 0.9, size=(n, latent))


def quiet(X: Any, Z: Any, **settings: Any) -> Fit:
    """Random data at a fixed rate may let the loss rise; here only the numbers count."""
    with warnings.catch_warnings(action="ignore"):
        return fit(X, Z, **SETTINGS | settings)


def reference(X: Any, Z: Any, loo: bool, penalty: float, sigma: float = 0.3) -> Any:
    """The loss in NumPy with the widest floating-point numbers of this machine."""
    X, Z = np.asarray(X, np.longdouble), np.asarray(Z, np.longdouble)
    squares = ((Z[:, None] - Z[None]) ** 2).sum(axis=2)
    H = np.exp(-squares / (2 * np.longdouble(sigma) ** 2))
    if loo:
        np.fill_diagonal(H, 0)
    Y = H @ X / H.sum(axis=1, keepdims=True)
    return ((Y - X) ** 2).sum() / len(X) + np.longdouble(penalty) * (Z**2).sum()


@pytest.mark.parametrize("method", FORMS)
@pytest.mark.parametrize("loo", [False, True])
def test_gradient_is_the_slope(
    random: np.random.Generator, double: None, method: str, loo: bool
) -> None:
    if method == "expansion" and loo:
        pytest.skip("refused, as test_bad_input_is_refused_in_one_line asserts")
    X, Z = data(random, n=12)
    rate, penalty = 1e-3, 0.01
    settings = {"leave_one_out": loo, "method": method, "regularization": penalty}
    run = quiet(X, Z, epochs=1, bandwidth=0.5, learning_rate=rate, **settings)
    slope = (Z - np.asarray(run.history[0])) / rate
    direction = random.normal(size=Z.shape)
    h = 1e-5
    ahead, behind = (reference(X, Z + s * h * direction, loo, penalty, 0.5) for s in (1, -1))
    quotient = float((ahead - behind) / (2 * h))
    assert np.isclose((slope * direction).sum(), quotient, rtol=1e-7, atol=1e-8)
    assert np.isclose(
        float(run.objective[0]), float(reference(X, Z, loo, penalty, 0.5)), rtol=1e-12
    )


# In three dimensions the wider kernel halves the number of terms, and so the time to compile them.
@pytest.mark.parametrize(
    ("n", "d", "latent", "bandwidth"), [(2, 1, 1, 0.3), (300, 11, 2, 0.3), (12, 3, 3, 0.6)]
)
@pytest.mark.parametrize("method", [method for method in FORMS if method != "definition"])
def test_forms_agree(
    random: np.random.Generator,
    double: None,
    method: str,
    n: int,
    d: int,
    latent: int,
    bandwidth: float,
) -> None:
    X, Z = data(random, n, d, latent)
    settings = {"bandwidth": bandwidth, "learning_rate": 0.02, "epochs": 5}
    expected = quiet(X, Z, method="definition", **settings)
    run = quiet(X, Z, method=method, **settings)
    assert np.abs(run.history - expected.history).max() < 1e-10
    assert np.abs(run.objective - expected.objective).max() < 1e-10
    assert run.method == method


@pytest.mark.parametrize("method", rivalry.RIVALS)
def test_rivals_agree(double: None, method: str) -> None:
    if rivalry.missing(method):
        pytest.skip("PyTorch is not installed")
    X = load("saddle", 60, 0).X.astype(float)
    Z = 0.05 * np.random.default_rng(0).normal(size=(60, 2))
    settings: dict[str, Any] = SETTINGS | {"epochs": 30, "regularization": 1e-4}
    expected = fit(X, Z, **settings)
    assert (np.diff(expected.objective) < 0).all()  # an unstable descent would part two good codes
    history, losses = rivalry.descend(method, X, Z, **settings)
    assert np.abs(history - expected.history).max() < 1e-10
    assert np.abs(losses - expected.objective).max() < 1e-10


@pytest.mark.parametrize("n", [2, 127, 129, 300])
@pytest.mark.parametrize("loo", [False, True])
def test_blocks_are_padded_and_additions_reordered(
    random: np.random.Generator, n: int, loo: bool
) -> None:
    X, Z = (a.astype(np.float32) for a in data(random, n=n))
    options = CPU_OPTIONS if jax.default_backend() == "cpu" else None
    run = jax.jit(lambda Z, X: fused(Z, X, 0.3, loo), compiler_options=options)
    for mine, truth in zip(run(Z, X), autodiff(Z, X, 0.3, loo), strict=True):
        assert np.allclose(mine, truth, rtol=1e-4, atol=1e-4 * np.abs(truth).max() + 1e-5)


def test_c_agrees() -> None:
    if rivals.c_library(3, 2) is None:
        pytest.skip("there is no C compiler")
    X = load("saddle", 60, 0).X.astype(np.float32)
    X -= X.mean(axis=0)
    Z = 0.05 * np.random.default_rng(0).normal(size=(60, 2)).astype(np.float32)
    expected = fit(X, Z, **SETTINGS)
    history, losses = rivals.in_c(X, Z, **SETTINGS)
    assert np.abs(history - expected.history).max() < 1e-4
    assert np.abs(losses - expected.objective).max() < 1e-4


def test_a_far_shift_of_the_data_changes_nothing_in_float32(random: np.random.Generator) -> None:
    X, Z = data(random)
    X = np.round(X * 64) / 64  # so that the shift itself loses nothing
    run, shifted = (quiet(X + shift, Z, learning_rate=0.02) for shift in (0, 4096))
    assert np.allclose(run.history, shifted.history, atol=1e-4)


@pytest.mark.parametrize("method", FORMS)
def test_equal_positions_are_stationary(random: np.random.Generator, method: str) -> None:
    X, _ = data(random)
    with pytest.warns(UserWarning, match="one place"):
        run = fit(X, np.zeros((len(X), 2)), **SETTINGS, method=method)
    assert np.abs(run.history).max() < 1e-6
    assert np.allclose(run.objective, ((X - X.mean(axis=0)) ** 2).sum() / len(X), rtol=1e-5)


def test_the_dtype_is_that_of_the_data(random: np.random.Generator) -> None:
    X, Z = data(random)
    assert quiet(X, Z).history.dtype == np.float32
    assert quiet([[1, 2], [3, 4]], [[0], [1]], learning_rate=0.01).history.dtype == np.float32
    with jax.enable_x64(True):
        assert quiet(X, Z).history.dtype == np.float64
        assert quiet(X.astype(np.float32), Z.astype(np.float32)).objective.dtype == np.float32


def test_epochs_are_a_whole_number_from_0(random: np.random.Generator) -> None:
    run = quiet(*data(random), epochs=0)
    assert run.history.shape == (0, 40, 2) and run.objective.shape == (0,)
    with pytest.raises(TypeError):
        quiet(*data(random), epochs=2.5)


def test_another_number_of_epochs_compiles_nothing(random: np.random.Generator) -> None:
    compilations: list[str] = []

    def listen(event: str, duration_secs: float, **_: str | int) -> None:
        if event.endswith("backend_compile_duration"):
            compilations.append(event)

    points = data(random, n=37)
    jax.monitoring.register_event_duration_secs_listener(listen)
    try:
        quiet(*points, epochs=150)
        first = len(compilations)
        run = quiet(*points, epochs=257)
    finally:
        jax.monitoring.unregister_event_duration_listener(listen)
    assert first > 0 and len(compilations) == first
    assert len(run.history) == 257 and (np.abs(run.history[-1]) > 0).any()


def test_chunks_join_without_a_seam(random: np.random.Generator) -> None:
    points = data(random)
    parts: list[np.ndarray] = []
    settings = {"learning_rate": 0.05, "on_chunk": lambda history, losses: parts.append(losses)}
    run = quiet(*points, epochs=230, **settings)
    assert [len(losses) for losses in parts] == [ukr.CHUNK, ukr.CHUNK, 230 - 2 * ukr.CHUNK]
    again = quiet(points[0], run.history[149], epochs=80, learning_rate=0.05)
    assert np.allclose(again.history, run.history[150:], atol=1e-5)
    assert np.array_equal(np.concatenate(parts), run.objective)


def test_the_expansion_agrees_with_the_blocks_for_many_points(random: np.random.Generator) -> None:
    """JAX 0.10.2 adds up short axes wrongly on a CPU, from 16,385 points on."""
    X, Z = (array.astype(np.float32) for array in data(random, n=16_500))
    settings = {"epochs": 1, "learning_rate": 100.0}
    moved, expected = (
        np.asarray(quiet(X, Z, method=method, **settings).history[0]) - Z
        for method in ("expansion", "blocks")
    )
    assert np.abs(moved - expected).max() < 1e-3 * np.abs(expected).max()


# --- Numerical traps ---


@pytest.mark.parametrize("method", FORMS)
def test_coincident_points_have_a_gradient(random: np.random.Generator, method: str) -> None:
    X, Z = data(random)
    Z[7] = Z[3]
    assert np.isfinite(quiet(X, Z, method=method).history).all()


@pytest.mark.parametrize("method", [m for m in FORMS if m != "expansion"])
def test_an_isolated_point_with_leave_one_out(random: np.random.Generator, method: str) -> None:
    X, Z = data(random)
    Z[0] = 40  # 130 bandwidths away: in float32 its weights would all be zero
    run = quiet(X, Z, leave_one_out=True, compact=False, method=method, learning_rate=0.01)
    assert np.isfinite(run.history).all() and np.isfinite(run.objective).all()


def test_unbounded_positions_are_warned_of(random: np.random.Generator) -> None:
    X, Z = data(random)
    with pytest.warns(UserWarning, match="blowing the positions up"):
        run = fit(X, 0.1 * Z, epochs=400, bandwidth=0.3, learning_rate=0.3, compact=False)
    assert np.abs(run.history[-1]).max() > 2 * np.abs(0.1 * Z).max()
    bounded = quiet(X, 0.1 * Z, epochs=400, learning_rate=0.3)
    assert np.abs(bounded.history).max() <= 1


def test_a_collapse_is_warned_of(random: np.random.Generator) -> None:
    X, Z = data(random, n=200)
    with pytest.warns(UserWarning, match="take half"):
        run = fit(X, 0.1 * Z, epochs=100, bandwidth=0.3, learning_rate=0.4, regularization=0.5)
    assert np.abs(run.history[-1]).max() < 1e-3


def test_a_rising_loss_is_warned_of() -> None:
    X = load("saddle", 60, 0).X
    Z = 0.05 * np.random.default_rng(0).normal(size=(60, 2))
    with pytest.warns(UserWarning, match="give a smaller learning_rate"):
        fit(X, Z, epochs=100, bandwidth=0.3, learning_rate=60.0)
    with warnings.catch_warnings(action="error"):
        fit(X, Z, epochs=100, bandwidth=0.3, learning_rate=0.6)


@pytest.mark.parametrize("method", FORMS)
def test_close_distances_keep_their_digits_in_float32(
    random: np.random.Generator, method: str
) -> None:
    """1 / σ² = 10 000: |a|² + |b|² - 2 a·b would have lost the distances of neighbours."""
    if method == "expansion":
        pytest.skip("it makes no distances; test_forms_agree tests it")
    X, Z = data(random, n=400)
    Z = Z.astype(np.float32).astype(float)
    steps: dict[str, Any] = {"epochs": 1, "bandwidth": 0.01, "learning_rate": 100, "method": method}
    steps |= {"compact": False, "regularization": 1e-9}
    with jax.enable_x64(True):
        exact = Z - np.asarray(quiet(X, Z, **steps | {"method": "definition"}).history[0])
    moved = Z - np.asarray(quiet(X, Z, **steps).history[0], float)
    assert np.abs(moved - exact).max() < 1e-4 * np.abs(exact).max()


# --- Bad input ---

X, Z = np.arange(6.0).reshape(3, 2), np.array([[0.0], [0.1], [0.2]])
BAD: list[tuple[dict[str, Any], str]] = [
    ({"X": X[0]}, "X: give two axes"),
    ({"X": X[:1], "Z0": Z[:1]}, "X: give at least two points"),
    ({"X": X[:2]}, "Z0: give a row for each of the 2 points, not 3"),
    ({"X": X * np.nan}, "X: replace or drop"),
    ({"Z0": Z + np.inf}, "Z0: replace or drop"),
    ({"X": X + 1j}, "X: give real numbers"),
    ({"X": [["a"], ["b"], ["c"]]}, "X: give real numbers"),
    ({"epochs": -1}, "epochs: give 0 or more"),
    ({"bandwidth": 0.0}, "bandwidth: give a finite number above 0"),
    ({"bandwidth": 1e-30}, "bandwidth: 1e-30 is out of range"),
    ({"learning_rate": np.nan}, "learning_rate: give a finite number above 0"),
    ({"regularization": -0.1}, "regularization: give a finite number from 0"),
    ({"method": "expansion", "compact": False}, "method 'expansion': it needs compact"),
    ({"method": "expansion", "leave_one_out": True}, "method 'expansion': it needs compact"),
    ({"method": "expansion", "Z0": Z + 1}, "method 'expansion': give Z0 within"),
]


@pytest.mark.parametrize(("change", "message"), BAD, ids=lambda value: str(value)[:30])
def test_bad_input_is_refused_in_one_line(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message) as raised:
        fit(**{"X": X, "Z0": Z, **SETTINGS, **change})
    assert "\n" not in str(raised.value)


def test_the_committed_benchmark_is_of_these_methods() -> None:
    result = json.loads((ROOT / "docs/cases/ukr-bench.json").read_text(encoding="utf-8"))
    assert result["machine"]["cores"] == 1
    for times in result["milliseconds"].values():
        assert set(times) == set(ukr_bench.METHODS)
