"""Recurrent layers: cells, what runs a cell over a sequence, and stacked networks in one operator."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from paddle_compat.core.dtype import VarType, default
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.op import find_op
from paddle_compat.core.tensor import Tensor
from paddle_compat.nn.layer.container import LayerList
from paddle_compat.nn.layer.layers import Layer


def _paddle() -> Any:
    return import_module("paddle_compat.tensor")


def _functional() -> Any:
    return import_module("paddle_compat.nn.functional")


def _map(fn: Any, *trees: Any) -> Any:
    """Apply a function to the leaves of nested lists and tuples."""
    first = trees[0]
    if isinstance(first, (list, tuple)):
        return type(first)(_map(fn, *parts) for parts in zip(*trees))
    return fn(*trees)


def _leaves(tree: Any) -> list[Any]:
    return [leaf for part in tree for leaf in _leaves(part)] if isinstance(tree, (list, tuple)) else [tree]


class RNNCellBase(Layer):
    """Base of cells: one step of a recurrent network."""

    def get_initial_states(
        self, batch_ref: Any, shape: Any = None, dtype: Any = None, init_value: float = 0.0, batch_dim_idx: int = 0
    ) -> Any:
        """States to start from.

        Args:
            batch_ref: a tensor that has the batch size.
            shape: shapes of the states without the batch, nested as the states; None: `state_shape`.
            dtype: data types, nested likewise; None: that of the reference.
            init_value: what they hold.
            batch_dim_idx: where the reference has the batch.
        """
        shapes = self.state_shape if shape is None else shape
        if dtype is None:
            dtype = batch_ref.dtype if hasattr(batch_ref, "dtype") else default()
        batch_ref = _leaves(batch_ref)[0]
        # all shapes first, then all states: the order in which the real function records
        full = _map_shapes(lambda s: _Shape(_batched(batch_ref, s, batch_dim_idx)), shapes)
        return _map_shapes(lambda s: _paddle().full(list(s), init_value, dtype), full)


class _Shape(tuple):
    """A shape among nested states."""


def batch_size(reference: Any, dim: int) -> Any:
    """The size of a dimension: a number where it is known, else what the operator `shape` says."""
    size = reference.shape[dim]
    return size if size >= 0 else _paddle().shape(reference)[dim]


def _batched(reference: Any, shape: Sequence[int], batch_dim: int) -> list[Any]:
    rest = list(shape)[1:] if shape and shape[0] == -1 else list(shape)
    return [batch_size(reference, batch_dim), *rest]


def _map_shapes(fn: Any, shapes: Any) -> Any:
    if isinstance(shapes, (list, tuple)) and shapes and isinstance(shapes[0], (list, tuple)) and not isinstance(shapes, _Shape):
        return type(shapes)(_map_shapes(fn, s) for s in shapes)
    return fn(shapes)


class _Cell(RNNCellBase):
    """What the three cells share: their parameters."""

    _gates: int

    def __init__(self, input_size: int, hidden_size: int, attrs: tuple[Any, Any, Any, Any]) -> None:
        super().__init__()
        if hidden_size <= 0:
            raise invalid_argument("hidden_size", "a positive size", hidden_size, type(self).__name__)
        std = 1.0 / math.sqrt(hidden_size)
        uniform = import_module("paddle_compat.nn.initializer").Uniform
        rows = self._gates * hidden_size
        shapes = ((rows, input_size), (rows, hidden_size), (rows,), (rows,))
        for name, shape, attr in zip(("weight_ih", "weight_hh", "bias_ih", "bias_hh"), shapes, attrs):
            made = None
            if attr is not False or name.startswith("weight"):
                attr = None if attr is False else attr
                made = self.create_parameter(list(shape), attr, is_bias=name.startswith("bias"), default_initializer=uniform(-std, std))
            setattr(self, name, made)
        self.input_size, self.hidden_size = input_size, hidden_size

    def _projected(self, x: Any, weight: Any, bias: Any) -> Any:
        out = _paddle().matmul(x, weight, transpose_y=True)
        return out if bias is None else out + bias

    def extra_repr(self) -> str:
        """The settings."""
        return f"{self.input_size}, {self.hidden_size}"


class SimpleRNNCell(_Cell):
    """One step of a simple recurrent network: act(W x + b + W' h + b').

    Args:
        input_size, hidden_size: sizes of input and state.
        activation: tanh or relu.
        weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr: ParamAttr; a bias False for none.
        name: kept.

    Example:
        >>> import paddle_compat as paddle
        >>> cell = paddle.nn.SimpleRNNCell(4, 8)

    Follows Paddle 2.6.
    """

    _gates = 1

    def __init__(
        self, input_size: int, hidden_size: int, activation: str = "tanh", weight_ih_attr: Any = None, weight_hh_attr: Any = None,
        bias_ih_attr: Any = None, bias_hh_attr: Any = None, name: str | None = None,
    ) -> None:  # fmt: skip
        if activation not in ("tanh", "relu"):
            raise invalid_argument("activation", "tanh or relu", activation, "SimpleRNNCell")
        super().__init__(input_size, hidden_size, (weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr))
        self.activation = activation

    @property
    def state_shape(self) -> tuple[int, ...]:
        """Shape of the state, without the batch."""
        return (self.hidden_size,)

    def forward(self, inputs: Any, states: Any = None) -> tuple[Any, Any]:
        """One step.

        Args:
            inputs: [N, input_size].
            states: [N, hidden_size]; None: zeros.
        Returns:
            Output and new state, which are the same.
        """
        states = self.get_initial_states(inputs, self.state_shape) if states is None else states
        i2h = self._projected(inputs, self.weight_ih, self.bias_ih)
        h2h = self._projected(states, self.weight_hh, self.bias_hh)
        h = getattr(_functional(), self.activation)(i2h + h2h)
        return h, h


class LSTMCell(_Cell):
    """One step of a long short-term memory.

    Args:
        input_size, hidden_size: sizes of input and state.
        weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr: ParamAttr; a bias False for none.
        name: kept.

    Example:
        >>> import paddle_compat as paddle
        >>> cell = paddle.nn.LSTMCell(4, 8)

    Follows Paddle 2.6.
    """

    _gates = 4

    def __init__(
        self, input_size: int, hidden_size: int, weight_ih_attr: Any = None, weight_hh_attr: Any = None, bias_ih_attr: Any = None,
        bias_hh_attr: Any = None, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(input_size, hidden_size, (weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr))

    @property
    def state_shape(self) -> tuple[tuple[int, ...], ...]:
        """Shapes of the two states, without the batch."""
        return ((self.hidden_size,), (self.hidden_size,))

    def forward(self, inputs: Any, states: Any = None) -> tuple[Any, Any]:
        """One step.

        Args:
            inputs: [N, input_size].
            states: hidden and cell state, [N, hidden_size] each; None: zeros.
        Returns:
            Output, and the new pair of states.
        """
        states = self.get_initial_states(inputs, self.state_shape) if states is None else states
        before, cell = states
        gates = _paddle().matmul(inputs, self.weight_ih, transpose_y=True)
        if self.bias_ih is not None:
            gates = gates + self.bias_ih
        gates = gates + _paddle().matmul(before, self.weight_hh, transpose_y=True)
        if self.bias_hh is not None:
            gates = gates + self.bias_hh
        parts = _paddle().split(gates, num_or_sections=4, axis=-1)
        sigmoid, tanh = _functional().sigmoid, _functional().tanh
        into, forget, out = sigmoid(parts[0]), sigmoid(parts[1]), sigmoid(parts[3])
        cell = forget * cell + into * tanh(parts[2])
        hidden = out * tanh(cell)
        return hidden, (hidden, cell)


class GRUCell(_Cell):
    """One step of a gated recurrent unit.

    Args:
        input_size, hidden_size: sizes of input and state.
        weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr: ParamAttr; a bias False for none.
        name: kept.

    Example:
        >>> import paddle_compat as paddle
        >>> cell = paddle.nn.GRUCell(4, 8)

    Follows Paddle 2.6.
    """

    _gates = 3

    def __init__(
        self, input_size: int, hidden_size: int, weight_ih_attr: Any = None, weight_hh_attr: Any = None, bias_ih_attr: Any = None,
        bias_hh_attr: Any = None, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(input_size, hidden_size, (weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr))

    @property
    def state_shape(self) -> tuple[int, ...]:
        """Shape of the state, without the batch."""
        return (self.hidden_size,)

    def forward(self, inputs: Any, states: Any = None) -> tuple[Any, Any]:
        """One step.

        Args:
            inputs: [N, input_size].
            states: [N, hidden_size]; None: zeros.
        Returns:
            Output and new state, which are the same.
        """
        states = self.get_initial_states(inputs, self.state_shape) if states is None else states
        x_gates = self._projected(inputs, self.weight_ih, self.bias_ih)
        h_gates = self._projected(states, self.weight_hh, self.bias_hh)
        x_r, x_z, x_c = _paddle().split(x_gates, num_or_sections=3, axis=1)
        h_r, h_z, h_c = _paddle().split(h_gates, num_or_sections=3, axis=1)
        sigmoid, tanh = _functional().sigmoid, _functional().tanh
        reset, update = sigmoid(x_r + h_r), sigmoid(x_z + h_z)
        candidate = tanh(x_c + reset * h_c)
        hidden = (states - candidate) * update + candidate
        return hidden, hidden


class RNN(Layer):
    """Runs a cell over a sequence.

    Args:
        cell: the cell.
        is_reverse: from the end to the beginning.
        time_major: inputs are [T, N, ...] instead of [N, T, ...].

    Example:
        >>> import paddle_compat as paddle
        >>> net = paddle.nn.RNN(paddle.nn.LSTMCell(4, 8))

    Follows Paddle 2.6.
    """

    def __init__(self, cell: Any, is_reverse: bool = False, time_major: bool = False) -> None:
        super().__init__()
        self.cell, self.is_reverse, self.time_major = cell, is_reverse, time_major
        if not hasattr(cell, "call"):
            cell.__dict__["call"] = cell.forward

    def forward(self, inputs: Any, initial_states: Any = None, sequence_length: Any = None, **kwargs: Any) -> tuple[Any, Any]:
        """Run.

        Args:
            inputs: a tensor, or nested tensors.
            initial_states: states to start from; None: the cell's.
            sequence_length: lengths, [N]; beyond its length a sequence keeps its state.
            kwargs: handed to the cell.
        Returns:
            Outputs of all steps, and the last states.
        """
        return run_cell(self.cell, inputs, initial_states, sequence_length, self.time_major, self.is_reverse, **kwargs)


class BiRNN(Layer):
    """Runs two cells over a sequence, one from each end.

    Args:
        cell_fw, cell_bw: the cells.
        time_major: inputs are [T, N, ...] instead of [N, T, ...].

    Example:
        >>> import paddle_compat as paddle
        >>> net = paddle.nn.BiRNN(paddle.nn.LSTMCell(4, 8), paddle.nn.LSTMCell(4, 8))

    Follows Paddle 2.6.
    """

    def __init__(self, cell_fw: Any, cell_bw: Any, time_major: bool = False) -> None:
        super().__init__()
        self.cell_fw, self.cell_bw, self.time_major = cell_fw, cell_bw, time_major

    def forward(self, inputs: Any, initial_states: Any = None, sequence_length: Any = None, **kwargs: Any) -> tuple[Any, Any]:
        """Run.

        Args:
            inputs: a tensor, or nested tensors.
            initial_states: a pair of states to start from; None: the cells'.
            sequence_length: lengths, [N].
            kwargs: handed to the cells.
        Returns:
            Outputs of both directions side by side, and the pair of last states.
        """
        first = 1 if self.time_major else 0
        cells = (self.cell_fw, self.cell_bw)
        forward, backward = initial_states or [cell.get_initial_states(batch_ref=inputs, batch_dim_idx=first) for cell in cells]
        out_fw, last_fw = run_cell(self.cell_fw, inputs, forward, sequence_length, self.time_major, False, **kwargs)
        out_bw, last_bw = run_cell(self.cell_bw, inputs, backward, sequence_length, self.time_major, True, **kwargs)
        return _map(lambda a, b: _paddle().concat([a, b], -1), out_fw, out_bw), (last_fw, last_bw)


def run_cell(
    cell: Any, inputs: Any, initial_states: Any, sequence_length: Any, time_major: bool, is_reverse: bool, **kwargs: Any
) -> tuple[Any, Any]:
    """Run a cell over a sequence: a Python loop in eager mode, a while operator over arrays in static mode."""
    first = _leaves(inputs)[0]
    if initial_states is None:
        initial_states = cell.get_initial_states(batch_ref=inputs, batch_dim_idx=1 if time_major else 0)
    if isinstance(first, Tensor):
        return _run_at_once(cell, inputs, initial_states, sequence_length, time_major, is_reverse, kwargs)
    return _record_loop(cell, inputs, initial_states, sequence_length, time_major, is_reverse, kwargs)


def _turned(x: Any) -> Any:
    return _paddle().transpose(x, [1, 0, *range(2, len(x.shape))])


def _kept(old: Any, new: Any, inside: Any) -> Any:
    """The new state within the sequence, the old one beyond its end."""
    return new * inside + old * (1.0 - inside)


def _mask(sequence_length: Any, steps: Any, dtype: Any) -> Any:
    """Which steps lie within the sequences, [steps, N]; None without lengths."""
    if sequence_length is None:
        return None
    return _paddle().transpose(_functional().sequence_mask(sequence_length, maxlen=steps, dtype=dtype), [1, 0])


def _step(cell: Any, inputs: Any, states: Any, mask: Any, index: Any, kwargs: dict[str, Any]) -> tuple[Any, Any]:
    """What a cell makes of one step."""
    out, new = cell(inputs, states, **kwargs)
    if mask is not None:
        inside = _paddle().unsqueeze(mask[index], axis=1)
        new = _map(lambda a, b: _kept(a, b, inside), states, new)
    return out, new


def _run_at_once(
    cell: Any, inputs: Any, states: Any, sequence_length: Any, time_major: bool, is_reverse: bool, kwargs: dict[str, Any]
) -> tuple[Any, Any]:
    paddle = _paddle()
    inputs = inputs if time_major else _map(_turned, inputs)
    first = _leaves(inputs)[0]
    steps = first.shape[0]
    mask = _mask(sequence_length, steps, first.dtype)
    outputs: list[Any] = [None] * steps
    for step in range(steps - 1, -1, -1) if is_reverse else range(steps):
        at = _map(operator.itemgetter(step), inputs)
        outputs[step], states = _step(cell, at, states, mask, step, kwargs)
    stacked = _map(lambda *parts: paddle.stack(parts, 0 if time_major else 1), *outputs)
    return stacked, states


def _record_loop(
    cell: Any, inputs: Any, states: Any, sequence_length: Any, time_major: bool, is_reverse: bool, kwargs: dict[str, Any]
) -> tuple[Any, Any]:
    paddle = _paddle()
    While = import_module("paddle_compat.static.nn._blocks").While
    less, assign, convert = (_definition(name) for name in ("less_than", "assign", "tensor_array_to_tensor"))
    inputs = inputs if time_major else _map(_turned, inputs)
    first = _leaves(inputs)[0]
    steps = paddle.shape(first)[0]
    mask = _mask(sequence_length, steps, first.dtype)
    if is_reverse:
        inputs = _map(lambda x: paddle.flip(x, axis=[0]), inputs)
        mask = paddle.flip(mask, axis=[0]) if mask is not None else None
    for state in _leaves(states):
        state.stop_gradient = False
    index = paddle.full([], 0, "int64")
    end = paddle.cast(steps, "int64")
    going = index < end
    loop = While(going)
    out_array = paddle.create_array(first.dtype)
    state_arrays = [paddle.create_array(state.dtype) for state in _leaves(states)]
    for state, array in zip(_leaves(states), state_arrays):
        paddle.array_write(state, index, array)
    with loop.block():
        at = _map(lambda x: x[index], inputs)
        current = _nest(states, iter([paddle.array_read(a, index) for a in state_arrays]))
        out, new = _step(cell, at, current, mask, index, kwargs)
        paddle.array_write(out, index, out_array)
        paddle.increment(index, 1)
        for value, array in zip(_leaves(new), state_arrays):
            paddle.array_write(value, index, array)
        assign(less(index, end), _outputs={"Out": going})
    outputs, *finals = [convert(a, axis=0, use_stack=True)[0] for a in (out_array, *state_arrays)]
    last = _nest(states, iter([f[-1] for f in finals]))
    if is_reverse:
        outputs = paddle.flip(outputs, axis=[0])
    return outputs if time_major else _turned(outputs), last


def _definition(name: str) -> Any:
    found = find_op(name)
    assert found is not None
    return found


def _nest(like: Any, values: Any) -> Any:
    return type(like)(_nest(part, values) for part in like) if isinstance(like, (list, tuple)) else next(values)


class _Stacked(LayerList):
    """What LSTM, GRU and SimpleRNN share: layers of cells, run by one operator."""

    _mode: str

    def __init__(
        self, mode: str, input_size: int, hidden_size: int, num_layers: int, direction: str, time_major: bool, dropout: float,
        attrs: tuple[Any, Any, Any, Any],
    ) -> None:  # fmt: skip
        super().__init__()
        if direction not in ("forward", "bidirectional", "bidirect"):
            raise invalid_argument("direction", "forward, bidirect or bidirectional", direction, type(self).__name__)
        self.mode, self.input_size, self.hidden_size, self.num_layers = mode, input_size, hidden_size, num_layers
        self.dropout, self.time_major = dropout, time_major
        self.num_directions = 1 if direction == "forward" else 2
        self.state_components = 2 if mode == "LSTM" else 1
        for layer in range(num_layers):
            size = input_size if layer == 0 else hidden_size * self.num_directions
            cells = [self._cell(size, hidden_size, attrs) for _ in range(self.num_directions)]
            self.append(RNN(cells[0], False, time_major) if len(cells) == 1 else BiRNN(cells[0], cells[1], time_major))
        self.__dict__["_weights"] = self._name_weights()
        self.flatten_parameters()

    def _cell(self, size: int, hidden: int, attrs: tuple[Any, Any, Any, Any]) -> Any:
        if self.mode == "LSTM":
            return LSTMCell(size, hidden, *attrs)
        if self.mode == "GRU":
            return GRUCell(size, hidden, *attrs)
        return SimpleRNNCell(size, hidden, "relu" if self.mode == "RNN_RELU" else "tanh", *attrs)

    def _cells(self) -> list[tuple[int, int, Any]]:
        found = []
        for i, layer in enumerate(self):
            for way, cell in enumerate([layer.cell] if isinstance(layer, RNN) else [layer.cell_fw, layer.cell_bw]):
                found.append((i, way, cell))
        return found

    def _name_weights(self) -> list[Any]:
        """Hold every parameter under its flat name too, and list them as the operator wants them: weights, then biases."""
        weights: list[Any] = []
        biases: list[Any] = []
        for i, way, cell in self._cells():
            end = f"_l{i}" + ("_reverse" if way else "")
            for name, home in (("weight_ih", weights), ("weight_hh", weights), ("bias_ih", biases), ("bias_hh", biases)):
                value = getattr(cell, name)
                setattr(self, name + end, value)
                home.append(value)
        return [w for w in (*weights, *biases) if w is not None]

    def flatten_parameters(self) -> None:
        """In static mode, one buffer for all parameters, as the wheel's startup program makes it."""
        if isinstance(self._weights[0], Tensor):
            return
        total = sum(math.prod(w.shape) for w in self._weights)
        constant = import_module("paddle_compat.nn.initializer").Constant
        flat = self.create_parameter([total], default_initializer=constant(0.0))
        state = self.create_variable(dtype="uint8", name=f"{self._full_name}.dropout_state__non_persistable")
        self.__dict__["_flat_weight"], self.__dict__["_dropout_state"] = flat, state
        startup = self._helper.startup_program.global_block()
        startup.append_op(
            type="coalesce_tensor",
            inputs={"Input": [w.name for w in self._weights]},
            outputs={"Output": [w.name for w in self._weights], "FusedOutput": [flat.name]},
            attrs={"copy_data": True, "use_align": False, "dtype": int(VarType.FP32)},
        )

    def forward(self, inputs: Any, initial_states: Any = None, sequence_length: Any = None) -> tuple[Any, Any]:
        """Run all layers.

        Args:
            inputs: [N, T, input_size], or [T, N, input_size] with `time_major`.
            initial_states: [layers * directions, N, hidden_size], for LSTM a pair of these; None: zeros.
            sequence_length: lengths, [N].
        Returns:
            Outputs of the last layer, and the last states of all layers.
        """
        paddle = _paddle()
        batch_dim = 1 if self.time_major else 0
        if initial_states is None:
            batch = batch_size(inputs, batch_dim)
            shape = [self.num_layers * self.num_directions, batch, self.hidden_size]
            initial_states = tuple(paddle.full(shape, 0.0, inputs.dtype) for _ in range(self.state_components))
        else:
            initial_states = tuple(initial_states) if isinstance(initial_states, (list, tuple)) else (initial_states,)
        if not self.time_major:
            inputs = paddle.transpose(inputs, [1, 0, 2])
        definition = _definition("rnn")
        attrs = {
            "dropout_prob": self.dropout, "is_bidirec": self.num_directions == 2, "input_size": self.input_size,
            "hidden_size": self.hidden_size, "num_layers": self.num_layers, "mode": self.mode, "is_test": not self.training,
        }  # fmt: skip
        if isinstance(inputs, Tensor):
            out, states = definition(inputs, list(initial_states), self._weights, sequence_length, **attrs)
        else:
            helper = self._helper
            made = [helper.create_variable_for_type_inference(inputs.dtype) for _ in range(1 + self.state_components)]
            reserve = helper.create_variable_for_type_inference("uint8", stop_gradient=True)
            outputs = {"Out": made[0], "State": made[1:], "Reserve": reserve, "DropoutState": self._dropout_state}
            out, states = definition(
                inputs, list(initial_states), self._weights, sequence_length, _helper=helper, _outputs=outputs, **attrs
            )
        if not self.time_major:
            out = paddle.transpose(out, [1, 0, 2])
        return out, tuple(states) if len(states) > 1 else states[0]

    def extra_repr(self) -> str:
        """The settings."""
        text = f"{self.input_size}, {self.hidden_size}"
        text += f", num_layers={self.num_layers}" if self.num_layers != 1 else ""
        text += ", time_major=True" if self.time_major else ""
        return text + (f", dropout={self.dropout}" if self.dropout else "")


class SimpleRNN(_Stacked):
    """Layers of simple recurrent networks.

    Args:
        input_size, hidden_size: sizes of input and state.
        num_layers: how many layers.
        direction: forward, bidirect or bidirectional.
        time_major: inputs are [T, N, ...] instead of [N, T, ...].
        dropout: between layers, while training.
        activation: tanh or relu.
        weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr: ParamAttr of every layer.
        name: kept.

    Example:
        >>> import paddle_compat as paddle
        >>> net = paddle.nn.SimpleRNN(4, 8)

    Follows Paddle 2.6.
    """

    def __init__(
        self, input_size: int, hidden_size: int, num_layers: int = 1, direction: str = "forward", time_major: bool = False,
        dropout: float = 0.0, activation: str = "tanh", weight_ih_attr: Any = None, weight_hh_attr: Any = None, bias_ih_attr: Any = None,
        bias_hh_attr: Any = None, name: str | None = None,
    ) -> None:  # fmt: skip
        if activation not in ("tanh", "relu"):
            raise invalid_argument("activation", "tanh or relu", activation, "SimpleRNN")
        attrs = (weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr)
        super().__init__(f"RNN_{activation.upper()}", input_size, hidden_size, num_layers, direction, time_major, dropout, attrs)
        self.activation = activation


class LSTM(_Stacked):
    """Layers of long short-term memories.

    Args:
        input_size, hidden_size: sizes of input and state.
        num_layers: how many layers.
        direction: forward, bidirect or bidirectional.
        time_major: inputs are [T, N, ...] instead of [N, T, ...].
        dropout: between layers, while training.
        weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr: ParamAttr of every layer.
        name: kept.

    Example:
        >>> import paddle_compat as paddle
        >>> net = paddle.nn.LSTM(4, 8, 2)

    Follows Paddle 2.6.
    """

    def __init__(
        self, input_size: int, hidden_size: int, num_layers: int = 1, direction: str = "forward", time_major: bool = False,
        dropout: float = 0.0, weight_ih_attr: Any = None, weight_hh_attr: Any = None, bias_ih_attr: Any = None, bias_hh_attr: Any = None,
        name: str | None = None,
    ) -> None:  # fmt: skip
        attrs = (weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr)
        super().__init__("LSTM", input_size, hidden_size, num_layers, direction, time_major, dropout, attrs)


class GRU(_Stacked):
    """Layers of gated recurrent units.

    Args:
        input_size, hidden_size: sizes of input and state.
        num_layers: how many layers.
        direction: forward, bidirect or bidirectional.
        time_major: inputs are [T, N, ...] instead of [N, T, ...].
        dropout: between layers, while training.
        weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr: ParamAttr of every layer.
        name: kept.

    Example:
        >>> import paddle_compat as paddle
        >>> net = paddle.nn.GRU(4, 8, 2)

    Follows Paddle 2.6.
    """

    def __init__(
        self, input_size: int, hidden_size: int, num_layers: int = 1, direction: str = "forward", time_major: bool = False,
        dropout: float = 0.0, weight_ih_attr: Any = None, weight_hh_attr: Any = None, bias_ih_attr: Any = None, bias_hh_attr: Any = None,
        name: str | None = None,
    ) -> None:  # fmt: skip
        attrs = (weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr)
        super().__init__("GRU", input_size, hidden_size, num_layers, direction, time_major, dropout, attrs)


__all__ = ["BiRNN", "GRU", "GRUCell", "LSTM", "LSTMCell", "RNN", "RNNCellBase", "SimpleRNN", "SimpleRNNCell"]
