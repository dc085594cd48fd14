"""Learning rates of every schedule of 1.8, computed by servers, against those of one process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from servers_at_home import alone, at_home

import paddle_compat as paddle
from paddle_compat import fluid

layers = fluid.layers
SCHEDULES: dict[str, Callable[[], Any]] = {
    "constant": lambda: 0.1,
    "noam": lambda: layers.noam_decay(16, 4),
    "exponential": lambda: layers.exponential_decay(0.1, 3, 0.5),
    "exponential by steps": lambda: layers.exponential_decay(0.1, 3, 0.5, staircase=True),
    "natural exponential": lambda: layers.natural_exp_decay(0.1, 3, 0.5),
    "inverse time": lambda: layers.inverse_time_decay(0.1, 3, 0.5, staircase=True),
    "polynomial": lambda: layers.polynomial_decay(0.1, 6, 0.01, 2.0),
    "polynomial in cycles": lambda: layers.polynomial_decay(0.1, 4, 0.01, 2.0, cycle=True),
    "piecewise": lambda: layers.piecewise_decay([3, 7], [0.1, 0.05, 0.2]),
    "cosine": lambda: layers.cosine_decay(0.1, 3, 4),
    "warmup": lambda: layers.linear_lr_warmup(0.1, 5, 0.01, 0.1),
    "warmup of cosine": lambda: layers.linear_lr_warmup(layers.cosine_decay(0.1, 2, 6), 4, 0.0, 0.1),
    "warmup of piecewise": lambda: layers.linear_lr_warmup(layers.piecewise_decay([6, 9], [0.1, 0.05, 0.02]), 4, 0.0, 0.1),
}


@pytest.fixture(autouse=True)
def static_mode() -> Iterator[None]:
    paddle.enable_static()
    yield
    paddle.disable_static()


@pytest.mark.parametrize("name", SCHEDULES)
def test_servers_know_the_rate_of_every_step(name: str) -> None:
    def network() -> Any:
        x, y = fluid.data("x", [None, 4]), fluid.data("y", [None, 1])
        first = layers.fc(x, 3, act="tanh")  # on two servers, each of which counts steps
        loss = layers.mean(layers.square_error_cost(layers.fc(first, 1), y))
        fluid.optimizer.Momentum(SCHEDULES[name](), 0.5).minimize(loss)
        return loss

    numbers = np.random.RandomState(0)
    feeds = [{"x": numbers.rand(6, 4).astype("float32"), "y": numbers.rand(6, 1).astype("float32")} for _ in range(14)]
    here = alone(network, feeds)
    with at_home(network) as home:
        there = [home.run(feed)[0].item() for feed in feeds]
    np.testing.assert_allclose(there, here, rtol=1e-5)
