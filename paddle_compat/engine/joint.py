"""A traced step in which ranks meet: the pieces between their sums are compiled, the sums run as they are.

While a step is traced its ring is `Traced`, which leaves one node for each call. `in_pieces` cuts the graph there. So what is compiled
knows nothing of ranks, and all replicas of a process run the same code.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

import torch
from torch import fx

from paddle_compat.core.errors import PreconditionNotMetError
from paddle_compat.core.rings import Journey, Ring, ring_of

aten = torch.ops.aten
_library = torch.library.Library("paddle_compat", "DEF")
_library.define("all_reduce(Tensor[] xs, bool early, int? most=None) -> Tensor[]")


def _shapes(xs: Sequence[torch.Tensor], early: bool, most: int | None = None) -> list[torch.Tensor]:
    if any(x.is_sparse for x in xs):
        raise PreconditionNotMetError("Sparse gradients are not compiled. Expected dense ones. Received: sparse ones")
    return [torch.empty_like(x, memory_format=torch.contiguous_format) for x in xs]


_library.impl("all_reduce", _shapes, "Meta")
_SUM = torch.ops.paddle_compat.all_reduce.default
fx.node.has_side_effect(_SUM)  # the others wait for it, whoever reads it


class Traced(Ring):
    """The ring of a step that is traced: its sums become nodes; what depends on the rank cannot be one graph for all."""

    def __init__(self, size: int) -> None:
        self.size = size

    @property
    def rank(self) -> NoReturn:  # type: ignore[override]
        """Nobody's: one graph is for all ranks."""
        raise PreconditionNotMetError("One compiled graph is for all ranks. Expected operators that do the same on each. Received: others")

    def all_reduce(self, tensors: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        """A node that stands for the sums."""
        return list(_SUM(list(tensors), False))

    def journey(self, tensors: Sequence[torch.Tensor], most: int | None = None) -> Journey:
        """The same, for gradients that replicas which are not compiled hand in while the backward pass goes on."""
        return _TracedJourney(most)

    def wait(self, near: bool = False) -> None:
        """Nothing happens before it runs."""


class _TracedJourney(Journey):
    def __init__(self, most: int | None) -> None:
        self.most = most

    def put(self, position: int, gradient: torch.Tensor) -> None:
        """All are taken at the end."""

    def finish(self, gradients: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        """A node that stands for the sums."""
        return list(_SUM(list(gradients), True, self.most))


Build = Callable[[fx.GraphModule, Sequence[Any]], Callable[..., Sequence[Any]]]


@dataclass
class _Step:
    """A piece, or a sum: what it is called with and what it returns, by name."""

    run: Callable[..., Sequence[Any]]
    takes: list[str]
    gives: list[str]
    last: list[str] = field(default_factory=list)  # what nobody needs behind it


def in_pieces(joint: fx.GraphModule, args: Sequence[torch.Tensor], build: Build) -> Callable[..., Sequence[Any]]:
    """A callable that does what a traced graph does, its pieces between the sums built.

    Args:
        args: what the graph was traced with.
        build: compiles a graph for arguments like those given.
    """
    for node in list(joint.graph.nodes):
        if node.target is aten.detach.default:  # nothing has a history here, so it is the tensor itself
            node.replace_all_uses_with(node.args[0])
            joint.graph.erase_node(node)
    nodes = list(joint.graph.nodes)
    if not any(node.target is _SUM for node in nodes):
        return build(joint, args)
    given = dict(zip((node for node in nodes if node.op == "placeholder"), args))
    results = nodes[-1].args[0]
    parts: list[_Piece | _Step] = []
    between: list[fx.Node] = []
    for node in nodes:
        if node.target is _SUM or node.op == "output":
            parts += [_Piece(between)] if between else []
            parts += [_sum(node)] if node.target is _SUM else []
            between = []
        elif node not in given and not _of_sum(node):
            between.append(node)
    needed = {r.name for r in results if isinstance(r, fx.Node)}
    needed.update(name for part in parts for name in (part.takes if isinstance(part, _Step) else [n.name for n in part.taken]))
    steps = [part if isinstance(part, _Step) else part.step(joint, given, needed, build) for part in parts]
    kept = {r.name for r in results if isinstance(r, fx.Node)}
    for step in reversed(steps):
        step.last = [name for name in dict.fromkeys((*step.takes, *step.gives)) if name not in kept]
        kept.update(step.takes)
    names = [node.name for node in given]

    def run(*values: Any) -> list[Any]:
        env = dict(zip(names, values))
        for step in steps:
            env.update(zip(step.gives, step.run(*[env[name] for name in step.takes])))
            for name in step.last:
                del env[name]
        return [env[r.name] if isinstance(r, fx.Node) else r for r in results]

    return run


def _of_sum(node: fx.Node) -> bool:
    return node.target is operator.getitem and node.args[0].target is _SUM  # type: ignore[union-attr]


def _sum(node: fx.Node) -> _Step:
    given: tuple[Any, ...] = (*node.args, None)
    summed, early, most = given[:3]
    parts: list[Any] = [user.args[1] for user in node.users]

    def run(*values: torch.Tensor) -> list[torch.Tensor]:
        ring = ring_of(0)
        journey = ring.journey(values, most) if early else None
        found = ring.all_reduce(values) if journey is None else journey.finish(values)
        return [found[i].contiguous() for i in parts]

    return _Step(run, [n.name for n in summed], [user.name for user in node.users])


def _is_view(node: fx.Node) -> bool:
    """Whether it only shows what another node has made; it is made again where it is read, so that no two arguments are one tensor."""
    if node.target is operator.getitem:
        return _is_view(node.args[0])  # type: ignore[arg-type]
    returns = node.target._schema.returns if isinstance(node.target, torch._ops.OpOverload) else ()
    return node.op == "get_attr" or any(r.alias_info is not None and not r.alias_info.is_write for r in returns)


class _Piece:
    """Nodes that stand between two sums, which become one compiled call."""

    def __init__(self, nodes: Sequence[fx.Node]) -> None:
        self.nodes = nodes
        self.copied: dict[fx.Node, None] = {}  # these and views of what others made, sources first
        self.taken: dict[fx.Node, None] = {}
        here = set(nodes)
        for node in nodes:
            self._visit(node, here)

    def _visit(self, node: fx.Node, here: set[fx.Node]) -> None:
        if node in self.copied or node in self.taken:
            return
        if node in here or _is_view(node):
            for source in node.all_input_nodes:
                self._visit(source, here)
            self.copied[node] = None
        else:
            self.taken[node] = None

    def step(self, joint: fx.GraphModule, given: dict[fx.Node, torch.Tensor], needed: set[str], build: Build) -> _Step:
        """The compiled call, which returns what is needed elsewhere."""
        graph = fx.Graph()
        copies = {node: graph.placeholder(node.name) for node in self.taken}
        for node in self.copied:
            copies[node] = graph.node_copy(node, copies.__getitem__)
        gives = [node for node in self.nodes if node.name in needed]
        graph.output(tuple(copies[node] for node in gives))
        run = build(fx.GraphModule(joint, graph), [given[n] if n in given else _like(n.meta["val"]) for n in self.taken])
        return _Step(run, [node.name for node in self.taken], [node.name for node in gives])


def _like(value: torch.Tensor) -> torch.Tensor:
    return torch.empty_strided(value.size(), value.stride(), dtype=value.dtype, device=value.device)
