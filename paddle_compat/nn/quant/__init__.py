"""`paddle.nn.quant`: layers of networks that compute with few bits."""

from paddle_compat._missing import missing
from paddle_compat.nn.quant import qat as qat
from paddle_compat.nn.quant.functional_layers import (  # for scripts, not in __all__
    FloatFunctionalLayer,
    add,
    concat,
    divide,
    flatten,
    matmul,
    multiply,
    reshape,
    subtract,
    transpose,
)
from paddle_compat.nn.quant.quant_layers import QuantStub as QuantStub
from paddle_compat.nn.quant.quantized_linear import (
    apply_per_channel_scale,
    llm_int8_linear,
    weight_dequantize,
    weight_only_linear,
    weight_quantize,
)
from paddle_compat.nn.quant.stub import Stub

__all__ = ["Stub", "weight_only_linear", "llm_int8_linear", "weight_quantize", "weight_dequantize"]

__getattr__ = missing(__name__)
