"""Eager scripts of Paddle 2.x give the 2.6.2 wheel's numbers: initial values, every loss, final parameters, and their names."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from models.references import paddle_is_ours, recorded
from models.test_losses import INITIAL, LOSS, summary_differences

FINAL = 2e-4
NAMES = list(recorded("eager_models", "2.6.2"))


@pytest.fixture(scope="module", autouse=True)
def ours() -> Iterator[None]:
    """`import paddle` means paddle_compat."""
    with paddle_is_ours():
        yield


@functools.lru_cache(maxsize=None)
def trained(name: str) -> dict[str, Any]:
    """What a model gives here; where it draws numbers in its steps they are the wheel's."""
    from paddle_compat.core import flags

    model = importlib.import_module("eager_models").MODELS[name]
    flags.set_values({"FLAGS_exact_random": model.exact})
    try:
        result: dict[str, Any] = model.run()
    finally:
        flags.set_values({"FLAGS_exact_random": False})
    return result


@pytest.mark.parametrize("name", NAMES)
def test_starts_from_the_same_numbers(name: str) -> None:
    expected, received = recorded("eager_models", "2.6.2")[name]["initial"], trained(name)["initial"]
    assert {key: value["name"] for key, value in received.items()} == {key: value["name"] for key, value in expected.items()}
    found = [d for key in expected for d in summary_differences(key, expected[key], received[key], INITIAL)]
    assert not found, "\n".join(found[:12])


@pytest.mark.parametrize("name", NAMES)
def test_losses(name: str) -> None:
    expected, received = recorded("eager_models", "2.6.2")[name]["losses"], trained(name)["losses"]
    assert len(expected) == len(received) == 20
    for step, (wanted, got) in enumerate(zip(expected, received)):
        assert np.allclose(got, wanted, rtol=LOSS, atol=1e-7), f"losses of step {step}: expected {wanted}, received {got}"


@pytest.mark.parametrize("name", NAMES)
def test_ends_with_the_same_parameters(name: str) -> None:
    loose = importlib.import_module("eager_models").MODELS[name].loose
    expected, received = recorded("eager_models", "2.6.2")[name]["params"], trained(name)["params"]
    kept = [key for key in expected if not any(part in key for part in loose)]
    found = [d for key in kept for d in summary_differences(key, expected[key], received[key], FINAL)]
    assert not found, "\n".join(found[:12])
