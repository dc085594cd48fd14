"""One run of a lowered Program on DTensors, operator by operator: what is traced into a rank's own graph, and what is noted meanwhile.

Torch propagates how values lie; here is decided what a run sums up, and when. A partial value is summed once, where the first operator
reads it that sums do not pass through, and all that read it later find it whole. An update runs as its accumulators lie.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import fx
from torch.distributed.tensor import DTensor, Replicate
from torch.fx.experimental.proxy_tensor import get_proxy_mode, get_proxy_slot

from paddle_compat.core.op import Op, find_op
from paddle_compat.core.operator import EMPTY_VAR, Operator, OpRole
from paddle_compat.engine import autograd, sharding
from paddle_compat.engine.lowering import Lowered

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
    """

    node: str
    type: str
    source: str | None
    group: str
    shape: tuple[int, ...]
    stays: bool


@dataclass
class Notes:
    """What a run has noted.

    Attributes:
        meetings: id of an operator -> its collectives, in order.
        shapes: variable -> the shape of this process's part.
    """

    meetings: dict[int, list[Meeting]] = field(default_factory=dict)
    shapes: dict[str, tuple[int, ...]] = field(default_factory=dict)


class Walk(fx.Interpreter):
    """A run of a lowered graph on DTensors.

    Args:
        lowered: one node for each operator.
        mesh: the processes.
        used_as: placeholder -> the placements that operators other than updates read it in.
    """

    def __init__(self, lowered: Lowered, mesh: Any, used_as: dict[str, Any]) -> None:
        super().__init__(lowered.module)
        self.lowered, self.mesh, self.notes = lowered, mesh, Notes()
        self.names: dict[fx.Node, str] = {}  # nodes of the graph that is traced -> variables
        self.used_as = used_as
        self.gathered: dict[fx.Node, torch.Tensor] = {}
        self.whole = [Replicate()] * mesh.ndim
        mode = get_proxy_mode()
        self.tracer: Any = None if mode is None else mode.tracer
        self.seen: Any = None if mode is None else mode.tracer.graph._root.prev  # the last node that was looked at

    # ---- running
    def run_node(self, n: fx.Node) -> Any:
        """Run one node, as the operator in it asks for."""
        if n.target is autograd.alias:
            return self._alias(n)
        op = self.lowered.nodes.get(n.name)
        if n.op != "call_function" or op is None:
            return super().run_node(n)
        if n.target is autograd.backward:
            value = self._backward(n, op)
        else:
            value = self._operator(n, op)
        self._look(op)
        for name, part in _results(n, op, value):
            self.named(name, part)
        return value

    def _alias(self, n: fx.Node) -> torch.Tensor:
        """What an operator reads, to be differentiated to."""
        reader = next((self.lowered.nodes[user.name] for user in n.users if user.name in self.lowered.nodes), None)
        source = n.args[0]
        assert isinstance(source, fx.Node)
        if reader is not None and reader.type not in sharding.LINEAR:
            self._settle(source, reader)
        value = self._use(source, reader)
        made = autograd.alias(value)
        self._same(value, made)
        return made

    def _use(self, source: fx.Node, op: Operator | None) -> Any:
        """What an operator reads of a node; a parameter that lies in pieces until it is used comes together once."""
        way = self.used_as.get(source.name)
        if way is None:
            return self.env[source]
        if source not in self.gathered:
            self.gathered[source] = sharding.lay(self.env[source], way)
            if op is not None:
                self._look(op, stays=True)
            self._same(self.env[source], self.gathered[source])
        return self.gathered[source]

    def _backward(self, n: fx.Node, op: Operator) -> Any:
        """A gradient operator."""
        forward = op.forward
        assert forward is not None
        nodes: list[Any] = n.kwargs["seeds"]  # type: ignore[assignment]
        for seed in nodes:
            if isinstance(seed, fx.Node) and forward.type not in sharding.LINEAR:
                self._settle(seed, op)
        args, kwargs = self.fetch_args_kwargs_from_env(n)
        seeds = [None if seed is None else sharding.dist_tensor(seed, self.mesh) for seed in kwargs["seeds"]]
        return autograd.backward(*args, **{**kwargs, "seeds": seeds})

    def _operator(self, n: fx.Node, op: Operator) -> Any:
        definition = find_op(op.type)
        assert definition is not None and callable(n.target)
        updates = bool(definition.inplace and op.role & OpRole.Optimize)
        if not updates and (op.type not in sharding.LINEAR or self._mixed(n)):
            for source in n.all_input_nodes:
                self._settle(source, op)
        if updates:
            args, attrs = self.fetch_args_kwargs_from_env(n)
            return self._update(n.target, definition, list(args), attrs, op)
        args, attrs = fx.node.map_arg((n.args, n.kwargs), lambda source: self._use(source, op))
        if n.target is not definition.fn:  # the same with results that are derived from it, say
            definition = copy(definition)
            definition.fn = n.target
        return sharding.call(definition, list(args), attrs)

    def _mixed(self, n: fx.Node) -> bool:
        """Whether an operator is given partial values beside others."""
        layouts = {v.placements for v in map(self.env.get, n.all_input_nodes) if isinstance(v, DTensor)}
        return len(layouts) > 1

    def _settle(self, source: fx.Node, op: Operator) -> None:
        """Sum up a partial value for all that read it from now on."""
        value = self.env[source]
        if isinstance(value, DTensor) and any(placement.is_partial() for placement in value.placements):
            self._look(op)
            with torch.enable_grad():
                self.env[source] = sharding.summed(value)
            self._look(op, stays=True)
            self._same(value, self.env[source])

    def _update(self, function: Any, definition: Op, args: list[Any], attrs: dict[str, Any], op: Operator) -> Any:
        """An update in place: the gradient is brought to where the parameter is, and this to where its accumulators are."""
        args = sharding.each(args, lambda value: sharding.dist_tensor(value, self.mesh))
        slots = [slot.name for slot in definition.inputs]
        changed = set(definition.inplace.values())
        param = args[0]
        kept = [a for slot, a in zip(slots[1:], args[1:]) if slot in changed and isinstance(a, DTensor) and a.shape == param.shape]
        layout = kept[0].placements if kept else param.placements

        def laid(value: Any) -> Any:
            return sharding.lay(value, layout) if isinstance(value, DTensor) and value.shape == param.shape else sharding.summed(value)

        there = [value if value is None else sharding.each(value, laid) for value in args]
        self._look(op)
        out = function(*there, **attrs)
        for slot, own, moved in zip(slots, args, there):
            if slot in changed and own is not moved and isinstance(own, DTensor) and isinstance(moved, DTensor):
                own.copy_(sharding.lay(moved, own.placements))
        return out

    def fetched(self, name: str, value: torch.Tensor) -> torch.Tensor:
        """A variable's value, all of it in every process."""
        made = sharding.local(sharding.dist_tensor(value, self.mesh), self.whole)
        op = next((op for op in self.lowered.nodes.values() if name in op.output_arg_names), None)
        if op is not None:
            self._look(op)
        return made

    # ---- noting
    def _local(self, value: Any) -> Any:
        return value._local_tensor if isinstance(value, DTensor) else value

    def _traced(self, value: Any) -> fx.Node | None:
        """The node of the traced graph that made this process's part of a value."""
        if self.tracer is None:
            return None
        slot = get_proxy_slot(self._local(value), self.tracer, None)
        return None if slot is None else slot.proxy.node

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

    def _look(self, op: Operator, stays: bool = False) -> None:
        """Note the collectives since the last look as an operator's."""
        if self.tracer is None:
            return
        node = self.seen.next
        while node.op != "root":
            kind = collective(node)
            if kind is not None:
                shape = tuple(node.meta["val"].shape) if "val" in node.meta else ()
                made = Meeting(node.name, kind, self._source(node), str(node.args[-1]), shape, stays)
                self.notes.meetings.setdefault(id(op), []).append(made)
            self.seen, node = node, node.next

    def _source(self, node: fx.Node) -> str | None:
        """The variable that a collective's input is, laid out anew perhaps."""
        while node.all_input_nodes:
            node = node.all_input_nodes[0]
            if node in self.names:
                return self.names[node]
            kind = getattr(node.target, "_opname", getattr(node.target, "__name__", ""))
            if kind not in _LAYOUT:
                return None
        return None


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
