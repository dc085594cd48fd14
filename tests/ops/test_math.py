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


@pytest.mark.parametrize("unknown", ["none", "first", "all"])
@pytest.mark.parametrize(("table", "case", "age"), ROWS)
def test_inference(table: str, case: Case, age: int, unknown: str) -> None:
    if recorded(table, age)[case.key][unknown] is None:
        pytest.skip("the wheel refuses these shapes")
    check_inference(table, case, age, unknown)
