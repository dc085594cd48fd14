"""`fluid.layers.nn`: activations with parameters of their own."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat.core.dtype import VarType
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.initializer import ConstantInitializer
from paddle_compat.fluid.layer_helper import LayerHelper
from paddle_compat.fluid.layers._filling import assign
from paddle_compat.fluid.layers._record import check_dtype, is_variable, layer, run


@layer
def relu(x: Variable, name: str | None = None) -> Variable:
    """x where it is above 0, else 0.

    Args:
        x: a floating Variable.
        name: the layer's name.
    Returns:
        Variable of the shape and data type of x.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.relu(fluid.data("x", [None, 3])).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    return run("relu", x, name=name)


@layer
def relu6(x: Variable, threshold: float | None = 6.0, name: str | None = None) -> Variable:
    """x between 0 and `threshold`.

    Args:
        x: a floating Variable.
        threshold: the upper bound; None: 6.
        name: the layer's name.
    Returns:
        Variable of the shape and data type of x.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.relu6(fluid.data("x", [None, 3])).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    return run("relu6", x, name=name, threshold=6.0 if threshold is None else float(threshold))


@layer
def brelu(x: Variable, t_min: float = 0.0, t_max: float = 24.0, name: str | None = None) -> Variable:
    """x between `t_min` and `t_max`.

    Args:
        x: a floating Variable.
        t_min, t_max: the bounds.
        name: the layer's name.
    Returns:
        Variable of the shape and data type of x.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.brelu(fluid.data("x", [None, 3]), t_min=1.0, t_max=20.0).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    return run("brelu", x, name=name, t_min=t_min, t_max=t_max)


@layer
def leaky_relu(x: Variable, alpha: float = 0.02, name: str | None = None) -> Variable:
    """x where it is above 0, else `alpha` x.

    Args:
        x: a floating Variable.
        alpha: the slope below 0.
        name: the layer's name.
    Returns:
        Variable of the shape and data type of x.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.leaky_relu(fluid.data("x", [None, 3]), alpha=0.1).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    return run("leaky_relu", x, name=name, alpha=alpha)


@layer
def soft_relu(x: Variable, threshold: float = 40.0, name: str | None = None) -> Variable:
    """log(1 + exp(x)), with x cut off at `threshold` on both sides.

    Args:
        x: a floating Variable.
        threshold: the bound of |x|.
        name: the layer's name.
    Returns:
        Variable of the shape and data type of x.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.soft_relu(fluid.data("x", [None, 3])).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    return run("soft_relu", x, name=name, threshold=threshold)


@layer
def elu(x: Variable, alpha: float = 1.0, name: str | None = None) -> Variable:
    """x where it is above 0, else `alpha` (exp(x) - 1).

    Args:
        x: a floating Variable.
        alpha: the negative of the limit below 0.
        name: the layer's name.
    Returns:
        Variable of the shape and data type of x.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.elu(fluid.data("x", [None, 3]), alpha=0.2).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    return run("elu", x, name=name, alpha=alpha)


@layer
def selu(x: Variable, scale: float | None = None, alpha: float | None = None, name: str | None = None) -> Variable:
    """`scale` times x where it is above 0, else `scale` `alpha` (exp(x) - 1).

    Args:
        x: a floating Variable.
        scale, alpha: None stands for the values that keep mean 0 and variance 1.
        name: the layer's name.
    Returns:
        Variable of the shape and data type of x.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.selu(fluid.data("x", [None, 3])).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    return run("selu", x, name=name, scale=scale, alpha=alpha)


@layer
def stanh(x: Variable, scale_a: float = 0.67, scale_b: float = 1.7159, name: str | None = None) -> Variable:
    """`scale_b` tanh(`scale_a` x).

    Args:
        x: a floating Variable.
        scale_a, scale_b: the factors.
        name: the layer's name.
    Returns:
        Variable of the shape and data type of x.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.stanh(fluid.data("x", [None, 3])).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    return run("stanh", x, name=name, scale_a=scale_a, scale_b=scale_b)


@layer
def hard_sigmoid(x: Variable, slope: float = 0.2, offset: float = 0.5, name: str | None = None) -> Variable:
    """`slope` x + `offset`, between 0 and 1.

    Args:
        x: a floating Variable.
        slope, offset: of the line.
        name: the layer's name.
    Returns:
        Variable of the shape and data type of x.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.hard_sigmoid(fluid.data("x", [None, 3])).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    return run("hard_sigmoid", x, name=name, slope=slope, offset=offset)


@layer
def hard_swish(
    x: Variable, threshold: float = 6.0, scale: float = 6.0, offset: float = 3.0, name: str | None = None
) -> Variable:
    """x times x + `offset`, which is kept between 0 and `threshold`, divided by `scale`.

    Args:
        x: a floating Variable.
        threshold, scale, offset: of the factor.
        name: the layer's name.
    Returns:
        Variable of the shape and data type of x.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.hard_swish(fluid.data("x", [None, 3])).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    return run("hard_swish", x, name=name, threshold=threshold, scale=scale, offset=offset)


@layer
def swish(x: Variable, beta: float = 1.0, name: str | None = None) -> Variable:
    """x sigmoid(beta x). As in Paddle 1.8, `beta` does not reach the operator: it is always 1.

    Args:
        x: a floating Variable.
        beta: kept.
        name: the layer's name.
    Returns:
        Variable of the shape and data type of x.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.swish(fluid.data("x", [None, 3])).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    return run("swish", x, name=name)


@layer
def mish(x: Variable, threshold: float = 20, name: str | None = None) -> Variable:
    """x tanh(log(1 + exp(x))).

    Args:
        x: float32 or float64.
        threshold: above it the logarithm counts as x, below its negative as exp(x).
        name: the layer's name.
    Returns:
        Variable of the shape and data type of x.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.mish(fluid.data("x", [None, 3])).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    return run("mish", x, name=name, threshold=threshold)


@layer
def pow(x: Variable, factor: Any = 1.0, name: str | None = None) -> Variable:
    """x to a power.

    Args:
        x: a Variable.
        factor: the exponent, a number or a Variable of one element.
        name: the layer's name.
    Returns:
        Variable of the shape and data type of x.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.pow(fluid.data("x", [None, 3]), factor=2.0).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    if is_variable(factor):
        factor.stop_gradient = True
        return run("pow", x, factor, name=name)
    return run("pow", x, name=name, factor=factor)


@layer
def log(x: Variable, name: str | None = None) -> Variable:
    """The natural logarithm of x.

    Args:
        x: float32 or float64.
        name: the layer's name.
    Returns:
        Variable of the shape and data type of x.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.log(fluid.data("x", [None, 3])).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    return run("log", x, name=name)


@layer
def log1p(x: Variable, out: Variable | None = None, name: str | None = None) -> Variable:
    """The natural logarithm of 1 + x.

    Args:
        x: float32 or float64.
        out: a Variable to write to.
        name: the layer's name.
    Returns:
        Variable of the shape and data type of x.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.log1p(fluid.data("x", [None, 3])).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    return run("log1p", x, name=name, outputs=None if out is None else {"Out": out})


def sign(x: Any) -> Variable:
    """1, 0 or -1, element by element.

    Args:
        x: float16, float32 or float64; or a numpy array.
    Returns:
        Variable of the shape and data type of x.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.sign(fluid.data("x", [None, 3])).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("sign", x=x)
    if isinstance(x, np.ndarray):
        x = assign(x)
    check_dtype(x, "x", (VarType.FP16, VarType.FP32, VarType.FP64), "sign")
    return run("sign", x, helper=helper)


@layer
def maxout(x: Variable, groups: int, name: str | None = None, axis: int = 1) -> Variable:
    """The largest of each `groups` neighbouring channels.

    Args:
        x: [N, C, H, W], float32 or float64.
        groups: how many channels become one.
        name: the layer's name.
        axis: the channels' dimension: 1, 3 or -1.
    Returns:
        Variable with C / groups channels.
    Raises:
        ValueError: axis is none of these.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.maxout(fluid.data("x", [None, 4, 2, 2]), groups=2).shape
        (-1, 2, 2, 2)

    Follows Paddle 1.8.
    """
    if axis not in (1, -1, 3):
        raise ValueError(f"Invalid value for argument `axis` of `maxout`. Expected 1, 3 or -1. Received: {axis}")
    return run("maxout", x, name=name, groups=groups, axis=3 if axis == -1 else axis)


@layer
def prelu(x: Variable, mode: str, param_attr: Any = None, name: str | None = None, data_format: str = "NCHW") -> Variable:
    """x where it is above 0, else x times a learned slope.

    Args:
        x: [N, C, ...], float32 or float64.
        mode: one slope for "all", one for each "channel", or one for each "element".
        param_attr: ParamAttr of the slopes, which start at 0.25.
        name: the layer's name.
        data_format: "NHWC" where the channels come last, as in Paddle 2.
    Returns:
        Variable of the shape and data type of x.
    Raises:
        ValueError: mode is none of these.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     fluid.layers.prelu(fluid.data("x", [None, 4, 2, 2]), mode="channel").shape
        (-1, 4, 2, 2)

    Follows Paddle 1.8.
    """
    if mode not in ("all", "channel", "element"):
        raise ValueError(f"Invalid value for argument `mode` of `prelu`. Expected 'all', 'channel' or 'element'. Received: {mode!r}")
    helper = LayerHelper("prelu", name=name, param_attr=param_attr)
    channels = [1, x.shape[1], 1, 1] if data_format.startswith("NC") else [1, 1, 1, x.shape[-1]]
    shape = {"all": [1], "channel": channels, "element": [1, *x.shape[1:]]}[mode]
    layout: dict[str, Any] = {} if data_format.startswith("NC") else {"data_format": "NHWC"}
    slope = helper.create_parameter(helper.param_attr, shape, "float32", False, ConstantInitializer(0.25))
    return run("prelu", x, slope, helper=helper, mode=mode, **layout)


__all__ = [
    "brelu", "elu", "hard_sigmoid", "hard_swish", "leaky_relu", "log", "log1p", "maxout", "mish", "pow", "prelu", "relu",
    "relu6", "selu", "sign", "soft_relu", "stanh", "swish",
]  # fmt: skip
