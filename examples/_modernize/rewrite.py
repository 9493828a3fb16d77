"""Changes what is a pure renaming, and nothing else in a file, byte for byte."""

import ast
import re
from collections import Counter

from _modernize.find import Finding, Source, find, inside, known, modules, read
from _modernize.names import Names, Scope, dotted

# What `import jax`, `import flax` and `import optax` bring with them.
LOADED = {"jax", "jax.core", "jax.errors", "jax.lax", "jax.nn", "jax.numpy", "jax.random",
          "jax.sharding", "jax.tree", "jax.tree_util", "flax", "flax.linen",
          "optax", "optax.contrib", "optax.tree"}  # fmt: skip

Edit = tuple[int, int, str]  # from, to, what stands there then


class Lines:
    """Where a place of the syntax tree is in the text: there, columns count bytes."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+", text)
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))

    def at(self, line: int, column: int) -> int:
        before = self.lines[line - 1].encode()[:column]
        return self.starts[line - 1] + len(before.decode())

    def span(self, node: ast.expr | ast.stmt | ast.alias) -> tuple[int, int]:
        end_line, end_column = node.end_lineno or 0, node.end_col_offset or 0
        return self.at(node.lineno, node.col_offset), self.at(end_line, end_column)


def renamed(path: str) -> str:
    """Give the new path of an old one; the same if it is not a pure renaming.

    >>> renamed("jax.experimental.stax.Dense"), renamed("jax.ops.index_add")
    ('jax.example_libraries.stax.Dense', 'jax.ops.index_add')
    """
    row = known(path)
    return row.new + path[len(row.path) :] if row and row.change == "rename" else path


def from_import(lines: Lines, node: ast.ImportFrom) -> Edit | None:
    """Write `from a import b` anew; None where a comment or a line break is in the way."""
    start, end = lines.span(node)
    text = lines.text[start:end]
    groups: dict[str, list[str]] = {}
    for alias, path in zip(node.names, modules(node), strict=True):
        module, _, name = renamed(path).rpartition(".")
        local = alias.asname or alias.name
        if not module or alias.name == "*":
            return None
        groups.setdefault(module, []).append(name if name == local else f"{name} as {local}")
    same_names = all(renamed(path).endswith(f".{alias.name}")
                     for alias, path in zip(node.names, modules(node), strict=True))  # fmt: skip
    if len(groups) == 1 and same_names:
        head = re.match(rf"from\s+{re.escape(node.module or '')}(?=\s)", text)
        return (start, start + head.end(), f"from {next(iter(groups))}") if head else None
    if re.search(r"[\r\n#\\]", text):
        return None
    whole = lines.lines[node.lineno - 1]
    before = whole.encode()[: node.col_offset].decode()
    after = whole.encode()[node.end_col_offset :].decode()
    line_end = whole[len(whole.rstrip("\r\n")) :] or "\n"
    alone = not before.strip() and re.match(r"\s*(#|$)", after)
    between = line_end + before if alone else "; "
    statements = [f"from {module} import {', '.join(names)}" for module, names in groups.items()]
    return start, end, between.join(statements)


def plain_import(lines: Lines, node: ast.Import) -> list[Edit]:
    """Write the modules of `import a.b` anew."""
    edits: list[Edit] = []
    for alias in node.names:
        start, _ = lines.span(alias)
        new = renamed(alias.name)
        same_root = alias.asname or new.split(".")[0] == alias.name.split(".")[0]
        if new != alias.name and same_root and lines.text[start:].startswith(alias.name):
            edits.append((start, start + len(alias.name), new))
    return edits


def spelling(names: Names, scope: Scope, node: ast.expr, new: str, loaded: set[str]) -> str:
    """Say a new path with a name that the file has at this place; empty if it has none."""
    module = new.rpartition(".")[0] or new
    here = (node.lineno, node.col_offset)
    own = dotted(node)[0]
    others = sorted(names.module.bindings, key=len)
    for name in [own, *others]:
        path = names.look(name, scope, here)
        if path and inside(new, path) and (inside(path, module) or module in loaded):
            return name + new[len(path) :]
    return ""


def chain_edit(names: Names, lines: Lines, finding: Finding, loaded: set[str]) -> Edit | None:
    """Write `a.b.c` anew; None if the file has no name for the new place."""
    node = finding.node
    if not isinstance(node, ast.Attribute | ast.Name) or finding.row.owner:
        return None
    for _ in range(finding.path.count(".") - finding.row.path.count(".")):
        if not isinstance(node, ast.Attribute):
            return None
        node = node.value
    start, end = lines.span(node)
    new = spelling(names, finding.scope, node, finding.row.new, loaded)
    plain = lines.text[start:end] == ".".join(dotted(node))
    return (start, end, new) if new and plain else None


def edits_for(code: str) -> list[tuple[Finding, list[Edit]]]:
    """Plan the change for each old name in code; an empty list where it is left."""
    names, lines = Names(ast.parse(code)), Lines(code)
    findings = find(code)
    loaded = {*LOADED}
    for path in [renamed(path) for node, _ in names.places for path in modules(node)
                 if isinstance(node, ast.Import)]:  # fmt: skip
        parts = path.split(".")
        loaded |= {".".join(parts[: count + 1]) for count in range(len(parts))}
    planned = []
    for finding in findings:
        edits: list[Edit] = []
        if finding.row.change == "rename":
            if isinstance(finding.node, ast.ImportFrom):
                edit = from_import(lines, finding.node)
                edits = [edit] if edit else []
            elif isinstance(finding.node, ast.Import):
                edits = plain_import(lines, finding.node)
            else:
                edit = chain_edit(names, lines, finding, loaded)
                edits = [edit] if edit else []
        planned.append((finding, edits))
    return planned


def rewrite(source: Source) -> tuple[str, list[Finding], list[Finding]]:
    """Change what is a pure renaming.

    Args:
        source: A file's text. Nothing is changed in what was pasted with its prompts.

    Returns:
        The new text, the names that were changed, and those that are left in the new text.

    Raises:
        ValueError: If the new text would not be what was planned; this is a mistake of this code.

    >>> from _modernize.find import read
    >>> print(rewrite(read(b"import jax\\ny = jax.tree_map(f, x)  # jax.tree_map"))[0])
    import jax
    y = jax.tree.map(f, x)  # jax.tree_map
    """
    if source.pasted:
        return source.text, [], find(source.code)
    planned = edits_for(source.code)
    text = source.text
    for start, end, new in sorted({edit for _, edits in planned for edit in edits}, reverse=True):
        text = text[:start] + new + text[end:]
    after = find(read(text.encode(source.encoding)).code)
    left = Counter(finding.row.old for finding, edits in planned if not edits)
    if Counter(finding.row.old for finding in after) != left:
        raise ValueError("the changes do not fit together")
    return text, [finding for finding, edits in planned if edits], after
