"""The Fleet of parameter servers of Paddle 1.8: strategies and the Programs of workers and servers, against those of the 1.8.5 wheel."""

from __future__ import annotations

import gzip
import json
import sys
from typing import Any

import pytest
from processes import ROOT

import paddle_compat as paddle
from paddle_compat import fluid

sys.path.insert(0, str(ROOT / "tests/models"))

import fleet_served

REAL = json.loads(gzip.decompress((ROOT / "tests/references/fleet_served_1.8.5.json.gz").read_bytes()))
STRATEGIES = json.loads((ROOT / "tests/references/fleet_strategies_1.8.5.json").read_text())
# distributed tables: 1.8.5 fails with an IndexError, but for trainers that hold them whole, where it updates them before the rest
OTHER = [name for name, real in REAL.items() if "error" in real or name == "ctr/distributed geo"]


@pytest.fixture(autouse=True)
def static_mode(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.delenv("CPU_NUM", raising=False)
    monkeypatch.setattr(fluid.DistributeTranspilerConfig, "wait_port", False)
    paddle.enable_static()
    yield
    paddle.disable_static()


def plain(value: Any) -> Any:
    return json.loads(json.dumps(value))


def compare(ours: Any, real: Any, what: str) -> None:
    """Block for block, so that what differs is named."""
    assert len(ours) == len(real), f"{what}: number of blocks"
    for i, ((parent, ops, variables), (real_parent, real_ops, real_variables)) in enumerate(zip(ours, real)):
        assert [op[0] for op in ops] == [op[0] for op in real_ops], f"{what}, block {i}"
        assert parent == real_parent, f"{what}, block {i}"
        for op, real_op in zip(ops, real_ops):
            assert op == real_op, f"{what}, block {i}"
        assert variables == real_variables, f"{what}, block {i}"


@pytest.mark.parametrize("name", [name for name in fleet_served.CASES if name not in OTHER])
def test_programs_are_those_of_paddle(name: str) -> None:
    ours, real = plain(fleet_served.observe(fluid, fleet_served.CASES[name])), REAL[name]
    assert ours.keys() == real.keys()
    for each in ("kind", "told", "parts"):
        assert ours.get(each) == real.get(each), each
    for mine, theirs in zip(ours["origin"], real["origin"], strict=True):  # the wheel's copy forgets whose a variable is
        assert mine[1] == theirs[1]
    for what, mine, theirs in [("worker", ours["worker"], real["worker"])] + [
        (f"server {i}", *each) for i, each in enumerate(zip(ours["servers"], real["servers"], strict=True))
    ]:
        compare(mine[0], theirs[0], what)
        compare(mine[1], theirs[1], f"startup of {what}")


def test_strategies_are_those_of_paddle() -> None:
    ours = plain(fleet_served.answers(fluid))
    assert ours.keys() == STRATEGIES.keys()
    for name, real in STRATEGIES.items():
        assert ours[name] == real, name
