"""`paddle.fluid.contrib.layers.nn`: layers beside those of `fluid.layers`."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core import unique_name
from paddle_compat.core.errors import type_error
from paddle_compat.core.program import default_main_program, default_startup_program
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.contrib.layers._hashes import search_pyramid_hash
from paddle_compat.fluid.contrib.layers._own_sizes import match_matrix_tensor, rank_attention, sequence_topk_avg_pooling, var_conv_2d
from paddle_compat.fluid.contrib.layers._trees import tdm_child, tdm_sampler
from paddle_compat.fluid.layer_helper import LayerHelper
from paddle_compat.fluid.layers._record import layer, run


@layer
def partial_concat(input: Any, start_index: int = 0, length: int = -1) -> Variable:
    """Some columns of each matrix, side by side.

    Args:
        input: Variables of shape [N, columns].
        start_index: the first column; counted from the end when negative.
        length: how many columns; -1: all from there on.
    Returns:
        Variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x, y = fluid.data("x", [None, 3]), fluid.data("y", [None, 3])
        ...     fluid.contrib.layers.partial_concat([x, y], start_index=0, length=2).shape
        (-1, 4)

    Follows Paddle 1.8.
    """
    return run("partial_concat", _listed(input), start_index=start_index, length=length)


@layer
def partial_sum(input: Any, start_index: int = 0, length: int = -1) -> Variable:
    """The sum of some columns of each matrix.

    Args:
        input: Variables of shape [N, columns].
        start_index: the first column; counted from the end when negative.
        length: how many columns; -1: all from there on.
    Returns:
        Variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x, y = fluid.data("x", [None, 3]), fluid.data("y", [None, 3])
        ...     fluid.contrib.layers.partial_sum([x, y], start_index=0, length=2).shape
        (-1, 2)

    Follows Paddle 1.8.
    """
    return run("partial_sum", _listed(input), start_index=start_index, length=length)


def _listed(input: Any) -> list[Any]:
    return list(input) if isinstance(input, (list, tuple)) else [input]


@layer
def fused_elemwise_activation(
    x: Variable, y: Variable, functor_list: Any, axis: int = -1, scale: float = 0.0, save_intermediate_out: bool = True
) -> Variable:
    """A function of two operands and one of one operand, in one operator.

    Args:
        x, y: Variables.
        functor_list: two names, or a text with a comma between them; what is named first is done last. One is `elementwise_add` or
            `elementwise_mul`, the other `scale`, `relu`, `tanh` or `sigmoid`.
        axis: the dimension of x at which those of y begin; -1: the last ones.
        scale: the factor of `scale`.
        save_intermediate_out: kept for compatibility; what the first function gives can be fetched either way.
    Returns:
        Variable.
    Raises:
        ValueError: `functor_list` does not have two names.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x, y = fluid.data("x", [None, 3]), fluid.data("y", [None, 3])
        ...     fluid.contrib.layers.fused_elemwise_activation(x, y, ["relu", "elementwise_add"]).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    names = functor_list.split(",") if isinstance(functor_list, str) else functor_list
    if not isinstance(names, list) or len(names) != 2:
        raise ValueError(f"Invalid value for argument `functor_list`. Expected two names. Received: {functor_list!r}")
    attrs: dict[str, Any] = {"axis": axis, "scale": scale, "save_intermediate_out": save_intermediate_out, "functor_list": names}
    return run("fused_elemwise_activation", x, y, **attrs)


@layer
def fused_embedding_seq_pool(
    input: Variable,
    size: Any,
    is_sparse: bool = False,
    padding_idx: int | None = None,
    combiner: str = "sum",
    param_attr: Any = None,
    dtype: Any = "float32",
) -> Variable:
    """The sum of the rows of a table that the ids of each sequence name.

    Args:
        input: ids, int64, with LoD.
        size: rows and columns of the table.
        is_sparse: the gradient is SelectedRows.
        padding_idx: the id whose row counts as zeros; negative from the end.
        combiner: "sum".
        param_attr: ParamAttr of the table.
        dtype: data type of the table.
    Returns:
        Variable with a row for each sequence.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     ids = fluid.data("ids", [None, 1], "int64", lod_level=1)
        ...     fluid.contrib.layers.fused_embedding_seq_pool(ids, [20, 8]).shape
        (-1, 8)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("fused_embedding_seq_pool", param_attr=param_attr)
    table = helper.create_parameter(attr=helper.param_attr, shape=size, dtype=dtype, is_bias=False)
    padding = -1 if padding_idx is None else padding_idx + size[0] * (padding_idx < 0)
    return run("fused_embedding_seq_pool", table, input, helper=helper, is_sparse=is_sparse, combiner=combiner, padding_idx=padding)


@layer
def shuffle_batch(x: Variable, seed: int | Variable | None = None) -> Variable:
    """The rows in random order; a persistable variable hands the seed from run to run.

    Args:
        x: Variable [N, ..., D].
        seed: an int, or a Variable that holds it; None: the program's `random_seed`.
    Returns:
        Variable.
    Raises:
        TypeError: the seed is none of these.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     fluid.contrib.layers.shuffle_batch(fluid.data("x", [None, 3]), seed=5).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("shuffle_batch")
    startup_seed = 0
    if seed is None:
        seed = default_main_program().random_seed
        seed = default_startup_program().random_seed if seed == 0 else seed
        seed = int(np.random.randint(-65536, 65536)) if seed == 0 else seed
    if isinstance(seed, int):
        startup_seed = seed
        name = unique_name.generate("shuffle_batch_seed")
        seed = helper.create_global_variable(name=name, dtype="int64", shape=[1], persistable=True)
    elif not isinstance(seed, Variable):
        raise type_error("seed", "int, Variable or None", seed, "shuffle_batch")
    return run("shuffle_batch", x, seed, helper=helper, outputs={"SeedOut": seed}, startup_seed=startup_seed)[0]


@layer
def multiclass_nms2(
    bboxes: Variable,
    scores: Variable,
    score_threshold: float,
    nms_top_k: int,
    keep_top_k: int,
    nms_threshold: float = 0.3,
    normalized: bool = True,
    nms_eta: float = 1.0,
    background_label: int = 0,
    return_index: bool = False,
    name: str | None = None,
) -> Any:
    """As `fluid.layers.multiclass_nms`, which can also say which boxes were kept.

    Args:
        bboxes: [N, boxes, 4] or, with LoD, [boxes, classes, 4].
        scores: [N, classes, boxes] or, with LoD, [boxes, classes].
        score_threshold, nms_top_k, keep_top_k, nms_threshold, normalized, nms_eta, background_label: as in multiclass_nms.
        return_index: give the numbers of the boxes, too.
        name: the layer's name.
    Returns:
        Variable [found, 6] with LoD: class, score and box; with `return_index` also a Variable [found, 1] of numbers.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     boxes, scores = fluid.data("b", [2, 81, 4]), fluid.data("s", [2, 5, 81])
        ...     found, number = fluid.contrib.layers.multiclass_nms2(boxes, scores, 0.5, 400, 200, return_index=True)
        ...     found.shape, number.shape
        ((81, 6), (81, 1))

    Follows Paddle 1.8.
    """
    found, number = run(
        "multiclass_nms2", bboxes, scores, name=name, stop=True, background_label=background_label, score_threshold=score_threshold,
        nms_top_k=nms_top_k, nms_threshold=nms_threshold, keep_top_k=keep_top_k, nms_eta=nms_eta, normalized=normalized,
    )  # fmt: skip
    return (found, number) if return_index else found


@layer
def tree_conv(
    nodes_vector: Variable,
    edge_set: Variable,
    output_size: int,
    num_filters: int = 1,
    max_depth: int = 2,
    act: str | None = "tanh",
    param_attr: Any = None,
    bias_attr: Any = None,
    name: str | None = None,
) -> Variable:
    """Convolve trees: for every node what lies below it, weighted by depth and place.

    Args:
        nodes_vector: the features of the nodes, [trees, nodes, features].
        edge_set: parent and child of each edge, counted from 1, int32 [trees, edges, 2]; zeros end a tree.
        output_size: numbers that each filter makes of a node.
        num_filters: how many filters there are.
        max_depth: how many levels a filter sees.
        act: an activation.
        param_attr: ParamAttr of the filters.
        bias_attr: ParamAttr of the bias; False: none.
        name: the layer's name.
    Returns:
        Variable [trees, nodes, output_size, num_filters].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     nodes, edges = fluid.data("nodes", [None, 10, 5]), fluid.data("edges", [None, 10, 2], "int32")
        ...     fluid.contrib.layers.tree_conv(nodes, edges, 6, num_filters=3).shape
        (-1, 10, 6, 3)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("tree_conv", name=name, act=act, param_attr=param_attr, bias_attr=bias_attr)
    shape = [nodes_vector.shape[2], 3, output_size, num_filters]
    weight = helper.create_parameter(attr=helper.param_attr, shape=shape, dtype=nodes_vector.dtype, is_bias=False)
    out = run("tree_conv", nodes_vector, edge_set, weight, helper=helper, max_depth=max_depth)
    return helper.append_activation(helper.append_bias_op(out) if helper.bias_attr else out)


__all__ = [
    "fused_elemwise_activation", "fused_embedding_seq_pool", "match_matrix_tensor", "multiclass_nms2", "partial_concat", "partial_sum",
    "rank_attention", "search_pyramid_hash", "sequence_topk_avg_pooling", "shuffle_batch", "tdm_child", "tdm_sampler", "tree_conv",
    "var_conv_2d",
]  # fmt: skip

__getattr__ = missing(__name__)
