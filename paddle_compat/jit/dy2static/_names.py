"""Which names statements read and write, and which of them matter outside."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
# methods that change a list or dict where it stands
CHANGING = frozenset({"append", "pop", "extend", "insert", "remove", "clear", "update", "setdefault", "popitem", "reverse", "sort"})
APPENDING = frozenset({"append", "pop"})


class _Names(ast.NodeVisitor):
    def __init__(self) -> None:
        self.written: dict[str, None] = {}
        self.changed: dict[str, None] = {}
        self.appended: dict[str, None] = {}
        self.attributes: dict[str, None] = {}
        self.global_: dict[str, None] = {}
        self.outer: dict[str, None] = {}
        self.excepted: set[str] = set()

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, (ast.Store, ast.Del)):
            self.written[node.id] = None

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if isinstance(node.ctx, ast.Store):
            self._attribute(node)
        self.generic_visit(node)

    def _attribute(self, node: ast.AST) -> None:
        """Note `a.b.c`, whose value changes."""
        path: list[str] = []
        while isinstance(node, ast.Attribute):
            path.append(node.attr)
            node = node.value
        if path and isinstance(node, ast.Name):
            self.attributes[".".join([node.id, *reversed(path)])] = None

    def _part(self, node: ast.AST) -> None:
        """Note the variable or attribute in which something changes."""
        while isinstance(node, ast.Subscript):
            node = node.value
        if isinstance(node, ast.Name):
            self.changed[node.id] = None
        else:
            self._attribute(node)

    def visit_Global(self, node: ast.Global) -> None:
        self.global_.update(dict.fromkeys(node.names))

    def visit_Nonlocal(self, node: ast.Nonlocal) -> None:
        self.outer.update(dict.fromkeys(node.names))

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.name:
            self.excepted.add(node.name)
        self.generic_visit(node)

    def visit_alias(self, node: ast.alias) -> None:
        if node.name != "*":
            self.written[node.asname or node.name.split(".")[0]] = None

    def visit_Call(self, node: ast.Call) -> None:
        function = called(node)
        if isinstance(function, ast.Attribute):
            if function.attr in CHANGING:
                self._part(function.value)
            if function.attr in APPENDING and isinstance(function.value, ast.Name):
                self.appended[function.value.id] = None
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if isinstance(node.ctx, (ast.Store, ast.Del)):
            self._part(node.value)
        self.generic_visit(node)

    def _scope(self, node: ast.AST) -> None:
        name = getattr(node, "name", None)
        if name is not None:
            self.written[name] = None

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = _scope

    def _comprehension(self, node: ast.AST) -> None:
        """Its targets are its own, but for what `:=` writes."""
        inner = [n.target.id for n in ast.walk(node) if isinstance(n, ast.NamedExpr) and isinstance(n.target, ast.Name)]
        self.written.update(dict.fromkeys(inner))
        for call in (n for n in ast.walk(node) if isinstance(n, ast.Call)):
            function = called(call)
            if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.attr in CHANGING:
                self.changed[function.value.id] = None

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension


def called(node: ast.Call) -> ast.expr:
    """What is called; of `_jst.Call(f)(...)` it is f."""
    function = node.func
    inner = function.func if isinstance(function, ast.Call) else None
    wrapped = isinstance(inner, ast.Attribute) and inner.attr == "Call" and isinstance(inner.value, ast.Name) and inner.value.id == "_jst"
    return function.args[0] if wrapped and isinstance(function, ast.Call) else function


def scan(nodes: Iterable[ast.AST]) -> _Names:
    """What the statements write, in this function's own scope."""
    names = _Names()
    for node in nodes:
        names.visit(node)
    for name in names.excepted:
        names.written.pop(name, None)
    return names


def loads(node: ast.AST) -> list[str]:
    """Every name that is read, nested functions included; once for each time."""
    found = [n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]
    found += [n.target.id for n in ast.walk(node) if isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Name)]
    return found


def exposed(statements: Sequence[ast.stmt]) -> tuple[set[str], set[str]]:
    """The names that are read before they are certainly written, and those certainly written."""
    reads: set[str] = set()
    writes: set[str] = set()
    for statement in statements:
        first, then = _exposed(statement)
        reads |= first - writes
        writes |= then
    return reads, writes


def _exposed(node: ast.stmt) -> tuple[set[str], set[str]]:
    if isinstance(node, ast.If):
        (a, b), (c, d) = exposed(node.body), exposed(node.orelse)
        return {*loads(node.test)} | a | c, b & d
    if isinstance(node, (ast.For, ast.AsyncFor)):
        targets = set(scan([node.target]).written)
        reads = exposed(node.body)[0] - targets
        return {*loads(node.iter), *loads(node.target)} | reads | exposed(node.orelse)[0], set()
    if isinstance(node, ast.While):
        return {*loads(node.test)} | exposed(node.body)[0] | exposed(node.orelse)[0], set()
    if isinstance(node, (ast.With, ast.AsyncWith)):
        heads = {name for item in node.items for name in loads(item.context_expr)}
        targets = set(scan([item.optional_vars for item in node.items if item.optional_vars is not None]).written)
        reads, writes = exposed(node.body)
        return heads | (reads - targets), writes | targets
    if isinstance(node, ast.Assign):
        written = {t.id for t in node.targets if isinstance(t, ast.Name)}
        for target in node.targets:
            if isinstance(target, (ast.Tuple, ast.List)):
                written |= set(scan([target]).written)
        return set(loads(node)), written
    if isinstance(node, (ast.AugAssign, ast.AnnAssign, ast.Expr)):
        return set(loads(node)), set(scan([node]).written)
    if isinstance(node, _SCOPES):
        return set(loads(node)), {node.name} if hasattr(node, "name") else set()
    return set(loads(node)), set()


def own_nodes(body: Iterable[ast.AST]) -> list[ast.AST]:
    """All nodes in this function's own scope (nested functions and classes themselves, but nothing in them)."""
    found: list[ast.AST] = []
    stack = list(body)
    while stack:
        node = stack.pop()
        found.append(node)
        if not isinstance(node, _SCOPES):
            stack += ast.iter_child_nodes(node)
    return found
