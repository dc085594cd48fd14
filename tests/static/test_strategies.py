"""BuildStrategy and ExecutionStrategy take and refuse what the wheels' do, and act on the runs of a CompiledProgram."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from static.strategy_cases import answers, late

import paddle_compat as paddle
from paddle_compat import fluid, static
from paddle_compat.core.errors import EnforceNotMet

REFERENCES = Path(__file__).parents[1] / "references"
RECORDED = {version: json.loads((REFERENCES / f"strategies_{version}.json").read_text()) for version in ("1.8.5", "2.6.2")}
KINDS = {"BuildStrategy": static.BuildStrategy, "ExecutionStrategy": static.ExecutionStrategy}
OWN = {kind: answers(strategy) for kind, strategy in KINDS.items()}


@pytest.mark.parametrize("version", RECORDED)
@pytest.mark.parametrize("kind", KINDS)
def test_switches_take_what_the_wheels_take(version: str, kind: str) -> None:
    for name, expected in RECORDED[version][kind].items():
        given = dict(OWN[kind][name])
        if name == "trainers_endpoints":  # where the versions differ, ours is as 1.8: a text is a list of its characters
            expected = {value: answer for value, answer in expected.items() if value not in ("'a'", "''")}
        assert {value: given[value] for value in expected} == expected, name


def test_what_is_final_cannot_be_set() -> None:
    assert set(late(static.BuildStrategy)) == set(RECORDED["1.8.5"]["late"]) | set(RECORDED["2.6.2"]["late"])
    strategy = static.BuildStrategy()
    passes = strategy._finalize_strategy_and_create_passes()
    with pytest.raises(EnforceNotMet, match="BuildStrategy has been finalized, cannot be configured again"):
        strategy.fuse_bn_act_ops = True
    assert passes is strategy._finalize_strategy_and_create_passes()
    twin = strategy._copy()
    twin.fuse_bn_act_ops = True
    assert not strategy.fuse_bn_act_ops
    strategy._clear_finalized()
    strategy.fuse_bn_act_ops = True


def test_strategies_are_copied_and_shown() -> None:
    strategy = static.BuildStrategy()
    strategy.trainers_endpoints = ["a"]
    twin = copy.deepcopy(strategy)
    twin.trainers_endpoints += ["b"]
    assert strategy.trainers_endpoints == ["a"] and "\nfuse_bn_act_ops: False\n" in str(strategy)
    with pytest.raises(AttributeError):
        del strategy.num_trainers
    with pytest.raises(AttributeError):
        strategy.no_such_switch = True


@pytest.fixture
def loss(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A trained layer in static mode with two replicas; startup has run."""
    monkeypatch.setenv("CPU_NUM", "2")
    paddle.enable_static()
    with static.scope_guard(static.Scope()), static.program_guard(static.Program(), static.Program()), paddle.utils.unique_name.guard():
        paddle.seed(5)
        value = paddle.mean(static.nn.fc(static.nn.fc(static.data("x", [None, 2]), 3), 3))
        paddle.optimizer.Adam(0.1).minimize(value)
        static.Executor().run(static.default_startup_program())
        yield value
    paddle.disable_static()


FEED = {"x": np.linspace(0, 1, 8, dtype="float32").reshape(4, 2)}


@pytest.mark.parametrize("parallel", [False, True])
def test_updates_are_fused_unless_that_is_switched_off(loss: Any, parallel: bool) -> None:
    found = {}
    for fused in (None, True, False):
        strategy = static.BuildStrategy()
        if fused is not None:
            strategy.fuse_all_optimizer_ops = fused
        program = static.CompiledProgram(static.default_main_program(), strategy)
        if parallel:
            program.with_data_parallel(loss.name)
        static.Executor().run(program, FEED, [loss])
        run = program._executor.prepared if parallel else program._alone._lowered
        prepared = next(iter(run.values()))[0] if parallel else run["last"][1]
        found[fused] = [node.name for node in prepared.lowered.graph.nodes if "adam" in str(node.target)]
    assert len(found[None]) == len(found[True]) == 1 and len(found[False]) == 4


def test_the_first_run_fills_in_the_execution_strategy(loss: Any) -> None:
    found = []
    for threads in (0, 7):
        strategy = static.ExecutionStrategy()
        strategy.num_threads = threads
        program = static.CompiledProgram(static.default_main_program()).with_data_parallel(loss.name, exec_strategy=strategy)
        static.Executor().run(program, FEED, [loss])
        found.append((strategy.num_threads, strategy.use_cuda))
    assert found == [(4, False), (7, False)]  # as Paddle 1.8.5


@pytest.mark.parametrize("parallel", [False, True])
def test_drawings_of_what_runs(loss: Any, parallel: bool, tmp_path: Path) -> None:
    strategy = static.BuildStrategy()
    strategy.debug_graphviz_path = str(tmp_path / "net")
    program = static.CompiledProgram(static.default_main_program(), strategy)
    if parallel:
        program.with_data_parallel(loss.name)
    static.Executor().run(program, FEED, [loss])
    texts = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert sorted(texts) == ["net_fused_graph", "net_multi_devices_graph", "net_original_graph"]  # as both wheels
    assert all(text.startswith("digraph G {\n") and '"x" -> op_0' in text and '[label="adam"' in text for text in texts.values())
    assert ("c_allreduce_sum" in texts["net_multi_devices_graph"]) is parallel and "c_allreduce" not in texts["net_original_graph"]
    strategy.debug_graphviz_path = str(tmp_path / "absent" / "net")
    with pytest.raises(EnforceNotMet, match="debug_graphviz_path"):
        static.Executor().run(static.CompiledProgram(static.default_main_program(), strategy), FEED, [loss])


@pytest.mark.parametrize("parallel", [False, True])
def test_a_compiled_program_is_what_the_program_was(loss: Any, parallel: bool) -> None:
    program = static.CompiledProgram(static.default_main_program())
    if parallel:
        program.with_data_parallel(loss.name)
    later = loss * 2
    exe = static.Executor()
    with pytest.raises(EnforceNotMet, match=later.name):  # as both wheels
        exe.run(program, FEED, [later])
    assert np.size(exe.run(program, FEED, [loss])[0]) == (2 if parallel else 1)


@pytest.mark.parametrize("parallel", [False, True])
def test_a_compiled_program_stays_with_its_scope(loss: Any, parallel: bool) -> None:
    exe, program = static.Executor(), static.CompiledProgram(static.default_main_program())
    if parallel:
        program.with_data_parallel(loss.name)
    exe.run(program, FEED, [loss])
    other = static.Scope()
    exe.run(static.default_startup_program(), scope=other)
    with pytest.raises(ValueError, match="Cannot compile program with different scope"):
        exe.run(program, FEED, [loss], scope=other)
    assert exe.run(program, FEED, [loss])


@pytest.mark.parametrize("name", ["build_strategy", "exec_strategy"])
def test_something_else_than_a_strategy(loss: Any, name: str) -> None:
    program = static.CompiledProgram(static.default_main_program()).with_data_parallel(loss.name, **{name: 3})
    with pytest.raises(AttributeError, match="'int' object has no attribute"):  # as 1.8.5: at the first run
        static.Executor().run(program, FEED, [loss])


def test_data_parallelism_asked_for_after_a_run_comes_too_late(loss: Any) -> None:
    exe, program = static.Executor(), static.CompiledProgram(static.default_main_program())
    exe.run(program, FEED, [loss])
    assert np.shape(exe.run(program.with_data_parallel(loss.name), FEED, [loss])[0]) == ()


def test_one_device_of_1_8(monkeypatch: pytest.MonkeyPatch) -> None:
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.core.Scope()):
        y = fluid.layers.scale(fluid.data("x", [None, 2]), 2.0)
        exe, program = fluid.Executor(fluid.CPUPlace()), fluid.CompiledProgram(fluid.default_main_program())
        with pytest.raises(ValueError, match="var z not in this block"):
            exe.run(program, {**FEED, "z": FEED["x"]}, [y])
        ((found,),) = exe.run(program, FEED, [y], return_merged=False)
        assert np.array_equal(found, FEED["x"] * 2)
