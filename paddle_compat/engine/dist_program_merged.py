"""Programs on a mesh whose gradients are added up over parts of a batch before they update anything.

A run is several of the forward and backward operators, and one of those that follow. What is added up lies as the gradients do, so
what is partial stays so, and is summed up between the processes once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any, NamedTuple

import torch

from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.operator import Operator
from paddle_compat.core.program import Program
from paddle_compat.core.tensor import Tensor
from paddle_compat.engine.dist_program import Compile, DistProgram, Layout, Traced, layout_of
from paddle_compat.engine.dist_program_walk import Notes


class Merging(NamedTuple):
    """Where a Program adds up gradients.

    Attributes:
        steps: over how many parts of a batch.
        sums: gradient -> the variable of its sum.
        adds: the operators that add up; what stands before them runs for each part.
        clears: the operators behind the updates, which begin anew.
    """

    steps: int
    sums: Mapping[str, str]
    adds: Sequence[Operator]
    clears: Sequence[Operator]


class MergedProgram:
    """A Program that adds up gradients, run by all processes of a mesh together.

    Args:
        program, feeds, fetches, states, mesh, compile: as of a `DistProgram`.
        merging: where it adds up.
    """

    def __init__(
        self, program: Program, feeds: Sequence[str], fetches: Sequence[str], states: Mapping[str, Tensor], mesh: Any,
        compile: Compile | None, merging: Merging,
    ) -> None:  # fmt: skip
        ops = program.global_block().ops
        begin, end = ops.index(merging.adds[0]), ops.index(merging.adds[-1]) + 1
        last = ops.index(merging.clears[0])
        self.steps, self.mesh, self.grads = merging.steps, mesh, list(merging.sums)
        self.passes = DistProgram(_part(program, ops[:begin]), feeds, fetches, states, mesh, compile, self.grads)
        self.updates = DistProgram(_part(program, ops[end:last]), list(merging.sums.values()), [], states, mesh, compile)
        self.shapes = {name: layout_of(state._t).local for name, state in states.items()}  # type: ignore[arg-type]
        self.notes: dict[tuple[Layout, ...], Notes] = {}

    def traced(self, layouts: tuple[Layout, ...]) -> Traced:
        """The rank's program for inputs of which each part lies so; where values decide what it does, all of it once it has run."""
        once = self.passes.traced(layouts)
        notes = self.notes.setdefault(layouts, Notes(shapes={**self.shapes, **once.notes.shapes}, whole=False))
        if not notes.whole and self.passes.lies.keys() >= set(self.grads):
            behind = self.updates.traced(tuple(self.passes.lies[name] for name in self.grads))
            notes.meetings = {**once.notes.meetings, **behind.notes.meetings}
            notes.shapes = {**behind.notes.shapes, **once.notes.shapes}
            notes.whole = once.notes.whole and behind.notes.whole
        return Traced(once.graph, once.call, notes)

    def __call__(self, inputs: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        """Run once and return what is fetched, of all parts.

        Args:
            inputs: DTensors.
        """
        layouts = tuple([part_of(layout_of(value), self.steps) for value in inputs])  # type: ignore[arg-type]
        parts = [value._local_tensor.chunk(self.steps) for value in inputs]  # type: ignore[attr-defined]
        found: list[list[torch.Tensor]] = []
        sums: list[torch.Tensor] = []
        for step in range(self.steps):
            out = self.passes.run(layouts, [part[step] for part in parts])
            count = len(out) - len(self.grads)
            sums = list(torch._foreach_add(sums, out[count:])) if sums else out[count:]
            found.append(out[:count])
        self.updates.run(tuple(self.passes.lies[name] for name in self.grads), sums)
        self.traced(layouts)
        return [torch.stack([value.reshape(()) for value in values]) for values in zip(*found)]


def part_of(whole: Layout, steps: int) -> Layout:
    """How one of several parts of an input lies.

    Raises:
        FailedAssertionError: they would not have as many samples each.
    """
    if not whole.local or whole.local[0] % steps or whole.shape[0] % steps:
        expected = f"a number of samples in each process that {steps} divides"
        raise failed_assertion("strategy.gradient_merge.k_steps", expected, list(whole.local), "to_static")
    shape, local = ((sizes[0] // steps, *sizes[1:]) for sizes in (whole.shape, whole.local))
    return Layout(shape, whole.placements, local, whole.dtype)


def _part(program: Program, ops: Sequence[Operator]) -> Program:
    """A Program of some of another's operators, these very ones."""
    made, block = copy(program), copy(program.global_block())
    block.ops, block.program = list(ops), made
    made.blocks = [block, *program.blocks[1:]]
    return made


__all__ = ["MergedProgram", "Merging", "part_of"]
