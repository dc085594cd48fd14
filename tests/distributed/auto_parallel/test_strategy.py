"""`paddle.distributed.Strategy` has the settings, defaults and refusals of Paddle 3.3."""

from __future__ import annotations

import copy
import json
import sys

import pytest
from processes import ROOT

import paddle_compat as paddle
import paddle_compat.distributed as dist
from paddle_compat.distributed.auto_parallel import strategy as auto

sys.path.insert(0, str(ROOT / "scripts/references"))
from mesh_strategy_cases import CASES, answers

WHEEL = json.loads((ROOT / "tests/references/mesh_strategy.json").read_text())


@pytest.mark.parametrize("case", CASES)
def test_settings(case: str) -> None:
    """A refusal says what the wheel's does, and what was expected; what Python itself says differs between its releases."""
    own, real = answers(dist, auto)[case], WHEEL[case]
    if isinstance(real, dict) and "raises" in real and real["raises"][0] != "AttributeError":
        assert own["raises"][0] == real["raises"][0] and own["raises"][1].startswith(real["raises"][1])
    elif isinstance(real, dict) and "raises" in real:
        assert own["raises"][0] == real["raises"][0]
    else:
        assert own == real


def test_groups_belong_to_one_strategy() -> None:
    """Lists too: what one strategy is told, another does not know (in the wheel it does)."""
    one, other = dist.Strategy(), dist.Strategy()
    one.amp.custom_white_list.append("matmul")
    one.sharding.stage = 3
    assert other.amp.custom_white_list == [] and other.sharding.stage == 1
    copied = copy.deepcopy(one)
    copied.sharding.stage = 2
    assert one.sharding.stage == 3 and repr(copied.amp) == repr(one.amp)


def test_given_settings_are_copied() -> None:
    given = {"pipeline": {"program_runtimes": [1]}}
    strategy = dist.Strategy(given)
    strategy.pipeline.program_runtimes.append(2)
    assert given == {"pipeline": {"program_runtimes": [1]}}


def test_whether_numbers_are_to_be_those_of_fleet() -> None:
    """Libraries ask for it."""
    assert not dist.in_auto_parallel_align_mode()
    paddle.set_flags({"FLAGS_enable_auto_parallel_align_mode": True})
    try:
        assert dist.in_auto_parallel_align_mode() and dist.auto_parallel.api.in_auto_parallel_align_mode()
    finally:
        paddle.set_flags({"FLAGS_enable_auto_parallel_align_mode": False})
