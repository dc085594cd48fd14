"""Which operators of a Program of Paddle 1.8 compute in float16, which never do, and which do as their inputs."""

from __future__ import annotations

from collections.abc import Iterable

from paddle_compat._missing import missing
from paddle_compat.static.amp.fp16_lists import Lists

__all__ = ["AutoMixedPrecisionLists"]

white_list = {"conv2d", "matmul", "mul"}
black_list = {
    "cos_sim", "cross_entropy", "cross_entropy2", "exp", "log", "mean", "sigmoid_cross_entropy_with_logits", "softmax",
    "softmax_with_cross_entropy", "square", "sum",
}  # fmt: skip
gray_list = {
    "batch_norm", "cast", "dropout", "elementwise_add", "elementwise_div", "elementwise_floordiv", "elementwise_max",
    "elementwise_min", "elementwise_mod", "elementwise_mul", "elementwise_pow", "elementwise_sub", "fill_constant", "flatten2",
    "gather", "gaussian_random", "gaussian_random_batch_size_like", "get_tensor_from_selected_rows", "leaky_relu", "lookup_table",
    "pool2d", "pool3d", "rank", "relu", "relu6", "reshape2", "scale", "sigmoid", "sign", "slice", "soft_relu", "stack", "tanh",
    "top_k", "transpose2", "uniform_random_batch_size_like", "unstack",
}  # fmt: skip


class AutoMixedPrecisionLists(Lists):
    """Which operators compute in float16, which never do, and which do as their inputs.

    Args:
        custom_white_list (set|None): types of operators that are to compute in float16.
        custom_black_list (set|None): types that are to compute in float32.
        custom_black_varnames (set|None): names of variables; what reads or writes them computes in float32.
    Raises:
        ValueError: the lists overlap.

    Example:
        >>> from paddle_compat.fluid.contrib.mixed_precision import AutoMixedPrecisionLists
        >>> lists = AutoMixedPrecisionLists({"softmax"}, {"mul"})
        >>> "softmax" in lists.white_list, "softmax" in lists.black_list, "mul" in lists.black_list
        (True, False, True)

    Follows Paddle 1.8.
    """

    def __init__(
        self,
        custom_white_list: Iterable[str] | None = None,
        custom_black_list: Iterable[str] | None = None,
        custom_black_varnames: Iterable[str] | None = None,
    ) -> None:
        self._custom_white_list = custom_white_list
        self._custom_black_list = custom_black_list
        self.white_list, self.black_list, self.gray_list = set(white_list), set(black_list), set(gray_list)
        self.black_varnames = custom_black_varnames
        self._update_list()

    def _update_list(self) -> None:
        """Move what was asked for between the lists."""
        white, black = set(self._custom_white_list or ()), set(self._custom_black_list or ())
        if white & black:
            raise ValueError(f"Custom white list overlap custom black list: {', '.join(sorted(white & black))}")
        self._move(white, black)


__getattr__ = missing(__name__)
