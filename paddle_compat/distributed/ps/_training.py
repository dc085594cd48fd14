"""What a Program trains: its updates, the rates they read, and its tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from paddle_compat.core._grad_spec import OWN_MARKS
from paddle_compat.core.block import Block
from paddle_compat.core.dtype import VarType
from paddle_compat.core.operator import Operator, OpRole
from paddle_compat.core.program import Program
from paddle_compat.engine.data_parallel import clips

COUNTER = "@LR_DECAY_COUNTER@"
LOOKUPS = ("lookup_table", "lookup_table_v2")


class Training:
    """The parts of a training Program, as they stood when it was looked at.

    Attributes:
        updates: operators that update parameters, clips left out.
        rates: operators of learning rates, schedules and what parameters multiply them by.
        pairs: parameter and gradient, as the updates say, in their order.
        tables: names of parameters whose rows trainers ask servers for.
        distributed: those of them that are larger than a trainer's memory.
        entries: which ids get rows in tables, as their look-ups say.
    """

    def __init__(self, program: Program) -> None:
        block = program.global_block()
        self.program = program
        self._known = dict(block.vars)
        for op in block.ops:  # clips are done where the gradients are
            if op.role == OpRole.Optimize and clips(op):
                op._set_attr("op_role", OpRole.Backward)
        roles = [(op, op.role if op.role != OpRole.NotSpecified else 0) for op in block.ops]
        self.rates = [op for op, role in roles if role & OpRole.LRSched]  # those that multiply a parameter's own are updates, too
        self.updates = [op for op, role in roles if role & OpRole.Optimize and not role & OpRole.LRSched]
        self.pairs: list[tuple[Any, Any]] = []
        for op in self.updates:
            names = op.attrs.get("op_role_var") or []
            if names and names[0] not in {param.name for param, _ in self.pairs}:
                self.pairs.append((block.var(names[0]), block.var(names[1])))
        self.tables = {op.input("W")[0] for op in block.ops if is_remote(op)}
        self.distributed = {op.input("W")[0] for op in block.ops if op.type in LOOKUPS and op.attrs.get("is_distributed")}
        self.entries = {op.input("W")[0]: str(op.attrs.get("entry", "none")) for op in block.ops if op.type in LOOKUPS}
        _as_rows(block, self.distributed)

    def variable(self, op: Operator, name: str) -> Any:
        """A variable that an operator names, also where the trainer's Program has it no longer."""
        found = op.block._find_var_recursive(name)
        return self._known[name] if found is None else found

    def group(self, param: str) -> list[Operator]:
        """The updates of one parameter."""
        return [op for op in self.updates if (op.attrs.get("op_role_var") or [""])[0] == param]

    @property
    def others(self) -> list[Operator]:
        """Updates that belong to no parameter."""
        return [op for op in self.updates if not op.attrs.get("op_role_var")]

    def count_apart(self, startup: Program, trainers: int) -> bool:
        """Let each trainer have a counter of steps, and schedules add them up: without barriers no server knows what a step is.

        Args:
            startup: where counters get their first values.
            trainers: how many there are.
        Returns:
            Whether a schedule counts steps.
        """
        block = self.program.global_block()
        place = next((i for i, op in enumerate(self.rates) if op.type == "increment" and op.input("X") == [COUNTER]), None)
        if place is None:
            return False
        begin = startup.global_block()
        for op in begin.ops:
            if op.output_arg_names == [COUNTER]:
                op._set_attr("value", float(-trainers))
        own = [f"{COUNTER}.trainer_{i}" for i in range(trainers)]
        for name in own:
            for home in (block, begin):
                home.create_var(name=name, shape=[1], dtype="int64", persistable=True)
            attrs = {"shape": [1], "dtype": int(VarType.INT64), "value": 1.0, "op_role": OpRole.Forward}
            begin._prepend_op("fill_constant", None, {"Out": [name]}, attrs)
        at = self.rates[place].idx
        block._remove_op(at)
        attrs = {"op_role": OpRole.LRSched}
        self.rates[place] = block._insert_op(at, "sum", {"X": own}, {"Out": [COUNTER]}, attrs)
        return True


def _as_rows(block: Block, tables: set[str]) -> None:
    """Let the gradients of tables be rows: nobody has memory for the whole."""
    rows: set[str] = set()
    for op in block.ops:
        if op.type.endswith("_grad") and op.inputs.get("W", [""])[0] in tables and not op.attrs.get("is_sparse"):
            for each in (op, op.forward):
                if each is not None:
                    each._set_attr("is_sparse", True)
            rows.update(op.output("W@GRAD"))
        elif op.type == "sum" and rows.issuperset(op.input("X")):
            rows.update(op.output("Out"))
    for name in rows:
        block.vars[name].type = VarType.SELECTED_ROWS


def is_remote(op: Operator) -> bool:
    """Whether an operator reads a table whose rows are to come from servers."""
    return op.type in LOOKUPS and bool(op.attrs.get("remote_prefetch") or op.attrs.get("is_distributed"))


def rename(program: Program, old: str, new: str) -> None:
    """Give a variable of the global block another name, wherever it is written."""
    block = program.global_block()
    block._rename_var(old, new)

    def named(names: Iterable[str]) -> list[str]:
        return [new if name == old else name for name in names]

    for op in block.ops:
        for mark in ("op_role_var", "_zeros"):
            if old in (op.attrs.get(mark) or ()):
                op.attrs[mark] = named(op.attrs[mark])
        if old in op.attrs.get("_grads", ()):  # the pass stays one that nobody edited
            grads, (read, written) = op.attrs["_grads"], op.attrs["_written"]
            op.attrs["_grads"] = {new if name == old else name: owner for name, owner in grads.items()}
            op.attrs["_written"] = (tuple(named(read)), tuple(named(written)))


def set_apart(ops: Iterable[Operator]) -> None:
    """Let operators of a backward pass be ordinary ones behind it: what they differentiate is no longer computed here."""
    for op in ops:
        op.forward = None
        for mark in OWN_MARKS:
            op.attrs.pop(mark, None)


def place_behind(block: Block, names: Iterable[str]) -> int:
    """The place behind the last operator that makes one of some variables."""
    wanted = set(names)
    return max((i + 1 for i, op in enumerate(block.ops) if wanted & set(op.output_arg_names)), default=0)


def drop(block: Block, ops: Sequence[Operator]) -> list[str]:
    """Take operators out, and the variables that only they named. Returns those variables' names."""
    gone = {id(op) for op in ops}
    block.ops = [op for op in block.ops if id(op) not in gone]
    used = {name for op in block.ops for name in (*op.input_arg_names, *op.output_arg_names)}
    used |= {name for op in ops for name in op.attrs.get("op_role_var") or ()}
    names = {name for op in ops for name in (*op.input_arg_names, *op.output_arg_names)}
    left = [name for name in block.vars if name in names and name not in used]
    for name in left:
        del block.vars[name]
    block.program._touch()
    return left
