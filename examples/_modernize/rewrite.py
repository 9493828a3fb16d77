"""Changes what is a pure renaming with libcst, and nothing else in a file, byte for byte."""

from collections import Counter
from collections.abc import Sequence

import libcst as cst
from _modernize.find import Finding, dotted, find, imported, inside, renamed
from _modernize.source import Source, read
from libcst.metadata import ImportAssignment, ScopeProvider

# What `import jax`, `import flax` and `import optax` bring with them.
LOADED = {"jax", "jax.core", "jax.errors", "jax.lax", "jax.nn", "jax.numpy", "jax.random",
          "jax.sharding", "jax.tree", "jax.tree_util", "flax", "flax.linen",
          "optax", "optax.contrib", "optax.tree"}  # fmt: skip


class Renamer(cst.CSTTransformer):
    """Renames what is old, where the file has a name for the new place."""

    METADATA_DEPENDENCIES = (ScopeProvider,)

    def __init__(self, findings: list[Finding], module: cst.Module) -> None:
        super().__init__()
        self.module = module
        self.done: list[Finding] = []
        self.planned: dict[cst.CSTNode, list[Finding]] = {}
        for finding in findings:
            if finding.row.change == "rename":
                self.planned.setdefault(finding.node, []).append(finding)
        imports = Imports()
        module.visit(imports)
        self.local = {name: renamed(path) for name, path in imports.local.items()}
        self.loaded = LOADED | imports.loaded
        self.replaced: dict[cst.CSTNode, cst.BaseExpression] = {}

    def spelling(self, node: cst.BaseExpression, root: str, new: str) -> str:
        """Say a new path with a name that the file has at this place; empty if it has none."""
        module = new.rpartition(".")[0] or new
        scope = self.get_metadata(ScopeProvider, node)
        for name in [root, *sorted(self.local, key=len)]:
            path = self.local.get(name, "")
            there = inside(path, module) or module in self.loaded
            bound = scope[name] if scope and path else ()
            ours = bool(bound) and all(isinstance(item, ImportAssignment) for item in bound)
            if ours and inside(new, path) and there:
                return name + new[len(path) :]
        return ""

    def chain(self, node: cst.Name | cst.Attribute) -> bool:
        """Plan the change of ``a.b.c``, or of its beginning."""
        for finding in self.planned.get(node, []):
            old: cst.BaseExpression = node
            for _ in range(finding.path.count(".") - finding.row.path.count(".")):
                old = old.value if isinstance(old, cst.Attribute) else old
            plain = self.module.code_for_node(old) == dotted(old)
            new = self.spelling(node, dotted(node).split(".")[0], finding.row.new)
            if new and plain:
                self.replaced[old] = cst.parse_expression(new)
                self.done.append(finding)
        return True

    visit_Name = visit_Attribute = chain

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        return self.replaced.get(original_node, updated_node)

    def leave_Attribute(
        self, original_node: cst.Attribute, updated_node: cst.Attribute
    ) -> cst.BaseExpression:
        return self.replaced.get(original_node, updated_node)

    def visit_ImportAlias(self, node: cst.ImportAlias) -> bool:
        return False

    def leave_Import(self, original_node: cst.Import, updated_node: cst.Import) -> cst.Import:
        aliases = []
        for alias in updated_node.names:
            old, new = alias.evaluated_name, renamed(alias.evaluated_name)
            if new != old and (alias.asname or new.split(".")[0] == old.split(".")[0]):
                name = cst.parse_expression(new)
                alias = alias.with_changes(name=name)
                self.done += [at for at in self.planned.get(original_node, []) if at.path == old]
            aliases.append(alias)
        return updated_node.with_changes(names=aliases)

    def statements(self, node: cst.ImportFrom) -> list[cst.ImportFrom]:
        """Write ``from a import b`` anew, as several statements where names part."""
        if node not in self.planned or isinstance(node.names, cst.ImportStar):
            return [node]
        groups: dict[str, list[cst.ImportAlias]] = {}
        for alias, (local, path) in zip(node.names, imported(node), strict=True):
            module, _, name = renamed(path).rpartition(".")
            if not module:
                return [node]
            if name != alias.evaluated_name or (alias.asname and name == local):
                asname = cst.AsName(cst.Name(local)) if name != local else None
                alias = alias.with_changes(name=cst.Name(name), asname=asname)
            groups.setdefault(module, []).append(alias)
        code = self.module.code_for_node(node)
        if len(groups) > 1 and "#" in code:
            return [node]
        self.done += self.planned[node]
        first, *others = sorted(groups, key=lambda module: module != dotted(node.module))
        names = groups[first]
        if names[-1] is not node.names[-1] and len(names) < len(node.names):
            names = [*names[:-1], names[-1].with_changes(comma=node.names[-1].comma)]
        module_name = node.module if first == dotted(node.module) else cst.parse_expression(first)
        changed = [node.with_changes(module=module_name, names=names)]
        for module in others:
            plain = [alias.with_changes(comma=cst.MaybeSentinel.DEFAULT)
                     for alias in groups[module]]  # fmt: skip
            statement = cst.ensure_type(
                cst.parse_statement(f"from {module} import x"), cst.SimpleStatementLine
            ).body[0]
            changed.append(cst.ensure_type(statement, cst.ImportFrom).with_changes(names=plain))
        return changed

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.BaseStatement | cst.FlattenSentinel[cst.BaseStatement]:
        if len(original_node.body) == 1 and isinstance(original_node.body[0], cst.ImportFrom):
            first, *others = self.statements(original_node.body[0])
            lines = [cst.SimpleStatementLine([statement]) for statement in others]
            return cst.FlattenSentinel([updated_node.with_changes(body=[first]), *lines])
        return updated_node.with_changes(body=self.joined(original_node.body, updated_node.body))

    def leave_SimpleStatementSuite(
        self, original_node: cst.SimpleStatementSuite, updated_node: cst.SimpleStatementSuite
    ) -> cst.SimpleStatementSuite:
        return updated_node.with_changes(body=self.joined(original_node.body, updated_node.body))

    def joined(
        self, before: Sequence[cst.BaseSmallStatement], after: Sequence[cst.BaseSmallStatement]
    ) -> list[cst.BaseSmallStatement]:
        """Write the statements of one line."""
        line: list[cst.BaseSmallStatement] = []
        space = cst.Semicolon(whitespace_after=cst.SimpleWhitespace(" "))
        for old, new in zip(before, after, strict=True):
            if isinstance(old, cst.ImportFrom):
                *others, last = self.statements(old)
                line += [statement.with_changes(semicolon=space) for statement in others]
                new = last.with_changes(semicolon=old.semicolon)
            line.append(new)
        return line


class Imports(cst.CSTVisitor):
    """Collects the names that imports bind, and the modules that they load."""

    def __init__(self) -> None:
        self.local: dict[str, str] = {}
        self.loaded: set[str] = set()

    def visit_Import(self, node: cst.Import) -> None:
        for alias in node.names:
            parts = renamed(alias.evaluated_name).split(".")
            self.loaded |= {".".join(parts[: count + 1]) for count in range(len(parts))}
            self.local[alias.evaluated_alias or parts[0]] = (
                alias.evaluated_name if alias.asname else parts[0]
            )

    def visit_ImportFrom(self, node: cst.ImportFrom) -> None:
        self.local |= {name: path for name, path in imported(node) if name != "*"}


def rewrite(source: Source) -> tuple[str, list[Finding], list[Finding]]:
    """Change what is a pure renaming.

    Args:
        source: A file. Nothing is changed in what was pasted with its prompts or has form feeds.

    Returns:
        The new text, the names that were changed, and those that are left in the new code.

    Raises:
        ValueError: If the new text would not be what was planned; this is a mistake of this code.

    >>> from _modernize.source import read
    >>> print(rewrite(read(b"import jax\\ny = jax.tree_map(f, x)  # jax.tree_map"))[0])
    import jax
    y = jax.tree.map(f, x)  # jax.tree_map
    """
    findings, wrapper = find(source.code)
    if source.pasted or wrapper.module.code != source.code:  # libcst drops form feeds
        return source.text, [], findings
    renamer = Renamer(findings, wrapper.module)
    code = wrapper.visit(renamer).code
    text = source.with_code(code)
    left = find(read(text.encode(source.encoding)).code)[0]
    done = {id(finding) for finding in renamer.done}
    before = Counter(at.row.old for at in findings if at.row.broken and id(at) not in done)
    if Counter(at.row.old for at in left if at.row.broken) != before:
        raise ValueError("the changes do not fit together")
    return text, [finding for finding in findings if id(finding) in done], left
