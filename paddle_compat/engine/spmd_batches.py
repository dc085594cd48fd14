"""Rules of operators on batches of sequences, images and matrices, which few layers have (see `engine.spmd`)."""

from __future__ import annotations

from math import prod
from typing import Any

import torch

from paddle_compat.engine.spmd import Cut, Labels, Pieces, reduced, tensors_of
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


def of_equal_size(args: list[Any], attrs: Attrs) -> Cut | None:
    """expand_as of Paddle 1.x and pad_constant_like: the dimensions that both tensors have of one size."""
    x, like = args
    labels = [at if size == other else None for at, (size, other) in enumerate(zip(x.shape, like.shape))]
    return Cut([labels, labels], [labels]) if x.dim() == like.dim() else None


def counted(args: list[Any], attrs: Attrs) -> Cut | None:
    """histogram and bincount: each process counts its elements, between the ends of all."""
    x = args[0]
    labels = numbered(x.dim())

    def run(held: list[Any], pieces: Pieces) -> torch.Tensor:
        cut = [at for at, label in enumerate(pieces.chosen) if label is not None]
        low, high = (reduced(end, kind, pieces.mesh, cut).item() for end, kind in ((held[0].min(), "min"), (held[0].max(), "max")))
        if "minlength" in attrs:
            return pieces.call(*held, minlength=max(attrs["minlength"], high + 1))
        return pieces.call(*held, min=low, max=high) if attrs["min"] == attrs["max"] == 0 else pieces.call(*held)

    return Cut([labels] * len(list(tensors_of(args))), [[None]], dict.fromkeys(labels, "sum"), run=run) if x.numel() else None


def judged(kind: str, rank: int | None = None) -> Rule:
    """What says one thing of all elements, or of those of two tensors of one shape.

    Args:
        kind: whether it holds where it does for any or for all.
        rank: of what is said; None: as `_rank1` says.
    """

    def rule(args: list[Any], attrs: Attrs) -> Cut | None:
        first, *others = tensors_of(args)
        labels = numbered(first.dim())
        given = [labels if value.shape == first.shape else [None] * value.dim() for value in others]
        if any(value.shape != first.shape for value in others[:1]):
            return None
        return Cut([labels, *given], [[None] * (int(attrs.get("_rank1", False)) if rank is None else rank)], dict.fromkeys(labels, kind))

    return rule


def kronecker(args: list[Any], attrs: Attrs) -> Cut | None:
    """kron: blocks, of which the first one's elements are factors."""
    x, y = args
    if x.dim() != y.dim():
        return None
    labels: list[Any] = []
    for at, size in enumerate(x.shape):
        parts = prod(count for count, placement in zip(x.device_mesh.shape, x.placements) if placement.is_shard(at))
        labels.append(at if not size % parts else None)
    shape = [one * other for one, other in zip(x.shape, y.shape)]
    return Cut([labels, [None] * y.dim()], [labels], shapes=[shape])


def cosines(args: list[Any], attrs: Attrs) -> Cut | None:
    """cos_sim: rows, with those of another tensor or with its only one."""
    x, y = args
    own, other = ([0 if value.shape[0] == x.shape[0] else None, *[None] * (value.dim() - 1)] for value in (x, y))
    return Cut([own, other], [[0, None], [0, None], [other[0], None]])


def turned_at_nodes(args: list[Any], attrs: Attrs) -> Cut | None:
    """hierarchical_sigmoid: samples, each with its label and, where they are given, its path and turns."""
    x, weight, label, *path, bias = args
    rows = [[0, *[None] * (value.dim() - 1)] for value in (label, *path) if value is not None]
    return Cut([[0, None], [None, None], *rows, *([[None] * bias.dim()] if bias is not None else [])], [[0, None]])


def rows_ahead(args: list[Any], attrs: Attrs) -> Cut | None:
    """row_conv: the steps of a sequence are needed together."""
    x = args[0]
    labels = [None if at == x.dim() - 2 else at - x.dim() for at in range(x.dim())]
    return Cut([labels, [None, -1]], [labels])


def batch_like(args: list[Any], attrs: Attrs) -> Cut | None:
    """fill_constant_batch_size_like: of what is given the number of samples is all that is looked at."""
    label = attrs["input_dim_idx"]
    out = [label if at == attrs["output_dim_idx"] else None for at in range(len(attrs["shape"]))]
    return Cut([[at if at == label else None for at in range(args[0].dim())]], [out])


def by_column(args: list[Any], attrs: Attrs) -> Cut | None:
    """data_norm: each feature has statistics of its own."""
    feature = None if attrs["slot_dim"] > 0 else 1
    given = list(tensors_of(args))
    return Cut([[0, feature] if value.dim() == 2 else [feature] for value in given], [[0, feature], [feature], [feature]])


def of_columns(args: list[Any], attrs: Attrs) -> Cut | None:
    """partial_concat and partial_sum: some columns of each matrix."""
    return Cut([[0, None]] * len(args[0]), [[0, None]])


def alike(count: str) -> Rule:
    """What takes tensors with the same samples, and gives one of the first one's rank."""

    def rule(args: list[Any], attrs: Attrs) -> Cut | None:
        return samples(count)(args, attrs) if len({value.shape[0] for value in list(tensors_of(args))[: count.count("n")]}) == 1 else None

    return rule


RULES: dict[str, Rule] = {
    **dict.fromkeys(("expand_as", "pad_constant_like"), of_equal_size),
    **dict.fromkeys(("histogram", "bincount"), counted),
    **dict.fromkeys(("isnan", "isinf"), judged("any", 1)),
    **dict.fromkeys(("isfinite", "equal_reduce"), judged("all", 1)),
    "equal_all": judged("all", 0),
    "allclose": judged("all"),
    "kron": kronecker,
    "cos_sim": cosines,
    "hierarchical_sigmoid": turned_at_nodes,
    "row_conv": rows_ahead,
    "fill_constant_batch_size_like": batch_like,
    "data_norm": by_column,
    **dict.fromkeys(("partial_concat", "partial_sum"), of_columns),
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
