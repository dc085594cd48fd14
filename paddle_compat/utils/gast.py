"""`paddle.utils.gast`: the syntax trees that scripts give to dynamic-to-static, which are Python's own here."""

from __future__ import annotations

import ast
from ast import *  # noqa: F403 - a tree is Python's own, so is everything that makes one
from ast import AST
from typing import Any

from paddle_compat._missing import missing


def parse(*args: Any, **kwargs: Any) -> AST:  # type: ignore[no-redef]
    """The tree of a source, as `ast.parse` gives it, but with nodes that stand in one place each: Python shares those without fields.

    Args:
        args, kwargs: those of `ast.parse`.
    Returns:
        The tree.
    Raises:
        SyntaxError: the source is no Python.

    Example:
        >>> from paddle_compat.utils import gast
        >>> gast.dump(gast.parse("a = b"))
        "Module(body=[Assign(targets=[Name(id='a', ctx=Store())], value=Name(id='b', ctx=Load()))], type_ignores=[])"

    Follows Paddle 2.6.
    """
    tree = ast.parse(*args, **kwargs)
    for node in ast.walk(tree):
        for name, value in ast.iter_fields(node):
            if isinstance(value, AST) and not value._fields:
                setattr(node, name, type(value)())
            elif isinstance(value, list):
                setattr(node, name, [type(each)() if isinstance(each, AST) and not each._fields else each for each in value])
    return tree


def gast_to_ast(node: AST) -> AST:
    """The tree itself."""
    return node


ast_to_gast = gast_to_ast

__all__: list[str] = []

__getattr__: Any = missing(__name__)
