"""Pieces of eager scripts give what Paddle 1.8.5 gave: values, gradients, names, text, exceptions."""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

import dygraph_cases
import pytest
from dygraph_differences import differences

from paddle_compat import fluid
from paddle_compat.core.errors import EnforceNotMet
from paddle_compat.fluid.dygraph import base

ROOT = Path(__file__).resolve().parents[3]
# The wheel does not take these; ours does what is meant.
TAKEN = {
    "layer/BatchNorm/global",  # it has no gradient of running statistics
    "parallel",  # it needs a GPU
}


@cache
def recorded() -> dict[str, Any]:
    """What the wheel gave."""
    with gzip.open(ROOT / "tests/references/dygraph_1.8.5.json.gz") as file:
        return json.load(file)  # type: ignore[no-any-return]


@pytest.mark.parametrize("name", dygraph_cases.CASES)
@pytest.mark.usefixtures("exact_random")
def test_case(name: str) -> None:
    real, ours = recorded()[name], dygraph_cases.observe(fluid, dygraph_cases.CASES[name])
    if "raises" in real and name not in TAKEN:
        kind = real["raises"][0]
        assert "raises" in ours, ours
        assert kind in ours["raises"], f"expected {real['raises']}, received {ours['raises']}"
        assert kind != "EnforceNotMet" or EnforceNotMet.__name__ in ours["raises"]
    elif "raises" not in real:
        found = differences(ours, real, "out")
        assert not found, "\n".join(found[:8])


def test_a_step_does_not_load_what_it_does_not_need(fresh: Any) -> None:
    script = (
        "import sys, numpy as np, paddle.fluid as fluid\n"
        "with fluid.dygraph.guard():\n"
        "    fc = fluid.dygraph.Linear(2, 1)\n"
        "    loss = fluid.layers.mean(fc(fluid.dygraph.to_variable(np.ones((1, 2), 'float32'))))\n"
        "    loss.backward()\n"
        "    fluid.optimizer.Adam(0.1, parameter_list=fc.parameters()).minimize(loss)\n"
        "print([name for name in ('sympy', 'torch._dynamo') if name in sys.modules])\n"
    )
    fresh.write({"step.py": script})
    assert fresh.output("-m", "paddle_compat", "step.py").strip() == "[]"


def test_a_guard_lasts_until_it_is_left() -> None:
    before = fluid.in_dygraph_mode()
    fluid.dygraph.guard().__enter__()
    try:
        assert fluid.in_dygraph_mode()
    finally:
        base._inside[-1].__exit__(None, None, None)
    assert fluid.in_dygraph_mode() is before and not base._inside
    guarded = fluid.dygraph.guard()(lambda: fluid.in_dygraph_mode())
    assert guarded() and guarded() and fluid.in_dygraph_mode() is before
