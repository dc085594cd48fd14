"""Little eager scripts about Tensors, against the wheel: values, types, exceptions, warnings."""

from __future__ import annotations

import builtins
import gzip
import json
import math
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from eager_rows import outcome

import paddle_compat as paddle

HERE = Path(__file__).resolve().parent
TABLES = sorted(path.stem.removeprefix("rows_eager_") for path in HERE.glob("rows_eager_*.py"))


def recorded(table: str) -> dict[str, Any]:
    with gzip.open(HERE.parent / f"references/tensor_eager_{table}_2.6.2.json.gz", "rt") as file:
        found: dict[str, Any] = json.load(file)
    return found


RECORDED = {table: recorded(table) for table in TABLES}
# rows in which ours differs on purpose, and why
DIFFERENT = {row: why for table in TABLES for row, why in getattr(import_module(f"rows_eager_{table}"), "DIFFERENT", {}).items()}
ROWS = [pytest.param(table, row, id=row.replace("\n", "; ")) for table in TABLES for row in RECORDED[table] if row not in DIFFERENT]


@pytest.fixture(autouse=True)
def eager() -> Iterator[None]:
    paddle.disable_static()
    with paddle.utils.unique_name.guard():
        yield


def same(ours: Any, theirs: Any, rtol: float = 2e-6) -> bool:
    """Whether two descriptions say the same, floats within rounding."""
    if isinstance(theirs, float) and isinstance(ours, float):
        return math.isclose(ours, theirs, rel_tol=rtol, abs_tol=1e-7)
    if isinstance(theirs, list):
        return isinstance(ours, list) and len(ours) == len(theirs) and all(same(a, b, rtol) for a, b in zip(ours, theirs))
    if isinstance(theirs, dict):
        return isinstance(ours, dict) and ours.keys() == theirs.keys() and all(same(ours[key], theirs[key], rtol) for key in theirs)
    return type(ours) is type(theirs) and ours == theirs


@pytest.mark.parametrize(("table", "row"), ROWS)
def test_row(table: str, row: str) -> None:
    theirs = RECORDED[table][row]
    paddle.seed(102)
    ours = outcome(row, {"paddle": paddle, "np": np})
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
