"""Lowering of operators that own a sub-block: each becomes a node that calls the block's GraphModule."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import torch
from torch import fx

from paddle_compat.core.operator import Operator

if TYPE_CHECKING:
    from paddle_compat.engine.lowering import _Lowering


def while_loop(body: Any, condition: torch.Tensor, constants: list[Any], carried: list[Any], at: int) -> tuple[Any, ...]:
    """Run the body while the condition holds.

    Args:
        body: called with the carried values, then the constants; returns the new carried values.
        at: where the condition stands among the carried values.
    """
    values = tuple(carried)
    forward = body.forward
    while bool(condition):
        values = forward(*values, *constants)
        condition = values[at]
    return values


def branch(body: Any, condition: list[torch.Tensor], is_scalar: bool, inputs: list[Any], otherwise: list[Any]) -> tuple[Any, ...]:
    """Run the body once if the condition holds, else hand out what was there before."""
    holds = bool(condition[0]) if is_scalar else all(c.numel() for c in condition)
    return body.forward(*inputs) if holds else tuple(otherwise)  # type: ignore[no-any-return]


def recurrent(
    body: Any, sequences: list[Any], states: list[Any], constants: list[Any], new_states: list[int], outputs: list[int], reverse: bool
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
    return [low.values.env.get(n) if n not in low.values.env and not _persistent(low, n) else low._read(n) for n in names] + [low.values.lods.get(n) for n in lods]


def _persistent(low: _Lowering, name: str) -> bool:
    var = low.block._find_var_recursive(name)
    return bool(var is not None and (var.persistable or var.is_data)) or bool(low.known(name))


def _bind(low: _Lowering, node: fx.Node, writes: list[str], lod_writes: list[str]) -> None:
    for i, name in enumerate([*writes, *lod_writes]):
        value = low._call(operator.getitem, (node, i), name=name if i < len(writes) else name + "_lod")
        if i < len(writes):
            low._write(name, value)
            if name not in lod_writes:
                low.values.lods.pop(name, None)
        else:
            low.values.lods[name] = value


def _while(low: _Lowering, op: Operator) -> None:
    block = op.attrs["sub_block"]
    condition = op.input("Condition")[0]
    # A LoD that only appears inside the loop must be carried from the start: lower again until nothing new appears.
    node, reads, lod_reads, writes, lod_writes = low.sub_block(block)
    missing = [n for n in lod_writes if n not in lod_reads]
    if condition not in writes:
        writes_all = [*writes]
        raise_condition(condition, writes_all)
    constants = [n for n in reads if n not in writes]
    constant_lods = [n for n in lod_reads if n not in lod_writes]
    body = low._call(reorder, (node, [*reads, *[n + "/lod" for n in lod_reads]], [*writes, *[n + "/lod" for n in lod_writes]], [*constants, *[n + "/lod" for n in constant_lods]]))
    loop = low._call(
        while_loop,
        (body, low._read(condition), _split(low, constants, constant_lods), _split(low, writes, lod_writes), writes.index(condition)),
        name=writes[0],
    )
    low.nodes[loop.name] = op
    del missing
    _bind(low, loop, writes, lod_writes)


def raise_condition(condition: str, writes: list[str]) -> None:
    """A loop whose condition never changes would not end."""
    raise ValueError(f"The body of a while loop must assign its condition `{condition}`. Received a body that assigns {writes}")


class reorder:  # noqa: N801 - reads as a function in the generated code
    """A block's GraphModule, called with the carried values first and then the constants."""

    def __init__(self, body: Any, reads: list[str], carried: list[str], constants: list[str]) -> None:
        order = {name: i for i, name in enumerate([*carried, *constants])}
        picks = [order[name] for name in reads]
        forward = body.forward
        self.forward: Callable[..., Any] = lambda *values: forward(*[values[p] for p in picks])


def _conditional(low: _Lowering, op: Operator) -> None:
    node, reads, lod_reads, writes, lod_writes = low.sub_block(op.attrs["sub_block"])
    condition = [low._read(n) for n in op.inputs.get("Cond", [])]
    inputs = _split(low, reads, lod_reads)
    otherwise = _split(low, writes, lod_writes)
    out = low._call(branch, (node, condition, bool(op.attrs.get("is_scalar_condition", False)), inputs, otherwise), name=(writes or ["branch"])[0])
    low.nodes[out.name] = op
    _bind(low, out, writes, lod_writes)


def _recurrent(low: _Lowering, op: Operator) -> None:
    block = op.attrs["sub_block"]
    sequences, initial = op.inputs.get("inputs", []), op.inputs.get("initial_states", [])
    before, after = op.attrs.get("ex_states", []), op.attrs.get("states", [])
    outputs = op.outputs.get("outputs", [])
    # Inside, a step of a sequence and an output have the names of the whole sequence and stacked output outside.
    node, reads, returns = low.step_block(block, [*sequences, *before], [*after, *outputs])
    constants = [n for n in reads if n not in sequences and n not in before]
    body = low._call(reorder, (node, reads, [*sequences, *before], constants))
    loop = low._call(
        recurrent,
        (
            body, [low._read(n) for n in sequences], [low._read(n) for n in initial], [low._read(n) for n in constants],
            [returns.index(n) for n in after], [returns.index(n) for n in outputs], bool(op.attrs.get("reverse", False)),
        ),
        name=outputs[0] if outputs else "recurrent",
    )  # fmt: skip
    low.nodes[loop.name] = op
    _bind(low, loop, outputs, [])


LOWERINGS: dict[str, Callable[[Any, Operator], None]] = {
    "while": _while,
    "conditional_block": _conditional,
    "recurrent": _recurrent,
}
