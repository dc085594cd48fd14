"""`fluid.contrib.layers.rnn_impl`: stacked GRU and LSTM layers over padded batches, made of plain operators."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import unique_name
from paddle_compat.core.dtype import DTypeLike
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.core.variable import Variable
from paddle_compat.fluid import layers as _layers
from paddle_compat.fluid.dygraph.layer_object_helper import LayerObjectHelper
from paddle_compat.fluid.dygraph.layers import Layer

L: Any = _layers


def _renamed(attr: Any, suffix: str) -> Any:
    """A ParamAttr for one of several parameters: a name of the user's gets a suffix."""
    if attr is None or attr.name is None:
        return attr
    attr = copy.deepcopy(attr)
    attr.name += suffix
    return attr


class _Unit(Layer):
    """One step of a network, whose parameters are made when it is first called."""

    def __init__(self, name_scope: str, hidden_size: int, dtype: DTypeLike) -> None:
        super().__init__(name_scope, dtype)
        self.__dict__["_full_name"] = unique_name.generate(f"{name_scope}/{type(self).__name__}")
        self.__dict__["_helper"] = LayerObjectHelper(self._full_name)
        self._hidden_size = hidden_size

    def _build_once(self, input: Any, *states: Any) -> None:
        self._build(input.shape[-1])

    def _build(self, input_size: int) -> None:
        raise UnsupportedError(f"{type(self).__name__}._build", None, "a unit that defines it")

    def _parameter(self, attr: Any, shape: list[int], is_bias: bool = False) -> Any:
        return self.create_parameter(shape, attr, self._dtype, is_bias)


class BasicGRUUnit(_Unit):
    """A GRU step.

    Args:
        name_scope: prefix of the parameters' names.
        hidden_size: D.
        param_attr: of the weights [M + D, 2D] (reset and update gate) and [M + D, D] (candidate).
        bias_attr: of the biases [2D] and [D].
        gate_activation, activation: functions of `fluid.layers`; None: sigmoid and tanh.
        dtype: float32 or float64.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.contrib.layers.rnn_impl import BasicGRUUnit
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     x, state = fluid.data("x", [None, 8]), fluid.data("state", [None, 4])
        ...     BasicGRUUnit("gru", 4)(x, state).shape
        (-1, 4)

    Follows Paddle 1.8.
    """

    def __init__(
        self,
        name_scope: str,
        hidden_size: int,
        param_attr: Any = None,
        bias_attr: Any = None,
        gate_activation: Any = None,
        activation: Any = None,
        dtype: DTypeLike = "float32",
    ) -> None:
        super().__init__(name_scope, hidden_size, dtype)
        self._param_attr, self._bias_attr = param_attr, bias_attr
        self._gate_activation, self._activation = gate_activation or L.sigmoid, activation or L.tanh

    def _build(self, input_size: int) -> None:
        size, rows = self._hidden_size, input_size + self._hidden_size
        self._gate_weight = self._parameter(_renamed(self._param_attr, "_gate"), [rows, 2 * size])
        self._candidate_weight = self._parameter(_renamed(self._param_attr, "_candidate"), [rows, size])
        self._gate_bias = self._parameter(_renamed(self._bias_attr, "_gate"), [2 * size], is_bias=True)
        self._candidate_bias = self._parameter(_renamed(self._bias_attr, "_candidate"), [size], is_bias=True)

    def forward(self, input: Any, pre_hidden: Any) -> Any:
        """The new state [B, D] from an input [B, M] and the former state.

        Args:
            input (Variable): [B, M].
            pre_hidden (Variable): [B, D].
        Returns:
            Variable [B, D].
        """
        gates = L.matmul(x=L.concat([input, pre_hidden], 1), y=self._gate_weight)
        gates = self._gate_activation(L.elementwise_add(gates, self._gate_bias))
        reset, update = L.split(gates, num_or_sections=2, dim=1)
        candidate = L.matmul(L.concat([input, reset * pre_hidden], 1), self._candidate_weight)
        candidate = self._activation(L.elementwise_add(candidate, self._candidate_bias))
        return update * pre_hidden + (1 - update) * candidate


class BasicLSTMUnit(_Unit):
    """An LSTM step.

    Args:
        name_scope: prefix of the parameters' names.
        hidden_size: D.
        param_attr: of the weight [M + D, 4D]: input gate, candidate, forget gate, output gate.
        bias_attr: of the bias [4D].
        gate_activation, activation: kept; the real unit always takes sigmoid and tanh.
        forget_bias: is added to the forget gate.
        dtype: float32 or float64.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.contrib.layers.rnn_impl import BasicLSTMUnit
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     x, h, c = fluid.data("x", [None, 8]), fluid.data("h", [None, 4]), fluid.data("c", [None, 4])
        ...     BasicLSTMUnit("lstm", 4)(x, h, c)[0].shape
        (-1, 4)

    Follows Paddle 1.8.
    """

    def __init__(
        self,
        name_scope: str,
        hidden_size: int,
        param_attr: Any = None,
        bias_attr: Any = None,
        gate_activation: Any = None,
        activation: Any = None,
        forget_bias: float = 1.0,
        dtype: DTypeLike = "float32",
    ) -> None:
        super().__init__(name_scope, hidden_size, dtype)
        self._param_attr, self._bias_attr = param_attr, bias_attr
        self._forget_bias = L.fill_constant([1], dtype=dtype, value=forget_bias)
        self._forget_bias.stop_gradient = False

    def _build(self, input_size: int) -> None:
        size = self._hidden_size
        self._weight = self._parameter(self._param_attr, [input_size + size, 4 * size])
        self._bias = self._parameter(self._bias_attr, [4 * size], is_bias=True)

    def forward(self, input: Any, pre_hidden: Any, pre_cell: Any) -> Any:
        """The new hidden state and cell, [B, D], from an input [B, M] and the former ones.

        Args:
            input (Variable): [B, M].
            pre_hidden, pre_cell (Variable): [B, D].
        Returns:
            Two Variables [B, D].
        """
        gates = L.matmul(x=L.concat([input, pre_hidden], 1), y=self._weight)
        gates = L.elementwise_add(gates, self._bias)
        admit, candidate, keep, emit = L.split(gates, num_or_sections=4, dim=-1)
        kept = L.elementwise_mul(pre_cell, L.sigmoid(L.elementwise_add(keep, self._forget_bias)))
        new_cell = L.elementwise_add(kept, L.elementwise_mul(L.sigmoid(admit), L.tanh(candidate)))
        return L.tanh(new_cell) * L.sigmoid(emit), new_cell


class _Stack:
    """Layers of units, run in one or two directions.

    Args:
        make: makes the unit of a layer from its name and attributes.
        starts: the initial states given, each [num_layers * directions, B, D]; empty for zeros.
        states: how many states a unit has.
    """

    def __init__(
        self,
        make: Callable[[str, Any, Any], Any],
        starts: list[Any],
        states: int,
        hidden_size: int,
        num_layers: int,
        sequence_length: Any,
        dropout: dict[str, Any] | None,
        bidirectional: bool,
        batch_first: bool,
        memory_options: dict[str, Any],
    ) -> None:
        self.make, self.starts, self.states = make, starts, states
        self.hidden_size, self.num_layers = hidden_size, num_layers
        self.sequence_length, self.dropout = sequence_length, dropout
        self.ways = 2 if bidirectional else 1
        self.batch_first = batch_first
        self.memory_options = memory_options

    def units(self, name: str, param_attr: Any, bias_attr: Any, backward_bias: Any) -> list[list[Any]]:
        """The units of all layers, for each direction."""
        found = []
        for way, bias in list(zip(("fw", "bw"), (bias_attr, backward_bias)))[: self.ways]:
            scope = name + ("_reverse" if way == "bw" else "") + "_layers_"
            of_layers = []
            for i in range(self.num_layers):
                layer_bias = bias if bias is not bias_attr else _renamed(bias, f"_{way}_b_{i}")
                of_layers.append(self.make(f"{scope}{i}", _renamed(param_attr, f"_{way}_w_{i}"), layer_bias))
            found.append(of_layers)
        return found

    def run(self, input: Any, units: list[list[Any]]) -> list[Any]:
        """All outputs of the last layer, then the last states of all layers."""
        if self.batch_first:
            input = L.transpose(input, [1, 0, 2])
        mask = None
        if self.sequence_length is not None:
            longest = L.shape(input)[0]
            mask = L.transpose(L.sequence_mask(self.sequence_length, maxlen=longest, dtype="float32"), [1, 0])
        shape = [self.num_layers, self.ways, -1, self.hidden_size]
        self.starts = [L.reshape(start, shape=shape) for start in self.starts]
        results = self._direction(input, units[0], mask, 0)
        if self.ways == 2:
            backward = L.reverse(input, axis=[0])
            backward_mask = None if mask is None else L.reverse(mask, axis=[0])
            others = self._direction(backward, units[1], backward_mask, 1)
            others[0] = L.reverse(others[0], axis=[0])
            out = L.concat([results[0], others[0]], axis=2)
            flat = [self.num_layers * 2, -1, self.hidden_size]
            last = [L.reshape(L.concat([a, b], axis=1), shape=flat) for a, b in zip(results[1:], others[1:])]
            results = [out, *last]
        if self.batch_first:
            results[0] = L.transpose(results[0], [1, 0, 2])
        return results

    def _direction(self, input: Any, units: list[Any], mask: Any, way: int) -> list[Any]:
        rnn = L.StaticRNN()
        with rnn.step():
            step = rnn.step_input(input)
            step_mask = None if mask is None else rnn.step_input(mask)
            for i, unit in enumerate(units):
                if self.starts:
                    former = [rnn.memory(init=start[i, way]) for start in self.starts]
                else:
                    zeros = {"batch_ref": input, "shape": [-1, self.hidden_size], **self.memory_options}
                    former = [rnn.memory(**zeros) for _ in range(self.states)]
                new = unit(step, *former)
                new = list(new) if self.states > 1 else [new]
                if step_mask is not None:
                    new = [
                        L.elementwise_mul(n, step_mask, axis=0) - L.elementwise_mul(f, step_mask - 1, axis=0) for n, f in zip(new, former)
                    ]
                for f, n in zip(former, new):
                    rnn.update_memory(f, n)
                for n in new:
                    rnn.step_output(n)
                step = new[0] if self.dropout is None else L.dropout(new[0], **self.dropout)
            rnn.step_output(step)
        collected = rnn()
        last: list[list[Any]] = [[] for _ in range(self.states)]
        for i in range(self.num_layers * self.states):
            last[i % self.states].append(collected[i][-1])
        shape = [self.num_layers, -1, self.hidden_size]
        return [collected[-1], *(L.reshape(L.concat(ends, axis=0), shape=shape) for ends in last)]


def basic_gru(
    input: Variable,
    init_hidden: Variable | None,
    hidden_size: int,
    num_layers: int = 1,
    sequence_length: Variable | None = None,
    dropout_prob: float = 0.0,
    bidirectional: bool = False,
    batch_first: bool = True,
    param_attr: Any = None,
    bias_attr: Any = None,
    gate_activation: Any = None,
    activation: Any = None,
    dtype: DTypeLike = "float32",
    name: str = "basic_gru",
) -> tuple[Any, Any]:
    """Stacked GRU layers over a padded batch.

    Args:
        input: [B, T, M].
        init_hidden: initial states [num_layers * directions, B, D]; None: zeros.
        hidden_size: D.
        num_layers: how many layers.
        sequence_length: how many steps of each row count, [B]; None: all.
        dropout_prob: dropout after each layer.
        bidirectional: run in both directions.
        batch_first: False: the input and output are [T, B, ...].
        param_attr, bias_attr: of the units' weights and biases.
        gate_activation, activation: functions of `fluid.layers`; None: sigmoid and tanh.
        dtype: float32 or float64.
        name: prefix of the names.
    Returns:
        Outputs [B, T, directions * D] and the last states [num_layers * directions, B, D].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.contrib.layers.rnn_impl import basic_gru
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     out, last = basic_gru(fluid.data("x", [None, 5, 8]), None, hidden_size=4)
        ...     out.shape
        (-1, 5, 4)

    Follows Paddle 1.8.
    """

    def make(scope: str, weight: Any, bias: Any) -> Any:
        return BasicGRUUnit(scope, hidden_size, weight, bias, gate_activation, activation, dtype)

    dropout = {"dropout_prob": dropout_prob} if dropout_prob else None
    starts = [] if init_hidden is None else [init_hidden]
    stack = _Stack(
        make, starts, 1, hidden_size, num_layers, sequence_length, dropout, bidirectional, batch_first,
        {"ref_batch_dim_idx": 1},
    )  # fmt: skip
    out, last = stack.run(input, stack.units(name, param_attr, bias_attr, bias_attr))
    return out, last


def basic_lstm(
    input: Variable,
    init_hidden: Variable | None,
    init_cell: Variable | None,
    hidden_size: int,
    num_layers: int = 1,
    sequence_length: Variable | None = None,
    dropout_prob: float = 0.0,
    bidirectional: bool = False,
    batch_first: bool = True,
    param_attr: Any = None,
    bias_attr: Any = None,
    gate_activation: Any = None,
    activation: Any = None,
    forget_bias: float = 1.0,
    dtype: DTypeLike = "float32",
    name: str = "basic_lstm",
) -> tuple[Any, Any, Any]:
    """Stacked LSTM layers over a padded batch.

    Args:
        input: [B, T, M].
        init_hidden, init_cell: initial states [num_layers * directions, B, D]; None: zeros.
        hidden_size: D.
        num_layers: how many layers.
        sequence_length: how many steps of each row count, [B]; None: all.
        dropout_prob: dropout after each layer, scaled up in training.
        bidirectional: run in both directions.
        batch_first: False: the input and output are [T, B, ...].
        param_attr, bias_attr: of the units' weights and biases.
        gate_activation, activation: kept; the real unit always takes sigmoid and tanh.
        forget_bias: is added to the forget gates.
        dtype: float32 or float64.
        name: prefix of the names.
    Returns:
        Outputs [B, T, directions * D], the last hidden states and cells [num_layers * directions, B, D].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.contrib.layers.rnn_impl import basic_lstm
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     out, last_hidden, last_cell = basic_lstm(fluid.data("x", [None, 5, 8]), None, None, hidden_size=4)
        ...     out.shape
        (-1, 5, 4)

    Follows Paddle 1.8.
    """

    def make(scope: str, weight: Any, bias: Any) -> Any:
        return BasicLSTMUnit(scope, hidden_size, weight, bias, gate_activation, activation, forget_bias=forget_bias, dtype=dtype)

    dropout = {"dropout_prob": dropout_prob, "dropout_implementation": "upscale_in_train"} if dropout_prob else None
    starts = [] if init_hidden is None else [init_hidden, init_cell]
    stack = _Stack(make, starts, 2, hidden_size, num_layers, sequence_length, dropout, bidirectional, batch_first, {})
    # without a name of its own, the real layer hands the weights' attributes to the backward biases
    backward_bias = bias_attr if bias_attr is not None and bias_attr.name is not None else param_attr
    out, last_hidden, last_cell = stack.run(input, stack.units(name, param_attr, bias_attr, backward_bias))
    return out, last_hidden, last_cell


__all__ = ["BasicGRUUnit", "BasicLSTMUnit", "basic_gru", "basic_lstm"]

__getattr__ = missing(__name__)
