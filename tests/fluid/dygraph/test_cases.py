"""Pieces of eager scripts give what Paddle 1.8.5 gave: values, gradients, names, text, exceptions."""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

import dygraph_cases
import numpy as np
import pytest

from paddle_compat import fluid
from paddle_compat.core.errors import EnforceNotMet

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


def differences(ours: Any, real: Any, where: str) -> list[str]:
    """How two observations differ; numbers may do so by rounding."""
    if isinstance(real, dict) and "data" in real and isinstance(ours, dict):
        whole = not str(real["dtype"]).startswith("float")  # which has no gradient to stop
        for key in ("dtype", "shape", "stop"):
            if not (key == "stop" and whole) and ours.get(key) != real.get(key):
                return [f"{where}, {key}: expected {real.get(key)}, received {ours.get(key)}"]
        return differences(ours["data"], real["data"], where)
    if isinstance(real, dict) and isinstance(ours, dict) and list(real) == list(ours):
        return [found for key in real for found in differences(ours[key], real[key], f"{where}, {key}")]
    if isinstance(real, list) and isinstance(ours, list) and len(real) == len(ours):
        if real and all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in real + ours):
            scale = float(np.abs(real).max())
            close = np.allclose(ours, real, rtol=2e-5, atol=2e-6 * max(scale, 1e-3))
            return [] if close else [f"{where}: expected {real}, received {ours}"]
        return [found for n, (a, b) in enumerate(zip(ours, real)) for found in differences(a, b, f"{where}[{n}]")]
    if isinstance(real, float) and isinstance(ours, (int, float)):
        return [] if np.isclose(ours, real, rtol=2e-5, atol=1e-9) else [f"{where}: expected {real}, received {ours}"]
    return [] if ours == real else [f"{where}: expected {real!r}, received {ours!r}"]


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
