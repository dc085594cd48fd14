"""`paddle.flops`: how many operations a network takes."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.program import Program
from paddle_compat.hapi.static_flops import Table, static_flops
from paddle_compat.nn.layer import activation as activations
from paddle_compat.nn.layer import common, conv, norm, pooling
from paddle_compat.nn.layer.layers import Layer

__all__ = ["flops"]

Count = Callable[[Any, Any, Any], Any]


# ---- what a layer does, added to its `total_ops`; harnesses register these as hooks of their own
def count_convNd(m: Any, x: Any, y: Any) -> None:
    """A convolution."""
    kernel = math.prod(m.weight.shape[2:])
    bias = 1 if m.bias is not None else 0
    m.total_ops += y.size * (x[0].shape[1] // m._groups * kernel + bias)  # what comes in, as pruning leaves `_in_channels` as it was


def count_leaky_relu(m: Any, x: Any, y: Any) -> None:
    """One operation for each number that comes in."""
    m.total_ops += x[0].size


def count_bn(m: Any, x: Any, y: Any) -> None:
    """Two operations for each number, when the layer evaluates."""
    m.total_ops += 2 * x[0].size if not m.training else 0


def count_linear(m: Any, x: Any, y: Any) -> None:
    """A matrix product."""
    m.total_ops += m.weight.shape[0] * y.size


def count_avgpool(m: Any, x: Any, y: Any) -> None:
    """One operation for each number that comes out."""
    m.total_ops += y.size


def count_adap_avgpool(m: Any, x: Any, y: Any) -> None:
    """A window of the size that adapts the input."""
    window = math.prod(size // new for size, new in zip(x[0].shape[2:], y.shape[2:]))
    m.total_ops += (window + 1) * y.size


def count_zero_ops(m: Any, x: Any, y: Any) -> None:
    """Nothing."""


def count_parameters(m: Any, x: Any, y: Any) -> None:
    """The layer's numbers, as its `total_params`."""
    m.total_params[0] = sum(math.prod(p.shape) for p in m.parameters())


def count_io_info(m: Any, x: Any, y: Any) -> None:
    """The shapes of what comes in and of what comes out, as buffers of the layer."""
    from paddle_compat.tensor.creation import to_tensor

    m.register_buffer("input_shape", to_tensor(list(x[0].shape)))
    m.register_buffer("output_shape", to_tensor(list((y[0] if isinstance(y, (list, tuple)) else y).shape)))


register_hooks: dict[Any, Count] = {
    **dict.fromkeys(
        (conv.Conv1D, conv.Conv2D, conv.Conv3D, conv.Conv1DTranspose, conv.Conv2DTranspose, conv.Conv3DTranspose), count_convNd
    ),
    **dict.fromkeys((norm.BatchNorm2D, norm.BatchNorm), count_bn),
    **dict.fromkeys((activations.ReLU, activations.ReLU6, common.Dropout), count_zero_ops),
    activations.LeakyReLU: count_leaky_relu,
    common.Linear: count_linear,
    **dict.fromkeys((pooling.AvgPool1D, pooling.AvgPool2D, pooling.AvgPool3D), count_avgpool),
    **dict.fromkeys((pooling.AdaptiveAvgPool1D, pooling.AdaptiveAvgPool2D, pooling.AdaptiveAvgPool3D), count_adap_avgpool),
}


def flops(net: Any, input_size: Any, custom_ops: dict[Any, Any] | None = None, print_detail: bool = False) -> int:
    """Count a network's multiplications with additions, layer by layer.

    Args:
        net: the network; of a Program, what its convolutions, pools, `mul`, batch norms and elementwise operators do for one sample.
        input_size: shape of its input.
        custom_ops: functions of a layer, its inputs and its output for classes of layers; each adds to the layer's `total_ops`.
        print_detail: print a table of the layers.
    Returns:
        The count; -1, with a warning, for what is no network.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.flops(paddle.nn.Sequential(paddle.nn.Linear(4, 3)), [2, 4])
        <class 'paddle.nn.layer.common.Linear'>'s flops has been counted
        Total Flops: 24     Total Params: 15
        24

    Follows Paddle 2.6.
    """
    if isinstance(net, Program):
        return static_flops(net, print_detail)
    if not isinstance(net, Layer):
        warnings.warn("Your model must be an instance of paddle.nn.Layer or paddle.static.Program.", stacklevel=2)
        return -1
    from paddle_compat.tensor.random import randn

    return dynamic_flops(net, randn(list(input_size)), custom_ops, print_detail)


def dynamic_flops(model: Layer, inputs: Any, custom_ops: dict[Any, Any] | None = None, print_detail: bool = False) -> int:
    """The count of a network for an input."""
    from paddle_compat.autograd import no_grad

    training = model.training
    model.eval()
    leaves = _leaves(model)
    shapes: dict[int, tuple[list[int], list[int]]] = {}
    hooks = []
    announced: set[type] = set()

    def count(layer: Layer) -> None:
        if list(layer.children()):
            return
        function = _count_of(type(layer), custom_ops or {}, announced)
        layer.register_buffer("total_ops", _zero(), persistable=False)
        hooks.append(layer.register_forward_post_hook(_counting(function, shapes)))

    model.apply(count)  # as in Paddle, a layer that several others hold counts for each of them
    try:
        with no_grad():
            model(inputs)
        rows = [
            (layer.full_name(), *shapes[id(layer)], sum(math.prod(p.shape) for p in layer.parameters()), int(layer.total_ops))
            for layer in leaves
            if id(layer) in shapes and layer is not model  # as Paddle: a network that is one layer counts nothing
        ]
    finally:
        for hook in hooks:
            hook.remove()
        for layer in leaves:
            del layer.total_ops
        if training:
            model.train()
    total, parameters = sum(row[4] for row in rows), sum(row[3] for row in rows)
    if print_detail:
        table = Table(["Layer Name", "Input Shape", "Output Shape", "Params", "Flops"])
        for row in rows:
            table.add_row(list(row))
        table.print_table()
    print(f"Total Flops: {total}     Total Params: {parameters}")
    return total


def _leaves(net: Layer) -> list[Any]:
    return [layer for layer in net.sublayers(include_self=True) if not list(layer.children())]


def _zero() -> Any:
    from paddle_compat.tensor.creation import zeros

    return zeros([1], dtype="int64")


def _counting(count: Count, shapes: dict[int, tuple[list[int], list[int]]]) -> Any:
    def note(layer: Any, inputs: Any, output: Any) -> None:
        first = output[0] if isinstance(output, (list, tuple)) else output
        shapes[id(layer)] = list(inputs[0].shape), list(first.shape)
        count(layer, inputs, output)

    return note


def _count_of(kind: type, custom_ops: dict[Any, Any], announced: set[type]) -> Count:
    """The function that counts a class of layers; says once for each what it is."""
    module = kind.__module__.replace("paddle_compat", "paddle", 1).replace("._rnn_cells", ".rnn").replace("._pads", ".common")
    name = f"<class '{module}.{kind.__qualname__}'>"
    if kind in custom_ops:
        count, text = custom_ops[kind], f"Customize Function has been applied to {name}"
    elif kind in register_hooks:
        count, text = register_hooks[kind], f"{name}'s flops has been counted"
    else:
        count, text = count_zero_ops, f"Cannot find suitable count function for {name}. Treat it as zero FLOPs."
    if kind not in announced:
        announced.add(kind)
        print(text)
    return count


__getattr__ = missing(__name__)
