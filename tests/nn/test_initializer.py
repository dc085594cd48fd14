"""Initializers against the wheel: the operators in the startup program, and the numbers."""

from __future__ import annotations

import program_replay


@program_replay.cases("initializer")
def test_as_the_wheel(name: str) -> None:
    program_replay.replay("initializer", name)
