"""What Paddle's second derivatives do not depend on: `relu` and its like have none with respect to what they are of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from paddle_compat.core.shadows import history

# torch gives zeros there: for what these nodes of second derivatives read second
_ZEROS = frozenset(f"{kind}BackwardBackward0" for kind in ("Threshold", "LeakyRelu", "Hardtanh", "Hardshrink", "AvgPool2D", "AvgPool3D"))


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
        for place, edge in enumerate(node.next_functions):
            if edge[0] is None or place == 1 and node.name() in _ZEROS:
                continue
            if node.name() == "SgnBackward0" and edge[0].name() == "HardshrinkBackward0":  # as `abs` computes its derivative
                continue
            ahead.append(edge)
    places = ((value.grad_fn, value.output_nr) if value.grad_fn is not None else id(value) for value in values)
    return [not value.requires_grad or place in met for value, place in zip(values, places)]
