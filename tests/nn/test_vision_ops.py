"""`paddle.vision.ops` in static mode: operators, shapes and numbers as the wheel's."""

from __future__ import annotations

import program_replay


@program_replay.cases("vision_ops")
def test_program(name: str) -> None:
    program_replay.replay("vision_ops", name, rtol=1e-4, atol=2e-5)
