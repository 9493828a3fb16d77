"""Tries old and new code, as the page and the tests do for each row."""

import ast
import warnings
from typing import Any


def run(code: str, scope: dict[str, Any]) -> object:
    """Run code; the value of its last line is the result."""
    body = ast.parse(code).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), "<row>", "exec"), scope)
    return eval(ast.unparse(last), scope) if last else None


def outcome(code: str, scope: dict[str, Any]) -> tuple[str, str, object]:
    """Run code, and tell what happened: an error ``x``, a warning ``!``, or neither ``=``.

    Args:
        code: Statements, perhaps with an expression as the last one.
        scope: The names that the code may use.

    Returns:
        The sign, the first line of the message, and the value of the last line.

    >>> outcome("len([])", {}), outcome("[].length", {})[:2]
    (('=', '', 0), ('x', "AttributeError: 'list' object has no attribute 'length'"))
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value, message, sign = run(code, scope), "", "="
        except Exception as error:
            value, message, sign = None, f"{type(error).__name__}: {error}", "x"
    if caught and sign == "=":
        sign, message = "!", f"{caught[0].category.__name__}: {caught[0].message}"
    return sign, message.strip().split("\n")[0], value
