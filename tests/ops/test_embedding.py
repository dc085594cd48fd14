"""Embedding operators against the wheels."""

from __future__ import annotations

import nn_replay


@nn_replay.cases("embedding")
def test_as_the_wheel(version: str, name: str) -> None:
    nn_replay.replay("embedding", version, name)
