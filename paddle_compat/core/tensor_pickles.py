"""What `pickle` says of a Tensor: torch's tensor, or, to be read by Paddle 3.3 too, what Paddle 3.3 says."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import torch

from paddle_compat import _alias
from paddle_compat.core import op as _op
from paddle_compat.core.dtype import dtype_name
from paddle_compat.core.lod import to_numpy

_READ_BY_PADDLE_3_3 = _alias.since("3.3")  # earlier versions pickle no Tensors


def reduced(tensor: Any) -> tuple[Any, tuple[Any, ...]]:
    """What makes the Tensor again: by Paddle's name where the script is for Paddle 3.3, by paddle_compat's elsewhere.

    Args:
        tensor: a Tensor. A parameter or dist tensor comes back as a plain Tensor of all of it, as in Paddle 3.3.
    """
    whole, stop_gradient = reduced_to_torch(tensor)[1]
    if not (_READ_BY_PADDLE_3_3 and _alias.is_installed()):
        return _unpickled, (whole, stop_gradient)
    device = "cpu" if whole.device.type == "cpu" else f"gpu:{whole.device.index or 0}"
    rebuild = import_module("paddle.base.dygraph.math_op_patch")._rebuild_tensor
    return rebuild, (to_numpy(whole), dtype_name(tensor.dtype), device, not stop_gradient)


def reduced_to_torch(tensor: Any) -> tuple[Any, tuple[torch.Tensor, bool]]:
    """`reduced` for paddle_compat alone, under either of its names: the elements go as torch sends them.

    Args:
        tensor: a Tensor.
    """
    whole = tensor._everywhere() if hasattr(tensor._t, "device_mesh") else tensor._t
    return _unpickled, (whole.detach(), tensor.stop_gradient)


def _unpickled(value: torch.Tensor, stop_gradient: bool) -> Any:
    return _op._tensor_class(value if stop_gradient else value.requires_grad_())
