"""In which types operands of two data types meet in Paddle 3, at once and in Programs; see tests/tensor/meetings.py.

paddle3_meetings_3.3.1.json.gz: {group: {case: type, shape and numbers as text, None where the wheel refuses it}}.
"""

from __future__ import annotations

from typing import Any, Callable

import meetings

WHEELS = ("3.3.1",)


def outcomes() -> dict[str, dict[str, str | None]]:
    """What each case gives."""
    import paddle

    return meetings.outcomes(paddle)


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The data file of the wheel."""
    return {"paddle3_meetings_3.3.1.json.gz": outcomes}
