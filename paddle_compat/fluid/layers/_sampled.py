"""`fluid.layers.loss`: classifiers over very many categories."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat.core.errors import type_error
from paddle_compat.core.param_attr import ParamAttr
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.initializer import NumpyArrayInitializer
from paddle_compat.fluid.layer_helper import LayerHelper
from paddle_compat.fluid.layers._record import is_variable, layer, run, temporaries
from paddle_compat.ops.nce import alias_table

_SAMPLERS = {"uniform": 0, "log_uniform": 1, "custom_dist": 2}


@layer
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
    """Noise-contrastive estimation: telling the true categories from a few drawn ones.

    Args:
        input: [N, D], float32 or float64.
        label: int64 [N, true categories].
        num_total_classes: how many categories.
        sample_weight: [N, 1], the weight of each instance.
        param_attr: ParamAttr of the weights [num_total_classes, D].
        bias_attr: ParamAttr of the bias [num_total_classes, 1], or False for none.
        num_neg_samples: how many are drawn; None: 10.
        name: the layer's name.
        sampler: "uniform", "log_uniform" or "custom_dist".
        custom_dist: the chance of each category, for "custom_dist".
        seed: of the drawing; 0: any.
        is_sparse: the gradients are SelectedRows.
    Returns:
        Variable [N, 1].
    Raises:
        Exception: there is no such sampler.
        AssertionError: the sampler is "custom_dist", and there is none.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     x, y = fluid.data("x", [None, 32]), fluid.data("y", [None, 1], "int64")
        ...     fluid.layers.nce(x, y, num_total_classes=100).shape
        (-1, 1)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("nce", param_attr=param_attr, bias_attr=bias_attr, name=name)
    if sampler not in _SAMPLERS:
        raise Exception(
            f"Invalid value for argument `sampler` of `nce`. Expected {', '.join(map(repr, _SAMPLERS))}. Received: {sampler!r}"
        )
    weight = helper.create_parameter(helper.param_attr, [num_total_classes, input.shape[1]], input.dtype)
    bias = None
    if helper.bias_attr:
        bias = helper.create_parameter(helper.bias_attr, [num_total_classes, 1], input.dtype, is_bias=True)
    outputs = temporaries(helper, "Cost", "SampleLogits", "SampleLabels")
    tables: list[Any] = [None] * 3
    if sampler == "custom_dist":
        if custom_dist is None:
            raise AssertionError("Invalid value for argument `custom_dist` of `nce`. Expected chances, for this sampler. Received: None")
        tables = [_table(helper, array) for array in alias_table(custom_dist, num_total_classes)]
    count = 10 if num_neg_samples is None else int(num_neg_samples)
    cost = run(
        "nce", input, label, weight, bias, sample_weight, *tables, helper=helper, outputs=outputs,
        num_total_classes=int(num_total_classes), num_neg_samples=count, seed=seed, sampler=_SAMPLERS[sampler], is_sparse=is_sparse,
        remote_prefetch=is_sparse,
    )[0]  # fmt: skip
    return cost / (count + 1)


def _table(helper: LayerHelper, array: np.ndarray) -> Any:
    found = helper.create_parameter(ParamAttr(), array.shape, array.dtype, default_initializer=NumpyArrayInitializer(array))
    found.stop_gradient = True
    return found


@layer
def hsigmoid(
    input: Variable,
    label: Variable,
    num_classes: int | None,
    param_attr: Any = None,
    bias_attr: Any = None,
    name: str | None = None,
    path_table: Variable | None = None,
    path_code: Variable | None = None,
    is_custom: bool = False,
    is_sparse: bool = False,
) -> Variable:
    """Hierarchical sigmoid: the binary decisions on the way down a tree of categories.

    Args:
        input: [N, D], float32 or float64.
        label: int64 [N, 1].
        num_classes: how many categories; with is_custom how many inner nodes.
        param_attr: ParamAttr of the weights of the inner nodes.
        bias_attr: ParamAttr of the bias, or False for none.
        name: the layer's name.
        path_table: int64 [N, depth], the inner nodes on the way; with is_custom.
        path_code: int64 [N, depth], the decisions; with is_custom.
        is_custom: the tree is not the complete binary one.
        is_sparse: the gradients are SelectedRows; with is_custom.
    Returns:
        Variable [N, 1].
    Raises:
        ValueError: an argument is missing.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     x, y = fluid.data("x", [None, 2]), fluid.data("y", [None, 1], "int64")
        ...     fluid.layers.hsigmoid(x, y, num_classes=6).shape
        (-1, 1)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("hierarchical_sigmoid", param_attr=param_attr, bias_attr=bias_attr, name=name)
    if not is_custom and (num_classes is None or num_classes < 2):
        raise ValueError(f"Invalid value for argument `num_classes` of `hsigmoid`. Expected at least 2. Received: {num_classes}")
    if is_custom:
        for argument, value in (("path_code", path_code), ("path_table", path_table), ("num_classes", num_classes)):
            if value is None:
                raise ValueError(
                    f"Invalid value for argument `{argument}` of `hsigmoid`. Expected one, when is_custom is True. "
                    "Received: None"
                )
    assert num_classes is not None
    num_classes = int(num_classes)
    nodes = num_classes if is_custom else num_classes - 1
    outputs = temporaries(helper, "Out", "PreOut")
    weight = helper.create_parameter(helper.param_attr, [nodes, input.shape[1]], input.dtype)
    bias = None
    if helper.bias_attr:
        bias = helper.create_parameter(helper.bias_attr, [nodes, 1], input.dtype, is_bias=True)
    sparse = is_custom and is_sparse
    return run(
        "hierarchical_sigmoid", input, weight, label, path_table, path_code, bias, helper=helper,
        outputs=None if outputs is None else {**outputs, "W_Out": weight}, num_classes=num_classes, is_sparse=sparse,
        remote_prefetch=sparse,
    )  # fmt: skip


@layer
def sampled_softmax_with_cross_entropy(
    logits: Variable,
    label: Variable,
    num_samples: int,
    num_true: int = 1,
    remove_accidental_hits: bool = True,
    use_customized_samples: bool = False,
    customized_samples: Variable | None = None,
    customized_probabilities: Variable | None = None,
    seed: int = 0,
) -> Variable:
    """Softmax over the true and a few drawn categories, and its cross entropy.

    Args:
        logits: [N, categories].
        label: int64 [N, num_true].
        num_samples: how many are drawn.
        num_true: how many are true.
        remove_accidental_hits: drawn categories that are true do not count.
        use_customized_samples: take the next two arguments instead of drawing.
        customized_samples: int64 [N, num_true + num_samples], the true ones first.
        customized_probabilities: their chances.
        seed: of the drawing; 0: any.
    Returns:
        Variable [N, 1].
    Raises:
        TypeError: an argument is no Variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x, y = fluid.data("x", [None, 100]), fluid.data("y", [None, 1], "int64")
        ...     fluid.layers.sampled_softmax_with_cross_entropy(x, y, num_samples=25).shape
        (-1, 1)

    Follows Paddle 1.8.
    """
    if use_customized_samples:
        for argument, value in (("customized_samples", customized_samples), ("customized_probabilities", customized_probabilities)):
            if not is_variable(value):
                raise type_error(argument, "a Variable", value, "sampled_softmax_with_cross_entropy")
    helper = LayerHelper("sample_logits")
    drawn = {"Samples": customized_samples, "Probabilities": customized_probabilities}
    made = temporaries(helper, *(() if use_customized_samples else drawn), "SampledLogits", "SampledLabels")
    hot = temporaries(helper, "Out")
    shapes = temporaries(helper, "LogitsDim", "LabelsDim")
    outputs = None if made is None else {**(drawn if use_customized_samples else {}), **made, **(shapes or {})}
    _, _, sampled, labels = run(
        "sample_logits", logits, label, customized_samples, customized_probabilities, helper=helper, outputs=outputs, uniq=True,
        use_customized_samples=use_customized_samples, remove_accidental_hits=remove_accidental_hits, num_samples=num_samples, seed=seed,
    )  # fmt: skip
    soft = run("one_hot", labels, helper=helper, outputs=hot, depth=num_samples + 1)
    losses = temporaries(helper, "Loss", "Softmax")
    found = run(
        "softmax_with_cross_entropy", sampled, soft, helper=helper, outputs=losses, soft_label=True, ignore_index=0,
        numeric_stable_mode=False,
    )  # fmt: skip
    return found[1] / num_true


__all__ = ["hsigmoid", "nce", "sampled_softmax_with_cross_entropy"]
