"""The attributes by which the wheels' operators choose among kernels, and others that no operator of ours computes with."""

from __future__ import annotations

from functools import cache
from typing import Any

# the operators that round to steps, in one of two ways
ROUNDING = (
    "fake_channel_wise_quantize_abs_max fake_channel_wise_quantize_dequantize_abs_max fake_quantize_abs_max "
    "fake_quantize_dequantize_abs_max fake_quantize_dequantize_moving_average_abs_max fake_quantize_moving_average_abs_max "
    "fake_quantize_range_abs_max"
)

# What 1.8 wants to find on its operators before it runs a training program: choices among kernels, which do not change
# what is computed. Each value with its attribute and operators.
FIRST_AGE: tuple[tuple[Any, str, str], ...] = (
    (
        False,
        "use_cudnn",
        "abs ceil cos exp floor gelu log log1p logsigmoid reciprocal relu round rsqrt sequence_softmax sigmoid sin "
        "softmax softplus softsign sqrt square tanh tanh_shrink",
    ),
    (
        True,
        "use_cudnn",
        "affine_grid conv2d conv2d_transpose conv3d conv3d_transpose depthwise_conv2d depthwise_conv2d_transpose "
        "grid_sampler pool2d pool3d",
    ),
    (
        False,
        "use_mkldnn",
        "abs addmm batch_norm ceil concat conv2d conv2d_transpose conv3d conv3d_transpose cos data_norm "
        "depthwise_conv2d depthwise_conv2d_transpose elementwise_add elementwise_div elementwise_floordiv "
        "elementwise_max elementwise_min elementwise_mod elementwise_mul elementwise_pow elementwise_sub exp fc floor "
        "gaussian_random gelu inplace_abn leaky_relu log log1p logsigmoid lrn matmul mul partial_sum pool2d pool3d "
        "prior_box reciprocal relu round rsqrt sigmoid sin softmax softplus softsign sqrt square sum swish tanh "
        "tanh_shrink transpose transpose2",
    ),
    (False, "use_quantizer", "concat conv2d depthwise_conv2d fc matmul pool2d prior_box reshape2 transpose transpose2"),
    (False, "is_test", "conv2d conv2d_transpose conv3d depthwise_conv2d depthwise_conv2d_transpose pool2d"),
    (False, "exhaustive_search", "conv2d conv3d depthwise_conv2d"),
    (False, "force_fp32_output", "conv2d conv3d depthwise_conv2d fc matmul mul"),
    (False, "fuse_relu", "conv2d conv2d_transpose conv3d depthwise_conv2d depthwise_conv2d_transpose"),
    (False, "fuse_brelu", "conv2d depthwise_conv2d"),
    (False, "fuse_relu_before_depthwise_conv", "conv2d depthwise_conv2d"),
    (False, "fuse_residual_connection", "conv2d conv3d depthwise_conv2d"),
    (False, "fuse_with_relu", "batch_norm inplace_abn"),
    ("", "fuse_activation", "conv2d conv2d_transpose conv3d depthwise_conv2d depthwise_conv2d_transpose"),
    (0.0, "fuse_alpha", "conv2d conv2d_transpose conv3d depthwise_conv2d depthwise_conv2d_transpose"),
    (0.0, "fuse_beta", "conv2d conv2d_transpose conv3d depthwise_conv2d depthwise_conv2d_transpose"),
    (6.0, "fuse_brelu_threshold", "conv2d depthwise_conv2d"),
    (1.0, "Scale_in", "conv2d depthwise_conv2d fc"),
    (1.0, "Scale_in_eltwise", "conv2d depthwise_conv2d"),
    (1.0, "Scale_out", "conv2d depthwise_conv2d fc matmul"),
    ([1.0], "Scale_weights", "conv2d depthwise_conv2d fc"),
    (1.0, "scale_x", "mul"),
    ([1.0], "scale_y", "mul"),
    (1.0, "scale_out", "mul"),
    (
        512,
        "workspace_size_MB",
        "conv2d conv2d_transpose conv3d conv3d_transpose depthwise_conv2d depthwise_conv2d_transpose",
    ),
)

# The same of 2.6, which moved most of them out of its operators' schemas: each value with its attribute and operators.
SECOND_AGE: tuple[tuple[Any, str, str], ...] = (
    (False, "use_cudnn", "pool2d pool3d sequence_softmax"),
    (
        False,
        "use_mkldnn",
        "bicubic_interp bilinear_interp cast fc flatten2 linear_interp matmul nearest_interp reshape reshape2 split sum transpose "
        "trilinear_interp transfer_dtype fusion_gru fusion_lstm",
    ),
    (1.0, "Scale_in", "fc"),
    (1.0, "Scale_out", "fc"),
    ([1.0], "Scale_weights", "fc fusion_gru fusion_lstm"),
    (False, "force_fp32_output", "fc fusion_gru fusion_lstm"),
    (1.0, "Scale_data", "fusion_gru fusion_lstm"),
    (0.0, "Shift_data", "fusion_gru fusion_lstm"),
    (False, "use_quantizer", "fc matmul reshape2"),
    ("float32", "mkldnn_data_type", "fc flatten2 fusion_gru fusion_lstm matmul reshape2 split sum transpose"),
)

# What 2.6 moved out: attributes that an operator answers for, but does not list.
_UNLISTED: tuple[tuple[Any, str, str], ...] = (
    (1.0, "Scale_in", "depthwise_conv2d"),
    (1.0, "Scale_in_eltwise", "depthwise_conv2d"),
    (
        1.0,
        "Scale_out",
        "depthwise_conv2d elementwise_add elementwise_div elementwise_floordiv elementwise_fmax elementwise_fmin elementwise_heaviside "
        "elementwise_max elementwise_min elementwise_mod elementwise_mul elementwise_pow elementwise_sub grad_add",
    ),
    ([1.0], "Scale_weights", "depthwise_conv2d"),
    (
        1.0,
        "Scale_x",
        "elementwise_add elementwise_div elementwise_floordiv elementwise_fmax elementwise_fmin elementwise_heaviside elementwise_max "
        "elementwise_min elementwise_mod elementwise_mul elementwise_pow elementwise_sub grad_add",
    ),
    (
        1.0,
        "Scale_y",
        "elementwise_add elementwise_div elementwise_floordiv elementwise_fmax elementwise_fmin elementwise_heaviside elementwise_max "
        "elementwise_min elementwise_mod elementwise_mul elementwise_pow elementwise_sub grad_add",
    ),
    (1.0, "beta", "swish"),
    ([], "custom_neg_classes", "nce"),
    ("AnyLayout", "data_format", "sequence_softmax softmax transpose2"),
    (False, "deterministic", "seed"),
    ([], "epmap", "lookup_table_v2 nce"),
    (False, "exhaustive_search", "conv2d conv3d depthwise_conv2d"),
    (False, "fix_seed", "dropout dropout_nd"),
    (False, "force_cpu", "seed"),
    (False, "force_fp32_output", "conv2d conv2d_transpose conv3d depthwise_conv2d depthwise_conv2d_transpose mul"),
    ("", "fuse_activation", "conv2d_transpose conv3d depthwise_conv2d depthwise_conv2d_transpose"),
    (0.0, "fuse_alpha", "conv2d_transpose conv3d depthwise_conv2d depthwise_conv2d_transpose"),
    (0.0, "fuse_beta", "conv2d_transpose conv3d depthwise_conv2d depthwise_conv2d_transpose"),
    (False, "fuse_relu", "conv2d_transpose conv3d depthwise_conv2d depthwise_conv2d_transpose"),
    (False, "fuse_relu_before_depthwise_conv", "depthwise_conv2d"),
    (False, "fuse_residual_connection", "conv3d depthwise_conv2d"),
    (False, "fuse_with_relu", "batch_norm"),
    ([], "height_sections", "lookup_table_v2 nce"),
    (False, "is_distributed", "lookup_table_v2"),
    (False, "is_sparse", "lookup_table_v2"),
    (
        False,
        "is_test",
        "conv2d conv2d_transpose conv3d depthwise_conv2d depthwise_conv2d_transpose gru layer_norm lrn pool2d prelu softmax",
    ),
    (
        "float32",
        "mkldnn_data_type",
        "clip concat conv2d_transpose conv3d depthwise_conv2d depthwise_conv2d_transpose elementwise_add elementwise_div "
        "elementwise_floordiv elementwise_fmax elementwise_fmin elementwise_heaviside elementwise_max elementwise_min elementwise_mod "
        "elementwise_mul elementwise_pow elementwise_sub expand_v2 gelu grad_add layer_norm matmul_v2 pool2d prelu prior_box reshape2 "
        "shape slice softmax squeeze2 transpose2",
    ),
    (False, "remote_prefetch", "lookup_table_v2"),
    ("", "rng_name", "seed"),
    (1, "round_type", ROUNDING),
    (1.0, "scale_out", "mul"),
    (1.0, "scale_x", "mul"),
    ([1.0], "scale_y", "mul"),
    (0, "seed", "dropout dropout_nd randperm"),
    ([], "skip_eager_deletion_vars", "conditional_block pylayer while"),
    (0, "slot", "lookup_table_v2"),
    ([], "table_names", "lookup_table_v2 nce"),
    (6.0, "threshold", "relu6"),
    (0, "trainer_id", "lookup_table_v2 nce"),
    (False, "use_addto", "conv2d conv3d depthwise_conv2d"),
    (
        False,
        "use_cudnn",
        "acosh asinh atanh ceil cos cosh depthwise_conv2d depthwise_conv2d_transpose exp expm1 floor log log10 log1p log2 logsigmoid "
        "reciprocal relu renorm round rsqrt sigmoid silu sin sinh softplus softsign sqrt square tan tanh tanh_shrink",
    ),
    (True, "use_cudnn", "affine_grid conv2d conv2d_transpose conv3d conv3d_transpose grid_sampler softmax"),
    (
        False,
        "use_mkldnn",
        "abs acosh addmm angle asinh atanh batch_norm bicubic_interp_v2 bilinear_interp_v2 ceil clip concat conv2d conv2d_transpose "
        "conv3d conv3d_transpose cos cosh data_norm depthwise_conv2d depthwise_conv2d_transpose elementwise_add elementwise_div "
        "elementwise_floordiv elementwise_fmax elementwise_fmin elementwise_heaviside elementwise_max elementwise_min elementwise_mod "
        "elementwise_mul elementwise_pow elementwise_sub elu exp expand_v2 expm1 fill_constant floor frobenius_norm gaussian_random "
        "gelu grad_add hard_swish layer_norm leaky_relu linear_interp_v2 log log10 log1p log2 log_softmax logsigmoid lrn matmul_v2 mish "
        "mul nearest_interp_v2 pad2d pad3d partial_sum pool2d pool3d prelu prior_box reciprocal reduce_all reduce_amax reduce_amin "
        "reduce_any reduce_max reduce_mean reduce_min reduce_prod reduce_sum relu relu6 renorm reshape2 round rsqrt scale sgd shape "
        "shuffle_channel sigmoid silu sin sinh slice softmax softplus softsign sqrt square squeeze2 stack swish tan tanh tanh_shrink "
        "transpose2 trilinear_interp_v2",
    ),
    (
        False,
        "use_quantizer",
        "concat depthwise_conv2d elementwise_add elementwise_div elementwise_floordiv elementwise_fmax elementwise_fmin "
        "elementwise_heaviside elementwise_max elementwise_min elementwise_mod elementwise_mul elementwise_pow elementwise_sub grad_add "
        "pool2d prior_box reshape2",
    ),
    (512, "workspace_size_MB", "conv2d conv2d_transpose conv3d conv3d_transpose depthwise_conv2d depthwise_conv2d_transpose"),
    ("", "x_data_format", "elementwise_min"),
    ("", "y_data_format", "elementwise_min"),
)


@cache
def kernel_choices(op: str, age: int = 1) -> dict[str, Any]:
    """The attributes by which an operator of the wheels chooses its kernel, with their defaults."""
    return _of(FIRST_AGE if age == 1 else SECOND_AGE, op)


@cache
def unlisted(op: str, age: int = 2) -> dict[str, Any]:
    """The attributes that an operator of 2.6 has without listing them, with their defaults."""
    return {} if age == 1 else _of(_UNLISTED, op)


def choose(out: Any, **choices: Any) -> Any:
    """Note on the operator that made a Variable which kernels a layer asked for; hands the Variable on."""
    op = getattr(out, "op", None)
    if op is not None:
        known = {**kernel_choices(op.type, op.program.age), **unlisted(op.type, op.program.age)}
        for name in choices.keys() & known.keys():
            op._set_attr(name, choices[name])
    return out


def forward_type(op: str) -> str:
    """The operator whose attributes a gradient operator has; any other operator itself."""
    while op.endswith("_grad"):
        op = op[: -len("_grad")]
    return op


def _of(table: tuple[tuple[Any, str, str], ...], op: str) -> dict[str, Any]:
    return {name: value for value, name, ops in table if forward_type(op) in ops.split()}
