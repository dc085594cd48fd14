"""`paddle.autograd.backward`: a backward pass from several Tensors."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError, failed_assertion
from paddle_compat.core.sparse import held, start
from paddle_compat.core.tensor import Tensor
from paddle_compat.engine import eager_backward


def no_dump(path: str | None, api: str) -> None:
    """Refuse to write the graph of a backward pass to files.

    Args:
        path: where Paddle 3 would.
        api: the function that was asked.
    Raises:
        UnsupportedError: it was.
    """
    if path is not None:
        raise UnsupportedError(f"paddle.{api}", "dump_backward_graph_path")


def backward(tensors: Any, grad_tensors: Any = None, retain_graph: bool = False, *, dump_backward_graph_path: str | None = None) -> None:
    """Leave the gradients of the sum of all Tensors in the leaves' `.grad`, added to what is there.

    Args:
        tensors: a Tensor, or a list of them.
        grad_tensors: their gradients, as many; None, also in the list: ones.
        retain_graph (bool): whether another backward pass may follow.
        dump_backward_graph_path: None; no graph is written to files.
    Raises:
        AssertionError: an argument is nothing of the kind, or a Tensor is listed twice.
        ValueError: a gradient does not fit its Tensor.
        SystemError: an earlier backward pass did not retain the graph.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.to_tensor([3.0], stop_gradient=False)
        >>> paddle.autograd.backward([x * x, x * 2])
        >>> x.grad.tolist()
        [8.0]

    Follows Paddle 2.6.
    """
    no_dump(dump_backward_graph_path, "autograd.backward")
    starts = list(tensors) if isinstance(tensors, (list, tuple)) else [tensors]
    if not starts:
        raise failed_assertion("tensors", "at least one Tensor", tensors, "backward")
    for value in starts:
        if not isinstance(value, Tensor):
            raise failed_assertion("tensors", "a Tensor or a list of Tensors", value, "backward")
    if len({id(value) for value in starts}) != len(starts):
        raise failed_assertion("tensors", "each Tensor once", [value.name for value in starts], "backward")
    seeds = list(grad_tensors) if isinstance(grad_tensors, (list, tuple)) else [] if grad_tensors is None else [grad_tensors]
    seeds = seeds or [None] * len(starts)
    for seed in seeds:
        if seed is not None and not isinstance(seed, Tensor):
            raise failed_assertion("grad_tensors", "None, a Tensor, or a list of Nones and Tensors", seed, "backward")
    if len(seeds) != len(starts):
        raise failed_assertion("grad_tensors", f"as many as tensors, {len(starts)}", len(seeds), "backward")
    if not isinstance(retain_graph, bool):
        raise failed_assertion("retain_graph", "True or False", retain_graph, "backward")
    seeds = [start(value, seed) for value, seed in zip(starts, seeds)]
    seeds = [None if seed is None else seed._t for seed in seeds]
    eager_backward.backward([held(value)._t for value in starts], seeds, retain_graph)


__all__ = ["backward"]

__getattr__ = missing(__name__)
