"""Expressions at once and in a Program, against the wheel: values, shapes, data types, gradients, exceptions."""

from __future__ import annotations

import builtins
import gzip
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mode_rows import MODES

import paddle_compat as paddle
from paddle_compat.core import mode

HERE = Path(__file__).resolve().parent
TABLES = sorted(path.stem.removeprefix("rows_modes_") for path in HERE.glob("rows_modes_*.py"))


def recorded(table: str) -> dict[str, dict[str, Any]]:
    with gzip.open(HERE.parent / f"references/tensor_modes_{table}_2.6.2.json.gz", "rt") as file:
        found: dict[str, dict[str, Any]] = json.load(file)
    return found


RECORDED = {table: recorded(table) for table in TABLES}
ROWS = [pytest.param(table, kind, row, id=f"{kind}-{row}") for table in TABLES for kind in MODES for row in RECORDED[table][kind]]


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    static = mode.is_static()
    yield
    (paddle.enable_static if static else paddle.disable_static)()


def same(ours: Any, theirs: Any) -> bool:
    """Whether two descriptions say the same, floats within rounding."""
    if isinstance(theirs, float) and isinstance(ours, float):
        return math.isclose(ours, theirs, rel_tol=3e-5, abs_tol=3e-6)
    if isinstance(theirs, list):
        return isinstance(ours, list) and len(ours) == len(theirs) and all(map(same, ours, theirs))
    if isinstance(theirs, dict):
        return isinstance(ours, dict) and ours.keys() == theirs.keys() and all(same(ours[key], theirs[key]) for key in theirs)
    return type(ours) is type(theirs) and ours == theirs


@pytest.mark.parametrize(("table", "kind", "row"), ROWS)
def test_row(table: str, kind: str, row: str) -> None:
    theirs, ours = RECORDED[table][kind][row], MODES[kind](row, paddle)
    if "error" in theirs:
        assert "error" in ours, f"gives {ours}, the wheel raises {theirs['error']}"
        # the wheel's exception, or the first of its bases that Python has
        caught = next(kind for kind in theirs["error"] if hasattr(builtins, kind))
        assert caught in ours["error"], f"raises {ours['error']}, the wheel {theirs['error']}"
    else:
        assert same(ours, theirs), f"gives {ours}, the wheel {theirs}"


def test_the_comparison_sees_differences() -> None:
    assert same([1.0, "a", {"b": 1}], [1.0 + 1e-9, "a", {"b": 1}])
    for ours, theirs in ((1.0, 1.1), (1, 1.0), (True, 1), ([1], [1, 2]), ({"a": 1}, {"b": 1}), ("a", "b")):
        assert not same(ours, theirs)
