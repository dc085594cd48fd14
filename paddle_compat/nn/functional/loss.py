"""`paddle.nn.functional`: losses of classifiers and of regression."""

from __future__ import annotations

from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.core import eager
from paddle_compat.core.direct import direct, only_casts
from paddle_compat.core.dtype import VarType, dtype_name
from paddle_compat.core.errors import invalid_argument, type_error
from paddle_compat.core.paddle3 import SINCE_3, paddle3, placed
from paddle_compat.core.tensor import Tensor, wrapped
from paddle_compat.nn.functional._alignment_loss import ctc_loss, edit_distance, rnnt_loss  # noqa: F401  # their place in Paddle
from paddle_compat.nn.functional._apply import check_recorded, helper_for, paddle
from paddle_compat.nn.functional._class_centers import margin_cross_entropy  # noqa: F401  # its place in Paddle
from paddle_compat.nn.functional._reduction import check_reduction, reduced, widened
from paddle_compat.ops import loss as ops
from paddle_compat.ops.elementwise import elementwise_sub
from paddle_compat.ops.embedding import hierarchical_sigmoid
from paddle_compat.ops.math import magnitude, square
from paddle_compat.ops.reduction import mean_of
from paddle_compat.tensor._calls import FLOATS, NUMBERS, check, check_alike, plain, static

_MEAN = "reduction == 'mean' and (kind := input_.dtype) is label_.dtype and kind in FLOATS"  # what goes a short way


@direct(
    "input label", "mean_of(bce_kernel(input_, label_), None, False)", _MEAN + " and weight is None and not label_.requires_grad",
    kind="kind", bce_kernel=ops.bce_loss.fn, mean_of=mean_of,
)  # fmt: skip
def binary_cross_entropy(input: Any, label: Any, weight: Any = None, reduction: str = "mean", name: str | None = None) -> Any:
    """Binary cross entropy of probabilities.

    Args:
        input (Tensor): probabilities, of any shape.
        label (Tensor): 0 to 1, of that shape.
        weight (Tensor): factors on the loss, of a shape that broadcasts.
        reduction (str): "mean", "sum" or "none".
        name (str): prefix of the output's name.
    Returns:
        Tensor: the loss, without dimensions unless `reduction` is "none".
    Raises:
        ValueError: there is no such reduction.

    Example:
        >>> import paddle_compat as paddle
        >>> loss = paddle.nn.functional.binary_cross_entropy(paddle.to_tensor([0.5, 0.6]), paddle.to_tensor([1.0, 0.0]))
        >>> round(loss.item(), 4)
        0.8047

    Follows Paddle 2.6.
    """
    check_reduction(reduction, "binary_cross_entropy")
    for value, label_ in ((input, "input"), (label, "label")):
        check(value, label_, "binary_cross_entropy", FLOATS)
    own_name = name if weight is None and reduction == "none" else None
    out = ops.bce_loss(input, label, _helper=helper_for("binary_cross_entropy", input, own_name))
    if weight is not None:
        out = paddle.multiply(out, weight, name=name if reduction == "none" else None)
    return reduced(out, reduction, name)


@direct(
    "logit label",
    "mean_of(sigmoid_loss(logit_, label_), None, False)",
    "weight is None and pos_weight is None and reduction == 'mean' and logit_.dtype in FLOATS and label_.dtype is logit_.dtype "
    "and logit_.is_same_size(label_) and not label_.requires_grad",
    kind="logit_.dtype",
    sigmoid_loss=ops.sigmoid_cross_entropy_with_logits.fn,
    mean_of=mean_of,
)
def binary_cross_entropy_with_logits(
    logit: Any,
    label: Any,
    weight: Any = None,
    reduction: str = "mean",
    pos_weight: Any = None,
    name: str | None = None,
) -> Any:
    """Binary cross entropy of logits.

    Args:
        logit (Tensor): of any shape.
        label (Tensor): 0 to 1, of that shape.
        weight (Tensor): factors on the loss, of a shape that broadcasts.
        reduction (str): "mean", "sum" or "none".
        pos_weight (Tensor): factors on the positive samples, one for each class.
        name (str): prefix of the output's name.
    Returns:
        Tensor: the loss, without dimensions unless `reduction` is "none".
    Raises:
        ValueError: there is no such reduction.

    Example:
        >>> import paddle_compat as paddle
        >>> logit, label = paddle.to_tensor([5.0, 1.0]), paddle.to_tensor([1.0, 0.0])
        >>> round(paddle.nn.functional.binary_cross_entropy_with_logits(logit, label).item(), 4)
        0.66

    Follows Paddle 2.6.
    """
    check_reduction(reduction, "binary_cross_entropy_with_logits")
    if not isinstance(logit, Tensor):
        for value, argument in ((logit, "logit"), (label, "label")):
            check(value, argument, "binary_cross_entropy_with_logits", FLOATS)
    check_alike("binary_cross_entropy_with_logits", logit=logit, label=label, pos_weight=pos_weight)
    if pos_weight is not None or not isinstance(logit, Tensor):  # a Program of Paddle's has the constant in either case
        one = paddle.full([1], 1.0, dtype=logit.dtype)
    if pos_weight is not None:
        pos_weight = paddle.add(paddle.multiply(label, paddle.subtract(pos_weight, one)), one)
    layer = "sigmoid_cross_entropy_with_logits"
    helper = helper_for(layer, logit, name if reduction == "none" and pos_weight is None and weight is None else None)
    out = ops.sigmoid_cross_entropy_with_logits(logit, label, pos_weight, ignore_index=-100, normalize=False, _helper=helper)
    if weight is not None:
        out = paddle.multiply(out, weight, name=name if reduction == "none" else None)
    return reduced(out, reduction, name)


def _softmax_cross_entropy(logits: Any, label: Any, name: str | None, **attrs: Any) -> Any:
    helper = helper_for("softmax_with_cross_entropy", logits, name)
    return ops.softmax_with_cross_entropy(logits, label, numeric_stable_mode=True, **attrs, _helper=helper)


@direct(
    "input label",
    "mean_of_classes(input_, label_)",
    "weight is None and soft_label is False and ignore_index == -100 and reduction == 'mean' and axis == -1 and use_softmax is True "
    "and label_smoothing == 0.0 and input_.dtype in FLOATS and input_.dim() == 2 and label_.dtype is torch.int64 "
    "and (label_.dim() == 1 or label_.dim() == 2 and label_.shape[1] == 1)",
    kind="input_.dtype",
    mean_of_classes=ops.mean_of_classes,
)
@paddle3(target="label")
def cross_entropy(
    input: Any,
    label: Any,
    weight: Any = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    soft_label: bool = False,
    axis: int = -1,
    use_softmax: bool = True,
    label_smoothing: float = 0.0,
    name: str | None = None,
) -> Any:
    """Softmax and cross entropy.

    Args:
        input (Tensor): logits (probabilities for use_softmax=False), [N, *, classes].
        label (Tensor): class indices, [N, *] or [N, *, 1]; with soft_label, probabilities of input's shape.
        weight (Tensor): one factor for each class.
        ignore_index (int): the label that does not count.
        reduction (str): "mean" (over what counts, by weight), "sum" or "none".
        soft_label (bool): whether labels are probabilities.
        axis (int): the dimension of the classes.
        use_softmax (bool): whether softmax comes first.
        label_smoothing (float): the share of the uniform distribution that is mixed into the labels.
        name (str): prefix of the outputs' names.
    Returns:
        Tensor: the loss, without dimensions unless `reduction` is "none".
    Raises:
        ValueError: reduction, ignore_index or shapes do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.cross_entropy(paddle.rand([5, 10]), paddle.to_tensor([1, 0, 9, 2, 2])).shape
        []

    Follows Paddle 2.6.
    """
    api = "cross_entropy"
    usual = soft_label is False and use_softmax is True
    if weight is None and usual and (ignore_index, axis, reduction, label_smoothing) == (-100, -1, "mean", 0.0):
        found = _under_casts(input, label)
        if found is not None:
            return found
    check_reduction(reduction, api)
    for switch, argument in ((soft_label, "soft_label"), (use_softmax, "use_softmax")):
        if not isinstance(switch, bool):
            raise type_error(argument, "bool", switch, api)
    if static(input, label):
        check(input, "input", api, FLOATS)
    if ignore_index > 0 and soft_label:
        raise invalid_argument("ignore_index", "-100, as soft_label is True", ignore_index, api)
    input_rank, label_rank = len(input.shape), len(label.shape)
    if input_rank == 0:
        raise invalid_argument("input", "one dimension or more", list(input.shape), api)
    if label_rank not in (input_rank - 1, input_rank):
        raise invalid_argument("label", f"{input_rank - 1} or {input_rank} dimensions", list(label.shape), api)
    flat = label_rank == input_rank - 1
    if flat:
        label = paddle.unsqueeze(label, axis=axis)
    if label_smoothing > 0.0:
        soft_label = True
        if flat or label.shape[axis] == 1:
            label = paddle.nn.functional.one_hot(paddle.squeeze(label, axis=axis), input.shape[-1])
        label = paddle.nn.functional.label_smooth(label, epsilon=label_smoothing).astype(input.dtype)
    _, out = _softmax_cross_entropy(
        input, label, name, soft_label=soft_label, ignore_index=ignore_index, axis=axis, use_softmax=use_softmax
    )
    weights = None
    if weight is not None:
        if soft_label:
            gathered = paddle.matmul(paddle.cast(label, weight.dtype), weight, transpose_y=True)
            weights = paddle.reshape(gathered, shape=list(out.shape))
            out = paddle.cast(out, gathered.dtype)
        else:
            weights = _class_weights(weight, label, ignore_index, input.shape[axis], axis, out.dtype)
        out = paddle.multiply(out, weights)
    if reduction == "sum":
        return paddle.sum(out, name=name)
    if reduction == "mean":
        return _mean_of_counted(out, label, weights, ignore_index, soft_label, name)
    # smoothed labels have as many dimensions as the input by now
    return paddle.squeeze(out, axis=axis) if flat and label_smoothing <= 0.0 else out


def _under_casts(input: Any, label: Any) -> Tensor | None:
    """The mean over classes where mixed precision is what keeps `cross_entropy` from its short way; None where that is none."""
    if not (only_casts() and isinstance(input, Tensor) and isinstance(label, Tensor)) or eager.cast_inputs is None:
        return None
    logits, classes = eager.cast_inputs("softmax_with_cross_entropy", [input._t, label._t])
    rows = classes.dim() == 1 or classes.dim() == 2 and classes.shape[1] == 1
    if logits.dtype not in (torch.float32, torch.float64) or logits.dim() != 2 or classes.dtype is not torch.int64 or not rows:
        return None
    try:
        return wrapped(ops.mean_of_classes(logits, classes)) if logits.numel() else None
    except (ArithmeticError, RuntimeError, LookupError):  # which the long way says in Paddle's words
        return None


def _class_weights(weight: Any, label: Any, ignore_index: int, classes: int, axis: int, dtype: Any) -> Any:
    """The weight of each label's class, 0 for ignored ones, of the label's shape."""
    if weight.shape[-1] != classes:
        raise invalid_argument("weight", f"{classes} numbers", list(weight.shape), "cross_entropy")
    valid = paddle.multiply(paddle.cast(label != ignore_index, dtype=label.dtype), label)
    counted = paddle.cast(label != ignore_index, dtype)
    rank = len(label.shape)
    if rank > 1 and label.shape[axis] == 1:
        counted = paddle.squeeze(counted, axis=axis)
    if axis not in (-1, rank - 1):
        order = [d for d in range(rank) if d != axis % rank] + [axis % rank]
        valid = paddle.transpose(valid, order)
    gathered = paddle.multiply(paddle.gather_nd(weight, valid), counted)
    return paddle.reshape(gathered, shape=list(label.shape))


def _mean_of_counted(out: Any, label: Any, weights: Any, ignore_index: int, soft_label: bool, name: str | None) -> Any:
    # Paddle's Programs count labels that are ignored by a negative index; its eager mode does not, but counts all soft ones, until Paddle 3
    if isinstance(out, Tensor) and 0 in out.shape:
        return paddle.mean(out, name=name)  # NaN, as in Paddle 3.3
    all_count = soft_label if paddle.in_dynamic_mode() and not SINCE_3 else ignore_index < 0
    if all_count and weights is None:
        return paddle.mean(out, name=name)
    if weights is None and ignore_index < 0:
        whole = paddle.float32 if out.dtype in (paddle.bfloat16, paddle.float16) else out.dtype  # the others cannot count
        count = paddle.clip(paddle.sum(paddle.cast(label != ignore_index, dtype=whole), name=name), min=1.0)
        if out.dtype == whole and not out.is_dist():
            return paddle.sum(out, name=name) / count
        # Processes that have a part of the sum each would add it up to divide it; as a mean it stays a partial one, as in the wheel.
        return paddle.mean(out * paddle.cast(float(out.size) / count, dtype=out.dtype), name=name)
    total = paddle.sum(out, name=name)
    if all_count:
        count = paddle.sum(weights)
    else:
        counted = paddle.cast(label != ignore_index, dtype=total.dtype if weights is None else weights.dtype)
        count = paddle.sum(counted if weights is None else paddle.multiply(counted, weights), name=name)
    return total / (count + paddle.equal(count, 0.0))


@direct(
    "logits label",
    "loss_of_classes(logits_, label_, axis, ignore_index)",
    "not soft_label and not return_softmax and type(axis) is int and type(ignore_index) is int and logits_.dtype in FLOATS "
    "and label_.dtype in WHOLE and label_.dim() == logits_.dim() and label_.shape[axis] == 1",
    kind="logits_.dtype",
    loss_of_classes=ops.loss_of_classes,
)
def softmax_with_cross_entropy(
    logits: Any,
    label: Any,
    soft_label: bool = False,
    ignore_index: int = -100,
    numeric_stable_mode: bool = True,
    return_softmax: bool = False,
    axis: int = -1,
) -> Any:
    """Softmax and cross entropy, without reduction.

    Args:
        logits (Tensor): [N, *, classes].
        label (Tensor): class indices, [N, *, 1]; with soft_label, probabilities of logits' shape.
        soft_label (bool): whether labels are probabilities.
        ignore_index (int): the label that does not count.
        numeric_stable_mode (bool): kept.
        return_softmax (bool): also return the softmax.
        axis (int): the dimension of the classes.
    Returns:
        Tensor: the loss, [N, *, 1], and the softmax if asked for.
    Raises:
        ValueError: label has another number of dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.softmax_with_cross_entropy(paddle.rand([2, 3]), paddle.to_tensor([[1], [0]])).shape
        [2, 1]

    Follows Paddle 2.6.
    """
    rank = len(logits.shape)
    if len(label.shape) not in (rank - 1, rank):
        raise invalid_argument("label", f"{rank - 1} or {rank} dimensions", list(label.shape), "softmax_with_cross_entropy")
    if len(label.shape) == rank - 1:
        label = paddle.unsqueeze(label, axis=axis)
    softmax, loss = _softmax_cross_entropy(
        logits, label, None, soft_label=soft_label, ignore_index=ignore_index, axis=axis, use_softmax=True
    )
    return (loss, softmax) if return_softmax else loss


@direct(
    "input label", "torch.square(torch.sub(input_, label_))", "(kind := input_.dtype) is label_.dtype and kind in FLOATS", kind="kind",
)  # fmt: skip
def square_error_cost(input: Any, label: Any) -> Any:
    """(input - label)^2, element by element.

    Args:
        input, label (Tensor): of one shape.
    Returns:
        Tensor: of that shape.

    Example:
        >>> import paddle_compat as paddle
        >>> loss = paddle.nn.functional.square_error_cost(paddle.to_tensor([1.1, 1.9]), paddle.to_tensor([1.0, 2.0]))
        >>> [round(v, 4) for v in loss.tolist()]
        [0.01, 0.01]

    Follows Paddle 2.6.
    """
    check_recorded("square_error_cost", input=input, label=label)
    input, label = widened(input, label)
    helper = helper_for("square_error_cost", input)
    return square(elementwise_sub(input, label, axis=-1, _helper=helper), _helper=helper)


@direct("input label", "mean_of(torch.square(torch.sub(input_, label_)), None, False)", _MEAN, kind="kind", mean_of=mean_of)
def mse_loss(input: Any, label: Any, reduction: str = "mean", name: str | None = None) -> Any:
    """The squared error.

    Args:
        input, label (Tensor): of one shape.
        reduction (str): "mean", "sum" or "none".
        name (str): prefix of the output's name.
    Returns:
        Tensor: the loss, without dimensions unless `reduction` is "none".
    Raises:
        ValueError: there is no such reduction.

    Example:
        >>> import paddle_compat as paddle
        >>> round(paddle.nn.functional.mse_loss(paddle.to_tensor(1.5), paddle.to_tensor(1.7)).item(), 4)
        0.04

    Follows Paddle 2.6.
    """
    check_recorded("mse_loss", input=input, label=label)
    check_reduction(reduction, "mse_loss")
    return reduced(paddle.square(paddle.subtract(input, label), name=name if reduction == "none" else None), reduction)


@direct("input label", "mean_of(size(torch.sub(input_, label_)), None, False)", _MEAN, kind="kind", mean_of=mean_of, size=magnitude)
def l1_loss(input: Any, label: Any, reduction: str = "mean", name: str | None = None) -> Any:
    """The absolute error.

    Args:
        input, label (Tensor): of one shape.
        reduction (str): "mean", "sum" or "none".
        name (str): prefix of the output's name.
    Returns:
        Tensor: the loss, without dimensions unless `reduction` is "none".
    Raises:
        ValueError: there is no such reduction.

    Example:
        >>> import paddle_compat as paddle
        >>> round(paddle.nn.functional.l1_loss(paddle.to_tensor([1.5, 0.8]), paddle.to_tensor([1.7, 1.0])).item(), 4)
        0.2

    Follows Paddle 2.6.
    """
    check_reduction(reduction, "l1_loss")
    check_recorded("l1_loss", FLOATS if reduction == "mean" else NUMBERS, input=input, label=label)
    loss = paddle.abs(paddle.subtract(input, label), name=name if reduction == "none" else None)
    return reduced(loss, reduction, name)


@placed("is_huber name")
@direct(
    "input label", "mean_of(huber_kernel(input_, label_, delta=delta), None, False)", _MEAN + " and is_huber is True", kind="kind",
    huber_kernel=ops.huber_loss.fn, mean_of=mean_of,
)  # fmt: skip
def smooth_l1_loss(
    input: Any, label: Any, reduction: str = "mean", delta: float = 1.0, name: str | None = None, is_huber: bool = True
) -> Any:
    """Half the squared error up to `delta`, linear beyond (Huber's loss).

    Args:
        input, label (Tensor): of one shape.
        reduction (str): "mean", "sum" or "none".
        delta (float): where it becomes linear.
        name (str): prefix of the output's name.
        is_huber (bool): False divides by `delta`: the slope is 1 beyond it.
    Returns:
        Tensor: the loss, without dimensions unless `reduction` is "none".
    Raises:
        ValueError: there is no such reduction.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.smooth_l1_loss(paddle.rand([3, 3]), paddle.rand([3, 3])).shape
        []

    Follows Paddle 2.6.
    """
    check_reduction(reduction, "smooth_l1_loss")
    check_recorded("smooth_l1_loss", input=input, label=label)
    for value, argument in ((input, "input"), (label, "label")):
        if isinstance(value, Tensor) and not value._t.is_floating_point():
            raise type_error(argument, f"a tensor of {', '.join(FLOATS)}", dtype_name(value.dtype), "smooth_l1_loss")
    input, label = widened(input, label)
    helper = helper_for("huber_loss", input)
    outputs = None
    if helper is not None:
        residual, out = (helper.create_variable_for_type_inference(input.dtype) for _ in range(2))
        outputs = {"Residual": residual, "Out": out}
    loss = ops.huber_loss(input, label, delta=delta, _helper=helper, _outputs=outputs)
    return reduced(loss if is_huber else loss / delta, reduction)


def log_loss(input: Any, label: Any, epsilon: float = 1e-4, name: str | None = None) -> Any:
    """Binary cross entropy of probabilities, kept away from the logarithm of 0.

    Args:
        input (Tensor): probabilities, [N, 1].
        label (Tensor): 0 or 1, [N, 1].
        epsilon (float): added inside the logarithms.
        name (str): prefix of the output's name.
    Returns:
        Tensor: [N, 1].

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.log_loss(paddle.rand([10, 1]), paddle.ones([10, 1])).shape
        [10, 1]

    Follows Paddle 2.6.
    """
    check_recorded("log_loss", input=input, label=label)
    check_alike("log_loss", input=input, label=label)
    return ops.log_loss(input, label, epsilon=epsilon, _helper=helper_for("log_loss", input, name))


def dice_loss(input: Any, label: Any, epsilon: float = 0.00001, name: str | None = None) -> Any:
    """1 - 2 (overlap) / (sizes), for segmentation.

    Args:
        input (Tensor): probabilities, [N, *, classes].
        label (Tensor): class indices, [N, *, 1].
        epsilon (float): added to the sizes.
        name (str): kept.
    Returns:
        Tensor: the mean over the samples.
    Raises:
        AssertionError: shapes do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> F = paddle.nn.functional
        >>> F.dice_loss(F.softmax(paddle.rand([3, 4, 2])), paddle.randint(0, 2, [3, 4, 1])).shape
        []

    Follows Paddle 2.6.
    """
    rank = len(input.shape)
    assert rank >= 2, f"Invalid value for argument `input` of `dice_loss`. Expected two dimensions or more. Received: {rank}"
    assert input.dtype in (VarType.FP32, VarType.FP64), (
        f"Invalid type for argument `input` of `dice_loss`. Expected float32 or float64. Received: {input.dtype}"
    )
    assert label.dtype in (VarType.INT32, VarType.INT64), (
        f"Invalid type for argument `label` of `dice_loss`. Expected int32 or int64. Received: {label.dtype}"
    )
    assert rank == len(label.shape) and label.shape[-1] == 1 and list(input.shape[:-1]) == list(label.shape[:-1]), (
        f"Invalid value for argument `label` of `dice_loss`. Expected {list(input.shape[:-1]) + [1]}. Received: {list(label.shape)}"
    )
    # the real function asserts that there are elements, which in a Program is operators that nobody reads
    for value in (input, label):
        _ = paddle.numel(value) > 0
    label = paddle.nn.functional.one_hot(paddle.squeeze(label, [-1]), input.shape[-1])
    axes = list(range(1, rank))
    overlap = paddle.sum(input * label, axis=axes)
    sizes = paddle.sum(input, axis=axes) + paddle.sum(label, axis=axes)
    return paddle.mean(1 - overlap * 2 / (sizes + epsilon))


def hsigmoid_loss(
    input: Any,
    label: Any,
    num_classes: int,
    weight: Any,
    bias: Any = None,
    path_table: Any = None,
    path_code: Any = None,
    is_sparse: bool = False,
    name: str | None = None,
) -> Any:
    """The loss of finding labels by turning left or right at the nodes of a tree (hierarchical sigmoid).

    Args:
        input (Tensor): [N, D].
        label (Tensor): [N, 1], int64.
        num_classes (int): number of leaves.
        weight (Tensor): one row for each node, [num_classes - 1, D].
        bias (Tensor): [num_classes - 1, 1].
        path_table, path_code (Tensor): nodes and turns on each label's path, [N, depth], -1 behind its end; None for a
            complete tree.
        is_sparse (bool): weight's gradient holds only the rows that were looked up.
        name (str): prefix of the outputs' names.
    Returns:
        Tensor: [N, 1].
    Raises:
        ValueError: num_classes is below 2 although there is no path_table.

    Example:
        >>> import paddle_compat as paddle
        >>> label = paddle.to_tensor([[0], [1], [4], [5]])
        >>> paddle.nn.functional.hsigmoid_loss(paddle.rand([4, 3]), label, 6, paddle.rand([5, 3])).shape
        [4, 1]

    Follows Paddle 2.6.
    """
    check_recorded("hsigmoid_loss", input=input)
    num_classes = plain(num_classes)
    if num_classes < 2 and path_table is None:
        raise invalid_argument("num_classes", "at least 2", num_classes, "hsigmoid_loss")
    helper = helper_for("hsigmoid_loss", input, name)
    outputs = None
    if helper is not None:
        out, before = (helper.create_variable_for_type_inference(input.dtype) for _ in range(2))
        outputs = {"Out": out, "PreOut": before, "W_Out": weight}
    return hierarchical_sigmoid(
        input,
        weight,
        label,
        path_table,
        path_code,
        bias,
        num_classes=num_classes,
        is_sparse=is_sparse,
        _helper=helper,
        _outputs=outputs,
    )


__getattr__ = missing(__name__)
