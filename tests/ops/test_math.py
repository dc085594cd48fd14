"""Every row of the operator tables against the wheels: outputs, gradients, inferred shapes, LoD."""

from __future__ import annotations

from importlib import import_module

import pytest
from check_op import check, check_inference, recorded, rows
from op_cases import Case

TABLES = (
    "elementwise",
    "math",
    "reduction",
    "manipulation",
    "indexing",
    "activation",
    "logic",
    "creation",
    "search",
    "linalg",
)
ROWS = [
    pytest.param(table, *row.values, id=f"{row.id}")
    for table in TABLES
    for row in rows(table, import_module(f"cases_{table}").CASES)
]


@pytest.mark.parametrize(("table", "case", "age"), ROWS)
def test_values_and_gradients(table: str, case: Case, age: int) -> None:
    check(table, case, age)


# what is unknown of the shapes, where the wheel takes them
INFERENCE = [
    pytest.param(table, case, age, unknown, id=f"{row.id}-{unknown}")
    for row in ROWS
    for table, case, age in [row.values]
    for unknown in ("none", "first", "all")
    if recorded(table, age)[case.key][unknown] is not None
]


@pytest.mark.parametrize(("table", "case", "age", "unknown"), INFERENCE)
def test_inference(table: str, case: Case, age: int, unknown: str) -> None:
    check_inference(table, case, age, unknown)
