"""Which variables functions write, by their syntax trees, for unit tests that ask for it in Paddle's words."""

from __future__ import annotations

import ast
import warnings
from typing import Any


class NameScope:
    """What one function writes.

    Attributes:
        args, globals, nonlocals: names of its parameters and of what it declares.
        w_vars: names, and attributes as `a.b`, that it writes.
        push_pop_vars: what it calls `append` or `pop` of.

    Args:
        node: the function.
        around: that of the function around it.
    """

    def __init__(self, node: ast.FunctionDef, around: NameScope | None = None) -> None:
        given, self._around = node.args, around
        self.args = {a.arg for a in (*given.args, *filter(None, (given.vararg, given.kwarg)))}
        self.globals: set[str] = set()
        self.nonlocals: set[str] = set()
        self.w_vars: set[str] = set()
        self.push_pop_vars: set[str] = set()
        self._begun: set[str] = set()  # written in a branch or loop, and not before

    def write(self, name: str, inside: bool) -> None:
        """Note that it writes a variable; `inside`: in a branch or loop."""
        if inside and name not in self.w_vars:
            self._begun.add(name)
        self.w_vars.add(name)

    def existed_vars(self) -> set[str]:
        """Its own variables but for the parameters."""
        return {name for name in self.w_vars if "." not in name} - self.args - self.globals - self.nonlocals

    def modified_vars(self) -> set[str]:
        """All that it writes."""
        return self.w_vars

    def created_vars(self) -> set[str]:
        """Its own variables that a branch or loop writes first."""
        return self._begun & self.existed_vars()

    def variadic_length_vars(self) -> set[str]:
        """What grows and shrinks, but for what the function has from outside, of which it warns."""
        foreign = {name for name in self.push_pop_vars if name.isidentifier() or name.endswith(")")}
        scope: NameScope | None = self
        while scope is not None:
            foreign, scope = foreign - scope.w_vars - scope.args, scope._around
        for name in sorted(foreign):
            warnings.warn(f"Find variable `{name}` defined in global scope and call `{name}.append() or {name}.pop()`.", stacklevel=2)
        return self.push_pop_vars - foreign


class FunctionNameLivenessAnalysis(ast.NodeVisitor):
    """Gives each function of a syntax tree its NameScope, as `pd_scope`.

    Args:
        root_node: the tree.
    """

    def __init__(self, root_node: ast.AST) -> None:
        self._scopes: list[NameScope] = []
        self._depths: list[int] = []
        self.visit(root_node)

    def _write(self, name: str) -> None:
        if self._scopes:
            self._scopes[-1].write(name, self._depths[-1] > 0)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        scope = NameScope(node, self._scopes[-1] if self._scopes else None)
        setattr(node, "pd_scope", scope)  # noqa: B010 - an attribute that ast does not know
        self._scopes.append(scope)
        self._depths.append(0)
        self.generic_visit(node)
        self._scopes.pop()
        self._depths.pop()

    def _control_flow(self, node: ast.AST) -> None:
        if self._depths:
            self._depths[-1] += 1
        self.generic_visit(node)
        if self._depths:
            self._depths[-1] -= 1

    visit_If = visit_For = visit_While = _control_flow

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self._write(node.id)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if isinstance(node.ctx, ast.Store):
            self._write(ast.unparse(node))
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
            self._write(node.value.id)
        self.generic_visit(node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.name:
            self._write(node.name)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("append", "pop") and self._scopes:
            self._scopes[-1].push_pop_vars.add(ast.unparse(node.func.value))
        self.generic_visit(node)

    def visit_Global(self, node: ast.Global) -> None:
        if self._scopes:
            self._scopes[-1].globals.update(node.names)

    def visit_Nonlocal(self, node: ast.Nonlocal) -> None:
        if self._scopes:
            self._scopes[-1].nonlocals.update(node.names)

    def _of_its_own(self, node: Any) -> None:
        """What comprehensions and lambdas write is theirs; the wheel leaves `:=` out, too."""

    visit_ListComp = visit_SetComp = visit_DictComp = visit_Lambda = visit_NamedExpr = _of_its_own
