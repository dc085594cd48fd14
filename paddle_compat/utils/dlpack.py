"""`paddle.utils.dlpack`: tensors handed to other libraries, and taken from them, without a copy."""

from __future__ import annotations

from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.core.errors import invalid_argument, type_error
from paddle_compat.core.place import place_of_name
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


def from_dlpack(dlpack: Any, *, device: Any = None, copy: bool | None = None) -> Tensor:
    """A Tensor of another library's array, whose elements it shares.

    Args:
        dlpack: what some library's `to_dlpack` gave, or an array that has `__dlpack__`.
        device: where the Tensor is to live; None: where the array does.
        copy (bool): whether the elements are copied.
    Returns:
        Tensor.
    Raises:
        TypeError: it is nothing of the kind.
        ValueError: something was made of the capsule before.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.utils.dlpack.from_dlpack(paddle.utils.dlpack.to_dlpack(paddle.ones([2]))).tolist()
        [1.0, 1.0]

    Follows Paddle 2.6.
    """
    if isinstance(dlpack, Tensor):
        dlpack = dlpack._t.detach()
    if type(dlpack).__name__ != "PyCapsule" and not hasattr(dlpack, "__dlpack__"):
        raise type_error("dlpack", "PyCapsule, or an array that has `__dlpack__`", dlpack, "from_dlpack")
    if type(dlpack).__name__ == "PyCapsule" and '"dltensor' not in repr(dlpack):  # capsules are renamed when somebody takes what is in them
        raise invalid_argument("dlpack", "a capsule that nothing was made of yet", "a used one", "from_dlpack")
    made = torch.utils.dlpack.from_dlpack(dlpack)
    if device is not None:
        made = made.to(place_of_name(device, "device", "from_dlpack").torch_device)
    return Tensor(made.clone() if copy else made)


__all__ = ["from_dlpack", "to_dlpack"]

__getattr__ = missing(__name__)
