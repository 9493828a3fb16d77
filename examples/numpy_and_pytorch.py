"""Which ways from NumPy and PyTorch into JAX share memory, and which copy it.

A way shares if the array that comes out has the address of the one that went in. Then a write in
place to one is seen in the other. PyTorch is optional (``pip install torch``); without it, only
NumPy's part of the table is printed. All arrays are on the CPU.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib"]
# ///

import importlib.util
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from _command_line import command_line, whole_number

torch: Any = importlib.import_module("torch") if importlib.util.find_spec("torch") else None


def address(array: Any) -> int:
    """The address of the first byte of a JAX array on a CPU, a NumPy array or a tensor.

    >>> x = jnp.arange(4.0)
    >>> address(np.asarray(x)) == address(x), address(np.array(x)) == address(x)
    (True, False)
    """
    if isinstance(array, jax.Array):
        return array.unsafe_buffer_pointer()
    return array.ctypes.data if isinstance(array, np.ndarray) else array.data_ptr()


def aligned(values: np.ndarray) -> np.ndarray:
    """Copy an array to an address that is a multiple of 64 bytes, which JAX can share.

    >>> address(aligned(np.ones((2, 3)))) % 64
    0
    """
    memory = np.empty(values.nbytes + 64, np.uint8)
    begin = -memory.ctypes.data % 64
    array = memory[begin : begin + values.nbytes].view(values.dtype).reshape(values.shape)
    array[...] = values
    return array


def sharing(
    arrays: Mapping[str, Any], ways: Sequence[Callable[[Any], jax.Array]]
) -> dict[str, list[str]]:
    """Send each array along each way, and compare the addresses.

    Returns:
        For each array the words ``shared`` or ``copied``, in the order of the ways.

    >>> sharing({"ones": aligned(np.ones(9, np.float32))}, [jnp.array, jnp.from_dlpack])
    {'ones': ['copied', 'shared']}
    """
    table = {}
    for kind, array in arrays.items():
        same = [address(way(array)) == address(array) for way in ways]
        table[kind] = ["shared" if shared else "copied" for shared in same]
    return table


def kinds(size: int) -> dict[str, np.ndarray]:
    """NumPy arrays that differ in what decides about sharing."""
    square = np.ones((size, size), np.float32)
    return {
        "float32": aligned(square),
        "its transpose": aligned(square).T,
        "not aligned": aligned(square.ravel())[1:],
        "float64": aligned(square.astype(np.float64)),
        "int64": aligned(square.astype(np.int64)),
        "bool": aligned(square.astype(bool)),
    }


def tensors(size: int) -> dict[str, Any]:
    """PyTorch tensors that differ in what decides about sharing; none without PyTorch."""
    if torch is None:
        return {}
    dtypes = (torch.float32, torch.bfloat16, torch.float64, torch.int64)
    return {str(dtype): torch.ones(size, size).to(dtype) for dtype in dtypes}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = command_line(__doc__)
    size = "rows and columns of each array; default: %(default)s"
    parser.add_argument("--size", type=whole_number(2, 5000), default=64, metavar="N", help=size)
    options = parser.parse_args(arguments)

    with jax.default_device(jax.devices("cpu")[0]):
        ways: list[Callable[[Any], jax.Array]]
        ways = [jnp.asarray, jax.device_put, jnp.from_dlpack]
        rows = sharing(kinds(options.size), ways)
        print(f"{'NumPy':16}asarray device_put from_dlpack")
        for kind, (first, second, third) in rows.items():
            print(f"{kind:16}{first:8}{second:11}{third}")
        for kind, (word,) in sharing(tensors(options.size), [jnp.from_dlpack]).items():
            print(f"{kind:35}{word}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
