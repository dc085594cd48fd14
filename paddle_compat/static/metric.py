"""`paddle.static`: accuracy and area under the curve, inside a Program."""

from __future__ import annotations

from typing import Any

from paddle_compat.core import unique_name
from paddle_compat.core.dtype import VarType
from paddle_compat.core.layer_helper import LayerHelper
from paddle_compat.core.variable import Variable
from paddle_compat.nn.initializer import Constant
from paddle_compat.ops import metric as ops
from paddle_compat.ops.creation import fill_constant
from paddle_compat.ops.search import top_k_v2
from paddle_compat.static.nn._arguments import need_variable


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

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> score, label = paddle.static.data("score", [None, 10]), paddle.static.data("label", [None, 1], "int64")
        >>> paddle.static.accuracy(score, label, k=5).shape
        ()
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    if isinstance(input, Variable):
        need_variable(input, "input", "accuracy", ("float16", "uint16", "bfloat16", "float32", "float64"))
    helper = LayerHelper("accuracy")
    values, indices = top_k_v2(input, k=k, sorted=False, _helper=helper)
    share, _, _ = ops.accuracy(values, indices, label, _helper=helper, _outputs=_given(Correct=correct, Total=total))
    return share


def _given(**outputs: Any) -> dict[str, Any] | None:
    return {slot: var for slot, var in outputs.items() if var is not None} or None


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
        TypeError: `input` is no float Variable.

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
    need_variable(input, "input", "auc", ("float32", "float64"))
    helper = LayerHelper("auc")
    if ins_tag_weight is None:
        # the real function makes weights that no operator reads, and takes two names for them
        unique_name.generate("fill_constant")
        weight = fill_constant(
            shape=[1, 1], value=1.0, str_value="1.0", dtype=int(VarType.FP32), force_cpu=False, _helper="fill_constant"
        )
        weight.stop_gradient = True
    areas = [helper.create_variable_for_type_inference("float64") for _ in range(2)]
    bins = num_thresholds + 1
    block = helper.main_program.global_block()
    states = [
        block.create_var(persistable=True, dtype="int64", shape=shape)
        for shape in ([(1 + slide_steps) * bins + 1],) * 2 + ([1, bins],) * 2
    ]
    for state in states:
        helper.set_variable_initializer(state, Constant(0.0))
    for area, (positive, negative), steps in ((areas[1], states[:2], slide_steps), (areas[0], states[2:], 0)):
        ops.auc(
            input,
            label,
            positive,
            negative,
            curve=curve,
            num_thresholds=num_thresholds,
            slide_steps=steps,
            _helper=helper,
            _outputs={"AUC": area, "StatPosOut": positive, "StatNegOut": negative},
        )
    return areas[0], areas[1], states


__all__ = ["accuracy", "auc"]
