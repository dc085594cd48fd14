"""The calls of fluid_cases_sequence.py under Paddle 1.8.5: what fluid_cases.py records of its own tables."""

from __future__ import annotations

from functools import partial
from typing import Any, Callable

import fluid_cases

WHEELS = ("1.8.5",)


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The data file."""
    return {"ops_seq_layers.json.gz": partial(fluid_cases.record, "sequence")}
