"""Indices that the wheel refuses and NumPy takes, what shares memory, and what an assignment leaves to autograd."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle

M34 = np.arange(12).reshape(3, 4) % 3 != 1
WIDER: list[tuple[tuple[int, ...], Any]] = [
    ((3, 4, 5), np.s_[2:1]),
    ((3, 4, 5), np.s_[0:2:-1]),
    ((3, 4, 5), np.s_[1:, None, ..., None, 0]),
    ((3, 4, 5), [-1, 0]),
    ((3, 4, 5), np.array([-1, -3])),
    ((3, 4, 5), np.array([0, 1], "int16")),
    ((3, 4, 5), np.s_[None, [0, 2]]),
    ((3, 4, 5), np.s_[[0, 2], None, [1, 3]]),
    ((3, 4, 5), np.s_[:, [0, 2], None, [1, 3]]),
    ((3, 4, 5), np.s_[:, np.arange(20).reshape(4, 5) % 3 != 1]),
    ((3, 4, 5), np.s_[M34, 1]),
    ((3, 4, 5), np.s_[M34, 1:]),
    ((3, 4, 5), np.s_[None, np.array([True, False, True])]),
    ((2, 3, 4, 5), np.s_[None, [0, 1], :, [1, 2]]),
    ((2, 3, 4, 5), np.s_[:, None, [0, 1], :, [1, 2]]),
    ((2, 3, 4, 5), np.s_[M34[:2, :3], :, 1]),
    ((2, 3, 4, 5), np.s_[:, M34]),
    ((2, 3, 4, 5), np.s_[np.array([True, False]), None, np.array([True, False, True])]),
    ((), True),
    ((), False),
    ((), np.s_[None, True]),
]


def numbers(*shape: int) -> np.ndarray:
    return np.arange(1, int(np.prod(shape)) + 1, dtype="float32").reshape(shape)


@pytest.mark.parametrize(("shape", "index"), WIDER, ids=str)
def test_what_the_wheel_refuses_is_numpys(shape: tuple[int, ...], index: Any) -> None:
    values = numbers(*shape)
    np.testing.assert_array_equal(paddle.to_tensor(values)[index].numpy(), values[index])
    written, expected = paddle.to_tensor(values), np.array(values)
    written[index] = -1.0
    expected[index] = -1.0
    np.testing.assert_array_equal(written.numpy(), expected)


def test_tensors_pick_as_arrays_do() -> None:
    values = numbers(3, 4)
    x = paddle.to_tensor(values)
    np.testing.assert_array_equal(x[paddle.to_tensor([0, 1], dtype="int32")].numpy(), values[[0, 1]])
    np.testing.assert_array_equal(x[np.bool_(True)].numpy(), values[None])


def test_errors_say_index_and_shape() -> None:
    x = paddle.zeros([3, 4])
    with pytest.raises(IndexError, match=r"\[3, 4\].*\[7\]"):
        x[7]
    with pytest.raises(IndexError, match="2 at most.*3"):
        x[0, 0, 0]
    with pytest.raises(ValueError, match=r"\[3, 4\], for a value of shape \[5\]"):
        x[0] = paddle.zeros([5])
    for index in (paddle.to_tensor(held, dtype) for held in (1, [0, 1]) for dtype in ("uint8", "int8", "int16", "float32")):
        with pytest.raises(ValueError, match="int32, int64 or truth values.*(float|int)"):
            x[index]
        with pytest.raises(ValueError, match="int32, int64 or truth values.*(float|int)"):
            x[index] = 1.0
    with pytest.raises(ValueError, match="one Ellipsis at most"):
        x[..., ...]
    with pytest.raises(ValueError, match="one Ellipsis at most"):
        x[..., 0, ...] = 1.0
    with pytest.raises(ValueError, match="Expected a Tensor, numpy.ndarray.*str"):
        x[0] = "a"
    with pytest.raises(ValueError, match="no_grad.*weight"):
        paddle.create_parameter([2], "float32", name="weight")[0] = 1.0
    np.testing.assert_array_equal(x.numpy(), np.zeros([3, 4]))


def test_windows_whose_history_torch_does_not_follow_are_written() -> None:
    base = paddle.to_tensor(numbers(2, 2), stop_gradient=False)
    row = base[0]  # a window on a leaf that has a gradient
    row[0] = 5.0
    first, second = (base * 2).unbind(0)  # several windows of one operator
    first[1] = 7.0
    total = row.sum() + (first * first).sum() + second.sum()
    assert row.tolist() == [5.0, 2.0] and first.tolist() == [10.0, 7.0] and base.tolist() == [[5.0, 2.0], [3.0, 4.0]]  # as the wheel
    np.testing.assert_array_equal(paddle.grad(total, base)[0].numpy(), [[40.0, 1.0], [2.0, 2.0]])
    (ones,) = paddle.grad(base.sum(), base)
    ones[1] = 0.0
    assert ones.tolist() == [[1.0, 1.0], [0.0, 0.0]]


def test_rows_of_unbind_are_written_where_they_come_from() -> None:
    base = paddle.to_tensor(numbers(2, 2), stop_gradient=False)
    both = base * 1
    both.unbind(0)[1].add_(paddle.ones([2]))
    assert both.tolist() == [[1.0, 2.0], [4.0, 5.0]] and both.inplace_version == 1
    np.testing.assert_array_equal(paddle.grad((both * both).sum(), base)[0].numpy(), [[2.0, 4.0], [8.0, 10.0]])  # as the wheel


def test_backward_slices_of_assignments_have_gradients() -> None:
    base, value = (paddle.to_tensor(numbers(4), stop_gradient=False) for _ in range(2))
    x = base * 1
    x[::-1] = value
    (found,) = paddle.grad(x * paddle.to_tensor(numbers(4)), value)
    assert x.tolist() == [4.0, 3.0, 2.0, 1.0] and found.tolist() == [4.0, 3.0, 2.0, 1.0]


def test_parts_and_assignments_leave_no_cycles() -> None:
    gc.collect()
    gc.disable()
    try:
        x = paddle.to_tensor(numbers(3, 4), stop_gradient=False)
        y = x * 1
        y[0] = x[1]
        kept = [weakref.ref(y), weakref.ref(y[1:]), weakref.ref(y[[0, 1]])]
        paddle.autograd.backward(y)
        del y
        assert [ref() for ref in kept] == [None] * 3
    finally:
        gc.enable()
