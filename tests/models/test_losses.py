"""From the same seed the model scripts give the real Paddle's numbers: initial values, every loss, final parameters."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from models.references import VERSIONS, recorded

pytestmark = pytest.mark.usefixtures("paddle_is_ours")

MODELS = [(version, name) for version in VERSIONS for name in recorded("models", version)]

LOSS = 1e-5
INITIAL = 3e-7
# of the mean magnitude in a tensor, so that the entries near 0 do not decide
FINAL = 1e-4
# Gradients through the 20 batch norms of a small batch multiply the rounding of sums taken in another order.
FINAL_OF = {"static_vision.resnet18_momentum": 5e-4, "static_vision.resnet18_layers": 5e-4}


@functools.lru_cache(maxsize=None)
def trained(name: str) -> dict[str, Any]:
    """What a model gives here."""
    model = importlib.import_module("catalogue").model(name)
    result: dict[str, Any] = model.run(model.steps)
    return result


def summary_differences(what: str, expected: Any, received: Any, tolerance: float) -> Iterator[str]:
    """How two summaries of a tensor differ."""
    if received is None:
        yield f"{what} is missing"
        return
    for key in ("shape", "dtype"):
        if expected[key] != received[key]:
            yield f"{what}, {key}: expected {expected[key]}, received {received[key]}"
            return
    mean = expected["abs"] / max(1, int(np.prod(expected["shape"])))
    if not np.isclose(received["sum"], expected["sum"], rtol=0, atol=tolerance * expected["abs"] + 1e-12):
        yield f"{what}, sum: expected {expected['sum']}, received {received['sum']} (of {expected['abs']} in magnitude)"
    for at, value in expected["entries"].items():
        if not np.isclose(received["entries"][at], value, rtol=tolerance, atol=tolerance * mean + 1e-12):
            yield f"{what}, element {at}: expected {value}, received {received['entries'][at]} (mean magnitude {mean})"


def value_differences(what: str, expected: Any, received: Any, tolerance: float) -> Iterator[str]:
    """How two fetched values differ: a summary, or nested lists."""
    if isinstance(expected, dict):
        yield from summary_differences(what, expected, received, tolerance)
    elif not np.allclose(received, expected, rtol=tolerance, atol=tolerance * np.abs(expected).mean() + 1e-12):
        yield f"{what}: expected {expected}, received {received}"


def check(version: str, name: str, found: list[str]) -> None:
    """Fail with the first differences."""
    assert not found, f"{name} of {version}, {len(found)} differences:\n" + "\n".join(found[:12])


@pytest.mark.parametrize(("version", "name"), MODELS)
def test_starts_from_the_same_numbers(version: str, name: str) -> None:
    """The startup program fills every parameter as the wheel does."""
    expected, received = recorded("models", version)[name]["initial"], trained(name)["initial"]
    found = [d for key in expected for d in summary_differences(key, expected[key], received.get(key), INITIAL)]
    found += [f"{key} is unexpected" for key in received if key not in expected]
    check(version, name, found)


@pytest.mark.parametrize(("version", "name"), MODELS)
def test_losses(version: str, name: str) -> None:
    """The loss of each step, and the shape, dtype, LoD and values of all that is fetched."""
    expected, received = recorded("models", version)[name], trained(name)
    found = []
    for step, (wanted, got) in enumerate(zip(expected["losses"], received["losses"])):
        if not np.allclose(got, wanted, rtol=LOSS, atol=0):
            found.append(f"loss of step {step}: expected {wanted}, received {got}")
    for i, (wanted, got) in enumerate(zip(expected["fetched"], received["fetched"])):
        for key in ("shape", "dtype", "lod"):
            if wanted.get(key) != got.get(key):
                found.append(f"fetch {i}, {key}: expected {wanted.get(key)}, received {got.get(key)}")
        for step, (value, other) in enumerate(zip(wanted["values"], got["values"])):
            found += value_differences(f"fetch {i} of step {step}", value, other, FINAL)
    assert len(received["losses"]) == len(expected["losses"]) > 0
    check(version, name, found)


@pytest.mark.parametrize(("version", "name"), MODELS)
def test_ends_with_the_same_parameters(version: str, name: str) -> None:
    """All persistable variables after the last step, the states of the optimizers too."""
    loose = importlib.import_module("catalogue").model(name).loose
    expected, received = recorded("models", version)[name]["params"], trained(name)["params"]
    found = []
    for key in expected:
        if not any(part in key for part in loose):
            found += summary_differences(key, expected[key], received.get(key), FINAL_OF.get(name, FINAL))
    check(version, name, found)
