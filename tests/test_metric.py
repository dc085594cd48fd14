"""The classes of `paddle.metric` answer what Paddle 2.6.2 answers."""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np
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


@pytest.mark.parametrize("dtype", ["int32", "int64", "bool", "uint8", "float32"])
def test_accuracy_takes_variables_of_floats(dtype: str) -> None:
    paddle.enable_static()
    try:
        with paddle.static.program_guard(paddle.static.Program()):
            scores, label = paddle.static.data("scores", [None, 4], dtype), paddle.static.data("label", [None, 1], "int32")
            for accuracy in (paddle.metric.accuracy, paddle.static.accuracy):
                if dtype == "float32":
                    assert tuple(accuracy(scores, label).shape) == ()
                else:
                    with pytest.raises(TypeError, match="input"):
                        accuracy(scores, label)
                with pytest.raises(TypeError, match="input"):
                    accuracy(np.ones([2, 4], "float32"), label)
    finally:
        paddle.disable_static()
