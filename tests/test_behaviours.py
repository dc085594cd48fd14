"""Short pieces of Paddle code answer what the real Paddle answers, or raise what it raises."""

from __future__ import annotations

import importlib
import json
from typing import Any

import numpy as np
import pytest
from models.references import HERE, VERSIONS

pytestmark = pytest.mark.usefixtures("paddle_is_ours")


def recorded(version: str) -> dict[str, Any]:
    """What the wheel of a version answered in each case."""
    content: dict[str, Any] = json.loads((HERE.parent / "references" / f"behaviours_{version}.json").read_text())
    return content


def check(got: Any, expected: Any) -> None:
    """Compare two answers: numbers up to their last bits, everything else exactly."""
    if isinstance(expected, float):
        assert isinstance(got, float)
        np.testing.assert_allclose(got, expected, rtol=2e-5, atol=2e-6)
    elif isinstance(expected, list):
        assert isinstance(got, list)
        assert len(got) == len(expected), f"{got} is not {expected}"
        for one, other in zip(got, expected):
            check(one, other)
    elif isinstance(expected, dict):
        assert isinstance(got, dict), f"the wheel raises {expected['raises'][0]}, here the answer is {got}"
        assert not set(expected["raises"]) - set(got["raises"]), f"{got['raises']} are not {expected['raises']}"
    else:
        assert got == expected


@pytest.mark.parametrize(("version", "name"), [(version, name) for version in VERSIONS for name in recorded(version)])
def test_behaviour(version: str, name: str) -> None:
    behaviours, expected = importlib.import_module("behaviours"), recorded(version)[name]
    code = behaviours.CASES[version][name]
    assert expected["code"] == code, "record the behaviours again"
    check(behaviours.answer(version, code), expected["answer"])
