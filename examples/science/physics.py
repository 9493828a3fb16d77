"""Melt a crystal of argon atoms in the plane, with forces by jax.grad.

A crystal is heated to four temperatures, with four random velocities each, in one program. You will
see where the atoms are at the end, how far they have moved, and how well energy is conserved.
Units: the size of an atom (0.34 nm for argon), the depth of the potential (120 K), an atom's mass.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax>=0.10", "matplotlib"]
# ///

import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt
import numpy as np

TEMPERATURES, SEEDS = (0.1, 0.5, 0.9, 1.2), 4
ROWS, SPACING = 8, 1.18  # of the crystal; an even number of rows fits to its periodic images
STEPS, DT = 2000, 0.01


def crystal(rows, spacing):
    """Place rows² atoms on a triangular lattice; return positions, (rows², 2), and the box, (2,).

    >>> x, box = crystal(6, 1.0)
    >>> x.shape, float(box[0]), round(float(np.linalg.norm(x[6] - x[0])), 3)
    ((36, 2), 6.0, 1.0)
    """
    row, column = np.divmod(np.arange(rows**2), rows)
    x = np.stack([column + row % 2 / 2, row * 0.75**0.5], axis=1)
    return spacing * x, spacing * rows * np.array([1, 0.75**0.5])


def pair_energy(r2):
    """Compute the Lennard-Jones potential of squared distances; it fades out from 2 to 2.5.

    >>> pair_energy(jnp.array([1.0, 2 ** (1 / 3), 9.0])).round(3).tolist()
    [0.0, -1.0, -0.0]
    """
    s, t = r2**-3, jnp.clip((6.25 - r2) / 2.25, 0, 1)
    return 4 * (s**2 - s) * t**2 * (3 - 2 * t)


def energy(x, box):
    """Compute the potential energy of all pairs of atoms, (n, 2), in a periodic box, (2,).

    Two atoms attract each other through the left side of the box:

    >>> x, box = jnp.array([[0.1, 0.0], [5.9, 0.0]]), jnp.array([7.0, 7.0])
    >>> round(float(energy(x, box)), 3), bool(-jax.grad(energy)(x, box)[0, 0] < 0)
    (-0.891, True)
    """
    i, j = np.triu_indices(len(x), k=1)
    d = x[i] - x[j]
    d = d - box * jnp.round(d / box)
    return pair_energy((d**2).sum(axis=1)).sum()


def simulate(x, v, box, steps=STEPS):
    """Move atoms by velocity Verlet, without friction.

    Args:
        x, v: Positions and velocities, (n, 2).
        box: Sides of the periodic box, (2,).

    Returns:
        The last positions, (n, 2), and the potential and the kinetic energy after each step,
        (steps,).

    >>> x, box = crystal(6, 1.12)
    >>> moved, _ = simulate(x, jnp.ones_like(x), box, 3)  # the crystal moves as a whole
    >>> bool(jnp.allclose(moved, x + 0.03, atol=1e-4))
    True
    """

    def step(state, _):
        x, v, slope = state
        v = v - DT / 2 * slope
        x = x + DT * v
        potential, slope = jax.value_and_grad(energy)(x, box)
        v = v - DT / 2 * slope
        return (x, v, slope), (potential, (v**2).sum() / 2)

    (x, _, _), energies = jax.lax.scan(step, (x, v, jax.grad(energy)(x, box)), length=steps)
    return x, energies


def main():
    """Simulate all temperatures and seeds, print what became of the crystal, and draw it."""
    with jax.enable_x64(True):
        x, box = crystal(ROWS, SPACING)

        def run(temperature, key):
            # Half of the kinetic energy becomes potential energy.
            v = (2 * temperature) ** 0.5 * jax.random.normal(key, x.shape)
            v = v - v.mean(axis=0)
            end, (potential, kinetic) = simulate(x, v, box)
            start = energy(x, box) + (v**2).sum() / 2
            moved = ((end - x) ** 2).sum(axis=1).mean()
            measured = kinetic[STEPS // 2 :].mean() / len(x)
            return measured, moved, jnp.abs(potential + kinetic - start).max(), end

        runs = jax.jit(jax.vmap(jax.vmap(run, in_axes=(None, 0)), in_axes=(0, None)))
        keys = jax.random.split(jax.random.key(1), SEEDS)
        measured, moved, error, ends = jax.device_get(runs(np.array(TEMPERATURES), keys))
    print("     T  measured  moved², all seeds    error of the energy")
    _, panels = plt.subplots(1, len(TEMPERATURES), figsize=(12, 3), layout="constrained")
    for k, (ax, temperature) in enumerate(zip(panels, TEMPERATURES, strict=True)):
        print(f"{temperature:6.2f}{measured[k].mean():10.2f}", end="")
        print(f"{moved[k].min():9.3f} to {moved[k].max():6.3f}{error[k].max():19.2g}")
        ax.plot(*x.T, "o", ms=9, mfc="none", mec="0.7")
        ax.plot(*((ends[k, 0] + 0.3) % box - 0.3).T, "o", ms=5)
        ax.set(title=f"T = {temperature:g}", aspect="equal", xticks=[], yticks=[])
    if plt.get_backend().lower() == "agg":  # there is no screen
        plt.savefig("physics.png")
    else:
        plt.show()


if __name__ == "__main__":
    main()
