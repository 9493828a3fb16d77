"""Where a computation runs if its operands are on different devices, and what is copied for it.

Each pair of operands is added on simulated CPU devices: a NumPy array, an uncommitted array on the
default device, arrays that are committed to one device, and one that is cut over all of them. The
table shows the devices of the sum, whether it is committed, and the copies that JAX makes without
being told to.

Source: JAX's guide to the transfer guard, https://docs.jax.dev/en/latest/501/transfer-guard.html
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib"]
# ///

from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from _command_line import command_line, whole_number
from jax.sharding import NamedSharding, PartitionSpec
from sharding import simulate

MAX_DEVICES = 16


def place(array: jax.Array) -> tuple[int, str]:
    """Describe where an array on a single device is.

    Returns:
        The number of the device, and "committed" or "uncommitted".

    >>> place(jax.device_put(jnp.ones(3), jax.devices()[0]))
    (0, 'committed')
    """
    return array.device.id, "committed" if array.committed else "uncommitted"  # type: ignore[union-attr]


def hidden_transfers(function: Callable[..., Any], *arguments: Any) -> list[str]:
    """List the directions in which a compiled call copies its arguments implicitly.

    Args:
        function: A function that ``jax.jit`` accepts.
        *arguments: What to call it with.

    Returns:
        Some of "host_to_device", "device_to_device" and "device_to_host". The last one never
        occurs on a CPU.

    >>> hidden_transfers(jnp.add, jnp.ones(3), jnp.ones(3))
    []
    >>> hidden_transfers(jnp.add, jnp.ones(3), np.ones(3))
    ['host_to_device']
    """
    copied = []
    for direction in ("host_to_device", "device_to_device", "device_to_host"):
        fresh = jax.jit(lambda *arguments: function(*arguments))
        try:
            with getattr(jax, f"transfer_guard_{direction}")("disallow"):
                jax.block_until_ready(fresh(*arguments))  # type: ignore[no-untyped-call]
        except jax.errors.JaxRuntimeError:
            copied.append(direction)
    return copied


def operands(devices: Sequence[jax.Device]) -> dict[str, Any]:
    """Make arrays of equal shape that differ in where they are.

    Args:
        devices: Two at least.

    >>> list(operands(jax.devices()[:1] * 2))
    ['NumPy', 'uncommitted', 'on 0', 'on 1', 'on all']
    """
    values = np.arange(len(devices), dtype=np.float32)
    arrays = {"NumPy": values, "uncommitted": jnp.asarray(values)}
    arrays |= {f"on {k}": jax.device_put(values, devices[k]) for k in range(2)}
    distinct = list(dict.fromkeys(devices))
    mesh = jax.make_mesh((len(distinct),), ("i",), devices=distinct)
    cut = NamedSharding(mesh, PartitionSpec("i"))  # type: ignore[no-untyped-call]
    return arrays | {"on all": jax.device_put(values, cut)}


def outcome(a: Any, b: Any) -> str:
    """Describe the sum of two arrays: its devices and what is copied for it.

    >>> outcome(np.ones(3), jax.device_put(np.ones(3), jax.devices()[0]))
    'device 0, committed; host_to_device'
    """
    try:
        total = jnp.add(a, b)
    except ValueError as error:
        return f"an error: {str(error).split('.')[0]}"
    numbers = sorted(device.id for device in total.devices())
    where = str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"
    kind = "committed" if total.committed else "uncommitted"
    return f"device {where}, {kind}; {', '.join(hidden_transfers(jnp.add, a, b)) or 'no copy'}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table of sums."""
    parser = command_line(__doc__)
    count_help = "simulated CPU devices; default: %(default)s"
    count_type = whole_number(2, MAX_DEVICES)
    parser.add_argument("--devices", type=count_type, default=4, metavar="N", help=count_help)
    options = parser.parse_args(arguments)
    if not simulate(options.devices):
        parser.error(f"JAX has started with {len(jax.devices())} devices: use a new process")

    arrays = operands(jax.devices()[: options.devices])
    for one, other in combinations_with_replacement(arrays, 2):
        if (one, other) != ("NumPy", "NumPy"):
            print(f"{one + ' + ' + other:26}{outcome(arrays[one], arrays[other])}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
