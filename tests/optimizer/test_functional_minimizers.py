"""`minimize_bfgs` and `minimize_lbfgs` find minima, and refuse what the wheel refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat.incubate.optimizer import functional

BOTH = [functional.minimize_bfgs, functional.minimize_lbfgs]


@pytest.fixture(autouse=True)
def at_once() -> None:
    paddle.disable_static()


def valley(x: Any) -> Any:
    return (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2


@pytest.mark.parametrize("minimize", BOTH)
def test_valley(minimize: Callable[..., Any]) -> None:
    start = paddle.to_tensor(np.array([-1.2, 1.0]))
    converged, calls, position, value, grad, *_ = minimize(valley, start, dtype="float64")
    assert converged.tolist() == [True] and calls.shape == [1] and 30 < int(calls) < 80
    np.testing.assert_allclose(position.numpy(), [1, 1], atol=1e-6)
    assert float(value) < 1e-12 and float(grad.abs().max()) < 1e-6
    assert start.tolist() == [-1.2, 1.0]


def test_three_steps_of_lbfgs_are_the_wheels() -> None:
    converged, _, position, value, grad = functional.minimize_lbfgs(valley, paddle.to_tensor([-1.2, 1.0]), max_iters=3)
    assert converged.tolist() == [False]
    np.testing.assert_allclose([*position.tolist(), float(value)], [-0.8552, 0.6888, 3.6236], atol=1e-4)
    np.testing.assert_allclose(grad.numpy(), [-18.2911, -8.5243], rtol=1e-4)


def test_bfgs_learns_the_inverse_hessian() -> None:
    scale = paddle.to_tensor(np.array([1.0, 10.0]))
    first = paddle.to_tensor(np.diag([1.0, 0.5]))
    start = paddle.to_tensor(np.array([1.3, 2.7]))
    found = functional.minimize_bfgs(lambda x: (x * x * scale).sum(), start, dtype="float64", initial_inverse_hessian_estimate=first)
    np.testing.assert_allclose(found[5].numpy(), np.diag([0.5, 0.05]), atol=1e-6)


@pytest.mark.parametrize("minimize", BOTH)
@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"dtype": "int32"}, ValueError, "must be 'float32' or 'float64'"),
        ({"line_search_fn": "x"}, NotImplementedError, "only support line_search_fn"),
        ({"initial_inverse_hessian_estimate": [[1.0, 1.0], [0.0, 0.5]]}, ValueError, "symmetric and positive definite"),
        ({"initial_inverse_hessian_estimate": [[-1.0, 0.0], [0.0, 0.5]]}, ValueError, "symmetric and positive definite"),
    ],
)
def test_refusals(minimize: Callable[..., Any], arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    if "initial_inverse_hessian_estimate" in arguments:
        arguments = {"initial_inverse_hessian_estimate": paddle.to_tensor(arguments["initial_inverse_hessian_estimate"])}
    with pytest.raises(error, match=message):
        minimize(valley, paddle.to_tensor([1.0, 2.0]), **arguments)
