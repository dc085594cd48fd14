"""The layer of `paddle.incubate.layers` on items that are shown beside each other."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.layer_helper import LayerHelper
from paddle_compat.ops import deep_tree


def rank_attention(
    input: Any, rank_offset: Any, rank_param_shape: Any, rank_param_attr: Any, max_rank: int = 3, max_size: int = 0
) -> Any:
    """For each item the sum over those shown with it of their features times a matrix that belongs to the two ranks.

    The real one needs a GPU; this one does not.

    Args:
        input (Variable): features of the items, [N, D].
        rank_offset (Variable): int32 [N, 1 + 2 * max_rank]: an item's rank from 1, and for each place the rank (0: none) and row of who
            is there.
        rank_param_shape (list): shape of the matrices, [max_rank * max_rank * D, outputs].
        rank_param_attr (ParamAttr): of the matrices.
        max_rank (int): how many ranks there are.
        max_size (int): kept; it tells the real one how much memory to take.
    Returns:
        Variable: [N, outputs].
    Raises:
        AssertionError: `rank_param_shape` does not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        ...     x, offsets = paddle.static.data("x", [None, 2]), paddle.static.data("offsets", [None, 7], "int32")
        ...     paddle.incubate.layers.rank_attention(x, offsets, [18, 3], paddle.ParamAttr(name="ranks")).shape
        (-1, 3)
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    rows = input.shape[1] * max_rank * max_rank
    if rows != rank_param_shape[0]:
        raise failed_assertion("rank_param_shape", f"{rows} rows", rank_param_shape, "rank_attention")
    helper = LayerHelper("rank_attention")
    param = helper.create_parameter(attr=rank_param_attr, shape=rank_param_shape, dtype=input.dtype)
    return deep_tree.rank_attention(input, rank_offset, param, MaxRank=max_rank, MaxSize=max_size, _helper=helper)


__all__ = ["rank_attention"]
