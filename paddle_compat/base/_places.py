"""Where values go, in the words of `paddle.base.framework`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

from paddle_compat.core.place import Place, current_place, place_of_name, set_current_place


def _current_expected_place() -> Place:
    """The device that operators run on.

    Returns:
        Place.

    Example:
        >>> import paddle_compat as paddle
        >>> _ = paddle.set_device("cpu")
        >>> paddle.framework._current_expected_place()
        Place(cpu)

    Follows Paddle 2.6.
    """
    return current_place()


_current_expected_place_ = _current_expected_place


def _set_expected_place(place: Any) -> None:
    found = _get_paddle_place(place)
    if found is not None:
        set_current_place(found)


_set_dygraph_tracer_expected_place = _set_expected_place


def _get_paddle_place(place: Any) -> Place | None:
    """The place that a name stands for.

    Args:
        place (str|Place): the name; a place and None stay as they are.
    Returns:
        Place.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.framework._get_paddle_place("cpu")
        Place(cpu)

    Follows Paddle 2.6.
    """
    return None if place is None else place_of_name(place, "place")


def _get_paddle_place_list(places: Any) -> list[Place | None]:
    if not isinstance(places, (list, tuple)):
        raise TypeError(f"Invalid type for argument `places`. Expected a list or a tuple. Received: {places!r}")
    return [_get_paddle_place(place) for place in places]


@contextmanager
def _dygraph_place_guard(place: Any) -> Iterator[None]:
    """Values go to this place inside; None: where they go outside."""
    former = current_place()
    if place is not None:
        set_current_place(place)
    try:
        yield
    finally:
        set_current_place(former)


def _cpu_num() -> int:
    """How many replicas run on the CPU: the environment variable CPU_NUM, which is 1 by default."""
    os.environ.setdefault("CPU_NUM", "1")
    return int(os.environ["CPU_NUM"])


def _cuda_ids() -> list[int]:
    """The GPUs that FLAGS_selected_gpus names, else all."""
    chosen = os.getenv("FLAGS_selected_gpus")
    return [int(number) for number in chosen.split(",")] if chosen else list(range(torch.cuda.device_count()))
