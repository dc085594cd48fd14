"""`paddle.fluid.contrib.reader.distributed_reader`: batches shared out among trainers."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion


def distributed_batch_reader(batch_reader: Callable[[], Any]) -> Callable[[], Iterator[Any]]:
    """A reader of every n-th batch, for this of n trainers; batches that do not go round to all are left out.

    Where there are several trainers, each pass begins with a line that says which one it is.

    Args:
        batch_reader: a function that gives the batches of all.
    Returns:
        A function without arguments that gives an iterator.
    Raises:
        AssertionError: the environment numbers this trainer beyond the last.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> reader = fluid.contrib.reader.distributed_batch_reader(lambda: iter(range(4)))
        >>> list(reader())
        [0, 1, 2, 3]

    Follows Paddle 1.8.
    """
    count, own = int(os.getenv("PADDLE_TRAINERS_NUM", "1")), int(os.getenv("PADDLE_TRAINER_ID", "0"))

    if own >= count:
        raise failed_assertion("PADDLE_TRAINER_ID", f"a number below PADDLE_TRAINERS_NUM = {count}", own, "distributed_batch_reader")

    def reader() -> Iterator[Any]:
        if count > 1:
            print(f"start data reader (trainers_num: {count}, trainer_id: {own})")
        group = []
        for batch in batch_reader():
            group.append(batch)
            if len(group) == count:
                yield group[own]
                group = []

    return reader


__all__ = ["distributed_batch_reader"]

__getattr__ = missing(__name__)
