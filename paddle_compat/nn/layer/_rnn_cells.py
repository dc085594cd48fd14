"""The cells of recurrent layers: one step each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from paddle_compat.core.dtype import default
from paddle_compat.core.errors import UnimplementedError, invalid_argument
from paddle_compat.core.paddle3 import placed
from paddle_compat.nn.layer.layers import Layer


def tensor_functions() -> Any:
    return import_module("paddle_compat.tensor")


def functional() -> Any:
    return import_module("paddle_compat.nn.functional")


def map_leaves(fn: Any, *trees: Any) -> Any:
    """Apply a function to the leaves of nested lists and tuples."""
    first = trees[0]
    if isinstance(first, (list, tuple)):
        return type(first)(map_leaves(fn, *parts) for parts in zip(*trees))
    return fn(*trees)


def leaves(tree: Any) -> list[Any]:
    return [leaf for part in tree for leaf in leaves(part)] if isinstance(tree, (list, tuple)) else [tree]


class RNNCellBase(Layer):
    """Base of cells: one step of a recurrent network.

    Args:
        name_scope: prefix of the layer's full name.
        dtype: data type of its buffers.

    Example:
        >>> import paddle_compat as paddle
        >>> cell = paddle.nn.GRUCell(4, 8)
        >>> cell.get_initial_states(paddle.ones([2, 4])).shape
        [2, 8]

    Follows Paddle 2.6.
    """

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
        Returns:
            Tensors of shape [batch, *shape], nested as the shapes.
        """
        shapes = self.state_shape if shape is None else shape
        if dtype is None:
            dtype = batch_ref.dtype if hasattr(batch_ref, "dtype") else default()
        batch_ref = leaves(batch_ref)[0]
        # all shapes first, then all states: the order in which the real function records
        full = _map_shapes(lambda s: _Shape(_batched(batch_ref, s, batch_dim_idx)), shapes)
        return _map_shapes(lambda s: tensor_functions().full(list(s), init_value, dtype), full)


    @property
    def state_shape(self) -> Any:
        """Shapes of the states, without the batch: each cell says its own."""
        raise UnimplementedError(f"{type(self).__name__} does not say its `state_shape`. Expected a property of that name. Received: none")

    @property
    def state_dtype(self) -> Any:
        """Data types of the states, for cells that say them."""
        raise UnimplementedError(f"{type(self).__name__} does not say its `state_dtype`. Expected a property of that name. Received: none")


class _Shape(tuple):
    """A shape among nested states."""


def batch_size(reference: Any, dim: int) -> Any:
    """The size of a dimension: a number where it is known, else what the operator `shape` says."""
    size = reference.shape[dim]
    return size if size >= 0 else tensor_functions().shape(reference)[dim]


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

    def __init__(self, input_size: int, hidden_size: int, attrs: tuple[Any, Any, Any, Any], proj_size: int = 0) -> None:
        super().__init__()
        if hidden_size <= 0:
            raise invalid_argument("hidden_size", "a positive size", hidden_size, type(self).__name__)
        std = 1.0 / math.sqrt(hidden_size)
        initializer = import_module("paddle_compat.nn.initializer")
        rows = self._gates * hidden_size
        shapes = ((rows, input_size), (rows, proj_size or hidden_size), (rows,), (rows,))
        for name, shape, attr in zip(("weight_ih", "weight_hh", "bias_ih", "bias_hh"), shapes, attrs):
            is_bias = name.startswith("bias")
            # a parameter that is not wanted is one that changes nothing
            start = initializer.Constant(0.0 if is_bias else 1.0) if attr is False else initializer.Uniform(-std, std)
            made = self.create_parameter(
                shape=list(shape), attr=None if attr is False else attr, is_bias=is_bias, default_initializer=start
            )
            if attr is False:
                made.stop_gradient = True
            setattr(self, name, made)
        if proj_size:
            self.weight_ho = self.create_parameter(shape=[hidden_size, proj_size], default_initializer=initializer.Uniform(-std, std))
        self.input_size, self.hidden_size, self.proj_size = input_size, hidden_size, proj_size

    @property
    def state_shape(self) -> Any:
        """Shape of the state, without the batch."""
        return (self.hidden_size,)

    def _projected(self, x: Any, weight: Any, bias: Any) -> Any:
        return tensor_functions().matmul(x, weight, transpose_y=True) + bias

    def extra_repr(self) -> str:
        """The settings."""
        return f"{self.input_size}, {self.hidden_size}"


class SimpleRNNCell(_Cell):
    """One step of a simple recurrent network: act(W x + b + W' h + b').

    Args:
        input_size, hidden_size: sizes of input and state.
        activation: tanh or relu.
        weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr: ParamAttr; False for one that stays 1 (weights) or 0.
        name: kept.

    Example:
        >>> import paddle_compat as paddle
        >>> cell = paddle.nn.SimpleRNNCell(4, 8)
        >>> output, state = cell(paddle.ones([2, 4]))
        >>> output.shape, state.shape
        ([2, 8], [2, 8])

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
        self.activation, self._activation_fn = activation, getattr(functional(), activation)

    def extra_repr(self) -> str:
        """The settings."""
        return super().extra_repr() + ("" if self.activation == "tanh" else f", activation={self.activation}")

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
        h = self._activation_fn(i2h + h2h)
        return h, h


@placed("proj_size name")
class LSTMCell(_Cell):
    """One step of a long short-term memory.

    Args:
        input_size, hidden_size: sizes of input and state.
        weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr: ParamAttr; False for one that stays 1 (weights) or 0.
        name: kept.
        proj_size: size of the hidden state, which a matrix makes then; 0: hidden_size.

    Example:
        >>> import paddle_compat as paddle
        >>> cell = paddle.nn.LSTMCell(4, 8)
        >>> output, (h, c) = cell(paddle.ones([2, 4]))
        >>> output.shape, h.shape, c.shape
        ([2, 8], [2, 8], [2, 8])

    Follows Paddle 2.6.
    """

    _gates = 4

    def __init__(
        self, input_size: int, hidden_size: int, weight_ih_attr: Any = None, weight_hh_attr: Any = None, bias_ih_attr: Any = None,
        bias_hh_attr: Any = None, name: str | None = None, proj_size: int = 0,
    ) -> None:  # fmt: skip
        if not 0 <= proj_size < max(hidden_size, 1):
            raise invalid_argument("proj_size", f"0 to {hidden_size - 1}", proj_size, "LSTMCell")
        super().__init__(input_size, hidden_size, (weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr), proj_size)
        self._gate_activation, self._activation = functional().sigmoid, functional().tanh

    @property
    def state_shape(self) -> tuple[tuple[int, ...], ...]:
        """Shapes of the two states, without the batch."""
        return ((self.proj_size or self.hidden_size,), (self.hidden_size,))

    def forward(self, inputs: Any, states: Any = None) -> tuple[Any, Any]:
        """One step.

        Args:
            inputs: [N, input_size].
            states: hidden state, [N, proj_size or hidden_size], and cell state, [N, hidden_size]; None: zeros.
        Returns:
            Output, and the new pair of states.
        """
        states = self.get_initial_states(inputs, self.state_shape) if states is None else states
        before, cell = states
        gates = self._projected(inputs, self.weight_ih, self.bias_ih)
        gates = gates + tensor_functions().matmul(before, self.weight_hh, transpose_y=True) + self.bias_hh
        parts = tensor_functions().split(gates, num_or_sections=4, axis=-1)
        sigmoid, tanh = self._gate_activation, self._activation
        into, forget, out = sigmoid(parts[0]), sigmoid(parts[1]), sigmoid(parts[3])
        cell = forget * cell + into * tanh(parts[2])
        hidden = out * tanh(cell)
        if self.proj_size:
            hidden = tensor_functions().matmul(hidden, self.weight_ho)
        return hidden, (hidden, cell)


class GRUCell(_Cell):
    """One step of a gated recurrent unit.

    Args:
        input_size, hidden_size: sizes of input and state.
        weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr: ParamAttr; False for one that stays 1 (weights) or 0.
        name: kept.

    Example:
        >>> import paddle_compat as paddle
        >>> cell = paddle.nn.GRUCell(4, 8)
        >>> output, state = cell(paddle.ones([2, 4]))
        >>> output.shape, state.shape
        ([2, 8], [2, 8])

    Follows Paddle 2.6.
    """

    _gates = 3

    def __init__(
        self, input_size: int, hidden_size: int, weight_ih_attr: Any = None, weight_hh_attr: Any = None, bias_ih_attr: Any = None,
        bias_hh_attr: Any = None, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(input_size, hidden_size, (weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr))
        self._gate_activation, self._activation = functional().sigmoid, functional().tanh

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
        x_r, x_z, x_c = tensor_functions().split(x_gates, num_or_sections=3, axis=1)
        h_r, h_z, h_c = tensor_functions().split(h_gates, num_or_sections=3, axis=1)
        sigmoid, tanh = self._gate_activation, self._activation
        reset, update = sigmoid(x_r + h_r), sigmoid(x_z + h_z)
        candidate = tanh(x_c + reset * h_c)
        hidden = (states - candidate) * update + candidate
        return hidden, hidden
