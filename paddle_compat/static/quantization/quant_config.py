"""`paddle.static.quantization.quant_config`: which operators are rounded, by what runs the model in the end."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.static.quantization._passes import ACTIVATIONS, SUPPORTED, WEIGHTED

# What is read, and what comes of it, by the operators that may have weights, by the others, and by all
SUPPORT_WEIGHT_QUANTIZATION_OP_DICT = {kind: [list(slots) for slots in SUPPORTED[kind]] for kind in WEIGHTED}
SUPPORT_ACT_QUANTIZATION_OP_DICT = {kind: [list(slots) for slots in pair] for kind, pair in ACTIVATIONS.items()}
SUPPORT_QUANTIZATION_OP_DICT = {**SUPPORT_WEIGHT_QUANTIZATION_OP_DICT, **SUPPORT_ACT_QUANTIZATION_OP_DICT}


class BaseQuantizer:
    """Which operators are rounded when nothing is known of what runs the model.

    Args:
        quantizable_op_type (list): the types of operators; empty: what is rounded by default.
        quant_bits (int): how many bits are left.

    Example:
        >>> from paddle_compat.static.quantization.quant_config import BaseQuantizer
        >>> BaseQuantizer().activation_quant_operation_types
        ['mul', 'matmul', 'matmul_v2']
        >>> BaseQuantizer(["mul", "relu"]).weight_quant_operation_types
        ['mul']

    Follows Paddle 2.6.
    """

    _quant_min, _quant_max = -128, 127
    _ACTIVATIONS: tuple[str, ...] | None = None  # what is rounded whatever the user asks for

    def __init__(self, quantizable_op_type: Any = [], quant_bits: int = 8) -> None:  # noqa: B006
        self._quantizable_op_type, self._quant_bits = quantizable_op_type, quant_bits

    def _chosen(self, known: Any, default: Any) -> list[str]:
        return [kind for kind in self._quantizable_op_type if kind in known] if self._quantizable_op_type else list(default)

    @property
    def weight_quant_operation_types(self) -> list[str]:
        """Operators whose weights are rounded."""
        return self._chosen(SUPPORT_WEIGHT_QUANTIZATION_OP_DICT, SUPPORT_WEIGHT_QUANTIZATION_OP_DICT)

    @property
    def activation_quant_operation_types(self) -> list[str]:
        """Operators whose inputs are rounded without having weights."""
        if self._ACTIVATIONS is not None:
            return list(self._ACTIVATIONS)
        return self._chosen(SUPPORT_ACT_QUANTIZATION_OP_DICT, ("mul", "matmul", "matmul_v2"))

    @property
    def observer_operation_types(self) -> list[str]:
        """Operators whose results are measured."""
        return list(SUPPORT_ACT_QUANTIZATION_OP_DICT)


class TensorRTQuantizer(BaseQuantizer):
    """Which operators are rounded for TensorRT; arguments as of `BaseQuantizer`.

    Args:
        quantizable_op_type (list): the types of operators with weights; empty: what is rounded by default.
        quant_bits (int): how many bits are left.

    Example:
        >>> from paddle_compat.static.quantization.quant_config import TensorRTQuantizer
        >>> "pool2d" in TensorRTQuantizer(["mul"]).activation_quant_operation_types
        True

    Follows Paddle 2.6.
    """

    _ACTIVATIONS = (
        "pool2d", "elementwise_add", "elementwise_sub", "elementwise_mul", "elementwise_pow", "concat", "softmax", "argmax", "mean",
        "relu", "relu6", "leaky_relu", "tanh", "swish", "softplus", "gelu", "hard_sigmoid", "hard_swish", "sigmoid", "layer_norm",
        "matmul_v2", "split", "bilinear_interp", "nearest_interp", "trilinear_interp", "nearest_interp_v2", "bilinear_interp",
        "bilinear_interp_v2", "clip", "pow", "reduce_mean", "reduce_sum", "reduce_max",
    )  # fmt: skip


class MKLDNNQuantizer(BaseQuantizer):
    """Which operators are rounded for oneDNN; arguments as of `BaseQuantizer`.

    Args:
        quantizable_op_type (list): the types of operators with weights; empty: what is rounded by default.
        quant_bits (int): how many bits are left.

    Example:
        >>> from paddle_compat.static.quantization.quant_config import MKLDNNQuantizer
        >>> MKLDNNQuantizer().activation_quant_operation_types[:2]
        ['pool2d', 'elementwise_add']

    Follows Paddle 2.6.
    """

    _ACTIVATIONS = ("pool2d", "elementwise_add", "elementwise_mul", "concat", "nearest_interp", "nearest_interp_v2", "split")


class ARMCPUQuantizer(BaseQuantizer):
    """Which operators are rounded for Paddle Lite on ARM; arguments as of `BaseQuantizer`.

    Args:
        quantizable_op_type (list): the types of operators; empty: what is rounded by default.
        quant_bits (int): how many bits are left.

    Example:
        >>> from paddle_compat.static.quantization.quant_config import ARMCPUQuantizer
        >>> ARMCPUQuantizer()._quant_min
        -127

    Follows Paddle 2.6.
    """

    _quant_min = -127


__getattr__ = missing(__name__)
