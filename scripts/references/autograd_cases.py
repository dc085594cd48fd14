"""Short pieces of eager code: gradients, switches and indices of a real wheel.

autograd_TABLE.json.gz: {case: {code, answer}}, of the tables in tests/autograd.
"""

from __future__ import annotations

import functools
import sys
from pathlib import Path
from typing import Any, Callable

WHEELS = ("2.6.2",)
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "autograd"))

import pieces  # noqa: E402


def answers(table: str) -> dict[str, Any]:
    """What each piece of a table answers."""
    return {name: {"code": code, "answer": pieces.answer(code)} for name, code in pieces.cases(table).items()}


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """One data file for each table."""
    return {f"autograd_{table}.json.gz": functools.partial(answers, table) for table in pieces.TABLES}
