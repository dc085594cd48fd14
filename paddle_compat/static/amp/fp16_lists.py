"""Which operators of a Program compute in low precision, which never do, and which do as their inputs."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.amp.amp_lists import EXTRA_BLACK_LIST, FP16_BLACK_LIST, FP16_WHITE_LIST
from paddle_compat.base.log_helper import get_logger
from paddle_compat.core.dtype import VarType
from paddle_compat.core.place import CUDAPlace, current_place

__all__ = ["AutoMixedPrecisionLists", "CustomOpLists", "check_amp_dtype", "get_low_precision_dtypestr", "get_low_precision_vartype"]

_logger = get_logger(__name__, logging.INFO, fmt="%(asctime)s-%(levelname)s: %(message)s")
_only_supported_fp16_list = {"resnet_unit", "fused_bn_add_activation"}
white_list = set(FP16_WHITE_LIST)
black_list = set(FP16_BLACK_LIST)
# in the precision of what computed their inputs
gray_list = {
    "batch_norm", "c_allreduce_sum", "c_concat", "c_identity", "cast", "concat", "dropout", "elementwise_add", "elementwise_div",
    "elementwise_floordiv", "elementwise_max", "elementwise_min", "elementwise_mod", "elementwise_mul", "elementwise_pow",
    "elementwise_sub", "fill_constant", "flatten2", "fused_attention", "fused_bn_add_activation", "fused_feedforward",
    "fused_multi_transformer", "gather", "gaussian_random", "get_tensor_from_selected_rows", "layer_norm", "leaky_relu", "pool2d",
    "pool3d", "rank", "relu", "relu6", "reshape2", "scale", "sigmoid", "sign", "slice", "soft_relu", "split", "stack", "tanh",
    "top_k", "transpose2", "uniform_random", "uniform_random_batch_size_like", "unstack",
}  # fmt: skip

_KINDS = {"float16": VarType.FP16, "bfloat16": VarType.BF16}


def check_amp_dtype(dtype: Any) -> None:
    """Refuse what is no low precision.

    Args:
        dtype (str|VarType): "float16" or "bfloat16".
    Raises:
        ValueError: it is none of these.

    Example:
        >>> from paddle_compat.static.amp.fp16_lists import check_amp_dtype
        >>> check_amp_dtype("bfloat16")

    Follows Paddle 2.6.
    """
    if dtype not in (*_KINDS, *_KINDS.values()) or isinstance(dtype, int) and not isinstance(dtype, VarType):
        raise ValueError(f"If enable AMP, dtype should be 'float16' or 'bfloat16'. Received: {dtype!r}")


def get_low_precision_vartype(dtype: Any) -> VarType:
    """The data type of low precision that a name says.

    Args:
        dtype (str|VarType): "float16" or "bfloat16".
    Returns:
        VarType.
    Raises:
        TypeError: it is neither a name nor a data type.
        ValueError: it is no low precision.

    Example:
        >>> from paddle_compat.static.amp.fp16_lists import get_low_precision_vartype
        >>> get_low_precision_vartype("bfloat16").name
        'BF16'

    Follows Paddle 2.6.
    """
    if not isinstance(dtype, (str, VarType)):
        raise TypeError(f"The type of dtype is expected to be string or core.VarDesc.VarType, but received {type(dtype)}.")
    check_amp_dtype(dtype)
    return dtype if isinstance(dtype, VarType) else _KINDS[dtype]


def get_low_precision_dtypestr(dtype: Any) -> str:
    """The name of a data type of low precision.

    Args:
        dtype (str|VarType): "float16" or "bfloat16".
    Returns:
        str.
    Raises:
        TypeError: it is neither a name nor a data type.
        ValueError: it is no low precision.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.static.amp.fp16_lists import get_low_precision_dtypestr
        >>> get_low_precision_dtypestr(paddle.bfloat16)
        'bfloat16'

    Follows Paddle 2.6.
    """
    kind = get_low_precision_vartype(dtype)
    return next(name for name, value in _KINDS.items() if value == kind)


def _get_sys_unsupported_list(dtype: Any) -> tuple[str, set[str], set[str]]:
    """The device, the operators that it has not in a data type, and all operators.

    As in eager mode, a CPU computes in bfloat16 and not in float16 (for which PyTorch has slow kernels there, Paddle none).
    """
    from paddle_compat.core.op_protos import all_protos

    every = {proto.type for proto in all_protos()}
    computes = isinstance(current_place(), CUDAPlace) or get_low_precision_vartype(dtype) == VarType.BF16
    return "GPU", set() if computes else set(every), every


def _get_unsupported_list(dtype: Any) -> tuple[set[str], set[str]]:
    _, lacking, every = _get_sys_unsupported_list(dtype)
    return lacking, every


def _get_white_list(dtype: Any) -> set[str]:
    return white_list | _only_supported_fp16_list if get_low_precision_vartype(dtype) == VarType.FP16 else set(white_list)


def _get_black_list() -> set[str]:
    return black_list | EXTRA_BLACK_LIST


class Lists:
    """What the lists of all Paddles are: sets of types of operators, between which some are moved."""

    white_list: set[str]
    black_list: set[str]
    gray_list: set[str]

    def _move(self, white: set[str], black: set[str]) -> None:
        self.white_list = (self.white_list | white) - black
        self.black_list = (self.black_list - white) | black
        self.gray_list -= white | black


class AutoMixedPrecisionLists(Lists):
    """Which operators compute in low precision, which never do, and which do as their inputs.

    Args:
        custom_white_list (set|None): types of operators that are to compute in low precision.
        custom_black_list (set|None): types that are to compute in float32.
        custom_black_varnames (set|None): names of variables; what reads or writes them computes in float32.
        dtype (str|VarType): "float16" or "bfloat16".
    Raises:
        ValueError: the lists overlap, or the data type is none of these.

    Example:
        >>> import paddle_compat as paddle
        >>> lists = paddle.static.amp.AutoMixedPrecisionLists({"softmax"}, {"mul"}, dtype="bfloat16")
        >>> "softmax" in lists.white_list, "softmax" in lists.black_list, "mul" in lists.black_list
        (True, False, True)

    Follows Paddle 2.6.
    """

    def __init__(
        self,
        custom_white_list: Iterable[str] | None = None,
        custom_black_list: Iterable[str] | None = None,
        custom_black_varnames: Iterable[str] | None = None,
        dtype: Any = "float16",
    ) -> None:
        self.amp_dtype = get_low_precision_dtypestr(dtype)
        self._custom_white_list = custom_white_list
        self._custom_black_list = custom_black_list
        self.white_list = _get_white_list(self.amp_dtype)
        self.black_list = _get_black_list()
        self.gray_list = set(gray_list)
        self.unsupported_list, self.all_list = _get_unsupported_list(self.amp_dtype)
        self.black_varnames = custom_black_varnames
        self._update_list()

    def _update_list(self) -> None:
        """Move what was asked for between the lists."""
        white, black = set(self._custom_white_list or ()), set(self._custom_black_list or ())
        if white & black:
            raise ValueError(f"The given custom_white_list overlaps custom_black_list with < {', '.join(sorted(white & black))} >!")
        for kind in sorted(white & self.unsupported_list):
            _logger.warning("On current device, %s is not supported for operator < %s > in white_list!", self.amp_dtype, kind)
        self._move(white, black)
        self.unsupported_list |= black


CustomOpLists = AutoMixedPrecisionLists

__getattr__ = missing(__name__)
