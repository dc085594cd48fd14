"""How Tensors print, against the wheel."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from rows_to_string import DATA, MADE, OPTIONS

import paddle_compat as paddle
from paddle_compat.tensor import to_string

DEFAULTS = {"precision": 8, "threshold": 1000, "edgeitems": 3, "linewidth": 80, "sci_mode": False}
EXPECTED = json.loads((Path(__file__).resolve().parents[1] / "references/tensor_to_string_2.6.2.json").read_text())


@pytest.fixture
def default_options():
    yield
    paddle.set_printoptions(**DEFAULTS)


@pytest.mark.parametrize("row", DATA + MADE)
@pytest.mark.parametrize("number", range(len(OPTIONS)))
def test_prints(row: str, number: int, default_options: None) -> None:
    paddle.set_printoptions(**{**DEFAULTS, **OPTIONS[number]})
    value = eval(row, {"np": np, "paddle": paddle})
    assert str(paddle.to_tensor(value) if row in DATA else value) == EXPECTED[row][number]


def test_wrong_options(default_options: None) -> None:
    with pytest.raises(TypeError, match="precision"):
        paddle.set_printoptions(precision=1.5)
    with pytest.raises(TypeError, match="sci_mode"):
        paddle.set_printoptions(sci_mode="yes")
    assert to_string.OPTIONS.precision == 8


def test_a_number_takes_a_format() -> None:
    loss = paddle.to_tensor(1.23456)
    assert f"{loss:.3f} {paddle.to_tensor(7):03d}" == "1.235 007" and f"{loss:>8.2f}" == "    1.23"
    assert f"{loss}" == str(loss)
    with pytest.raises(TypeError, match="unsupported format string passed to Tensor.__format__"):
        f"{paddle.to_tensor([1.5]):.2f}"
