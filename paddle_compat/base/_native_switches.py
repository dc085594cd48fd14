"""Switches and questions of `paddle.base.core` that 1.8 does not have."""

from __future__ import annotations

import torch

from paddle_compat.static._native_builds import supports_bfloat16

_in_primitives = False


def set_prim_eager_enabled(value: bool) -> None:
    """Note that operators of eager mode are to be differentiated in primitives; torch does that itself where it is of use.

    Args:
        value (bool): on or off.

    Example:
        >>> from paddle_compat.base import core
        >>> core.set_prim_eager_enabled(True); core._is_eager_prim_enabled()
        True
        >>> core.set_prim_eager_enabled(False)

    Follows Paddle 2.6.
    """
    global _in_primitives
    _in_primitives = bool(value)


def _is_eager_prim_enabled() -> bool:
    """What `set_prim_eager_enabled` was told last.

    Returns:
        bool: False at the start.

    Example:
        >>> from paddle_compat.base import core
        >>> core._is_eager_prim_enabled()
        False

    Follows Paddle 2.6.
    """
    return _in_primitives


def is_cuda_graph_capturing() -> bool:
    """Whether a CUDA graph is being recorded.

    Returns:
        bool.

    Example:
        >>> from paddle_compat.base import core
        >>> core.is_cuda_graph_capturing()
        False

    Follows Paddle 2.6.
    """
    return torch.cuda.is_available() and torch.cuda.is_current_stream_capturing()


# oneDNN's kernels of other kinds are not there either
supports_bfloat16_fast_performance = supports_int8 = supports_vnni = supports_bfloat16
