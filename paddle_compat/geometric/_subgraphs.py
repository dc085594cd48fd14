"""`paddle.geometric`: neighbours of nodes, and subgraphs numbered anew."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.variable import Variable
from paddle_compat.nn.functional._apply import helper_for
from paddle_compat.ops import graph as ops

# the top-level functions (`paddle.concat`), which load when they are first called
paddle: Any = import_module("paddle_compat")


def reindexed(x: Any, neighbors: Any, count: Any, api: str, name: str | None) -> Any:
    """The ends of the edges and the nodes, numbered anew."""
    return ops.graph_reindex(x, neighbors, count, _helper=helper_for(api, x, name))


def sampled(
    row: Any, colptr: Any, nodes: Any, size: int, eids: Any, return_eids: bool, api: str, name: str | None, **attrs: Any
) -> Any:
    """Neighbours chosen evenly, and how many."""
    if return_eids and eids is None:
        raise invalid_argument("eids", "a Tensor, as `return_eids` is True", None, api)
    helper = helper_for(api, row, name)
    found = ops.graph_sample_neighbors(
        row, colptr, nodes, eids if return_eids else None, sample_size=size, return_eids=return_eids, _helper=helper, **attrs
    )
    return tuple(found) if return_eids else tuple(found[:2])


def reindex_graph(
    x: Any, neighbors: Any, count: Any, value_buffer: Any = None, index_buffer: Any = None, name: str | None = None
) -> Any:
    """A subgraph whose nodes are numbered anew: first the centres, then their neighbours as they come.

    Args:
        x (Tensor): the centres, [nodes].
        neighbors (Tensor): the neighbours of all centres, one centre after the other.
        count (Tensor): how many neighbours each centre has, int32 [nodes].
        value_buffer, index_buffer (Tensor): kept; they make the real one faster on a GPU.
        name (str): prefix of the outputs' names.
    Returns:
        tuple: the new numbers of the neighbours, those of their centres, and which node each number is.

    Example:
        >>> import paddle_compat as paddle
        >>> x, neighbors, count = paddle.to_tensor([0, 5]), paddle.to_tensor([8, 5, 0]), paddle.to_tensor([2, 1], "int32")
        >>> [found.tolist() for found in paddle.geometric.reindex_graph(x, neighbors, count)]
        [[2, 1, 0], [0, 0, 1], [0, 5, 8]]

    Follows Paddle 2.6.
    """
    return reindexed(x, neighbors, count, "reindex_graph", name)


def reindex_heter_graph(
    x: Any, neighbors: Any, count: Any, value_buffer: Any = None, index_buffer: Any = None, name: str | None = None
) -> Any:
    """As `reindex_graph`, for several graphs over the same centres.

    Args:
        x (Tensor): the centres, [nodes].
        neighbors (list): for each graph the neighbours of all centres.
        count (list): for each graph how many neighbours each centre has.
        value_buffer, index_buffer (Tensor): kept; they make the real one faster on a GPU.
        name (str): prefix of the outputs' names.
    Returns:
        tuple: the new numbers of the neighbours, those of their centres, and which node each number is.

    Example:
        >>> import paddle_compat as paddle
        >>> x, neighbors = paddle.to_tensor([0, 5]), [paddle.to_tensor([8, 5, 0]), paddle.to_tensor([7])]
        >>> count = [paddle.to_tensor([2, 1], "int32"), paddle.to_tensor([0, 1], "int32")]
        >>> [found.tolist() for found in paddle.geometric.reindex_heter_graph(x, neighbors, count)]
        [[2, 1, 0, 3], [0, 0, 1, 1], [0, 5, 8, 7]]

    Follows Paddle 2.6.
    """
    for _ in range(2 if isinstance(x, Variable) else 1):  # the real function writes it twice
        neighbors, count = [paddle.concat(neighbors, axis=0)], [paddle.concat(count, axis=0)]
    return reindexed(x, neighbors[0], count[0], "reindex_heter_graph", name)


def sample_neighbors(
    row: Any, colptr: Any, input_nodes: Any, sample_size: int = -1, eids: Any = None, return_eids: bool = False,
    perm_buffer: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """Neighbours of nodes, chosen evenly.

    Args:
        row (Tensor): the neighbours of all nodes of the graph, one node after the other, [edges].
        colptr (Tensor): where in row those of each node begin, [nodes + 1].
        input_nodes (Tensor): the nodes whose neighbours are wanted.
        sample_size (int): how many of each; -1: all.
        eids (Tensor): the numbers of the edges, [edges].
        return_eids (bool): whether to say which edges were chosen.
        perm_buffer (Tensor): kept; it makes the real one faster on a GPU.
        name (str): prefix of the outputs' names.
    Returns:
        tuple: the neighbours, how many each node has, and with return_eids the edges' numbers.
    Raises:
        ValueError: return_eids without eids.

    Example:
        >>> import paddle_compat as paddle
        >>> row, colptr = paddle.to_tensor([3, 7, 0, 9, 1]), paddle.to_tensor([0, 2, 4, 5])
        >>> [found.tolist() for found in paddle.geometric.sample_neighbors(row, colptr, paddle.to_tensor([0, 2]))]
        [[3, 7, 1], [2, 1]]

    Follows Paddle 2.6.
    """
    return sampled(row, colptr, input_nodes, sample_size, eids, return_eids, "sample_neighbors", name)


def weighted_sample_neighbors(
    row: Any, colptr: Any, edge_weight: Any, input_nodes: Any, sample_size: int = -1, eids: Any = None, return_eids: bool = False,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Neighbours of nodes, chosen by the weights of the edges.

    Args:
        row (Tensor): the neighbours of all nodes of the graph, one node after the other, [edges].
        colptr (Tensor): where in row those of each node begin, [nodes + 1].
        edge_weight (Tensor): [edges].
        input_nodes (Tensor): the nodes whose neighbours are wanted.
        sample_size (int): how many of each; -1: all.
        eids (Tensor): the numbers of the edges, [edges].
        return_eids (bool): whether to say which edges were chosen.
        name (str): prefix of the outputs' names.
    Returns:
        tuple: the neighbours, how many each node has, and with return_eids the edges' numbers.
    Raises:
        ValueError: return_eids without eids.

    Example:
        >>> import paddle_compat as paddle
        >>> row, colptr, weight = paddle.to_tensor([3, 7, 0]), paddle.to_tensor([0, 2, 3]), paddle.ones([3])
        >>> [found.tolist() for found in paddle.geometric.weighted_sample_neighbors(row, colptr, weight, paddle.to_tensor([0]))]
        [[3, 7], [2]]

    Follows Paddle 2.6.
    """
    api = "weighted_sample_neighbors"
    if return_eids and eids is None:
        raise invalid_argument("eids", "a Tensor, as `return_eids` is True", None, api)
    found = ops.weighted_sample_neighbors(
        row, colptr, edge_weight, input_nodes, eids if return_eids else None, sample_size=sample_size, return_eids=return_eids,
        _helper=helper_for(api, row, name),
    )  # fmt: skip
    return tuple(found) if return_eids else tuple(found[:2])


__all__ = ["reindex_graph", "reindex_heter_graph", "sample_neighbors", "weighted_sample_neighbors"]

__getattr__ = missing(__name__)
