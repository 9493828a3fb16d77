"""Finds the old names of a file with libcst, which follows imports by Python's rules of scope."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace

import libcst as cst
import libcst.matchers as m
from _modernize.rows import ROWS, Row
from libcst.metadata import MetadataWrapper, PositionProvider, QualifiedNameProvider
from libcst.metadata import QualifiedNameSource as Source

NAMES = {row.path: row for row in ROWS if not row.form and not row.old.startswith("import ")}
IMPORTS = {row.path: row for row in ROWS if row.old.startswith("import ")}
CALLS = [row for row in ROWS if row.form]
MODULES = {path for path in NAMES if any(other.startswith(f"{path}.") for other in NAMES)}
METHODS = ("jax.Array", "flax.core.FrozenDict", "flax.nnx.Optimizer", "flax.nnx.Variable",
           "flax.optim.Optimizer")  # fmt: skip
# The usual names of parameters in NNX layers.
PARAMETERS = {"bias", "embedding", "kernel", "scale"}


@dataclass(frozen=True)
class Finding:
    """An old name at a place.

    Attributes:
        line: From 1.
        row: What happened to the name.
        node: Where it stands.
        path: What stands there in full, such as ``jax.experimental.stax.Dense``.
    """

    line: int
    row: Row
    node: cst.CSTNode
    path: str


def dotted(node: cst.BaseExpression | None) -> str:
    """Write ``a.b.c``; empty for any other expression.

    >>> dotted(cst.parse_expression("a.b.c")), dotted(cst.parse_expression("a().b"))
    ('a.b.c', '')
    """
    if isinstance(node, cst.Name):
        return node.value
    if isinstance(node, cst.Attribute) and dotted(node.value):
        return f"{dotted(node.value)}.{node.attr.value}"
    return ""


def inside(path: str, module: str) -> bool:
    """Tell whether a path is a module's, or the module itself."""
    return f"{path}.".startswith(f"{module}.")


def lookup(path: str) -> Row | None:
    """Look up the longest old name that a path begins with.

    A name of a module that moved, but that is not in the new module, has no successor.

    >>> lookup("jax.experimental.stax.Dense").new
    'jax.example_libraries.stax.Dense'
    >>> lookup("jax.api._argnums_partial").new
    ''
    """
    parts = path.split(".")
    for count in range(len(parts), 0, -1):
        start = ".".join(parts[:count])
        row = NAMES.get(start)
        if row and start in MODULES and count < len(parts):
            new = "" if row.change == "rename" else row.new
            return replace(row, old=".".join(parts[: count + 1]), new=new, change="rewrite")
        if row:
            return row
    return None


def renamed(path: str) -> str:
    """Give the new path of an old one; the same if it is not a pure renaming.

    >>> renamed("jax.experimental.stax.Dense"), renamed("jax.ops.index_add")
    ('jax.example_libraries.stax.Dense', 'jax.ops.index_add')
    """
    row = lookup(path)
    return row.new + path[len(row.path) :] if row and row.change == "rename" else path


def imported(node: cst.Import | cst.ImportFrom) -> list[tuple[str, str]]:
    """List the local names and full paths of an import; ``*`` and the module for a star.

    >>> imported(cst.parse_statement("from jax import grad, ops as o").body[0])
    [('grad', 'jax.grad'), ('o', 'jax.ops')]
    """
    if isinstance(node, cst.ImportFrom):
        module = dotted(node.module)
        if node.relative or not module:
            return []
        if isinstance(node.names, cst.ImportStar):
            return [("*", module)]
        paths = [(alias, f"{module}.{alias.evaluated_name}") for alias in node.names]
    else:
        paths = [(alias, alias.evaluated_name) for alias in node.names]
    return [(alias.evaluated_alias or alias.evaluated_name, path) for alias, path in paths]


def fits(form: str, arguments: Sequence[cst.Arg], *, partial: bool = False) -> bool:
    """Tell whether the arguments of a call have the form that a row names.

    >>> call = cst.parse_expression("jax.jit(f, 1)")
    >>> fits("(f, 1)", call.args), fits("(backend=)", call.args), fits("()", call.args)
    (True, False, False)
    """
    form = form[1:-1]
    if form.endswith("="):
        return any(argument.keyword and argument.keyword.value == form[:-1]
                   for argument in arguments)  # fmt: skip
    first = arguments[0].value if arguments and not arguments[0].star else None
    if form == "[]":
        return isinstance(first, cst.List | cst.Tuple | cst.ListComp)
    if form == "{}":
        return isinstance(first, cst.Dict)
    if form.startswith('"'):
        text = first.evaluated_value if isinstance(first, cst.SimpleString) else None
        return bool(text == ast.literal_eval(form))
    plain = all(not argument.keyword and not argument.star for argument in arguments)
    return bool(plain and not partial and len(arguments) == len(form.split(",")) * bool(form))


class Finder(cst.CSTVisitor):
    """Collects what a file uses, then looks each place up."""

    METADATA_DEPENDENCIES = (QualifiedNameProvider, PositionProvider)

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.places: list[cst.Name | cst.Attribute | cst.Call | cst.Import | cst.ImportFrom] = []
        self.assigned: list[tuple[cst.BaseExpression, cst.BaseExpression]] = []
        self.annotated: list[tuple[cst.BaseExpression, cst.BaseExpression]] = []
        self.unpacked: set[cst.BaseExpression] = set()
        self.freezes = False
        self.stars: list[str] = []
        self.packages: set[str] = set()
        self.aliases: dict[str, str] = {}
        self.origins: dict[str, set[str]] = {}
        self.tries: list[list[Sequence[cst.CSTNode]]] = []

    # What is collected.

    def visit_Name(self, node: cst.Name) -> None:
        self.places.append(node)

    def visit_Attribute(self, node: cst.Attribute) -> bool:
        self.places.append(node)
        if not dotted(node):
            node.value.visit(self)
        return False

    def visit_Call(self, node: cst.Call) -> None:
        self.places.append(node)

    def visit_Arg(self, node: cst.Arg) -> bool:
        node.value.visit(self)  # the name of an argument is not a use
        return False

    def visit_Import(self, node: cst.Import | cst.ImportFrom) -> bool:
        self.places.append(node)
        pairs = imported(node)
        self.packages |= {path for _, path in pairs}
        self.stars += [path for name, path in pairs if name == "*"]
        return False

    visit_ImportFrom = visit_Import

    def visit_Assign(self, node: cst.Assign) -> None:
        for target in node.targets:
            if isinstance(target.target, cst.Tuple):
                self.unpacked.add(node.value)
            if dotted(target.target):
                self.assigned.append((target.target, node.value))

    def visit_AnnAssign(self, node: cst.AnnAssign) -> None:
        self.annotated.append((node.target, node.annotation.annotation))

    def visit_Param(self, node: cst.Param) -> None:
        if node.annotation:
            self.annotated.append((node.name, node.annotation.annotation))

    def visit_Try(self, node: cst.Try) -> None:
        imports = m.Import() | m.ImportFrom()
        types = [handler.type for handler in node.handlers]
        first = [item.elements[0].value if isinstance(item, cst.Tuple) else item for item in types]
        caught = [dotted(item) for item in first]
        if set(caught) & {"", "AttributeError", "Exception", "ImportError", "ModuleNotFoundError"}:
            blocks = [node.body, *(handler.body for handler in node.handlers)]
            self.tries.append([m.findall(block, imports) for block in blocks])

    # What it means.

    def path(self, node: cst.BaseExpression) -> str:
        """Tell the full path of ``a.b.c``; empty if ``a`` is not imported."""
        name = dotted(node)
        if not name:
            return ""
        qualified = self.get_metadata(QualifiedNameProvider, node, set())
        paths = sorted(item.name for item in qualified if item.source is Source.IMPORT)
        if paths:  # after `try: import new; except ImportError: import old`, the new one counts
            best = min(paths, key=lambda path: lookup(path) is not None)
            return "" if best.startswith(".") else best  # a module beside the file
        for item in qualified:
            for alias, path in self.aliases.items():
                if inside(item.name, alias):
                    return path + item.name[len(alias) :]
        return f"{self.stars[-1]}.{name}" if self.stars and not qualified else ""

    def origin(self, node: cst.BaseExpression) -> set[str]:
        """Tell which calls or types an expression may come from.

        A function is given by its path, a method by its name, such as ``.init``.
        """
        if isinstance(node, cst.Subscript):
            return self.origin(node.value)
        if isinstance(node, cst.Call):
            method = isinstance(node.func, cst.Attribute) and f".{node.func.attr.value}"
            return {self.path(node.func) or method or ""}
        return {self.path(node)} if self.path(node) else self.origins.get(dotted(node), set())

    def imports(self, package: str) -> bool:
        """Tell whether the file imports a package, or something of it."""
        return any(inside(path, package) for path in self.packages)

    def belongs(self, owner: str, access: cst.Attribute, call: cst.Call | None) -> bool:
        """Tell whether the object with an old attribute is of the owner's type.

        Types are not known before the code runs, so the file's imports, assignments and
        annotations are the evidence.
        """
        origin = self.origin(access.value)
        name = dotted(access.value).rpartition(".")[2]
        if not self.imports(owner.split(".")[0]):
            return False
        if owner == "flax.core.FrozenDict":
            arguments = [argument.value for argument in call.args] if call else []
            given = bool(arguments) and isinstance(arguments[0], cst.Dict)
            unpacked = call in self.unpacked and not self.freezes
            return bool(origin & {".init", ".init_with_output"}) or unpacked or given
        if owner == "flax.nnx.Optimizer":
            return owner in origin
        if owner == "flax.nnx.Variable":
            variables = any(inside(path, "flax.nnx") and path[9:10].isupper() for path in origin)
            return self.imports("flax.nnx") and (variables or name in PARAMETERS)
        if owner == "flax.optim.Optimizer":
            used = any(inside(self.path(place), "flax.optim") for place in self.places
                       if isinstance(place, cst.Name | cst.Attribute))  # fmt: skip
            return access.attr.value == "apply_gradient" or (
                used and ("opt" in name.lower() or ".create" in origin)
            )
        return True

    def attributes(self, access: cst.Attribute, call: cst.Call | None) -> list[tuple[Row, str]]:
        """Look an attribute up that is not a module's."""
        rows = []
        for row in ROWS:
            owner, _, name = row.path.rpartition(".")
            if owner in METHODS and name == access.attr.value and bool(row.form) == bool(call):
                formed = call is None or fits(row.form, call.args)
                if formed and self.belongs(owner, access, call):
                    rows.append((row, row.path))
        return rows

    def uses(self, node: cst.CSTNode) -> list[tuple[Row, str]]:
        """Look one place up: which old names does it use, and with which full path?"""
        if isinstance(node, cst.Import | cst.ImportFrom):
            paths = [path for _, path in imported(node)]
            whole = isinstance(node, cst.Import)
            modules = [path if whole else path.rpartition(".")[0] for path in paths]
            pairs = zip(paths, modules, strict=True)
            return [(row, path) for path, module in pairs
                    if (row := lookup(path) or IMPORTS.get(module))]  # fmt: skip
        if isinstance(node, cst.Call):
            function, partial = node.func, False
            if self.path(function) == "functools.partial" and node.args:
                function, partial = node.args[0].value, True
            path = self.path(function)
            if path:
                arguments = node.args[1:] if partial else node.args
                return [(row, path) for row in CALLS if row.path == renamed(path)
                        and fits(row.form, arguments, partial=partial)]  # fmt: skip
            return self.attributes(function, node) if isinstance(function, cst.Attribute) else []
        if not isinstance(node, cst.Name | cst.Attribute):
            return []
        path = self.path(node)
        if path:
            row = lookup(path)
            again = lookup(renamed(path))  # what a renamed module no longer has
            if again and again.broken:
                return [(again, renamed(path))]
            return [(row, path)] if row and not self.follows(node, path, row) else []
        rows = []
        inner: cst.BaseExpression = node
        while isinstance(inner, cst.Attribute):
            rows += self.attributes(inner, None)
            inner = inner.value if dotted(inner) else inner.attr
        return rows

    def follows(self, node: cst.BaseExpression, path: str, row: Row) -> bool:
        """Tell whether a use needs no change of its own, because the import is renamed."""
        root = node
        while isinstance(root, cst.Attribute):
            root = root.value
        start = self.path(root)
        moved = renamed(start)
        return (row.change == "rename" and moved != start and self.imports(start)
                and renamed(path) == moved + path[len(start) :])  # fmt: skip

    def leave_Module(self, original_node: cst.Module) -> None:
        for target, value in self.assigned:
            if self.path(value) and not lookup(self.path(value)):
                for item in self.get_metadata(QualifiedNameProvider, target, set()):
                    self.aliases[item.name] = self.path(value)
        for target, value in [*self.assigned, *self.annotated]:
            self.origins.setdefault(dotted(target), set()).update(self.origin(value))
        self.freezes = any(self.path(node).endswith(".freeze") for node in self.places
                           if isinstance(node, cst.Name | cst.Attribute))  # fmt: skip
        alternatives = {node for parts in self.tries
                        if any(part and not any(map(self.uses, part)) for part in parts)
                        for part in parts for node in part}  # fmt: skip
        for node in self.places:
            if node in alternatives:
                continue
            for row, path in self.uses(node):
                position = self.get_metadata(PositionProvider, node)
                here = position.end if isinstance(node, cst.Attribute) else position.start
                self.findings.append(Finding(here.line, row, node, path))
        self.findings.sort(key=lambda finding: finding.line)


def find(code: str) -> tuple[list[Finding], MetadataWrapper]:
    """Find the old names in code, in the order of lines.

    Args:
        code: A module.

    Returns:
        Every place, and libcst's view of the module. The uses of an imported name are left out
        where it is enough to change the import.

    >>> [(at.line, at.row.old) for at in find("import jax as j\\nj.tree_map(f, x)")[0]]
    [(2, 'jax.tree_map')]
    """
    wrapper = MetadataWrapper(cst.parse_module(code), unsafe_skip_copy=True)
    finder = Finder()
    wrapper.visit(finder)
    return finder.findings, wrapper
