"""Elements set to 0 by chance: one by one, by channels, or with mean and deviation kept."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat.core.direct import direct
from paddle_compat.core.errors import UnimplementedError, invalid_argument, type_error
from paddle_compat.core.mode import in_dygraph_mode
from paddle_compat.core.paddle3 import SINCE_3_3, paddle3, placed
from paddle_compat.core.program import default_main_program
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.nn.functional._apply import check_recorded, helper_for, in_place, paddle
from paddle_compat.ops.dropout import dropout as dropout_op


@placed("inplace mode name", SINCE_3_3)
@direct(
    "x",
    "dropout_kernel(x_, dropout_prob=p, dropout_implementation=mode) if training else x_.clone()",  # memory of its own, as Paddle's
    "axis is None and mode == 'upscale_in_train' and type(p) is float and 0.0 < p <= 1.0 and x_.dtype in FLOATS "
    "and not (training and main_program().random_seed)",
    kind="x_.dtype",
    dropout_kernel=dropout_op.fn,
    main_program=default_main_program,
)
@paddle3(input="x")
def dropout(
    x: Any,
    p: Any = 0.5,
    axis: Any = None,
    training: bool = True,
    mode: str = "upscale_in_train",
    name: str | None = None,
    *,
    inplace: bool = False,
) -> Any:
    """Set elements to 0 with probability p.

    Args:
        x (Tensor): float.
        p (float|Tensor): the probability.
        axis (int|list): dimensions along which elements are dropped one by one; along the others they go together.
        training (bool): False drops nothing.
        mode (str): "upscale_in_train" scales what is left up while training, "downscale_in_infer" everything down in
            inference.
        name (str): prefix of the output's name.
        inplace (bool): whether x becomes the result.
    Returns:
        Tensor: of x's shape.
    Raises:
        TypeError: p is no number.
        ValueError: p lies outside [0, 1], or there is no such mode or axis.
        NotImplementedError: `inplace` and `axis` are given.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.dropout(paddle.ones([2, 3]), 0.5).shape
        [2, 3]

    Follows Paddle 2.6.
    """
    if not isinstance(p, (float, int, Variable, Tensor)):
        raise type_error("p", "a number or a Tensor", p, "dropout")
    check_recorded("dropout", x=x)
    if isinstance(p, (int, float)):
        if p == 0:
            return x
        if not 0 <= p <= 1:
            raise invalid_argument("p", "0 <= p <= 1", p, "dropout")
    if mode not in ("downscale_in_infer", "upscale_in_train"):
        raise invalid_argument("mode", "'downscale_in_infer' or 'upscale_in_train'", mode, "dropout")
    if axis is not None:
        if isinstance(axis, np.integer) and not isinstance(x, Variable):
            axis = int(axis)
        if axis in ([], ()):
            raise invalid_argument("axis", "a dimension at least", axis, "dropout")
        if inplace:
            raise UnimplementedError("`dropout` along `axis` makes a new Tensor. Expected inplace=False. Received: True")
        return _dropout_along(x, p, axis, training, mode)
    if isinstance(p, Tensor):
        p = float(p)
    program_seed = default_main_program().random_seed
    helper = helper_for("dropout", x, name)
    outputs = None
    if helper is not None:
        out = helper.create_variable_for_type_inference(x.dtype)
        outputs = {"Out": out, "Mask": helper.create_variable_for_type_inference("uint8", stop_gradient=True)}
    dropped = dropout_op(
        x,
        dropout_prob=p,
        is_test=not training,
        fix_seed=program_seed != 0,
        seed=program_seed,
        dropout_implementation="downgrade_in_infer" if mode == "downscale_in_infer" else mode,
        _helper=helper,
        _outputs=outputs,
    )
    return in_place(x, dropped, "dropout_") if inplace else dropped


def _dropout_along(x: Any, p: Any, axis: Any, training: bool, how: str) -> Any:
    keep = 1 - p
    up = how == "upscale_in_train"
    if not training:
        return x if up else paddle.scale(x, scale=keep)
    if not isinstance(p, Variable) and p == 1:
        return paddle.scale(x, scale=0.0)
    axes = [axis] if isinstance(axis, int) else list(axis)
    rank = len(x.shape)
    if any(not 0 <= a < rank for a in axes) or len(axes) > rank:
        raise invalid_argument("axis", f"dimensions from 0 to {rank - 1}", axis, "dropout")
    scaled = paddle.scale(x, scale=1 / keep) if up else x
    sizes = x.shape if _eager(x) else paddle.shape(x)
    shape = [1] * rank
    for a in axes:
        shape[a] = sizes[a]
    drawn = paddle.uniform(shape, dtype="float32", min=0.0, max=1.0)
    kept = paddle.greater_equal(drawn, paddle.full(shape=[1], fill_value=p))
    return paddle.multiply(paddle.cast(scaled, x.dtype), paddle.cast(kept, x.dtype))


def _eager(x: Any) -> bool:
    return isinstance(x, Tensor) or in_dygraph_mode()


def dropout1d(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Set channels to 0 with probability p, the same ones in all sequences of a batch, and scale the others up.

    Args:
        input (Tensor): [N, C, L] or [C, L].
        p (float): the probability.
        training (bool): False drops nothing.
        inplace (bool): whether input becomes the result.
    Returns:
        Tensor: of input's shape.
    Raises:
        RuntimeError: input has another number of dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.dropout1d(paddle.rand([2, 3, 4])).shape
        [2, 3, 4]

    Follows Paddle 3.3.
    """
    rank = len(input.shape)
    if rank not in (2, 3):
        raise RuntimeError(f"Invalid value for argument `input` of `dropout1d`. Expected 2 or 3 dimensions. Received: {rank}")
    dropped = dropout(input, p, axis=rank - 2, training=training)
    return in_place(input, dropped, "dropout1d") if inplace else dropped


def dropout2d(x: Any, p: float = 0.5, training: bool = True, data_format: str = "NCHW", name: str | None = None) -> Any:
    """Set whole channels of images to 0 with probability p, and scale the others up.

    Args:
        x (Tensor): [N, C, H, W], or [N, H, W, C] for "NHWC".
        p (float): the probability.
        training (bool): False drops nothing.
        data_format (str): "NCHW" or "NHWC".
        name (str): kept.
    Returns:
        Tensor: of x's shape.
    Raises:
        ValueError: x or data_format does not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.dropout2d(paddle.rand([2, 3, 4, 5])).shape
        [2, 3, 4, 5]

    Follows Paddle 2.6.
    """
    return _channel_dropout(x, p, training, data_format, 2, name)


def dropout3d(x: Any, p: float = 0.5, training: bool = True, data_format: str = "NCDHW", name: str | None = None) -> Any:
    """Set whole channels of volumes to 0 with probability p, and scale the others up.

    Args:
        x (Tensor): [N, C, D, H, W], or [N, D, H, W, C] for "NDHWC".
        p (float): the probability.
        training (bool): False drops nothing.
        data_format (str): "NCDHW" or "NDHWC".
        name (str): kept.
    Returns:
        Tensor: of x's shape.
    Raises:
        ValueError: x or data_format does not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.dropout3d(paddle.rand([2, 3, 4, 5, 6])).shape
        [2, 3, 4, 5, 6]

    Follows Paddle 2.6.
    """
    return _channel_dropout(x, p, training, data_format, 3, name)


def _channel_dropout(x: Any, p: float, training: bool, data_format: str, rank: int, name: str | None) -> Any:
    api = f"dropout{rank}d"
    formats = ("NCHW", "NHWC") if rank == 2 else ("NCDHW", "NDHWC")
    if len(x.shape) != rank + 2:
        raise invalid_argument("x", f"{rank + 2} dimensions", list(x.shape), api)
    if data_format not in formats:
        raise invalid_argument("data_format", f"{formats[0]!r} or {formats[1]!r}", data_format, api)
    axes = [0, 1] if data_format == formats[0] else [0, rank + 1]
    return dropout(x, p=p, axis=axes, training=training, mode="upscale_in_train", name=name)


def alpha_dropout(x: Any, p: float = 0.5, training: bool = True, name: str | None = None) -> Any:
    """Dropout that keeps mean and variance, for networks with `selu`.

    Args:
        x (Tensor): float.
        p (float): the probability.
        training (bool): False drops nothing.
        name (str): kept.
    Returns:
        Tensor: of x's shape.
    Raises:
        TypeError: p is no number.
        ValueError: p lies outside [0, 1].

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.alpha_dropout(paddle.rand([2, 3])).shape
        [2, 3]

    Follows Paddle 2.6.
    """
    return _alpha_dropout(x, p, training, x.shape, "alpha_dropout", name)


def feature_alpha_dropout(x: Any, p: float = 0.5, training: bool = True, name: str | None = None) -> Any:
    """`alpha_dropout` of whole channels.

    Args:
        x (Tensor): float, [N, C, *].
        p (float): the probability.
        training (bool): False drops nothing.
        name (str): kept.
    Returns:
        Tensor: of x's shape.
    Raises:
        TypeError: p is no number.
        ValueError: p lies outside [0, 1], or x has fewer than two dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.feature_alpha_dropout(paddle.rand([2, 3, 4])).shape
        [2, 3, 4]

    Follows Paddle 3.3.
    """
    if len(x.shape) < 2 and training and p != 1:
        raise invalid_argument("x", "two dimensions or more", list(x.shape), "feature_alpha_dropout")
    return _alpha_dropout(x, p, training, [*x.shape[:2], *[1] * (len(x.shape) - 2)], "feature_alpha_dropout", name)


def _alpha_dropout(x: Any, p: float, training: bool, drawn_shape: Any, api: str, name: str | None) -> Any:
    check_recorded(api, x=x)
    if not isinstance(p, (float, int)):
        raise type_error("p", "a number", p, api)
    if not 0 <= p <= 1:
        raise invalid_argument("p", "from 0 to 1", p, api)
    if not training:
        return x
    if p == 1:
        return paddle.scale(x, scale=0.0)
    # what selu goes to far below 0
    floor = -1.6732632423543772848170429916717 * 1.0507009873554804934193349852946
    a = ((1 - p) * (1 + p * floor**2)) ** -0.5
    b = -a * floor * p
    drawn = paddle.uniform(drawn_shape, dtype="float32", min=0.0, max=1.0)
    kept = paddle.cast(paddle.greater_equal(drawn, paddle.full(shape=drawn_shape, fill_value=p)), x.dtype)
    dropped = paddle.subtract(paddle.full(shape=drawn_shape, fill_value=1.0, dtype=x.dtype), kept)
    shift = paddle.full(shape=x.shape, fill_value=b, dtype=x.dtype)
    mixed = paddle.add(paddle.multiply(x, kept), paddle.scale(dropped, scale=floor))
    return paddle.add(paddle.scale(mixed, scale=a), shift, name=name)
