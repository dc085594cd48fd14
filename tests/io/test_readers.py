"""`paddle.batch` and `paddle.reader`: readers made from readers."""

from __future__ import annotations

import importlib
import itertools
import os
import random
import threading
import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from processes import SECONDS

import paddle_compat as paddle
from paddle_compat.reader import (
    ComposeNotAligned,
    buffered,
    cache,
    chain,
    compose,
    firstn,
    map_readers,
    multiprocess_reader,
    shuffle,
    xmap_readers,
)

pytestmark = pytest.mark.usefixtures("bounded")


def upto(count: int) -> Callable[[], Iterator[int]]:
    return lambda: iter(range(count))


def failing() -> Iterator[int]:
    yield 1
    raise KeyError("reader")


def test_batch() -> None:
    assert list(paddle.batch(upto(5), 2)()) == [[0, 1], [2, 3], [4]]
    assert list(paddle.batch(upto(5), 2, drop_last=True)()) == [[0, 1], [2, 3]]
    assert list(paddle.batch(upto(2), "2")()) == [[0, 1]]
    for size in (0, -1):
        with pytest.raises(ValueError, match=f"but got batch_size={size}"):
            paddle.batch(upto(5), size)
    reader = paddle.batch(upto(3), 2)
    assert list(reader()) == list(reader()) == [[0, 1], [2]]


def test_batch_is_the_function_whatever_was_imported() -> None:
    assert paddle.fluid.io.batch.__name__ == paddle.batch.__name__ == "batch"
    module = importlib.import_module("paddle_compat.batch")
    assert list(module.batch(upto(3), 2)()) == list(paddle.batch(upto(3), 2)()) == [[0, 1], [2]]


def test_simple_ones() -> None:
    assert list(map_readers(lambda a, b: a + b, upto(3), upto(5))()) == [0, 2, 4]
    assert list(chain(upto(2), upto(3))()) == [0, 1, 0, 1, 2]
    assert list(firstn(upto(5), 3)()) == [0, 1, 2] and list(firstn(upto(2), 3)()) == [0, 1]
    calls = []
    kept = cache(lambda: map(calls.append, range(3)))
    assert list(kept()) == list(kept()) == [None] * 3 and calls == [0, 1, 2]


def test_shuffle_is_that_of_python() -> None:
    random.seed(3)
    found = list(shuffle(upto(7), 3)())
    random.seed(3)
    expected: list[int] = []
    for part in ([0, 1, 2], [3, 4, 5], [6]):
        random.shuffle(part)
        expected += part
    assert found == expected


def test_compose() -> None:
    pairs = compose(upto(3), lambda: iter([(10, 11), (12, 13), (14, 15)]))
    assert list(pairs()) == [(0, 10, 11), (1, 12, 13), (2, 14, 15)]
    with pytest.raises(ComposeNotAligned, match="outputs of readers are not aligned"):
        list(compose(upto(3), upto(2))())
    assert list(compose(upto(3), upto(2), check_alignment=False)()) == [(0, 0), (1, 1)]


def test_buffered() -> None:
    arrays = buffered(lambda: iter([np.ones(2), np.zeros(2)]), 1)
    assert [a.sum() for a in arrays()] == [2, 0]
    read = []
    ahead = buffered(lambda: map(read.append, range(100)), 5)()
    next(ahead)
    while len(read) < 6:
        time.sleep(0.01)
    ahead.close()
    assert len(read) < 15
    samples = buffered(failing, 3)()
    assert next(samples) == 1
    with pytest.raises(KeyError, match="reader"):
        next(samples)


@pytest.mark.parametrize("order", (True, False))
@pytest.mark.parametrize("processes, size", ((1, 1), (3, 2), (4, 20)))
def test_xmap(order: bool, processes: int, size: int) -> None:
    def slow(value: int) -> int:
        time.sleep(0.001 * (value % 3))
        return value * value

    found = list(xmap_readers(slow, upto(25), processes, size, order)())
    assert (found if order else sorted(found)) == [value * value for value in range(25)]
    endless = xmap_readers(slow, itertools.count, processes, size, order)()
    assert set(itertools.islice(endless, 5)) <= {value * value for value in range(processes + size + 9)}
    endless.close()


@pytest.mark.parametrize("order", (True, False))
def test_xmap_raises_what_its_parts_raise(order: bool) -> None:
    with pytest.raises(ZeroDivisionError):
        list(xmap_readers(lambda value: 1 // (value - 3), upto(9), 2, 4, order)())
    with pytest.raises(KeyError, match="reader"):
        list(xmap_readers(lambda value: value, failing, 2, 4, order)())


def test_xmap_works_in_threads() -> None:
    together = threading.Barrier(3, timeout=SECONDS)
    assert len(list(xmap_readers(lambda value: together.wait(), upto(6), 3, 6)())) == 6


@pytest.mark.parametrize("use_pipe", (True, False))
def test_processes(use_pipe: bool) -> None:
    both = multiprocess_reader([lambda: iter([[1, 2.5], [os.getpid()]]), lambda: iter(["text", {"a": 1}])], use_pipe, 2)
    for _ in range(2):
        found = list(both())
        assert len(found) == 4 and all(sample in found for sample in ([1, 2.5], "text", {"a": 1})) and [os.getpid()] not in found
    early = both()
    next(early)
    early.close()
    for bad in (failing, lambda: iter([1, None]), lambda: iter([os._exit(3)])):
        with pytest.raises(ValueError, match="multiprocess reader raises an exception"):
            list(multiprocess_reader([bad], use_pipe)())
    for wrong in ([], upto(3), None):
        with pytest.raises(AssertionError, match="Invalid value for argument `readers`"):
            multiprocess_reader(wrong, use_pipe)


def test_samples_through_a_queue_stay_what_they_are() -> None:
    (sample,) = multiprocess_reader([lambda: iter([(np.arange(3), "a")])], use_pipe=False)()
    assert isinstance(sample, tuple) and sample[0].tolist() == [0, 1, 2]
