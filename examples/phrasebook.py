"""A phrasebook from NumPy and PyTorch to JAX in which every phrase is run and compared.

Each phrase is code for one library and, after ``==``, code for JAX with the same result. After
``!=`` stands JAX code with another result, although one might expect the same: a false friend. This
script runs both sides of every phrase, compares the results, and prints the phrases.

PyTorch is optional (``pip install torch``). Without it, only JAX's side of those phrases is run.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["flax", "jax", "matplotlib", "optax", "orbax-checkpoint"]
# ///

import ast
import importlib.util
import re
import tempfile
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from _command_line import command_line
from flax import nnx
from orbax.checkpoint import v1 as ocp

Names = dict[str, Any]
Row = tuple[str, str, str]  # code, sign, code of JAX

NUMPY_CHANGES = """
a[1] = 9; a  ==  a.at[1].set(9)
m[:, 0] += 1; m  ==  m.at[:, 0].add(1)
a[a > 2] = 0; a  ==  jnp.where(a > 2, 0, a)
np.add.at(a, i, 1); a  ==  a.at[i].add(1)
np.fill_diagonal(s, 0); s  ==  jnp.fill_diagonal(s, 0, inplace=False)
a.sort(); a  ==  jnp.sort(a)
"""

NUMPY_LOOPS = """
np.einsum("ij,j->i", m, a)  ==  jnp.einsum("ij,j->i", m, a)
np.argsort(-a)  ==  jnp.argsort(a, descending=True)
a[a > 1].sum()  ==  jnp.sum(a, where=a > 1)
np.nonzero(a > 1)[0]  ==  jnp.nonzero(a > 1, size=2)[0]
np.unique(i)  ==  jnp.unique(i, size=2)
a.copy()  ==  a
a[0] if a[0] > a[1] else a[1]  ==  jnp.where(a[0] > a[1], a[0], a[1])
np.array([v**2 for v in a])  ==  jax.vmap(lambda v: v**2)(a)
v = 1
while v < 100:
    v = 3 * v
v
== jax.lax.while_loop(lambda v: v < 100, lambda v: 3 * v, 1)
total, sums = 0, []
for v in a:
    total = total + v
    sums.append(total)
np.array(sums)
== def add(total, v):
       return total + v, total + v
   jax.lax.scan(add, jnp.float32(0), a)[1]
"""

NUMPY_RANDOM = """
rng = np.random.default_rng(0); rng.normal(size=2)
!= key = jax.random.key(0); jax.random.normal(key, (2,))
rng.normal() == rng.normal()
!= jax.random.normal(key) == jax.random.normal(key)
np.array([rng.normal() for _ in range(3)]).shape
== keys = jax.random.split(key, 3); jax.vmap(jax.random.normal)(keys).shape
rng.integers(0, 10, size=3).shape  ==  jax.random.randint(key, (3,), 0, 10).shape
np.sort(rng.permutation(a))  ==  jnp.sort(jax.random.permutation(key, a))
rng.choice(a, size=2).shape  ==  jax.random.choice(key, a, (2,)).shape
"""

NUMPY_FALSE_FRIENDS = """
np.zeros(3).dtype.name  !=  jnp.zeros(3).dtype.name
np.arange(3).dtype.name  !=  jnp.arange(3).dtype.name
a[0] = 9; a  !=  a[0] = 9; a
v = a; v += 1; a  !=  v = a; v += 1; a
a[10]  !=  a[10]
np.sum([1.0, 2.0])  !=  jnp.sum([1.0, 2.0])
np.linalg.inv(0 * s)[0]  !=  jnp.linalg.inv(0 * s)[0]
"""

TORCH_TENSORS = """
torch.tensor([1.0, 2.0])  ==  jnp.array([1.0, 2.0])
m.to(torch.float16)  ==  m.astype(jnp.float16)
m.to("cpu")  ==  jax.device_put(m, jax.devices("cpu")[0])
torch.zeros(3, device="cpu")  ==  jnp.zeros(3, device=jax.devices("cpu")[0])
m.cpu().numpy()  ==  np.asarray(m)
m.size()  ==  m.shape
m.numel()  ==  m.size
m.clone()  ==  m
a[1] = 9; a  ==  a.at[1].set(9)
m[:, 0].mul_(2); m  ==  m.at[:, 0].multiply(2)
a.add_(b)  ==  a + b
a.masked_fill_(a > 2, 0)  ==  jnp.where(a > 2, 0, a)
a.index_add_(0, i, b)  ==  a.at[i].add(b)
torch.manual_seed(0); torch.randn(2)  !=  key = jax.random.key(0); jax.random.normal(key, (2,))
torch.rand(2, 3).shape  ==  jax.random.uniform(key, (2, 3)).shape
torch.randperm(3).sort().values  ==  jnp.sort(jax.random.permutation(key, 3))
torch.save({"w": w}, f"{folder}/w.pt"); torch.load(f"{folder}/w.pt")["w"]
== ocp.save(f"{folder}/w", {"w": w}, overwrite=True); ocp.load(f"{folder}/w", {"w": w})["w"]
"""

TORCH_SHAPES = """
m.view(3, 2)  ==  m.reshape(3, 2)
m.unsqueeze(0)  ==  m[None]
m.permute(1, 0)  ==  m.transpose(1, 0)
m.expand(4, 2, 3)  ==  jnp.broadcast_to(m, (4, 2, 3))
m.repeat(2, 1)  ==  jnp.tile(m, (2, 1))
m.repeat_interleave(2, dim=0)  ==  jnp.repeat(m, 2, axis=0)
torch.cat([m, w], dim=1)  ==  jnp.concatenate([m, w], axis=1)
m.chunk(3, dim=1)  ==  jnp.split(m, 3, axis=1)
m.gather(1, j)  ==  jnp.take_along_axis(m, j, axis=1)
m.index_select(1, i)  ==  m[:, i]
a.topk(2).values  ==  jax.lax.top_k(a, 2)[0]
m.max(dim=1).values  ==  m.max(axis=1)
a.sort().indices  ==  jnp.argsort(a)
"""

TORCH_GRADIENTS = """
a.requires_grad_(); (a**3).sum().backward(); a.grad
== jax.grad(lambda a: (a**3).sum())(a)
a.requires_grad_(); (a * a.detach()).sum().backward(); a.grad
== stop = jax.lax.stop_gradient; jax.grad(lambda a: (a * stop(a)).sum())(a)
with torch.no_grad():
    v = 2 * a
v
== 2 * a
torch.func.vmap(torch.dot, in_dims=(0, None))(m, a)
== jax.vmap(jnp.dot, in_axes=(0, None))(m, a)
slope = torch.func.grad(lambda a, v: (a @ v) ** 2); torch.func.vmap(slope, in_dims=(None, 0))(a, m)
== slope = jax.grad(lambda a, v: (a @ v) ** 2); jax.vmap(slope, in_axes=(None, 0))(a, m)
torch.func.jvp(torch.sin, (a,), (b,))  ==  jax.jvp(jnp.sin, (a,), (b,))
torch.func.hessian(lambda a: (a**3).sum())(a)  ==  jax.hessian(lambda a: (a**3).sum())(a)
torch.compile(torch.sin, backend="eager")(a)  ==  jax.jit(jnp.sin)(a)
"""

TORCH_LAYERS = """
F.linear(m, w, c)  ==  m @ w.T + c
m.softmax(dim=1)  ==  jax.nn.softmax(m, axis=1)
F.layer_norm(m, (3,))  ==  jax.nn.standardize(m, epsilon=1e-5)
F.conv1d(m[None], w[None, :, :2])  ==  jax.lax.conv(m[None], w[None, :, :2], (1,), "VALID")
F.one_hot(y, 3)  ==  jax.nn.one_hot(y, 3)
F.cross_entropy(m, y)  ==  optax.softmax_cross_entropy_with_integer_labels(m, y).mean()
F.binary_cross_entropy_with_logits(m, w)  ==  optax.sigmoid_binary_cross_entropy(m, w).mean()
F.mse_loss(m, w)  ==  optax.squared_error(m, w).mean()
F.scaled_dot_product_attention(q, q, q, is_causal=True)
== q = q.swapaxes(1, 2); jax.nn.dot_product_attention(q, q, q, is_causal=True).swapaxes(1, 2)
F.scaled_dot_product_attention(q, q, q, attn_mask=s > 0)
== q = q.swapaxes(1, 2); mask = s[None, None] > 0
   jax.nn.dot_product_attention(q, q, q, mask=mask).swapaxes(1, 2)
with torch.autocast("cpu", dtype=torch.bfloat16):
    v = F.linear(m, w)
v.float()
== layer = nnx.Linear(3, 2, dtype=jnp.bfloat16, param_dtype=jnp.float32, rngs=nnx.Rngs(0))
   layer.kernel[...] = w.T
   layer(m).astype(jnp.float32)
F.dropout(m, 0.5).shape  ==  nnx.Dropout(0.5)(m, rngs=key).shape
model = torch.nn.Sequential(torch.nn.Dropout(), torch.nn.BatchNorm1d(3)); model.eval(); model(m)
== model = nnx.Sequential(nnx.Dropout(0.5), nnx.BatchNorm(3, rngs=nnx.Rngs(0)))
   model.eval(); model(m)
model = torch.nn.BatchNorm1d(3, momentum=0.1); model(m); model.running_mean
== model = nnx.BatchNorm(3, momentum=0.9, rngs=nnx.Rngs(0)); model(m); model.mean[...]
"""

TORCH_SCHEDULES = """
rates(schedulers.StepLR(sgd, 5, gamma=0.5))
== rates(optax.exponential_decay(0.1, 5, 0.5, staircase=True))
rates(schedulers.LinearLR(sgd, 0.1, total_iters=5))  ==  rates(optax.linear_schedule(0.01, 0.1, 5))
rates(schedulers.CosineAnnealingLR(sgd, 10))  ==  rates(optax.cosine_decay_schedule(0.1, 10))
warmup = schedulers.LinearLR(sgd, 0.1, total_iters=4)
cosine = schedulers.CosineAnnealingLR(sgd, 6)
rates(schedulers.SequentialLR(sgd, [warmup, cosine], [4]))
== rates(optax.warmup_cosine_decay_schedule(0.01, 0.1, 4, 10))
w.grad = m; torch.nn.utils.clip_grad_norm_([w], 1.0); w.grad
== clip = optax.clip_by_global_norm(1.0); clip.update(m, clip.init(m))[0]
"""

TORCH_FALSE_FRIENDS = """
torch.arange(3).element_size()  !=  jnp.arange(3).itemsize
a[10]  !=  a[10]
m.std()  !=  m.std()
m.std()  ==  m.std(ddof=1)
m.median()  !=  jnp.median(m)
F.gelu(c)  !=  jax.nn.gelu(c)
F.gelu(c)  ==  jax.nn.gelu(c, approximate=False)
F.scaled_dot_product_attention(q, q, q)[0, 0, 0]  !=  jax.nn.dot_product_attention(q, q, q)[0, 0, 0]
F.mse_loss(m, w)  !=  optax.l2_loss(m, w).mean()
rates(schedulers.CosineAnnealingLR(sgd, 5))[-1]  !=  rates(optax.cosine_decay_schedule(0.1, 5))[-1]
torch.func.grad_and_value(torch.prod)(a)[0]  !=  jax.value_and_grad(jnp.prod)(a)[0]
model = torch.nn.BatchNorm1d(3, momentum=0.1); model(m); model.running_var
!= model = nnx.BatchNorm(3, momentum=0.9, rngs=nnx.Rngs(0)); model(m); model.var[...]
"""

# By library, and by what the phrases are about; the page shows the same tables.
TABLES = {
    "numpy": {
        "changing an array": NUMPY_CHANGES,
        "masks, loops, branches": NUMPY_LOOPS,
        "random numbers": NUMPY_RANDOM,
        "false friends": NUMPY_FALSE_FRIENDS,
    },
    "torch": {
        "tensors": TORCH_TENSORS,
        "shapes, selecting, ordering": TORCH_SHAPES,
        "gradients, torch.func, torch.compile": TORCH_GRADIENTS,
        "layers, losses, attention, autocast": TORCH_LAYERS,
        "learning-rate schedulers and clipping": TORCH_SCHEDULES,
        "false friends": TORCH_FALSE_FRIENDS,
    },
}
folder = tempfile.TemporaryDirectory()  # for phrases that save something


def values(convert: Callable[[np.ndarray], Any]) -> Names:
    """Give the small arrays that the phrases use; fresh ones, because phrases change them."""
    floats = {"a": [3, 1, 2], "b": [4, 5, 6], "c": [1, 2], "m": [[1, 2, 3], [4, 5, 6]],
              "w": [[2, 0, 1], [0, 1, 1]], "s": [[4, 1, 0], [1, 3, 1], [0, 1, 2]],
              "q": np.arange(24).reshape(1, 2, 3, 4) % 5}  # fmt: skip
    integers = {"i": [0, 2, 0], "y": [0, 2], "j": [[0, 2], [1, 1]]}
    arrays = {name: np.array(value, np.float32) for name, value in floats.items()}
    arrays |= {name: np.array(value) for name, value in integers.items()}
    return {name: convert(array) for name, array in arrays.items()}


def numpy_names() -> Names:
    """Give the names that NumPy's side of a phrase may use."""
    return {"np": np, "rng": np.random.default_rng(0), **values(np.array)}


def jax_names(arrays: Names) -> Names:
    """Give the names that JAX's side of a phrase may use: modules, tools, and these arrays."""
    modules = {"jax": jax, "jnp": jnp, "np": np, "nnx": nnx, "optax": optax, "ocp": ocp}
    tools = {
        "key": jax.random.key(0),
        "folder": folder.name,
        "rates": lambda schedule: jax.vmap(schedule)(jnp.arange(10)),
    }
    return {**modules, **tools, **arrays}


def torch_names() -> Names | None:
    """Give the names that PyTorch's side of a phrase may use; None without PyTorch."""
    if importlib.util.find_spec("torch") is None:
        return None
    torch = importlib.import_module("torch")
    modules = {"torch": torch, "F": torch.nn.functional, "schedulers": torch.optim.lr_scheduler}
    tools = {"sgd": torch.optim.SGD([torch.zeros(1)], lr=0.1), "rates": torch_rates}
    return {**modules, **tools, "folder": folder.name, **values(torch.from_numpy)}


def torch_rates(scheduler: Any) -> np.ndarray:
    """Collect the learning rates of ten steps of a scheduler."""
    rates = np.zeros(10)
    for step in range(10):
        rates[step] = scheduler.get_last_lr()[0]
        scheduler.optimizer.step()
        scheduler.step()
    return rates


def run(code: str, names: Names | None, errors: tuple[type[Exception], ...] = ()) -> Any:
    """Run the statements of a phrase and return the value of its last line.

    Args:
        code: Python code whose last statement is an expression.
        names: What the code can use; it may be changed. None if a library is not installed.
        errors: Errors that count as a result: their names are returned.

    Returns:
        The value of the last line, the name of an error, or "not run" if there are no names.

    >>> run("k = 3\\nk + 1", {}), run("k = 3\\nk + 1", None), run("[1][5]", {}, (IndexError,))
    (4, 'not run', 'IndexError')
    """
    if names is None:
        return "not run"
    *statements, last = ast.parse(code).body
    try:
        exec(compile(ast.Module(statements, []), "<phrase>", "exec"), names)
        return eval(compile(ast.Expression(last.value), "<phrase>", "eval"), names)  # type: ignore[attr-defined]
    except errors as error:
        return type(error).__name__


def leaves(value: Any) -> list[np.ndarray]:
    """Turn a result, or a tuple, list or dictionary of them, into NumPy arrays."""
    found = jax.tree.leaves(tuple(value) if isinstance(value, tuple) else value)
    plain = [leaf.detach() if hasattr(leaf, "detach") else leaf for leaf in found]
    return [np.asarray(leaf) for leaf in plain]


def same(left: Any, right: Any) -> bool:
    """Whether two results have as many arrays, of the same shapes and (nearly) the same values.

    Args:
        left: A result of any library: arrays, numbers or texts.
        right: Another one.

    Returns:
        True if they agree up to rounding in float32; the dtypes may differ.

    >>> same(np.ones(2), jnp.ones(2)), same(np.ones(2), 1.0), same("float32", "float64")
    (True, False, False)
    """
    left, right = leaves(left), leaves(right)
    if [x.shape for x in left] != [y.shape for y in right]:
        return False
    if any(x.dtype.kind == "U" for x in left + right):
        return all(map(np.array_equal, left, right))
    return all(np.allclose(x, y, 1e-4, 1e-5) for x, y in zip(left, right, strict=True))


def split_rows(text: str) -> list[Row]:
    """Read phrases from text.

    Args:
        text: For each phrase, code, then ``==`` or ``!=`` after two spaces or on a new line, and
            JAX's code. Further lines of JAX's code are indented by three; ``;`` ends a statement.

    Returns:
        Code, sign and JAX's code of each phrase.

    >>> split_rows("a[1] = 9; a  ==  a.at[1].set(9)\\nb + 1\\n== c = b\\n   c + 1")
    [('a[1] = 9\\na', '==', 'a.at[1].set(9)'), ('b + 1', '==', 'c = b\\nc + 1')]
    """
    phrase = r"(.+?)(?:\n|  )(==|!=) +(.+?)(?=\n\S|\Z)"
    rows = re.findall(phrase, text.strip(), re.DOTALL)
    return [
        (code.strip().replace("; ", "\n"), sign, re.sub(r"; |\n   ", "\n", right))
        for code, sign, right in rows
    ]


def comment(value: Any) -> str:
    """Write a result as a comment on a new line."""
    shown = " ".join(np.array2string(leaf, precision=3) for leaf in leaves(value))
    return f"\n# {shown}".replace("'", "")


def errors(sign: str) -> tuple[type[Exception], ...]:
    """Give the errors that count as a result: those of false friends."""
    kinds = (IndexError, RuntimeError, TypeError, ValueError)
    return kinds if sign == "!=" else ()


def jax_results(rows: Sequence[Row]) -> dict[Row, Any]:
    """Run JAX's side of phrases, all that can be compiled in one compiled function.

    Args:
        rows: Code, sign and JAX's code of each phrase.

    Returns:
        For each row, the value of the last line of JAX's code, or the name of an error.

    >>> row = "np.sum(a)", "==", "jnp.sum(a)"
    >>> jax_results([row])[row]
    Array(6., dtype=float32)
    """
    texts = {}  # type: ignore[var-annotated]

    def results(rows: Sequence[Row], arrays: Names) -> dict[Row, Any]:
        computed = {}  # type: ignore[var-annotated]
        for row in rows:
            _, sign, code = row
            result = run(code, jax_names(arrays), errors(sign))
            (texts if isinstance(result, str) else computed)[row] = result
        return computed

    # NumPy, files and devices are outside of what jit compiles
    limits = r"\b(np|ocp)\.|device"
    outside = [row for row in rows if re.search(limits, row[2])]
    inside = [row for row in rows if row not in outside]
    arrays = values(jnp.asarray)
    compiled = jax.jit(lambda arrays: results(inside, arrays))(arrays)
    return results(outside, arrays) | compiled | texts  # type: ignore[no-any-return]


def checked(rows: Sequence[Row], names: Callable[[], Names | None]) -> list[Row]:
    """Run both sides of phrases and compare them.

    Args:
        rows: Code, sign and JAX's code of each phrase.
        names: Gives what the code may use, new for each row; None if its library is not installed.

    Returns:
        The rows as they are shown: with the results, as comments, if they differ.

    Raises:
        AssertionError: If a phrase does not hold.

    >>> checked([("np.sum(a)", "==", "jnp.sum(a)")], numpy_names)
    [('np.sum(a)', '==', 'jnp.sum(a)')]
    >>> checked([("np.sum(a)", "==", "jnp.sum(a)")], lambda: None)
    [('np.sum(a)\\n# not run', '==', 'jnp.sum(a)')]
    """
    shown, jax_side = [], jax_results(rows)
    for row in rows:
        code, sign, jax_code = row
        fresh, right = names(), jax_side[row]
        left = run(code, fresh, errors(sign))
        assert fresh is None or same(left, right) == (sign == "=="), row
        if fresh is None or sign == "!=":
            code += comment(left)
        shown.append((code, sign, jax_code + comment(right) * (sign == "!=")))
    return shown


def as_text(row: Row) -> str:
    """Write a phrase in the form that ``split_rows`` reads."""
    code, sign, jax_code = row
    return f"{code}\n{sign} " + jax_code.replace("\n", "\n   ")


def find(rows: Sequence[Row], word: str) -> list[Row]:
    """Keep the phrases that contain a word, in upper or lower case, on either side.

    >>> find(split_rows(NUMPY_CHANGES), "ADD.AT")
    [('np.add.at(a, i, 1)\\na', '==', 'a.at[i].add(1)')]
    """
    return [row for row in rows if word.lower() in " ".join(row).lower()]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the phrases and print them, table by table.

    >>> main(["--only", "numpy", "--find", "einsum"])
    # numpy: masks, loops, branches
    <BLANKLINE>
    np.einsum("ij,j->i", m, a)
    == jnp.einsum("ij,j->i", m, a)
    <BLANKLINE>
    # run and compared: 1, not run: 0
    0
    """
    parser = command_line(__doc__)
    add: Any = parser.add_argument
    add("--only", choices=list(TABLES), help="phrases from this library only")
    add("--find", default="", metavar="WORD", help="phrases that contain this word only")
    options = parser.parse_args(arguments)

    jax.config.update("jax_default_matmul_precision", "highest")  # type: ignore[no-untyped-call]
    tables = {
        f"{library}: {title}": (library, find(split_rows(text), options.find))
        for library in ([options.only] if options.only else TABLES)
        for title, text in TABLES[library].items()
    }
    if not any(rows for _, rows in tables.values()):
        parser.error(f"--find {options.find}: no phrase has it; give part of a name, such as sort")
    counts = {True: 0, False: 0}
    for title, (library, rows) in tables.items():
        if rows:
            print(f"# {title}\n")
        names = numpy_names if library == "numpy" else torch_names
        for row in checked(rows, names):
            print(as_text(row) + "\n", flush=True)
        counts[names() is None] += len(rows)
    print(f"# run and compared: {counts[False]}, not run: {counts[True]}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
