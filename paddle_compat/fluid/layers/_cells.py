"""Cells of `fluid.layers.rnn`, and the recurrence that runs any of them over a padded batch."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

from paddle_compat.core.dtype import DTypeLike
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.fluid import layers as _layers
from paddle_compat.nn.layer.rnn import run_cell
from paddle_compat.static.nn._arguments import FLOATS, NUMBERS, need_type, need_variable
from paddle_compat.static.nn._structure import flatten, is_nest, map_structure, need_same_structure, pack

L: Any = _layers


def units() -> Any:
    """The module of the units that cells are made of; it stands above this one."""
    return import_module("paddle_compat.fluid.contrib.layers.rnn_impl")


class RNNCell:
    """What `rnn` and the decoders run: a step from inputs and states to outputs and new states.

    A cell defines `call(inputs, states)` and the property `state_shape`, and may define `state_dtype`.

    Example:
        >>> from paddle_compat.fluid.layers.rnn import RNNCell
        >>> class Sum(RNNCell):
        ...     state_shape = [4]
        ...     def call(self, inputs, states):
        ...         return inputs + states, inputs + states

    Follows Paddle 1.8.
    """

    def call(self, inputs: Any, states: Any, **kwargs: Any) -> Any:
        """One step: a pair of outputs and new states.

        Args:
            inputs: a step's inputs.
            states: the states so far.
            kwargs: what a cell needs besides.
        Returns:
            The outputs and the new states.
        Raises:
            UnsupportedError: the subclass does not define it.
        """
        raise UnsupportedError(f"{type(self).__name__}.call", None, "a cell that defines it")

    def __call__(self, inputs: Any, states: Any, **kwargs: Any) -> Any:
        """One step: a pair of outputs and new states."""
        return self.call(inputs, states, **kwargs)

    def get_initial_states(
        self,
        batch_ref: Any,
        shape: Any = None,
        dtype: DTypeLike = "float32",
        init_value: float = 0,
        batch_dim_idx: int = 0,
    ) -> Any:
        """States that are filled with one number.

        Args:
            batch_ref: a (nested) Variable that the batch's size is taken from.
            shape: the states' (nested) shapes, with or without -1 for the batch; None: `state_shape`.
            dtype: their data type (nested, or one for all); None: `state_dtype`.
            init_value: the number.
            batch_dim_idx: where the batch stands in `batch_ref`.
        Returns:
            Variables, nested as the shapes are.

        Example:
            >>> import paddle_compat.fluid as fluid
            >>> with fluid.program_guard(fluid.Program()):
            ...     fluid.layers.GRUCell(4).get_initial_states(batch_ref=fluid.data("x", [None, 3])).shape
            (-1, 4)
        """
        ref = flatten(batch_ref)[0]
        need_variable(ref, "batch_ref", "RNNCell.get_initial_states", NUMBERS)
        shapes = self.state_shape if shape is None else shape
        if dtype is None:
            try:
                dtype = self.state_dtype
            except UnsupportedError:
                dtype = "float32"
        dtypes = flatten(dtype)
        found = []
        wanted = _shapes(shapes)
        for i, dims in enumerate(wanted):
            found.append(
                L.fill_constant_batch_size_like(
                    input=ref,
                    shape=list(dims) if dims[0] == -1 else [-1, *dims],
                    dtype=dtypes[i if len(dtypes) == len(wanted) else 0],
                    value=init_value,
                    input_dim_idx=batch_dim_idx,
                )
            )
        return _like_shapes(shapes, iter(found))

    @property
    def state_shape(self) -> Any:
        """The states' (nested) shapes."""
        raise UnsupportedError(f"{type(self).__name__}.state_shape", None, "a cell that defines it")

    @property
    def state_dtype(self) -> Any:
        """The states' (nested) data types."""
        raise UnsupportedError(f"{type(self).__name__}.state_dtype", None, "a cell that defines it")


def _is_shape(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(d, int) for d in value)


def _shapes(nest: Any) -> list[Any]:
    """The shapes in a nest of shapes, in order."""
    if _is_shape(nest):
        return [nest]
    members = [nest[k] for k in sorted(nest)] if isinstance(nest, dict) else nest
    return [shape for member in members for shape in _shapes(member)]


def _like_shapes(nest: Any, values: Any) -> Any:
    if _is_shape(nest):
        return next(values)
    if isinstance(nest, dict):
        return {key: _like_shapes(nest[key], values) for key in sorted(nest)}
    return type(nest)(_like_shapes(member, values) for member in nest)


class GRUCell(RNNCell):
    """A GRU step.

    Args:
        hidden_size: features of the state.
        param_attr, bias_attr: of the weights and biases.
        gate_activation, activation: functions of `fluid.layers`; None: sigmoid and tanh.
        dtype: float32 or float64.
        name: prefix of the names.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> cell = fluid.layers.GRUCell(hidden_size=4)
        >>> cell.state_shape
        [4]

    Follows Paddle 1.8.
    """

    def __init__(
        self,
        hidden_size: int,
        param_attr: Any = None,
        bias_attr: Any = None,
        gate_activation: Any = None,
        activation: Any = None,
        dtype: DTypeLike = "float32",
        name: str = "GRUCell",
    ) -> None:
        need_type(hidden_size, "hidden_size", "GRUCell", int)
        self.hidden_size = hidden_size
        self.gru_unit = units().BasicGRUUnit(
            name, hidden_size, param_attr, bias_attr, gate_activation, activation, dtype
        )

    def call(self, inputs: Any, states: Any, **kwargs: Any) -> Any:
        """One step: the new state [B, D], twice.

        Args:
            inputs (Variable): [B, M].
            states (Variable): [B, D].
        Returns:
            The new state [B, D], twice.
        """
        need_variable(inputs, "inputs", "GRUCell", FLOATS)
        need_variable(states, "states", "GRUCell", FLOATS)
        new = self.gru_unit(inputs, states)
        return new, new

    @property
    def state_shape(self) -> Any:
        """[hidden_size]."""
        return [self.hidden_size]


class LSTMCell(RNNCell):
    """An LSTM step.

    Args:
        hidden_size: features of the states.
        param_attr, bias_attr: of the weight and bias.
        gate_activation, activation: functions of `fluid.layers`; None: sigmoid and tanh.
        forget_bias: is added to the forget gate.
        dtype: float32 or float64.
        name: prefix of the names.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     fluid.layers.LSTMCell(hidden_size=4).state_shape
        [[4], [4]]

    Follows Paddle 1.8.
    """

    def __init__(
        self,
        hidden_size: int,
        param_attr: Any = None,
        bias_attr: Any = None,
        gate_activation: Any = None,
        activation: Any = None,
        forget_bias: float = 1.0,
        dtype: DTypeLike = "float32",
        name: str = "LSTMCell",
    ) -> None:
        need_type(hidden_size, "hidden_size", "LSTMCell", int)
        self.hidden_size = hidden_size
        self.lstm_unit = units().BasicLSTMUnit(
            name, hidden_size, param_attr, bias_attr, gate_activation, activation, forget_bias, dtype
        )

    def call(self, inputs: Any, states: Any, **kwargs: Any) -> Any:
        """One step: the new hidden state [B, D], and the list of it and the new cell.

        Args:
            inputs (Variable): [B, M].
            states (list): hidden state and cell, [B, D] both.
        Returns:
            The new hidden state, and the list of it and the new cell.
        """
        need_variable(inputs, "inputs", "LSTMCell", FLOATS)
        need_type(states, "states", "LSTMCell", list)
        for i, state in enumerate(states):
            need_variable(state, f"states[{i}]", "LSTMCell", FLOATS)
        hidden, cell = self.lstm_unit(inputs, *states)
        return hidden, [hidden, cell]

    @property
    def state_shape(self) -> Any:
        """Shapes of the hidden state and the cell."""
        return [[self.hidden_size], [self.hidden_size]]


def swap_batch_and_time(x: Any) -> Any:
    """[A, B, ...] as [B, A, ...]."""
    return L.transpose(x, [1, 0, *range(2, len(x.shape))])


def _kept_after_the_end(step_mask: Any, state: Any, new_state: Any) -> Any:
    """The new state where the mask is 1, the former one where it is 0."""
    return L.elementwise_mul(new_state, step_mask, axis=0) - L.elementwise_mul(state, step_mask - 1, axis=0)


def rnn(
    cell: Any,
    inputs: Any,
    initial_states: Any = None,
    sequence_length: Variable | None = None,
    time_major: bool = False,
    is_reverse: bool = False,
    **kwargs: Any,
) -> Any:
    """Run a cell over the steps of a padded batch.

    Args:
        cell: an RNNCell.
        inputs: (nested) Variables [B, T, ...].
        initial_states: where the states start; None: zeros.
        sequence_length: how many steps of each row count, [B]; the states stay beyond; None: all.
        time_major: the inputs (and outputs) are [T, B, ...].
        is_reverse: run from the last step to the first.
        kwargs: go to the cell.
    Returns:
        All outputs, [B, T, ...], and the last states.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     x = fluid.data("x", [None, 5, 8])
        ...     outputs, state = fluid.layers.rnn(fluid.layers.GRUCell(4), x)
        ...     outputs.shape
        (-1, 5, 4)

    Follows Paddle 1.8.
    """
    if isinstance(flatten(inputs)[0], Tensor):  # as from Paddle 2 on
        return run_cell(cell, inputs, initial_states, sequence_length, time_major, is_reverse, **kwargs)
    need_type(inputs, "inputs", "rnn", Variable, list, tuple)
    for i, each in enumerate(inputs if is_nest(inputs) else []):
        need_variable(each, f"inputs[{i}]", "rnn", FLOATS)
    need_type(initial_states, "initial_states", "rnn", Variable, list, tuple, type(None))
    need_type(sequence_length, "sequence_length", "rnn", Variable, type(None))
    if initial_states is None:
        initial_states = cell.get_initial_states(batch_ref=inputs, batch_dim_idx=1 if time_major else 0)
    for state in flatten(initial_states):
        state.stop_gradient = False
    if not time_major:
        inputs = map_structure(swap_batch_and_time, inputs)
    mask = None
    if sequence_length is not None:
        longest = L.shape(flatten(inputs)[0])[0]
        mask = L.sequence_mask(sequence_length, maxlen=longest, dtype=flatten(initial_states)[0].dtype)
        mask = L.transpose(mask, [1, 0])
    if is_reverse:
        inputs = map_structure(lambda x: L.reverse(x, axis=[0]), inputs)
        mask = None if mask is None else L.reverse(mask, axis=[0])
    recurrence = L.StaticRNN()
    with recurrence.step():
        step_inputs = map_structure(recurrence.step_input, inputs)
        states = map_structure(recurrence.memory, initial_states)
        outputs, new_states = cell.call(step_inputs, map_structure(lambda s: s, states), **kwargs)
        need_same_structure(states, new_states)
        if mask is not None:
            new_states = map_structure(partial(_kept_after_the_end, recurrence.step_input(mask)), states, new_states)
        map_structure(recurrence.update_memory, states, new_states)
        count = len(flatten(outputs))
        map_structure(recurrence.step_output, outputs)
        map_structure(recurrence.step_output, new_states)
    collected = recurrence()
    final_states = pack(new_states, [x[-1] for x in collected[count:]])
    final_outputs = pack(outputs, collected[:count])
    if is_reverse:
        final_outputs = map_structure(lambda x: L.reverse(x, axis=[0]), final_outputs)
    if not time_major:
        final_outputs = map_structure(swap_batch_and_time, final_outputs)
    return final_outputs, final_states


__all__ = ["GRUCell", "LSTMCell", "RNNCell", "rnn"]
