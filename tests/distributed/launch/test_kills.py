"""Jobs that are killed, interrupted, started again, or run beside one another, each in the middle of collective calls."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path

import numpy as np
import pytest
from jobs import free_ports, run_job, run_together
from launchers import Launcher, another, gone, logs_of
from processes import write_files

import paddle_compat as paddle
from paddle_compat import distributed as dist

KILLED = """
import os, signal, time, paddle, paddle.distributed as dist
signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the launcher's, that the one who is left has time to speak
dist.init_parallel_env()
rank = dist.get_rank()
open(f"pid.{rank}", "w").write(str(os.getpid()))
dist.all_reduce(paddle.ones([4]))
if rank == 1:
    os.kill(os.getpid(), signal.SIGKILL)
try:
    dist.all_reduce(paddle.ones([4]))
except Exception as error:
    print(type(error).__name__, error, flush=True)
    time.sleep(1)  # so that it is the second one that fails
    raise
"""
NAMED = "UnavailableError Process 1 of 2 of this job is gone. Expected all processes in a collective call."


def pids(folder: Path) -> list[int]:
    """Of the two processes of a job."""
    return [int((folder / f"pid.{rank}").read_text()) for rank in range(2)]


def test_a_killed_process_is_named_under_the_launcher(launcher: Launcher, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "train.py").write_text(KILLED)
    assert launcher("--nproc_per_node", "2", "train.py") == 137
    shown = capsys.readouterr()
    assert NAMED in (tmp_path / "log/workerlog.0").read_text() and NAMED in shown.out
    assert "rank 1 failed with exit code -9" in shown.err
    assert all(gone(pid) for pid in pids(tmp_path))


def test_a_killed_process_is_named_under_torchrun(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(KILLED)
    words = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", "-m", "paddle_compat", "train.py"]
    [(status, text)] = run_together([words], [{}], tmp_path)
    assert status == 1 and NAMED in text, text
    assert re.search(r"rank\s*: 1 ", text) and "Signal 9 (SIGKILL)" in text
    assert all(gone(pid) for pid in pids(tmp_path))


WAIT = """
import os, paddle, paddle.distributed as dist
dist.init_parallel_env()
dist.all_reduce(paddle.ones([4]))
print(os.getpid(), flush=True)
dist.recv(paddle.ones([4]), 1 - dist.get_rank())  # which nobody sends
"""


def test_ctrl_c_ends_processes_that_wait_for_one_another(launcher: Launcher, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(WAIT)
    with another(tmp_path, "--nproc_per_node", "2", "train.py") as launched:
        logs = logs_of(tmp_path, 2)
        os.kill(launched.pid, signal.SIGINT)
        launched.join(10)
        assert launched.exitcode == 130
    assert all(gone(int(text.partition("\n")[0])) for text in logs)


SUM = """
import sys, paddle, paddle.distributed as dist
dist.init_parallel_env()
total = paddle.full([3], float(sys.argv[1]) + dist.get_rank())
for _ in range(20):
    dist.all_reduce(total)
    total = total / 2
print(f"sum {float(total[0])}\\n", end="")
"""


def job(script: Path, value: int, endpoints: list[str]) -> tuple[list[list[str]], list[dict[str, str]]]:
    """Words and variables of a job's processes."""
    variables = [
        {
            "PADDLE_TRAINERS_NUM": "2",
            "PADDLE_TRAINER_ENDPOINTS": ",".join(endpoints),
            "PADDLE_TRAINER_ID": str(rank),
            "PADDLE_CURRENT_ENDPOINT": endpoint,
        }
        for rank, endpoint in enumerate(endpoints)
    ]
    return [["-m", "paddle_compat", str(script), str(value)]] * 2, variables


def test_jobs_beside_and_behind_one_another(tmp_path: Path) -> None:
    script = tmp_path / "sum.py"
    script.write_text(SUM)
    ends = [f"127.0.0.1:{port}" for port in free_ports(4)]
    first, second = job(script, 1, ends[:2]), job(script, 5, ends[2:])
    assert run_together(first[0] + second[0], first[1] + second[1], tmp_path) == [(0, "sum 1.5\n")] * 2 + [(0, "sum 5.5\n")] * 2
    assert run_together(*job(script, 7, ends[:2]), tmp_path) == [(0, "sum 7.5\n")] * 2


ENDS = """
import atexit, os, sys
def name(task):
    try:
        return open(f"/proc/self/task/{task}/comm").read()
    except OSError:  # it was joined already, and the system takes its entry away now
        return ""
def tell():  # when all that the package has registered is done
    print("left:", [each for each in map(name, os.listdir("/proc/self/task")) if "gloo" in each], flush=True)
atexit.register(tell)
import paddle, paddle.distributed as dist
everybody = dist.init_parallel_env()
group = dist.new_group([0, 1])
dist.all_reduce(paddle.ones([4]), group=group)
child = os.fork()
if child == 0:
    sys.exit(3)
print("child:", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
if everybody.rank == 1:
    sys.exit()
dist.all_reduce(paddle.ones([4]))
"""


def test_no_thread_of_a_group_outlives_python(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(ENDS)
    ended = run_job(tmp_path / "train.py", 2)
    assert [status for status, _ in ended] == [1, 0], ended
    for _, text in ended:
        assert re.findall("left: .*|child: .*", text) == ["left: []", "child: 3", "left: []"]
    assert "UnavailableError: Process 1 of 2 of this job is gone" in ended[0][1]


MESHES = """
from paddle.distributed import ProcessMesh, Shard, shard_tensor
mesh = ProcessMesh([0, 1], dim_names=["x"])
kept = shard_tensor(paddle.ones([4, 4]), mesh, [Shard(0)])
print("sum:", float(paddle.matmul(kept, kept).sum()), flush=True)
"""


def test_no_thread_of_a_mesh_outlives_python(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(ENDS.split("everybody")[0] + MESHES)
    for status, text in run_job(tmp_path / "train.py", 2):
        assert (status, re.findall("left: .*|sum: .*", text)) == (0, ["sum: 64.0", "left: []"]), text


def fail(folder: str) -> None:
    """Process 1 fails in a collective call that the other waits in."""
    dist.init_parallel_env()
    rank = dist.get_rank()
    Path(folder, f"pid.{rank}").write_text(str(os.getpid()))
    dist.all_reduce(paddle.ones([4]))
    if rank == 1:
        dist.all_reduce([paddle.ones([4]), "nothing to add up"])  # type: ignore[arg-type]
    dist.all_reduce(paddle.ones([4]))


def test_what_a_spawned_process_raises_is_raised_here(tmp_path: Path) -> None:
    with pytest.raises(Exception, match="(?s)Process 1 terminated.* in fail\n.*nothing to add up.*Error: ") as raised:
        dist.spawn(fail, (str(tmp_path),), nprocs=2)
    assert "Process 0 of 2" not in str(raised.value)
    assert all(gone(pid) for pid in pids(tmp_path))


EAGER = """
import os, signal, sys, numpy as np, paddle, paddle.distributed as dist
dist.init_parallel_env()
rank, begin = dist.get_rank(), 0
model = paddle.nn.Linear(3, 2, weight_attr=paddle.nn.initializer.Constant(0.5))
parallel = paddle.DataParallel(model)
optimizer = paddle.optimizer.Adam(paddle.optimizer.lr.ExponentialDecay(0.1, 0.5), parameters=model.parameters())
if os.path.exists("epoch"):
    begin = int(open("epoch").read())
    model.set_state_dict(paddle.load(f"model-{begin}.pdparams"))
    optimizer.set_state_dict(paddle.load(f"model-{begin}.pdopt"))
for epoch in range(begin, 4):
    if epoch == 2 and begin == 0 and rank == 1 and sys.argv[1:]:
        os.kill(os.getpid(), signal.SIGKILL)
    loss = (parallel(paddle.full([2, 3], epoch + rank + 1.0)) ** 2).mean()
    loss.backward()
    optimizer.step()
    optimizer.clear_grad()
    optimizer._learning_rate.step()
    if rank == 0:
        paddle.save(model.state_dict(), f"model-{epoch + 1}.pdparams")
        paddle.save(optimizer.state_dict(), f"model-{epoch + 1}.pdopt")
        open("next", "w").write(str(epoch + 1))
        os.replace("next", "epoch")
    dist.barrier()
print(f"trained {begin} to 4", flush=True)
np.save(f"weight.{rank}", model.weight.numpy())
"""
STATIC = """
import os, signal, sys, numpy as np, paddle, paddle.fluid as fluid
from paddle.fluid.incubate.fleet.base import role_maker
from paddle.fluid.incubate.fleet.collective import fleet
fleet.init(role_maker.PaddleCloudRoleMaker(is_collective=True))
rank, begin = fleet.worker_index(), 0
x = fluid.layers.data("x", [3])
out = fluid.layers.fc(x, 2, param_attr=fluid.ParamAttr("w", initializer=fluid.initializer.Constant(0.5)))
loss = fluid.layers.mean(out * out)
fleet.distributed_optimizer(fluid.optimizer.Adam(fluid.layers.exponential_decay(0.1, 1, 0.5))).minimize(loss)
exe = fluid.Executor(fluid.CPUPlace())
exe.run(fluid.default_startup_program())
if os.path.exists("epoch"):
    begin = int(open("epoch").read())
    fluid.io.load_persistables(exe, f"model-{begin}", fleet._origin_program)
for epoch in range(begin, 4):
    if epoch == 2 and begin == 0 and rank == 1 and sys.argv[1:]:
        os.kill(os.getpid(), signal.SIGKILL)
    exe.run(fleet.main_program, {"x": np.full((2, 3), epoch + rank + 1, "float32")}, [loss])
    if rank == 0:
        fluid.io.save_persistables(exe, f"model-{epoch + 1}", fleet._origin_program)
        open("next", "w").write(str(epoch + 1))
        os.replace("next", "epoch")
print(f"trained {begin} to 4", flush=True)
np.save(f"weight.{rank}", np.array(fluid.global_scope().find_var("w").get_tensor()))
"""


@pytest.mark.parametrize("script", [EAGER, STATIC], ids=["eager", "static"])
def test_a_group_that_was_killed_trains_to_the_same_end(launcher: Launcher, tmp_path: Path, script: str) -> None:
    write_files(tmp_path, {"train.py": script, "whole/train.py": script})
    whole = run_job(tmp_path / "whole/train.py", 2)
    assert [status for status, _ in whole] == [0, 0], whole
    assert all("trained 0 to 4\n" in text for _, text in whole)
    assert launcher("--nproc_per_node", "2", "--max_restart", "1", "train.py", "fails") == 0
    for rank in range(2):
        assert re.findall("trained (.) to 4", (tmp_path / f"log/workerlog.{rank}").read_text()) == ["2"]
        found, expected = (np.load(folder / f"weight.{rank}.npy") for folder in (tmp_path, tmp_path / "whole"))
        np.testing.assert_array_equal(found, expected)
        assert np.abs(expected - 0.5).min() > 0.01
