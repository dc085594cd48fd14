"""What the names of Paddle's C++ module do that scripts reach for is what they do in Paddle 1.8.5 and 2.6.2."""

from __future__ import annotations

import json
import sys

import pytest
from processes import ROOT

import paddle_compat as paddle
from paddle_compat import fluid

sys.path.insert(0, str(ROOT / "scripts/references"))

import native_cases
import native_names

VERSIONS = ("1.8.5", "2.6.2")
REAL = {version: json.loads((ROOT / f"tests/references/native_names_{version}.json").read_text()) for version in VERSIONS}
CHECKED = {"ValueError", "RuntimeError", "NotImplementedError", "IndexError"}  # what 2.x makes of the one type of 1.8


@pytest.mark.parametrize(("version", "case"), [(version, case) for version in VERSIONS for case in native_names.cases(version)])
def test_answers(version: str, case: str) -> None:
    if version == "1.8.5":
        base, names = fluid, native_cases.old_spelling(fluid)
    else:
        paddle.enable_static()
        base, names = paddle.base, native_cases.new_spelling(paddle)
    ours = json.loads(json.dumps(native_cases.answer(base, native_names.cases(version)[case], names)))
    if REAL[version][case] == {"raises": "Exception"}:
        assert ours["raises"] in CHECKED
    else:
        assert ours == REAL[version][case]
