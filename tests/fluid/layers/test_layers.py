"""`fluid.layers`: every call of scripts/references/fluid_cases_*.py records, computes and learns what Paddle 1.8.5 did."""

from __future__ import annotations

import functools
import gzip
import json
import sys
from typing import Any

import pytest
from processes import ROOT

from paddle_compat import fluid
from paddle_compat.core.errors import EnforceNotMet

sys.path[:0] = [str(ROOT / folder) for folder in ("scripts/references", "tests/models", "tests/fluid/layers")]

import compare_layers  # noqa: E402
import fluid_cases  # noqa: E402

pytestmark = pytest.mark.usefixtures("exact_random")

CASES = [(table, case) for table in fluid_cases.TABLES for case in fluid_cases.table(table)]


@functools.cache
def recorded(name: str) -> dict[str, Any]:
    """A data file of the wheel's."""
    with gzip.open(ROOT / f"tests/references/fluid_{name}.json.gz", "rt") as file:
        found: dict[str, Any] = json.load(file)
        return found


@pytest.mark.parametrize(("table", "case"), CASES, ids=[f"{table}-{case}" for table, case in CASES])
def test_a_call_does_what_the_wheel_does(table: str, case: str) -> None:
    code = fluid_cases.table(table)[case]
    compare_layers.check(fluid, code, recorded(f"layers_{table}")[case], case not in compare_layers.OTHER_PROGRAMS)


def test_every_recorded_case_is_still_asked_for() -> None:
    for table in fluid_cases.TABLES:
        assert sorted(fluid_cases.table(table)) == sorted(recorded(f"layers_{table}"))


@pytest.mark.parametrize("function", sorted(recorded("rejections")))
def test_wrong_data_types_are_rejected(function: str) -> None:
    code = fluid_cases.first_cases()[function]
    for argument, real in recorded("rejections")[function].items():
        ours = fluid_cases.rejected(fluid, code, argument)
        wrong = {dtype: raises for dtype, raises in real.items() if ours.get(dtype, False) != raises}
        assert not wrong, argument


@pytest.mark.parametrize("layer", ["partial_concat", "partial_sum"])
@pytest.mark.parametrize(("start", "length"), [(4, 1), (-5, 2), (3, 2), (-1, 2), (0, 5)])
def test_columns_that_are_not_there_are_refused(layer: str, start: int, length: int) -> None:
    """Paddle 1.8.5 refuses some, and reads other memory for the rest."""
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        x = fluid.data("x", [None, 4])
        with pytest.raises(EnforceNotMet, match="`start_index`|`length`"):
            getattr(fluid.contrib.layers, layer)([x, x], start, length)
        assert getattr(fluid.contrib.layers, layer)([x, x], -4, 3).shape[0] == -1
