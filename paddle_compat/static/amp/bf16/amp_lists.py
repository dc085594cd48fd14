"""Which operators of a Program compute in bfloat16, which never do, and which do as their inputs."""

from __future__ import annotations

from collections.abc import Iterable

from paddle_compat._missing import missing
from paddle_compat.amp.amp_lists import BF16_WHITE_LIST, EXTRA_BLACK_LIST, FP16_BLACK_LIST, ONLY_FP16_WHITE_LIST
from paddle_compat.static.amp.fp16_lists import gray_list

__all__ = ["AutoMixedPrecisionListsBF16"]


class AutoMixedPrecisionListsBF16:
    """Which operators compute in bfloat16, which never do, and which do as their inputs.

    Args:
        custom_bf16_list (set|None): types of operators that are to compute in bfloat16.
        custom_fp32_list (set|None): types that are to compute in float32.
        custom_fp32_varnames (set|None): names of variables; what reads or writes them computes in float32.
    Raises:
        ValueError: the lists overlap.

    Example:
        >>> from paddle_compat.static.amp.bf16 import AutoMixedPrecisionListsBF16
        >>> lists = AutoMixedPrecisionListsBF16({"softmax"}, {"mul"})
        >>> "softmax" in lists.bf16_list, "mul" in lists.fp32_list
        (True, True)

    Follows Paddle 2.6.
    """

    def __init__(
        self,
        custom_bf16_list: Iterable[str] | None = None,
        custom_fp32_list: Iterable[str] | None = None,
        custom_fp32_varnames: Iterable[str] | None = None,
    ) -> None:
        self._custom_bf16_list = custom_bf16_list
        self._custom_fp32_list = custom_fp32_list
        self.bf16_list = set(BF16_WHITE_LIST)
        self.fp32_list = FP16_BLACK_LIST | EXTRA_BLACK_LIST | ONLY_FP16_WHITE_LIST
        self.gray_list = set(gray_list)
        self.bf16_initializer_list = {"fill_constant", "uniform_random"}
        self.unsupported_list: set[str] = set()
        self.fp32_varnames = custom_fp32_varnames
        self._update_list()

    def _update_list(self) -> None:
        """Move what was asked for between the lists."""
        low, wide = set(self._custom_bf16_list or ()), set(self._custom_fp32_list or ())
        if low & wide:
            raise ValueError(f"Custom bf16 list overlap custom fp32 list: {', '.join(sorted(low & wide))}")
        self.bf16_list = (self.bf16_list | low) - wide
        self.fp32_list = (self.fp32_list - low) | wide
        self.gray_list -= low | wide


__getattr__ = missing(__name__)
