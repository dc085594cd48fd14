"""`paddle.fluid.param_attr`: attributes of parameters."""

from paddle_compat._missing import missing
from paddle_compat.core.param_attr import ParamAttr, WeightNormParamAttr

__all__ = ["ParamAttr", "WeightNormParamAttr"]

__getattr__ = missing(__name__)
