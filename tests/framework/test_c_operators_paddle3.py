"""Operators of `paddle._C_ops` that Paddle 3 has besides, by position. The numbers are 3.3.1's, where it has a kernel for the CPU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat import _C_ops as C

A = np.array([[0.5, -1.5, 2.0, -0.25], [3.0, 0.75, -2.5, 1.0], [-0.5, 4.0, 1.25, -3.0]], "float32")
B = np.array([[0.3, 1.1, 0.6, 2.0], [0.4, 0.9, 1.7, 0.2], [1.3, 0.8, 0.1, 0.7]], "float32")
SQUARE = np.array([[[2.0, 1.0], [0.5, 3.0]], [[1.0, 4.0], [2.0, 1.0]]], "float32")


def _t(value: Any) -> Any:
    return paddle.to_tensor(value)


def _numbers(found: Any) -> list[Any]:
    return [value.numpy() for value in found] if isinstance(found, tuple) else [found.numpy()]


def _points() -> Any:
    values = np.arange(1, 5, dtype="float32").reshape(4, 1)
    return paddle.sparse.sparse_coo_tensor([[0] * 4, [0, 0, 1, 2], [0, 1, 2, 2], [0, 2, 0, 1]], values, [1, 3, 3, 3, 1])


# call -> what the function of the public module, or numpy, says
SAME: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "baddbmm": (lambda: C.baddbmm(*[_t(SQUARE)] * 3, 0.5, 2.0), lambda: 0.5 * SQUARE + 2 * SQUARE @ SQUARE),
    "bitwise_left_shift": (lambda: C.bitwise_left_shift(_t([[3, -4]]), _t([[1, 2]]), True), lambda: np.array([[6, -16]])),
    "bitwise_right_shift": (lambda: C.bitwise_right_shift(_t([[3, -4]]), _t([[1, 1]]), True), lambda: np.array([[1, -2]])),
    "copysign": (lambda: C.copysign(_t(B), _t(A)), lambda: np.copysign(B, A)),
    "copysign_": (lambda: C.copysign_(_t(B), _t(A)), lambda: np.copysign(B, A)),
    "copy_to": (lambda: C.copy_to(_t(A), paddle.CPUPlace(), True), lambda: A),
    "div_scale": (lambda: C.div_scale(_t(A), 2.0), lambda: A / 2),
    "full_int_array": (lambda: C.full_int_array([1, 2], paddle.int64, paddle.CPUPlace()), lambda: np.array([1, 2])),
    "full_with_tensor": (lambda: C.full_with_tensor(_t(3.0), [2, 2], paddle.float32), lambda: np.full((2, 2), 3.0, "float32")),
    "int_bincount": (lambda: C.int_bincount(_t([1, 2, 2, 5, 9]), 0, 6, 3), lambda: np.array([0, 1, 2, 0, 0, 1])),
    "linear_v2": (lambda: C.linear_v2(_t(A), _t(B), _t([1.0, 1.0, 1.0]), True), lambda: A @ B.T + 1),
    "lp_pool2d": (
        lambda: C.lp_pool2d(_t(A[None, None]), [2, 2], [2, 2], [0, 0], False, True, "NCHW", "", False, False, "EXPLICIT", 2.0),
        lambda: np.sqrt((A[:2].reshape(1, 1, 2, 2, 2) ** 2).sum((2, 4)))[:, :, None],
    ),
    "masked_fill": (lambda: C.masked_fill(_t(A), _t(A > 0), _t(9.0)), lambda: np.where(A > 0, np.float32(9), A)),
    "matrix_rank_tol": (lambda: C.matrix_rank_tol(_t(SQUARE), _t([0.1, 0.1]), False, False), lambda: np.array([2, 2])),
    "nansum": (lambda: C.nansum(_t(A), [], paddle.float32, False), lambda: A.sum()),
    "range_v2": (lambda: C.range_v2(_t(0.0), _t(3.0), _t(1.0), paddle.float32, paddle.CPUPlace()), lambda: np.arange(4.0)),
    "reduce_as": (lambda: C.reduce_as(_t(A), _t(B[:1])), lambda: A.sum(0, keepdims=True)),
    "rint": (lambda: C.rint(_t(A)), lambda: np.rint(A)),
    "shape64": (lambda: C.shape64(_t(A)), lambda: np.array([3, 4])),
    "std": (lambda: C.std(_t(A), [1], False, True, 1.0), lambda: A.std(1, ddof=1)),
    "svdvals": (lambda: C.svdvals(_t(SQUARE)), lambda: np.linalg.svd(SQUARE, compute_uv=False)),
    "swiglu": (lambda: C.swiglu(_t(A), _t(B)), lambda: A / (1 + np.exp(-A)) * B),
    "trans_layout": (lambda: C.trans_layout(_t(A), [1, 0]), lambda: A.T),
    "trunc_divide": (lambda: C.trunc_divide(_t(A), _t(B)), lambda: np.trunc(A / B)),
    "trunc_divide of ints": (lambda: C.trunc_divide(_t([7, -7]), _t([2, 2])), lambda: np.array([3, -3])),
    "var": (lambda: C.var(_t(A), [1], False, True, 2.0), lambda: A.var(1, ddof=2)),
    "variance": (lambda: C.variance(_t(A), [], False), lambda: A.var()),
    "view_slice": (lambda: C.view_slice(_t(A), 1, 3), lambda: A[1:3]),
    "sparse_indices": (lambda: C.sparse_indices(_t([[0.0, 1.0], [2.0, 0.0]]).to_sparse_coo(2)), lambda: np.array([[0, 1], [1, 0]])),
    "sparse_maxpool": (lambda: C.sparse_maxpool(_points(), [3] * 3, [0] * 3, [1] * 3, [1] * 3).values(), lambda: np.array([[4.0]])),
    "sparse_conv3d": (
        lambda: C.sparse_conv3d(_points(), paddle.ones([3, 3, 3, 1, 1]), [0] * 3, [1] * 3, [1] * 3, 1, False, "").values(),
        lambda: np.array([[10.0]]),
    ),
    "sparse_conv3d in place": (
        lambda: C.sparse_conv3d(_points(), paddle.ones([3, 3, 3, 1, 1]), [1] * 3, [1] * 3, [1] * 3, 1, True, "").values(),
        lambda: np.array([[1.0], [2.0], [7.0], [7.0]]),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SAME)
def test_numbers(name: str) -> None:
    call, expected = SAME[name]
    found, value = call().numpy(), expected()
    assert found.shape == np.shape(value)
    np.testing.assert_allclose(found, value, rtol=1e-5, atol=1e-6)


def test_values_and_their_places() -> None:
    values, places = _numbers(C.median(_t(A), [1], False, "avg"))
    np.testing.assert_allclose(values, np.median(A, 1))
    assert places.tolist() == [[3, 0], [1, 3], [0, 2]]
    assert _numbers(C.median(_t(SQUARE), [1], True, "avg"))[1].shape == (2, 1, 2, 2)
    assert [value.tolist() for value in _numbers(C.median(_t(A), [1], False, "min"))] == [[-0.25, 0.75, -0.5], [3, 1, 0]]
    assert [value.tolist() for value in _numbers(C.max_with_index(_t(A), 1, False, False))] == [[2, 3, 4], [2, 0, 1]]
    assert [value.tolist() for value in _numbers(C.min_with_index(_t(A), 0, False, True))] == [-3, 11]
    sign, log = _numbers(C.slogdet_v2(_t(SQUARE)))
    np.testing.assert_allclose(sign * np.exp(log), np.linalg.det(SQUARE), rtol=1e-5)
    pooled, places = _numbers(C.fractional_max_pool2d(_t(A[None, None]), [1, 2], [0, 0], 0.3, True))
    assert pooled.shape == places.shape == (1, 1, 1, 2)


def test_steps_of_optimizers() -> None:
    def like(value: float) -> Any:
        return paddle.full([3, 4], value)

    param, d, y = _t(A), like(0.0), like(0.0)
    assert C.asgd_(param, _t(B), _t([0.1]), d, y, _t([1.0]), None, False)[0] is param
    np.testing.assert_allclose(param.numpy(), A - 0.1 * B, rtol=1e-6)
    np.testing.assert_array_equal(d.numpy(), y.numpy())
    param, prev, rate = _t(A), like(0.0), like(0.1)
    C.rprop_(param, _t(B), prev, rate, None, _t([1e-5, 50.0]), _t([0.5, 1.2]), False)
    np.testing.assert_allclose(param.numpy(), A - 0.1, rtol=1e-5)
    np.testing.assert_array_equal(prev.numpy(), B)
    for step in (C.nadam_, C.radam_):
        param, states = _t(A), [like(float(step is C.nadam_ or n < 2)) for n in range(3)]
        rest = (0.9, 0.999, 1e-8, *([0.004] if step is C.nadam_ else []), False)
        assert step(param, _t(B), _t([0.1]), *states, like(0.0), like(0.0), None, *rest)[0] is param
        assert np.isfinite(param.numpy()).all() and (param.numpy() < A).all()


def test_gradients_and_masks() -> None:
    x = paddle.to_tensor(A, stop_gradient=False)
    C.masked_fill(x, _t(A > 0), _t(9.0)).sum().backward()
    np.testing.assert_array_equal(x.grad.numpy(), A <= 0)
    total, state = C.fused_dropout_add(_t(A), _t(B), None, 0.0, True, "upscale_in_train", 0, False)
    np.testing.assert_allclose(total.numpy(), A + B)
    assert state.shape == [2]
    dense = C.sparse_mask_as(paddle.ones([2, 2]), _t([[0.0, 1.0], [2.0, 0.0]]).to_sparse_coo(2))
    assert dense.values().tolist() == [1, 1] and C.sparse_full_like(dense, 3.0, paddle.float32).values().tolist() == [3, 3]
    assert C.random(_t(A), 0, 5).shape == [3, 4] and C.standard_gamma(_t(B)).shape == [3, 4]
    with pytest.raises(paddle.errors.UnsupportedError, match="causal"):
        C.memory_efficient_attention(*[paddle.ones([1, 3, 2, 4])] * 3, *[None] * 5, -1, -1, True, 0.0, -1.0, True)
