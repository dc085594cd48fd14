"""Recurrent layers: what runs a cell over a sequence, and stacked networks in one operator."""

from __future__ import annotations

import math
import operator
from importlib import import_module
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import capture, param_attr
from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import failed_assertion, invalid_argument
from paddle_compat.core.op import definition_of
from paddle_compat.core.paddle3 import placed
from paddle_compat.core.program import device_guard
from paddle_compat.core.tensor import Tensor
from paddle_compat.nn.layer._rnn_cells import (
    GRUCell,
    LSTMCell,
    RNNCellBase,
    SimpleRNNCell,
    batch_size,
    functional,
    leaves,
    map_leaves,
    tensor_functions,
)
from paddle_compat.nn.layer.container import LayerList
from paddle_compat.nn.layer.layers import Layer


class RNN(Layer):
    """Runs a cell over a sequence.

    Args:
        cell: the cell.
        is_reverse: from the end to the beginning.
        time_major: inputs are [T, N, ...] instead of [N, T, ...].

    Example:
        >>> import paddle_compat as paddle
        >>> net = paddle.nn.RNN(paddle.nn.LSTMCell(4, 8))
        >>> outputs, (h, c) = net(paddle.ones([2, 5, 4]))
        >>> outputs.shape, h.shape
        ([2, 5, 8], [2, 8])

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
        >>> outputs, (forward, backward) = net(paddle.ones([2, 5, 4]))
        >>> outputs.shape, forward[0].shape
        ([2, 5, 16], [2, 8])

    Follows Paddle 2.6.
    """

    def __init__(self, cell_fw: Any, cell_bw: Any, time_major: bool = False) -> None:
        super().__init__()
        sizes = [getattr(cell, "input_size", None) for cell in (cell_fw, cell_bw)]
        if None not in sizes and sizes[0] != sizes[1]:
            raise invalid_argument("cell_bw", f"a cell of `cell_fw`'s input size, {sizes[0]}", sizes[1], "BiRNN")
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
        return map_leaves(lambda a, b: tensor_functions().concat([a, b], -1), out_fw, out_bw), (last_fw, last_bw)


def rnn(
    cell: Any, inputs: Any, initial_states: Any = None, sequence_length: Any = None, time_major: bool = False, is_reverse: bool = False,
    **kwargs: Any,
) -> tuple[Any, Any]:  # fmt: skip
    """Run a cell over sequences, as `RNN` does."""
    return run_cell(cell, inputs, initial_states, sequence_length, time_major, is_reverse, **kwargs)


def birnn(
    cell_fw: Any, cell_bw: Any, inputs: Any, initial_states: Any = None, sequence_length: Any = None, time_major: bool = False,
    **kwargs: Any,
) -> tuple[Any, Any]:  # fmt: skip
    """Run two cells over sequences, one from the end, as `BiRNN` does."""
    return BiRNN(cell_fw, cell_bw, time_major)(inputs, initial_states, sequence_length, **kwargs)


def run_cell(
    cell: Any, inputs: Any, initial_states: Any, sequence_length: Any, time_major: bool, is_reverse: bool, **kwargs: Any
) -> tuple[Any, Any]:
    """Run a cell over a sequence: a Python loop in eager mode, a while operator over arrays in static mode."""
    first = leaves(inputs)[0]
    if initial_states is None:
        initial_states = cell.get_initial_states(batch_ref=inputs, batch_dim_idx=1 if time_major else 0)
    if isinstance(first, Tensor):
        return _run_at_once(cell, inputs, initial_states, sequence_length, time_major, is_reverse, kwargs)
    return _record_loop(cell, inputs, initial_states, sequence_length, time_major, is_reverse, kwargs)


def _turned(x: Any) -> Any:
    return tensor_functions().transpose(x, [1, 0, *range(2, len(x.shape))])


def _kept(old: Any, new: Any, inside: Any) -> Any:
    """The new state within the sequence, the old one beyond its end."""
    return new * inside + old * (1.0 - inside)


def _mask(sequence_length: Any, steps: Any, dtype: Any) -> Any:
    """Which steps lie within the sequences, [steps, N]; None without lengths."""
    if sequence_length is None:
        return None
    return tensor_functions().transpose(functional().sequence_mask(sequence_length, maxlen=steps, dtype=dtype), [1, 0])


def _step(cell: Any, inputs: Any, states: Any, mask: Any, index: Any, kwargs: dict[str, Any]) -> tuple[Any, Any]:
    """What a cell makes of one step."""
    out, new = cell(inputs, states, **kwargs)
    if mask is not None:
        inside = tensor_functions().unsqueeze(mask[index], axis=1)
        new = map_leaves(lambda a, b: _kept(a, b, inside), states, new)
    return out, new


def _run_at_once(
    cell: Any, inputs: Any, states: Any, sequence_length: Any, time_major: bool, is_reverse: bool, kwargs: dict[str, Any]
) -> tuple[Any, Any]:
    paddle = tensor_functions()
    inputs = inputs if time_major else map_leaves(_turned, inputs)
    first = leaves(inputs)[0]
    steps = first.shape[0]
    mask = _mask(sequence_length, steps, first.dtype)
    outputs: list[Any] = [None] * steps
    for step in range(steps - 1, -1, -1) if is_reverse else range(steps):
        at = map_leaves(operator.itemgetter(step), inputs)
        outputs[step], states = _step(cell, at, states, mask, step, kwargs)
    stacked = map_leaves(lambda *parts: paddle.stack(parts, 0 if time_major else 1), *outputs)
    return stacked, states


def _record_loop(
    cell: Any, inputs: Any, states: Any, sequence_length: Any, time_major: bool, is_reverse: bool, kwargs: dict[str, Any]
) -> tuple[Any, Any]:
    paddle = tensor_functions()
    While = import_module("paddle_compat.static.nn._blocks").While
    less, assign, convert = (definition_of(name) for name in ("less_than", "assign", "tensor_array_to_tensor"))
    inputs = inputs if time_major else map_leaves(_turned, inputs)
    first = leaves(inputs)[0]
    steps = paddle.shape(first)[0]
    mask = _mask(sequence_length, steps, first.dtype)
    if is_reverse:
        inputs = map_leaves(lambda x: paddle.flip(x, axis=[0]), inputs)
        mask = paddle.flip(mask, axis=[0]) if mask is not None else None
    for state in leaves(states):
        state.stop_gradient = False
    with device_guard("cpu"):
        index = paddle.full([], 0, "int64")
        end = paddle.cast(steps, "int64")
        going = index < end
    loop = While(going)
    out_array = paddle.create_array(first.dtype)
    state_arrays = [paddle.create_array(state.dtype) for state in leaves(states)]
    for state, array in zip(leaves(states), state_arrays):
        paddle.array_write(state, index, array)
    with loop.block():
        at = map_leaves(lambda x: x[index], inputs)
        current = _nest(states, iter([paddle.array_read(a, index) for a in state_arrays]))
        out, new = _step(cell, at, current, mask, index, kwargs)
        paddle.array_write(out, index, out_array)
        with device_guard("cpu"):
            paddle.increment(index, 1)
        for value, array in zip(leaves(new), state_arrays):
            paddle.array_write(value, index, array)
        with device_guard("cpu"):
            assign(less(index, end), _outputs={"Out": going})
    outputs, *finals = [convert(a, axis=0, use_stack=True)[0] for a in (out_array, *state_arrays)]
    last = _nest(states, iter([f[-1] for f in finals]))
    if is_reverse:
        outputs = paddle.flip(outputs, axis=[0])
    return outputs if time_major else _turned(outputs), last


def _nest(like: Any, values: Any) -> Any:
    return type(like)(_nest(part, values) for part in like) if isinstance(like, (list, tuple)) else next(values)


class RNNBase(LayerList):
    """What LSTM, GRU and SimpleRNN share: layers of cells, run by one operator."""

    _mode: str

    def __init__(
        self, mode: str, input_size: int, hidden_size: int, num_layers: int = 1, direction: str = "forward", time_major: bool = False,
        dropout: float = 0.0, weight_ih_attr: Any = None, weight_hh_attr: Any = None, bias_ih_attr: Any = None, bias_hh_attr: Any = None,
        proj_size: int = 0,
    ) -> None:  # fmt: skip
        super().__init__()
        self.proj_size = proj_size
        attrs = (weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr)
        if direction not in ("forward", "bidirectional", "bidirect"):
            raise invalid_argument("direction", "forward, bidirect or bidirectional", direction, type(self).__name__)
        self.mode, self.input_size, self.hidden_size, self.num_layers = mode, input_size, hidden_size, num_layers
        self.dropout, self.time_major = dropout, time_major
        self.num_directions = 1 if direction == "forward" else 2
        self.state_components = 2 if mode == "LSTM" else 1
        for layer in range(num_layers):
            size = input_size if layer == 0 else (proj_size or hidden_size) * self.num_directions
            cells = [self._cell(size, hidden_size, attrs) for _ in range(self.num_directions)]
            self.append(RNN(cells[0], False, time_major) if len(cells) == 1 else BiRNN(cells[0], cells[1], time_major))
        self.__dict__["_names"] = self._name_weights()
        self.flatten_parameters()

    def _cell(self, size: int, hidden: int, attrs: tuple[Any, Any, Any, Any]) -> Any:
        if self.mode == "LSTM":
            return LSTMCell(size, hidden, *attrs, proj_size=self.proj_size)
        if self.mode == "GRU":
            return GRUCell(size, hidden, *attrs)
        return SimpleRNNCell(size, hidden, "relu" if self.mode == "RNN_RELU" else "tanh", *attrs)

    def _cells(self) -> list[tuple[int, int, Any]]:
        found = []
        for i, layer in enumerate(self):
            for way, cell in enumerate([layer.cell] if isinstance(layer, RNN) else [layer.cell_fw, layer.cell_bw]):
                found.append((i, way, cell))
        return found

    def _name_weights(self) -> list[str]:
        """Hold every parameter under its flat name too, and list these as the operator wants them: weights, then biases."""
        weights: list[str] = []
        biases: list[str] = []
        for i, way, cell in self._cells():
            end = f"_l{i}" + ("_reverse" if way else "")
            for name, home in (("weight_ih", weights), ("weight_hh", weights), ("bias_ih", biases), ("bias_hh", biases)):
                setattr(self, name + end, getattr(cell, name))
                home.append(name + end)
        return weights + biases

    @property
    def _weights(self) -> list[Any]:
        return [getattr(self, name) for name in self._names]  # as they are now: laying a layer on a mesh replaces them

    def flatten_parameters(self) -> None:
        """In static mode, one buffer for all parameters, as the wheel's startup program makes it; and a place for dropout's state.

        Example:
            >>> import paddle_compat as paddle
            >>> net = paddle.nn.GRU(4, 8)
            >>> net.flatten_parameters()
            >>> len(net.parameters())
            4
        """
        eager = isinstance(self._weights[0], Tensor)
        if eager and "_dropout_state" not in self._buffers:  # nothing fills it, and scripts see it among the buffers
            state = self.create_variable(dtype="uint8", name="dropout_state__non_persistable")
            self.register_buffer("_dropout_state", state, persistable=False)
        if eager and param_attr.global_initializers[0] is None:
            return
        total = sum(math.prod(w.shape) for w in self._weights)
        constant = import_module("paddle_compat.nn.initializer").Constant
        flat = self.create_parameter(shape=[total], default_initializer=constant(0.0))
        if eager:  # all that there is to it is that the initializer of all weights has drawn numbers
            return
        state = self.create_variable(dtype="uint8", name="dropout_state__non_persistable")
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
        paddle = tensor_functions()
        batch_dim = 1 if self.time_major else 0
        if self.proj_size:  # the operator knows none
            return self._run_cells(inputs, initial_states, sequence_length)
        if initial_states is None:
            batch = batch_size(inputs, batch_dim)
            shape = [self.num_layers * self.num_directions, batch, self.hidden_size]
            initial_states = tuple(paddle.full(shape, 0.0, inputs.dtype) for _ in range(self.state_components))
        else:
            initial_states = tuple(initial_states) if isinstance(initial_states, (list, tuple)) else (initial_states,)
        if not self.time_major:
            inputs = paddle.transpose(inputs, [1, 0, 2])
        definition = definition_of("rnn")
        attrs: dict[str, Any] = {
            "dropout_prob": self.dropout, "is_bidirec": self.num_directions == 2, "input_size": self.input_size,
            "hidden_size": self.hidden_size, "num_layers": self.num_layers, "mode": self.mode, "is_test": not self.training,
        }  # fmt: skip
        if isinstance(inputs, Tensor):
            out, states = definition(inputs, list(initial_states), self._weights, sequence_length, **attrs)
        else:
            helper = self._helper
            made = [helper.create_variable_for_type_inference(inputs.dtype) for _ in range(1 + self.state_components)]
            reserve = helper.create_variable_for_type_inference("uint8", stop_gradient=True)
            state = self.__dict__.get("_dropout_state")  # a layer of eager mode that is recorded has none
            if state is None:
                state = helper.create_variable_for_type_inference("uint8", stop_gradient=True)
            outputs = {"Out": made[0], "State": made[1:], "Reserve": reserve, "DropoutState": state}
            weights = [capture.as_variable(weight) for weight in self._weights]
            out, states = definition(
                inputs, list(initial_states), weights, sequence_length, _helper=helper, _outputs=outputs, **attrs
            )
        if not self.time_major:
            out = paddle.transpose(out, [1, 0, 2])
        return out, tuple(states) if len(states) > 1 else states[0]

    def _run_cells(self, inputs: Any, initial_states: Any, sequence_length: Any) -> tuple[Any, Any]:
        """What the operator does, by the layers' cells."""
        paddle = tensor_functions()
        given = None if initial_states is None else [paddle.unstack(states) for states in initial_states]
        finals: list[Any] = []
        for number, layer in enumerate(self):
            starts = None
            if given is not None:
                first = number * self.num_directions
                pairs = [tuple(states[first + way] for states in given) for way in range(self.num_directions)]
                starts = pairs[0] if len(pairs) == 1 else pairs
            if number and self.dropout:
                inputs = functional().dropout(inputs, self.dropout, training=self.training)
            inputs, last = layer(inputs, starts, sequence_length)
            finals += last if self.num_directions == 2 else [last]
        return inputs, tuple(paddle.stack(states) for states in zip(*finals))

    def extra_repr(self) -> str:
        """The settings."""
        text = f"{self.input_size}, {self.hidden_size}"
        text += f", num_layers={self.num_layers}" if self.num_layers != 1 else ""
        text += ", time_major=True" if self.time_major else ""
        return text + (f", dropout={self.dropout}" if self.dropout else "")


class SimpleRNN(RNNBase):
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
        >>> outputs, state = net(paddle.ones([2, 5, 4]))
        >>> outputs.shape, state.shape
        ([2, 5, 8], [1, 2, 8])

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
        super().__init__(f"RNN_{activation.upper()}", input_size, hidden_size, num_layers, direction, time_major, dropout, *attrs)
        self.activation = activation


@placed("proj_size name")
class LSTM(RNNBase):
    """Layers of long short-term memories.

    Args:
        input_size, hidden_size: sizes of input and state.
        num_layers: how many layers.
        direction: forward, bidirect or bidirectional.
        time_major: inputs are [T, N, ...] instead of [N, T, ...].
        dropout: between layers, while training.
        weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr: ParamAttr of every layer.
        name: kept.
        proj_size: size of the hidden states, which matrices make then; 0: hidden_size.

    Example:
        >>> import paddle_compat as paddle
        >>> net = paddle.nn.LSTM(4, 8, 2)
        >>> outputs, (h, c) = net(paddle.ones([2, 5, 4]))
        >>> outputs.shape, h.shape, c.shape
        ([2, 5, 8], [2, 2, 8], [2, 2, 8])

    Follows Paddle 2.6.
    """

    def __init__(
        self, input_size: int, hidden_size: int, num_layers: int = 1, direction: str = "forward", time_major: bool = False,
        dropout: float = 0.0, weight_ih_attr: Any = None, weight_hh_attr: Any = None, bias_ih_attr: Any = None, bias_hh_attr: Any = None,
        name: str | None = None, proj_size: int = 0,
    ) -> None:  # fmt: skip
        attrs = (weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr)
        super().__init__("LSTM", input_size, hidden_size, num_layers, direction, time_major, dropout, *attrs, proj_size)


class GRU(RNNBase):
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
        >>> outputs, state = net(paddle.ones([2, 5, 4]))
        >>> outputs.shape, state.shape
        ([2, 5, 8], [2, 2, 8])

    Follows Paddle 2.6.
    """

    def __init__(
        self, input_size: int, hidden_size: int, num_layers: int = 1, direction: str = "forward", time_major: bool = False,
        dropout: float = 0.0, weight_ih_attr: Any = None, weight_hh_attr: Any = None, bias_ih_attr: Any = None, bias_hh_attr: Any = None,
        name: str | None = None,
    ) -> None:  # fmt: skip
        attrs = (weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr)
        super().__init__("GRU", input_size, hidden_size, num_layers, direction, time_major, dropout, *attrs)


def split_states(states: Any, bidirectional: bool = False, state_components: int = 1) -> list[Any]:
    """The states of stacked layers, layer by layer.

    Args:
        states: a tensor [layers * directions, N, hidden_size], or a tuple of them, one for each component.
        bidirectional: whether each layer has two directions.
        state_components: how many tensors are one state; LSTM has two.
    Returns:
        A list with a state, or a pair of them, for each layer; a state of several components is a tuple.
    Raises:
        AssertionError: there are not as many components.

    Example:
        >>> import paddle_compat as paddle
        >>> [state.shape for state in paddle.nn.layer.rnn.split_states(paddle.ones([2, 3, 8]))]
        [[3, 8], [3, 8]]

    Follows Paddle 2.6.
    """
    unstack = tensor_functions().unstack
    if state_components == 1:
        single: list[Any] = unstack(states)
    else:
        if len(states) != state_components:
            raise failed_assertion("states", f"{state_components} tensors", f"{len(states)} of them", "split_states")
        single = list(zip(*(unstack(component) for component in states)))
    return list(zip(single[::2], single[1::2])) if bidirectional else single


def concat_states(states: Any, bidirectional: bool = False, state_components: int = 1) -> Any:
    """The states of stacked layers in one tensor for each component, which `split_states` takes apart.

    Args:
        states: a list with a state, or a pair of them, for each layer.
        bidirectional: has no effect, pairs show it.
        state_components: how many tensors are one state; LSTM has two.
    Returns:
        A tensor [layers * directions, N, hidden_size], or a tuple of them, one for each component.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.layer.rnn.concat_states([paddle.ones([3, 8]), paddle.ones([3, 8])]).shape
        [2, 3, 8]

    Follows Paddle 2.6.
    """
    flat = leaves(states)
    components = tuple(tensor_functions().stack(flat[part::state_components]) for part in range(state_components))
    return components if state_components > 1 else components[0]


__all__ = ["BiRNN", "GRU", "GRUCell", "LSTM", "LSTMCell", "RNN", "RNNCellBase", "SimpleRNN", "SimpleRNNCell"]

__getattr__ = missing(__name__)
