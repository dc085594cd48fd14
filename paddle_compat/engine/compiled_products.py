"""Matrix products of compiled graphs by oneDNN, where it is faster than MKL (`ops/_products.py`)."""

from __future__ import annotations

from typing import Any

import torch
from torch import fx
from torch._inductor.custom_graph_pass import CustomGraphPass, get_hash_for_files

from paddle_compat.ops import _products

aten = torch.ops.aten
_LINEAR = torch.ops.mkldnn._linear_pointwise.default
# Whether what reads a product may find its columns one after another: in torch 2.11 backward passes of convolutions read them wrongly.
TURNS = torch.torch_version.TorchVersion(torch.__version__) >= "2.13"


class FasterProducts(CustomGraphPass):
    """Has large products made by oneDNN; of two matrices that give few columns, the other's are read first."""

    def __call__(self, graph: fx.Graph) -> None:
        """Rewrite a graph of aten operators in place."""
        for node in list(graph.nodes):
            if node.target is aten.mm.default:
                _rewrite(graph, node, None, *node.args)
            elif node.target is aten.addmm.default and not node.kwargs and node.args[0].meta["val"].dim() == 1:
                _rewrite(graph, node, *node.args)

    def uuid(self) -> Any:
        """What is kept on disk was built with this very pass."""
        return get_hash_for_files((__file__, _products.__file__))


def _rewrite(graph: fx.Graph, node: fx.Node, bias: fx.Node | None, x: fx.Node, w: fx.Node) -> None:
    left, right = x.meta["val"], w.meta["val"]
    if left.dtype is not torch.float32 or left.device.type != "cpu":
        return
    (rows, inner), columns = left.shape, right.shape[1]
    across = not left.is_contiguous()
    with graph.inserting_before(node):
        if rows * inner * columns >= _products.LARGE and _products.wide(rows, inner, columns, across):
            new = graph.call_function(_LINEAR, (x, _turned(graph, w), bias, "none", [], ""))
            new.meta = {**node.meta, "val": left.new_empty((left.shape[0], right.shape[1]))}
        elif TURNS and _products.narrow(rows, columns):
            small = graph.call_function(aten.mm.default, (_turned(graph, w), _turned(graph, x)))
            small.meta["val"] = left.new_empty((right.shape[1], left.shape[0]))
            new = _turned(graph, small)
            if bias is not None:
                product, new = new, graph.call_function(aten.add.Tensor, (new, bias))
                new.meta["val"] = product.meta["val"]
        else:
            return
    node.replace_all_uses_with(new)
    graph.erase_node(node)


def _turned(graph: fx.Graph, node: fx.Node) -> fx.Node:
    new = graph.call_function(aten.permute.default, (node, [1, 0]))
    new.meta["val"] = node.meta["val"].permute(1, 0)
    return new


__all__ = ["FasterProducts"]
