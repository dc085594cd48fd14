"""`paddle.utils.gast`: the syntax trees that scripts give to dynamic-to-static, which are Python's own here."""

from __future__ import annotations

from ast import *  # noqa: F403 - a tree is Python's own, so is everything that makes one
from ast import AST
from typing import Any

from paddle_compat._missing import missing


def gast_to_ast(node: AST) -> AST:
    """The tree itself."""
    return node


ast_to_gast = gast_to_ast

__all__: list[str] = []

__getattr__: Any = missing(__name__)
