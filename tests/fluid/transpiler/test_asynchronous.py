"""Trainers that do not wait for each other, as processes: the losses and parameters of 1.8.5, a trainer that is killed, and misuse."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from jobs import free_ports, run_together
from processes import ROOT

import paddle_compat as paddle
from paddle_compat import fluid
from paddle_compat.fluid.communicator import Communicator
from paddle_compat.fluid.transpiler.distribute_transpiler import DistributedMode

sys.path.insert(0, str(ROOT / "tests/models"))

from served_jobs import KILLED, RECORDED

REAL = json.loads((ROOT / "tests/references/served_1.8.5.json").read_text())
JOB = ROOT / "tests/models/served.py"


def jobs_of(folder: Path, cases: dict[str, dict[str, Any]]) -> list[Any]:
    """Endpoints and cases. Every other one has two servers: 1.8.5 does not cut given first values."""
    ports, jobs = iter(free_ports(2 * len(cases))), []
    for number, said in enumerate(cases.values()):
        turns = folder / f"turns{number}"
        turns.mkdir()
        more = {"servers": 1 + number % 2, **({"turns": str(turns)} if "turns" in said else {})}
        jobs.append([[f"127.0.0.1:{next(ports)}" for _ in range(more["servers"])], {**said, **more}])
    return jobs


def words(role: str, number: int, jobs: list[Any]) -> list[str]:
    return ["-m", "paddle_compat", str(JOB), role, str(number), json.dumps(jobs)]


def run(folder: Path, commands: list[list[str]]) -> list[tuple[int, Any]]:
    """For each process its status, and what it saw of its jobs."""
    found = []
    for status, text in run_together(commands, [{"CPU_NUM": "1"}] * len(commands), folder, 150):
        assert status in (0, -signal.SIGKILL), text
        found.append((status, json.loads(text.strip().splitlines()[-1]) if status == 0 else None))
    return found


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    folder = tmp_path_factory.mktemp("asynchronous")
    jobs = jobs_of(folder, RECORDED)
    seen = run(folder, [words(role, number, jobs) for role in ("server", "trainer") for number in (0, 1)])
    return {name: [saw[i] for _, saw in seen[2:]] for i, name in enumerate(RECORDED)}


@pytest.mark.parametrize("name", RECORDED)
def test_they_train_as_in_paddle(told: dict[str, list[Any]], name: str) -> None:
    for real, ours in zip(REAL[name], told[name]):
        np.testing.assert_allclose(ours["losses"], real["losses"], rtol=1e-5, atol=1e-6)
        for parameter, (total, first) in real["parameters"].items():
            np.testing.assert_allclose(ours["parameters"][parameter][1], first, rtol=1e-4, atol=1e-5, err_msg=parameter)
            np.testing.assert_allclose(ours["parameters"][parameter][0], total, rtol=1e-4, atol=1e-3, err_msg=parameter)


def test_a_killed_trainer_stops_nobody(tmp_path: Path) -> None:
    jobs = jobs_of(tmp_path, KILLED)
    others = [words("server", 0, jobs), words("server", 1, jobs), words("trainer", 0, jobs)]
    _, _, (_, trained), *killed = run(tmp_path, others + [words("trainer", 1, [job]) for job in jobs])
    assert [status for status, _ in killed] == [-signal.SIGKILL] * len(KILLED)
    for each, said in zip(trained, KILLED.values(), strict=True):
        assert len(each["losses"]) == said["steps"] and np.isfinite(each["losses"]).all()


@pytest.fixture
def static_mode() -> Iterator[None]:
    paddle.enable_static()
    yield
    paddle.disable_static()


@pytest.mark.usefixtures("static_mode")
def test_a_communicator_says_what_it_lacks() -> None:
    with pytest.raises(TypeError, match="argument `program`.*Received: str"):
        Communicator("main", DistributedMode.ASYNC)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"argument `mode`.*\[0, 1, 2, 3\].*Received: 7"):
        Communicator(fluid.Program(), 7)
    with pytest.raises(ValueError, match="argument `kwargs`.*'push_vars'.*Received: \\['trainers'\\]"):
        Communicator(fluid.Program(), DistributedMode.GEO, {"trainers": 2})
    idle = Communicator(fluid.Program(), DistributedMode.ASYNC)
    idle.start()
    assert not idle.is_running()  # its Program knows no servers
