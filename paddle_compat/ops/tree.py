"""Convolution over trees."""

from __future__ import annotations

from typing import Any

import torch

from paddle_compat.core.op import Meta, op

Tensor = torch.Tensor


def _children(edges: Tensor) -> dict[int, list[int]]:
    """The children of every node, numbered from 1; an edge of zeros ends the tree."""
    found: dict[int, list[int]] = {}
    nodes = 1
    for parent, child in edges.tolist():
        if not (parent and child):
            break
        found.setdefault(parent, []).append(child)
        nodes += 1
    return {node: found.get(node, []) for node in range(1, nodes + 1)}


def _patch(children: dict[int, list[int]], root: int, depth: int) -> list[tuple[int, float, float, float]]:
    """The nodes less than `depth` steps below a node, each with its weights for left, right and top."""
    found = []
    level = [(root, 0.5)]
    for step in range(depth):
        top = (depth - step) / depth
        for node, place in level:
            left = (1 - top) * place
            found.append((node, left, (1 - top) * (1 - left), top))
        below = [children.get(node, []) for node, _ in level]
        level = [(child, i / (len(row) - 1) if len(row) > 1 else 0.5) for row in below for i, child in enumerate(row)]
    return found


def _convolved_meta(nodes: Meta, edges: Meta, weight: Meta, **_: Any) -> Meta:
    return Meta((*nodes.shape[:2], *weight.shape[2:]), nodes.dtype)


@op(
    inputs=("NodesVector", "EdgeSet", "Filter"),
    grad=("EdgeSet", "Filter", "NodesVector"),
    no_grad=("EdgeSet",),
    infer=_convolved_meta,
)
def tree_conv(nodes: Tensor, edges: Tensor, weight: Tensor, *, max_depth: int = 2) -> Tensor:
    """For every node what lies below it, weighted by depth and place: [trees, nodes, outputs, filters].

    Nodes are [trees, nodes, features], edges [trees, edges, 2] and the filters [features, 3, outputs, filters].
    """
    places, shares = [], []
    for n, tree in enumerate(edges):
        children = _children(tree)
        for root in children:
            for node, *share in _patch(children, root, max_depth):
                places.append((n, root - 1, node - 1))
                shares.append(share)
    mixing = nodes.new_zeros((len(nodes), nodes.shape[1], nodes.shape[1], 3))  # of a node, the share of another, for each place
    if places:
        mixing.index_put_(tuple(torch.tensor(places, device=nodes.device).t()), mixing.new_tensor(shares), accumulate=True)
    return torch.einsum("nrip,nif,fpok->nrok", mixing, nodes, weight)
