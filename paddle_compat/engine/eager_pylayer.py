"""A function with a gradient of one's own that runs at once; `engine.pylayer` is the same in a Program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from paddle_compat.core.errors import InvalidArgumentError

_saved_hooks = torch.autograd.graph.saved_tensors_hooks


def _apart(tensor: torch.Tensor) -> torch.Tensor:
    """What is kept of a tensor that is saved: not its history, which may lead back to what saves it, and which torch knows."""
    return tensor.detach()


def _kept(tensor: torch.Tensor) -> torch.Tensor:
    """What is kept, given back. Paddle does not ask whether it was overwritten since, nor does torch of what hooks give back."""
    return tensor


class Saved:
    """Values that a forward function saves: the tensors among them torch keeps, which knows those that are the function's own results."""

    def __init__(self, values: Sequence[Any], is_tensor: Callable[[Any], bool]) -> None:
        self.values = [None if is_tensor(v) else v for v in values]
        self.places = [n for n, v in enumerate(values) if is_tensor(v)]

    def restored(self, tensors: Sequence[Any]) -> tuple[Any, ...]:
        """The values as they were saved, given the tensors."""
        values = list(self.values)
        for place, tensor in zip(self.places, tensors):
            values[place] = tensor
        return tuple(values)


class Run:
    """What one call of the function goes by."""

    forward: Callable[[], tuple[list[torch.Tensor], list[torch.Tensor], list[torch.Tensor]]]  # outputs, those without gradient, saved
    backward: Callable[[Any, list[torch.Tensor | None], list[bool]], Any]
    """From torch's context, the outputs' gradients and which of these nobody gave: the inputs' gradients."""
    materialize: Callable[[], bool]  # whether outputs that nobody used have zeros for gradients
    name: str


class _OwnGradient(torch.autograd.Function):
    """Values of one function, gradients of another."""

    @staticmethod
    def forward(ctx: Any, run: Run, *inputs: torch.Tensor) -> Any:
        outputs, undifferentiable, saved = run.forward()
        ctx.set_materialize_grads(False)
        ctx.mark_non_differentiable(*undifferentiable)
        ctx.save_for_backward(*saved)
        ctx.run = run
        ctx.forms = [(t.shape, t.dtype, t.device) for t in outputs]
        ctx.needed = [(t.requires_grad, t.shape) for t in inputs]
        return tuple(outputs)

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor | None) -> Any:
        run: Run = ctx.run
        given = list(grads)
        if run.materialize():
            given = [
                torch.zeros(shape, dtype=dtype, device=device) if g is None else g for g, (shape, dtype, device) in zip(given, ctx.forms)
            ]
        found = run.backward(ctx, given, [g is None for g in grads])
        if len(found) > len(ctx.needed):
            raise InvalidArgumentError(
                f"The backward function of {run.name} returns too many gradients. Expected {len(ctx.needed)}, one for each Tensor "
                f"that its forward function takes. Received: {len(found)}"
            )
        for position, (needs, shape) in enumerate(ctx.needed):
            if position >= len(found):
                if needs:
                    raise InvalidArgumentError(
                        f"The backward function of {run.name} should not return empty at {position} position. Expected "
                        f"{len(ctx.needed)} gradients. Received: {len(found)}"
                    )
            elif found[position] is not None:
                if not needs:
                    raise InvalidArgumentError(
                        f"The backward function of {run.name} should return None at {position} position, whose Tensor has "
                        "stop_gradient. Expected None. Received: a Tensor"
                    )
                if found[position].numel() != shape.numel():
                    raise InvalidArgumentError(
                        f"The backward function of {run.name} returns a gradient that does not fit its Tensor. Expected "
                        f"{list(shape)} at {position} position. Received: {list(found[position].shape)}"
                    )
        fitting = [g if g is None or g.shape == shape else g.reshape(shape) for g, (_, shape) in zip(found, ctx.needed)]
        return None, *fitting, *[None] * (len(ctx.needed) - len(fitting))


def call(run: Run, inputs: Sequence[torch.Tensor], hooked: bool) -> tuple[torch.Tensor, ...]:
    """Run the forward function so that torch calls the backward one.

    Args:
        hooked: whether the user's own hooks see what is saved.
    """
    if hooked:
        outputs: tuple[torch.Tensor, ...] = _OwnGradient.apply(run, *inputs)
        return outputs
    with _saved_hooks(_apart, _kept):
        outputs = _OwnGradient.apply(run, *inputs)
    return outputs
