"""What the quasi-Newton methods have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import torch

from paddle_compat.core.dtype import torch_dtype
from paddle_compat.core.errors import UnimplementedError
from paddle_compat.core.tensor import Tensor
from paddle_compat.optimizer._line_search import Point, strong_wolfe

_LONGEST_STEP = 10.0  # times the direction


class Settings(NamedTuple):
    """The limits that a caller sets."""

    max_iters: int
    tolerance_grad: float
    tolerance_change: float
    max_line_search_iters: int
    initial_step_length: float


class Found(NamedTuple):
    """Where a search ended."""

    converged: bool
    calls: int
    position: torch.Tensor
    value: torch.Tensor
    grad: torch.Tensor

    def tensors(self) -> tuple[Tensor, ...]:
        """As Paddle gives it."""
        return (
            Tensor(torch.tensor([self.converged])),
            Tensor(torch.tensor([self.calls])),
            *(Tensor(value.detach()) for value in (self.position, self.value, self.grad)),
        )


def check(dtype: str, line_search_fn: str, initial: torch.Tensor, hessian: Any) -> torch.Tensor:
    """The first estimate of the inverse Hessian; raises for what cannot be."""
    if dtype not in ("float32", "float64"):
        raise ValueError(f"The dtype must be 'float32' or 'float64', but the specified is {dtype}.")
    if line_search_fn != "strong_wolfe":
        raise UnimplementedError(f"Currently only support line_search_fn = 'strong_wolfe', but the specified is '{line_search_fn}'")
    if initial.dtype is not torch_dtype(dtype):
        raise ValueError(f"Invalid data type of argument `initial_position`. Expected {dtype}. Received: {initial.dtype}")
    if hessian is None:
        return torch.eye(initial.numel(), dtype=initial.dtype, device=initial.device)
    given: torch.Tensor = hessian._t
    size = initial.numel()
    fits = tuple(given.shape) == (size, size) and torch.equal(given, given.T) and not torch.linalg.cholesky_ex(given)[1].item()
    if not fits:
        raise ValueError(
            "The initial_inverse_hessian_estimate should be symmetric and positive definite, but the specified is not. Expected one of "
            f"shape {[size, size]}. Received: shape {list(given.shape)}"
        )
    return given


def inverse_product(moved: torch.Tensor, change: torch.Tensor) -> float:
    """One over the product of a step and how the gradient changed over it; 1000 where that is small or negative, as in Paddle."""
    product = float(change.dot(moved))
    return 1 / product if product >= 1e-8 else 1000.0


def search(
    objective: Callable[[Any], Any],
    initial: torch.Tensor,
    settings: Settings,
    direction: Callable[[torch.Tensor], torch.Tensor],
    learn: Callable[[torch.Tensor, torch.Tensor], None],
) -> Found:
    """Go downhill until the gradient or the step is small.

    Args:
        direction: gives a direction from the gradient.
        learn: told of each step, and how the gradient changed over it.
    """
    calls, values = 1, [torch.zeros(())]

    def evaluate(position: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        leaf = position.detach().clone().requires_grad_()
        with torch.enable_grad():
            value = objective(Tensor(leaf))._t
            grad = torch.autograd.grad(value.sum(), leaf, allow_unused=True)[0]
        return value.detach(), torch.zeros_like(leaf) if grad is None else grad.detach()

    position = initial.detach().clone()
    value, grad = evaluate(position)
    for _ in range(settings.max_iters):
        if float(grad.abs().max()) < settings.tolerance_grad:
            return Found(True, calls, position, value, grad)
        along = direction(grad)

        def at(step: float, position: torch.Tensor = position, along: torch.Tensor = along) -> Point:
            values[0], found = evaluate(position + step * along)
            return Point(step, float(values[0]), found, float(found.dot(along)))

        start = Point(0.0, float(value), grad, float(grad.dot(along)))
        if not start.slope < 0:
            break
        reach, most = float(along.abs().max()), settings.max_line_search_iters
        point, count = strong_wolfe(at, start, settings.initial_step_length, reach, most=most, longest=_LONGEST_STEP)
        calls += count
        if point.step == 0.0:
            break
        moved = point.step * along
        learn(moved, point.grad - grad)
        position, grad, value = position + moved, point.grad, value.new_tensor(point.value).reshape(value.shape)
        if float(moved.abs().max()) < settings.tolerance_change:
            return Found(True, calls, position, value, grad)
    return Found(float(grad.abs().max()) < settings.tolerance_grad, calls, position, value, grad)
