"""Python's operators on Tensors of every pair of data types, against the wheel."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from operator_types import DTYPES, SIGNS, outcomes
from test_eager_rows import same

import paddle_compat as paddle

with gzip.open(Path(__file__).resolve().parents[1] / "references/tensor_operator_types_2.6.2.json.gz", "rt") as _file:
    RECORDED: dict[str, dict[str, Any]] = json.load(_file)


def on_purpose(sign: str, dtype: str, case: str, theirs: Any) -> bool:
    """Whether ours may give something else.

    The wheel has no kernel of that type on a CPU, loses the imaginary part of a sum, or refuses a Tensor behind a sign, or what is no
    tensor beside `==`, which 3.x takes.
    """
    if sign in ("==", "!=") and any(word in case.split() for word in ("None", "[2,", "(2.0,", "np.bool_(True)")):
        return True
    behind = theirs == "TypeError" and case.endswith(" x") and sign in ("//", "%", "&", "|", "^", "@")
    return theirs == "RuntimeError" or behind or "1+2j" in case and sign in ("+", "-") and not dtype.startswith("complex")


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("sign", SIGNS)
def test_types(sign: str, dtype: str) -> None:
    paddle.disable_static()
    ours, wrong = outcomes(paddle, sign, dtype), []
    assert ours.keys() == RECORDED[f"{dtype} {sign}"].keys()
    for case, theirs in RECORDED[f"{dtype} {sign}"].items():
        if on_purpose(sign, dtype, case, theirs):
            continue
        mine = ours[case]
        if theirs == "ValueError" and mine == "RuntimeError":  # ours is both; see paddle_compat.errors
            continue
        if not same(mine, theirs, 1e-2 if "float16" in dtype else 2e-6):
            wrong.append(f"{case}: gives {mine}, the wheel {theirs}")
    assert not wrong, "\n".join(wrong)


def test_operands_that_no_operator_takes() -> None:
    x = paddle.to_tensor([1.0])
    for other in (None, [1.0], (1.0,), "a", {}):
        with pytest.raises(ValueError, match="Expected a Tensor, a number or a numpy array"):
            x + other
    with pytest.raises(ValueError, match="Expected the data type of x, paddle.int32. Received: paddle.int64"):
        paddle.ones([1], "int32") & paddle.ones([1], "int64")
    with pytest.raises(ValueError, match="at least 1 dimension"):
        x @ 2.0


def test_reversed_arrays_are_operands() -> None:
    backwards = np.arange(3)[::-1]
    assert (backwards == paddle.to_tensor([2, 1, 0])).all() and (paddle.to_tensor([0, 1, 2]) + backwards).tolist() == [2, 2, 2]
