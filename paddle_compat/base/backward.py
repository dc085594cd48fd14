"""`paddle.base.backward`: gradients of Programs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.backward import append_backward, gradients
from paddle_compat.core.operator import GRAD_SUFFIX
from paddle_compat.core.variable import Variable


def calc_gradient(
    targets: Any, inputs: Any, target_gradients: Any = None, no_grad_set: Iterable[Any] | None = None
) -> Variable | list[Variable | None] | None:
    """Append the operators that compute gradients, as `gradients` does; of a single input it returns the gradient itself.

    Args:
        targets: a Variable or list of Variables; several are summed.
        inputs: a Variable or list of Variables.
        target_gradients: one Variable (or None: ones) for each target.
        no_grad_set: Variables or names through which no gradient flows.
    Returns:
        The gradient of a single input (None: there is none), or a list of them.
    Raises:
        AssertionError: eager mode is on.
        TypeError, ValueError: the lists do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> with paddle.static.program_guard(paddle.static.Program()):
        ...     x = paddle.static.data("x", [None, 2])
        ...     x.stop_gradient = False
        ...     g = paddle.base.backward.calc_gradient(paddle.tanh(x), x)
        >>> g.name
        'x@GRAD'
        >>> paddle.disable_static()

    Follows Paddle 1.8 and 2.6.
    """
    found = gradients(targets, inputs, target_gradients, no_grad_set)
    return found if len(found) > 1 else next(iter(found), None)


def _append_grad_suffix_(name: str) -> str:
    """The name of a variable's gradient."""
    return name + GRAD_SUFFIX


def _strip_grad_suffix_(name: str) -> str:
    """The name of the variable that a gradient, or a part of it, belongs to."""
    base, suffix, _ = name.partition(GRAD_SUFFIX)
    return base.rpartition("grad/")[2] if suffix else name


__all__ = ["append_backward", "calc_gradient", "gradients"]

__getattr__ = missing(__name__)
