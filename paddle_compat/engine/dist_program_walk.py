"""One run of a lowered Program on DTensors, operator by operator: what is traced into a rank's own graph, and what is noted meanwhile.

Values lie as in eager mode (`engine.spmd_calls`); here is decided what a run sums up, and when. A partial value is summed once, where the
first operator reads it that sums do not pass through, and all that read it later find it whole; a parameter's gradient is then laid as the
accumulators of its parameter. An update runs as its accumulators lie.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import torch
from torch import fx
from torch.distributed.tensor import DTensor, Partial, Replicate
from torch.utils._python_dispatch import _disable_current_modes

from paddle_compat.core.op import find_op
from paddle_compat.core.operator import EMPTY_VAR, Operator, OpRole
from paddle_compat.engine import autograd, dist_program_layout, dist_program_scaling, moves, sharding, spmd_calls
from paddle_compat.engine.dist_program_trace import Recorder, values_decide
from paddle_compat.engine.lowering import Lowered
from paddle_compat.engine.spmd import SUMMED, each, inside, lay, reduced, spread, tensors_of, without_partial
from paddle_compat.ops._update_parts import on_pieces

# torch's functional collectives -> the operators of Paddle 3.3 that Programs list them as
COLLECTIVES = {
    "all_gather_into_tensor": "all_gather", "all_reduce": "all_reduce", "all_to_all_single": "all_to_all", "broadcast": "broadcast",
    "reduce_scatter_tensor": "reduce_scatter",
}  # fmt: skip
# what only lays out anew what a collective takes
_LAYOUT = frozenset({
    "_to_copy", "alias", "cat", "clone", "constant_pad_nd", "detach", "getitem", "narrow", "permute", "slice", "split", "t", "transpose",
    "view", "wait_tensor",
})  # fmt: skip


def collective(node: fx.Node) -> str | None:
    """The operator that a node of a rank's graph is a collective of; None: it is none."""
    return COLLECTIVES.get(node.target._opname) if getattr(node.target, "namespace", "") == "_c10d_functional" else None  # type: ignore[union-attr]


@dataclass
class Meeting:
    """A collective of an operator.

    Attributes:
        node: its name in the rank's graph.
        type: the operator that it is listed as.
        source: the variable that goes in; None: something inside of the operator.
        group: the processes' group, as torch names it.
        shape: of what comes out.
        stays: whether all that read the variable later read what came out.
        behind: whether the operator has made what goes in.
    """

    node: str
    type: str
    source: str | None
    group: str
    shape: tuple[int, ...]
    stays: bool
    behind: bool


@dataclass
class Notes:
    """What a run has noted.

    Attributes:
        meetings: id of an operator -> its collectives, in order.
        shapes: variable -> the shape of this process's part.
        whole: whether the run came to its end.
    """

    meetings: dict[int, list[Meeting]] = field(default_factory=dict)
    shapes: dict[str, tuple[int, ...]] = field(default_factory=dict)
    whole: bool = True


class Walk(fx.Interpreter):
    """A run of a lowered graph on DTensors.

    Args:
        lowered: one node for each operator.
        mesh: the processes.
        used_as: placeholder -> the placements that operators other than updates read it in.
        recorder: what traces the run; None: nothing does.
    """

    def __init__(self, lowered: Lowered, mesh: Any, used_as: dict[str, Any], recorder: Recorder | None = None) -> None:
        super().__init__(lowered.module)
        self.lowered, self.mesh, self.notes = lowered, mesh, Notes()
        self.names: dict[fx.Node, str] = {}  # nodes of the graph that is traced -> variables
        self.used_as = used_as
        self.gradients = _gradients(lowered)
        self.layouts: dict[str, Any] = {}  # parameter -> how its accumulators lie
        self.gathered: dict[fx.Node, torch.Tensor] = {}
        self.whole = [Replicate()] * mesh.ndim
        self.recorder = recorder
        self.seen: Any = None if recorder is None else recorder.graph._root.prev  # the last node that was looked at

    # ---- running
    def run(self, *args: Any) -> Any:  # type: ignore[override]
        """Run the graph.

        Args:
            args: DTensors of inputs and states.
        """
        held = dict(zip((*self.lowered.feeds, *self.lowered.states), args))
        for name, value in held.items():
            self.named(name, value)
        for op in self.lowered.nodes.values():
            if _updates(op):
                (param,) = op.input("Param")
                self.layouts[param] = _layout([held[name] for name in (param, *op.output_arg_names) if name in held])
        return super().run(*args)

    def run_node(self, n: fx.Node) -> Any:
        """Run one node, as the operator in it asks for."""
        if n.target is autograd.alias:
            return self._alias(n)
        op = self.lowered.nodes.get(n.name)
        if n.op != "call_function" or op is None:
            return super().run_node(n)
        if n.target is autograd.backward:
            value = self._backward(n)
        elif _updates(op):
            value = self._update(n, op)
        else:
            try:
                value = self._operator(n, op)
            except Exception as error:
                value = _constant(self.lowered, n) if values_decide(error) else None
                if value is None:
                    raise
        found = self._look(op)
        for name, part in _results(n, op, value):
            self.named(name, part)
            self._made(found, name, part)
        return value

    def _alias(self, n: fx.Node) -> torch.Tensor:
        """What an operator reads, to be differentiated to."""
        reader = next((user for user in n.users if user.name in self.lowered.nodes and user.target is not autograd.backward), None)
        op = None if reader is None else self.lowered.nodes[reader.name]
        if reader is not None and op is not None:
            self._settle(reader, op)
        source = n.args[0]
        assert isinstance(source, fx.Node)
        value = self._use(source, op)
        made = value.view_as(value) if value.requires_grad else _again(value).requires_grad_()
        self._same(value, made)
        return made

    def _use(self, source: fx.Node, op: Operator | None) -> Any:
        """What an operator reads of a node; a parameter that lies in pieces until it is used comes together once."""
        way = self.used_as.get(source.name)
        if way is None:
            return self.env[source]
        if source not in self.gathered:
            self.gathered[source] = lay(self.env[source], way)
            if op is not None:
                self._look(op, stays=True)
            self._same(self.env[source], self.gathered[source])
        return self.gathered[source]

    def _backward(self, n: fx.Node) -> Any:
        """A gradient operator."""
        args, kwargs = self.fetch_args_kwargs_from_env(n)
        seeds = [None if seed is None else sharding.dist_tensor(seed, self.mesh) for seed in kwargs["seeds"]]
        return autograd.backward(*args, **{**kwargs, "seeds": seeds})

    def _operator(self, n: fx.Node, op: Operator) -> Any:
        definition = find_op(op.type)
        assert definition is not None and callable(n.target)
        self._settle(n, op)
        args, attrs = fx.node.map_arg((n.args, n.kwargs), lambda source: self._use(source, op))
        if dist_program_layout.lays(op):
            given: Any = args[0]
            value = sharding.dist_tensor(given, self.mesh)
            return lay(value, dist_program_layout.layout(op, value.placements))
        if op.type in dist_program_scaling.ON_PIECES:
            return dist_program_scaling.on_pieces(definition, each(list(args), sharding.summed), attrs, self.mesh)
        if n.target is definition.fn:
            return spmd_calls.call(definition, list(args), attrs, _passing(op))
        definition = replace(definition, fn=n.target)  # with results that are derived from it, say
        mesh = sharding.common_mesh(list(tensors_of(args)), op.type)
        return definition.fn(*args, **attrs) if mesh is None else spmd_calls.whole(definition, list(args), attrs, mesh)

    def _settle(self, n: fx.Node, op: Operator) -> None:
        """Sum up the partial values that an operator reads for all that read them from now on, unless it passes them on."""
        partial = [source for source in map(_origin, n.all_input_nodes) if _is_partial(self.env.get(source))]
        if not partial or dist_program_layout.lays(op):
            return
        definition = find_op(op.type)
        assert definition is not None
        if op.type == "sum" and op.role & OpRole.Optimize:
            self._in_common([_origin(source) for source in n.all_input_nodes])
        args, attrs = fx.node.map_arg((n.args, n.kwargs), lambda source: self.env.get(_origin(source)))
        if not spmd_calls.passes(definition, list(args), attrs, _passing(op)):
            self._look(op)
            for source in dict.fromkeys(partial):
                value = self.env[source]
                with torch.enable_grad():
                    self.env[source] = lay(value, self._place(value))
                self._look(op, stays=True)
                self._same(value, self.env[source])

    def _place(self, value: Any) -> Any:
        """Where a partial value is summed up: a gradient where its parameter's accumulators lie."""
        node = self._traced(value)
        param = self.gradients.get(self.names.get(node, "")) if node is not None else None
        return self.layouts[param] if param in self.layouts else without_partial(value.placements)

    def _in_common(self, sources: list[fx.Node]) -> None:
        """Let values be partial in one way, so that their sum is summed up at once: norms of gradients, say."""
        ways = [self.env[source].placements if isinstance(self.env[source], DTensor) else tuple(self.whole) for source in sources]
        common = tuple(next((way for way in along if way.is_partial()), along[0]) for along in zip(*ways))
        if all(way.is_replicate() or way == Partial() for along in zip(*ways) for way in along):
            for source in sources:
                self.env[source] = moves.moved(sharding.dist_tensor(self.env[source], self.mesh), self.mesh, common)

    def _update(self, n: fx.Node, op: Operator) -> Any:
        """An update in place: the gradient is brought to where the parameter is, and this to where its accumulators are."""
        definition = find_op(op.type)
        assert definition is not None and callable(n.target)
        read, attrs = self.fetch_args_kwargs_from_env(n)
        args: list[Any] = each(list(read), lambda value: sharding.dist_tensor(value, self.mesh))
        slots = [slot.name for slot in definition.inputs]
        own = dict(zip(slots, args))
        shape, layout = next(tensors_of(own["Param"])).shape, self.layouts[op.input("Param")[0]]

        def moved_there(value: Any) -> Any:
            return lay(value, layout) if value.shape == shape else sharding.summed(value)

        there: list[Any] = each(args, moved_there)
        self._look(op)
        skip = own.get("SkipUpdate")
        taken = [None if slot == "SkipUpdate" else value for slot, value in zip(slots, there)]
        changed = list(tensors_of([value for slot, value in zip(slots, there) if slot in definition.inplace.values()]))
        cut = [dim for dim, placement in enumerate(layout) if placement.is_shard()]
        add_up = partial(reduced, kind="sum", mesh=self.mesh, dims=cut) if cut and self.mesh.get_coordinate() is not None else None
        with dist_program_scaling.unless(skip, changed), on_pieces(add_up):
            out = n.target(*each(taken, self._local), **attrs)
        given = tensors_of([value for slot, value in zip(slots, args) if slot in definition.inplace.values()])
        for value, moved in zip(given, changed):
            if value is not moved:
                self._same(value, moved)
                value._local_tensor.copy_(lay(moved, value.placements)._local_tensor)
        self._look(op, behind=True)
        parts = out if isinstance(out, tuple) else (out,)
        found = [own.get(definition.inplace.get(slot.name, ""), part) for slot, part in zip(definition.returns, parts)]
        return tuple(found) if isinstance(out, tuple) else found[0]

    def fetched(self, name: str, value: torch.Tensor) -> torch.Tensor:
        """A variable's value, all of it in every process."""
        made = inside(lay(sharding.dist_tensor(value, self.mesh), self.whole), self.whole)
        op = next((op for op in self.lowered.nodes.values() if name in op.output_arg_names), None)
        if op is not None:
            self._look(op)
        return made

    # ---- noting
    def _local(self, value: Any) -> Any:
        return value._local_tensor if isinstance(value, DTensor) else value

    def _traced(self, value: Any) -> fx.Node | None:
        """The node of the traced graph that made this process's part of a value."""
        return None if self.recorder is None else self.recorder.node_of(self._local(value))

    def named(self, name: str, value: Any) -> None:
        """Note which variable a value is."""
        if isinstance(value, torch.Tensor):
            self.notes.shapes[name] = tuple(self._local(value).shape)
            node = self._traced(value)
            if node is not None:
                self.names[node] = name

    def _same(self, value: Any, other: Any) -> None:
        """Another form of a value stands for the same variable."""
        node, new = self._traced(value), self._traced(other)
        if node is not None and new is not None and node in self.names:
            self.names[new] = self.names[node]

    def _look(self, op: Operator, stays: bool = False, behind: bool = False) -> list[Meeting]:
        """Note the collectives since the last look as an operator's."""
        found: list[Meeting] = []
        if self.recorder is None:
            return found
        node = self.seen.next
        while node.op != "root":
            kind = collective(node)
            if kind is not None:
                shape = tuple(node.meta["val"].shape) if "val" in node.meta else ()
                found.append(Meeting(node.name, kind, self._source(node), str(node.args[-1]), shape, stays, behind))
            self.seen, node = node, node.next
        if found:
            self.notes.meetings.setdefault(id(op), []).extend(found)
        return found

    def _made(self, found: list[Meeting], name: str, value: Any) -> None:
        """Note of which collective a variable that an operator has made comes."""
        inner = {meeting.node: meeting for meeting in found if meeting.source is None}
        node = self._traced(value) if inner and isinstance(value, torch.Tensor) else None
        while node is not None and _only_laid(node):
            if node.name in inner:
                inner[node.name].source, inner[node.name].behind = name, True
            node = next(iter(node.all_input_nodes), None)

    def _source(self, node: fx.Node) -> str | None:
        """The variable that a collective's input is, laid out anew perhaps."""
        while node.all_input_nodes:
            node = node.all_input_nodes[0]
            if node in self.names:
                return self.names[node]
            if not _only_laid(node):
                return None
        return None


def _constant(lowered: Lowered, n: fx.Node) -> Any:
    """What a node makes of attributes alone, and of what others make of such: how many numbers a range has, say; None: of more."""
    op = lowered.nodes.get(n.name)
    definition = None if op is None else find_op(op.type)
    if definition is None or definition.random or definition.inplace or not callable(n.target):
        return None
    known = {source: _constant(lowered, source) for source in n.all_input_nodes}
    if any(value is None for value in known.values()):
        return None
    with _disable_current_modes():
        return n.target(*fx.node.map_arg(n.args, known.__getitem__), **fx.node.map_arg(n.kwargs, known.__getitem__))


def _only_laid(node: fx.Node) -> bool:
    return collective(node) is not None or getattr(node.target, "_opname", getattr(node.target, "__name__", "")) in _LAYOUT


def _origin(node: fx.Node) -> Any:
    """The node whose value an operator reads under another name."""
    return node.args[0] if node.target is autograd.alias else node


def _again(value: Any) -> Any:
    """Another tensor of the same data without a history."""
    part = value._local_tensor if isinstance(value, DTensor) else value
    made = part.detach().view_as(part)
    return spread(made, value.device_mesh, value.placements, value.shape) if isinstance(value, DTensor) else made


def _is_partial(value: Any) -> bool:
    return isinstance(value, DTensor) and any(placement.is_partial() for placement in value.placements)


def _passing(op: Operator) -> frozenset[str]:
    """What is partial in a sum of gradients, or of their norms, is so in the sum, as in autograd's."""
    return SUMMED if op.type == "sum" and op.role & (OpRole.Backward | OpRole.Optimize) else frozenset()


def _updates(op: Operator) -> bool:
    """Whether an operator updates a parameter in place."""
    definition = find_op(op.type)
    return bool(definition is not None and "Param" in definition.inplace.values() and len(op.inputs.get("Param", ())) == 1)


def _layout(values: list[Any]) -> Any:
    """How a parameter, the first of these, is updated: as its accumulators, among the others, lie."""
    param = values[0]
    return next((value.placements for value in values[1:] if value is not param and value.shape == param.shape), param.placements)


def _gradients(lowered: Lowered) -> dict[str, str]:
    """Gradient -> its parameter."""
    found: dict[str, str] = {}
    for op in lowered.nodes.values():
        pairs = op.attrs.get("op_role_var") or []
        found.update(zip(pairs[1::2], pairs[::2]))
    return found


def _results(n: fx.Node, op: Operator, value: Any) -> list[tuple[str, Any]]:
    """The variables that an operator has made, and their values."""
    if n.target is autograd.backward:
        grads = op.attrs["_grads"]
        names = [name for names in op.outputs.values() for name in names if name != EMPTY_VAR and name in grads]
        return list(zip(names, value))
    definition = find_op(op.type)
    assert definition is not None
    parts: Sequence[Any] = (value,) if len(definition.returns) == 1 and not isinstance(value, tuple) else value
    found: list[tuple[str, Any]] = []
    for slot, part in zip(definition.returns, parts):
        names = op.outputs.get(slot.name, [])
        found += zip(names, part if slot.is_list and part is not None else [part])
    return found


__all__ = ["COLLECTIVES", "Meeting", "Notes", "Walk", "collective"]
