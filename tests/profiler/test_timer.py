"""Timing of steps and of their data: `Profiler(timer_only=True)` and `paddle.profiler.timer`."""

from __future__ import annotations

import re

import pytest

import paddle_compat as paddle
from paddle_compat import profiler
from paddle_compat.profiler import timer

INFO = re.compile(r"( reader_cost: \d+\.\d{5} s)?( batch_cost: \d+\.\d{5} s)( ips: \d+\.\d{3} (\w+)/s)")


def loader(size: int) -> paddle.io.DataLoader:
    """Batches of two from a data set of its own."""
    return paddle.io.DataLoader(paddle.io.TensorDataset([paddle.ones([size, 2])]), batch_size=2)


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that the tests move on."""
    now = [0.0]
    monkeypatch.setattr(timer, "perf_counter", lambda: now[0])
    return now


def info(prof: profiler.Profiler, unit: str | None = None) -> tuple[bool, str]:
    """Whether data was timed, and the unit."""
    match = INFO.fullmatch(prof.step_info(unit))
    assert match is not None
    return match[1] is not None, match[4]


def test_steps_and_their_data(capsys: pytest.CaptureFixture[str], clock: list[float]) -> None:
    prof = profiler.Profiler(timer_only=True)
    prof.start()
    for _ in loader(24):
        clock[0] += 0.5
        prof.step(num_samples=2)
        assert prof.step_info("images") == " batch_cost: 0.50000 s ips: 4.000 images/s"
    assert prof.step_info("images") == ""
    prof.stop()
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "Perf Summary".center(100, "=") and "Time Unit: s, IPS Unit: images/s" in said
    assert re.fullmatch(r"\| +batch_cost +\| +0\.50000 +\| +0\.50000 +\| +0\.50000 +\|", said[-2])
    assert re.fullmatch(r"\| +ips +\| +4\.00000 +\| +4\.00000 +\| +4\.00000 +\|", said[-1])


def test_time_of_data(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    class Slow(paddle.io.Dataset):  # type: ignore[type-arg]
        def __len__(self) -> int:
            return 12

        def __getitem__(self, index: int) -> float:
            clock[0] += 1.0
            return 0.0

    with profiler.Profiler(timer_only=True) as prof:
        for _ in paddle.io.DataLoader(Slow(), batch_size=1):
            clock[0] += 3.0
            prof.step()
        assert prof.step_info() == " reader_cost: 1.00000 s batch_cost: 4.00000 s ips: 0.250 steps/s"
    assert "Reader Ratio: 25.000%" in capsys.readouterr().out


def test_steps_without_samples(clock: list[float]) -> None:
    with profiler.Profiler(timer_only=True) as prof:
        for _ in range(4):
            clock[0] += 0.1
            prof.step()
        assert info(prof, "images") == (False, "steps")
    with profiler.Profiler(timer_only=True) as prof:
        clock[0] += 0.1
        prof.step(num_samples=3)
        assert info(prof) == (False, "samples")


def test_a_task_inside_a_task(clock: list[float]) -> None:
    training, evaluation = loader(8), loader(6)
    with profiler.Profiler(timer_only=True) as prof:
        for number, _ in enumerate(training):
            if number == 2:
                for _ in evaluation:  # another data set: none of the steps
                    clock[0] += 100.0
                    prof.step(num_samples=2)
                continue
            clock[0] += 1.0
            prof.step(num_samples=2)
        assert prof.step_info() == " batch_cost: 1.00000 s ips: 2.000 samples/s"
    with profiler.Profiler(timer_only=True) as outer:
        with profiler.Profiler(timer_only=True) as inner:
            clock[0] += 5.0
            inner.step()
        clock[0] += 1.0
        outer.step()
        assert outer.step_info() == " batch_cost: 1.00000 s ips: 1.000 steps/s"
    assert timer.benchmark().current_event is None
