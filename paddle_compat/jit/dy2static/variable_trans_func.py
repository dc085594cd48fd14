"""`paddle.jit.dy2static.variable_trans_func`: assignments that rewritten code begins with, as syntax trees, and values as Tensors."""

from __future__ import annotations

import ast
from typing import Any

from paddle_compat._missing import missing

_TYPES = {bool: "bool", int: "int64", float: "float64"}


def _assignment(name: str, value: str) -> ast.stmt:
    return ast.parse(f"{name} = {value}").body[0]


def create_fill_constant_node(name: str, value: Any = 0) -> ast.stmt | None:
    """A name that becomes a Tensor with one number; None where it is none."""
    dtype = _TYPES.get(type(value))
    return None if dtype is None else _assignment(name, f"paddle.full(shape=[1], dtype={dtype!r}, fill_value={value!r}, name={name!r})")


def create_bool_node(name: str, value: bool) -> ast.stmt:
    """A name that becomes True or False."""
    return _assignment(name, repr(bool(value)))


def create_undefined_var(name: str) -> ast.stmt:
    """A name that has no value yet."""
    return _assignment(name, f"_jst.UndefinedVar({name!r})")


def to_static_variable(x: Any) -> Any:
    """A number as Tensor; anything else as it is."""
    from paddle_compat.tensor.creation import full

    return full([1], x, _TYPES[type(x)]) if type(x) in _TYPES else x


__all__: list[str] = []

__getattr__ = missing(__name__)
