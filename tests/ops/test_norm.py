"""Normalizations and dropout against the wheels."""

from __future__ import annotations

import nn_replay
import pytest

pytestmark = pytest.mark.usefixtures("exact_random")


@nn_replay.cases("norm")
def test_as_the_wheel(version: str, name: str) -> None:
    nn_replay.replay("norm", version, name, rtol=5e-5, atol=5e-6)
