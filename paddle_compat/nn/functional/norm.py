"""`paddle.nn.functional`: normalizations with given parameters."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch

from paddle_compat._missing import missing
from paddle_compat.core import mode
from paddle_compat.core.constants import beside
from paddle_compat.core.direct import direct
from paddle_compat.core.dtype import dtype_name
from paddle_compat.core.errors import failed_assertion, invalid_argument, type_error
from paddle_compat.core.layer_helper import LayerHelper, operator_helper
from paddle_compat.core.op import definition_of
from paddle_compat.core.paddle3 import paddle3, placed
from paddle_compat.core.rings import ring_of
from paddle_compat.core.tensor import Tensor
from paddle_compat.nn.functional._apply import check_recorded, constant, helper_for, paddle
from paddle_compat.ops import elementwise, reduction
from paddle_compat.ops import norm as ops
from paddle_compat.tensor._calls import is_tensor


def _normalized(training: bool, x: Any, weight: Any, bias: Any, mean: Any, variance: Any, momentum: float, epsilon: float) -> Any:
    """Batch normalization of torch tensors with the channels in the second dimension."""
    if not training:
        return ops.batch_norm.fn(x, weight, bias, mean, variance, epsilon=epsilon, use_global_stats=True)[0]
    weight, bias = ops.both_or_neither(weight, bias)
    if ops.alone(x):
        return ops.let_through(x, weight, bias)
    return ops.normalized_moving(x, weight, bias, mean, variance, ops.share_of_batch(momentum), epsilon)


def _move(mean: Any, variance: Any, new_mean: Any, new_variance: Any) -> None:
    """Set the running statistics: nothing that was computed with the former ones may fail over this when it is differentiated."""
    mean.data.copy_(new_mean)
    variance.data.copy_(new_variance)


@direct(
    "x running_mean running_var weight? bias?",
    "batch_normalized(training, x_, weight_, bias_, running_mean_, running_var_, momentum, epsilon)",
    "use_global_stats is None and data_format == 'NCHW' and 1 < x_.dim() < 6 and x_.dtype in FLOATS "
    "and not running_mean_.requires_grad and not running_var_.requires_grad",
    kind="x_.dtype",
    batch_normalized=_normalized,
)
def batch_norm(
    x: Any,
    running_mean: Any,
    running_var: Any,
    weight: Any = None,
    bias: Any = None,
    training: bool = False,
    momentum: float = 0.9,
    epsilon: float = 1e-05,
    data_format: str = "NCHW",
    use_global_stats: bool | None = None,
    name: str | None = None,
) -> Any:
    """Normalize each channel over the batch; while training, the running statistics move along.

    Args:
        x (Tensor): [N, C], [N, C, *] or with the channels last.
        running_mean, running_var (Tensor): [C]; changed while training.
        weight, bias (Tensor): [C], scale and shift.
        training (bool): normalize by the batch's own statistics.
        momentum (float): what the running statistics keep of themselves.
        epsilon (float): added to the variance.
        data_format (str): "NC", "NCL", "NCHW", "NCDHW", "NLC", "NHWC" or "NDHWC".
        use_global_stats (bool): normalize by the running statistics; None: when not training.
        name (str): prefix of the outputs' names.
    Returns:
        Tensor: of x's shape.
    Raises:
        ValueError: x has one dimension, or there is no such data_format.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.batch_norm(paddle.rand([2, 3, 4, 4]), paddle.zeros([3]), paddle.ones([3])).shape
        [2, 3, 4, 4]

    Follows Paddle 2.6.
    """
    check_recorded("batch_norm", input=x)
    if len(x.shape) < 2:
        raise failed_assertion("x", "two dimensions or more", list(x.shape), "batch_norm")
    formats = ("NC", "NCL", "NCHW", "NCDHW", "NLC", "NHWC", "NDHWC")
    if data_format not in formats:
        raise invalid_argument("data_format", " or ".join(formats), data_format, "batch_norm")
    layout = "NHWC" if data_format[-1] == "C" and data_format != "NC" else "NCHW"
    if use_global_stats is None:
        use_global_stats = not training
        trainable_statistics = False
    else:
        trainable_statistics = not use_global_stats
    attrs: dict[str, Any] = {
        "momentum": momentum,
        "epsilon": epsilon,
        "is_test": not training,
        "data_layout": layout,
        "use_global_stats": use_global_stats,
        "trainable_statistics": trainable_statistics,
    }
    return _run_batch_norm("batch_norm", (x, weight, bias, running_mean, running_var), attrs, training, name)


def _sync_batch_norm(
    x: Any, running_mean: Any, running_var: Any, weight: Any, bias: Any, training: bool, momentum: float, epsilon: float, data_format: str
) -> Any:
    """`batch_norm` whose statistics run over all ranks; weight and bias may be None."""
    if isinstance(x, Tensor) and (not training or ring_of(0).size == 1):
        return batch_norm(x, running_mean, running_var, weight, bias, training, momentum, epsilon, data_format)
    attrs: dict[str, Any] = {
        "momentum": momentum,
        "epsilon": epsilon,
        "is_test": not training,
        "data_layout": "NHWC" if data_format[-1] == "C" and data_format != "NC" else "NCHW",
        "use_global_stats": False,
        "trainable_statistics": False,
    }
    if isinstance(x, Tensor):
        weight = Tensor(torch.ones_like(running_mean._t)) if weight is None else weight
        bias = Tensor(torch.zeros_like(running_mean._t)) if bias is None else bias
    return _run_batch_norm("sync_batch_norm", (x, weight, bias, running_mean, running_var), attrs, training, None)


def _run_batch_norm(type_: str, inputs: tuple[Any, ...], attrs: dict[str, Any], training: bool, name: str | None) -> Any:
    """Run or record an operator that normalizes batches and moves running statistics."""
    definition = definition_of(type_)
    x, _, _, running_mean, running_var = inputs
    if isinstance(x, Tensor) or mode.in_dygraph_mode():
        y, mean, variance = definition(*inputs, **attrs)
        if not attrs["use_global_stats"] and (training or attrs["trainable_statistics"]):
            _move(running_mean._t, running_var._t, mean._t, variance._t)
        return y
    helper = operator_helper(type_, name)
    wide = "float32" if x.dtype in ("float16", "bfloat16") else x.dtype

    def temporary(dtype: Any, stop_gradient: bool = True) -> Any:
        return helper.create_variable_for_type_inference(dtype, stop_gradient=stop_gradient)

    outputs = {"SavedMean": temporary(wide), "SavedVariance": temporary(wide), "Y": temporary(x.dtype, False)}
    outputs["ReserveSpace"] = temporary(x.dtype) if training else None
    outputs.update(MeanOut=running_mean, VarianceOut=running_var)
    return definition(*inputs, **attrs, _helper=helper, _outputs=outputs)[0]


@direct(
    "x weight? bias?",
    "torch.layer_norm(x_, [normalized_shape] if type(normalized_shape) is int else normalized_shape, weight_, bias_, epsilon)",
    "0.0 <= epsilon <= 0.001 and x_.dim() > 1 "
    "and (type(normalized_shape) is int or type(normalized_shape) is list and len(normalized_shape) == 1) "
    "and (weight is None or weight_.dim() == 1) and x_.dtype in FLOATS",
    kind="x_.dtype",
)
@paddle3(input="x", eps="epsilon")
def layer_norm(x: Any, normalized_shape: Any, weight: Any = None, bias: Any = None, epsilon: float = 1e-05, name: str | None = None) -> Any:
    """Normalize over the last dimensions.

    Args:
        x (Tensor): [*, *normalized_shape].
        normalized_shape (int|list|tuple): the sizes of the dimensions that are normalized over.
        weight, bias (Tensor): scale and shift, of as many elements.
        epsilon (float): added to the variance.
        name (str): prefix of the outputs' names.
    Returns:
        Tensor: of x's shape.
    Raises:
        ValueError: x's last dimensions are not normalized_shape, or epsilon is above 0.001.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.layer_norm(paddle.rand([2, 2, 3]), [2, 3]).shape
        [2, 2, 3]

    Follows Paddle 2.6.
    """
    check_recorded("layer_norm", input=x)
    if not (isinstance(normalized_shape, (int, np.integer)) or hasattr(normalized_shape, "__iter__")):
        raise invalid_argument("normalized_shape", "an int, or a list of ints", normalized_shape, "layer_norm")
    sizes = [int(normalized_shape)] if isinstance(normalized_shape, (int, np.integer)) else list(normalized_shape)
    first = len(x.shape) - len(sizes)
    if not first:
        raise invalid_argument("normalized_shape", f"fewer dimensions than the {len(sizes)} of x", sizes, "layer_norm")
    if first < 0 or any(given not in (-1, size) for given, size in zip(x.shape[first:], sizes)):
        raise invalid_argument("normalized_shape", f"the last dimensions of {list(x.shape)}", sizes, "layer_norm")
    if not 0.0 <= epsilon <= 0.001:
        raise invalid_argument("epsilon", "0 to 0.001", epsilon, "layer_norm")
    helper = helper_for("layer_norm", x, name)
    outputs = None
    if helper is not None:
        mean, variance = (helper.create_variable_for_type_inference(x.dtype, stop_gradient=True) for _ in range(2))
        y = helper.create_variable_for_type_inference(x.dtype)
        outputs = {"Mean": mean, "Variance": variance, "Y": y}
    return ops.layer_norm(x, weight, bias, epsilon=epsilon, begin_norm_axis=first, _helper=helper, _outputs=outputs)


def instance_norm(
    x: Any,
    running_mean: Any = None,
    running_var: Any = None,
    weight: Any = None,
    bias: Any = None,
    use_input_stats: bool = True,
    momentum: float = 0.9,
    eps: float = 1e-05,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Any:
    """Normalize each channel of each sample.

    Args:
        x (Tensor): [N, C, *].
        running_mean, running_var, use_input_stats, momentum, data_format: kept.
        weight, bias (Tensor): [C], scale and shift.
        eps (float): added to the variance.
        name (str): prefix of the outputs' names.
    Returns:
        Tensor: of x's shape.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.instance_norm(paddle.rand([2, 2, 2, 3])).shape
        [2, 2, 2, 3]

    Follows Paddle 2.6.
    """
    check_recorded("instance_norm", input=x)
    helper = helper_for("instance_norm", x, name)
    outputs = None
    if helper is not None:
        mean, variance = (helper.create_variable_for_type_inference(x.dtype, stop_gradient=True) for _ in range(2))
        y = helper.create_variable_for_type_inference(x.dtype)
        outputs = {"SavedMean": mean, "SavedVariance": variance, "Y": y}
    return ops.instance_norm(x, weight, bias, epsilon=eps, _helper=helper, _outputs=outputs)


def local_response_norm(
    x: Any,
    size: int,
    alpha: float = 1e-4,
    beta: float = 0.75,
    k: float = 1.0,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Any:
    """Divide by a power of the mean square of neighbouring channels: x / (k + alpha mean)^beta.

    Args:
        x (Tensor): three to five dimensions.
        size (int): how many channels are neighbours.
        alpha, beta, k (float): as in the formula.
        data_format (str): "NCL", "NLC", "NCHW", "NHWC", "NCDHW" or "NDHWC".
        name (str): kept.
    Returns:
        Tensor: of x's shape.
    Raises:
        ValueError: x or data_format does not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.local_response_norm(paddle.rand([3, 3, 112, 112]), size=5).shape
        [3, 3, 112, 112]

    Follows Paddle 2.6.
    """
    check_recorded("local_response_norm", x=x)
    formats = ("NCL", "NLC", "NCHW", "NHWC", "NCDHW", "NDHWC")
    shape = list(x.shape)
    if data_format not in formats:
        raise invalid_argument("data_format", " or ".join(formats), data_format, "local_response_norm")
    if not 3 <= len(shape) <= 5:
        raise invalid_argument("x", "three to five dimensions", shape, "local_response_norm")
    if any(n == 0 for n in shape[1:]):
        raise invalid_argument("x", "no dimension of size 0 but the first", shape, "local_response_norm")
    last = data_format[-1] == "C"
    F = paddle.nn.functional
    squares = paddle.unsqueeze(paddle.multiply(x, x), axis=1)
    before, behind = size // 2, (size - 1) // 2
    if len(shape) == 3:
        # the channels as the height (or width) of an image, which two-dimensional pooling averages over
        pads = [before, behind, 0, 0] if last else [0, 0, before, behind]
        kernel = (1, size) if last else (size, 1)
        mean = paddle.squeeze(F.avg_pool2d(F.pad(squares, pad=pads), kernel_size=kernel, stride=1), axis=1)
    else:
        flat = [shape[0], 1, shape[1], shape[2], -1] if not last else [shape[0], 1, shape[1], -1, shape[-1]]
        if len(shape) == 4:
            flat = [-1, 1, *shape[1:]]
        else:
            rest = shape[2:] if not last else shape[1:]
            middle = [rest[0], math.prod(rest[1:])] if not last else [math.prod(rest[1:-1]), rest[-1]]
            flat = [-1, 1, shape[1], *middle]
        pads = [before, behind, 0, 0, 0, 0] if last else [0, 0, 0, 0, before, behind]
        kernel3 = (1, 1, size) if last else (size, 1, 1)
        rows = paddle.reshape(squares, shape=flat)
        mean = F.avg_pool3d(F.pad(rows, pad=pads, data_format="NCDHW"), kernel_size=kernel3, stride=1)
        mean = paddle.reshape(paddle.squeeze(mean, axis=1), shape=[-1, *shape[1:]])
    return paddle.divide(x, paddle.pow(paddle.scale(mean, scale=alpha, bias=k), beta), name=name)


@paddle3(input="x", eps="epsilon")
def group_norm(
    x: Any,
    num_groups: int,
    epsilon: float = 1e-05,
    weight: Any = None,
    bias: Any = None,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Any:
    """Normalize each sample over groups of channels.

    Args:
        x (Tensor): [N, C, *], or [N, *, C] for a data_format that ends with C.
        num_groups (int): how many groups.
        epsilon (float): added to the variance; a Tensor or None stands for torch's order: weight, bias, eps.
        weight, bias (Tensor): scale and shift, [C].
        data_format (str): "NCL", "NLC", "NCHW", "NHWC", "NCDHW" or "NDHWC".
        name (str): prefix of the outputs' names.
    Returns:
        Tensor: of x's shape.
    Raises:
        ValueError: there is no such data_format.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.group_norm(paddle.rand([2, 4, 3]), 2).shape
        [2, 4, 3]

    Follows Paddle 3.3.
    """
    if epsilon is None or is_tensor(epsilon):
        shift, last = (weight, bias) if bias is None or isinstance(bias, float) else (bias, None)
        epsilon, weight, bias = 1e-05 if last is None else last, epsilon, shift
    return grouped(x, num_groups, epsilon, weight, bias, data_format, helper_for("group_norm", x, name))


def grouped(x: Any, groups: int, epsilon: float, weight: Any, bias: Any, data_format: str, helper: LayerHelper | None) -> Any:
    """`group_norm`, whose outputs the helper of a layer may name."""
    if data_format not in ("NCL", "NLC", "NCHW", "NHWC", "NCDHW", "NDHWC"):
        raise invalid_argument("data_format", "'NCHW', 'NHWC' or the like", data_format, "group_norm")
    definition = definition_of("group_norm")
    layout = "NHWC" if data_format[-1] == "C" else "NCHW"
    outputs = None
    if helper is not None:
        saved = [helper.create_variable_for_type_inference(x.dtype, stop_gradient=True) for _ in range(2)]
        outputs = {"Y": helper.create_variable_for_type_inference(x.dtype), "Mean": saved[0], "Variance": saved[1]}
    attrs: dict[str, Any] = {"epsilon": epsilon, "groups": groups, "data_layout": layout}
    out = definition(x, weight, bias, _helper=helper, _outputs=outputs, **attrs)
    return out[0] if isinstance(out, tuple) else out


def rms_norm(input: Any, normalized_shape: Any, weight: Any = None, eps: float = 1e-05, name: str | None = None) -> Any:
    """Divide by the root of the mean square over the last dimensions.

    Args:
        input (Tensor): [*, *normalized_shape].
        normalized_shape (int|list|tuple): the sizes of the dimensions that are normalized over.
        weight (Tensor): scale, of that shape.
        eps (float): added to the mean square.
        name (str): kept.
    Returns:
        Tensor: of input's shape.
    Raises:
        ValueError: input's last dimensions, or weight's, are not normalized_shape.

    Example:
        >>> import paddle_compat as paddle
        >>> [round(v, 4) for v in paddle.nn.functional.rms_norm(paddle.to_tensor([[3.0, 4.0]]), [2])[0].tolist()]
        [0.8485, 1.1314]

    Follows Paddle 3.3.
    """
    sizes = [normalized_shape] if isinstance(normalized_shape, int) else list(normalized_shape)
    first = len(input.shape) - len(sizes)
    if first < 0 or list(input.shape[first:]) != sizes:
        raise invalid_argument("normalized_shape", f"the last dimensions of {list(input.shape)}", sizes, "rms_norm")
    if weight is not None and list(weight.shape) != sizes:
        raise invalid_argument("weight", f"the shape {sizes}", list(weight.shape), "rms_norm")
    wide = paddle.cast(input, "float32") if dtype_name(input.dtype) in ("float16", "bfloat16") else input
    square = paddle.mean(paddle.square(wide), axis=list(range(first, len(input.shape))), keepdim=True)
    out = paddle.cast(wide * paddle.rsqrt(square + eps), input.dtype)
    return out if weight is None else out * weight


def _of_length_one(x: torch.Tensor, p: float, axis: int, epsilon: float) -> torch.Tensor:
    length = reduction.p_norm.fn(x, axis=axis, porder=float(p), keepdim=True, epsilon=epsilon)
    return torch.div(x, elementwise.elementwise_max.fn(length, beside(epsilon, length)))


@placed("out name")
@direct(
    "x",
    "of_length_one(x_, p, axis, epsilon)",
    "type(axis) is int and type(epsilon) is float and type(p) in NUMBERS and x_.is_cpu and x_.dtype in FLOATS and x_.dim()",
    kind="x_.dtype",
    of_length_one=_of_length_one,
)
@paddle3(input="x", dim="axis", eps="epsilon", out=True)
def normalize(x: Any, p: float = 2, axis: int = 1, epsilon: float = 1e-12, name: str | None = None) -> Any:
    """x divided by its p-norm along a dimension.

    Args:
        x (Tensor): float.
        p (float): the norm's exponent.
        axis (int): the dimension of the vectors.
        epsilon (float): the least norm.
        name (str): kept.
    Returns:
        Tensor: of x's shape.
    Raises:
        TypeError: axis is no int.
        ValueError: x has no such dimension, as a vector has no dimension 1.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.normalize(paddle.rand([2, 3])).shape
        [2, 3]

    Follows Paddle 2.6.
    """
    check_recorded("normalize", x=x)
    if isinstance(axis, (np.integer, Tensor)) and mode.in_dygraph_mode():
        axis = int(axis)
    if type(axis) is not int:
        raise type_error("axis", "an int", axis, "normalize")
    attrs: dict[str, Any] = {"axis": axis, "porder": float(p), "keepdim": True, "epsilon": epsilon}
    length = reduction.p_norm(x, **attrs, _helper=helper_for("p_norm", x))
    return paddle.divide(x, paddle.maximum(length, constant(epsilon, x)), name=name)


__getattr__ = missing(__name__)
