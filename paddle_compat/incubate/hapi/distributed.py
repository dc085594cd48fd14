"""`paddle.incubate.hapi.distributed` (Paddle 1.8): the lists of indices that one of several processes reads."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.io.dataloader import batch_sampler as samplers


class DistributedBatchSampler(samplers.DistributedBatchSampler):
    """The lists of indices that this process of the launcher's reads; `paddle.io` has it with the processes as arguments.

    Args:
        dataset (Dataset): what is sampled; anything with a length.
        batch_size (int): how many indices a list has.
        shuffle (bool): whether samples come at random, in an order that the epoch's number decides.
        drop_last (bool): leave out the last list where it is shorter.

    Raises:
        AssertionError: an argument is none of these.

    Example:
        >>> from paddle_compat.incubate.hapi.distributed import DistributedBatchSampler
        >>> list(DistributedBatchSampler("abcde", 2))
        [[0, 1], [2, 3], [4]]

    Follows Paddle 1.8.
    """

    def __init__(self, dataset: Any, batch_size: int, shuffle: bool = False, drop_last: bool = False) -> None:
        super().__init__(dataset, batch_size, shuffle=shuffle, drop_last=drop_last)


__all__ = ["DistributedBatchSampler"]

__getattr__ = missing(__name__)
