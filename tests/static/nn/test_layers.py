"""`paddle.static.nn`, `static.data`, `accuracy` and `auc` against the wheel: the Programs, and what they compute."""

from __future__ import annotations

import program_replay


@program_replay.cases("static_nn")
def test_as_the_wheel(name: str) -> None:
    program_replay.replay("static_nn", name, rtol=1e-4, atol=1e-5)
