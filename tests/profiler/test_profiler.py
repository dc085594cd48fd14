"""`paddle.profiler`: what is recorded in which step, ranges with names, tables and traces."""

from __future__ import annotations

import json
import re
import warnings
from pathlib import Path
from typing import Any

import pytest
import torch

import paddle_compat as paddle
from paddle_compat import profiler
from paddle_compat.errors import UnsupportedError
from paddle_compat.profiler import ProfilerState, ProfilerTarget, SummaryView
from paddle_compat.profiler.utils import in_profiler_mode

C, R, E, X = ProfilerState

# the states of steps -> the steps in which on_trace_ready was called, and the transition that warned; seen in Paddle 2.6.2
TRANSITIONS: list[tuple[list[ProfilerState], list[int], str]] = [
    ([C, R, E, X, C], [4], ""),
    ([E, E, E], [2], ""),
    ([X, X, X], [1, 2, 2], ""),
    ([R, C], [], "READY->CLOSED"),
    ([E, C], [], "RECORD->CLOSED"),
    ([E, R, X], [2], "RECORD->READY"),
    ([C, C], [], ""),
    ([R], [], "READY->CLOSED"),
    ([X, E, R, X, C], [1, 4], "RECORD->READY"),
    ([C, E, X, R, X], [3, 4], ""),
]
# what `scheduler` is given -> the states of five steps, and the step in which the result was ready; seen in Paddle 2.6.2
RANGES: list[tuple[Any, list[ProfilerState], int]] = [
    ((0, 2), [E, X, C, C, C], 2),
    ((1, 3), [R, E, X, C, C], 3),
    ([2, 3], [C, R, X, C, C], 3),
    ((-3, 1), [X, C, C, C, C], 1),
    (None, [E] * 5, 5),
    (5, [E] * 5, 5),
]


@pytest.fixture
def trained() -> profiler.Profiler:
    """Two recorded steps of training, with all that can be asked for."""
    prof = profiler.Profiler(
        targets=[ProfilerTarget.CPU], on_trace_ready=lambda prof: None, record_shapes=True, profile_memory=True, with_flops=True
    )
    layer = paddle.nn.Sequential(paddle.nn.Linear(4, 3), paddle.nn.ReLU())
    optimizer = paddle.optimizer.SGD(0.1, parameters=layer.parameters())
    with prof:
        for (x,) in paddle.io.DataLoader(paddle.io.TensorDataset([paddle.ones([4, 4])]), batch_size=2):
            with profiler.RecordEvent("mine"):
                layer(x).sum().backward()
            optimizer.step()
            optimizer.clear_grad()
            prof.step()
    return prof


@pytest.mark.parametrize("states, ready, warned", TRANSITIONS)
def test_states_of_steps(states: list[ProfilerState], ready: list[int], warned: str) -> None:
    called: list[int] = []
    prof = profiler.Profiler(scheduler=lambda step: states[step], on_trace_ready=lambda prof: called.append(prof.step_num))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with prof:
            for _ in states[1:]:
                prof.step()
    assert called == ready and (prof.profiler_result is not None) == bool(ready)
    assert [warned] * bool(warned) == [match for each in caught for match in re.findall(r"\w+->\w+", str(each.message))]


@pytest.mark.parametrize("given, states, ready", RANGES)
@pytest.mark.filterwarnings("ignore:A profiler without")
def test_ranges_of_steps(given: Any, states: list[ProfilerState], ready: int) -> None:
    called: list[int] = []
    seen = []
    with profiler.Profiler(scheduler=given, on_trace_ready=lambda prof: called.append(prof.step_num)) as prof:
        for _ in states:
            seen.append(prof.current_state)
            prof.step()
    assert seen == states and called == [ready]


def test_schedulers() -> None:
    state = profiler.make_scheduler(closed=1, ready=1, record=2, repeat=2, skip_first=1)
    assert [state(step) for step in range(12)] == [C, C, R, E, X, C, R, E, X, C, C, C]
    for wrong in ({"closed": -1, "ready": 1, "record": 2}, {"closed": 1, "ready": 1, "record": 0}):
        with pytest.raises(AssertionError, match="make_scheduler.*Received: closed="):
            profiler.make_scheduler(**wrong)
    for given in ((5, 2), (1,)):
        with pytest.raises(AssertionError, match="`scheduler` of `Profiler`"):
            profiler.Profiler(scheduler=given)  # type: ignore[arg-type]


def test_tables(trained: profiler.Profiler, capsys: pytest.CaptureFixture[str]) -> None:
    trained.summary()
    said = capsys.readouterr().out
    for title in ("Device", "Overview", "Model", "Operator", "Memory", "UserDefined"):
        assert f"{title} Summary" in said
    assert "Flops Profiler" in said and "Kernel Summary" not in said and "Distribution Summary" not in said
    cells = [line.split() for line in reversed(said.splitlines()) if " / " in line]
    calls = {name: number for name, number, *_ in cells}
    # the layers inside of the Sequential are parts of it; the third step is empty, and asked for no batch
    assert [calls[name] for name in ("ProfileStep", "Forward", "Backward", "Optimization", "mine")] == ["3", "2", "2", "2", "2"]
    assert calls["aten::addmm"] == "2" and calls["AddmmBackward0"] == "2"


def test_chosen_tables(trained: profiler.Profiler, capsys: pytest.CaptureFixture[str]) -> None:
    trained.with_flops = False
    trained.summary(profiler.SortedKeys.CPUMax, op_detail=False, thread_sep=True, time_unit="us", views=SummaryView.OperatorView)
    said = capsys.readouterr().out
    assert "Operator Summary" in said and "Model Summary" not in said and "Time unit: us" in said and "Thread: " in said
    assert "  aten::" not in said  # what operators call
    longest = [float(line.split("/")[2]) for line in said.splitlines() if line.count("/") == 8 and "Total" not in line]
    assert len(longest) > 3 and longest == sorted(longest, reverse=True)
    trained.summary(views=[SummaryView.ModelView, SummaryView.UDFView])
    said = capsys.readouterr().out
    assert said.index("Model Summary") < said.index("UserDefined Summary") and "Overview" not in said
    with pytest.raises(ValueError, match="`time_unit` of `summary`.*'h'"):
        trained.summary(time_unit="h")


def test_traces(trained: profiler.Profiler, tmp_path: Path) -> None:
    for name in ("one.json", "folder/two.json"):  # torch's own profiler writes once only
        trained.export(str(tmp_path / name))
        names = {event["name"] for event in json.loads((tmp_path / name).read_text())["traceEvents"]}
        assert {"ProfileStep#0", "mine", "Sequential", "Linear", "Gradient Backward", "Optimization Step", "aten::addmm"} <= names
    with pytest.raises(UnsupportedError, match="format='pb'"):
        trained.export(str(tmp_path / "one.pb"), "pb")
    with pytest.raises(ValueError, match="'xyz'"):
        trained.export(str(tmp_path / "one.xyz"), "xyz")
    handle = profiler.export_chrome_tracing(str(tmp_path / "log"), "worker")
    handle(trained)
    (file,) = (tmp_path / "log").iterdir()
    assert file.name.startswith("worker_time_") and file.name.endswith(".paddle_trace.json")
    with pytest.raises(RuntimeError, match="Can not create directory"):
        profiler.export_chrome_tracing(str(tmp_path / "one.json"))
    for refused in (profiler.export_protobuf, profiler.load_profiler_result):
        with pytest.raises(UnsupportedError):
            refused(str(tmp_path))


def test_nothing_is_heard_when_nothing_records() -> None:
    def methods() -> list[Any]:
        homes = ((paddle.nn.Layer, "__call__"), (paddle.Tensor, "backward"), (paddle.optimizer.Optimizer, "step"))
        return [vars(owner)[name] for owner, name in homes]

    before = methods()
    prof = profiler.Profiler(scheduler=[1, 2], on_trace_ready=lambda prof: None)
    assert not in_profiler_mode()
    with prof:
        assert methods() == before and in_profiler_mode()
        prof.step()
        assert all(now is not then for now, then in zip(methods(), before))
    assert methods() == before and not in_profiler_mode()


def test_what_fails_while_recording_leaves_nothing_behind() -> None:
    with pytest.raises(ZeroDivisionError), profiler.Profiler(on_trace_ready=lambda prof: None):
        1 / 0  # noqa: B018
    with profiler.Profiler(on_trace_ready=lambda prof: None) as prof:
        second = profiler.Profiler(on_trace_ready=lambda prof: None)
        with pytest.raises(RuntimeError, match="records already"):
            second.start()
        second.timer_only = True
        second.stop()
        prof.step()
    assert prof.profiler_result is not None


def test_ranges_with_names() -> None:
    @profiler.RecordEvent("decorated")
    def answer() -> int:
        return 3

    event = profiler.RecordEvent("around")
    with profiler.Profiler(on_trace_ready=lambda prof: None) as prof:
        event.begin()
        assert answer() == 3
        event.end()
        event.end()
        kernel = profiler.RecordEvent("kernel", paddle.base.core.TracerEventType.Kernel)
        with pytest.warns(UserWarning, match="passes over 'kernel'"), kernel:
            pass
    assert prof.profiler_result is not None
    names = [each.name for each in prof.profiler_result.events() if each.is_user_annotation]
    assert names == ["ProfileStep#0", "around", "decorated"]
    assert answer() == 3 and event.event is None


def test_targets_that_are_not_there() -> None:
    assert ProfilerTarget.CPU in profiler.Profiler().targets
    with pytest.warns(UserWarning, match="Profiling CPU is not supported"):
        profiler.Profiler(targets=["CPU"])  # type: ignore[list-item]
    with pytest.warns(UserWarning, match="ProfilerTarget.XPU is not supported"):
        assert profiler.Profiler(targets=[ProfilerTarget.CPU, ProfilerTarget.XPU]).targets == {ProfilerTarget.CPU}


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")
def test_kernels(capsys: pytest.CaptureFixture[str]) -> None:
    with profiler.Profiler(on_trace_ready=lambda prof: None) as prof:
        paddle.ones([8, 8]).cuda().matmul(paddle.ones([8, 8]).cuda()).numpy()
    prof.summary()
    assert "Kernel Summary" in capsys.readouterr().out
