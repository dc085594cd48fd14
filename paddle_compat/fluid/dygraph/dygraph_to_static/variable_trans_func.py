"""`paddle.fluid.dygraph.dygraph_to_static.variable_trans_func`: what rewritten code of Paddle 1.8 makes of names and numbers."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.dtype import DTypeLike, VarType
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.layers._filling import fill_constant
from paddle_compat.fluid.layers.io import feed_variable

_TYPES = {bool: "bool", int: "int64", float: "float64"}
_HERE = "fluid.dygraph.dygraph_to_static.variable_trans_func"


def _assignment(name: str, value: str) -> ast.stmt:
    return ast.parse(f"{name} = {value}").body[0]


def data_layer_not_check(name: str, shape: Sequence[int | None], dtype: DTypeLike = "float32", lod_level: int = 0) -> Variable:
    """A Variable that is fed, values of any shape.

    Args:
        name: its name.
        shape: its sizes; None and -1: any.
        dtype: its data type.
        lod_level: how many levels of sequences there are.
    Returns:
        The Variable, in the default main program.

    Example:
        >>> from paddle_compat import fluid
        >>> from paddle_compat.fluid.dygraph.dygraph_to_static.variable_trans_func import data_layer_not_check
        >>> data_layer_not_check("x", (None, -1, 3)).shape
        (-1, -1, 3)

    Follows Paddle 1.8.
    """
    sizes = [-1 if size is None else size for size in shape]
    return feed_variable(name, sizes, dtype, lod_level, VarType.LOD_TENSOR, stop_gradient=True, need_check_feed=False)


def create_static_variable_gast_node(name: str) -> ast.stmt:
    """A name that becomes a Variable which is fed."""
    return _assignment(name, f"{_HERE}.data_layer_not_check(name={name!r}, shape=[-1], dtype='float32')")


def to_static_variable_gast_node(name: str) -> ast.stmt:
    """A name whose number becomes a Variable."""
    return _assignment(name, f"{_HERE}.to_static_variable({name})")


def create_fill_constant_node(name: str, value: Any) -> ast.stmt | None:
    """A name that becomes a Variable with one number; None where it is none."""
    dtype = _TYPES.get(type(value))
    return None if dtype is None else _assignment(name, f"fluid.layers.fill_constant(shape=[1], dtype={dtype!r}, value={value!r})")


def to_static_variable(x: Any) -> Any:
    """A number as a Variable; anything else as it is.

    Args:
        x: a value.
    Returns:
        A Variable of one element, or the value.

    Example:
        >>> from paddle_compat import fluid
        >>> from paddle_compat.fluid.dygraph.dygraph_to_static.variable_trans_func import to_static_variable
        >>> to_static_variable(1.5).shape, to_static_variable("text")
        ((1,), 'text')

    Follows Paddle 1.8.
    """
    return fill_constant([1], _TYPES[type(x)], x) if type(x) in _TYPES else x


__all__: list[str] = []

__getattr__ = missing(__name__)
