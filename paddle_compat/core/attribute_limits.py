"""The values that Paddle's schemas let an attribute have, whatever its kind: from what to what, or which ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import inf
from typing import Any

import numpy as np

from paddle_compat.core.errors import EnforceNotMet, InvalidArgumentError, WrongPlaceError


@dataclass(frozen=True)
class Limit:
    """What an attribute may be.

    Attributes:
        expected: that, in words.
        holds: whether a value is.
        kind: the exception for one that is not.
    """

    expected: str
    holds: Callable[[Any], bool]
    kind: type[EnforceNotMet] = InvalidArgumentError

    def check(self, op: str, name: str, value: Any) -> None:
        """Refuse a value that the attribute may not have."""
        if not self.holds(value):
            raise self.kind(f"Invalid value for argument `{name}` of `{op}`. Expected {self.expected}. Received: {value}")


def _one_of(*allowed: Any) -> Limit:
    return Limit("one of " + ", ".join(map(repr, allowed)), lambda value: value in allowed)


def _above(least: float) -> Limit:
    return Limit(f"a number above {least}", lambda value: value > least, WrongPlaceError)


def _least(least: int) -> Limit:
    return Limit(f"{least} or more", lambda value: value >= least, WrongPlaceError)


def _from(least: float, most: float = inf) -> Limit:
    """Fractions are compared as the float32 that Paddle stores."""
    expected = f"{least} to {most}" if most < inf else f"{least} or more"
    return Limit(expected, lambda value: np.float32(least) <= np.float32(value) <= np.float32(most))


def _long(*sizes: int) -> Limit:
    return Limit(f"a list of {' or '.join(map(str, sizes))} numbers", lambda value: len(value) in sizes)


_LAYOUT = Limit("a layout such as 'NCHW' or 'NHWC'", lambda value: value.upper() in ("NCHW", "NHWC", "ANYLAYOUT", "MKLDNNLAYOUT"))
_POSITIVE = Limit("a number above 0", lambda value: value > 0)
_FILLED = Limit("a list that is not empty", lambda value: len(value) > 0)
_GATES = _one_of("sigmoid", "tanh", "relu", "identity")
_ROUNDED = _from(1, 16)
_SMALL = _from(0.0, 1e-3)
_LEVEL = _least(0)
_POOLS = _one_of("max", "avg")
_ACTIVATED = "gate_activation cell_activation candidate_activation"
_QUANTIZERS = (
    "fake_channel_wise_quantize_abs_max fake_quantize_abs_max fake_quantize_dequantize_moving_average_abs_max "
    "fake_quantize_moving_average_abs_max fake_quantize_range_abs_max"
)
_LATE_QUANTIZERS = "fake_channel_wise_quantize_dequantize_abs_max fake_quantize_dequantize_abs_max dequantize_linear quantize_linear"
_BY_AXES = "fake_channel_wise_dequantize_max_abs fake_channel_wise_quantize_abs_max fake_channel_wise_quantize_dequantize_abs_max"
_WITH_AXIS = (
    "cumsum elementwise_add elementwise_div elementwise_floordiv elementwise_max elementwise_min elementwise_mod elementwise_mul "
    "elementwise_pow elementwise_sub equal equal_reduce greater_equal greater_than less_equal less_than not_equal"
)
_HASHED = "num_emb space_len rand_len drop_out_percent is_training white_list_len black_list_len seed lr"

# Ages of Paddle, operators, attributes and what these may be.
_LIMITS: tuple[tuple[str, str, str, Limit], ...] = (
    ("12", "attention_lstm fused_embedding_fc_lstm fusion_lstm lstm", _ACTIVATED, _GATES),
    ("1", "lstmp", f"{_ACTIVATED} proj_activation", _GATES),
    ("1", "fusion_seqexpand_concat_fc", "fc_activation", _GATES),
    ("12", "add_position_encoding", "alpha beta", _from(0.0)),
    ("1", "assign_value", "dtype", _one_of(0, 2, 3, 5)),
    ("12", "batch_norm data_norm", "epsilon", _SMALL),
    ("1", "inplace_abn instance_norm layer_norm", "epsilon", _SMALL),
    ("1", "group_norm", "epsilon", _from(0.0, 1.0)),
    ("12", "group_norm", "groups", _from(1)),
    ("12", "layer_norm", "begin_norm_axis", _from(1)),
    ("12", "bipartite_match", "match_type", _one_of("bipartite", "per_prediction")),
    ("1", "box_coder", "axis", _one_of(0, 1)),
    ("12", "box_coder", "code_type", _one_of("encode_center_size", "decode_center_size")),
    ("1", "broadcast", "root", _LEVEL),
    ("1", _WITH_AXIS, "axis", _above(-2)),
    ("12", "density_prior_box", "step_w step_h", _from(0.0)),
    ("12", "detection_map", "ap_type", _one_of("integral", "11point")),
    ("12", "dropout dropout_nd", "dropout_prob", _from(0.0, 1.0)),
    ("12", "dropout dropout_nd", "dropout_implementation", Limit(
        "'downgrade_in_infer' or 'upscale_in_train'", lambda value: value in ("downgrade_in_infer", "upscale_in_train"))),
    ("12", _QUANTIZERS, "bit_length", _ROUNDED),
    ("2", _LATE_QUANTIZERS, "bit_length", _ROUNDED),
    ("2", _BY_AXES, "quant_axis", _from(0, 1)),
    ("2", "dequantize_linear quantize_linear", "quant_axis", _from(-1, 1)),
    ("2", "dequantize_linear quantize_linear", "round_type", _from(0, 1)),
    ("2", "fake_channel_wise_dequantize_max_abs", "x_num_col_dims", Limit("a number other than 0", lambda value: value != 0)),
    ("1", "fc", "in_num_col_dims", _above(0)),
    ("12", "sequence_conv", "contextLength contextStride", _above(0)),
    ("1", "fusion_seqconv_eltadd_relu", "contextLength contextStride", _above(0)),
    ("12", "fusion_seqpool_concat fusion_seqpool_cvm_concat", "pooltype", _one_of("SUM", "AVERAGE", "SQRT")),
    ("12", "get_places", "device_type", _one_of("CUDA", "CPU", "AUTO")),
    ("12", "gru_unit", "activation gate_activation", _one_of(0, 1, 2, 3)),
    ("2", "identity_loss", "reduction", _one_of(0, 1, 2)),
    ("12", "lod_rank_table merge_lod_tensor merge_lod_tensor_infer split_lod_tensor", "level", _LEVEL),
    ("12", "lrn", "n k alpha beta", _above(0)),
    ("12", "mine_hard_examples", "mining_type", _one_of("max_negative", "hard_example")),
    ("12", "mul", "x_num_col_dims y_num_col_dims", _above(0)),
    ("1", "pixel_shuffle", "upscale_factor", _from(1)),
    ("12", "spp", "pooling_type", _POOLS),
    ("1", "pool2d pool3d", "pooling_type", _POOLS),
    ("12", "print", "print_phase", _one_of("FORWARD", "BACKWARD", "BOTH")),
    ("12", "pyramid_hash", _HASHED, _LEVEL),
    ("12", "pyramid_hash", "pyramid_layer", _least(2)),
    ("2", "rrelu", "lower", Limit("0.0 or more, below 1.0", lambda value: 0 <= value < 1)),
    ("2", "rrelu", "upper", Limit("above 0.0, up to 1.0", lambda value: 0 < value <= 1)),
    ("12", "sequence_enumerate", "win_size", _from(2)),
    ("12", "sequence_mask", "maxlen", Limit("a number below 0, or of 1 or more", lambda value: value != 0)),
    ("12", "sequence_pool", "pooltype", _one_of("AVERAGE", "SUM", "SQRT", "LAST", "FIRST", "MAX")),
    ("2", "set_value", "dtype", _one_of(0, 2, 3, 4, 5, 6, 23, 24)),
    ("12", "shuffle_channel", "group", _from(1)),
    ("1", "space_to_depth", "blocksize", _above(1)),
    ("1", "tree_conv", "max_depth", _above(1)),
    ("1", "unpool", "unpooling_type", _one_of("max")),
    ("1", "unstack", "num", _above(0)),
    # what shapes are inferred from
    ("1", "affine_channel batch_norm group_norm inplace_abn", "data_layout", _LAYOUT),
    ("1", "bicubic_interp bilinear_interp linear_interp nearest_interp trilinear_interp", "data_layout", _LAYOUT),
    ("1", "conv2d_transpose conv3d_transpose depthwise_conv2d_transpose", "data_format", _LAYOUT),
    ("12", "bilinear_interp nearest_interp", "interp_method", _one_of("bilinear", "nearest")),
    ("12", "trilinear_interp", "interp_method", _one_of("trilinear")),
    ("12", "conv2d depthwise_conv2d conv2d_transpose depthwise_conv2d_transpose", "strides", _long(2)),
    ("1", "conv2d depthwise_conv2d conv2d_transpose depthwise_conv2d_transpose", "dilations", _long(2)),
    ("12", "conv2d depthwise_conv2d conv2d_transpose depthwise_conv2d_transpose", "paddings", _long(2, 4)),
    ("12", "conv3d conv3d_transpose", "strides", _long(3)),
    ("1", "conv3d conv3d_transpose", "dilations", _long(3)),
    ("12", "conv3d conv3d_transpose", "paddings", _long(3, 6)),
    ("12", "deformable_conv deformable_conv_v1", "strides paddings", _long(2)),
    ("1", "deformable_conv deformable_conv_v1", "dilations", _long(2)),
    ("12", "max_pool2d_with_index", "ksize", _long(2)),
    ("12", "max_pool3d_with_index", "ksize", _long(3)),
    ("1", "auc", "num_thresholds", _from(1)),
    ("1", "auc", "slide_steps", _from(0)),
    ("12", "fill_constant_batch_size_like gaussian_random_batch_size_like uniform_random_batch_size_like", "input_dim_idx output_dim_idx",
     _from(0)),
    ("12", "fused_embedding_seq_pool", "combiner", _one_of("sum")),
    ("12", "kldiv_loss", "reduction", _one_of("none", "batchmean", "sum", "mean")),
    ("12", "pad", "paddings", Limit("numbers of 0 or more", lambda value: min(value, default=0) >= 0)),
    ("12", "prelu", "mode", _one_of("all", "channel", "element")),
    ("1", "randperm", "n", _POSITIVE),
    ("12", "reverse", "axis", _FILLED),
    ("12", "tdm_child", "child_nums", _POSITIVE),
    # detection
    ("12", "anchor_generator density_prior_box", "variances", _long(4)),
    ("1", "prior_box", "variances", _long(4)),
    ("12", "anchor_generator", "stride", _long(2)),
    ("12", "anchor_generator", "anchor_sizes", _FILLED),
    ("1", "prior_box", "min_sizes", _FILLED),
    ("12", "prior_box", "step_w step_h", _from(0.0)),
    ("12", "density_prior_box", "densities fixed_sizes fixed_ratios", Limit(
        "numbers above 0", lambda value: min(value, default=1) > 0, WrongPlaceError)),
    ("12", "deformable_psroi_pooling prroi_pool roi_align roi_pool", "pooled_height pooled_width spatial_scale", _POSITIVE),
    ("12", "psroi_pool", "spatial_scale", _POSITIVE),
    ("12", "deformable_psroi_pooling", "sample_per_part", _POSITIVE),
    ("12", "deformable_psroi_pooling", "trans_std", _from(0.0)),
    ("12", "deformable_psroi_pooling", "group_size part_size", Limit(
        "two numbers above 0", lambda value: len(value) == 2 and min(value) > 0)),
    ("12", "roi_perspective_transform", "transformed_height transformed_width spatial_scale", _POSITIVE),
    ("12", "yolov3_loss yolo_box", "anchors", Limit("a list of pairs", lambda value: len(value) > 0 and len(value) % 2 == 0)),
)  # fmt: skip


@cache
def limits(op: str, age: int) -> dict[str, Limit]:
    """What the attributes of an operator may be in an age of Paddle, for those that may not be anything.

    Args:
        op: the operator's type.
        age: 1 for Paddle 1.8, 2 for 2.6.

    Example:
        >>> limits("lrn", 1)["n"].expected
        'a number above 0'
    """
    return {n: limit for ages, ops, names, limit in _LIMITS if str(age) in ages and op in ops.split() for n in names.split()}
