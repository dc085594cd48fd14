"""`ReduceStrategy.Reduce`: each parameter is updated by one replica and held once, with the numbers of AllReduce."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat import fluid
from paddle_compat.engine.data_parallel import data_parallel

KINDS = fluid.BuildStrategy.ReduceStrategy
DEVICES = 3


def _optimizer(name: str) -> Any:
    decay = fluid.regularizer.L2Decay(0.1)
    made: dict[str, Callable[[], Any]] = {
        "sgd": lambda: fluid.optimizer.SGD(fluid.layers.exponential_decay(0.1, 2, 0.5)),
        "momentum": lambda: fluid.optimizer.Momentum(0.1, 0.9, regularization=decay),
        "adam": lambda: fluid.optimizer.Adam(0.01, grad_clip=fluid.clip.GradientClipByGlobalNorm(0.1)),
        "ftrl": lambda: fluid.optimizer.Ftrl(0.1),
        "adam of 2.x": lambda: paddle.optimizer.Adam(0.01, weight_decay=0.1),
    }
    return made[name]()


class Trained:
    """A classifier that has trained for some steps."""

    def __init__(self, optimizer: str, kind: Any, steps: int = 4, fetch: bool = False, average: bool = False) -> None:
        self.main, startup, self.scope = fluid.Program(), fluid.Program(), fluid.Scope()
        self.main.random_seed = startup.random_seed = 5
        with fluid.scope_guard(self.scope), fluid.program_guard(self.main, startup), fluid.unique_name.guard():
            x, y = fluid.data("x", [None, 6]), fluid.data("y", [None, 1], "int64")
            hidden = fluid.layers.fc(x, 8, act="tanh")
            self.loss = fluid.layers.mean(fluid.layers.cross_entropy(fluid.layers.fc(hidden, 3, act="softmax"), y))
            _optimizer(optimizer).minimize(self.loss)
            if average:
                fluid.optimizer.ModelAverage(0.15, min_average_window=2, max_average_window=4)
            fluid.Executor().run(startup)
            build = fluid.BuildStrategy()
            build.reduce_strategy = kind
            self.compiled = fluid.CompiledProgram(self.main).with_data_parallel(
                self.loss.name, build_strategy=build, places=fluid.cpu_places(DEVICES)
            )
            self.fetches = [self.loss.name, *([p.name for p in self.main.all_parameters()] if fetch else [])]
            self.losses = [self.step(i) for i in range(steps)]

    def step(self, seed: int) -> list[Any]:
        """One step's fetches."""
        numbers = np.random.RandomState(seed)
        feed = {"x": numbers.rand(9, 6).astype("float32"), "y": numbers.randint(0, 3, (9, 1))}
        with fluid.scope_guard(self.scope):
            return [value.tolist() for value in fluid.Executor().run(self.compiled, feed, self.fetches)]

    def kept(self) -> dict[str, Any]:
        """All states."""
        states = [v for v in self.main.list_vars() if v.persistable and self.scope.find_var(v.name) is not None]
        return {v.name: np.array(self.scope.find_var(v.name).get_tensor()).tolist() for v in states}

    def addresses(self, name: str) -> set[int]:
        """Where the replicas have a state."""
        return {scope.find_var(name).tensor.value.data_ptr() for scope in self.compiled._executor.scopes}


@pytest.mark.parametrize("optimizer", ["sgd", "momentum", "adam", "ftrl", "adam of 2.x"])
def test_the_numbers_are_those_of_all_reduce(optimizer: str) -> None:
    divided, whole = (Trained(optimizer, kind, fetch=True) for kind in (KINDS.Reduce, KINDS.AllReduce))
    assert divided.losses == whole.losses and divided.kept() == whole.kept()
    for name in ("fc_0.w_0", "fc_1.b_0"):
        assert len(divided.addresses(name)) == 1 and len(whole.addresses(name)) == DEVICES
    states = divided.compiled._executor.held_once
    assert len(states) >= {"sgd": 4, "momentum": 8}.get(optimizer, 12)


def test_updates_are_divided_by_size() -> None:
    trained = Trained("momentum", KINDS.Reduce)
    updates = [[op.input("Param")[0] for op in p.global_block().ops if op.type == "momentum"] for p in trained.compiled._executor.programs]
    assert updates == [["fc_0.b_0"], ["fc_0.w_0"], ["fc_1.b_0", "fc_1.w_0"]]


def test_what_reads_parameters_after_their_update_keeps_them_apart() -> None:
    divided, whole = (Trained("sgd", kind, average=True) for kind in (KINDS.Reduce, KINDS.AllReduce))
    assert divided.losses == whole.losses and divided.kept() == whole.kept()
    assert not divided.compiled._executor.held_once


def test_what_others_change_reaches_all_and_a_failed_run_changes_nothing() -> None:
    trained = Trained("adam", KINDS.Reduce)
    with fluid.scope_guard(trained.scope):
        before = trained.kept()
        feed = {"x": np.ones((9, 6), "float32"), "y": np.array([[0]] * 8 + [[7]])}
        with pytest.raises(Exception, match=r"\[replica 2 of 3\]"):
            fluid.Executor().run(trained.compiled, feed, [trained.loss])
        assert trained.kept() == before
        trained.scope.find_var("fc_0.w_0").get_tensor().set(np.zeros((6, 8), "float32"), fluid.CPUPlace())
        trained.scope.find_var("fc_1.w_0").get_tensor().set(np.zeros((8, 3), "float32"), fluid.CPUPlace())
        trained.scope.find_var("fc_1.b_0").get_tensor().set(np.zeros(3, "float32"), fluid.CPUPlace())
    assert trained.step(1)[0] == pytest.approx([np.log(3)] * DEVICES)
    assert len(trained.addresses("fc_0.w_0")) == 1


def test_copies_are_run_as_the_program_is() -> None:
    program = fluid.Program()
    program._bucket_bytes, program._writes_in_place, program._fuses_updates = 7, False, False
    for copied in (program.clone(), data_parallel(program, 1.0), fluid.CompiledProgram(program)._graph):
        assert (copied._bucket_bytes, copied._writes_in_place, copied._fuses_updates) == (7, False, False)
    assert data_parallel(program, 1.0, fused=False)._bucket_bytes == 0
