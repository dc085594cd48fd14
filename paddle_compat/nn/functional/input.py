"""`paddle.nn.functional`: from ids to vectors."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from paddle_compat._missing import missing
from paddle_compat.core import capture
from paddle_compat.core.direct import direct
from paddle_compat.core.dtype import VarType, dtype_name
from paddle_compat.core.errors import UnimplementedError, UnsupportedError, invalid_argument, type_error
from paddle_compat.core.paddle3 import SINCE_3, SINCE_3_3, paddle3, placed
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.nn.functional._apply import helper_for, paddle, refuse_whole
from paddle_compat.ops.creation import one_hot_v2
from paddle_compat.ops.embedding import lookup_table_v2
from paddle_compat.tensor._calls import BITS, check, refuse_type


@placed("max_norm norm_type sparse scale_grad_by_freq name", SINCE_3_3)
@direct(
    "x weight",
    "torch.embedding(weight_, x_)",
    "padding_idx is None and not sparse and x_.dtype is torch.int64 and weight_.dtype in FLOATS and weight_.dim() == 2",
    kind="weight_.dtype",
)
@paddle3(input="x")
def embedding(
    x: Any, weight: Any, padding_idx: int | None = None, sparse: bool = False, name: str | None = None, *,
    max_norm: float | None = None, norm_type: float = 2.0, scale_grad_by_freq: bool = False,
) -> Any:  # fmt: skip
    """Rows of a table.

    Args:
        x (Tensor): ids, int32 or int64, of any shape.
        weight (Tensor): the table, [rows, width].
        padding_idx (int): the id that gives zeros; a negative one counts from the end.
        sparse (bool): the table's gradient holds only the rows that were looked up.
        name (str): prefix of the output's name.
        max_norm (float): the longest that a row may be: longer ones are shortened, in the table, before they are looked up.
        norm_type (float): the exponent of the norm that measures them.
        scale_grad_by_freq (bool): whether a row's gradient is divided by how often it was looked up.
    Returns:
        Tensor: [*x.shape, width].
    Raises:
        AttributeError: scale_grad_by_freq is asked for together with sparse.
        ValueError: padding_idx lies outside the table.
        UnsupportedError: max_norm is asked for in a Program.
        UnimplementedError: the ids are floats.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.embedding(paddle.to_tensor([[2, 0]]), paddle.rand([3, 4])).shape
        [1, 2, 4]

    Follows Paddle 2.6.
    """
    if isinstance(x, Tensor) and x._t.is_floating_point():
        raise UnimplementedError(f"`embedding` looks ids up. Expected int32 or int64. Received: {dtype_name(x.dtype)}")
    check(x, "input", "embedding", BITS[1:])
    refuse_whole(weight, "embedding", "weight")
    rows = weight.shape[0]
    if padding_idx is not None and not -rows <= padding_idx < rows:
        raise invalid_argument("padding_idx", f"None, or from {-rows} to {rows - 1}", padding_idx, "embedding")
    if sparse and scale_grad_by_freq:
        raise AttributeError("`scale_grad_by_freq` of `embedding` needs a dense gradient. Expected sparse=False. Received: True")
    if max_norm:
        if not (isinstance(x, Tensor) and isinstance(weight, Tensor)):
            raise UnsupportedError("paddle.nn.functional.embedding", "max_norm in a Program", "eager mode")
        embedding_renorm_(x, weight, max_norm, norm_type)
    # in Programs of Paddle 3 all gradients are dense
    rows_alone = sparse and not (SINCE_3 and isinstance(x, Variable) and capture.current is None)
    return lookup_table_v2(
        x,
        weight,
        is_sparse=rows_alone,
        is_distributed=False,
        remote_prefetch=bool(sparse),
        padding_idx=-1 if padding_idx is None else padding_idx % rows,
        _by_count=int(scale_grad_by_freq),
        _helper=helper_for("embedding", x, name),
    )


def embedding_renorm_(x: Any, weight: Any, max_norm: float, norm_type: float = 2.0) -> Any:
    """Shorten the rows of a table that are looked up, in the table, where they are longer than may be.

    Args:
        x (Tensor): ids, int32 or int64, of any shape.
        weight (Tensor): the table, [rows, width]; it is changed.
        max_norm (float): the longest that a row may be.
        norm_type (float): the exponent of the norm that measures them.
    Returns:
        Tensor: the table.
    Raises:
        UnsupportedError: in a Program.

    Example:
        >>> import paddle_compat as paddle
        >>> table = paddle.to_tensor([[3.0, 4.0], [6.0, 8.0]])
        >>> paddle.nn.functional.embedding_renorm_(paddle.to_tensor([1]), table, 5.0).tolist()
        [[3.0, 4.0], [3.0, 4.0]]

    Follows Paddle 3.3.
    """
    if not (isinstance(x, Tensor) and isinstance(weight, Tensor)):
        raise UnsupportedError("paddle.nn.functional.embedding_renorm_", "Variables of a Program", "eager mode")
    torch.embedding_renorm_(weight._t.detach(), x._t, max_norm, norm_type)
    return weight


@direct(
    "x",
    "hot_kernel(x_, depth=num_classes, dtype=torch.float32)",
    "type(num_classes) is int and num_classes >= 0 and x_.dtype in WHOLE",
    hot_kernel=one_hot_v2.fn,
)
@paddle3(input="x")
def one_hot(x: Any, num_classes: Any = -1, name: str | None = None) -> Any:
    """A vector with a single 1 for each id.

    Args:
        x (Tensor): ids, int32 or int64, of any shape.
        num_classes (int|Tensor): width of the vectors; -1: what the largest id needs.
        name (str): prefix of the output's name.
    Returns:
        Tensor: [*x.shape, num_classes], float32.
    Raises:
        ValueError: num_classes is negative.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.one_hot(paddle.to_tensor([1, 1, 3, 0]), num_classes=4).shape
        [4, 4]

    Follows Paddle 2.6.
    """
    helper = helper_for("one_hot_v2", x, name)
    attrs: dict[str, Any] = {"dtype": int(VarType.FP32), "allow_out_of_range": False}
    if isinstance(num_classes, int) and num_classes == -1:
        num_classes = paddle.max(x) + 1
    if isinstance(num_classes, Variable):
        num_classes.stop_gradient = True
        return one_hot_v2(x, num_classes, **attrs, _helper=helper)
    if isinstance(num_classes, (Tensor, float)) and isinstance(x, Tensor):
        num_classes = int(num_classes)
    if not isinstance(num_classes, (int, np.integer)):
        raise type_error("num_classes", "int or Tensor", num_classes, "one_hot")
    if x.dtype not in (VarType.INT32, VarType.INT64):
        refuse_type("x", "a tensor of int32 or int64", dtype_name(x.dtype), "one_hot", x)
    return one_hot_v2(x, depth=int(num_classes), **attrs, _helper=helper)


__getattr__ = missing(__name__)
