"""Sizes one after another, some of which are Tensors: what Paddle 3.3.1 takes, and what functions with unknown sizes record."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat.static import InputSpec


def _two() -> Any:
    return paddle.to_tensor(2)


@pytest.mark.parametrize("name", ["zeros", "ones", "rand", "randn", "empty"])
@pytest.mark.parametrize("last", [_two, lambda: np.int64(2)])
def test_new_tensors(name: str, last: Any) -> None:
    assert getattr(paddle, name)(3, last()).shape == [3, 2]


@pytest.mark.parametrize("name", ["new_zeros", "new_ones"])
def test_new_tensors_of_a_kind(name: str) -> None:
    assert getattr(paddle.ones([6]), name)(3, _two()).shape == [3, 2]


def test_other_shapes() -> None:
    x = paddle.ones([6])
    assert x.reshape(_two(), 3).shape == x.view(_two(), 3).shape == paddle.reshape(x, _two(), 3).shape == [2, 3]
    assert x.reshape(3, _two()).shape == x.view(3, _two()).shape == [3, 2]
    assert paddle.ones([1, 3]).expand(_two(), 3).shape == [2, 3]
    assert x.repeat(3, _two()).shape == [3, 12]


def test_one_tensor_is_a_whole_shape() -> None:
    assert paddle.ones([6]).reshape(paddle.to_tensor([2, 3])).shape == [2, 3]
    assert paddle.zeros(paddle.to_tensor([2, 3]), "int64").dtype == paddle.int64


def test_recorded_with_an_unknown_size() -> None:
    def repeated(x: Any, like: Any) -> Any:
        return x.repeat(like.shape[0], 1)

    recorded = paddle.jit.to_static(repeated, input_spec=[InputSpec([1, None]), InputSpec([None, 2])], full_graph=True)
    x = paddle.to_tensor([[1.0, 2.0, 3.0]])
    assert recorded(x, paddle.ones([2, 2])).tolist() == [[1.0, 2.0, 3.0]] * 2
    assert recorded(x, paddle.ones([3, 2])).tolist() == [[1.0, 2.0, 3.0]] * 3


def test_products_and_parts_of_sizes_that_a_run_tells() -> None:
    """As both wheels record them; Paddle 3's `tensor_split` takes an unknown size for -1, and gives empty parts."""
    paddle.enable_static()
    y, z, row = (paddle.static.data(name, shape) for name, shape in (("y", [-1, -1]), ("z", [2, -1]), ("row", [-1])))
    products = [paddle.kron(y, y), paddle.kron(z, y), paddle.linalg.multi_dot([y, y, y]), paddle.linalg.multi_dot([row, y, y])]
    assert [tuple(v.shape) for v in products] == [(-1, -1), (-1, -1), (-1, -1), (-1,)]
    splits = [*paddle.tensor_split(z, 3, 1), *paddle.tensor_split(z, [1, -1], 1), *paddle.hsplit(z, 1)]
    assert all(tuple(v.shape) == (2, -1) for v in splits)
    feed = {"y": np.eye(2, dtype="float32") * 2, "z": np.arange(8, dtype="float32").reshape(2, 4), "row": np.ones(2, "float32")}
    found = paddle.static.Executor().run(feed=feed, fetch_list=[*products, *splits])
    assert [v.shape for v in found[:4]] == [(4, 4), (4, 8), (2, 2), (2,)] and found[2].tolist() == [[8.0, 0.0], [0.0, 8.0]]
    assert [v.tolist()[0] for v in found[4:]] == [[0.0, 1.0], [2.0], [3.0], [0.0], [1.0, 2.0], [3.0], [0.0, 1.0, 2.0, 3.0]]
    paddle.disable_static()
    for shapes in ([[2, 3]], [[2, 3], [2, 3]], [[2, 3], [3], [3, 2]]):
        with pytest.raises(ValueError):
            paddle.linalg.multi_dot([paddle.ones(shape) for shape in shapes])


def test_square_matrices_of_sizes_that_a_run_tells() -> None:
    paddle.enable_static()
    y, u, label = paddle.static.data("y", [-1, -1]), paddle.static.data("u", [-1, -1, -1]), paddle.static.data("label", [-1])
    linalg = paddle.linalg
    matrices = [*linalg.eig(y), *linalg.eigh(y), linalg.eigvalsh(y), *linalg.eigh(u), linalg.cholesky_solve(y, y)]
    others = [linalg.cholesky_solve(u, y), linalg.vector_norm(u, 2, 1), paddle.nn.functional.npair_loss(y, y, label)]
    ranks = [1, 2, 1, 2, 1, 2, 3, 2, 3, 2, 0]
    assert [tuple(v.shape) for v in (*matrices, *others)] == [(-1,) * rank for rank in ranks]
    square = np.array([[2.0, 0.0], [0.0, 3.0]], "float32")
    feed = {"y": square, "u": np.stack([square] * 3), "label": np.array([0.0, 1.0], "float32")}
    found = paddle.static.Executor().run(feed=feed, fetch_list=[*matrices, *others])
    paddle.disable_static()
    expected = paddle.nn.functional.npair_loss(*map(paddle.to_tensor, (square, square, feed["label"])))
    assert [v.shape for v in found] == [(2,), (2, 2), (2,), (2, 2), (2,), (3, 2), (3, 2, 2), (2, 2), (3, 2, 2), (3, 2), ()]
    np.testing.assert_allclose(found[7], np.diag([0.5, 1 / 3]), rtol=1e-5)
    np.testing.assert_allclose(found[-2], [[2.0, 3.0]] * 3, rtol=1e-6)
    np.testing.assert_allclose(found[-1], expected.numpy(), rtol=1e-6)
