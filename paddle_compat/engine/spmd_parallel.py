"""Operators that have a parallel algorithm of their own: where pieces would have to be gathered, sums of a few numbers travel instead."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import torch
from torch.distributed.tensor import Replicate

from paddle_compat.core.errors import invalid_argument
from paddle_compat.engine.spmd import Cut, Pieces, inside, lay, reduced
from paddle_compat.engine.spmd_labels import Attrs, Rule, numbered
from paddle_compat.ops.math import shortened
from paddle_compat.ops.norm import normalized_batch, normalized_rows

Tensor = torch.Tensor


def met(value: Tensor, pieces: Pieces, labels: Sequence[Hashable], kind: str = "sum") -> Tensor:
    """The sum (or the like) over all processes that have another piece of these labels. No gradient goes back."""
    return reduced(value, kind, pieces.mesh, [at for at, label in enumerate(pieces.chosen) if label in labels])


class _Gathered(torch.autograd.Function):
    """What each of the processes that have other pieces of labels gives, one below the other."""

    @staticmethod
    def forward(ctx: Any, value: Tensor, pieces: Pieces, labels: Sequence[Hashable]) -> Tensor:
        ctx.own, count = 0, 1
        for at, size in enumerate(pieces.mesh.shape):
            if pieces.chosen[at] in labels:
                ctx.own, count = ctx.own * size + pieces.mesh.get_coordinate()[at], count * size
        ctx.pieces, ctx.labels = pieces, labels
        rows = [value if at == ctx.own else torch.zeros_like(value) for at in range(count)]
        return met(torch.stack(rows), pieces, labels)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Any:
        return _Scattered.apply(grad, ctx.own, ctx.pieces, ctx.labels), None, None


class _Scattered(torch.autograd.Function):
    """The other way round: the sum of what all of them give for this one."""

    @staticmethod
    def forward(ctx: Any, value: Tensor, own: int, pieces: Pieces, labels: Sequence[Hashable]) -> Tensor:
        ctx.pieces, ctx.labels = pieces, labels
        return met(value.contiguous(), pieces, labels)[own]

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Any:
        return _Gathered.apply(grad, ctx.pieces, ctx.labels), None, None, None


class _Summed(torch.autograd.Function):
    """The sum over pieces, which all processes have alike, its gradient too."""

    @staticmethod
    def forward(ctx: Any, value: Tensor, pieces: Pieces, labels: Sequence[Hashable]) -> Tensor:
        ctx.pieces, ctx.labels = pieces, labels
        return met(value.contiguous(), pieces, labels)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Any:
        return _Used.apply(grad, ctx.pieces, ctx.labels), None, None


class _Used(torch.autograd.Function):
    """What all processes have alike and use for their pieces: its gradient is the sum of theirs."""

    @staticmethod
    def forward(ctx: Any, value: Tensor, pieces: Pieces, labels: Sequence[Hashable]) -> Tensor:
        ctx.pieces, ctx.labels = pieces, labels
        return value.view_as(value)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Any:
        return _Summed.apply(grad, ctx.pieces, ctx.labels), None, None


def dropped(args: list[Any], attrs: Attrs) -> Cut | None:
    """dropout: all processes draw for the whole, and each takes what falls on its piece."""
    x = args[0]
    if args[1] is not None:
        return None
    labels = numbered(x.dim())

    def run(held: list[Any], pieces: Pieces) -> Tensor:
        if attrs["is_test"] or not any(label is not None for label in pieces.chosen):
            return pieces.call(*held)
        return held[0] * _own(pieces.call(torch.ones(x.shape, dtype=x.dtype, device=held[0].device), None), pieces)

    return Cut([labels], [labels], run=run)


def drawn(args: list[Any], attrs: Attrs) -> Cut | None:
    """bernoulli and poisson: the draws depend on the numbers, so all processes draw of all, and keep what falls on their pieces."""
    x = args[0]
    labels = numbered(x.dim())

    def run(held: list[Any], pieces: Pieces) -> Tensor:
        everywhere = [Replicate()] * pieces.mesh.ndim
        return _own(pieces.call(inside(lay(x.detach(), everywhere), everywhere)), pieces)

    return Cut([labels], [labels], run=run)


def _own(value: Tensor, pieces: Pieces) -> Tensor:
    """This process's piece of a tensor whose labels are the numbers of its dimensions."""
    for label in {label for label in pieces.chosen if isinstance(label, int)}:
        value = value.narrow(label, *pieces.part(label))
    return value


def looked_up(keeps: bool) -> Rule:
    """Rows of a table: cut along its rows, each process gives those that it has, and zeros for others.

    Args:
        keeps: whether the last dimension of the ids, which is 1, is one of the rows'.
    """

    def rule(args: list[Any], attrs: Attrs) -> Cut | None:
        ids, table = args
        labels = [("i", at) for at in range(ids.dim())]
        shown = labels if keeps else labels[:-1]
        padding = attrs["padding_idx"]

        def run(held: list[Any], pieces: Pieces) -> Tensor:
            if "v" not in pieces.chosen:
                return pieces.call(*held, is_sparse=False)
            wrong = _wrong("Ids", held[0], table.shape[0])
            start, length = pieces.part("v")
            places = held[0] - start
            mine = (places >= 0) & (places < length)
            own = padding - start if start <= padding < start + length else -1
            rows = pieces.call(torch.where(mine, places, 0), held[1], is_sparse=False, padding_idx=own)
            rows = rows * mine.reshape((*rows.shape[:-1], 1))
            return rows if wrong is None else rows.masked_fill(wrong.reshape((*rows.shape[:-1], 1)), float("nan"))

        return Cut([labels, ["v", "e"]], [[*shown, "e"]], {"v": "sum"}, run=run, settled=True)

    return rule


def _wrong(name: str, numbers: Tensor, size: int, ignored: int | None = None) -> Tensor | None:
    """Which of these are the numbers of nobody's pieces, where they cannot be seen: in traces, and on GPUs, which would wait for them.

    Raises:
        InvalidArgumentError: some are, on the CPU.
    """
    wrong = (numbers < 0) | (numbers >= size)
    if ignored is not None:
        wrong &= numbers != ignored
    if type(numbers) is not Tensor or numbers.device.type != "cpu" or torch._C._len_torch_dispatch_stack():
        return wrong
    if bool(wrong.any()):
        raise invalid_argument(name, f"numbers from 0 to {size - 1}", f"from {int(numbers.min())} to {int(numbers.max())}")
    return None


def shortened_together(args: list[Any], attrs: Attrs) -> Cut | None:
    """clip_by_norm: the squares of the pieces' norms travel."""
    labels = numbered(args[0].dim())

    def run(held: list[Any], pieces: Pieces) -> Tensor:
        over = [label for label in pieces.chosen if label is not None]
        if not over:
            return pieces.call(*held)
        wide = held[0].float() if held[0].dtype in (torch.float16, torch.bfloat16) else held[0]
        norm = _Gathered.apply(wide.square().sum(), pieces, over).sum().sqrt()
        return shortened(held[0], norm.to(held[0].dtype), attrs["max_norm"])

    return Cut([labels], [labels], run=run)


def batch_normalized(args: list[Any], attrs: Attrs) -> Cut | None:
    """batch_norm: the statistics are those of the whole batch, as in Paddle, which gathers it."""
    x = args[0]
    if args[5] is not None:
        return None
    channel = x.dim() - 1 if attrs["data_layout"].endswith("C") and x.dim() > 2 else 1
    given = attrs["use_global_stats"] or (attrs["is_test"] and not attrs["trainable_statistics"])
    labels = ["c" if at == channel else at for at in range(x.dim())]

    def run(held: list[Any], pieces: Pieces) -> Any:
        over = [label for label in pieces.chosen if isinstance(label, int)]

        def normalize(rows: Tensor, scale: Tensor | None, bias: Tensor | None, epsilon: float) -> tuple[Tensor, Tensor, Tensor]:
            if not over:
                return normalized_rows(rows, scale, bias, epsilon)
            return _normalized_together(rows, scale, bias, epsilon, pieces, over)

        own, scale, bias, mean, variance = held[:5]
        way = None if given else normalize
        return normalized_batch(own, scale, bias, mean, variance, way, attrs["momentum"], attrs["epsilon"], attrs["data_layout"])

    return Cut([labels, *(["c"] for value in args[1:] if value is not None)], [labels, ["c"], ["c"]], run=run)


def _normalized_together(
    rows: Tensor, scale: Tensor | None, bias: Tensor | None, epsilon: float, pieces: Pieces, over: Sequence[Hashable]
) -> tuple[Tensor, Tensor, Tensor]:
    """`normalized_rows` over the pieces of all processes: one call, of two numbers for each channel."""
    wide = rows.float() if rows.dtype in (torch.float16, torch.bfloat16) else rows
    variance, mean = torch.var_mean(wide, [at for at in range(rows.dim()) if at != 1], correction=0)
    size = mean.numel()
    count = mean.new_full((1,), rows.numel() / max(size, 1))
    found = _Gathered.apply(torch.cat([mean, variance, count]), pieces, over)
    means, variances, counts = found.split([size, size, 1], 1)
    weights = counts / counts.sum()
    mean = (weights * means).sum(0)
    variance = (weights * (variances + (means - mean).square())).sum(0)
    shape = (1, size, *[1] * (rows.dim() - 2))
    factor = (variance + epsilon).rsqrt()
    if scale is not None:
        factor = factor * scale
    out = (wide - mean.reshape(shape)) * factor.reshape(shape)
    out = out if bias is None else out + bias.reshape(shape)
    return out.to(rows.dtype), mean.detach(), variance.detach()


def of_classes(args: list[Any], attrs: Attrs) -> Cut | None:
    """softmax_with_cross_entropy: over pieces of the classes, three numbers of each row travel, in two calls."""
    logits, label = args
    axis = attrs["axis"] % logits.dim()
    plain = attrs["use_softmax"] and not (attrs["_ignored_learn"] and not attrs["soft_label"])
    labels = numbered(logits.dim())
    labels[axis] = "c" if plain else None
    rows = [None if at == axis else own for at, own in enumerate(labels)]
    beside = labels if attrs["soft_label"] else rows
    if label.dim() != logits.dim():
        beside = labels[:axis] + labels[axis + 1 :]
    if label.dim() != len(beside) or (attrs["soft_label"] and label.shape != logits.shape):
        return None

    def run(held: list[Any], pieces: Pieces) -> Any:
        if "c" not in pieces.chosen:
            return pieces.call(*held)
        own, target = held
        target = target if target.dim() == own.dim() else target.unsqueeze(axis)
        wrong = None if attrs["soft_label"] else _wrong("label", target, logits.shape[axis], attrs["ignore_index"])
        softmax, loss = _ClassLoss.apply(own, target, axis, attrs, pieces)
        softmax = softmax.detach()  # only gradients of gradients go through it
        return softmax, loss if wrong is None else loss.masked_fill(wrong, float("nan"))

    return Cut([labels, beside], [labels, rows], run=run)


class _ClassLoss(torch.autograd.Function):
    """Softmax over the classes of all pieces, and the cross entropy with each row's class, or with a distribution."""

    @staticmethod
    def forward(ctx: Any, logits: Tensor, label: Tensor, axis: int, attrs: Attrs, pieces: Pieces) -> tuple[Tensor, Tensor]:
        wide = logits.float() if logits.dtype in (torch.float16, torch.bfloat16) else logits
        shifted = wide - met(wide.amax(axis, keepdim=True), pieces, ["c"], "max")
        powers = shifted.exp()
        ctx.axis, ctx.soft, ctx.pieces = axis, attrs["soft_label"], pieces
        ctx.set_materialize_grads(False)
        mine = silent = None
        if ctx.soft:
            target = label.to(wide.dtype)
            own = [(target * shifted).sum(axis, keepdim=True), target.sum(axis, keepdim=True)]
        else:
            start, length = pieces.part("c")
            target = label.long() - start
            mine = (target >= 0) & (target < length)
            target = target.masked_fill(~mine, 0)
            own = [shifted.gather(axis, target).masked_fill(~mine, 0.0)]
        total, picked, *weight = met(torch.stack([powers.sum(axis, keepdim=True), *own]), pieces, ["c"]).unbind()
        loss = total.log() * weight[0] - picked if weight else total.log() - picked
        if not ctx.soft:
            silent = label == attrs["ignore_index"]
            loss = loss.masked_fill(silent, 0.0)
        softmax = (powers / total).to(logits.dtype)
        ctx.save_for_backward(softmax, target, mine, silent)
        return softmax, loss.to(logits.dtype)

    @staticmethod
    def backward(ctx: Any, of_softmax: Tensor | None, of_loss: Tensor | None) -> Any:
        softmax, target, mine, silent = ctx.saved_tensors
        out = None
        if of_loss is not None:
            wanted = target.to(softmax.dtype) if ctx.soft else torch.zeros_like(softmax).scatter(ctx.axis, target, mine.to(softmax.dtype))
            out = (softmax - wanted) * _Used.apply(of_loss, ctx.pieces, ["c"])
            out = out if ctx.soft else out.masked_fill(silent, 0.0)
        if of_softmax is not None:
            total = _Summed.apply((of_softmax * softmax).sum(ctx.axis, keepdim=True), ctx.pieces, ["c"])
            more = softmax * (of_softmax - _Used.apply(total, ctx.pieces, ["c"]))
            out = more if out is None else out + more
        return out, None, None, None, None


def of_chosen(args: list[Any], attrs: Attrs) -> Cut | None:
    """nll_loss: a mean is the sum of all pieces, divided by the weight of all, which travels."""
    x, label, weight = args
    column = label.dim() == 2 and label.shape[1] == 1
    rows: list[Any] = [0] if column else [at for at in range(x.dim()) if at != 1]
    if len(rows) != x.dim() - 1 or x.dim() < 2:
        return None
    shown = attrs["reduction"] == "none"
    one: list[Any] = [None] if attrs["_rank1"] else []

    def run(held: list[Any], pieces: Pieces) -> Any:
        over = [own for own in pieces.chosen if own is not None]
        if attrs["reduction"] != "mean" or not over:
            return pieces.call(*held)
        loss, total = pieces.call(*held, reduction="sum")
        return loss / met(total, pieces, over), total

    labels = [None if at == 1 else at for at in range(x.dim())]
    given = [labels, [*rows, None] if column else rows, *([[None]] if weight is not None else [])]
    return Cut(given, [rows if shown else one, one], {} if shown else dict.fromkeys(rows, "sum"), run=run)


RULES: dict[str, Rule] = {
    "dropout": dropped,
    **dict.fromkeys(("bernoulli", "poisson"), drawn),
    "clip_by_norm": shortened_together,
    "lookup_table": looked_up(False),
    "lookup_table_v2": looked_up(True),
    **dict.fromkeys(("batch_norm", "sync_batch_norm"), batch_normalized),
    "softmax_with_cross_entropy": of_classes,
    "nll_loss": of_chosen,
}

__all__ = ["RULES", "met"]
