"""Leaves that were frozen after operators had read them: what these recorded still gives them gradients, as in Paddle.

torch asks a leaf in the backward pass whether it wants a gradient, Paddle asks it when an operator reads it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch

from paddle_compat.core.shadows import cast_shadow

_WATCHED = "paddle_compat.frozen"


def freeze(leaf: torch.Tensor) -> None:
    """Let no operator from now on record anything for a leaf."""
    cast_shadow(leaf, None)
    if not leaf.requires_grad:
        return
    with torch.enable_grad():
        view = leaf.view_as(leaf)
    node: Any = view.grad_fn.next_functions[0][0]  # type: ignore[union-attr]  # the one where all of its histories end, gone with them
    if _WATCHED not in node.metadata:
        node.metadata[_WATCHED] = True
        node.register_prehook(lambda gradients: _keep(leaf, gradients[0]))
    leaf.requires_grad_(False)


def _keep(leaf: torch.Tensor, gradient: torch.Tensor | None) -> None:
    """Add up what torch drops."""
    if gradient is not None and not leaf.requires_grad:
        leaf.grad = gradient.detach().clone() if leaf.grad is None else leaf.grad + gradient.detach()


@contextmanager
def thawed(leaves: Sequence[torch.Tensor]) -> Iterator[None]:
    """Let torch differentiate with respect to frozen leaves."""
    for leaf in leaves:
        leaf.requires_grad_(True)
    try:
        yield
    finally:
        for leaf in leaves:
            leaf.requires_grad_(False)
