"""Derivatives of functions of Variables are recorded into Programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat.incubate.autograd import Hessian, Jacobian, jvp, vjp

X = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
W = np.array([[0.5, 1.0], [1.5, 2.0], [2.5, 3.0]])


@pytest.fixture(autouse=True)
def _static() -> Iterator[None]:
    paddle.enable_static()
    yield
    paddle.disable_static()


def run(build: Callable[..., Any], *values: np.ndarray) -> list[np.ndarray]:
    """What a Program fetches of the Variables that a function of its data gives."""
    main = paddle.static.Program()
    with paddle.static.program_guard(main):
        fetched = build(*[paddle.static.data(f"x{n}", value.shape, str(value.dtype)) for n, value in enumerate(values)])
    feed = {f"x{n}": value for n, value in enumerate(values)}
    found: list[np.ndarray] = paddle.static.Executor().run(main, feed=feed, fetch_list=list(fetched))
    return found


def test_products_with_a_jacobian() -> None:
    y, by_x, by_w = run(lambda x, w: (lambda y, g: [y, *g])(*vjp(paddle.matmul, [x, w])), X, W)
    np.testing.assert_allclose(y, X @ W)
    np.testing.assert_allclose(by_x, np.ones((2, 2)) @ W.T)
    np.testing.assert_allclose(by_w, X.T @ np.ones((2, 2)))
    y, change = run(lambda x, v: jvp(lambda x: x * x, x, v), X, X + 1)
    np.testing.assert_allclose(change, 2 * X * (X + 1))


def test_a_fetched_product_alone() -> None:
    (change,) = run(lambda x: jvp(paddle.tanh, x)[1:], X)
    np.testing.assert_allclose(change, 1 - np.tanh(X) ** 2)


def test_jacobian() -> None:
    def build(x: Any) -> list[Any]:
        matrix = Jacobian(lambda x: (x * x, x.sum()), x)
        assert matrix.shape == (7, 6)
        return [matrix[:], matrix[6], matrix[1, 1], matrix[:, 0]]

    whole, row, entry, column = run(build, X)
    np.testing.assert_allclose(whole, np.concatenate([np.diag(2 * X.reshape(-1)), np.ones((1, 6))]))
    np.testing.assert_allclose(row, whole[6])
    np.testing.assert_allclose(entry, 4.0)
    np.testing.assert_allclose(column, whole[:, 0])


def test_jacobian_of_a_batch() -> None:
    whole, entry = run(lambda x: (lambda m: [m[:], m[:, 2, 2]])(Jacobian(lambda x: x * x, x, is_batched=True)), X)
    np.testing.assert_allclose(whole, np.stack([np.diag(2 * row) for row in X]))
    np.testing.assert_allclose(entry, 2 * X[:, 2])


def test_hessian() -> None:
    (whole,) = run(lambda x: [Hessian(lambda x: (x * x * x).sum(), x)[:]], X)
    np.testing.assert_allclose(whole, np.diag(6 * X.reshape(-1)))
    (batch,) = run(lambda x: [Hessian(lambda x: (x * x * x).sum(1, keepdim=True), x, is_batched=True)[:]], X)
    np.testing.assert_allclose(batch, np.stack([np.diag(6 * row) for row in X]))
    with pytest.raises(RuntimeError, match="single element"):
        run(lambda x: [Hessian(lambda x: x, x)[:]], X)


def test_jacobian_of_variables() -> None:
    def build(x: Any) -> list[Any]:
        x.stop_gradient = False
        return [paddle.autograd.jacobian(x * x, x, batch_axis=0)[:]]

    (whole,) = run(build, X)
    np.testing.assert_allclose(whole, np.stack([np.diag(2 * row) for row in X]))


@pytest.mark.parametrize("product", [vjp, jvp])
def test_wrong_vectors(product: Any) -> None:
    with pytest.raises(RuntimeError, match="invalid shape"):
        run(lambda x, w: product(lambda x: x * x, x, w), X, W)
    with pytest.raises(RuntimeError, match="invalid length"):
        run(lambda x: product(lambda x: x * x, x, [x, x]), X)
    with pytest.raises(TypeError, match="xs"):
        product(lambda x: x, 1.0)
