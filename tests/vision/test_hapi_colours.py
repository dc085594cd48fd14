"""`paddle.incubate.hapi.vision`, the changes of colours of Paddle 1.8, against the 1.8.5 wheel."""

from __future__ import annotations

import json
import sys

import pytest
from processes import ROOT

import paddle_compat as paddle

sys.path.append(str(ROOT / "scripts" / "references"))
import hapi_colours

RECORDED = json.loads((ROOT / "tests/references/hapi_colours_1.8.5.json").read_text())


def test_answers_as_the_wheel() -> None:
    received = hapi_colours.answers(paddle.incubate.hapi.vision.transforms)
    assert received.keys() == RECORDED.keys()
    for case, expected in RECORDED.items():
        assert received[case][:1] + received[case][2:] == expected[:1] + expected[2:], case
        assert received[case][1] == (expected[1] if "uint8" in case else pytest.approx(expected[1], abs=1e-3)), case


def test_one_class_under_three_names() -> None:
    vision = paddle.incubate.hapi.vision
    assert vision.ColorJitter is vision.transforms.ColorJitter is vision.transforms.transforms.ColorJitter
