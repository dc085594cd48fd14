"""A part of what runs at once whose values are computed again in the backward pass; `engine.recompute` is the same in a Program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import torch
from torch.utils.checkpoint import checkpoint, set_checkpoint_early_stop

from paddle_compat.core.random import default_generator


class _Again:
    """The surroundings of the first time, whenever the function runs again: the precision, and the rows of random numbers."""

    def __init__(self, precision: Callable[[], AbstractContextManager[Any]], devices: Sequence[torch.device]) -> None:
        self._precision = precision
        self._states = [(device, default_generator(device).get_state()) for device in devices]
        self._entered: list[tuple[AbstractContextManager[Any], list[Any]]] = []

    def __enter__(self) -> None:
        context = self._precision()
        context.__enter__()
        self._entered.append((context, [default_generator(device).get_state() for device, _ in self._states]))
        for device, state in self._states:
            default_generator(device).set_state(state)

    def __exit__(self, *exception: Any) -> None:
        context, now = self._entered.pop()
        for (device, _), state in zip(self._states, now):
            default_generator(device).set_state(state)
        context.__exit__(*exception)


def run(function: Callable[[], Any], devices: Sequence[torch.device], precision: Callable[[], AbstractContextManager[Any]]) -> Any:
    """Call a function, keeping none of what its operators save.

    Args:
        devices: whose random numbers are to come again.
        precision: gives the context in which it runs again.
    """

    def contexts() -> tuple[Any, Any]:
        return nullcontext(), _Again(precision, devices)

    with set_checkpoint_early_stop(False):  # what the function does beside computing happens twice, as in Paddle
        return checkpoint(function, use_reentrant=False, preserve_rng_state=bool(devices), context_fn=contexts)
