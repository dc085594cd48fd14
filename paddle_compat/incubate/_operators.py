"""`paddle.incubate`: operators that are tried out, or have another name by now."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import invalid_argument
from paddle_compat.geometric._messages import received, reduction
from paddle_compat.geometric._segments import segment_max, segment_mean, segment_min, segment_sum
from paddle_compat.geometric._subgraphs import reindexed, sampled
from paddle_compat.nn.functional._apply import helper_for
from paddle_compat.ops import fused, graph
from paddle_compat.ops import math as ops


def graph_send_recv(
    x: Any, src_index: Any, dst_index: Any, pool_type: str = "sum", out_size: Any = None, name: str | None = None
) -> Any:
    """What nodes send along edges, reduced where it arrives; `paddle.geometric.send_u_recv` is its name by now.

    Args:
        x (Tensor): the features of the nodes, [nodes, ...].
        src_index (Tensor): the node at which each edge begins, int32 or int64 [edges].
        dst_index (Tensor): the node at which it ends.
        pool_type (str): "sum", "mean", "max" or "min".
        out_size (int|Tensor): rows of the result; None: as many as x has.
        name (str): prefix of the output's name.
    Returns:
        Tensor: [out_size, ...]; 0 where nothing arrives.
    Raises:
        ValueError: there is no such reduction, or the indices do not fit each other.

    Example:
        >>> import paddle_compat as paddle
        >>> x, src, dst = paddle.to_tensor([[1.0], [2.0], [4.0]]), paddle.to_tensor([0, 1, 2]), paddle.to_tensor([1, 2, 1])
        >>> paddle.incubate.graph_send_recv(x, src, dst, "mean").tolist()
        [[0.0], [2.5], [2.0]]

    Follows Paddle 2.6.
    """
    how = reduction(pool_type, "pool_type", "graph_send_recv")
    return received(x, src_index, dst_index, how, out_size, "graph_send_recv", name)


def graph_reindex(
    x: Any, neighbors: Any, count: Any, value_buffer: Any = None, index_buffer: Any = None, flag_buffer_hashtable: bool = False,
    name: str | None = None,
) -> Any:  # fmt: skip
    """A subgraph whose nodes are numbered anew; `paddle.geometric.reindex_graph` is its name by now.

    Args:
        x (Tensor): the centres, [nodes].
        neighbors (Tensor): the neighbours of all centres, one centre after the other.
        count (Tensor): how many neighbours each centre has, int32 [nodes].
        value_buffer, index_buffer (Tensor): kept; they make the real one faster on a GPU.
        flag_buffer_hashtable (bool): whether they are used.
        name (str): prefix of the outputs' names.
    Returns:
        tuple: the new numbers of the neighbours, those of their centres, and which node each number is.
    Raises:
        ValueError: flag_buffer_hashtable without the buffers.

    Example:
        >>> import paddle_compat as paddle
        >>> x, neighbors, count = paddle.to_tensor([0, 5]), paddle.to_tensor([8, 5, 0]), paddle.to_tensor([2, 1], "int32")
        >>> [found.tolist() for found in paddle.incubate.graph_reindex(x, neighbors, count)]
        [[2, 1, 0], [0, 0, 1], [0, 5, 8]]

    Follows Paddle 2.6.
    """
    if flag_buffer_hashtable and (value_buffer is None or index_buffer is None):
        expected = "a Tensor, as `flag_buffer_hashtable` is True"
        raise invalid_argument("value_buffer, index_buffer", expected, (value_buffer, index_buffer), "graph_reindex")
    return reindexed(x, neighbors, count, "graph_reindex", name)


def graph_sample_neighbors(
    row: Any, colptr: Any, input_nodes: Any, eids: Any = None, perm_buffer: Any = None, sample_size: int = -1,
    return_eids: bool = False, flag_perm_buffer: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """Neighbours of nodes, chosen evenly; `paddle.geometric.sample_neighbors` is its name by now.

    Args:
        row (Tensor): the neighbours of all nodes of the graph, one node after the other, [edges].
        colptr (Tensor): where in row those of each node begin, [nodes + 1].
        input_nodes (Tensor): the nodes whose neighbours are wanted.
        eids (Tensor): the numbers of the edges, [edges].
        perm_buffer (Tensor): kept; it makes the real one faster on a GPU.
        sample_size (int): how many of each; -1: all.
        return_eids (bool): whether to say which edges were chosen.
        flag_perm_buffer (bool): whether perm_buffer is used.
        name (str): prefix of the outputs' names.
    Returns:
        tuple: the neighbours, how many each node has, and with return_eids the edges' numbers.
    Raises:
        ValueError: return_eids without eids, or flag_perm_buffer without perm_buffer.

    Example:
        >>> import paddle_compat as paddle
        >>> row, colptr = paddle.to_tensor([3, 7, 0, 9, 1]), paddle.to_tensor([0, 2, 4, 5])
        >>> [found.tolist() for found in paddle.incubate.graph_sample_neighbors(row, colptr, paddle.to_tensor([0, 2]))]
        [[3, 7, 1], [2, 1]]

    Follows Paddle 2.6.
    """
    api = "graph_sample_neighbors"
    if flag_perm_buffer and perm_buffer is None:
        raise invalid_argument("perm_buffer", "a Tensor, as `flag_perm_buffer` is True", None, api)
    return sampled(row, colptr, input_nodes, sample_size, eids, return_eids, api, name, flag_perm_buffer=flag_perm_buffer)


def graph_khop_sampler(
    row: Any, colptr: Any, input_nodes: Any, sample_sizes: Any, sorted_eids: Any = None, return_eids: bool = False,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Neighbours of nodes, their neighbours, and so on, as a subgraph whose nodes are numbered anew.

    Args:
        row (Tensor): the neighbours of all nodes of the graph, one node after the other, int32 or int64 [edges].
        colptr (Tensor): where in row those of each node begin, [nodes + 1].
        input_nodes (Tensor): the nodes whose neighbours are wanted first.
        sample_sizes (list): how many neighbours of a node are chosen in each step; -1: all.
        sorted_eids (Tensor): the numbers of the edges, [edges].
        return_eids (bool): whether to say which edges were chosen.
        name (str): prefix of the outputs' names.
    Returns:
        tuple: the neighbour and the centre of each edge, both [chosen, 1] and numbered anew, which node each number is, the numbers of
            input_nodes, and with return_eids the edges' numbers.
    Raises:
        ValueError: return_eids without sorted_eids, or sample_sizes is no list, or nothing is chosen.

    Example:
        >>> import paddle_compat as paddle
        >>> row, colptr = paddle.to_tensor([1, 2, 0, 3, 0]), paddle.to_tensor([0, 2, 4, 5, 5])
        >>> src, dst, nodes, places = paddle.incubate.graph_khop_sampler(row, colptr, paddle.to_tensor([0]), [2, 2])
        >>> src.flatten().tolist(), dst.flatten().tolist(), nodes.tolist(), places.tolist()
        ([1, 2, 0, 3, 0], [0, 0, 1, 1, 2], [0, 1, 2, 3], [0])

    Follows Paddle 2.6.
    """
    api = "graph_khop_sampler"
    if return_eids and sorted_eids is None:
        raise invalid_argument("sorted_eids", "a Tensor, as `return_eids` is True", None, api)
    if not isinstance(sample_sizes, (list, tuple)):
        raise invalid_argument("sample_sizes", "a list or tuple", sample_sizes, api)
    found = graph.graph_khop_sampler(
        row, sorted_eids if return_eids else None, colptr, input_nodes, sample_sizes=list(sample_sizes), return_eids=return_eids,
        _helper=helper_for(api, row, name),
    )  # fmt: skip
    return tuple(found) if return_eids else tuple(found[:4])


def softmax_mask_fuse(x: Any, mask: Any, name: str | None = None) -> Any:
    """The softmax of x + mask along the last axis.

    Args:
        x (Tensor): [N, heads, rows, columns].
        mask (Tensor): [N, 1, rows, columns].
        name (str): prefix of the output's name.
    Returns:
        Tensor: of x's shape.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.incubate.softmax_mask_fuse(paddle.zeros([1, 1, 1, 2]), paddle.zeros([1, 1, 1, 2])).tolist()
        [[[[0.5, 0.5]]]]

    Follows Paddle 2.6.
    """
    return fused.fused_softmax_mask(x, mask, _helper=helper_for("fused_softmax_mask", x, name))


def softmax_mask_fuse_upper_triangle(x: Any) -> Any:
    """The softmax along the last axis of what does not lie above the diagonal.

    Args:
        x (Tensor): [N, heads, rows, rows].
    Returns:
        Tensor: of x's shape, 0 above the diagonal.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.incubate.softmax_mask_fuse_upper_triangle(paddle.zeros([1, 1, 2, 2])).tolist()
        [[[[1.0, 0.0], [0.5, 0.5]]]]

    Follows Paddle 2.6, where only GPUs can.
    """
    return fused.fused_softmax_mask_upper_triangle(x, _helper=helper_for("fused_softmax_mask_upper_triangle", x))


def identity_loss(x: Any, reduction: Any = "none") -> Any:
    """x as a loss.

    Args:
        x (Tensor): what is to be a loss.
        reduction (str|int): "sum" or 0, "mean" or 1, "none" or 2.
    Returns:
        Tensor: the sum, the mean, or x.
    Raises:
        ValueError: there is no such reduction.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.incubate.identity_loss(paddle.to_tensor([1.0, 3.0]), "mean").item()
        2.0

    Follows Paddle 2.6.
    """
    number = {"sum": 0, "mean": 1, "none": 2}.get(reduction.lower()) if isinstance(reduction, str) else reduction
    if number not in (0, 1, 2):
        raise invalid_argument("reduction", "'sum', 'mean', 'none', 0, 1 or 2", reduction, "identity_loss")
    return ops.identity_loss(x, reduction=number, _helper=helper_for("identity_loss", x))


__all__ = [
    "graph_khop_sampler", "graph_reindex", "graph_sample_neighbors", "graph_send_recv", "identity_loss", "segment_max",
    "segment_mean", "segment_min", "segment_sum", "softmax_mask_fuse", "softmax_mask_fuse_upper_triangle",
]  # fmt: skip

__getattr__ = missing(__name__)
