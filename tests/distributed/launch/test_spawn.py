"""`paddle.distributed.spawn` and `ParallelEnv`."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import paddle_compat as paddle
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.distributed.launch._addresses import free_ports

spawn: Any = paddle.distributed.spawn


def place(*words: str) -> Any:
    """What a spawned process knows of itself."""
    env = paddle.distributed.ParallelEnv()
    names = ("PADDLE_TRAINER_ID", "RANK", "PADDLE_DISTRI_BACKEND")
    return words, env.rank, env.world_size, env.trainer_endpoints.index(env.current_endpoint), [os.environ[name] for name in names]


def end(folder: str, how: str) -> None:
    """Process 1 fails; the other waits."""
    rank = paddle.distributed.ParallelEnv().rank
    Path(folder, str(rank)).write_text(str(os.getpid()))
    if rank == 1:
        while not Path(folder, "0").exists():
            time.sleep(0.01)
        if how == "raise":
            raise KeyError("nobody")
        os.kill(os.getpid(), 9) if how == "kill" else sys.exit(4)
    time.sleep(60)


def test_each_process_has_its_place() -> None:
    context = spawn(place, args=("a", "b"), nprocs=2)
    assert [process.exitcode for process in context.processes] == [0, 0] and context.join() is True
    told = [queue.get() for queue in context.return_queues]
    assert told == [(("a", "b"), i, 2, i, [str(i), str(i), "gloo"]) for i in range(2)]


# A fork of this process takes a tenth of the time that a new one takes to start.
@pytest.mark.parametrize(("how", "text"), [("raise", "in end\n.*KeyError: 'nobody'"), ("kill", "signal SIGKILL"), ("exit", "exit code 4")])
def test_a_failure_is_raised_here_and_ends_the_others(tmp_path: Path, how: str, text: str) -> None:
    context = spawn(end, (str(tmp_path), how), 2, join=False, start_method="fork")
    with pytest.raises(Exception, match=f"(?si)process 1 terminated.*{text}"):
        while not context.join(30):
            pass
    assert not any(process.is_alive() for process in context.processes)


def test_ports_may_be_chosen() -> None:
    port = free_ports(1)[0]
    with pytest.warns(DeprecationWarning, match="started_port"):
        context = spawn(place, nprocs=1, started_port=port, start_method="fork")
    assert context.return_queues[0].get()[1:4] == (0, 1, 0)


@pytest.mark.parametrize(
    ("arguments", "options", "kind", "text"),
    [
        ((None,), {"nprocs": 2}, TypeError, "func"),
        ((place,), {"nprocs": "2"}, TypeError, "nprocs"),
        ((place,), {"nprocs": -2}, ValueError, "nprocs"),
        ((place,), {"nprocs": 2, "foo": 3}, ValueError, "`foo`.*start_method"),
        ((place,), {"nprocs": 2, "backend": "mpi"}, ValueError, "backend.*gloo.*Received: mpi"),
        ((place,), {"nprocs": 2, "gpus": "0"}, ValueError, "gpus.*Expected 2 numbers"),
        ((place,), {"nprocs": 1, "gpus": "x"}, ValueError, "gpus.*Received: x"),
        ((place,), {"nprocs": 2, "ips": "10.0.0.1,10.0.0.2"}, UnsupportedError, "launch --ips"),
        ((place,), {"nprocs": 2, "backend": "bkcl"}, UnsupportedError, "bkcl"),
    ],
)
def test_wrong_use(arguments: Any, options: Any, kind: type[Exception], text: str) -> None:
    with pytest.raises(kind, match=text):
        spawn(*arguments, **options)


def test_parallel_env_without_a_job(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PADDLE_TRAINER_ID", "PADDLE_TRAINERS_NUM", "PADDLE_TRAINER_ENDPOINTS", "PADDLE_CURRENT_ENDPOINT", "RANK", "WORLD_SIZE"):
        monkeypatch.delenv(name, raising=False)
    env = paddle.distributed.ParallelEnv()
    named = (
        "rank",
        "world_size",
        "local_rank",
        "nranks",
        "device_id",
        "dev_id",
        "nrings",
        "pg_timeout",
        "current_endpoint",
        "trainer_endpoints",
    )
    assert [getattr(env, name) for name in named] == [0, 1, 0, 1, 0, 0, 1, 1800000, "", [""]]  # 2.6.2's, but for the GPU's number


def test_parallel_env_in_a_job(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PADDLE_TRAINER_ID", "1")
    monkeypatch.setenv("PADDLE_TRAINERS_NUM", "2")
    monkeypatch.setenv("PADDLE_TRAINER_ENDPOINTS", "127.0.0.1:6170,127.0.0.1:6171")
    monkeypatch.setenv("FLAGS_selected_gpus", "3,4")
    env = paddle.distributed.ParallelEnv()
    assert (env.rank, env.local_rank, env.world_size, env.device_id, env.current_endpoint) == (1, 1, 2, 3, "127.0.0.1:6171")
    monkeypatch.setenv("FLAGS_nccl_nrings", "9")
    with pytest.raises(AssertionError, match="FLAGS_nccl_nrings.*Received: 9"):
        paddle.distributed.ParallelEnv()
