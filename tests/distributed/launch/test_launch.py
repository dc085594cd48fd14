"""The launcher with real processes: what they are told, where their output goes, how they end and start again."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from launchers import SECONDS, Launcher, another, gone, logs_of
from models import launches
from processes import ROOT, write_files

from paddle_compat.distributed.fleet.launch import launch as fleet_launch
from paddle_compat.distributed.launch._addresses import free_ports
from paddle_compat.distributed.launch._options import read_servers, servers_of
from paddle_compat.distributed.launch.main import launch, run

REFERENCES = Path(__file__).resolve().parents[2] / "references"


@pytest.mark.parametrize(("version", "case"), [(v, c) for v, cases in launches.CASES.items() for c in cases])
def test_processes_are_told_what_the_wheel_tells_them(launcher: Launcher, tmp_path: Path, version: str, case: str) -> None:
    module, options = launches.CASES[version][case]
    (tmp_path / "train.py").write_text(launches.SCRIPT)
    launchers = {"launch": launch, "fleet.launch": fleet_launch, "launch_ps": lambda words: run(servers_of, read_servers(words))}
    how = launchers[module]
    assert launcher(*options, "train.py", *launches.WORDS, how=how) == 0
    recorded = json.loads((REFERENCES / f"launches_{version}.json").read_text())[case]
    ours = launches.told(tmp_path)
    assert set(ours) == set(recorded)
    for log, wheels in recorded.items():  # beside what the wheel says, ours says what other launch lines of it say
        ours[log]["environment"] = {name: ours[log]["environment"].get(name) for name in sorted(wheels["environment"])}
        if module == "launch_ps" and "worker" in log:  # the wheel names the port of the last server here
            del ours[log]["environment"]["PADDLE_PORT"], wheels["environment"]["PADDLE_PORT"]
    assert launches.numbered(ours) == launches.numbered(recorded)


FAIL = """
import os, sys, time
rank = int(os.environ["RANK"])
print("rank", rank, os.getpid(), flush=True)
print("to stderr", file=sys.stderr, flush=True)
if rank == 1:
    while not os.path.exists("log/workerlog.0") or "stderr" not in open("log/workerlog.0").read():
        time.sleep(0.01)
    os.kill(os.getpid(), 9) if sys.argv[1:] == ["killed"] else sys.exit(3)
time.sleep(100)
"""


@pytest.mark.parametrize(("words", "status"), [((), 3), (("killed",), 137)])
def test_the_first_failure_ends_the_others(
    launcher: Launcher, tmp_path: Path, words: Any, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path, {"train.py": FAIL, "log/workerlog.1": "of another job\n"})
    assert launcher("--nproc_per_node", "2", "train.py", *words) == status
    shown = capsys.readouterr()
    assert "of another job" not in shown.out
    logs = [(tmp_path / f"log/workerlog.{i}").read_text().removeprefix("of another job\n") for i in (0, 1)]
    assert shown.out == logs[0] + logs[1]  # the first process's as it comes, then that of the one that failed
    for rank, log in enumerate(logs):
        first, second = log.splitlines()
        assert first.split()[:2] == ["rank", str(rank)] and second == "to stderr" and gone(int(first.split()[2]))
    assert "rank 1 failed with exit code" in shown.err and str(tmp_path / "log/workerlog.1") in shown.err


def test_logs_go_on_and_begin_anew(launcher: Launcher, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "say.py").write_text("import os, sys; print(os.environ['PADDLE_TRAINER_ID'], *sys.argv[1:])")
    log = tmp_path / "log/workerlog.0"
    for words, expected in ((("a",), "0 a\n"), (("b",), "0 a\n0 b\n")):
        assert launcher("say.py", *words) == 0 and log.read_text() == expected
        assert capsys.readouterr().out == f"0 {words[0]}\n"
    assert launcher("--log_overwrite", "True", "say.py", "c") == 0 and log.read_text() == "0 c\n"


def test_without_a_log_folder_all_speak_on_the_terminal(launcher: Launcher, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "say.py").write_text("import os; print(f\"I am {os.environ['FLAGS_selected_gpus']}\\n\", end='')")  # one write
    assert launcher("--selected_gpus", "4,6", "say.py") == 0
    assert sorted(capfd.readouterr().out.splitlines()) == ["I am 4", "I am 6"]
    assert not (tmp_path / "log").exists()


def test_modules_and_commands(launcher: Launcher, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_files(tmp_path, {"models/__init__.py": "", "models/train.py": "import sys; print(__name__, __package__, *sys.argv[1:])"})
    assert launcher("-m", "models.train", "--lr", "1") == 0
    assert launcher("sh", "-c", "echo shell $PADDLE_TRAINERS_NUM") == 0
    assert launcher("./no-such-command") == 127
    assert capsys.readouterr().out == "__main__ models --lr 1\nshell 1\n./no-such-command: No such file or directory\n"


def test_a_job_in_a_job(launcher: Launcher, tmp_path: Path) -> None:
    outer = {"RANK": "1", "WORLD_SIZE": "2", "PADDLE_TRAINER_ID": "1", "PADDLE_TRAINERS_NUM": "2", "TRAINING_ROLE": "PSERVER"}
    os.environ.update(outer, PADDLE_PSERVERS_IP_PORT_LIST="127.0.0.1:1")
    (tmp_path / "train.py").write_text(launches.SCRIPT)
    assert launcher("train.py") == 0
    said = launches.told(tmp_path)["log/workerlog.0"]["environment"]
    assert said["PADDLE_TRAINERS_NUM"] == "1" and "TRAINING_ROLE" not in said and "PADDLE_PSERVERS_IP_PORT_LIST" not in said


TRAIN = """
import os
rank, begin = os.environ["PADDLE_TRAINER_ID"], 0
if rank == "0":
    print("started", flush=True)
    raise SystemExit
import numpy as np
import paddle
paddle.enable_static()
x = paddle.static.data("x", [None, 3])
loss = paddle.mean(paddle.static.nn.fc(x, 1, weight_attr=paddle.nn.initializer.Constant(1.0), bias_attr=False) ** 2)
paddle.optimizer.Momentum(0.01, 0.9).minimize(loss)
exe = paddle.static.Executor()
exe.run(paddle.static.default_startup_program())
main = paddle.static.default_main_program()
if os.path.exists("epoch"):
    begin = int(open("epoch").read())
    paddle.static.load(main, f"saved-{begin}")
for epoch in range(begin, 4):
    if epoch == 2 and begin == 0:
        os._exit(9)
    exe.run(feed={"x": np.full((2, 3), epoch + 1, "float32")}, fetch_list=[loss])
    paddle.static.save(main, f"saved-{epoch + 1}")
    open("epoch", "w").write(str(epoch + 1))
    print(epoch, *np.array(paddle.static.global_scope().find_var("fc_0.w_0").get_tensor()).ravel(), flush=True)
"""


def test_a_failed_group_goes_on_from_its_checkpoints(launcher: Launcher, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(TRAIN)
    assert launcher("--nproc_per_node", "2", "--max_restart", "1", "train.py") == 0
    assert (tmp_path / "log/workerlog.0").read_text() == "started\n" * 2
    weight, velocity, expected = np.ones(3), np.zeros(3), []
    for epoch in range(4):
        x = np.full(3, epoch + 1.0)
        velocity = 0.9 * velocity + 2 * x * (x @ weight)
        weight = weight - 0.01 * velocity
        expected.append([epoch, *weight])
    lines = (tmp_path / "log/workerlog.1").read_text().splitlines()
    assert [[float(word) for word in line.split()] for line in lines] == [pytest.approx(each, rel=1e-5) for each in expected]


def test_a_group_fails_for_good_when_its_restarts_are_spent(launcher: Launcher, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("print('try', flush=True); raise SystemExit(5)")
    assert launcher("--elastic_level", "1", "--max_restart", "2", "train.py") == 5
    assert (tmp_path / "log/workerlog.0").read_text() == "try\n" * 3


SERVE = """
import os, time
print(os.environ["TRAINING_ROLE"], os.getpid(), flush=True)
if os.environ["TRAINING_ROLE"] == "PSERVER":
    time.sleep(100)
while not os.path.exists("log/serverlog.0") or "PSERVER" not in open("log/serverlog.0").read():
    time.sleep(0.01)
raise SystemExit(int(os.environ["STATUS"]))
"""


@pytest.mark.parametrize("status", [0, 4])
def test_servers_end_with_the_trainers(launcher: Launcher, tmp_path: Path, status: int) -> None:
    (tmp_path / "train.py").write_text(SERVE)
    os.environ["STATUS"] = str(status)
    assert launcher("--server_num", "1", "--worker_num", "1", "train.py") == status
    role, pid = (tmp_path / "log/serverlog.0").read_text().split()
    assert role == "PSERVER" and gone(int(pid))


WAIT = "print(os.getpid(), flush=True); time.sleep(100)"
DEAF = "[signal.signal(number, lambda *of: None) for number in (2, 15)]; print(os.getpid(), flush=True)\nwhile True: time.sleep(1)"


@pytest.mark.parametrize(
    ("options", "script", "signals", "status"),
    [
        (("--nproc_per_node", "2"), WAIT, (signal.SIGINT,), 130),
        (("--server_num", "1", "--trainer_num", "1"), WAIT, (signal.SIGTERM,), 143),
        (("--nproc_per_node", "2"), DEAF, (signal.SIGINT, signal.SIGKILL), -9),
    ],
)
def test_whoever_ends_the_launcher_ends_its_processes(
    launcher: Launcher, tmp_path: Path, options: Any, script: str, signals: Any, status: int
) -> None:
    (tmp_path / "train.py").write_text("import os, signal, time\n" + script)
    with another(tmp_path, *options, "train.py") as launched:
        logs = logs_of(tmp_path, 2)
        for number in signals:
            os.kill(launched.pid, number)
            time.sleep(0.3 * (len(signals) - 1))
        launched.join()
        assert launched.exitcode == status
    assert ("ended by SIG" in (tmp_path / "stderr").read_text()) == (status > 0)
    assert all(gone(int(text)) for text in logs)


def test_the_command_lines(tmp_path: Path) -> None:
    script = "import os, importlib.metadata; print(importlib.metadata.version('paddlepaddle'), os.environ['PADDLE_TRAINERS_NUM'])"
    (tmp_path / "train.py").write_text(script)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PADDLE")}
    line = [sys.executable, "-m", "paddle_compat", "-m", "paddle.distributed.launch", "--nproc_per_node", "1", "train.py"]
    done = subprocess.run(
        line, cwd=tmp_path, env={**environment, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "2.6.2 1\n", "")


ONCE = """
import json, os, sys, time
if os.environ["RANK"] == "1":
    if sys.argv[1:] == ["fails"] and not os.path.exists("failed"):
        open("failed", "w").close()
        sys.exit(7)
    open("there", "w").close()
while not os.path.exists("there"):
    time.sleep(0.02)
names = ("PADDLE_TRAINER_ID", "PADDLE_TRAINER_ENDPOINTS", "PADDLE_CURRENT_ENDPOINT", "PADDLE_NNODES")
print(json.dumps([os.environ[name] for name in names]), flush=True)
"""


@pytest.mark.parametrize("fails", [False, True])
def test_two_machines_meet(launcher: Launcher, tmp_path: Path, fails: bool) -> None:
    (tmp_path / "train.py").write_text(ONCE)
    line = ["--nnodes", "2", "--master", f"127.0.0.1:{free_ports(1)[0]}", "--host", "127.0.0.1", "--log_dir"]
    ranks = (["--max_restart", "1"],) * 2 if fails else (["--rank", "0"], ["--rank", "1"])
    words = ["train.py", *["fails"] * fails]
    with another(tmp_path, *line, "second", *ranks[1], *words) as other:
        assert launcher(*line, "first", *ranks[0], *words) == 0
        other.join()
        assert other.exitcode == 0
    logs = [(tmp_path / folder / "workerlog.0").read_text().splitlines() for folder in ("first", "second")]
    first, second = sorted(json.loads(log[-1]) for log in logs)
    assert (first[0], second[0]) == ("0", "1") and first[1] == second[1] and first[3] == second[3] == "2"
    assert first[1].split(",") == [first[2], second[2]] and first[2] != second[2]


JOINED = """
import os, time, numpy
from paddle.distributed import fleet
fleet.init(is_collective=True)
total = fleet.util.all_reduce(numpy.array([1]))
print(fleet.worker_index(), fleet.worker_num(), os.environ["PADDLE_NNODES"], *total, flush=True)
while fleet.worker_num() == 1:
    time.sleep(0.05)
"""


def test_a_machine_that_joins_later(launcher: Launcher, tmp_path: Path) -> None:
    """The processes that run already start again, with those of the new machine."""
    (tmp_path / "train.py").write_text(JOINED)
    line = ["--nnodes", "1:2", "--master", f"127.0.0.1:{free_ports(1)[0]}", "--host", "127.0.0.1", "--elastic_timeout", "1", "train.py"]
    with another(tmp_path, *line) as first:
        logs_of(tmp_path, 1)
        assert launcher("--log_dir", "second", *line) == 0
        first.join()
        assert first.exitcode == 0
    said = [(tmp_path / folder / "workerlog.0").read_text().splitlines() for folder in ("log", "second")]
    assert said[0][0] == "0 1 1 1"
    assert sorted(lines[-1] for lines in said) == ["0 2 2 2", "1 2 2 2"]


def kill_at_first_line(launched: Any, folder: Path) -> None:
    """End a launcher without a word when its process has said something."""
    log, end = folder / "log/workerlog.0", time.monotonic() + SECONDS / 2
    while time.monotonic() < end and not (log.exists() and log.read_text()):
        time.sleep(0.05)
    launched.kill()


LEFT = """
import os, time
from paddle.distributed import fleet
fleet.init(is_collective=True)
fleet.barrier_worker()
if fleet.worker_num() == 2:
    open("together", "w").close()
print(fleet.worker_index(), fleet.worker_num(), os.environ["PADDLE_NNODES"], flush=True)
while fleet.worker_num() == 2 or not os.path.exists("together"):  # the second machine may come late
    time.sleep(0.05)
"""


@pytest.mark.parametrize("nodes", ["1:2", "2:3"])
def test_a_machine_that_leaves(
    launcher: Launcher, tmp_path: Path, nodes: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others go on without it, where they are enough. They meet at the one with `--rank 0`."""
    module = import_module("paddle_compat.distributed.launch._collective")
    for name, seconds in (("_AGAIN", 2 if nodes == "2:3" else 20), ("BEAT", 1)):
        monkeypatch.setattr(module, name, seconds)
    (tmp_path / "train.py").write_text(LEFT)
    line = ["--nnodes", nodes, "--master", f"127.0.0.1:{free_ports(1)[0]}", "--host", "127.0.0.1", "--elastic_timeout", "1"]
    with another(tmp_path, *line, "--rank", "1", "train.py") as second, ThreadPoolExecutor(1) as pool:
        pool.submit(kill_at_first_line, second, tmp_path)
        assert launcher("--log_dir", "first", *line, "--rank", "0", "train.py") == (0 if nodes == "1:2" else 1)
    said = (tmp_path / "first/workerlog.0").read_text().splitlines()
    both = [line for line in said if line[1:] == " 2 2"]
    assert both and said[-1] == ("0 1 1" if nodes == "1:2" else both[-1])
    assert (" cannot meet at " in capsys.readouterr().err) == (nodes == "2:3")


MEETS = """
import os, sys, time, paddle
if os.environ["RANK"] == "1":
    print("there", flush=True)
    time.sleep(100)
paddle.distributed.init_parallel_env()
"""


def test_a_machine_that_is_gone_before_its_processes_have_met_the_others(
    launcher: Launcher, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_module("paddle_compat.distributed.launch._signs"), "BEAT", 0.3)
    (tmp_path / "train.py").write_text(MEETS)
    line = ["--nnodes", "2", "--master", f"127.0.0.1:{free_ports(1)[0]}", "--host", "127.0.0.1"]

    with another(tmp_path, *line, "--rank", "1", "train.py") as second, ThreadPoolExecutor(1) as pool:
        pool.submit(kill_at_first_line, second, tmp_path)
        assert launcher("--log_dir", "first", *line, "--rank", "0", "train.py") == 1
    assert "machine 1 of 2 is gone" in capsys.readouterr().err


def test_machines_that_cannot_meet(launcher: Launcher, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        master = f"127.0.0.1:{taken.getsockname()[1]}"
        assert launcher("--nnodes", "2", "--rank", "0", "--host", "127.0.0.1", "--master", master, "train.py") == 1
    assert f"cannot meet at {master}: " in capsys.readouterr().err
