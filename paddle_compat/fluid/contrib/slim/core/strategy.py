"""`paddle.fluid.contrib.slim.core.strategy`: what changes Programs while they are trained."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing


class Strategy:
    """What a Compressor asks before and after each part of the training: for subclasses, which say what to do in some of them.

    Args:
        start_epoch (int): the epoch with which it begins.
        end_epoch (int): the epoch with which it ends.

    Example:
        >>> from paddle_compat.fluid.contrib.slim.core import Strategy
        >>> class Counter(Strategy):
        ...     batches = 0
        ...     def on_batch_end(self, context):
        ...         self.batches += 1
        >>> counter = Counter(0, 2)
        >>> counter.on_compression_begin(None), counter.on_epoch_begin(None), counter.on_batch_begin(None), counter.on_batch_end(None)
        (None, None, None, None)
        >>> counter.on_epoch_end(None), counter.on_compression_end(None), counter.restore_from_checkpoint(None), counter.batches
        (None, None, None, 1)

    Follows Paddle 1.8.
    """

    def __init__(self, start_epoch: int = 0, end_epoch: int = 0) -> None:
        self.start_epoch, self.end_epoch = start_epoch, end_epoch

    def on_compression_begin(self, context: Any) -> None:
        """Before the first epoch.

        Args:
            context (Context): the state of the training.
        """

    def on_epoch_begin(self, context: Any) -> None:
        """Before each epoch.

        Args:
            context (Context): the state of the training.
        """

    def on_epoch_end(self, context: Any) -> None:
        """After each epoch, its evaluation and its checkpoint.

        Args:
            context (Context): the state of the training.
        """

    def on_batch_begin(self, context: Any) -> None:
        """Before each batch.

        Args:
            context (Context): the state of the training.
        """

    def on_batch_end(self, context: Any) -> None:
        """After each batch.

        Args:
            context (Context): the state of the training.
        """

    def on_compression_end(self, context: Any) -> None:
        """After the last epoch.

        Args:
            context (Context): the state of the training.
        """

    def restore_from_checkpoint(self, context: Any) -> None:
        """Before the values of a checkpoint are loaded.

        Args:
            context (Context): the state of the training; its `epoch_id` is the epoch to go on with.
        """


__all__ = ["Strategy"]

__getattr__ = missing(__name__)
