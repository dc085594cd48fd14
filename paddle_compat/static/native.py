"""The names of Paddle's C++ module that scripts reach for through `fluid.core` and `base.core`."""

from __future__ import annotations

from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.core.descs import BlockDesc, OpDesc, ProgramDesc, VarDesc, get_grad_op_desc
from paddle_compat.core.dtype import DataType, VarType
from paddle_compat.core.errors import EnforceNotMet, EOFException
from paddle_compat.core.lod import LoDTensor, LoDTensorArray
from paddle_compat.core.op import find_op, registered
from paddle_compat.core.op_protos import all_protos as get_all_op_protos
from paddle_compat.core.operator import OpRole
from paddle_compat.core.place import CPUPlace, CUDAPinnedPlace, CUDAPlace, Place
from paddle_compat.core.proto import AttrType
from paddle_compat.core.scope import Scope
from paddle_compat.core.scope import ScopeVariable as Variable
from paddle_compat.core.selected_rows import SelectedRows
from paddle_compat.core.tensor import Tensor as VarBase
from paddle_compat.device import (
    get_all_custom_device_type,
    get_all_device_type,
    is_compiled_with_cinn,
    is_compiled_with_custom_device,
    is_compiled_with_ipu,
    is_compiled_with_rocm,
    is_compiled_with_xpu,
)

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
    """Whether an operator has a gradient."""
    found = find_op(op_type)
    return found is not None and found.grad is not None


def has_infer_inplace(op_type: str) -> bool:
    """Whether a pass may let an operator write over its inputs' memory: never, torch owns the memory."""
    return False


def globals() -> Any:
    """The flags, as a mapping."""
    from paddle_compat.core import flags

    return flags.view()


__all__ = [
    "AttrType", "BlockDesc", "CPUPlace", "CUDAPinnedPlace", "CUDAPlace", "DataType", "EOFException", "EnforceNotMet", "LoDTensor",
    "LoDTensorArray", "OpDesc", "Place", "ProgramDesc", "Scope", "SelectedRows", "Tensor", "VarBase", "VarDesc", "VarType",
    "Variable", "_Scope", "_is_all_prim_enabled", "_is_bwd_prim_enabled", "_is_fwd_prim_enabled", "_set_prim_all_enabled",
    "_set_prim_backward_enabled", "_set_prim_forward_enabled", "empty_var_name", "get_all_custom_device_type",
    "get_all_device_type", "get_all_op_names", "get_all_op_protos", "get_cuda_device_count", "get_grad_op_desc", "globals",
    "grad_var_suffix", "has_grad_op_maker", "has_infer_inplace", "is_bfloat16_supported", "is_compiled_with_brpc",
    "is_compiled_with_cinn", "is_compiled_with_cuda", "is_compiled_with_custom_device", "is_compiled_with_dist",
    "is_compiled_with_ipu", "is_compiled_with_mkldnn", "is_compiled_with_rocm", "is_compiled_with_xpu", "is_float16_supported",
    "op_proto_and_checker_maker", "op_support_gpu", "supports_bfloat16",
]  # fmt: skip

__getattr__ = missing(__name__)
