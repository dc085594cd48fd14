"""Trainers and servers of DistributeTranspiler under the launcher: killed, started again from snapshots, interrupted; nothing gets lost."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from jobs import free_ports
from launchers import Launcher, another, forks, gone

from paddle_compat.core.errors import PermissionDeniedError
from paddle_compat.distributed.launch.main import launch
from paddle_compat.distributed.launch_ps import launch as begin_with_servers
from paddle_compat.engine.members import Member

# one trainer's gradients are ones, so that parameters count the updates
JOB = """
import json, os, signal, sys, threading, time
import numpy as np
import paddle.fluid as fluid

sync = sys.argv[1] == "sync"
life, endpoints = int(os.environ["TORCHELASTIC_RESTART_COUNT"]), os.environ["PADDLE_PSERVERS_IP_PORT_LIST"]
trainers = int(os.environ["PADDLE_TRAINERS_NUM"])
if os.environ["TRAINING_ROLE"] == "PSERVER":
    own = f"{os.environ['POD_IP']}:{os.environ['PADDLE_PORT']}"
    name = f"server{endpoints.split(',').index(own)}"
else:
    name = f"trainer{os.environ['PADDLE_TRAINER_ID']}"


def say(**words):
    print(json.dumps({"name": name, "life": life, **words}) + "\\n", end="", flush=True)


def is_there(*names):
    while not all(os.path.exists(each) for each in names):
        time.sleep(0.02)


def die_when_asked():
    is_there(f"kill.{name}.{life}")
    os.kill(os.getpid(), signal.SIGKILL)


STEPS = 0


def last(value):
    plan(STEPS)
    return value


say(pid=os.getpid())
x = fluid.data("x", [None, 4])
first, second = (fluid.layers.fc(x, 1, param_attr=fluid.initializer.Constant(0.0), bias_attr=False) for _ in range(2))
loss = fluid.layers.mean(first + second)
seen = fluid.default_main_program().current_block().create_var(name="seen", dtype="float32", shape=[-1, 4])
fluid.layers.py_func(last, x, seen)  # in the middle of a step
fluid.optimizer.SGD(1.0).minimize(loss)
transpiler = fluid.DistributeTranspiler()
transpiler.transpile(int(os.environ.get("PADDLE_TRAINER_ID", 0)), pservers=endpoints, trainers=trainers, sync_mode=sync)
exe = fluid.Executor(fluid.CPUPlace())


def values():
    held = {v: fluid.global_scope().find_var(v) for v in ("fc_0.w_0", "fc_1.w_0")}
    return {v: round(-np.array(var.get_tensor()).mean().item(), 3) for v, var in held.items() if var is not None}


def train(steps):
    global STEPS
    exe.run(fluid.default_startup_program())
    program = transpiler.get_trainer_program()
    say(begins=values())
    try:
        while STEPS < steps:
            exe.run(program, feed={"x": np.ones((2, 4), "float32")}, fetch_list=[loss])
            STEPS += 1
    except Exception as error:
        say(raised=type(error).__name__, text=str(error), steps=STEPS)
        raise
    say(steps=STEPS, values=values())


def serve():
    exe.run(transpiler.get_startup_program(own, transpiler.get_pserver_program(own)))
    open(f"alive.{name}.{life}", "w").close()
    threading.Thread(target=die_when_asked, daemon=True).start()
    exe.run(transpiler.get_pserver_program(own))
    time.sleep(0.3)  # the launcher asks it to end
    say(values=values())
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with forks(tmp_path_factory.mktemp("forks")) as found:
        yield found


def told(folder: Path) -> list[dict[str, Any]]:
    """What the processes said."""
    lines = [line for log in sorted(folder.glob("log/*log.?")) for line in log.read_text().splitlines()]
    return [json.loads(line) for line in lines if line.startswith("{")]


def ended(folder: Path, ports: list[int]) -> None:
    """Nobody is left, nor a port, nor a snapshot."""
    assert all(gone(said["pid"]) for said in told(folder) if "pid" in said)
    for port in ports:
        socket.create_server(("127.0.0.1", port)).close()
    assert not list(folder.glob("log/snapshots*"))


def launch_ps(words: list[str]) -> None:
    """What `python -m paddle.distributed.launch_ps WORDS` does."""
    former, sys.argv = sys.argv, ["launch_ps", *words]
    try:
        begin_with_servers()
    finally:
        sys.argv = former


def listening(pid: int) -> set[str]:
    """The addresses, as the system writes them, at which a process listens."""
    held = {os.readlink(f"/proc/{pid}/fd/{each}") for each in os.listdir(f"/proc/{pid}/fd") if os.path.islink(f"/proc/{pid}/fd/{each}")}
    found = set()
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]:
            words = line.split()
            if words[3] == "0A" and f"socket:[{words[9]}]" in held:
                found.add(words[1].partition(":")[0])
    return found


@pytest.fixture
def start(launcher: Launcher, program: Path, tmp_path: Path) -> Callable[..., int]:
    def begin(plan: str, servers: int, *words: str, options: tuple[str, ...] = (), how: Any = launch, **variables: str) -> int:
        os.environ.update(FLAGS_rpc_deadline="60000", OMP_NUM_THREADS="1", **variables)
        (tmp_path / "train.py").write_text(JOB + plan)
        ports = free_ports(servers)
        endpoints = ",".join(f"127.0.0.1:{port}" for port in ports)
        names = ("--endpoints", "--worker_num") if how is launch_ps else ("--servers", "--trainer_num")
        try:
            return launcher(names[0], endpoints, names[1], "2", *options, str(program), "train.py", *words, how=how)
        finally:
            ended(tmp_path, ports)

    return begin


KILLS = """
from paddle_compat.engine import trainer

def kill(*servers):
    for each in servers:
        is_there(f"alive.{each}")
        open(f"kill.{each}", "w").close()


def plan(step):
    if name == "trainer1" and life == 0 and step == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    if name == "trainer1" and life == 1 and step == 8:
        open("alive.trainer1", "w").close()
        is_there("done")  # what a trainer that is done has lost nobody can tell
    if name == "trainer0" and step == 4:
        is_there("alive.trainer1")
        for each in ("server0", "server1"):
            trainer._trainer.transport.call(each, "save")
        kill("server1.0")
    if name == "trainer0" and step == 10:
        kill("server0.0")
    if name == "trainer0" and step == 16:
        kill("server0.1", "server1.1")
    if name == "trainer0" and step == 20:
        is_there("alive.server0.2", "alive.server1.2")
        open("done", "w").close()


serve() if name.startswith("server") else train(24 if name == "trainer0" else 12)
"""


def test_whoever_is_killed_comes_back(start: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert start(KILLS, 2, "async", options=("--max_restart", "2"), PADDLE_COMPAT_PS_SNAPSHOT_SECONDS="0.1") == 0
    said = told(tmp_path)
    final = {each["name"]: each["values"] for each in said if "values" in each}
    assert {each["name"]: each["life"] for each in said} == {"server0": 2, "server1": 2, "trainer0": 0, "trainer1": 1}
    for number in (0, 1):
        log = (tmp_path / f"log/serverlog.{number}").read_text()
        found = re.findall(r"Lost the updates (\d+) to (\d+) of trainer (\d)", log)
        lost = {(trainer, update) for first, last, trainer in found for update in range(int(first), int(last) + 1)}
        (count,) = final[f"server{number}"].values()
        assert count == 24 + 3 + 12 - len(lost)
        assert log.count("Went on from the snapshot") in (1, 2)  # a busy machine may kill the second life before it has said so
        assert all(update > (4 if trainer == "0" else 3) for trainer, update in lost)  # these were acknowledged before a snapshot
    shown = capsys.readouterr().err
    assert "worker 1 failed with exit code -9; it is started again, 1 of 2" in shown
    assert shown.count("server 0 failed with exit code -9; it is started again") == 2


DIES = """
def plan(step):
    if name == "trainer1" and life == 0 and step == 3:
        os.kill(os.getpid(), signal.SIGKILL)


serve() if name.startswith("server") else train(10)
"""


def test_a_synchronous_job_tells_of_a_trainer_that_died_and_begins_again(start: Callable[..., int], tmp_path: Path) -> None:
    assert start(DIES, 1, "sync", options=("--max_restart", "1")) == 0
    said = told(tmp_path)
    (raised,) = [each for each in said if "raised" in each]
    assert (raised["name"], raised["raised"], raised["steps"]) == ("trainer0", "UnavailableError", 3)
    assert raised["text"].startswith("Trainer 1 of 2 died.")
    again = [each for each in said if each["life"] == 1 and each["name"] != "server0"]
    assert [each["begins"] for each in again if "begins" in each] == [{"fc_0.w_0": 3.0, "fc_1.w_0": 3.0}] * 2
    assert [each["values"] for each in said if "values" in each] == [{"fc_0.w_0": 13.0, "fc_1.w_0": 13.0}] * 3


def test_a_synchronous_job_goes_on_without_a_trainer(start: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert start(DIES, 1, "sync", options=("--log_dir", "log"), how=launch_ps, PADDLE_COMPAT_PS_GOES_ON="1") == 137
    said = told(tmp_path)
    assert not any("raised" in each for each in said)
    assert [each["values"] for each in said if "values" in each] == [{"fc_0.w_0": 6.5, "fc_1.w_0": 6.5}] * 2  # halves from the fourth on
    assert "worker 1 failed with exit code -9; the others go on without it" in capsys.readouterr().err


WAITS = """
if name == "server0" and life == 0:
    former = os.fsync

    def slow(file):
        time.sleep(1)  # a busy disk: trainers would be far ahead of the first snapshot if they did not wait for it
        former(file)

    os.fsync = slow


def plan(step):
    if name == "trainer1" and step == 4:
        open("alive.trainer1", "w").close()  # the answer has come to this one, too
    if name == "trainer0" and step == 4:
        is_there("alive.trainer1")
        open("kill.server0.0", "w").close()
        is_there("alive.server0.1")


serve() if name.startswith("server") else train(10)
"""


def test_a_round_waits_for_its_server(start: Callable[..., int], tmp_path: Path) -> None:
    folder = tmp_path / "snapshots"
    assert start(WAITS, 1, "sync", options=("--max_restart", "1"), PADDLE_COMPAT_PS_SNAPSHOTS=str(folder)) == 0
    said, log = told(tmp_path), (tmp_path / "log/serverlog.0").read_text()
    assert not any("raised" in each for each in said)
    assert sorted(re.findall("Lost the updates 1 to 4 of trainer (.)", log)) == ["0", "1"]  # it has what it began with
    assert [each["values"] for each in said if "values" in each] == [{"fc_0.w_0": 6.0, "fc_1.w_0": 6.0}] * 3
    assert os.listdir(folder) == ["server0.snapshot"]  # for a job that goes on from here


# as JOB, but by a strategy of Fleet
FLEET = (
    JOB.partition("transpiler = ")[0].replace("fluid.optimizer.SGD(1.0).minimize(loss)\n", "")
    + """
from paddle.fluid.incubate.fleet.base.role_maker import PaddleCloudRoleMaker
from paddle.fluid.incubate.fleet.parameter_server.distribute_transpiler import StrategyFactory, fleet

exe = fluid.Executor(fluid.CPUPlace())
kinds = {"half_async": StrategyFactory.create_half_async_strategy, "geo": lambda: StrategyFactory.create_geo_strategy(2)}
fleet.init(PaddleCloudRoleMaker())
fleet.distributed_optimizer(fluid.optimizer.SGD(1.0), kinds[sys.argv[1]]()).minimize(loss)


def value():
    return round(-np.array(fluid.global_scope().find_var("fc_0.w_0").get_tensor()).mean().item(), 3)


def plan(step):
    if name == "trainer1" and life == 0 and step == 4:
        beside = fleet._communicator._engine
        with beside.changed:
            beside.changed.wait_for(lambda: not beside._busy)  # what was handed to the thread has come
        os.kill(os.getpid(), signal.SIGKILL)


if fleet.is_server():
    fleet.init_server()
    fleet.run_server()
    say(value=value())
else:
    fleet.init_worker()
    exe.run(fleet.startup_program)
    say(begins=value())
    while STEPS < 10:
        exe.run(fleet.main_program, feed={"x": np.ones((2, 4), "float32")}, fetch_list=[loss])
        STEPS += 1
    fleet.stop_worker()
    say(done=STEPS)
"""
)
RETURNS, STAYS_AWAY = {"options": ("--max_restart", "1")}, {"PADDLE_COMPAT_PS_GOES_ON": "1"}


@pytest.mark.parametrize(
    ("mode", "how", "steps"), [("half_async", RETURNS, 24), ("half_async", STAYS_AWAY, 14), ("geo", RETURNS, 24), ("geo", STAYS_AWAY, 14)]
)
def test_trainers_that_do_not_wait_outlive_one(
    start: Callable[..., int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str, how: dict[str, Any], steps: int
) -> None:
    monkeypatch.setattr(sys.modules[__name__], "JOB", FLEET)
    assert start("", 1, mode, **how) == (0 if how is RETURNS else 137)
    said = told(tmp_path)
    (value,) = [each["value"] for each in said if "value" in each]
    assert value == steps if mode == "half_async" else steps / 2 <= value <= steps  # a gain's other half goes with later ones
    lives = {(each["name"], each["life"]) for each in said if "done" in each}
    assert lives == ({("trainer0", 0), ("trainer1", 1)} if how is RETURNS else {("trainer0", 0)})
    again = [each["begins"] for each in said if "begins" in each and each["life"] == 1]
    assert all(begins >= (4 if mode == "half_async" else 2) for begins in again)  # with what was learned before


HANGS = """
def plan(step):
    if step == 2 and name == "trainer1":
        say(hangs=True)
        while True:
            time.sleep(1)


serve() if name.startswith("server") else train(10)
"""


def test_ctrl_c_ends_servers_and_trainers_that_hang(launcher: Launcher, program: Path, tmp_path: Path) -> None:
    os.environ.update(OMP_NUM_THREADS="1", PADDLE_COMPAT_PS_TOKEN="secret")
    (tmp_path / "train.py").write_text(JOB + HANGS)
    (port,) = free_ports(1)
    line = ["--servers", f"127.0.0.1:{port}", "--trainer_num", "2", "--max_restart", "3", str(program), "train.py", "sync"]
    with another(tmp_path, *line) as launched:
        while not any("hangs" in each for each in told(tmp_path)):
            assert launched.is_alive()
        heard = set().union(*(listening(each["pid"]) for each in told(tmp_path) if "pid" in each))
        assert heard == {f"{int.from_bytes(socket.inet_aton('127.0.0.1'), sys.byteorder):08X}"}
        for name, token in (("trainer1", "guess"), ("trainer1", "secret")):
            member = Member(name, f"127.0.0.1:{port}", lambda *of: None, lambda: None, token=token, patience=10)
            with pytest.raises(PermissionDeniedError, match="token" if token == "guess" else "there is a trainer1 already"):
                member.wait()
            member.finish()
        os.kill(launched.pid, signal.SIGINT)
        launched.join(20)
        assert launched.exitcode == 130
    ended(tmp_path, [port])
    log = (tmp_path / "log/serverlog.0").read_text()
    assert "Refused trainer1 from 127.0.0.1: its token (PADDLE_COMPAT_PS_TOKEN) is not the job's.\n" in log
