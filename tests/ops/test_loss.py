"""Losses against the wheels."""

from __future__ import annotations

import nn_replay


@nn_replay.cases("loss")
def test_as_the_wheel(version: str, name: str) -> None:
    nn_replay.replay("loss", version, name, rtol=5e-5, atol=5e-6)
