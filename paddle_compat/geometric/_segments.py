"""`paddle.geometric`: rows of segments, reduced."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.nn.functional._apply import helper_for
from paddle_compat.ops.graph import segment_pool


def segment_sum(data: Any, segment_ids: Any, name: str | None = None) -> Any:
    """The sums of the rows of every segment.

    Args:
        data (Tensor): [N, ...].
        segment_ids (Tensor): the segment of each row, int32 or int64 [N]; it never falls.
        name (str): prefix of the output's name.
    Returns:
        Tensor: [the last segment + 1, ...]; 0 where a segment has no rows.
    Raises:
        ValueError: segment_ids falls or does not fit data.

    Example:
        >>> import paddle_compat as paddle
        >>> data = paddle.to_tensor([[1.0], [3.0], [4.0]])
        >>> paddle.geometric.segment_sum(data, paddle.to_tensor([0, 0, 1])).tolist()
        [[4.0], [4.0]]

    Follows Paddle 2.6.
    """
    return segment_pool(data, segment_ids, pooltype="SUM", _helper=helper_for("segment_sum", data, name))


def segment_mean(data: Any, segment_ids: Any, name: str | None = None) -> Any:
    """The means of the rows of every segment.

    Args:
        data (Tensor): [N, ...].
        segment_ids (Tensor): the segment of each row, int32 or int64 [N]; it never falls.
        name (str): prefix of the output's name.
    Returns:
        Tensor: [the last segment + 1, ...]; 0 where a segment has no rows.
    Raises:
        ValueError: segment_ids falls or does not fit data.

    Example:
        >>> import paddle_compat as paddle
        >>> data = paddle.to_tensor([[1.0], [3.0], [4.0]])
        >>> paddle.geometric.segment_mean(data, paddle.to_tensor([0, 0, 1])).tolist()
        [[2.0], [4.0]]

    Follows Paddle 2.6.
    """
    return segment_pool(data, segment_ids, pooltype="MEAN", _helper=helper_for("segment_mean", data, name))


def segment_min(data: Any, segment_ids: Any, name: str | None = None) -> Any:
    """The smallest elements of the rows of every segment.

    Args:
        data (Tensor): [N, ...].
        segment_ids (Tensor): the segment of each row, int32 or int64 [N]; it never falls.
        name (str): prefix of the output's name.
    Returns:
        Tensor: [the last segment + 1, ...]; 0 where a segment has no rows.
    Raises:
        ValueError: segment_ids falls or does not fit data.

    Example:
        >>> import paddle_compat as paddle
        >>> data = paddle.to_tensor([[1.0], [3.0], [4.0]])
        >>> paddle.geometric.segment_min(data, paddle.to_tensor([0, 0, 1])).tolist()
        [[1.0], [4.0]]

    Follows Paddle 2.6.
    """
    return segment_pool(data, segment_ids, pooltype="MIN", _helper=helper_for("segment_min", data, name))


def segment_max(data: Any, segment_ids: Any, name: str | None = None) -> Any:
    """The largest elements of the rows of every segment.

    Args:
        data (Tensor): [N, ...].
        segment_ids (Tensor): the segment of each row, int32 or int64 [N]; it never falls.
        name (str): prefix of the output's name.
    Returns:
        Tensor: [the last segment + 1, ...]; 0 where a segment has no rows.
    Raises:
        ValueError: segment_ids falls or does not fit data.

    Example:
        >>> import paddle_compat as paddle
        >>> data = paddle.to_tensor([[1.0], [3.0], [4.0]])
        >>> paddle.geometric.segment_max(data, paddle.to_tensor([0, 0, 1])).tolist()
        [[3.0], [4.0]]

    Follows Paddle 2.6.
    """
    return segment_pool(data, segment_ids, pooltype="MAX", _helper=helper_for("segment_max", data, name))


__all__ = ["segment_max", "segment_mean", "segment_min", "segment_sum"]

__getattr__ = missing(__name__)
