"""A process that fails or dies in the middle of a step: the others end with an error that names it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from jobs import run_job

STEPS = """
import os, sys, time, numpy as np, paddle
paddle.enable_static()
rank = int(os.environ["PADDLE_TRAINER_ID"])
ids = paddle.static.data("ids", [None, 1], "int64")
def last(value):
    if WAY == "dies" and rank == 2 and np.array(value).max() == 3:
        os._exit(7)
    return value
rows = paddle.static.nn.embedding(ids, [4, WIDE])
loss = paddle.mean(paddle.static.nn.fc(rows, 2))
seen = paddle.static.default_main_program().current_block().create_var(name="seen", dtype="int64", shape=[-1, 1])
paddle.static.py_func(last, ids, seen)
paddle.optimizer.SGD(0.1).minimize(loss)
exe = paddle.static.Executor(paddle.CPUPlace())
exe.run(paddle.static.default_startup_program())
program = paddle.static.CompiledProgram(paddle.static.default_main_program())
program = program.with_data_parallel(loss.name, places=[paddle.CPUPlace()] * 2)
feed = lambda step: {"ids": np.array([[0], [step if rank == 2 else 0]])}
for step in range(3):
    exe.run(program, feed(step), [loss])
begun = time.monotonic()
try:
    exe.run(program, feed(4 if WAY == "fails" else 3), [loss])
except Exception as error:
    print(type(error).__name__, str(error), f"after {time.monotonic() - begun:.0f} s", flush=True)
try:
    exe.run(program, feed(0), [loss])
except Exception as error:
    print("again:", type(error).__name__, str(error), flush=True)
"""


KILLS = Path(__file__).with_name("kills.py")


@pytest.mark.parametrize(
    ("way", "kind", "status", "said"),
    [
        ("dies at startup", "static", -9, "Process 3 of 4 of this job is gone. Expected"),
        ("dies", "eager", -9, "Process 3 of 4 of this job is gone. Expected"),
        ("raises", "static", 1, "Process 3 of 4 of this job is gone. It said: KeyError: 'nobody' Expected"),
        ("ends", "calls", 0, "Process 3 of 4 of this job is gone. Expected"),
        ("stops", "calls", -9, "A collective call of process {} was not made by all of 4 processes in time: process 3 does not answer. "),
    ],
)
def test_the_others_name_the_last_one_and_nobody_else(tmp_path: Path, way: str, kind: str, status: int, said: str) -> None:
    variables = {"PADDLE_PG_TIMEOUT": "4000"} if way == "stops" else {}
    *others, last = run_job(KILLS, 4, arguments=[way, kind], folder=tmp_path, **variables)
    assert last[0] == status, last[1]
    for rank, (ended, text) in enumerate(others):
        assert ended == (1 if way == "raises" else 3), text
        gone = way == "stops" and rank > 0 and "Process 3 of 4 of this job is gone." in text  # it asked after the first had ended the last
        assert (gone or said.format(rank) in text) and "Error [3] " in text
        assert int(re.search(r"^after (\d+) s$", text, re.MULTILINE)[1]) < 30


DIFFERENT = """
import sys, numpy as np, paddle, paddle.distributed as dist
from paddle.distributed import fleet
rank = dist.get_rank()
dist.init_parallel_env()
try:
    paddle.DataParallel(paddle.nn.Linear(4, 3 + rank))
except ValueError as error:
    print(error, flush=True)
paddle.enable_static()
loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 3 + rank))
fleet.init(is_collective=True)
fleet.distributed_optimizer(paddle.optimizer.SGD(0.1)).minimize(loss)
try:
    paddle.static.Executor().run(paddle.static.default_startup_program())
except ValueError as error:
    print(error, flush=True)
"""


def test_models_that_differ_are_refused_by_all(tmp_path: Path) -> None:
    script = tmp_path / "different.py"
    script.write_text(DIFFERENT)
    for status, text in run_job(script, 2):
        assert status == 0, text
        shown = "Expected the same shapes and data types on all processes. Received: process 0 has {}3]; process 1 has {}4]"
        assert "process 0 has 2 tensors of 15 elements, float32[4, 3];float32[3]; process 1 has 2 tensors of 20 elements" in text
        assert shown.format("c_broadcast, float32[", "c_broadcast, float32[") in text


def test_a_process_that_dies_is_named(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(STEPS.replace("WAY", "'dies'").replace("WIDE", "8192"))
    first, second, third = run_job(script, 3)
    assert third[0] == 7
    for status, text in (first, second):
        assert status == 0
        assert "UnavailableError Process 2 of 3 of this job is gone. Expected all processes in a collective call." in text
        assert int(text.partition(" s\n")[0].rpartition("after ")[2]) < 20


def test_a_process_whose_run_failed_leaves_the_job_and_says_why(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(STEPS.replace("WAY", "'fails'").replace("WIDE", "3"))
    first, second, third = run_job(script, 3)
    said = "a run failed in process 2 (InvalidArgumentError: "
    for _, text in (first, second):
        assert "UnavailableError Process 2 of 3 of this job is gone. It said: " + said in text
    assert "InvalidArgumentError" in third[1] and "[replica 1 of 2]" in third[1]
    assert "again: PreconditionNotMetError This process has left the others of its job: " + said in third[1]
    assert [status for status, _ in (first, second, third)] == [0, 0, 0]
