"""Servers and trainers written by hand (`ListenAndServ`, `Send`, `Recv`) have Paddle 1.8.5's Programs, and compute what was written."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from jobs import free_ports, run_together
from processes import ROOT

import paddle_compat as paddle
from paddle_compat import fluid
from paddle_compat.engine import by_hand
from paddle_compat.errors import UnsupportedError
from paddle_compat.fluid.layers.io import ListenAndServ, Send

sys.path.insert(0, str(ROOT / "tests/models"))

import hand_written

REAL = json.loads((ROOT / "tests/references/by_hand_1.8.5.json").read_text())
SERVER = """
import os, pathlib
import paddle.fluid as fluid
from paddle.fluid.layers.io import ListenAndServ

pathlib.Path("/tmp", f"paddle.{os.getpid()}.port").unlink(missing_ok=True)  # of another process
pathlib.Path("pid").write_text(f"{os.getpid()} ")
main = fluid.Program()
with fluid.program_guard(main):
    server = ListenAndServ(os.environ["WHERE"], ["x"], fan_in=int(os.environ["FAN_IN"]), optimizer_mode=False)
    with server.do():
        y = main.global_block().create_var(name="y", dtype="float32", shape=[2, 2])
        x = fluid.layers.data("x", [2, 2], append_batch_size=False)
        z = main.global_block().create_var(name="z", dtype="float32", shape=[2, 2])
        fluid.initializer.Constant(value=5.0)(z, main.global_block())
        main.current_block().append_op(type="scale", inputs={"X": x}, outputs={"Out": y}, attrs={"scale": 10.0})
        main.current_block().append_op(type="elementwise_add", inputs={"X": z, "Y": x}, outputs={"Out": z})
fluid.Executor(fluid.CPUPlace()).run(main)
print("served\\n", end="")
"""
TRAINER = """
import os, pathlib, time
import paddle.fluid as fluid
from paddle.fluid.layers.io import Recv, Send

where = os.environ["WHERE"]
while where.endswith(":0"):
    pid = pathlib.Path("pid").read_text() if pathlib.Path("pid").exists() else ""
    told = pathlib.Path("/tmp", f"paddle.{pid.strip()}.port")
    if pid.endswith(" ") and told.exists() and told.read_text():
        where = "127.0.0.1:" + told.read_text()
    time.sleep(0.02)
main = fluid.Program()
with fluid.program_guard(main):
    x = fluid.layers.data("x", [2, 2], append_batch_size=False)
    fluid.initializer.Constant(value=2.5)(x, main.global_block())
    y, z = [main.global_block().create_var(name=name, dtype="float32", shape=[2, 2]) for name in "yz"]
    Send(where, [x])
    Recv(f"{where},{where}", [y, z])
executor = fluid.Executor(fluid.CPUPlace())
for _ in range(2):
    found = [value.ravel().tolist() for value in executor.run(main, fetch_list=[y, z])]
print(f"{found}\\n", end="")
executor.close()
"""


@pytest.fixture
def static_mode() -> Iterator[None]:
    paddle.enable_static()
    yield
    paddle.disable_static()


@pytest.mark.usefixtures("static_mode")
def test_programs_are_those_of_the_wheel() -> None:
    found = json.loads(json.dumps(hand_written.observe(fluid)))
    for ops in (ops for name in REAL if name != "errors" for blocks in (REAL[name], found[name]) for _, ops, _ in blocks):
        for op in ops:
            op[1] = {slot: names for slot, names in op[1].items() if names}
    assert found == REAL


@pytest.mark.usefixtures("static_mode")
def test_servers_that_would_not_know_each_other_are_refused() -> None:
    main = fluid.Program()
    with fluid.program_guard(main):
        x = fluid.layers.fill_constant([2], "float32", 1.0)
        Send("127.0.0.1:6170,127.0.0.1:6171", [x, x])
    with pytest.raises(UnsupportedError, match=r"Send.*several servers \(127.0.0.1:6170, 127.0.0.1:6171\)"):
        fluid.Executor(fluid.CPUPlace()).run(main)


@pytest.mark.usefixtures("static_mode")
def test_a_server_is_known_whenever_and_however_its_program_came(monkeypatch: pytest.MonkeyPatch) -> None:
    served = []
    monkeypatch.setattr(by_hand, "serve", lambda program, scope: served.append(program))
    main, executor = fluid.Program(), fluid.Executor(fluid.CPUPlace())
    with fluid.program_guard(main):
        x = fluid.layers.fill_constant([2], "float32", 3.0)
        for _ in range(2):  # a plain Program, for now
            assert executor.run(main, fetch_list=[x])[0].tolist() == [3.0, 3.0]
        server = ListenAndServ("127.0.0.1:0", [x.name], fan_in=1, optimizer_mode=False)
        with server.do():
            fluid.layers.scale(x, 10.0)
    programs = [main, main.clone(), fluid.Program.parse_from_string(main.desc.serialize_to_string())]
    for program in programs:
        assert executor.run(program) == []
    assert served == programs


@pytest.mark.parametrize(("fan_in", "port"), [(1, False), (2, True)])
def test_a_server_runs_what_was_written(tmp_path: Path, fan_in: int, port: bool) -> None:
    (tmp_path / "server.py").write_text(SERVER)
    (tmp_path / "trainer.py").write_text(TRAINER)
    told = {"WHERE": f"127.0.0.1:{free_ports(1)[0] if port else 0}", "FAN_IN": str(fan_in)}
    trainers = [{**told, "PADDLE_TRAINER_ID": str(i), "PADDLE_TRAINERS_NUM": str(fan_in)} for i in range(fan_in)]
    words = [["-m", "paddle_compat", name] for name in ("server.py", *["trainer.py"] * fan_in)]
    ends = run_together(words, [told, *trainers], tmp_path)
    assert [status for status, _ in ends] == [0] * (1 + fan_in), ends
    assert "served" in ends[0][1]
    assert all(f"{[[25.0] * 4, [10.0] * 4]}" in text for _, text in ends[1:]), ends
