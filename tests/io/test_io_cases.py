"""`paddle.io` gives what Paddle 2.6.2 gives, or 3.3.1 where that refuses: orders, batches, seeds and errors."""

from __future__ import annotations

import json
import sys

import pytest
from processes import ROOT

import paddle_compat as paddle

sys.path.insert(0, str(ROOT / "scripts/references"))

import io_cases

CASES = io_cases.CASES | io_cases.SINCE_3
REAL = json.loads((ROOT / "tests/references/io_cases.json").read_text())
REAL |= json.loads((ROOT / "tests/references/io_cases_3.3.1.json").read_text())


@pytest.mark.parametrize("case", CASES)
def test_answers(case: str) -> None:
    ours, real = io_cases.answer(paddle, CASES[case]), REAL[case]
    if isinstance(real, dict) and "raises" in real:
        assert set(real["raises"]) <= set(ours["raises"])
    else:
        assert ours == real
