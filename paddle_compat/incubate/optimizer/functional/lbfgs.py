"""`paddle.incubate.optimizer.functional.lbfgs`."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.core.tensor import Tensor
from paddle_compat.incubate.optimizer.functional._newton import Settings, check, inverse_product, search

__all__ = ["minimize_lbfgs"]


def minimize_lbfgs(
    objective_func: Callable[[Any], Any],
    initial_position: Any,
    history_size: int = 100,
    max_iters: int = 50,
    tolerance_grad: float = 1e-8,
    tolerance_change: float = 1e-8,
    initial_inverse_hessian_estimate: Any = None,
    line_search_fn: str = "strong_wolfe",
    max_line_search_iters: int = 50,
    initial_step_length: float = 1.0,
    dtype: str = "float32",
    name: str | None = None,
) -> tuple[Tensor, ...]:
    """The minimum of a function by the L-BFGS method. How often it is called may differ from Paddle.

    Args:
        objective_func (callable): Tensor of one dimension -> Tensor of one element.
        initial_position (Tensor): where to begin.
        history_size (int): how many steps are remembered.
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
        tuple: whether it converged, how often the function was called (as Paddle counts), position, value and gradient.
    Raises:
        ValueError: dtype or estimate is not as said.
        NotImplementedError: another line search.

    Example:
        >>> import paddle_compat as paddle
        >>> found = paddle.incubate.optimizer.functional.minimize_lbfgs(lambda x: (x * x).sum(), paddle.to_tensor([1.5, 2.5]))
        >>> bool(found[0]), found[2].tolist()
        (True, [0.0, 0.0])

    Follows Paddle 2.6.
    """
    initial = initial_position._t
    first = check(dtype, line_search_fn, initial, initial_inverse_hessian_estimate)
    known: deque[tuple[torch.Tensor, torch.Tensor, float]] = deque(maxlen=history_size)

    def learn(moved: torch.Tensor, change: torch.Tensor) -> None:
        known.append((moved, change, inverse_product(moved, change)))

    def direction(grad: torch.Tensor) -> torch.Tensor:
        found, factors = grad, []
        for moved, change, inverse in reversed(known):
            factors.append(moved.dot(found) * inverse)
            found = found - factors[-1] * change
        found = first @ found
        for (moved, change, inverse), factor in zip(known, reversed(factors)):
            found = found + moved * (factor - change.dot(found) * inverse)
        return -found

    settings = Settings(max_iters, tolerance_grad, tolerance_change, max_line_search_iters, initial_step_length)
    return search(objective_func, initial, settings, direction, learn).tensors()


__getattr__ = missing(__name__)
