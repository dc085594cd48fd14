"""`paddle.base.core`: the names of Paddle's C++ module that scripts reach for."""

from importlib import import_module
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.amp.debugging import clear_low_precision_op_list, get_low_precision_op_list
from paddle_compat.base._gpu_state import default_cuda_generator, device_memory_stat_current_value, device_memory_stat_peak_value
from paddle_compat.base._gradient_groups import eager_assign_group_by_size
from paddle_compat.base._kernels import _get_all_register_op_kernels, op_supported_infos
from paddle_compat.base._native_devices import (
    _has_grad,
    _set_has_grad,
    default_custom_device_generator,
    default_xpu_generator,
    get_custom_device_count,
)
from paddle_compat.base._native_switches import (
    _add_skip_comp_ops,
    _is_eager_prim_enabled,
    _remove_skip_comp_ops,
    _set_bwd_prim_blacklist,
    _set_prim_backward_blacklist,
    _set_prim_forward_blacklist,
    check_and_set_prim_all_enabled,
    disable_layout_autotune,
    enable_layout_autotune,
    get_attrtibute_type,
    get_cublas_switch,
    get_cudnn_switch,
    has_comp_grad_op_maker,
    is_cuda_graph_capturing,
    prim_config,
    set_cublas_switch,
    set_cudnn_switch,
    set_prim_eager_enabled,
    set_vlog_level,
    supports_bfloat16_fast_performance,
    supports_int8,
    supports_vnni,
    use_layout_autotune,
)
from paddle_compat.base._native_vjp import (
    _check_and_set_prim_vjp_skip_default_ops,
    _clear_prim_vjp_skip_default_ops,
    _enable_prim_dynamic_shape,
    _enable_prim_skip_dynamic_shape,
    _prim_return_log,
    call_decomp,
    call_vjp,
    has_custom_vjp,
    has_decomp,
    has_vjp,
)
from paddle_compat.base._no_need_buffers import infer_no_need_buffer_slots
from paddle_compat.core.dtype import data_types as DataType
from paddle_compat.core.place import CustomPlace, IPUPlace, XPUPlace
from paddle_compat.device.cuda import synchronize as _cuda_synchronize  # noqa: F401 - harnesses call it by this name
from paddle_compat.io.multiprocess_utils import erase_process_pids as _erase_process_pids
from paddle_compat.io.multiprocess_utils import set_process_pids as _set_process_pids
from paddle_compat.io.multiprocess_utils import set_process_signal_handler as _set_process_signal_handler
from paddle_compat.io.multiprocess_utils import throw_error_if_process_failed as _throw_error_if_process_failed
from paddle_compat.static import native
from paddle_compat.static.native import *  # noqa: F403

DenseTensor, DenseTensorArray = native.LoDTensor, native.LoDTensorArray  # Paddle 3's names
is_compiled_with_onednn = native.is_compiled_with_mkldnn
__set_all_prim_enabled, __set_fwd_prim_enabled = native._set_prim_all_enabled, native._set_prim_forward_enabled  # by other names
__set_bwd_prim_enabled, __set_eager_prim_enabled = native._set_prim_backward_enabled, set_prim_eager_enabled
BOOL, UINT8, INT8, INT16, INT32, INT64 = DataType.BOOL, DataType.UINT8, DataType.INT8, DataType.INT16, DataType.INT32, DataType.INT64
UINT16, UINT32, UINT64, UNDEFINED = DataType.UINT16, DataType.UINT32, DataType.UINT64, DataType.UNDEFINED
FLOAT16, BFLOAT16, FLOAT32, FLOAT64 = DataType.FLOAT16, DataType.BFLOAT16, DataType.FLOAT32, DataType.FLOAT64
COMPLEX64, COMPLEX128 = DataType.COMPLEX64, DataType.COMPLEX128
O0, O1, O2, O3, OD = native.AmpLevel.O0, native.AmpLevel.O1, native.AmpLevel.O2, native.AmpLevel.O3, native.AmpLevel.OD

__all__ = [
    *native.__all__, "BFLOAT16", "BOOL", "COMPLEX128", "COMPLEX64", "FLOAT16", "FLOAT32", "FLOAT64", "INT16", "INT32", "INT64", "INT8",
    "default_cuda_generator", "device_memory_stat_current_value", "device_memory_stat_peak_value", "infer_no_need_buffer_slots",
    "eager_assign_group_by_size", "O0", "O1", "O2", "O3", "OD", "UINT16", "UINT32", "UINT64", "UINT8", "UNDEFINED",
    "_erase_process_pids", "_set_process_pids", "_set_process_signal_handler", "_throw_error_if_process_failed",
    "CustomPlace", "IPUPlace", "XPUPlace",
    "_get_all_register_op_kernels", "_is_eager_prim_enabled", "_set_prim_backward_blacklist",
    "_set_prim_forward_blacklist", "check_and_set_prim_all_enabled", "prim_config", "is_cuda_graph_capturing", "set_prim_eager_enabled",
    "get_cublas_switch", "get_cudnn_switch", "set_cublas_switch", "set_cudnn_switch",
    "supports_bfloat16_fast_performance", "supports_int8", "supports_vnni", "clear_low_precision_op_list", "get_low_precision_op_list",
    "default_custom_device_generator", "default_xpu_generator", "get_custom_device_count", "_has_grad", "_set_has_grad",
    "DenseTensor", "DenseTensorArray", "disable_layout_autotune", "enable_layout_autotune", "is_compiled_with_onednn", "set_vlog_level",
    "use_layout_autotune",
    "get_attrtibute_type", "__set_all_prim_enabled", "__set_bwd_prim_enabled", "__set_fwd_prim_enabled",
    "__set_eager_prim_enabled", "_add_skip_comp_ops", "_remove_skip_comp_ops", "_set_bwd_prim_blacklist", "has_comp_grad_op_maker",
    "_check_and_set_prim_vjp_skip_default_ops", "_clear_prim_vjp_skip_default_ops", "_enable_prim_dynamic_shape",
    "_enable_prim_skip_dynamic_shape", "_prim_return_log",
    "call_decomp", "call_vjp", "has_custom_vjp", "has_decomp", "has_vjp", "op_supported_infos",
]  # fmt: skip

_missing = missing(__name__)
_MESHES = "distributed.auto_parallel"
_LATER = {  # load when they are asked for
    **dict.fromkeys(("Partial", "Placement", "ReduceType", "Replicate", "Shard"), f"{_MESHES}.placement_type"),
    "ProcessMesh": f"{_MESHES}.process_mesh",
    **dict.fromkeys(("DistTensorSpec", "SpmdRule", "TensorDistAttr"), f"{_MESHES}.static.dist_attribute"),
    **dict.fromkeys(("contains_spmd_rule", "get_phi_spmd_rule"), f"{_MESHES}.static.dist_attribute"),
    **dict.fromkeys(("dtensor_from_local", "dtensor_to_local"), f"{_MESHES}.api"),
    **dict.fromkeys(("AnalysisConfig", "AnalysisPredictor", "NativeConfig", "NativePaddlePredictor"), "inference._analysis"),
    **dict.fromkeys(("PaddleBuf", "PaddleDType", "PaddlePredictor", "PaddleTensor", "ZeroCopyTensor"), "inference._analysis"),
    **dict.fromkeys(("paddle_dtype_size", "paddle_tensor_to_bytes"), "inference._analysis"),
    "create_paddle_predictor": "inference._analysis",
    **dict.fromkeys(("Graph", "build_adjacency_list", "graph_num", "graph_safe_remove_nodes"), "base._graph"),
    **dict.fromkeys(("has_circle", "topology_sort"), "base._graph"),
    "Node": "base._ir_nodes",
    "get_int_stats": "core.int_stats",
    **dict.fromkeys(("Pass", "get_pass"), "static.pass_builder"),
    **dict.fromkeys(("Job", "Plan"), "base._plans"),
    **dict.fromkeys(("LoDTensorBlockingQueue", "init_lod_tensor_blocking_queue"), "base._blocking_queue"),
    **dict.fromkeys(("autotune_status", "disable_autotune", "enable_autotune"), "base._kernel_tuning"),
    **dict.fromkeys(("set_autotune_range", "update_autotune_status"), "base._kernel_tuning"),
}


def __getattr__(name: str) -> Any:
    if name == "eager":  # loads when it is asked for: it needs the operators of eager mode
        from paddle_compat.base import _native_eager

        return _native_eager
    if name in _LATER:
        return getattr(import_module(f"paddle_compat.{_LATER[name]}"), name)
    return _missing(name)
