"""Short pieces of Paddle code: the answers of a real wheel.

behaviours_VERSION.json: {case: {code, answer}}.
"""

from __future__ import annotations

import functools
from typing import Any, Callable

import behaviours

WHEELS = ("1.8.5", "2.6.2")


def answers(version: str) -> dict[str, Any]:
    """What each piece of code answers, each in Programs of its own."""
    return {n: {"code": c, "answer": behaviours.answer(version, c)} for n, c in behaviours.CASES[version].items()}


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The data file of a wheel."""
    return {f"behaviours_{version}.json": functools.partial(answers, version)}
