"""`paddle.jit.dy2static.logical_transformer`: the names of comparisons."""

from __future__ import annotations

import ast

from paddle_compat._missing import missing
from paddle_compat.jit.dy2static import _transform

cmpop_type_to_str = _transform.COMPARISONS


def cmpop_node_to_str(node: ast.AST) -> str:
    """How a comparison is written.

    Args:
        node (gast.cmpop): the node of an operator.
    Returns:
        str.
    Raises:
        KeyError: it is no comparison.

    Example:
        >>> import ast
        >>> from paddle_compat.jit.dy2static.logical_transformer import cmpop_node_to_str
        >>> cmpop_node_to_str(ast.NotEq())
        '!='

    Follows Paddle 2.6.
    """
    return cmpop_type_to_str[type(node)]  # type: ignore[index]


__all__: list[str] = []

__getattr__ = missing(__name__)
