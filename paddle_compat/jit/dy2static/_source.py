"""Finding the syntax tree of a function in the file that it was written in."""

from __future__ import annotations

import ast
import functools
import linecache
import types
from typing import Any

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class NoSource(Exception):
    """The function's source cannot be had, or cannot be told apart from another one's."""


@functools.lru_cache(maxsize=64)
def _module(lines: tuple[str, ...], filename: str) -> ast.Module:
    """A file's tree, each node of which knows its parent (`parent`)."""
    tree = ast.parse("".join(lines), filename)
    for node in ast.walk(tree):
        for child in ast.iter_child_nodes(node):
            setattr(child, "parent", node)  # noqa: B010 - an attribute that ast does not know
    return tree


def find(function: types.FunctionType) -> Function:
    """The node of a function.

    Raises:
        NoSource: there is none.
    """
    code = function.__code__
    lines = linecache.getlines(code.co_filename, function.__globals__)
    if not lines:
        raise NoSource(f"the source of `{function.__qualname__}` is not available")
    try:
        tree = _module(tuple(lines), code.co_filename)
    except SyntaxError as error:
        raise NoSource(f"the source of `{function.__qualname__}` cannot be read: {error}") from error
    found = [n for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)) and _fits(n, code)]
    if len(found) > 1:  # several lambdas on one line
        found = [n for n in found if _begins_with(n, code)] or found
    if len(found) != 1:
        raise NoSource(f"the source of `{function.__qualname__}` is not where it says ({code.co_filename}:{code.co_firstlineno})")
    return found[0]


def _fits(node: Any, code: types.CodeType) -> bool:
    name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
    first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
    arguments = [a.arg for a in (*node.args.posonlyargs, *node.args.args)]
    if len(arguments) != code.co_argcount:
        return False
    same_arguments = [a for a in arguments if not a.startswith("__")] == [
        a for a, plain in zip(code.co_varnames[: code.co_argcount], arguments) if not plain.startswith("__")
    ]
    return name == code.co_name and first == code.co_firstlineno and same_arguments


def _begins_with(node: Any, code: types.CodeType) -> bool:
    """Whether the node spans every place that the code says it came from."""
    places = [p for p in getattr(code, "co_positions", tuple)() if p[0] is not None and p[2] is not None][1:]
    begin, end = (node.body.lineno, node.body.col_offset), (node.body.end_lineno, node.body.end_col_offset)
    spans = [((p[0] or 0, p[2] or 0), (p[1] or 0, p[3] or 0)) for p in places if p[1] and p[3]]
    return bool(spans) and all(begin <= a and b <= end for a, b in spans)


def class_name(node: Any) -> str | None:
    """The name of the class around a function, by which Python mangles names; None outside of classes."""
    while node is not None:
        node = getattr(node, "parent", None)
        if isinstance(node, ast.ClassDef):
            return node.name.lstrip("_") or None
    return None
