"""Servers that go on from snapshots train as if nothing had happened: parameters, tables, optimizers' states and schedules are in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from servers_at_home import Home, at_home

import paddle_compat as paddle
from paddle_compat import fluid
from paddle_compat.engine import trainer

layers = fluid.layers
CASES: dict[str, tuple[Callable[[], Any], bool, bool]] = {  # optimizer, in rounds, with a table of servers alone
    "adam, schedule": (lambda: fluid.optimizer.Adam(layers.noam_decay(16, 4), lazy_mode=True), True, False),
    "adam, table of servers": (lambda: fluid.optimizer.Adam(0.1), True, True),
    "momentum, schedule, asynchronous": (lambda: fluid.optimizer.Momentum(layers.exponential_decay(0.1, 3, 0.5), 0.9), False, False),
    "sgd, compensated, asynchronous": (lambda: fluid.optimizer.SGD(0.1), False, False),
}


@pytest.fixture(autouse=True)
def static_mode() -> Iterator[None]:
    paddle.enable_static()
    yield
    paddle.disable_static()


def job(case: str) -> Any:
    make, sync, remote = CASES[case]

    config = fluid.DistributeTranspilerConfig()
    config.enable_dc_asgd = "compensated" in case

    def network() -> Any:
        ids, y = fluid.data("ids", [None, 1], "int64"), fluid.data("y", [None, 1])
        rows = layers.embedding(
            ids, [300, 40], is_sparse=not config.enable_dc_asgd, is_distributed=remote, param_attr=fluid.ParamAttr(name="table")
        )
        out = layers.fc(layers.fc(layers.reshape(rows, [-1, 40]), 5, act="tanh"), 1)
        loss = layers.mean(layers.square_error_cost(out, y))
        make().minimize(loss)
        return loss

    return at_home(network, sync=sync, config=config)


def trained(home: Home, feeds: list[dict[str, Any]]) -> list[float]:
    return [home.run(feed)[0].item() for feed in feeds]


@pytest.mark.parametrize("case", CASES)
def test_training_goes_on_from_snapshots(case: str, tmp_path: Path) -> None:
    numbers = np.random.RandomState(0)
    feeds = [{"ids": numbers.randint(0, 300, (20, 1)), "y": numbers.rand(20, 1).astype("float32")} for _ in range(12)]
    with job(case) as home:
        trained(home, feeds[:6])
        for number, server in enumerate(home.servers):
            server.save(tmp_path / str(number))
        expected = trained(home, feeds[6:])
    with job(case) as again:
        for number, server in enumerate(again.servers):
            server.restore(tmp_path / str(number))
        assert trainer._trainer is not None
        trainer._trainer.pushes = [server.answer("hello", 0) for server in again.servers]
        again.exe.run(again.startup)  # gets what the servers have
        assert trained(again, feeds[6:]) == expected
