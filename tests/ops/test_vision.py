"""Operators on images against the wheels."""

from __future__ import annotations

import nn_replay


@nn_replay.cases("vision")
def test_as_the_wheel(version: str, name: str) -> None:
    nn_replay.replay("vision", version, name, rtol=5e-5, atol=1e-5)
