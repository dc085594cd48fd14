"""Layers of `paddle.fluid.contrib` on items at the leaves of a tree."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.variable import Variable
from paddle_compat.fluid.data_feeder import check_dtype, convert_dtype
from paddle_compat.fluid.framework import convert_np_dtype_to_dtype_
from paddle_compat.fluid.initializer import ConstantInitializer
from paddle_compat.fluid.layer_helper import LayerHelper
from paddle_compat.fluid.layers import nn
from paddle_compat.fluid.layers._record import layer, run
from paddle_compat.incubate.layers._trees import layers_of

_INTEGERS = ("int32", "int64")


def _table(helper: LayerHelper, attr: Any, shape: list[int], dtype: Any) -> Variable:
    """A parameter of integers that says what a tree is like."""
    made: Variable = helper.create_parameter(attr=attr, shape=shape, dtype=dtype, default_initializer=ConstantInitializer(0))
    return made


@layer
def tdm_child(x: Variable, node_nums: int, child_nums: int, param_attr: Any = None, dtype: Any = "int32") -> tuple[Variable, Variable]:
    """The children of nodes of a tree (0: none), and which of these are leaves.

    Args:
        x: nodes, int32 or int64.
        node_nums: how many nodes the tree has.
        child_nums: how many children a node has at most.
        param_attr: ParamAttr of the tree, [node_nums, 3 + child_nums]: a node's item (0: no leaf), layer, parent and children.
        dtype: data type of the results, int32 or int64.
    Returns:
        Variable of the children [..., child_nums], and Variable of the same shape with 1 for leaves.
    Raises:
        TypeError: x or `dtype` is of another type.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     nodes = fluid.data("nodes", [None, 1], "int32")
        ...     children, leaves = fluid.contrib.layers.tdm_child(nodes, node_nums=7, child_nums=2)
        ...     children.shape, leaves.shape
        ((-1, 1, 2), (-1, 1, 2))

    Follows Paddle 1.8.
    """
    check_dtype(convert_dtype(dtype), "dtype", list(_INTEGERS), "fluid.contrib.layers.tdm_child")
    helper = LayerHelper("tdm_child", param_attr=param_attr)
    tree = _table(helper, helper.param_attr, [node_nums, 3 + child_nums], dtype)
    tree.stop_gradient = True
    children, leaves = run("tdm_child", x, tree, helper=helper, child_nums=child_nums, dtype=int(convert_np_dtype_to_dtype_(dtype)))
    return children, leaves


@layer
def tdm_sampler(
    x: Variable, neg_samples_num_list: Any, layer_node_num_list: Any, leaf_node_num: int, tree_travel_attr: Any = None,
    tree_layer_attr: Any = None, output_positive: bool = True, output_list: bool = True, seed: int = 0, tree_dtype: Any = "int32",
    dtype: Any = "int32",
) -> tuple[Any, Any, Any]:  # fmt: skip
    """The path through a tree to each item, and other nodes of each layer to train against.

    Args:
        x: items, the numbers of leaves.
        neg_samples_num_list: how many other nodes of each layer are drawn, the root's layer left out.
        layer_node_num_list: how many nodes each of these layers has.
        leaf_node_num: how many leaves there are.
        tree_travel_attr: ParamAttr of the paths, [leaf_node_num, layers].
        tree_layer_attr: ParamAttr of the nodes, layer by layer, [nodes, 1].
        output_positive: give the nodes of the paths, too, in front of those that are drawn.
        output_list: give a list with a Variable for each layer.
        seed: seed of the draws; 0: they differ from run to run.
        tree_dtype: data type of both parameters.
        dtype: data type of the results.
    Returns:
        Nodes, labels (1 on the path) and mask (0 where a path has ended): lists of Variables [N, number, 1], or a Variable each.
    Raises:
        TypeError: an argument is of another type.
        ValueError: the lists do not fit each other.
        AssertionError: there are not more nodes than leaves.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     items = fluid.data("items", [None, 1], "int32")
        ...     nodes, labels, mask = fluid.contrib.layers.tdm_sampler(items, [1, 2], [2, 4], 4)
        ...     [layer.shape for layer in nodes]
        [(-1, 2, 1), (-1, 3, 1)]

    Follows Paddle 1.8.
    """
    where = "fluid.contrib.layers.tdm_sampler"
    check_dtype(convert_dtype(tree_dtype), "tree_dtype", list(_INTEGERS), where)
    check_dtype(convert_dtype(dtype), "dtype", list(_INTEGERS), where)
    counts, sizes = list(neg_samples_num_list), list(layer_node_num_list)
    offsets = layers_of(counts, sizes, leaf_node_num)
    helper = LayerHelper("tdm_sampler")
    travel = _table(helper, tree_travel_attr, [leaf_node_num, len(sizes)], tree_dtype)
    nodes = _table(helper, tree_layer_attr, [offsets[-1], 1], tree_dtype)
    found = run(
        "tdm_sampler", x, travel, nodes, helper=helper, stop=True, neg_samples_num_list=counts, output_positive=output_positive,
        layer_offset_lod=offsets, seed=seed, dtype=int(convert_np_dtype_to_dtype_(dtype)),
    )  # fmt: skip
    if not output_list:
        return tuple(found)
    layers: tuple[list[Variable], ...] = ([], [], [])
    begin = 0
    for count in counts:
        width = count + int(output_positive)
        parts = [nn.slice(each, axes=[1], starts=[begin], ends=[begin + width]) for each in found]
        for kept, part in zip(layers, parts):
            kept.append(nn.reshape(part, [-1, width, 1]))
            kept[-1].stop_gradient = True
        begin += width
    return layers  # type: ignore[return-value]


__all__ = ["tdm_child", "tdm_sampler"]
