"""`paddle.base.param_attr`: attributes of parameters."""

from paddle_compat.core.param_attr import ParamAttr, WeightNormParamAttr

__all__ = ["ParamAttr", "WeightNormParamAttr"]
