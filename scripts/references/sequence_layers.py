"""The calls of fluid_cases_sequence.py under Paddle 1.8.5: what fluid_cases.py records of its own tables."""

from __future__ import annotations

from typing import Any, Callable

import fluid_cases
import fluid_cases_sequence

WHEELS = ("1.8.5",)


def record() -> dict[str, Any]:
    """Every case, with names that start anew in each."""
    import paddle.fluid as fluid

    found = {}
    for name, code in fluid_cases_sequence.CASES.items():
        with fluid.unique_name.guard():
            found[name] = fluid_cases.attempt(fluid, code)
    return found


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The data file."""
    return {"ops_seq_layers.json.gz": record}
