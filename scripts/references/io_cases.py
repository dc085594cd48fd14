# ruff: noqa: E501 - a call is a line
"""What `paddle.io` gives under Paddle 2.6.2: orders, batches, seeds and errors; and what 2.6.2 refuses and 3.3.1 takes.

io_cases.json, io_cases_3.3.1.json: {case: `out` after the code has run, as plain values; {"raises": types} where it raises}. Each case starts with numpy's,
Python's and Paddle's generators seeded.
"""

from __future__ import annotations

import json
import random
from collections import namedtuple
from typing import Any, Callable

import numpy as np

WHEELS = ("2.6.2", "3.3.1")
Point = namedtuple("Point", "x y")

_ROW = "a = np.arange(3, dtype='float32'); "
# batches of the items of a list, read here and by two workers
_READ = "out = [[show(b) for b in io.DataLoader(Items(items), num_workers=n, **more)] for n in (0, 2)]"
_COLLATED = {
    "ints": "items = [1, 2, 3]; more = dict(batch_size=2); ",
    "floats": "items = [1.5, 2.0]; more = dict(batch_size=2); ",
    "bools": "items = [True, False]; more = dict(batch_size=2); ",
    "tuples": _ROW + "items = [(a, 1), (a, 2)]; more = dict(batch_size=2); ",
    "namedtuples": _ROW + "items = [Point(a, 1), Point(a, 2)]; more = dict(batch_size=2); ",
    "dicts": _ROW + "items = [dict(x=a, s='q', n=dict(k=1)), dict(x=a, s='r', n=dict(k=2))]; more = dict(batch_size=2); ",
    "nested": _ROW + "items = [[a, [1, (a, 'z')]]] * 2; more = dict(batch_size=2); ",
    "tensors": _ROW + "items = [paddle.to_tensor(a), paddle.to_tensor(a + 1)]; more = dict(batch_size=2); ",
    "tensors in tuples": _ROW + "items = [(paddle.to_tensor(a), 1), (paddle.to_tensor(a + 1), 2)]; more = dict(batch_size=2); ",
    "not batched": _ROW + "items = [a, a]; more = dict(batch_size=None); ",
    "fields not batched": _ROW + "items = [(a, 1, 's')]; more = dict(batch_size=None); ",
    "float16": _ROW + "items = [a.astype('float16')]; more = {}; ",
    "uint8": _ROW + "items = [a.astype('uint8')]; more = {}; ",
    "complex": _ROW + "items = [(a + 1j).astype('complex64').real]; more = {}; ",
    "numpy numbers": "items = [np.float32(1), np.float32(2)]; more = dict(batch_size=2); ",
    "without dimensions": "items = [np.array(1), np.array(2)]; more = dict(batch_size=2); ",
    "mixed types": _ROW + "items = [a, a.astype('float64')]; more = dict(batch_size=2); ",
    "own collate_fn": "items = [1, 2]; more = dict(batch_size=2, collate_fn=lambda b: dict(l=b, a=np.array(b), t=(1, 2.5, None, 'x'))); ",
    "own collate_fn, an array": "items = [1, 2]; more = dict(batch_size=2, collate_fn=np.array); ",
    "own collate_fn, a tensor": "items = [1, 2]; more = dict(batch_size=2, collate_fn=paddle.to_tensor); ",
    "nothing": "items = []; more = {}; ",
    "last one dropped": "items = [1, 2, 3]; more = dict(batch_size=2, drop_last=True); ",
    "list for batch_sampler": "items = [1, 2, 3]; more = dict(batch_sampler=[[0, 2], [1]]); ",
    "no shared memory": _ROW + "items = [(a, 1), (a, 2)]; more = dict(batch_size=2, use_shared_memory=False); ",
    "larger than a page": "items = [np.full((40, 40), i, 'float32') for i in range(5)]; more = dict(batch_size=4); ",
    "shuffled": "items = list(range(9)); more = dict(batch_size=2, shuffle=True); ",
    "four batches ahead": "items = list(range(9)); more = dict(batch_size=2, shuffle=True, prefetch_factor=4); ",
}
_MADE = "l = paddle.base.io.DataLoader.from_generator(capacity=2, return_list=True); "
_FED = "paddle.enable_static(); g = paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()); g.__enter__(); x = paddle.static.data('g', [None, 2]); l = paddle.base.io.DataLoader.from_generator([x], 2); y = paddle.sum(x); e = paddle.static.Executor(); m = paddle.static.default_main_program(); g.__exit__(None, None, None); "
_DISTRIBUTED = "out = [[list(s) for _ in range(2)] + [len(s)] for s in (io.DistributedBatchSampler(range(%d), %d, %d, r, %s) for r in range(%d))]"

CASES = {
    "split": "out = [[list(p), p.indices] for p in io.random_split(range(10), [3, 5, 2])]",
    "split/twice": "io.random_split(range(4), [2, 2]); out = [list(p) for p in io.random_split(range(10), [3, 7])]",
    "split/sum": "io.random_split(range(10), [3, 5])",
    "random": "out = [list(io.RandomSampler(range(9))) for _ in range(2)] + [len(io.RandomSampler(range(9)))]",
    "random/replacement": "s = io.RandomSampler(range(5), True, 12); out = [list(s), len(s), s.num_samples]",
    "random/replacement of all": "out = list(io.RandomSampler(range(5), replacement=True))",
    "random/generator": "g = iter([3, 1, 2, 0, 4]); s = io.RandomSampler(range(3), generator=g); out = [list(s), list(s), list(s), len(s)]",
    "random/replacement kind": "io.RandomSampler(range(3), replacement=1)",
    "random/num_samples": "io.RandomSampler(range(3), num_samples=4)",
    "random/negative": "io.RandomSampler(range(3), True, -1)",
    "random/empty": "io.RandomSampler([])",
    "weighted": "s = io.WeightedRandomSampler(np.array([0.1, 0.3, 0.5, 0.7, 0.2]), 7); out = [list(s), list(s), len(s)]",
    "weighted/no replacement": "out = list(io.WeightedRandomSampler(np.array([0.1, 0.3, 0.5, 0.0, 0.2]), 4, False))",
    "weighted/rows": "s = io.WeightedRandomSampler(np.array([[0.1, 0.3], [0.5, 0.5]]) , 3); out = len(s)",
    "weighted/too few": "list(io.WeightedRandomSampler([0.1, 0.0], 2, False))",
    "weighted/negative": "list(io.WeightedRandomSampler([0.1, -1.0], 2))",
    "weighted/zeros": "list(io.WeightedRandomSampler([0.0, 0.0], 2))",
    "weighted/infinite": "list(io.WeightedRandomSampler([1.0, float('inf')], 2))",
    "weighted/text": "list(io.WeightedRandomSampler('ab', 2))",
    "weighted/num_samples": "io.WeightedRandomSampler([0.1, 0.2], 2.5)",
    "weighted/replacement": "io.WeightedRandomSampler([0.1, 0.2], 2, 1)",
    "subset": "s = io.SubsetRandomSampler([7, 3, 5, 1]); out = [list(s), list(s), len(s)]",
    "subset/empty": "io.SubsetRandomSampler([])",
    "sequence": "s = io.SequenceSampler('abc'); out = [list(s), len(s)]",
    "sampler": "iter(io.Sampler('abc'))",
    "sampler/data": "out = [io.Sampler('abc').data_source, io.Sampler().data_source]",
    "batches": "s = io.BatchSampler(range(7), batch_size=3); out = [list(s), len(s), s.batch_size, s.drop_last, type(s.sampler).__name__]",
    "batches/drop": "s = io.BatchSampler(range(7), batch_size=3, drop_last=True); out = [list(s), len(s)]",
    "batches/shuffle": "s = io.BatchSampler(range(7), shuffle=True, batch_size=3); out = [list(s), list(s), type(s.sampler).__name__]",
    "batches/sampler": "s = io.BatchSampler(sampler=io.RandomSampler(range(5), True, 7), batch_size=2); out = [list(s), len(s)]",
    "batches/neither": "io.BatchSampler()",
    "batches/both": "io.BatchSampler(range(3), io.SequenceSampler(range(3)))",
    "batches/number": "io.BatchSampler(sampler=3)",
    "batches/sampler shuffled": "io.BatchSampler(sampler=io.SequenceSampler(range(3)), shuffle=True)",
    "batches/iterable": "io.BatchSampler(Row(3))",
    "batches/size": "io.BatchSampler(range(3), batch_size=0)",
    "batches/size kind": "io.BatchSampler(range(3), batch_size=2.0)",
    "batches/drop kind": "io.BatchSampler(range(3), drop_last='no')",
    "batches/shuffle kind": "io.BatchSampler(range(3), shuffle=1)",
    **{
        f"distributed/{n} by {size} for {ranks}, {shuffle}": _DISTRIBUTED % (n, size, ranks, shuffle, ranks)
        for n, size, ranks, shuffle in (
            (10, 2, 2, False), (11, 2, 2, True), (7, 3, 3, False), (7, 3, 3, "True, True"), (2, 4, 5, True), (100, 8, 3, True),
            (16, 4, 4, False), (1, 1, 4, False), (9, 4, 1, True),
        )
    },
    "distributed/epoch": "s = io.DistributedBatchSampler(range(9), 2, 2, 1, True); s.set_epoch(5); out = [list(s), s.epoch, list(s)]",
    "distributed/attributes": "s = io.DistributedBatchSampler(range(9), 2, 4, 1); out = [s.nranks, s.local_rank, s.num_samples, s.total_size, s.epoch, s.batch_size]",
    "distributed/alone": "s = io.DistributedBatchSampler(range(3), 2); out = [list(s), s.nranks, s.local_rank]",
    "distributed/size": "io.DistributedBatchSampler(range(9), 0)",
    "distributed/ranks": "io.DistributedBatchSampler(range(9), 2, num_replicas=0)",
    "distributed/rank": "io.DistributedBatchSampler(range(9), 2, rank=-1)",
    "distributed/rank too large": "list(io.DistributedBatchSampler(range(8), 2, 2, 2))",
    "distributed/shuffle": "io.DistributedBatchSampler(range(9), 2, shuffle=1)",
    "distributed/drop": "io.DistributedBatchSampler(range(9), 2, drop_last=1)",
    "concat": "d = io.ConcatDataset([range(3), Items('xy')]); out = [len(d), [d[i] for i in (0, 2, 3, -1, -5)], d.cumulative_sizes]",
    "concat/far": "io.ConcatDataset([range(3)])[-4]",
    "concat/none": "io.ConcatDataset([])",
    "concat/iterable": "io.ConcatDataset([Row(3)])",
    "concat/cumsum": "out = io.ConcatDataset.cumsum(['ab', 'c'])",
    "compose": "d = io.ComposeDataset([Items('ab'), Items([(1, 2), [3]]), Items(['x', 4])]); out = [len(d), d[0], d[1], type(d[0]).__name__]",
    "compose/lengths": "io.ComposeDataset([Items('ab'), Items('abc')])",
    "compose/none": "io.ComposeDataset([])",
    "compose/list": "io.ComposeDataset([[1, 2]])",
    "compose/iterable": "io.ComposeDataset([Row(3)])",
    "chain": "d = io.ChainDataset([Row(2), Row(3)]); out = [list(d), list(d)]",
    "chain/map": "io.ChainDataset([Items('ab')])",
    "chain/none": "io.ChainDataset([])",
    "chain/length": "len(io.ChainDataset([Row(2)]))",
    "subset of": "s = io.Subset(Items('abcd'), [2, 0]); out = [len(s), s[0], s[-1]]",
    "tensors": "d = io.TensorDataset([paddle.to_tensor([[1, 2], [3, 4]]), paddle.to_tensor([5, 6])]); out = [len(d), show(list(d[1])), type(d[0]).__name__]",
    "tensors/loaded": "d = io.TensorDataset([paddle.to_tensor([[1, 2], [3, 4], [5, 6]]), paddle.to_tensor([5, 6, 7])]); out = [show(b) for b in io.DataLoader(d, batch_size=2)]",
    "tensors/lengths": "io.TensorDataset([paddle.ones([2]), paddle.ones([3])])",
    "tensors/static": "paddle.enable_static(); io.TensorDataset([np.ones(2)])",
    "dataset/item": "io.Dataset()[0]",
    "dataset/length": "len(io.Dataset())",
    "iterable/item": "Row(2)[0]",
    "iterable/length": "len(Row(2))",
    "iterable/iter": "iter(io.IterableDataset())",
    **{f"loader/{name}": code + _READ for name, code in _COLLATED.items()},
    "loader/seeds": "out = [[b.tolist() for b in io.DataLoader(Draws(), batch_size=2, shuffle=True, num_workers=n)] for n in (2, 3)] + [np.random.rand(), random.random(), paddle.rand([2]).tolist()]",
    "loader/seeds persist": "l = io.DataLoader(Draws(), num_workers=2, persistent_workers=True); out = [[b.tolist() for b in l] for _ in range(3)]",
    "loader/iterable": "out = [[b.tolist() for b in io.DataLoader(Row(5), batch_size=2, num_workers=n)] for n in (0, 1, 2, 3)]",
    "loader/iterable, whole batches": "out = [[b.tolist() for b in io.DataLoader(Row(5), batch_size=2, num_workers=n, drop_last=True)] for n in (0, 1, 2, 3)]",
    "loader/iterable, not batched": "out = [[b.tolist() for b in io.DataLoader(Row(5, np.array), batch_size=None, num_workers=n)] for n in (0, 2)]",
    "loader/iterable, shared out": "out = [[b.tolist() for b in io.DataLoader(Share(9), batch_size=2, num_workers=n)] for n in (0, 1, 2, 3)]",
    "loader/iterable, shared out by function": "out = [b.tolist() for b in io.DataLoader(Row(9), batch_size=2, num_workers=2, worker_init_fn=third)]",
    "loader/information": "out = [[b.tolist() for b in io.DataLoader(Knows(), batch_size=2, num_workers=n)] for n in (0, 2)]",
    "loader/lengths": "d = Items(list(range(7))); out = [len(io.DataLoader(d, **m)) for m in (dict(batch_size=2), dict(batch_size=2, drop_last=True), dict(batch_size=None), dict(batch_sampler=[[1]]))]",
    "loader/iterator length": "out = len(iter(io.DataLoader(Items([1, 2, 3]), batch_size=2)))",
    "loader/twice": "l = io.DataLoader(Items([1, 2, 3]), num_workers=2); out = [[b.tolist() for b in l] for _ in range(2)] + [[b.tolist() for b in l()]]",
    "loader/nested": "l = io.DataLoader(Items([1, 2, 3]), num_workers=1); out = [[a.tolist(), [b.tolist() for b in l]] for a in l]",
    "loader/persistent": "l = io.DataLoader(Items([1, 2, 3]), num_workers=2, persistent_workers=True); out = [[b.tolist() for b in l] for _ in range(3)]",
    "loader/attributes": "l = io.DataLoader(Items([1, 2, 3]), batch_size=2); out = [l.return_list, l.collate_fn, l.num_workers, l.batch_size, l.drop_last, l.use_shared_memory, l.auto_collate_batch, l.dataset_kind, l.timeout, l.prefetch_factor, type(l.batch_sampler).__name__, l.pin_memory, len(l.places)]",
    "loader/iterable length": "len(io.DataLoader(Row(2)))",
    "loader/size": "io.DataLoader(Items([1]), batch_size=0)",
    "loader/workers": "io.DataLoader(Items([1]), num_workers=-1)",
    "loader/timeout": "io.DataLoader(Items([1]), timeout=-1)",
    "loader/prefetch": "io.DataLoader(Items([1]), prefetch_factor=0)",
    "loader/sampler and size": "io.DataLoader(Items([1]), batch_sampler=[[0]], batch_size=2)",
    "loader/sampler and shuffle": "io.DataLoader(Items([1]), batch_sampler=[[0]], shuffle=True)",
    "loader/sampler and drop": "io.DataLoader(Items([1]), batch_sampler=[[0]], drop_last=True)",
    "loader/iterable shuffled": "io.DataLoader(Row(1), shuffle=True)",
    "loader/iterable with sampler": "io.DataLoader(Row(1), batch_sampler=[[0]])",
    "loader/no feed_list": "paddle.enable_static(); io.DataLoader(Items([1]), return_list=False)",
    "loader/shuffle kind": "io.DataLoader(Items([1]), shuffle='yes')",
    "loader/places": "out = [b.tolist() for b in io.DataLoader(Items([1, 2]), places='cpu')] + [b.tolist() for b in io.DataLoader(Items([1, 2]), places=['cpu'])]",
    "loader/place": "io.DataLoader(Items([1]), places='nowhere')",
    "static/list": "paddle.enable_static(); out = [[np.array(v).tolist() for v in b] for b in io.DataLoader(Items([(1, 2.5), (3, 4.5)]), places=paddle.CPUPlace())]",
    "static/dicts": "paddle.enable_static(); v = [paddle.static.data('x', [None], 'int64'), paddle.static.data('y', [None], 'float64')]; out = [[{k: np.array(t).tolist() for k, t in d.items()} for d in b] for n in (0, 2) for b in io.DataLoader(Items([(1, 2.5), (3, 4.5)]), v, paddle.CPUPlace(), False, num_workers=n)]",
    "static/run": "paddle.enable_static(); x = paddle.static.data('r', [None], 'float64'); y = x * 2; e = paddle.static.Executor(); out = [e.run(feed=b, fetch_list=[y])[0].tolist() for b in io.DataLoader(Items([1.0, 2.0, 3.0]), [x], paddle.CPUPlace(), False, batch_size=2)]",
    "static/places": "paddle.enable_static(); v = [paddle.static.data('x', [None], 'int64')]; out = [[{k: np.array(t).tolist() for k, t in d.items()} for d in b] for b in io.DataLoader(Items(list(range(7))), v, paddle.static.cpu_places(2), False, batch_size=2)]",
    "base/arrays": _MADE + "l.set_batch_generator(lambda: iter([[np.ones((2, 2), 'float32'), [1, 2]]] * 2), paddle.CPUPlace()); out = [[show(b) for b in l] for _ in range(2)]",
    "base/samples": _MADE + "l.set_sample_generator(lambda: ((np.full(2, i), i) for i in range(5)), 2, False, paddle.CPUPlace()); out = [show(b) for b in l()]",
    "base/PyReader": "l = paddle.base.io.PyReader(capacity=2, return_list=True); l.decorate_batch_generator(lambda: iter([[np.ones((2, 2), 'float32')]]), paddle.CPUPlace()); out = [show(b) for b in l()] + [l.iterable]",
    "base/PyReader, samples": "l = paddle.base.reader.PyReader(capacity=2, return_list=True); l.decorate_sample_generator(lambda: ((np.full(2, i), i) for i in range(5)), 2, places=paddle.CPUPlace()); out = [show(b) for b in l()]",
    "base/fed": _FED + "l.set_batch_generator(lambda: iter([[np.full((2, 2), i, 'float32')] for i in range(3)]), paddle.static.cpu_places(1)); out = [e.run(m, feed=b, fetch_list=[y])[0].tolist() for b in l()]",
    "base/read": _FED.replace("[x], 2", "[x], 2, iterable=False") + "l.set_batch_generator(lambda: iter([[np.full((2, 2), i, 'float32')] for i in range(3)])); l.start(); out = [e.run(m, fetch_list=[y])[0].tolist() for _ in range(3)]; l.reset()",
    "base/no capacity": "paddle.base.io.DataLoader.from_generator()",
    "base/no feed_list": "paddle.enable_static(); paddle.base.io.DataLoader.from_generator(capacity=2)",
    "eager/dicts": "v = None; out = [show(b) for b in io.DataLoader(Items([(1, 2.5), (3, 4.5)]), v, paddle.CPUPlace(), False)]",
}  # fmt: skip


# what 2.6.2 refuses
SINCE_3 = {
    "batches/list": "s = io.BatchSampler(sampler=[1, 2, 5], batch_size=2); out = [list(s), len(s)]",
    "batches/range": "out = list(io.BatchSampler(sampler=range(3, 6), batch_size=2, drop_last=True))",
    "random/fewer": "s = io.RandomSampler(range(9), num_samples=4); out = [list(s), list(s), len(s)]",
}


def answer(paddle: Any, code: str) -> Any:
    """What a case gives."""
    io = paddle.io

    class Items(io.Dataset):  # type: ignore[misc, name-defined]
        def __init__(self, items: Any) -> None:
            self.items = items

        def __getitem__(self, index: Any) -> Any:
            return self.items[index]

        def __len__(self) -> int:
            return len(self.items)

    class Row(io.IterableDataset):  # type: ignore[misc, name-defined]
        def __init__(self, end: int, kind: Any = int) -> None:
            self.start, self.end, self.kind = 0, end, kind

        def __iter__(self) -> Any:
            return map(self.kind, range(self.start, self.end))

    class Share(Row):
        def __iter__(self) -> Any:
            info = io.get_worker_info()
            return iter(range(self.end) if info is None else range(info.id, self.end, info.num_workers))

    class Draws(Items):
        def __init__(self) -> None:
            super().__init__(range(6))

        def __getitem__(self, index: int) -> Any:
            return np.array([index, np.random.randint(1 << 30), random.randrange(1 << 30), int(paddle.randint(0, 1 << 30, [1]))])

    class Knows(Items):
        def __init__(self) -> None:
            super().__init__(range(4))

        def __getitem__(self, index: int) -> Any:
            info = io.get_worker_info()
            if info is None:
                return [-1, -1, index, -1]
            try:
                info.id = 7
            except RuntimeError:
                return [info.id, info.num_workers, info.dataset.items[index], info.seed % 1000]

    def third(number: int) -> None:
        dataset = io.get_worker_info().dataset
        dataset.start, dataset.end = number * 3, number * 3 + 3

    def show(value: Any) -> Any:
        if isinstance(value, paddle.Tensor):
            return [str(value.dtype), value.shape, value.tolist(), value.stop_gradient]
        if isinstance(value, dict):
            return {key: show(item) for key, item in value.items()}
        return [type(value).__name__, *map(show, value)] if isinstance(value, (list, tuple)) else value

    names = {k: v for k, v in locals().items() if k != "code"}
    names.update(np=np, random=random, Point=Point, out=None)
    np.random.seed(5)
    random.seed(3)
    paddle.seed(7)
    try:
        exec(code, names)
    except Exception as error:
        return {"raises": [kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins"]}
    return json.loads(json.dumps(names["out"]))


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """A file for each wheel."""
    name, cases = ("io_cases.json", CASES) if version == "2.6.2" else ("io_cases_3.3.1.json", SINCE_3)

    def answers() -> Any:
        import paddle

        def ask(code: str) -> Any:
            paddle.disable_static()
            return answer(paddle, code)

        return {case: ask(code) for case, code in cases.items()}

    return {name: answers}
