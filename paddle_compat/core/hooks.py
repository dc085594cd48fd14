"""Hooks on gradients that may return another shape, as Paddle's may: torch refuses that of a hook, but not of what a hook changes."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import torch

from paddle_compat.core.errors import UnsupportedError

Hook = Callable[[torch.Tensor], "torch.Tensor | None"]


class Handles:
    """What takes a hook away, all of its parts."""

    def __init__(self, *handles: Any) -> None:
        self._handles = handles

    def remove(self) -> None:
        """Take it away."""
        for handle in self._handles:
            handle.remove()


def register(value: torch.Tensor, hook: Hook) -> Handles:
    """Have a hook called with the gradient of a tensor; what it returns goes on, of a leaf's gradient whatever its shape.

    Args:
        value: a tensor that requires a gradient.
        hook: gets the gradient, returns another one or None.
    """
    if not value.is_leaf:
        return Handles(value.register_hook(_with_zeros(_in_shape(hook), value)))
    waiting: list[torch.Tensor] = []
    leaf = _Leaf(value)

    def call(grad: torch.Tensor) -> torch.Tensor | None:
        out = hook(grad)
        if out is None or out.shape == grad.shape or out.dtype is not grad.dtype or torch.is_grad_enabled():
            return out
        waiting.append(out)
        return torch.empty_like(grad)  # nobody else's, so that it can become the other one

    def change(grad: torch.Tensor) -> None:
        if waiting:
            grad.data = waiting.pop()
            leaf.expect()

    return Handles(value.register_hook(call), value.register_hook(change))


def zeros_of(value: torch.Tensor) -> Callable[[], torch.Tensor]:
    """What makes the gradient of an operator's result that nobody used, beside one that somebody did."""
    shape, dtype, device = value.shape, value.dtype, value.device  # the tensor itself would hold its own history
    return lambda: torch.zeros(shape, dtype=dtype, device=device)


def _with_zeros(hook: Hook, value: torch.Tensor) -> Callable[[torch.Tensor | None], torch.Tensor | None]:
    """A hook that sees zeros where torch has no gradient."""
    zeros = zeros_of(value)

    def call(grad: torch.Tensor | None) -> torch.Tensor | None:
        if grad is not None:
            return hook(grad)
        out = hook(zeros())
        if out is not None and out.count_nonzero():  # torch lets no hook replace what is not there
            raise UnsupportedError("Tensor.register_hook", "other numbers for the gradient of a result that nobody used", "y + 0 beside y")
        return None

    return call


def _in_shape(hook: Hook) -> Hook:
    """A hook whose gradient goes on in the shape that the operator gave its result, as operators of torch need it."""

    def call(grad: torch.Tensor) -> torch.Tensor | None:
        out = hook(grad)
        return out.reshape(grad.shape) if out is not None and out.shape != grad.shape and out.numel() == grad.numel() else out

    return call


class _Leaf:
    """A leaf whose gradient has another shape: torch has a place for it, but copies it into the leaf's own shape."""

    def __init__(self, value: torch.Tensor) -> None:
        self._value = weakref.ref(value)  # whose hooks hold this
        self.handles: list[Any] = []
        self.grad: torch.Tensor | None = None

    @property
    def value(self) -> torch.Tensor:
        """The leaf, which is alive when its gradient comes."""
        value = self._value()
        assert value is not None
        return value

    def expect(self) -> None:
        """Look at the gradient when all hooks have seen it."""
        if not self.handles:
            node: Any = torch.autograd.graph.get_gradient_edge(self.value).node
            self.handles = [node.register_prehook(self._before), self.value.register_post_accumulate_grad_hook(self._after)]

    def _before(self, grads: Any) -> None:
        (grad,) = grads
        value = self.value
        former = value.grad
        if grad.shape != value.shape and (former is None or former.shape == grad.shape):
            self.grad = grad.detach().clone() if former is None else former + grad
            value.grad = None  # torch warns of one in another shape that it adds to
            grad.data = torch.zeros_like(value)

    def _after(self, value: torch.Tensor) -> None:
        if self.grad is not None:
            value.grad.data = self.grad  # type: ignore[union-attr]
            self.grad = None
        for handle in self.handles:
            handle.remove()
        self.handles = []
