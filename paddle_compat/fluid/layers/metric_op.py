"""`fluid.layers.metric_op`: accuracy and the area under the curve."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.initializer import ConstantInitializer
from paddle_compat.fluid.layer_helper import LayerHelper
from paddle_compat.fluid.layers._record import is_variable, layer, run, temporaries


@layer
def accuracy(input: Variable, label: Variable, k: int = 1, correct: Variable | None = None, total: Variable | None = None) -> Variable:
    """The share of instances whose label is among the k categories of the highest chance.

    Args:
        input: [N, categories], floating.
        label: int64 [N, 1].
        k: see above, an int or an int32 Variable [1].
        correct, total: Variables to write the counts to.
    Returns:
        Variable float32 [1].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x, y = fluid.data("x", [None, 10]), fluid.data("y", [None, 1], "int64")
        ...     fluid.layers.accuracy(fluid.layers.softmax(x), y).shape
        (1,)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("accuracy")
    values, indices = run("top_k", input, k) if is_variable(k) else run("top_k", input, k=k)
    values.stop_gradient = indices.stop_gradient = True
    given = {slot: value for slot, value in (("Correct", correct), ("Total", total)) if value is not None}
    made = temporaries(helper, "Accuracy", *(slot for slot in ("Correct", "Total") if slot not in given))
    outputs = {**(made or {}), **given} or None
    return run("accuracy", values, indices, label, helper=helper, outputs=outputs)[0]


@layer
def auc(
    input: Variable, label: Variable, curve: str = "ROC", num_thresholds: int = 2**12 - 1, topk: int = 1, slide_steps: int = 1,
    ins_tag_weight: Any = None,
) -> tuple[Variable, Variable, list[Variable]]:
    """The area under the curve, of all batches so far and of the last few.

    Args:
        input: [N, 2], float32 or float64; the second column is the chance of a hit.
        label: int32 or int64 [N, 1].
        curve: "ROC" or "PR".
        num_thresholds: how many buckets of chances there are.
        topk: kept.
        slide_steps: how many batches count in the second area.
        ins_tag_weight: kept.
    Returns:
        Both areas, float64 [1], and the four counters: of the last batches hits and misses, of all batches hits and misses.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     x, y = fluid.data("x", [None, 2]), fluid.data("y", [None, 1], "int64")
        ...     area, batch_area, states = fluid.layers.auc(fluid.layers.softmax(x), y)
        ...     [state.name for state in states]
        ['_generated_var_0', '_generated_var_1', '_generated_var_2', '_generated_var_3']

    Follows Paddle 1.8.
    """
    helper = LayerHelper("auc")
    outputs = [temporaries(helper, "AUC") for _ in range(2)]
    buckets = num_thresholds + 1
    # of the last batches one row of buckets each, their sum, and how many there were; of all batches one row
    shapes = [[(1 + slide_steps) * buckets + 1]] * 2 + [[1, buckets]] * 2
    counters = [helper.create_global_variable(persistable=True, dtype="int64", shape=shape, name=None) for shape in shapes]
    for counter in counters:
        helper.set_variable_initializer(counter, ConstantInitializer(0.0, force_cpu=False))
    found = []
    for given, (hits, misses), steps in ((outputs[1], counters[:2], slide_steps), (outputs[0], counters[2:], 0)):
        slots = {**(given or {}), "StatPosOut": hits, "StatNegOut": misses}
        attrs: dict[str, Any] = {"curve": curve, "num_thresholds": num_thresholds, "slide_steps": steps}
        found.append(run("auc", input, label, hits, misses, helper=helper, outputs=slots, **attrs)[0])
    return found[1], found[0], counters


__all__ = ["accuracy", "auc"]

__getattr__ = missing(__name__)
