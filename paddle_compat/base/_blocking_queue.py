"""The queue that C++'s readers of Paddle 1.8 take batches from."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Iterator

from paddle_compat.core.errors import PreconditionNotMetError
from paddle_compat.core.lod import LoDTensor
from paddle_compat.core.scope import ScopeVariable


class LoDTensorBlockingQueue:
    """The queue of a reader that no generator fills: scripts push batches into it, from threads of their own, and close it.

    Made by `init_lod_tensor_blocking_queue`.

    Args:
        capacity (int): how many batches it has room for.

    Example:
        >>> from paddle_compat.fluid import core
        >>> queue = core.init_lod_tensor_blocking_queue(core.Scope().var("queue"), 2, False)
        >>> queue.push(core.LoDTensorArray()), queue.size(), queue.capacity()
        (True, 1, 2)
        >>> queue.close(); queue.push(core.LoDTensorArray())
        False
        >>> queue.kill(); queue.size()
        0

    Follows Paddle 1.8.
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._batches: deque[list[LoDTensor]] = deque()
        self._closed = False
        self._changed = threading.Condition()

    def push(self, batch: Iterable[LoDTensor]) -> bool:
        """Put a batch behind the others, when there is room.

        Args:
            batch: a LoDTensor for each field.
        Returns:
            bool: False once the queue is closed.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._closed or len(self._batches) < self._capacity)
            if not self._closed:
                self._batches.append(list(batch))
                self._changed.notify_all()
            return not self._closed

    def size(self) -> int:
        """How many batches wait.

        Returns:
            int.
        """
        return len(self._batches)

    def capacity(self) -> int:
        """How many batches it has room for.

        Returns:
            int.
        """
        return self._capacity

    def kill(self) -> None:
        """Let nothing more in, and forget what waits."""
        with self._changed:
            self._batches.clear()
            self._closed = True
            self._changed.notify_all()

    def close(self) -> None:
        """Let nothing more in: when the batches that wait are read, the pass is at its end."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _reopen(self) -> None:
        """Begin anew, without batches."""
        with self._changed:
            self._batches.clear()
            self._closed = False

    def __iter__(self) -> Iterator[list[LoDTensor]]:
        return self

    def __next__(self) -> list[LoDTensor]:
        with self._changed:
            if not self._batches and not self._closed and threading.active_count() == 1:  # nobody is there to push
                raise PreconditionNotMetError("The reader has nothing to read. Expected `start()`, or batches pushed. Received: none")
            self._changed.wait_for(lambda: self._closed or self._batches)
            if not self._batches:
                raise StopIteration
            self._changed.notify_all()
            return self._batches.popleft()


def init_lod_tensor_blocking_queue(var: ScopeVariable, capacity: int, is_ordered: bool) -> LoDTensorBlockingQueue:
    """A queue of batches, which a variable of a Scope holds from now on.

    Args:
        var: the variable.
        capacity (int): how many batches it has room for.
        is_ordered (bool): of no effect: batches always come out as they went in.
    Returns:
        LoDTensorBlockingQueue.

    Example:
        >>> from paddle_compat.fluid import core
        >>> core.init_lod_tensor_blocking_queue(core.Scope().var("queue"), 2, False).size()
        0

    Follows Paddle 1.8.
    """
    var.other = queue = LoDTensorBlockingQueue(capacity)
    return queue
