"""Schedules of `fluid.dygraph`, and how optimizers count on in them, as Paddle 1.8.5 does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_compat import fluid
from paddle_compat.fluid import dygraph


@pytest.mark.parametrize(
    ("schedule", "expected"),
    [
        (lambda: dygraph.PiecewiseDecay([1, 2], [0.1, 0.05, 0.01], 0), ["float", "float", "VarBase"]),
        (lambda: dygraph.LinearLrWarmup(0.1, 2, 0.0, 0.1, begin=0), ["float", "float", "float"]),
        (lambda: dygraph.LinearLrWarmup(dygraph.NoamDecay(8, 3), 1, 0.0, 0.1, begin=0), ["float", "VarBase", "VarBase"]),
        (lambda: dygraph.ExponentialDecay(0.1, 2, 0.5), ["VarBase"] * 3),
    ],
)
def test_step_gives_numbers_or_values(schedule: Any, expected: list[str]) -> None:
    with dygraph.guard():
        rate, found = schedule(), []
        for _ in expected:
            found.append(type(rate.step()).__name__)
            assert type(rate()).__name__ == "VarBase"
        assert found == expected


@pytest.mark.parametrize("optimizer", [fluid.optimizer.SGD, fluid.optimizer.Adam])
def test_each_pass_over_gradients_counts_on(optimizer: Any) -> None:
    with dygraph.guard():
        net, rate = dygraph.Linear(2, 2), dygraph.ExponentialDecay(0.1, 2, 0.5)
        steps = optimizer(rate, parameter_list=net.parameters())
        assert (steps.current_step_lr(), rate.step_num) == (np.float32(0.1), 0)
        loss = fluid.layers.mean(net(dygraph.to_variable(np.ones((2, 2), "float32"))))
        loss.backward()
        pairs = [(param, param._grad_ivar()) for param in net.parameters()]
        before = net.weight.numpy()
        assert steps.apply_gradients(pairs) == []
        np.testing.assert_allclose(before - net.weight.numpy(), 0.05 if optimizer is fluid.optimizer.SGD else 0.1, rtol=1e-4)
        assert rate.step_num == 1
        steps.apply_gradients([])
        assert (rate.step_num, round(float(steps.current_step_lr()), 6)) == (2, 0.070711)
        steps.apply_optimize(loss, None, pairs)
        steps.minimize(loss)
        assert rate.step_num == 4
        assert [pair[0].name for pair in steps.backward(loss)] == [param.name for param in net.parameters()]
        assert rate.step_num == 4
