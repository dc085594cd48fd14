"""`paddle.static.nn`: normalizations that create their parameters."""

from __future__ import annotations

import math
from typing import Any

from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.layer_helper import LayerHelper
from paddle_compat.core.param_attr import ParamAttr
from paddle_compat.core.variable import Variable
from paddle_compat.nn.initializer import Constant, Normal
from paddle_compat.ops import norm as ops
from paddle_compat.ops.creation import size
from paddle_compat.static.nn._arguments import ALL_FLOATS, FLOATS, need_variable, runs_now, static_only


def _channels(input: Variable, data_layout: str, api: str) -> int:
    if data_layout not in ("NCHW", "NHWC"):
        raise invalid_argument("data_layout", "'NCHW' or 'NHWC'", data_layout, api)
    return input.shape[1 if data_layout == "NCHW" else -1]


def _parameter_type(dtype: VarType) -> VarType:
    """Norms of half-precision inputs keep their parameters in float32."""
    return VarType.FP32 if dtype in (VarType.FP16, VarType.BF16) else dtype


def batch_norm(
    input: Variable,
    act: str | None = None,
    is_test: bool = False,
    momentum: Any = 0.9,
    epsilon: float = 1e-05,
    param_attr: Any = None,
    bias_attr: Any = None,
    data_layout: str = "NCHW",
    in_place: bool = False,
    name: str | None = None,
    moving_mean_name: str | None = None,
    moving_variance_name: str | None = None,
    do_model_average_for_mean_and_var: bool = True,
    use_global_stats: bool = False,
) -> Variable:
    """Normalize each channel over the batch, then scale and shift it.

    Args:
        input (Variable): [N, C], [N, C, H, W], ... or with the channels last for "NHWC".
        act (str): activation.
        is_test (bool): use the running statistics, as `clone(for_test=True)` makes it.
        momentum (float|Variable): what the running statistics keep of themselves at each step.
        epsilon (float): added to the variance.
        param_attr (ParamAttr): of the scale [C], which starts at 1.
        bias_attr (ParamAttr): of the shift [C], which starts at 0.
        data_layout (str): "NCHW" or "NHWC".
        in_place (bool): write the result to `input`.
        name (str): prefix of the names.
        moving_mean_name (str): name of the running mean.
        moving_variance_name (str): name of the running (biased) variance.
        do_model_average_for_mean_and_var (bool): whether ModelAverage takes the running statistics.
        use_global_stats (bool): use the running statistics while training, too.
    Returns:
        Variable: of `input`'s shape.
    Raises:
        AssertionError: bias_attr is False.
        TypeError: `input` is no float Variable.
        ValueError: there is no such data_layout, or `input` has another number of dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [None, 3, 7, 7])
        >>> paddle.static.nn.batch_norm(x, act="relu").shape
        (-1, 3, 7, 7)
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    runs_now(input)
    assert bias_attr is not False, "Invalid value for argument `bias_attr` of `batch_norm`. Expected not False."
    need_variable(input, "input", "batch_norm", ALL_FLOATS)
    if not 2 <= len(input.shape) <= 5:
        raise invalid_argument("input", "two to five dimensions", list(input.shape), "batch_norm")
    helper = LayerHelper("batch_norm", param_attr=param_attr, bias_attr=bias_attr, act=act, name=name)
    dtype, size = _parameter_type(input.dtype), [_channels(input, data_layout, "batch_norm")]
    scale = helper.create_parameter(helper.param_attr, size, dtype, default_initializer=Constant(1.0))
    bias = helper.create_parameter(helper.bias_attr, size, dtype, is_bias=True)
    averaged = do_model_average_for_mean_and_var
    mean, variance = (
        helper.create_parameter(ParamAttr(name=given, initializer=Constant(start), trainable=False, do_model_average=averaged), size, dtype)
        for given, start in ((moving_mean_name, 0.0), (moving_variance_name, 1.0))
    )
    mean.stop_gradient = variance.stop_gradient = True
    saved = [helper.create_variable_for_type_inference(dtype, stop_gradient=True) for _ in range(2 if is_test else 3)]
    outputs = dict(zip(("SavedMean", "SavedVariance", "ReserveSpace"), [*saved, None]))
    outputs.update(MeanOut=mean, VarianceOut=variance)
    outputs["Y"] = input if in_place else helper.create_variable_for_type_inference(input.dtype)
    y, _, _ = ops.batch_norm(
        input,
        scale,
        bias,
        mean,
        variance,
        momentum if isinstance(momentum, Variable) else None,
        momentum=None if isinstance(momentum, Variable) else momentum,
        epsilon=epsilon,
        is_test=is_test,
        data_layout=data_layout,
        use_global_stats=use_global_stats,
        _helper=helper,
        _outputs=outputs,
    )
    return helper.append_activation(y)


def layer_norm(
    input: Variable,
    scale: bool = True,
    shift: bool = True,
    begin_norm_axis: int = 1,
    epsilon: float = 1e-05,
    param_attr: Any = None,
    bias_attr: Any = None,
    act: str | None = None,
    name: str | None = None,
) -> Variable:
    """Normalize each sample over its last dimensions, then scale and shift every element.

    Args:
        input (Variable): two dimensions or more.
        scale (bool): whether there is a scale.
        shift (bool): whether there is a shift.
        begin_norm_axis (int): the first dimension that is normalized over.
        epsilon (float): added to the variance.
        param_attr (ParamAttr): of the scale, one number for each normalized element; starts at 1.
        bias_attr (ParamAttr): of the shift; starts at 0.
        act (str): activation.
        name (str): prefix of the names.
    Returns:
        Variable: of `input`'s shape.
    Raises:
        AssertionError: param_attr (bias_attr) is False although scale (shift) is asked for.
        TypeError: `input` is no float Variable.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [None, 32])
        >>> paddle.static.nn.layer_norm(x).shape
        (-1, 32)
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    static_only("layer_norm")
    need_variable(input, "input", "layer_norm", FLOATS)
    helper = LayerHelper("layer_norm", param_attr=param_attr, bias_attr=bias_attr, act=act, name=name)
    dtype, size = input.dtype, [math.prod(input.shape[begin_norm_axis:])]
    weight = bias = None
    if scale:
        assert param_attr is not False, "Invalid value for argument `param_attr` of `layer_norm`. Expected not False, as scale=True."
        weight = helper.create_parameter(helper.param_attr, size, dtype, default_initializer=Constant(1.0))
    if shift:
        assert bias_attr is not False, "Invalid value for argument `bias_attr` of `layer_norm`. Expected not False, as shift=True."
        bias = helper.create_parameter(helper.bias_attr, size, dtype, is_bias=True)
    mean, variance = (helper.create_variable_for_type_inference(dtype, stop_gradient=True) for _ in range(2))
    out = ops.layer_norm(
        input,
        weight,
        bias,
        epsilon=epsilon,
        begin_norm_axis=begin_norm_axis,
        _helper=helper,
        _outputs={"Mean": mean, "Variance": variance, "Y": helper.create_variable_for_type_inference(dtype)},
    )
    return helper.append_activation(out)


def group_norm(
    input: Variable,
    groups: int,
    epsilon: float = 1e-05,
    param_attr: Any = None,
    bias_attr: Any = None,
    act: str | None = None,
    data_layout: str = "NCHW",
    name: str | None = None,
) -> Variable:
    """Normalize the channels of each sample in groups.

    Args:
        input (Variable): [N, C, *], or with the channels last for "NHWC".
        groups (int): how many groups the channels divide into.
        epsilon (float): added to the variance.
        param_attr (ParamAttr): of a scale [C] that starts at 1; None or False for no scale.
        bias_attr (ParamAttr): of a shift [C] that starts at 0; None or False for no shift.
        act (str): activation.
        data_layout (str): "NCHW" or "NHWC".
        name (str): prefix of the names.
    Returns:
        Variable: of `input`'s shape.
    Raises:
        TypeError: `input` is no float Variable.
        ValueError: there is no such data_layout, or fewer than two dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [None, 8, 32, 32])
        >>> paddle.static.nn.group_norm(x, groups=4).shape
        (-1, 8, 32, 32)
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    runs_now(input)
    need_variable(input, "input", "group_norm", ALL_FLOATS)
    if len(input.shape) < 2:
        raise invalid_argument("input", "two dimensions or more", list(input.shape), "group_norm")
    helper = LayerHelper("group_norm", param_attr=param_attr, bias_attr=bias_attr, act=act, name=name)
    dtype, size = input.dtype, [_channels(input, data_layout, "group_norm")]
    scale = bias = None
    if param_attr:
        scale = helper.create_parameter(helper.param_attr, size, dtype, default_initializer=Constant(1.0))
    if bias_attr:
        bias = helper.create_parameter(helper.bias_attr, size, dtype, is_bias=True)
    mean, variance = (helper.create_variable(dtype=dtype, stop_gradient=True) for _ in range(2))
    out = ops.group_norm(
        input,
        scale,
        bias,
        epsilon=epsilon,
        groups=groups,
        data_layout=data_layout,
        _helper=helper,
        _outputs={"Mean": mean, "Variance": variance, "Y": helper.create_variable(dtype=dtype)},
    )
    return helper.append_activation(out)


def instance_norm(
    input: Variable, epsilon: float = 1e-05, param_attr: Any = None, bias_attr: Any = None, name: str | None = None
) -> Variable:
    """Normalize each channel of each sample.

    Args:
        input (Variable): [N, C, *], two to five dimensions.
        epsilon (float): added to the variance.
        param_attr (ParamAttr): of a scale [C] that starts at 1.
        bias_attr (ParamAttr): of a shift [C] that starts at 0; scale and shift are there only if both are given.
        name (str): prefix of the names.
    Returns:
        Variable: of `input`'s shape.
    Raises:
        AssertionError: exactly one of the attributes is False.
        TypeError: `input` is no float Variable.
        ValueError: `input` has another number of dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [None, 3, 7, 7])
        >>> paddle.static.nn.instance_norm(x).shape
        (-1, 3, 7, 7)
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    runs_now(input)
    need_variable(input, "input", "instance_norm", ALL_FLOATS)
    assert (param_attr is False) == (bias_attr is False), (
        "Invalid value for arguments `param_attr` and `bias_attr` of `instance_norm`. Expected both or neither False."
    )
    if not 2 <= len(input.shape) <= 5:
        raise invalid_argument("input", "two to five dimensions", list(input.shape), "instance_norm")
    helper = LayerHelper("instance_norm", param_attr=param_attr, bias_attr=bias_attr, name=name)
    dtype, size = _parameter_type(input.dtype), [input.shape[1]]
    scale = bias = None
    if param_attr and bias_attr:
        scale = helper.create_parameter(helper.param_attr, size, dtype, default_initializer=Constant(1.0))
        bias = helper.create_parameter(helper.bias_attr, size, dtype, is_bias=True, default_initializer=Constant(0.0))
    mean, variance = (helper.create_variable_for_type_inference(dtype, stop_gradient=True) for _ in range(2))
    out = helper.create_variable_for_type_inference(input.dtype)
    return ops.instance_norm(
        input,
        scale,
        bias,
        epsilon=epsilon,
        _helper=helper,
        _outputs={"SavedMean": mean, "SavedVariance": variance, "Y": out},
    )


def data_norm(
    input: Variable,
    act: str | None = None,
    epsilon: float = 1e-05,
    param_attr: Any = None,
    data_layout: str = "NCHW",
    in_place: bool = False,
    name: str | None = None,
    moving_mean_name: str | None = None,
    moving_variance_name: str | None = None,
    do_model_average_for_mean_and_var: bool = True,
    slot_dim: int = -1,
    sync_stats: bool = False,
    summary_decay_rate: float = 0.9999999,
    enable_scale_and_shift: bool = False,
) -> Variable:
    """Normalize each feature by statistics of all data seen so far: count, sum and sum of squares.

    Args:
        input (Variable): [N, D].
        act (str): activation.
        epsilon (float): added to what a batch contributes to the sum of squares.
        param_attr (dict): what "batch_size", "batch_sum", "batch_square" (and "scale_w", "bias") start at.
        data_layout (str): "NCHW" or "NHWC".
        in_place (bool): write the result to `input`.
        name (str): prefix of the names; "dn" by default.
        moving_mean_name, moving_variance_name, do_model_average_for_mean_and_var: kept.
        slot_dim (int): width of a slot whose first element counts its shows; -1: there are no slots.
        sync_stats (bool): kept.
        summary_decay_rate (float): kept.
        enable_scale_and_shift (bool): whether the result is scaled and shifted by parameters.
    Returns:
        Variable: of `input`'s shape.
    Raises:
        TypeError: `input` is no float Variable.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [None, 32])
        >>> paddle.static.nn.data_norm(x, name="norm").shape
        (-1, 32)
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    static_only("data_norm")
    need_variable(input, "input", "data_norm", FLOATS)
    helper = LayerHelper("data_norm", act=act, name=name)
    starts = {"scale_w": 1.0, "bias": 0.0, "batch_size": 1e4, "batch_sum": 0.0, "batch_square": 1e4}
    if isinstance(param_attr, dict):
        starts.update((k, param_attr[k]) for k in starts if k in param_attr)
    names = {"batch_square": "batch_square_sum"}
    prefix = "dn" if name is None else name
    channels = _channels(input, data_layout, "data_norm")
    size = [input.shape[-1] if len(input.shape) == 2 else channels]
    made = {
        key: helper.create_parameter(
            ParamAttr(name=f"{prefix}.{names.get(key, key)}", initializer=Constant(float(start)), trainable=True),
            size,
            input.dtype,
        )
        for key, start in starts.items()
        if enable_scale_and_shift or key.startswith("batch")
    }
    means, scales = (helper.create_variable(dtype=input.dtype, stop_gradient=True) for _ in range(2))
    out, _, _ = ops.data_norm(
        made.get("scale_w"),
        made.get("bias"),
        input,
        made["batch_size"],
        made["batch_sum"],
        made["batch_square"],
        epsilon=epsilon,
        data_layout=data_layout,
        sync_stats=sync_stats,
        summary_decay_rate=summary_decay_rate,
        slot_dim=slot_dim,
        enable_scale_and_shift=enable_scale_and_shift,
        _helper=helper,
        _outputs={
            "Means": means,
            "Scales": scales,
            "Y": input if in_place else helper.create_variable(dtype=input.dtype),
        },
    )
    return helper.append_activation(out)


def spectral_norm(weight: Variable, dim: int = 0, power_iters: int = 1, eps: float = 1e-12, name: str | None = None) -> Variable:
    """A weight divided by its largest singular value.

    Args:
        weight (Variable): two dimensions or more.
        dim (int): the dimension of the output channels: 0 for `fc`, 1 for convolutions' weights that are transposed.
        power_iters (int): power iterations that estimate the singular value.
        eps (float): keeps norms from being 0.
        name (str): prefix of the names.
    Returns:
        Variable: of `weight`'s shape.
    Raises:
        TypeError: `weight` is no float Variable.
        ValueError: dim is neither 0 nor 1.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> weight = paddle.static.data("weight", [2, 8, 32, 32])
        >>> paddle.static.nn.spectral_norm(weight, dim=1, power_iters=2).shape
        (2, 8, 32, 32)
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    runs_now(weight)
    need_variable(weight, "weight", "spectral_norm", FLOATS)
    if dim not in (0, 1):
        raise invalid_argument("dim", "0 or 1", dim, "spectral_norm")
    helper = LayerHelper("spectral_norm", name=name)
    # the real layer asserts that there are elements, which in a Program is two operators that nobody reads
    _ = size(weight, _helper="numel") > 0
    rows = weight.shape[dim]
    columns = math.prod(weight.shape) // rows
    u, v = (helper.create_parameter(None, [count], weight.dtype, default_initializer=Normal(0.0, 1.0)) for count in (rows, columns))
    u.stop_gradient = v.stop_gradient = True
    out = helper.create_variable(dtype=weight.dtype)
    return ops.spectral_norm(weight, u, v, dim=dim, power_iters=power_iters, eps=eps, _helper=helper, _outputs={"Out": out})
