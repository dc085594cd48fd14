"""`paddle.static.nn`: the loss of classifiers with very many classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.layer_helper import LayerHelper
from paddle_compat.core.param_attr import ParamAttr
from paddle_compat.core.variable import Variable
from paddle_compat.nn.initializer import Assign
from paddle_compat.ops import nce as ops
from paddle_compat.static.nn._arguments import FLOATS, need_variable, static_only

SAMPLERS = {"uniform": ops.UNIFORM, "log_uniform": ops.LOG_UNIFORM, "custom_dist": ops.CUSTOM}


def nce(
    input: Variable,
    label: Variable,
    num_total_classes: int,
    sample_weight: Variable | None = None,
    param_attr: Any = None,
    bias_attr: Any = None,
    num_neg_samples: int | None = None,
    name: str | None = None,
    sampler: str = "uniform",
    custom_dist: Any = None,
    seed: int = 0,
    is_sparse: bool = False,
) -> Variable:
    """Noise contrastive estimation: the cost of telling the true classes from some drawn by chance.

    Args:
        input (Variable): features [N, D].
        label (Variable): the true classes [N, true classes], int64.
        num_total_classes (int): how many classes there are, C.
        sample_weight (Variable): a weight for each sample, [N, 1].
        param_attr (ParamAttr): of the weight [C, D].
        bias_attr (ParamAttr): of the bias [C, 1]; False for none.
        num_neg_samples (int): how many classes are drawn for each sample, 10 by default.
        name (str): prefix of the names.
        sampler (str): "uniform", "log_uniform" (frequent classes come first) or "custom_dist".
        custom_dist (list): the classes' probabilities, for "custom_dist".
        seed (int): of the drawing; 0: different ones on every run, whatever `paddle.seed` says.
        is_sparse (bool): the weight's gradient holds only the rows of classes that took part.
    Returns:
        Variable: the costs [N, 1].
    Raises:
        TypeError: input or label is no Variable of its type.
        ValueError: there is no such sampler.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x, label = paddle.static.data("x", [None, 8]), paddle.static.data("label", [None, 1], "int64")
        >>> paddle.static.nn.nce(x, label, num_total_classes=20, num_neg_samples=5).shape
        (-1, 1)
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    static_only("nce")
    need_variable(input, "input", "nce", FLOATS)
    need_variable(label, "label", "nce", ("int64",))
    if sampler not in SAMPLERS:
        raise invalid_argument("sampler", " or ".join(map(repr, SAMPLERS)), sampler, "nce")
    helper = LayerHelper("nce", param_attr=param_attr, bias_attr=bias_attr, name=name)
    weight = helper.create_parameter(helper.param_attr, [num_total_classes, input.shape[1]], input.dtype)
    bias = helper.create_parameter(helper.bias_attr, [num_total_classes, 1], input.dtype, is_bias=True)
    outputs = {
        slot: helper.create_variable_for_type_inference(dtype)
        for slot, dtype in (("Cost", input.dtype), ("SampleLogits", input.dtype), ("SampleLabels", label.dtype))
    }
    tables: list[Any] = []
    if sampler == "custom_dist":
        assert custom_dist is not None, (
            "Invalid value for argument `custom_dist` of `nce`. Expected the classes' probabilities. Received: None"
        )
        for table in ops.alias_table(custom_dist, num_total_classes):
            dtype = VarType.INT32 if table.dtype == np.int32 else VarType.FP32
            made = helper.create_parameter(ParamAttr(), table.shape, dtype, default_initializer=Assign(table))
            made.stop_gradient = True
            tables.append(made)
    drawn = 10 if num_neg_samples is None else int(num_neg_samples)
    cost, _, _ = ops.nce(
        input,
        label,
        weight,
        bias,
        sample_weight,
        *tables,
        num_total_classes=int(num_total_classes),
        num_neg_samples=drawn,
        seed=seed,
        sampler=SAMPLERS[sampler],
        is_sparse=is_sparse,
        # as the real layer: a table that lives on servers is asked for the rows ahead of the step
        remote_prefetch=is_sparse,
        _helper=helper,
        _outputs=outputs,
    )
    return cost / (drawn + 1)
