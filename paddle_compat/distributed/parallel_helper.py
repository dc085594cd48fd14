"""`paddle.distributed.parallel_helper`: whether the processes of a job have met."""

from __future__ import annotations

from paddle_compat._missing import missing
from paddle_compat.distributed import _groups


def _is_parallel_ctx_initialized() -> bool:
    """Whether this process has met others."""
    return _groups.by_number(0) is not None


def _is_data_parallel_mode() -> bool:
    """Whether several processes train together."""
    return _is_parallel_ctx_initialized() and _groups.job_size() > 1


__getattr__ = missing(__name__)
