"""Readers made from readers.

A reader is a function without arguments that gives an iterable of samples; each call begins anew.
"""

from __future__ import annotations

import functools
import itertools
import json
import multiprocessing
import queue
import random
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion

Reader = Callable[[], Iterable[Any]]
Generator = Callable[[], Iterator[Any]]


class ComposeNotAligned(ValueError):
    """Readers that were composed have different numbers of samples.

    Example:
        >>> import paddle_compat as paddle
        >>> issubclass(paddle.reader.ComposeNotAligned, ValueError)
        True

    Follows Paddle 1.8 and 2.6.
    """


def cache(reader: Reader) -> Generator:
    """A reader that keeps all samples in memory; they are read at once.

    Args:
        reader: a reader.
    Returns:
        A reader.

    Example:
        >>> import paddle_compat as paddle
        >>> list(paddle.reader.cache(lambda: iter("ab"))())
        ['a', 'b']

    Follows Paddle 1.8 and 2.6.
    """
    samples = tuple(reader())
    return lambda: iter(samples)


def map_readers(func: Callable[..., Any], *readers: Reader) -> Generator:
    """A reader of what a function makes of the samples of several readers.

    Args:
        func: takes a sample of each.
        readers: readers; the shortest one ends it.
    Returns:
        A reader.

    Example:
        >>> import paddle_compat as paddle
        >>> list(paddle.reader.map_readers(lambda a, b: a * b, lambda: [1, 2, 3], lambda: [4, 5, 6])())
        [4, 10, 18]

    Follows Paddle 1.8 and 2.6.
    """
    return lambda: map(func, *(reader() for reader in readers))


def shuffle(reader: Reader, buf_size: int) -> Generator:
    """A reader that shuffles the samples, so many at a time, by Python's `random`.

    Args:
        reader: a reader.
        buf_size: how many.
    Returns:
        A reader.

    Example:
        >>> import paddle_compat as paddle
        >>> sorted(paddle.reader.shuffle(lambda: range(4), 4)())
        [0, 1, 2, 3]

    Follows Paddle 1.8 and 2.6.
    """

    def read() -> Iterator[Any]:
        samples = iter(reader())
        # at least one at a time
        while part := list(itertools.islice(samples, max(buf_size, 1))):
            random.shuffle(part)
            yield from part

    return read


def chain(*readers: Reader) -> Generator:
    """A reader of the samples of several readers, one after the other.

    Args:
        readers: readers.
    Returns:
        A reader.

    Example:
        >>> import paddle_compat as paddle
        >>> list(paddle.reader.chain(lambda: "ab", lambda: "c")())
        ['a', 'b', 'c']

    Follows Paddle 1.8 and 2.6.
    """
    return lambda: itertools.chain.from_iterable([reader() for reader in readers])


def compose(*readers: Reader, **kwargs: bool) -> Generator:
    """A reader of samples that have the fields of the samples of several readers.

    Args:
        readers: readers; a sample that is no tuple is one field.
        kwargs: `check_alignment=False` ends with the shortest; else all have to end at once.
    Returns:
        A reader of tuples.
    Raises:
        ComposeNotAligned: the readers do not end at once; where samples are read.

    Example:
        >>> import paddle_compat as paddle
        >>> list(paddle.reader.compose(lambda: [1, 2], lambda: [("a", "b"), ("c", "d")])())
        [(1, 'a', 'b'), (2, 'c', 'd')]

    Follows Paddle 1.8 and 2.6.
    """
    together: Any = itertools.zip_longest if kwargs.get("check_alignment", True) else zip

    def read() -> Iterator[tuple[Any, ...]]:
        for samples in together(*(reader() for reader in readers)):
            if together is not zip and any(sample is None for sample in samples):
                raise ComposeNotAligned("outputs of readers are not aligned. Expected as many samples of each. Received: one without")
            yield tuple(itertools.chain.from_iterable(s if isinstance(s, tuple) else (s,) for s in samples))

    return read


class _End:
    """The last thing in a queue: the reader has ended, or an exception ended it."""

    def __init__(self, error: BaseException | None = None) -> None:
        self.error = error


def buffered(reader: Reader, size: int) -> Generator:
    """A reader whose samples a thread reads ahead.

    Args:
        reader: a reader.
        size: how many; 0: no matter how many.
    Returns:
        A reader.
    Raises:
        Exception: what the thread met; where samples are read.

    Example:
        >>> import paddle_compat as paddle
        >>> list(paddle.reader.buffered(lambda: range(3), 2)())
        [0, 1, 2]

    Follows Paddle 1.8 and 2.6.
    """

    def read() -> Iterator[Any]:
        samples: queue.Queue[Any] = queue.Queue(size)
        left = threading.Event()

        def fill() -> None:
            end = _End()
            try:
                for sample in reader():
                    samples.put(sample)
                    if left.is_set():
                        return
            except Exception as error:  # which Paddle's thread would keep for itself, and the reader wait for ever
                end.error = error
            samples.put(end)

        threading.Thread(target=fill, daemon=True).start()
        try:
            while not isinstance(sample := samples.get(), _End):
                yield sample
        finally:  # a thread that waits for room sees that nobody reads any more
            left.set()
            while not samples.empty():
                samples.get_nowait()
        if sample.error is not None:
            raise sample.error

    return read


def firstn(reader: Reader, n: int) -> Generator:
    """A reader of the first samples.

    Args:
        reader: a reader.
        n: how many.
    Returns:
        A reader.

    Example:
        >>> import paddle_compat as paddle
        >>> list(paddle.reader.firstn(lambda: range(9), 2)())
        [0, 1]

    Follows Paddle 1.8 and 2.6.
    """
    return lambda: itertools.islice(reader(), n)


def xmap_readers(mapper: Callable[[Any], Any], reader: Reader, process_num: int, buffer_size: int, order: bool = False) -> Generator:
    """A reader of what a function makes of samples, in several threads.

    Args:
        mapper: takes a sample.
        reader: a reader; a thread of its own reads it.
        process_num: how many threads call the mapper.
        buffer_size: how many samples are read, and worked on, ahead.
        order: whether the samples keep their order.
    Returns:
        A reader.

    Example:
        >>> import paddle_compat as paddle
        >>> list(paddle.reader.xmap_readers(lambda x: x * x, lambda: range(4), 2, 3, order=True)())
        [0, 1, 4, 9]

    Follows Paddle 1.8 and 2.6.
    """
    ahead = max(buffer_size, 1) + process_num

    def results(pool: ThreadPoolExecutor, samples: Iterator[Any]) -> Iterator[Any]:
        done: queue.SimpleQueue[Future[Any]] = queue.SimpleQueue()
        asked: deque[Future[Any]] = deque()

        def ask(count: int) -> int:
            for sample in itertools.islice(samples, count):
                asked.append(pool.submit(mapper, sample))
                asked[-1].add_done_callback(done.put)
            return len(asked)

        left = ask(ahead)
        while left:
            if order:
                result = asked.popleft().result()
            else:
                result = done.get().result()
                asked.pop()  # which one does not matter: only their number does
            left = ask(1)
            yield result

    def read() -> Iterator[Any]:
        pool = ThreadPoolExecutor(process_num)
        try:
            yield from results(pool, buffered(reader, buffer_size)())
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    return read


def _send(reader: Reader, to: Any, written: Callable[[Any], Any] = lambda sample: sample) -> None:
    """In a child process: hand on the samples, then None, or an empty text where something went wrong."""
    put = to.send if hasattr(to, "send") else to.put
    try:
        for sample in reader():
            if sample is None:
                raise ValueError("sample has None. Expected readers of samples, for `multiprocess_reader`. Received: None")
            put(written(sample))
    except BaseException:
        put(written(""))
        raise
    put(written(None))


def multiprocess_reader(readers: Sequence[Reader], use_pipe: bool = True, queue_size: int = 1000) -> Generator:
    """A reader of the samples of several readers, each of which runs in a process of its own.

    Args:
        readers: readers.
        use_pipe: whether a pipe, through which samples go as JSON (tuples become lists), connects each process; else one queue.
        queue_size: how many samples the queue holds.
    Returns:
        A reader, whose order is not determined; it raises ValueError where a process failed.
    Raises:
        AssertionError: there is no list of readers.

    Example:
        >>> import paddle_compat as paddle
        >>> sorted(paddle.reader.multiprocess_reader([lambda: [1, 2], lambda: [3]])())
        [1, 2, 3]

    Follows Paddle 1.8 and 2.6.
    """
    if not isinstance(readers, (list, tuple)) or not readers:
        raise failed_assertion("readers", "a list with one reader at least", readers, "multiprocess_reader")
    context: Any = multiprocessing.get_context("fork")

    def from_pipes() -> Iterator[Any]:
        pipes: list[Any] = []
        with _children() as start:
            for reader in readers:
                ours, theirs = context.Pipe(duplex=False)
                start(functools.partial(_send, reader, theirs, json.dumps))
                theirs.close()
                pipes.append(ours)
            while pipes:
                for pipe in list(pipes):
                    try:
                        sample = json.loads(pipe.recv())
                    except EOFError:
                        sample = ""
                    if sample is None:
                        pipes.remove(pipe)
                        continue
                    yield _checked(sample)

    def from_queue() -> Iterator[Any]:
        samples = context.Queue(queue_size)
        with _children() as start:
            children = [start(functools.partial(_send, reader, samples)) for reader in readers]
            ended = 0
            while ended < len(readers):
                try:
                    sample = samples.get(timeout=1)
                except queue.Empty:
                    if any(child.exitcode for child in children):
                        sample = ""
                    else:
                        continue
                if sample is None:
                    ended += 1
                else:
                    yield _checked(sample)

    def _children() -> _Children:
        return _Children(context)

    return from_pipes if use_pipe else from_queue


class _Children:
    """Processes that end when the block does."""

    def __init__(self, context: Any) -> None:
        self.context = context
        self.all: list[Any] = []

    def __enter__(self) -> Callable[[Callable[[], None]], Any]:
        return self.start

    def start(self, work: Callable[[], None]) -> Any:
        """Run a function in a process."""
        child = self.context.Process(target=work, daemon=True)
        child.start()
        self.all.append(child)
        return child

    def __exit__(self, *exception: Any) -> None:
        for child in self.all:
            child.terminate()
            child.join()


def _checked(sample: Any) -> Any:
    if isinstance(sample, str) and not sample:
        raise ValueError("multiprocess reader raises an exception: a child process failed or was ended")
    return sample


__all__ = [
    "ComposeNotAligned", "buffered", "cache", "chain", "compose", "firstn", "map_readers", "multiprocess_reader", "shuffle",
    "xmap_readers",
]  # fmt: skip

__getattr__ = missing(__name__)
