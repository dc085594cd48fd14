"""`paddle.base.incubate.checkpoint.auto_checkpoint`: epochs that PaddleCloud may begin again; elsewhere all of them, in order."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError

_ASKED = ("PADDLE_RUNNING_ENV", "PADDLE_EDL_AUTO_CHECKPOINT")  # how PaddleCloud asks for checkpoints


def train_epoch_range(max_epoch_num: int, save_checkpoint_inter: int | None = None) -> Iterator[int]:
    """The numbers of the epochs to train.

    Args:
        max_epoch_num (int): how many there are; less than 0: there is no end.
        save_checkpoint_inter (int): after how many seconds PaddleCloud keeps a checkpoint; kept.
    Returns:
        Iterator[int]: 0, 1 and so on.
    Raises:
        UnsupportedError: PADDLE_RUNNING_ENV asks for checkpoints.

    Example:
        >>> from paddle_compat.base.incubate.checkpoint import auto_checkpoint
        >>> list(auto_checkpoint.train_epoch_range(3))
        [0, 1, 2]

    Follows Paddle 2.6.
    """
    if os.environ.get(_ASKED[0]) == _ASKED[1]:
        raise UnsupportedError("paddle.base.incubate.checkpoint.auto_checkpoint", "=".join(_ASKED), "paddle.save after each epoch")
    return iter(range(max_epoch_num)) if max_epoch_num >= 0 else itertools.count()


__all__ = ["train_epoch_range"]
__getattr__ = missing(__name__)
