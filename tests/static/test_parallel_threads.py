"""Data parallel programs that several threads run, and that a forked process goes on with; exits and errors inside operators."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from processes import replicas_end

from paddle_compat import fluid

FEED = {"x": np.linspace(-1, 1, 32).reshape(8, 4).astype("float32")}


@pytest.fixture(autouse=True)
def scope(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Two replicas in a Scope of its own; no thread outlives the test."""
    monkeypatch.setenv("CPU_NUM", "2")
    made = fluid.core.Scope()
    with replicas_end(), fluid.scope_guard(made):
        yield made


def trainer(watch: Callable[[Any], Any] | None = None) -> Callable[[], list[float]]:
    """Runs a step of training and gives its losses; `watch` sees a layer's values in each replica."""
    main, start = fluid.Program(), fluid.Program()
    main.random_seed = start.random_seed = 3
    with fluid.program_guard(main, start), fluid.unique_name.guard():
        h = fluid.layers.fc(fluid.data("x", [None, 4]), 64, act="tanh")
        if watch is not None:
            seen = main.current_block().create_var(name="seen", dtype="float32", shape=[-1, 64])
            fluid.layers.py_func(watch, h, seen, backward_func=lambda x, y, dy: np.array(dy))
            h = seen
        loss = fluid.layers.mean(fluid.layers.square(fluid.layers.fc(h, 2)))
        fluid.optimizer.Adam(0.01).minimize(loss)
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(start)
    both = fluid.CompiledProgram(main).with_data_parallel(loss.name)
    scope = fluid.global_scope()
    return lambda: exe.run(both, feed=FEED, fetch_list=[loss], scope=scope)[0].tolist()


def test_runs_of_several_threads_come_one_after_another() -> None:
    step = trainer()
    expected = [step() for _ in range(45)]
    with fluid.scope_guard(fluid.core.Scope()):
        step, found = trainer(), []
        threads = [threading.Thread(target=lambda: found.extend(step() for _ in range(15))) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    assert sorted(found) == sorted(expected)


def _go_on(step: Callable[[], list[float]], answers: Any) -> None:
    answers.put(step())


def test_a_forked_process_goes_on() -> None:
    step = trainer()
    step()
    context = multiprocessing.get_context("fork")
    answers = context.Queue()
    child = context.Process(target=_go_on, args=(step, answers))
    child.start()
    try:
        assert answers.get(timeout=60) == step()
    finally:
        child.join(10)
        child.kill()


@pytest.mark.parametrize("kind", [ZeroDivisionError, KeyboardInterrupt, SystemExit])
def test_what_an_operator_raises_comes_out_and_changes_nothing(kind: type[BaseException]) -> None:
    raising: list[type[BaseException]] = []

    def watch(values: Any) -> Any:
        if raising:
            raise raising.pop()("mine")
        return np.array(values)

    step = trainer(watch)
    losses = [step()]
    raising.append(kind)
    with pytest.raises(kind, match="mine"):
        step()
    losses += [step(), step()]
    with fluid.scope_guard(fluid.core.Scope()):
        other = trainer(np.array)
        assert losses == [other() for _ in range(3)]
