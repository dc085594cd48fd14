"""Look-ups in tables, and the operators of wide input layers and of very many classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
import torch.nn.functional as F

from paddle_compat.core.errors import InvalidArgumentError, WrongInputError, invalid_argument
from paddle_compat.core.lod import LoD
from paddle_compat.core.op import Meta, op
from paddle_compat.core.stand_ins import is_stand_in
from paddle_compat.ops._checks import check_rank, fit
from paddle_compat.ops._lod import lengths

Tensor = torch.Tensor


def _rows(ids: Tensor, table: Tensor, padding_idx: int, is_sparse: bool, by_count: bool = False) -> Tensor:
    """The rows of those ids; zeros, and no gradient, for `padding_idx`. `by_count`: gradients are divided by how often a row is looked up.

    A sparse gradient, as in Paddle, has the rows of all ids, that of `padding_idx` too.
    """
    if table.stride(0) == 0 and is_stand_in(table):
        raise InvalidArgumentError(
            "Invalid value for argument `W` of an embedding. Expected a table that is here. Received: one that lives on parameter servers, "
            "whose rows the Program of DistributeTranspiler.get_trainer_program asks them for"
        )
    if padding_idx >= table.shape[0]:  # no row of the table: zeros all the same
        padded = ids == padding_idx
        return _rows(ids.masked_fill(padded, 0), table, -1, is_sparse, by_count).masked_fill(padded.unsqueeze(-1), 0.0)
    if table.is_complex():  # which torch's embedding has no gradient for
        parts = torch.view_as_real(table).flatten(1)
        return torch.view_as_complex(_rows(ids, parts, padding_idx, is_sparse, by_count).unflatten(-1, (-1, 2)))
    try:
        if padding_idx == -1 or is_sparse:
            out = F.embedding(ids, table, None, None, 2.0, by_count, is_sparse)
            if padding_idx != -1:
                out.detach().masked_fill_((ids == padding_idx).unsqueeze(-1), 0.0)
            return out
        out = F.embedding(ids, table, padding_idx, None, 2.0, by_count, is_sparse)
    except IndexError as error:
        raise InvalidArgumentError(
            f"Invalid value for argument `Ids` of an embedding. Expected ids from 0 to {table.shape[0] - 1}. "
            f"Received: ids from {int(ids.min())} to {int(ids.max())}"
        ) from error
    return out.masked_fill((ids == padding_idx).unsqueeze(-1), 0.0)


def _infer_rows(ids: Meta, table: Meta, **attrs: Any) -> Meta:
    check_rank("W", table, 2)
    return Meta((*ids.shape, table.shape[-1]), table.dtype)


def _infer_column_rows(ids: Meta, table: Meta, **attrs: Any) -> Any:
    if ids.shape[-1:] not in ((1,), (-1,)):
        raise invalid_argument("Ids", "a last dimension of size 1", f"shape {list(ids.shape)}")
    return _infer_rows(Meta(ids.shape[:-1]), table) if ids.shape[-1] == 1 else NotImplemented


@op(
    inputs=("Ids", "W"),
    grad=("W", "Ids"),
    no_grad=("Ids",),
    infer=_infer_column_rows,
)
def lookup_table(
    ids: Tensor,
    table: Tensor,
    *,
    is_sparse: bool = False,
    is_distributed: bool = False,
    padding_idx: int = -1,
    grad_inplace: bool = False,
    remote_prefetch: bool = False,
    trainer_id: int = 0,
    slot: int = 0,
    height_sections: Sequence[int] = (),
    epmap: Sequence[str] = (),
    table_names: Sequence[str] = (),
    entry_config: str = "",
    entry: str = "none",
    table_class: str = "none",
    is_test: bool = False,
) -> Tensor:
    """Rows of a table; the ids' last dimension has size 1 and goes."""
    return _rows(ids.squeeze(-1), table, padding_idx, is_sparse)


@op(inputs=("Ids", "W"), grad=("W", "Ids"), no_grad=("Ids",), infer=_infer_rows)
def lookup_table_v2(
    ids: Tensor,
    table: Tensor,
    *,
    is_sparse: bool = False,
    is_distributed: bool = False,
    padding_idx: int = -1,
    remote_prefetch: bool = False,
    trainer_id: int = 0,
    height_sections: Sequence[int] = (),
    epmap: Sequence[str] = (),
    table_names: Sequence[str] = (),
    _by_count: int = 0,  # no bool, which Paddle 1.8 would have on
) -> Tensor:
    """Rows of a table, for ids of any shape; `_by_count`: with gradients divided by how often a row is looked up."""
    return _rows(ids, table, padding_idx, is_sparse, bool(_by_count))


@op(inputs=("X", "CVM"), outputs=("Y",), grad=("X", "CVM"), no_grad=("CVM",))
def cvm(x: Tensor, counts: Tensor, *, use_cvm: bool = True, x_lod: Any = None) -> Tensor:
    """Shows and clicks, the first two columns: to logarithms, or (not `use_cvm`) away. Their gradient is `counts`.

    Where x has sequences, each row takes the counts of its sequence.
    """
    if x_lod and counts.shape[0] == x_lod[0].numel() - 1:
        counts = counts.repeat_interleave(x_lod[0].diff().to(counts.device), 0)
    return counted(x, counts, use_cvm, 2)


def counted(x: Tensor, counts: Tensor, use_cvm: bool, offset: int) -> Tensor:
    """What `cvm` does, where as many first columns as `offset` says go away and have `counts` for a gradient."""
    if not use_cvm:
        rest = x[:, offset:]
        return _CountGradient.apply(x, counts, rest.detach()) if x.requires_grad else rest
    show = (x[:, :1] + 1).log()
    value = torch.cat((show, (x[:, 1:2] + 1).log() - show, x[:, 2:]), 1).detach()
    return _CountGradient.apply(x, counts, value)


class _CountGradient(torch.autograd.Function):
    """Hands out a value; backward, the columns of the incoming gradient with `counts` before them."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, counts: Tensor, value: Tensor) -> Tensor:
        ctx.save_for_backward(counts)
        ctx.columns = x.shape[1]
        return value.view_as(value)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None, None]:
        (counts,) = ctx.saved_tensors
        return torch.cat((counts.expand(grad.shape[0], -1), grad[:, counts.shape[1] - ctx.columns :]), 1), None, None


def _check_bilinear(x: Any, y: Any, weight: Any) -> None:
    for name, value, rank in (("x", x, 2), ("y", y, 2), ("weight", weight, 3)):
        check_rank(name, value, rank)
    if not fit(x.shape[:1], y.shape[:1]):
        raise invalid_argument("y", f"{x.shape[0]} rows, as x has", f"shape {list(y.shape)}", "bilinear_tensor_product")
    if not fit((x.shape[1], y.shape[1]), weight.shape[1:]):
        expected = f"matrices of {x.shape[1]} by {y.shape[1]} numbers, as x and y have columns"
        raise invalid_argument("weight", expected, f"shape {list(weight.shape)}", "bilinear_tensor_product")


def _infer_bilinear(x: Meta, y: Meta, weight: Meta, bias: Meta | None = None) -> Meta:
    _check_bilinear(x, y, weight)
    return Meta((x.shape[0], weight.shape[0]), x.dtype)


@op(inputs=("X", "Y", "Weight", "Bias?"), grad=("X", "Y", "Weight"), infer=_infer_bilinear)
def bilinear_tensor_product(x: Tensor, y: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """x W_k y + b_k for every k, by one product of matrices: the gradient of torch's own takes up to thirty times as long."""
    _check_bilinear(x, y, weight)
    if x.shape[1] < y.shape[1]:  # what lies between is as wide as the narrower of the two
        x, y, weight = y, x, weight.transpose(1, 2)
    halves = torch.matmul(x, weight.permute(1, 0, 2).flatten(1))
    out = (halves.reshape(x.shape[0], weight.shape[0], y.shape[1]) * y.unsqueeze(1)).sum(-1)
    return out if bias is None else out + bias


@op(inputs=("X", "Y"), grad=("X", "Y"))
def fsp(x: Tensor, y: Tensor) -> Tensor:
    """The matrix of products of every channel of x with every channel of y, averaged over the pixels."""
    return torch.matmul(x.flatten(2), y.flatten(2).transpose(1, 2)) / (x.shape[2] * x.shape[3])


def _infer_encoded(x: Meta, **attrs: Any) -> Any:
    fits = len(x.shape) == (2 if x.lod_level else 3) and x.shape[-1] % 2 == 0 and x.shape[-1] > 0
    return Meta(x.shape, x.dtype) if fits else NotImplemented


@op(inputs=("X",), grad=(), infer=_infer_encoded)
def add_position_encoding(x: Tensor, *, alpha: float = 1.0, beta: float = 1.0, x_lod: LoD | None = None) -> Tensor:
    """alpha x + beta times the sines and cosines of the position, of x (N, T, width) or sequences of rows."""
    half = x.shape[-1] // 2
    if x_lod:
        places = torch.cat([torch.arange(count) for count in lengths(x_lod[0]).tolist()])
        position = places.to(x.device, x.dtype).unsqueeze(1)
    else:
        position = torch.arange(x.shape[1], dtype=x.dtype, device=x.device).unsqueeze(1)
    power = torch.arange(half, dtype=x.dtype, device=x.device) / max(half - 1, 1)
    angle = position / torch.pow(10000.0, power) if half > 1 else position / 10000.0
    return alpha * x + beta * torch.cat((angle.sin(), angle.cos()), 1)


def _default_tree(label: Tensor, num_classes: int) -> tuple[Tensor, Tensor]:
    """The path of each class through a complete binary tree: nodes (-1 beyond the leaf) and turns."""
    code = label.reshape(-1, 1) + num_classes
    bits = torch.arange((2 * num_classes - 1).bit_length() - 1, device=label.device)
    above = code >> (bits + 1)
    return above - 1, (code >> bits) & 1


def _turning(
    x: Tensor, w: Tensor, label: Tensor, table: Tensor | None, code: Tensor | None, bias: Tensor | None, num_classes: int, sparse: bool
) -> tuple[Tensor, Tensor]:
    """At each node of the labels' paths how much speaks for a turn, and the turn itself; 0 beyond a leaf."""
    if table is None:
        nodes, turns = _default_tree(label, num_classes)
    else:
        assert code is not None
        nodes, turns = table, code
    on_path = nodes >= 0
    nodes = nodes.clamp(min=0)
    pre = (F.embedding(nodes, w, sparse=sparse) * x.unsqueeze(1)).sum(-1)
    if bias is not None:
        pre = pre + F.embedding(nodes, bias.reshape(-1, 1), sparse=sparse).squeeze(-1)
    # beyond its leaf a path counts as nodes that leave it open where to turn: log 2 each
    return pre.clamp(-40.0, 40.0).masked_fill(~on_path, 0.0), turns


def _pre_out(
    x: Tensor, w: Tensor, label: Tensor, table: Tensor | None, code: Tensor | None, bias: Tensor | None, out: Tensor,
    *, num_classes: int = 2, **_: Any,
) -> Tensor:  # fmt: skip
    return F.softplus(_turning(x, w, label, table, code, bias, num_classes, False)[0])


@op(
    inputs=("X", "W", "Label", "PathTable?", "PathCode?", "Bias?"),
    outputs=("Out", "PreOut~", "W_Out~"),
    grad=("X", "W", "Label", "PathTable", "PathCode", "Bias", "PreOut"),
    no_grad=("Label", "PathTable", "PathCode"),
    describe={
        "PreOut": lambda x, *rest, **a: Meta((), x.dtype, 0),
        "W_Out": lambda x, w, *rest, **a: Meta(w.shape, w.dtype, 0),
    },
    derive={"PreOut": _pre_out},
)
def hierarchical_sigmoid(
    x: Tensor,
    w: Tensor,
    label: Tensor,
    path_table: Tensor | None = None,
    path_code: Tensor | None = None,
    bias: Tensor | None = None,
    *,
    num_classes: int = 2,
    is_sparse: bool = False,
    remote_prefetch: bool = False,
    trainer_id: int = 0,
    height_sections: Sequence[int] = (),
    epmap: Sequence[str] = (),
    table_names: Sequence[str] = (),
) -> Tensor:
    """The loss of finding each label by turning left or right at the nodes of a tree: (N, 1)."""
    for name, value, right, kinds in (
        ("input", x, x.is_floating_point(), "a tensor of floats"), ("label", label, label.dtype == torch.int64, "a tensor of int64"),
    ):  # fmt: skip
        if not right:
            raise WrongInputError(f"Invalid value for argument `{name}` of `hsigmoid_loss`. Expected {kinds}. Received: {value.dtype}")
    pre, turns = _turning(x, w, label, path_table, path_code, bias, num_classes, is_sparse)
    return (F.softplus(pre) - turns * pre).sum(1, keepdim=True)
