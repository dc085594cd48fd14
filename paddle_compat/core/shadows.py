"""What stands in the history for integers that let gradients through, which torch does not differentiate: see `core.integers`."""

from __future__ import annotations

from typing import Any

import torch


def shadow_of(value: Any) -> torch.Tensor | None:
    """The floating numbers that stand for integers in the history; None where nothing does."""
    return getattr(value, "_shadow", None)


def cast_shadow(value: torch.Tensor, shadow: torch.Tensor | None) -> None:
    """Have floating numbers stand for integers in the history, or nothing any more."""
    if shadow is not None or shadow_of(value) is not None:
        value._shadow = shadow  # type: ignore[attr-defined]


def history(value: torch.Tensor) -> torch.Tensor:
    """What stands for a torch tensor in the history: mostly itself."""
    shadow = shadow_of(value)
    return value if shadow is None else shadow
