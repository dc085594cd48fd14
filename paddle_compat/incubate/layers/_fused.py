"""Layers of `paddle.incubate.layers` that do in one what others do in two or three. The real ones need a GPU; these do not."""

from __future__ import annotations

from typing import Any

from paddle_compat.core import unique_name
from paddle_compat.core.errors import type_error
from paddle_compat.core.layer_helper import LayerHelper
from paddle_compat.ops import fused, fused_sequences
from paddle_compat.static.nn.norm import batch_norm


def batch_fc(input: Any, param_size: Any, param_attr: Any, bias_size: Any, bias_attr: Any, act: str | None = None) -> Any:
    """Fully connected layers side by side, each with a matrix of its own.

    Args:
        input (Variable): [layers, N, D], float32 or float64.
        param_size (list): shape of the matrices, [layers, D, outputs].
        param_attr (ParamAttr): of the matrices.
        bias_size (list): shape of the biases, [layers, outputs].
        bias_attr (ParamAttr): of the biases.
        act (str): activation.
    Returns:
        Variable: [layers, N, outputs].
    Raises:
        ValueError: the shapes do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        ...     x = paddle.static.data("x", [16, None, 3])
        ...     paddle.incubate.layers.batch_fc(x, [16, 3, 10], paddle.ParamAttr(), [16, 10], paddle.ParamAttr(), "relu").shape
        (16, -1, 10)
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    helper = LayerHelper("batch_fc", act=act)
    weight = helper.create_parameter(attr=param_attr, shape=param_size, dtype=input.dtype)
    bias = helper.create_parameter(attr=bias_attr, shape=bias_size, dtype=input.dtype)
    return helper.append_activation(fused.batch_fc(input, weight, bias, _helper=helper))


def fused_bn_add_act(
    x: Any, y: Any, momentum: Any = 0.9, epsilon: float = 1e-05, param_attr: Any = None, bias_attr: Any = None,
    moving_mean_name: str | None = None, moving_variance_name: str | None = None, act: str | None = None, name: str | None = None,
) -> Any:  # fmt: skip
    """The activation of batch norm of x, and y.

    Args:
        x, y (Variable): [N, H, W, C], float16 (float32 and float64 work here, too).
        momentum (float|Variable): what the running statistics keep of themselves at each step.
        epsilon (float): added to the variance.
        param_attr, bias_attr (ParamAttr): of the scale [C], which starts at 1, and of the shift [C], which starts at 0.
        moving_mean_name, moving_variance_name (str): names of the running statistics.
        act (str): activation.
        name (str): prefix of the names.
    Returns:
        Variable: of x's shape.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        ...     x, y = (paddle.static.data(name, [None, 7, 7, 3], "float16") for name in "xy")
        ...     paddle.incubate.layers.fused_bn_add_act(x, y, act="relu").shape
        (-1, 7, 7, 3)
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    prefix = name or unique_name.generate("fused_bn_add_act")
    normed = batch_norm(
        x, None, False, momentum, epsilon, param_attr, bias_attr, "NHWC", name=prefix, moving_mean_name=moving_mean_name,
        moving_variance_name=moving_variance_name,
    )  # fmt: skip
    return LayerHelper("fused_bn_add_act", name=prefix, act=act).append_activation(normed + y)


def fused_seqpool_cvm(
    input: Any, pool_type: str, cvm: Any, pad_value: float = 0.0, use_cvm: bool = True, cvm_offset: int = 2
) -> list[Any]:
    """The sums of the sequences of several Variables, with the shows and clicks in front of them through logarithms or away.

    Args:
        input (list): Variables of shape [rows, D], float32, with LoD: all of as many sequences.
        pool_type (str): "sum".
        cvm (Variable): shows and clicks of each sequence, [N, cvm_offset]: the gradient of these columns.
        pad_value (float): what every sum begins with.
        use_cvm (bool): put log(shows + 1) and log(clicks + 1) - log(shows + 1) in the first two columns; False takes cvm_offset
            columns away.
        cvm_offset (int): how many columns count.
    Returns:
        list: Variables of shape [N, D], or without these columns.
    Raises:
        TypeError: input is no list.
        ValueError: pool_type is another.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        ...     slots = [paddle.static.data(name, [None, 11], lod_level=1) for name in "ab"]
        ...     counts = paddle.static.data("counts", [None, 2])
        ...     [out.shape for out in paddle.incubate.layers.fused_seqpool_cvm(slots, "sum", counts, use_cvm=False)]
        [(-1, 9), (-1, 9)]
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    if not isinstance(input, (list, tuple)):
        raise type_error("input", "a list of Variables", input, "fused_seqpool_cvm")
    outs: list[Any] = fused_sequences.fused_seqpool_cvm(
        list(input), cvm, pooltype=pool_type.upper(), pad_value=pad_value, use_cvm=use_cvm, cvm_offset=cvm_offset,
        _helper="fused_seqpool_cvm",
    )  # fmt: skip
    return outs


__all__ = ["batch_fc", "fused_bn_add_act", "fused_seqpool_cvm"]
