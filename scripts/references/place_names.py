"""Names of places: what each function that takes one makes of it (tests/static/place_cases.py), on a machine without a GPU."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Dict

WHEELS = ("2.6.2",)
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "static"))


def record() -> Dict[str, Any]:
    """The wheel's answers."""
    import paddle
    from place_cases import answers

    paddle.disable_static("cpu")
    return answers(paddle)


def recordings(version: str) -> Dict[str, Any]:
    """The data file."""
    return {"place_names_%s.json" % version: record}
