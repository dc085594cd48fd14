"""`paddle.distributed.rpc`: functions called in other processes, and what goes wrong with them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from jobs import free_ports, run_together

from paddle_compat.distributed import rpc
from paddle_compat.engine.rpc_world import WorkerInfo
from paddle_compat.errors import InvalidArgumentError, PreconditionNotMetError

JOB = Path(__file__).with_name("rpc_job.py")
BOTH = "[('worker0', 0), ('worker1', 1)] 127.0.0.1"
ANSWERS = [
    f"worker0 {BOTH}",
    "5 50",
    "[[1, 1], [2, 2], [3, 3]] worker0",
    "None",
    "ValueError: trouble far away",
    "NotFoundError: There is no worker 'worker7'. Expected one of ['worker0', 'worker1']",
    "ExecutionTimeoutError: Asked 'worker1' to call 'sleep'. Expected an answer within 0.3 s",
    "PreconditionNotMetError: This process is worker 'worker0' already. Expected rpc.shutdown before another init_rpc.",
]
LEFT = "PreconditionNotMetError: This process is no worker. Expected paddle.distributed.rpc.init_rpc to be called before."


def run(folder: Path, size: int = 2, **variables: str) -> list[tuple[int, list[str]]]:
    """The statuses and lines of a job."""
    (port,) = free_ports(1)
    words = [["-m", "paddle_compat", str(JOB), str(rank), str(size), f"127.0.0.1:{port}"] for rank in range(size)]
    return [(status, said.splitlines()) for status, said in run_together(words, [variables] * size, folder)]


def own(lines: list[str]) -> list[str]:
    """Those that are not torch's: it warns of who ends first, with an empty line behind."""
    return [line for line in lines if line and not line.startswith("[W")]


def test_calls(tmp_path: Path) -> None:
    (first, one), (second, two) = run(tmp_path)
    assert (first, second) == (0, 0)
    assert own(one) == [*ANSWERS, LEFT]
    assert own(two)[-1] == LEFT and {f"worker1 {BOTH}", "called"} <= {*two}  # and what failed in it, on stderr


def test_a_worker_that_dies(tmp_path: Path) -> None:
    (first, one), (second, two) = run(tmp_path, DIE="1")
    assert (first, second) == (0, 3)
    assert own(one)[-1].startswith("UnavailableError: Asked 'worker1' to call 'die' in vain: ")
    assert f"worker1 {BOTH}" in two  # before or behind what it was called for, which needn't wait


def test_workers_of_a_launcher(tmp_path: Path) -> None:
    words = ["-m", "paddle_compat", "-m", "paddle.distributed.launch", *"--run_mode rpc --nproc_per_node 2 --log_dir log".split(), str(JOB)]
    ((status, said),) = run_together([words], [{}], tmp_path)
    assert status == 0, said
    assert own((tmp_path / "log/workerlog.0").read_text().splitlines()) == [*ANSWERS, LEFT]


def test_workers_that_do_not_come(tmp_path: Path) -> None:
    (port,) = free_ports(1)
    words = ["-m", "paddle_compat", str(JOB), "0", "2", f"127.0.0.1:{port}"]
    ((status, said),) = run_together([words], [{"FLAGS_stop_check_timeout": "1"}], tmp_path)
    assert status == 1 and "ExecutionTimeoutError: Worker 'worker0' (0 of 2) waited in vain at 127.0.0.1" in said


def test_what_must_be_said(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PADDLE_TRAINER_ID", "PADDLE_TRAINERS_NUM", "PADDLE_MASTER_ENDPOINT", "PADDLE_MASTER"):
        monkeypatch.delenv(name, raising=False)
    for arguments, argument in (((), "rank"), ((0,), "world_size"), ((0, 1), "master_endpoint"), ((0, 1, "x"), "master_endpoint")):
        with pytest.raises(InvalidArgumentError, match=f"`{argument}` of `init_rpc`"):
            rpc.init_rpc("worker", *arguments)
    with pytest.raises(InvalidArgumentError, match="`rank` of `init_rpc`. Expected 0 to 1. Received: 2"):
        rpc.init_rpc("worker", 2, 2, "127.0.0.1:80")
    for call in (rpc.shutdown, rpc.get_all_worker_infos, lambda: rpc.rpc_async("worker", sys.exit)):
        with pytest.raises(PreconditionNotMetError, match="no worker"):
            call()


def test_a_worker_shows_itself_as_in_paddle() -> None:
    assert str(WorkerInfo("w0", 0, "127.0.0.1", 62519)) == "{name: w0, rank: 0, ip: 127.0.0.1, port: 62519}"
