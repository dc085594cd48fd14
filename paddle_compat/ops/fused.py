"""Operators that do in one what layers do in two or three."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch

from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.lod import LoD
from paddle_compat.core.op import Meta, Op, op
from paddle_compat.ops._broadcast import align, infer_broadcast
from paddle_compat.ops._checks import check_fits, check_rank, fit
from paddle_compat.ops._lod import lengths, need_lod, sequence_ids
from paddle_compat.ops.activation import softmax_of

Tensor = torch.Tensor
Function = Callable[..., Tensor]


def _fc_meta(input: Meta, w: Meta, bias: Meta | None = None, *, in_num_col_dims: int = 1, **attrs: Any) -> Meta:
    check_rank("W", w, 2)
    if not in_num_col_dims < len(input.shape):
        raise invalid_argument("Input", f"more than {in_num_col_dims} dimensions", f"shape {list(input.shape)}", "fc")
    width = input.shape[in_num_col_dims:]
    if min(*width, w.shape[0]) >= 0 and math.prod(width) != w.shape[0]:
        raise invalid_argument("W", f"{math.prod(width)} rows, to fit Input's shape {list(input.shape)}", f"shape {list(w.shape)}", "fc")
    if bias is not None:
        check_fits("Bias", bias, (w.shape[1],), (1, w.shape[1]))
    return Meta((*input.shape[:in_num_col_dims], w.shape[1]), input.dtype)


@op(inputs=("Input", "W", "Bias?"), infer=_fc_meta)
def fc(
    input: Tensor, w: Tensor, bias: Tensor | None = None, *, in_num_col_dims: int = 1, activation_type: str = "",
    padding_weights: bool = False,
) -> Tensor:  # fmt: skip
    """A fully connected layer, whose input has rows along its first dimensions."""
    if activation_type not in ("", "relu"):
        raise invalid_argument("activation_type", "'' or 'relu'", activation_type, "fc")
    if padding_weights:
        w = w[:-4, :-4]
    out = input.flatten(in_num_col_dims).reshape(*input.shape[:in_num_col_dims], -1) @ w
    if bias is not None:
        out = out + bias.reshape(-1)
    return torch.relu(out) if activation_type else out


def _layers_meta(x: Meta, weights: Sequence[Meta], biases: Sequence[Meta], **attrs: Any) -> tuple[list[Meta], Meta]:
    outs = [Meta((x.shape[0], weight.shape[1]), x.dtype) for weight in weights]
    return outs[:-1], outs[-1]


@op(inputs=("X", "W*", "Bias*"), outputs=("ReluOut*", "Out"), infer=_layers_meta)
def fusion_repeated_fc_relu(x: Tensor, weights: Sequence[Tensor], biases: Sequence[Tensor]) -> tuple[list[Tensor], Tensor]:
    """Fully connected layers one after the other, each with relu: what all but the last give, and the last."""
    found = []
    for weight, bias in zip(weights, biases):
        x = torch.relu(x @ weight + bias.reshape(-1))
        found.append(x)
    return found[:-1], x


def _batches_meta(x: Meta, weight: Meta, bias: Meta) -> Meta:
    if len(x.shape) != 3 or len(weight.shape) != 3 or not fit(x.shape[::2], weight.shape[:2]):
        expected = "[layers, N, D] and [layers, D, outputs]"
        raise invalid_argument("input, w", expected, f"shapes {list(x.shape)} and {list(weight.shape)}", "batch_fc")
    return Meta((*x.shape[:2], weight.shape[2]), x.dtype)


@op(inputs=("Input", "W", "Bias"), grad=("Input", "W", "Bias"), infer=_batches_meta)
def batch_fc(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """Fully connected layers side by side, each with a matrix of its own."""
    return torch.baddbmm(bias.unsqueeze(1), x, weight)


def _like_product(x: Meta, y: Meta, **attrs: Any) -> Meta:
    return Meta((x.shape[0], y.shape[1]), x.dtype)


@op(
    inputs=("X", "Y"), outputs=("SquaredX~", "SquaredY~", "SquaredXY~", "Out"), infer=_like_product,
    describe={"SquaredX": lambda x, y, **attrs: x, "SquaredY": lambda x, y, **attrs: y, "SquaredXY": _like_product},
    derive={
        "SquaredX": lambda x, y, out, **attrs: x * x, "SquaredY": lambda x, y, out, **attrs: y * y,
        "SquaredXY": lambda x, y, out, **attrs: (x @ y).square(),
    },
)  # fmt: skip
def fusion_squared_mat_sub(x: Tensor, y: Tensor, *, scalar: float = 1.0) -> Tensor:
    """How far the square of a product lies above the product of the squares, times a number."""
    return ((x @ y).square() - (x * x) @ (y * y)) * scalar


_BINARY: dict[str, Function] = {"elementwise_add": torch.add, "elementwise_mul": torch.mul}
_UNARY: dict[str, Callable[[float], Function]] = {
    "scale": lambda scale: lambda x: x * scale, "relu": lambda _: torch.relu, "tanh": lambda _: torch.tanh,
    "sigmoid": lambda _: torch.sigmoid, "gelu": lambda _: partial(torch.nn.functional.gelu, approximate="tanh"),
}  # fmt: skip
# the pairs that Paddle has: what is named first is done last
_PAIRS = {
    ("elementwise_add", "scale"), ("scale", "elementwise_add"), ("elementwise_add", "relu"), ("relu", "elementwise_add"),
    ("elementwise_mul", "scale"), ("tanh", "elementwise_add"), ("elementwise_mul", "tanh"), ("elementwise_mul", "sigmoid"),
}  # fmt: skip
_ADDING = {pair for pair in _PAIRS if "elementwise_add" in pair} | {("gelu", "elementwise_add")}  # of a pass that fuses additions


def _between(x: Tensor, y: Tensor, *, functor_list: Sequence[str], axis: int, scale: float) -> Tensor:
    """What the first of the two functions gives the second."""
    first, last = functor_list
    if last in _BINARY:
        return _BINARY[last](*align(x, y, axis))
    return _UNARY[last](scale)(y)


def _described(x: Meta, y: Meta, *, functor_list: Sequence[str], axis: int = -1, **attrs: Any) -> Meta:
    return infer_broadcast(x, y, axis=axis) if functor_list[1] in _BINARY else Meta(y.shape, y.dtype)


def _one_of_two(type_: str, pairs: set[tuple[str, str]]) -> Op:
    """The operator that is one function of two operands and one of one operand: `unary(binary(x, y))` or `binary(x, unary(y))`."""

    def fn(
        x: Tensor, y: Tensor, *, functor_list: Sequence[str], axis: int = -1, scale: float = 0.0, save_intermediate_out: bool = False
    ) -> Tensor:
        if tuple(functor_list) not in pairs:
            raise invalid_argument("functor_list", f"one of {sorted(map(list, pairs))}", list(functor_list), type_)
        between = _between(x, y, functor_list=functor_list, axis=axis, scale=scale)
        first = functor_list[0]
        return _UNARY[first](scale)(between) if first in _UNARY else _BINARY[first](*align(x, between, axis))

    return op(
        inputs=("X", "Y"), outputs=("Out", "IntermediateOut~"), name=type_, grad=("X", "Y", "Out", "IntermediateOut"),
        infer=infer_broadcast, describe={"IntermediateOut": _described},
        derive={"IntermediateOut": lambda x, y, out, functor_list, axis=-1, scale=0.0, **_: _between(
            x, y, functor_list=functor_list, axis=axis, scale=scale)},
    )(fn)  # fmt: skip


fused_elemwise_activation = _one_of_two("fused_elemwise_activation", _PAIRS)
fused_elemwise_add_activation = _one_of_two("fused_elemwise_add_activation", _ADDING)


def _pooled_meta(w: Meta, ids: Meta, **attrs: Any) -> Meta:
    return Meta((-1, w.shape[1] * ids.shape[-1]), w.dtype, 0)


@op(inputs=("W", "Ids"), grad=("W", "Ids"), no_grad=("Ids",), infer=_pooled_meta, lod=None)
def fused_embedding_seq_pool(
    w: Tensor, ids: Tensor, *, combiner: str = "sum", padding_idx: int = -1, grad_inplace: bool = False, is_sparse: bool = False,
    ids_lod: LoD | None = None,
) -> Tensor:  # fmt: skip
    """The sums over sequences of the rows of a table that ids name; several columns of ids stand side by side."""
    if combiner != "sum":
        raise invalid_argument("combiner", "'sum'", combiner, "fused_embedding_seq_pool")
    lod = need_lod(ids_lod, "Ids", "fused_embedding_seq_pool", 1)
    padding = None if padding_idx == -1 else padding_idx + w.shape[0] * (padding_idx < 0)
    rows = torch.nn.functional.embedding(ids, w, sparse=is_sparse)
    if padding is not None:
        rows = rows.masked_fill((ids == padding).unsqueeze(-1), 0.0)
    out = rows.new_zeros((lengths(lod[0]).numel(), ids.shape[-1] * w.shape[1]))
    return out.index_add(0, sequence_ids(lod[0]).to(rows.device), rows.flatten(1))


@op(inputs=("X", "Mask"), grad=("Softmax",), no_grad=("Mask",))
def fused_softmax_mask(x: Tensor, mask: Tensor) -> Tensor:
    """The softmax of x + mask along the last axis."""
    return softmax_of(x + mask, -1)


@op(inputs=("X",), grad=("Out",))
def fused_softmax_mask_upper_triangle(x: Tensor) -> Tensor:
    """The softmax along the last axis of what does not lie above the diagonal."""
    above = torch.ones(x.shape[-2:], dtype=torch.bool, device=x.device).triu(1)
    return torch.softmax(x.masked_fill(above, float("-inf")), -1)
