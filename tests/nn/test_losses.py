"""The losses of `paddle.nn.functional` against the wheel: the Programs, and what they compute."""

from __future__ import annotations

import program_replay


@program_replay.cases("losses")
def test_as_the_wheel(name: str) -> None:
    program_replay.replay("losses", name, rtol=1e-4, atol=2e-5)
