"""`fluid.layers.rnn`: recurrent layers on LoD sequences and padded batches, cells, decoders and beam search."""

from __future__ import annotations

import sys
from inspect import signature
from types import ModuleType
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.dtype import DTypeLike, VarType
from paddle_compat.core.param_attr import ParamAttr
from paddle_compat.core.variable import Variable
from paddle_compat.fluid import layers as _layers
from paddle_compat.fluid.layer_helper import LayerHelper
from paddle_compat.fluid.layers._cells import GRUCell, LSTMCell, RNNCell, rnn
from paddle_compat.fluid.layers._decoders import (
    BasicDecoder,
    BeamSearchDecoder,
    DecodeHelper,
    Decoder,
    GreedyEmbeddingHelper,
    SampleEmbeddingHelper,
    TrainingHelper,
    dynamic_decode,
)
from paddle_compat.fluid.layers._record import run
from paddle_compat.ops import beam_search as beam_ops
from paddle_compat.ops import rnn as ops
from paddle_compat.static.nn._arguments import FLOATS, need_type, need_variable, static_only

L: Any = _layers
_ACTIVATION_NUMBERS = {"identity": 0, "sigmoid": 1, "tanh": 2, "relu": 3}


def _lod_only(api: str, bias_attr: Any) -> None:
    static_only(api)
    assert bias_attr is not False, f"Invalid value for argument `bias_attr` of `{api}`. Expected a bias. Received: False"


def _initial(state: Variable | None, name: str, width: int, input: Variable, api: str) -> None:
    """Check an initial state [B, width]."""
    if state is None:
        return
    need_variable(state, name, api, FLOATS)
    expected = (input.shape[0], width)
    assert state.shape == expected, f"Invalid value for argument `{name}` of `{api}`. Expected shape {expected}. Received: {state.shape}"


def dynamic_lstm(
    input: Variable,
    size: int,
    h_0: Variable | None = None,
    c_0: Variable | None = None,
    param_attr: Any = None,
    bias_attr: Any = None,
    use_peepholes: bool = True,
    is_reverse: bool = False,
    gate_activation: str = "sigmoid",
    cell_activation: str = "tanh",
    candidate_activation: str = "tanh",
    dtype: DTypeLike = "float32",
    name: str | None = None,
) -> tuple[Variable, Variable]:
    """An LSTM over LoD sequences.

    Args:
        input: [N, 4D], one LoD level: the inputs, multiplied by their weights before (usually by `fc`).
        size: 4D.
        h_0, c_0: initial states [B, D].
        param_attr: of the weight [D, 4D]: candidate, input, forget, output gate.
        bias_attr: of the bias [1, 4D], or [1, 7D] with peepholes.
        use_peepholes: the gates see the cell.
        is_reverse: run from the last step to the first.
        gate_activation, cell_activation, candidate_activation: sigmoid, tanh, relu or identity.
        dtype: data type of the parameters.
        name: prefix of the names.
    Returns:
        Hidden states and cells, [N, D] each, with the LoD of `input`. Nothing flows back from the cells.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     x = fluid.layers.data("x", [32], lod_level=1)
        ...     hidden, cell = fluid.layers.dynamic_lstm(x, size=32)
        ...     hidden.shape
        (-1, 8)

    Follows Paddle 1.8.
    """
    _lod_only("dynamic_lstm", bias_attr)
    need_variable(input, "input", "dynamic_lstm", FLOATS)
    helper = LayerHelper("lstm", param_attr=param_attr, bias_attr=bias_attr, name=name)
    width = size // 4
    weight = helper.create_parameter(helper.param_attr, [width, 4 * width], dtype)
    bias = helper.create_parameter(helper.bias_attr, [1, (7 if use_peepholes else 4) * width], dtype, is_bias=True)
    _initial(h_0, "h_0", width, input, "dynamic_lstm")
    _initial(c_0, "c_0", width, input, "dynamic_lstm")
    hidden, cell = ops.lstm(
        input, h_0, c_0, weight, bias,
        use_peepholes=use_peepholes, is_reverse=is_reverse, gate_activation=gate_activation,
        cell_activation=cell_activation, candidate_activation=candidate_activation, _helper=helper,
    )  # fmt: skip
    return hidden, cell


def dynamic_lstmp(
    input: Variable,
    size: int,
    proj_size: int,
    param_attr: Any = None,
    bias_attr: Any = None,
    use_peepholes: bool = True,
    is_reverse: bool = False,
    gate_activation: str = "sigmoid",
    cell_activation: str = "tanh",
    candidate_activation: str = "tanh",
    proj_activation: str = "tanh",
    dtype: DTypeLike = "float32",
    name: str | None = None,
    h_0: Variable | None = None,
    c_0: Variable | None = None,
    cell_clip: float | None = None,
    proj_clip: float | None = None,
) -> tuple[Variable, Variable]:
    """An LSTM over LoD sequences whose output is projected to fewer features.

    Args:
        input: [N, 4D], one LoD level: the inputs, multiplied by their weights before.
        size: 4D.
        proj_size: P, features of the projection.
        param_attr: of the weight [P, 4D] and of the projection [D, P].
        bias_attr: of the bias [1, 4D], or [1, 7D] with peepholes.
        use_peepholes: the gates see the cell.
        is_reverse: run from the last step to the first.
        gate_activation, cell_activation, candidate_activation: sigmoid, tanh, relu or identity.
        proj_activation: identity, or any other for the cell's activation (as the real operator has it).
        dtype: data type of the parameters.
        name: prefix of the names.
        h_0, c_0: initial states [B, P] and [B, D].
        cell_clip, proj_clip: largest magnitude of cells and of projections.
    Returns:
        Projections [N, P] and cells [N, D], with the LoD of `input`.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     x = fluid.layers.data("x", [32], lod_level=1)
        ...     projection, cell = fluid.layers.dynamic_lstmp(x, size=32, proj_size=4)
        ...     projection.shape
        (-1, 4)

    Follows Paddle 1.8.
    """
    _lod_only("dynamic_lstmp", bias_attr)
    need_variable(input, "input", "dynamic_lstmp", FLOATS)
    helper = LayerHelper("lstmp", param_attr=param_attr, bias_attr=bias_attr, name=name)
    width = size // 4
    weight = helper.create_parameter(helper.param_attr, [proj_size, 4 * width], dtype)
    projection_weight = helper.create_parameter(helper.param_attr, [width, proj_size], dtype)
    bias = helper.create_parameter(helper.bias_attr, [1, (7 if use_peepholes else 4) * width], dtype, is_bias=True)
    projection, cell, _, hidden, gates, pre_activation = (helper.create_variable_for_type_inference(dtype) for _ in range(6))
    _initial(h_0, "h_0", proj_size, input, "dynamic_lstmp")
    _initial(c_0, "c_0", width, input, "dynamic_lstmp")
    for key, value in (("cell_clip", cell_clip), ("proj_clip", proj_clip)):
        assert not value or value >= 0, f"Invalid value for argument `{key}`. Expected at least 0. Received: {value}"
    outputs = {
        "Projection": projection, "Cell": cell, "BatchHidden": hidden, "BatchGate": gates,
        "BatchCellPreAct": pre_activation,
    }  # fmt: skip
    ops.lstmp(
        input, h_0, c_0, weight, projection_weight, bias,
        use_peepholes=use_peepholes, is_reverse=is_reverse, cell_clip=cell_clip, proj_clip=proj_clip,
        gate_activation=gate_activation, cell_activation=cell_activation, candidate_activation=candidate_activation,
        proj_activation=proj_activation, _helper=helper, _outputs=outputs,
    )  # fmt: skip
    return projection, cell


def dynamic_gru(
    input: Variable,
    size: int,
    param_attr: Any = None,
    bias_attr: Any = None,
    is_reverse: bool = False,
    gate_activation: str = "sigmoid",
    candidate_activation: str = "tanh",
    h_0: Variable | None = None,
    origin_mode: bool = False,
) -> Variable:
    """A GRU over LoD sequences.

    Args:
        input: [N, 3D], one LoD level: the inputs, multiplied by their weights before.
        size: D.
        param_attr: of the weight [D, 3D]: first update and reset gate [D, 2D], then the candidate [D, D], in memory.
        bias_attr: of the bias [1, 3D].
        is_reverse: run from the last step to the first.
        gate_activation, candidate_activation: sigmoid, tanh, relu or identity.
        h_0: initial state [B, D].
        origin_mode: the update gate keeps the former state, rather than admits the new one.
    Returns:
        Hidden states [N, D], with the LoD of `input`.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     x = fluid.layers.data("x", [24], lod_level=1)
        ...     fluid.layers.dynamic_gru(x, size=8).shape
        (-1, 8)

    Follows Paddle 1.8.
    """
    _lod_only("dynamic_gru", None)
    need_variable(input, "input", "dynamic_gru", FLOATS)
    helper = LayerHelper("gru", param_attr=param_attr, bias_attr=bias_attr)
    weight = helper.create_parameter(helper.param_attr, [size, 3 * size], input.dtype)
    bias = helper.create_parameter(helper.bias_attr, [1, 3 * size], input.dtype, is_bias=True)
    _initial(h_0, "h_0", size, input, "dynamic_gru")
    hidden, gates, reset, ordered = (helper.create_variable_for_type_inference(input.dtype) for _ in range(4))
    outputs = {"Hidden": hidden, "BatchGate": gates, "BatchResetHiddenPrev": reset, "BatchHidden": ordered}
    ops.gru(
        input, h_0, weight, bias,
        is_reverse=is_reverse, gate_activation=gate_activation, activation=candidate_activation,
        origin_mode=origin_mode, _helper=helper, _outputs=outputs,
    )  # fmt: skip
    return hidden


def gru_unit(
    input: Variable,
    hidden: Variable,
    size: int,
    param_attr: Any = None,
    bias_attr: Any = None,
    activation: str = "tanh",
    gate_activation: str = "sigmoid",
    origin_mode: bool = False,
) -> tuple[Variable, Variable, Variable]:
    """One GRU step.

    Args:
        input: [B, 3D]: the inputs, multiplied by their weights before.
        hidden: the former state [B, D].
        size: 3D.
        param_attr: of the weight [D, 3D], laid out as in `dynamic_gru`.
        bias_attr: of the bias [1, 3D]; False for none.
        activation, gate_activation: checked, but the real layer always takes tanh and sigmoid.
        origin_mode: the update gate keeps the former state, rather than admits the new one.
    Returns:
        The new state [B, D], the former state after the reset gate [B, D], the gates [B, 3D].
    Raises:
        TypeError: an argument is nothing of the kind.
        KeyError: there is no such activation.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     x, state = fluid.layers.data("x", [24]), fluid.layers.data("state", [8])
        ...     fluid.layers.gru_unit(x, state, size=24)[0].shape
        (-1, 8)

    Follows Paddle 1.8.
    """
    need_variable(input, "input", "gru_unit", FLOATS)
    need_variable(hidden, "hidden", "gru_unit", FLOATS)
    need_type(size, "size", "gru_unit", int)
    for kind in (activation, gate_activation):
        _ACTIVATION_NUMBERS[kind]
    helper = LayerHelper("gru_unit", param_attr=param_attr, bias_attr=bias_attr)
    width = size // 3
    weight = helper.create_parameter(helper.param_attr, [width, 3 * width], input.dtype)
    gate, reset, new = (helper.create_variable_for_type_inference(input.dtype) for _ in range(3))
    bias = helper.create_parameter(helper.bias_attr, [1, 3 * width], input.dtype, is_bias=True)
    run(
        "gru_unit", input, hidden, weight, bias, activation=2, gate_activation=1, origin_mode=origin_mode, helper=helper,
        outputs={"Gate": gate, "ResetHiddenPrev": reset, "Hidden": new},
    )  # fmt: skip
    return new, reset, gate


def lstm_unit(
    x_t: Variable,
    hidden_t_prev: Variable,
    cell_t_prev: Variable,
    forget_bias: float = 0.0,
    param_attr: Any = None,
    bias_attr: Any = None,
    name: str | None = None,
) -> tuple[Variable, Variable]:
    """One LSTM step, with the weights of its gates.

    Args:
        x_t: [B, M].
        hidden_t_prev, cell_t_prev: the former states [B, D].
        forget_bias: is added to the forget gate.
        param_attr, bias_attr: of the weight [M + D, 4D] and bias [4D].
        name: prefix of the names.
    Returns:
        The new hidden state and cell, [B, D] each.
    Raises:
        TypeError: an argument is no float Variable.
        ValueError: the shapes do not fit each other.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     x, h, c = (fluid.layers.data(name, [8]) for name in "xhc")
        ...     fluid.layers.lstm_unit(x, h, c)[0].shape
        (-1, 8)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("lstm_unit", name=name, x_t=x_t)
    states = {"x_t": x_t, "hidden_t_prev": hidden_t_prev, "cell_t_prev": cell_t_prev}
    for key, value in states.items():
        need_variable(value, key, "lstm_unit", FLOATS)
        width = value.shape[1:] if value is x_t else cell_t_prev.shape[1:]
        if len(value.shape) != 2 or tuple(value.shape) != (x_t.shape[0], *width):
            raise ValueError(
                f"Invalid value for argument `{key}` of `lstm_unit`. Expected shape {(x_t.shape[0], *width)}. Received: {value.shape}"
            )
    both = L.concat([x_t, hidden_t_prev], axis=1)
    bias_attr = ParamAttr() if bias_attr is None else bias_attr
    gates = L.fc(both, size=4 * cell_t_prev.shape[1], param_attr=param_attr, bias_attr=bias_attr)
    cell, hidden = run("lstm_unit", gates, cell_t_prev, forget_bias=forget_bias, helper=helper)
    return hidden, cell


def lstm(
    input: Variable,
    init_h: Variable,
    init_c: Variable,
    max_len: int,
    hidden_size: int,
    num_layers: int,
    dropout_prob: float = 0.0,
    is_bidirec: bool = False,
    is_test: bool = False,
    name: str | None = None,
    default_initializer: Any = None,
    seed: int = -1,
) -> tuple[Variable, Variable, Variable]:
    """Stacked LSTM layers over a padded batch. Real Paddle 1.8 has it on GPUs only.

    Args:
        input: [T, B, M].
        init_h, init_c: initial states [num_layers * directions, B, D].
        max_len: kept; the input says how many steps there are.
        hidden_size: D.
        num_layers: how many layers.
        dropout_prob: dropout between layers.
        is_bidirec: run in both directions.
        is_test: no dropout.
        name: prefix of the names.
        default_initializer: of the one parameter that holds all weights.
        seed: kept; dropout follows torch's generator.
    Returns:
        All outputs [T, B, directions * D], the last hidden states and cells.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     x = fluid.layers.data("x", [5, 2, 8], append_batch_size=False)
        ...     state = fluid.layers.data("state", [1, 2, 4], append_batch_size=False)
        ...     fluid.layers.lstm(x, state, state, max_len=5, hidden_size=4, num_layers=1)[0].shape
        (5, 2, 4)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("cudnn_lstm", name=name)
    for key, value in (("input", input), ("init_h", init_h), ("init_c", init_c)):
        need_variable(value, key, "lstm", FLOATS)
    for key, number in (("max_len", max_len), ("hidden_size", hidden_size), ("num_layers", num_layers)):
        need_type(number, key, "lstm", int)
    ways = 2 if is_bidirec else 1
    widths = [input.shape[-1], *[hidden_size * ways] * (num_layers - 1)]
    count = sum(4 * hidden_size * (width + hidden_size + 2) for width in widths) * ways
    weight = helper.create_parameter(helper.param_attr, [count], input.dtype, default_initializer=default_initializer)
    made = [helper.create_variable_for_type_inference(input.dtype) for _ in range(3)]
    cache = helper.create_variable(persistable=True, type=VarType.RAW, stop_gradient=True)
    out, last_h, last_c, *_ = ops.cudnn_lstm(
        input, init_h, init_c, weight, cache,
        max_len=max_len, is_bidirec=is_bidirec, input_size=input.shape[-1], hidden_size=hidden_size,
        num_layers=num_layers, is_test=is_test, dropout_prob=dropout_prob, seed=seed,
        _helper=helper, _outputs=dict(zip(("Out", "last_h", "last_c"), made)),
    )  # fmt: skip
    return out, last_h, last_c


# ---- beam search on LoD
def beam_search(
    pre_ids: Variable,
    pre_scores: Variable,
    ids: Variable | None,
    scores: Variable,
    beam_size: int,
    end_id: int,
    level: int = 0,
    is_accumulated: bool = True,
    name: str | None = None,
    return_parent_idx: bool = False,
) -> Any:
    """One step of a beam search: the best continuations over all prefixes of each sentence.

    Args:
        pre_ids, pre_scores: the prefixes' last ids [N, 1], int64, and scores [N, 1], of two LoD levels.
        ids: candidates [N, K]; None: the column numbers of `scores`.
        scores: the candidates' scores [N, K], of two LoD levels (sentences, prefixes).
        beam_size: how many continuations stay.
        end_id: the id that ends a sentence.
        level: the LoD level of the sentences.
        is_accumulated: the scores contain those of the prefixes; else they are probabilities.
        name: prefix of the names.
        return_parent_idx: return the rows of the continued prefixes, too.
    Returns:
        Chosen ids [M, 1] and scores [M, 1], of two LoD levels; with `return_parent_idx` rows [M], int32.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     last = fluid.layers.data("last", [1], dtype="int64", lod_level=2)
        ...     total = fluid.layers.data("total", [1], lod_level=2)
        ...     scores = fluid.layers.data("scores", [4], lod_level=2)
        ...     fluid.layers.beam_search(last, total, None, scores, beam_size=2, end_id=0)[0].shape
        (-1, 1)

    Follows Paddle 1.8.
    """
    need_variable(pre_ids, "pre_ids", "beam_search", ("int64",))
    need_variable(pre_scores, "pre_scores", "beam_search", FLOATS)
    need_type(ids, "ids", "beam_search", Variable, type(None))
    need_variable(scores, "scores", "beam_search", FLOATS)
    helper = LayerHelper("beam_search", name=name)
    chosen_scores = helper.create_variable_for_type_inference(pre_scores.dtype)
    chosen_ids = helper.create_variable_for_type_inference(pre_ids.dtype)
    parents = helper.create_variable_for_type_inference("int32")
    beam_ops.beam_search(
        pre_ids, pre_scores, ids, scores,
        level=level, beam_size=beam_size, end_id=end_id, is_accumulated=is_accumulated, _helper=helper,
        _outputs={"selected_ids": chosen_ids, "selected_scores": chosen_scores, "parent_idx": parents},
    )  # fmt: skip
    return (chosen_ids, chosen_scores, parents) if return_parent_idx else (chosen_ids, chosen_scores)


def beam_search_decode(ids: Variable, scores: Variable, beam_size: int, end_id: int, name: str | None = None) -> tuple[Variable, Variable]:
    """The sentences that a beam search found.

    Args:
        ids, scores: tensor arrays of what `beam_search` chose in each step.
        beam_size: how many sentences each source has at most.
        end_id: the id that ends a sentence.
        name: prefix of the names.
    Returns:
        Ids and scores of all sentences, of two LoD levels: sources, sentences.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     ids, scores = fluid.layers.create_array("int64"), fluid.layers.create_array("float32")
        ...     found, totals = fluid.layers.beam_search_decode(ids, scores, beam_size=2, end_id=0)
        ...     found.name
        'beam_search_decode_0.tmp_0'

    Follows Paddle 1.8.
    """
    need_variable(ids, "ids", "beam_search_decode", ("int64",))
    need_variable(scores, "scores", "beam_search_decode", ("float32",))
    helper = LayerHelper("beam_search_decode", name=name)
    found, totals = beam_ops.beam_search_decode(ids, scores, beam_size=beam_size, end_id=end_id, _helper=helper)
    return found, totals


__all__ = [
    "BasicDecoder", "BeamSearchDecoder", "DecodeHelper", "Decoder", "GRUCell", "GreedyEmbeddingHelper", "LSTMCell",
    "RNNCell", "SampleEmbeddingHelper", "TrainingHelper", "beam_search", "beam_search_decode", "dynamic_decode",
    "dynamic_gru", "dynamic_lstm", "dynamic_lstmp", "gru_unit", "lstm", "lstm_unit", "rnn",
]  # fmt: skip


class _Callable(ModuleType):
    """Lets `fluid.layers.rnn` be called: a package shows its submodule where it has a function of the same name."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The function."""
        return rnn(*args, **kwargs)


__signature__ = signature(rnn)
sys.modules[__name__].__class__ = _Callable

__getattr__ = missing(__name__)
