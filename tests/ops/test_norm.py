"""Normalizations and dropout against the wheels."""

from __future__ import annotations

import nn_replay
import pytest

from paddle_compat.core import flags


@pytest.fixture(autouse=True)
def exact_random() -> object:
    """Dropout masks as Paddle draws them."""
    flags.set_values({"FLAGS_exact_random": True})
    yield
    flags.set_values({"FLAGS_exact_random": False})


@nn_replay.cases("norm")
def test_as_the_wheel(version: str, name: str) -> None:
    nn_replay.replay("norm", version, name, rtol=5e-5, atol=5e-6)
