"""Rows by tag, hashes of ids, and the focus of feature maps."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import torch

from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.lod import LoD
from paddle_compat.core.op import Meta, op
from paddle_compat.ops._lod import need_lod, offsets_of, ranges

Tensor = torch.Tensor


def _tagged_meta(rows: Meta, *rest: Meta, **attrs: object) -> tuple[Meta, Meta, Meta]:
    # what the real one infers for the map has a column less than comes out
    return Meta((-1, *rows.shape[1:]), rows.dtype, 0), Meta((-1, 1), torch.float32, 0), Meta((-1, 2), torch.int64, 0)


@op(
    inputs=("Ins", "Ins_tag", "Filter_tag"),
    outputs=("Out", "LossWeight", "IndexMap"),
    grad=("Ins", "LossWeight", "IndexMap"),
    no_grad=("Ins_tag", "Filter_tag"),
    lod=("Out", "LossWeight", "IndexMap"),
    infer=_tagged_meta,
)
def filter_by_instag(
    rows: Tensor,
    tags: Tensor,
    wanted: Tensor,
    *,
    is_lod: bool,
    out_val_if_empty: int = 0,
    rows_lod: LoD | None = None,
    tags_lod: LoD | None = None,
) -> tuple[Tensor, Tensor, Tensor, LoD, LoD, LoD]:
    """The instances that have one of the wanted tags, their weight in a loss, and where each of them was.

    Where there is none, one row of `out_val_if_empty` comes out, with weight 0.
    """
    offsets = need_lod(rows_lod, "Ins", "filter_by_instag")[0] if is_lod else torch.arange(len(rows) + 1)
    bounds = tags_lod[-1].tolist() if tags_lod else list(range(len(tags) + 1))
    hits = torch.isin(tags.flatten(), wanted.flatten()).tolist()
    chosen = [i for i in range(len(bounds) - 1) if any(hits[bounds[i] : bounds[i + 1]])]
    if not chosen:
        out = rows.new_full((1, *rows.shape[1:]), out_val_if_empty)
        one = (torch.tensor([0, 1]),)
        return out, rows.new_zeros((1, 1), dtype=torch.float32), torch.tensor([[0, 1, 1]], device=rows.device), one, one, one
    which = torch.tensor(chosen)
    starts, counts = offsets[which], offsets[which + 1] - offsets[which]
    out = rows[ranges(starts, counts).to(rows.device)]
    ends = offsets_of(counts)
    table = torch.stack((ends[:-1], starts, counts), 1).to(rows.device)
    each = (torch.arange(len(chosen) + 1),)
    weight = torch.ones((len(out) if not is_lod else len(chosen), 1), dtype=torch.float32, device=rows.device)
    return out, weight, table, (ends,), each, each


@op(inputs=("X",), lod=None)
def similarity_focus(x: Tensor, *, axis: int, indexes: Sequence[int]) -> Tensor:
    """1 where an element is the largest of its row and its column, the largest picked first; 0 elsewhere.

    Slices `indexes` of dimension `axis` are looked at, and what is found holds for the whole dimension.
    """
    if x.dim() != 4:
        raise invalid_argument("X", "4 dimensions", f"shape {list(x.shape)}", "similarity_focus")
    if x.is_meta:
        return torch.empty_like(x)
    moved = x.movedim(axis, 1)
    focus = torch.zeros_like(moved[:, 0])
    own = moved[:, list(indexes)].clone()
    image = torch.arange(len(own), device=x.device)[:, None]
    which = torch.arange(own.shape[1], device=x.device)
    for _ in range(min(own.shape[2:])):
        place = own.flatten(2).argmax(2)
        row, column = torch.div(place, own.shape[3], rounding_mode="floor"), place % own.shape[3]
        focus[image, row, column] = 1.0
        own[image, which, row] = -math.inf
        own[image, which, :, column] = -math.inf
    return focus.unsqueeze(1).expand(moved.shape).movedim(1, axis).contiguous()


# --- the XXH64 hash of short rows
_PRIMES = [
    np.uint64(p)
    for p in (11400714785074694791, 14029467366897019727, 1609587929392839161, 9650029242287828579, 2870177450012600261)
]


def _turn(value: np.ndarray, bits: int) -> np.ndarray:
    return (value << np.uint64(bits)) | (value >> np.uint64(64 - bits))


def _round(accumulator: np.ndarray, word: np.ndarray) -> np.ndarray:
    return _turn(accumulator + word * _PRIMES[1], 31) * _PRIMES[0]


def xxh64(rows: np.ndarray, seed: int) -> np.ndarray:
    """The 64-bit hash of every row of bytes [N, length]."""
    count, length = rows.shape
    start = np.full(count, seed, np.uint64)
    at = 0
    with np.errstate(over="ignore"):
        if length >= 32:
            lanes = [start + _PRIMES[0] + _PRIMES[1], start + _PRIMES[1], start.copy(), start - _PRIMES[0]]
            while at <= length - 32:
                for i in range(4):
                    lanes[i] = _round(lanes[i], _word(rows, at + 8 * i, 8))
                at += 32
            found = _turn(lanes[0], 1) + _turn(lanes[1], 7) + _turn(lanes[2], 12) + _turn(lanes[3], 18)
            for lane in lanes:
                found = (found ^ _round(np.zeros(count, np.uint64), lane)) * _PRIMES[0] + _PRIMES[3]
        else:
            found = start + _PRIMES[4]
        found = found + np.uint64(length)
        while at <= length - 8:
            found = _turn(found ^ _round(np.zeros(count, np.uint64), _word(rows, at, 8)), 27) * _PRIMES[0] + _PRIMES[3]
            at += 8
        if at <= length - 4:
            found = _turn(found ^ (_word(rows, at, 4) * _PRIMES[0]), 23) * _PRIMES[1] + _PRIMES[2]
            at += 4
        for last in range(at, length):
            found = _turn(found ^ (rows[:, last].astype(np.uint64) * _PRIMES[4]), 11) * _PRIMES[0]
        found = (found ^ (found >> np.uint64(33))) * _PRIMES[1]
        found = (found ^ (found >> np.uint64(29))) * _PRIMES[2]
    return found ^ (found >> np.uint64(32))


def _word(rows: np.ndarray, at: int, size: int) -> np.ndarray:
    return np.ascontiguousarray(rows[:, at : at + size]).view(np.uint64 if size == 8 else np.uint32)[:, 0].astype(np.uint64)


@op(name="hash", inputs=("X",), infer=lambda x, *, num_hash, **attrs: Meta((*x.shape[:-1], num_hash, 1), torch.int64, x.lod_level))
def hash_(x: Tensor, *, num_hash: int = 1, mod_by: int = 100000) -> Tensor:
    """Hashes of every row of ids, as many as asked for, below `mod_by`."""
    rows = np.ascontiguousarray(x.cpu().numpy().reshape(-1, x.shape[-1]))
    data = rows.view(np.uint8).reshape(len(rows), -1)
    hashes = np.stack([xxh64(data, seed) % np.uint64(mod_by) for seed in range(num_hash)], 1).astype(np.int64)
    return torch.from_numpy(hashes).reshape(*x.shape[:-1], num_hash, 1).to(x.device, x.dtype)
