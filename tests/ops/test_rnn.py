"""Recurrent operators against the wheels."""

from __future__ import annotations

import sequence_replay


@sequence_replay.cases("recurrent", "stacked")
def test_as_the_wheel(family: str, name: str) -> None:
    sequence_replay.replay(family, name)
