"""Finds the old names of a file."""

import ast
import io
import re
import tokenize
import warnings
from dataclasses import dataclass

from _modernize.names import Names, Scope, dotted
from _modernize.rows import OWNERS, ROWS, Row

NAMES = {row.path: row for row in ROWS if "(" not in row.old and not row.owner}
CALLS = [row for row in ROWS if "(" in row.old and not row.owner]
ATTRIBUTES = {row.path.rpartition(".")[2]: row for row in ROWS if row.owner}


@dataclass(frozen=True)
class Source:
    """A file's text.

    Attributes:
        text: As it is, with its line ends.
        encoding: Of the file.
        code: The same lines with what is not Python taken out.
        pasted: Whether it has prompts such as ``>>>``.
    """

    text: str
    encoding: str
    code: str
    pasted: bool


@dataclass(frozen=True)
class Finding:
    """An old name at a place.

    Attributes:
        line: From 1.
        row: What is known of the name.
        node: Where it stands.
        path: What stands there in full, such as ``jax.experimental.stax.Dense``.
        scope: Where the names beside it are looked up.
    """

    line: int
    row: Row
    node: ast.AST
    path: str
    scope: Scope


def parses(code: str) -> bool:
    """Tell whether code is Python; its faults and warnings are not shown."""
    try:
        parse(code)
    except SyntaxError:
        return False
    return True


def parse(code: str) -> ast.Module:
    """Parse code without the warnings about it.

    Raises:
        SyntaxError: If it is not Python, or too deeply nested.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(code)
        except (ValueError, RecursionError, MemoryError) as error:
            raise SyntaxError(str(error) or "too deeply nested") from None


def read(data: bytes) -> Source:
    """Decode a file, and leave out notebooks' magic lines and prompts where it has any.

    Raises:
        SyntaxError: If it is not Python then, either.
        UnicodeDecodeError: If it is not a text.

    >>> read(b"%matplotlib inline\\nx = 1").code
    '0                 \\nx = 1'
    >>> read(b">>> x = 1\\n>>> x\\n1").code
    'x = 1\\nx\\n'
    """
    lines_only = re.sub(rb"\r\n?", b"\n", data)
    encoding, _ = tokenize.detect_encoding(io.BytesIO(lines_only).readline)
    text = data.decode(encoding)
    if text.lstrip().startswith("{") and '"cells"' in text:
        raise SyntaxError("a notebook; save it as a Python file first")
    lines = re.split(r"(\r\n|\r|\n)", text)  # every second one is a line end
    pasted = any(line.lstrip().startswith(">>>") for line in lines)
    if parses(text):
        return Source(text, encoding, text, False)
    for number, line in enumerate(lines):
        if number % 2:
            continue
        if pasted:
            prompt = re.match(r"\s*(?:>>>|\.\.\.)(?: |$)", line)
            lines[number] = line[prompt.end() :] if prompt else ""
        else:
            magic = re.match(r"\s*(?=[%!])", line)  # a line of the same length takes its place
            lines[number] = f"{magic.group()}0".ljust(len(line)) if magic else line
    code = "".join(lines)
    parse(code)
    return Source(text, encoding, code, pasted)


def known(path: str) -> Row | None:
    """Look up the longest old name that a path begins with.

    >>> known("jax.experimental.stax.Dense").new
    'jax.example_libraries.stax'
    """
    parts = path.split(".")
    for count in range(len(parts), 0, -1):
        row = NAMES.get(".".join(parts[:count]))
        if row:
            return row
    return None


def modules(node: ast.AST) -> list[str]:
    """List the full paths that an import names.

    >>> modules(ast.parse("from jax import grad, ops").body[0])
    ['jax.grad', 'jax.ops']
    """
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and not node.level:
        return [f"{node.module}.{alias.name}" for alias in node.names]
    return []


def inside(path: str, module: str) -> bool:
    """Tell whether a path is a module's, or the module itself."""
    return f"{path}.".startswith(f"{module}.")


def imports(packages: list[str], package: str) -> bool:
    """Tell whether a file imports a package, or something of it."""
    return any(inside(path, package) for path in packages)


def uses(names: Names, node: ast.AST, scope: Scope, packages: list[str]) -> list[tuple[Row, str]]:
    """Look one place up: which old names does it use, and with which full path?"""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return [(row, path) for path in modules(node) if (row := known(path))]
    call = node if isinstance(node, ast.Call) else None
    spoken, skip = call.func if call else node, 0
    if call and names.path(spoken, scope) == "functools.partial" and call.args:
        spoken, skip = call.args[0], 1
    path = names.path(spoken, scope)
    if call and path:
        return [(row, path) for row in CALLS if row.path == path and row.fits(call, skip)]
    if path:
        row = known(path)
        chain = dotted(node)
        root = names.path(ast.copy_location(ast.Name(chain[0]), node), scope)
        # Where the import is renamed, its uses stay. Not so after `from jax import *`.
        named = inside(root, row.path) and chain[0] in names.bound if row else False
        return [(row, path)] if row and not (row.change == "rename" and named) else []
    parts = (dotted(spoken) or ["", *[getattr(spoken, "attr", "")]])[1:]
    rows = [ATTRIBUTES.get(part) for part in (parts[-1:] if call else parts)]
    return [
        (row, row.path)
        for row in rows
        if row and ("(" in row.old) == bool(call) and row.fits(call)
        if imports(packages, OWNERS[row.owner])
    ]


def find(code: str) -> list[Finding]:
    """Find the old names in code, in the order of lines.

    Args:
        code: A module.

    Returns:
        Every place. The uses of an imported name are left out where it is enough to
        change the import.

    Raises:
        SyntaxError: If it is not Python.

    >>> [(at.line, at.row.old) for at in find("import jax as j\\nj.tree_map(f, x)")]
    [(2, 'jax.tree_map')]
    """
    names = Names(parse(code))
    packages = [path for node, _ in names.places for path in modules(node)]
    found = []
    for node, scope in names.places:
        line = getattr(node, "end_lineno" if isinstance(node, ast.Attribute) else "lineno", 0)
        for row, path in uses(names, node, scope, packages):
            found.append(Finding(line, row, node, path, scope))
    return sorted(found, key=lambda finding: finding.line)
