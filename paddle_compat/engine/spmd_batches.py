"""Rules of operators on batches of sequences, images and matrices, which few layers have (see `engine.spmd`)."""

from __future__ import annotations

from math import prod
from typing import Any

import torch

from paddle_compat.engine.spmd import Cut, Labels, Pieces, tensors_of
from paddle_compat.engine.spmd_labels import Attrs, Rule, along, elementwise, mapped, numbered, samples
from paddle_compat.ops._broadcast import axes_of


def by_channel(args: list[Any], attrs: Attrs) -> Cut | None:
    """affine_channel: a factor and a summand for each channel."""
    x = args[0]
    channel = x.dim() - 1 if attrs["data_layout"].endswith("C") else 1
    labels = numbered(x.dim())
    return Cut([labels, [channel], [channel]], [labels])


def normalized_each(args: list[Any], attrs: Attrs) -> Cut | None:
    """instance_norm: each channel of each sample by itself."""
    labels = [at if at < 2 else None for at in range(args[0].dim())]
    return Cut([labels, *([1] for value in args[1:] if value is not None)], [labels])


def smoothed(args: list[Any], attrs: Attrs) -> Cut | None:
    """label_smooth: of the classes all that is looked at is how many there are."""
    x, prior = args
    labels = numbered(x.dim())

    def run(held: list[Any], pieces: Pieces) -> torch.Tensor:
        return held[0] * (1 - attrs["epsilon"]) + attrs["epsilon"] * (1 / x.shape[-1] if prior is None else held[1])

    if prior is not None and prior.shape[-1] != prior.numel():
        return None
    return Cut([labels, *([[*[None] * (prior.dim() - 1), x.dim() - 1]] if prior is not None else [])], [labels], run=run)


def spread_out(args: list[Any], attrs: Attrs) -> Cut | None:
    """affine_grid: the shape that is asked for counts the samples, too."""
    theta, given = args
    if given is not None:
        return None

    def run(held: list[Any], pieces: Pieces) -> torch.Tensor:
        return pieces.call(held[0], None, output_shape=[held[0].shape[0], *attrs["output_shape"][1:]])

    return Cut([[0, None, None]], [[0, *[None] * (len(attrs["output_shape"]) - 1)]], run=run)


def shifted(args: list[Any], attrs: Attrs) -> Cut | None:
    """temporal_shift: the rows of a clip are needed together, whole clips are not."""
    x = args[0]
    parts = prod(size for size, placement in zip(x.device_mesh.shape, x.placements) if placement.is_shard(0))
    alike = not x.shape[0] % (parts * attrs["seg_num"])
    labels = numbered(x.dim(), *range(0 if not alike else 1, x.dim()))
    return Cut([labels], [labels])


def cropped(args: list[Any], attrs: Attrs) -> Cut | None:
    """crop and crop_tensor: a dimension that something is cut off from is needed whole."""
    x = args[0]
    if any(value is not None and value != [] for value in args[1:]):
        return None
    offsets = list(attrs["offsets"]) or [0] * x.dim()
    sizes = [size - start if asked == -1 else asked for asked, start, size in zip(attrs["shape"], offsets, x.shape)]
    if len(sizes) != x.dim() or any(start < 0 or start + asked > size for start, asked, size in zip(offsets, sizes, x.shape)):
        return None
    labels = [at if asked == size else None for at, (asked, size) in enumerate(zip(sizes, x.shape))]

    def run(held: list[Any], pieces: Pieces) -> torch.Tensor:
        return held[0][tuple(slice(None) if label is not None else slice(start, start + asked)
                             for label, start, asked in zip(labels, offsets, sizes))]  # fmt: skip

    return Cut([labels], [labels], run=run)


def repeated(args: list[Any], attrs: Attrs) -> Cut | None:
    """expand of Paddle 1.x: the dimensions that are not repeated."""
    x, times = args[0], attrs["expand_times"]
    if any(value is not None and value != [] for value in args[1:]) or len(times) != x.dim():
        return None
    labels = [at if count == 1 else None for at, count in enumerate(times)]
    return Cut([labels], [labels])


def filled(args: list[Any], attrs: Attrs) -> Cut | None:
    """fill_diagonal: each process looks which elements of its piece are on the whole's diagonal."""
    x = args[0]
    labels = numbered(x.dim())

    def run(held: list[Any], pieces: Pieces) -> torch.Tensor:
        places = pieces.call(torch.zeros(x.shape, dtype=torch.uint8, device=held[0].device), value=1.0)
        for label in labels:
            places = places.narrow(label, *pieces.part(label)) if label in pieces.chosen else places
        return held[0].masked_fill(places.bool(), attrs["value"])

    return Cut([labels], [labels], run=run)


def traced(args: list[Any], attrs: Attrs) -> Cut | None:
    """trace: the two dimensions of the matrices go."""
    axes = [attrs["axis1"] if attrs["dim1"] is None else attrs["dim1"], attrs["axis2"] if attrs["dim2"] is None else attrs["dim2"]]
    gone = axes_of(axes, args[0].dim())
    labels = numbered(args[0].dim(), *gone)
    out: Labels = [label for at, label in enumerate(labels) if at not in gone]
    return Cut([labels], [out or ([None] if attrs["_rank1"] else [])])


def chained(args: list[Any], attrs: Attrs) -> Cut | None:
    """multi_dot: the first one's rows and the last one's columns."""
    given = list(tensors_of(args))
    if len(given) < 2 or any(value.dim() != 2 for value in given):
        return None
    return Cut([["m", None], *[[None, None]] * (len(given) - 2), [None, "n"]], [["m", "n"]])


def absolute(args: list[Any], attrs: Attrs) -> Cut | None:
    """l1_norm, of one element."""
    labels = numbered(args[0].dim())
    return Cut([labels], [[None] if attrs["_rank1"] else []], dict.fromkeys(labels, "sum"))


def unfolded(args: list[Any], attrs: Attrs) -> Cut | None:
    """tensor_unfold: windows along a dimension."""
    labels = numbered(args[0].dim(), attrs["axis"] % args[0].dim())
    return Cut([labels], [[*labels, None]])


def bounded(args: list[Any], attrs: Attrs) -> Cut | None:
    """renorm: each slice along a dimension by itself."""
    labels = [at if at == attrs["axis"] % args[0].dim() else None for at in range(args[0].dim())]
    return Cut([labels], [labels])


def aligned(args: list[Any], attrs: Attrs) -> Cut | None:
    """warpctc: the samples are the second dimension of what is given for each step."""
    if any(value is None for value in args):
        return None
    return Cut([[None, "n", None], ["n", None], ["n"], ["n"]], [["n", None]])


def determined(args: list[Any], attrs: Attrs) -> Cut | None:
    """slogdeterminant: signs and logarithms are a new dimension, the first."""
    batch = numbered(args[0].dim() - 2)
    return Cut([[*batch, None, None]], [[None, *batch]])


def embedded(args: list[Any], attrs: Attrs) -> Cut | None:
    """diag_embed: each vector becomes the diagonal of a matrix."""
    batch = numbered(args[0].dim() - 1)
    last = args[0].dim()
    behind = axes_of([attrs["dim1"], attrs["dim2"]], last + 1) == axes_of([last - 1, last], last + 1)
    return Cut([[*batch, None]], [[*batch, None, None]]) if behind else None


def leaked(args: list[Any], attrs: Attrs) -> Cut | None:
    """rrelu, where it draws nothing."""
    return elementwise(args, attrs) if attrs["is_test"] else None


def alike(count: str) -> Rule:
    """What takes tensors with the same samples, and gives one of the first one's rank."""

    def rule(args: list[Any], attrs: Attrs) -> Cut | None:
        return samples(count)(args, attrs) if len({value.shape[0] for value in list(tensors_of(args))[: count.count("n")]}) == 1 else None

    return rule


RULES: dict[str, Rule] = {
    "affine_channel": by_channel,
    "affine_grid": spread_out,
    "add_position_encoding": samples("n"),
    "instance_norm": normalized_each,
    "label_smooth": smoothed,
    "temporal_shift": shifted,
    **dict.fromkeys(("crop", "crop_tensor"), cropped),
    "expand": repeated,
    "fill_diagonal": filled,
    "trace": traced,
    "multi_dot": chained,
    "l1_norm": absolute,
    "tensor_unfold": unfolded,
    "renorm": bounded,
    "warpctc": aligned,
    "rrelu": leaked,
    "nanmedian": along("axis", keep="keepdim"),
    "diag_embed": embedded,
    "bpr_loss": mapped((1, 1), (1,)),
    **dict.fromkeys(("cvm", "conv_shift"), alike("nn")),
    "fsp": samples("nn", 3),
    "deformable_conv": alike("nnn-"),
    "deformable_conv_v1": alike("nn-"),
    "warprnnt": samples("nnnn", 1),
    "solve": mapped((2, 2), (2,)),
    "slogdeterminant": determined,
    "eigvalsh": mapped((2,), (1,)),
}

__all__ = ["RULES"]
