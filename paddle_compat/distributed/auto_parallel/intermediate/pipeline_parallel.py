"""`paddle.distributed.auto_parallel.intermediate.pipeline_parallel`: where a model is split into stages."""

from __future__ import annotations

from enum import Enum

from paddle_compat._missing import missing


class SplitPoint(Enum):
    """Where a `split_spec` of `parallelize` splits a model: in front of the layer that it names, or behind it.

    Example:
        >>> import paddle_compat.distributed as dist
        >>> dist.SplitPoint.END
        <SplitPoint.END: 1>

    Follows Paddle 3.3.
    """

    BEGINNING = 0
    END = 1


__all__ = ["SplitPoint"]
__getattr__ = missing(__name__)
