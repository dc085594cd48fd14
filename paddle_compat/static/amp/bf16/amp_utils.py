"""A Program that computes in bfloat16."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import torch

from paddle_compat._missing import missing
from paddle_compat.core.dtype import VarType
from paddle_compat.core.program import Program, name_scope
from paddle_compat.static.amp._rewriting import rewrite_listed
from paddle_compat.static.amp.bf16.amp_lists import AutoMixedPrecisionListsBF16

__all__ = ["bf16_guard", "convert_float_to_uint16", "rewrite_program_bf16"]


def bf16_guard() -> AbstractContextManager[None]:
    """Inside the block, operators carry a scope of that name.

    Returns:
        A context manager.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> main = paddle.static.Program()
        >>> with paddle.static.program_guard(main), paddle.static.amp.bf16.bf16_guard():
        ...     y = paddle.static.data("x", [2]) * 2.0
        >>> main.global_block().ops[0].attr("op_namescope").startswith("/__use_bf16__")
        True

    Follows Paddle 2.6.
    """
    return name_scope("__use_bf16__")


def convert_float_to_uint16(in_list: Any) -> np.ndarray:
    """The bits of numbers in bfloat16.

    Args:
        in_list (ndarray): numbers in float32.
    Returns:
        ndarray: of uint16.

    Example:
        >>> import numpy as np
        >>> from paddle_compat.static.amp.bf16 import convert_float_to_uint16
        >>> convert_float_to_uint16(np.array([1.0, -2.5], "float32")).tolist()
        [16256, 49184]

    Follows Paddle 2.6.
    """
    values = torch.tensor(np.asarray(in_list, dtype="float32")).to(torch.bfloat16)
    bits: np.ndarray = values.view(torch.int16).numpy().view(np.uint16)
    return bits


def rewrite_program_bf16(main_prog: Program, amp_lists: AutoMixedPrecisionListsBF16 | None = None) -> None:
    """Write casts into a Program, so that it computes in bfloat16 where the lists say so.

    Args:
        main_prog (Program): the Program, without gradients.
        amp_lists (AutoMixedPrecisionListsBF16|None): the lists; None: the usual ones.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> main = paddle.static.Program()
        >>> with paddle.static.program_guard(main, paddle.static.Program()):
        ...     y = paddle.static.nn.fc(paddle.static.data("x", [None, 2]), 1, bias_attr=False)
        >>> paddle.static.amp.bf16.rewrite_program_bf16(main)
        >>> [op.type for op in main.global_block().ops], y.dtype.name
        (['cast', 'cast', 'mul'], 'BF16')

    Follows Paddle 2.6.
    """
    lists = AutoMixedPrecisionListsBF16() if amp_lists is None else amp_lists
    sets = (lists.bf16_list, lists.fp32_list, lists.gray_list)
    rewrite_listed(main_prog.global_block(), *sets, lists.fp32_varnames, VarType.BF16, "bf16")


__getattr__ = missing(__name__)
