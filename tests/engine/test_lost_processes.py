"""A process that fails or dies in the middle of a step: the others end with an error that names it."""

from __future__ import annotations

from pathlib import Path

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
