"""Tensors without dimensions: Paddle has them since 2.5. Before, one number had the shape [1].

`PADDLE_COMPAT_VERSION=2.4.2` says that a script was written for Paddle before 2.5: what an operator gives has one dimension at least,
and so has what Tensors are made of. `FLAGS_set_to_1d`, with which 2.5 eased the change, keeps a dimension for elements that an index
names and for arrays that `numpy` gives.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from typing import Any

import torch

from paddle_compat import _alias

NONE_WITHOUT = _alias.since("2") and not _alias.since("2.5")
watchers: list[Callable[[bool], None]] = []  # told whether FLAGS_set_to_1d is on when that is set


def raised(value: Any) -> Any:
    """What has no dimensions, a torch tensor or the Meta of one, with the shape [1]; in lists, too. Everything else as it is."""
    if isinstance(value, torch.Tensor):
        return value if value.dim() else value.reshape(1)
    if type(value) in (list, tuple):
        return type(value)(map(raised, value))
    if dataclasses.is_dataclass(value) and getattr(value, "shape", None) == ():
        return dataclasses.replace(value, shape=(1,))  # type: ignore[type-var]
    return value


def raising(function: Any) -> Any:
    """A function of an operator, or one that infers its shapes, as it was before Paddle 2.5; None stays."""
    if function is None or not NONE_WITHOUT:
        return function

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        return raised(function(*args, **kwargs))

    return call
