"""Arithmetic that says where the second operand lies: `paddle.tensor.math._add_with_axis`, as networks of Paddle's tests call it."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.op import Op
from paddle_compat.ops import elementwise
from paddle_compat.tensor._calls import helper_of, static


def _with_axis(operator: Op, x: Any, y: Any, axis: int, name: str | None) -> Any:
    if not static(x, y):
        return operator(x, y, axis=axis)
    helper = helper_of(operator.type, name)
    out = helper.create_variable(name=helper.name, dtype=x.dtype, persistable=False)
    return operator(x, y, axis=axis, _helper=helper, _outputs={"Out": out})


def _add_with_axis(x: Any, y: Any, axis: int = -1, name: str | None = None) -> Any:
    """x + y, the dimensions of y beside those of x from `axis` on."""
    return _with_axis(elementwise.elementwise_add, x, y, axis, name)


def _subtract_with_axis(x: Any, y: Any, axis: int = -1, name: str | None = None) -> Any:
    """x - y, the dimensions of y beside those of x from `axis` on."""
    return _with_axis(elementwise.elementwise_sub, x, y, axis, name)


def _multiply_with_axis(x: Any, y: Any, axis: int = -1, name: str | None = None) -> Any:
    """x * y, the dimensions of y beside those of x from `axis` on."""
    return _with_axis(elementwise.elementwise_mul, x, y, axis, name)


def _divide_with_axis(x: Any, y: Any, axis: int = -1, name: str | None = None) -> Any:
    """x / y, the dimensions of y beside those of x from `axis` on."""
    return _with_axis(elementwise.elementwise_div, x, y, axis, name)
