"""Second derivatives: zeros for products and quotients, where torch has none, and none for `relu` and its like, where torch has zeros.

The gradient of `x * y` with respect to `x` is a multiple of `y`. Differentiated once more it leads to `x` all the same in Paddle, and to
all that `x` came from, with zeros: optimizers that decay weights or keep a momentum move parameters by these, as they do not without a
gradient. Numbers are no factors: `x * 2.0` scales, in Paddle.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from paddle_compat.autograd._no_second import FIRST, cut, followed
from paddle_compat.core.shadows import history

_PRODUCTS = frozenset(("MulBackward0", "DivBackward0"))
OF_FLUID = _PRODUCTS | {"MmBackward0"}  # where `mul` is one as well
_Leaf: Any = type(torch.autograd.graph.get_gradient_edge(torch.empty(0, requires_grad=True)).node)


def led_on(
    gradients: Sequence[torch.Tensor | None],
    outputs: Sequence[torch.Tensor],
    inputs: Sequence[torch.Tensor],
    of: frozenset[str] = _PRODUCTS,
) -> list[torch.Tensor | None]:
    """The gradients, each of which leads to what Paddle's leads to.

    Args:
        gradients: of the outputs with respect to the inputs, made to be differentiated.
        of: the nodes that are products.
    """
    graph = _before([_place(history(out)) for out in outputs])
    kinds = {type(node).__name__ for node in graph}
    kinked = not FIRST.isdisjoint(kinds)
    if kinds.isdisjoint(of) and not kinked:
        return list(gradients)
    onward = _before([_place(history(g)) for g in gradients if g is not None])
    if kinked:
        for node in onward:
            cut(node)
        graph, onward = ({node: (*followed(node),) for node in nodes} for nodes in (graph, onward))
    products = [edges for node, edges in graph.items() if type(node).__name__ in of and _of_tensors(node, edges)]
    places = [_place(history(x)) for x in inputs]
    if not products:
        return list(gradients)
    if len(inputs) == 1 and not kinked and all(node in onward for node in graph if type(node) is _Leaf or node is places[0][0]):
        return list(gradients)  # it leads everywhere
    ends = _Ends([history(x) for x in inputs], places)
    ends.walk(graph)
    behind = [0] * len(inputs)
    for edges in products:
        for edge in edges:
            found = ends.behind(edge)
            for number in range(len(inputs)):
                if found >> number & 1:
                    behind[number] |= found
    ends.walk(onward)
    return [g if g is None else _tied(g, ends.of(lead & ~ends.behind(_place(history(g))))) for g, lead in zip(gradients, behind)]


def _place(value: torch.Tensor) -> tuple[Any, int]:
    """The node that made it, and as which of its results."""
    if value.grad_fn is not None:
        return value.grad_fn, value.output_nr
    return (torch.autograd.graph.get_gradient_edge(value).node, 0) if value.requires_grad else (None, 0)


def _of_tensors(product: Any, edges: Sequence[tuple[Any, int]]) -> bool:
    """Whether the factors are Tensors: a constant without dimensions may be a number."""
    if type(product).__name__ not in _PRODUCTS:
        return True
    for edge, constant in zip(edges, ("_saved_self", "_saved_other")):
        if edge[0] is None:
            try:
                factor = getattr(product, constant)
            except RuntimeError:  # it has been overwritten, and no gradient came through here
                return False
            return factor is not None and factor.dim() > 0
    return True


def _before(roots: Sequence[tuple[Any, int]]) -> dict[Any, Any]:
    """These nodes and those before them, each with its edges."""
    found: dict[Any, Any] = {}
    ahead = [node for node, _ in roots if node is not None]
    while ahead:
        node = ahead.pop()
        if node not in found:
            found[node] = edges = node.next_functions
            ahead += [following for following, _ in edges if following is not None]
    return found


class _Ends:
    """Where paths end, as sets of bits: at the inputs, which have the first bits, and at leaves."""

    def __init__(self, inputs: Sequence[torch.Tensor], places: Sequence[tuple[Any, int]]) -> None:
        self.tensors = list(inputs)
        self.bits = {place: 1 << number for number, place in enumerate(places) if place[0] is not None}
        self.nodes: dict[Any, int] = {None: 0}  # what lies behind each

    def behind(self, edge: tuple[Any, int]) -> int:
        """What a path that begins with an edge can end at."""
        return self.nodes[edge[0]] | self.bits.get(edge, 0)

    def walk(self, graph: dict[Any, Any]) -> None:
        """Learn what lies behind the nodes of a graph: of each when that of all that follow it is known."""
        nodes, bits = self.nodes, self.bits
        for first in graph:
            ahead = [first]
            while ahead:
                node = ahead[-1]
                if node in nodes:
                    ahead.pop()
                    continue
                unknown = [following for following, _ in graph[node] if following not in nodes]
                if unknown:
                    ahead += unknown
                    continue
                found = 0
                for edge in graph[node]:
                    found |= nodes[edge[0]] | bits.get(edge, 0)
                nodes[node] = found
                if type(node) is _Leaf and (node, 0) not in bits:
                    bits[node, 0] = 1 << len(self.tensors)
                    self.tensors.append(node.variable)

    def of(self, bits: int) -> list[torch.Tensor]:
        """The tensors that have these bits."""
        return [tensor for number, tensor in enumerate(self.tensors) if bits >> number & 1]


def _tied(gradient: torch.Tensor, others: list[torch.Tensor]) -> torch.Tensor:
    """A gradient from which a backward pass comes to the others with zeros."""
    tied: torch.Tensor = _Tie.apply(gradient, *others) if others else gradient
    return tied


class _Tie(torch.autograd.Function):
    """The first of several, and zeros for the gradients of the others."""

    @staticmethod
    def forward(ctx: Any, value: torch.Tensor, *others: torch.Tensor) -> torch.Tensor:
        ctx.others = [(other.shape, other.dtype, other.device) for other in others]
        return value.view_as(value)

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return (gradient, *(torch.zeros(shape, dtype=dtype, device=device) for shape, dtype, device in ctx.others))
