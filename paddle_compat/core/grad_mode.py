"""The switch of the gradient, which is torch's own and each thread's, and a hint that short ways can afford to ask.

Under `no_grad` a part of a Tensor has no gradient in Paddle; in torch a view has one there if what it is a view of has one. What makes
views looks whether that can be, and asking torch each time would cost as much as a tenth of the view.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import get_ident

import torch

_off: set[int] = set()  # threads that have switched it off
watchers: list[Callable[[bool], None]] = []  # told whether it is on in all threads


def set_enabled(on: bool) -> None:
    """Switch this thread's gradient on or off.

    Args:
        on: whether operators are remembered for a backward pass.
    """
    torch._C._set_grad_enabled(on)
    (_off.discard if on else _off.add)(get_ident())
    for watcher in watchers:
        watcher(not _off)


def without_history(view: torch.Tensor) -> torch.Tensor:
    """A view of the same memory that has no gradient where the switch is off.

    Args:
        view: a view, or a tensor of its own.
    Returns:
        The view itself where the switch is on, or where it has no gradient.
    """
    return view.detach() if view.requires_grad and not torch.is_grad_enabled() else view
