"""`paddle.static.nn`: the activation that learns."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.errors import failed_assertion, invalid_argument
from paddle_compat.core.layer_helper import LayerHelper
from paddle_compat.core.variable import Variable
from paddle_compat.nn.initializer import Constant
from paddle_compat.ops import activation as ops
from paddle_compat.static.nn._arguments import FLOATS, need_variable, static_only


def prelu(x: Variable, mode: str, param_attr: Any = None, data_format: str = "NCHW", name: str | None = None) -> Variable:
    """max(0, x) + alpha min(0, x) with slopes alpha that are learned.

    Args:
        x (Variable): float.
        mode (str): one slope for "all", for each "channel", or for each "element" of a sample.
        param_attr (ParamAttr): of the slopes, which start at 0.25.
        data_format (str): where the channels are: "NC", "NCL", "NCHW", "NCDHW", "NLC", "NHWC" or "NDHWC".
        name (str): prefix of the names.
    Returns:
        Variable: of x's shape.
    Raises:
        AssertionError: param_attr is False.
        TypeError: x is no float Variable.
        ValueError: mode or data_format is none of these.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [None, 5, 10, 10])
        >>> paddle.static.nn.prelu(x, "channel").shape
        (-1, 5, 10, 10)
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    static_only("prelu")
    need_variable(x, "x", "prelu", ("float16", *FLOATS))
    if mode not in ("all", "channel", "element"):
        raise invalid_argument("mode", "'all', 'channel' or 'element'", mode, "prelu")
    shape = [1]
    if mode == "channel":
        formats = ("NC", "NCL", "NCHW", "NCDHW", "NLC", "NHWC", "NDHWC")
        if data_format not in formats:
            raise invalid_argument("data_format", " or ".join(formats), data_format, "prelu")
        if len(x.shape) < 2:
            raise failed_assertion("x", "two dimensions or more", list(x.shape), "prelu")
        data_format = "NCHW" if data_format[1] == "C" else "NHWC"
        shape = [1, x.shape[1], 1, 1] if data_format == "NCHW" else [1, 1, 1, x.shape[-1]]
    elif mode == "element":
        shape = [1, *x.shape[1:]]
    assert param_attr is not False, "Invalid value for argument `param_attr` of `prelu`. Expected not False."
    helper = LayerHelper("prelu", param_attr=param_attr, name=name)
    alpha = helper.create_parameter(helper.param_attr, shape, "float32", default_initializer=Constant(0.25))
    return ops.prelu(x, alpha, mode=mode, data_format=data_format, _helper=helper)
