"""`paddle.nn.functional`: masks of sequences, beams, and frames of videos."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.dtype import DTypeLike, convert_dtype
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.variable import Variable
from paddle_compat.nn.functional._apply import check_recorded, helper_for
from paddle_compat.ops.beam_search import gather_tree as gather_tree_op
from paddle_compat.ops.sequence import sequence_mask as sequence_mask_op
from paddle_compat.ops.vision import temporal_shift as temporal_shift_op
from paddle_compat.tensor._calls import check


def sequence_mask(x: Any, maxlen: Any = None, dtype: DTypeLike = "int64", name: str | None = None) -> Any:
    """1 for every position within each length, 0 beyond.

    Args:
        x (Tensor): lengths.
        maxlen (int|Tensor): how many positions there are; None: as many as the greatest length.
        dtype: data type of the result.
        name (str): prefix of the output's name.
    Returns:
        Tensor: [*x.shape, maxlen].

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.sequence_mask(paddle.to_tensor([10, 9, 8])).shape
        [3, 10]

    Follows Paddle 2.6.
    """
    helper = helper_for("sequence_mask", x, name)
    number = int(convert_dtype(dtype))
    if isinstance(maxlen, Variable):
        out = sequence_mask_op(x, maxlen, out_dtype=number, _helper=helper)
    else:
        out = sequence_mask_op(x, maxlen=-1 if maxlen is None else int(maxlen), out_dtype=number, _helper=helper)
    if isinstance(out, Variable):
        out.stop_gradient = True
    return out


def gather_tree(ids: Any, parents: Any) -> Any:
    """The full sequences of a beam search, from the ids chosen at each step and the beams that they continue.

    Args:
        ids (Tensor): [steps, N, beams].
        parents (Tensor): [steps, N, beams].
    Returns:
        Tensor: [steps, N, beams].
    Raises:
        ValueError: the inputs have another number of dimensions.
        TypeError: they are no integers.

    Example:
        >>> import paddle_compat as paddle
        >>> ids = paddle.to_tensor([[[2, 2]], [[3, 9]]])
        >>> paddle.nn.functional.gather_tree(ids, paddle.to_tensor([[[0, 0]], [[1, 0]]])).tolist()
        [[[2, 2]], [[3, 9]]]

    Follows Paddle 2.6.
    """
    for argument, value in (("ids", ids), ("parents", parents)):
        check(value, argument, "gather_tree", ("int32", "int64"))
        if len(value.shape) != 3:
            raise invalid_argument(argument, "three dimensions", list(value.shape), "gather_tree")
    return gather_tree_op(ids, parents, _helper=helper_for("gather_tree", ids))


def temporal_shift(x: Any, seg_num: int, shift_ratio: float = 0.25, name: str | None = None, data_format: str = "NCHW") -> Any:
    """Shift some channels one frame back and as many one frame ahead.

    Args:
        x (Tensor): [N * seg_num, C, H, W], or [N * seg_num, H, W, C] for "NHWC".
        seg_num (int): frames in a video.
        shift_ratio (float): share of the channels that moves each way, below 0.5.
        name (str): prefix of the output's name.
        data_format (str): "NCHW" or "NHWC".
    Returns:
        Tensor: of x's shape.
    Raises:
        ValueError: there is no such data_format.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.temporal_shift(paddle.rand([6, 4, 2, 2]), seg_num=2, shift_ratio=0.2).shape
        [6, 4, 2, 2]

    Follows Paddle 2.6.
    """
    check_recorded("temporal_shift", x=x)
    if data_format not in ("NCHW", "NHWC"):
        raise invalid_argument("data_format", "'NCHW' or 'NHWC'", data_format, "temporal_shift")
    if not 0 <= shift_ratio < 0.5:
        raise invalid_argument("shift_ratio", "from 0 to below 0.5", shift_ratio, "temporal_shift")
    helper = helper_for("temporal_shift", x, name)
    return temporal_shift_op(x, seg_num=seg_num, shift_ratio=shift_ratio, data_format=data_format, _helper=helper)


__getattr__ = missing(__name__)
