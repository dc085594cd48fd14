"""`paddle.utils.dlpack`: tensors handed to other libraries, and taken from them, without a copy."""

from __future__ import annotations

from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.core.errors import type_error
from paddle_compat.core.tensor import Tensor


def to_dlpack(x: Any) -> Any:
    """A capsule that other libraries make their arrays of.

    Args:
        x (Tensor): it shares its elements.
    Returns:
        PyCapsule.
    Raises:
        TypeError: x is no Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> type(paddle.utils.dlpack.to_dlpack(paddle.ones([2]))).__name__
        'PyCapsule'

    Follows Paddle 2.6.
    """
    if not isinstance(x, Tensor):
        raise type_error("x", "paddle.Tensor", x, "to_dlpack")
    return torch.utils.dlpack.to_dlpack(x._t.detach())


def from_dlpack(dlpack: Any) -> Tensor:
    """A Tensor of a capsule, whose elements it shares.

    Args:
        dlpack (PyCapsule): what some library's `to_dlpack` gave.
    Returns:
        Tensor.
    Raises:
        TypeError: it is no capsule.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.utils.dlpack.from_dlpack(paddle.utils.dlpack.to_dlpack(paddle.ones([2]))).tolist()
        [1.0, 1.0]

    Follows Paddle 2.6.
    """
    if type(dlpack).__name__ != "PyCapsule":
        raise type_error("dlpack", "PyCapsule", dlpack, "from_dlpack")
    return Tensor(torch.utils.dlpack.from_dlpack(dlpack))


__all__ = ["from_dlpack", "to_dlpack"]

__getattr__ = missing(__name__)
