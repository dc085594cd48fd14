"""A Program that computes in bfloat16."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import torch

from paddle_compat._missing import missing
from paddle_compat.core.dtype import VarType
from paddle_compat.core.program import Program, name_scope
from paddle_compat.static.amp._rewriting import LOW_INPUTS, LOW_OUTPUTS, arguments, castable, in_block_order, insert_casts, rewrite_listed
from paddle_compat.static.amp.bf16.amp_lists import AutoMixedPrecisionListsBF16
from paddle_compat.static.amp.fp16_utils import cast_parameters_to_fp16

__all__ = ["bf16_guard", "cast_model_to_bf16", "cast_parameters_to_bf16", "convert_float_to_uint16", "rewrite_program_bf16"]

_GUARD = "__use_bf16__"
_READERS = ("create_py_reader", "read")


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
    return name_scope(_GUARD)


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


def cast_model_to_bf16(
    program: Program,
    startup_prog: Program | None = None,
    amp_lists: AutoMixedPrecisionListsBF16 | None = None,
    use_bf16_guard: bool = True,
) -> set[str]:
    """Let a Program compute in bfloat16: what it is fed, its parameters and all that is made of them.

    Args:
        program (Program): the Program, without gradients.
        startup_prog (Program|None): whose initializers are to make parameters in bfloat16, where they can.
        amp_lists (AutoMixedPrecisionListsBF16|None): its `unsupported_list` and what was asked for in float32 computes in that.
        use_bf16_guard (bool): whether only what was recorded inside `bf16_guard` computes in bfloat16.
    Returns:
        set: names of what is read in bfloat16, but for the parameters that the initializers make so.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> main = paddle.static.Program()
        >>> with paddle.static.program_guard(main, paddle.static.Program()), paddle.utils.unique_name.guard():
        ...     y = paddle.static.nn.fc(paddle.static.data("x", [None, 2]), 1, bias_attr=False)
        >>> names = paddle.static.amp.bf16.cast_model_to_bf16(main, use_bf16_guard=False)
        >>> sorted(names), y.dtype.name
        (['fc_0.w_0', 'x'], 'BF16')

    Follows Paddle 2.6.
    """
    lists = AutoMixedPrecisionListsBF16() if amp_lists is None else amp_lists
    # lists of float16 serve as well: of them only the operators count that have no kernel in float16, which on a CPU is all of them
    wide = set(lists.unsupported_list) | set(getattr(lists, "_custom_fp32_list", None) or ())
    low: set[int] = set()  # ids of the operators in bfloat16
    names: set[str] = set()
    for block, op in in_block_order(program):
        rates = any("learning_rate" in name for name in op.input_arg_names + op.output_arg_names)
        outside = use_bf16_guard and _GUARD not in (op.attr("op_namescope") or "")
        if op.type in _READERS or op.type in wide or rates or outside:
            continue
        low.add(id(op))
        read = [name for _, name in arguments(op, LOW_INPUTS)]
        for name in (*read, *(name for _, name in arguments(op, LOW_OUTPUTS, outputs=True))):
            var = block._find_var_recursive(name)
            if var is not None and castable(var) and var.dtype == VarType.FP32:
                var.dtype = VarType.BF16
                names.update({name} & set(read))
        for attr in ("in_dtype", "out_dtype", "dtype"):
            if op.has_attr(attr) and op.attr(attr) == int(VarType.FP32):
                op._set_attr(attr, int(VarType.BF16))
    for block, op in in_block_order(program):
        if id(op) not in low and op.type not in _READERS:
            for _, name in arguments(op, {}, outputs=True):
                var = block._find_var_recursive(name)
                if var is not None and castable(var) and var.dtype == VarType.BF16:
                    var.dtype = VarType.FP32
    for block, op in in_block_order(program):
        if op.type not in (*_READERS, "cast"):
            insert_casts(block, op, VarType.BF16 if id(op) in low else VarType.FP32, VarType.BF16, text="bf16")
    program._touch()
    return names - _initialize_low(startup_prog, lists, names) if startup_prog is not None and names else names


def _initialize_low(startup: Program, lists: AutoMixedPrecisionListsBF16, names: set[str]) -> set[str]:
    """Let initializers make the variables of these names in bfloat16; the names of those that do."""
    made: set[str] = set()
    for op in startup.global_block().ops:
        if op.type in lists.bf16_initializer_list and op.output("Out")[0] in names and op.attr("dtype") == int(VarType.FP32):
            op._set_attr("dtype", int(VarType.BF16))
            made.add(op.output("Out")[0])
    startup._touch()
    return made


def cast_parameters_to_bf16(place: Any, program: Program, scope: Any = None, to_bf16_var_names: Iterable[str] | None = None) -> None:
    """Cast the values of parameters in a scope.

    Args:
        place (Place): of no effect; values stay where they are.
        program (Program): whose parameters.
        scope (Scope|None): None: the global one.
        to_bf16_var_names (set|None): what `cast_model_to_bf16` returned.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> main, startup, scope = paddle.static.Program(), paddle.static.Program(), paddle.static.Scope()
        >>> with paddle.static.program_guard(main, startup), paddle.static.scope_guard(scope):
        ...     w = paddle.static.create_parameter([2], "float32", "w")
        ...     _ = paddle.static.Executor().run(startup)
        >>> paddle.static.amp.bf16.cast_parameters_to_bf16(paddle.CPUPlace(), main, scope, {"w"})
        >>> scope.find_var("w").get_tensor()._dtype().name
        'BF16'

    Follows Paddle 2.6.
    """
    cast_parameters_to_fp16(place, program, scope, to_bf16_var_names, VarType.BF16)


__getattr__ = missing(__name__)
