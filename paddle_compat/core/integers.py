"""Integers that let gradients through: torch differentiates none, Paddle does.

Whoever sets `stop_gradient = False` on integers, or makes them of floats that have a gradient, gives them a shadow: the same numbers in
double precision, which stand for them in the history. While such integers live, operators go the long way, and those that read some run
a second time, on the shadows: floating results take the second run's place in the history, and integers get a shadow of their own. A
gradient that comes to integers is cut to a whole number, as Paddle computes it in their data type.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch

from paddle_compat.core import eager
from paddle_compat.core.dtype import VarType, torch_dtype
from paddle_compat.core.onward import Handed, Place
from paddle_compat.core.op import Op
from paddle_compat.core.shadows import cast_shadow, history, shadow_of
from paddle_compat.core.tensor import Tensor

_KINDS = ("dtype", "in_dtype", "out_dtype")  # attributes that name data types
_alive: set[int] = set()  # ids; threads of replicas add to it and take from it


def begin(value: torch.Tensor, holder: torch.Tensor | None = None) -> None:
    """Have integers begin a history, as a script sets `stop_gradient` of their Tensor to False.

    Args:
        value: the integers.
        holder: who gets the gradient; None: they do.
    """
    owner = weakref.ref(value if holder is None else holder)

    def arrive(shadow: torch.Tensor) -> None:
        found, integers = shadow.grad, owner()
        shadow.grad = None
        if integers is not None and found is not None:
            whole = found.to(integers.dtype)
            integers.grad = whole if integers.grad is None else integers.grad + whole

    shadow = value.to(torch.float64).requires_grad_()
    shadow.register_post_accumulate_grad_hook(arrive)
    _give(value, shadow)


def _give(value: torch.Tensor, shadow: torch.Tensor) -> None:
    cast_shadow(value, shadow)
    weakref.finalize(value, _gone, id(value))
    _alive.add(id(value))
    eager.set_follow(follow)


def made_whole(value: torch.Tensor, kind: torch.dtype) -> torch.Tensor:
    """Floating numbers in a data type of integers, at the same place in the history.

    Args:
        value: the numbers.
        kind: what they become.
    Returns:
        the integers, with a shadow where `value` has a gradient, which is cut to their data type.
    """
    out = value.to(kind)
    if value.requires_grad and torch.is_grad_enabled():
        _give(out, Handed.apply(Place.apply(value, kind), out.to(torch.float64)))
    return out


def _gone(number: int) -> None:
    _alive.discard(number)
    if not _alive:
        eager.set_follow(None)


class _Cut(torch.autograd.Function):
    """A shadow, where it is read: what comes back is cut to the integers' data type, which a second derivative does not see."""

    @staticmethod
    def forward(ctx: Any, shadow: torch.Tensor, kind: torch.dtype) -> torch.Tensor:
        ctx.kind = kind
        ctx.set_materialize_grads(False)
        return shadow.view_as(shadow)

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor | None) -> tuple[torch.Tensor | None, None]:
        return None if grad is None else grad + (grad.to(ctx.kind).to(grad.dtype) - grad).detach(), None


def read(value: Any) -> Any:
    """The shadow in place of integers that have one, the numbers in place of others; everything else as it is."""
    if isinstance(value, list):
        return [read(part) for part in value]
    shadow = shadow_of(value)
    if shadow is None:
        whole_numbers = isinstance(value, torch.Tensor) and not (value.is_floating_point() or value.is_complex())
        return value.to(torch.float64) if whole_numbers else value
    if shadow.is_leaf:  # the integers may have been written to since
        shadow.data.copy_(value)
    return _Cut.apply(shadow, value.dtype)


def follow(definition: Op | None, function: Callable[..., Any], args: Sequence[Any], attrs: dict[str, Any], out: Any) -> Any:
    """Give what was made of integers that have shadows its place in the history.

    Args:
        definition: the operator, if it is one.
        function: what was called, on torch tensors.
        args: these, and None for what was left out.
        attrs: the operator's attributes.
        out: what it made.
    Returns:
        `out`, with the shadows' results in place of its floating tensors.
    """
    frozen: tuple[int, ...] = ()
    if definition is not None:
        if definition.grad is None or definition.random or definition.inplace or isinstance(definition.lod, tuple):
            return out
        frozen, attrs = definition.frozen, _as_floating(definition, attrs, out)
    open_ = [value for i, value in enumerate(args) if i not in frozen]
    if not torch.is_grad_enabled() or all(shadow_of(value) is None for value in _tensors(open_)):
        return out
    shadows = [value if i in frozen else read(value) for i, value in enumerate(args)]
    try:
        twins = function(*shadows, **attrs)
    except (RuntimeError, LookupError, TypeError, ValueError):  # of what takes integers alone, where they are no numbers: bits, places
        return out
    return _placed(out, _tensors(twins))


def _placed(out: Any, twins: Iterator[torch.Tensor]) -> Any:
    """What was made of integers, where the same that was made of their shadows stands in the history."""
    if isinstance(out, (list, tuple)):
        return type(out)([_placed(part, twins) for part in out])
    if not isinstance(out, torch.Tensor):
        return out
    twin = next(twins)
    if not twin.requires_grad:
        return out
    if out.is_floating_point() or out.is_complex():
        return Handed.apply(twin, out)
    if shadow_of(out) is not None:
        out = out.view_as(out)
    _give(out, twin)
    return out


def _as_floating(definition: Op, attrs: dict[str, Any], out: Any) -> dict[str, Any]:
    """The attributes, with double precision where they name the data type of whole numbers that come out."""
    made = {value.dtype for value in _tensors(out) if not value.is_floating_point()}
    named = {name: attrs.get(name, definition.attrs.get(name)) for name in _KINDS}
    found = {name: int(VarType.FP64) for name, kind in named.items() if isinstance(kind, int) and kind >= 0 and torch_dtype(kind) in made}
    return attrs | found


def _tensors(value: Any) -> Iterator[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _tensors(part)


def written_over(value: Tensor, source: torch.Tensor) -> None:
    """Have the shadow of integers follow, where they were written over whole; what has no gradient hands on zeros, as torch's copies do."""
    shadow, former = shadow_of(source), shadow_of(value._t)
    if shadow is None and former is not None and torch.is_grad_enabled():
        shadow = former * 0 + source
    if shadow is not None:
        _hold(value._t, shadow)


def _hold(value: torch.Tensor, shadow: torch.Tensor) -> None:
    """Give integers a shadow, or another one."""
    if shadow_of(value) is None:
        _give(value, shadow)
    else:
        cast_shadow(value, shadow)


def written_in_part(value: Tensor, item: Any, source: Any) -> Any:
    """Have the shadow of integers follow, where a part of them is about to be overwritten.

    Args:
        value: what is written to.
        item: which part.
        source: what is written.
    Returns:
        `source`, as floating numbers that have its gradient where integers that have one are written to floating numbers.
    """
    target, given = value._t, source._t if isinstance(source, Tensor) else None
    if not torch.is_grad_enabled():
        return source
    if target.is_floating_point() or target.is_complex():
        return source if shadow_of(given) is None else Tensor(read(given).to(target.dtype))
    former = shadow_of(target)
    if former is None and (given is None or not history(given).requires_grad):
        return source
    if given is not None:
        given = read(made_whole(given, target.dtype) if shadow_of(given) is None else given).to(torch.float64)
    if former is None:
        begin(target)
    twin: Any = Tensor(read(target).clone())
    try:
        twin[item] = source if given is None else Tensor(given)
    except Exception:  # of what has no such part
        cast_shadow(target, former)
        raise
    _hold(target, twin._t)
    return source if given is None else source.detach()
