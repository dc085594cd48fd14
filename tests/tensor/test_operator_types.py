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


def test_sums_are_taken_in_the_type_that_they_come_in() -> None:
    """As both wheels do, eagerly and in a Program."""
    x = paddle.to_tensor([[0.75, 0.75, 1.5], [-1.75, 0.25, 1e-9]])
    x.stop_gradient = False
    assert paddle.sum(x, dtype="int64").item() == 0 and x.sum(axis=1, dtype="int32").tolist() == [1, -1]
    assert paddle.nansum(x, axis=1, dtype="int64").tolist() == [1, -1]
    total = paddle.sum(x, 1, dtype="float64")
    assert total.dtype == paddle.float64 and total[1].item() == -1.5 + float(np.float32(1e-9))
    total.sum().backward()
    assert x.grad.dtype == paddle.float32 and x.grad.tolist() == [[1.0] * 3] * 2
    paddle.enable_static()
    main = paddle.static.Program()
    with paddle.static.program_guard(main):
        out = paddle.sum(paddle.static.data("x", [2, 3]), axis=1, dtype="int64")
    feed = {"x": x.numpy()}
    assert paddle.static.Executor().run(main, feed=feed, fetch_list=[out])[0].tolist() == [1, -1]


def test_dimensions_move_in_small_types_and_stay_without_an_axis() -> None:
    for dtype in ("uint8", "int8", "int16"):
        moved = paddle.moveaxis(paddle.to_tensor([[1, 2, 3]], dtype=dtype), 0, 1)
        assert moved.tolist() == [[1], [2], [3]] and moved.dtype == getattr(paddle, dtype)
    assert paddle.unsqueeze(paddle.ones([2, 3]), None).shape == [2, 3]


def test_positions_come_in_a_tuple_as_nonzero_gives_them() -> None:
    """2.6.2 reads the first Tensor of a tuple; 3.3.1 refuses it."""
    x, mask = paddle.to_tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), paddle.to_tensor([True, False, True])
    found = paddle.nonzero(mask, as_tuple=True)
    for select in (paddle.gather, paddle.index_select):
        assert select(x, found).tolist() == [[1.0, 2.0], [5.0, 6.0]]
    assert paddle.gather_nd(x, found).tolist() == [[1.0, 2.0], [5.0, 6.0]]
    assert paddle.masked_select(x[:, 0], (mask,)).tolist() == [1.0, 5.0]
    with pytest.raises(TypeError, match="index"):
        paddle.gather(x, (0, 2))
