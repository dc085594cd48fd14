"""Programs on a mesh of processes: each process runs a graph of its own, in which the collectives are calls like any other.

The lowered Program runs once on DTensors (`engine.dist_program_walk`) while a `Recorder` notes what becomes of this process's parts. What
is traced, aten calls on local tensors, is the rank's graph: it is what runs at each step, and updates parameters in place.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import torch
from torch import fx
from torch.distributed.tensor import DTensor

from paddle_compat.core.errors import EnforceNotMet, UnsupportedError
from paddle_compat.core.program import Program
from paddle_compat.core.tensor import Tensor
from paddle_compat.engine import moves, sharding
from paddle_compat.engine.culprit import explain
from paddle_compat.engine.dist_program_trace import Recorder, values_decide
from paddle_compat.engine.dist_program_walk import Notes, Walk
from paddle_compat.engine.lowering import lower
from paddle_compat.engine.spmd import inside, lay, spread

aten = torch.ops.aten
_SAME = (aten.detach.default, aten.alias.default)
_VIEWS = (aten.view.default, aten._unsafe_view.default)


class Layout(NamedTuple):
    """How a value lies on a mesh: all of its shape, its placements, this process's part and the data type."""

    shape: tuple[int, ...]
    placements: tuple[Any, ...]
    local: tuple[int, ...]
    dtype: torch.dtype


def layout_of(value: DTensor) -> Layout:
    """How a DTensor lies."""
    return Layout(tuple(value.shape), tuple(value.placements), tuple(value._local_tensor.shape), value.dtype)


class Traced(NamedTuple):
    """A rank's program for inputs of one kind.

    Attributes:
        graph: what runs; None where the Program cannot be traced and runs on DTensors.
        call: takes this process's parts of inputs and states, returns what is fetched.
        notes: which collectives the operators have.
    """

    graph: fx.GraphModule | None
    call: Callable[..., Sequence[torch.Tensor]]
    notes: Notes


Compile = Callable[[fx.GraphModule, Sequence[torch.Tensor]], Callable[..., Sequence[torch.Tensor]]]


class DistProgram:
    """A Program whose states are dist tensors, run by all processes of a mesh together.

    Args:
        program: the Program.
        feeds: names of its inputs.
        fetches: names of what each run returns, whole in every process.
        states: name of a persistable variable -> the dist tensor that holds it.
        mesh: the DeviceMesh on which all of them lie.
        compile: makes something faster of a rank's graph; None: its code runs as it is.
        lying: names of what each run returns besides, behind the fetches, as it lies: this process's parts.
    Raises:
        UnsupportedError: it has branches or loops.
    """

    def __init__(
        self, program: Program, feeds: Sequence[str], fetches: Sequence[str], states: Mapping[str, Tensor], mesh: Any,
        compile: Compile | None = None, lying: Sequence[str] = (),
    ) -> None:  # fmt: skip
        for op in program.global_block().ops:
            if "sub_block" in op.attrs:
                what = f"`{op.type}`: a branch or a loop that values of tensors decide"
                raise UnsupportedError("paddle.distributed.to_static", what, "eager mode, or operators such as paddle.where")
        self.program, self.fetches, self.mesh, self.compile = program, [*fetches, *lying], mesh, compile
        self.lies: dict[str, Layout] = {}  # what is returned as it lies: known once the Program is traced
        self.lying = frozenset(lying)
        self.lowered = lower(program, list(feeds), [], self.fetches, states.__contains__, lambda name: False, fuse=False, singly=True)
        self.tensors = [states[name] for name in self.lowered.states]
        self.updated = [self.lowered.states.index(name) for name in self.lowered.updates if name in self.lowered.states]
        self.variants: dict[Any, Traced] = {}

    def __call__(self, inputs: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        """Run once and return what is fetched; states have their new values.

        Args:
            inputs: DTensors.
        """
        layouts = tuple([layout_of(value) for value in inputs])  # type: ignore[arg-type]
        return self.run(layouts, [value._local_tensor for value in inputs])  # type: ignore[attr-defined]

    def run(self, layouts: tuple[Layout, ...], parts: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        """The same for this process's parts of inputs that lie so.

        Raises:
            UnavailableError: a process is gone.
            ExecutionTimeoutError: one does not make the call that this one waits for.
        """
        run = self.variants.get(layouts) or self.traced(layouts)
        with moves.calls():
            return list(run.call(*parts, *[tensor._t._local_tensor for tensor in self.tensors]))  # type: ignore[attr-defined]

    def traced(self, layouts: tuple[Layout, ...]) -> Traced:
        """The rank's program for inputs that lie so; nothing is sent while it is made."""
        found = self.variants.get(layouts)
        if found is None:
            found = self.variants[layouts] = self._trace(layouts)
        return found

    def _trace(self, layouts: tuple[Layout, ...]) -> Traced:
        every = (*layouts, *(layout_of(tensor._t) for tensor in self.tensors))  # type: ignore[arg-type]
        notes: list[Notes] = []
        nodes = [node.name for node in self.lowered.graph.nodes if node.op == "placeholder"][len(layouts) :]
        cut = {name: getattr(tensor._t, "_used_as", None) for name, tensor in zip(nodes, self.tensors)}
        used_as = {name: tuple(way) for name, way in cut.items() if way is not None}

        def step(*parts: torch.Tensor, recorder: Recorder | None = None) -> tuple[torch.Tensor, ...]:
            with torch.no_grad():
                walk = Walk(self.lowered, self.mesh, used_as, recorder)
                notes[:] = [walk.notes]
                held = zip(every, parts)
                values: list[Any] = [spread(part.detach(), self.mesh, way.placements, way.shape) for way, part in held]
                out = walk.run(*values)
                count = len(self.lowered.fetches)
                for name, value in zip(self.lowered.updates, out[count:]):
                    position = self.lowered.states.index(name) + len(layouts)
                    if value is not values[position]:
                        made = lay(sharding.dist_tensor(value, self.mesh), every[position].placements)
                        values[position]._local_tensor.copy_(made._local_tensor)
                return tuple([self._returned(walk, name, value).detach() for name, value in zip(self.fetches, out[:count])])

        device = self.mesh.device_type
        empty = [torch.empty(layout.local, dtype=layout.dtype, device=device) for layout in every]
        try:
            with warnings.catch_warnings(), torch.no_grad():
                warnings.simplefilter("ignore")
                recorder = Recorder()
                graph = recorder.trace(partial(step, recorder=recorder), empty)
        except Exception as error:  # of any kind: the step may still run
            if isinstance(error, (EnforceNotMet, UnsupportedError)) or not values_decide(error):
                raise explain(self.lowered, error, empty[: len(layouts)]) from error
            reason = f"{type(error).__name__}: {str(error).splitlines()[0]}"
            warnings.warn(f"The Program runs operator by operator, since values of tensors decide what it does ({reason}).", stacklevel=4)
            kept = replace(notes[0], whole=False)
            return Traced(None, partial(_noting, step, notes, kept), kept)
        tidy(graph)
        return Traced(graph, self.compile(graph, empty) if self.compile is not None else graph.forward, notes[0])

    def _returned(self, walk: Walk, name: str, value: torch.Tensor) -> torch.Tensor:
        if name not in self.lying:
            return walk.fetched(name, value)
        made = sharding.dist_tensor(value, self.mesh)
        self.lies[name] = layout_of(made)
        return inside(made, made.placements)


def _noting(step: Callable[..., Sequence[torch.Tensor]], last: list[Notes], kept: Notes, *parts: torch.Tensor) -> Sequence[torch.Tensor]:
    """A run of a step that could not be traced; the first one notes what a trace would have."""
    if kept.whole:
        return step(*parts)
    recorder = Recorder()
    out = recorder.followed(partial(step, recorder=recorder), parts)
    kept.meetings, kept.shapes, kept.whole = last[0].meetings, last[0].shapes, True
    return out


def tidy(graph: fx.GraphModule) -> None:
    """Take out of a traced graph what changes nothing: histories and shapes that nobody asks for."""
    for node in graph.graph.nodes:
        if node.op != "call_function":
            continue
        source = node.args[0] if node.args else None
        if node.target in _SAME or node.target in _VIEWS and _is_same(node, source):
            node.replace_all_uses_with(source)
    graph.graph.eliminate_dead_code()
    graph.recompile()


def _is_same(node: fx.Node, source: Any) -> bool:
    before, after = source.meta.get("val"), node.meta.get("val")
    return before is not None and after is not None and before.shape == after.shape and before.stride() == after.stride()


__all__ = ["DistProgram", "Layout", "Traced", "layout_of"]
