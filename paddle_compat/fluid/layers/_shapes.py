"""Shapes, axes and offsets that may hold Variables, as the operators of Paddle 1.8 take them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import type_error
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.layers._record import is_variable

Make = Callable[[int], Any]


def tensors_in(value: Any, make: Make, int32: bool = False) -> tuple[Any, list[Any], list[int] | None]:
    """A shape as the two input slots and the attribute that an operator has for it.

    Args:
        value: a Variable, or a list of ints and Variables.
        make: makes a Variable of an int, where the list has others.
        int32: cast Variables to that type.
    Returns:
        The Variable, the list of Variables, and the ints (-1 where a Variable stands); None for what there is not.
    """
    if is_variable(value):
        value.stop_gradient = True
        return _as_int32(value) if int32 else value, [], None
    if isinstance(value, str):
        raise type_error("shape", "list, tuple or Variable", value)
    found = list(value) if isinstance(value, (list, tuple, np.ndarray)) else [value]
    tensors = []
    if any(map(is_variable, found)):
        for item in found:
            tensor = item if is_variable(item) else make(int(item))
            tensor.stop_gradient = True
            tensors.append(_as_int32(tensor) if int32 else tensor)
    return None, tensors, [-1 if is_variable(item) else int(item) for item in found]


def _as_int32(value: Variable) -> Variable:
    from paddle_compat.fluid.layers._filling import cast

    return value if value.dtype == VarType.INT32 else cast(value, "int32")
