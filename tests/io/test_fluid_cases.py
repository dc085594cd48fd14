"""The loaders of `paddle.fluid`, and the readers in its Programs, give what Paddle 1.8.5's give."""

from __future__ import annotations

import json
import sys

import pytest
from processes import ROOT

from paddle_compat import fluid

sys.path.insert(0, str(ROOT / "scripts/references"))

import io_fluid_cases

REAL = json.loads((ROOT / "tests/references/io_fluid_cases.json").read_text())


@pytest.mark.parametrize("case", io_fluid_cases.CASES)
def test_answers(case: str) -> None:
    ours, real = io_fluid_cases.answer(fluid, case), REAL[case]
    if isinstance(real, dict) and "raises" in real:
        assert set(real["raises"]) <= set(ours["raises"])
    else:
        assert ours == real
