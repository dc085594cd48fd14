"""What of Paddle's names and arguments a script would miss here is found without running it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from processes import ROOT

from paddle_compat.migrate import scan

SCRIPT = """\
import paddle
import paddle.nn as nn
import paddle.fluid as fluid
from paddle.nn.functional import relu, nothing
from paddle.vision import *

def forward(x):
    x = nn.functional.no_such(x)
    x = fluid.layers.fc(x, 10, activation="relu")
    x = fluid.layers.fc(input=x, size=10, act="relu")
    x = paddle.nn.Linear(2, 3, units=3)(x)
    return relu(x, **{"a": 1}) + paddle.concat(x=[x, x], axis=paddle.argmax(x, dimension=1))

nn.Linear.mine = nn.Linear.forward
nn.Linear.mine(None)
try:
    paddle.gone()
except AttributeError:
    paddle.gone_too()
try:
    paddle.still_there()
except KeyError:
    pass
paddle.incubate.passes.fuse()
paddle.seed(1).whatever.comes()
"""
EXPECTED = [
    (4, "paddle.nn.functional.nothing is not there"),
    (8, "paddle.nn.functional.no_such is not there"),
    (9, "paddle.fluid.layers.fc: got an unexpected keyword argument 'activation'"),
    (11, "paddle.nn.Linear: got an unexpected keyword argument 'units'"),
    (12, "paddle.argmax: got an unexpected keyword argument 'dimension'"),
    (19, "paddle.gone_too is not there"),
    (21, "paddle.still_there is not there"),
]


def write(folder: Path, **files: str) -> Path:
    """Files of a folder, by their names without .py."""
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    return folder


def test_what_would_fail(tmp_path: Path) -> None:
    write(tmp_path, train=SCRIPT)
    found = scan([tmp_path / "train.py"])
    assert [(each.line, each.text) for each in found if each.line < 24] == EXPECTED
    assert {each.path for each in found} == {str(tmp_path / "train.py")}


def test_what_to_use_instead(tmp_path: Path) -> None:
    write(tmp_path, a="from paddle.fluid.net_drawer import draw_graph\n")
    (found,) = scan([tmp_path])
    assert found.text.endswith("is not there. Use fluid.debugger.draw_block_graphviz instead.")


@pytest.mark.parametrize(
    "call",
    [
        "paddle.reshape(x, shape=[1])", "paddle.nn.functional.softmax(x, axis=1)", "paddle.nn.Conv2D(1, 2, 3, padding=1)",
        "paddle.optimizer.Adam(learning_rate=1, parameters=[])", "paddle.add(x, y)", "paddle.zeros([1]).reshape(foo=1)",
        "paddle.sum(*x, **y)", "paddle.paddle.zeros([1])", "paddle.static.nn.fc(x, 3)", "paddle.distributed.fleet.init(is_collective=True)",
    ],
)  # fmt: skip
def test_what_works_is_not_named(call: str, tmp_path: Path) -> None:
    assert scan([write(tmp_path, a=f"import paddle\n{call}\n")]) == []


def test_what_one_file_makes_others_may_use(tmp_path: Path) -> None:
    assert scan([write(tmp_path, a="import paddle\npaddle.mine = 1\n", b="import paddle\nprint(paddle.mine)\n")]) == []


def test_other_files_and_names(tmp_path: Path) -> None:
    assert scan([write(tmp_path, a="import numpy as paddle_\nfrom .paddle import x\npaddle_.nothing(x)\nimport torch.paddle\n")]) == []


def command(*arguments: str, **env: str) -> Any:
    """The command line, in a process of its own."""
    words = [sys.executable, "-m", "paddle_compat", "scan", *arguments]
    env = {**os.environ, "PYTHONPATH": str(ROOT), **env}
    return subprocess.run(words, env=env, capture_output=True, text=True, timeout=120)


def test_command(tmp_path: Path) -> None:
    write(tmp_path, a="import paddle\npaddle.nothing()\n", b="import paddle\npaddle.paddle.ones([1])\n", c="import (\n")
    done = command(str(tmp_path))
    assert done.stdout == f"{tmp_path}/a.py:2: paddle.nothing is not there\n2 files, 3 names of Paddle, 1 uses that would fail\n"
    assert f"{tmp_path}/c.py: cannot be read: " in done.stderr and done.returncode == 1
    done = command(str(tmp_path / "b.py"))
    assert (done.stdout, done.returncode) == ("1 files, 2 names of Paddle, 0 uses that would fail\n", 0)
    assert command().returncode == 2 and command("--help").stdout.startswith("usage: python -m paddle_compat scan PATH")


def test_names_of_the_version_that_is_chosen(tmp_path: Path) -> None:
    write(tmp_path, a="import paddle\npaddle.cumulative_trapezoid\npaddle.base.framework.use_pir_api()\n")
    assert command(str(tmp_path), PADDLE_COMPAT_VERSION="3.3.1").returncode == 0
