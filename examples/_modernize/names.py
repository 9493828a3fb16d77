"""What the names in code stand for, by Python's rules of scope, without running the code."""

import ast
from dataclasses import dataclass, field

Position = tuple[int, int]  # line from 1, column in bytes
LATER = (2**60, 0)

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def imported(node: ast.AST) -> dict[str, str]:
    """Tell which names an import makes, and what they stand for.

    >>> imported(ast.parse("import jax.numpy as jnp, optax").body[0])
    {'jnp': 'jax.numpy', 'optax': 'optax'}
    >>> imported(ast.parse("from jax import random as r").body[0])
    {'r': 'jax.random'}
    """
    if isinstance(node, ast.Import):
        named = [(alias.asname, alias.name) for alias in node.names]
        return {short or path.split(".")[0]: path if short else path.split(".")[0]
                for short, path in named}  # fmt: skip
    if isinstance(node, ast.ImportFrom) and not node.level:
        return {alias.asname or alias.name: f"{node.module}.{alias.name}"
                for alias in node.names}  # fmt: skip
    return {}


def dotted(node: ast.AST) -> list[str]:
    """Take ``a.b.c`` apart; nothing comes of what does not begin with a name.

    >>> dotted(ast.parse("jax.tree.map", mode="eval").body)
    ['jax', 'tree', 'map']
    """
    parts = list[str]()
    while isinstance(node, ast.Attribute):
        parts, node = [node.attr, *parts], node.value
    return [node.id, *parts] if isinstance(node, ast.Name) else []


@dataclass
class Binding:
    """A name gets a value: an import's path, another name's value, or something unknown."""

    position: Position  # from here on
    path: str = ""
    value: ast.expr | None = None
    fallback: bool = False  # in an except clause


@dataclass
class Scope:
    """Where names are looked up."""

    kind: str  # "module", "class", "function" or "comprehension"
    parent: "Scope | None" = None
    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    outer: set[str] = field(default_factory=set)  # global and nonlocal names
    stars: list[str] = field(default_factory=list)  # modules of which everything is imported


class Names(ast.NodeVisitor):
    """Reads a module's scopes; then ``path`` tells what a name or a chain of names stands for."""

    def __init__(self, module: ast.Module) -> None:
        self.scope = self.module = Scope("module")
        self.places: list[tuple[ast.AST, Scope]] = []  # what may hold an old name
        self.handlers = 0
        self.bound: set[str] = set()  # by an import, anywhere
        self.visit(module)

    def bind(self, name: str, node: ast.AST, path: str = "", value: ast.expr | None = None) -> None:
        position = (getattr(node, "end_lineno", 0), getattr(node, "end_col_offset", 0))
        binding = Binding(position, path, value, self.handlers > 0)
        self.scope.bindings.setdefault(name, []).append(binding)

    def inside(self, kind: str, nodes: list[ast.AST], arguments: list[ast.arg]) -> None:
        before, handlers = self.scope, self.handlers
        self.scope, self.handlers = Scope(kind, before), 0
        for argument in arguments:
            self.bind(argument.arg, argument)
        for node in nodes:
            self.visit(node)
        self.scope, self.handlers = before, handlers

    def function(self, node: Function) -> None:
        found = node.args
        every = [*found.posonlyargs, *found.args, *found.kwonlyargs]
        every += [argument for argument in (found.vararg, found.kwarg) if argument]
        outside = [
            *found.defaults,
            *found.kw_defaults,
            *(argument.annotation for argument in every),
        ]
        if not isinstance(node, ast.Lambda):
            outside += [*node.decorator_list, node.returns]
            self.bind(node.name, node)
        for part in outside:
            if part:
                self.visit(part)
        body: list[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else [*node.body]
        self.inside("function", body, every)

    visit_FunctionDef = visit_AsyncFunctionDef = visit_Lambda = function

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for part in [*node.bases, *node.keywords, *node.decorator_list]:
            self.visit(part)
        self.bind(node.name, node)
        self.inside("class", [*node.body], [])

    def comprehension(self, node: Comprehension) -> None:
        first, *others = node.generators
        self.visit(first.iter)
        parts: list[ast.AST] = [first.target, *first.ifs, *others]
        parts += [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        self.inside("comprehension", parts, [])

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = comprehension

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.visit(node.value)
        before = self.scope
        while self.scope.kind == "comprehension" and self.scope.parent:
            self.scope = self.scope.parent
        self.bind(node.target.id, node)
        self.scope = before

    def visit_Assign(self, node: ast.Assign) -> None:
        self.visit(node.value)
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.bind(target.id, node, value=node.value)
            else:
                self.visit(target)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        self.handlers += 1
        if node.name:
            self.bind(node.name, node)
        self.generic_visit(node)
        self.handlers -= 1

    def visit_Global(self, node: ast.Global | ast.Nonlocal) -> None:
        self.scope.outer |= {*node.names}

    visit_Nonlocal = visit_Global

    def pattern(self, node: ast.MatchAs | ast.MatchStar | ast.MatchMapping) -> None:
        name = node.rest if isinstance(node, ast.MatchMapping) else node.name
        if name:
            self.bind(name, node)
        self.generic_visit(node)

    visit_MatchAs = visit_MatchStar = visit_MatchMapping = pattern

    def imports(self, node: ast.Import | ast.ImportFrom) -> None:
        self.places.append((node, self.scope))
        for name, path in imported(node).items():
            if name == "*":
                self.scope.stars.append(path.removesuffix(".*"))
            else:
                self.bind(name, node, path)
                self.bound.add(name)
        if isinstance(node, ast.ImportFrom) and node.level:  # a module beside the file
            for alias in node.names:
                self.bind(alias.asname or alias.name, node)

    visit_Import = visit_ImportFrom = imports

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self.places.append((node, self.scope))
        else:
            self.bind(node.id, node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self.places.append((node, self.scope))
        if not dotted(node):
            self.visit(node.value)

    def visit_Call(self, node: ast.Call) -> None:
        self.places.append((node, self.scope))
        self.generic_visit(node)

    def look(self, name: str, scope: Scope, position: Position) -> str:
        """Tell the path of what a name stands for at a position; empty if it is not imported."""
        here: Scope | None = scope
        stars: list[str] = []
        while here:
            skipped = name in here.outer or (here.kind == "class" and here is not scope)
            if name in here.bindings and not skipped:
                known = here.bindings[name]
                known = [binding for binding in known if not binding.fallback] or known
                earlier = [binding for binding in known if binding.position < position]
                binding = (earlier or known[:1])[-1]
                chain = dotted(binding.value) if binding.value else []
                if chain and binding.value and earlier:
                    start = (binding.value.lineno, binding.value.col_offset)
                    root = self.look(chain[0], here, start)
                    return ".".join([root, *chain[1:]]) if root else ""
                return binding.path
            stars += here.stars
            if here.kind == "function":
                position = LATER  # a function runs after what stands below it
            here = here.parent
        return f"{stars[-1]}.{name}" if stars else ""

    def path(self, node: ast.AST, scope: Scope) -> str:
        """Tell the path of ``a.b.c``; empty if ``a`` is not imported.

        >>> module = ast.parse("from jax import numpy as jnp\\njnp.sum")
        >>> Names(module).path(module.body[1].value, Names(module).module)
        'jax.numpy.sum'
        """
        chain = dotted(node)
        if not chain:
            return ""
        root = self.look(chain[0], scope, (getattr(node, "lineno", 0), node.col_offset))  # type: ignore[attr-defined]
        return ".".join([root, *chain[1:]]) if root else ""
