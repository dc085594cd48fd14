"""`paddle.static.amp.debugging`: in which precision the operators of a Program compute."""

from __future__ import annotations

from paddle_compat._missing import missing
from paddle_compat.amp.debugging import print_calls
from paddle_compat.core.block import Block
from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.operator import Operator
from paddle_compat.core.program import Program, default_main_program
from paddle_compat.static.amp._rewriting import LOW_INPUTS

__all__ = ["OperatorStatsUnit", "collect_operator_stats"]

_FIELDS = {VarType.FP16: "fp16_calls", VarType.BF16: "bf16_calls", VarType.FP32: "fp32_calls"}
_FLOATS = (*_FIELDS, VarType.FP64)


class OperatorStatsUnit:
    """How many operators of one type compute in which precision.

    Example:
        >>> from paddle_compat.static.amp.debugging import OperatorStatsUnit
        >>> unit = OperatorStatsUnit()
        >>> unit.update("fp32"); unit.addto(unit)
        >>> unit.fp32_calls, unit.convert_to_list()
        (2, [0, 0, 2, 0])

    Follows Paddle 2.6.
    """

    def __init__(self) -> None:
        self.op_type: str | None = None
        self.fp32_calls = self.fp16_calls = self.bf16_calls = self.other_calls = 0

    def update(self, dtype: VarType | str | None) -> None:
        """Count one operator that computes in a data type.

        Args:
            dtype (VarType|str|None): the data type, or "fp16", "bf16", "fp32".
        """
        field = f"{dtype}_calls" if f"{dtype}_calls" in vars(self) else _FIELDS.get(dtype, "other_calls")  # type: ignore[arg-type]
        setattr(self, field, getattr(self, field) + 1)

    def addto(self, another: OperatorStatsUnit) -> None:
        """Add what another one has counted.

        Args:
            another (OperatorStatsUnit): of operators of the same type.
        """
        for field in (*_FIELDS.values(), "other_calls"):
            setattr(self, field, getattr(self, field) + getattr(another, field))

    def convert_to_list(self) -> list[int]:
        """The numbers in float16, bfloat16, float32 and in something else.

        Returns:
            list[int].
        """
        return [self.fp16_calls, self.bf16_calls, self.fp32_calls, self.other_calls]


def _computes_in(block: Block, op: Operator) -> VarType | None:
    """The data type of the first floating one among the first arguments of the inputs; of an output where there is no input."""
    if "Param" in op.input_names:
        firsts = op.input("Param")[:1]
    else:
        slots = sorted(LOW_INPUTS.get(op.type, set()) & set(op.input_names) or op.input_names)
        firsts = [name for slot in slots for name in op.input(slot)[:1]]
    if not op.input_arg_names:
        firsts = [name for slot in sorted(op.output_names) for name in op.output(slot)[:1]]
    found = (block._find_var_recursive(name) for name in firsts)
    return next((var.dtype for var in found if var is not None and var.dtype in _FLOATS), None)


def _get_op_stats_list(program: Program) -> list[dict[str, OperatorStatsUnit]]:
    """For each block, what its operators compute in, by their types."""
    blocks = []
    for block in program.blocks:
        units: dict[str, OperatorStatsUnit] = {}
        for op in block.ops:
            if op.type not in ("create_py_reader", "read"):
                units.setdefault(op.type, OperatorStatsUnit()).update(_computes_in(block, op))
        blocks.append(units)
    return blocks


def _merge_op_stats(op_stats_list: list[dict[str, OperatorStatsUnit]]) -> dict[str, OperatorStatsUnit]:
    """The sums over all blocks."""
    merged: dict[str, OperatorStatsUnit] = {}
    for units in op_stats_list:
        for name, unit in units.items():
            merged.setdefault(name, OperatorStatsUnit()).addto(unit)
    return merged


def collect_operator_stats(program: Program | None = None, print_subblocks: bool = False) -> None:
    """Print how many operators of a Program compute in which precision.

    Args:
        program (Program|None): None: the default main one.
        print_subblocks (bool): whether each block gets a table of its own, too.
    Raises:
        AssertionError: program is none.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> main = paddle.static.Program()
        >>> with paddle.static.program_guard(main):
        ...     y = paddle.static.data("x", [2]) * 2.0
        >>> paddle.static.amp.debugging.collect_operator_stats(main)  # doctest: +ELLIPSIS
        <------...
        ...scale ...
        ...

    Follows Paddle 2.6.
    """
    program = default_main_program() if program is None else program
    if not isinstance(program, Program):
        raise failed_assertion("program", "a Program", program, "collect_operator_stats")
    blocks = _get_op_stats_list(program)
    tables = [(f"block {n}", units) for n, units in enumerate(blocks)] if print_subblocks else []
    for title, units in [*tables, ("all blocks", _merge_op_stats(blocks))]:
        print(f"<{f' op list of {title} ':-^120}>")
        print_calls({name: unit.convert_to_list() for name, unit in units.items()})


__getattr__ = missing(__name__)
