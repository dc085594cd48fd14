"""`paddle.geometric`: what nodes and edges send along edges."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import invalid_argument, type_error
from paddle_compat.core.variable import Variable
from paddle_compat.nn.functional._apply import helper_for
from paddle_compat.ops import graph as ops

# the top-level functions (`paddle.reshape`, ...), which load when they are first called
paddle: Any = import_module("paddle_compat")
_REDUCTIONS = ("sum", "mean", "max", "min")


def reduction(value: Any, name: str, api: str) -> str:
    """The operator's name of a reduction."""
    if value not in _REDUCTIONS:
        raise invalid_argument(name, "`sum`, `mean`, `max` or `min`", value, api)
    return str(value).upper()


def _message(value: Any, y: Any, api: str) -> tuple[str, Any]:
    """The operators add and multiply: what is subtracted or divided by is turned round first."""
    if value not in ("add", "sub", "mul", "div"):
        raise invalid_argument("message_op", "`add`, `sub`, `mul` or `div`", value, api)
    if value == "sub":
        return "ADD", -y
    if value == "div":
        return "MUL", 1.0 / (y + 1e-12)
    return str(value).upper(), y


def output_rows(out_size: Any, api: str) -> dict[str, Any]:
    """The number of rows as the operators take it: an attribute, or a Variable in a slot."""
    if isinstance(out_size, Variable):
        return {"size": out_size}
    try:
        return {"out_size": [0 if out_size is None else int(out_size)]}
    except (TypeError, ValueError):
        raise type_error("out_size", "an int, Tensor or None", out_size, api) from None


def _aligned(x: Any, y: Any) -> tuple[Any, Any]:
    """Both with the same number of dimensions: the first is that of nodes or edges, and ones come behind it."""
    if isinstance(x, Variable):
        paddle.shape(x), paddle.shape(y)  # the real function asks, and does not look
    rank = max(len(x.shape), len(y.shape))

    def grown(value: Any) -> Any:
        missing_ = rank - len(value.shape)
        return value if not missing_ else paddle.reshape(value, [value.shape[0], *[1] * missing_, *value.shape[1:]])

    return grown(x), grown(y)


def received(x: Any, src: Any, dst: Any, how: str, out_size: Any, api: str, name: str | None) -> Any:
    """What nodes send to nodes."""
    rows = output_rows(out_size, api)
    return ops.graph_send_recv(x, src, dst, rows.pop("size", None), reduce_op=how, _helper=helper_for(api, x, name), **rows)


def send_u_recv(
    x: Any, src_index: Any, dst_index: Any, reduce_op: str = "sum", out_size: Any = None, name: str | None = None
) -> Any:
    """What nodes send along edges, reduced where it arrives.

    Args:
        x (Tensor): the features of the nodes, [nodes, ...].
        src_index (Tensor): the node at which each edge begins, int32 or int64 [edges].
        dst_index (Tensor): the node at which it ends.
        reduce_op (str): "sum", "mean", "max" or "min".
        out_size (int|Tensor): rows of the result; None: as many as x has.
        name (str): prefix of the output's name.
    Returns:
        Tensor: [out_size, ...]; 0 where nothing arrives.
    Raises:
        ValueError: there is no such reduction, or the indices do not fit each other.

    Example:
        >>> import paddle_compat as paddle
        >>> x, src, dst = paddle.to_tensor([[1.0], [2.0], [4.0]]), paddle.to_tensor([0, 1, 2]), paddle.to_tensor([1, 2, 1])
        >>> paddle.geometric.send_u_recv(x, src, dst).tolist()
        [[0.0], [5.0], [2.0]]

    Follows Paddle 2.6.
    """
    how = reduction(reduce_op, "reduce_op", "send_u_recv")
    return received(x, src_index, dst_index, how, out_size, "send_u_recv", name)


def send_ue_recv(
    x: Any, y: Any, src_index: Any, dst_index: Any, message_op: str = "add", reduce_op: str = "sum", out_size: Any = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """What nodes and edges together send along edges, reduced where it arrives.

    Args:
        x (Tensor): the features of the nodes, [nodes, ...].
        y (Tensor): the features of the edges, [edges, ...], which broadcast with those of the nodes.
        src_index (Tensor): the node at which each edge begins, int32 or int64 [edges].
        dst_index (Tensor): the node at which it ends.
        message_op (str): "add", "sub", "mul" or "div".
        reduce_op (str): "sum", "mean", "max" or "min".
        out_size (int|Tensor): rows of the result; None: as many as x has.
        name (str): prefix of the output's name.
    Returns:
        Tensor: [out_size, ...]; 0 where nothing arrives.
    Raises:
        ValueError: there is no such operation or reduction, or the indices do not fit each other.

    Example:
        >>> import paddle_compat as paddle
        >>> x, src, dst = paddle.to_tensor([[1.0], [2.0], [4.0]]), paddle.to_tensor([0, 1, 2]), paddle.to_tensor([1, 2, 1])
        >>> paddle.geometric.send_ue_recv(x, paddle.ones([3, 1]), src, dst, "add", "max").tolist()
        [[0.0], [5.0], [3.0]]

    Follows Paddle 2.6.
    """
    api = "send_ue_recv"
    reduction_ = reduction(reduce_op, "reduce_op", api)
    x, y = _aligned(x, y)
    message, y = _message(message_op, y, api)
    rows = output_rows(out_size, api)
    return ops.graph_send_ue_recv(
        x, y, src_index, dst_index, rows.pop("size", None), message_op=message, reduce_op=reduction_,
        _helper=helper_for(api, x, name), **rows,
    )  # fmt: skip


def send_uv(x: Any, y: Any, src_index: Any, dst_index: Any, message_op: str = "add", name: str | None = None) -> Any:
    """What the nodes at both ends of every edge make together.

    Args:
        x (Tensor): the features of the nodes as beginnings of edges, [nodes, ...].
        y (Tensor): the features of the nodes as ends of edges.
        src_index (Tensor): the node at which each edge begins, int32 or int64 [edges].
        dst_index (Tensor): the node at which it ends.
        message_op (str): "add", "sub", "mul" or "div".
        name (str): prefix of the output's name.
    Returns:
        Tensor: [edges, ...].
    Raises:
        ValueError: there is no such operation, or the indices do not fit each other.

    Example:
        >>> import paddle_compat as paddle
        >>> x, src, dst = paddle.to_tensor([[1.0], [2.0], [4.0]]), paddle.to_tensor([0, 1]), paddle.to_tensor([1, 2])
        >>> paddle.geometric.send_uv(x, x, src, dst, "mul").tolist()
        [[2.0], [8.0]]

    Follows Paddle 2.6.
    """
    x, y = _aligned(x, y)
    message, y = _message(message_op, y, "send_uv")
    helper = helper_for("graph_send_uv", x, name)
    return ops.graph_send_uv(x, y, src_index, dst_index, message_op=message, _helper=helper)


__all__ = ["send_u_recv", "send_ue_recv", "send_uv"]

__getattr__ = missing(__name__)
