"""The default data type, and limits of data types."""

from __future__ import annotations

from typing import Any

import torch

from paddle_compat.core import dtype as _dtype
from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import type_error


def set_default_dtype(d: Any) -> None:
    """Set the data type that Python floats and new parameters take.

    Args:
        d: float16, bfloat16, float32 or float64.
    Raises:
        TypeError: d is none of them.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.set_default_dtype("float32")

    Follows Paddle 2.6.
    """
    found = _dtype.convert_dtype(d)
    if found not in (VarType.FP16, VarType.BF16, VarType.FP32, VarType.FP64):
        raise type_error("d", "float16, bfloat16, float32 or float64", d, "set_default_dtype")
    _dtype.set_default(found)


def get_default_dtype() -> str:
    """The data type that Python floats and new parameters take.

    Returns:
        Its name.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.get_default_dtype()
        'float32'

    Follows Paddle 2.6.
    """
    return _dtype.dtype_name(_dtype.default())


def iinfo(dtype: Any) -> Any:
    """Limits of an integer data type: `min`, `max`, `bits`, `dtype`.

    Args:
        dtype: the data type.
    Returns:
        An object with `bits`, `dtype`, `max`, `min`.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.iinfo("int8").max
        127

    Follows Paddle 2.6.
    """
    return torch.iinfo(_dtype.torch_dtype(dtype))


def finfo(dtype: Any) -> Any:
    """Limits of a floating data type: `min`, `max`, `eps`, `tiny`, `bits`, `dtype`.

    Args:
        dtype: the data type.
    Returns:
        An object with `bits`, `dtype`, `eps`, `max`, `min`, `tiny` and more.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.finfo("float32").bits
        32

    Follows Paddle 2.6.
    """
    return torch.finfo(_dtype.torch_dtype(dtype))


def convert_np_dtype_to_dtype_(np_dtype: Any) -> VarType:
    """A numpy dtype as Paddle's.

    Args:
        np_dtype: numpy dtype or its name.
    Returns:
        VarType.

    Example:
        >>> import paddle_compat as paddle
        >>> print(paddle.framework.convert_np_dtype_to_dtype_("int64"))
        paddle.int64

    Follows Paddle 2.6.
    """
    return _dtype.convert_dtype(np_dtype)
