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
from paddle_compat.nn.quant.stub import Stub

__all__ = ["Stub"]

__getattr__ = missing(__name__)
