"""The recurrent layers of `paddle.nn` against the wheel: parameters, Programs, and what they compute."""

from __future__ import annotations

import program_replay


@program_replay.cases("rnn")
def test_as_the_wheel(name: str) -> None:
    program_replay.replay("rnn", name, rtol=1e-4, atol=2e-5)
