"""Eager scripts of Paddle 1.8 give the wheel's numbers: initial values, every loss, final parameters, and their names."""

from __future__ import annotations

import functools
import importlib
from typing import Any

import pytest
from models.equal_runs import check_end, check_losses, check_start
from models.references import recorded

pytestmark = pytest.mark.usefixtures("paddle_is_ours")


@functools.lru_cache(maxsize=None)
def trained(name: str) -> dict[str, Any]:
    """What a model gives here; dropout draws the wheel's numbers."""
    from paddle_compat import fluid
    from paddle_compat.core import flags

    former = flags.get("FLAGS_exact_random")
    flags.set_values({"FLAGS_exact_random": True})
    try:
        result: dict[str, Any] = importlib.import_module("dygraph_models").MODELS[name].run(fluid)
    finally:
        flags.set_values({"FLAGS_exact_random": former})
    return result


NAMES = list(recorded("dygraph_models", "1.8.5"))


@pytest.mark.parametrize("name", NAMES)
def test_starts_from_the_same_numbers(name: str) -> None:
    check_start(recorded("dygraph_models", "1.8.5")[name], trained(name))


@pytest.mark.parametrize("name", NAMES)
def test_losses(name: str) -> None:
    check_losses(recorded("dygraph_models", "1.8.5")[name], trained(name))


@pytest.mark.parametrize("name", NAMES)
def test_ends_with_the_same_parameters(name: str) -> None:
    check_end(recorded("dygraph_models", "1.8.5")[name], trained(name), importlib.import_module("dygraph_models").MODELS[name].loose)
