"""Integers in Programs that gradients pass through: what was made of floating numbers, and what operators make of that."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

from paddle_compat.core import integers
from paddle_compat.core.dtype import is_float, torch_dtype
from paddle_compat.core.op import Op
from paddle_compat.core.operator import Operator

if TYPE_CHECKING:
    from paddle_compat.engine.lowering import _Lowering


def following(lowering: _Lowering, op: Operator, definition: Op, function: Callable[..., Any]) -> Callable[..., Any]:
    """What computes an operator so that gradients pass its integers, as they do in eager mode.

    Args:
        lowering: what lowers the Program.
        op: the operator.
        definition: its definition.
        function: what computes it otherwise.
    Returns:
        `function`, or one that calls it.
    """
    if _becomes_whole(lowering, op):
        lowering.whole.update(op.output_arg_names)
        return _cast
    if definition.grad is None or not any(_has_history(lowering, name) for name in op.input_arg_names):
        return function
    made = {name: lowering.block._find_var_recursive(name) for name in op.output_arg_names}
    lowering.whole.update(name for name, var in made.items() if var is not None and not is_float(var.dtype))

    @wraps(function)
    def call(*args: Any, **attrs: Any) -> Any:
        return integers.follow(definition, function, args, attrs, function(*args, **attrs))

    return call


def _has_history(lowering: _Lowering, name: str) -> bool:
    """Whether these are integers that gradients pass through."""
    if name in lowering.whole:
        return True
    var = lowering.block._find_var_recursive(name)
    return var is not None and var.is_data and not (var.stop_gradient or is_float(var.dtype))


def _becomes_whole(lowering: _Lowering, op: Operator) -> bool:
    """Whether an operator casts floating numbers that have a gradient to integers."""
    if op.type != "cast":
        return False
    source, made = (lowering.block._find_var_recursive(names[0]) for names in (op.input("X"), op.output("Out")))
    return source is not None and made is not None and is_float(source.dtype) and not (is_float(made.dtype) or source.stop_gradient)


def _cast(x: Any, *, in_dtype: int = -1, out_dtype: int) -> Any:
    return integers.made_whole(x, torch_dtype(out_dtype))
