"""What the loaders of `paddle.base` have in common."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.errors import UnimplementedError


class DataLoaderBase:
    """Base of the loaders over generators and files, which say what iterating gives.

    Example:
        >>> from paddle_compat.base.reader import DataLoaderBase
        >>> loader = DataLoaderBase()
        >>> loader() is loader
        True

    Follows Paddle 1.8 and 2.6.
    """

    def __call__(self) -> Any:
        return self

    def __iter__(self) -> Any:
        raise UnimplementedError(f"`__iter__` is not written. Expected a loader that says it. Received: {type(self).__name__}")

    def __next__(self) -> Any:
        raise UnimplementedError(f"`__next__` is not written. Expected a loader that says it. Received: {type(self).__name__}")

    def next(self) -> Any:
        """The next batch.

        Returns:
            What iterating gives.

        Example:
            >>> import numpy as np, paddle_compat.fluid as fluid
            >>> reader = fluid.io.PyReader([fluid.data("x", [None])], capacity=2)
            >>> reader.decorate_batch_generator(lambda: iter([[np.ones(3, "float32")]]), fluid.cpu_places(1))
            >>> batches = iter(reader)
            >>> reader.next()[0]["x"].shape()
            [3]
        """
        return next(self)
