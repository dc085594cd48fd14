"""Collective operators between replicas in threads: all that rings of processes do, but for what goes from one to another."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch

import paddle_compat as paddle
from paddle_compat import fluid
from paddle_compat.core import rings
from paddle_compat.core.rings import Abandoned
from paddle_compat.engine.processes import Processes
from paddle_compat.engine.ring import LocalRing, Meeting
from paddle_compat.errors import EnforceNotMet, UnsupportedError
from paddle_compat.ops.collective import all_reduce_together

X = np.arange(32, dtype="float32").reshape(8, 4)
HALVES = np.split(X, 2)
TOTAL = HALVES[0] + HALVES[1]


@pytest.fixture(autouse=True)
def two_replicas(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("CPU_NUM", "2")
    paddle.enable_static()
    yield
    paddle.disable_static()


def run(type_: str, slots: str = "X Out", x: np.ndarray = X, dtype: str = "float32", **attrs: Any) -> np.ndarray:
    """What two replicas get of an operator, one behind the other."""
    main, start = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, start), fluid.scope_guard(fluid.Scope()):
        given = fluid.layers.cast(fluid.data("x", [None, 4]), dtype)
        loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 4]), 1))
        fluid.optimizer.SGD(0.1).minimize(loss)
        block, (source, target) = main.global_block(), slots.split()
        out = block.create_var(name="out", dtype=dtype)
        block.append_op(type=type_, inputs={source: [given]}, outputs={target: [out]}, attrs=attrs)
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(start)
        program = fluid.CompiledProgram(main).with_data_parallel(loss_name=loss.name)
        found = [np.asarray(exe.run(program, feed={"x": x}, fetch_list=["out"])[0]) for _ in range(2)]
        np.testing.assert_array_equal(*found)  # the next step's meeting is another one
        return found[0]


BOTH = {"nranks": 2}
CASES: dict[str, tuple[dict[str, Any], list[np.ndarray]]] = {
    "c_allreduce_sum": ({}, [TOTAL, TOTAL]),
    "c_allreduce_max": ({}, [HALVES[1], HALVES[1]]),
    "c_allreduce_min": ({}, [HALVES[0], HALVES[0]]),
    "c_allreduce_prod": ({}, [HALVES[0] * HALVES[1]] * 2),
    "c_reduce_sum": ({"root_id": 1}, [HALVES[0], TOTAL]),
    "c_reduce_max": ({"root_id": 0}, [HALVES[1], HALVES[1]]),
    "c_broadcast": ({"root": 1}, [HALVES[1], HALVES[1]]),
    "broadcast": ({"root": 0}, [HALVES[0], HALVES[0]]),
    "allreduce": ({"reduce_type": 2}, [HALVES[1], HALVES[1]]),
    "c_allgather": (BOTH, [X, X]),
    "c_reducescatter": (BOTH, [TOTAL[:2], TOTAL[2:]]),
    "c_scatter": ({"root": 1, **BOTH}, [HALVES[1][:2], HALVES[1][2:]]),
    "alltoall": ({}, [np.concatenate([h[:2] for h in HALVES]), np.concatenate([h[2:] for h in HALVES])]),
    "barrier": ({}, HALVES),
}


@pytest.mark.parametrize("type_", CASES)
def test_what_replicas_get(type_: str) -> None:
    attrs, wanted = CASES[type_]
    np.testing.assert_array_equal(run(type_, **attrs), np.concatenate(wanted))


@pytest.mark.parametrize("dtype", ["int64", "float64", "int32"])
def test_data_types(dtype: str) -> None:
    for type_ in ("c_allreduce_prod", "c_allgather", "c_broadcast"):
        attrs, wanted = CASES[type_]
        found = run(type_, dtype=dtype, **attrs)
        assert found.dtype == dtype
        np.testing.assert_array_equal(found, np.concatenate(wanted).astype(dtype))


def test_rings_of_other_numbers_are_the_replicas_too() -> None:
    np.testing.assert_array_equal(run("c_allreduce_sum", ring_id=2), np.concatenate([TOTAL, TOTAL]))


def test_what_replicas_cannot_do_together() -> None:
    with pytest.raises(UnsupportedError, match="send_v2.*a process for each rank"):
        run_sent()
    for type_ in ("c_allgather", "c_allreduce_sum"):
        with pytest.raises(EnforceNotMet, match=r"one shape and data type on all 2 replicas. Received: \[4, 4\] in float32, \[3, 4\]"):
            run(type_, x=X[:7], nranks=2)


def run_sent() -> None:
    """One replica sends to another."""
    main, start = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, start), fluid.scope_guard(fluid.Scope()):
        x = fluid.data("x", [None, 4])
        loss = fluid.layers.mean(fluid.layers.fc(x, 1))
        fluid.optimizer.SGD(0.1).minimize(loss)
        main.global_block().append_op(type="send_v2", inputs={"X": [x]}, outputs={}, attrs={"peer": 3, "ring_id": 0})
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(start)
        exe.run(fluid.CompiledProgram(main).with_data_parallel(loss_name=loss.name), feed={"x": X}, fetch_list=[loss])


def test_all_go_on_from_where_all_came_though_one_fails_right_behind() -> None:
    meeting, went = Meeting(2), []

    def go() -> None:
        meeting.wait()
        went.append("on")
        with pytest.raises(Abandoned):
            meeting.wait()
        went.append("home")

    thread = threading.Thread(target=go)
    thread.start()
    while not meeting.waiting:
        time.sleep(0.001)
    with meeting.changed:  # the thread does not wake up in here
        meeting.wait()
        meeting.abandon()
    thread.join(20)
    assert went == ["on", "home"]


@pytest.mark.parametrize("switch", ["1", "0"])
def test_sums_over_processes_are_compared_once_or_not_at_all(monkeypatch: pytest.MonkeyPatch, switch: str) -> None:
    class Others(Processes):
        group, rank, size = None, 0, 2

        def __init__(self) -> None:
            self.compared: list[str] = []

        def compare(self, call: str, tensors: Any) -> None:
            self.compared.append(call)

        def all_reduce(self, tensors: Any) -> list[torch.Tensor]:
            return [2 * tensor for tensor in tensors]

    monkeypatch.setenv("PADDLE_COMPAT_CHECK_COLLECTIVES", switch)
    others = Others()
    with rings.inside(LocalRing(Meeting(1), 0, others)):
        assert all_reduce_together([torch.ones(2)], ring_ids=[0])[0].tolist() == [2.0, 2.0]
    assert others.compared == ["c_allreduce_sum"] * int(switch)
