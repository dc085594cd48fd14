"""`strategy.tensor_parallel` in Programs: workers side by side compute one model, groups of them share out the data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from jobs import run_job

import paddle_compat as paddle
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.distributed import fleet

KINDS = ["columns", "rows", "embedding"]


@pytest.fixture(scope="module", params=[2, 4])
def workers(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    script = tmp_path_factory.mktemp("job") / "tensor_parallel_job.py"
    script.write_text((Path(__file__).parent / script.name).read_text())
    ended = run_job(script, request.param, 120, KINDS)
    assert [status for status, _ in ended] == [0] * request.param, "\n".join(said for _, said in ended)
    return [json.loads(said.splitlines()[-1]) for _, said in ended]


@pytest.mark.parametrize("kind", KINDS)
def test_workers_train_as_one_process(kind: str, workers: Any) -> None:
    parts = np.array([told[kind][0] for told in workers])
    np.testing.assert_allclose(parts.mean(0), workers[0][kind][1], rtol=1e-4)
    np.testing.assert_allclose(parts[0], parts[1], rtol=1e-6)


def programs(
    monkeypatch: pytest.MonkeyPatch, degree: int | None, parts: int | None = None, **switches: bool
) -> tuple[list[Any], list[Any]]:
    """The operators of rings and sums that one of four workers writes, of the startup Program and of the main one."""
    endpoints = [f"127.0.0.1:{port}" for port in range(36001, 36005)]
    environment = {
        "PADDLE_TRAINER_ID": "1", "PADDLE_TRAINERS_NUM": "4", "PADDLE_CURRENT_ENDPOINT": endpoints[1],
        "PADDLE_TRAINER_ENDPOINTS": ",".join(endpoints),
    }  # fmt: skip
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    paddle.enable_static()
    main, startup = paddle.static.Program(), paddle.static.Program()
    with paddle.static.program_guard(main, startup), paddle.utils.unique_name.guard():
        strategy = fleet.DistributedStrategy()
        strategy.tensor_parallel = degree is not None
        strategy.tensor_parallel_configs = {"tensor_parallel_degree": degree or 1}
        for name, value in switches.items():
            setattr(strategy, name, value)
        fleet.init(fleet.PaddleCloudRoleMaker(is_collective=True))
        x = paddle.static.data("x", [None, 4])
        if parts:
            x = paddle.distributed.split(x, (4, 4), "linear", 0, parts)
        loss = paddle.mean(paddle.static.nn.fc(x, 1))
        fleet.distributed_optimizer(paddle.optimizer.SGD(0.1), strategy).minimize(loss)
    made = [(op.attr("ring_id"), op.attr("rank"), op.attr("endpoints")) for op in startup.global_block().ops if op.type == "c_comm_init"]
    return made, [op.attr("ring_id") for op in main.global_block().ops if op.type == "c_allreduce_sum"]


def test_rings_are_those_of_the_wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    one, two, three, four = (f"127.0.0.1:{port}" for port in range(36001, 36005))
    everybody = (1, 1, f"{one},{two},{three},{four}")
    assert programs(monkeypatch, 4) == ([everybody, (0, 1, everybody[2])], [])
    assert programs(monkeypatch, 2) == ([everybody, (0, 1, f"{one},{two}"), (2, 0, f"{two},{four}")], [2, 2])


@pytest.mark.parametrize("degree", [3, 8])
def test_a_degree_that_does_not_fit(degree: int, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AssertionError, match="tensor_parallel_configs.*divisor.*4"):
        programs(monkeypatch, degree)


@pytest.mark.parametrize(("degree", "parts"), [(2, 4), (4, 2), (None, 2)])
def test_as_many_parts_as_workers_that_compute_together(degree: int | None, parts: int, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match=f"num_partitions.*Expected {degree or 4}"):
        programs(monkeypatch, degree, parts)


@pytest.mark.parametrize("name", ["amp", "gradient_merge", "localsgd", "dgc", "fp16_allreduce", "sync_batch_norm"])
def test_what_does_not_go_with_parts(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnsupportedError, match=f"tensor_parallel.*{name}"):
        programs(monkeypatch, 2, **{name: True})
