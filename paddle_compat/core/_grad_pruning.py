"""Gradient operators of a sub-block that the wheels write and drop again, or never ask for."""

from __future__ import annotations

from collections import defaultdict, deque

from paddle_compat.core._grad_operators import grad_specs, reachable_names
from paddle_compat.core._grad_spec import DROPPED, GradSpec
from paddle_compat.core.operator import EMPTY_VAR, GRAD_SUFFIX, Operator
from paddle_compat.core.program import Block


def with_dropped(specs: list[GradSpec], behind: list[Operator], body: Block, stops: set[str]) -> list[GradSpec]:
    """Put in the gradient operators behind variables that stop gradients, which the wheels write and drop again.

    Where what one writes is a part of a sum, zeros stand for it (see `add_up`).
    """
    order = {id(op): i for i, op in enumerate(body.ops)}
    dropped: list[tuple[int, GradSpec]] = []
    for op in reversed(behind):
        for spec in grad_specs(op, set(op.output_arg_names), reachable_names(behind, stops), {}):
            if spec.type and "_zero" not in spec.attrs:
                spec.attrs[DROPPED] = True
                dropped.append((order[id(op)], spec))
    placed: list[GradSpec] = []
    for spec in specs:
        while spec.forward is not None and dropped and dropped[0][0] > order[id(spec.forward)]:
            placed.append(dropped.pop(0)[1])
        placed.append(spec)
    return placed + [spec for _, spec in dropped]


def following(specs: list[GradSpec], asked: set[str]) -> list[GradSpec]:
    """Those of a block's gradient operators that the gradients of some of its variables lead to, and the gradients of loops."""
    known = {n + GRAD_SUFFIX for n in asked}
    kept = []
    for spec in specs:
        if spec.type == "while_grad" or not known.isdisjoint(spec.reads()):
            kept.append(spec)
            known.update(spec.writes())
    return kept


def without_loose(specs: list[GradSpec], known: set[str]) -> list[GradSpec]:
    """Leave out the gradient operators of a sub-block that hang on nothing but a gradient from outside.

    Such a chain starts where a gradient is read that no operator before has written. It goes, with all that reads what it writes, if
    none of them needs anything else: a forward variable or another gradient. The operators are visited breadth first,
    as the wheels do: a sum that is met before the longer of its two ways is done keeps the chain. Where nothing would remain
    everything does.

    Args:
        known: names of the variables of the forward operators.
    """
    made_by: dict[str, int] = {}
    needs: list[set[tuple[str, int]]] = []  # what each operator reads: a name, and the operator that wrote it (-1: none)
    readers: dict[tuple[str, int], list[int]] = defaultdict(list)
    gives: list[list[tuple[str, int]]] = []
    for i, spec in enumerate(specs):
        needs.append({(n, made_by.get(n, -1)) for n in spec.reads() if n != EMPTY_VAR})
        for value in needs[i]:
            readers[value].append(i)
        gives.append([(n, i) for n in spec.writes() if n != EMPTY_VAR])
        made_by.update(gives[i])
    loose: set[int] = set()
    for start, values in enumerate(needs):
        if any(n in known for n, _ in values) or all(writer >= 0 for _, writer in values):
            continue
        there, chain, waiting = set(values), {start}, deque([start])
        while waiting and needs[waiting[0]] <= there:
            for value in gives[waiting.popleft()]:
                there.add(value)
                chain.update(readers[value])
                waiting.extend(readers[value])
        if not waiting:
            loose |= chain
    return [spec for i, spec in enumerate(specs) if i not in loose] or specs
