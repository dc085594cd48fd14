"""Whether a training run gave what the real wheel recorded: initial values, every loss, final parameters, and their names."""

from __future__ import annotations

from typing import Any

import numpy as np
from models.test_losses import INITIAL, LOSS, summary_differences

FINAL = 2e-4


def check_start(expected: dict[str, Any], received: dict[str, Any]) -> None:
    """The parameters have the wheel's names and initial numbers."""
    expected, received = expected["initial"], received["initial"]
    assert {key: value["name"] for key, value in received.items()} == {key: value["name"] for key, value in expected.items()}
    found = [d for key in expected for d in summary_differences(key, expected[key], received[key], INITIAL)]
    assert not found, "\n".join(found[:12])


def check_losses(expected: dict[str, Any], received: dict[str, Any]) -> None:
    """Every step has the wheel's losses."""
    expected, received = expected["losses"], received["losses"]
    assert len(expected) == len(received) > 0
    for step, (wanted, got) in enumerate(zip(expected, received)):
        assert np.allclose(got, wanted, rtol=LOSS, atol=1e-7), f"losses of step {step}: expected {wanted}, received {got}"


def check_end(expected: dict[str, Any], received: dict[str, Any], loose: Any) -> None:
    """The parameters end as the wheel's, save those whose names have a part that is listed as loose."""
    expected, received = expected["params"], received["params"]
    kept = [key for key in expected if not any(part in key for part in loose)]
    found = [d for key in kept for d in summary_differences(key, expected[key], received[key], FINAL)]
    assert not found, "\n".join(found[:12])
