"""The names of Paddle's C++ module that scripts reach for through `fluid.core` and `base.core`."""

from __future__ import annotations

from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.core.descs import BlockDesc, OpDesc, ProgramDesc, VarDesc, get_grad_op_desc
from paddle_compat.core.dtype import DataType, VarType, torch_dtype
from paddle_compat.core.errors import EnforceNotMet, EOFException, NotFoundError, UnimplementedError, invalid_argument
from paddle_compat.core.lod import LoDTensor, LoDTensorArray
from paddle_compat.core.op import find_op, registered
from paddle_compat.core.op_protos import all_protos as get_all_op_protos
from paddle_compat.core.operator import OpRole
from paddle_compat.core.place import CPUPlace, CUDAPinnedPlace, CUDAPlace, Place
from paddle_compat.core.program import default_main_program
from paddle_compat.core.proto import AttrType
from paddle_compat.core.random import Generator, default_generator
from paddle_compat.core.scope import Scope
from paddle_compat.core.scope import ScopeVariable as Variable
from paddle_compat.core.selected_rows import SelectedRows
from paddle_compat.core.tensor import Tensor as VarBase
from paddle_compat.device import (
    get_all_custom_device_type,
    get_all_device_type,
    is_compiled_with_cinn,
    is_compiled_with_custom_device,
    is_compiled_with_distribute,
    is_compiled_with_ipu,
    is_compiled_with_rocm,
    is_compiled_with_xpu,
)
from paddle_compat.framework.dtype import finfo, iinfo
from paddle_compat.ops.py_func import register_callable
from paddle_compat.static._native_files import (
    load_lod_tensor,
    load_lod_tensor_from_memory,
    load_selected_rows,
    save_lod_tensor,
    save_lod_tensor_to_memory,
    save_selected_rows,
)
from paddle_compat.static._native_kinds import AmpLevel, EventSortingKey, ProfilerState, TracerOption
from paddle_compat.static._native_runs import (
    Executor,
    diff_tensor_shape,
    get_fetch_variable,
    get_variable_tensor,
    prune,
    prune_backward,
    set_feed_variable,
    set_variable,
)

_append_python_callable_object_and_return_id = register_callable
kDisabled, kCPU, kCUDA, kAll = ProfilerState.kDisabled, ProfilerState.kCPU, ProfilerState.kCUDA, ProfilerState.kAll
kDefault, kCalls, kTotal = EventSortingKey.kDefault, EventSortingKey.kCalls, EventSortingKey.kTotal
kMax, kMin, kAve = EventSortingKey.kMax, EventSortingKey.kMin, EventSortingKey.kAve
kOpDetail, kAllOpDetail = TracerOption.kOpDetail, TracerOption.kAllOpDetail
Tensor = LoDTensor
_Scope = Scope
_prim = {"forward": False, "backward": False}


class op_proto_and_checker_maker:
    """Names of the attributes that every operator has."""

    OpRole = OpRole

    @staticmethod
    def kOpRoleAttrName() -> str:
        """Name of the role attribute."""
        return "op_role"

    @staticmethod
    def kOpRoleVarAttrName() -> str:
        """Name of the attribute with parameter and gradient."""
        return "op_role_var"

    @staticmethod
    def kOpNameScopeAttrName() -> str:
        """Name of the name-scope attribute."""
        return "op_namescope"

    @staticmethod
    def kOpDeviceAttrName() -> str:
        """Name of the device attribute."""
        return "op_device"

    @staticmethod
    def kOpCreationCallstackAttrName() -> str:
        """Name of the attribute with the user's call stack."""
        return "op_callstack"


def get_cuda_device_count() -> int:
    """How many GPUs torch sees."""
    return torch.cuda.device_count()


def is_compiled_with_cuda() -> bool:
    """Whether GPUs can be used."""
    return torch.cuda.is_available()


def is_compiled_with_brpc() -> bool:
    """Whether brpc is there: never."""
    return False


def is_compiled_with_dist() -> bool:
    """Whether distributed training is there."""
    return torch.distributed.is_available()


def is_compiled_with_mkldnn() -> bool:
    """Whether operators have oneDNN kernels to choose: never, torch chooses."""
    return False


def is_bfloat16_supported(place: Any) -> bool:
    """Whether a device's own bfloat16 arithmetic can be counted on: on GPUs that have it."""
    return isinstance(place, CUDAPlace) and torch.cuda.is_available() and torch.cuda.is_bf16_supported()


def is_float16_supported(place: Any) -> bool:
    """Whether a device's own float16 arithmetic can be counted on: on GPUs."""
    return isinstance(place, CUDAPlace) and torch.cuda.is_available()


def supports_bfloat16() -> bool:
    """Whether oneDNN's bfloat16 kernels are there: never."""
    return False


def get_all_op_names() -> list[str]:
    """The types of all operators."""
    return sorted(registered())


def _set_prim_all_enabled(value: bool) -> None:
    """Note that operators are to be taken apart into primitives; torch does that itself where it is of use."""
    _prim["forward"] = _prim["backward"] = bool(value)


def _set_prim_forward_enabled(value: bool) -> None:
    """As `_set_prim_all_enabled`, for forward operators."""
    _prim["forward"] = bool(value)


def _set_prim_backward_enabled(value: bool) -> None:
    """As `_set_prim_all_enabled`, for gradient operators."""
    _prim["backward"] = bool(value)


def _is_fwd_prim_enabled() -> bool:
    """What `_set_prim_forward_enabled` was told last."""
    return _prim["forward"]


def _is_bwd_prim_enabled() -> bool:
    """What `_set_prim_backward_enabled` was told last."""
    return _prim["backward"]


def _is_all_prim_enabled() -> bool:
    """Whether both were switched on."""
    return all(_prim.values())


def kGradVarSuffix() -> str:
    """What a gradient's name ends with."""
    return "@GRAD"


def kEmptyVarName() -> str:
    """The name that stands for no variable."""
    return "@EMPTY@"


def kTempVarName() -> str:
    """What the name of a temporary variable begins with."""
    return "@TEMP@"


def kZeroVarSuffix() -> str:
    """What the name of a gradient of zeros ends with."""
    return "@ZERO"


def kNewGradSuffix() -> str:
    """What the name of a gradient that replaces another one ends with."""
    return "@NEWGRAD@"


def kControlDepVarName() -> str:
    """What the name of a mere dependency begins with."""
    return "__control_var"


def kAutoParallelSuffix() -> str:
    """What the names of attributes of automatic parallelism end with."""
    return "@AUTO_PARALLEL"


def kNoneProcessMeshIndex() -> int:
    """The number that stands for no mesh of processes."""
    return -1


def loaded_var_suffix() -> str:
    """What the name of a variable that was loaded into a renamed one ends with."""
    return "@LOADED"


def grad_var_suffix() -> str:
    """What a gradient's name ends with."""
    return "@GRAD"


def empty_var_name() -> str:
    """The name that stands for no variable."""
    return "@EMPTY@"


def op_support_gpu(op_type: str) -> bool:
    """Whether an operator runs on GPUs: every operator that is there."""
    return find_op(op_type) is not None


def has_grad_op_maker(op_type: str) -> bool:
    """Whether Paddle says of an operator what its gradient is, if only that it has none: of every one that is there."""
    return find_op(op_type) is not None


def has_non_empty_grad_op_maker(op_type: str) -> bool:
    """Whether an operator has a gradient."""
    found = find_op(op_type)
    if found is None and op_type not in ("feed", "fetch"):
        raise NotFoundError(f"Operator `{op_type}` is not there. Expected one of `get_all_op_names()`. Received: {op_type}")
    return found is not None and found.grad is not None


def has_empty_grad_op_maker(op_type: str) -> bool:
    """Whether an operator has no gradient."""
    return not has_non_empty_grad_op_maker(op_type)


def get_op_attrs_default_value(op_type: bytes | str) -> dict[str, Any]:
    """The attributes of an operator that may be left out, with the values that they take then."""
    found = find_op(op_type.decode() if isinstance(op_type, bytes) else op_type)
    defaults = {} if found is None else found.defaults(default_main_program().age)
    return {name: value for name, value in defaults.items() if not name.startswith("_")}


def size_of_dtype(dtype: Any) -> int:
    """Bytes of one element of a data type; UnimplementedError for what is none."""
    try:
        return torch_dtype(dtype).itemsize
    except (KeyError, TypeError) as error:
        raise UnimplementedError(f"Invalid value for argument `dtype`. Expected a data type of tensors. Received: {dtype}") from error


def broadcast_shape(x_shape: list[int], y_shape: list[int]) -> list[int]:
    """The shape that two shapes broadcast to; InvalidArgumentError where they do not."""
    try:
        return list(torch.broadcast_shapes(tuple(x_shape), tuple(y_shape)))
    except RuntimeError as error:
        raise invalid_argument("y_shape", f"one that broadcasts with {list(x_shape)}", list(y_shape), "broadcast_shape") from error


def from_dlpack(dlpack: Any) -> LoDTensor:
    """The values in a DLPack capsule."""
    return LoDTensor(torch.utils.dlpack.from_dlpack(dlpack))


def default_cpu_generator() -> Generator:
    """The generator that `paddle.seed` seeds."""
    return default_generator("cpu")


def avx_supported() -> bool:
    """Whether the processor has AVX instructions."""
    return torch.backends.cpu.get_cpu_capability().startswith("AVX")


is_compiled_with_avx = avx_supported


def set_num_threads(num_threads: int) -> None:
    """Let operators use so many threads of the processor."""
    torch.set_num_threads(num_threads)


def is_profiler_enabled() -> bool:
    """Whether `enable_profiler` or `fluid.profiler` started measuring."""
    return _profiler()._running is not None


def enable_profiler(state: ProfilerState) -> None:
    """Start measuring."""
    _profiler().start_profiler({"kCPU": "CPU", "kCUDA": "GPU", "kAll": "All"}[state.name])


def disable_profiler(sorted_key: EventSortingKey, profile_path: str) -> None:
    """Stop measuring, print a table ordered by a column, and write the events to a file."""
    _profiler().stop_profiler(sorted_key.name[1:].lower(), profile_path)


def reset_profiler() -> None:
    """Forget what was measured so far."""
    _profiler().reset_profiler()


def _profiler() -> Any:
    from importlib import import_module  # a floor above, and rarely asked for

    return import_module("paddle_compat.fluid.profiler")


def _set_eager_deletion_mode(threshold: float, fraction: float, fast_mode: bool) -> None:
    """Say when memory is freed early: torch frees it as early as it can."""


def clear_executor_cache() -> None:
    """Forget what executors keep of Programs: each Program keeps its own, and goes with it."""


def _is_dygraph_debug_enabled() -> bool:
    """Whether eager mode writes its log: never."""
    return False


def _is_program_version_supported(version: int) -> bool:
    """Whether files of a version of Paddle, as 1008005, can be read: all can be tried."""
    return True


def is_compiled_with_nccl() -> bool:
    """Whether NCCL is there."""
    return torch.cuda.is_available() and torch.distributed.is_available() and torch.distributed.is_nccl_available()


def is_compiled_with_mpi() -> bool:
    """Whether MPI is there: never."""
    return False


def is_compiled_with_mpi_aware() -> bool:
    """Whether MPI takes tensors on GPUs: never."""
    return False

def has_infer_inplace(op_type: str) -> bool:
    """Whether a pass may let an operator write over its inputs' memory: never, torch owns the memory."""
    return False


def globals() -> Any:
    """The flags, as a mapping."""
    from paddle_compat.core import flags

    return flags.view()


__all__ = [
    "AmpLevel", "AttrType", "BlockDesc", "CPUPlace", "CUDAPinnedPlace", "CUDAPlace", "DataType", "EOFException",
    "EnforceNotMet", "EventSortingKey", "Executor", "Generator", "LoDTensor", "LoDTensorArray", "OpDesc", "Place",
    "ProfilerState", "ProgramDesc", "Scope", "SelectedRows", "Tensor", "TracerOption", "VarBase", "VarDesc", "VarType",
    "Variable", "_Scope", "_append_python_callable_object_and_return_id", "_is_all_prim_enabled", "_is_bwd_prim_enabled",
    "_is_dygraph_debug_enabled", "_is_fwd_prim_enabled", "_is_program_version_supported", "_set_eager_deletion_mode",
    "_set_prim_all_enabled", "_set_prim_backward_enabled", "_set_prim_forward_enabled", "avx_supported", "broadcast_shape",
    "clear_executor_cache", "default_cpu_generator", "diff_tensor_shape", "disable_profiler", "empty_var_name",
    "enable_profiler", "finfo", "from_dlpack", "get_all_custom_device_type", "get_all_device_type", "get_all_op_names",
    "get_all_op_protos", "get_cuda_device_count", "get_fetch_variable", "get_grad_op_desc", "get_op_attrs_default_value",
    "get_variable_tensor", "globals", "grad_var_suffix", "has_empty_grad_op_maker", "has_grad_op_maker", "has_infer_inplace",
    "has_non_empty_grad_op_maker", "iinfo", "is_bfloat16_supported", "is_compiled_with_avx", "is_compiled_with_brpc",
    "is_compiled_with_cinn", "is_compiled_with_cuda", "is_compiled_with_custom_device", "is_compiled_with_dist",
    "is_compiled_with_distribute", "is_compiled_with_ipu", "is_compiled_with_mkldnn", "is_compiled_with_mpi",
    "is_compiled_with_mpi_aware", "is_compiled_with_nccl", "is_compiled_with_rocm", "is_compiled_with_xpu",
    "is_float16_supported", "is_profiler_enabled", "kAll", "kAllOpDetail", "kAutoParallelSuffix", "kAve", "kCPU", "kCUDA",
    "kCalls", "kControlDepVarName", "kDefault", "kDisabled", "kEmptyVarName", "kGradVarSuffix", "kMax", "kMin",
    "kNewGradSuffix", "kNoneProcessMeshIndex", "kOpDetail", "kTempVarName", "kTotal", "kZeroVarSuffix", "load_lod_tensor",
    "load_lod_tensor_from_memory", "load_selected_rows", "loaded_var_suffix", "op_proto_and_checker_maker", "op_support_gpu",
    "prune", "prune_backward", "reset_profiler", "save_lod_tensor", "save_lod_tensor_to_memory", "save_selected_rows",
    "set_feed_variable", "set_num_threads", "set_variable", "size_of_dtype", "supports_bfloat16",
]  # fmt: skip

__getattr__ = missing(__name__)
