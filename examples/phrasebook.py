"""A phrasebook from NumPy and PyTorch to JAX in which every phrase is run and compared.

Each phrase is code for one library and, after ``==``, code for JAX with the same result. After
``!=`` stands JAX code with another result, although one might expect the same: a false friend. This
script runs both sides of every phrase, compares the results, and prints the phrases.

PyTorch is optional (``pip install torch``). Without it, only JAX's side of those phrases is run.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib"]
# ///

import ast
import importlib.util
import re
import textwrap
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from _command_line import command_line

Names = dict[str, Any]
Row = tuple[str, str, str]  # code, sign, code of JAX


def values() -> dict[str, np.ndarray]:
    """Give the small arrays that the phrases use; fresh ones, because phrases change them.

    Returns:
        Vectors a, b (3,) and c (2,), matrices m, w (2, 3) and s (3, 3) of float32; integers
        i (3,), y (2,) and j (2, 2).

    >>> {name: array.shape for name, array in values().items()}["m"]
    (2, 3)
    """
    floats = {"a": [3, 1, 2], "b": [4, 5, 6], "c": [1, 2], "m": [[1, 2, 3], [4, 5, 6]],
              "w": [[2, 0, 1], [0, 1, 1]], "s": [[4, 1, 0], [1, 3, 1], [0, 1, 2]]}  # fmt: skip
    integers = {"i": [0, 2, 0], "y": [0, 2], "j": [[0, 2], [1, 1]]}
    arrays = {name: np.array(value, np.float32) for name, value in floats.items()}
    return {**arrays, **{name: np.array(value) for name, value in integers.items()}}


def numpy_names() -> Names:
    """Give the names that NumPy's side of a phrase may use.

    >>> numpy_names()["a"]
    array([3., 1., 2.], dtype=float32)
    """
    return {"np": np, "rng": np.random.default_rng(0), **values()}


def jax_names() -> Names:
    """Give the names that JAX's side of a phrase may use.

    >>> jax_names()["a"]
    Array([3., 1., 2.], dtype=float32)
    """
    modules = {"jax": jax, "jnp": jnp, "np": np, "key": jax.random.key(0)}
    return {**modules, **jax.tree.map(jnp.asarray, values())}


def torch_names() -> Names | None:
    """Give the names that PyTorch's side of a phrase may use; None without PyTorch.

    >>> names = torch_names()
    >>> names is None or names["a"].tolist() == [3.0, 1.0, 2.0]
    True
    """
    if importlib.util.find_spec("torch") is None:
        return None
    torch = importlib.import_module("torch")
    tensors = {name: torch.from_numpy(array) for name, array in values().items()}
    return {"torch": torch, "F": torch.nn.functional, **tensors}


def run(code: str, names: Names | None) -> Any:
    """Run the statements of a phrase and return the value of its last line.

    Args:
        code: Python code whose last statement is an expression.
        names: What the code can use; it may be changed. None if a library is not installed.

    Returns:
        The value of the last line, or "not run" if there are no names.

    >>> run("k = 3\\nk + 1", {}), run("k = 3\\nk + 1", None)
    (4, 'not run')
    """
    if names is None:
        return "not run"
    *statements, last = ast.parse(code).body
    exec(compile(ast.Module(statements, []), "<phrase>", "exec"), names)
    return eval(compile(ast.Expression(last.value), "<phrase>", "eval"), names)  # type: ignore[attr-defined]


def outcome(code: str, names: Names | None) -> Any:
    """Run a phrase that may fail.

    Args:
        code: As for ``run``.
        names: As for ``run``.

    Returns:
        The value of the last line, or the name of the error that stopped it.

    >>> outcome("[1, 2][5]", {})
    'IndexError'
    """
    try:
        return run(code, names)
    except (IndexError, RuntimeError, TypeError, ValueError) as error:
        return type(error).__name__


def leaves(value: Any) -> list[np.ndarray]:
    """Turn a result into NumPy arrays.

    Args:
        value: An array of any library, a number, a text, or a tuple, list or dictionary of them.

    Returns:
        One array for each leaf.

    >>> leaves((jnp.ones(2), 3))
    [array([1., 1.], dtype=float32), array(3)]
    """
    found = jax.tree.leaves(tuple(value) if isinstance(value, tuple) else value)
    plain = [leaf.detach() if hasattr(leaf, "detach") else leaf for leaf in found]
    return [np.asarray(leaf) for leaf in plain]


def same(left: Any, right: Any) -> bool:
    """Tell whether two results are equal, up to rounding in float32.

    Args:
        left: A result of any library.
        right: Another one.

    Returns:
        True if both have as many arrays, of the same shapes and values.

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
        text: For each phrase, code, then a line that begins with ``==`` or ``!=`` and goes on
            with JAX's code. Further lines of JAX's code are indented by three.

    Returns:
        Code, sign and JAX's code of each phrase.

    >>> split_rows("a[1] = 9\\na\\n== a.at[1].set(9)\\nb + 1\\n== c = b\\n   c + 1")
    [('a[1] = 9\\na', '==', 'a.at[1].set(9)'), ('b + 1', '==', 'c = b\\nc + 1')]
    """
    phrase = r"(.+?)\n(==|!=) (.+?)(?=\n\S|\Z)"
    rows = re.findall(phrase, textwrap.dedent(text).strip(), re.DOTALL)
    return [(code.strip(), sign, right.replace("\n   ", "\n")) for code, sign, right in rows]


def commented(code: str, value: Any) -> str:
    """Add a result to a phrase, as a comment.

    Args:
        code: The code of one side.
        value: Its result.

    Returns:
        The code and one more line.

    >>> print(commented("a.mean()", np.float32(2)))
    a.mean()
    # 2.
    """
    shown = " ".join(np.array2string(leaf, precision=3) for leaf in leaves(value))
    return f"{code}\n# {shown}".replace("'", "")


def checked(row: Row, names: Names | None) -> Row:
    """Run both sides of a phrase and compare them.

    Args:
        row: Code, sign and JAX's code.
        names: What the code may use; None if its library is not installed.

    Returns:
        The row as it is shown: with the results, as comments, if they differ.

    Raises:
        AssertionError: If the phrase does not hold.

    >>> checked(("np.sum(a)", "==", "jnp.sum(a)"), numpy_names())
    ('np.sum(a)', '==', 'jnp.sum(a)')
    >>> checked(("np.sum(a)", "==", "jnp.sum(a)"), None)
    ('np.sum(a)\\n# not run', '==', 'jnp.sum(a)')
    """
    code, sign, jax_code = row
    call = run if sign == "==" else outcome
    left, right = call(code, names), call(jax_code, jax_names())
    assert names is None or same(left, right) == (sign == "=="), row
    if names is None or sign == "!=":
        code = commented(code, left)
    return code, sign, jax_code if sign == "==" else commented(jax_code, right)


def as_text(row: Row) -> str:
    """Write a phrase in the form that ``split_rows`` reads.

    Args:
        row: Code, sign and JAX's code.

    Returns:
        The phrase.

    >>> print(as_text(("a[1] = 9\\na", "==", "a.at[1].set(9)")))
    a[1] = 9
    a
    == a.at[1].set(9)
    """
    code, sign, jax_code = row
    return f"{code}\n{sign} " + jax_code.replace("\n", "\n   ")


def numpy_changes() -> str:
    """Phrases that change entries of an array."""
    return """
    a[1] = 9
    a
    == a.at[1].set(9)
    m[:, 0] += 1
    m
    == m.at[:, 0].add(1)
    a[a > 2] = 0
    a
    == jnp.where(a > 2, 0, a)
    np.add.at(a, i, 1)
    a
    == a.at[i].add(1)
    np.maximum.at(a, i, 2)
    a
    == a.at[i].max(2)
    np.fill_diagonal(s, 0)
    s
    == jnp.fill_diagonal(s, 0, inplace=False)
    a.sort()
    a
    == jnp.sort(a)
    """


def numpy_calculations() -> str:
    """Phrases that compute with arrays."""
    return """
    np.concatenate([a, b])
    == jnp.concatenate([a, b])
    np.einsum("ij,j->i", m, a)
    == jnp.einsum("ij,j->i", m, a)
    np.linalg.solve(s, a)
    == jnp.linalg.solve(s, a)
    np.argsort(-a)
    == jnp.argsort(a, descending=True)
    a[a > 1].sum()
    == jnp.sum(a, where=a > 1)
    np.nonzero(a > 1)[0]
    == jnp.nonzero(a > 1, size=2)[0]
    np.unique(i)
    == jnp.unique(i, size=2)
    a.copy()
    == a
    str(a)
    == str(a)
    """


def numpy_loops() -> str:
    """Phrases with loops and branches."""
    return """
    a[0] if a[0] > a[1] else a[1]
    == jnp.where(a[0] > a[1], a[0], a[1])
    np.array([v**2 for v in a])
    == jax.vmap(lambda v: v**2)(a)
    np.vectorize(lambda v: 2 * v if v > 1 else 0)(a)
    == jax.vmap(lambda v: jnp.where(v > 1, 2 * v, 0))(a)
    np.apply_along_axis(np.ptp, 1, m)
    == jax.vmap(jnp.ptp)(m)
    v = 1.0
    for k in range(5):
        v = v / 2 + 1
    v
    == jax.lax.fori_loop(0, 5, lambda k, v: v / 2 + 1, 1.0)
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


def numpy_random() -> str:
    """Phrases with random numbers."""
    return """
    rng = np.random.default_rng(0)
    rng.normal(size=2)
    != key = jax.random.key(0)
       jax.random.normal(key, (2,))
    rng.normal() == rng.normal()
    != jax.random.normal(key) == jax.random.normal(key)
    len(rng.spawn(2))
    == len(jax.random.split(key, 2))
    rng.integers(0, 10, size=3).shape
    == jax.random.randint(key, (3,), 0, 10).shape
    np.sort(rng.permutation(a))
    == jnp.sort(jax.random.permutation(key, a))
    rng.choice(a, size=2).shape
    == jax.random.choice(key, a, (2,)).shape
    """


def numpy_false_friends() -> str:
    """Phrases that look the same in NumPy and JAX, and are not."""
    return """
    np.zeros(3).dtype.name
    != jnp.zeros(3).dtype.name
    np.arange(3).dtype.name
    != jnp.arange(3).dtype.name
    a[0] = 9
    a
    != a[0] = 9
       a
    v = a
    v += 1
    a
    != v = a
       v += 1
       a
    a[10]
    != a[10]
    np.sum([1.0, 2.0])
    != jnp.sum([1.0, 2.0])
    np.linalg.inv(0 * s)[0]
    != jnp.linalg.inv(0 * s)[0]
    """


def torch_tensors() -> str:
    """Phrases that make, convert and move tensors."""
    return """
    torch.tensor([1.0, 2.0])
    == jnp.array([1.0, 2.0])
    m.to(torch.float16)
    == m.astype(jnp.float16)
    m.to("cpu")
    == jax.device_put(m, jax.devices("cpu")[0])
    m.numpy()
    == np.asarray(m)
    m.sum().item()
    == m.sum().item()
    m.size()
    == m.shape
    m.numel()
    == m.size
    m.clone()
    == m
    """


def torch_shapes() -> str:
    """Phrases that change the shape of a tensor."""
    return """
    m.view(3, 2)
    == m.reshape(3, 2)
    m.unsqueeze(0)
    == m[None]
    m.permute(1, 0)
    == m.transpose(1, 0)
    m.expand(4, 2, 3)
    == jnp.broadcast_to(m, (4, 2, 3))
    m.repeat(2, 1)
    == jnp.tile(m, (2, 1))
    m.repeat_interleave(2, dim=0)
    == jnp.repeat(m, 2, axis=0)
    torch.cat([m, w], dim=1)
    == jnp.concatenate([m, w], axis=1)
    m.chunk(3, dim=1)
    == jnp.split(m, 3, axis=1)
    """


def torch_selections() -> str:
    """Phrases that pick, replace and order entries."""
    return """
    m.gather(1, j)
    == jnp.take_along_axis(m, j, axis=1)
    m.index_select(1, i)
    == m[:, i]
    a.scatter_add(0, i, b)
    == a.at[i].add(b)
    torch.where(m > 2, m, w)
    == jnp.where(m > 2, m, w)
    m.masked_fill(m > 2, 0)
    == jnp.where(m > 2, 0, m)
    m.clamp(2, 4)
    == jnp.clip(m, 2, 4)
    a.topk(2).values
    == jax.lax.top_k(a, 2)[0]
    m.max(dim=1).values
    == m.max(axis=1)
    a.sort().indices
    == jnp.argsort(a)
    m.cumsum(dim=1)
    == jnp.cumsum(m, axis=1)
    """


def torch_gradients() -> str:
    """Phrases with derivatives and other transformations."""
    return """
    a.requires_grad_()
    (a**3).sum().backward()
    a.grad
    == jax.grad(lambda a: (a**3).sum())(a)
    a.requires_grad_()
    (a * a.detach()).sum().backward()
    a.grad
    == stop = jax.lax.stop_gradient
       jax.grad(lambda a: (a * stop(a)).sum())(a)
    with torch.no_grad():
        v = 2 * a
    v
    == 2 * a
    torch.func.grad(lambda a: a.sin().sum())(a)
    == jax.grad(lambda a: jnp.sin(a).sum())(a)
    torch.func.vmap(torch.dot, in_dims=(0, None))(m, a)
    == jax.vmap(jnp.dot, in_axes=(0, None))(m, a)
    torch.func.jacrev(torch.sin)(a)
    == jax.jacrev(jnp.sin)(a)
    torch.func.jvp(torch.sin, (a,), (b,))
    == jax.jvp(jnp.sin, (a,), (b,))
    torch.func.hessian(lambda a: (a**3).sum())(a)
    == jax.hessian(lambda a: (a**3).sum())(a)
    """


def torch_layers() -> str:
    """Phrases with the parts of a neural network."""
    return """
    F.linear(m, w, c)
    == m @ w.T + c
    F.relu(a - 2)
    == jax.nn.relu(a - 2)
    m.softmax(dim=1)
    == jax.nn.softmax(m, axis=1)
    F.cross_entropy(m, y)
    == log_p = jax.nn.log_softmax(m)
       -log_p[jnp.arange(2), y].mean()
    F.one_hot(y, 3)
    == jax.nn.one_hot(y, 3)
    F.embedding(i, s)
    == s[i]
    F.layer_norm(m, (3,))
    == jax.nn.standardize(m, epsilon=1e-5)
    F.conv1d(m[None], w[None, :, :2])
    == jax.lax.conv(m[None], w[None, :, :2], (1,), "VALID")
    F.dropout(m, 0.5).shape
    == keep = jax.random.bernoulli(key, 0.5, m.shape)
       jnp.where(keep, m / 0.5, 0).shape
    """


def torch_training() -> str:
    """Phrases of a training program."""
    return """
    layer = torch.nn.Linear(3, 2)
    layer.load_state_dict({"weight": w, "bias": c})
    layer(m)
    == params = {"weight": w, "bias": c}
       m @ params["weight"].T + params["bias"]
    layer = torch.nn.Linear(3, 2)
    sum(p.numel() for p in layer.parameters())
    == params = {"weight": w, "bias": c}
       sum(p.size for p in jax.tree.leaves(params))
    w.requires_grad_()
    optimizer = torch.optim.SGD([w], lr=0.1)
    F.mse_loss(w, m).backward()
    optimizer.step()
    w
    == def loss(params):
           return jnp.mean((params["w"] - m) ** 2)
       params = {"w": w}
       slopes = jax.grad(loss)(params)
       jax.tree.map(lambda p, g: p - 0.1 * g, params, slopes)
    torch.compile(torch.sin, backend="eager")(a)
    == jax.jit(jnp.sin)(a)
    """


def torch_false_friends() -> str:
    """Phrases that look the same in PyTorch and JAX, and are not."""
    return """
    torch.manual_seed(0)
    torch.randn(2)
    != key = jax.random.key(0)
       jax.random.normal(key, (2,))
    torch.arange(3).element_size()
    != jnp.arange(3).itemsize
    m.std()
    != m.std()
    m.std()
    == m.std(ddof=1)
    m.median()
    != jnp.median(m)
    F.gelu(c)
    != jax.nn.gelu(c)
    F.gelu(c)
    == jax.nn.gelu(c, approximate=False)
    a[10]
    != a[10]
    """


GROUPS: dict[str, tuple[Callable[[], Names | None], list[Callable[[], str]]]] = {
    "numpy": (
        numpy_names,
        [numpy_changes, numpy_calculations, numpy_loops, numpy_random, numpy_false_friends],
    ),
    "torch": (
        torch_names,
        [torch_tensors, torch_shapes, torch_selections, torch_gradients, torch_layers,
         torch_training, torch_false_friends],
    ),
}  # fmt: skip


def find(rows: Sequence[Row], word: str) -> list[Row]:
    """Keep the phrases that contain a word.

    Args:
        rows: Phrases.
        word: What to look for on either side, in upper or lower case.

    Returns:
        The phrases found, in the same order.

    >>> find(split_rows(numpy_changes()), "MAXIMUM")
    [('np.maximum.at(a, i, 2)\\na', '==', 'a.at[i].max(2)')]
    """
    return [row for row in rows if word.lower() in " ".join(row).lower()]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the phrases and print them, group by group.

    >>> main(["--only", "numpy", "--find", "einsum"])
    # numpy_calculations
    <BLANKLINE>
    np.einsum("ij,j->i", m, a)
    == jnp.einsum("ij,j->i", m, a)
    <BLANKLINE>
    # run and compared: 1, not run: 0
    0
    """
    parser = command_line(__doc__)
    add: Any = parser.add_argument
    add("--only", choices=list(GROUPS), help="phrases from this library only")
    add("--find", default="", metavar="WORD", help="phrases that contain this word only")
    options = parser.parse_args(arguments)

    chosen = [options.only] if options.only else list(GROUPS)
    groups = [(name, group) for name in chosen for group in GROUPS[name][1]]
    kept = [(name, group, find(split_rows(group()), options.find)) for name, group in groups]
    if not any(rows for _, _, rows in kept):
        parser.error(f"--find {options.find}: no phrase has it; give part of a name, such as sort")
    counts = {True: 0, False: 0}
    for name, group, rows in kept:
        if rows:
            print(f"# {group.__name__}\n")
        for row in rows:
            names = GROUPS[name][0]()
            print(as_text(checked(row, names)) + "\n", flush=True)
            counts[names is None] += 1
    print(f"# run and compared: {counts[False]}, not run: {counts[True]}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
