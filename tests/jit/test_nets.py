"""Networks trained in eager mode, recorded as a whole, and as it is by default, have the losses that Paddle 2.6 gives."""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np
import pytest
from processes import ROOT

import paddle_compat as paddle

sys.path[:0] = [str(ROOT / "scripts/references")]

import jit_nets  # noqa: E402

RECORDED: dict[str, Any] = json.loads((ROOT / "tests/references/jit_nets_2.6.2.json").read_text())


@pytest.mark.parametrize("mode", jit_nets.MODES)
@pytest.mark.parametrize("name", jit_nets.NAMES)
def test_losses(name: str, mode: str) -> None:
    np.testing.assert_allclose(jit_nets.losses(paddle, name, mode), RECORDED[name][mode], rtol=1e-5, atol=1e-7)
