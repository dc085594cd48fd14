"""The rewriting of a function's syntax tree: control flow and calls go through `_jst`, which decides when it sees the values.

Branches and loop bodies become nested functions that share the function's variables (`nonlocal`); a pair of functions reads and
sets those that the branch or loop decides about. Every node keeps the place of the one it was made from, so tracebacks show the
user's own lines.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Sequence
from typing import Any

from paddle_compat.jit.dy2static import _jumps, _names

JST = "_jst"
COMPARISONS = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Is: "is", ast.IsNot: "is not",
    ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip
_NO_ARGUMENTS = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])


class Unsupported(Exception):
    """The function cannot be rewritten (it is a generator or a coroutine)."""


def _call(function: str, args: Sequence[ast.expr], like: ast.AST) -> ast.Call:
    target = _place(ast.Attribute(ast.Name(JST, ast.Load()), function, ast.Load()), like)
    # Python says that a call of an attribute is made where the attribute ends: a branch, at its first line
    target.end_lineno, target.end_col_offset = target.lineno, target.col_offset
    return _place(ast.Call(target, list(args), []), like)


def _place(node: Any, like: ast.AST) -> Any:
    """Give a new node, and the nodes in it that have none, the place of another one."""
    ast.copy_location(node, like)
    for child in ast.iter_child_nodes(node):
        if not hasattr(child, "lineno"):
            _place(child, like)
    return node


def _thunk(value: ast.expr) -> ast.Lambda:
    return _place(ast.Lambda(copy.deepcopy(_NO_ARGUMENTS), value), value)


def _def(name: str, parameters: Sequence[str], body: list[ast.stmt], like: ast.AST) -> ast.FunctionDef:
    arguments = copy.deepcopy(_NO_ARGUMENTS)
    arguments.args = [ast.arg(p) for p in parameters]
    return _place(function(name, arguments, body), like)


def function(name: str, arguments: ast.arguments, body: list[ast.stmt]) -> ast.FunctionDef:
    """A function definition without decorators."""
    made = ast.FunctionDef(name, arguments, body, [])
    setattr(made, "type_params", [])  # noqa: B010 - a field since Python 3.12
    return made


def _path(name: str) -> ast.expr:
    """`a.b.c` as an expression."""
    first, *rest = name.split(".")
    made: ast.expr = ast.Name(first, ast.Load())
    for attribute in rest:
        made = ast.Attribute(made, attribute, ast.Load())
    return made


def _read(name: str, like: ast.AST) -> ast.expr:
    """A variable, or an attribute that may not be there yet."""
    if "." not in name:
        return ast.Name(name, ast.Load())
    return _call("GetAttribute", [_thunk(_place(_path(name), like)), ast.Constant(name)], like)


def _never_tensor(test: ast.expr) -> bool:
    """Whether a condition is plainly Python's: a constant, `is None`, isinstance."""
    if isinstance(test, ast.Constant):
        return True
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _never_tensor(test.operand)
    if isinstance(test, ast.BoolOp):
        return all(map(_never_tensor, test.values))
    if isinstance(test, ast.Compare):
        return all(isinstance(op, (ast.Is, ast.IsNot)) for op in test.ops) or any(
            isinstance(v, ast.Constant) and isinstance(v.value, str) for v in (test.left, *test.comparators)
        )
    known = ("isinstance", "hasattr", "callable", "issubclass")
    return isinstance(test, ast.Call) and isinstance(test.func, ast.Name) and test.func.id in known


class _Expressions(ast.NodeTransformer):
    """Rewrites expressions: calls, `and`, `or`, `not`, chained comparisons, ternaries, `.shape` and `.size`."""

    def __init__(self, owner: str | None, first: str | None) -> None:
        self.owner, self.first = owner, first

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self._mangled(node.id)
        return node

    def _mangled(self, name: str) -> str:
        private = self.owner is not None and name.startswith("__") and not name.endswith("__")
        return f"_{self.owner}{name}" if private else name

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        node.attr = self._mangled(node.attr)
        if isinstance(node.ctx, ast.Load) and node.attr in ("shape", "size", "__class__"):
            return _call("Attr", [node.value, _place(ast.Constant(node.attr), node)], node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        function = node.func
        if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == JST:
            return self.generic_visit(node)
        if isinstance(function, ast.Name):
            if function.id == "super" and not node.args and self.first:
                node.args = [_jumps.name("__class__", node), _jumps.name(self.first, node)]
                return node
            if function.id in ("locals", "globals", "vars", "dir", "eval", "exec"):
                self.generic_visit(node)
                return node
        self.generic_visit(node)
        if isinstance(node.func, ast.Call) and getattr(node.func.func, "attr", None) == "Attr":
            node.func = _place(ast.Attribute(node.func.args[0], node.func.args[1].value, ast.Load()), node.func)  # type: ignore[attr-defined]
        node.func = _call("Call", [node.func], node)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        if _walrus(node):
            return self.generic_visit(node)
        self.generic_visit(node)
        which = "And" if isinstance(node.op, ast.And) else "Or"
        result = node.values[-1]
        for value in node.values[-2::-1]:
            result = _call(which, [_thunk(value), _thunk(result)], node)
        return result

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        return _call("Not", [node.operand], node) if isinstance(node.op, ast.Not) else node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        if len(node.ops) == 1 or _walrus(node):
            return self.generic_visit(node)
        self.generic_visit(node)
        symbols = [_place(ast.Constant(COMPARISONS[type(op)]), node) for op in node.ops]
        return _call("Compare", [node.left, _place(ast.Tuple(symbols, ast.Load()), node), *map(_thunk, node.comparators)], node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        if _walrus(node):
            return self.generic_visit(node)
        self.generic_visit(node)
        return _call("Choose", [node.test, _thunk(node.body), _thunk(node.orelse)], node)

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        node.iter = _call("Iter", [node.iter], node.iter)
        node.ifs = [_call("Bool", [test], test) for test in node.ifs]
        return node

    def visit_arguments(self, node: ast.arguments) -> ast.AST:
        for argument in (*node.posonlyargs, *node.args, *node.kwonlyargs):
            argument.arg, argument.annotation = self._mangled(argument.arg), None
        for more in (node.vararg, node.kwarg):
            if more is not None:
                more.annotation = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is None:
            return _place(ast.Pass(), node)
        return self.visit(_place(ast.Assign([node.target], node.value), node))

    def visit_Delete(self, node: ast.Delete) -> Any:
        """`del name` leaves the name undefined, as it has to exist for nested functions."""
        result: list[ast.stmt] = []
        for target in node.targets:
            if isinstance(target, ast.Name):
                undefined = _call("UndefinedVar", [_place(ast.Constant(target.id), node)], node)
                result.append(_jumps.assign(self._mangled(target.id), undefined, node))
            else:
                result.append(_place(ast.Delete([self.visit(target)]), node))
        return result

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        self.generic_visit(node)
        message = [_thunk(node.msg)] if node.msg is not None else []
        return _place(ast.Expr(_call("Assert", [node.test, *message], node)), node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        self.generic_visit(node)
        node.body.insert(0, _place(ast.Expr(_call("Except", [], node)), node))
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.decorator_list = [self.visit(d) for d in node.decorator_list]
        return transform(node, self.owner, self.first)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return node


def _walrus(node: ast.AST) -> bool:
    return any(isinstance(n, ast.NamedExpr) for n in ast.walk(node))


class _Statements:
    """Rewrites the branches and loops of one function, whose jumps and expressions are rewritten already."""

    def __init__(self, node: ast.FunctionDef) -> None:
        self.node = node
        names = _names.scan(node.body)
        arguments = node.args
        given = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *filter(None, (arguments.vararg, arguments.kwarg))]
        self.parameters = {a.arg for a in given}
        self.global_ = set(names.global_)
        self.outer = set(names.outer)
        self.local = (set(names.written) | self.parameters) - self.global_ - self.outer
        # conditions of loops, too, read the flags that say whether something has left them
        flags = [flag for each in _names.own_nodes(node.body) for flag in getattr(each, "flags", ())]
        self.read = Counter([*_names.loads(node), *flags])
        self.carried: dict[str, None] = {}  # names that nested functions set
        self.counter = 0

    def rewrite(self) -> None:
        body = self.block(self.node.body, False)
        like = self.node.body[0]
        head: list[ast.stmt] = []
        for kind, names in ((ast.Global, self.global_), (ast.Nonlocal, self.outer)):
            if names:
                head.append(_place(kind(sorted(names)), like))
        for name in self.carried:
            if name in self.local and name not in self.parameters and name not in (_jumps.VALUE, _jumps.DONE):
                head.append(_jumps.assign(name, _call("UndefinedVar", [_place(ast.Constant(name), like)], like), like))
        self.node.body = [*head, *body]

    def block(self, body: Sequence[ast.stmt], looping: bool) -> list[ast.stmt]:
        result: list[ast.stmt] = []
        for node in body:
            result += self.statement(node, looping)
        return result

    def statement(self, node: ast.stmt, looping: bool) -> list[ast.stmt]:
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            return []  # the head of the function has them
        if isinstance(node, ast.If) and not getattr(node, "plain", False):
            return self.branch(node, looping)
        if isinstance(node, (ast.While, ast.For)):
            return self.loop(node)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return [node]
        for field in ("body", "orelse", "finalbody"):
            if isinstance(getattr(node, field, None), list):
                setattr(node, field, self.block(getattr(node, field), looping))
        for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
            part.body = self.block(part.body, looping)
        return [node]

    # ---- what a branch or loop decides about
    def _settable(self, names: Sequence[str]) -> list[str]:
        kept = [n for n in names if n in self.local or n in self.global_ or n in self.outer]
        self.carried.update(dict.fromkeys(kept))
        return kept

    def _shared(self, nodes: Sequence[ast.AST]) -> list[ast.stmt]:
        """The declarations of a nested function that sets what these nodes set."""
        found = _names.scan(nodes)
        names = self._settable([*found.written, *found.changed])
        return self._declared(names, nodes[0]) if names else []

    def _declared(self, names: Sequence[str], like: ast.AST) -> list[ast.stmt]:
        result: list[ast.stmt] = []
        of_module = [n for n in names if n in self.global_]
        around = [n for n in names if n not in self.global_]
        for kind, chosen in ((ast.Global, of_module), (ast.Nonlocal, around)):
            if chosen:
                result.append(_place(kind(chosen), like))
        return result

    def _access(self, number: int, names: Sequence[str], like: ast.AST) -> list[ast.stmt]:
        """The functions that read and set some variables, and attributes (`a.b`)."""
        values = _place(ast.Tuple([_read(n, like) for n in names], ast.Load()), like)
        # an attribute's value comes in a variable of the function's own
        targets = _place(ast.Tuple([ast.Name(n.replace(".", "_pd_"), ast.Store()) for n in names], ast.Store()), like)
        setting: list[ast.stmt] = [_place(ast.Assign([targets], ast.Name("_pd_values", ast.Load())), like)] if names else []
        for path in (n for n in names if "." in n):
            owner, _, attribute = path.rpartition(".")
            given = [_thunk(_place(_path(owner), like)), ast.Constant(attribute), ast.Name(path.replace(".", "_pd_"), ast.Load())]
            setting.append(_place(ast.Expr(_call("SetAttribute", given, like)), like))
        own = [n for n in names if "." not in n]
        return [
            _def(f"_pd_get_{number}", [], [_place(ast.Return(values), like)], like),
            _def(f"_pd_set_{number}", ["_pd_values"], [*self._declared(own, like), *setting, _place(ast.Pass(), like)], like),
        ]

    def _strings(self, names: Sequence[str], like: ast.AST) -> ast.expr:
        return _place(ast.Tuple([ast.Constant(n) for n in names], ast.Load()), like)

    def branch(self, node: ast.If, looping: bool) -> list[ast.stmt]:
        found = _names.scan([*node.body, *node.orelse])
        inside = Counter(_names.loads(node))
        candidates = dict.fromkeys([*found.written, *found.changed])
        elsewhere = self.outer | self.global_
        names = self._settable([n for n in candidates if self.read[n] > inside[n] or (looping and self.read[n]) or n in elsewhere])
        within = self._settable([n for n in candidates if n not in names])
        self.counter += 1
        number = self.counter
        shared = [self._shared(part) if part else [] for part in (node.body, node.orelse)]
        bodies = [self.block(part, looping) for part in (node.body, node.orelse)]
        functions = [
            _def(f"_pd_{which}_{number}", [], [*declared, *body, _place(ast.Pass(), node)], node)
            for which, declared, body in zip(("true", "false"), shared, bodies)
        ]
        attributes = list(found.attributes)
        access = self._access(number, [*names, *attributes, *within], node)
        names += attributes
        arguments = [node.test, *(_jumps.name(f.name, node) for f in (*functions, *access)), self._strings(names, node)]  # type: ignore[attr-defined]
        return [*functions, *access, _place(ast.Expr(_call("IfElse", arguments, node)), node)]

    def loop(self, node: ast.While | ast.For) -> list[ast.stmt]:
        flags: list[str] = getattr(node, "flags", [])
        found = _names.scan([node])
        inside = Counter(_names.loads(node))
        targets = list(_names.scan([node.target]).written) if isinstance(node, ast.For) else []
        reads, _ = _names.exposed(node.body)
        if isinstance(node, ast.While):
            reads |= set(_names.loads(node.test))
        reads -= set(targets)
        outside = {n for n in self.read if self.read[n] > inside[n]}
        candidates = dict.fromkeys([*found.written, *found.changed, *flags])
        names = self._settable([n for n in candidates if n in reads or n in outside or n in flags or n in self.outer | self.global_])
        within = self._settable([n for n in candidates if n not in names])
        self.counter += 1
        number = self.counter
        declared = self._shared([*node.body, *([node.target] if isinstance(node, ast.For) else [])])
        body = self.block(node.body, True)
        appended = self._strings([n for n in found.appended if n in names], node)
        attributes = list(found.attributes)
        access = self._access(number, [*names, *attributes, *within], node)
        names += attributes
        read, write = (_jumps.name(f.name, node) for f in access)  # type: ignore[attr-defined]
        if isinstance(node, ast.While):
            test: ast.expr = node.test
            if flags:
                test = _call("And", [_thunk(_expression(_jumps._none_of(flags, node))), _thunk(test)], node)
            function = _def(f"_pd_body_{number}", [], [*declared, *body, _place(ast.Pass(), node)], node)
            arguments = [_thunk(test), _jumps.name(function.name, node), read, write, self._strings(names, node), appended]
            return [*access, function, _place(ast.Expr(_call("While", arguments, node)), node)]
        take = _place(ast.Assign([node.target], ast.Name("_pd_item", ast.Load())), node)
        function = _def(f"_pd_body_{number}", ["_pd_item"], [*declared, take, *body], node)
        stop = _thunk(_expression(_jumps._none_of(flags, node))) if flags else _place(ast.Constant(None), node)
        arguments = [node.iter, _jumps.name(function.name, node), read, write, self._strings(names, node), appended, stop]
        return [*access, function, _place(ast.Expr(_call("For", arguments, node)), node)]


def _expression(node: ast.expr) -> ast.expr:
    rewritten: ast.expr = _Expressions(None, None).visit(node)
    return rewritten


def _is_generator(node: ast.AST) -> bool:
    body = node.body if isinstance(node.body, list) else [node.body]  # type: ignore[attr-defined]
    return any(isinstance(n, (ast.Yield, ast.YieldFrom, ast.Await)) for n in _names.own_nodes(body))


def transform(node: ast.FunctionDef, owner: str | None, first: str | None) -> ast.FunctionDef:
    """Rewrite a function definition in place.

    Args:
        owner: the class that the function stands in.
        first: its first parameter, by which `super()` finds the object.
    """
    if _is_generator(node):
        return node
    node.returns = None
    if any(isinstance(each, ast.While) and _walrus(each.test) for each in _names.own_nodes(node.body)):
        raise Unsupported("`:=` stands in the condition of a loop")
    for each in _names.own_nodes(node.body):
        if isinstance(each, ast.If) and _never_tensor(each.test):
            setattr(each, "plain", True)  # noqa: B010 - an attribute that ast does not know
    _jumps.rewrite(node)
    expressions = _Expressions(owner, first)
    node.args = expressions.visit(node.args)
    body: list[ast.stmt] = []
    for statement in node.body:
        new = expressions.visit(statement)
        body += new if isinstance(new, list) else [new]
    node.body = body
    _Statements(node).rewrite()
    return node


def transform_function(node: ast.FunctionDef | ast.Lambda, owner: str | None) -> ast.FunctionDef | ast.Lambda:
    """A rewritten copy of a function's node, without decorators.

    Raises:
        Unsupported: the function is a generator or a coroutine.
    """
    if isinstance(node, ast.AsyncFunctionDef) or _is_generator(node):
        raise Unsupported("generators and coroutines stay as they are")
    parent = node.__dict__.pop("parent", None)
    try:
        made = copy.deepcopy(_without_parents(node))
    finally:
        _with_parents(node)
        if parent is not None:
            setattr(node, "parent", parent)  # noqa: B010 - as above
    arguments = [*made.args.posonlyargs, *made.args.args]
    first = arguments[0].arg if arguments else None
    if isinstance(made, ast.Lambda):
        rewritten: ast.Lambda = _Expressions(owner, first).generic_visit(made)  # type: ignore[assignment]
        return rewritten
    made.decorator_list = []
    return transform(made, owner, first)


def _without_parents(node: Any) -> Any:
    for each in ast.walk(node):
        each.__dict__.pop("parent", None)
    return node


def _with_parents(node: Any) -> None:
    for each in ast.walk(node):
        for child in ast.iter_child_nodes(each):
            setattr(child, "parent", each)  # noqa: B010 - as above
