"""`paddle.summary`: a table of a network's layers."""

from __future__ import annotations

import contextlib
import math
import numbers
import warnings
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import mode
from paddle_compat.core.errors import type_error
from paddle_compat.core.program import Program, default_main_program, program_guard
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.nn.layer.container import Sequential
from paddle_compat.nn.layer.layers import Layer
from paddle_compat.nn.layer.rnn import GRU, LSTM, SimpleRNN
from paddle_compat.static.input import InputSpec, data

__all__ = ["summary"]

_HEADS = ("Layer (type)", "Input Shape", "Output Shape", "Param #")
_MEGABYTE = 1024.0**2


class _Row:
    """What is known of one layer's last call."""

    def __init__(self, layer: Layer, inputs: Any, outputs: Any) -> None:
        number = int(layer.full_name().split("_")[-1]) + 1
        self.name = f"{type(layer).__name__}-{number}"
        self.inputs = _input_shape(list(inputs))
        self.outputs = _output_shape(outputs)
        own = [parameter for parameter in layer._parameters.values() if parameter is not None]
        self.parameters = sum(math.prod(parameter.shape) for parameter in own)
        self.trainable = sum(math.prod(parameter.shape) for parameter in own if not parameter.stop_gradient)
        self.elements = _elements(self.outputs)

    def cells(self) -> tuple[str, str, str, str]:
        return self.name, str(self.inputs), str(self.outputs), f"{self.parameters:,}"


def _input_shape(value: Any) -> Any:
    if isinstance(value, (Tensor, Variable)):
        return list(value.shape)
    return [_input_shape(item) for item in value] if isinstance(value, (list, tuple)) else None


def _output_shape(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_output_shape(item) for item in value]
    return list(value.shape) if hasattr(value, "shape") else []


def _elements(shapes: Any) -> int:
    if shapes is None or not shapes:
        return 0
    if all(isinstance(size, int) for size in shapes):
        return math.prod(shapes)
    return sum(_elements(shape) for shape in shapes)


def summary(net: Layer, input_size: Any = None, dtypes: Any = None, input: Any = None) -> dict[str, int]:
    """Print a table of a network's layers, with the shapes of a run in inference mode.

    Args:
        net: the network.
        input_size: the input's shape, an InputSpec, or a list of them; one None or -1 (the batch) counts as 1.
        dtypes: data types of the inputs; float32 when left out.
        input: what the network is called with, instead of shapes: a Tensor, or a list or dict of them, as one argument.
    Returns:
        `total_params` and `trainable_params`.
    Raises:
        ValueError: there is neither a shape nor an input, or a size is not positive.
        TypeError: a shape is of another type.

    Example:
        >>> import paddle_compat as paddle
        >>> counts = paddle.summary(paddle.nn.Sequential(paddle.nn.Linear(4, 3), paddle.nn.ReLU()), (2, 4))  # doctest: +ELLIPSIS
        ----...
        Total params: 15...
        >>> counts
        {'total_params': 15, 'trainable_params': 15}

    Follows Paddle 2.6.
    """
    if input_size is None and input is None:
        raise ValueError("input_size and input cannot be None at the same time. Expected one of them for `summary`. Received: neither")
    if not mode.in_dygraph_mode():
        warnings.warn("Your model was created in static graph mode, this may not get correct summary information!", stacklevel=2)
        training = False
    else:
        training = net.training
    if training:
        net.eval()
    text, counts = summary_string(net, input_size, dtypes, input)
    print(text)
    if training:
        net.train()
    return counts


def summary_string(model: Layer, input_size: Any = None, dtypes: Any = None, input: Any = None) -> tuple[str, dict[str, int]]:
    """The table that `summary` prints, of a network in the mode that it is in, and the counts."""
    with contextlib.nullcontext() if mode.in_dygraph_mode() else program_guard(default_main_program().clone(), Program()):
        given = _inputs(input_size, dtypes) if input is None else input
        rows = _run(model, given if input is None else [input])
    lines, counts = _table(rows, sum(_elements(_input_shape(value)) for value in _leaves(given)))
    return "\n".join(lines) + "\n", counts


def _leaves(given: Any) -> list[Any]:
    return list(given.values()) if isinstance(given, dict) else list(given) if isinstance(given, (list, tuple)) else [given]


def _inputs(sizes: Any, dtypes: Any) -> list[Any]:
    """Random inputs of the shapes."""
    from paddle_compat.tensor.manipulation import cast
    from paddle_compat.tensor.random import rand

    shapes, found = _sizes(sizes)
    dtypes = dtypes if isinstance(dtypes, (list, tuple)) else [dtypes or kind or "float32" for kind in found]
    if not mode.in_dygraph_mode():
        return [data(f"summary_input_{i}", list(shape), dtype) for i, (shape, dtype) in enumerate(zip(shapes, dtypes))]
    return [cast(rand(list(shape)), dtype) for shape, dtype in zip(shapes, dtypes)]


def _sizes(sizes: Any) -> tuple[list[tuple[int, ...]], list[Any]]:
    """Shapes, and the data types that InputSpecs say."""
    if isinstance(sizes, InputSpec):
        return [_positive(sizes.shape)], [sizes.dtype]
    if isinstance(sizes, numbers.Number):
        return [_positive((sizes,))], [None]
    if not isinstance(sizes, (list, tuple)) or not sizes:
        raise type_error("input_size", "a tuple, an InputSpec, or a list of them", sizes, "paddle.summary")
    if all(isinstance(size, numbers.Number) or size is None for size in sizes):
        return [_positive(sizes)], [None]
    found = [_sizes(size) for size in sizes]
    return [shape for shapes, _ in found for shape in shapes], [kind for _, kinds in found for kind in kinds]


def _positive(shape: Any) -> tuple[int, ...]:
    found = []
    if sum(size is None or size == -1 for size in shape) > 1:
        raise ValueError(f"Option input_size only the dim of batch_size can be None or -1. Received: {shape}")
    for size in shape:
        if size is None or size == -1:
            size = 1
        if isinstance(size, bool) or not isinstance(size, numbers.Integral):
            raise type_error("input_size", "whole numbers", size, "paddle.summary")
        if size <= 0:
            raise ValueError(f"Expected element in input size greater than zero, but got {size}")
        found.append(int(size))
    return tuple(found)


def _run(net: Layer, given: list[Any]) -> list[_Row]:
    """Run the network once on these arguments; what its layers were called with, in the order of their first calls' ends."""
    from paddle_compat.autograd import no_grad

    rows: dict[int, _Row] = {}
    hooks = []

    def note(layer: Layer, inputs: Any, outputs: Any) -> None:
        rows[id(layer)] = _Row(layer, inputs, outputs)

    lone = not list(net.children())  # a recurrent net's cells are not called, so it has a row of its own
    for layer in net.sublayers(include_self=True):
        if not isinstance(layer, Sequential) and (layer is not net or lone or isinstance(layer, (SimpleRNN, LSTM, GRU))):
            hooks.append(layer.register_forward_post_hook(note))
    try:
        with no_grad():
            net(*given)
    finally:
        for hook in hooks:
            hook.remove()
    return list(rows.values())


def _table(rows: list[_Row], inputs: int) -> tuple[list[str], dict[str, int]]:
    cells = [row.cells() for row in rows]
    widths = [max([least, *(len(row[i]) for row in cells)]) for i, least in enumerate((15, 20, 20, 15))]
    width = sum(widths) + 5

    def line(texts: Any) -> str:
        return " ".join(f"{text:^{size}}" for text, size in zip(texts, widths))

    total = sum(row.parameters for row in rows)
    trainable = sum(row.trainable for row in rows)
    sizes = [count * 4.0 / _MEGABYTE for count in (inputs, 2 * sum(row.elements for row in rows), total)]
    lines = ["-" * width, line(_HEADS), "=" * width, *map(line, cells), "=" * width]
    lines += [f"Total params: {total:,}", f"Trainable params: {trainable:,}", f"Non-trainable params: {total - trainable:,}", "-" * width]
    names = ("Input size", "Forward/backward pass size", "Params size", "Estimated Total Size")
    lines += [f"{name} (MB): {size:.2f}" for name, size in zip(names, [*sizes, sum(sizes)])]
    return [*lines, "-" * width], {"total_params": total, "trainable_params": trainable}


__getattr__ = missing(__name__)
