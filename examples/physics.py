"""Melt a crystal of argon atoms in the plane, with forces by jax.grad.

A crystal is heated to several temperatures, with several random velocities each, in one program.
The table shows the temperature at the end, the mean square displacement of the atoms in the seed
where it is least and in the one where it is largest, and the largest error of the total energy.

Usage: ``python examples/physics.py --temperatures 0.2 1.2 --plot melt.svg``

Units: the size of an atom (0.34 nm for argon), the depth of the potential (120 K), an atom's mass.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib"]
# ///

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from _command_line import DEFAULT, command_line, picture_file, real_number, save, whole_number
from matplotlib.figure import Figure

State = tuple[jax.Array, jax.Array, jax.Array]
Path = dict[str, jax.Array]


def crystal(rows: int, spacing: float) -> tuple[jax.Array, jax.Array]:
    """Place rows² atoms on a triangular lattice.

    Args:
        rows: Atoms along each side; even, so that the crystal fits to its periodic images.
        spacing: Distance of neighbors.

    Returns:
        The positions, shape (rows², 2), and the sides of the box, shape (2,).

    >>> x, box = crystal(6, 1.0)
    >>> x.shape, float(box[0]), round(float(jnp.linalg.norm(x[6] - x[0])), 3)
    ((36, 2), 6.0, 1.0)
    """
    row, column = np.divmod(np.arange(rows**2), rows)
    x = np.stack([column + row % 2 / 2, row * 0.75**0.5], axis=1)
    return spacing * jnp.array(x), spacing * rows * jnp.array([1, 0.75**0.5])


def pair_energy(r2: jax.Array) -> jax.Array:
    """Compute the Lennard-Jones potential of squared distances; it fades out from 2 to 2.5.

    >>> pair_energy(jnp.array([1.0, 2 ** (1 / 3), 9.0])).round(3).tolist()
    [0.0, -1.0, -0.0]
    """
    s, t = r2**-3, jnp.clip((6.25 - r2) / 2.25, 0, 1)
    return 4 * (s**2 - s) * t**2 * (3 - 2 * t)


@jax.jit
def energy(x: jax.Array, box: jax.Array, sigma: float | jax.Array = 1.0) -> jax.Array:
    """Compute the potential energy of all pairs of atoms in a periodic box.

    Args:
        x: Positions, shape (atoms, dimensions), inside the box or not.
        box: Sides of the box, shape (dimensions,), at least 5 sigma each.
        sigma: Size of an atom.

    Two atoms attract each other through the left side of the box:

    >>> x, box = jnp.array([[0.1, 0.0], [5.9, 0.0]]), jnp.array([7.0, 7.0])
    >>> round(float(energy(x, box)), 3), bool(-jax.grad(energy)(x, box)[0, 0] < 0)
    (-0.891, True)
    """
    i, j = np.triu_indices(len(x), k=1)
    d = x[i] - x[j]
    d = d - box * jnp.round(d / box)
    return pair_energy((d**2).sum(axis=1) / sigma**2).sum()


def step(state: State, box: jax.Array, dt: float, sigma: float | jax.Array) -> tuple[State, Path]:
    """Take one step of velocity Verlet; the state has positions, velocities and the gradient."""
    x, v, slope = state
    v = v - dt / 2 * slope
    x = x + dt * v
    potential, slope = jax.value_and_grad(energy)(x, box, sigma)
    v = v - dt / 2 * slope
    return (x, v, slope), {"x": x, "v": v, "potential": potential}


@partial(jax.jit, static_argnames=("steps", "step"))
def simulate(
    x: jax.Array,
    v: jax.Array,
    box: jax.Array,
    dt: float,
    steps: int,
    sigma: float | jax.Array = 1.0,
    step: Callable[..., tuple[State, Path]] = step,
) -> Path:
    """Simulate atoms without friction, and record each step.

    Args:
        x, v: Positions and velocities, shape (atoms, dimensions), of one dtype.
        box: Sides of the periodic box, shape (dimensions,), of the same dtype.
        dt: Length of a step; 0.01 is short enough up to a temperature of about 2.
        steps: How many.
        sigma: Size of an atom.
        step: The function above, or that function within ``jax.checkpoint``.

    Returns:
        Positions and velocities, shape (steps, atoms, dimensions), and the potential energies,
        shape (steps,), by their names "x", "v", "potential".

    >>> x, box = crystal(6, 1.12)
    >>> path = simulate(x, jnp.ones_like(x), box, 0.01, 3)  # the crystal moves as a whole
    >>> path["x"].shape, bool(jnp.allclose(path["x"][-1], x + 0.03, atol=1e-4))
    ((3, 36, 2), True)
    """
    state = x, v, jax.grad(energy)(x, box, sigma)
    return jax.lax.scan(lambda state, _: step(state, box, dt, sigma), state, length=steps)[1]


@partial(jax.jit, static_argnames="atoms")
def velocities(key: jax.Array, atoms: int, temperature: float | jax.Array) -> jax.Array:
    """Draw velocities of that temperature, in the plane, whose mean is zero."""
    v = temperature**0.5 * jax.random.normal(key, (atoms, 2))
    return v - v.mean(axis=0)


def total(path: Path) -> jax.Array:
    """Add potential and kinetic energy, shape (steps,)."""
    return path["potential"] + (path["v"] ** 2).sum(axis=(1, 2)) / 2


def draw(x: np.ndarray, box: np.ndarray, temperatures: Sequence[float], ends: np.ndarray) -> Figure:
    """Draw the atoms at the end of a run of each temperature over the crystal."""
    figure = Figure(figsize=(3 * len(temperatures), 3), layout="constrained")
    panels: Any = figure.subplots(1, len(temperatures), squeeze=False)
    for ax, temperature, end in zip(panels[0], temperatures, ends, strict=True):
        ax.plot(*x.T, "o", ms=9, mfc="none", mec="0.7")
        ax.plot(*((end + 0.3) % box - 0.3).T, "o", ms=5)
        ax.set(title=f"T = {temperature:g}", aspect="equal", xticks=[], yticks=[])
        ax.set(xlim=(-0.3, box[0] - 0.3), ylim=(-0.3, box[1] - 0.3))
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Simulate all temperatures and seeds, and print what became of the crystal."""
    parser = command_line(__doc__)
    add: Any = parser.add_argument
    heat = f"up to 8, times 120 K for argon; {DEFAULT}"
    defaults = [0.1, 0.5, 0.9, 1.2]
    number = real_number(0.001, 2)
    add("--temperatures", type=number, nargs="+", default=defaults, metavar="T", help=heat)
    add("--rows", type=whole_number(6, 20), default=8, metavar="N", help=f"even; {DEFAULT}")
    add("--steps", type=whole_number(1, 20_000), default=2000, metavar="N", help=DEFAULT)
    add("--seeds", type=whole_number(1, 16), default=4, metavar="N", help=DEFAULT)
    add("--plot", type=picture_file, metavar="FILE", help="draw the atoms at the end into FILE")
    options = parser.parse_args(arguments)
    if options.rows % 2:
        parser.error(f"--rows {options.rows}: give an even number")
    if len(options.temperatures) > 8:
        parser.error(f"--temperatures: give at most 8, not {len(options.temperatures)}")

    with jax.enable_x64(True):
        x, box = crystal(options.rows, 1.18)

        def run(temperature: jax.Array, key: jax.Array) -> tuple[jax.Array, ...]:
            v = velocities(key, len(x), 2 * temperature)  # half of it becomes potential energy
            path = simulate(x, v, box, 0.01, options.steps)
            measured = (path["v"][options.steps // 2 :] ** 2).mean()
            moved = ((path["x"][-1] - x) ** 2).sum(axis=1).mean()
            error = jnp.abs(total(path) - energy(x, box) - (v**2).sum() / 2).max()
            return measured, moved, error, path["x"][-1]

        runs = jax.jit(jax.vmap(jax.vmap(run, in_axes=(None, 0)), in_axes=(0, None)))
        keys = jax.random.split(jax.random.key(1), options.seeds)
        results = runs(jnp.array(options.temperatures), keys)
    measured, moved, error, ends = jax.device_get(results)
    print("     T  measured  moved², all seeds      error of the energy")
    for k, temperature in enumerate(options.temperatures):
        low, high, worst = moved[k].min(), moved[k].max(), error[k].max()
        print(f"{temperature:6.2f}{measured[k].mean():10.2f}{low:9.3f} to {high:6.3f}{worst:21.2g}")
    if options.plot:
        x, box = jax.device_get((x, box))
        save(draw(x, box, options.temperatures, ends[:, 0]), options.plot, parser)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
