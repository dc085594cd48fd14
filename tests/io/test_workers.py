"""What happens when worker processes fail, die, or are left alone: no pass hangs and no process stays."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from processes import SECONDS, Runner

import paddle_compat as paddle
from paddle_compat.io import DataLoader, Dataset, IterableDataset, get_worker_info
from paddle_compat.io.dataloader import _processes

pytestmark = pytest.mark.usefixtures("bounded")


class Calls(Dataset):
    """Samples that a function makes of their indices."""

    def __init__(self, function: Callable[[int], Any], count: int = 8) -> None:
        self.function = function
        self.count = count

    def __getitem__(self, index: int) -> Any:
        return self.function(index)

    def __len__(self) -> int:
        return self.count


def bad(index: int) -> Any:
    if index == 3:
        raise ValueError("three is bad")
    return np.float32(index)


def test_an_exception_of_the_dataset_here() -> None:
    batches = iter(DataLoader(Calls(bad), batch_size=2))
    assert next(batches).tolist() == [0, 1]
    with pytest.raises(ValueError, match=r"^three is bad$"):
        next(batches)


@pytest.mark.parametrize("persistent", (False, True))
def test_an_exception_in_a_worker(persistent: bool) -> None:
    loader = DataLoader(Calls(bad), batch_size=2, num_workers=2, persistent_workers=persistent)
    for _ in range(2):
        batches = iter(loader)
        assert next(batches).tolist() == [0, 1]
        with pytest.raises(ValueError) as caught:
            next(batches)
        assert isinstance(caught.value, SystemError), "what the real Paddle raises in the main process"
        text = str(caught.value)
        assert text.startswith("DataLoader worker(1) caught ValueError with message:\nTraceback")
        assert "in bad" in text and 'raise ValueError("three is bad")' in text and text.endswith("ValueError: three is bad\n")
        with pytest.raises(StopIteration):
            next(batches)
        assert not multiprocessing.active_children()


class Odd(Exception):
    """An exception that a text alone does not make."""

    def __init__(self, first: int, second: int) -> None:
        super().__init__(first, second)


def raise_odd(index: int) -> Any:
    raise Odd(1, 2)


@pytest.mark.parametrize(
    "function, kind, text",
    (
        (raise_odd, SystemError, "caught Odd with message"),
        (lambda index: b"\xff".decode(), SystemError, "can't decode byte 0xff"),
        (lambda index: {}["key"], KeyError, "KeyError: 'key'"),
        (lambda index: next(iter(())), StopIteration, "caught StopIteration"),
        (lambda index: object(), TypeError, "batch data can only contain"),
        (lambda index: np.zeros(index), ValueError, "same shape"),
        (lambda index: [0] * (index % 3), RuntimeError, "fields number not same"),
        (lambda index: np.array(["text"]), ValueError, "Expected arrays of numbers"),
        (lambda index: np.ones(9, "uint32"), ValueError, "Received: uint32"),
        (lambda index: os.stat("/nowhere"), FileNotFoundError, "No such file"),
    ),
)
def test_exceptions_keep_their_kind(function: Callable[[int], Any], kind: type[Exception], text: str) -> None:
    with pytest.raises(kind) as caught:
        next(iter(DataLoader(Calls(function), batch_size=4, num_workers=2)))
    assert text in str(caught.value)


def test_an_exception_of_an_iterable_dataset() -> None:
    class Bad(IterableDataset):
        def __iter__(self) -> Iterator[int]:
            yield 1
            raise ValueError("after one")

    for workers in (0, 2):
        batches = iter(DataLoader(Bad(), num_workers=workers))
        with pytest.raises(ValueError, match="after one"):
            list(batches)


@pytest.mark.parametrize("workers", (0, 2))
def test_what_is_no_dataset(workers: int) -> None:
    class Empty:
        def __len__(self) -> int:
            return 4

    with pytest.raises(TypeError, match="not subscriptable"):
        list(DataLoader(Empty(), num_workers=workers))
    with pytest.raises(NotImplementedError, match="'__getitem__' not implement in class Half"):

        class Half(Dataset):
            def __len__(self) -> int:
                return 4

        list(DataLoader(Half(), num_workers=workers))


def test_an_exception_of_worker_init_fn() -> None:
    def fail(number: int) -> None:
        raise KeyError(f"worker {number}")

    with pytest.raises(KeyError, match=r"DataLoader worker\(0\) caught KeyError"):
        list(DataLoader(Calls(float), num_workers=2, worker_init_fn=fail))


@pytest.mark.parametrize(
    "end",
    (lambda: os.kill(os.getpid(), signal.SIGKILL), lambda: os._exit(3), lambda: sys.exit(3)),
    ids=("killed", "gone", "exited"),
)
def test_a_worker_that_dies(end: Callable[[], None]) -> None:
    def die(index: int) -> Any:
        if index == 5:
            end()
        return np.float32(index)

    start = time.monotonic()
    with pytest.raises(SystemError, match="exited unexpectedly|killed by signal"):
        for _ in DataLoader(Calls(die), num_workers=2):
            time.sleep(0.2)
        time.sleep(SECONDS)
    assert time.monotonic() - start < SECONDS / 2
    # torch's own handler goes on serving torch's loaders
    assert [b.tolist() for b in DataLoader(Calls(float, 2), num_workers=1)] == [[0.0], [1.0]]


def test_a_pass_that_is_left() -> None:
    for persistent in (False, True):
        loader = DataLoader(Calls(float, 40), num_workers=2, persistent_workers=persistent)
        for _ in range(2):
            for batch in loader:
                assert batch.tolist() == [0.0]
                break
        assert [b.tolist()[0] for b in loader] == list(map(float, range(40)))
        del loader, batch


@pytest.mark.parametrize("opens", [True, False])
def test_large_batches_live_as_long_as_they_are_kept(opens: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory that workers share by their file descriptors, or by torch's way where /proc is closed, is the batch's own."""
    if not opens:
        monkeypatch.setattr(_processes, "_may_open", lambda processes: False)
    loader = DataLoader(Calls(lambda index: np.full(9000, index, "float32"), 24), batch_size=2, num_workers=2, persistent_workers=True)
    first = next(iter(loader))  # a pass that is left, while the workers have made more
    kept = [*loader, *loader]
    assert loader._iterator._workers._plan.opens[0] == opens
    assert first.numpy()[1, 5] == 1 and [float(batch[0, 7]) for batch in kept] == [*range(0, 24, 2)] * 2
    kept[0][0] = 7.0
    assert [float(batch.sum()) for batch in kept[:2]] == [9000 * 8.0, 9000 * 5.0]


def test_an_exception_of_the_batch_sampler() -> None:
    def sampler() -> Iterator[list[int]]:
        yield [0]
        raise KeyError("sampler")

    for workers in (0, 1):
        with pytest.raises(KeyError, match="sampler"):
            list(DataLoader(Calls(float), batch_sampler=sampler(), num_workers=workers))


def test_batches_stay_what_they_were() -> None:
    """A dataset, or a user's collate_fn, that writes to the same array again does not change batches that were given."""
    array = np.zeros(5000, "float32")

    def same(index: Any) -> np.ndarray:
        array[:] = index
        return array

    for workers in (0, 1):
        found = list(DataLoader(Calls(same), batch_size=None, num_workers=workers))
        assert [batch.numpy()[7] for batch in found] == list(range(8))
        found = list(DataLoader(Calls(int), collate_fn=lambda samples: same(samples[0]), num_workers=workers))
        assert [batch.numpy()[7] for batch in found] == list(range(8))


def test_arrays_that_torch_does_not_take_as_they_are() -> None:
    source = np.arange(12.0, dtype="float32").reshape(3, 4)
    source.flags.writeable = False
    views = [source[::-1], source.T, source.astype(">f4"), np.broadcast_to(source[0], (2, 4))]
    for workers in (0, 1):
        for batch_size in (None, 1):
            found = list(DataLoader(Calls(lambda index: views[index], 4), batch_size=batch_size, num_workers=workers))
            assert [np.array_equal(b.numpy().reshape(v.shape), v) for b, v in zip(found, views)] == [True] * 4


def test_bfloat16() -> None:
    small, large = (np.full(n, 0x4049, np.uint16) for n in (3, 20000))
    for array in (small, large):
        for workers in (0, 1):
            for more in ({}, {"use_shared_memory": False}, {"batch_size": None}, {"collate_fn": lambda b: paddle.to_tensor(b[0])}):
                data = paddle.to_tensor(3.140625).astype("bfloat16") if "collate_fn" in more else array
                (batch,) = DataLoader(Calls(lambda index: data, 1), num_workers=workers, **more)  # noqa: B023
                assert batch.dtype == paddle.bfloat16 and set(batch.astype("float32").numpy().ravel()) == {3.140625}


def test_workers_information_ends_with_them() -> None:
    assert [b.tolist() for b in DataLoader(Calls(lambda i: get_worker_info().id, 4), num_workers=2)] == [[0], [1], [0], [1]]
    assert get_worker_info() is None


def test_tensors_made_in_workers_stop_gradients() -> None:
    weight = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    for workers in (0, 1):
        for batch in DataLoader(Calls(lambda index: weight * index), batch_size=2, num_workers=workers):
            assert batch.stop_gradient and batch.place == paddle.CPUPlace()


def test_the_environment_says_which_process_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    for names in (("WORLD_SIZE", "RANK"), ("PADDLE_TRAINERS_NUM", "PADDLE_TRAINER_ID")):
        monkeypatch.setenv(names[0], "2")
        monkeypatch.setenv(names[1], "1")
        sampler = paddle.io.DistributedBatchSampler(range(5), 2)
        assert (sampler.nranks, sampler.local_rank, list(sampler)) == (2, 1, [[2, 3], [0]])
        assert list(paddle.io.DistributedBatchSampler(range(5), 2, num_replicas=1, rank=0)) == [[0, 1], [2, 3], [4]]
        monkeypatch.setenv(names[0], "3")
        monkeypatch.setenv(names[1], "0")


def test_shares_of_a_dataset() -> None:
    assert [len(p) for p in paddle.io.random_split(range(10), [0.35, 0.65])] == [4, 6]
    parts = paddle.io.random_split(range(10), [0.5, 0.2, 0.3])
    assert sorted(i for part in parts for i in part) == list(range(10))
    with pytest.raises(ValueError, match="Fraction at index 1 is not between 0 and 1. Received: -0.5"):
        paddle.io.random_split(range(10), [1.0, -0.5, 0.5])
    with pytest.warns(UserWarning, match="Length of split at index 1 is 0"):
        paddle.io.random_split(range(3), [0.9, 0.1])


def test_a_sampler_is_asked_once_for_each_pass() -> None:
    class Counting(paddle.io.BatchSampler):
        asked = 0

        def __iter__(self) -> Iterator[list[int]]:
            self.asked += 1
            return iter([[self.asked - 1]])

    for workers, persistent in ((0, False), (2, False), (2, True)):
        sampler = Counting(range(8))
        loader = DataLoader(Calls(int), batch_sampler=sampler, num_workers=workers, persistent_workers=persistent)
        assert [[batch.tolist() for batch in loader] for _ in range(3)] == [[[0]], [[1]], [[2]]]
    sampler = paddle.io.DistributedBatchSampler(range(7), 2, 2, 1, shuffle=True)
    expected = [list(sampler) for _ in range(2)]
    sampler.set_epoch(0)
    loader = DataLoader(Calls(int), batch_sampler=sampler, num_workers=1)
    assert [[batch.tolist() for batch in loader] for _ in range(2)] == expected


LEFT = """
import numpy as np, os, paddle, time
from paddle.io import DataLoader
files = len(os.listdir("/proc/self/fd"))
for _ in range(4):
    for batch in DataLoader([np.ones(9999)] * 40, num_workers=1):
        break
    del batch
end = time.monotonic() + 120
while len(os.listdir("/proc/self/fd")) > files and time.monotonic() < end:
    time.sleep(0.01)  # workers that end close theirs in their own time
assert len(os.listdir("/proc/self/fd")) <= files
left = [iter(DataLoader([np.ones(9999)] * 40, num_workers=1, persistent_workers=p)) for p in (False, True)]
print([next(batches).shape for batches in left])
"""


def test_a_script_that_leaves_passes_behind_ends(fresh: Runner) -> None:
    fresh.write({"script.py": LEFT})
    assert fresh.run("-m", "paddle_compat", "script.py") == (0, "[[1, 9999], [1, 9999]]\n", "")
