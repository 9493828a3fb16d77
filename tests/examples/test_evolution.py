"""CartPole against its equations of motion, and the strategy against known answers."""

import secrets
from pathlib import Path

import evolution
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.flatten_util import ravel_pytree


@pytest.fixture
def rng() -> np.random.Generator:
    """Other numbers in each run; the seed is in the report of a failure."""
    seed = secrets.randbits(32)
    print("seed", seed)
    return np.random.default_rng(seed)


def test_a_step_obeys_the_equations_of_motion(rng: np.random.Generator) -> None:
    """Newton for the whole, and the torque about the joint (a thin rod on a moving joint)."""
    for _ in range(20):
        state = rng.normal(size=4) * [1, 1, 0.5, 1]
        push = rng.choice([-1.0, 1.0])
        after = np.asarray(evolution.physics(jnp.asarray(state), push), dtype=float)
        (_, speed, angle, spin), change = state, (after - state) / 0.02
        np.testing.assert_allclose(change[[0, 2]], [speed, spin], atol=1e-4)
        _, slide, _, turn = change
        sideways = 1.1 * slide + 0.1 * 0.5 * (turn * np.cos(angle) - spin**2 * np.sin(angle))
        np.testing.assert_allclose(sideways, 10 * push, atol=2e-3)
        torque = 4 / 3 * 0.1 * 0.5**2 * turn + 0.1 * 0.5 * slide * np.cos(angle)
        np.testing.assert_allclose(torque, 0.1 * 9.8 * 0.5 * np.sin(angle), atol=2e-3)


@pytest.mark.parametrize(
    ("state", "goes_on"),
    [
        ([2.4, 9, 0, 9], True),
        ([2.41, 0, 0, 0], False),
        ([-2.41, 0, 0, 0], False),
        ([0, 0, 0.209, 0], True),
        ([0, 0, -0.21, 0], False),
    ],
)
def test_the_limits(state: list[float], goes_on: bool) -> None:
    assert bool(evolution.inside(jnp.array(state, dtype=jnp.float32))) == goes_on


def test_an_episode_follows_the_physics_until_it_ends(rng: np.random.Generator) -> None:
    flat, unravel = ravel_pytree(evolution.parameters())
    for _ in range(3):
        params = unravel(jnp.asarray(rng.normal(size=flat.shape), dtype=flat.dtype))
        start = jnp.asarray(rng.uniform(-0.05, 0.05, size=4), dtype=flat.dtype)
        states, alive = evolution.episode(params, start)
        count = int(evolution.score(params, start))
        assert count == int(alive.sum()) and bool(alive[:count].all())
        # Each state follows from the one before; rounding must not build up over an episode.
        moved = jax.vmap(evolution.physics)(
            states, jax.vmap(evolution.policy, (None, 0))(params, states)
        )
        np.testing.assert_allclose(moved[: count - 1], states[1:count], atol=1e-5)
        if count < 500:
            assert not bool(evolution.inside(moved[count - 1]))
            assert bool((states[count:] == states[-1]).all())


def test_the_gradient_of_the_score_is_zero(rng: np.random.Generator) -> None:
    flat, unravel = ravel_pytree(evolution.parameters())
    some = jnp.asarray(rng.normal(size=flat.shape), dtype=flat.dtype)
    slope = jax.grad(lambda flat: evolution.score(unravel(flat), jnp.zeros(4)))(some)
    assert bool((slope == 0).all())


def test_all_individuals_play_the_same_start_states(rng: np.random.Generator) -> None:
    flat, unravel = ravel_pytree(evolution.parameters())
    population = jnp.asarray(rng.normal(size=(3, flat.size)), dtype=flat.dtype)
    key = jax.random.key(int(rng.integers(2**32)))
    first = evolution.starts(key, 2)
    together = evolution.fitness(population, first, unravel)
    for row, found in zip(population, together, strict=True):
        alone = [evolution.score(unravel(row), start) for start in first]
        # A rounding may end a long episode some steps earlier or later.
        np.testing.assert_allclose(found, np.mean(alone), rtol=0.1, atol=1)


def test_ranks_forget_the_scale_and_keep_ties(rng: np.random.Generator) -> None:
    scores = jnp.asarray(rng.integers(0, 5, size=20), dtype=jnp.float32)
    found = evolution.ranks(scores)
    np.testing.assert_allclose(found, evolution.ranks(jnp.exp(scores)), atol=1e-6)
    np.testing.assert_allclose(found.sum(), 0, atol=1e-5)
    for a, b in zip(scores, found, strict=True):
        lower, higher = (scores < a).mean(), (scores > a).mean()
        np.testing.assert_allclose(b, lower - higher, atol=1e-6)


def test_a_generation_moves_uphill(rng: np.random.Generator) -> None:
    uphill = jnp.asarray(rng.normal(size=5), dtype=jnp.float32)
    moved, record = evolution.generation(
        jnp.zeros(5), jax.random.key(1), lambda population, key: population @ uphill, 500, 0.1, 1.0
    )
    cosine = moved @ uphill / jnp.linalg.norm(moved) / jnp.linalg.norm(uphill)
    assert cosine > 0.9
    assert bool((record["mean"] == 0).all())


def test_zero_is_a_start_that_noise_does_not_leave() -> None:
    flat, unravel = ravel_pytree(evolution.parameters())

    def evaluate(population: jax.Array, key: jax.Array) -> jax.Array:
        return evolution.fitness(population, evolution.starts(key, 1), unravel)

    moved, record = evolution.generation(flat, jax.random.key(2), evaluate, 16, 0.5, 2.0)
    assert jnp.abs(record["scores"][:16] - record["scores"][16:]).mean() < 1
    assert jnp.abs(moved).max() < 0.02


def test_it_solves_the_task_from_any_seed(
    rng: np.random.Generator, capsys: pytest.CaptureFixture[str]
) -> None:
    for seed in rng.integers(2**32, size=2):
        assert evolution.main(["--seed", str(seed)]) == 0
        assert capsys.readouterr().out.splitlines()[-1].startswith("solved")


def test_the_animation(tmp_path: Path) -> None:
    film = tmp_path / "film.gif"
    assert evolution.main(["--generations", "1", "--population", "2", "--animate", str(film)]) == 0
    assert film.read_bytes().startswith(b"GIF89a")
    assert film.read_bytes().count(b"\x21\xf9\x04") > 8  # a control block for each frame


def test_an_animation_that_cannot_be_written(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(evolution, "animate", full)
    with pytest.raises(SystemExit) as stopped:
        evolution.main(["--generations", "1", "--population", "2", "--animate", "film.gif"])
    assert stopped.value.code == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.endswith("film.gif: No space left on device; name another file\n")
