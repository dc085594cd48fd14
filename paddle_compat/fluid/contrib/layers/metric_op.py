"""`paddle.fluid.contrib.layers.metric_op`: sums that metrics of click-through models are made from."""

from __future__ import annotations

from paddle_compat._missing import missing
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.initializer import ConstantInitializer
from paddle_compat.fluid.layer_helper import LayerHelper
from paddle_compat.static.metric import sums_of_clicks


def ctr_metric_bundle(input: Variable, label: Variable, ins_tag_weight: Variable | None = None) -> tuple[Variable, ...]:
    """Sums from which the metrics of click-through models are made: errors, predictions and clicks of all batches.

    Args:
        input: the predicted chances [N, 1].
        label: [N, 1], 0 or 1, in the data type of input.
        ins_tag_weight: the first one weighs the batch's counts, as in Paddle 2; None: 1.
    Returns:
        Persistable Variables [1] with the sums of squared errors, of absolute errors, of predictions, of sigmoids
        of predictions, of clicks, and the number of samples.
    Raises:
        AssertionError: `input` and `label` have different shapes.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     chance, label = fluid.data("chance", [None, 1]), fluid.data("label", [None, 1])
        ...     [sums.shape for sums in fluid.contrib.layers.ctr_metric_bundle(chance, label)][:2]
        [(1,), (1,)]

    Follows Paddle 1.8.
    """
    assert input.shape == label.shape, (
        f"Invalid value for argument `label` of `ctr_metric_bundle`. Expected the shape {list(input.shape)}. Received: {list(label.shape)}"
    )
    return sums_of_clicks(LayerHelper("ctr_metric_bundle"), input, label, ins_tag_weight, ConstantInitializer(0.0, force_cpu=True))


__all__ = ["ctr_metric_bundle"]

__getattr__ = missing(__name__)
