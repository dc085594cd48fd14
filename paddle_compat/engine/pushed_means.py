"""Means of what trainers push in a round, made in the memory in which it came, those of all dense parameters at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import torch

from paddle_compat.core.operator import Operator


class Mean(NamedTuple):
    """A sum of trainers' gradients, times a factor.

    Attributes:
        parts: the names of the gradients.
        out: the name of the mean.
        factor: by which the sum is multiplied.
    """

    parts: tuple[str, ...]
    out: str
    factor: float


def mean_at_first(ops: Sequence[Operator], pushed: Iterable[str]) -> tuple[Mean | None, Sequence[Operator]]:
    """The mean that a block begins with, if it does, and the operators that are left then.

    Args:
        ops: of the block.
        pushed: the names of what came.
    """
    first, rest = ops[0], ops[1:]
    parts, outs = first.input("X") if first.type == "sum" else [], first.output_arg_names
    if not parts or not set(pushed).issuperset(parts) or any(not set(parts).isdisjoint(op.input_arg_names) for op in rest):
        return None, ops
    factor = 1.0
    if rest and rest[0].type == "scale" and rest[0].input_arg_names == rest[0].output_arg_names == outs and not rest[0].attrs.get("bias"):
        factor, rest = rest[0].attrs["scale"], rest[1:]
    return Mean(tuple(parts), outs[0], factor), rest


def take_means(means: Iterable[Mean], feed: dict[str, torch.Tensor]) -> None:
    """Put means in the place of what they are made from, whose memory they take.

    Args:
        means: each of what is there.
        feed: gradients, dense ones or sparse COO tensors with gradients of some rows, by name.
    """
    alike: dict[tuple[int, float], list[tuple[str, list[torch.Tensor]]]] = defaultdict(list)
    for parts, out, factor in means:
        values = [feed.pop(name) for name in parts]
        if values[0].is_sparse:
            feed[out] = _rows(values, factor)
        else:
            alike[len(parts), factor].append((out, values))
    for (count, factor), lists in alike.items():
        totals = [values[0] for _, values in lists]
        for i in range(1, count):
            torch._foreach_add_(totals, [values[i] for _, values in lists])
        if factor != 1.0:
            torch._foreach_mul_(totals, factor)
        feed.update((out, values[0]) for out, values in lists)


def _rows(values: Sequence[torch.Tensor], factor: float) -> torch.Tensor:
    """Rows of all, one after the other."""
    if len(values) == 1 and factor == 1.0:
        return values[0]
    rows = torch.cat([each._indices() for each in values], 1)
    gradients = torch.cat([each._values() for each in values]).mul_(factor)
    return torch.sparse_coo_tensor(rows, gradients, values[0].shape, check_invariants=False)
