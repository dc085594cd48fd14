"""The objects of `paddle.jit` answer as Paddle 2.6's do: InputSpec, StaticFunction, caches, switches, hooks, wrong use."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from processes import ROOT

import paddle_compat as paddle

sys.path[:0] = [str(ROOT / "scripts/references")]

import jit_interface  # noqa: E402

RECORDED: dict[str, str] = json.loads((ROOT / "tests/references/jit_interface_2.6.2.json").read_text())


@pytest.fixture(scope="module")
def ours() -> Any:
    """What ours answers, asked once: the questions build on each other."""
    try:
        return jit_interface.answers(paddle)
    finally:
        paddle.jit.enable_to_static(True)


def test_every_recorded_question_is_still_asked(ours: Any) -> None:
    assert sorted(ours) == sorted(RECORDED)


@pytest.mark.parametrize("question", RECORDED)
def test_as_the_wheel(question: str, ours: Any) -> None:
    got, real = ours[question], RECORDED[question]
    if real.startswith("raises "):  # ours may be several of the builtin classes
        assert got.startswith("raises ") and real.split()[1].split("|")[0] in got.split()[1].split("|")
    else:
        assert got == real
