"""Measure UKR in all libraries, beside each other on one core: `nox -s bench`.

The programs are those of docs/cases/ukr-fast.md, whose cells this runs. torch.compile and all cores
are added here, since they take too long for a page. Writes docs/cases/ukr-bench.json and .svg.
"""

import contextlib
import datetime
import io
import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

from docs._guide.execute.environment import installed_packages, processor
from docs._guide.execute.page import named_page
from docs._guide.options import ROOT

SIZES = [200, 500, 1000, 2000]
ALL_CORES = 1000  # points for the comparison of one core with all
LAST = "def decay(halvings)"  # in the last cell of the page that defines a program
RESULTS = ROOT / "docs" / "cases" / "ukr-bench.json"
STYLE = ROOT / "docs" / "_guide" / "execute" / "matplotlibrc"
Times = dict[str, float]  # nanoseconds of a pair of points, by method


def programs_of_the_page() -> dict[str, Any]:
    """Run the cells of the page up to its last program; return what they define."""
    page = named_page("cases/ukr-fast")
    assert page
    scope: dict[str, Any] = {"__name__": "__main__"}
    with contextlib.redirect_stdout(io.StringIO()):
        for cell in page.code_cells:
            exec(cell.source, scope)
            if LAST in cell.source:
                return scope
    raise LookupError(f"{page.path}: no cell has {LAST!r}")


def columns(Z: Any, X: Any, bandwidth: float) -> tuple[Any, Any]:
    """The gradient by hand, column by column: what torch.compile can fuse."""
    import torch

    H = torch.exp(sum((z[:, None] - z) ** 2 for z in Z.T) / (-2 * bandwidth**2))
    total = H.sum(dim=1)
    estimate = [(H * x).sum(dim=1) / total for x in X.T]
    error = [y - x for y, x in zip(estimate, X.T, strict=True)]
    c = -sum(e * y for e, y in zip(error, estimate, strict=True)) / total
    pairs = [(e / total, x) for e, x in zip(error, X.T, strict=True)]
    A = H * (c[:, None] + c + sum(u[:, None] * x + u * x[:, None] for u, x in pairs))
    slope = torch.stack([(A * z).sum(dim=1) - A.sum(dim=1) * z for z in Z.T], dim=1)
    value = sum((e**2).sum() for e in error) / len(X)
    return value, 2 / (len(X) * bandwidth**2) * slope


def measure(scope: dict[str, Any], n: int, dtype: type = np.float32) -> Times:
    """Time all programs in turn."""
    import jax

    X, Z = scope["setting"](n, dtype=dtype)
    runs = scope["rivals"](n, dtype)
    if "PyTorch" in runs and dtype == np.float32:
        import torch

        compiled = torch.compile(columns, dynamic=False)
        tensors = torch.from_numpy(X), torch.from_numpy(Z)
        runs["torch.compile"] = scope["loop"](compiled, *tensors)
    with jax.enable_x64(dtype == np.float64):
        runs["derived"] = scope["program"](scope["derived"], X, Z)
        runs["fused"] = scope["program"](scope["fused"], X, Z, scope["OPTIONS"])
        times: Times = scope["race"](runs, n)
    return {name: float(time) for name, time in times.items()}


def on_all_cores() -> dict[str, Any]:
    """Measure in a new process whose libraries may use every core."""
    code = (
        "import json, os; os.sched_setaffinity = lambda *_: None\n"
        "from tests.bench.__main__ import ALL_CORES, measure, programs_of_the_page\n"
        "print(json.dumps(measure(programs_of_the_page(), ALL_CORES)))"
    )
    unpin = "import os, sys; os.sched_setaffinity(0, range(os.cpu_count()))"
    command = [sys.executable, "-c", f"{unpin}; os.execv(sys.argv[1], sys.argv[1:])"]
    printed = subprocess.check_output([*command, sys.executable, "-c", code], cwd=ROOT)
    return {"cores": os.cpu_count(), "times": json.loads(printed.splitlines()[-1])}


def draw(results: dict[str, Any], file: Path) -> None:
    """Draw the times over the number of points, and below them what all cores change."""
    plt.style.use(STYLE)
    figure, (axes, bars) = plt.subplots(2, figsize=(4.5, 8), height_ratios=[5, 3])
    code: dict[str, Any] = {"family": "monospace", "size": "small"}
    times = results["times"]["float32"]
    sizes = [int(n) for n in times]
    height = 0.0  # of a name, at the end of its line; names must not touch
    for method, end in sorted(times[str(sizes[-1])].items(), key=lambda item: item[1]):
        # Gray: other libraries; dotted: the definition in JAX; solid: the faster version.
        color, line, width = {
            "derived": ("C0", ":", 2.5),
            "fused": ("C0", "-", 3),
        }.get(method, ("C5", "-", 1.2))
        curve = [row[method] for row in times.values()]
        axes.loglog(sizes, curve, line, color=color, lw=width)
        height = max(end, 1.14 * height)
        beside = axes.get_yaxis_transform()
        axes.text(1.02, height, method, transform=beside, va="center", color=color, **code)
    axes.set(xlabel="number of points", ylabel="time of a pair / ns")
    axes.set_xticks(sizes, list(times))
    axes.set_yticks([1, 2, 5, 10], ["1", "2", "5", "10"])
    axes.minorticks_off()
    every = results["all_cores"]["times"] if "all_cores" in results else {}
    one = times.get(str(ALL_CORES), {})
    names = [name for name in sorted(one, key=lambda name: one[name]) if name != "C"]
    for shift, row, label in ((-0.2, one, "one core"), (0.2, every, "all cores")):
        shown = [name for name in names if name in row]
        bars.barh([names.index(name) + shift for name in shown], [row[name] for name in shown],
                  0.4, label=label)  # fmt: skip
    bars.set_yticks(range(len(names)), names, **code)
    bars.set(xlabel="time of a pair / ns")
    bars.legend()
    figure.savefig(file)


def main(arguments: list[str]) -> int:
    """Measure, print a table, and write both files unless only some sizes are measured."""
    if not all(text.isdecimal() and 1 < int(text) <= 5000 for text in arguments):
        print("give numbers of points from 2 to 5000, as in nox -s bench -- 200 500")
        return 2
    scope = programs_of_the_page()
    sizes = list(map(int, arguments)) or SIZES
    kinds = (np.float32, np.float64)
    times = {
        np.dtype(kind).name: {str(n): measure(scope, n, kind) for n in sizes} for kind in kinds
    }
    for kind, rows in times.items():
        for n, row in rows.items():
            print(
                f"{kind}, {n} points", *(f"{name} {row[name]:.2f} ns" for name in row), sep="\n  "
            )
    if arguments:
        return 0
    machine = {"date": datetime.datetime.now(datetime.UTC).date().isoformat()}
    machine |= {"processor": processor(), "python": platform.python_version()}
    packages = installed_packages("cpu")
    machine |= {name: packages.get(name, "") for name in ("jax", "numpy", "torch")}
    results: dict[str, Any] = {"machine": machine, "unit": "nanoseconds of a pair of points"}
    results["times"] = times
    if hasattr(os, "sched_setaffinity"):  # Linux
        results["all_cores"] = on_all_cores()
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    draw(results, RESULTS.with_suffix(".svg"))
    print(f"wrote {RESULTS.name} and {RESULTS.with_suffix('.svg').name}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
