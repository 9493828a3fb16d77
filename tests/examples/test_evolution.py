"""CartPole against its equations of motion; the page asserts that training solves it."""

from pathlib import Path

import evolution
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.flatten_util import ravel_pytree

from tests.examples.conftest import Refused

FLAT, UNRAVEL = ravel_pytree(evolution.parameters())


def random_policies(random: np.random.Generator, count: int) -> jax.Array:
    return jnp.asarray(random.normal(size=(count, FLAT.size)), dtype=FLAT.dtype)


def test_a_step_obeys_the_equations_of_motion(random: np.random.Generator) -> None:
    """Newton for the whole, and the torque about the joint (a thin rod on a moving joint)."""
    for _ in range(20):
        state = random.normal(size=4) * [1, 1, 0.5, 1]
        push = random.choice([-1.0, 1.0])
        after = np.asarray(evolution.physics(jnp.asarray(state), push), dtype=float)
        (_, speed, angle, spin), change = state, (after - state) / 0.02
        np.testing.assert_allclose(change[[0, 2]], [speed, spin], atol=1e-4)
        _, slide, _, turn = change
        sideways = 1.1 * slide + 0.1 * 0.5 * (turn * np.cos(angle) - spin**2 * np.sin(angle))
        np.testing.assert_allclose(sideways, 10 * push, atol=2e-3)
        torque = 4 / 3 * 0.1 * 0.5**2 * turn + 0.1 * 0.5 * slide * np.cos(angle)
        np.testing.assert_allclose(torque, 0.1 * 9.8 * 0.5 * np.sin(angle), atol=2e-3)


@pytest.mark.parametrize("state", [[2.41, 0, 0, 0], [-2.41, 0, 0, 0], [0, 0, -0.21, 0]])
def test_an_episode_ends_beyond_the_limits(state: list[float]) -> None:
    assert bool(evolution.inside(jnp.array([2.4, 9, 0.209, 9])))
    assert not bool(evolution.inside(jnp.array(state)))


def test_an_episode_follows_the_physics_until_it_ends(random: np.random.Generator) -> None:
    for flat in random_policies(random, 3):
        params = UNRAVEL(flat)
        start = jnp.asarray(random.uniform(-0.05, 0.05, size=4), dtype=flat.dtype)
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


def test_an_animation_is_written(tmp_path: Path) -> None:
    film = tmp_path / "film.gif"
    assert evolution.main(["--generations", "1", "--population", "2", "--animate", str(film)]) == 0
    assert film.read_bytes().startswith(b"GIF89a")
    assert film.read_bytes().count(b"\x21\xf9\x04") > 8  # a control block for each frame


def test_an_animation_that_cannot_be_written_is_named(
    monkeypatch: pytest.MonkeyPatch, refused: Refused
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(evolution, "animate", full)
    command = "--generations 1 --population 2 --animate film.gif"
    line = refused(evolution.main, *command.split())
    assert line.endswith("film.gif: No space left on device; name another file")
