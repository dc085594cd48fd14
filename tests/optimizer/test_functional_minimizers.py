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


def bowl(x: Any) -> Any:
    weights, middle = paddle.to_tensor(np.array([1.0, 5.0, 0.1])), paddle.to_tensor(np.array([1.0, 2.0, -1.0]))
    return ((x - middle) ** 2 * weights).sum() + (x[0] * x[1]) ** 2


@pytest.mark.parametrize(
    ("minimize", "objective", "start", "steps", "converges", "calls", "position", "value"),
    [
        (functional.minimize_bfgs, valley, [-1.2, 1.0], 4, False, 28, [-0.869234, 0.729216], 3.56347),
        (functional.minimize_bfgs, valley, [-1.2, 1.0], 50, False, 366, [1.07683, 1.159819], 0.0059094),
        (functional.minimize_lbfgs, valley, [-1.2, 1.0], 8, False, 24, [-0.245575, 0.01543], 1.75285),
        (functional.minimize_lbfgs, valley, [-1.2, 1.0], 50, True, 81, [1.0, 1.0], 3.88826e-20),
        (functional.minimize_bfgs, bowl, [0.0, 0.0, 0.0], 8, False, 20, [0.178869, 1.931211, -1.586108], 0.851593),
        (functional.minimize_bfgs, bowl, [0.0, 0.0, 0.0], 50, False, 141, [0.202561, 1.981772, -1.097272], 0.799662),
        (functional.minimize_lbfgs, bowl, [0.0, 0.0, 0.0], 4, False, 9, [0.182263, 1.983516, -0.375121], 0.839798),
        (functional.minimize_lbfgs, bowl, [0.0, 0.0, 0.0], 50, True, 31, [0.20263, 1.98371, -1.0], 0.798697),
    ],
)
def test_searches_are_the_wheels(
    minimize: Callable[..., Any], objective: Any, start: list[float], steps: int, converges: bool, calls: int,
    position: list[float], value: float,
) -> None:  # fmt: skip
    """The figures are those of Paddle 2.6.2, whose bfgs does not get far in a valley."""
    begin = paddle.to_tensor(np.array(start))
    found = minimize(objective, begin, max_iters=steps, dtype="float64")
    assert (found[0].tolist(), found[1].tolist(), begin.tolist()) == ([converges], [calls], start)
    np.testing.assert_allclose(found[2].numpy(), position, atol=1e-6)
    np.testing.assert_allclose(float(found[3]), value, rtol=1e-4)


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
    # where Paddle 2.6.2 ends; the true one is 0.5 and 0.05
    np.testing.assert_allclose(found[5].numpy(), [[0.422699, -0.025265], [-0.025265, 0.051921]], atol=1e-5)
    assert found[1].tolist() == [29]


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
