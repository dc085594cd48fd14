"""`ReduceStrategy.Reduce`: each parameter is updated by one of a process's replicas, and is held once for all of them.

As replicas on the CPU share their memory, an owner's update is what the others see, too: nothing is sent, accumulators exist once,
and a step's updates are done side by side. Nobody updates before all have done with the former values (`Program._held_once`).
"""

from __future__ import annotations

from collections.abc import Sequence

from paddle_compat.core.clone import copy_program
from paddle_compat.core.operator import Operator, OpRole
from paddle_compat.core.program import Block, Program
from paddle_compat.engine.order import in_place, interface


def divided(program: Program, count: int) -> list[Program] | None:
    """A data parallel Program for each replica, with the updates of the parameters that it owns.

    Returns:
        None where somebody reads or writes a parameter or an accumulator beside its update: an average over steps, say.
    """
    block = program.global_block()
    owners = _owners(block, count)
    if owners is None or count == 1:
        return None
    held, of_op = owners
    programs = []
    for rank in range(count):
        own = copy_program(program)
        ops = own.global_block().ops
        ops[:] = [op for i, op in enumerate(ops) if of_op.get(i, rank) == rank]
        own._held_once = frozenset(held)
        own._touch()
        programs.append(own)
    return programs


def _owners(block: Block, count: int) -> tuple[set[str], dict[int, int]] | None:
    """The names that are held once, and by its position the owner of each update."""
    owner: dict[str, int] = {}  # of each name held once
    load = [0] * count
    of_op: dict[int, int] = {}
    for i, op in enumerate(block.ops):
        if _updates(op):
            rank = load.index(min(load))
            (name,) = op.input("Param")
            load[rank] += max(_elements(block, name), 1)
            states = _states(block, op.output_arg_names)
            if not owner.keys().isdisjoint(states):
                return None
            owner.update(dict.fromkeys(states, rank))
            of_op[i] = rank
    if not of_op:
        return None
    first = min(of_op)
    for i, op in enumerate(block.ops):
        if i in of_op:
            continue
        read, written = map(set, interface(op))
        touched = (read | written) & owner.keys()
        if not touched or (i < first and not written & owner.keys()):
            continue
        ranks = {owner[name] for name in touched}
        if not op.role & OpRole.Optimize or len(ranks) > 1 or not written <= owner.keys():
            return None
        of_op[i] = ranks.pop()  # a power of beta that moves on with its parameter
    return set(owner), of_op


def _updates(op: Operator) -> bool:
    return bool(op.role != OpRole.NotSpecified and op.role & OpRole.Optimize and op.inputs.get("Param") and in_place(op))


def _states(block: Block, names: Sequence[str]) -> list[str]:
    return [name for name in names if (var := block._find_var_recursive(name)) is not None and var.persistable]


def _elements(block: Block, name: str) -> int:
    count = 1
    for size in block.var(name).shape:
        count *= size
    return count
