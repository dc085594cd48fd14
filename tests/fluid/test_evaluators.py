"""`fluid.evaluator`, `fluid.metrics.DetectionMAP` and `detection_map` answer what Paddle 1.8.5 answers."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from processes import ROOT

from paddle_compat import fluid

sys.path.insert(0, str(ROOT / "scripts/references"))

import fluid_evaluators

REAL = json.loads((ROOT / "tests/references/fluid_evaluators.json").read_text())


def close(value: Any) -> Any:
    """A value to compare with, but for rounding."""
    if isinstance(value, list):
        return [close(item) for item in value]
    if isinstance(value, dict):
        return {key: close(item) for key, item in value.items()}
    return pytest.approx(value, rel=1e-6) if isinstance(value, float) else value


@pytest.mark.parametrize("case", fluid_evaluators.CASES)
def test_answers(case: str) -> None:
    assert fluid_evaluators.answer(fluid, fluid_evaluators.CASES[case]) == close(REAL[case])


def test_wrong_use() -> None:
    x = fluid.data("x", [None, 6], lod_level=1)
    with pytest.raises(ValueError, match="class_num"):
        fluid.metrics.DetectionMAP(x, x, x)
    with pytest.warns(Warning, match="EditDistance"), pytest.raises(NotImplementedError):
        tags = fluid.data("tags", [None, 1], "int64", lod_level=1)
        fluid.evaluator.Evaluator.eval(fluid.evaluator.EditDistance(tags, tags), None)
