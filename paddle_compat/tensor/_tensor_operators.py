"""`+`, `<` and the like on Tensors, with Paddle 2.6's rules of types.

Of two floating types the wider wins; else the second operand takes the first one's type. A Python float makes integers
float32, and so does a division.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from paddle_compat.core.direct import direct
from paddle_compat.core.eager import call
from paddle_compat.core.op import Op
from paddle_compat.core.tensor import Tensor
from paddle_compat.ops import elementwise, linalg, logic
from paddle_compat.tensor._tensor_indexing import getitem, iterate, length, setitem

Scaled = Callable[[torch.Tensor, Any], torch.Tensor]


def _is_number(value: Any) -> bool:
    return isinstance(value, (bool, int, float, np.number, np.bool_))


def common(left: torch.Tensor, right: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Two operands in one type where both are floating: the wider."""
    if left.dtype is right.dtype or not (left.is_floating_point() and right.is_floating_point()):
        return left, right
    wider = torch.promote_types(left.dtype, right.dtype)
    return left.to(wider), right.to(wider)


def _alike(left: torch.Tensor, right: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Two operands of a Python operator in one type."""
    left, right = common(left, right)
    return left, right if left.is_complex() or right.is_complex() else right.to(left.dtype)


def binary(operator: Op, reverse: bool = False, divides: bool = False, scaled: Scaled | None = None) -> Callable[..., Any]:
    """The method that a Python operator calls on a Tensor.

    Args:
        operator: what it computes.
        reverse: the Tensor stands on the right.
        divides: integers become float32.
        scaled: what it computes with a number, where Paddle does that by one scale.
    """

    def method(self: Tensor, other: Any) -> Any:
        left = self._t
        if isinstance(other, Tensor):
            left, right = _alike(left, other._t)
        elif _is_number(other):
            other = other.item() if isinstance(other, (np.number, np.bool_)) else other
            whole = not (left.is_floating_point() or left.is_complex())
            if whole and (isinstance(other, float) or divides):
                left = left.float()
            if scaled is not None:
                return Tensor(scaled(left, other))
            right = torch.full((), other, dtype=left.dtype, device=left.device)
        elif isinstance(other, (np.ndarray, list, tuple)):
            left, right = _alike(left, torch.as_tensor(np.asarray(other), device=left.device))
        else:
            return NotImplemented
        if divides and not (left.is_floating_point() or left.is_complex()):
            left, right = left.float(), right.float()
        return Tensor(call(operator, [right, left] if reverse else [left, right], {}))

    return method


def unary(operator: Op) -> Callable[..., Any]:
    """The method that a Python operator of one Tensor calls."""
    return lambda self: Tensor(operator.fn(self._t))


METHODS: dict[str, Callable[..., Any]] = {
    "__add__": binary(elementwise.elementwise_add, scaled=lambda x, n: x + n),
    "__radd__": binary(elementwise.elementwise_add, scaled=lambda x, n: x + n),
    "__sub__": binary(elementwise.elementwise_sub, scaled=lambda x, n: x - n),
    "__rsub__": binary(elementwise.elementwise_sub, True, scaled=lambda x, n: n - x),
    "__mul__": binary(elementwise.elementwise_mul, scaled=lambda x, n: x * n),
    "__rmul__": binary(elementwise.elementwise_mul, scaled=lambda x, n: x * n),
    "__truediv__": binary(elementwise.elementwise_div, divides=True, scaled=lambda x, n: x * (1.0 / n) if n else x / n),
    "__rtruediv__": binary(elementwise.elementwise_div, True, divides=True),
    "__pow__": binary(elementwise.elementwise_pow),
    "__rpow__": binary(elementwise.elementwise_pow, True),
    "__floordiv__": binary(elementwise.elementwise_floordiv),
    "__mod__": binary(elementwise.elementwise_mod),
    "__matmul__": binary(linalg.matmul_v2),
    "__eq__": binary(logic.equal),
    "__ne__": binary(logic.not_equal),
    "__lt__": binary(logic.less_than),
    "__le__": binary(logic.less_equal),
    "__gt__": binary(logic.greater_than),
    "__ge__": binary(logic.greater_equal),
    "__and__": binary(elementwise.bitwise_and),
    "__or__": binary(elementwise.bitwise_or),
    "__xor__": binary(elementwise.bitwise_xor),
    "__invert__": unary(elementwise.bitwise_not),
    "__neg__": lambda self: Tensor(-self._t),
    "__getitem__": getitem,
    "__setitem__": setitem,
    "__iter__": iterate,
    "__len__": length,
}

# What the operators amount to on Tensors of one floating type, and on one and a number (see `core.direct`).
_SHORT: dict[str, tuple[str, str]] = {
    "__add__": ("torch.add(self_, other_)", "torch.add(self_, other)"),
    "__radd__": ("torch.add(other_, self_)", "torch.add(self_, other)"),
    "__sub__": ("torch.sub(self_, other_)", "torch.sub(self_, other)"),
    "__rsub__": ("torch.sub(other_, self_)", "torch.rsub(self_, other)"),
    "__mul__": ("torch.mul(self_, other_)", "torch.mul(self_, other)"),
    "__rmul__": ("torch.mul(other_, self_)", "torch.mul(self_, other)"),
    "__truediv__": ("torch.div(self_, other_)", "torch.mul(self_, 1.0 / other) if other else self_ / other"),
    **{f"__{sign}__": (f"torch.{sign}(self_, other_)", f"torch.{sign}(self_, other)") for sign in ("eq", "ne", "lt", "le", "gt", "ge")},
}
for _name, (_tensors, _number) in _SHORT.items():
    _method = METHODS[_name]
    _method.__qualname__, _method.__module__ = f"Tensor.{_name}", __name__
    METHODS[_name] = direct(
        "self other",
        _tensors,
        "(kind := self_.dtype) is other_.dtype and kind in FLOATS",
        ("self", _number, "type(other) in NUMBERS and self._t.dtype in FLOATS"),
    )(_method)
