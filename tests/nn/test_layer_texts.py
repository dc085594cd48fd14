"""What `print` shows of every layer of `paddle.nn`, as in the wheel: its settings, and the layers inside."""

from __future__ import annotations

import json
import sys

import pytest
from processes import ROOT

import paddle_compat as paddle

sys.path[:0] = [str(ROOT / "scripts/references")]

import layer_texts  # noqa: E402

RECORDED = json.loads((ROOT / "tests/references/layer_texts_2.6.2.json").read_text())


def test_every_recorded_layer_is_still_there() -> None:
    assert sorted(RECORDED) == sorted(layer_texts.CASES)


@pytest.mark.parametrize("expression", layer_texts.CASES)
def test_text(expression: str) -> None:
    assert repr(eval("N." + expression, {"N": paddle.nn})) == RECORDED[expression]
