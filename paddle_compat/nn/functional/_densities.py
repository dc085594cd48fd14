"""`paddle.nn.functional`: losses of distributions."""

from __future__ import annotations

import math
from typing import Any

from paddle_compat.core.direct import direct
from paddle_compat.core.dtype import dtype_name, is_float
from paddle_compat.core.errors import invalid_argument, type_error
from paddle_compat.core.layer_helper import LayerHelper
from paddle_compat.core.paddle3 import SINCE_3, placed
from paddle_compat.core.tensor import Tensor
from paddle_compat.nn.functional._apply import check_recorded, helper_for, paddle
from paddle_compat.nn.functional._reduction import check_reduction, reduced, same_shape
from paddle_compat.ops import loss as ops
from paddle_compat.ops.reduction import mean_of
from paddle_compat.tensor._calls import FLOATS, check, is_tensor


@placed("log_target name")
@direct(
    "input label", "mean_of(kl_kernel(input_, label_, reduction='none'), None, False)",
    "reduction == 'mean' and not log_target and (kind := input_.dtype) is label_.dtype and kind in FLOATS and not label_.requires_grad",
    kind="kind", kl_kernel=ops.kldiv_loss.fn, mean_of=mean_of,
)  # fmt: skip
def kl_div(input: Any, label: Any, reduction: str = "mean", name: str | None = None, log_target: bool = False) -> Any:
    """label (log label - input), the Kullback-Leibler divergence.

    Args:
        input (Tensor): logarithms of probabilities.
        label (Tensor): probabilities, of that shape.
        reduction (str): "mean", "batchmean", "sum" or "none".
        name (str): prefix of the output's name.
        log_target (bool): whether labels are logarithms, too.
    Returns:
        Tensor: the loss, without dimensions unless `reduction` is "none".
    Raises:
        TypeError: an argument is no tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.kl_div(paddle.rand([5, 4]), paddle.rand([5, 4])).shape
        []

    Follows Paddle 2.6.
    """
    check_recorded("kl_div", input=input, label=label)
    for value, label_of in ((input, "input"), (label, "label")):
        if not is_tensor(value):
            raise type_error(label_of, "a tensor", value, "kl_div")
    if input.dtype != label.dtype:
        if not (is_float(input.dtype) and is_float(label.dtype)):
            raise invalid_argument("label", f"the data type of input, {dtype_name(input.dtype)}", dtype_name(label.dtype), "kl_div")
        wide = max(input.dtype, label.dtype)
        input, label = (v if v.dtype == wide else paddle.cast(v, wide) for v in (input, label))
    if log_target:  # by hand: Paddle 2.6's operator, which Programs and models hold, does not know it
        label = label.detach()
        loss = paddle.exp(label) * (label - input)
    else:
        loss = ops.kldiv_loss(input, label, reduction="none", _helper=helper_for("kl_div", input, name))
    if reduction == "batchmean":
        size = input.shape[0] if isinstance(input, Tensor) else paddle.shape(input)[0]
        return paddle.sum(loss) / size
    return reduced(loss, reduction)


def gaussian_nll_loss(
    input: Any,
    label: Any,
    variance: Any,
    full: bool = False,
    epsilon: float = 1e-6,
    reduction: str = "mean",
    name: str | None = None,
) -> Any:
    """The negative log likelihood of normal distributions.

    Args:
        input (Tensor): their means, of any shape.
        label (Tensor): what was seen, of that shape.
        variance (Tensor): of that shape, or with the last dimension 1 or left out.
        full (bool): whether the constant term is there.
        epsilon (float): the least variance.
        reduction (str): "mean", "sum" or "none".
        name (str): kept.
    Returns:
        Tensor: the loss, without dimensions unless `reduction` is "none".
    Raises:
        ValueError: shapes or reduction do not fit, or a variance is below 0 (in a Program: not above 0).

    Example:
        >>> import paddle_compat as paddle
        >>> x, y = paddle.rand([5, 2]), paddle.rand([5, 2])
        >>> paddle.nn.functional.gaussian_nll_loss(x, y, paddle.ones([5, 2])).shape
        []

    Follows Paddle 2.6.
    """
    api = "gaussian_nll_loss"
    check(variance, "Variance", api, ("float32", "float64"))
    if isinstance(variance, Tensor):
        for value, argument in ((input, "input"), (label, "label")):
            if not isinstance(value, Tensor) or not value._t.is_floating_point():
                raise invalid_argument(argument, f"a tensor of {', '.join(FLOATS)}", getattr(value, "dtype", value), api)
    shape = list(input.shape)
    if list(variance.shape) != shape:
        if shape[:-1] == list(variance.shape):
            variance = paddle.unsqueeze(variance, -1)
        elif shape[:-1] != list(variance.shape[:-1]) or variance.shape[-1] != 1:
            raise invalid_argument("variance", f"the shape {shape}", list(variance.shape), api)
    check_reduction(reduction, api)
    if isinstance(variance, Tensor):
        if bool((variance._t < 0).any()):
            raise invalid_argument("variance", "numbers from 0 on", variance, api)
        variance = variance.detach()  # gradients do not reach it in eager mode
    else:
        positive = paddle.all(variance > 0)
        helper = LayerHelper("assert")
        attrs = {"summarize": 6}
        helper.append_op(type="assert", inputs={"Cond": positive, "Data": [variance]}, outputs={}, attrs=attrs)
    variance = paddle.clip(variance.clone(), min=epsilon)
    loss = 0.5 * (paddle.log(variance) + paddle.square(input - label) / variance)
    if full:
        loss = loss + 0.5 * math.log(2 * math.pi)
    return reduced(loss, reduction, name)


def poisson_nll_loss(
    input: Any,
    label: Any,
    log_input: bool = True,
    full: bool = False,
    epsilon: float = 1e-8,
    reduction: str = "mean",
    name: str | None = None,
) -> Any:
    """The negative log likelihood of Poisson distributions.

    Args:
        input (Tensor): their means, or (log_input) the logarithms of these.
        label (Tensor): what was seen, of that shape.
        log_input (bool): what `input` is.
        full (bool): add Stirling's approximation of the term that does not depend on `input`.
        epsilon (float): added inside the logarithm.
        reduction (str): "mean", "sum" or "none".
        name (str): kept.
    Returns:
        Tensor: the loss, without dimensions unless `reduction` is "none".
    Raises:
        ValueError: shapes, epsilon or reduction do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.poisson_nll_loss(paddle.rand([5, 2]), paddle.rand([5, 2])).shape
        []

    Follows Paddle 2.6.
    """
    api = "poisson_nll_loss"
    check_recorded(api, input=input)
    if epsilon <= 0:
        raise invalid_argument("epsilon", "a number above 0", epsilon, api)
    check_reduction(reduction, api)
    same_shape(api, input=input, label=label)
    label = label if SINCE_3 and is_float(label.dtype) else paddle.cast(label, input.dtype)
    if log_input:
        loss = paddle.exp(input) - label * input
    else:
        loss = input - label * paddle.log(input + epsilon)
    if full:
        stirling = label * paddle.log(label) - label + 0.5 * paddle.log(2 * math.pi * label)
        loss = loss + paddle.where(label > 1, stirling, paddle.zeros_like(stirling))
    return reduced(loss, reduction, name)


def adaptive_log_softmax_with_loss(
    input: Any, label: Any, head_weight: Any, tail_weights: Any, cutoffs: Any, head_bias: Any = None, name: str | None = None
) -> tuple[Any, Any]:
    """The logarithms of labels' probabilities, where rare classes are found in clusters with weights of their own.

    Args:
        input (Tensor): [N, features] or [features].
        label (Tensor): class indices, [N] or [].
        head_weight (Tensor): [features, frequent classes + clusters].
        tail_weights (list): for each cluster two Tensors, [features, width] and [width, its classes].
        cutoffs (list): where the clusters begin, and at the end the number of classes.
        head_bias (Tensor): [frequent classes + clusters].
        name (str): kept.
    Returns:
        tuple: the logarithms, of label's shape, and the loss, minus their mean.
    Raises:
        ValueError: shapes or labels do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> x, label, head = paddle.rand([3, 4]), paddle.to_tensor([0, 3, 2]), paddle.rand([4, 3])
        >>> tails = [[paddle.rand([4, 2]), paddle.rand([2, 2])]]
        >>> out, loss = paddle.nn.functional.adaptive_log_softmax_with_loss(x, label, head, tails, [2, 4])
        >>> out.shape, loss.shape
        ([3], [])

    Follows Paddle 3.3.
    """
    api, F = "adaptive_log_softmax_with_loss", paddle.nn.functional
    single = len(label.shape) == 0
    if len(input.shape) != len(label.shape) + 1 or not single and input.shape[0] != label.shape[0]:
        raise invalid_argument("label", f"the shape {list(input.shape[:-1])}", list(label.shape), api)
    if single:
        input, label = paddle.unsqueeze(input, 0), paddle.unsqueeze(label, 0)
    if isinstance(label, Tensor) and not 0 <= int(label._t.min()) <= int(label._t.max()) < cutoffs[-1]:
        raise invalid_argument("label", f"0 to {cutoffs[-1] - 1}", label, api)
    frequent = cutoffs[0]
    head = F.log_softmax(F.linear(input, head_weight, head_bias), axis=1)
    output = _picked(head, label, frequent)
    for number, (start, end) in enumerate(zip(cutoffs, cutoffs[1:])):
        rows = F.log_softmax(F.linear(F.linear(input, tail_weights[number][0]), tail_weights[number][1]), axis=1)
        found = _picked(rows, label - start, end - start) + head[:, frequent + number]
        output = paddle.where(paddle.logical_and(label >= start, label < end), found, output)
    if single:
        output = paddle.squeeze(output, [0])
    return output, paddle.mean(-output)


def _picked(rows: Any, label: Any, count: int) -> Any:
    """One element of each row; what a label outside picks does not count."""
    inside = paddle.clip(label, min=0, max=count - 1)
    return paddle.squeeze(paddle.take_along_axis(rows, paddle.unsqueeze(inside, 1), axis=1), [1])
