"""`paddle.jit.dy2static.loop_transformer`: which variables a loop carries, read from a function's syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from paddle_compat._missing import missing

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class NameVisitor:
    """Finds the variables of loops.

    Args:
        root_node: the tree that the loops stand in, as `paddle.utils.gast.parse` gives it.

    Example:
        >>> from paddle_compat.jit.dy2static.loop_transformer import NameVisitor
        >>> from paddle_compat.utils import gast
        >>> tree = gast.parse("def f(n):\\n    for i in range(n):\\n        y = i\\n    return y")
        >>> carried, made = NameVisitor(tree).get_loop_var_names(tree.body[0].body[0])
        >>> sorted(carried), sorted(made)
        (['i', 'n', 'y'], ['y'])

    Follows Paddle 2.6.
    """

    def __init__(self, root_node: Any) -> None:
        self.root = root_node

    def get_loop_var_names(self, node: Any) -> tuple[set[str], set[str]]:
        """The variables of a loop.

        Args:
            node: a `for` or `while` of the tree.
        Returns:
            (set, set): those that it asks, hands from turn to turn, or sets for what follows; and those of these without a value before it.
        Raises:
            ValueError: the node is no such loop.
        """
        if not isinstance(node, (ast.For, ast.While)):
            raise ValueError(f"Invalid value for argument `node` of `get_loop_var_names`. Expected a loop. Received: {type(node).__name__}")
        around = [f for f in ast.walk(self.root) if isinstance(f, _FUNCTIONS) and any(inner is node for inner in ast.walk(f))]
        function = around[-1] if around else self.root
        names = list(_names(function))
        inside = {id(name) for name in _names(node)}
        first, last = _span(names, inside)
        parameters = {arg.arg for arg in ast.walk(function.args) if isinstance(arg, ast.arg)} if around else set()
        local = parameters | {name.id for name in names if isinstance(name.ctx, ast.Store)}
        head = [node.iter, node.target] if isinstance(node, ast.For) else [node.test]
        asked = {name for part in head for name in _asked(part)}
        within = names[first:last]
        stored = {name.id for name in within if isinstance(name.ctx, ast.Store)}
        carried = (asked | stored & (_read_before_set(within) | _read_before_set(names[last:]))) & local
        known = parameters | asked | {name.id for name in names[:first] if isinstance(name.ctx, ast.Store)}
        return carried, carried & stored - known


def _asked(part: ast.AST) -> set[str]:
    """The names of what a loop runs over, or asks: not those that it only looks an attribute up in."""
    bases = {id(each.value) for each in ast.walk(part) if isinstance(each, ast.Attribute)}
    return {name.id for name in _names(part) if id(name) not in bases}


def _names(tree: Any) -> Iterator[ast.Name]:
    """The names of a function's own scope, in the order in which they are met; those of a comprehension's variables are its own."""
    own: set[str] = set()
    if isinstance(tree, _COMPREHENSIONS):
        own = {name.id for part in tree.generators for name in _names(part.target)}
    if isinstance(tree, ast.Name):
        yield tree
    parts = list(ast.iter_child_nodes(tree))
    if isinstance(tree, (ast.Assign, ast.AugAssign, ast.AnnAssign)):  # what is assigned is read first
        parts.sort(key=lambda part: part is not tree.value)
    elif isinstance(tree, ast.For):
        parts.sort(key=lambda part: part is not tree.iter)
    for part in parts:
        yield from (name for name in _names(part) if name.id not in own)


def _span(names: list[ast.Name], inside: set[int]) -> tuple[int, int]:
    """Where the names of a loop stand among those of the function."""
    places = [place for place, name in enumerate(names) if id(name) in inside]
    return (places[0], places[-1] + 1) if places else (0, 0)


def _read_before_set(names: list[ast.Name]) -> set[str]:
    """The names whose value something reads before another one is assigned."""
    read: set[str] = set()
    done: set[str] = set()
    for name in names:
        if name.id not in done and isinstance(name.ctx, ast.Load):
            read.add(name.id)
        done.add(name.id)
    return read


__all__: list[str] = []

__getattr__ = missing(__name__)
