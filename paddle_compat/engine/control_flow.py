"""Lowering of operators that own a sub-block: each becomes a node that calls the block's GraphModule."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import torch
from torch import fx

from paddle_compat.core import attribute_variables
from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import InvalidArgumentError
from paddle_compat.core.op import find_op
from paddle_compat.core.operator import EMPTY_VAR, GRAD_SUFFIX, Operator
from paddle_compat.core.program import Block, Program
from paddle_compat.engine import autograd, pylayer
from paddle_compat.engine.regions import stops_inside

if TYPE_CHECKING:
    from paddle_compat.engine.lowering import _Lowering


def while_loop(
    body: Any,
    condition: torch.Tensor,
    constants: list[Any],
    carried: list[Any],
    at: int,
    overwritten: Sequence[int] = (),
    replaced: Sequence[int] = (),
    passed: Sequence[int] = (),
    repeated: Sequence[int] = (),
    gathered: Sequence[int] = (),
    lost: Sequence[int] = (),
) -> tuple[Any, ...]:
    """Run the body while the condition holds.

    Paddle's loop writes the variables around it, which shows in gradients: what reads such a variable while gradients
    are computed finds its last value. The last six arguments say where; they are positions of carried values.

    Args:
        body: called with the carried values, then the constants; returns the new carried values.
        at: where the condition stands among the carried values.
        overwritten: in 1.8, the gradient passes from one turn to the turn before as `autograd.handed_back` says, and the
            body is differentiated as if it had read the last value in every turn.
        replaced: what made the first value is differentiated as if it had made the last one.
        passed: the gradient of the last value is that of the first, unchanged, and not handed from turn to turn.
        repeated: of these, those that the body gets this gradient of, in every turn.
        gathered: of these, those that the body gives a gradient to, which is added in every turn.
        lost: in 1.8, no gradient of what a turn leaves is known in that turn; the first turn's alone goes to the first value.
    """
    values = tuple(carried)
    forward = body.forward
    if not torch.is_grad_enabled():
        overwritten = replaced = passed = repeated = gathered = lost = ()
    firsts = {i: values[i] for i in replaced if values[i] is not None and values[i].grad_fn is not None}
    values = starts = tuple(v.clone() if i in firsts else v for i, v in enumerate(values))
    read: list[tuple[int, torch.Tensor]] = []
    made: dict[int, list[torch.Tensor]] = {i: [] for i in passed}
    turns: list[int] = []
    while bool(condition):
        turns.append(len(turns))
        inputs = list(values)
        for i in overwritten:
            if inputs[i] is not None:
                before = inputs[i].detach() if i in lost and turns[-1] else inputs[i]
                inputs[i] = autograd.handed_back(before, turns[-1], turns)
                read.append((i, inputs[i]))
        for i in passed:
            inputs[i] = autograd.passed_on(inputs[i], *([starts[i]] if i in gathered else []))
        values = forward(*inputs, *constants)
        condition = values[at]
        for i in repeated:
            made[i].append(values[i])
    if values is not starts:
        values = tuple(autograd.passed_on(v, starts[i], *made[i]) if i in made else v for i, v in enumerate(values))
        values = tuple(autograd.handed_back(v, 0, [0]) if i in lost and v is not None else v for i, v in enumerate(values))
    for i, value in [*firsts.items(), *read]:
        if value.shape == values[i].shape:
            value.data.copy_(values[i].detach())  # past autograd, which keeps this very tensor
    return values


def branch(
    body: Any,
    condition: list[torch.Tensor],
    is_scalar: bool,
    inputs: list[Any],
    otherwise: list[Any],
    silent: Sequence[int] = (),
    before: Sequence[Any] = (),
) -> tuple[Any, ...]:
    """Run the body once if the condition holds, else hand out what was there before.

    Args:
        silent: positions of results that the body gets no gradient of.
        before: for each of these the value whose gradient it is instead, or None.
    """
    holds = bool(condition[0]) if is_scalar else all(c.numel() for c in condition)
    if not holds:
        return tuple(otherwise)
    results = body.forward(*inputs)
    if not silent or not torch.is_grad_enabled():
        return results
    sources = dict(zip(silent, before))
    return tuple(autograd.passed_on(v, sources[i]) if i in sources else v for i, v in enumerate(results))


def recurrent(
    body: Any,
    sequences: list[Any],
    states: list[Any],
    constants: list[Any],
    new_states: list[int],
    outputs: list[int],
    reverse: bool,
) -> list[Any]:
    """Run the body once for every step of the sequences.

    Args:
        body: called with one step of each sequence, the states, the constants.
        new_states, outputs: where the next states, and the values to stack, stand in what the body returns.
    Returns:
        For each output the values of all steps, stacked along a new first dimension; then the last states.
    """
    steps = sequences[0].shape[0]
    collected: list[Any] = [[None] * steps for _ in outputs]
    for step in range(steps - 1, -1, -1) if reverse else range(steps):
        results = body.forward(*(s[step] for s in sequences), *states, *constants)
        states = [results[i] for i in new_states]
        for k, i in enumerate(outputs):
            collected[k][step] = results[i]
    return [*(torch.stack(c) for c in collected), *states]


def _split(low: _Lowering, names: list[str], lods: list[str]) -> list[Any]:
    return [
        low.values.env.get(n) if n not in low.values.env and not _persistent(low, n) else low._read(n) for n in names
    ] + [low.values.lods.get(n) for n in lods]


def _read_inside(low: _Lowering, names: list[str]) -> list[Any]:
    """What a recorded function's branch or loop reads and does not write, cut off where gradients stop."""
    values = _split(low, names, [])
    for i, name in enumerate(names):
        if low.keep_grad and values[i] is not None and low._is_tensor(name) and stops_inside(low.block, name, True):
            values[i] = low._call(torch.Tensor.detach, (values[i],))
    return values


def _persistent(low: _Lowering, name: str) -> bool:
    var = low.block._find_var_recursive(name)
    if var is None:
        return bool(low.known(name))
    array = var.type == VarType.LOD_TENSOR_ARRAY  # which is there from the start, and empty
    # what else the Program makes hides the Scope's value of that name
    return bool(array or var.persistable or var.is_data and low.known(name))


def unfed(low: _Lowering, name: str) -> bool:
    """Whether a name stands for data that nobody has given."""
    var = low.block._find_var_recursive(name)
    return var is not None and var.is_data and not low.known(name)


def fed(value: Any, name: str) -> Any:
    """Data that a branch or loop reads; InvalidArgumentError if nobody has given it, which only matters where it is read."""
    if value is None:
        raise InvalidArgumentError(
            f"Invalid value for argument `feed`. Expected a value for `{name}`, which the program reads. Received: none"
        )
    return value


def _bind(low: _Lowering, node: fx.Node, writes: list[str], lod_writes: list[str]) -> None:
    for i, name in enumerate([*writes, *lod_writes]):
        value = low._call(operator.getitem, (node, i), name=name if i < len(writes) else name + "_lod")
        if i < len(writes):
            low._write(name, value)
            if name not in lod_writes:
                low.values.lods.pop(name, None)
        else:
            low.values.lods[name] = value


def _start_seeds(low: _Lowering, block: Block) -> None:
    """Give values to the seeds that operators inside begin with, where no run before has left any."""
    for op in block.ops:
        for inner in sub_blocks(op):
            _start_seeds(low, inner)
        for name in op.inputs.get("Seed", ())[:1]:
            if low._starts_itself(op, name):
                low._write(name, low._call(torch.tensor, ([op.attrs["startup_seed"]],)))


def _while(low: _Lowering, op: Operator) -> None:
    block = op.attrs["sub_block"]
    condition = op.input("Condition")[0]
    _start_seeds(low, block)
    node, reads, lod_reads, writes, lod_writes = low.sub_block(block)
    late = [n for n in lod_writes if n in reads and n not in lod_reads]
    if late:  # a LoD that the body makes is there from the second turn on
        node, reads, lod_reads, writes, lod_writes = low.sub_block(block, late)
    if condition not in writes:
        raise InvalidArgumentError(
            f"The body of a while loop must assign its condition `{condition}`. Received a body that assigns {writes}"
        )
    constants = [n for n in reads if n not in writes]
    constant_lods = [n for n in lod_reads if n not in lod_writes]
    given = [*reads, *(n + "/lod" for n in lod_reads)]
    order = [*writes, *(n + "/lod" for n in lod_writes), *constants, *(n + "/lod" for n in constant_lods)]
    for name in writes:
        low.taken[(id(op), "X", _position(op, name))] = low.values.env.get(name)
    # 2.x looks at all that a loop names before the first turn
    known = _split(low, constants, []) if low.program.age == 1 else map(low._read, constants)
    for name, value in zip(constants, known):
        low.taken[(id(op), "X", _position(op, name))] = value
    body = low._call(reorder, (node, [order.index(n) for n in given]))
    loop = low._call(
        while_loop,
        (
            body,
            low._read(condition),
            [*_read_inside(low, constants), *_split(low, [], constant_lods)],
            _split(low, writes, lod_writes),
            writes.index(condition),
            *_gradient_habits(low, op, writes),
        ),
        name=writes[0],
    )
    low.nodes[loop.name] = op
    _bind(low, loop, writes, lod_writes)


def _gradient_habits(low: _Lowering, op: Operator, writes: list[str]) -> tuple[list[int], ...]:
    """The positions that `while_loop` takes as `overwritten`, `replaced`, `passed`, `repeated`, `gathered` and `lost`."""
    tensors = [i for i, name in enumerate(writes) if low._is_tensor(name)]
    if not low.regions:
        return ()
    asked, given = _gradients_of_body(low.program, op, "X")
    told = {n for grad in _gradient_operators(low.program, op) for n in grad.attrs["original_output_grad"]}
    lost = [i for i in tensors if low.program.age == 1 and writes[i] in given - asked and writes[i] + GRAD_SUFFIX in told]
    passed = [i for i in tensors if writes[i] not in asked & given and i not in lost]
    repeated = [i for i in passed if writes[i] in asked]
    gathered = [i for i in passed if writes[i] in given]
    before = low.block.ops[: low.block.ops.index(op)]
    replaced = []
    for i in tensors if low.program.age > 1 else passed:
        name = writes[i]
        makers = [other for other in before if name in other.output_arg_names]
        if makers and not any(name in other.input_arg_names for other in before):
            definition = find_op(makers[-1].type)
            reads = (definition.grad_slots(2) if definition is not None else None) or ()
            if any(name in makers[-1].outputs.get(slot, ()) for slot in reads):
                replaced.append(i)
    return tensors if low.program.age == 1 else [], replaced, passed, repeated, gathered, lost


def _gradient_operators(program: Program, op: Operator) -> list[Operator]:
    """The gradient operators of an operator that owns a sub-block, wherever they stand."""
    return [other for block in program.blocks for other in block.ops if other.forward is op and "sub_block" in other.attrs]


def _gradients_of_body(program: Program, op: Operator, slot: str) -> tuple[set[str], set[str]]:
    """Names whose gradients the gradient of a sub-block reads before it writes them, and, of those in a slot, that it gives.

    In 1.8 a loop gives all that it promises, whether or not the body writes it.
    """
    asked: set[str] = set()
    given: set[str] = set()
    for grad in _gradient_operators(program, op):
        written: set[str] = set()
        for inner in grad.attrs["sub_block"].ops:
            asked.update(n.removesuffix(GRAD_SUFFIX) for n in inner.input_arg_names if n.endswith(GRAD_SUFFIX) and n not in written)
            written.update(inner.output_arg_names)
        promised = {n for n, g in zip(op.inputs[slot], grad.outputs.get(slot + GRAD_SUFFIX, [])) if g != EMPTY_VAR}
        given |= {n for n in promised if n + GRAD_SUFFIX in written}
        if program.age > 1 and op.type == "while":  # handed from turn to turn, also where nobody wants it outside
            given |= {n for n in op.inputs[slot] if n + GRAD_SUFFIX in written}
        if program.age == 1 and op.type == "while":
            given |= promised
    return asked, given


def _position(op: Operator, name: str) -> int:
    names = op.inputs.get("X", [])
    return names.index(name) if name in names else -1


class reorder:
    """A block's GraphModule, called with its arguments in another order: `picks` says which of them is which."""

    def __init__(self, body: Any, picks: list[int]) -> None:
        forward = body.forward
        self.forward: Callable[..., Any] = lambda *values: forward(*[values[p] for p in picks])


def _conditional(low: _Lowering, op: Operator) -> None:
    _start_seeds(low, op.attrs["sub_block"])
    node, reads, lod_reads, writes, lod_writes = low.sub_block(op.attrs["sub_block"])
    condition = [low._read(n) for n in op.inputs.get("Cond", [])]
    for i, name in enumerate(op.inputs.get("Input", [])):
        if name in reads:
            [low.taken[(id(op), "Input", i)]] = _split(low, [name], [])
    inputs = [*_read_inside(low, reads), *_split(low, [], lod_reads)]
    otherwise = _split(low, writes, lod_writes)
    silent: list[int] = []
    before: list[Any] = []
    if low.regions:
        overwritten = set(op.inputs["Input"]) & set(op.outputs["Out"])
        lost = _known_around(low, op)
        asked, given = _gradients_of_body(low.program, op, "Input")
        cut = {n for i, n in enumerate(op.inputs["Input"]) if (id(op), "Input", i) in low.cuts}
        silent = [i for i, n in enumerate(writes) if n in overwritten - asked and low._is_tensor(n)]
        before = [inputs[reads.index(writes[i])] if writes[i] in set(reads) - given and low.program.age == 1 else None for i in silent]
        for names, values, without in (
            (writes, otherwise, lost & overwritten),
            (reads, inputs, (set(reads) - given) | cut | (lost if low.program.age > 1 else set())),
        ):
            for i, name in enumerate(names):
                if name in without and values[i] is not None and low._is_tensor(name):
                    values[i] = low._call(torch.Tensor.detach, (values[i],))
    out = low._call(
        branch,
        (node, condition, bool(op.attrs.get("is_scalar_condition", False)), inputs, otherwise, silent, before),
        name=(writes or ["branch"])[0],
    )
    low.nodes[out.name] = op
    _bind(low, out, writes, lod_writes)


def _known_around(low: _Lowering, op: Operator) -> set[str]:
    """Names of which a branch loses the gradient: in 1.8 where it is not taken, in 2.x at all.

    1.8: those that it writes too. 2.x: those of which there is a gradient already when that of the branch is computed, because it
    writes them and they are read after it, or because the loop that it stands in carries them.
    """
    written = set(op.outputs.get("Out", []))
    if low.program.age == 1:
        return written
    known: set[str] = set()
    for grad in _gradient_operators(low.program, op):
        known |= written - {n.removesuffix(GRAD_SUFFIX) for n in grad.attrs.get("_zeros", ())}
    around = low.block.parent_idx
    for loop in low.program.blocks[around].ops if around >= 0 else ():
        if loop.type == "while" and loop.attrs["sub_block"] is low.block:
            known |= _gradients_of_body(low.program, loop, "X")[0] & set(loop.outputs["Out"])
    return known


def _recurrent(low: _Lowering, op: Operator) -> None:
    sequences, initial = op.inputs.get("inputs", []), op.inputs.get("initial_states", [])
    before, after = op.attrs.get("ex_states", []), op.attrs.get("states", [])
    outputs = op.outputs.get("outputs", [])
    # Inside, one step of a sequence has the name of the whole sequence, and one step's output that of the stacked output.
    node, reads = low.step_block(op.attrs["sub_block"], [*sequences, *before], [*after, *outputs])
    constants = [n for n in reads if n not in sequences and n not in before]
    order = [*sequences, *before, *constants]
    for slot, names in (
        ("inputs", sequences),
        ("initial_states", initial),
        ("parameters", op.inputs.get("parameters", [])),
    ):
        for i, name in enumerate(names):
            low.taken[(id(op), slot, i)] = low._read(name)
    body = low._call(reorder, (node, [order.index(n) for n in reads]))
    last = list(range(len(after)))
    loop = low._call(
        recurrent,
        (
            body, [low._read(n) for n in sequences], [low._read(n) for n in initial], _read_inside(low, constants),
            last, [len(after) + i for i in range(len(outputs))], bool(op.attrs.get("reverse", False)),
        ),
        name=outputs[0] if outputs else "recurrent",
    )  # fmt: skip
    low.nodes[loop.name] = op
    _bind(low, loop, outputs, [])


LOWERINGS: dict[str, Callable[[Any, Operator], None]] = {
    "while": _while,
    "conditional_block": _conditional,
    "recurrent": _recurrent,
    "pylayer": pylayer.lower,
}


def sub_blocks(op: Operator) -> list[Block]:
    """The blocks that an operator runs."""
    return [*(b for b in op.attrs.values() if isinstance(b, Block)), *op.attrs.get("blocks", [])[:1]]


def block_interface(block: Block) -> tuple[list[str], list[str]]:
    """The outer names that a sub-block reads before it writes them (or writes only), and those it writes."""
    own = set(block.vars)
    reads: dict[str, None] = {}
    writes: dict[str, None] = {}
    for op in block.ops:
        inner = sub_blocks(op)
        inputs = attribute_variables.reads(op)
        outputs = list(op.output_arg_names)
        for sub in inner:
            more_reads, more_writes = block_interface(sub)
            inputs += more_reads
            outputs += more_writes
        reads.update((n, None) for n in inputs if n not in own and n not in writes and n != EMPTY_VAR)
        for n in outputs:
            if n not in own and n != EMPTY_VAR:
                if _partial(op):
                    reads.setdefault(n, None)
                writes[n] = None
    return list(reads), list(writes)


def _partial(op: Operator) -> bool:
    """Whether the operator may leave an output as it was, or updates it: then it reads it too."""
    return op.type in LOWERINGS or op.type in ("write_to_array",)
