"""The picture of CONTRIBUTING.md: cost against pages."""

from typing import Any

from matplotlib import rc_file
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from docs._make.options import ROOT

GOAL_S = 0.25  # of CPU, for each page and language
GOAL_MIB = 600


def draw(result: dict[str, Any]) -> Figure:
    """Draw CPU time and memory of a whole build, and CPU time after one edit."""
    rc_file(ROOT / "docs" / "_make" / "matplotlibrc")  # the look of the pages' figures
    figure = Figure(figsize=(10, 3.4))
    time, memory, edits = figure.subplots(1, 3)
    pages = [int(number) for number in result]
    each = [
        found["whole"]["cpu_s"] / (number * len(found["languages"]))
        for number, found in zip(pages, result.values(), strict=True)
    ]
    time.plot(pages, each, "o-")
    limit(time, GOAL_S)
    time.set(title="whole build: CPU time / s", ylabel="for each page and language")
    for name, part in {"search_mib": "the search's index", "memory_mib": "all else"}.items():
        memory.plot(pages, [found["whole"][name] for found in result.values()], "o-", label=part)
    limit(memory, GOAL_MIB)
    memory.legend()
    memory.set(title="whole build: memory / MiB", ylabel="all processes together, at most")
    for name, mark in {"prose": "o", "translation": "s", "nothing": "^"}.items():
        costs = [found[name]["cpu_s"] for found in result.values()]
        edits.plot(pages, costs, f"{mark}-", label=name)
    edits.set(title="after one edit: CPU time / s", ylabel="for the whole guide", ylim=(0, None))
    edits.legend()
    for axes in (time, memory, edits):
        axes.set(xlabel="pages", xscale="log", xticks=pages, xticklabels=map(str, pages))
        axes.minorticks_off()
    return figure


def limit(axes: Axes, most: float) -> None:
    """Draw the goal, and begin at nothing."""
    axes.axhline(most, color="0.5", linestyle="--")
    axes.annotate(
        "goal",
        (0.5, most),
        xytext=(0, 3),
        xycoords=("axes fraction", "data"),
        textcoords="offset points",
        horizontalalignment="center",
        color="0.4",
    )
    axes.set_ylim(0, max(1.2 * most, 1.1 * axes.get_ylim()[1]))
