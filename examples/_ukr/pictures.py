"""Pictures of a run: the loss, the latent space, the surface, and an animation."""

import itertools
from pathlib import Path
from typing import Any

import jax.numpy as jnp
import numpy as np
from _ukr.model import surface
from _ukr.runs import Run
from matplotlib.animation import FuncAnimation, PillowWriter
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

FRAMES = 60
GRID = 15  # lines of the surface


def draw_latent(axes: Axes, Z: np.ndarray, colors: np.ndarray) -> None:
    """Draw latent positions; of more than two coordinates the first two.

    Args:
        axes: Where to draw.
        Z: Latent positions, shape (N, L).
        colors: A number for each point, shape (N,).
    """
    flat = Z if Z.shape[1] > 1 else np.column_stack([Z[:, 0], np.zeros(len(Z))])
    style: dict[str, Any] = {"c": colors, "s": 12, "cmap": "viridis", "rasterized": len(Z) > 1000}
    axes.scatter(flat[:, 0], flat[:, 1], **style)
    axes.set(xlabel="$z_1$", ylabel="$z_2$", aspect="equal")


def grid_lines(Z: np.ndarray) -> np.ndarray:
    """Lay lines over the latent space along both of its axes.

    Args:
        Z: Latent positions, shape (N, 2).

    Returns:
        Lines, shape (2 · GRID, GRID, 2).

    >>> grid_lines(np.array([[0.0, 0.0], [1.0, 1.0]])).shape
    (30, 15, 2)
    """
    low, high = Z.min(axis=0), Z.max(axis=0)
    first, second = np.linspace(low, high, GRID).T
    across = np.stack(np.meshgrid(first, second), axis=-1)
    return np.concatenate([across, across.swapaxes(0, 1)])


def draw(run: Run) -> Figure:
    """Draw the loss and the latent space; for data with three columns the surface too.

    Args:
        run: At least one epoch.

    Returns:
        Two or three graphs beside each other.
    """
    spatial = run.X.shape[1] == 3 and run.start.shape[1] == 2
    figure = Figure(figsize=(12 if spatial else 8, 4), layout="constrained")
    count = 3 if spatial else 2
    loss = figure.add_subplot(1, count, 1)
    loss.plot(run.objective, lw=2)
    loss.set(xlabel="$t$", ylabel="$E$", ylim=(0, None))
    draw_latent(figure.add_subplot(1, count, 2), run.positions, run.colors)
    if spatial:
        axes = figure.add_subplot(1, count, 3, projection="3d")
        axes.scatter(*run.X.T, c=run.colors, s=8)
        lines = grid_lines(run.positions)
        places, Z, X = (jnp.asarray(a) for a in (lines.reshape(-1, 2), run.positions, run.X))
        net = np.asarray(surface(places, Z, X, run.settings["bandwidth"]))
        for line in net.reshape(-1, GRID, 3):
            axes.plot(*line.T, color="0.3", lw=0.7)
    return figure


def animate(run: Run, path: Path) -> None:
    """Write the latent space over the epochs as an animated picture.

    Args:
        run: At least one epoch.
        path: The file, which ends in .gif.

    Raises:
        OSError: If it cannot be written.
    """
    epochs = len(run.history)
    # Most happens early: the frames are denser there.
    chosen = np.unique(np.geomspace(1, epochs, FRAMES).astype(int))
    figure = Figure(figsize=(5, 5), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    limit = 1.05 * max(np.abs(run.history).max(), np.abs(run.start).max())

    def frame(epoch: int) -> list[Axes]:
        axes.clear()
        draw_latent(axes, run.history[epoch - 1] if epoch else run.start, run.colors)
        axes.set(xlim=(-limit, limit), ylim=(-limit, limit), title=f"$t = {epoch}$")
        return [axes]

    frames = itertools.chain([0], chosen)
    film = FuncAnimation(figure, frame, frames=list(frames), blit=False)
    film.save(path, writer=PillowWriter(fps=8))
