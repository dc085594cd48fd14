"""Activations and sums that write over memory which nobody else reads: `BuildStrategy.enable_inplace`.

An operand is written over where a call made it that needs its own result for no gradient, and nothing but the activation or the sum
reads it: it is not fetched, not kept, and no gradient is asked for it. The numbers are the same.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import torch
from torch import fx

from paddle_compat.engine.peephole import affine, affine2d, affine2d_matmul, affine_of_part
from paddle_compat.engine.rewriting import function_of, is_call, only_user, replaced, variable_of
from paddle_compat.ops.conv import conv2d_biased

if TYPE_CHECKING:
    from paddle_compat.engine.lowering import Lowered

# Operators of new results, which their gradients do not read.
_MAKERS = ("batch_norm", "conv2d", "conv2d_transpose", "conv3d", "elementwise_add", "layer_norm", "matmul", "matmul_v2", "mul")
_MAKING = (affine, affine2d, affine2d_matmul, affine_of_part, conv2d_biased)


def relu_(x: torch.Tensor) -> torch.Tensor:
    """max(x, 0) in the place of x; of a view, whose history would have to be written anew, in its own."""
    return torch.relu(x) if x._is_view() else torch.relu_(x)


def sigmoid_(x: torch.Tensor) -> torch.Tensor:
    """1 / (1 + exp(-x)), likewise."""
    return torch.sigmoid(x) if x._is_view() else torch.sigmoid_(x)


def tanh_(x: torch.Tensor) -> torch.Tensor:
    """The hyperbolic tangent, likewise."""
    return torch.tanh(x) if x._is_view() else torch.tanh_(x)


def add_to_first(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """x + y in the place of x, if what was fed is as alike as what was declared."""
    if x._is_view() or x.shape != y.shape or x.dtype is not y.dtype:
        total: torch.Tensor = function_of("elementwise_add")(x, y)
        return total
    return x.add_(y)


def add_to_second(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """x + y in the place of y, likewise."""
    if y._is_view() or x.shape != y.shape or x.dtype is not y.dtype:
        total: torch.Tensor = function_of("elementwise_add")(x, y)
        return total
    return y.add_(x)


ACTIVATIONS = {"relu": relu_, "sigmoid": sigmoid_, "tanh": tanh_}


def apply(lowered: Lowered) -> None:
    """Rewrite the graph: what can be done in place is."""
    making = {*map(function_of, _MAKERS), *_MAKING, add_to_first, add_to_second}
    activations = {function_of(type_): in_place for type_, in_place in ACTIVATIONS.items()}

    def is_free(node: Any) -> bool:
        """Whether the node's memory is its only reader's."""
        if not isinstance(node, fx.Node) or only_user(node) is None:
            return False
        if node.target is operator.getitem and node.args[1] == 0:  # the first output of a batch norm
            node = node.args[0]
        return node.target in making

    for node in list(lowered.graph.nodes):
        if node.target in activations and len(node.args) == 1 and not node.kwargs and node.name in lowered.nodes:
            if is_free(node.args[0]):
                replaced(lowered, node, activations[node.target], node.args)
        elif is_call(lowered, node, "elementwise_add") and not set(node.kwargs) - {"axis"} and _are_alike(lowered, node):
            first, second = map(is_free, node.args)
            if first or second:
                replaced(lowered, node, add_to_first if first else add_to_second, node.args)


def _are_alike(lowered: Lowered, node: fx.Node) -> bool:
    """Whether two different operands are of one shape and data type."""
    x, y = (variable_of(lowered, node, slot) for slot in "XY")
    return node.args[0] is not node.args[1] and x is not None and y is not None and (x.shape, x.dtype) == (y.shape, y.dtype)
