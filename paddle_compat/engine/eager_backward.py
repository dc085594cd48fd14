"""Backward passes over what ran at once: torch's engine, with the refusals of Paddle's."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Any, Protocol

import torch

from paddle_compat.core.errors import FatalError, InvalidArgumentError, PermissionDeniedError
from paddle_compat.core.frozen import thawed
from paddle_compat.core.shadows import history

_engine = torch.autograd.Variable._execution_engine.run_backward
_SPENT = "paddle_compat.spent"  # in a node's metadata: a backward pass from here let go of what it needed


class Follower(Protocol):
    """Somebody who has work to do when a backward pass is through."""

    def finish(self, error: BaseException | None) -> None:
        """Do it; or clean up, where the pass failed."""


_depth = 0  # a pass may run another one
after: list[Follower] = []  # who put themselves down, in hooks, for the end of the pass that goes on
# Contexts of the passes that leave gradients in leaves: each is told where a pass starts and with which gradients, and gives others.
Around = Callable[[list[torch.Tensor], list[torch.Tensor]], AbstractContextManager[list[torch.Tensor]]]
around: list[Around] = []


def running() -> bool:
    """Whether a backward pass goes on."""
    return _depth > 0


def backward(tensors: Sequence[torch.Tensor], seeds: Sequence[torch.Tensor | None], retain_graph: bool) -> None:
    """Leave the gradients in the leaves' `grad`, added to what is there.

    Args:
        tensors: where it starts; those without a history are passed over.
        seeds: their gradients; None: ones.
        retain_graph: whether another backward pass may follow.
    """
    outs, weights = _starts(tensors, seeds)
    if outs:
        with ExitStack() as stack:
            for context in () if _depth else around:
                weights = stack.enter_context(context(outs, weights))
            _run(outs, weights, retain_graph, False, (), True)
        if not retain_graph:
            for out in outs:
                if out.grad_fn is not None:
                    metadata(out.grad_fn)[_SPENT] = True


def backward_from(edge: torch.autograd.graph.GradientEdge, weight: torch.Tensor, retain_graph: bool) -> None:
    """`backward` from a place in the graph of which there is no tensor: where integers came from.

    Args:
        edge: the place.
        weight: the gradient that comes there.
        retain_graph: whether another backward pass may follow.
    """
    _run([edge], [weight], retain_graph, False, (), True)
    if not retain_graph:
        metadata(edge.node)[_SPENT] = True


def gradients(
    outputs: Sequence[torch.Tensor],
    inputs: Sequence[torch.Tensor],
    seeds: Sequence[torch.Tensor | None],
    create_graph: bool = False,
    blocked: Iterable[torch.Tensor] = (),
) -> list[torch.Tensor | None]:
    """The gradients of the outputs' sum with respect to the inputs, None where no path leads there. The graph stays whole.

    Args:
        seeds: the gradients of the outputs; None: ones.
        create_graph: whether the gradients can be differentiated.
        blocked: tensors that no gradient passes through.
    """
    outs, weights = _starts(outputs, seeds)
    if not outs:
        return [None] * len(inputs)
    places, stops = [*map(history, inputs)], [*map(history, blocked)]
    frozen = [x for x in places if not x.requires_grad and (x.is_floating_point() or x.is_complex())]
    if frozen:
        reached = {id(leaf) for leaf in leaves(outs)}
        with thawed([x for x in frozen if id(x) in reached]):
            found = _wanted(outs, weights, places, create_graph, stops)
    else:
        found = _wanted(outs, weights, places, create_graph, stops)
    return [g if g is None or place is x else g.to(x.dtype) for g, place, x in zip(found, places, inputs)]


def _wanted(
    outs: list[torch.Tensor],
    weights: list[torch.Tensor],
    inputs: Sequence[torch.Tensor],
    create_graph: bool,
    blocked: Iterable[torch.Tensor],
) -> list[torch.Tensor | None]:
    """The gradients with respect to those inputs that have any."""
    reachable = [x for x in inputs if x.requires_grad]
    if not reachable:
        return [None] * len(inputs)
    stops = [block(x, x.grad_fn) for x in blocked if x.grad_fn is not None]
    hooked = [(x, x._backward_hooks) for x in reachable if x.is_leaf and x._backward_hooks]
    try:
        for x, _ in hooked:  # a leaf's hooks see what is left in its `grad`, and this is not
            x._backward_hooks = None
        found = iter(_run(outs, weights, True, create_graph, tuple(reachable), False))
    finally:
        for x, hooks in hooked:
            x._backward_hooks = hooks
        for stop in stops:
            stop.remove()
    values = _apart([next(found) if x.requires_grad else None for x in inputs], weights)
    return [differentiable(g) if create_graph else g if g is None else g.detach() for g in values]


def _apart(gradients: list[torch.Tensor | None], weights: list[torch.Tensor]) -> list[torch.Tensor | None]:
    """The gradients, none of which is another one or what the pass began with: `x + y` hands on the same tensor to both."""
    seen = {id(weight) for weight in weights}
    for at, gradient in enumerate(gradients):
        if gradient is not None:
            if id(gradient) in seen:
                gradients[at] = gradient.clone()
            seen.add(id(gradient))
    return gradients


@contextmanager
def enlarged(outs: list[torch.Tensor], weights: list[torch.Tensor], factor: torch.Tensor) -> Iterator[list[torch.Tensor]]:
    """For `around`: gradients are larger by a factor on their way, and divided by it where they come to leaves.

    Args:
        factor: without dimensions.
    """

    def divided(gradient: torch.Tensor) -> torch.Tensor:
        return (gradient / factor).to(gradient.dtype)

    hooks = []
    for leaf in leaves(outs):
        others = dict(leaf._backward_hooks or {})
        hooks.append(leaf.register_hook(divided))
        kept: Any = leaf._backward_hooks
        for name in others:  # go behind it, so that they see what the gradient is without the factor
            kept[name] = kept.pop(name)
    try:
        yield [(weight * factor).to(weight.dtype) for weight in weights]
    finally:
        for hook in hooks:
            hook.remove()


def leaves(outputs: Iterable[torch.Tensor]) -> list[torch.Tensor]:
    """The leaves that a backward pass from here comes to."""
    found = {id(out): out for out in outputs if out.grad_fn is None and out.requires_grad}
    ahead = [out.grad_fn for out in outputs if out.grad_fn is not None]
    seen = set(ahead)
    while ahead:
        node: Any = ahead.pop()
        leaf = getattr(node, "variable", None)  # only the nodes of leaves have it
        if leaf is not None:
            found[id(leaf)] = leaf
        for following, _ in node.next_functions:
            if following is not None and following not in seen:
                seen.add(following)
                ahead.append(following)
    return list(found.values())


def differentiable(gradient: torch.Tensor | None) -> torch.Tensor | None:
    """A gradient that was asked for as one to differentiate; a constant one begins a history of its own, as in Paddle."""
    return gradient if gradient is None or gradient.requires_grad else gradient.detach().requires_grad_().clone()  # and no leaf


def _starts(tensors: Sequence[torch.Tensor], seeds: Sequence[torch.Tensor | None]) -> tuple[list[torch.Tensor], list[torch.Tensor]]:
    """What stands for the tensors that have a history in it, and their gradients."""
    outs, weights = [], []
    for tensor, seed in zip(tensors, seeds):
        end = history(tensor)
        if end.requires_grad:
            node = end.grad_fn
            if node is not None and _SPENT in metadata(node):
                raise _spent(node.name())
            if seed is None:
                seed = torch.ones_like(tensor)
            elif seed.dtype is not tensor.dtype or seed.numel() != tensor.numel():
                raise InvalidArgumentError(
                    "The gradient that a backward pass starts with does not fit its tensor. Expected "
                    f"{list(tensor.shape)} of {tensor.dtype}. Received: {list(seed.shape)} of {seed.dtype}"
                )
            seed = seed if seed.shape == tensor.shape else seed.reshape(tensor.shape)  # Paddle looks at the numbers only
            outs.append(end)
            weights.append(seed if end is tensor else seed.to(end.dtype))
    return outs, weights


def metadata(node: Any) -> dict[Any, Any]:
    """What is noted of a node of the graph."""
    return node.metadata


def block(x: torch.Tensor, node: Any) -> Any:
    """Let no gradient pass through a tensor that the node made, until what is returned is removed."""
    position = x.output_nr
    return node.register_prehook(lambda grads: tuple(None if n == position else g for n, g in enumerate(grads)))


def _run(outs: list[Any], weights: list[torch.Tensor], keep: bool, create: bool, inputs: tuple[Any, ...], accumulate: bool) -> Any:
    """torch's engine, whose refusals become Paddle's."""
    global _depth
    _depth += 1
    failure: BaseException | None = None
    try:
        return _engine(tuple(outs), tuple(weights), keep, create, inputs, True, accumulate_grad=accumulate)
    except BaseException as error:
        failure = error
        if not isinstance(error, RuntimeError):
            raise
        text = str(error)
        if text.startswith("Trying to backward through the graph a second time"):
            raise _spent("the graph") from error
        if "has been modified by an inplace operation" in text:
            raise PermissionDeniedError(_overwritten(text)) from error
        raise
    finally:
        _depth -= 1
        if after and not _depth:
            followers = list(after)
            after.clear()
            for follower in followers:
                follower.finish(failure)


def _overwritten(text: str) -> str:
    """What torch says of a saved Tensor that was written to since, with the versions in the words that Paddle's tests look for."""
    found = re.search(r"is at version (\d+); expected version (\d+)", text)
    versions = f" (received tensor_version:{found[1]} != wrapper_version_snapshot:{found[2]})" if found else ""
    return (
        "A Tensor used in gradient computation has been modified by an inplace operation. Expected the version that the "
        f"operator saved: use another Tensor, or a clone, for what is overwritten. Received: {text.split(':', 1)[-1].strip()}{versions}"
    )


def _spent(node: str) -> FatalError:
    return FatalError(
        f"What the backward pass of {node} needs is no longer there. Expected one backward pass, or retain_graph=True in the "
        "first backward or grad call. Received: a call to calculate backward twice for the same subgraph"
    )
