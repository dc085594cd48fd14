"""`x[mask] = values` where the mask has the shape of x: values that fit x's shape go to their own places. Figures of the 2.6.2 wheel."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from processes import Runner

import paddle_compat as paddle

X = np.arange(6, dtype="float32").reshape(2, 3)
MASK = np.array([[False, True, False], [True, True, False]])
ROW, COLUMN = [10.0, 20.0, 30.0], [[10.0], [20.0]]
BLOCK = [[10.0, 20.0, 30.0], [4.0, 5.0, 6.0]]


def written(values: Any, mask: Any = MASK, x: Any = X) -> Any:
    """x after the assignment."""
    out = paddle.to_tensor(x)
    out[mask] = values
    return out.tolist()


@pytest.mark.parametrize(
    "make",
    [paddle.to_tensor, np.ndarray.tolist, lambda mask: (paddle.to_tensor(mask),), lambda mask: (paddle.to_tensor(mask), ...)],
    ids=["Tensor", "list", "tuple", "dots"],
)
@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (ROW, [[0, 20, 2], [10, 20, 5]]),
        (BLOCK, [[0, 20, 2], [4, 5, 5]]),
        (COLUMN, [[0, 10, 2], [20, 20, 5]]),
        ([7.0], [[0, 7, 2], [7, 7, 5]]),
        (7.0, [[0, 7, 2], [7, 7, 5]]),
    ],
)
def test_values_that_fit(values: Any, expected: Any, make: Any) -> None:
    assert written(paddle.to_tensor(values), make(MASK)) == expected
    assert written(np.array(values), make(MASK)) == expected


def test_nothing_is_true() -> None:
    assert written(paddle.to_tensor(ROW), np.zeros((2, 3), bool)) == X.tolist()


def test_one_dimension() -> None:
    mask, x = np.array([True, False, True, False]), np.arange(4, dtype="float32")
    assert written(paddle.to_tensor([10.0, 20, 30, 40]), mask, x) == [10, 1, 30, 3]
    assert written(paddle.to_tensor([10.0, 20]), mask, x) == [10, 1, 20, 3]  # 2.6.2 refuses these; 3.3.1's result
    with pytest.raises(ValueError, match="for a value of shape"):
        written(paddle.to_tensor([10.0, 20, 30]), mask, x)


def test_masks_of_rows_take_one_after_another() -> None:
    assert written(paddle.to_tensor([BLOCK[1], BLOCK[0]]), np.array([True, True])) == [[4, 5, 6], [10, 20, 30]]
    assert written(paddle.to_tensor(ROW), np.array([True, False])) == [ROW, [3, 4, 5]]


@pytest.mark.parametrize(
    ("values", "slopes"), [(ROW, [20, 80, 0]), (BLOCK, [[0, 40, 0], [8, 10, 0]]), (COLUMN, [[20], [80]])], ids=["row", "block", "column"]
)
def test_gradients(values: Any, slopes: Any) -> None:
    x, given = paddle.to_tensor(X, stop_gradient=False), paddle.to_tensor(values, stop_gradient=False)
    y = x * 2
    y[paddle.to_tensor(MASK)] = given
    (y * y).sum().backward()
    assert x.grad.tolist() == [[0, 0, 16], [0, 0, 40]]
    assert given.grad.tolist() == slopes


def test_a_window_is_written() -> None:
    x = paddle.to_tensor(X)
    x[:, 1:][paddle.to_tensor(MASK[:, 1:])] = paddle.to_tensor([50.0, 60.0])
    assert x.tolist() == [[0, 50, 2], [3, 50, 5]]


@pytest.mark.parametrize(("whole", "expected"), [(False, [[0, 20, 2], [10, 20, 5]]), (True, [[0, 10, 2], [20, 30, 5]])])
def test_recorded(whole: bool, expected: Any) -> None:
    """A function recorded as a whole has 2.6.2's `index_put`, which takes the values one after another."""

    def write(x: Any, mask: Any, values: Any) -> Any:
        y = x * 1
        y[mask] = values
        return y

    recorded = paddle.jit.to_static(write, full_graph=whole)
    assert recorded(paddle.to_tensor(X), paddle.to_tensor(MASK), paddle.to_tensor(ROW)).tolist() == expected


SCRIPT = """
import paddle

def write(values, recorded=False):
    def assign(x, mask, values):
        y = x * 1
        y[mask] = values
        return y

    mask = paddle.to_tensor([[False, True, False], [True, True, False]])
    made = paddle.to_tensor(values, "float32", stop_gradient=False)
    call = paddle.jit.to_static(assign) if recorded else assign
    out = call(paddle.arange(6, dtype="float32").reshape([2, 3]), mask, made)
    (out * out).sum().backward()
    print(out.tolist(), made.grad.tolist())

write([10, 20, 30])
write([10, 20, 30], True)
write([7])
write([[10, 20, 30], [4, 5, 6]])
"""
EVERYWHERE = ["[[0.0, 7.0, 2.0], [7.0, 7.0, 5.0]] [42.0]", "[[0.0, 20.0, 2.0], [4.0, 5.0, 5.0]] [[0.0, 40.0, 0.0], [8.0, 10.0, 0.0]]"]
IN_PLACE = "[[0.0, 20.0, 2.0], [10.0, 20.0, 5.0]] [20.0, 80.0, 0.0]"
IN_TURN = "[[0.0, 10.0, 2.0], [20.0, 30.0, 5.0]] [20.0, 40.0, 60.0]"


@pytest.mark.parametrize(("version", "row"), [("2.4.2", IN_TURN), ("2.6.2", IN_PLACE), ("3.0.0", IN_TURN), ("3.3.1", IN_TURN)])
def test_versions_that_take_them_in_turn(version: str, row: str, full: Runner) -> None:
    """As the wheels of 3.0.0 and 3.3.1 do, which refuse the last; 2.4 has no wheel here, but VITS was trained with such writes."""
    full.env["PADDLE_COMPAT_VERSION"] = version
    full.write({"script.py": SCRIPT})
    assert full.output("-m", "paddle_compat", "script.py").splitlines() == [row, row, *EVERYWHERE]


def test_a_tensor_without_dimensions_has_no_parts() -> None:
    """In 2.6.2 and 3.3.1 a loop over one does nothing; `len`, which `list` asks, refuses it."""
    number = paddle.to_tensor(3)
    assert not [part for part in number if part is not None]
    with pytest.raises(AssertionError, match="0-D"):
        list(iter(number))
    assert sum(number) == 0
    assert 3 not in number
    with pytest.raises(AssertionError, match="0-D"):
        len(number)
