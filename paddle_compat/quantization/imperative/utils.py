"""`paddle.quantization.imperative.utils`: which layers are quantized, and finding one's way in networks and Programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from paddle_compat import nn
from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
from paddle_compat.nn.quant import functional_layers, quant_layers

layer_name_map: dict[str, type[nn.Layer]] = {
    name: getattr(nn, name)
    for name in (
        "Conv2DTranspose", "Conv2D", "Linear", "AdaptiveAvgPool2D", "AdaptiveMaxPool2D", "AvgPool2D", "MaxPool2D", "Hardswish", "LeakyReLU",
        "PReLU", "ReLU", "ReLU6", "Sigmoid", "Softmax", "Swish", "Tanh", "BatchNorm", "GroupNorm", "LayerNorm",
    )
}  # fmt: skip
fake_quant_input_layers = [nn.Conv2D, nn.Linear, nn.Conv2DTranspose]
fake_quant_output_layers = [
    functional_layers.add, functional_layers.subtract, functional_layers.multiply, functional_layers.divide, functional_layers.matmul,
]  # fmt: skip
fake_quant_leaf_layers = [
    quant_layers.FakeQuantAbsMax, quant_layers.FakeQuantChannelWiseAbsMax, quant_layers.FakeQuantMovingAverageAbsMax,
    quant_layers.MovingAverageAbsMaxScale,
]  # fmt: skip
fake_quant_wrap_layers = [
    quant_layers.QuantizedConv2D, quant_layers.QuantizedLinear, quant_layers.QuantizedConv2DTranspose,
    quant_layers.QuantizedColumnParallelLinear, quant_layers.QuantizedRowParallelLinear,
]  # fmt: skip
weight_op_types = ["conv2d", "depthwise_conv2d", "matmul", "conv2d_transpose", "depthwise_conv2d_transpose"]
spec_channel_axis_layers = [nn.Conv2DTranspose, nn.Linear]
fake_quantize_dequantize_op_types = [
    "fake_quantize_dequantize_abs_max", "fake_channel_wise_quantize_dequantize_abs_max", "fake_quantize_dequantize_moving_average_abs_max",
]  # fmt: skip


def load_variable_data(scope: Any, var_name: str) -> Any:
    """The numbers that a variable has in a scope."""
    found = scope.find_var(var_name)
    if found is None:
        raise failed_assertion("var_name", "a variable of the scope", var_name, "load_variable_data")
    return np.array(found.get_tensor())


def find_previous_op(block: Any, var_name: str) -> Any:
    """The operator that makes a variable; None where there is none."""
    return next((op for op in block.ops if var_name in op.output_arg_names), None)


def find_next_ops(block: Any, var_name: str) -> list[Any]:
    """The operators that read a variable."""
    return [op for op in block.ops if var_name in op.input_arg_names]


def find_parent_layer_and_sub_name(model: Any, name: str) -> tuple[Any, str]:
    """What holds a layer, and the layer's name there."""
    if not isinstance(model, nn.Layer):
        raise failed_assertion("model", "a paddle.nn.Layer", model, "find_parent_layer_and_sub_name")
    if not name:
        raise failed_assertion("name", "the name of a layer in the model", name, "find_parent_layer_and_sub_name")
    *way, last = name.split(".")
    holder = model
    for part in way:
        holder = getattr(holder, part)
    return holder, last


def program_all_ops(program: Any) -> list[Any]:
    """The operators of all blocks."""
    return [op for block in program.blocks for op in block.ops]


def is_leaf_layer(layer: Any) -> bool:
    """Whether a layer holds no other."""
    return isinstance(layer, nn.Layer) and not layer.sublayers()


def fp_numpy_to_naive(x_np: Any) -> Any:
    """A number, or a list of numbers, from an array."""
    return float(x_np.reshape(-1)[0]) if x_np.size == 1 else [float(value) for value in x_np.reshape(-1)]


def slots_of(op: Any, var_name: str, output: bool = False) -> Iterator[str]:
    """Under which names of slots and numbers in them an operator reads, or makes, a variable: `X0`."""
    names, of = (op.output_names, op.output) if output else (op.input_names, op.input)
    for slot in names:
        for place, name in enumerate(of(slot)):
            if name == var_name:
                yield f"{slot}{place}"


__getattr__ = missing(__name__)
