"""`paddle.nn.functional`: losses by margin and rank."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.direct import direct
from paddle_compat.core.dtype import dtype_name
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.core.tensor import Tensor
from paddle_compat.nn.functional._apply import check_float, check_recorded, constant, helper_for, paddle
from paddle_compat.nn.functional._reduction import check_reduction, reduced, same_shape
from paddle_compat.ops import loss as ops
from paddle_compat.ops.activation import relu as relu_op
from paddle_compat.ops.reduction import mean as mean_op
from paddle_compat.ops.reduction import reduce_sum

_FLOATING = ("float32", "float64")
_LABELS = ("int32", "int64", "float32", "float64")


def cosine_embedding_loss(input1: Any, input2: Any, label: Any, margin: float = 0, reduction: str = "mean", name: str | None = None) -> Any:
    """1 - cosine for pairs that belong together, max(0, cosine - margin) for others.

    Args:
        input1, input2 (Tensor): [N, D] or [D].
        label (Tensor): 1 or -1, [N] or [].
        margin (float): from -1 to 1.
        reduction (str): "mean", "sum" or "none".
        name (str): kept.
    Returns:
        Tensor: the loss, [N] if `reduction` is "none".
    Raises:
        ValueError: shapes, reduction or data types do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> label = paddle.to_tensor([1, -1])
        >>> paddle.nn.functional.cosine_embedding_loss(paddle.rand([2, 3]), paddle.rand([2, 3]), label).shape
        []

    Follows Paddle 2.6.
    """
    api = "cosine_embedding_loss"
    if len(label.shape) != 1:
        raise invalid_argument("label", "one dimension", list(label.shape), api)
    same_shape(api, input1=input1, input2=input2)
    for value, label_of, kinds in ((input1, "input1", _FLOATING), (input2, "input2", _FLOATING), (label, "label", _LABELS)):
        if dtype_name(value.dtype) not in kinds:
            raise invalid_argument(label_of, f"a tensor of {', '.join(kinds)}", dtype_name(value.dtype), api)
    check_reduction(reduction, api)
    product = (input1 * input2).sum(axis=-1)
    first = paddle.square(input1).sum(axis=-1) + 1e-11
    second = paddle.square(input2).sum(axis=-1) + 1e-11
    cosine = product / paddle.sqrt(first * second)
    zeros = paddle.zeros_like(cosine)
    together, apart = 1 - cosine, paddle.clip(cosine - margin, min=0)
    together = paddle.where(label == 1, together, zeros)
    return reduced(together + paddle.where(label == -1, apart, zeros), reduction, name)


def hinge_embedding_loss(input: Any, label: Any, margin: float = 1.0, reduction: str = "mean", name: str | None = None) -> Any:
    """input where the label is 1, max(0, margin - input) where it is -1.

    Args:
        input (Tensor): distances, of any shape.
        label (Tensor): 1 or -1, of that shape.
        margin (float): the margin.
        reduction (str): "mean", "sum" or "none".
        name (str): kept.
    Returns:
        Tensor: the loss, without dimensions unless `reduction` is "none".
    Raises:
        ValueError: there is no such reduction.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.hinge_embedding_loss(paddle.rand([2]), paddle.to_tensor([-1.0, 1.0])).shape
        []

    Follows Paddle 2.6.
    """
    check_reduction(reduction, "hinge_embedding_loss")
    check_recorded("hinge_embedding_loss", input=input)
    zero = paddle.zeros([1], dtype=input.dtype)
    near = paddle.where(label == 1.0, input, zero)
    far = paddle.where(label == -1.0, paddle.nn.functional.relu(margin - input), zero)
    return reduced(near + far, reduction, name)


def margin_ranking_loss(input: Any, other: Any, label: Any, margin: float = 0.0, reduction: str = "mean", name: str | None = None) -> Any:
    """max(0, -label (input - other) + margin).

    Args:
        input, other (Tensor): scores, of one shape.
        label (Tensor): 1 where `input` should be the greater, else -1.
        margin (float): by how much.
        reduction (str): "mean", "sum" or "none".
        name (str): prefix of the output's name.
    Returns:
        Tensor: the loss, without dimensions unless `reduction` is "none".
    Raises:
        ValueError: there is no such reduction.

    Example:
        >>> import paddle_compat as paddle
        >>> label = paddle.to_tensor([1.0, -1.0])
        >>> paddle.nn.functional.margin_ranking_loss(paddle.rand([2]), paddle.rand([2]), label).shape
        []

    Follows Paddle 2.6.
    """
    check_reduction(reduction, "margin_ranking_loss")
    helper = helper_for("margin_ranking_loss", input, name)
    out = paddle.subtract(input, other)
    out = paddle.multiply(paddle.scale(label, -1.0), out)
    if margin != 0.0:
        out = paddle.add(out, constant(margin, out))
    if reduction == "none":
        return relu_op(out, _helper=helper)
    out = paddle.nn.functional.relu(out)
    if reduction == "sum":
        return reduce_sum(out, dim=[0], keep_dim=False, reduce_all=True, _helper=helper)
    return mean_op(out, _helper=helper)


def multi_label_margin_loss(input: Any, label: Any, reduction: str = "mean", name: str | None = None) -> Any:
    """The sum, over the right and the wrong classes, of max(0, 1 - right score + wrong score), divided by the number of classes.

    Args:
        input (Tensor): scores, [N, classes].
        label (Tensor): the right classes of each sample, [N, *]; what stands behind a negative number does not count.
        reduction (str): "mean", "sum" or "none".
        name (str): kept.
    Returns:
        Tensor: the loss, [N] if `reduction` is "none".
    Raises:
        ValueError: shapes, labels or reduction do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> scores, label = paddle.to_tensor([[0.5, 1.0, 0.0]]), paddle.to_tensor([[1, -1, 0]])
        >>> round(paddle.nn.functional.multi_label_margin_loss(scores, label).item(), 4)
        0.1667

    Follows Paddle 3.3.
    """
    api = "multi_label_margin_loss"
    check_reduction(reduction, api)
    if len(input.shape) != 2 or len(label.shape) != 2:
        raise invalid_argument("input", "[N, classes], and a label of two dimensions", (list(input.shape), list(label.shape)), api)
    classes = input.shape[1]
    if isinstance(label, Tensor) and label.shape[0] and int(label._t.max()) >= classes:
        raise invalid_argument("label", f"numbers below {classes}", label, api)
    counted = paddle.cumprod(paddle.cast(label >= 0, input.dtype), dim=1)
    label = paddle.clip(paddle.cast(label, "int64"), min=0, max=classes - 1)
    counted.stop_gradient = True
    right = paddle.max(paddle.nn.functional.one_hot(label, classes) * paddle.unsqueeze(counted, 2), axis=1)
    wrong = paddle.unsqueeze(paddle.cast(1.0 - right, input.dtype), 1) * paddle.unsqueeze(counted, 2)
    above = 1.0 - paddle.unsqueeze(paddle.take_along_axis(input, label, axis=1), 2) + paddle.unsqueeze(input, 1)
    loss = paddle.sum(paddle.nn.functional.relu(above) * wrong, axis=[1, 2]) / classes
    return reduced(loss, reduction)


def multi_label_soft_margin_loss(input: Any, label: Any, weight: Any = None, reduction: str = "mean", name: str | None = None) -> Any:
    """The mean binary cross entropy of several labels.

    Args:
        input (Tensor): logits, [N, classes].
        label (Tensor): 0 or 1, of that shape.
        weight (Tensor): factors on the classes.
        reduction (str): "mean", "sum" or "none".
        name (str): kept.
    Returns:
        Tensor: the loss, [N] if `reduction` is "none".
    Raises:
        ValueError: shapes or reduction do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.multi_label_soft_margin_loss(paddle.rand([2, 3]), paddle.ones([2, 3])).shape
        []

    Follows Paddle 2.6.
    """
    api = "multi_label_soft_margin_loss"
    check_reduction(reduction, api)
    same_shape(api, input=input, label=label)
    log_sigmoid = paddle.nn.functional.log_sigmoid
    loss = -(label * log_sigmoid(input) + (1 - label) * log_sigmoid(-input))
    if weight is not None:
        loss = loss * weight
    return reduced(loss.mean(axis=-1), reduction)


def multi_margin_loss(
    input: Any,
    label: Any,
    p: int = 1,
    margin: float = 1.0,
    weight: Any = None,
    reduction: str = "mean",
    name: str | None = None,
) -> Any:
    """The mean, over the wrong classes, of max(0, margin - right score + wrong score)^p.

    Args:
        input (Tensor): scores, [N, classes].
        label (Tensor): class indices, [N].
        p (int): the exponent.
        margin (float): the margin.
        weight (Tensor): factors, one for each class.
        reduction (str): "mean", "sum" or "none".
        name (str): kept.
    Returns:
        Tensor: the loss, [N] if `reduction` is "none".
    Raises:
        ValueError: shapes or reduction do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.multi_margin_loss(paddle.rand([2, 3]), paddle.to_tensor([1, 2])).shape
        []

    Follows Paddle 2.6.
    """
    api = "multi_margin_loss"
    check_reduction(reduction, api)
    check_recorded(api, input=input)
    if input.shape[0] != label.shape[0]:
        raise invalid_argument("label", f"{input.shape[0]} labels", list(label.shape), api)
    label = label.reshape((-1, 1))
    right = paddle.index_sample(input, label)
    if weight is not None and weight.shape[0] != input.shape[1]:
        raise invalid_argument("weight", f"{input.shape[1]} numbers", list(weight.shape), api)
    if weight is None or SINCE_3:
        above = paddle.clip(margin - right + input, min=0.0)
        mean = paddle.mean(paddle.pow(above, p), axis=1)
        classes = input.shape[1] if isinstance(input, Tensor) else paddle.shape(input)[1]
        loss = mean - margin**p / classes
        if weight is not None:
            loss = loss * paddle.gather(weight, label, axis=0).reshape((-1,))
    else:  # 2.6 has a column of weights there: each sample's loss beside each other's weight
        weight = paddle.gather(weight, label, axis=0).reshape((-1, 1))
        above = paddle.clip(weight * (margin - right + input), min=0.0)
        mean = paddle.mean(paddle.pow(above, p), axis=1)
        classes = input.shape[1] if isinstance(input, Tensor) else paddle.shape(input)[1]
        loss = mean - weight * (margin**p / classes)
    return reduced(loss, reduction, name)


def soft_margin_loss(input: Any, label: Any, reduction: str = "mean", name: str | None = None) -> Any:
    """log(1 + exp(-label input)).

    Args:
        input (Tensor): scores, of any shape.
        label (Tensor): 1 or -1, of that shape.
        reduction (str): "mean", "sum" or "none".
        name (str): kept.
    Returns:
        Tensor: the loss, without dimensions unless `reduction` is "none".
    Raises:
        ValueError: shapes or reduction do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.soft_margin_loss(paddle.rand([2]), paddle.to_tensor([1.0, -1.0])).shape
        []

    Follows Paddle 2.6.
    """
    check_reduction(reduction, "soft_margin_loss")
    same_shape("soft_margin_loss", input=input, label=label)
    check_float(input, "soft_margin_loss")
    label = paddle.cast(label, input.dtype)
    return reduced(paddle.log(1 + paddle.exp(-label * input)), reduction, name)


def npair_loss(anchor: Any, positive: Any, labels: Any, l2_reg: float = 0.002) -> Any:
    """N-pair loss: each anchor against the positives of all others.

    Args:
        anchor, positive (Tensor): [N, D].
        labels (Tensor): [N].
        l2_reg (float): factor on the mean squared length.
    Returns:
        Tensor: the loss, without dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> labels = paddle.to_tensor([0.0, 1.0])
        >>> paddle.nn.functional.npair_loss(paddle.rand([2, 6]), paddle.rand([2, 6]), labels).shape
        []

    Follows Paddle 2.6.
    """
    check_recorded("npair_loss", anchor=anchor, positive=positive)
    count = labels.shape[0]
    table = paddle.reshape(labels, shape=[count, 1])
    table = table if count < 0 else paddle.tile(table, repeat_times=[1, count])  # a column fits a row
    same = paddle.equal(table, paddle.transpose(table, perm=[1, 0])).astype("float32")
    target = same / paddle.sum(same, axis=1, keepdim=True)
    anchors = paddle.mean(paddle.sum(paddle.square(anchor), 1))
    lengths = anchors + paddle.mean(paddle.sum(paddle.square(positive), 1))
    penalty = lengths * 0.25 * l2_reg
    similarity = paddle.matmul(anchor, positive, transpose_x=False, transpose_y=True)
    entropy = paddle.nn.functional.softmax_with_cross_entropy(similarity, target, soft_label=True)
    return penalty + paddle.mean(paddle.sum(target * entropy, 0))


def triplet_margin_loss(
    input: Any,
    positive: Any,
    negative: Any,
    margin: float = 1.0,
    p: float = 2,
    epsilon: float = 1e-6,
    swap: bool = False,
    reduction: str = "mean",
    name: str | None = None,
) -> Any:
    """max(0, distance to the positive - distance to the negative + margin).

    Args:
        input, positive, negative (Tensor): [N, D].
        margin (float): the margin.
        p (float): exponent of the distance's norm.
        epsilon (float): added to the differences.
        swap (bool): take the negative's distance to the positive if that is the smaller.
        reduction (str): "mean", "sum" or "none".
        name (str): kept.
    Returns:
        Tensor: the loss, [N] if `reduction` is "none".
    Raises:
        ValueError: shapes, margin or reduction do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> x, y, z = (paddle.rand([2, 3]) for _ in range(3))
        >>> paddle.nn.functional.triplet_margin_loss(x, y, z).shape
        []

    Follows Paddle 2.6.
    """
    api = "triplet_margin_loss"
    check_reduction(reduction, api)
    check_recorded(api, input=input, positive=positive, negative=negative)
    if margin < 0:
        raise invalid_argument("margin", "at least 0", margin, api)
    same_shape(api, input=input, positive=positive, negative=negative)

    def distance(x: Any, y: Any) -> Any:
        return paddle.nn.functional.pairwise_distance(x, y, p, epsilon)

    near, far = distance(input, positive), distance(input, negative)
    if swap:
        far = paddle.minimum(far, distance(positive, negative))
    return reduced(paddle.clip(near - far + margin, min=0.0), reduction, name)


def triplet_margin_with_distance_loss(
    input: Any,
    positive: Any,
    negative: Any,
    distance_function: Any = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
    name: str | None = None,
) -> Any:
    """`triplet_margin_loss` with a distance of one's own.

    Args:
        input, positive, negative (Tensor): [N, D].
        distance_function (callable): of two Tensors; None: `PairwiseDistance(2)`.
        margin (float): the margin.
        swap (bool): take the negative's distance to the positive if that is the smaller.
        reduction (str): "mean", "sum" or "none".
        name (str): kept.
    Returns:
        Tensor: the loss, [N] if `reduction` is "none".
    Raises:
        ValueError: shapes, margin or reduction do not fit, or a distance is not above 0.

    Example:
        >>> import paddle_compat as paddle
        >>> x, y, z = (paddle.rand([2, 3]) for _ in range(3))
        >>> paddle.nn.functional.triplet_margin_with_distance_loss(x, y, z).shape
        []

    Follows Paddle 2.6.
    """
    api = "triplet_margin_with_distance_loss"
    check_reduction(reduction, api)
    check_recorded(api, input=input, positive=positive, negative=negative)
    if margin < 0:
        raise invalid_argument("margin", "at least 0", margin, api)
    same_shape(api, input=input, positive=positive, negative=negative)
    distance = distance_function or paddle.nn.functional.pairwise_distance
    near, far = distance(input, positive), distance(input, negative)
    if swap:
        far = paddle.minimum(far, distance(positive, negative))
    # recorded, the check is operators that nobody reads, as in the real function
    for found in (near, far):
        above = paddle.all(found > 0)
        if isinstance(found, Tensor) and not above:
            raise invalid_argument("distance_function", "distances above 0", found, api)
    return reduced(paddle.clip(near - far + margin, min=0.0), reduction, name)


def sigmoid_focal_loss(
    logit: Any,
    label: Any,
    normalizer: Any = None,
    alpha: float = 0.25,
    gamma: float = 2.0,
    reduction: str = "sum",
    name: str | None = None,
) -> Any:
    """Binary cross entropy that heeds hard samples more.

    Args:
        logit (Tensor): of any shape.
        label (Tensor): 0 or 1, of that shape.
        normalizer (Tensor): [1], what the loss is divided by.
        alpha (float): weight of the positive samples, 0 to 1.
        gamma (float): how much less easy samples count.
        reduction (str): "mean", "sum" or "none".
        name (str): kept.
    Returns:
        Tensor: the loss, without dimensions unless `reduction` is "none".
    Raises:
        ValueError: normalizer or reduction does not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> logit, label = paddle.to_tensor([[0.97, 0.91]]), paddle.to_tensor([[1.0, 0.0]])
        >>> round(paddle.nn.functional.sigmoid_focal_loss(logit, label, paddle.to_tensor([1.0])).item(), 4)
        0.482

    Follows Paddle 2.6.
    """
    api = "sigmoid_focal_loss"
    check_reduction(reduction, api)
    if normalizer is not None and len(normalizer.shape) > 1:
        raise invalid_argument("normalizer", "one dimension or none", list(normalizer.shape), api)
    if normalizer is not None:
        check_float(normalizer, api)
    F = paddle.nn.functional
    loss = F.binary_cross_entropy_with_logits(logit, label, reduction="none")
    chance = F.sigmoid(logit)
    right = chance * label + (1 - chance) * (1 - label)
    balance = alpha * label + (1 - alpha) * (1 - label)
    loss = paddle.multiply(balance, loss)
    loss = paddle.multiply(paddle.pow(1 - right, gamma), loss)
    if normalizer is not None:
        loss = paddle.divide(loss, normalizer)
    return reduced(loss, reduction, name)


@direct(
    "input label",
    "likelihood(input_, label_, reduction, ignore_index)",
    "weight is None and input_.dim() == 2 and label_.dim() == 1 and label_.dtype is torch.int64 and input_.dtype in FLOATS",
    kind="input_.dtype",
    likelihood=ops.likelihood,
)
def nll_loss(
    input: Any,
    label: Any,
    weight: Any = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    name: str | None = None,
) -> Any:
    """-input[label], the negative log likelihood.

    Args:
        input (Tensor): logarithms of probabilities, [N, classes, *].
        label (Tensor): class indices, [N, *].
        weight (Tensor): factors, one for each class.
        ignore_index (int): the label that does not count.
        reduction (str): "mean" (over what counts, by weight), "sum" or "none".
        name (str): prefix of the outputs' names.
    Returns:
        Tensor: the loss, without dimensions unless `reduction` is "none".
    Raises:
        ValueError: shapes or reduction do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> F = paddle.nn.functional
        >>> F.nll_loss(F.log_softmax(paddle.rand([2, 3])), paddle.to_tensor([0, 2])).shape
        []

    Follows Paddle 2.6.
    """
    check_reduction(reduction, "nll_loss")
    check_recorded("nll_loss", input=input)
    shape, rank = list(input.shape), len(input.shape)
    if rank - 1 != len(label.shape) and not (rank == 2 and list(label.shape)[1:] == [1]):
        raise invalid_argument("label", f"{rank - 1} dimensions", list(label.shape), "nll_loss")
    if rank < 2:
        raise invalid_argument("input", "two dimensions or more", shape, "nll_loss")
    if isinstance(label, Tensor) and dtype_name(label.dtype) != "int64":
        raise invalid_argument("label", "int64", dtype_name(label.dtype), "nll_loss")
    deep = rank not in (2, 4)
    if deep:
        input = paddle.reshape(input, shape=[shape[0], shape[1], 1, -1])
        label = paddle.reshape(label, shape=[shape[0], 1, -1])
    helper = helper_for("nll_loss", input, name)
    out, _ = ops.nll_loss(input, label, weight, ignore_index=ignore_index, reduction=reduction, _helper=helper)
    return paddle.reshape(out, shape=[shape[0], *shape[2:]]) if deep and reduction == "none" else out
