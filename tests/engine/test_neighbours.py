"""Processes of one machine sum what all of them see: ranks in threads, each with a process group of its own."""

from __future__ import annotations

import datetime
import itertools
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import torch

from paddle_compat.engine import neighbours
from paddle_compat.engine.processes import Processes, SumsJourney

RANKS = 3


class Counted(Processes):
    """A process that notes how many numbers it sends."""

    def __init__(self, group: Any) -> None:
        super().__init__(group)
        self.sent: list[int] = []

    def start(self, flat: torch.Tensor) -> Any:
        """Send."""
        self.sent.append(flat.numel())
        return super().start(flat)


def together(work: Callable[[Counted], Any]) -> list[Any]:
    """What each rank's work gives."""
    dist = torch.distributed
    store = dist.HashStore()

    def run(rank: int) -> Any:
        gloo: Any = dist.ProcessGroupGloo._Options()  # type: ignore[attr-defined]
        gloo._devices, gloo._timeout = [dist.ProcessGroupGloo.create_device(hostname="127.0.0.1")], datetime.timedelta(seconds=60)
        return work(Counted(dist.ProcessGroupGloo(store, rank, RANKS, gloo)))

    with ThreadPoolExecutor(RANKS) as pool:
        return [done.result() for done in [pool.submit(run, rank) for rank in range(RANKS)]]


def gradients(rank: int, step: int, kind: torch.dtype) -> list[torch.Tensor]:
    """A rank's gradients: two large ones, and two that are too small for a room."""
    numbers = torch.Generator().manual_seed(100 * step + rank)
    return [torch.randn(*shape, generator=numbers, dtype=torch.float64).to(kind) for shape in ((200, 300), (300, 150), (7,), (3, 1))]


@pytest.mark.parametrize("kind", [torch.float32, torch.float64, torch.float16])
def test_sums_are_made_in_the_order_of_the_ranks(kind: torch.dtype) -> None:
    steps = 6

    def work(ring: Counted) -> Any:
        found = []
        for step in range(steps):
            ring.sent.clear()
            given = gradients(ring.rank, step, kind)
            journey = ring.journey(given, 1 << 16)
            for i in (1, 0, 2):
                journey.put(i, given[i])
            found.append(journey.finish(given))
            assert all(torch.equal(mine, same) for mine, same in zip(given, gradients(ring.rank, step, kind)))
        assert ring._near is not None
        return found, ring.sent, len(ring._near.rooms)

    for found, sent, rooms in together(work):
        for step, sums in enumerate(found):  # they are still what they were
            parts = list(zip(*(gradients(rank, step, kind) for rank in range(RANKS))))
            assert [total.shape for total in sums] == [part.shape for part, *_ in parts]
            assert all(torch.equal(total, first + second + third) for total, (first, second, third) in zip(sums[:2], parts))
            assert all((total - sum(part)).abs().max() < 0.01 for total, part in zip(sums[2:], parts[2:]))
        said = [count for count in sent if count > 1]  # one: that a room is no longer new
        assert said == [3 * RANKS, 3 * RANKS, 10]  # where two sums lie, and the small gradients
        assert rooms <= 4


def test_two_journeys_at_a_time_keep_apart() -> None:
    def work(ring: Counted) -> Any:
        found = []
        for step in range(5):
            journeys = [ring.journey([torch.zeros(40000)]) for _ in range(2)]
            for each, journey in enumerate(journeys):
                journey.put(0, torch.full((40000,), 10.0 * step + each))
            whole = ring.all_reduce([torch.full((20000,), float(step))])
            found.append([total.unique().tolist() for total in whole + [journey.finish([torch.zeros(40000)])[0] for journey in journeys]])
        return found

    for found in together(work):
        assert found == [[[3.0 * step], [30.0 * step], [30.0 * step + 3]] for step in range(5)]


def test_a_pass_that_all_gave_up_keeps_no_rooms() -> None:
    def work(ring: Counted) -> Any:
        layers = [torch.ones(30000), torch.ones(30000)]
        for step in range(12):
            journey = ring.journey(layers, 1 << 16)
            journey.put(0, layers[0])
            if step % 2:
                journey.finish(layers)
        assert ring._near is not None
        return len(ring._near.rooms)

    assert max(together(work)) <= 6


@pytest.mark.parametrize("name", ["opened", "Room"])
def test_where_one_cannot_open_what_another_wrote_sums_travel(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    true, asked = getattr(neighbours, name), itertools.count()

    def refused(*words: int) -> Any:
        if next(asked) == 5 if name == "opened" else threading.current_thread().name == "second":
            raise RuntimeError("Permission denied")
        return true(*words)

    def work(ring: Counted) -> Any:
        threading.current_thread().name = ("first", "second", "third")[ring.rank]
        return ring.all_reduce([torch.ones(30000)])[0], ring._near, ring.sent

    monkeypatch.setattr(neighbours, name, refused)
    for total, near, sent in together(work):
        assert total.unique().tolist() == [3.0] and near is None and sent[-1] == 30000


def test_no_small_bucket_sets_out_first_where_memory_is_shared() -> None:
    def work(ring: Counted) -> Any:
        layers = [torch.ones(600, 600), torch.ones(100, 300), torch.ones(7)]  # the first one fills a first bucket
        made = []
        for _ in range(2):
            journey = ring.journey(layers)
            assert isinstance(journey, SumsJourney)
            made.append(journey.sums.buckets)
            assert [total.unique().tolist() for total in journey.finish(layers)] == [[3.0]] * 3
        return made

    assert together(work) == [[[[0], [1, 2]], [[0, 1, 2]]]] * RANKS


def test_many_processes_send_their_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbours, "MOST", 2)
    assert [ring._near for ring in together(lambda ring: ring.all_reduce([torch.ones(30000)]) and ring)] == [None] * RANKS


def test_another_machines_process_of_that_number_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    true = neighbours.opened
    monkeypatch.setattr(neighbours, "opened", lambda process, file, size: true(process, file, size).clone())
    for total, near in together(lambda ring: (ring.all_reduce([torch.ones(30000)])[0], ring._near)):
        assert total.unique().tolist() == [3.0] and near is None
