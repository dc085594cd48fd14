"""What becomes of the batch of matrices; shapes and numbers by 2.6.2, or 3.3.1 where that is named."""

from __future__ import annotations

import numpy as np
import pytest

import paddle_compat as paddle


@pytest.mark.parametrize(
    ("batch", "shape"), [([], [2, 1]), ([1], [2, 1]), ([1, 1], [2, 1]), ([2], [2, 2, 1]), ([1, 2], [1, 2, 2, 1]), ([2, 1], [2, 1, 2, 1])]
)
@pytest.mark.parametrize("driver", ["gelsy", "gels", "gelsd"])
def test_least_squares_of_one_system(batch: list[int], shape: list[int], driver: str) -> None:
    """The solution of a single system has no batch, the residuals and ranks have."""
    numbers = np.random.RandomState(0)
    x, y = (paddle.to_tensor(numbers.randn(*batch, 3, width)) for width in (2, 1))
    solution, residuals, rank, _ = paddle.linalg.lstsq(x, y, driver=driver)
    assert solution.shape == shape and residuals.shape == [*batch, 1]
    assert rank.shape == ([0] if driver == "gels" else batch)
    np.testing.assert_allclose(solution.reshape([*batch, 2, 1]), np.linalg.pinv(x.numpy()) @ y.numpy(), rtol=1e-6)


def test_ranks_of_complex_matrices_by_a_tolerance() -> None:
    """By 3.3.1; 2.6.2 refuses them."""
    x = paddle.to_tensor(np.array([[[2, 0], [0, 1j]], [[1 + 1j, 0], [0, 0]]]))
    assert paddle.linalg.matrix_rank(x, tol=1.5).tolist() == [1, 0]
    assert paddle.linalg.matrix_rank(x).tolist() == [2, 1]


def test_the_sum_of_sparse_rows_keeps_all_dimensions() -> None:
    x = paddle.to_tensor([[[1.0, 0.0], [2.0, 3.0]]]).to_sparse_csr()
    whole = paddle.sparse.sum(x, keepdim=True)
    assert whole.shape == [1, 1, 1] and whole.to_dense().tolist() == [[[6.0]]]
    assert paddle.sparse.sum(x).shape == [1, 1]


def test_exponentials_in_programs() -> None:
    """A small matrix beside a large one, which is halved and squared more often; values and gradients as at once."""
    matrices = np.stack([np.random.RandomState(0).rand(3, 3), 4 * np.random.RandomState(1).randn(3, 3), np.zeros((3, 3))])
    x = paddle.to_tensor(matrices, stop_gradient=False)
    expected = paddle.linalg.matrix_exp(x)
    expected.sum().backward()
    paddle.enable_static()
    data = paddle.static.data("x", [-1, 3, 3], "float64")
    data.stop_gradient = False
    out = paddle.linalg.matrix_exp(data)
    (grad,) = paddle.static.gradients([out.sum()], [data])
    found = paddle.static.Executor().run(feed={"x": matrices}, fetch_list=[out, grad])
    paddle.disable_static()
    for got, right in zip(found, (expected.numpy(), x.grad.numpy()), strict=True):
        np.testing.assert_allclose(got, right, rtol=1e-10)
