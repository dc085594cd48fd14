"""Peepholes: rewrites of a lowered graph that change its speed and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from paddle_compat.engine.lowering import Lowered


def apply(lowered: Lowered) -> None:
    """Rewrite the graph in place."""
