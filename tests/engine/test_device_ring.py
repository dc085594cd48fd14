"""Replicas that meet by process groups of their own, as those on GPUs do by NCCL: here by gloo, on the CPU."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from jobs import run_job

from paddle_compat import fluid
from paddle_compat.core.rings import Alone
from paddle_compat.engine import replicas
from paddle_compat.engine.device_ring import device_rings
from paddle_compat.engine.ring import Meeting
from paddle_compat.errors import UnsupportedError


def _trained(monkeypatch: pytest.MonkeyPatch, backends: dict[str, str]) -> tuple[list[Any], Any, Any, dict[str, Any]]:
    """Losses and a sparse table's values after some steps; then the program, the loss and a feed."""
    monkeypatch.setattr(replicas, "BACKENDS", backends)
    main, startup = fluid.Program(), fluid.Program()
    main.random_seed = startup.random_seed = 5
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        image, ids = fluid.data("image", [None, 1, 4, 4]), fluid.data("ids", [None, 1], "int64")
        hidden = fluid.layers.batch_norm(fluid.layers.conv2d(image, 3, 3), act="relu")
        rows = fluid.embedding(ids, [5, 4], is_sparse=True)
        loss = fluid.layers.mean(fluid.layers.square(fluid.layers.fc([hidden, rows], 2)))
        fluid.optimizer.SGD(0.1).minimize(loss)
    fluid.Executor().run(startup)
    build = fluid.BuildStrategy()
    build.sync_batch_norm = True
    program = fluid.CompiledProgram(main).with_data_parallel(loss.name, build_strategy=build, places=fluid.cpu_places(3))
    numbers = np.random.RandomState(0)
    feeds = [{"image": numbers.rand(6, 1, 4, 4).astype("float32"), "ids": numbers.randint(0, 5, (6, 1))} for _ in range(4)]
    losses = [fluid.Executor().run(program, feed, [loss])[0].tolist() for feed in feeds]
    table = np.array(fluid.global_scope().find_var("embedding_0.w_0").get_tensor()).tolist()
    return [losses, table], program, loss, feeds[0]


def test_groups_give_what_shared_memory_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = []
    for backends in ({}, {"cpu": "gloo"}):
        with fluid.scope_guard(fluid.Scope()):
            kept.append(_trained(monkeypatch, backends)[0])
    assert np.abs(np.subtract(kept[0][0], kept[1][0])).max() < 1e-6
    assert np.abs(np.subtract(kept[0][1], kept[1][1])).max() < 1e-6


def test_a_replica_that_fails_stops_the_others_and_the_next_run_works(monkeypatch: pytest.MonkeyPatch) -> None:
    _, program, loss, feed = _trained(monkeypatch, {"cpu": "gloo"})
    table = fluid.global_scope().find_var("embedding_0.w_0").get_tensor()
    before = np.array(table).tolist()
    with pytest.raises(Exception, match=r"\[replica 1 of 3\]"):
        fluid.Executor().run(program, {**feed, "ids": np.array([[0], [0], [9], [0], [0], [0]])}, [loss])
    assert np.array(table).tolist() == before
    assert np.isfinite(fluid.Executor().run(program, feed, [loss])[0]).all() and np.array(table).tolist() != before


def test_rings_of_processes_are_for_one_replica_in_each() -> None:
    other = Alone()
    assert device_rings(Meeting(1), "gloo", None)[0].over(other) is other
    with pytest.raises(UnsupportedError, match=r"a ring of processes.*replicas on 2 devices.*a process for each device"):
        device_rings(Meeting(2), "gloo", None)[1].over(other)


RING = """
import os, numpy as np, paddle
from paddle_compat.engine import replicas
replicas.BACKENDS["cpu"] = "gloo"
paddle.enable_static()
rank = int(os.environ["PADDLE_TRAINER_ID"])
paddle.seed(1 + rank)
x = paddle.static.data("x", [None, 3])
loss = paddle.mean(paddle.static.nn.fc(paddle.static.nn.fc(x, 6000), 1) ** 2)
paddle.optimizer.SGD(0.1).minimize(loss)
exe = paddle.static.Executor(paddle.CPUPlace())
exe.run(paddle.static.default_startup_program())
program = paddle.static.CompiledProgram(paddle.static.default_main_program()).with_data_parallel(loss.name, places=[paddle.CPUPlace()] * 2)
weight = paddle.static.global_scope().find_var("fc_0.w_0").get_tensor()
rows = np.arange(24, dtype="float32").reshape(8, 3) / 24
value = None
for step in range(3):
    exe.run(program, {"x": rows[4 * rank:][:4]}, [loss])
    if value is None:
        value = np.array(weight)
print([round(float(v), 6) for v in np.array(weight).ravel()[::999]])
"""


def test_the_replicas_of_all_processes_make_one_ring(tmp_path: Path) -> None:
    script = tmp_path / "ring.py"
    script.write_text(RING)
    (first, one), (second, other) = run_job(script, 2)
    assert (first, second) == (0, 0), one + other
    assert one == other and one.startswith("[")
    script.write_text(RING.replace('replicas.BACKENDS["cpu"] = "gloo"', ""))
    assert [text for _, text in run_job(script, 2)] == [one, one]
