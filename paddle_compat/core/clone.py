"""Copies of a Program: whole, for inference, and pruned to what some targets need."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from typing import Any

from paddle_compat.core.attribute_variables import reads, variables_of
from paddle_compat.core.operator import Operator, OpRole
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.core.program import Block, Program
from paddle_compat.core.variable import Parameter, Variable


def copy_program(program: Program, keep: Callable[[Operator], bool] = lambda op: True) -> Program:
    """A copy with the operators that `keep` says; variables are all copied."""
    new = Program()
    new.age, new._seed = program.age, program._seed
    new._is_distributed, new._is_test = program._is_distributed, program._is_test
    for name in (*Program._RUN_SETTINGS, "lr_scheduler", "lr_var"):
        if name in program.__dict__:
            setattr(new, name, program.__dict__[name])
    new.blocks = [Block(new, b.idx, b.parent_idx) for b in program.blocks]
    twins: dict[int, Operator] = {}

    def of_block(each: Block) -> Block:
        return new.blocks[each.idx]

    for block, source in zip(new.blocks, program.blocks):
        block.forward_block_idx = source.forward_block_idx
        for name in sorted(source.vars) if program.age > 1 and not SINCE_3 else source.vars:  # 2.x reads them out of a sorted table
            block.vars[name] = _copy_variable(source.vars[name], block)
        for op in source.ops:
            if keep(op):
                twin = twins[id(op)] = copy_operator(op, block, of_block, block._var_recursive)
                block.ops.append(twin)
                for name in twin.output_arg_names:
                    found = block._find_var_recursive(name)
                    if found is not None:
                        found.op = twin
    for source_block in program.blocks:
        for op in source_block.ops:
            if id(op) in twins and op.forward is not None:
                twins[id(op)].forward = twins.get(id(op.forward))
    return new


def _copy_variable(var: Variable, block: Block) -> Variable:
    twin = copy.copy(var)
    twin.block = block
    twin.op = None
    return twin


def copy_operator(op: Operator, block: Block, of_block: Callable[[Block], Block], of_variable: Callable[[str], Variable]) -> Operator:
    """An operator's twin in another block; the functions say what blocks, and what Variables by their names, its attributes hold there."""
    attrs: dict[str, Any] = {}
    for name, value in op.attrs.items():
        if isinstance(value, Block):
            value = of_block(value)
        elif isinstance(value, list) and value and isinstance(value[0], Block):
            value = [of_block(each) for each in value]
        elif variables_of(value):
            twins = [of_variable(var.name) for var in variables_of(value)]
            value = twins if isinstance(value, list) else twins[0]
        elif isinstance(value, (list, dict)) and not name.startswith("_"):
            value = copy.copy(value)
        attrs[name] = value
    twin = Operator.__new__(Operator)
    twin.block, twin.type, twin.forward, twin._calls = block, op.type, None, op._calls
    twin.inputs = {s: list(n) for s, n in op.inputs.items()}
    twin.outputs = {s: list(n) for s, n in op.outputs.items()}
    twin.attrs, twin._listed = attrs, op._listed
    return twin


def clone_program(program: Program, for_test: bool) -> Program:
    """See `Program.clone`."""
    if not for_test:
        new = copy_program(program)
        new.__dict__.pop("lr_var", None)
        new._appending_grad_times = program._appending_grad_times  # names of later gradients count those passes, too
        return new
    if any(op.role != OpRole.NotSpecified and op.role & OpRole.Loss for block in program.blocks for op in block.ops):
        new = without_training(program)
    else:  # as in Paddle: without a loss nothing says where training starts, and a schedule's operators stay
        new = copy_program(program)
        if _forget_own_gradients(new):
            drop_blocks(new)
    for name in ("lr_scheduler", "lr_var"):
        new.__dict__.pop(name, None)
    _test_mode(new)
    new._is_test = True
    new._seed = Program._seed_of_new  # as in Paddle, which hands a seed on to copies for training alone
    new._appending_grad_times = program._appending_grad_times
    new._touch()
    return new


def take_parameters(block: Block, parameters: Iterable[Parameter]) -> None:
    """Make Parameters of a block's variables that are Parameters in another Program: shapes and dtypes stay."""
    for parameter in parameters:
        own = block.vars.get(parameter.name)
        if own is not None:
            twin = _copy_variable(parameter, block)
            twin.shape, twin.dtype, twin.lod_level, twin.op = own.shape, own.dtype, own.lod_level, own.op
            block.vars[own.name] = twin


def take_data(program: Program, source: Program, numbers: dict[int, int]) -> None:
    """Mark as data, as to be checked and as without gradient what another Program marks so.

    Args:
        program: whose variables are marked.
        source: the other one.
        numbers: the number of a block in `program` -> that in `source`, where they differ.
    """
    for block in program.blocks:
        theirs = source.blocks[numbers.get(block.idx, block.idx)].vars
        for name in block.vars.keys() & theirs.keys():
            own, other = block.vars[name], theirs[name]
            own.is_data = own.is_data or other.is_data
            own.need_check_feed = own.need_check_feed or other.need_check_feed
            own.stop_gradient = own.stop_gradient or other.stop_gradient


def without_training(program: Program, numbers: dict[int, int] | None = None) -> Program:
    """A copy without backward, update and schedule, and without the variables of these alone.

    Args:
        program: the Program.
        numbers: takes for each block that stays its number here and in the copy.
    """
    skipped = OpRole.Backward | OpRole.Optimize | OpRole.LRSched
    new = copy_program(program, lambda op: op.role == OpRole.NotSpecified or not op.role & skipped)
    _forget_own_gradients(new)
    found = drop_blocks(new)
    if numbers is not None:
        numbers.update(found)
    _drop_unused(new)
    return new


def _forget_own_gradients(program: Program) -> bool:
    """Take the block of its gradient from each `pylayer`; whether there was one."""
    layers = [op for block in program.blocks for op in block.ops if op.type == "pylayer" and len(op.attrs["blocks"]) > 1]
    for op in layers:
        op.attrs["blocks"] = op.attrs["blocks"][:1]
    return bool(layers)


def _names(program: Program) -> set[str]:
    return {n for b in program.blocks for op in b.ops for n in (*reads(op), *op.output_arg_names)}


def drop_blocks(program: Program) -> dict[int, int]:
    """Forget the blocks that no operator runs any more, and number the others anew: old number -> new one."""
    found = [program.global_block()]
    for block in found:
        values = [v for op in block.ops for value in op.attrs.values() for v in (value if isinstance(value, list) else [value])]
        around = [program.blocks[i] for i in (block.parent_idx, block.forward_block_idx) if i >= 0]
        found += [b for b in (*values, *around) if isinstance(b, Block) and b not in found]
    program.blocks = [block for block in program.blocks if block in found]
    numbers = {block.idx: number for number, block in enumerate(program.blocks)} | {-1: -1}
    for block in program.blocks:
        block.idx, block.parent_idx = numbers[block.idx], numbers[block.parent_idx]
        block.forward_block_idx = numbers[block.forward_block_idx]
    return {old: new for old, new in numbers.items() if old >= 0}


def _drop_unused(program: Program) -> None:
    """Forget the variables that no operator names any more, data among them."""
    used = _names(program)
    for block in program.blocks:
        for name in block.vars.keys() - used:
            del block.vars[name]


def _test_mode(program: Program) -> None:
    for block in program.blocks:
        for op in block.ops:
            if "is_test" in op.attrs or op.has_attr("is_test"):
                op.attrs["is_test"] = True
            if op.type == "batch_norm" and program.age > 1:
                op.outputs.pop("ReserveSpace", None)


def inference_optimize(program: Program, without_readers: bool = True) -> Program:
    """A copy in inference mode, without readers where these are not to stay."""
    readers = ("read", "create_py_reader", "create_double_buffer_reader") if without_readers else ()
    new = copy_program(program, lambda op: op.type not in readers)
    _test_mode(new)
    return new


def prune_program(
    program: Program, feeds: Iterable[str], targets: Any, numbers: dict[int, int] | None = None, to_run: bool = False
) -> Program:
    """A copy with only the operators that the targets need, not looking behind the feeds.

    Args:
        feeds: names whose values will be given.
        targets: Variables, Operators or names.
        numbers: takes for each block that stays its number here and in the copy.
        to_run: keep each operator whose gradient operator stays, too: a backward pass without it could not be one call.
    Raises:
        ValueError: a target or a feed is none of these; no operator writes a target.
    """
    targets = targets if isinstance(targets, (list, tuple)) else [targets]
    wanted: set[str] = set()
    target_ops: set[int] = set()
    for target in targets:
        if isinstance(target, Operator):
            if target.block.program is not program:  # of the Program that this one is a copy of: the operator in its place
                target = program.blocks[target.block.idx].ops[target.idx]
            target_ops.add(id(target))
        elif isinstance(target, (str, Variable)):
            wanted.add(target if isinstance(target, str) else target.name)
        else:
            raise ValueError(f"All targets of Program._prune_with_input() can only be Variable or Operator, but received {type(target)}.")
    feeds = set(feeds)
    for name in feeds:
        if not isinstance(name, str):
            raise ValueError(f"All feeded_var_names of Program._prune_with_input() can only be str, but received {type(name)}.")
    kept: set[int] = set()
    read = set(wanted)
    block = program.global_block()
    wanted -= feeds
    missing = sorted(wanted.difference(*[op.output_arg_names for op in block.ops]))
    if missing and program.age == 1:
        raise ValueError(
            f"The target variable used for pruning should have an associated operator that generates it. Received: {missing}"
        )
    overwritten = set() if program.age == 1 else set(feeds)  # a loop or branch of 2.x may write to what is fed
    for op in reversed(block.ops):
        found_in = wanted | (overwritten & read if any(isinstance(value, Block) for value in op.attrs.values()) else set())
        asked = id(op) in target_ops
        # as in Paddle, of what belongs to updates only what is asked for: not the clips and decays before them
        if asked or (found_in & set(op.output_arg_names) and not op._is_optimize_op()):
            if op.type in ("feed", "fetch"):
                continue
            kept.add(id(op))
            if to_run and op.forward is not None:
                target_ops.add(id(op.forward))
            read |= set(reads(op))
            wanted |= set(reads(op)) - feeds
            for value in (v for given in op.attrs.values() for v in (given if isinstance(given, list) else [given])):
                if isinstance(value, Block):
                    wanted |= {n for o in value.ops for n in reads(o) if n not in value.vars} - feeds
    new = copy_program(program, lambda op: op.block.idx != 0 or id(op) in kept)
    found = drop_blocks(new)
    if numbers is not None:
        numbers.update(found)
    used = _names(new)
    used |= feeds | {t if isinstance(t, str) else t.name for t in targets if not isinstance(t, Operator)}
    for b in new.blocks:
        for name in list(b.vars):
            if name not in used:
                del b.vars[name]
    for name in ("lr_scheduler", "lr_var"):  # as in Paddle: its rate stays what the scope has
        new.__dict__.pop(name, None)
    new._touch()
    return new
