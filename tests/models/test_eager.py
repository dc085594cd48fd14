"""Eager scripts of Paddle 2.x give the 2.6.2 wheel's numbers: initial values, every loss, final parameters, and their names."""

from __future__ import annotations

import functools
import importlib
from typing import Any

import pytest
from models.equal_runs import check_end, check_losses, check_start
from models.references import recorded

pytestmark = pytest.mark.usefixtures("paddle_is_ours")

NAMES = list(recorded("eager_models", "2.6.2"))


@functools.lru_cache(maxsize=None)
def trained(name: str) -> dict[str, Any]:
    """What a model gives here; where it draws numbers in its steps they are the wheel's."""
    from paddle_compat.core import flags

    model = importlib.import_module("eager_models").MODELS[name]
    former = flags.get("FLAGS_exact_random")
    flags.set_values({"FLAGS_exact_random": model.exact or former})
    try:
        result: dict[str, Any] = model.run()
    finally:
        flags.set_values({"FLAGS_exact_random": former})
    return result


@pytest.mark.parametrize("name", NAMES)
def test_starts_from_the_same_numbers(name: str) -> None:
    check_start(recorded("eager_models", "2.6.2")[name], trained(name))


@pytest.mark.parametrize("name", NAMES)
def test_losses(name: str) -> None:
    check_losses(recorded("eager_models", "2.6.2")[name], trained(name))
    assert len(trained(name)["losses"]) == 20


@pytest.mark.parametrize("name", NAMES)
def test_ends_with_the_same_parameters(name: str) -> None:
    check_end(recorded("eager_models", "2.6.2")[name], trained(name), importlib.import_module("eager_models").MODELS[name].loose)
