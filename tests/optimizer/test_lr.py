"""The learning-rate schedulers against those of the 2.6.2 wheel."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat.optimizer import lr

RECORDED = json.loads((Path(__file__).resolve().parents[1] / "references" / "optimizer_lr_2.6.2.json").read_text())


def made(spec: Any) -> Any:
    """The scheduler of a [class, arguments] pair, the function of a power; other values as they are."""
    if isinstance(spec, dict):
        return lambda epoch: spec["power"] ** epoch
    if not isinstance(spec, list) or not isinstance(spec[0], str):
        return spec
    return getattr(lr, spec[0])(**{name: made(value) for name, value in spec[1].items()})


@pytest.mark.parametrize("name", RECORDED["followed"])
def test_scheduler_equals_wheel(name: str) -> None:
    case = RECORDED["followed"][name]
    scheduler, rates, jumps = made(case["spec"]), [], []
    for _ in case["rates"]:
        rates.append(scheduler())
        scheduler.step()
    for epoch in (7, 2, 12):
        scheduler.step(epoch)
        jumps.append(scheduler())
    scheduler.step()
    np.testing.assert_allclose(rates, case["rates"], rtol=1e-12)
    np.testing.assert_allclose([*jumps, scheduler()], case["jumps"], rtol=1e-12)
    state = scheduler.state_dict()
    assert state.keys() == case["state"].keys()
    assert state["last_epoch"] == case["state"]["last_epoch"]


@pytest.mark.parametrize("name", RECORDED["watched"])
def test_reduce_on_plateau_equals_wheel(name: str) -> None:
    case = RECORDED["watched"][name]
    scheduler, rates = lr.ReduceOnPlateau(1.0, **case["arguments"]), []
    for metric in case["metrics"]:
        scheduler.step(metric)
        rates.append(scheduler())
    assert rates == case["rates"]
    assert scheduler.state_dict() == case["state"]


COMPUTED = {  # function, arguments: what 2.6.2 fetches in the first runs
    ("noam_decay", 64, 3, 2.0): [0.048112522810697556, 0.09622504562139511, 0.14433756470680237, 0.125, 0.11180339753627777],
    ("exponential_decay", 0.1, 2, 0.5): [0.10000000149011612, 0.0707106813788414, 0.05000000074505806, 0.0353553406894207],
    ("natural_exp_decay", 0.1, 2, 0.5, True): [0.10000000149011612, 0.10000000149011612, 0.060653068125247955],
    ("inverse_time_decay", 0.1, 2, 0.5, True): [0.10000000149011612, 0.10000000149011612, 0.06666667014360428],
    ("polynomial_decay", 0.1, 3): [0.10000000149011612, 0.06669999659061432, 0.033399999141693115, 9.999999747378752e-05],
    ("polynomial_decay", 0.1, 3, 0.01, 2.0, True): [0.10000000149011612, 0.04999999701976776, 0.019999999552965164],
    ("piecewise_decay", (2, 4), (0.1, 0.2, 0.3)): [0.10000000149011612, 0.10000000149011612, 0.20000000298023224],
    ("cosine_decay", 0.1, 2, 3): [0.10000000149011612, 0.10000000149011612, 0.07500000298023224],
    ("linear_lr_warmup", 0.1, 3, 0.01, 0.2): [0.009999999776482582, 0.07333333045244217, 0.1366666704416275, 0.10000000149011612],
    ("autoincreased_step_counter", None, 3, 2): [4, 6, 8],
}


@pytest.mark.parametrize("call", COMPUTED, ids=lambda call: call[0])
def test_rates_that_a_program_computes_equal_the_wheels(call: Any) -> None:
    name, *args = call
    main, startup, exe = paddle.static.Program(), paddle.static.Program(), paddle.static.Executor(paddle.CPUPlace())
    paddle.enable_static()
    try:
        with paddle.static.scope_guard(paddle.static.Scope()), paddle.static.program_guard(main, startup):
            rate = getattr(lr, name)(*args)
            exe.run(startup)
            found = [exe.run(main, fetch_list=[rate])[0].item() for _ in COMPUTED[call]]
    finally:
        paddle.disable_static()
    np.testing.assert_allclose(found, COMPUTED[call], rtol=1e-6)
    if name not in ("autoincreased_step_counter", "linear_lr_warmup"):
        assert isinstance(getattr(lr, name)(*args), lr.LRScheduler)


def test_state_goes_into_a_new_scheduler() -> None:
    def fresh() -> Any:
        return lr.LinearWarmup(lr.CosineAnnealingDecay(0.5, 6), 3, 0.0, 0.5)

    first, second = fresh(), fresh()
    for _ in range(5):
        first.step()
    with pytest.warns(UserWarning, match="unused values"):  # of the scheduler behind the warm-up, as Paddle says
        second.set_state_dict(first.state_dict())
    for _ in range(4):
        first.step()
        second.step()
        assert second() == first()


def test_incomplete_and_foreign_states() -> None:
    scheduler = lr.StepDecay(0.5, 3)
    with pytest.raises(RuntimeError, match="last_lr"):
        scheduler.set_state_dict({"last_epoch": 3})
    with pytest.warns(UserWarning, match="unused values"):
        scheduler.set_state_dict({"last_epoch": 3, "last_lr": 0.1, "best": None})
    assert scheduler() == 0.1


def test_verbose_prints_each_step(capsys: pytest.CaptureFixture[str]) -> None:
    scheduler = lr.StepDecay(0.5, step_size=1, gamma=0.5, verbose=True)
    scheduler.step()
    assert capsys.readouterr().out.splitlines() == [
        "Epoch 0: StepDecay set learning rate to 0.5.",
        "Epoch 1: StepDecay set learning rate to 0.25.",
    ]


WRONG = [
    (lr.NoamDecay, (0, 10), {}, ValueError, "d_model"),
    (lr.PiecewiseDecay, ([], [0.1]), {}, ValueError, "boundaries"),
    (lr.PiecewiseDecay, ([3], [0.1]), {}, ValueError, "values"),
    (lr.NaturalExpDecay, (0.5, -0.1), {}, AssertionError, "gamma"),
    (lr.PolynomialDecay, (0.5, 0), {}, AssertionError, "decay_steps"),
    (lr.LinearWarmup, ("0.5", 3, 0.0, 1.0), {}, TypeError, "learning_rate"),
    (lr.LinearWarmup, (0.5, 3, 1.0, 0.5), {}, AssertionError, "end_lr"),
    (lr.ExponentialDecay, (0.5, 1.5), {}, AssertionError, "gamma"),
    (lr.MultiStepDecay, (0.5, 3), {}, TypeError, "milestones"),
    (lr.MultiStepDecay, (0.5, [3, 2]), {}, ValueError, "milestones"),
    (lr.StepDecay, (0.5, 3.0), {}, TypeError, "step_size"),
    (lr.StepDecay, (-0.5, 3), {}, ValueError, "learning_rate"),
    (lr.LambdaDecay, (0.5, 0.9), {}, TypeError, "lr_lambda"),
    (lr.ReduceOnPlateau, (0.5,), {"mode": "low"}, ValueError, "mode"),
    (lr.CosineAnnealingDecay, (0.5, 3.0), {}, TypeError, "T_max"),
    (lr.OneCycleLR, (0.5, 10), {"phase_pct": 0.6, "three_phase": True}, ValueError, "phase_pct"),
    (lr.CyclicLR, (0.1, 0.5, 0), {}, ValueError, "step_size_up"),
    (lr.CyclicLR, (0.1, 0.5, 4), {"mode": "square"}, ValueError, "mode"),
    (lr.LinearLR, (0.5, 4), {"start_factor": 0.0}, ValueError, "start_factor"),
    (lr.CosineAnnealingWarmRestarts, (0.5, 0), {}, ValueError, "T_0"),
]


@pytest.mark.parametrize(("scheduler", "args", "kwargs", "error", "argument"), WRONG)
def test_wrong_arguments(scheduler: Any, args: Any, kwargs: Any, error: type[Exception], argument: str) -> None:
    with pytest.raises(error, match=f"`{argument}`.*Expected.*Received"):
        scheduler(*args, **kwargs)


def test_more_steps_than_one_cycle_has() -> None:
    scheduler = lr.OneCycleLR(1.0, total_steps=2)
    scheduler.step()
    scheduler.step()
    with pytest.raises(ValueError, match="at most 2 steps"):
        scheduler.step()
