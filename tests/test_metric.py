"""The classes of `paddle.metric` answer what Paddle 2.6.2 answers."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from processes import ROOT

import paddle_compat as paddle

sys.path.insert(0, str(ROOT / "scripts/references"))

import metric_classes

REAL = json.loads((ROOT / "tests/references/metric_classes.json").read_text())


def close(value: Any) -> Any:
    """A value to compare with, but for rounding."""
    if isinstance(value, list):
        return [close(item) for item in value]
    return pytest.approx(value, rel=1e-12) if isinstance(value, float) else value


@pytest.mark.parametrize("case", metric_classes.CASES)
def test_answers(case: str) -> None:
    assert metric_classes.answer(paddle, metric_classes.CASES[case]) == close(REAL[case])
