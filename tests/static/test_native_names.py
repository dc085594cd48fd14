"""Names of Paddle's C++ module and operators on files, appended by hand, do what they do in Paddle 1.8.5 and 2.6.2."""

from __future__ import annotations

import json
import sys

import pytest
from processes import ROOT

import paddle_compat as paddle
from paddle_compat import fluid

sys.path.insert(0, str(ROOT / "scripts/references"))

import combined_files
import native_cases
import native_names

VERSIONS = ("1.8.5", "2.6.2")
CASES = {"native_names": native_names.cases, "combined_files": combined_files.cases}
REAL = {(name, v): json.loads((ROOT / f"tests/references/{name}_{v}.json").read_text()) for name in CASES for v in VERSIONS}
CHECKED = {"ValueError", "RuntimeError", "NotImplementedError", "IndexError"}  # what 2.x makes of the one type of 1.8


@pytest.mark.parametrize(("kind", "version", "case"), [(kind, v, case) for kind, v in REAL for case in CASES[kind](v)])
def test_answers(kind: str, version: str, case: str) -> None:
    if version == "1.8.5":
        base, names = fluid, native_cases.old_spelling(fluid)
    else:
        paddle.enable_static()
        base, names = paddle.base, native_cases.new_spelling(paddle)
    ours = json.loads(json.dumps(native_cases.answer(base, CASES[kind](version)[case], names)))
    if REAL[kind, version][case] == {"raises": "Exception"}:
        assert ours["raises"] in CHECKED
    else:
        assert ours == REAL[kind, version][case]
