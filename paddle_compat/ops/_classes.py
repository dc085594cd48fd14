"""Cross entropies with class indices and with distributions, of logits and of probabilities: the parts that losses are made of."""

from __future__ import annotations

from typing import Any

import torch

from paddle_compat.ops.activation import log_softmax_of

Tensor = torch.Tensor
# what `torch.nn.functional` calls in the end, behind checks that cost as much, and its numbers for "none" and "mean"
_nll_loss: Any = torch._C._nn.nll_loss_nd
_NONE, _MEAN = 0, 1

# what Paddle puts for the infinite loss of an impossible class
LARGEST = 1e20


def picked(logs: Tensor, label: Tensor, axis: int, ignore_index: int) -> Tensor:
    """-logs[label] along `axis`, which keeps size 1; 0 where the label is `ignore_index`."""
    rank = logs.dim()
    axis %= rank
    label = (label.squeeze(axis) if label.dim() == rank else label).long()
    if rank == 1:
        return _nll_loss(logs, label, None, _MEAN, ignore_index).reshape(1)
    if axis == 1 and (rank == 2 or logs.is_contiguous()):
        return _nll_loss(logs, label, None, _NONE, ignore_index).unsqueeze(axis)
    # the derivative of torch's function of images refuses what is not contiguous
    rows = logs.movedim(axis, -1).reshape(-1, logs.shape[axis])
    return _nll_loss(rows, label.reshape(-1), None, _NONE, ignore_index).reshape(label.shape).unsqueeze(axis)


class SoftTarget(torch.autograd.Function):
    """Cross entropy of logits with a target distribution. The real gradient is softmax - target: right where the target
    sums up to 1, and taken for right elsewhere too. Where `silent` is set the loss is 0, but the gradient is not."""

    @staticmethod
    def forward(ctx: Any, logits: Tensor, target: Tensor, axis: int, silent: Tensor | None) -> tuple[Tensor, Tensor]:
        logs = log_softmax_of(logits, axis, in_eights=True)
        loss = (target * logs).sum(axis, keepdim=True).neg_()
        if silent is not None:
            loss.masked_fill_(silent, 0.0)
        softmax = logs.exp_()
        ctx.save_for_backward(softmax, target)
        ctx.mark_non_differentiable(softmax)
        return softmax, loss

    @staticmethod
    def backward(ctx: Any, unused: Tensor, grad: Tensor) -> tuple[Tensor, None, None, None]:
        softmax, target = ctx.saved_tensors
        return (softmax - target) * grad, None, None, None


class _BoundedLog(torch.autograd.Function):
    """A logarithm that ends at -1e20, as Paddle's losses have it. The gradient of 0 is infinite all the same."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return x.log().clamp_(min=-LARGEST)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return grad / x


def of_probabilities(x: Tensor, label: Tensor, axis: int, soft_label: bool, ignore_index: int) -> Tensor:
    """The cross entropy along `axis`, which keeps size 1, of probabilities with class indices or with a distribution."""
    if soft_label:
        return -(label * _BoundedLog.apply(x)).sum(axis, keepdim=True)
    # chosen before the logarithm: the others, which may be 0, have the gradient 0
    chosen = -picked(x, label, axis, ignore_index)
    return -_BoundedLog.apply(torch.where(label == ignore_index, 1.0, chosen))
