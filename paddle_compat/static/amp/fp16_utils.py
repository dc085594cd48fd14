"""A Program, and the values of its parameters, in low precision."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.amp.amp_lists import EXTRA_BLACK_LIST
from paddle_compat.core.dtype import VarType, torch_dtype
from paddle_compat.core.errors import type_error
from paddle_compat.core.operator import OpRole
from paddle_compat.core.program import Program, name_scope
from paddle_compat.core.scope import global_scope
from paddle_compat.static.amp._neighbours import (  # noqa: F401 - harnesses take them from here
    _rename_arg,
    find_op_index,
    find_true_post_op,
    find_true_prev_op,
)
from paddle_compat.static.amp._rewriting import GUARD, Rewriter
from paddle_compat.static.amp.fp16_lists import (
    AutoMixedPrecisionLists,
    _get_white_list,
    get_low_precision_dtypestr,
    get_low_precision_vartype,
)

__all__ = ["cast_model_to_fp16", "cast_parameters_to_fp16", "fp16_guard", "update_role_var_grad"]


def fp16_guard() -> AbstractContextManager[None]:
    """Inside the block, what is recorded computes in low precision when `use_fp16_guard` is on.

    Returns:
        A context manager.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> main = paddle.static.Program()
        >>> with paddle.static.program_guard(main), paddle.static.amp.fp16_guard():
        ...     y = paddle.static.data("x", [2]) * 2.0
        >>> main.global_block().ops[0].attr("op_namescope").startswith("/__use_fp16__")
        True

    Follows Paddle 2.6.
    """
    return name_scope(GUARD)


def _dtype_to_str(dtype: Any) -> str:
    return "fp16" if dtype in (VarType.FP16, VarType.BF16) else "fp32"


def cast_model_to_fp16(
    program: Program,
    amp_lists: AutoMixedPrecisionLists | None = None,
    use_fp16_guard: bool = True,
    dest_type: Any = VarType.FP16,
    level: str = "O2",
    use_promote: bool = False,
) -> set[str]:
    """Write casts into a Program, so that it computes in low precision.

    Args:
        program (Program): the Program, without gradients.
        amp_lists (AutoMixedPrecisionLists|None): which operators do and do not; None: the default ones.
        use_fp16_guard (bool): whether only what was recorded inside `fp16_guard` does.
        dest_type (VarType): the low precision.
        level (str): "O1": what is on the lists; "O0": these, and parameters; "O2": everything but the black list, parameters included;
            "OD": what is on the usual white list, whatever amp_lists says.
        use_promote (bool): whether what is on no list, or computes as its inputs, computes in float32 where one of them is, else not.
    Returns:
        set: names of what is read in low precision; `cast_parameters_to_fp16` casts the parameters among them.
    Raises:
        TypeError: program is none.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> main = paddle.static.Program()
        >>> with paddle.static.program_guard(main, paddle.static.Program()):
        ...     y = paddle.static.nn.fc(paddle.static.data("x", [None, 2]), 1, bias_attr=False)
        >>> lists = paddle.static.amp.AutoMixedPrecisionLists(dtype="bfloat16")
        >>> names = paddle.static.amp.cast_model_to_fp16(main, lists, use_fp16_guard=False, dest_type=paddle.bfloat16)
        >>> [op.type for op in main.global_block().ops], y.dtype.name
        (['cast', 'mul'], 'BF16')

    Follows Paddle 2.6.
    """
    if not isinstance(program, Program):
        raise type_error("program", "a Program", program, "cast_model_to_fp16")
    low = get_low_precision_vartype(dest_type)
    lists = amp_lists if amp_lists is not None else AutoMixedPrecisionLists(dtype=get_low_precision_dtypestr(low))
    if level in ("O2", "OD"):
        usual = AutoMixedPrecisionLists.__new__(AutoMixedPrecisionLists)
        usual.__dict__.update(vars(lists))
        if level == "OD":
            # its list is short, and what was asked for does not count
            usual.white_list = _get_white_list(lists.amp_dtype)
            usual.black_list = lists.all_list - usual.white_list
        else:
            usual.black_list = (lists.black_list & EXTRA_BLACK_LIST) | set(lists._custom_black_list or ())
        lists = usual
    return Rewriter(program, lists, low, level, use_fp16_guard, use_promote).run()


def cast_parameters_to_fp16(
    place: Any,
    program: Program,
    scope: Any = None,
    to_fp16_var_names: Iterable[str] | None = None,
    dest_type: Any = VarType.FP16,
    rewrite_master_weight: bool = False,
    master_weights: dict[str, Any] = {},  # noqa: B006 (Paddle's own signature; never changed)
) -> None:
    """Cast the values of parameters in a scope.

    Args:
        place (Place): of no effect; values stay where they are.
        program (Program): whose parameters.
        scope (Scope|None): None: the global one.
        to_fp16_var_names (set|None): what `cast_model_to_fp16` returned.
        dest_type (VarType): the low precision.
        rewrite_master_weight (bool): whether master copies take the values that the parameters had before.
        master_weights (dict): the master copies, by name of the parameter.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> main, startup, scope = paddle.static.Program(), paddle.static.Program(), paddle.static.Scope()
        >>> with paddle.static.program_guard(main, startup), paddle.static.scope_guard(scope):
        ...     w = paddle.static.create_parameter([2], "float32", "w")
        ...     _ = paddle.static.Executor().run(startup)
        >>> paddle.static.amp.cast_parameters_to_fp16(paddle.CPUPlace(), main, scope, {"w"}, paddle.bfloat16)
        >>> scope.find_var("w").get_tensor()._dtype().name
        'BF16'

    Follows Paddle 2.6.
    """
    found = scope if scope is not None else global_scope()
    names, low = set(to_fp16_var_names or ()), torch_dtype(get_low_precision_vartype(dest_type))
    for param in program.all_parameters():
        holder = found.find_var(param.name) if param.name in names else None
        if holder is None or holder.tensor.value is None:
            continue
        value = holder.tensor.value
        if rewrite_master_weight and param.name in master_weights:
            master = found.find_var(master_weights[param.name].name)
            if master is not None:
                master.tensor.value = value.detach().float()
        holder.tensor.value = value.detach().to(low)


def update_role_var_grad(main_prog: Program, params_grads: Iterable[tuple[Any, Any]]) -> None:
    """Move the casts of parameters' gradients behind the backward pass.

    Args:
        main_prog (Program): the Program.
        params_grads (list): pairs of parameter and gradient.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.static.amp.fp16_utils import update_role_var_grad
        >>> update_role_var_grad(paddle.static.Program(), [])

    Follows Paddle 1.8 and 2.6.
    """
    block = main_prog.global_block()
    for param, grad in params_grads:
        op = None if grad is None else grad.op
        if op is None or op.type != "cast" or not op.role & OpRole.Backward or grad.dtype != VarType.FP32 or op not in block.ops:
            continue
        source = op.input("X")[0]
        writer = next((o for o in block.ops if source in o.output_arg_names), None)
        if writer is not None:
            roles = dict(zip(*[iter(writer.attrs.get("op_role_var", []))] * 2))
            roles[param.name] = source
            writer._set_attr("op_role_var", [name for pair in roles.items() for name in pair])
        op._set_attr("op_role", OpRole.Optimize)
        op._remove_attr("op_role_var")
        block.ops.remove(op)
        block.ops.append(op)
    main_prog._touch()


__getattr__ = missing(__name__)
