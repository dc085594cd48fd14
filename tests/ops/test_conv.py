"""Convolutions against the wheels."""

from __future__ import annotations

import nn_replay


@nn_replay.cases("conv")
def test_as_the_wheel(version: str, name: str) -> None:
    nn_replay.replay("conv", version, name, rtol=1e-4, atol=2e-5)
