"""The loops of Paddle's processes that read data, which harnesses run themselves."""

from __future__ import annotations

import multiprocessing
import queue
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat import base, fluid
from paddle_compat.base.reader import _reader_process_loop
from paddle_compat.core.errors import InvalidArgumentError
from paddle_compat.io.dataloader.collate import default_collate_fn
from paddle_compat.io.dataloader.dataloader_iter import _worker_loop
from paddle_compat.io.dataloader.fetcher import _IterableDatasetFetcher, _MapDatasetFetcher
from paddle_compat.io.dataloader.flat import _flatten_batch, _restore_batch
from paddle_compat.io.dataloader.worker import (
    _generate_states,
    _IterableDatasetStopIteration,
    _ResumeIteration,
    _WorkerException,
)


class Rows(paddle.io.Dataset):
    def __getitem__(self, index):
        if index == 7:
            raise ValueError("seven")
        return np.full(2, index, "float32"), {"index": index, "name": "x"}

    def __len__(self):
        return 9


class Three(paddle.io.IterableDataset):
    def __iter__(self):
        return iter([np.full(2, i) for i in range(3)])


def run(dataset: Any, kind: int, given: list[Any], shared: bool = False, init: Any = None, drop_last: bool = False) -> list[Any]:
    """What a worker sends for what it is given, and for a None after the event is set."""

    class Given:
        def __init__(self) -> None:
            self.items = iter(given)

        def get(self, timeout: float) -> Any:
            for item in self.items:
                return item
            done.set()
            return None

    done, sent = multiprocessing.Event(), queue.Queue()
    _worker_loop(dataset, kind, Given(), sent, done, True, default_collate_fn, drop_last, init, 0, 1, shared, 12)
    return [sent.get_nowait() for _ in range(sent.qsize())]


@pytest.fixture(autouse=True)
def main_process_again(monkeypatch):
    worker = paddle.io.dataloader.worker
    monkeypatch.setattr(worker, "_worker_info", None)


@pytest.mark.parametrize("shared", [False, True])
def test_a_worker_sends_batches_and_errors(shared):
    (number, arrays, form), (failed, error, nothing), again = run(Rows(), 0, [(0, [1, 2]), (1, [7, 3]), _ResumeIteration()], shared)
    assert number == 0 and [type(array) for array in arrays] == [fluid.LoDTensor if shared else np.ndarray] * 2
    assert [np.array(array).tolist() for array in arrays] == [[[1, 1], [2, 2]], [1, 2]]
    assert form == ["_paddle_field_0", {"index": "_paddle_field_1", "name": ["x", "x"]}]
    assert (failed, nothing, type(error), error.exc_type) == (1, None, _WorkerException, ValueError)
    with pytest.raises(ValueError, match=r"worker\(0\) caught ValueError with message:\n(.*\n)*ValueError: seven"):
        error.reraise()
    assert isinstance(again[0], _ResumeIteration) and again[1:] == (None, None)


def test_a_worker_says_where_an_iterable_dataset_ends():
    batches = [(number, [None] * 2) for number in range(4)]
    first, second, end = run(Three(), 1, batches)
    assert [np.array(batch[1][0]).tolist() for batch in (first, second)] == [[[0, 0], [1, 1]], [[2, 2]]]
    assert isinstance(end, _IterableDatasetStopIteration) and end.worker_id == 0
    first, end, _, anew = run(Three(), 1, [*batches[:2], _ResumeIteration(), batches[2]], drop_last=True)
    assert isinstance(end, _IterableDatasetStopIteration) and anew[0] == 2 and anew[1][0].tolist() == first[1][0].tolist()


def test_a_worker_whose_start_failed_says_so_once():
    (number, error, form), *others = run(Rows(), 0, [(0, [1]), (1, [2])], init=lambda number: 1 / 0)
    assert (number, form, others, error.exc_type) == (0, None, [], ZeroDivisionError)


def test_a_worker_ends_only_when_all_end():
    loader = iter(paddle.io.DataLoader(Rows(), num_workers=1))
    indices = multiprocessing.Queue()
    indices.put(None)
    assert loader._use_shared_memory and isinstance(loader._dataset, Rows)
    with pytest.raises(AssertionError, match="Expected None when `done_event` is set"):
        _worker_loop(loader._dataset, 0, indices, loader._data_queue, loader._workers_done_event, True, None, True, None, 0, 1, True, 1)
    loader._workers_done_event.set()
    indices.put(None)
    loader._worker_loop(loader._dataset, indices, loader._data_queue, loader._workers_done_event, None, None, 0)  # as 1.8 spells it
    assert _generate_states(12, 1) == [1639577730, 1158568550, 543918451, 1361962593]  # the 2.6.2 wheel's


def test_a_batch_as_a_list_and_back():
    batch = [np.ones(2), {"a": [paddle.ones([1]), "s", 3]}, (1, np.zeros(1))]
    arrays, form = _flatten_batch(batch)
    assert (len(arrays), form) == (3, ["_paddle_field_0", {"a": ["_paddle_field_1", "s", 3]}, [1, "_paddle_field_2"]])
    back = _restore_batch(arrays, form)
    assert back[0] is batch[0] and back[1]["a"][0] is arrays[1] and back[2] == [1, batch[2][1]]
    assert _restore_batch(*_flatten_batch(batch[0])) is batch[0]


def test_fetchers():
    assert _MapDatasetFetcher(Rows(), True, len, False).fetch([1, 2]) == 2
    fetcher = _IterableDatasetFetcher(Three(), True, len, True)
    assert fetcher.fetch([None] * 2) == 2
    with pytest.raises(StopIteration):
        fetcher.fetch([None] * 2)


def test_the_process_of_a_generator():
    loader = base.io.DataLoader.from_generator(capacity=5, use_multiprocess=True)
    loader.set_sample_generator(lambda: iter([(np.ones(2), np.ones(1))] * 4), batch_size=2, places=paddle.CPUPlace())
    loader._data_queue = queue.Queue()
    _reader_process_loop(loader._batch_reader, loader._data_queue)
    loader._reader_process_loop()
    sent = [loader._data_queue.get_nowait() for _ in range(6)]
    assert [None if batch is None else [part.shape() for part in batch] for batch in sent] == [[[2, 2], [2, 1]], [[2, 2], [2, 1]], None] * 2
    loader.set_batch_generator(lambda: iter([None]), places=paddle.CPUPlace())
    with pytest.raises(ValueError, match="Expected batches that are lists or tuples. Received: None"):
        _reader_process_loop(loader._batch_reader, loader._data_queue)


def test_a_batch_of_fewer_arrays_than_are_fed():
    with fluid.program_guard(fluid.Program()):
        x, y = fluid.data("x", [None, 2]), fluid.data("y", [None, 1], "int64")
        loader = fluid.io.DataLoader.from_generator([x, y], capacity=2)
        loader.set_batch_generator(lambda: iter([[np.ones((3, 2), "float32")]]), places=fluid.CPUPlace())
        with pytest.raises(InvalidArgumentError, match=r"Expected batches of 2 arrays, \['x', 'y'\]. Received: 1"):
            list(loader)


@pytest.mark.parametrize("indices", [[3, 1, 2], range(3), (0, 2, 5)])
def test_batches_of_any_indices(indices):
    sampler = paddle.io.BatchSampler(sampler=indices, batch_size=2)
    assert list(sampler) == [list(indices[:2]), list(indices[2:])] and len(sampler) == 2
    loader = paddle.io.DataLoader(Rows(), batch_sampler=sampler, reader_buffer_size=3)
    assert [batch[1]["index"].tolist() for batch in loader] == list(sampler) and loader.reader_buffer_size == 3


@pytest.mark.parametrize("module", [base.reader, fluid.reader])
def test_what_loaders_have_in_common(module):
    loader = module.DataLoaderBase()
    assert loader() is loader
    for ask in (iter, next, module.DataLoaderBase.next):
        with pytest.raises(NotImplementedError, match="Received: DataLoaderBase"):
            ask(loader)
    assert all(issubclass(kind, module.DataLoaderBase) for kind in (module.DatasetLoader, module.GeneratorLoader, module.PyReader))


def test_strings_of_samples_stay_as_they_are_put_together() -> None:
    numbers, names = default_collate_fn([(1, "x"), (2, "y")])
    assert numbers.tolist() == [1, 2] and names == ("x", "y")
    assert default_collate_fn(["a", "b"]) == ["a", "b"]
    assert default_collate_fn([(paddle.ones([2]),), (paddle.zeros([2]),)])[0].tolist() == [[1.0, 1.0], [0.0, 0.0]]
