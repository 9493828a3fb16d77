"""Raise an error of JAX, read its message, and see the form that works.

Without an argument, the errors are raised one after the other, and their messages are listed. With
a name, one error is shown with its code and with the code that does what was meant. ``--find``
takes a message from your own terminal, even a whole traceback, and shows the errors that say so.

    python examples/errors.py
    python examples/errors.py branch_on_value
    python examples/errors.py --find "Attempted boolean conversion of traced array"

Source: jax.errors and the messages of JAX itself. The errors are in `examples/_errors/`.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib", "optax"]
# ///

import ast
import contextlib
import functools
import importlib
import inspect
import io
import pkgutil
import re
import textwrap
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from typing import Any

import _errors
from _command_line import command_line

Failure = Callable[[], Any]

# What differs from program to program: places, names in brackets, dtypes and numbers.
CHANGING = (
    r" at (0x[0-9a-f]+|/\S+)",
    r"<[^<>]*>",
    r"\[[^\[\]]*\]|\([^()]*\)|\{[^{}]*\}",
    r"\b(bool|u?int\d+|b?float\d+\w*|complex\d+)\b",
)
LIKE = 0.8  # so much of the shorter message must be in the longer one


def raised(function: Callable[..., Any], *arguments: Any) -> Exception:
    """Call a function that fails, and give its error.

    Args:
        function: What to call.
        arguments: Its arguments.

    Raises:
        AssertionError: If the function raises nothing.

    >>> raised(int, "x")
    ValueError("invalid literal for int() with base 10: 'x'")
    """
    try:
        function(*arguments)
    except Exception as error:
        return error
    raise AssertionError(function.__name__)


def message(function: Callable[..., Any], *arguments: Any) -> str:
    """Give the first line of the error of a function that fails.

    Args:
        function: What to call.
        arguments: Its arguments.

    Returns:
        Name and message, without addresses and files, which differ from run to run.

    Raises:
        AssertionError: If the function raises nothing.

    >>> message(int, "x")
    "ValueError: invalid literal for int() with base 10: 'x'"
    """
    error = raised(function, *arguments)
    line = str(error).splitlines()[0]
    line = re.sub(r" at (0x[0-9a-f]+|/\S+)", "", line)
    return f"{type(error).__name__}: {line}"


def outcome(function: Failure) -> str:
    """Give the first line of an error, or the result of a function that should fail and does not.

    Args:
        function: Raises an error, or returns what surprises.

    Returns:
        One line. What JAX prints meanwhile is left out.

    >>> outcome(failures()["dictionary_key"][0])
    "TypeError: unhashable type: 'DynamicJaxprTracer'"
    >>> outcome(lambda: 2)
    'No error: 2'
    """
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            return message(function)
        except AssertionError:
            return " ".join(f"No error: {function()}".split())


def failures() -> dict[str, tuple[Failure, Failure]]:
    """Collect the functions that fail, each with the one that works.

    Returns:
        By name, in the order of the modules in `_errors` and of the functions in a module.

    Raises:
        ValueError: If two modules have the same name.

    >>> [function.__name__ for function in failures()["list_index"]]
    ['list_index', 'list_index_fixed']
    """
    found: dict[str, tuple[Failure, Failure]] = {}
    for part in pkgutil.iter_modules(_errors.__path__):
        names = vars(importlib.import_module(f"_errors.{part.name}"))
        for name in [name for name in names if f"{name}_fixed" in names]:
            if name in found:
                raise ValueError(f"{name} is in two modules")
            found[name] = (names[name], names[f"{name}_fixed"])
    return found


def words(text: str) -> list[str]:
    """Keep the words of a message that are the same in every program.

    >>> words("IndexError: got slice(None, JitTracer(~int32[]), None) at position 0")
    ['IndexError', 'got', 'slice', 'at', 'position']
    """
    for pattern in CHANGING:
        before = ""
        while before != text:
            before, text = text, re.sub(pattern, " ", text)
    return re.findall(r"[A-Za-z_]+", text)


def likeness(text: str, other: str) -> float:
    """Say how much of the shorter text is in the longer one, from 0 to 1.

    >>> likeness("traced array with shape int32[]", "for a traced array with shape bool[3]")
    1.0
    """
    left, right = words(text), words(other)
    blocks = SequenceMatcher(None, left, right, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks) / max(1, min(len(left), len(right)))


def candidates(pasted: str) -> list[str]:
    """Find what may be a message in a pasted text.

    Args:
        pasted: A traceback, or any part of a message.

    Returns:
        The lines such as ``TypeError: ...``, and the first line; all of the text if there is no
        such line.

    >>> candidates("Traceback:\\n  f(x)\\njax.errors.SomeError: there is no value\\nSee the page.")
    ['SomeError: there is no value']
    """
    first = pasted.strip().partition("\n")[0]
    lines = re.findall(r"^(?:\w+\.)*(\w+(?:Error|Exception): .*)$", pasted, re.MULTILINE)
    return [line for line in [*lines, first] if len(words(line)) > 2] if lines else [pasted]


@functools.cache
def said(name: str) -> tuple[str, str]:
    """Give the first line and the whole message of an error, or nothing where there is no error.

    >>> said("dictionary_key")
    ("TypeError: unhashable type: 'DynamicJaxprTracer'", "unhashable type: 'DynamicJaxprTracer'")
    """
    function, _ = failures()[name]
    first = outcome(function)
    if first.startswith("No error"):
        return "", ""
    with contextlib.redirect_stdout(io.StringIO()):
        return first, str(raised(function))


def find(pasted: str) -> list[str]:
    """Find the errors with a message.

    Args:
        pasted: A message, a part of one, or a traceback.

    Returns:
        Names of the errors that say so, those with the most similar further lines first.

    >>> find("TypeError: unhashable type: 'DynamicJaxprTracer'")
    ['dictionary_key']
    """
    found = []
    for name in failures():
        first, whole = said(name)
        alike = max((likeness(text, first) for text in candidates(pasted)), default=0.0)
        if first and alike >= LIKE:
            found.append((-alike, -likeness(pasted, whole), name))
    best = min(found)[0] if found else 0.0
    return [name for alike, _, name in sorted(found) if alike <= best + 0.1]


def source(function: Failure) -> str:
    """Give the code of a function without its docstring.

    >>> print(source(failures()["boolean_mask"][0]))
    def boolean_mask() -> Any:
        @jax.jit
        def large(x: Any) -> Any:
            return x[x > 1].sum()
        return large(jnp.arange(4.0))
    """
    lines = textwrap.dedent(inspect.getsource(function)).rstrip().splitlines()
    [definition] = ast.parse("\n".join(lines)).body
    assert isinstance(definition, ast.FunctionDef)
    docstring = definition.body[0]
    kept = lines[: docstring.lineno - 1] + lines[docstring.end_lineno :]
    return re.sub(r"\n\n+", "\n", "\n".join(kept))


def explain(name: str) -> str:
    """Show one error, its code, the code that works, and its result."""
    function, fixed = failures()[name]
    parts = [outcome(function), source(function), source(fixed)]
    return "\n\n".join([*parts, f"{fixed.__name__}() = {fixed()}"])


def main(arguments: Sequence[str] | None = None) -> int:
    """Raise the errors, and show what they say.

    >>> main(["boolean_mask"])
    NonConcreteBooleanIndexError: Array boolean indices must be concrete; got bool[4]
    <BLANKLINE>
    def boolean_mask() -> Any:
        @jax.jit
        def large(x: Any) -> Any:
            return x[x > 1].sum()
        return large(jnp.arange(4.0))
    <BLANKLINE>
    def boolean_mask_fixed() -> Any:
        @jax.jit
        def large(x: Any) -> Any:
            return jnp.where(x > 1, x, 0).sum()
        return large(jnp.arange(4.0))
    <BLANKLINE>
    boolean_mask_fixed() = 5.0
    0
    """
    parser = command_line(__doc__)
    choice: Any = parser.add_mutually_exclusive_group()
    choice.add_argument("name", nargs="?", metavar="NAME", help="show this error only")
    choice.add_argument("--find", metavar="TEXT", help="show the errors that say this")
    options = parser.parse_args(arguments)

    known = failures()
    if options.find is not None:
        names = find(options.find)
        if not names:
            parser.error("--find: no error here says so; give the line that begins with its name")
        print("\n\n\n".join(explain(name) for name in names))
    elif options.name is None:
        for name, (function, _) in known.items():
            print(f"{name}\n    {outcome(function)}", flush=True)
    elif options.name in known:
        print(explain(options.name))
    else:
        parser.error(f"{options.name}: no such error; leave the name out to see all names")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
