"""Batch norm of large images on the CPU, in half of PyTorch's time.

PyTorch adds up the numbers of a channel one by one. Its kernel of group norm adds them up in vectors, for a channel of one image
at a time, which takes a fifth of that, and the moments of all images are soon found from those of each.
"""

from __future__ import annotations

from typing import Any

import torch

from paddle_compat.ops._products import only_autograd

Tensor = torch.Tensor
LEAST = 1 << 17  # elements from which the detour pays
_AREA = 128  # elements of a channel of an image from which vectors pay


def of_large(rows: Tensor, scale: Tensor | None, bias: Tensor | None, epsilon: float) -> tuple[Tensor, Tensor, Tensor] | None:
    """What is normalized over a batch, its mean and its variance; None where torch's own kernel is to do it.

    Args:
        rows: [batch, channels, ...].
        scale, bias: [channels].
        epsilon: added to the variance.
    """
    if type(rows) is not Tensor or not rows.is_cpu or rows.numel() < LEAST or rows.dtype is not torch.float32 or rows.dim() < 3:
        return None
    parts = [part for part in (scale, bias) if part is not None]
    if rows.numel() < _AREA * rows.shape[0] * rows.shape[1] or not rows.is_contiguous():
        return None
    if not all(type(part) is Tensor and part.dtype is torch.float32 for part in parts) or not only_autograd():
        return None
    if torch.is_grad_enabled() and any(part.requires_grad for part in (rows, *parts)):
        found: tuple[Tensor, Tensor, Tensor] = _LargeBatch.apply(rows, scale, bias, epsilon)
        return found
    return _normalized(rows, scale, bias, epsilon)


def _normalized(rows: Tensor, scale: Tensor | None, bias: Tensor | None, epsilon: float) -> tuple[Tensor, Tensor, Tensor]:
    count, channels = rows.shape[:2]
    area = rows.numel() // (count * channels)
    _, means, deviations = torch.native_group_norm(rows, None, None, count, channels, area, channels, 0.0)
    between, mean = torch.var_mean(means, 0, correction=0)
    variance = deviations.pow_(-2).mean(0).add_(between)
    return torch.batch_norm(rows, scale, bias, mean, variance, False, 0.0, epsilon, False), mean, variance


class _LargeBatch(torch.autograd.Function):
    """`_normalized`, with the gradient of torch's own kernel, which takes five times as long for one number in the place of all."""

    @staticmethod
    def forward(
        ctx: Any, rows: Tensor, scale: Tensor | None, bias: Tensor | None, epsilon: float
    ) -> tuple[Tensor, Tensor, Tensor]:
        out, mean, variance = _normalized(rows, scale, bias, epsilon)
        ctx.save_for_backward(rows, scale, mean, (variance + epsilon).rsqrt_())
        ctx.epsilon = epsilon
        ctx.mark_non_differentiable(mean, variance)
        return out, mean, variance

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Any:
        rows, scale, mean, deviation = ctx.saved_tensors
        wanted = list(ctx.needs_input_grad[:3])
        kernel = torch.ops.aten.native_batch_norm_backward
        found = kernel(gradients[0].contiguous(), rows, scale, None, None, mean, deviation, True, ctx.epsilon, wanted)
        return *(part if is_wanted else None for part, is_wanted in zip(found, wanted)), None
