"""Tensors of several groups as one each, and back: what harnesses of data parallel training call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch

from paddle_compat.core.tensor import Tensor


def _coalesce_tensors(var_groups: Mapping[Any, Sequence[Tensor]]) -> list[list[Any]]:
    """For each group a Tensor of all elements, the group's Tensors and their shapes."""
    return [
        [Tensor(torch.cat([var._t.detach().reshape(-1) for var in group])), list(group), [var.shape for var in group]]
        for group in var_groups.values()
    ]


def _split_tensors(coalesced_grads_and_grad_vars: Sequence[Sequence[Any]]) -> None:
    """Put the elements of what `_coalesce_tensors` gave back into the Tensors of the groups."""
    for whole, group, _ in coalesced_grads_and_grad_vars:
        with torch.no_grad():
            for var, part in zip(group, whole._t.split([var._t.numel() for var in group])):
                var._t.copy_(part.reshape(var._t.shape))
