"""`paddle.incubate.optimizer.functional.bfgs`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.core.tensor import Tensor
from paddle_compat.incubate.optimizer.functional._newton import Settings, check, inverse_product, search

__all__ = ["minimize_bfgs"]


def minimize_bfgs(
    objective_func: Callable[[Any], Any],
    initial_position: Any,
    max_iters: int = 50,
    tolerance_grad: float = 1e-7,
    tolerance_change: float = 1e-9,
    initial_inverse_hessian_estimate: Any = None,
    line_search_fn: str = "strong_wolfe",
    max_line_search_iters: int = 50,
    initial_step_length: float = 1.0,
    dtype: str = "float32",
    name: str | None = None,
) -> tuple[Tensor, ...]:
    """The minimum of a function by the BFGS method. How often it is called may differ from Paddle.

    Args:
        objective_func (callable): Tensor of one dimension -> Tensor of one element.
        initial_position (Tensor): where to begin.
        max_iters (int): the most steps.
        tolerance_grad (float): a largest gradient that is small enough.
        tolerance_change (float): a step that is small enough.
        initial_inverse_hessian_estimate (Tensor|None): symmetric, positive definite; None for the identity.
        line_search_fn (str): "strong_wolfe".
        max_line_search_iters (int): the most evaluations along one direction.
        initial_step_length (float): the first step tried along a direction.
        dtype (str): "float32" or "float64", that of the position.
        name (str|None): not used.
    Returns:
        tuple: whether it converged, how often the function was called (as Paddle counts), position, value, gradient, and the estimate of
        the inverse Hessian.
    Raises:
        ValueError: dtype or estimate is not as said.
        NotImplementedError: another line search.

    Example:
        >>> import paddle_compat as paddle
        >>> found = paddle.incubate.optimizer.functional.minimize_bfgs(lambda x: (x * x).sum(), paddle.to_tensor([1.5, 2.5]))
        >>> bool(found[0]), found[2].tolist()
        (True, [0.0, 0.0])

    Follows Paddle 2.6.
    """
    initial = initial_position._t
    state = [check(dtype, line_search_fn, initial, initial_inverse_hessian_estimate)]

    def learn(moved: torch.Tensor, change: torch.Tensor) -> None:
        rho = inverse_product(moved, change)
        # the method has these two factors the other way round; so has lbfgs, but not Paddle's bfgs
        left = torch.eye(moved.numel(), dtype=moved.dtype, device=moved.device) - rho * torch.outer(change, moved)
        state[0] = left @ state[0] @ left.T + rho * torch.outer(moved, moved)

    settings = Settings(max_iters, tolerance_grad, tolerance_change, max_line_search_iters, initial_step_length)
    found = search(objective_func, initial, settings, lambda grad: -(state[0] @ grad), learn)
    return (*found.tensors(), Tensor(state[0]))


__getattr__ = missing(__name__)
