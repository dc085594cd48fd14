"""`paddle.Model`, its callbacks, `paddle.summary` and `paddle.flops` print and return what Paddle 2.6's do."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from models.hapi_runs import cases, run

import paddle_compat as paddle

RECORDED = json.loads((Path(__file__).resolve().parents[1] / "references/hapi_2.6.2.json").read_text())
CASES = cases(paddle)
NUMBER = re.compile(r"-?\d+\.\d+(?:e[-+]?\d+)?")


def plain(value):
    """A value as JSON has it."""
    return json.loads(json.dumps(value, default=lambda other: other.tolist()))


def alike(ours, real):
    """Whether two values are equal, floats nearly."""
    if isinstance(real, dict):
        return list(ours) == list(real) and all(alike(ours[key], real[key]) for key in real)
    if isinstance(real, list):
        return isinstance(ours, list) and len(ours) == len(real) and all(map(alike, ours, real))
    return ours == pytest.approx(real, rel=1e-4, abs=1e-5) if isinstance(real, float) else ours == real


def test_all_cases_are_recorded():
    assert list(CASES) == list(RECORDED)


@pytest.mark.parametrize("name", list(RECORDED))
def test_runs(name):
    ours, real = run(paddle, CASES[name]), RECORDED[name]
    texts = ours["printed"], real["printed"]
    assert NUMBER.sub("#", texts[0]) == NUMBER.sub("#", texts[1])
    numbers = [[float(number) for number in NUMBER.findall(text)] for text in texts]
    assert np.allclose(*numbers, rtol=1e-4, atol=2e-4)
    assert alike(plain(ours["returned"]), real["returned"])
