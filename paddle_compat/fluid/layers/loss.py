"""`fluid.layers.loss`: losses."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import type_error
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.layer_helper import LayerHelper
from paddle_compat.fluid.layers._index import one_hot
from paddle_compat.fluid.layers._math import matmul, reduce_mean, reduce_sum
from paddle_compat.fluid.layers._record import layer, run, temporaries, unnamed
from paddle_compat.fluid.layers._reshape import expand, reshape, transpose
from paddle_compat.fluid.layers._sampled import hsigmoid, nce, sampled_softmax_with_cross_entropy
from paddle_compat.fluid.layers._structured import edit_distance, warpctc
from paddle_compat.fluid.layers.ops import square

_IGNORED = -100


@layer
def cross_entropy(input: Variable, label: Variable, soft_label: bool = False, ignore_index: int = _IGNORED) -> Variable:
    """Cross entropy of chances.

    Args:
        input: [..., categories], floating chances.
        label: int64 [..., 1], or with soft_label chances of the shape of `input`.
        soft_label: see label.
        ignore_index: a label that counts 0.
    Returns:
        Variable [..., 1].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x, y = fluid.data("x", [None, 10]), fluid.data("y", [None, 1], "int64")
        ...     fluid.layers.cross_entropy(fluid.layers.softmax(x), y).shape
        (-1, 1)

    Follows Paddle 1.8.
    """
    if soft_label:
        return run("cross_entropy", input, label, soft_label=True, ignore_index=ignore_index)
    return cross_entropy2(input, label, ignore_index)


def cross_entropy2(input: Variable, label: Variable, ignore_index: int = -100) -> Variable:
    """Cross entropy of chances and labels, by the operator that `cross_entropy` takes for labels.

    Args:
        input: [..., categories], floating chances.
        label: int64 [..., 1].
        ignore_index: a label that counts 0.
    Returns:
        Variable [..., 1].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x, y = fluid.data("x", [None, 10]), fluid.data("y", [None, 1], "int64")
        ...     fluid.layers.loss.cross_entropy2(x, y).shape
        (-1, 1)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("cross_entropy2")
    outputs = temporaries(helper, "Y", "XShape", "MatchX")
    return run("cross_entropy2", input, label, helper=helper, outputs=outputs, ignore_index=ignore_index)[0]


@layer
def softmax_with_cross_entropy(
    logits: Variable,
    label: Variable,
    soft_label: bool = False,
    ignore_index: int = _IGNORED,
    numeric_stable_mode: bool = True,
    return_softmax: bool = False,
    axis: int = -1,
) -> Any:
    """Softmax, and its cross entropy.

    Args:
        logits: a floating Variable.
        label: int64, of size 1 in dimension `axis`; or with soft_label chances of the shape of `logits`.
        soft_label: see label.
        ignore_index: a label that counts 0.
        numeric_stable_mode: kept; it is always so.
        return_softmax: the softmax, too.
        axis: the categories' dimension.
    Returns:
        Variable of size 1 in dimension `axis`; with return_softmax a pair with the softmax.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x, y = fluid.data("x", [None, 10]), fluid.data("y", [None, 1], "int64")
        ...     fluid.layers.softmax_with_cross_entropy(x, y).shape
        (-1, 1)

    Follows Paddle 1.8.
    """
    softmax, loss = run(
        "softmax_with_cross_entropy", logits, label, soft_label=soft_label, ignore_index=ignore_index,
        numeric_stable_mode=numeric_stable_mode, axis=axis,
    )  # fmt: skip
    return (loss, softmax) if return_softmax else loss


@layer
def square_error_cost(input: Variable, label: Variable) -> Variable:
    """(input - label) squared, element by element.

    Args:
        input, label: float32 or float64.
    Returns:
        Variable of the shape of `input`.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.square_error_cost(fluid.data("x", [None, 1]), fluid.data("y", [None, 1])).shape
        (-1, 1)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("square_error_cost")
    return run("square", run("elementwise_sub", input, label, helper=helper), helper=helper)


@layer
def mse_loss(input: Variable, label: Variable) -> Variable:
    """The mean of (input - label) squared.

    Args:
        input, label: float32 or float64.
    Returns:
        Variable (1,).

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.mse_loss(fluid.data("x", [None, 1]), fluid.data("y", [None, 1])).shape
        (1,)

    Follows Paddle 1.8.
    """
    return reduce_mean(square_error_cost(input, label))


@layer
def sigmoid_cross_entropy_with_logits(
    x: Variable, label: Variable, ignore_index: int = _IGNORED, name: str | None = None, normalize: bool = False
) -> Variable:
    """Cross entropy of sigmoids, element by element.

    Args:
        x: a floating Variable.
        label: chances, of the shape of x.
        ignore_index: a label that counts 0.
        name: the layer's name.
        normalize: divide by the number of labels that count.
    Returns:
        Variable of the shape of x.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.sigmoid_cross_entropy_with_logits(fluid.data("x", [None, 3]), fluid.data("y", [None, 3])).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    return run("sigmoid_cross_entropy_with_logits", x, label, name=name, ignore_index=ignore_index, normalize=normalize)


@layer
def smooth_l1(
    x: Variable, y: Variable, inside_weight: Variable | None = None, outside_weight: Variable | None = None, sigma: float | None = None
) -> Variable:
    """Squared error near 0, absolute error beyond, summed over each row.

    Args:
        x, y: float32 or float64.
        inside_weight: factors of x - y.
        outside_weight: factors of the errors.
        sigma: the bound is 1 / sigma^2; None stands for 1.
    Returns:
        Variable [N, 1].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.smooth_l1(fluid.data("x", [None, 3]), fluid.data("y", [None, 3])).shape
        (-1, 1)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("smooth_l1_loss")
    outputs = temporaries(helper, "Diff", "Out")
    return run("smooth_l1_loss", x, y, inside_weight, outside_weight, helper=helper, outputs=outputs, sigma=1.0 if sigma is None else sigma)


@layer
def huber_loss(input: Variable, label: Variable, delta: float) -> Variable:
    """Half the squared error up to `delta`, linear beyond, element by element.

    Args:
        input, label: float32 or float64.
        delta: the bound.
    Returns:
        Variable of the shape of `input`.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.huber_loss(fluid.data("x", [None, 1]), fluid.data("y", [None, 1]), 1.0).shape
        (-1, 1)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("huber_loss")
    return run("huber_loss", input, label, helper=helper, outputs=temporaries(helper, "Residual", "Out"), delta=delta)


@layer
def log_loss(input: Variable, label: Variable, epsilon: float = 1e-4, name: str | None = None) -> Variable:
    """Cross entropy of chances of two categories, element by element.

    Args:
        input: chances, float32 [N, 1].
        label: 0 or 1, float32 [N, 1].
        epsilon: is added inside the logarithms.
        name: the layer's name.
    Returns:
        Variable [N, 1].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.log_loss(fluid.data("x", [None, 1]), fluid.data("y", [None, 1])).shape
        (-1, 1)

    Follows Paddle 1.8.
    """
    return run("log_loss", input, label, name=name, epsilon=epsilon)


@layer
def kldiv_loss(x: Variable, target: Variable, reduction: str = "mean", name: str | None = None) -> Variable:
    """How far a distribution is from another (Kullback and Leibler).

    Args:
        x: logarithms of chances, float32 or float64.
        target: chances, of the same shape.
        reduction: "mean", "sum", "batchmean" or "none".
        name: the layer's name.
    Returns:
        Variable (1,), or of the shape of x.
    Raises:
        TypeError: reduction is no str.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.kldiv_loss(fluid.data("x", [None, 3]), fluid.data("y", [None, 3])).shape
        (1,)

    Follows Paddle 1.8.
    """
    if not isinstance(reduction, str):
        raise type_error("reduction", "str", reduction, "kldiv_loss")
    return run("kldiv_loss", x, target, name=name, reduction=reduction)


@layer
def rank_loss(label: Variable, left: Variable, right: Variable, name: str | None = None) -> Variable:
    """How badly two scores are ranked.

    Args:
        label: 1 where the left one belongs higher, else 0; float32 [N, 1].
        left, right: the scores, float32 [N, 1].
        name: the layer's name.
    Returns:
        Variable [N, 1].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     label, left, right = (fluid.data(name, [None, 1]) for name in "abc")
        ...     fluid.layers.rank_loss(label, left, right).shape
        (-1, 1)

    Follows Paddle 1.8.
    """
    return run("rank_loss", label, left, right, name=name)


@layer
def margin_rank_loss(
    label: Variable, left: Variable, right: Variable, margin: float = 0.1, name: str | None = None
) -> Variable:
    """How far two scores are from being ranked with a margin.

    Args:
        label: 1 where the left one belongs higher, else -1; float32 [N, 1].
        left, right: the scores, [N, 1].
        margin: the margin.
        name: the layer's name.
    Returns:
        Variable [N, 1].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     label, left, right = (fluid.data(name, [None, 1]) for name in "abc")
        ...     fluid.layers.margin_rank_loss(label, left, right).shape
        (-1, 1)

    Follows Paddle 1.8.
    """
    return run("margin_rank_loss", left, right, label, name=name, margin=margin)


@layer
def bpr_loss(input: Variable, label: Variable, name: str | None = None) -> Variable:
    """Bayesian personalized ranking: how much higher the labelled score is than the others.

    Args:
        input: scores [N, categories], floating.
        label: int64 [N, 1].
        name: the layer's name.
    Returns:
        Variable [N, 1].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.bpr_loss(fluid.data("x", [None, 10]), fluid.data("y", [None, 1], "int64")).shape
        (-1, 1)

    Follows Paddle 1.8.
    """
    return run("bpr_loss", input, label, name=name)


@layer
def teacher_student_sigmoid_loss(
    input: Variable, label: Variable, soft_max_up_bound: float = 15.0, soft_max_lower_bound: float = -15.0
) -> Variable:
    """Cross entropy with a click and, where there is one, with the teacher's score.

    Args:
        input: [N, 1], float32 or float64.
        label: [N, 1]: -2 no click, -1 a click, up to 1 the teacher's score, above 1 a click and 1 plus the score.
        soft_max_up_bound, soft_max_lower_bound: bounds of `input`, for the gradient.
    Returns:
        Variable [N, 1].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.teacher_student_sigmoid_loss(fluid.data("x", [None, 1]), fluid.data("y", [None, 1])).shape
        (-1, 1)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("teacher_student_sigmoid_loss")
    return run(
        "teacher_student_sigmoid_loss", input, label, helper=helper, outputs=unnamed(helper, "Y", dtype=input.dtype),
        soft_max_lower_bound=float(soft_max_lower_bound), soft_max_up_bound=float(soft_max_up_bound),
    )  # fmt: skip


@layer
def label_smooth(
    label: Variable, prior_dist: Variable | None = None, epsilon: float = 0.1, dtype: Any = "float32", name: str | None = None
) -> Variable:
    """(1 - epsilon) times the label, plus epsilon times a prior distribution.

    Args:
        label: chances [N, categories], float32 or float64.
        prior_dist: [1, categories]; None: equal chances.
        epsilon: between 0 and 1.
        dtype: kept.
        name: the layer's name.
    Returns:
        Variable of the shape of `label`.
    Raises:
        ValueError: epsilon lies outside.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.label_smooth(fluid.data("y", [None, 10]), epsilon=0.1).shape
        (-1, 10)

    Follows Paddle 1.8.
    """
    if epsilon > 1.0 or epsilon < 0.0:
        raise ValueError(f"Invalid value for argument `epsilon` of `label_smooth`. Expected 0 to 1. Received: {epsilon}")
    if isinstance(label, Variable):
        label.stop_gradient = True  # as the wheel does, in Programs: labels are not learned
    return run("label_smooth", label, prior_dist, name=name, epsilon=float(epsilon))


@layer
def dice_loss(input: Variable, label: Variable, epsilon: float = 0.00001, name: str | None = None) -> Variable:
    """1 minus the overlap of two segmentations.

    Args:
        input: chances [N, ..., categories], float32 or float64.
        label: int32 or int64 [N, ..., 1].
        epsilon: keeps from division by 0.
        name: kept, as in Paddle 1.8.
    Returns:
        Variable (1,).

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x, y = fluid.data("x", [3, 8, 2]), fluid.data("y", [3, 8, 1], "int64")
        ...     fluid.layers.dice_loss(fluid.layers.softmax(x), y).shape
        (1,)

    Follows Paddle 1.8.
    """
    dims = list(range(1, len(input.shape)))
    label = one_hot(label, depth=input.shape[-1])
    overlap = reduce_sum(input * label, dim=dims)
    both = reduce_sum(input, dim=dims) + reduce_sum(label, dim=dims)
    return reduce_mean(1 - overlap * 2 / (both + epsilon))


@layer
def npair_loss(anchor: Variable, positive: Variable, labels: Variable, l2_reg: float = 0.002) -> Variable:
    """How much nearer embeddings of one label are to each other than to those of other labels.

    Args:
        anchor, positive: [N, D], float32 or float64.
        labels: [N], float32, float64 or int64.
        l2_reg: weight of the embeddings' lengths.
    Returns:
        Variable (1,).

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     a, p, y = fluid.data("a", [18, 6]), fluid.data("p", [18, 6]), fluid.data("y", [18])
        ...     fluid.layers.npair_loss(a, p, y).shape
        (1,)

    Follows Paddle 1.8.
    """
    size = labels.shape[0]
    labels = expand(reshape(labels, shape=[size, 1], inplace=True), expand_times=[1, size])
    same = run("equal", labels, transpose(labels, perm=[1, 0]), stop=True).astype("float32")
    chances = same / reduce_sum(same, dim=1, keep_dim=True)
    length = reduce_mean(reduce_sum(square(anchor), 1)) + reduce_mean(reduce_sum(square(positive), 1))
    penalty = length * 0.25 * l2_reg
    similarity = matmul(anchor, positive, transpose_x=False, transpose_y=True)
    entropy = softmax_with_cross_entropy(logits=similarity, label=chances, soft_label=True)
    return penalty + reduce_mean(reduce_sum(chances * entropy, 0))


@layer
def center_loss(
    input: Variable, label: Variable, num_classes: int, alpha: Any, param_attr: Any, update_center: bool = True
) -> Variable:
    """Half the squared distance of features to the centre of their category, which moves along.

    Args:
        input: [N, D], float32 or float64.
        label: int64 [N, 1].
        num_classes: how many categories.
        alpha: how fast the centres move, a number or a Variable of one element.
        param_attr: ParamAttr of the centres [num_classes, D].
        update_center: whether they move.
    Returns:
        Variable [N, 1].
    Raises:
        TypeError: alpha is neither a float nor a Variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     x, y = fluid.data("x", [20, 30]), fluid.data("y", [20, 1], "int64")
        ...     fluid.layers.center_loss(x, y, 100, 0.1, fluid.ParamAttr(name="centers")).shape
        (20, 1)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("center_loss", param_attr=param_attr)
    centers = helper.create_parameter(helper.param_attr, [num_classes, input.shape[1]], input.dtype)
    centers.stop_gradient = True
    if isinstance(alpha, Variable):
        rate = alpha
    elif isinstance(alpha, float):
        rate = helper.create_variable(name="centerloss_alpha", shape=[1], dtype="float32", persistable=True, stop_gradient=True)
        helper.main_program.current_block()._prepend_op(
            type="fill_constant", outputs={"Out": [rate]}, attrs={"shape": [1], "dtype": int(VarType.FP32), "value": alpha}
        )
    else:
        raise type_error("alpha", "float or Variable", alpha, "center_loss")
    outputs = temporaries(helper, "SampleCenterDiff", "Loss")
    found = run(
        "center_loss", input, label, centers, rate, helper=helper, outputs={**(outputs or {}), "CentersOut": centers},
        cluster_num=num_classes, need_update=update_center,
    )  # fmt: skip
    return found[2]


__all__ = [
    "bpr_loss", "center_loss", "cross_entropy", "dice_loss", "edit_distance", "hsigmoid", "huber_loss", "kldiv_loss", "label_smooth",
    "log_loss", "margin_rank_loss", "mse_loss", "nce", "npair_loss", "rank_loss", "sampled_softmax_with_cross_entropy",
    "sigmoid_cross_entropy_with_logits", "smooth_l1", "softmax_with_cross_entropy", "square_error_cost", "teacher_student_sigmoid_loss",
    "warpctc",
]  # fmt: skip

__getattr__ = missing(__name__)
