"""Build the cases of scripts/references/program_cases_*.py with paddle_compat and compare with what the wheel built."""

from __future__ import annotations

import importlib
import json
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_compat
from paddle_compat.core import mode

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "references"))

import nn_programs  # noqa: E402


@cache
def recorded(table: str) -> dict[str, Any]:
    """What the wheel built."""
    return json.loads((ROOT / "tests" / "references" / f"ops_nn_programs_{table}_2.6.2.json").read_text())


def cases(table: str) -> Any:
    """A `pytest.mark.parametrize` over everything recorded of a table."""
    return pytest.mark.parametrize("name", list(recorded(table)))


def replay(table: str, name: str, rtol: float = 2e-5, atol: float = 2e-6) -> None:
    """Compare operators, variables and (where the case is run) results."""
    expected = recorded(table)[name]
    case = importlib.import_module("program_cases_" + table).CASES[name]
    former = mode.set_static(None)
    try:
        got = json.loads(json.dumps(nn_programs.answer(paddle_compat, case)))
    finally:
        mode.set_static(former)
    for ops in (got["main"], expected["main"]):
        for op in ops:
            if op[0] == "while":  # the wheel lists what a loop takes as a Python set has it
                op[1]["X"], op[2]["Out"] = sorted(op[1]["X"]), sorted(op[2]["Out"])
    for program in ("startup", "main"):
        assert [op[:3] for op in got[program]] == [op[:3] for op in expected[program]], program
        for ours, real in zip(got[program], expected[program]):
            for attr, value in real[3].items():
                if attr in ours[3] and attr not in nn_programs.KERNEL and value is not None:
                    assert ours[3][attr] == (value if isinstance(value, str) else pytest.approx(value, rel=1e-5)), attr
    # the wheel's description of a metric has the data type of the input, its value has another
    loose = {name for op in expected["main"] if op[0] in ("accuracy", "auc") for names in op[2].values() for name in names}
    for variables in (got["variables"], expected["variables"]):
        for name in loose:
            variables[name][1] = None
    assert got["variables"] == expected["variables"]
    assert got.get("facts") == expected.get("facts")
    for ours, real in zip(got.get("results", ()), expected.get("results", ())):
        assert ours["shape"] == real["shape"]
        np.testing.assert_allclose(ours["values"], real["values"], rtol, atol)
