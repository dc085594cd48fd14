"""The switches of BuildStrategy and ExecutionStrategy (tests/static/strategy_cases.py): defaults, and what they can be set to."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Dict

WHEELS = ("1.8.5", "2.6.2")
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "static"))


def record(version: str) -> Dict[str, Any]:
    """The wheel's answers."""
    import paddle
    from strategy_cases import answers, late

    static = __import__("paddle.fluid").fluid if version == "1.8.5" else paddle.static
    build, run = static.BuildStrategy, static.ExecutionStrategy
    return {"BuildStrategy": answers(build), "ExecutionStrategy": answers(run), "late": late(build)}


def recordings(version: str) -> Dict[str, Any]:
    """The data file."""
    return {"strategies_%s.json" % version: lambda: record(version)}
