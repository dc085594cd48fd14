"""`paddle.distributed.parallel_helper`: whether the processes of a job have met, and the same parameters for all of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.distributed import _groups


def _is_parallel_ctx_initialized() -> bool:
    """Whether this process has met others."""
    return _groups.by_number(0) is not None


def _is_data_parallel_mode() -> bool:
    """Whether several processes train together."""
    return _is_parallel_ctx_initialized() and _groups.job_size() > 1


def _broadcast_parameters(parameters: Iterable[Any]) -> None:
    """Give all processes the values that trained parameters have in the first."""
    from paddle_compat.distributed.communication import broadcast

    for parameter in parameters:
        if getattr(parameter, "trainable", False) and not getattr(parameter, "is_distributed", False):
            broadcast(parameter, 0)


__getattr__ = missing(__name__)
