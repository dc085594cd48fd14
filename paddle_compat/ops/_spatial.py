"""What sliding windows share: layouts, and paddings as Paddle spells them."""

from __future__ import annotations

from collections.abc import Sequence

import torch
import torch.nn.functional as F

Pads = list[tuple[int, int]]


def is_channel_last(data_format: str) -> bool:
    """Whether the channels are the last dimension (NHWC, NDHWC, NLC)."""
    return data_format.endswith("C") and data_format != "NC"


def channels_first(x: torch.Tensor, data_format: str) -> torch.Tensor:
    """The tensor with its channels at dimension 1."""
    return x.movedim(-1, 1) if is_channel_last(data_format) else x


def channels_back(x: torch.Tensor, data_format: str) -> torch.Tensor:
    """The inverse of `channels_first`."""
    return x.movedim(1, -1) if is_channel_last(data_format) else x


def same_padding(size: int, kernel: int, stride: int) -> tuple[int, int]:
    """The padding that gives ceil(size / stride) windows, the odd one behind."""
    total = max((-(-size // stride) - 1) * stride + kernel - size, 0)
    return total // 2, total - total // 2


def resolve(
    sizes: Sequence[int], kernels: Sequence[int], strides: Sequence[int], paddings: Sequence[int], algorithm: str
) -> Pads:
    """The padding before and behind, per dimension. `paddings` has one number a dimension, or a pair for each."""
    if algorithm == "SAME":
        return [same_padding(*of_one) for of_one in zip(sizes, kernels, strides)]
    if algorithm == "VALID":
        return [(0, 0)] * len(kernels)
    if len(paddings) == len(kernels):
        return [(p, p) for p in paddings]
    return list(zip(paddings[::2], paddings[1::2]))


def pad(x: torch.Tensor, pads: Pads, value: float = 0.0) -> torch.Tensor:
    """Pad (or, where negative, crop) the last dimensions."""
    return F.pad(x, [p for pair in reversed(pads) for p in pair], value=value)
