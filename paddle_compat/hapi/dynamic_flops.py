"""`paddle.flops`: how many operations a network takes."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.program import Program
from paddle_compat.nn.layer import activation as activations
from paddle_compat.nn.layer import common, conv, norm, pooling
from paddle_compat.nn.layer.layers import Layer

__all__ = ["flops"]

Count = Callable[[Any, Any, Any], Any]


def _convolution(layer: Any, x: Any, y: Any) -> int:
    kernel = math.prod(layer.weight.shape[2:])
    bias = 1 if layer.bias is not None else 0
    return y.size * (layer._in_channels // layer._groups * kernel + bias)


def _normalization(layer: Any, x: Any, y: Any) -> int:
    return 2 * x[0].size if not layer.training else 0


def _adaptive_pooling(layer: Any, x: Any, y: Any) -> int:
    window = math.prod(size // new for size, new in zip(x[0].shape[2:], y.shape[2:]))
    return (window + 1) * y.size


_COUNTS: dict[Any, Count] = {
    **dict.fromkeys(
        (conv.Conv1D, conv.Conv2D, conv.Conv3D, conv.Conv1DTranspose, conv.Conv2DTranspose, conv.Conv3DTranspose), _convolution
    ),
    **dict.fromkeys((norm.BatchNorm2D, norm.BatchNorm), _normalization),
    **dict.fromkeys((activations.ReLU, activations.ReLU6, common.Dropout), lambda layer, x, y: 0),
    activations.LeakyReLU: lambda layer, x, y: x[0].size,
    common.Linear: lambda layer, x, y: layer.weight.shape[0] * y.size,
    **dict.fromkeys((pooling.AvgPool1D, pooling.AvgPool2D, pooling.AvgPool3D), lambda layer, x, y: y.size),
    **dict.fromkeys((pooling.AdaptiveAvgPool1D, pooling.AdaptiveAvgPool2D, pooling.AdaptiveAvgPool3D), _adaptive_pooling),
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
        return _of_program(net, print_detail)
    if not isinstance(net, Layer):
        warnings.warn("Your model must be an instance of paddle.nn.Layer or paddle.static.Program.", stacklevel=2)
        return -1
    from paddle_compat.tensor.random import randn

    return _counted(net, randn(list(input_size)), custom_ops or {}, print_detail)


def _counted(net: Layer, x: Any, custom_ops: dict[Any, Any], print_detail: bool) -> int:
    from paddle_compat.autograd import no_grad

    training = net.training
    net.eval()
    leaves = _leaves(net)
    shapes: dict[int, tuple[list[int], list[int]]] = {}
    hooks = []
    announced: set[type] = set()
    for layer in leaves:
        count = _count_of(type(layer), custom_ops, announced)
        layer.register_buffer("total_ops", _zero(), persistable=False)
        hooks.append(layer.register_forward_post_hook(_counting(count, type(layer) in custom_ops, shapes)))
    try:
        with no_grad():
            net(x)
        rows = [
            (layer.full_name(), *shapes[id(layer)], sum(math.prod(p.shape) for p in layer.parameters()), int(layer.total_ops))
            for layer in leaves
            if id(layer) in shapes and layer is not net  # as Paddle: a network that is one layer counts nothing
        ]
    finally:
        for hook in hooks:
            hook.remove()
        for layer in leaves:
            del layer.total_ops
        if training:
            net.train()
    total, parameters = sum(row[4] for row in rows), sum(row[3] for row in rows)
    if print_detail:
        _print_table([["Layer Name", "Input Shape", "Output Shape", "Params", "Flops"], *[[str(cell) for cell in row] for row in rows]])
    print(f"Total Flops: {total}     Total Params: {parameters}")
    return total


def _leaves(net: Layer) -> list[Any]:
    return [layer for layer in net.sublayers(include_self=True) if not list(layer.children())]


def _zero() -> Any:
    from paddle_compat.tensor.creation import zeros

    return zeros([1], dtype="int64")


def _counting(count: Count | None, custom: bool, shapes: dict[int, tuple[list[int], list[int]]]) -> Any:
    def note(layer: Any, inputs: Any, output: Any) -> None:
        first = output[0] if isinstance(output, (list, tuple)) else output
        shapes[id(layer)] = list(inputs[0].shape), list(first.shape)
        if count is not None and custom:
            count(layer, inputs, output)
        elif count is not None:
            layer.total_ops += count(layer, inputs, output)

    return note


def _count_of(kind: type, custom_ops: dict[Any, Any], announced: set[type]) -> Count | None:
    """The function that counts a class of layers; says once for each what it is."""
    module = kind.__module__.replace("paddle_compat", "paddle", 1).replace("._rnn_cells", ".rnn")
    name = f"<class '{module}.{kind.__qualname__}'>"
    if kind in custom_ops:
        count, text = custom_ops[kind], f"Customize Function has been applied to {name}"
    elif kind in _COUNTS:
        count, text = _COUNTS[kind], f"{name}'s flops has been counted"
    else:
        count, text = None, f"Cannot find suitable count function for {name}. Treat it as zero FLOPs."
    if kind not in announced:
        announced.add(kind)
        print(text)
    return count


def _of_program(program: Program, print_detail: bool) -> int:
    """The count of a Program; an operator that is not known counts for nothing."""
    rows, count = [], 0
    for block in program.blocks:
        for op in block.ops:
            work = _work(op, lambda slot, op=op, block=block: list(block._var_recursive(op.input(slot)[0]).shape))
            if work is not None:
                rows.append([op.type, op.input(_WEIGHTS[op.type])[0] if op.type in _WEIGHTS else "", str(work)])
                count += work
    if print_detail:
        _print_table([["OP Type", "Param name", "Flops"], *rows])
    return count


_WEIGHTS = {"conv2d": "Filter", "depthwise_conv2d": "Filter", "mul": "Y"}


def _work(op: Any, shape: Any) -> int | None:
    """What an operator does for one sample; None where it is not known."""
    if op.type in ("conv2d", "depthwise_conv2d"):
        out = op.block._var_recursive(op.output("Output")[0]).shape
        return int(np.prod(out[1:]) * np.prod(shape("Filter")[1:]))
    if op.type == "pool2d":
        (height, width), out = shape("X")[2:], op.block._var_recursive(op.output("Out")[0]).shape
        return int(np.prod(out[1:]) * ((height // out[2]) * (width // out[3]) + 1))
    if op.type == "mul":
        return int(np.prod(shape("X")[1:]) * shape("Y")[1])
    if op.type == "batch_norm":
        return int(2 * np.prod(shape("X")[1:]))
    return int(np.prod(shape("X")[1:])) if op.type.startswith("elementwise") else None


def _print_table(rows: list[list[str]]) -> None:
    widths = [max(map(len, column)) + 2 for column in zip(*rows)]
    rule = "+" + "+".join("-" * width for width in widths) + "+"
    lines = ["|" + "|".join(cell.center(width) for cell, width in zip(row, widths)) + "|" for row in rows]
    print("\n".join([rule, lines[0], rule, *lines[1:], rule]))


__getattr__ = missing(__name__)
