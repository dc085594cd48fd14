"""CRF, CTC, chunk and beam search operators against the wheel."""

from __future__ import annotations

import sequence_replay


@sequence_replay.cases("structured")
def test_as_the_wheel(family: str, name: str) -> None:
    sequence_replay.replay(family, name)
