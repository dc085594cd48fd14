"""Distributions, their transforms and divergences answer what Paddle 2.6's do, those of Paddle 3 what 3.3's do, gradients too."""

from __future__ import annotations

from typing import Any

import pytest
from models.distribution_runs import answer, cases, cases_of_3
from models.references import recorded

import paddle_compat as paddle

RECORDED = {**recorded("distribution", "2.6.2"), **recorded("distribution", "3.3.1")}
CASES = {**cases(paddle), **cases_of_3(paddle)}


def alike(ours: Any, real: Any) -> bool:
    """Whether two answers are equal, floats nearly; an exception is alike that can be caught as the wheel's."""
    if isinstance(real, str) and isinstance(ours, str) and real.startswith("raises "):
        return set(real.split(" or ")) <= set(ours.replace(" or ", " or raises ").split(" or "))
    if isinstance(real, list):
        return isinstance(ours, list) and len(ours) == len(real) and all(map(alike, ours, real))
    return ours == pytest.approx(real, rel=2e-5, abs=2e-6) if isinstance(real, float) else bool(ours == real)


def test_all_cases_are_recorded() -> None:
    assert list(CASES) == list(RECORDED)


@pytest.mark.parametrize("name", [name for name, real in RECORDED.items() if real is not None])  # None: the wheel crashed
def test_answers(name: str) -> None:
    ours = answer(CASES[name])
    assert alike(ours, RECORDED[name]), f"expected {RECORDED[name]}, received {ours}"
