"""`paddle.nn.initializer`: how parameters start."""

from paddle_compat._lazy import modules
from paddle_compat._missing import missing
from paddle_compat.nn.initializer._by_seed import (
    ConstantInitializer,
    MSRAInitializer,
    NormalInitializer,
    NumpyArrayInitializer,
    TruncatedNormalInitializer,
    UniformInitializer,
    XavierInitializer,
)
from paddle_compat.nn.initializer.base import Initializer as Initializer
from paddle_compat.nn.initializer.base import _default_bias as _default_bias
from paddle_compat.nn.initializer.base import _default_weight as _default_weight
from paddle_compat.nn.initializer.base import calculate_gain, set_global_initializer
from paddle_compat.nn.initializer.fixed import Assign, Bilinear, Constant, Dirac, Orthogonal
from paddle_compat.nn.initializer.random import (
    KaimingNormal,
    KaimingUniform,
    Normal,
    TruncatedNormal,
    Uniform,
    XavierNormal,
    XavierUniform,
)

__all__ = [
    "Assign", "Bilinear", "Constant", "Dirac", "KaimingNormal", "KaimingUniform", "Normal", "Orthogonal",
    "TruncatedNormal", "Uniform", "XavierNormal", "XavierUniform", "calculate_gain", "set_global_initializer",
]  # fmt: skip

__getattr__ = missing(__name__)

modules(__name__, {"Bilinear": ("Bilinear",), "bilinear": ("Bilinear",)})  # one in Paddle 2, the other one in Paddle 3
