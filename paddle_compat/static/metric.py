"""`paddle.static`: accuracy and area under the curve, inside a Program."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import unique_name
from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.layer_helper import LayerHelper
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.nn.initializer import Constant
from paddle_compat.ops import metric as ops
from paddle_compat.ops.creation import fill_constant
from paddle_compat.ops.search import top_k_v2
from paddle_compat.static.nn._arguments import ALL_FLOATS, FLOATS, INTEGERS, need_variable, runs_now


def accuracy(input: Any, label: Any, k: Any = 1, correct: Variable | None = None, total: Variable | None = None) -> Any:
    """The share of samples whose label is among their `k` most likely classes.

    Args:
        input (Variable): scores, [N, classes].
        label (Variable): [N, 1], int64.
        k (int): how many classes count.
        correct (Variable): takes the number of those samples.
        total (Variable): takes the number of all.
    Returns:
        Variable: the share, float32, without dimensions.
    Raises:
        TypeError: `input` is no float Variable.
        ValueError: `label` has not two dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> score, label = paddle.static.data("score", [None, 10]), paddle.static.data("label", [None, 1], "int64")
        >>> paddle.static.accuracy(score, label, k=5).shape
        ()
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    if not isinstance(input, Tensor):
        need_variable(input, "input", "accuracy", ALL_FLOATS)
    if len(label.shape) != 2:
        raise invalid_argument("label", "the shape [N, 1]", list(label.shape), "accuracy")
    helper = LayerHelper("accuracy")
    values, indices = top_k_v2(input, k=k, sorted=False, _helper=helper)
    share, _, _ = ops.accuracy(values, indices, label, _helper=helper, _outputs=_given(Correct=correct, Total=total))
    return share


def _given(**outputs: Any) -> dict[str, Any] | None:
    return {slot: var for slot, var in outputs.items() if var is not None} or None


def _ones() -> Variable:
    """[[1.0]], under a name for which two numbers are taken."""
    unique_name.generate("fill_constant")
    attrs: dict[str, Any] = {
        "shape": [1, 1],
        "value": 1.0,
        "str_value": "1.0",
        "dtype": int(VarType.FP32),
        "force_cpu": False,
    }
    made: Variable = fill_constant(_helper="fill_constant", **attrs)
    made.stop_gradient = True
    return made


def auc(
    input: Variable,
    label: Variable,
    curve: str = "ROC",
    num_thresholds: int = 2**12 - 1,
    topk: int = 1,
    slide_steps: int = 1,
    ins_tag_weight: Variable | None = None,
) -> tuple[Variable, Variable, list[Variable]]:
    """The area under the ROC curve, of all batches and of the last ones.

    Args:
        input (Variable): [N, 2] probabilities, the second column that of the positive class.
        label (Variable): [N, 1], 0 or 1.
        curve (str): kept.
        num_thresholds (int): into how many parts scores from 0 to 1 divide.
        topk (int): kept.
        slide_steps (int): how many batches count as the last ones.
        ins_tag_weight (Variable): kept.
    Returns:
        tuple: the area over all batches, that over the last ones, and the four variables that count for them.
    Raises:
        TypeError: `input` is no float Variable, or `label` none of integers.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> score, label = paddle.static.data("score", [None, 2]), paddle.static.data("label", [None, 1], "int64")
        >>> auc, batch_auc, states = paddle.static.auc(score, label)
        >>> len(states)
        4
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    need_variable(input, "input", "auc", FLOATS)
    need_variable(label, "label", "auc", INTEGERS)
    helper = LayerHelper("auc")
    bins = num_thresholds + 1
    states = [
        helper.create_global_variable(persistable=True, dtype="int64", shape=shape)
        for shape in ([(1 + slide_steps) * bins + 1],) * 2 + ([1, bins],) * 2
    ]
    for state in states:
        helper.set_variable_initializer(state, Constant(0.0))
    options: dict[str, Any] = {"curve": curve, "num_thresholds": num_thresholds}
    if runs_now(input):
        total, *states[2:] = ops.auc(input, label, *states[2:], slide_steps=0, **options)
        last, *states[:2] = ops.auc(input, label, *states[:2], slide_steps=slide_steps, **options)
        return total, last, states
    if ins_tag_weight is None:
        _ones()  # which no operator reads, as in the real function
    areas = [helper.create_variable_for_type_inference("float64") for _ in range(2)]
    for area, (positive, negative), steps in ((areas[1], states[:2], slide_steps), (areas[0], states[2:], 0)):
        ops.auc(
            input,
            label,
            positive,
            negative,
            slide_steps=steps,
            **options,
            _helper=helper,
            _outputs={"AUC": area, "StatPosOut": positive, "StatNegOut": negative},
        )
        if steps == 0:
            positive.shape = negative.shape = (1, bins)
    return areas[0], areas[1], states


def ctr_metric_bundle(input: Variable, label: Variable, ins_tag_weight: Variable | None = None) -> tuple[Variable, ...]:
    """Sums from which the metrics of click-through models are made: errors, predictions and clicks of all batches.

    Args:
        input (Variable): the predicted chances [N, 1].
        label (Variable): [N, 1], 0 or 1.
        ins_tag_weight (Variable): the first one weighs the batch's counts; None: 1.
    Returns:
        tuple: persistable Variables with the sums of squared errors, of absolute errors, of predictions, of sigmoids
        of predictions, of clicks, and the number of samples.
    Raises:
        AssertionError: `input` and `label` have different shapes.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> chance, label = paddle.static.data("chance", [None, 1]), paddle.static.data("label", [None, 1], "int64")
        >>> len(paddle.static.ctr_metric_bundle(chance, label))
        6
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    weight = _ones() if ins_tag_weight is None else ins_tag_weight
    assert input.shape == label.shape, (
        f"Invalid value for argument `label` of `ctr_metric_bundle`. Expected the shape {list(input.shape)}. Received: {list(label.shape)}"
    )
    return sums_of_clicks(LayerHelper("ctr_metric_bundle"), input, label, weight, Constant(0.0))


def sums_of_clicks(helper: Any, input: Variable, label: Variable, weight: Variable | None, zero: Any) -> tuple[Variable, ...]:
    """What `ctr_metric_bundle` records; without a `weight`, as in 1.8, nothing is multiplied. `zero` initializes the sums."""

    def variables(persistable: bool, shape: list[int], *names: str) -> dict[str, Variable]:
        make = helper.create_global_variable
        return {n: make(persistable=persistable, dtype="float32", shape=shape, name=None) for n in names}

    total = variables(True, [1], "absolute", "squared", "predicted", "sigmoid", "clicks", "samples")
    each = variables(False, [-1], "error", "sigmoid", "ones")
    batch = variables(False, [1], "predicted", "absolute", "squared", "sigmoid", "clicks", "samples")
    for name in ("absolute", "squared", "predicted", "sigmoid"):
        for state in (total[name], batch[name]):
            helper.set_variable_initializer(state, zero)
    for state in (batch["clicks"], batch["samples"], total["clicks"], total["samples"]):
        helper.set_variable_initializer(state, zero)

    def append(type_: str, x: Any, out: Variable, y: Any = None, **attrs: Any) -> None:
        inputs = {"Input" if type_ in ("slice", "fill_constant_batch_size_like") else "X": x}
        if y is not None:
            inputs["Y"] = y
        helper.append_op(type=type_, inputs=inputs, outputs={"Out": out}, attrs=attrs)

    def add(name: str) -> None:
        append("elementwise_add", batch[name], total[name], total[name])

    append("elementwise_sub", input, each["error"], label)
    append("squared_l2_norm", each["error"], batch["squared"])
    add("squared")
    append("l1_norm", each["error"], batch["absolute"])
    add("absolute")
    append("reduce_sum", input, batch["predicted"], dim=[0])
    add("predicted")
    append("sigmoid", input, each["sigmoid"])
    append("reduce_sum", each["sigmoid"], batch["sigmoid"], dim=[0])
    if weight is None:
        add("sigmoid")
    append("reduce_sum", label, batch["clicks"], dim=[0])
    add("clicks")
    ones = {"shape": [-1, 1], "dtype": int(VarType.FP32), "value": 1.0}
    append("fill_constant_batch_size_like", label, each["ones"], **ones)
    append("reduce_sum", each["ones"], batch["samples"], dim=[0])
    if weight is None:
        add("samples")
    else:
        append("slice", weight, weight, axes=[0], starts=[0], ends=[1])
    for name in ("samples", "sigmoid") if weight is not None else ():
        append("elementwise_mul", batch[name], batch[name], weight, axis=0)
        add(name)
        total[name].shape = batch[name].shape
    return tuple(total[n] for n in ("squared", "absolute", "predicted", "sigmoid", "clicks", "samples"))


__all__ = ["accuracy", "auc", "ctr_metric_bundle"]

__getattr__ = missing(__name__)
