"""`paddle.framework.recall_error`: what a training process says before it ends, for who starts it again."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing

AADIFF_ERROR = "PaddleRecall error(101): AAdiff"
LOSS_NAN_ERROR = "PaddleRecall error(102): LossNan"
SHARDING_PAD_NON_ZERO_ERROR = "PaddleRecall error(103): ShardingPadNonZero"
LOSS_INF_ERROR = "PaddleRecall error(104): LossInf"


def check_naninf(tensor: Any) -> str | None:
    """What is wrong with a loss.

    Args:
        tensor (Tensor): numbers.
    Returns:
        str|None: `LOSS_NAN_ERROR` where there is a NaN, `LOSS_INF_ERROR` where one is infinite; None: all are finite.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.framework import recall_error
        >>> recall_error.check_naninf(paddle.to_tensor([1.0, float("inf")]))
        'PaddleRecall error(104): LossInf'

    Follows Paddle 3.3.
    """
    if tensor.isfinite().all().item():
        return None
    return LOSS_NAN_ERROR if tensor.isnan().any().item() else LOSS_INF_ERROR


__all__ = ["AADIFF_ERROR", "LOSS_INF_ERROR", "LOSS_NAN_ERROR", "SHARDING_PAD_NON_ZERO_ERROR", "check_naninf"]

__getattr__ = missing(__name__)
