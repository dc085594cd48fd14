"""`fluid.layers.nn`: normalizations, and dropout."""

from __future__ import annotations

import math
from typing import Any

import torch

from paddle_compat.core import mode
from paddle_compat.core.dtype import VarType
from paddle_compat.core.param_attr import ParamAttr
from paddle_compat.core.program import default_main_program
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.initializer import ConstantInitializer, NormalInitializer
from paddle_compat.fluid.layer_helper import LayerHelper
from paddle_compat.fluid.layers._record import is_variable, layer, run, temporaries, unnamed


def _batch_normalized(
    type_: str, input: Variable, act: str | None, param_attr: Any, bias_attr: Any, data_layout: str, name: str | None,
    means: tuple[str | None, str | None], average: bool, in_place: bool, attrs: dict[str, Any],
) -> tuple[LayerHelper, Variable]:  # fmt: skip
    if bias_attr is False:
        raise AssertionError(f"Invalid value for argument `bias_attr` of `{type_}`. Expected ParamAttr or None. Received: False")
    if data_layout not in ("NCHW", "NHWC"):
        raise ValueError(f"Invalid value for argument `data_layout` of `{type_}`. Expected 'NCHW' or 'NHWC'. Received: {data_layout!r}")
    helper = LayerHelper(type_, param_attr=param_attr, bias_attr=bias_attr, act=act, name=name)
    # statistics of float16 images are float32
    dtype = VarType.FP32 if input.dtype == VarType.FP16 else input.dtype
    shape = [input.shape[-1] if data_layout == "NHWC" else input.shape[1]]
    scale = helper.create_parameter(helper.param_attr, shape, dtype, default_initializer=ConstantInitializer(1.0))
    bias = helper.create_parameter(helper.bias_attr, shape, dtype, is_bias=True)
    statistics = []
    for own_name, start in zip(means, (0.0, 1.0)):
        attr = ParamAttr(name=own_name, initializer=ConstantInitializer(start), trainable=False, do_model_average=average)
        statistic = helper.create_parameter(attr, shape, dtype)
        statistic.stop_gradient = True
        statistics.append(statistic)
    mean, variance = statistics
    outputs = temporaries(helper, "SavedMean", "SavedVariance", *(() if in_place else ("Y",)))
    if outputs is not None:
        outputs["SavedMean"].stop_gradient = outputs["SavedVariance"].stop_gradient = True
        outputs |= {"MeanOut": mean, "VarianceOut": variance, "ReserveSpace": None}
        outputs.setdefault("Y", input)
    else:
        outputs = {"MeanOut": mean, "VarianceOut": variance}
    out = run(type_, input, scale, bias, mean, variance, helper=helper, outputs=outputs, data_layout=data_layout, **attrs)[0]
    return helper, out


@layer
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
    """Every channel with mean 0 and variance 1 over the batch, then scaled and shifted.

    Args:
        input: 2 to 5 dimensions, floating.
        act: an activation.
        is_test: take the running mean and variance, and leave them as they are.
        momentum: how much of the running mean and variance stays. A Variable counts as 0.9, as in Paddle 1.8.
        epsilon: is added to the variance.
        param_attr, bias_attr: ParamAttr of scale and shift.
        data_layout: "NCHW" or "NHWC".
        in_place: write to `input`.
        name: the layer's name.
        moving_mean_name, moving_variance_name: the names of the running mean and variance.
        do_model_average_for_mean_and_var: ModelAverage takes them, too.
        use_global_stats: take the running mean and variance while training.
    Returns:
        Variable of the shape of `input`.
    Raises:
        AssertionError: bias_attr is False.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     fluid.layers.batch_norm(fluid.data("x", [None, 3, 4, 4])).shape
        (-1, 3, 4, 4)

    Follows Paddle 1.8.
    """
    attrs: dict[str, Any] = {"epsilon": epsilon, "is_test": is_test, "use_global_stats": use_global_stats}
    if not is_variable(momentum):
        attrs["momentum"] = momentum
    names = moving_mean_name, moving_variance_name
    helper, out = _batch_normalized(
        "batch_norm", input, act, param_attr, bias_attr, data_layout, name, names, do_model_average_for_mean_and_var, in_place, attrs
    )
    return helper.append_activation(out)


@layer
def inplace_abn(
    input: Variable,
    act: str | None = None,
    is_test: bool = False,
    momentum: Any = 0.9,
    epsilon: float = 1e-05,
    param_attr: Any = None,
    bias_attr: Any = None,
    data_layout: str = "NCHW",
    name: str | None = None,
    moving_mean_name: str | None = None,
    moving_variance_name: str | None = None,
    do_model_average_for_mean_and_var: bool = True,
    use_global_stats: bool = False,
    act_alpha: float = 1.0,
) -> Variable:
    """Batch normalization and its activation, written to `input`.

    Args:
        input: 2 to 5 dimensions, float32 or float64.
        act: None, "identity", "leaky_relu" or "elu".
        is_test, momentum, epsilon, param_attr, bias_attr, data_layout, name: as in batch_norm.
        moving_mean_name, moving_variance_name: as in batch_norm.
        do_model_average_for_mean_and_var, use_global_stats: as in batch_norm.
        act_alpha: the parameter of the activation.
    Returns:
        `input`.
    Raises:
        AssertionError: bias_attr is False, or act is another.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     x = fluid.layers.scale(fluid.data("x", [None, 3, 4, 4]), 2.0)
        ...     fluid.layers.inplace_abn(x, act="leaky_relu", act_alpha=0.2).shape
        (-1, 3, 4, 4)

    Follows Paddle 1.8.
    """
    if act not in (None, "identity", "leaky_relu", "elu"):
        raise AssertionError(
            "Invalid value for argument `act` of `inplace_abn`. Expected None, 'identity', 'leaky_relu' or 'elu'. "
            f"Received: {act!r}"
        )
    attrs = {
        "epsilon": epsilon, "is_test": is_test, "use_global_stats": use_global_stats, "activation": act or "", "alpha": act_alpha,
    }  # fmt: skip
    if not is_variable(momentum):
        attrs["momentum"] = momentum
    names = moving_mean_name, moving_variance_name
    return _batch_normalized(
        "inplace_abn", input, None, param_attr, bias_attr, data_layout, name, names, do_model_average_for_mean_and_var, True, attrs
    )[1]


@layer
def instance_norm(
    input: Variable, epsilon: float = 1e-05, param_attr: Any = None, bias_attr: Any = None, name: str | None = None
) -> Variable:
    """Every channel of every image with mean 0 and variance 1, then scaled and shifted.

    Args:
        input: 2 to 5 dimensions, float32 or float64.
        epsilon: is added to the variance.
        param_attr, bias_attr: ParamAttr of scale and shift.
        name: the layer's name.
    Returns:
        Variable of the shape of `input`.
    Raises:
        AssertionError: bias_attr is False.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     fluid.layers.instance_norm(fluid.data("x", [None, 3, 4, 4])).shape
        (-1, 3, 4, 4)

    Follows Paddle 1.8.
    """
    if bias_attr is False:
        raise AssertionError("Invalid value for argument `bias_attr` of `instance_norm`. Expected ParamAttr or None. Received: False")
    helper = LayerHelper("instance_norm", param_attr=param_attr, bias_attr=bias_attr, name=name)
    shape = [input.shape[1]]
    scale = helper.create_parameter(helper.param_attr, shape, input.dtype, default_initializer=ConstantInitializer(1.0))
    bias = helper.create_parameter(helper.bias_attr, shape, input.dtype, True, ConstantInitializer(0.0))
    outputs = _statistics_first(helper, "SavedMean", "SavedVariance")
    return run("instance_norm", input, scale, bias, helper=helper, outputs=outputs, epsilon=epsilon)


def _statistics_first(helper: LayerHelper, mean: str, variance: str) -> dict[str, Variable] | None:
    outputs = temporaries(helper, mean, variance, "Y")
    if outputs is not None:
        outputs[mean].stop_gradient = outputs[variance].stop_gradient = True
    return outputs


@layer
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
    """The trailing dimensions with mean 0 and variance 1, then scaled and shifted.

    Args:
        input: float32 or float64.
        scale, shift: whether to scale and to shift.
        begin_norm_axis: the first of the trailing dimensions.
        epsilon: is added to the variance.
        param_attr, bias_attr: ParamAttr of scale and shift.
        act: an activation.
        name: the layer's name.
    Returns:
        Variable of the shape of `input`.
    Raises:
        AssertionError: scale or shift is wanted, and its attribute is False.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     fluid.layers.layer_norm(fluid.data("x", [None, 32, 32]), begin_norm_axis=1).shape
        (-1, 32, 32)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("layer_norm", param_attr=param_attr, bias_attr=bias_attr, act=act, name=name)
    size = [math.prod(input.shape[begin_norm_axis:])]
    weight = bias = None
    if scale:
        if param_attr is False:
            raise AssertionError(
                "Invalid value for argument `param_attr` of `layer_norm`. Expected ParamAttr or None, when scale is True. "
                "Received: False"
            )
        weight = helper.create_parameter(helper.param_attr, size, input.dtype, default_initializer=ConstantInitializer(1.0))
    if shift:
        if bias_attr is False:
            raise AssertionError(
                "Invalid value for argument `bias_attr` of `layer_norm`. Expected ParamAttr or None, when shift is True. "
                "Received: False"
            )
        bias = helper.create_parameter(helper.bias_attr, size, input.dtype, is_bias=True)
    outputs = _statistics_first(helper, "Mean", "Variance")
    out = run("layer_norm", input, weight, bias, helper=helper, outputs=outputs, epsilon=epsilon, begin_norm_axis=begin_norm_axis)
    return helper.append_activation(out)


@layer
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
    """Every group of channels of every image with mean 0 and variance 1, then scaled and shifted.

    Args:
        input: [N, C, H, W] or [N, H, W, C], float32 or float64.
        groups: how many groups.
        epsilon: is added to the variance.
        param_attr, bias_attr: ParamAttr of scale and shift; without them nothing is scaled or shifted; False likewise.
        act: an activation.
        data_layout: "NCHW" or "NHWC".
        name: the layer's name.
    Returns:
        Variable of the shape of `input`.
    Raises:
        ValueError: data_layout is another.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     fluid.layers.group_norm(fluid.data("x", [None, 8, 4, 4]), groups=4).shape
        (-1, 8, 4, 4)

    Follows Paddle 1.8.
    """
    if data_layout not in ("NCHW", "NHWC"):
        raise ValueError(f"Invalid value for argument `data_layout` of `group_norm`. Expected 'NCHW' or 'NHWC'. Received: {data_layout!r}")
    helper = LayerHelper("group_norm", param_attr=param_attr, bias_attr=bias_attr, act=act, name=name)
    shape = [input.shape[1] if data_layout == "NCHW" else input.shape[-1]]
    scale = bias = None
    if param_attr:
        scale = helper.create_parameter(helper.param_attr, shape, input.dtype, default_initializer=ConstantInitializer(1.0))
    if bias_attr:
        bias = helper.create_parameter(helper.bias_attr, shape, input.dtype, is_bias=True)
    outputs = unnamed(helper, "Mean", "Variance", "Y", dtype=input.dtype)
    if outputs is not None:
        outputs["Mean"].stop_gradient = outputs["Variance"].stop_gradient = True
    out = run("group_norm", input, scale, bias, helper=helper, outputs=outputs, epsilon=epsilon, groups=groups, data_layout=data_layout)
    return helper.append_activation(out)


@layer
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
    """Every feature minus its mean over all batches so far, divided by its root mean square.

    Args:
        input: [N, C] float32 or float64.
        act: an activation.
        epsilon: for the gradients of the sums.
        param_attr: a dict of the numbers that the sums start with: batch_size, batch_sum, batch_square, scale_w, bias.
        data_layout: "NCHW".
        in_place, moving_mean_name, moving_variance_name, do_model_average_for_mean_and_var: kept.
        name: the prefix of the sums' names; None: "dn".
        slot_dim: size of a slot, whose first feature says whether the slot was seen; -1: no slots.
        sync_stats: all trainers together.
        summary_decay_rate: how fast the sums forget.
        enable_scale_and_shift: scale and shift afterwards.
    Returns:
        Variable of the shape of `input`.
    Raises:
        ValueError: there is no such data_layout.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     fluid.layers.data_norm(fluid.data("x", [None, 8]), name="norm").shape
        (-1, 8)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("data_norm", act=act, name=name)
    if data_layout not in ("NCHW", "NHWC"):
        raise ValueError(f"Invalid value for argument `data_layout` of `data_norm`. Expected 'NCHW' or 'NHWC'. Received: {data_layout!r}")
    shape = [input.shape[1] if data_layout == "NCHW" else input.shape[-1]]
    starts = param_attr if isinstance(param_attr, dict) else {}
    prefix = "dn" if name is None else name

    def summary(suffix: str, key: str, start: float) -> Any:
        attr = ParamAttr(name=f"{prefix}.{suffix}", initializer=ConstantInitializer(float(starts.get(key, start))), trainable=True)
        return helper.create_parameter(attr, shape, input.dtype)

    scale = summary("scale_w", "scale_w", 1.0) if enable_scale_and_shift else None
    shift = summary("bias", "bias", 0.0) if enable_scale_and_shift else None
    count = summary("batch_size", "batch_size", 1e4)
    total = summary("batch_sum", "batch_sum", 0.0)
    squares = summary("batch_square_sum", "batch_square", 1e4)
    outputs = unnamed(helper, "Means", "Scales", "Y", dtype=input.dtype)
    if outputs is not None:
        outputs["Means"].stop_gradient = outputs["Scales"].stop_gradient = True
    found = run(
        "data_norm", scale, shift, input, count, total, squares, helper=helper, outputs=outputs, epsilon=epsilon, slot_dim=slot_dim,
        sync_stats=sync_stats, summary_decay_rate=summary_decay_rate, enable_scale_and_shift=enable_scale_and_shift,
    )  # fmt: skip
    return helper.append_activation(found[0])


@layer
def spectral_norm(weight: Variable, dim: int = 0, power_iters: int = 1, eps: float = 1e-12, name: str | None = None) -> Variable:
    """A weight divided by its largest singular value.

    Args:
        weight: at least two dimensions.
        dim: the dimension that makes the rows.
        power_iters: how many power iterations find the value.
        eps: keeps from division by 0.
        name: the layer's name.
    Returns:
        Variable of the shape of `weight`.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     fluid.layers.spectral_norm(fluid.data("w", [2, 8, 3, 3]), dim=1, power_iters=2).shape
        (2, 8, 3, 3)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("spectral_norm", name=name, weight=weight)
    rows = weight.shape[dim]
    vectors = []
    for size in (rows, math.prod(weight.shape) // rows):
        vector = helper.create_parameter(ParamAttr(), [size], weight.dtype, default_initializer=NormalInitializer(0.0, 1.0))
        vector.stop_gradient = True
        vectors.append(vector)
    outputs = unnamed(helper, "Out", dtype=weight.dtype)
    return run("spectral_norm", weight, *vectors, helper=helper, outputs=outputs, dim=dim, power_iters=power_iters, eps=eps)


@layer
def lrn(
    input: Variable,
    n: int = 5,
    k: float = 1.0,
    alpha: float = 1e-4,
    beta: float = 0.75,
    name: str | None = None,
    data_format: str = "NCHW",
) -> Variable:
    """Every element divided by a power of the sum of squares over neighbouring channels.

    Args:
        input: [N, C, H, W] or [N, H, W, C], float32.
        n: how many channels are summed.
        k: is added to the sum.
        alpha: factor of the sum.
        beta: the power.
        name: the layer's name.
        data_format: "NCHW" or "NHWC".
    Returns:
        Variable of the shape of `input`.
    Raises:
        ValueError: there are not four dimensions, or data_format is another.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.lrn(fluid.data("x", [None, 3, 4, 4])).shape
        (-1, 3, 4, 4)

    Follows Paddle 1.8.
    """
    if len(input.shape) != 4:
        raise ValueError(f"Invalid shape of argument `input` of `lrn`. Expected four dimensions. Received: {list(input.shape)}")
    if data_format not in ("NCHW", "NHWC"):
        raise ValueError(f"Invalid value for argument `data_format` of `lrn`. Expected 'NCHW' or 'NHWC'. Received: {data_format!r}")
    helper = LayerHelper("lrn", name=name)
    outputs = temporaries(helper, "MidOut", "Out")
    if outputs is not None:
        outputs["MidOut"].stop_gradient = True
    return run("lrn", input, helper=helper, outputs=outputs, n=n, k=k, alpha=alpha, beta=beta, data_format=data_format)[0]


@layer
def l2_normalize(x: Variable, axis: int, epsilon: float = 1e-12, name: str | None = None) -> Variable:
    """x divided by its length along a dimension.

    Args:
        x: float32 or float64.
        axis: the dimension; of a vector always 0.
        epsilon: is added to the squared length.
        name: the layer's name.
    Returns:
        Variable of the shape of x.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.l2_normalize(fluid.data("x", [None, 3]), axis=-1).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("l2_normalize", name=name)
    return run("norm", x, helper=helper, axis=0 if len(x.shape) == 1 else 1 if axis is None else axis, epsilon=epsilon)


@layer
def dropout(
    x: Variable,
    dropout_prob: float,
    is_test: bool = False,
    seed: int | None = None,
    name: str | None = None,
    dropout_implementation: str = "downgrade_in_infer",
) -> Variable:
    """Elements set to 0 by chance while training.

    Args:
        x: a floating Variable.
        dropout_prob: the chance.
        is_test: leave all elements.
        seed: of the random numbers, which then are the same in every run; None: the program's.
        name: the layer's name.
        dropout_implementation: "downgrade_in_infer" multiplies by 1 - dropout_prob when testing, "upscale_in_train" divides by it
            when training.
    Returns:
        Variable of the shape of x.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.dropout(fluid.data("x", [None, 3]), dropout_prob=0.5).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("dropout", name=name)
    if not seed and default_main_program().random_seed:
        seed = default_main_program().random_seed
    outputs = temporaries(helper, "Out", "Mask")
    if outputs is not None:
        outputs["Mask"].stop_gradient = True
    return run(
        "dropout", x, helper=helper, outputs=outputs, dropout_prob=dropout_prob, fix_seed=seed is not None,
        is_test=is_test if mode._static is not False else not torch.is_grad_enabled(),
        seed=seed or 0, dropout_implementation=dropout_implementation,
    )  # fmt: skip


__all__ = [
    "batch_norm", "data_norm", "dropout", "group_norm", "inplace_abn", "instance_norm", "l2_normalize", "layer_norm", "lrn",
    "spectral_norm",
]  # fmt: skip
