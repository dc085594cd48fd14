"""Arguments that all layers with sliding windows share: one number or one a dimension, and spellings of padding."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paddle_compat.core.attribute_variables import variables_of
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.variable import Variable
from paddle_compat.tensor._shapes import parts


def each(value: Any, rank: int, name: str, refusal: Callable[..., Exception] = invalid_argument) -> list[int]:
    """One int per dimension, from an int or a list of them; `refusal` makes the error for anything else."""
    if isinstance(value, int):
        return [value] * rank
    try:
        values = [int(v) for v in value]
    except (TypeError, ValueError):
        values = []
    if len(values) != rank:
        raise refusal(name, f"an int or {rank} ints", value)
    return values


def each_or_variables(value: Any, rank: int, name: str) -> Any:
    """As `each`; a Variable that holds the ints stays what it is, and so do those in a list."""
    if isinstance(value, Variable) and value.shape:
        return value
    return parts(value) if isinstance(value, (list, tuple)) and variables_of(value) else each(value, rank, name)


def is_channel_last(data_format: str, rank: int, api: str) -> bool:
    """Whether the channels come last; ValueError for a format that there is not."""
    first, last = ("NCL", "NLC") if rank == 1 else ("NCHW", "NHWC") if rank == 2 else ("NCDHW", "NDHWC")
    if data_format not in (first, last):
        raise invalid_argument("data_format", f"{first!r} or {last!r}", data_format, api)
    return data_format == last


def padding_of(padding: Any, rank: int, channel_last: bool, api: str) -> tuple[list[int], str]:
    """The attributes `paddings` and `padding_algorithm` for any spelling of a padding.

    Args:
        padding: "SAME", "VALID", an int, one a dimension, two a dimension, or a pair for each dimension of the input.
    """
    if isinstance(padding, str):
        if padding.upper() not in ("SAME", "VALID"):
            raise invalid_argument("padding", "'SAME', 'VALID' or numbers", padding, api)
        return [0] * rank, padding.upper()
    if isinstance(padding, (list, tuple)) and len(padding) == rank + 2 and isinstance(padding[0], (list, tuple)):
        spatial = padding[1:-1] if channel_last else padding[2:]
        kept = [padding[0], padding[-1] if channel_last else padding[1]]
        if any(list(pair) != [0, 0] for pair in kept):
            raise invalid_argument("padding", "[0, 0] for the batch and the channels", padding, api)
        padding = [p for pair in spatial for p in pair]
    ends = isinstance(padding, (list, tuple)) and len(padding) == 2 * rank
    pads = each(padding, 2 * rank if ends else rank, "padding")
    if min(pads) < 0:
        raise invalid_argument("padding", "numbers from 0 on", pads, api)
    return (pads[::2] if ends and pads[::2] == pads[1::2] else pads), "EXPLICIT"
