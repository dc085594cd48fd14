"""`return`, `break` and `continue` rewritten as values and flags, so that branches and loops may become functions.

What follows a branch that leaves goes into the other branch; where that is not enough, a flag says that the function or the
loop is done, what follows asks for it, and so does the loop's condition.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

JST, VALUE, DONE = "_jst", "_pd_value", "_pd_done"
_LEAVING = (ast.Return, ast.Break, ast.Continue)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def name(id: str, like: ast.AST, store: bool = False) -> ast.Name:
    """A name at the place of another node."""
    return ast.copy_location(ast.Name(id, ast.Store() if store else ast.Load()), like)


def assign(id: str, value: ast.expr, like: ast.AST) -> ast.Assign:
    """`id = value` at the place of another node."""
    return ast.copy_location(ast.Assign([name(id, like, store=True)], value), like)


def jst(function: str, *args: ast.expr) -> ast.Call:
    """A call of a function of `_jst`, at the place of its first argument."""
    like = args[0]
    target = ast.copy_location(ast.Attribute(name(JST, like), function, ast.Load()), like)
    return ast.copy_location(ast.Call(target, list(args), []), like)


def constant(value: bool | str | None, like: ast.AST) -> ast.Constant:
    """A constant at the place of another node."""
    return ast.copy_location(ast.Constant(value), like)


def _inside(node: ast.AST, kinds: tuple[type, ...], loops: bool) -> bool:
    """Whether one of these statements stands in a node; `loops`: also in loops inside it."""
    if isinstance(node, kinds):
        return True
    if isinstance(node, _SCOPES) or (not loops and isinstance(node, (ast.For, ast.While, ast.AsyncFor))):
        return False
    return any(_inside(child, kinds, loops) for child in ast.iter_child_nodes(node))


def _returns(node: ast.AST) -> bool:
    return _inside(node, (ast.Return,), True)


def _jumps(node: ast.AST) -> bool:
    """Whether a statement may leave the list of statements that it stands in."""
    return _returns(node) or _inside(node, (ast.Break, ast.Continue), False)


def _leaves(statements: Sequence[ast.stmt]) -> bool:
    """Whether what follows these statements is never reached."""
    if not statements:
        return False
    last = statements[-1]
    if isinstance(last, (*_LEAVING, ast.Raise)):
        return True
    if isinstance(last, ast.If):
        return _leaves(last.body) and _leaves(last.orelse)
    return isinstance(last, ast.With) and _leaves(last.body)


def _gather(statements: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Move what follows a branch that leaves into the other branch."""
    result: list[ast.stmt] = []
    for i, node in enumerate(statements):
        rest = list(statements[i + 1 :])
        if isinstance(node, ast.If):
            if rest and _jumps(node):
                if _leaves(node.body) and not _leaves(node.orelse):
                    node.orelse, rest = [*node.orelse, *rest], []
                elif _leaves(node.orelse) and not _leaves(node.body):
                    node.body, rest = [*node.body, *rest], []
                elif _leaves(node.body):
                    rest = []
                if not rest:
                    node.body, node.orelse = _gather(node.body), _gather(node.orelse)
                    return [*result, node]
            node.body, node.orelse = _gather(node.body), _gather(node.orelse)
        else:
            for field in ("body", "orelse", "finalbody"):
                if isinstance(getattr(node, field, None), list) and not isinstance(node, _SCOPES):
                    setattr(node, field, _gather(getattr(node, field)))
            for handler in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
                handler.body = _gather(handler.body)
        result.append(node)
        if isinstance(node, _LEAVING):
            return result
    return result


class _Rewriter:
    def __init__(self) -> None:
        self.loops = 0
        self.flagged = False  # whether a return does not stand where the function ends anyway
        self.flags: dict[str, None] = {}

    def function(self, node: ast.FunctionDef) -> None:
        body = _gather(node.body)
        if not any(_returns(s) for s in body[:-1]) and not (body and _returns(body[-1]) and not isinstance(body[-1], ast.Return)):
            node.body = self.statements(body, None, None, False)
            return
        self.flagged = not _in_tail(body)
        first = body[0]
        head: list[ast.stmt] = [assign(VALUE, jst("UndefinedVar", constant(VALUE, first)), first)]
        if self.flagged:
            head.append(assign(DONE, constant(False, first), first))
        body = self.statements(body, None, None, True)
        result = jst("Return", name(VALUE, body[-1]), *([name(DONE, body[-1])] if self.flagged else []))
        node.body = [*head, *body, ast.copy_location(ast.Return(result), body[-1])]

    def statements(self, body: Sequence[ast.stmt], stop: str | None, skip: str | None, value: bool) -> list[ast.stmt]:
        """Rewrite a list of statements.

        Args:
            stop: the flag that says that the loop around is over; `skip`: that its turn is.
            value: whether `return` sets the function's value.
        """
        result: list[ast.stmt] = []
        for i, node in enumerate(body):
            flags = self._flags(node, stop, skip)
            result += self.statement(node, stop, skip, value)
            rest = body[i + 1 :]
            if flags and rest:
                inner = self.statements(rest, stop, skip, value)
                if inner:
                    result.append(ast.copy_location(ast.If(_none_of(flags, rest[0]), inner, []), rest[0]))
                return result
        return result

    def _flags(self, node: ast.AST, stop: str | None, skip: str | None) -> list[str]:
        flags = []
        if self.flagged and _returns(node):
            flags.append(DONE)
        if stop and _inside(node, (ast.Break,), False):
            flags.append(stop)
        if skip and _inside(node, (ast.Continue,), False):
            flags.append(skip)
        return flags

    def statement(self, node: ast.stmt, stop: str | None, skip: str | None, value: bool) -> list[ast.stmt]:
        if isinstance(node, ast.Return):
            if not value:
                return [node]
            set_value = assign(VALUE, node.value or constant(None, node), node)
            return [set_value, assign(DONE, constant(True, node), node)] if self.flagged else [set_value]
        if isinstance(node, ast.Break):
            return [assign(stop, constant(True, node), node)] if stop else [node]
        if isinstance(node, ast.Continue):
            return [assign(skip, constant(True, node), node)] if skip else [node]
        if isinstance(node, _SCOPES):
            return [node]
        if isinstance(node, (ast.For, ast.While)):
            return self.loop(node, value, stop, skip)
        tried = [f for s in node.body for f in self._flags(s, stop, skip)] if isinstance(node, ast.Try) else []
        for field in ("body", "orelse", "finalbody"):
            if isinstance(getattr(node, field, None), list):
                before = getattr(node, field)
                after = self.statements(before, stop, skip, value)
                if field == "orelse" and after and tried:
                    after = [ast.copy_location(ast.If(_none_of(tried, node), after, []), node)]
                setattr(node, field, after or ([ast.copy_location(ast.Pass(), node)] if before else []))
        for handler in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
            handler.body = self.statements(handler.body, stop, skip, value) or [ast.copy_location(ast.Pass(), node)]
        return [node]

    def loop(self, node: ast.For | ast.While, value: bool, outer_stop: str | None, outer_skip: str | None) -> list[ast.stmt]:
        self.loops += 1
        breaks = any(_inside(s, (ast.Break,), False) for s in node.body)
        continues = any(_inside(s, (ast.Continue,), False) for s in node.body)
        returns = any(_returns(s) for s in node.body)
        stop = f"_pd_break_{self.loops}" if breaks else None
        skip = f"_pd_continue_{self.loops}" if continues else None
        body = self.statements(node.body, stop, skip, value)
        if returns and any(isinstance(s, ast.Return) for s in node.body):
            body.insert(0, ast.copy_location(ast.Expr(jst("RefuseReturn", constant(type(node).__name__.lower(), node))), node))
        if skip:
            body.insert(0, assign(skip, constant(False, node), node))
        node.body = body or [ast.copy_location(ast.Pass(), node)]
        flags = [f for f in (stop, DONE if returns and self.flagged else None) if f]
        # what `_transform` makes of the loop asks for these
        setattr(node, "flags", flags)  # noqa: B010 - an attribute that ast does not know
        result: list[ast.stmt] = [assign(stop, constant(False, node), node)] if stop else []
        after, node.orelse = self.statements(node.orelse, outer_stop, outer_skip, value), []
        result.append(node)
        if after:
            result += [ast.copy_location(ast.If(_none_of(flags, node), after, []), node)] if flags else after
        return result


def _none_of(flags: Sequence[str], like: ast.AST) -> ast.expr:
    """`not (a or b)`; `_transform` makes it work on Variables."""
    values: list[ast.expr] = [name(flag, like) for flag in dict.fromkeys(flags)]
    any_: ast.expr = values[0] if len(values) == 1 else ast.copy_location(ast.BoolOp(ast.Or(), values), like)
    return ast.copy_location(ast.UnaryOp(ast.Not(), any_), like)


def _in_tail(body: Sequence[ast.stmt]) -> bool:
    """Whether the last thing that happens is a return, on every way."""
    if not body or any(_returns(s) for s in body[:-1]):
        return False
    last = body[-1]
    if isinstance(last, ast.If):
        return _in_tail(last.body) and _in_tail(last.orelse)
    if isinstance(last, ast.With):
        return _in_tail(last.body)
    return isinstance(last, (ast.Return, ast.Raise))


def rewrite(node: ast.FunctionDef) -> None:
    """Rewrite the jumps of a function, in place; nested functions stay as they are."""
    _Rewriter().function(node)
