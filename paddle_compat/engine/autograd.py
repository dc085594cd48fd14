"""What the gradient nodes of a lowered graph call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import torch

from paddle_compat.core.op import definition_of

_run_backward = torch.autograd.Variable._execution_engine.run_backward
_NO_TENSORS = frozenset({list, type(None)})  # what a LoDTensorArray is, and what a branch that was not taken leaves of its variables


def backward(
    targets: Sequence[torch.Tensor],
    wrt: Sequence[Any],
    seeds: Sequence[torch.Tensor | None] | None = None,
    retain_graph: bool = False,
    create_graph: bool = False,
) -> list[Any]:
    """Gradients of the targets with respect to `wrt`, zeros where a target does not depend on one, None of what has no value."""
    if (
        seeds is None
        and not retain_graph
        and len(targets) == 1
        and targets[0].numel() == 1
        and targets[0].requires_grad
        and _NO_TENSORS.isdisjoint(map(type, wrt))
    ):
        # torch.autograd.grad without its checks of what is known here: a twentieth of a small network's step
        loss = targets[0]
        found = _run_backward(
            (loss,), (torch.ones_like(loss),), create_graph, create_graph, tuple(wrt), True, accumulate_grad=False
        )
        return (
            [torch.zeros_like(w) if g is None else g for g, w in zip(found, wrt)]
            if any(g is None for g in found)
            else list(found)
        )
    flat = _flatten(wrt)
    outs, weights = [], []
    for i, target in enumerate(targets):
        if target.requires_grad:
            seed = None if seeds is None else seeds[i]
            outs.append(target)
            weights.append(torch.ones_like(target) if seed is None else _like(seed, target))
    if not outs or not flat:
        return [_zeros(w) for w in wrt]
    keep = retain_graph or create_graph
    grads = _run_backward(tuple(outs), tuple(weights), keep, create_graph, tuple(flat), True, accumulate_grad=False)
    whole = [torch.zeros_like(w) if g is None else g for g, w in zip(grads, flat)]
    return _unflatten(wrt, iter(whole))


def _like(seed: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """The seed in the target's shape and type."""
    if seed.shape != target.shape:
        seed = seed.reshape(target.shape)
    return seed if seed.dtype is target.dtype else seed.to(target.dtype)


def _flatten(values: Sequence[Any]) -> list[torch.Tensor]:
    """Tensors one by one; a LoDTensorArray is a list of (tensor, lod) pairs."""
    return [t for v in values if v is not None for t in ([pair[0] for pair in v] if isinstance(v, list) else [v])]


def _unflatten(like: Sequence[Any], grads: Any) -> list[Any]:
    return [v if v is None else [(next(grads), lod) for _, lod in v] if isinstance(v, list) else next(grads) for v in like]


def _zeros(value: Any) -> Any:
    if value is None:
        return None
    return [(torch.zeros_like(t), lod) for t, lod in value] if isinstance(value, list) else torch.zeros_like(value)


def alias(x: torch.Tensor) -> torch.Tensor:
    """Another tensor of the same data, to differentiate one operator with respect to its own input."""
    return x.view_as(x) if x.requires_grad else x.detach().requires_grad_()


def differentiable(x: Any) -> Any:
    """The value at a place of its own in the history, as what it was made from may be the same tensor, or need no gradient."""
    if not isinstance(x, torch.Tensor) or not (x.is_floating_point() or x.requires_grad):
        return x
    if x.requires_grad:
        return x.view_as(x)
    return x.detach().requires_grad_().clone()  # a copy, since an operator may yet update it in place


def result(x: Any) -> Any:
    """`differentiable` of what an operator made and keeps for its gradient, which changes with it: the value itself if it has a history."""
    return x if isinstance(x, torch.Tensor) and x.requires_grad else differentiable(x)


def leaf(x: torch.Tensor) -> torch.Tensor:
    """Another tensor of the same data that begins a history."""
    return x.detach().requires_grad_()


def stopped(x: torch.Tensor | None) -> torch.Tensor | None:
    """The same values without their history; None: a branch that was not taken, a value that the wheels leave empty."""
    return None if x is None else x.detach()


class _PassedOn(torch.autograd.Function):
    """A value whose gradient goes to other tensors, as it is."""

    @staticmethod
    def forward(ctx: Any, value: torch.Tensor, *sources: torch.Tensor) -> torch.Tensor:
        ctx.shapes = [source.shape for source in sources]
        return value.view_as(value)

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        return None, *(grad if grad.shape == shape else None for shape in ctx.shapes)


def passed_on(value: torch.Tensor | None, *sources: torch.Tensor | None) -> torch.Tensor | None:
    """The same value, whose gradient the sources have too; those of another shape have none."""
    if value is None:
        return None
    passed: torch.Tensor = _PassedOn.apply(value.detach(), *(source for source in sources if source is not None))
    return passed


class _HandedBack(torch.autograd.Function):
    """A copy of what a loop of 1.8 carries into a turn, whose gradient reaches the turn before as Paddle 1.8's loop hands it on."""

    @staticmethod
    def forward(ctx: Any, value: torch.Tensor, turn: int, turns: list[int]) -> torch.Tensor:
        ctx.turn, ctx.turns = turn, turns
        return value.clone()

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> tuple[torch.Tensor | None, None, None]:
        return None if ctx.turn == ctx.turns[-1] else grad + grad, None, None


def handed_back(value: torch.Tensor, turn: int, turns: list[int]) -> torch.Tensor:
    """A copy of a value, whose gradient goes twice to where it came from, and not at all from the last of a loop's turns.

    The gradient within a turn and the one around the loop share their memory in Paddle 1.8: after the turn that is differentiated
    first it makes zeros of both, and adds them up after every other one.
    """
    copied: torch.Tensor = _HandedBack.apply(value, turn, turns)
    return copied


_WHOLE = frozenset({torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64})


def _kind_of_whole(value: Any) -> torch.dtype | None:
    """The data type of integers, which are differentiated as numbers of double precision; None for others."""
    first = value[0] if isinstance(value, list) and value else value
    return first.dtype if isinstance(first, torch.Tensor) and first.dtype in _WHOLE else None


def recompute(
    type: str,
    args: list[Any],
    seeds: dict[int, list[torch.Tensor | None]],
    want: list[int],
    attrs: dict[str, Any],
    again: bool = False,
) -> list[Any]:
    """Run the operator of that type again: the gradients of its outputs, `seeds` by position, with respect to its inputs at `want`.

    Args:
        again: whether the gradients keep their history, so that they can be differentiated.
    """
    kinds = [_kind_of_whole(a) if i in want or type.startswith("elementwise_") else None for i, a in enumerate(args)]
    args = [a if kind is None else [t.double() for t in a] if isinstance(a, list) else a.double() for a, kind in zip(args, kinds)]
    with torch.enable_grad():
        fresh = [([begun(t, again) for t in a] if isinstance(a, list) else begun(a, again)) if i in want else a for i, a in enumerate(args)]
        definition = definition_of(type)
        out = definition.fn(*fresh, **attrs)
        outs, into = [], []
        for position, given in seeds.items():
            value = out[position] if isinstance(out, tuple) else out
            for one, seed in zip(value if isinstance(value, (list, tuple)) else [value], given):
                if seed is not None and one is not None and one.requires_grad:
                    outs.append(one)
                    into.append(_like(seed, one))
        flat: list[Any] = [t for i in want for t in (fresh[i] if isinstance(fresh[i], list) else [fresh[i]])]
        asked = [t for t in flat if t.requires_grad]
        found = torch.autograd.grad(outs, asked, into, None, again, allow_unused=True) if outs and asked else [None] * len(asked)
    grads = {id(t): g for t, g in zip(asked, found)}
    whole = iter([torch.zeros_like(t) if grads.get(id(t)) is None else grads[id(t)] for t in flat])
    made: list[Any] = [[next(whole) for _ in fresh[i]] if isinstance(fresh[i], list) else next(whole) for i in want]
    return [
        value if kind is None else [t.to(kind) for t in value] if isinstance(value, list) else value.to(kind)
        for kind, value in zip([kinds[i] for i in want], made)
    ]


def begun(value: Any, again: bool = False) -> Any:
    """A value that begins a history, if it can; one that goes on with the value's own where that is to be differentiated once more."""
    if not isinstance(value, torch.Tensor):
        return value
    if again and value.requires_grad:
        return value.view_as(value)
    return value.detach().requires_grad_(value.is_floating_point() or value.is_complex())


def unnoticed(update: Callable[..., Any]) -> Callable[..., Any]:
    """An update in place that autograd does not take note of: a backward pass after it goes on with the new values, as Paddle's does."""

    @wraps(update)
    def call(*args: Any, **attrs: Any) -> Any:
        tensors = {id(t): t for a in args for t in (a if isinstance(a, list) else [a]) if isinstance(t, torch.Tensor)}
        with torch.autograd._unsafe_preserve_version_counter(tuple(tensors.values())):
            return update(*args, **attrs)

    return call
