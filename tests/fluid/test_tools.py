"""`fluid.metrics`, `fluid.average` and `fluid.DataFeeder` answer what Paddle 1.8.5 answers."""

from __future__ import annotations

import json
import sys
import warnings
from typing import Any

import pytest
from processes import ROOT

from paddle_compat import fluid

sys.path.insert(0, str(ROOT / "scripts/references"))

import fluid_tools

REAL = json.loads((ROOT / "tests/references/fluid_tools.json").read_text())


def close(value: Any) -> Any:
    """A value to compare with, but for rounding."""
    if isinstance(value, list):
        return [close(item) for item in value]
    if isinstance(value, dict):
        return {key: close(item) for key, item in value.items()}
    return pytest.approx(value, rel=1e-12) if isinstance(value, float) else value


@pytest.mark.parametrize("case", fluid_tools.CASES)
def test_answers(case: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert fluid_tools.answer(fluid, fluid_tools.CASES[case]) == close(REAL[case])


def test_one_average_and_one_metric_go_on() -> None:
    with pytest.warns(Warning, match="WeightedAverage"):
        average = fluid.average.WeightedAverage()
    for step in range(1, 4):
        average.add(float(step), 1)
    assert average.eval() == 2.0
