"""`paddle.amp.amp_lists`: which operators compute in low precision, and which never do."""

from __future__ import annotations

from paddle_compat._alias import since
from paddle_compat._missing import missing

__all__ = ["black_list", "white_list"]

# fast in low precision, and safe
WHITE_LIST = {"conv2d", "einsum", "fused_gemm_epilogue", "matmul", "matmul_v2", "max_pool2d_with_index", "mul"}
if since("3"):
    WHITE_LIST |= {"flash_attn", "fused_rotary_position_embedding", "linear_v2"}
ONLY_FP16_WHITE_LIST = {
    "fake_quantize_dequantize_abs_max", "fake_quantize_dequantize_moving_average_abs_max", "fused_attention", "fused_feedforward",
}  # fmt: skip
FP16_WHITE_LIST = WHITE_LIST | ONLY_FP16_WHITE_LIST
BF16_WHITE_LIST = set(WHITE_LIST)

# sums and powers, whose range or rounding low precision is too poor for
FP16_BLACK_LIST = {
    "acos", "asin", "atanh", "c_softmax_with_cross_entropy", "cosh", "cross_entropy", "cross_entropy2", "cumprod", "cumsum",
    "dist", "erfinv", "exp", "expm1", "frobenius_norm", "group_norm", "hsigmoid_loss", "huber_loss", "layer_norm", "log", "log10",
    "log2", "log_loss", "log_softmax", "margin_cross_entropy", "mean", "nll_loss", "pnorm", "pow", "reciprocal", "reduce_mean",
    "reduce_prod", "reduce_sum", "renorm", "rsqrt", "sigmoid_cross_entropy_with_logits", "sinh", "softmax",
    "softmax_with_cross_entropy", "softmin", "softplus", "square", "tan", "tanh_shrink", "triplet_margin_loss",
}  # fmt: skip
if since("3"):
    FP16_BLACK_LIST |= {"c_softmax_with_multi_label_cross_entropy"}
BF16_BLACK_LIST = set(FP16_BLACK_LIST)
# slower in low precision
EXTRA_BLACK_LIST = {
    "bicubic_interp_v2", "bilinear_interp_v2", "linear_interp_v2", "lookup_table", "lookup_table_v2", "nearest_interp_v2", "scatter",
    "trilinear_interp_v2",
}  # fmt: skip


def white_list() -> dict[str, dict[str, set[str]]]:
    """The operators that compute in low precision.

    Returns:
        dict: data type -> level -> types of operators.

    Example:
        >>> import paddle_compat as paddle
        >>> "matmul_v2" in paddle.amp.white_list()["bfloat16"]["O1"]
        True

    Follows Paddle 2.6.
    """
    return {
        dtype: {level: set(kinds) for level in ("OD", "O1", "O2")}
        for dtype, kinds in (("float16", FP16_WHITE_LIST), ("bfloat16", BF16_WHITE_LIST))
    }


def black_list() -> dict[str, dict[str, set[str]]]:
    """The operators that compute in float32.

    Returns:
        dict: data type -> level -> types of operators.

    Example:
        >>> import paddle_compat as paddle
        >>> "softmax" in paddle.amp.black_list()["bfloat16"]["O1"]
        True

    Follows Paddle 2.6.
    """
    return {
        dtype: {"OD": set(), "O1": kinds | EXTRA_BLACK_LIST, "O2": set(EXTRA_BLACK_LIST)}
        for dtype, kinds in (("float16", FP16_BLACK_LIST), ("bfloat16", BF16_BLACK_LIST))
    }


__getattr__ = missing(__name__)
