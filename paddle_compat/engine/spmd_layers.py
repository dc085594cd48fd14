"""Rules of layers and losses: what they treat sample by sample, channel by channel or element by element (see `engine.spmd`)."""

from __future__ import annotations

from typing import Any

from paddle_compat.engine.spmd import Cut, Labels, Pieces, tensors_of
from paddle_compat.engine.spmd_labels import Attrs, Rule, elementwise, last, mapped, numbered, samples


def normalized(args: list[Any], attrs: Attrs) -> Cut | None:
    """layer_norm: the dimensions before those that it normalizes."""
    begin = attrs["begin_norm_axis"]
    labels = numbered(args[0].dim(), *range(begin, args[0].dim()))
    return Cut([labels, *([None] * value.dim() for value in args[1:] if value is not None)], [labels])


def by_sample(args: list[Any], attrs: Attrs) -> Cut | None:
    """What treats the samples of a batch, and its weights not at all."""
    labels = numbered(args[0].dim(), *range(1, args[0].dim()))
    return Cut([labels, *([None] * value.dim() for value in list(tensors_of(args))[1:])], [labels])


def by_channel(outputs: int = 1) -> Rule:
    """What treats each channel of each sample by itself."""

    def rule(args: list[Any], attrs: Attrs) -> Cut | None:
        x = args[0]
        if len(list(tensors_of(args))) > 1:
            return None
        channel = x.dim() - 1 if str(attrs.get("data_format", attrs.get("data_layout", ""))).endswith("C") else 1
        labels = [at if at in (0, channel) else None for at in range(x.dim())]
        return Cut([labels], [labels] * outputs)

    return rule


def convolved(turned_weight: bool) -> Rule:
    """A convolution: samples, and the channels that it makes; those that it takes, where they are in one group."""

    def rule(args: list[Any], attrs: Attrs) -> Cut | None:
        x, weight = args[0], args[1]
        one = attrs["groups"] == 1
        inner, outer = ("c" if one else None), ("o" if one else None)
        channel = x.dim() - 1 if attrs["data_format"].endswith("C") else 1
        spatial = [None] * (weight.dim() - 2)
        kernel = [inner, outer, *spatial] if turned_weight else [outer, inner, *spatial]
        images = [0 if at == 0 else inner if at == channel else None for at in range(x.dim())]
        if any(value is not None for value in args[2:]):
            return None
        return Cut([images, kernel], [[outer if at == channel else 0 if at == 0 else None for at in range(x.dim())]], {"c": "sum"})

    return rule


def elementwise_loss(args: list[Any], attrs: Attrs) -> Cut | None:
    """sigmoid_cross_entropy_with_logits: each element by itself, where nothing is made of all of them."""
    return None if attrs.get("normalize") else elementwise(args, attrs)


def diverged(args: list[Any], attrs: Attrs) -> Cut | None:
    """kldiv_loss: a sum or a mean of what each element gives."""
    kind, labels = attrs["reduction"], numbered(args[0].dim())
    if args[0].shape != args[1].shape:
        return None
    if kind == "none":
        return Cut([labels, labels], [labels])

    def run(held: list[Any], pieces: Pieces) -> Any:
        return pieces.call(*held, reduction="sum") / args[0].shape[0] if kind == "batchmean" else pieces.call(*held)

    return Cut([labels, labels], [[None] if attrs["_rank1"] else []], dict.fromkeys(labels, "avg" if kind == "mean" else "sum"), run=run)


def recurrent(args: list[Any], attrs: Attrs) -> Cut | None:
    """rnn: the samples, of which each has its states; what it drops between layers is drawn for all of them at once."""
    x, states, weights, lengths = args
    if attrs["dropout_prob"] and not attrs["is_test"] and attrs["num_layers"] > 1:
        return None
    batch: Labels = [None, "b", None]
    given: list[Labels] = [batch] * (1 + len(states)) + [[None] * value.dim() for value in weights]
    return Cut([*given, *([["b"]] if lengths is not None else [])], [batch] * (1 + len(states)))


def masked_softmax(args: list[Any], attrs: Attrs) -> Cut | None:
    """fused_softmax_mask: samples and heads; a mask is of one head, which is all heads'."""
    x, mask = args
    labels = numbered(x.dim(), x.dim() - 2, x.dim() - 1)
    return Cut([labels, [None if size == 1 else label for size, label in zip(mask.shape, labels)]], [labels])


def by_rows(args: list[Any], attrs: Attrs) -> Cut | None:
    """smooth_l1_loss and squared_l2_distance: one number for each row, which meets the row of another tensor, or its only one."""
    given = list(tensors_of(args))
    rows = given[0].shape[0]
    return Cut([[0 if at == 0 and value.shape[0] == rows else None for at in range(value.dim())] for value in given], [[0, None]])


def bilinear(args: list[Any], attrs: Attrs) -> Cut | None:
    """bilinear_tensor_product: pairs of rows."""
    return samples("nn-" if args[3] is None else "nn--")(args, attrs)


def measured(args: list[Any], attrs: Attrs) -> Cut | None:
    """shape, size and is_empty: known without the elements."""
    x = args[0]

    def run(held: list[Any], pieces: Pieces) -> Any:
        return pieces.call(held[0].new_empty(()).expand(x.shape))

    return Cut([numbered(x.dim())], [[None] if attrs.get("_rank1", True) else []], run=run)


RULES: dict[str, Rule] = {
    "sigmoid_cross_entropy_with_logits": elementwise_loss,
    "kldiv_loss": diverged,
    "cross_entropy": mapped((1, 1), (1,)),
    "cross_entropy2": mapped((1, 1), (1, 1)),
    "sigmoid_focal_loss": samples("nn-"),
    **dict.fromkeys(("smooth_l1_loss", "squared_l2_distance"), by_rows),
    "layer_norm": normalized,
    **dict.fromkeys(("group_norm", "maxout", "prelu"), by_sample),
    "rnn": recurrent,
    **dict.fromkeys(("conv2d", "conv3d", "depthwise_conv2d"), convolved(False)),
    **dict.fromkeys(("conv2d_transpose", "conv3d_transpose", "depthwise_conv2d_transpose"), convolved(True)),
    **{
        name: by_channel()
        for name in ("pool2d", "pool3d", "bilinear_interp_v2", "nearest_interp_v2", "linear_interp_v2", "bicubic_interp_v2",
                     "trilinear_interp_v2", "bilinear_interp", "nearest_interp", "linear_interp", "bicubic_interp",
                     "trilinear_interp", "pad3d", "pad2d")  # fmt: skip
    },
    **dict.fromkeys(("max_pool2d_with_index", "max_pool3d_with_index"), by_channel(2)),
    **{
        name: samples("n")
        for name in ("pixel_shuffle", "pixel_unshuffle", "channel_shuffle", "shuffle_channel", "space_to_depth")
    },
    "lrn": samples("n", None, None),
    "unfold": samples("n", 3),
    "fold": samples("n", 4),
    **dict.fromkeys(("grid_sampler", "unpool", "unpool3d"), samples("nn")),
    "bilinear_tensor_product": bilinear,
    "fused_softmax_mask": masked_softmax,
    "fused_softmax_mask_upper_triangle": last(2),
    **dict.fromkeys(("shape", "size", "is_empty"), measured),
}

__all__ = ["RULES"]
