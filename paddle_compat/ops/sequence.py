"""Operators on the sequences of a LoD tensor: pooling, windows, softmax, padding, slicing, and what changes the LoD."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from paddle_compat.core.dtype import torch_dtype
from paddle_compat.core.errors import UnsupportedError, invalid_argument
from paddle_compat.core.lod import LoD
from paddle_compat.core.op import Meta, op
from paddle_compat.ops._checks import check_fits, check_rank
from paddle_compat.ops._grad_makers import by_op
from paddle_compat.ops._lod import lengths, need_lod, offsets_of, ranges, sequence_ids, take

Tensor = torch.Tensor


def same_as_first(x: Meta, *_: Any, **__: Any) -> Meta:
    """The first input's Meta, lod level included."""
    return x


# ---- pooling
_POOLS = ("AVERAGE", "SUM", "SQRT", "MAX", "LAST", "FIRST")


def _pooled(x: Meta, *, pooltype: str = "AVERAGE", **_: Any) -> Meta:
    if pooltype not in _POOLS:
        raise invalid_argument("pool_type", f"one of {', '.join(_POOLS)} in small letters", pooltype, "sequence_pool")
    level = x.lod_level or 0
    return Meta(x.shape, x.dtype, max(level - 1, 0))


def _max_index(x: Meta, *, pooltype: str = "AVERAGE", **_: Any) -> Meta:
    return Meta(x.shape if pooltype == "MAX" else (), x.dtype, 0)


# padding pays while it makes of each row no more than so many
_PADDED = 4


def _segment_max(x: Tensor, offsets: Tensor) -> Tensor:
    """Largest value of each sequence; its gradient goes to the first row that has it. Empty sequences give some row."""
    count = lengths(offsets)
    longest = int(count.max())
    if x.element_size() < 4 or count.numel() * longest > _PADDED * x.shape[0]:
        return x.gather(0, _first_largest(x, sequence_ids(offsets).to(x.device), count.numel()))
    ones = [1] * (x.dim() - 1)
    begin, last = offsets[:-1].unsqueeze(1), (count - 1).unsqueeze(1)
    rows = begin + torch.minimum(torch.arange(longest), last)  # short sequences repeat their last row
    rows = rows.clamp(0, x.shape[0] - 1).to(x.device)
    padded = x.detach().index_select(0, rows.view(-1)).view(*rows.shape, *x.shape[1:])
    # argmax is several times slower than amax: the first of the largest is the one with the most rows to come
    to_come = torch.arange(longest, 0, -1, device=x.device, dtype=x.dtype).view(-1, *ones)
    most = padded.eq_(padded.amax(1, keepdim=True)).mul_(to_come).amax(1)
    begin, last = (each.to(x.device).view(-1, *ones) for each in (begin, last))
    return x.gather(0, (begin + torch.minimum(longest - most.long(), last)).clamp_(0, x.shape[0] - 1))


@torch.no_grad()
def _first_largest(x: Tensor, ids: Tensor, count: int) -> Tensor:
    """The first row that has the largest value of its sequence, without padding."""
    shape = (count, *x.shape[1:])
    where = ids.view(-1, *[1] * (x.dim() - 1)).expand_as(x)
    largest = x.new_full(shape, float("-inf")).scatter_reduce_(0, where, x, "amax")
    row = torch.arange(x.shape[0], device=x.device).view(-1, *[1] * (x.dim() - 1))
    row = torch.where(x == largest.index_select(0, ids), row, x.shape[0] - 1)
    return row.new_full(shape, x.shape[0] - 1).scatter_reduce_(0, where, row, "amin")


def _rows_of_maxima(
    x: Tensor, out: Tensor, *, pooltype: str = "AVERAGE", is_test: bool = False, x_lod: LoD | None = None, **attrs: Any
) -> Tensor | None:
    if pooltype != "MAX" or is_test:
        return None
    offsets = need_lod(x_lod, "X", "sequence_pool")[-1]
    if (lengths(offsets) == 0).any():
        raise UnsupportedError("sequence_pool", "MaxIndex of an empty sequence", "sequences that have rows")
    return _first_largest(x, sequence_ids(offsets).to(x.device), offsets.numel() - 1).int()


def _pool_grad(op_: Any, grad_outs: Any, grad_ins: Any) -> list[Any]:
    """Only the maximum's gradient reads where the maxima were."""
    made = by_op("sequence_pool_grad", _pool_attrs, reads="Out@GRAD", writes="X@GRAD", keeps=("X",))(
        op_, grad_outs, grad_ins
    )
    for _, inputs, _, _ in made:
        if op_.attr("pooltype") == "MAX":
            inputs["MaxIndex"] = op_.output("MaxIndex")
    return made


def _pool_attrs(op_: Any) -> dict[str, Any]:
    return {name: op_.attr(name) for name in ("pooltype", "is_test", "pad_value")}


@op(
    outputs=("Out", "MaxIndex~"),
    inputs=("X",),
    grad_maker=_pool_grad,
    lod=("Out",),
    infer=_pooled,
    describe={"MaxIndex": _max_index},
    derive={"MaxIndex": _rows_of_maxima},
)
def sequence_pool(
    x: Tensor, *, pooltype: str = "AVERAGE", is_test: bool = False, pad_value: float = 0.0, x_lod: LoD | None = None
) -> tuple[Tensor, LoD | None]:
    """One row for each sequence of the last LoD level; empty sequences give `pad_value`."""
    lod = need_lod(x_lod, "X", "sequence_pool")
    offsets = lod[-1]
    count = lengths(offsets)
    empty = count == 0
    outer = lod[:-1] or None
    shape = (count.numel(), *x.shape[1:])
    if x.shape[0] == 0:
        return x.new_full(shape, pad_value), outer
    if pooltype in ("LAST", "FIRST"):
        rows = offsets[1:] - 1 if pooltype == "LAST" else offsets[:-1]
        out = take(x, rows.clamp(0, x.shape[0] - 1))
    elif pooltype in ("SUM", "AVERAGE", "SQRT"):
        out = x.new_zeros(shape).index_add(0, sequence_ids(offsets).to(x.device), x)
        if pooltype != "SUM":
            divisor = count.clamp(min=1).to(device=x.device, dtype=x.dtype).view(-1, *[1] * (x.dim() - 1))
            out = out / (divisor if pooltype == "AVERAGE" else divisor.sqrt())
    elif pooltype == "MAX":
        out = _segment_max(x, offsets)
    else:
        raise invalid_argument("pooltype", "AVERAGE, SUM, SQRT, MAX, LAST or FIRST", pooltype, "sequence_pool")
    if empty.any():
        out = torch.where(empty.to(x.device).view(-1, *[1] * (x.dim() - 1)), pad_value, out)
    return out, outer


@op(inputs=("X",), grad=("X", "Out"), infer=same_as_first)
def sequence_softmax(x: Tensor, *, data_format: str = "AnyLayout", x_lod: LoD | None = None) -> Tensor:
    """Softmax over the rows of each sequence; `x` is [N] or [N, 1]."""
    offsets = need_lod(x_lod, "X", "sequence_softmax")[-1]
    ids = sequence_ids(offsets).to(x.device)
    flat = x.reshape(-1)
    count = offsets.numel() - 1
    with torch.no_grad():
        largest = flat.new_full((count,), float("-inf")).scatter_reduce_(0, ids, flat, "amax")
    powers = (flat - largest.index_select(0, ids)).exp()
    total = powers.new_zeros(count).index_add(0, ids, powers)
    return (powers / total.index_select(0, ids)).view_as(x)


# ---- windows
def _window_rows(offsets: Tensor, start: int, length: int) -> tuple[Tensor, Tensor, Tensor]:
    """What a window around every row covers, [N, length] each: rows, positions in the sequence, its length."""
    count = lengths(offsets)
    rows = torch.arange(int(offsets[-1])).unsqueeze(1) + torch.arange(start, start + length)
    begin = torch.repeat_interleave(offsets[:-1], count).unsqueeze(1)
    return rows, rows - begin, torch.repeat_interleave(count, count).unsqueeze(1)


def windows(x: Tensor, offsets: Tensor, start: int, length: int, padding: Tensor | None = None) -> Tensor:
    """The rows around every row, side by side, [N, length * D]; beyond a sequence's ends zeros, or the padding's rows."""
    rows, position, count = _window_rows(offsets, start, length)
    above = max(0, -start)
    if padding is None:
        source = torch.cat([x, x.new_zeros(1, x.shape[1])])
        rows = torch.where((position < 0) | (position >= count), x.shape[0], rows)
    else:
        source = torch.cat([x, padding])
        rows = torch.where(position < 0, x.shape[0] + above + position, rows)
        rows = torch.where(position >= count, x.shape[0] + above + position - count, rows)
    return take(source, rows.reshape(-1)).view(x.shape[0], length * x.shape[1])


def _conv_meta(x: Meta, padding: Meta | None, filter_: Meta, *, contextLength: int, contextStride: int = 1, **_: Any) -> Meta:
    if contextStride != 1:
        raise invalid_argument("contextStride", "1", contextStride, "sequence_conv")
    check_fits("X", x, (-1, filter_.shape[0] // contextLength))
    return Meta((x.shape[0], filter_.shape[1]), x.dtype, x.lod_level)


@op(inputs=("X", "PaddingData?", "Filter"), grad=("X", "PaddingData", "Filter"), infer=_conv_meta)
def sequence_conv(
    x: Tensor,
    padding_data: Tensor | None,
    filter: Tensor,
    *,
    paddingTrainable: bool = False,
    contextLength: int,
    contextStart: int = 0,
    contextStride: int = 1,
    x_lod: LoD | None = None,
) -> Tensor:
    """Multiply each row's window (its neighbours in the sequence, side by side) by the filter [window * D, M].

    Beyond a sequence's ends lie zeros, or the rows of `padding_data`: first those above, then those below.
    """
    offsets = need_lod(x_lod, "X", "sequence_conv", 1)[0]
    if contextStride != 1:
        raise invalid_argument("contextStride", "1", contextStride, "sequence_conv")
    return windows(x, offsets, contextStart, contextLength, padding_data if paddingTrainable else None) @ filter


def _enumerated(x: Meta, *, win_size: int, **_: Any) -> Meta:
    return Meta((x.shape[0], win_size), x.dtype, x.lod_level)


@op(inputs=("X",), infer=_enumerated)
def sequence_enumerate(x: Tensor, *, win_size: int, pad_value: int = 0, x_lod: LoD | None = None) -> Tensor:
    """The window of `win_size` ids that starts at each row, [N, win_size]; beyond the sequence comes `pad_value`."""
    rows, position, count = _window_rows(need_lod(x_lod, "X", "sequence_enumerate")[-1], 0, win_size)
    flat = torch.cat([x.reshape(-1), x.new_full((1,), pad_value)])
    return flat[torch.where(position >= count, x.shape[0], rows).to(x.device)]


def _patches_meta(x: Meta, y: Meta | None, *, kernels: Sequence[int], **_: Any) -> Meta:
    check_rank("X", x, 4)
    return Meta((x.shape[0], x.shape[1] * kernels[0] * kernels[1]), x.dtype, 1)


@op(inputs=("X", "Y?"), grad=("X",), lod=("Out",), infer=_patches_meta)
def im2sequence(
    x: Tensor,
    y: Tensor | None = None,
    *,
    kernels: Sequence[int],
    strides: Sequence[int] = (1, 1),
    paddings: Sequence[int] = (0, 0, 0, 0),
    out_stride: Sequence[int] = (1, 1),
) -> tuple[Tensor, LoD]:
    """Image patches as rows, one sequence an image; `y` [N, 2] holds the real sizes of padded images."""
    up, left, down, right = paddings
    image = torch.nn.functional.pad(x, (left, right, up, down))
    grid = image.unfold(2, kernels[0], strides[0]).unfold(3, kernels[1], strides[1])
    high, wide = grid.shape[2], grid.shape[3]
    patches = grid.permute(0, 2, 3, 1, 4, 5).reshape(x.shape[0], high, wide, -1)
    if y is None:
        return patches.flatten(0, 2), (torch.arange(x.shape[0] + 1) * (high * wide),)
    size = y.cpu().long()
    rows = []
    for axis, (before, after) in enumerate(((up, down), (left, right))):
        real = (size[:, axis] + out_stride[axis] - 1) // out_stride[axis]
        rows.append((before + after + real - kernels[axis] + strides[axis] - 1) // strides[axis] + 1)
    kept = [patches[i, :h, :w].flatten(0, 1) for i, (h, w) in enumerate(zip(rows[0].tolist(), rows[1].tolist()))]
    return torch.cat(kept), (offsets_of(rows[0] * rows[1]),)


# ---- expansion
def _expanded(x: Meta, y: Meta, **_: Any) -> Meta:
    return Meta((-1, *x.shape[1:]), x.dtype, x.lod_level or 0)


@op(inputs=("X", "Y"), grad=("X", "Y"), no_grad=("Y",), lod=("Out",), infer=_expanded)
def sequence_expand(
    x: Tensor, y: Tensor, *, ref_level: int = -1, x_lod: LoD | None = None, y_lod: LoD | None = None
) -> tuple[Tensor, LoD | None]:
    """Repeat each sequence of `x` (each row, without LoD) as often as its counterpart in `y` has members."""
    times = lengths(need_lod(y_lod, "Y", "sequence_expand")[ref_level])
    if not x_lod:
        if times.numel() != x.shape[0]:
            raise invalid_argument(
                "Y", f"{x.shape[0]} sequences, one for each row of X", times.numel(), "sequence_expand"
            )
        return take(x, torch.repeat_interleave(torch.arange(times.numel()), times)), None
    starts, counts = x_lod[0][:-1], lengths(x_lod[0])
    if times.numel() != counts.numel():
        raise invalid_argument("Y", f"{counts.numel()} sequences, as many as X has", times.numel(), "sequence_expand")
    starts, counts = torch.repeat_interleave(starts, times), torch.repeat_interleave(counts, times)
    return take(x, ranges(starts, counts)), (offsets_of(counts),)


def _expanded_as(x: Meta, y: Meta, **_: Any) -> Meta:
    return Meta((-1, *x.shape[1:]), x.dtype, y.lod_level or 0)


@op(inputs=("X", "Y"), grad=("X", "Y"), no_grad=("Y",), lod=("Out",), infer=_expanded_as)
def sequence_expand_as(x: Tensor, y: Tensor, *, y_lod: LoD | None = None) -> tuple[Tensor, LoD]:
    """Repeat row i of `x` for every row of the i-th sequence of `y`, whose LoD the result has."""
    lod = need_lod(y_lod, "Y", "sequence_expand_as", 1)
    if lod[0].numel() - 1 != x.shape[0]:
        raise invalid_argument(
            "Y", f"{x.shape[0]} sequences, one for each row of X", lod[0].numel() - 1, "sequence_expand_as"
        )
    return take(x, sequence_ids(lod[0])), lod


# ---- padding
def _padded(x: Meta, pad: Meta, *, padded_length: int = -1, **_: Any) -> tuple[Meta, Meta]:
    check_fits("PadValue", pad, (), (1,), x.shape[1:])
    return Meta((-1, padded_length if padded_length > 0 else 1, *x.shape[1:]), x.dtype, 0), Meta((-1,), torch.int64, 0)


@op(
    inputs=("X", "PadValue"),
    outputs=("Out", "Length"),
    grad=("X",),
    no_grad=("PadValue",),
    lod=None,
    infer=_padded,
)
def sequence_pad(
    x: Tensor, pad_value: Tensor, *, padded_length: int = -1, x_lod: LoD | None = None
) -> tuple[Tensor, Tensor]:
    """Sequences side by side, [B, T, ...], filled up with `pad_value` (one number, or one row), and their lengths."""
    offsets = need_lod(x_lod, "X", "sequence_pad")[0]
    if int(offsets[-1]) != x.shape[0]:
        raise invalid_argument("X", f"sequences of {x.shape[0]} rows in all, one below another", int(offsets[-1]), "sequence_pad")
    count = lengths(offsets)
    longest = int(count.max()) if count.numel() else 0
    width = longest if padded_length == -1 else padded_length
    if width < longest:
        raise invalid_argument(
            "padded_length", f"at least {longest}, the longest sequence", padded_length, "sequence_pad"
        )
    if pad_value.numel() != 1 and pad_value.shape != x.shape[1:]:
        raise invalid_argument(
            "PadValue", f"one number, or shape {list(x.shape[1:])}", list(pad_value.shape), "sequence_pad"
        )
    source = torch.cat(
        [x, pad_value.to(x.dtype).reshape(-1).expand(x[0:1].numel() if x.shape[0] else 1).view(1, *x.shape[1:])]
    )
    step = torch.arange(width)
    rows = torch.where(step < count.unsqueeze(1), offsets[:-1].unsqueeze(1) + step, x.shape[0])
    out = take(source, rows.reshape(-1)).view(count.numel(), width, *x.shape[1:])
    return out, count.to(x.device)


def _unpadded(x: Meta, length: Meta, **_: Any) -> Meta:
    if len(x.shape) < 2:
        raise invalid_argument("X", "2 dimensions or more", f"shape {list(x.shape)}", "sequence_unpad")
    return Meta((-1, *(x.shape[2:] or (1,))), x.dtype, 1)


@op(inputs=("X", "Length"), grad=("X",), no_grad=("Length",), lod=("Out",), infer=_unpadded)
def sequence_unpad(x: Tensor, length: Tensor) -> tuple[Tensor, LoD]:
    """The first `length[i]` steps of each padded sequence of [B, T, ...], one after the other."""
    count = length.reshape(-1).to(device="cpu", dtype=torch.int64)
    rows = ranges(torch.arange(count.numel()) * x.shape[1], count)
    return take(x.reshape(x.shape[0] * x.shape[1], *(x.shape[2:] or (1,))), rows), (offsets_of(count),)


def _mask_meta(x: Meta, max_len: Meta | None, *, maxlen: int = -1, out_dtype: int = 3, **_: Any) -> Meta:
    width = maxlen if maxlen > 0 and max_len is None else -1
    return Meta((*x.shape, width), torch_dtype(out_dtype), 0)


@op(inputs=("X", "MaxLenTensor?"), outputs=("Y",), lod=None, infer=_mask_meta)
def sequence_mask(x: Tensor, max_len: Tensor | None = None, *, maxlen: int = -1, out_dtype: int = 3) -> Tensor:
    """1 for positions below each length, else 0: one more dimension than `x`, of `maxlen` or the largest length."""
    width = int(max_len) if max_len is not None else maxlen
    if width < 0:
        width = int(x.max()) if x.numel() else 0
    return (torch.arange(width, device=x.device) < x.unsqueeze(-1)).to(torch_dtype(out_dtype))


# ---- order and membership
@op(
    inputs=("X",),
    outputs=("Y",),
    grad_maker=by_op("sequence_reverse", source="Y", writes="Y"),
    infer=same_as_first,
)
def sequence_reverse(x: Tensor, *, x_lod: LoD | None = None) -> Tensor:
    """Each sequence backwards."""
    offsets = need_lod(x_lod, "X", "sequence_reverse", 1)[0]
    mirror = torch.repeat_interleave(offsets[:-1] + offsets[1:] - 1, lengths(offsets))
    return take(x, mirror - torch.arange(x.shape[0]))


def _concatenated(xs: list[Meta], **_: Any) -> Meta:
    rows = -1 if any(x.shape[0] < 0 for x in xs) else sum(x.shape[0] for x in xs)
    return Meta((rows, *xs[0].shape[1:]), xs[0].dtype, xs[0].lod_level)


@op(inputs=("X*",), grad=("X",), lod=("Out",), infer=_concatenated)
def sequence_concat(xs: list[Tensor], *, xs_lod: Sequence[LoD | None] = ()) -> tuple[Tensor, LoD]:
    """The i-th sequences of all inputs joined, for each i."""
    levels = [need_lod(lod, "X", "sequence_concat")[0] for lod in xs_lod]
    if len({level.numel() for level in levels}) != 1 or len(levels) != len(xs):
        raise invalid_argument(
            "X", "inputs of equally many sequences", [level.numel() - 1 for level in levels], "sequence_concat"
        )
    counts = torch.stack([lengths(level) for level in levels], 1)
    base = offsets_of(torch.tensor([x.shape[0] for x in xs]))[:-1]
    starts = torch.stack([level[:-1] for level in levels], 1) + base
    return take(torch.cat(xs), ranges(starts.reshape(-1), counts.reshape(-1))), (offsets_of(counts.sum(1)),)


def _sliced(x: Meta, offset: Meta, length: Meta, **_: Any) -> Meta:
    return Meta(x.shape, x.dtype, 0)  # Paddle records no level here, though the result has one


@op(
    inputs=("X", "Offset", "Length"),
    grad=("X", "Offset", "Length"),
    no_grad=("Offset", "Length"),
    lod=("Out",),
    infer=_sliced,
)
def sequence_slice(x: Tensor, offset: Tensor, length: Tensor, *, x_lod: LoD | None = None) -> tuple[Tensor, LoD]:
    """From each sequence `length[i]` rows, from `offset[i]` on."""
    level = need_lod(x_lod, "X", "sequence_slice", 1)[0]
    first, count = (t.reshape(-1).to(device="cpu", dtype=torch.int64) for t in (offset, length))
    if first.numel() != level.numel() - 1 or count.numel() != level.numel() - 1:
        raise invalid_argument(
            "Offset", f"{level.numel() - 1} numbers, one for each sequence", first.numel(), "sequence_slice"
        )
    if bool((first < 0).any() or (count < 0).any() or (level[:-1] + first + count > level[1:]).any()):
        raise invalid_argument(
            "Offset", "slices inside their sequences", [first.tolist(), count.tolist()], "sequence_slice"
        )
    return take(x, ranges(level[:-1] + first, count)), (offsets_of(count),)


def _reshaped(x: Meta, *, new_dim: int, **_: Any) -> Meta:
    return Meta((-1, new_dim), x.dtype, 1)


@op(inputs=("X",), grad=("X",), lod=("Out",), infer=_reshaped)
def sequence_reshape(x: Tensor, *, new_dim: int, x_lod: LoD | None = None) -> tuple[Tensor, LoD]:
    """Rows of `new_dim` numbers; the sequences become longer or shorter accordingly."""
    level = need_lod(x_lod, "X", "sequence_reshape", 1)[0]
    numbers = level * x.shape[1]
    if bool((numbers % new_dim).any()):
        raise invalid_argument(
            "new_dim", f"a divisor of every sequence's {lengths(numbers).tolist()} numbers", new_dim, "sequence_reshape"
        )
    return x.reshape(-1, new_dim), (numbers // new_dim,)


def _erased(x: Meta, **_: Any) -> Meta:
    return Meta((-1, *x.shape[1:]), x.dtype, x.lod_level)


@op(inputs=("X",), lod=("Out",), infer=_erased)
def sequence_erase(x: Tensor, *, tokens: Sequence[int], x_lod: LoD | None = None) -> tuple[Tensor, LoD]:
    """The sequences without the ids in `tokens`."""
    lod = need_lod(x_lod, "X", "sequence_erase")
    flat = x.reshape(-1)
    kept = ~torch.isin(flat, torch.tensor(list(tokens), dtype=x.dtype, device=x.device))
    left = offsets_of(kept.long())
    return x[kept], (*lod[:-1], left[lod[-1]])


@op(inputs=("X", "Ids", "Updates"), grad=("Ids", "Updates"), no_grad=("Ids",), lod=None, infer=same_as_first)
def sequence_scatter(x: Tensor, ids: Tensor, updates: Tensor, *, ids_lod: LoD | None = None) -> Tensor:
    """Add the i-th sequence of `updates` to row i of `x`, at the columns that the i-th sequence of `ids` names."""
    level = need_lod(ids_lod, "Ids", "sequence_scatter", 1)[0]
    cell = sequence_ids(level).to(x.device) * x.shape[1] + ids.reshape(-1).long()
    return x.reshape(-1).index_add(0, cell, updates.reshape(-1)).view_as(x)


# ---- LoD itself
def _reset_meta(x: Meta, y: Meta | None, *, append: bool = False, **_: Any) -> Meta:
    level = (y.lod_level or 1) if y is not None else 1
    return Meta(x.shape, x.dtype, level + (x.lod_level or 0) if append and not (y is not None and y.lod_level) else level)


@op(inputs=("X", "Y?"), grad=("X",), no_grad=("Y",), lod=("Out",), infer=_reset_meta)
def lod_reset(
    x: Tensor,
    y: Tensor | None = None,
    *,
    target_lod: Sequence[int] = (),
    append: bool = False,
    x_lod: LoD | None = None,
    y_lod: LoD | None = None,
) -> tuple[Tensor, LoD]:
    """`x` with another LoD: that of `y`, or the offsets in `y` or in `target_lod`, which `append` adds below its own."""
    if y is not None and y_lod:
        lod = y_lod
    else:
        offsets = y.reshape(-1).to(device="cpu", dtype=torch.int64) if y is not None else torch.tensor(list(target_lod))
        if offsets.numel() < 2 or offsets[0] != 0 or bool((offsets[1:] < offsets[:-1]).any()):
            raise invalid_argument(
                "target_lod", "offsets that start at 0 and do not fall", offsets.tolist(), "lod_reset"
            )
        lod = (offsets,)
    if int(lod[-1][-1]) != x.shape[0]:
        raise invalid_argument("target_lod", f"offsets that end at {x.shape[0]} rows", lod[-1].tolist(), "lod_reset")
    return x.view_as(x), (*x_lod, *lod) if append and x_lod and not y_lod else lod
