"""Printed descriptions, enumerations, SelectedRows and gradient operators are what Paddle 1.8.5 and 2.6.2 give."""

from __future__ import annotations

import json
import sys

import pytest
from processes import ROOT

import paddle_compat as paddle
from paddle_compat import fluid

sys.path.insert(0, str(ROOT / "scripts/references"))

import native_cases

VERSIONS = ("1.8.5", "2.6.2")
REAL = {version: json.loads((ROOT / f"tests/references/native_{version}.json").read_text()) for version in VERSIONS}


@pytest.mark.parametrize(("version", "case"), [(version, case) for version in VERSIONS for case in native_cases.cases(version)])
def test_answers(version: str, case: str) -> None:
    if version == "1.8.5":
        base, names = fluid, native_cases.old_spelling(fluid)
    else:
        paddle.enable_static()
        base, names = paddle.base, native_cases.new_spelling(paddle)
    ours = native_cases.answer(base, native_cases.cases(version)[case], names)
    found, expected = json.loads(json.dumps(ours)), REAL[version][case]
    if case == "data_type":  # Paddle 3's are there, too
        assert found[0].keys() - expected[0].keys() == {"PSTRING", "FLOAT8_E4M3FN", "FLOAT8_E5M2"}
        found[0] = {name: found[0][name] for name in expected[0]}
    assert found == expected
