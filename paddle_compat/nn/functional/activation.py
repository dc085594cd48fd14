"""`paddle.nn.functional`: activations in pieces of straight lines or exponentials."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.direct import at_once, direct
from paddle_compat.core.errors import failed_assertion, invalid_argument
from paddle_compat.core.paddle3 import SINCE_3, paddle3
from paddle_compat.nn.functional._apply import apply, check_float, check_recorded, helper_for, overwrite, paddle
from paddle_compat.ops import activation as ops
from paddle_compat.ops.dropout import rrelu as rrelu_op
from paddle_compat.ops.math import bounded
from paddle_compat.tensor._calls import FLOATS, check


@direct("x", "torch.celu(x_, alpha)", "alpha != 0 and x_.dtype in FLOATS", kind="x_.dtype")
def celu(x: Any, alpha: float = 1.0, name: str | None = None) -> Any:
    """max(0, x) + min(0, alpha (exp(x / alpha) - 1)).

    Args:
        x (Tensor): float.
        alpha (float): not 0.
        name (str): prefix of the output's name.
    Returns:
        Tensor: of x's shape and data type.
    Raises:
        ZeroDivisionError: alpha is 0.

    Example:
        >>> import paddle_compat as paddle
        >>> [round(v, 4) for v in paddle.nn.functional.celu(paddle.to_tensor([-1.0, 6.0]), alpha=0.2).tolist()]
        [-0.1987, 6.0]

    Follows Paddle 2.6.
    """
    if alpha == 0:
        raise ZeroDivisionError("Invalid value for argument `alpha` of `celu`. Expected not 0. Received: 0")
    return apply(ops.celu, "celu", x, name, alpha=alpha)


@direct("x", "elu_kernel(x_, alpha=alpha)", "x_.dtype in FLOATS", kind="x_.dtype", elu_kernel=ops.elu.fn)
def elu(x: Any, alpha: float = 1.0, name: str | None = None) -> Any:
    """x above 0, alpha (exp(x) - 1) below.

    Args:
        x (Tensor): float.
        alpha (float): how far down it goes.
        name (str): prefix of the output's name.
    Returns:
        Tensor: of x's shape and data type.

    Example:
        >>> import paddle_compat as paddle
        >>> [round(v, 4) for v in paddle.nn.functional.elu(paddle.to_tensor([-1.0, 6.0]), alpha=0.2).tolist()]
        [-0.1264, 6.0]

    Follows Paddle 2.6.
    """
    return apply(ops.elu, "elu", x, name, alpha=alpha)


def elu_(x: Any, alpha: float = 1.0, name: str | None = None) -> Any:
    """`elu` in place.

    Args:
        x (Tensor): float; changed.
        alpha (float): how far down it goes.
        name (str): kept.
    Returns:
        Tensor: x.
    Raises:
        AssertionError: alpha is below 0.

    Example:
        >>> import paddle_compat as paddle
        >>> [round(v, 4) for v in paddle.nn.functional.elu_(paddle.to_tensor([-1.0, 6.0])).tolist()]
        [-0.6321, 6.0]

    Follows Paddle 2.6.
    """
    if alpha < 0:
        raise failed_assertion("alpha", "0 or more, as `elu` takes others", alpha, "elu_")
    return overwrite(x, elu, alpha, name)


@paddle3(input="x", lambd="threshold")
def hardshrink(x: Any, threshold: float = 0.5, name: str | None = None) -> Any:
    """x outside [-threshold, threshold], 0 inside.

    Args:
        x (Tensor): float.
        threshold (float): the bound.
        name (str): prefix of the output's name.
    Returns:
        Tensor: of x's shape and data type.

    Example:
        >>> import paddle_compat as paddle
        >>> [round(v, 4) for v in paddle.nn.functional.hardshrink(paddle.to_tensor([-1.0, 0.3, 2.5])).tolist()]
        [-1.0, 0.0, 2.5]

    Follows Paddle 2.6.
    """
    return apply(ops.hard_shrink, "hardshrink", x, name, threshold=threshold)


@direct(
    "x",
    "hardsigmoid_kernel(x_, slope=slope, offset=offset)",
    "x_.dtype in FLOATS",
    kind="x_.dtype",
    hardsigmoid_kernel=ops.hard_sigmoid.fn,
)
def hardsigmoid(x: Any, slope: float = 0.1666667, offset: float = 0.5, name: str | None = None) -> Any:
    """slope x + offset, between 0 and 1.

    Args:
        x (Tensor): float.
        slope (float): the slope.
        offset (float): the value at 0.
        name (str): prefix of the output's name.
    Returns:
        Tensor: of x's shape and data type.

    Example:
        >>> import paddle_compat as paddle
        >>> [round(v, 4) for v in paddle.nn.functional.hardsigmoid(paddle.to_tensor([-4.0, 5.0, 1.0])).tolist()]
        [0.0, 1.0, 0.6667]

    Follows Paddle 2.6.
    """
    return apply(ops.hard_sigmoid, "hardsigmoid", x, name, slope=slope, offset=offset)


@direct(
    "x",
    "hardswish_kernel(x_, threshold=6.0, scale=6.0, offset=3.0)",
    "x_.dtype in FLOATS",
    kind="x_.dtype",
    hardswish_kernel=ops.hard_swish.fn,
)
def hardswish(x: Any, name: str | None = None) -> Any:
    """x times (x + 3) / 6 between 0 and 1.

    Args:
        x (Tensor): float.
        name (str): prefix of the output's name.
    Returns:
        Tensor: of x's shape and data type.

    Example:
        >>> import paddle_compat as paddle
        >>> [round(v, 4) for v in paddle.nn.functional.hardswish(paddle.to_tensor([-4.0, 5.0, 1.0])).tolist()]
        [-0.0, 5.0, 0.6667]

    Follows Paddle 2.6.
    """
    return apply(ops.hard_swish, "hardswish", x, name, threshold=6.0, scale=6.0, offset=3.0)


@direct("x", "bounded(x_, min, max)", "x_.dtype in FLOATS", kind="x_.dtype", bounded=bounded)
def hardtanh(x: Any, min: float = -1.0, max: float = 1.0, name: str | None = None) -> Any:
    """x between `min` and `max`.

    Args:
        x (Tensor): float.
        min (float): the lower bound.
        max (float): the upper bound.
        name (str): prefix of the output's name.
    Returns:
        Tensor: of x's shape and data type.

    Example:
        >>> import paddle_compat as paddle
        >>> [round(v, 4) for v in paddle.nn.functional.hardtanh(paddle.to_tensor([-1.5, 0.3, 2.5])).tolist()]
        [-1.0, 0.3, 1.0]

    Follows Paddle 2.6.
    """
    return apply(ops.brelu, "hardtanh", x, name, t_min=min, t_max=max)


def hardtanh_(x: Any, min: float = -1.0, max: float = 1.0, name: str | None = None) -> Any:
    """`hardtanh` in place.

    Args:
        x (Tensor): float; changed.
        min (float): the lower bound.
        max (float): the upper bound.
        name (str): kept.
    Returns:
        Tensor: x.

    Example:
        >>> import paddle_compat as paddle
        >>> [round(v, 4) for v in paddle.nn.functional.hardtanh_(paddle.to_tensor([-1.5, 0.3, 2.5])).tolist()]
        [-1.0, 0.3, 1.0]

    Follows Paddle 2.6.
    """
    return overwrite(x, hardtanh, min, max, name)


@direct("x", "leaky_kernel(x_, alpha=negative_slope)", "x_.dtype in FLOATS", kind="x_.dtype", leaky_kernel=ops.leaky_relu.fn)
def leaky_relu(x: Any, negative_slope: float = 0.01, name: str | None = None) -> Any:
    """x above 0, negative_slope x below.

    Args:
        x (Tensor): float.
        negative_slope (float): the slope below 0.
        name (str): prefix of the output's name.
    Returns:
        Tensor: of x's shape and data type.

    Example:
        >>> import paddle_compat as paddle
        >>> [round(v, 4) for v in paddle.nn.functional.leaky_relu(paddle.to_tensor([-2.0, 0.0, 1.0])).tolist()]
        [-0.02, 0.0, 1.0]

    Follows Paddle 2.6.
    """
    return apply(ops.leaky_relu, "leaky_relu", x, name, alpha=negative_slope)


def leaky_relu_(x: Any, negative_slope: float = 0.01, name: str | None = None) -> Any:
    """`leaky_relu` in place.

    Args:
        x (Tensor): float; changed.
        negative_slope (float): the slope below 0.
        name (str): kept.
    Returns:
        Tensor: x.

    Example:
        >>> import paddle_compat as paddle
        >>> [round(v, 4) for v in paddle.nn.functional.leaky_relu_(paddle.to_tensor([-2.0, 1.0])).tolist()]
        [-0.02, 1.0]

    Follows Paddle 2.6.
    """
    return overwrite(x, leaky_relu, negative_slope, name)


def maxout(x: Any, groups: int, axis: int = 1, name: str | None = None) -> Any:
    """The largest of each group of neighbouring channels.

    Args:
        x (Tensor): float, four dimensions.
        groups (int): channels in a group.
        axis (int): the dimension of the channels: 1, -1 or 3.
        name (str): prefix of the output's name.
    Returns:
        Tensor: with 1 / groups of the channels.
    Raises:
        ValueError: axis is none of these.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.maxout(paddle.rand([1, 2, 3, 4]), groups=2).shape
        [1, 1, 3, 4]

    Follows Paddle 2.6.
    """
    check_recorded("maxout", x=x)
    if axis not in (1, -1, 3):
        raise invalid_argument("axis", "1, -1 or 3", axis, "maxout")
    return apply(ops.maxout, "maxout", x, name, groups=groups, axis=3 if axis == -1 else axis)


@direct(
    "x weight",
    "prelu_kernel(x_, weight_, mode='all' if weight_.numel() == 1 else 'channel')",
    "data_format == 'NCHW' and (kind := x_.dtype) is weight_.dtype and kind in FLOATS and weight_.dim() < 2 "
    "and (weight_.numel() == 1 or x_.dim() > 1 and weight_.numel() == x_.shape[1])",
    kind="kind",
    prelu_kernel=ops.prelu.fn,
)
def prelu(x: Any, weight: Any, data_format: str = "NCHW", name: str | None = None) -> Any:
    """x above 0, weight x below.

    Args:
        x (Tensor): float, two dimensions or more for a weight of several elements.
        weight (Tensor): the slopes below 0: [1], or one for each channel.
        data_format (str): where the channels are: "NC", "NCL", "NCHW", "NCDHW", "NLC", "NHWC" or "NDHWC".
        name (str): prefix of the output's name.
    Returns:
        Tensor: of x's shape and data type.
    Raises:
        ValueError: there is no such data_format, or the weight does not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.prelu(paddle.rand([1, 2, 3, 4]), paddle.to_tensor([0.25, 0.5])).shape
        [1, 2, 3, 4]

    Follows Paddle 2.6.
    """
    if len(weight.shape) > 1:
        raise failed_assertion("weight", "one dimension at most", list(weight.shape), "prelu")
    check_float(x, "prelu")
    kind = "all"
    if weight.shape and weight.shape[0] > 1:
        formats = ("NC", "NCL", "NCHW", "NCDHW", "NLC", "NHWC", "NDHWC")
        if data_format not in formats:
            raise invalid_argument("data_format", " or ".join(formats), data_format, "prelu")
        if len(x.shape) < 2:
            raise failed_assertion("x", "two dimensions or more", list(x.shape), "prelu")
        kind = "channel"
        data_format = "NHWC" if data_format[-1] == "C" and data_format != "NC" else "NCHW"
        channels = x.shape[-1 if data_format == "NHWC" else 1]
        if weight.shape[0] != channels:
            raise failed_assertion("weight", f"one number for each of {channels} channels", list(weight.shape), "prelu")
    return ops.prelu(x, weight, mode=kind, data_format=data_format, _helper=helper_for("prelu", x, name))


@at_once(ops.relu)
def relu(x: Any, name: str | None = None) -> Any:
    """max(x, 0).

    Args:
        x (Tensor): float.
        name (str): prefix of the output's name.
    Returns:
        Tensor: of x's shape and data type.

    Example:
        >>> import paddle_compat as paddle
        >>> [round(v, 4) for v in paddle.nn.functional.relu(paddle.to_tensor([-2.0, 0.0, 1.0])).tolist()]
        [0.0, 0.0, 1.0]

    Follows Paddle 2.6.
    """
    return apply(ops.relu, "relu", x, name)


def relu_(x: Any, name: str | None = None) -> Any:
    """`relu` in place.

    Args:
        x (Tensor): float; changed.
        name (str): kept.
    Returns:
        Tensor: x.

    Example:
        >>> import paddle_compat as paddle
        >>> [round(v, 4) for v in paddle.nn.functional.relu_(paddle.to_tensor([-2.0, 0.0, 1.0])).tolist()]
        [0.0, 0.0, 1.0]

    Follows Paddle 2.6.
    """
    return overwrite(x, relu, name)


@direct("x", "relu6_kernel(x_, threshold=6.0)", "x_.dtype in FLOATS", kind="x_.dtype", relu6_kernel=ops.relu6.fn)
def relu6(x: Any, name: str | None = None) -> Any:
    """x between 0 and 6.

    Args:
        x (Tensor): float.
        name (str): prefix of the output's name.
    Returns:
        Tensor: of x's shape and data type.

    Example:
        >>> import paddle_compat as paddle
        >>> [round(v, 4) for v in paddle.nn.functional.relu6(paddle.to_tensor([-1.0, 0.3, 6.5])).tolist()]
        [0.0, 0.3, 6.0]

    Follows Paddle 2.6.
    """
    return apply(ops.relu6, "relu6", x, name, threshold=6.0)


def rrelu(x: Any, lower: float = 1.0 / 8.0, upper: float = 1.0 / 3.0, training: bool = True, name: str | None = None) -> Any:
    """x above 0; below, x times a random slope.

    Args:
        x (Tensor): float.
        lower (float): the smallest slope, from 0 to 1.
        upper (float): the largest slope, from `lower` to 1.
        training (bool): False takes the mean slope.
        name (str): prefix of the output's name.
    Returns:
        Tensor: of x's shape and data type.
    Raises:
        TypeError: lower or upper is no float.
        ValueError: the bounds are out of range.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.rrelu(paddle.to_tensor([-2.0, 3.0]), 0.1, 0.3).shape
        [2]

    Follows Paddle 2.6.
    """
    for name_of, bound in (("lower", lower), ("upper", upper)):
        if not isinstance(bound, float):
            raise TypeError(f"Invalid type for argument `{name_of}` of `rrelu`. Expected float. Received: {bound!r}")
    if not 0 <= lower <= upper <= 1:
        raise invalid_argument("lower, upper", "0 <= lower <= upper <= 1", (lower, upper), "rrelu")
    return apply(rrelu_op, "rrelu", x, name, lower=lower, upper=upper, is_test=not training)


@direct(
    "x", "selu_kernel(x_, alpha=alpha, scale=scale)", "scale > 1.0 and alpha >= 0 and x_.dtype in FLOATS", kind="x_.dtype",
    selu_kernel=ops.selu.fn,
)  # fmt: skip
def selu(
    x: Any,
    scale: float = 1.0507009873554804934193349852946,
    alpha: float = 1.6732632423543772848170429916717,
    name: str | None = None,
) -> Any:
    """scale times (x above 0, alpha (exp(x) - 1) below).

    Args:
        x (Tensor): float.
        scale (float): above 1.
        alpha (float): at least 0.
        name (str): prefix of the output's name.
    Returns:
        Tensor: of x's shape and data type.
    Raises:
        ValueError: scale or alpha is out of range.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.selu(paddle.to_tensor([[0.0, 1.0], [2.0, 3.0]])).shape
        [2, 2]

    Follows Paddle 2.6.
    """
    if scale <= 1.0:
        raise invalid_argument("scale", "a number above 1", scale, "selu")
    if alpha < 0:
        raise invalid_argument("alpha", "a number of at least 0", alpha, "selu")
    return apply(ops.selu, "selu", x, name, scale=scale, alpha=alpha)


@paddle3(input="x", lambd="threshold")
def softshrink(x: Any, threshold: float = 0.5, name: str | None = None) -> Any:
    """x brought towards 0 by the threshold, 0 within it.

    Args:
        x (Tensor): float.
        threshold (float): at least 0.
        name (str): prefix of the output's name.
    Returns:
        Tensor: of x's shape and data type.
    Raises:
        ValueError: the threshold is below 0.

    Example:
        >>> import paddle_compat as paddle
        >>> [round(v, 4) for v in paddle.nn.functional.softshrink(paddle.to_tensor([-0.9, 0.1, 0.8])).tolist()]
        [-0.4, 0.0, 0.3]

    Follows Paddle 2.6.
    """
    if threshold < 0:
        raise invalid_argument("threshold", "a number of at least 0", threshold, "softshrink")
    return apply(ops.softshrink, "softshrink", x, name, **{"lambda": threshold})


def thresholded_relu(x: Any, threshold: float = 1.0, name: str | None = None, value: float = 0.0) -> Any:
    """x above the threshold, 0 (or another value) elsewhere.

    Args:
        x (Tensor): float.
        threshold (float): the bound.
        name (str): prefix of the output's name.
        value (float): what stands elsewhere.
    Returns:
        Tensor: of x's shape and data type.

    Example:
        >>> import paddle_compat as paddle
        >>> [round(v, 4) for v in paddle.nn.functional.thresholded_relu(paddle.to_tensor([2.0, 0.0, 1.0])).tolist()]
        [2.0, 0.0, 0.0]

    Follows Paddle 2.6.
    """
    if SINCE_3 and isinstance(name, (int, float)):  # Paddle 3 has the value there
        name, value = None, name
    check(x, "x", "thresholded_relu", FLOATS)
    if value != 0.0:  # Paddle 2.6's operator, which Programs and models hold, knows no other value
        return paddle.where(x > threshold, x, paddle.full_like(x, value))
    return apply(ops.thresholded_relu, "thresholded_relu", x, name, threshold=threshold)


def thresholded_relu_(x: Any, threshold: float = 1.0, name: str | None = None, value: float = 0.0) -> Any:
    """`thresholded_relu` in place.

    Args:
        x (Tensor): float; changed.
        threshold (float): the bound.
        name (str): kept.
        value (float): what stands elsewhere.
    Returns:
        Tensor: x.

    Example:
        >>> import paddle_compat as paddle
        >>> [round(v, 4) for v in paddle.nn.functional.thresholded_relu_(paddle.to_tensor([2.0, 0.0, 1.0])).tolist()]
        [2.0, 0.0, 0.0]

    Follows Paddle 2.6.
    """
    return overwrite(x, thresholded_relu, threshold, name, value)


__getattr__ = missing(__name__)
