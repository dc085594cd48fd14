"""Recurrent operators: LSTM and GRU over LoD sequences, their single steps, and the stacked networks of Paddle 2.x."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.lod import LoD
from paddle_compat.core.op import Meta, op
from paddle_compat.ops import _stacked as _stacked_layers
from paddle_compat.ops._checks import check_fits
from paddle_compat.ops._lod import need_lod
from paddle_compat.ops._recurrence import Activation, Gru, Lstm, Steps, gru_weights, identity
from paddle_compat.ops._saved_gates import gru_parts, lstm_parts
from paddle_compat.ops.dropout import is_exact, kept, only

Tensor = torch.Tensor

# by name, and by the number that gru_unit has for each
ACTIVATIONS: dict[str | int, Activation] = {
    "identity": identity,
    "sigmoid": torch.sigmoid,
    "tanh": torch.tanh,
    "relu": torch.relu,
}
ACTIVATIONS.update(enumerate(ACTIVATIONS[n] for n in ("identity", "sigmoid", "tanh", "relu")))


def activation(kind: str | int, argument: str, operator: str) -> Activation:
    """The activation of that name or number."""
    found = ACTIVATIONS.get(kind)
    if found is None:
        raise invalid_argument(argument, "sigmoid, tanh, relu or identity", kind, operator)
    return found


# ---- LSTM over LoD sequences
def _lstm_meta(x: Meta, h0: Meta | None, c0: Meta | None, weight: Meta, bias: Meta, **_: Any) -> tuple[Meta, Meta]:
    check_fits("Input", x, (-1, weight.shape[1]))
    out = Meta((x.shape[0], weight.shape[0]), x.dtype, x.lod_level)
    return out, out


def _as_input(x: Meta, *_: Any, **__: Any) -> Meta:
    return Meta(x.shape, x.dtype, 0)


def _part(parts: int) -> Callable[..., Meta]:
    return lambda x, *_, **__: Meta((x.shape[0], x.shape[1] // parts), x.dtype, 0)


def _first(state: Tensor, rows: int) -> Tensor:
    """The states of the sequences that go on."""
    return state if state.shape[0] == rows else state[:rows]


LSTM_SAVED = ("BatchGate", "BatchCellPreAct")


def _lstm_steps(
    x: Tensor,
    h: Tensor | None,
    c: Tensor | None,
    weight: Tensor,
    bias: Tensor,
    steps: Steps,
    acts: Sequence[Activation],
    peepholes: bool,
    cell_clip: float = 0.0,
    project: Activation | None = None,
) -> tuple[Tensor, Tensor]:
    """Outputs and cells of all steps; gates lie candidate, input, forget, output; peepholes input, forget, output."""
    size = weight.shape[1] // 4
    gate_act, cell_act, candidate_act = acts
    flat = bias.reshape(-1)
    peep_in, peep_forget, peep_out = flat[4 * size :].split(size) if peepholes else (flat, flat, flat)
    outs, cells = [], []
    for gates in steps.split(x + flat[: 4 * size]):
        rows = gates.shape[0]
        if h is not None:
            gates = torch.addmm(gates, _first(h, rows), weight)
        before = None if c is None else _first(c, rows)
        candidate, admit, keep, emit = gates.chunk(4, 1)
        if peepholes and before is not None:
            admit = torch.addcmul(admit, before, peep_in)
            keep = torch.addcmul(keep, before, peep_forget)
        candidate, admit = candidate_act(candidate), gate_act(admit)
        c = candidate * admit if before is None else torch.addcmul(before * gate_act(keep), candidate, admit)
        if cell_clip > 0:
            c = c.clamp(-cell_clip, cell_clip)
        h = gate_act(torch.addcmul(emit, c, peep_out) if peepholes else emit) * cell_act(c)
        if project is not None:
            h = project(h)
        outs.append(h)
        cells.append(c)
    return steps.join(outs), steps.join(cells)


@op(
    inputs=("Input", "H0?", "C0?", "Weight", "Bias"),
    outputs=("Hidden", "Cell", "BatchGate~", "BatchCellPreAct~"),
    grad=("Input", "H0", "C0", "Weight", "Bias", "Hidden", "Cell", *LSTM_SAVED),
    infer=_lstm_meta,
    describe={"BatchGate": _as_input, "BatchCellPreAct": _part(4)},
    derive={
        "BatchGate": lambda *tensors, **attrs: lstm_parts(activation, *tensors, **attrs).gates,
        "BatchCellPreAct": lambda *tensors, **attrs: lstm_parts(activation, *tensors, **attrs).cell,
    },
)
def lstm(
    input: Tensor,
    h0: Tensor | None,
    c0: Tensor | None,
    weight: Tensor,
    bias: Tensor,
    *,
    use_peepholes: bool = True,
    is_reverse: bool = False,
    is_test: bool = False,
    gate_activation: str = "sigmoid",
    cell_activation: str = "tanh",
    candidate_activation: str = "tanh",
    input_lod: LoD | None = None,
) -> tuple[Tensor, Tensor]:
    """LSTM over sequences whose gates [N, 4D] are already multiplied by the input weights.

    Paddle differentiates the hidden states only; nothing flows back from the cells.
    """
    steps = Steps(need_lod(input_lod, "Input", "lstm"), is_reverse)
    acts = [
        activation(gate_activation, "gate_activation", "lstm"),
        activation(cell_activation, "cell_activation", "lstm"),
        activation(candidate_activation, "candidate_activation", "lstm"),
    ]

    def plain(x: Tensor, h0: Tensor | None, c0: Tensor | None, weight: Tensor, bias: Tensor) -> Tensor:
        h, c = (steps.state(s, x, weight.shape[0]) for s in (h0, c0))
        return _lstm_steps(x, h, c, weight, bias, steps, acts, use_peepholes)[0]

    hidden, cell = Lstm.apply(plain, steps, acts, use_peepholes, input, h0, c0, weight, bias)
    return hidden, cell


def _lstmp_meta(x: Meta, h0: Meta | None, c0: Meta | None, weight: Meta, projection: Meta, bias: Meta, **_: Any) -> tuple[Meta, Meta]:
    check_fits("Input", x, (-1, weight.shape[1]))
    return (
        Meta((x.shape[0], projection.shape[1]), x.dtype, x.lod_level),
        Meta((x.shape[0], projection.shape[0]), x.dtype, x.lod_level),
    )


@op(
    inputs=("Input", "H0?", "C0?", "Weight", "ProjWeight", "Bias"),
    outputs=("Projection", "Cell", "BatchGate~", "BatchCellPreAct~", "BatchHidden~"),
    grad=(
        "H0",
        "C0",
        "Weight",
        "ProjWeight",
        "Bias",
        "Projection",
        "Cell",
        "BatchGate",
        "BatchCellPreAct",
        "BatchHidden",
    ),
    infer=_lstmp_meta,
    describe={"BatchGate": _as_input, "BatchCellPreAct": _part(4), "BatchHidden": _part(4)},
    derive={
        "BatchGate": lambda x, h, c, w, p, *rest, **attrs: lstm_parts(activation, x, h, c, w, *rest, **attrs).gates,
        "BatchCellPreAct": lambda x, h, c, w, p, *rest, **attrs: lstm_parts(activation, x, h, c, w, *rest, **attrs).cell,
        "BatchHidden": lambda x, h, c, w, p, *rest, **attrs: lstm_parts(activation, x, h, c, w, *rest, **attrs).hidden,
    },
)
def lstmp(
    input: Tensor,
    h0: Tensor | None,
    c0: Tensor | None,
    weight: Tensor,
    proj_weight: Tensor,
    bias: Tensor,
    *,
    use_peepholes: bool = True,
    is_reverse: bool = False,
    cell_clip: float = 0.0,
    proj_clip: float = 0.0,
    gate_activation: str = "sigmoid",
    cell_activation: str = "tanh",
    candidate_activation: str = "tanh",
    proj_activation: str = "tanh",
    input_lod: LoD | None = None,
) -> tuple[Tensor, Tensor]:
    """LSTM whose output is projected to fewer features before it recurs."""
    steps = Steps(need_lod(input_lod, "Input", "lstmp"), is_reverse)
    acts = [
        activation(gate_activation, "gate_activation", "lstmp"),
        activation(cell_activation, "cell_activation", "lstmp"),
        activation(candidate_activation, "candidate_activation", "lstmp"),
    ]
    # the real operator applies the cell's activation to the projection, too, unless proj_activation is identity
    plain_projection = activation(proj_activation, "proj_activation", "lstmp") is ACTIVATIONS["identity"]
    act = ACTIVATIONS["identity"] if plain_projection else acts[1]

    def both(
        x: Tensor, h0: Tensor | None, c0: Tensor | None, weight: Tensor, bias: Tensor, proj_weight: Tensor
    ) -> tuple[Tensor, Tensor]:
        def project(h: Tensor) -> Tensor:
            projected = act(h @ proj_weight)
            return projected.clamp(-proj_clip, proj_clip) if proj_clip > 0 else projected

        h, c = steps.state(h0, x, proj_weight.shape[1]), steps.state(c0, x, proj_weight.shape[0])
        return _lstm_steps(x, h, c, weight, bias, steps, acts, use_peepholes, cell_clip, project)

    if cell_clip > 0 or proj_clip > 0:
        projection, cell = both(input, h0, c0, weight, bias, proj_weight)
        return projection, cell.detach()
    projection, cell = Lstm.apply(
        lambda *inputs: both(*inputs)[0], steps, [*acts, act], use_peepholes, input, h0, c0, weight, bias, proj_weight
    )
    return projection, cell


@op(inputs=("X", "C_prev"), outputs=("C", "H"), grad=("X", "C_prev", "C", "C@GRAD", "H@GRAD"), lod=None)
def lstm_unit(x: Tensor, c_prev: Tensor, *, forget_bias: float = 0.0) -> tuple[Tensor, Tensor]:
    """One LSTM step; gates [N, 4D] lie input, forget, output, candidate."""
    admit, keep, emit, candidate = x.chunk(4, 1)
    c = torch.sigmoid(keep + forget_bias) * c_prev + torch.sigmoid(admit) * torch.tanh(candidate)
    return c, torch.sigmoid(emit) * torch.tanh(c)


# ---- GRU
def _gru_step(
    gates: Tensor,
    h: Tensor | None,
    weights: tuple[Tensor, Tensor],
    act: Activation,
    gate_act: Activation,
    origin_mode: bool,
) -> tuple[Tensor, Tensor, Tensor | None]:
    """One step from gates (update, reset, candidate): new state, activated gates, reset former state."""
    size = gates.shape[1] // 3
    both, candidate = gates.split([2 * size, size], 1)
    if h is not None:
        both = torch.addmm(both, h, weights[0])
    both = gate_act(both)
    update, reset = both.chunk(2, 1)
    kept = None
    if h is not None:
        kept = reset * h
        candidate = torch.addmm(candidate, kept, weights[1])
    candidate = act(candidate)
    if h is None:
        new = candidate - update * candidate if origin_mode else update * candidate
    else:
        new = torch.lerp(candidate, h, update) if origin_mode else torch.lerp(h, candidate, update)
    return new, torch.cat([both, candidate], 1), kept


def _gru_meta(x: Meta, h0: Meta | None, weight: Meta, bias: Meta | None, **_: Any) -> Meta:
    return Meta((x.shape[0], weight.shape[0]), x.dtype, x.lod_level)


@op(
    inputs=("Input", "H0?", "Weight", "Bias?"),
    outputs=("BatchGate~", "BatchResetHiddenPrev~", "BatchHidden~", "Hidden"),
    grad=(
        "Input", "H0", "Weight", "Bias", "BatchGate", "BatchResetHiddenPrev", "BatchHidden", "Hidden", "Hidden@GRAD",
    ),
    infer=_gru_meta,
    describe={"BatchGate": _as_input, "BatchResetHiddenPrev": _part(3), "BatchHidden": _part(3)},
    derive={
        "BatchGate": lambda *tensors, **attrs: gru_parts(activation, *tensors, **attrs).gates,
        "BatchResetHiddenPrev": lambda *tensors, **attrs: gru_parts(activation, *tensors, **attrs).kept,
        "BatchHidden": lambda *tensors, **attrs: gru_parts(activation, *tensors, **attrs).hidden,
    },
)  # fmt: skip
def gru(
    input: Tensor,
    h0: Tensor | None,
    weight: Tensor,
    bias: Tensor | None = None,
    *,
    activation: str = "tanh",
    gate_activation: str = "sigmoid",
    is_reverse: bool = False,
    origin_mode: bool = False,
    input_lod: LoD | None = None,
) -> Tensor:
    """GRU over sequences whose gates [N, 3D] (update, reset, candidate) are already multiplied by the input weights."""
    steps = Steps(need_lod(input_lod, "Input", "gru"), is_reverse)
    acts = _gru_activations(activation, gate_activation, "gru")

    def plain(x: Tensor, h0: Tensor | None, weight: Tensor, bias: Tensor | None) -> Tensor:
        weights, h, outs = gru_weights(weight), steps.state(h0, x, weight.shape[0]), []
        for gates in steps.split(x if bias is None else x + bias.reshape(-1)):
            h = _gru_step(gates, None if h is None else _first(h, gates.shape[0]), weights, *acts, origin_mode)[0]
            outs.append(h)
        return steps.join(outs)

    return Gru.apply(plain, steps, acts, origin_mode, input, h0, weight, bias)


def _gru_activations(act: str | int, gate_act: str | int, operator: str) -> tuple[Activation, Activation]:
    return activation(act, "activation", operator), activation(gate_act, "gate_activation", operator)


def _gru_unit_meta(x: Meta, h: Meta, weight: Meta, bias: Meta | None, **_: Any) -> tuple[Meta, Meta, Meta]:
    size = weight.shape[0]
    check_fits("Input", x, (-1, 3 * size))
    check_fits("HiddenPrev", h, (-1, size))
    return tuple(Meta((x.shape[0], n * size), x.dtype, 0) for n in (3, 1, 1))  # type: ignore[return-value]


@op(
    inputs=("Input", "HiddenPrev", "Weight", "Bias?"),
    outputs=("Gate", "ResetHiddenPrev", "Hidden"),
    grad=("Input", "HiddenPrev", "Weight", "Bias", "Gate", "ResetHiddenPrev", "Hidden@GRAD"),
    lod=None,
    infer=_gru_unit_meta,
)
def gru_unit(
    input: Tensor,
    hidden_prev: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    *,
    activation: int = 2,
    gate_activation: int = 1,
    origin_mode: bool = False,
) -> tuple[Tensor, Tensor, Tensor]:
    """One GRU step. Paddle differentiates the new state only, not the gates that come out beside it."""
    gates = input if bias is None else input + bias.reshape(-1)
    acts = _gru_activations(activation, gate_activation, "gru_unit")
    hidden, gate, kept = _gru_step(gates, hidden_prev, gru_weights(weight), *acts, origin_mode)
    assert kept is not None
    return gate.detach(), kept.detach(), hidden


# ---- stacked networks over padded batches
def _stacked(
    x: Tensor,
    states: Sequence[Tensor],
    weights: list[Tensor],
    mode: str,
    layers: int,
    bidirectional: bool,
    dropout: float,
    train: bool,
    sequence_length: Tensor | None,
) -> tuple[Tensor, ...]:
    """Run torch's fused network on [T, B, I]; weights lie layer by layer: input, hidden, input bias, hidden bias."""
    fused: Any = {"LSTM": torch.lstm, "GRU": torch.gru, "RNN_TANH": torch.rnn_tanh, "RNN_RELU": torch.rnn_relu}.get(mode)
    if fused is None:
        raise invalid_argument("mode", "LSTM, GRU, RNN_TANH or RNN_RELU", mode, "rnn")
    _check_stack(x, states, weights, layers * (2 if bidirectional else 1), 2 if mode == "LSTM" else 1)
    if not train:
        dropout = 0.0
    if dropout and layers > 1 and is_exact(x):
        return _one_by_one(x, states, weights, mode, layers, bidirectional, dropout, sequence_length)
    hx: Any = list(states) if mode == "LSTM" else states[0]
    if sequence_length is None and _stacked_layers.fits(x, mode):

        def by_hand(x: Tensor, first: list[Tensor], own: Sequence[Tensor], backwards: bool) -> tuple[Tensor, Tensor]:
            return _stacked_layers.layer(x, first[0], own, mode, backwards)

        return _stacked_layers.stacked(x, states, weights, layers, bidirectional, dropout, by_hand)
    if sequence_length is None:
        return fused(x, hx, weights, True, layers, dropout, train, bidirectional, False)
    count = sequence_length.reshape(-1).cpu().long()
    if _stacked_layers.fits_lengths(x, mode, count):
        return _stacked_layers.of_lengths(x, states, weights, mode, layers, bidirectional, dropout, count)
    order = torch.argsort(count, descending=True, stable=True)
    pick, back = order.to(x.device), torch.argsort(order).to(x.device)
    packed = torch.nn.utils.rnn.pack_padded_sequence(x.index_select(1, pick), count[order])
    states = [s.index_select(1, pick) for s in states]
    hx = states if mode == "LSTM" else states[0]
    rest = (weights, True, layers, dropout, train, bidirectional)
    out, *last = fused(packed.data, packed.batch_sizes, hx, *rest)
    padded, _ = torch.nn.utils.rnn.pad_packed_sequence(packed._replace(data=out), total_length=x.shape[0])
    return padded.index_select(1, back), *(s.index_select(1, back) for s in last)


def _one_by_one(
    x: Tensor,
    states: Sequence[Tensor],
    weights: list[Tensor],
    mode: str,
    layers: int,
    bidirectional: bool,
    dropout: float,
    sequence_length: Tensor | None,
) -> tuple[Tensor, ...]:
    """Stacked layers with dropout between them as the wheel draws it: once, for all of them."""
    ways, mask = 2 if bidirectional else 1, None
    last: list[tuple[Tensor, ...]] = []
    for layer in range(layers):
        if layer:
            mask = kept(x, dropout, 0, "mt19937_64") if mask is None else mask
            x = only(x, mask, dropout, True)
        own = [state[layer * ways : (layer + 1) * ways] for state in states]
        part = weights[4 * ways * layer : 4 * ways * (layer + 1)]
        x, *ends = _stacked(x, own, part, mode, 1, bidirectional, 0.0, True, sequence_length)
        last.append(tuple(ends))
    return x, *(torch.cat(ends) for ends in zip(*last))


def _check_stack(x: Tensor, states: Sequence[Tensor], weights: list[Tensor], cells: int, count: int) -> None:
    """Refuse what does not fit: torch's fused networks read beyond the end of it."""
    if len(weights) != 4 * cells:
        raise invalid_argument("WeightList", f"{4 * cells} weights and biases", len(weights), "rnn")
    if x.dim() != 3 or x.shape[2] != weights[0].shape[1]:
        raise invalid_argument("Input", f"steps, batch and {weights[0].shape[1]} features", list(x.shape), "rnn")
    expected = [cells, x.shape[1], weights[1].shape[1]]
    if len(states) != count or any(list(s.shape) != expected for s in states):
        raise invalid_argument("PreState", f"{count} of shape {expected}", [list(s.shape) for s in states], "rnn")


def _by_layer(weights: Sequence[Tensor], layers: int, bidirectional: bool) -> list[Tensor]:
    """Paddle keeps all weights before all biases; torch wants weights and biases layer by layer."""
    cells = layers * (2 if bidirectional else 1)
    half = 2 * cells
    return [w for i in range(cells) for w in (*weights[2 * i : 2 * i + 2], *weights[half + 2 * i : half + 2 * i + 2])]


def _rnn_meta(
    x: Meta, states: list[Meta], weights: list[Meta], length: Meta | None, *, is_bidirec: bool = False, **attrs: Any
) -> tuple[Meta, list[Meta]]:
    size = attrs.get("hidden_size", 100) * (2 if is_bidirec else 1)
    return Meta((*x.shape[:2], size), x.dtype, 0), list(states)


@op(
    inputs=("Input", "PreState*", "WeightList*", "SequenceLength?"),
    outputs=("Out", "DropoutState~?", "State*", "Reserve~"),
    grad=(
        "Input", "PreState", "WeightList", "SequenceLength", "DropoutState", "Reserve", "Out", "Out@GRAD", "State@GRAD",
    ),
    no_grad=("SequenceLength",),
    lod=None,
    infer=_rnn_meta,
    describe={
        "DropoutState": lambda x, *_, **__: Meta((), torch.uint8, 0),
        "Reserve": lambda x, *_, **__: Meta((), torch.uint8, 0),
    },
)  # fmt: skip
def rnn(
    input: Tensor,
    pre_state: list[Tensor],
    weight_list: list[Tensor],
    sequence_length: Tensor | None = None,
    *,
    dropout_prob: float = 0.0,
    is_bidirec: bool = False,
    input_size: int = 10,
    hidden_size: int = 100,
    num_layers: int = 1,
    mode: str = "RNN_TANH",
    seed: int = 0,
    is_test: bool = False,
) -> tuple[Tensor, list[Tensor]]:
    """Stacked LSTM, GRU or simple network over [T, B, I]: all outputs (0 beyond each length) and the last states."""
    weights = _by_layer(weight_list, num_layers, is_bidirec)
    out, *last = _stacked(input, pre_state, weights, mode, num_layers, is_bidirec, dropout_prob, not is_test, sequence_length)
    return out, last


def _cudnn_meta(x: Meta, h: Meta, c: Meta, *_: Any, hidden_size: int = 100, is_bidirec: bool = False, **__: Any) -> Any:
    return Meta((*x.shape[:2], hidden_size * (2 if is_bidirec else 1)), x.dtype, 0), h, c, h, c


def _unpacked(packed: Tensor, input_size: int, hidden_size: int, layers: int, bidirectional: bool) -> list[Tensor]:
    """The weights in cuDNN's one buffer, all weights before all biases."""
    ways = 2 if bidirectional else 1
    shapes: list[tuple[int, ...]] = []
    for layer in range(layers):
        wide = input_size if layer == 0 else hidden_size * ways
        shapes += [(4 * hidden_size, wide), (4 * hidden_size, hidden_size)] * ways
    shapes += [(4 * hidden_size,)] * (2 * layers * ways)
    counts = [torch.Size(s).numel() for s in shapes]
    if packed.numel() != sum(counts):
        raise invalid_argument("W", f"{sum(counts)} numbers", packed.numel(), "cudnn_lstm")
    return [part.view(shape) for part, shape in zip(packed.reshape(-1).split(counts), shapes)]


@op(
    inputs=("Input", "InitH", "InitC", "W?", "Cache?@1", "WeightList*?@2", "SequenceLength?@2"),
    outputs=("Out", "last_h?@1", "last_c?@1", "LastH?@2", "LastC?@2", "Reserve~@2", "StateOut~@2"),
    grad={
        1: ("Input", "InitH", "InitC", "W", "Cache", "Out", "Out@GRAD", "last_h@GRAD", "last_c@GRAD"),
        2: (
            "Input", "InitH", "InitC", "WeightList", "SequenceLength", "StateOut", "Reserve",
            "Out", "Out@GRAD", "LastH@GRAD", "LastC@GRAD",
        ),
    },
    no_grad=("Cache", "W@2", "SequenceLength"),
    lod=None,
    infer=_cudnn_meta,
    describe={
        "Reserve": lambda x, *_, **__: Meta((), torch.uint8, 0),
        "StateOut": lambda x, *_, **__: Meta((), torch.uint8, 0),
    },
)  # fmt: skip
def cudnn_lstm(
    input: Tensor,
    init_h: Tensor,
    init_c: Tensor,
    w: Tensor | None = None,
    cache: Tensor | None = None,
    weight_list: list[Tensor] | None = None,
    sequence_length: Tensor | None = None,
    *,
    max_len: int = 20,
    dropout_prob: float = 0.0,
    is_bidirec: bool = False,
    input_size: int = 10,
    hidden_size: int = 100,
    num_layers: int = 1,
    is_test: bool = False,
    seed: int = 0,
) -> tuple[Tensor, ...]:
    """Stacked LSTM over [T, B, I]; 1.x has all weights in one buffer, as cuDNN packs them, and 2.x can have a list.

    The last states come twice, for the slot names of 1.x and of 2.x.
    """
    if weight_list:
        weights = _by_layer(weight_list, num_layers, is_bidirec)
    elif w is not None:
        weights = _by_layer(_unpacked(w, input_size, hidden_size, num_layers, is_bidirec), num_layers, is_bidirec)
    else:
        raise invalid_argument("WeightList", "the weights, there or in `W`", None, "cudnn_lstm")
    train = not is_test
    out, h, c = _stacked(
        input, (init_h, init_c), weights, "LSTM", num_layers, is_bidirec, dropout_prob, train, sequence_length
    )
    return out, h, c, h, c
