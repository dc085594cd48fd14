"""A reader of batches from a reader of samples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

_Reader = Callable[[], Iterable[Any]]


def batch(reader: _Reader, batch_size: int, drop_last: bool = False) -> Callable[[], Iterator[list[Any]]]:
    """A reader of batches.

    Args:
        reader: a function that gives samples.
        batch_size: how many samples a batch has.
        drop_last: leave out the last batch where it is smaller.
    Returns:
        A function that gives lists of samples.
    Raises:
        ValueError: batch_size is not positive.

    Example:
        >>> import paddle_compat as paddle
        >>> reader = paddle.batch(lambda: range(5), batch_size=2)
        >>> list(reader())
        [[0, 1], [2, 3], [4]]

    Follows Paddle 1.8 and 2.6.
    """
    size = int(batch_size)
    if size <= 0:
        raise ValueError(f"batch_size should be a positive integer value, but got batch_size={batch_size}")

    def read() -> Iterator[list[Any]]:
        samples: list[Any] = []
        for sample in reader():
            samples.append(sample)
            if len(samples) == size:
                yield samples
                samples = []
        if samples and not drop_last:
            yield samples

    return read
