"""`fluid.dygraph.DataParallel` in two processes trains as one process on the joined batch."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_compat.fluid as fluid
from paddle_compat import distributed
from paddle_compat.core.errors import EnforceNotMet
from paddle_compat.distributed.launch._addresses import free_ports

BATCHES = np.random.RandomState(0).rand(4, 6, 3).astype("float32")


def train(folder: str) -> None:
    """What each process does with its share of the batches; written to a file by its number."""
    with fluid.dygraph.guard(fluid.CPUPlace()):
        strategy = fluid.dygraph.prepare_context()
        rank, share = strategy.local_rank, 6 // strategy.nranks
        fluid.default_main_program().random_seed = fluid.default_startup_program().random_seed = 1 + rank  # weights that differ
        net: Any = fluid.dygraph.DataParallel(fluid.dygraph.Linear(3, 2, act="tanh"), strategy)
        optimizer = fluid.optimizer.Adam(0.1, parameter_list=net.parameters())
        losses = []
        for batch in BATCHES:
            loss = fluid.layers.mean(net(fluid.dygraph.to_variable(batch[rank * share :][:share])))
            losses.append(float(loss.numpy()))
            loss = net.scale_loss(loss)
            loss.backward()
            net.apply_collective_grads()
            optimizer.minimize(loss)
            net.clear_gradients()
        values = [value.numpy() for value in net.state_dict().values()]
    np.savez(Path(folder, f"{strategy.nranks}-{rank}.npz"), *values, losses=losses)


def test_two_processes_train_as_one(tmp_path: Path) -> None:
    folder: Any = str(tmp_path)
    for count in (1, 2):
        distributed.spawn(train, (folder,), count, start_method="fork", backend="gloo")  # type: ignore[operator]
    one, first, second = (np.load(tmp_path / f"{name}.npz") for name in ("1-0", "2-0", "2-1"))
    for name in ("arr_0", "arr_1"):
        assert (first[name] == second[name]).all()
        assert first[name] == pytest.approx(one[name], abs=1e-6)
    assert (first["losses"] + second["losses"]) / 2 == pytest.approx(one["losses"], abs=1e-6)


def test_a_strategy_that_contradicts_the_launcher(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"RANK": "0", "WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free_ports(1)[0])}.items():
        monkeypatch.setenv(name, value)
    strategy = fluid.dygraph.parallel.ParallelStrategy()
    strategy.nranks = 3
    with fluid.dygraph.guard(), pytest.raises(EnforceNotMet, match="Expected what the launcher says: 2 and 0.*Received: 3 and 0"):
        fluid.dygraph.prepare_context(strategy)


def test_several_processes_need_the_guard(monkeypatch: pytest.MonkeyPatch) -> None:
    fluid.data("x", [None, 1])
    strategy = fluid.dygraph.parallel.ParallelStrategy()
    strategy.nranks = 2
    with pytest.raises(AssertionError, match="guard"):
        fluid.dygraph.prepare_context(strategy)


def test_the_environment_of_a_trainer(monkeypatch: pytest.MonkeyPatch) -> None:
    endpoints = "127.0.0.1:6170,127.0.0.1:6171"
    for name, value in {
        "PADDLE_TRAINER_ID": "1", "PADDLE_TRAINERS_NUM": "2", "PADDLE_TRAINER_ENDPOINTS": endpoints, "FLAGS_selected_gpus": "1",
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("PADDLE_CURRENT_ENDPOINT", raising=False)
    env = fluid.dygraph.parallel.Env()
    assert (env.nranks, env.local_rank, env.dev_id, env.current_endpoint) == (2, 1, 1, "127.0.0.1:6171")
    assert env.trainer_endpoints == endpoints.split(",") and os.environ["PADDLE_TRAINER_ID"] == "1"
