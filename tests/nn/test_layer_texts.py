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


@pytest.mark.parametrize(
    ("expression", "shape", "before", "after"),
    [
        ("BatchNorm1D(2)", [3, 2], ", data_format=NCL", ""),
        ("BatchNorm1D(2, data_format='NC')", [3, 2], ", data_format=NC", ""),
        ("BatchNorm1D(2, data_format='NLC')", [3, 4, 2], ", data_format=NLC", ", data_format=NHWC"),
        ("BatchNorm2D(2, data_format='NHWC')", [3, 4, 4, 2], ", data_format=NHWC", ", data_format=NHWC"),
        ("BatchNorm3D(2)", [3, 2, 4, 4, 4], ", data_format=NCDHW", ""),
        ("BatchNorm3D(2, data_format='NDHWC')", [3, 4, 4, 4, 2], ", data_format=NDHWC", ", data_format=NHWC"),
    ],
)
def test_batch_norms_name_their_format_anew_once_called(expression: str, shape: list[int], before: str, after: str) -> None:
    paddle.disable_static()
    layer = eval("N." + expression, {"N": paddle.nn})
    texts = [repr(layer)]
    for _ in range(2):
        assert layer(paddle.ones(shape)).shape == shape
        texts.append(repr(layer))
    start = f"{type(layer).__name__}(num_features=2, momentum=0.9, epsilon=1e-05"
    assert texts == [f"{start}{before})", f"{start}{after})", f"{start}{after})"]
