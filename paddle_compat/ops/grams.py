"""Runs of neighbouring words, looked up by their hashes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch

from paddle_compat.core.errors import UnsupportedError, invalid_argument
from paddle_compat.core.lod import LoD
from paddle_compat.core.op import Meta, op
from paddle_compat.ops._lod import need_lod, offsets_of

Tensor = torch.Tensor
_PRIMES = (2654435761, 2246822519, 3266489917, 668265263, 374761393)
_WORD = 0xFFFFFFFF
_MOST = 0x7FFFFFFF  # that `rand_r` gives


def _turn(value: int, bits: int) -> int:
    return (value << bits | value >> (32 - bits)) & _WORD


def xxh32(words: list[int], seed: int) -> int:
    """The 32-bit hash of some words of 32 bits."""
    first, second, third, fourth, fifth = _PRIMES
    rest = words
    if len(words) >= 4:
        lanes = [seed + first + second, seed + second, seed, seed - first]
        whole = len(words) // 4 * 4
        for at, word in enumerate(words[:whole]):
            lanes[at % 4] = _turn((lanes[at % 4] + word * second) & _WORD, 13) * first & _WORD
        found, rest = sum(_turn(lane, bits) for lane, bits in zip(lanes, (1, 7, 12, 18))), words[whole:]
    else:
        found = seed + fifth
    found += 4 * len(words)
    for word in rest:
        found = _turn((found + word * third) & _WORD, 17) * fourth
    found &= _WORD
    found = (found ^ found >> 15) * second & _WORD
    found = (found ^ found >> 13) * third & _WORD
    return found ^ found >> 16


def _draws(seed: int) -> Iterator[int]:
    """What C's `rand_r` draws, without end."""
    state = seed & _WORD
    while True:
        drawn = 0
        for bits in (11, 10, 10):
            state = (state * 1103515245 + 12345) & _WORD
            drawn = drawn << 10 ^ (state >> 16) % (1 << bits)
        yield drawn


def _meta(x: Meta, table: Meta, *filters: Any, num_emb: int = 0, **attrs: Any) -> tuple[Meta, Meta]:
    return Meta((-1, num_emb), table.dtype, x.lod_level), Meta((-1, 1), torch.int32, x.lod_level)


def _words_meta(x: Meta, table: Meta, *filters: Any, **attrs: Any) -> Meta:
    return Meta((-1, 1), table.dtype, 0)


@op(
    inputs=("X", "W", "WhiteList", "BlackList"), outputs=("Out", "DropPos", "X_Temp_Out~"), infer=_meta, lod=("Out", "DropPos"),
    grad=("X", "W", "DropPos", "X_Temp_Out"), no_grad=("W", "WhiteList", "BlackList"), random=True,
    describe={"X_Temp_Out": _words_meta}, derive={"X_Temp_Out": lambda x, table, *rest, **attrs: x.to(table.dtype).reshape(-1, 1)},
)  # fmt: skip
def pyramid_hash(
    x: Tensor, table: Tensor, white: Tensor | None = None, black: Tensor | None = None, *, num_emb: int = 0, space_len: int = 0,
    pyramid_layer: int = 2, rand_len: int = 0, drop_out_percent: float = 0.0, is_training: int = 0, use_filter: bool = True,
    white_list_len: int = 0, black_list_len: int = 0, seed: int = 0, lr: float = 0.0, distribute_update_vars: str = "",
    x_lod: LoD | None = None,
) -> tuple[Tensor, Tensor, LoD, LoD]:  # fmt: skip
    """A row for each run of 2 up to `pyramid_layer` words of a text: pieces of the table that start where the run's hashes say.

    In training some runs are left out; a text of which none is left has a row of zeros. Afterwards the rows are scaled instead, as
    Paddle does it by the share that was left out.
    """
    if use_filter and (white_list_len or black_list_len):
        raise UnsupportedError("pyramid_hash with use_filter=True")
    if rand_len < 1 or num_emb % rand_len:
        raise invalid_argument("num_emb", f"a multiple of rand_len, {rand_len}", num_emb, "pyramid_hash")
    lod = need_lod(x_lod, "X", "pyramid_hash", 1)
    numbers = x.detach().reshape(-1).to("cpu", torch.float32)
    words = numbers.numpy().view(np.uint32).tolist()
    draws = _draws(seed)
    starts: list[list[int]] = []
    kept: list[int] = []
    sizes, told = [], []
    for begin, end in itertools.pairwise(lod[0].tolist()):
        runs = [words[at : at + size] for size in range(2, min(pyramid_layer, end - begin) + 1) for at in range(begin, end - size + 1)]
        stays = [not is_training or next(draws) >= int(_MOST * drop_out_percent) for _ in runs]
        told.append(len(runs))
        kept += stays
        chosen = [run for run, stay in zip(runs, stays) if stay]
        starts += [[xxh32(run, piece) % space_len for piece in range(0, num_emb, rand_len)] for run in chosen] or [[-1]]
        sizes.append(max(len(chosen), 1))
    rows = table.detach().reshape(-1).unfold(0, rand_len, 1)
    zeros = table.new_zeros(num_emb)
    found = [zeros if places == [-1] else rows[torch.tensor(places, device=table.device)].reshape(-1) for places in starts]
    out = torch.stack(found) if found else table.new_zeros(0, num_emb)
    positions = torch.tensor(kept, dtype=torch.int32, device=x.device).reshape(-1, 1)
    lods = (offsets_of(torch.tensor(sizes)),), (offsets_of(torch.tensor(told)),)
    return out if is_training else out * drop_out_percent, positions, *lods


__all__ = ["pyramid_hash"]
