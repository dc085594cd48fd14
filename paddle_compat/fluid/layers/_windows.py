"""Sizes, steps and margins of the windows that convolutions and pooling slide over images."""

from __future__ import annotations

from typing import Any

from paddle_compat.fluid.layers._record import as_list


def channels_last(data_format: str, spatial: int, api: str) -> bool:
    """Whether the channels are the last dimension."""
    known = {2: ("NCHW", "NHWC"), 3: ("NCDHW", "NDHWC")}[spatial]
    if data_format not in known:
        raise ValueError(
            f"Invalid value for argument `data_format` of `{api}`. Expected {known[0]!r} or {known[1]!r}. "
            f"Received: {data_format!r}"
        )
    return data_format == known[1]


def margins(padding: Any, spatial: int, last: bool, api: str) -> tuple[list[int], str]:
    """`paddings` and `padding_algorithm`, from all spellings of a padding.

    Args:
        padding: "SAME", "VALID", an int, one or two ints for each spatial dimension, or a pair for every dimension.
        spatial: how many spatial dimensions there are.
        last: the channels come last.
    """
    if isinstance(padding, str):
        algorithm = padding.upper()
        if algorithm not in ("SAME", "VALID"):
            raise ValueError(f"Invalid value for argument `padding` of `{api}`. Expected 'SAME', 'VALID' or numbers. Received: {padding!r}")
        return [0] * spatial, algorithm
    if isinstance(padding, (list, tuple)) and len(padding) in (spatial + 2, 2 * spatial):
        found = list(padding)
        if isinstance(found[0], (list, tuple)) and len(found) == spatial + 2:
            outside = (0, spatial + 1) if last else (0, 1)
            if any(list(found[i]) != [0, 0] for i in outside):
                raise ValueError(
                    f"Invalid value for argument `padding` of `{api}`. Expected no margin of batch and channels. "
                    f"Received: {padding}"
                )
            found = [width for i, pair in enumerate(found) if i not in outside for width in pair]
        found = as_list(found, 2 * spatial, "padding")
        if found[::2] == found[1::2]:
            found = found[::2]
        return found, "EXPLICIT"
    return as_list(padding, spatial, "padding"), "EXPLICIT"
