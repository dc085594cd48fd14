"""The objects of `paddle.jit` answer as Paddle's do: InputSpec, StaticFunction, caches, switches, hooks, wrong use, what harnesses ask."""

from __future__ import annotations

import json
import sys
from functools import cache
from typing import Any

import pytest
from processes import ROOT

import paddle_compat as paddle

sys.path[:0] = [str(ROOT / "scripts/references")]

import jit_interface  # noqa: E402

RECORDED: dict[str, Any] = {
    version: json.loads((ROOT / f"tests/references/jit_interface_{version}.json").read_text()) for version in jit_interface.WHEELS
}


@cache
def ours(version: str) -> dict[str, str]:
    """What ours answers, asked once: the questions build on each other."""
    try:
        return jit_interface.answers(paddle, version)
    finally:
        paddle.jit.enable_to_static(True)


@pytest.mark.parametrize("version", RECORDED)
def test_every_recorded_question_is_still_asked(version: str) -> None:
    assert sorted(ours(version)) == sorted(RECORDED[version])


@pytest.mark.parametrize(("version", "question"), [(version, question) for version in RECORDED for question in RECORDED[version]])
def test_as_the_wheel(version: str, question: str) -> None:
    got, real = ours(version)[question], RECORDED[version][question]
    if real.startswith("raises "):  # ours may be several of the builtin classes
        assert got.startswith("raises ") and real.split()[1].split("|")[0] in got.split()[1].split("|")
    else:
        assert got == real
