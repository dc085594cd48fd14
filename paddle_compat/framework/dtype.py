"""The default data type, and limits of data types."""

from __future__ import annotations

from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.core import dtype as _dtype
from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import invalid_argument, type_error
from paddle_compat.framework import dtypes


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
    found = _dtype.exact_dtype(d)
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
    Raises:
        ValueError: it is no data type of integers.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.iinfo("int8").max
        127

    Follows Paddle 2.6.
    """
    kind = _dtype.torch_dtype(dtype)
    if kind.is_floating_point or kind.is_complex or kind is torch.bool:
        raise invalid_argument("dtype", "a data type of integers", _dtype.dtype_name(dtype), "iinfo")
    return _Limits("iinfo", torch.iinfo(kind), ("min", "max", "bits", "dtype"))


def finfo(dtype: Any) -> Any:
    """Limits of a floating data type: `min`, `max`, `eps`, `tiny`, `bits`, `dtype`.

    Args:
        dtype: the data type.
    Returns:
        An object with `bits`, `dtype`, `eps`, `max`, `min`, `tiny` and more.
    Raises:
        ValueError: it is no data type of floats.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.finfo("float32").bits
        32

    Follows Paddle 2.6.
    """
    kind = _dtype.torch_dtype(dtype)
    if not (kind.is_floating_point or kind.is_complex):
        raise invalid_argument("dtype", "a data type of floats or complex numbers", _dtype.dtype_name(dtype), "finfo")
    return _Limits("finfo", torch.finfo(kind), ("min", "max", "eps", "resolution", "smallest_normal", "tiny", "bits", "dtype"))


class _Limits:
    """What is known of a data type, as `iinfo` and `finfo` show it."""

    def __init__(self, function: str, found: Any, names: tuple[str, ...]) -> None:
        vars(self).update({name: getattr(found, name) for name in names})
        shown = (f"{name}={value:g}" if isinstance(value, float) else f"{name}={value}" for name, value in vars(self).items())
        self._shown = f"paddle.{function}({', '.join(shown)})"

    def __repr__(self) -> str:
        return self._shown


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


__all__ = ["convert_np_dtype_to_dtype_", "finfo", "get_default_dtype", "iinfo", "set_default_dtype"]

_missing = missing(__name__)


def __getattr__(name: str) -> Any:
    """A data type by its name, which would hide Python's own here."""
    if name in dtypes.__all__:
        return getattr(dtypes, name)
    return _missing(name)
