"""Where each piece of a sharded array lies, what it costs, and what a change of sharding moves.

A table is cut over a mesh of simulated CPU devices as a PartitionSpec says. The script prints
which rows and columns each device holds and how many bytes, and, with ``--to``, how many numbers
must travel to reach another PartitionSpec and with which collective the compiled program does
it. The layout is that of real devices: a mesh of the same shape cuts an array in the same way.

Source: JAX's guide to distributed arrays, https://docs.jax.dev/en/latest/201/sharding.html
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib"]
# ///

import argparse
import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax
import numpy as np
from _command_line import command_line, picture_file, save, whole_number
from jax.sharding import NamedSharding, PartitionSpec
from matplotlib.axes import Axes
from matplotlib.figure import Figure

# The start and the end of a piece along each axis of its array.
Piece = tuple[tuple[int, int], ...]

KINDS = r"(all-reduce|all-gather|all-to-all|reduce-scatter|collective-permute)(?:-start)?\("
MAX_DEVICES = 64
MAX_SIDE = 4096  # such a table fills 64 MiB, and on 64 devices 4 GiB where it is replicated


def pieces(sharding: NamedSharding, shape: tuple[int, ...]) -> dict[int, Piece]:
    """Give the start and the end of each device's piece along each axis, by device number.

    Raises:
        ValueError: If a cut does not divide its axis evenly.

    >>> one = jax.make_mesh((1, 1), ("i", "j"), devices=jax.devices()[:1])
    >>> list(pieces(NamedSharding(one, PartitionSpec("i")), (6, 4)).values())
    [((0, 6), (0, 4))]
    """
    boxes = {}
    for device, index in sharding.devices_indices_map(shape).items():
        ends = zip(index, shape, strict=True)
        boxes[device.id] = tuple(cut.indices(size)[:2] for cut, size in ends)  # type: ignore[attr-defined]
    return boxes


def overlap(one: Piece, other: Piece) -> int:
    """Count the numbers that lie in both of two pieces of one array.

    >>> overlap(((0, 4), (0, 2)), ((2, 8), (0, 8))), overlap(((0, 4),), ((4, 8),))
    (4, 0)
    """
    sides = zip(one, other, strict=True)
    return math.prod(max(0, min(b, d) - max(a, c)) for (a, b), (c, d) in sides)


def moved(before: Mapping[int, Piece], after: Mapping[int, Piece]) -> int:
    """Count the numbers that devices need for a new layout and do not hold, over all devices.

    From rows to columns on two devices, each device keeps half of its new piece:

    >>> rows = {0: ((0, 1), (0, 2)), 1: ((1, 2), (0, 2))}
    >>> columns = {0: ((0, 2), (0, 1)), 1: ((0, 2), (1, 2))}
    >>> moved(rows, columns)
    2
    >>> whole = {0: ((0, 2), (0, 2)), 1: ((0, 2), (0, 2))}
    >>> moved(rows, whole), moved(whole, rows)
    (4, 0)
    """
    kept = sum(overlap(before[device], piece) for device, piece in after.items())
    return sum(overlap(piece, piece) for piece in after.values()) - kept


def collectives(function: Callable[..., Any], *arguments: jax.Array) -> dict[str, int]:
    """Count the exchanges between devices in a function's compiled program.

    Source:
        The names are those of XLA, https://openxla.org/xla/operation_semantics

    >>> collectives(abs, jax.numpy.ones(3))
    {}
    """
    program = jax.jit(function).lower(*arguments).compile().as_text()
    return dict(Counter(re.findall(KINDS, program)))  # type: ignore[arg-type]


def draw_pieces(ax: Axes, boxes: Mapping[int, Piece], shape: tuple[int, int]) -> None:
    """Draw the pieces of a table as blocks with the numbers of their devices."""
    owners = {box: [d for d in boxes if boxes[d] == box] for box in boxes.values()}
    for ((top, bottom), (left, right)), devices in owners.items():
        block = [(left, right - left)], (top, bottom - top)
        ax.broken_barh(*block, facecolors=f"C{devices[0]}", edgecolor="white", lw=2)
        label = {"color": "white", "weight": "bold", "ha": "center", "va": "center"}
        centre = (left + right) / 2, (top + bottom) / 2
        ax.text(*centre, " ".join(map(str, devices)), label)
    ax.set(xlim=(0, shape[1]), ylim=(shape[0], 0), xticks=[], yticks=[])


def draw(layouts: Mapping[str, Mapping[int, Piece]], shape: tuple[int, int]) -> Figure:
    """Draw layouts of a table side by side, each with its spec below it."""
    figure = Figure(figsize=(3.2 * len(layouts), 3.4), layout="constrained")
    axes = figure.subplots(1, len(layouts), squeeze=False)
    for ax, (name, boxes) in zip(axes.flat, layouts.items(), strict=True):
        draw_pieces(ax, boxes, shape)
        ax.set_xlabel(name, family="monospace")
    return figure


def spec_of(text: str) -> PartitionSpec:
    """Read a PartitionSpec for argparse: ``i``, ``j``, ``ij`` or ``_`` for rows and columns.

    >>> spec_of("i,j"), spec_of("_,ij")
    (P('i', 'j'), P(None, ('i', 'j')))
    >>> spec_of("i,i")
    Traceback (most recent call last):
    argparse.ArgumentTypeError: 'i,i': name each mesh axis once, as in i,j or ij,_ or _,j
    """
    names = {"i": "i", "j": "j", "ij": ("i", "j"), "_": None}
    entries = text.split(",")
    used = "".join(entries).replace("_", "")
    if len(entries) > 2 or not set(entries) <= names.keys() or len(set(used)) < len(used):
        advice = "name each mesh axis once, as in i,j or ij,_ or _,j"
        raise argparse.ArgumentTypeError(f"{text!r}: {advice}")
    return PartitionSpec(*(names[entry] for entry in entries))  # type: ignore[no-untyped-call]


def simulate(count: int) -> bool:
    """Set the number of CPU devices if JAX has not started; return whether there are as many."""
    try:
        jax.config.update("jax_platforms", "cpu")  # type: ignore[no-untyped-call]
        jax.config.update("jax_num_cpu_devices", count)  # type: ignore[no-untyped-call]
    except RuntimeError:
        pass
    return len(jax.devices()) >= count


def main(arguments: Sequence[str] | None = None) -> int:
    """Print which device holds what, and what a change of sharding would move.

    >>> main(["--mesh", "1", "1", "--shape", "4", "6", "--spec", "i,j", "--to", "_,j"])
    mesh i=1 j=1, float32 table of 4 x 6, P('i', 'j')
    device     rows  columns       bytes
         0      0:4      0:6          96
    a device holds 96 of 96 bytes
    to P(None, 'j'): 0 numbers move, {}
    0
    """
    parser = command_line(__doc__)
    add = parser.add_argument
    sides, axes = whole_number(1, MAX_SIDE), whole_number(1, MAX_DEVICES)
    mesh_help = "lengths of the mesh axes i and j; default: 4 2"
    add("--mesh", type=axes, nargs=2, default=[4, 2], metavar=("I", "J"), help=mesh_help)
    shape_help = "rows and columns of the table; default: 8 8"
    add("--shape", type=sides, nargs=2, default=[8, 8], metavar=("M", "N"), help=shape_help)
    spec_help = "how to cut rows and columns: i, j, ij or _ for each; default: i,j"
    add("--spec", type=spec_of, default=spec_of("i,j"), metavar="ROWS,COLUMNS", help=spec_help)
    add("--to", type=spec_of, metavar="ROWS,COLUMNS", help="another spec to change to")
    add("--plot", type=picture_file, metavar="FILE", help="draw the layout into FILE")
    options = parser.parse_args(arguments)
    count, shape = math.prod(options.mesh), tuple(options.shape)
    if count > MAX_DEVICES:
        parser.error(f"--mesh makes {count} devices: give at most {MAX_DEVICES}")
    specs = {str(spec): spec for spec in (options.spec, options.to) if spec is not None}
    lengths = dict(zip("ij", options.mesh, strict=True))
    for spec in specs.values():
        for axis, entry in enumerate(spec):
            parts = math.prod(lengths[name] for name in entry or ())
            if shape[axis] % parts:
                parser.error(f"{spec} cuts {shape[axis]} into {parts}: give --shape a multiple")
    if not simulate(count):
        parser.error(f"JAX has started with {len(jax.devices())} devices: use a new process")

    mesh = jax.make_mesh(tuple(options.mesh), ("i", "j"))
    shardings = {name: NamedSharding(mesh, spec) for name, spec in specs.items()}
    layouts = {name: pieces(sharding, shape) for name, sharding in shardings.items()}
    if options.plot:
        save(draw(layouts, shape), options.plot, parser)
    table = np.arange(math.prod(shape), dtype=np.float32).reshape(shape)
    first = str(options.spec)
    placed = jax.device_put(table, shardings[first])
    print(
        f"mesh i={lengths['i']} j={lengths['j']}, float32 table of {shape[0]} x {shape[1]}, {first}"
    )
    print("device     rows  columns       bytes")
    for shard in placed.addressable_shards:
        rows, columns = (f"{a}:{b}" for a, b in layouts[first][shard.device.id])
        print(f"{shard.device.id:6d}{rows:>9}{columns:>9}{shard.data.nbytes:12d}")
    print(f"a device holds {placed.addressable_shards[0].data.nbytes} of {table.nbytes} bytes")
    if options.to is not None:
        target = shardings[str(options.to)]
        kinds = collectives(lambda a: jax.reshard(a, target), placed)  # type: ignore[no-untyped-call]
        count = moved(layouts[first], layouts[str(options.to)])
        print(f"to {options.to}: {count} numbers move, {kinds}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
