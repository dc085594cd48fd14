"""Updates that Paddle's kernels refuse: of rows of a table, or of float64, where they have no kernel for it."""

from __future__ import annotations

from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import PreconditionNotMetError, UnimplementedError
from paddle_compat.core.operator import Operator, OpRole
from paddle_compat.core.program import Program

# by age: what takes gradients of whole tables only, and the slots that hold them
_WHOLE = {
    1: {"lars_momentum", "adamax", "decayed_adagrad", "adadelta", "ftrl", "dpsgd"},
    2: {"lars_momentum", "adamax", "adadelta", "adamw", "clip"},
}
_SINGLE = {1: {"decayed_adagrad", "ftrl", "rmsprop"}, 2: set[str]()}


def refuse_updates(program: Program) -> None:
    """Raise for an update that Paddle of the program's age refuses, before anything of the program has run.

    Raises:
        PreconditionNotMetError: the gradient is SelectedRows, and the operator takes whole gradients.
        UnimplementedError: the parameter is of float64, and the operator takes float32.
    """
    whole, single = _WHOLE[program.age], _SINGLE[program.age]
    for block in program.blocks:
        for op in block.ops:
            if op.role & OpRole.Optimize and op.type in whole | single:
                _check(op, op.type in whole, op.type in single)


def _check(op: Operator, whole: bool, single: bool) -> None:
    for slot in ("Grad", "X"):
        for name in op.inputs.get(slot, []):
            var = op.block._find_var_recursive(name)
            if var is None:
                continue
            where = f"\n  [operator < {op.type} > error] recorded at {op.where}"
            if whole and var.type == VarType.SELECTED_ROWS:
                raise PreconditionNotMetError(
                    f"Invalid type of input `{slot}` of operator `{op.type}`. Expected a whole gradient; look tables up with "
                    f"is_sparse=False, or take another optimizer. Received: SelectedRows `{name}`{where}"
                )
            if single and var.dtype == VarType.FP64:
                raise UnimplementedError(
                    f"Invalid data type of input `{slot}` of operator `{op.type}`. Expected float32. Received: float64 `{name}`{where}"
                )
