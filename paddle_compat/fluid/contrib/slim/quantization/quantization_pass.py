"""`paddle.fluid.contrib.slim.quantization.quantization_pass`: the passes of `paddle.static.quantization` with 1.8's names and scales."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.static.quantization import quantization_pass as later
from paddle_compat.static.quantization._passes import WATCHED
from paddle_compat.static.quantization.quantization_pass import ConvertToInt8Pass, TransformForMobilePass

# Names and lists as libraries take them from here: whose outputs' scales are noted, and what each pass knows of.
_out_scale_op_list = list(WATCHED)
_ACTIVATIONS = ["relu", "relu6", "leaky_relu", "tanh", "swish"]


class _First:
    _SCALE, _KEEPS_MODE, _FROM_SCOPE = ".scale", False, False


class QuantizationTransformPass(_First, later.QuantizationTransformPass):
    """Has products see their operands rounded to few bits, and their gradients, too.

    Args:
        scope, place, weight_bits, activation_bits, activation_quantize_type, weight_quantize_type, window_size, moving_rate, skip_pattern,
            quantizable_op_type: as of `paddle.static.quantization.QuantizationTransformPass`; "channel_wise_abs_max" is for convolutions.
        weight_quantize_func, act_quantize_func, weight_preprocess_func, act_preprocess_func, optimizer_func, executor: None.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.contrib.slim.quantization import QuantizationTransformPass
        >>> main = fluid.Program()
        >>> with fluid.program_guard(main, fluid.Program()):
        ...     _ = fluid.layers.fc(fluid.data("x", [2, 4]), 3, bias_attr=False)
        >>> graph = fluid.framework.IrGraph(fluid.core.Graph(main.desc))
        >>> QuantizationTransformPass(scope=fluid.Scope(), place=fluid.CPUPlace()).apply(graph) is graph
        True
        >>> len(graph.to_program().global_block().ops)
        5

    Follows Paddle 1.8.
    """

    _supported_quantizable_op_type = ["conv2d", "depthwise_conv2d", "mul", "matmul"]

    def __init__(
        self, scope: Any = None, place: Any = None, weight_bits: int = 8, activation_bits: int = 8,
        activation_quantize_type: str = "abs_max", weight_quantize_type: str = "abs_max", window_size: int = 10000,
        moving_rate: float = 0.9, skip_pattern: Any = ["skip_quant"],  # noqa: B006
        quantizable_op_type: Any = ["conv2d", "depthwise_conv2d", "mul"],  # noqa: B006
        weight_quantize_func: Any = None, act_quantize_func: Any = None, weight_preprocess_func: Any = None,
        act_preprocess_func: Any = None, optimizer_func: Any = None, executor: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            scope, place, weight_bits, activation_bits, activation_quantize_type, weight_quantize_type, window_size, moving_rate,
            skip_pattern, quantizable_op_type, weight_quantize_func, act_quantize_func, weight_preprocess_func, act_preprocess_func,
            optimizer_func, executor,
        )  # fmt: skip

    def _axis_of(self, product: str) -> int | None:
        return 0 if product in ("conv2d", "depthwise_conv2d") else None

    def _scale_of_step(self, graph: Any, name: str, shape: list[int]) -> Any:
        return graph.create_var_node(name, VarType.LOD_TENSOR, shape, VarType.FP32)


class AddQuantDequantPass(_First, later.AddQuantDequantPass):
    """Has operators without weights see their inputs rounded by a moving average.

    Args:
        scope, place, moving_rate, quant_bits, skip_pattern, quantizable_op_type: as of `paddle.static.quantization.AddQuantDequantPass`.
        is_full_quantized (bool): False; True is not supported.
    Raises:
        UnsupportedError: all operators.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.contrib.slim.quantization import AddQuantDequantPass
        >>> graph = fluid.framework.IrGraph(fluid.core.Graph(fluid.Program().desc))
        >>> AddQuantDequantPass(scope=fluid.Scope(), place=fluid.CPUPlace()).apply(graph) is graph
        True

    Follows Paddle 1.8.
    """

    _supported_quantizable_op_type = [
        "pool2d", "elementwise_add", "concat", "softmax", "argmax", "transpose", "equal", "gather", "greater_equal", "greater_than",
        "less_equal", "less_than", "mean", "not_equal", "reshape", "reshape2", "bilinear_interp", "nearest_interp", "trilinear_interp",
        "slice", "squeeze", "elementwise_sub", "mul", "matmul", *_ACTIVATIONS,
    ]  # fmt: skip
    _activation_type = _ACTIVATIONS

    def __init__(
        self, scope: Any = None, place: Any = None, moving_rate: float = 0.9, quant_bits: int = 8,
        skip_pattern: Any = ["skip_quant"], quantizable_op_type: Any = ["elementwise_add", "pool2d"],  # noqa: B006
        is_full_quantized: bool = False,
    ) -> None:  # fmt: skip
        if is_full_quantized:
            raise UnsupportedError("AddQuantDequantPass", "is_full_quantized=True", "quantizable_op_type")
        super().__init__(scope, place, moving_rate, quant_bits, skip_pattern, quantizable_op_type)


class OutScaleForTrainingPass(_First, later.OutScaleForTrainingPass):
    """Has moving averages of the largest magnitudes that operators give taken note of.

    Args:
        scope (Scope): where states get their first values; None: the current one.
        place: where these are.
        moving_rate (float): the share that a former average keeps.

    Example:
        >>> from paddle_compat.fluid.contrib.slim.quantization import OutScaleForTrainingPass
        >>> OutScaleForTrainingPass()._scale_name("x")
        'x@scale'

    Follows Paddle 1.8.
    """

    def __init__(self, scope: Any = None, place: Any = None, moving_rate: float = 0.9) -> None:
        super().__init__(scope, place, moving_rate)

    def _out(self, graph: Any, var: Any) -> dict[str, Any]:
        return {"Out": graph.create_var_node_from_desc(var.var())}


class OutScaleForInferencePass(_First, later.OutScaleForInferencePass):
    """Notes the averages that were found on the operators of a graph for inference.

    Args:
        scope (Scope): where they are; None: the current one.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.contrib.slim.quantization import OutScaleForInferencePass
        >>> graph = fluid.framework.IrGraph(fluid.core.Graph(fluid.Program().desc))
        >>> OutScaleForInferencePass().apply(graph) is graph
        True

    Follows Paddle 1.8.
    """


class QuantizationFreezePass(_First, later.QuantizationFreezePass):
    """Makes a rewritten graph one for inference: weights become the numbers of their steps, and products are scaled back behind them.

    Args:
        scope, place, weight_bits, activation_bits, weight_quantize_type, quantizable_op_type: as of
            `paddle.static.quantization.QuantizationFreezePass`.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.contrib.slim.quantization import QuantizationFreezePass
        >>> graph = fluid.framework.IrGraph(fluid.core.Graph(fluid.Program().desc))
        >>> QuantizationFreezePass(fluid.Scope(), fluid.CPUPlace()).apply(graph) is graph
        True

    Follows Paddle 1.8.
    """

    def __init__(
        self, scope: Any, place: Any, weight_bits: int = 8, activation_bits: int = 8, weight_quantize_type: str = "abs_max",
        quantizable_op_type: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            scope, place, weight_bits=weight_bits, activation_bits=activation_bits, weight_quantize_type=weight_quantize_type,
            quantizable_op_type=quantizable_op_type,
        )  # fmt: skip


__all__ = [
    "QuantizationTransformPass", "QuantizationFreezePass", "ConvertToInt8Pass", "TransformForMobilePass", "OutScaleForTrainingPass",
    "OutScaleForInferencePass", "AddQuantDequantPass",
]  # fmt: skip

__getattr__ = missing(__name__)
