"""Gradients of Programs."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.backward import gradients
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.incubate.autograd._prim import prim_enabled, static_only


def grad(outputs: Any, inputs: Any, grad_outputs: Any = None) -> Any:
    """Append the gradients of the outputs with respect to the inputs to a Program.

    Args:
        outputs: a Variable, or a list of them.
        inputs: a Variable, or a list of them.
        grad_outputs: the gradients of the outputs; None: ones.
    Returns:
        A Variable, or a list of them for a list of inputs; an empty list where no gradient flows.
    Raises:
        AssertionError: eager mode is on.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [2])
        >>> x.stop_gradient = False
        >>> paddle.incubate.autograd.grad(x * x, x).name
        'x@GRAD'
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    static_only("grad")
    found = gradients(outputs, inputs, grad_outputs)
    return found if isinstance(inputs, (list, tuple)) or not found else found[0]


def forward_grad(outputs: Any, inputs: Any, grad_inputs: Any = None) -> Any:
    """Refused: Programs are differentiated backwards only.

    Args:
        outputs: a Variable, or a list of them.
        inputs: a Variable, or a list of them.
        grad_inputs: how the inputs change; None: by ones.
    Returns:
        Nothing.
    Raises:
        AssertionError: eager mode is on.
        RuntimeError: `enable_prim` was not called.
        UnsupportedError: it was.

    Example:
        >>> import paddle_compat as paddle
        >>> y, change = paddle.incubate.autograd.jvp(lambda x: x * x, paddle.to_tensor([3.0, 4.0]))
        >>> change.tolist()
        [6.0, 8.0]

    Follows Paddle 2.6.
    """
    static_only("forward_grad")
    if not prim_enabled():
        raise RuntimeError("`forward_grad` needs elementary operators. Expected enable_prim() before it. Received: a call without")
    raise UnsupportedError("paddle.incubate.autograd.forward_grad", instead="paddle.incubate.autograd.jvp in eager mode")


__all__ = ["forward_grad", "grad"]

__getattr__ = missing(__name__)
