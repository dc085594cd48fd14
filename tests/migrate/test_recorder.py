"""What a script computes is written down by one file, here and under the real Paddle, and it is said where two runs part."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from processes import ROOT

from paddle_compat.migrate import compare

EAGER = """\
import sys
import numpy as np
import paddle
paddle.seed(3)
net = paddle.nn.Linear(4, 2)
optimizer = paddle.optimizer.Adam(float(sys.argv[1]), parameters=net.parameters())
for step in range(3):
    loss = net(paddle.to_tensor(np.full([3, 4], step + 1, "float32"))).mean()
    loss.backward()
    optimizer.step()
    optimizer.clear_grad()
"""
STATIC = """\
import numpy as np
import paddle.fluid as fluid
x = fluid.data("x", [None, 4])
loss = fluid.layers.mean(fluid.layers.fc(x, 2, param_attr=fluid.initializer.Constant(0.5)))
fluid.optimizer.SGD(0.1).minimize(loss)
executor = fluid.Executor(fluid.CPUPlace())
executor.run(fluid.default_startup_program())
for step in range(2):
    executor.run(fluid.default_main_program(), feed={"x": np.ones([3, 4], "float32")}, fetch_list=[loss])
"""
DYGRAPH = """\
import numpy as np
import paddle.fluid as fluid
with fluid.dygraph.guard():
    net = fluid.dygraph.Linear(4, 2, param_attr=fluid.initializer.Constant(0.5))
    loss = fluid.layers.mean(net(fluid.dygraph.to_variable(np.ones([3, 4], "float32"))))
    loss.backward()
    fluid.optimizer.SGD(0.1, parameter_list=net.parameters()).minimize(loss)
"""


def recorded(folder: Path, name: str, script: str, *arguments: str) -> list[dict[str, Any]]:
    """The points of a script's run."""
    (folder / "train.py").write_text(script)
    words = [sys.executable, "-m", "paddle_compat", "-m", "paddle_compat.migrate.recorder", name, "train.py", *arguments]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in (folder / name).read_text().splitlines()]


def test_an_eager_run_and_where_others_part(tmp_path: Path) -> None:
    points = recorded(tmp_path, "a", EAGER, "0.01")
    assert [(point["kind"], point["where"]) for point in points] == [("loss", "train.py:9"), ("step", "train.py:10")] * 3
    assert [value[:2] for value in points[1]["values"]] == [[[4, 2], "float32"], [[2], "float32"]]
    assert len(points[0]["values"][0][2]) == 4 and len(points[0]["values"][0][3]) == 1
    recorded(tmp_path, "b", EAGER, "0.01")
    recorded(tmp_path, "c", EAGER, "0.02")
    assert list(compare(str(tmp_path / "a"), str(tmp_path / "b"))) == ["alike: 6 points"]
    words = [sys.executable, "-m", "paddle_compat", "compare", "a", "c"]
    done = subprocess.run(words, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=120)
    assert done.stdout.startswith("part at point 2 (step, train.py:10), value 0: ") and done.returncode == 1


@pytest.mark.parametrize(
    ("script", "expected"),
    [(STATIC, [("run", "train.py:9"), ("run", "train.py:9")]), (DYGRAPH, [("loss", "train.py:6"), ("step", "train.py:7")])],
    ids=["static", "dygraph"],
)
def test_runs_of_old_scripts(script: str, expected: list[tuple[str, str]], tmp_path: Path) -> None:
    points = recorded(tmp_path, "a", script)
    assert [(point["kind"], point["where"]) for point in points] == expected
    assert points[0]["values"][0] == [[1], "float32", [2.0, 0.0, 2.0, 2.0], [2.0]]


def line(kind: str, *values: Any) -> str:
    """A point as the recorder writes it."""
    return json.dumps({"kind": kind, "where": "t.py:1", "values": values}) + "\n"


def array(number: float, shape: tuple[int, ...] = (), dtype: str = "float32") -> Any:
    """One number, or several of it."""
    return [list(shape), dtype, [number, 0.0, number, number], [number] * (shape or (1,))[0]]


NAN, INF = float("nan"), float("inf")


AT = "part at point 1 (run, t.py:1), value 0: "


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ([line("loss", array(1.0))] * 2, [line("loss", array(1.00001))] * 2, "alike: 2 points"),
        ([line("run", array(1.0))], [line("run", array(1.1))], AT + "1.0 there, 1.1 here"),
        (
            [line("run", array(1.0, (2,)))],
            [line("run", array(1.1, (2,)))],
            AT + "1.0 to 1.0, mean 1.0, deviation 0.0, first [1.0, 1.0] there, 1.1",
        ),
        ([line("loss", array(1.0))] * 2, [line("loss", array(1.0))], "part at point 2: here ends there"),
        (
            [line("loss", array(1.0))],
            [line("run", array(1.0))],
            "part at point 1: loss of 1 values at t.py:1 there, run of 1 values at t.py",
        ),
        ([line("run", array(1.0), None)], [line("run", array(1.0))], "part at point 1: run of 2 values"),
        ([line("run", None)], [line("run", array(1.0))], AT + "None there, [[], 'float32'] here"),
        ([line("run", array(1.0))], [line("run", array(1.0, (1,)))], AT + "float32 of [] there, float32 of [1] here"),
        ([line("run", array(NAN))], [line("run", array(NAN))], "alike: 1 points"),
        ([line("run", array(NAN))], [line("run", array(0.0))], AT + "nan there, 0.0 here"),
        ([line("run", array(-INF))], [line("run", array(-INF))], "alike: 1 points"),
        ([line("run", array(INF))], [line("run", array(3.0))], AT + "inf there, 3.0 here"),
        ([line("loss", array(0.0))], [line("loss", array(1e-8))], "alike: 1 points"),
    ],
)
def test_what_is_said_of_two_runs(one: list[str], other: list[str], expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("there").write_text("".join(one))
    Path("here").write_text("".join(other))
    *grown, last = compare("there", "here")
    assert last.startswith(expected)
    assert grown == (["from point 1 (loss, t.py:1) on by more than 1e-06"] if "1.00001" in other[0] else [])


def test_the_recorder_is_written_for_the_python_of_paddle_1() -> None:
    text = (ROOT / "paddle_compat/migrate/recorder.py").read_text()
    imported = {each.names[0].name for each in ast.walk(ast.parse(text, feature_version=(3, 6))) if isinstance(each, ast.Import)}
    assert imported == {"importlib", "json", "os", "runpy", "sys", "numpy"}
