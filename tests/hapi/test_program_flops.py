"""`paddle.flops` counts in Programs what Paddle 2.6 counts."""

from __future__ import annotations

import json
import sys

import pytest
from processes import ROOT

import paddle_compat as paddle

sys.path.insert(0, str(ROOT / "scripts/references"))

import program_flops

REAL = json.loads((ROOT / "tests/references/program_flops.json").read_text())


@pytest.mark.parametrize("name", program_flops.CASES)
def test_counts(name: str) -> None:
    paddle.enable_static()
    try:
        assert program_flops.counted(paddle, name) == REAL[name]
    finally:
        paddle.disable_static()
