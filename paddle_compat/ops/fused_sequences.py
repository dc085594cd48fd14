"""Operators on sequences that do in one what others do one after the other; Paddle 1.8's inference passes write them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.lod import LoD
from paddle_compat.core.op import Meta, op
from paddle_compat.ops._lod import lengths, need_lod, no_value
from paddle_compat.ops.embedding import counted, cvm
from paddle_compat.ops.rnn import activation as named
from paddle_compat.ops.rnn import gru, lstm
from paddle_compat.ops.sequence import sequence_conv, sequence_pool, windows

Tensor = torch.Tensor


# ---- recurrent networks together with the product that makes their gates
_LSTM_REST = ("XX~", "BatchedInput~", "BatchedHidden~", "BatchedCell~", "ReorderedH0~", "ReorderedC0~")


def _lstm_meta(x: Meta, table: Meta, weight: Meta, *rest: Any, **attrs: Any) -> tuple[Meta, Meta]:
    out = Meta((x.shape[0], weight.shape[0]), table.dtype, x.lod_level)
    return out, out


def _unread(*inputs: Any, **attrs: Any) -> Meta:
    return Meta((), torch.float32, 0)


_LSTM_UNREAD = {slot.rstrip("~"): _unread for slot in (*_LSTM_REST, "CheckedCell~")}
_LSTM_EMPTY = dict.fromkeys(_LSTM_UNREAD, no_value)


@op(
    inputs=("X", "WeightX", "WeightH", "Bias", "H0?", "C0?"), outputs=("Hidden", "Cell", *_LSTM_REST, "CheckedCell~"),
    infer=_lstm_meta, describe=_LSTM_UNREAD, derive=_LSTM_EMPTY,
)  # fmt: skip
def fusion_lstm(
    x: Tensor, weight_x: Tensor, weight_h: Tensor, bias: Tensor, h0: Tensor | None = None, c0: Tensor | None = None, *,
    use_peepholes: bool = True, is_reverse: bool = False, use_seq: bool = True, gate_activation: str = "sigmoid",
    cell_activation: str = "tanh", candidate_activation: str = "tanh", x_lod: LoD | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """An LSTM whose gates are x times the input weights."""
    found: tuple[Tensor, Tensor] = lstm.fn(
        x @ weight_x, h0, c0, weight_h, bias, use_peepholes=use_peepholes, is_reverse=is_reverse, gate_activation=gate_activation,
        cell_activation=cell_activation, candidate_activation=candidate_activation, input_lod=x_lod,
    )  # fmt: skip
    return found


@op(
    inputs=("Ids", "Embeddings", "WeightH", "Bias", "H0?", "C0?"), outputs=("Hidden", "Cell", *_LSTM_REST),
    infer=_lstm_meta, describe=_LSTM_UNREAD, derive=_LSTM_EMPTY,
)  # fmt: skip
def fused_embedding_fc_lstm(
    ids: Tensor, embeddings: Tensor, weight_h: Tensor, bias: Tensor, h0: Tensor | None = None, c0: Tensor | None = None, *,
    use_peepholes: bool = True, is_reverse: bool = False, use_seq: bool = True, gate_activation: str = "sigmoid",
    cell_activation: str = "tanh", candidate_activation: str = "tanh", ids_lod: LoD | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """An LSTM whose gates are rows of a table, with the bias already in them; of `bias` only the peepholes count."""
    gates = 4 * weight_h.shape[0]
    peepholes = torch.cat((bias.new_zeros(gates), bias.reshape(-1)[gates:]))
    found: tuple[Tensor, Tensor] = lstm.fn(
        embeddings[ids.reshape(-1)], h0, c0, weight_h, peepholes, use_peepholes=use_peepholes, is_reverse=is_reverse,
        gate_activation=gate_activation, cell_activation=cell_activation, candidate_activation=candidate_activation, input_lod=ids_lod,
    )  # fmt: skip
    return found


def _gru_meta(x: Meta, h0: Meta | None, weight_x: Meta, weight_h: Meta, *rest: Any, **attrs: Any) -> Meta:
    return Meta((x.shape[0], weight_h.shape[0]), x.dtype, x.lod_level)


_GRU_REST = ("ReorderedH0~", "XX~", "BatchedInput~", "BatchedOut~")


@op(
    inputs=("X", "H0?", "WeightX", "WeightH", "Bias?"), outputs=(*_GRU_REST, "Hidden"),
    infer=_gru_meta, describe={slot.rstrip("~"): _unread for slot in _GRU_REST},
    derive={slot.rstrip("~"): no_value for slot in _GRU_REST},
)  # fmt: skip
def fusion_gru(
    x: Tensor, h0: Tensor | None, weight_x: Tensor, weight_h: Tensor, bias: Tensor | None = None, *, activation: str = "tanh",
    gate_activation: str = "sigmoid", is_reverse: bool = False, use_seq: bool = True, origin_mode: bool = False,
    x_lod: LoD | None = None,
) -> Tensor:  # fmt: skip
    """A GRU whose gates are x times the input weights; the real one takes `origin_mode`, too, and does nothing with it."""
    found: Tensor = gru.fn(
        x @ weight_x, h0, weight_h, bias, activation=activation, gate_activation=gate_activation, is_reverse=is_reverse, input_lod=x_lod,
    )  # fmt: skip
    return found


_ATTENTION_REST = ("AttentionedX~", "AttentionFCOut~", "LSTMX~", "LSTMOUT~")


def _attention_meta(x: Meta, c0: Meta, *rest: Any, **attrs: Any) -> tuple[Meta, Meta]:
    out = Meta((x.shape[0], c0.shape[1]), x.dtype, x.lod_level)
    return out, out


@op(
    inputs=(
        "X", "C0", "H0?", "AttentionWeight", "AttentionBias?", "AttentionScalar?", "AttentionScalarBias?", "LSTMWeight", "LSTMBias",
    ),
    outputs=("Hidden", "Cell", *_ATTENTION_REST), infer=_attention_meta,
    describe={slot.rstrip("~"): _unread for slot in _ATTENTION_REST}, derive={slot.rstrip("~"): no_value for slot in _ATTENTION_REST},
)  # fmt: skip
def attention_lstm(
    x: Tensor, c0: Tensor, h0: Tensor | None, attention_weight: Tensor, attention_bias: Tensor | None, scalar: Tensor | None,
    scalar_bias: Tensor | None, weight: Tensor, bias: Tensor, *, gate_activation: str = "sigmoid", cell_activation: str = "tanh",
    candidate_activation: str = "tanh", x_lod: LoD | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """An LSTM that looks at its whole sequence in each step, with weights that depend on the cell.

    The gates are forget, input, output and candidate; the first rows of `weight` belong to the hidden state.
    """
    gate, cell_of, candidate_of = (
        named(kind, argument, "attention_lstm")
        for kind, argument in (
            (gate_activation, "gate_activation"), (cell_activation, "cell_activation"), (candidate_activation, "candidate_activation"),
        )
    )  # fmt: skip
    size, features = c0.shape[1], x.shape[1]
    shares = x @ attention_weight[:features] + (0.0 if attention_bias is None else attention_bias.reshape(-1))
    hidden, cells = [], []
    for n, (begin, end) in enumerate(_bounds(need_lod(x_lod, "X", "attention_lstm")[0])):
        h, c = (None if h0 is None else h0[n : n + 1]), c0[n : n + 1]
        rows = x[begin:end]
        for _ in range(begin, end):
            score = torch.relu(shares[begin:end] + c @ attention_weight[features:])
            if scalar is not None:
                score = torch.relu(score * scalar.reshape(-1) + (0.0 if scalar_bias is None else scalar_bias.reshape(-1)))
            gates = torch.softmax(score, 0).T @ rows @ weight[size:] + bias.reshape(-1)
            if h is not None:
                gates = gates + h @ weight[:size]
            forget, admit, emit = gate(gates[:, : 3 * size]).chunk(3, 1)
            c = forget * c + admit * candidate_of(gates[:, 3 * size :])
            h = emit * cell_of(c)
            hidden.append(h)
            cells.append(c)
    return torch.cat(hidden), torch.cat(cells)


def _bounds(offsets: Tensor) -> list[tuple[int, int]]:
    """Begin and end of every sequence."""
    ends = offsets.tolist()
    return list(zip(ends, ends[1:]))


# ---- windows, pools and repeated rows, and what follows on them
def _conv_meta(x: Meta, filter_: Meta, bias: Meta, **attrs: Any) -> Meta:
    return Meta((x.shape[0], filter_.shape[1]), x.dtype, x.lod_level)


def _windows_meta(x: Meta, filter_: Meta, *rest: Any, **attrs: Any) -> Meta:
    return Meta((x.shape[0], filter_.shape[0]), x.dtype, 0)


def _windows(x: Tensor, *rest: Any, contextLength: int, contextStart: int = 0, x_lod: LoD | None = None, **attrs: Any) -> Tensor:
    """Each row's neighbours, side by side."""
    return windows(x, need_lod(x_lod, "X", "fusion_seqconv_eltadd_relu", 1)[0], contextStart, contextLength)


@op(
    inputs=("X", "Filter", "Bias"), outputs=("Out", "ColMat~"), infer=_conv_meta, describe={"ColMat": _windows_meta},
    derive={"ColMat": _windows},
)  # fmt: skip
def fusion_seqconv_eltadd_relu(
    x: Tensor, filter: Tensor, bias: Tensor, *, contextLength: int, contextStart: int = 0, contextStride: int = 1,
    x_lod: LoD | None = None,
) -> Tensor:  # fmt: skip
    """A `sequence_conv` with a bias, and relu."""
    windows = {"contextLength": contextLength, "contextStart": contextStart, "contextStride": contextStride}
    return torch.relu(sequence_conv.fn(x, None, filter, x_lod=x_lod, **windows) + bias.reshape(-1))


def _expanded_meta(x: Sequence[Meta], weight: Meta, *rest: Any, **attrs: Any) -> Meta:
    return Meta((x[0].shape[0], weight.shape[1]), weight.dtype, x[0].lod_level)


@op(
    inputs=("X*", "FCWeight", "FCBias?"), outputs=("Out", "FCOut~"), infer=_expanded_meta, describe={"FCOut": _unread}, lod=("Out",),
    derive={"FCOut": lambda x, weight, *rest, **attrs: torch.cat(list(x[1:]), 1) @ weight[x[0].shape[1] :]},
)  # fmt: skip
def fusion_seqexpand_concat_fc(
    x: Sequence[Tensor], weight: Tensor, bias: Tensor | None = None, *, fc_activation: str = "identity",
    x_lod: Sequence[LoD | None] | None = None,
) -> tuple[Tensor, LoD]:  # fmt: skip
    """Rows of sequences beside what belongs to their whole sequence, through a fully connected layer."""
    lod = need_lod(x_lod[0] if x_lod else None, "X", "fusion_seqexpand_concat_fc")
    count = lengths(lod[0])
    repeated = [torch.repeat_interleave(rows, count.to(rows.device), 0) for rows in x[1:]]
    out = torch.cat([x[0], *repeated], 1) @ weight
    act = named(fc_activation, "fc_activation", "fusion_seqexpand_concat_fc")
    return act(out if bias is None else out + bias.reshape(-1)), lod


def _pooled(
    x: Sequence[Tensor], x_lod: Sequence[LoD | None] | None, pooltype: str, axis: int, operator: str
) -> tuple[list[Tensor], LoD]:
    """The pool of each tensor's sequences, and the LoD of as many rows, each a sequence."""
    if pooltype not in ("SUM", "AVERAGE", "SQRT"):
        raise invalid_argument("pooltype", "SUM, AVERAGE or SQRT", pooltype, operator)
    if axis != 1:
        raise invalid_argument("axis", "1", axis, operator)
    pools = [sequence_pool.fn(rows, pooltype=pooltype, x_lod=lod)[0] for rows, lod in zip(x, x_lod or [None] * len(x))]
    return pools, (torch.arange(len(pools[0]) + 1),)


def _pools_meta(x: Sequence[Meta], *rest: Any, use_cvm: bool = True, **attrs: Any) -> Meta:
    return Meta((-1, len(x) * (x[0].shape[1] - (0 if use_cvm else 2))), x[0].dtype, 1)


@op(inputs=("X*",), infer=_pools_meta, lod=("Out",))
def fusion_seqpool_concat(
    x: Sequence[Tensor], *, pooltype: str = "SUM", axis: int = 1, x_lod: Sequence[LoD | None] | None = None
) -> tuple[Tensor, LoD]:
    """The pools of sequences of several tensors, side by side."""
    pools, lod = _pooled(x, x_lod, pooltype, axis, "fusion_seqpool_concat")
    return torch.cat(pools, 1), lod


@op(inputs=("X*", "CVM"), infer=_pools_meta, lod=("Out",))
def fusion_seqpool_cvm_concat(
    x: Sequence[Tensor], counts: Tensor, *, pooltype: str = "SUM", use_cvm: bool = True, axis: int = 1,
    x_lod: Sequence[LoD | None] | None = None,
) -> tuple[Tensor, LoD]:  # fmt: skip
    """The same, each through `cvm` first."""
    pools, lod = _pooled(x, x_lod, pooltype, axis, "fusion_seqpool_cvm_concat")
    return torch.cat([cvm.fn(rows, counts, use_cvm=use_cvm) for rows in pools], 1), lod


def _each_pool_meta(
    x: Sequence[Meta], counts: Meta, *, pooltype: str = "SUM", use_cvm: bool = True, cvm_offset: int = 2, **attrs: Any
) -> list[Meta]:
    if pooltype != "SUM":
        raise invalid_argument("pooltype", "SUM", pooltype, "fused_seqpool_cvm")
    return [Meta((-1, each.shape[1] - (0 if use_cvm else cvm_offset)), each.dtype, 0) for each in x]


@op(inputs=("X*", "CVM"), outputs=("Out*",), grad=("X", "CVM"), infer=_each_pool_meta, lod=None)
def fused_seqpool_cvm(
    x: Sequence[Tensor], counts: Tensor, *, pooltype: str = "SUM", pad_value: float = 0.0, use_cvm: bool = True, cvm_offset: int = 2,
    x_lod: Sequence[LoD | None] | None = None,
) -> list[Tensor]:  # fmt: skip
    """The sums of sequences of several tensors, each through `cvm`; every sum begins with `pad_value`."""
    if counts.shape[1] != cvm_offset:
        raise invalid_argument("cvm", f"cvm_offset, {cvm_offset}, columns", list(counts.shape), "fused_seqpool_cvm")
    pools, _ = _pooled(x, x_lod, pooltype, 1, "fused_seqpool_cvm")
    return [counted(rows + pad_value, counts, use_cvm, cvm_offset) for rows in pools]
