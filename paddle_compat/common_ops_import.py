"""`paddle.common_ops_import`: what a module that defines layers imports in one line."""

from paddle_compat._missing import missing
from paddle_compat.base.data_feeder import check_dtype, check_type, check_variable_and_dtype, convert_dtype
from paddle_compat.base.framework import (  # noqa: F401 - the rest is outside of Paddle's list, too
    OpProtoHolder,
    Variable,
    _dygraph_tracer,
    convert_np_dtype_to_dtype_,
    core,
    default_main_program,
    device_guard,
    dygraph_only,
    in_dygraph_mode,
    in_dynamic_mode,
)
from paddle_compat.core import unique_name
from paddle_compat.core.layer_helper import LayerHelper
from paddle_compat.core.param_attr import ParamAttr

__all__ = [
    "LayerHelper", "OpProtoHolder", "ParamAttr", "Variable", "check_dtype", "check_type", "check_variable_and_dtype", "convert_dtype",
    "convert_np_dtype_to_dtype_", "default_main_program", "device_guard", "in_dynamic_mode", "unique_name",
]  # fmt: skip

__getattr__ = missing(__name__)
