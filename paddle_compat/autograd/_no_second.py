"""What Paddle's second derivatives do not depend on: `relu` and its like have none with respect to what they are of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import torch

from paddle_compat.core.shadows import history

# torch gives zeros there: for what these nodes of second derivatives read second
_KINDS = ("Threshold", "LeakyRelu", "Hardtanh", "Hardshrink", "AvgPool2D", "AvgPool3D")
_ZEROS = frozenset(f"{kind}BackwardBackward0" for kind in _KINDS)
FIRST = _ZEROS | {f"{kind}Backward0" for kind in (*_KINDS, "Relu")}  # whose derivatives are such nodes
_CUT = "paddle_compat.cut"


def cut(node: Any) -> None:
    """Have a node of second derivatives give nothing where torch gives zeros."""
    if type(node).__name__ in _ZEROS and _CUT not in node.metadata:
        node.metadata[_CUT] = True
        node.register_hook(lambda gradients, _: (gradients[0], None, *gradients[2:]))


def followed(node: Any) -> Iterator[tuple[Any, int]]:
    """The edges from a node on, but those along which only zeros go by their very kind."""
    kind = type(node).__name__
    for place, edge in enumerate(node.next_functions):
        if edge[0] is None or place == 1 and kind in _ZEROS:
            continue
        if kind == "SgnBackward0" and edge[0].name() == "HardshrinkBackward0":  # as `abs` computes its derivative
            continue
        yield edge


def reached(outputs: Sequence[torch.Tensor], inputs: Sequence[torch.Tensor]) -> list[bool]:
    """Whether a gradient that is not zero by its very kind goes from the outputs to each of the inputs."""
    outs, values = [*map(history, outputs)], [*map(history, inputs)]
    if any(value.is_complex() for value in (*outs, *values)):  # whose signs do have derivatives
        return [True] * len(values)
    met: set[Any] = {id(out) for out in outs}  # leaves, and the numbers of nodes' results
    walked: set[Any] = set()
    ahead: list[tuple[Any, int]] = [(out.grad_fn, out.output_nr) for out in outs if out.grad_fn is not None]
    while ahead:
        node, number = ahead.pop()
        met.add((node, number))
        if node in walked:
            continue
        walked.add(node)
        met.add(id(getattr(node, "variable", node)))  # only the nodes of leaves have it
        ahead += followed(node)
    places = ((value.grad_fn, value.output_nr) if value.grad_fn is not None else id(value) for value in values)
    return [not value.requires_grad or place in met for value, place in zip(values, places)]
