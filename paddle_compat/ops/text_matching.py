"""How well the words of two texts match: matrices of a size of their own for each pair of texts, convolved and pooled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import torch
import torch.nn.functional as F

from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.lod import LoD
from paddle_compat.core.op import Meta, op
from paddle_compat.ops._lod import lengths, need_lod, offsets_of

Tensor = torch.Tensor


def _flat_meta(x: Meta, *rest: Any, **attrs: Any) -> Meta:
    return Meta((-1, 1), x.dtype, 1)


def _joined(parts: Sequence[Tensor]) -> tuple[Tensor, LoD]:
    """Matrices one after the other in one column, and how many numbers each has."""
    return torch.cat([part.reshape(-1) for part in parts])[:, None], (offsets_of(torch.tensor([part.numel() for part in parts])),)


def _matrices(x: Tensor, lod: LoD, rows: LoD | None, columns: LoD | None, channels: int, operator: str) -> Iterator[Tensor]:
    """What `_joined` laid into one column, as [channels, rows, columns] again."""
    heights = lengths(need_lod(rows, "ROW", operator, 1)[0]).tolist()
    widths = lengths(need_lod(columns, "COLUMN", operator, 1)[0]).tolist()
    sizes = lengths(lod[0]).tolist()
    if sizes != [channels * height * width for height, width in zip(heights, widths)]:
        raise invalid_argument("X", f"sequences of {channels} x rows {heights} x columns {widths}", sizes, operator)
    for part, height, width in zip(x.reshape(-1).split(sizes), heights, widths):
        yield part.reshape(channels, height, width)


def _products_meta(x: Meta, *rest: Any, **attrs: Any) -> Meta:
    """Numbers that Paddle describes without a LoD, even where they have one when they are computed."""
    return Meta((-1, 1), x.dtype, 0)


@op(
    inputs=("X", "Y", "W"), outputs=("Out", "Tmp~"), grad=("X", "Y", "W", "Tmp"), infer=_flat_meta, lod=("Out",),
    describe={"Tmp": _products_meta}, derive={"Tmp": lambda x, y, weight, out, **attrs: (x @ weight.flatten(1)).reshape(-1, 1)},
)  # fmt: skip
def match_matrix_tensor(
    x: Tensor, y: Tensor, weight: Tensor, *, dim_t: int = 1, x_lod: LoD | None = None, y_lod: LoD | None = None
) -> tuple[Tensor, LoD]:
    """How every word of a text in x matches every word of the one in y, through each of the `dim_t` matrices [D, dim_t, D]."""
    xs, ys = need_lod(x_lod, "X", "match_matrix_tensor", 1)[0], need_lod(y_lod, "Y", "match_matrix_tensor", 1)[0]
    if tuple(weight.shape) != (x.shape[1], dim_t, y.shape[1]):
        raise invalid_argument("W", f"[{x.shape[1]}, dim_t = {dim_t}, {y.shape[1]}]", list(weight.shape), "match_matrix_tensor")
    words = torch.einsum("nd,dte->tne", x, weight).split(lengths(xs).tolist(), 1)
    return _joined([left @ right.T for left, right in zip(words, y.split(lengths(ys).tolist()))])


def _columns(
    x: Tensor, row: Tensor, column: Tensor, weight: Tensor, *rest: Any, InputChannel: int = 1, KernelH: int = 1, KernelW: int = 1,
    StrideH: int = 1, StrideW: int = 1, x_lod: LoD | None = None, row_lod: LoD | None = None, column_lod: LoD | None = None, **attrs: Any,
) -> Tensor:  # fmt: skip
    """What each place of the kernel sees, image after image, in one column."""
    lod, found = need_lod(x_lod, "X", "var_conv_2d", 1), [x.new_zeros(0)]
    for image in _matrices(x, lod, row_lod, column_lod, InputChannel, "var_conv_2d"):
        if image.numel():
            height, width = image.shape[1:]
            padded = F.pad(image, (KernelW // 2, KernelW // 2, KernelH // 2, KernelH // 2))
            seen = padded.unfold(1, KernelH, StrideH).unfold(2, KernelW, StrideW)
            seen = seen[:, : (height - 1) // StrideH + 1, : (width - 1) // StrideW + 1]
            found.append(seen.permute(0, 3, 4, 1, 2).reshape(-1))
    return torch.cat(found)[:, None]


@op(
    inputs=("X", "ROW", "COLUMN", "W"), outputs=("Out", "Col~"), grad=("X", "ROW", "COLUMN", "W", "Out", "Col"),
    no_grad=("ROW", "COLUMN"), infer=_products_meta, lod=("Out",), describe={"Col": _products_meta}, derive={"Col": _columns},
)  # fmt: skip
def var_conv_2d(
    x: Tensor, row: Tensor, column: Tensor, weight: Tensor, *, InputChannel: int = 1, OutputChannel: int = 1, StrideH: int = 1,
    StrideW: int = 1, KernelH: int = 1, KernelW: int = 1, x_lod: LoD | None = None, row_lod: LoD | None = None,
    column_lod: LoD | None = None,
) -> tuple[Tensor, LoD]:  # fmt: skip
    """Convolve images of different sizes; each keeps its size, but for the strides."""
    kernel = weight.reshape(OutputChannel, InputChannel, KernelH, KernelW)
    lod = need_lod(x_lod, "X", "var_conv_2d", 1)
    found = []
    for image in _matrices(x, lod, row_lod, column_lod, InputChannel, "var_conv_2d"):
        if not image.numel():
            found.append(x.new_zeros(0))
            continue
        out = F.conv2d(image[None], kernel, stride=(StrideH, StrideW), padding=(KernelH // 2, KernelW // 2))[0]
        found.append(out[:, : (image.shape[1] - 1) // StrideH + 1, : (image.shape[2] - 1) // StrideW + 1])
    return _joined(found)


def _averages_meta(x: Meta, row: Meta, column: Meta, *, topks: Sequence[int], channel_num: int, **attrs: Any) -> Meta:
    return Meta((row.shape[0], channel_num * len(topks)), x.dtype, 0)


def _largest_places(
    x: Tensor, row: Tensor, column: Tensor, *rest: Any, topks: Sequence[int], channel_num: int, x_lod: LoD | None = None,
    row_lod: LoD | None = None, column_lod: LoD | None = None, **attrs: Any,
) -> Tensor:  # fmt: skip
    """Where each row's largest numbers stand, as many as the last of `topks`; -1 beyond the row's end."""
    lod, found = need_lod(x_lod, "X", "sequence_topk_avg_pooling", 1), []
    for matrix in _matrices(x, lod, row_lod, column_lod, channel_num, "sequence_topk_avg_pooling"):
        places = matrix.sort(-1, descending=True).indices[..., : topks[-1]].movedim(0, 1)
        found.append(F.pad(places, (0, topks[-1] - places.shape[-1]), value=-1).reshape(-1))
    return torch.cat(found).int()


@op(
    inputs=("X", "ROW", "COLUMN"), outputs=("Out", "pos~"), grad=("X", "ROW", "COLUMN", "pos"), no_grad=("ROW", "COLUMN"),
    infer=_averages_meta, lod=("Out",), describe={"pos": lambda *inputs, **attrs: Meta((-1,), torch.int32, 0)},
    derive={"pos": _largest_places},
)  # fmt: skip
def sequence_topk_avg_pooling(
    x: Tensor, row: Tensor, column: Tensor, *, topks: Sequence[int], channel_num: int, x_lod: LoD | None = None,
    row_lod: LoD | None = None, column_lod: LoD | None = None,
) -> tuple[Tensor, LoD | None]:  # fmt: skip
    """For each row of each matrix the k largest numbers' sums over k, channel by channel, for every k of `topks`."""
    lod = need_lod(x_lod, "X", "sequence_topk_avg_pooling", 1)
    found = []
    for matrix in _matrices(x, lod, row_lod, column_lod, channel_num, "sequence_topk_avg_pooling"):
        largest = matrix.sort(-1, descending=True).values
        averages = torch.stack([largest[..., :k].sum(-1) / k for k in topks], -1)
        found.append(averages.movedim(0, 1).flatten(1))
    return torch.cat(found), row_lod
