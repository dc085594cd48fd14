"""Casts written into a Program: each operator gets its inputs in the precision that it is to compute in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from paddle_compat.core.block import Block
from paddle_compat.core.dtype import VarType, is_float
from paddle_compat.core.operator import Operator
from paddle_compat.core.program import Program

GUARD = "__use_fp16__"
_CASTABLE = (VarType.LOD_TENSOR, VarType.SELECTED_ROWS, VarType.LOD_TENSOR_ARRAY)
# what is in low precision of operators that keep their statistics and factors in float32
LOW_INPUTS = {
    "batch_norm": {"X"},
    "fused_bn_add_activation": {"X", "Z"},
    "instance_norm": {"X"},
    "layer_norm": {"X"},
    "sync_batch_norm": {"X"},
}
LOW_OUTPUTS = {
    "batch_norm": {"Y"},
    "fused_bn_add_activation": {"Y"},
    "layer_norm": {"Y"},
    "sync_batch_norm": {"Y"},
}
_LOOKUPS = ("lookup_table", "lookup_table_v2")  # tables are in low precision outside a guard, too, and cast where rows are looked up


def castable(var: Any) -> bool:
    """Whether a variable holds numbers that a cast takes."""
    return var.type in _CASTABLE


def arguments(op: Operator, table: Mapping[str, set[str]], outputs: bool = False) -> Iterator[tuple[str, str]]:
    """Pairs of slot and name of an operator's arguments; where a table has the operator, of the slots there."""
    kept = table.get(op.type)
    for slot in sorted(op.output_names if outputs else op.input_names):
        if kept is None or slot in kept:
            yield from ((slot, name) for name in (op.output(slot) if outputs else op.input(slot)))


def insert_casts(
    block: Block, op: Operator, kind: VarType, low: VarType, table: Mapping[str, set[str]] = LOW_INPUTS, text: str = "fp16"
) -> None:
    """Cast the inputs of an operator, right before it, to the data type that it computes in; of low precision by a table of slots."""
    source, text = (low, "fp32") if kind == VarType.FP32 else (VarType.FP32, text)
    at = block.ops.index(op)
    for slot, name in list(arguments(op, {} if kind == VarType.FP32 else table)):
        var = block._find_var_recursive(name)
        if var is None or var.type not in _CASTABLE or var.dtype != source:
            continue
        cast_name = f"{name}.cast_{text}"
        made = block._find_var_recursive(cast_name)
        if made is None or made.dtype != kind:
            stops = var.stop_gradient and block.program.age > 1
            made = block._add_var(name=cast_name, dtype=kind, persistable=False, stop_gradient=stops)
            attrs = {"in_dtype": int(var.dtype), "out_dtype": int(kind)}
            block._insert_op(at, type="cast", inputs={"X": var}, outputs={"Out": made}, attrs=attrs)
            made._stop_gradient = stops
        op.set_input(slot, [cast_name if n == name else n for n in op.input(slot)])


def follow_input(block: Block, op: Operator) -> None:
    """Let a cast say the data type that it reads."""
    var = block._find_var_recursive(op.input("X")[0])
    if var is not None and op.attr("in_dtype") != int(var.dtype):
        op._set_attr("in_dtype", int(var.dtype))


def rewrite_listed(block: Block, white: set[str], black: set[str], gray: set[str], names: Any, low: VarType, text: str) -> list[Operator]:
    """Cast in one block, where what is on no list computes in float32; returns the operators in low precision."""
    table, cast = {"batch_norm": LOW_INPUTS["batch_norm"]}, []
    chosen: dict[int, VarType] = {}
    writers: dict[str, Operator] = {}
    for op in block.ops:
        if op.type in black or touches(op, names):
            kind: VarType | None = VarType.FP32
        elif op.type in white:
            kind = low
        elif op.type in gray:
            made = {chosen.get(id(writers[name])) for _, name in arguments(op, {}) if name in writers}
            kind = next((k for k in (VarType.FP32, low) if k in made), None)
        else:
            kind = VarType.FP32
        if kind is not None:
            chosen[id(op)] = kind
        writers.update(dict.fromkeys(op.output_arg_names, op))
    for op in list(block.ops):
        kind = chosen.get(id(op))
        if kind is not None:
            insert_casts(block, op, kind, low, table, text)
        if kind == low:
            cast.append(op)
            _declare_outputs(block, op, low)
        if op.type == "cast":
            follow_input(block, op)
    block.program._touch()
    return cast


def _declare_outputs(block: Block, op: Operator, low: VarType) -> None:
    for slot, name in arguments(op, {}, outputs=True):
        var = block._find_var_recursive(name)
        if var is not None and var.dtype == VarType.FP32 and (op.type != "batch_norm" or slot == "Y"):
            var.dtype = low
            if op.has_attr("out_dtype"):
                op._set_attr("out_dtype", int(low))


def in_block_order(program: Program) -> Iterator[tuple[Block, Operator]]:
    """The operators of a Program, one block after the other."""
    for block in list(program.blocks):
        for op in list(block.ops):
            yield block, op


class Rewriter:
    """Chooses a precision for each operator of a Program, declares what it gives, and inserts the casts.

    Args:
        program: the Program.
        lists: `AutoMixedPrecisionLists`.
        low: the low precision.
        level: O1 and OD: what is listed; O0: the same, and parameters; O2: everything but what is on the black list, parameters included.
        guarded: whether only what was recorded inside `fp16_guard` computes in low precision.
        promote: whether an input in float32 makes an operator compute in it, unless it is on the white list.
    """

    def __init__(self, program: Program, lists: Any, low: VarType, level: str = "O1", guarded: bool = False, promote: bool = False) -> None:
        self.program, self.lists, self.low = program, lists, low
        self.level, self.guarded, self.promote = level, guarded, promote
        self.chosen: dict[int, VarType] = {}  # by id of the operator
        self.writers: dict[str, Operator] = {}
        self.names: set[str] = set()  # what operators in low precision read
        self.kept: set[str] = set()  # at O2, what operators read that are kept from it

    def run(self) -> set[str]:
        """Rewrite the Program; the names of what is read in low precision."""
        if self.level in ("O0", "O2"):
            self._declare_parameters()
        for block, op in in_block_order(self.program):
            kind = self._choose(block, op)
            if kind is not None:
                self.chosen[id(op)] = kind
                self._declare(block, op, kind)
            self.writers.update(dict.fromkeys(op.output_arg_names, op))
        for block, op in in_block_order(self.program):
            if id(op) in self.chosen:
                insert_casts(block, op, self.chosen[id(op)], self.low)
            elif op.type == "cast":
                follow_input(block, op)
        self.program._touch()
        return self.names - self.kept

    # ---- which precision
    def _refused(self, op: Operator) -> bool:
        """Whether low precision is out of question for an operator."""
        if op.type in self.lists.unsupported_list or any("learning_rate" in n for n in op.input_arg_names + op.output_arg_names):
            return True
        return self.guarded and GUARD not in (op.attr("op_namescope") or "")

    def _choose(self, block: Block, op: Operator) -> VarType | None:
        """The data type that an operator computes in; None where an attribute says it."""
        if _has_own_type(op):
            return None
        named = self._refused(op) or touches(op, self.lists.black_varnames)
        if named or op.type in self.lists.black_list:
            found = map(block._find_var_recursive, op.input_arg_names)
            cast = set() if named else {v.name for v in found if v is not None and v.is_parameter}
            self.names |= cast
            if self.level == "O2":
                self.kept |= set(op.input_arg_names) - cast
            return VarType.FP32
        if self.level == "O2":
            wide = self.promote and op.type not in self.lists.white_list and self._reads_float32(block, op)
            return VarType.FP32 if wide else self.low
        if op.type in self.lists.white_list:
            return self.low
        if self.promote and self._reads_float32(block, op):
            return VarType.FP32
        if op.type in self.lists.gray_list:
            return self._as_inputs(op)
        return self.low if self.promote else VarType.FP32

    def _reads_float32(self, block: Block, op: Operator) -> bool:
        found = (block._find_var_recursive(name) for _, name in arguments(op, LOW_INPUTS))
        return any(v is not None and v.type in _CASTABLE and v.dtype == VarType.FP32 for v in found)

    def _as_inputs(self, op: Operator) -> VarType:
        """The precision of the operator that made the last of the inputs; low where none was made by one."""
        kind = self.low
        for _, name in arguments(op, {}):
            writer = self.writers.get(name)
            if writer is None:
                continue
            made = self.chosen.get(id(writer))
            if made == VarType.FP32 or writer.type in self.lists.black_list:
                kind = VarType.FP32
            elif made is not None or writer.type in self.lists.white_list:
                kind = self.low
        return kind

    # ---- what is declared
    def _declare(self, block: Block, op: Operator, kind: VarType) -> None:
        low = kind != VarType.FP32
        for _, name in arguments(op, LOW_OUTPUTS if low else {}, outputs=True):
            var = block._find_var_recursive(name)
            if var is not None and var.type in _CASTABLE and var.dtype in (VarType.FP32, self.low):
                var.dtype = kind
        if low:
            found = (block._find_var_recursive(name) for _, name in arguments(op, LOW_INPUTS))
            self.names.update(v.name for v in found if v is not None and v.type in _CASTABLE and v.dtype in (VarType.FP32, self.low))

    def _declare_parameters(self) -> None:
        """Parameters are in low precision, but for those that an operator keeps in float32."""
        kept: set[str] = set()
        for _, op in in_block_order(self.program):
            cast = set() if self._refused(op) and op.type not in _LOOKUPS else {name for _, name in arguments(op, LOW_INPUTS)}
            kept.update(set(op.input_arg_names) - cast)
            if cast:
                self.kept.update(set(op.input_arg_names) - cast)
        for param in self._parameters():
            if param.name not in kept and param.dtype == VarType.FP32:
                param.dtype = self.low

    def _parameters(self) -> Iterable[Any]:
        return self.program.all_parameters()


def _has_own_type(op: Operator) -> bool:
    """Whether an attribute says the data type of what an operator gives."""
    if op.type in ("create_py_reader", "read", "set_value", "feed", "fetch"):
        return True
    own = [op.attr(name) for name in ("out_dtype", "dtype") if op.has_attr(name)]
    return op.type == "cast" or any(isinstance(value, int) and value >= 0 and is_float(VarType(value)) for value in own)


def touches(op: Operator, names: Iterable[str] | None) -> bool:
    """Whether an operator reads or writes one of these variables."""
    return bool(names) and not set(names or ()).isdisjoint(op.input_arg_names + op.output_arg_names)
