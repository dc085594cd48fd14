"""Gradients that are made smaller in place: what Paddle has for its eager mode only."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch

from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.mode import in_dygraph_mode
from paddle_compat.core.tensor import Tensor


def _gradients(parameters: Any, api: str) -> list[torch.Tensor]:
    if not in_dygraph_mode():
        raise RuntimeError(f"`{api}` works in eager mode only. Expected the grad_clip of an optimizer. Received: a call in static mode")
    given: Iterable[Any] = [parameters] if isinstance(parameters, Tensor) else parameters
    return [p.grad._t for p in given if p.grad is not None]


def clip_grad_norm_(parameters: Any, max_norm: float, norm_type: float = 2.0, error_if_nonfinite: bool = False) -> Any:
    """Scale the gradients of all parameters by one factor, so that their norm is at most `max_norm`.

    Args:
        parameters: a parameter or several, of eager mode.
        max_norm (float): the largest norm.
        norm_type (float): 0, 1, 2 or infinity.
        error_if_nonfinite (bool): refuse a norm that is not finite.
    Returns:
        Tensor: the norm that the gradients had.
    Raises:
        RuntimeError: in static mode; `error_if_nonfinite`, and the norm is not finite.
        ValueError: there is no such norm.

    Example:
        >>> import paddle_compat as paddle
        >>> weight = paddle.create_parameter([2], "float32")
        >>> (weight * paddle.to_tensor([3.0, 4.0])).sum().backward()
        >>> float(paddle.nn.utils.clip_grad_norm_([weight], 1.0)), [round(v, 4) for v in weight.grad.tolist()]
        (5.0, [0.6, 0.8])

    Follows Paddle 2.6.
    """
    grads = _gradients(parameters, "clip_grad_norm_")
    if norm_type not in (float("inf"), 0, 1, 2):
        raise invalid_argument("norm_type", "0, 1, 2 or infinity", norm_type, "clip_grad_norm_")
    if not grads:
        return Tensor(torch.tensor(0.0))
    total = torch.linalg.vector_norm(torch.stack([torch.linalg.vector_norm(g, norm_type) for g in grads]), norm_type)
    if error_if_nonfinite and not bool(total.isfinite()):
        raise RuntimeError(f"Gradients of a norm that is not finite cannot be clipped. Expected a finite one. Received: {float(total)}")
    factor = (float(max_norm) / (total + 1e-6)).clamp(max=1.0)
    for grad in grads:
        grad.mul_(factor)
    return Tensor(total)


def clip_grad_value_(parameters: Any, clip_value: float) -> None:
    """Bring the elements of all gradients between `-clip_value` and `clip_value`.

    Args:
        parameters: a parameter or several, of eager mode.
        clip_value (float): the bound of elements.
    Raises:
        RuntimeError: in static mode.
        ValueError: the bound is below 0.

    Example:
        >>> import paddle_compat as paddle
        >>> weight = paddle.create_parameter([2], "float32")
        >>> (weight * paddle.to_tensor([0.25, -4.0])).sum().backward()
        >>> paddle.nn.utils.clip_grad_value_([weight], 1.0); weight.grad.tolist()
        [0.25, -1.0]

    Follows Paddle 2.6.
    """
    bound = float(clip_value)
    for grad in _gradients(parameters, "clip_grad_value_"):
        if bound < 0:
            raise invalid_argument("clip_value", "a number from 0", clip_value, "clip_grad_value_")
        grad.clamp_(-bound, bound)
