"""Index arithmetic that operators on LoD tensors share: offsets live on the CPU, row indices where the rows are."""

from __future__ import annotations

from typing import Any

import torch

from paddle_compat.core.errors import InvalidArgumentError
from paddle_compat.core.lod import LoD

Tensor = torch.Tensor


def no_value(*inputs: Any, **attrs: Any) -> None:
    """The rule of an output that the wheels' kernels leave empty, or use as scratch space."""


def need_lod(lod: LoD | None, argument: str, operator: str, levels: int | None = None) -> LoD:
    """The LoD, or Paddle's error where a tensor without (or with another number of levels of) LoD came in."""
    if not lod or (levels is not None and len(lod) != levels):
        expected = "a LoD tensor" if levels is None else f"a LoD tensor of {levels} level(s)"
        raise InvalidArgumentError(
            f"Invalid value for argument `{argument}` of `{operator}`. Expected {expected}. "
            f"Received: {len(lod or ())} levels"
        )
    return lod


def lengths(offsets: Tensor) -> Tensor:
    """Sequence lengths from offsets."""
    return offsets[1:] - offsets[:-1]


def offsets_of(counts: Tensor) -> Tensor:
    """Offsets from sequence lengths (on the CPU, int64)."""
    offsets = torch.zeros(counts.numel() + 1, dtype=torch.int64)
    torch.cumsum(counts.to(device="cpu", dtype=torch.int64), 0, out=offsets[1:])
    return offsets


def in_rows(lod: LoD) -> Tensor:
    """The offsets of the outermost sequences, counted in rows and not in sequences of the level below."""
    offsets = lod[0]
    for level in lod[1:]:
        offsets = level[offsets]
    return offsets


def sequence_ids(offsets: Tensor) -> Tensor:
    """For every row the number of its sequence (CPU)."""
    count = lengths(offsets)
    return torch.repeat_interleave(torch.arange(count.numel()), count)


def ranges(starts: Tensor, counts: Tensor) -> Tensor:
    """All numbers of the ranges ``starts[i] .. starts[i] + counts[i]``, one after the other (CPU)."""
    ends = offsets_of(counts)
    shift = torch.repeat_interleave(starts - ends[:-1], counts)
    return torch.arange(int(ends[-1])) + shift


def take(x: Tensor, rows: Tensor) -> Tensor:
    """Rows of `x` by CPU indices."""
    return x.index_select(0, rows.to(x.device))


def padded_rows(offsets: Tensor) -> tuple[Tensor, Tensor]:
    """Row numbers of the sequences side by side [B, T] (0 where there is none), and which of them are there (CPU)."""
    count = lengths(offsets)
    step = torch.arange(int(count.max()) if count.numel() else 0)
    there = step < count.unsqueeze(1)
    return torch.where(there, offsets[:-1].unsqueeze(1) + step, 0), there


def pick_sequences(lod: LoD, units: Tensor) -> tuple[Tensor, LoD]:
    """Some members of the first level of a LoD, in the given order: their rows, and the LoD that these rows then have.

    Without any level the members are rows.
    """
    picked = []
    for offsets in lod:
        counts = lengths(offsets)[units]
        picked.append(offsets_of(counts))
        units = ranges(offsets[:-1][units], counts)
    return units, tuple(picked)


def join_lods(lods: list[LoD]) -> LoD:
    """The LoD of tensors laid one after the other."""
    if len({len(lod) for lod in lods}) > 1:
        raise InvalidArgumentError(
            "Invalid value for tensors that are laid one after the other. Expected equally many LoD levels. "
            f"Received: {[len(lod) for lod in lods]}"
        )
    return tuple(offsets_of(torch.cat([lengths(level) for level in levels])) for levels in zip(*lods))
