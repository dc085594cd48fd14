"""The processes of a job find one another at a store; what is wrong about their numbers is told to all of them."""

from __future__ import annotations

import gc
import re
import socket
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import torch
from jobs import free_ports

from paddle_compat.core.errors import ExecutionTimeoutError, InvalidArgumentError, PreconditionNotMetError, UnavailableError
from paddle_compat.distributed.fleet.base.private_helper_function import wait_server_ready
from paddle_compat.engine import roll_call
from paddle_compat.engine.roll_call import Door, store_at

NO_ADDRESS = "192.0.2.1"  # of no machine


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits long."""
    monkeypatch.setattr(roll_call, "_PAUSE", 0.03)
    monkeypatch.setattr(roll_call, "_GREETING", 0.3)


@pytest.fixture
def store() -> Any:
    return torch.distributed.TCPStore("127.0.0.1", 0, is_master=True, wait_for_workers=False)


def together(calls: Sequence[Callable[[], Any]]) -> list[Any]:
    """What calls give or raise that are made at the same time."""
    with ThreadPoolExecutor(len(calls)) as threads:
        futures = [threads.submit(call) for call in calls]
        return [future.exception() or future.result() for future in futures]


def called(store: Any, said: Sequence[tuple[int, int]], seconds: float = 10) -> list[Any]:
    """What a roll call gives or raises for processes with these numbers, which expect so many."""
    stores = [store.clone() for _ in said]
    return together([
        lambda each=each, rank=rank, size=size: roll_call.roll_call(each, rank, size, f"door {rank}", seconds)
        for each, (rank, size) in zip(stores, said)
    ])  # fmt: skip


def test_all_processes_learn_all_addresses(store: Any) -> None:
    assert called(store, [(0, 3), (2, 3), (1, 3)]) == [["door 0", "door 1", "door 2"]] * 3


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ([(0, 3), (1, 3), (1, 3)], "Two processes of this job have the number 1"),
        ([(0, 2), (0, 2)], "Two processes of this job have the number 0"),
        ([(0, 2), (1, 3)], "do not agree how many there are. Received: [23] in process [01], [23] in process [01]"),
        ([(0, 4), (1, 4), (2, 3), (3, 4)], "do not agree how many there are. Received: [34] in process"),
    ],
)
def test_all_are_told_at_once_what_is_wrong(store: Any, said: Any, text: str) -> None:
    for error in called(store, said):
        assert isinstance(error, InvalidArgumentError) and re.search(text, str(error)), error


def test_one_number_twice_where_nobody_has_number_0() -> None:
    own, store = free_ports(2)
    first = Door(f"127.0.0.1:{own}", 1, True)
    wait_server_ready([f"127.0.0.1:{own}"])  # as scripts do before they let others make a ring with this process
    first.look()
    with pytest.raises(InvalidArgumentError, match="Two processes of this job have the number 1: this one, and another one"):
        Door(f"127.0.0.1:{own}", 1, True)
    with pytest.raises(InvalidArgumentError, match="Two processes of this job have the number 1"):
        store_at("127.0.0.1", store, False, 5, first)
    Door(f"127.0.0.1:{own}", 1, False).close()
    first.close()


def test_one_number_twice_on_two_machines_where_nobody_has_number_0(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one on the other machine cannot listen where the job says that it is, and asks there."""
    own, store, other = free_ports(3)
    first = Door(f"127.0.0.1:{own}", 1, True)
    real = socket.create_server
    monkeypatch.setattr(socket, "create_server", lambda place: real((NO_ADDRESS, place[1])))
    second, nobody = Door(f"127.0.0.1:{own}", 1, True), Door(f"127.0.0.1:{other}", 2, True)
    monkeypatch.setattr(roll_call, "_GREETING", 30)  # which `first` has to answer
    errors = together([lambda door=door: store_at("127.0.0.1", store, False, 5, door) for door in (first, second)])
    for error, rest in zip(errors, ("which has ended", "on the machine 127.0.0.1")):
        assert isinstance(error, InvalidArgumentError) and f"number 1: this one, and another one, {rest}" in str(error)
    nobody.look()
    for door in (first, second, nobody):
        door.close()


def test_those_who_do_not_come_are_named(store: Any) -> None:
    for error in called(store, [(0, 4), (2, 4)], seconds=0.3):
        assert isinstance(error, ExecutionTimeoutError)
        assert "Process 1, 3 of 4 of this job has not come within 0.3 seconds" in str(error)


def test_the_store_is_gone() -> None:
    store: Any = torch.distributed.TCPStore("127.0.0.1", 0, is_master=True, wait_for_workers=False)
    other = store.clone()
    del store
    with pytest.raises(UnavailableError, match="Process 0 of 2 of this job is gone, or the launcher") as caught:
        roll_call.roll_call(other, 1, 2, "door 1", 10)
    assert caught.value.processes == [0]


@pytest.fixture
def taken() -> Iterator[int]:
    """A port at which some other program listens, and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        yield door.getsockname()[1]


def test_a_port_that_another_program_has(taken: int) -> None:
    with pytest.raises(PreconditionNotMetError, match=f"Process 0 cannot listen at 127.0.0.1:{taken}, .*: the port is taken"):
        store_at("127.0.0.1", taken, True, 10)
    with pytest.raises(PreconditionNotMetError, match=f"What listens at 127.0.0.1:{taken}, .*, is not process 0 of a job"):
        store_at("127.0.0.1", taken, False, 10)


def test_a_second_process_0_and_a_late_one(store: Any) -> None:
    port = free_ports(1)[0]
    late, first = together([lambda: store_at("127.0.0.1", port, False, 10), lambda: store_at("127.0.0.1", port, True, 10)])
    second = store_at("127.0.0.1", port, True, 10)
    # an error of the one that comes second may hold its callers' frames, and they the store
    texts = [*map(str, together([lambda each=each: roll_call.roll_call(each, 0, 2, "door", 10) for each in (first, second)]))]
    assert ["Two processes of this job have the number 0" in text for text in texts] == [True, True]
    assert late.get("wrong") == texts[0].encode()
    del first, second, late
    gc.collect()
    store_at("127.0.0.1", port, True, 10)  # nothing of it is left


def test_nobody_listens() -> None:
    with pytest.raises(ExecutionTimeoutError, match="Process 0 was not at 127.0.0.1:.*, within 0.2 seconds"):
        store_at("127.0.0.1", free_ports(1)[0], False, 0.2)
