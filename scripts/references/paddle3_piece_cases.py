"""Short pieces of Paddle 3 code: the answers of the wheel.

paddle3_pieces_3.3.1.json.gz: {case: {code, answer}}.
"""

from __future__ import annotations

from typing import Any, Callable

import paddle3_pieces

WHEELS = ("3.3.1",)


def answers() -> dict[str, Any]:
    """What each piece of code answers."""
    return {name: {"code": code, "answer": paddle3_pieces.answer(name)} for name, code in paddle3_pieces.CASES.items()}


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The data file of the wheel."""
    return {"paddle3_pieces_3.3.1.json.gz": answers}
