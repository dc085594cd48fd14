"""`paddle.autograd.ir_backward`: gradients of values of a Program, as Paddle has them for its new IR."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.backward import append_backward, gradients


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool = False,
    no_grad_vars: Any = None,
) -> list[Any]:
    """Write the operators of the gradients of Variables.

    Args:
        outputs, inputs: Variables, or lists of them.
        grad_outputs: gradients to begin with; None: ones.
        retain_graph, create_graph, only_inputs, allow_unused: of no effect on a Program.
        no_grad_vars: Variables, or a set of them, to which no gradient goes.
    Returns:
        A gradient, or None, for each input.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.autograd import ir_backward
        >>> with paddle.pir_utils.IrGuard(), paddle.static.program_guard(paddle.static.Program()):
        ...     x = paddle.static.data("x", [2], "float32")
        ...     x.stop_gradient = False
        ...     ir_backward.grad(paddle.exp(x), x)[0].shape
        (2,)

    Follows Paddle 2.6.
    """
    return list(gradients(outputs, inputs, grad_outputs, no_grad_vars))


def calc_gradient(outputs: Any, inputs: Any, grad_outputs: Any, no_grad_set: Any) -> list[Any]:
    """As `grad`, with less to say.

    Args:
        outputs, inputs: Variables, or lists of them.
        grad_outputs: gradients to begin with; None: ones.
        no_grad_set: Variables to which no gradient goes.
    Returns:
        A gradient, or None, for each input.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.autograd import ir_backward
        >>> with paddle.pir_utils.IrGuard(), paddle.static.program_guard(paddle.static.Program()):
        ...     x = paddle.static.data("x", [2], "float32")
        ...     x.stop_gradient = False
        ...     len(ir_backward.calc_gradient(paddle.exp(x), x, None, None))
        1

    Follows Paddle 2.6.
    """
    return list(gradients(outputs, inputs, grad_outputs, no_grad_set))


__all__ = ["append_backward", "calc_gradient", "grad"]

__getattr__ = missing(__name__)
