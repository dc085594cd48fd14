"""The demo, and the trainer of Paddle's documentation, run as scripts of their own and print each step's cost."""

from __future__ import annotations

import math
import re
import shutil

import pytest
from processes import ROOT, Runner

DEMO = ROOT / "scripts/demo_mlp"
STEPS = 1001


def costs(out: str) -> list[float]:
    """The numbers of lines such as `step12 cost=0.693`."""
    found = re.findall(r"^step(\d+) cost=(\d+\.\d+)$", out, re.MULTILINE)
    assert [int(step) for step, _ in found] == list(range(len(found)))
    return [float(cost) for _, cost in found]


def check(losses: list[float]) -> None:
    """Labels are random: the cost settles at that of a coin."""
    assert len(losses) == STEPS
    assert sum(losses[-100:]) / 100 == pytest.approx(math.log(2), abs=0.005)


def test_demo(full: Runner) -> None:
    check(costs(full.output("-m", "paddle_compat", str(DEMO / "train.py"))))


def test_trainer_of_the_documentation(full: Runner) -> None:
    """It neither asks for static mode nor looks for a GPU; PADDLE_COMPAT_CPU=1 lets CUDAPlace(0) be the CPU."""
    for name in ("nets.py", "utils.py"):
        shutil.copy(DEMO / name, full.folder)
    text = (DEMO / "train.py").read_text().replace("paddle.enable_static()\n", "")
    text = re.sub(r"(?m)^place = .*", "place = paddle.CUDAPlace(0)", text)
    assert "enable_static" not in text and text.count("CPUPlace") == 0
    full.write({"train.py": text})
    full.env["PADDLE_COMPAT_CPU"] = "1"
    check(costs(full.output("-m", "paddle_compat", "train.py")))
    alias = "import paddle_compat, runpy; paddle_compat.install(); runpy.run_path('train.py', run_name='__main__')"
    check(costs(full.output("-c", "import sys; sys.path.insert(0, '.'); " + alias)))
