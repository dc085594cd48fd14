"""The in-graph schedules against their formulas; that their Programs are Paddle's is tested with the model scripts."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import paddle_compat.fluid as fluid
from paddle_compat.core import mode
from paddle_compat.fluid import layers

STEPS = 9


@pytest.fixture(autouse=True)
def static() -> None:
    mode.set_static(True)


def rates(schedule: Callable[[], Any]) -> list[float]:
    """What a schedule gives in the first runs."""
    rate = schedule()
    executor = fluid.Executor(fluid.CPUPlace())
    executor.run(fluid.default_startup_program())
    return [float(executor.run(fetch_list=[rate])[0][0]) for _ in range(STEPS)]


def cosine(step: int) -> float:
    return 0.5 * 0.5 * (math.cos(step // 3 * math.pi / 4) + 1)


SCHEDULES: dict[str, tuple[Callable[[], Any], Callable[[int], float]]] = {
    "noam": (
        lambda: layers.noam_decay(32, 5, learning_rate=0.5),
        lambda i: 0.5 * 32**-0.5 * min((i + 1) ** -0.5, 5**-1.5 * (i + 1)),
    ),
    "exponential": (lambda: layers.exponential_decay(0.5, 3, 0.5), lambda i: 0.5 * 0.5 ** (i / 3)),
    "stairs": (lambda: layers.exponential_decay(0.5, 3, 0.5, staircase=True), lambda i: 0.5 * 0.5 ** (i // 3)),
    "natural": (lambda: layers.natural_exp_decay(0.5, 3, 0.5), lambda i: 0.5 * math.exp(-0.5 * i / 3)),
    "inverse": (lambda: layers.inverse_time_decay(0.5, 3, 0.5), lambda i: 0.5 / (1 + 0.5 * i / 3)),
    "polynomial": (
        lambda: layers.polynomial_decay(0.5, 6, end_learning_rate=0.1, power=2.0),
        lambda i: 0.4 * (1 - min(i, 6) / 6) ** 2 + 0.1,
    ),
    "cycles": (
        lambda: layers.polynomial_decay(0.5, 4, end_learning_rate=0.1, cycle=True),
        lambda i: 0.4 * (1 - i / (4 * max(math.ceil(i / 4), 1))) + 0.1,
    ),
    "pieces": (lambda: layers.piecewise_decay([3, 6], [0.5, 0.2, 0.1]), lambda i: [0.5, 0.2, 0.1][i // 3]),
    "cosine": (lambda: layers.cosine_decay(0.5, 3, 4), cosine),
    "warmup": (
        lambda: layers.linear_lr_warmup(0.5, 4, start_lr=0.1, end_lr=0.3),
        lambda i: 0.1 + 0.2 * i / 4 if i < 4 else 0.5,
    ),
    "warmup to a schedule": (
        lambda: layers.linear_lr_warmup(layers.cosine_decay(0.5, 3, 4), 4, start_lr=0.1, end_lr=0.3),
        lambda i: 0.1 + 0.2 * i / 4 if i < 4 else cosine(i),
    ),
}


@pytest.mark.parametrize("name", SCHEDULES)
def test_schedule(name: str) -> None:
    schedule, formula = SCHEDULES[name]
    np.testing.assert_allclose(rates(schedule), [formula(i) for i in range(STEPS)], rtol=2e-6)


def test_counter_and_roles() -> None:
    layers.exponential_decay(0.5, 3, 0.5)
    layers.natural_exp_decay(0.5, 3, 0.5)
    block = fluid.default_main_program().global_block()
    counter = block.var("@LR_DECAY_COUNTER@")
    assert counter.persistable and counter.stop_gradient and tuple(counter.shape) == (1,)
    assert [op.type for op in block.ops].count("increment") == 1
    assert block.ops[0].type == "increment"
    assert {op.attr("op_role") for op in block.ops} == {16}


def test_a_copy_for_testing_has_no_schedule() -> None:
    x = fluid.data("x", [None, 2])
    loss = layers.mean(layers.fc(x, size=1))
    fluid.optimizer.SGD(layers.exponential_decay(0.5, 3, 0.5)).minimize(loss)
    test = fluid.default_main_program().clone(for_test=True)
    assert [op.type for op in test.global_block().ops] == ["mul", "elementwise_add", "mean"]


def test_wrong_use() -> None:
    with pytest.raises(ValueError, match="`values`.*Expected 2 values.*Received: 1"):
        layers.piecewise_decay([3], [0.1])
    with pytest.raises(TypeError, match="learning_rate.*Expected float or Variable"):
        layers.cosine_decay(1, 3, 4)


def test_eager_mode_gives_schedulers() -> None:
    with fluid.dygraph.guard():
        rate = layers.noam_decay(1, 4)
        assert isinstance(rate, fluid.dygraph.NoamDecay)
        assert [float(rate()) for _ in range(2)] == [0.125, 0.25]
