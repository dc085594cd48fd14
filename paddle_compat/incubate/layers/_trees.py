"""Layers of `paddle.incubate.layers` on items at the leaves of a tree."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.dtype import convert_dtype, dtype_name
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.layer_helper import LayerHelper
from paddle_compat.nn.initializer import Constant
from paddle_compat.ops import deep_tree, indexing, manipulation
from paddle_compat.tensor._calls import check

_INTEGERS = ("int32", "int64")


def _number(dtype: Any, argument: str, api: str) -> int:
    """The number of an integer data type."""
    if dtype_name(convert_dtype(dtype)) not in _INTEGERS:
        raise TypeError(f"Invalid value for argument `{argument}` of `{api}`. Expected 'int32' or 'int64'. Received: {dtype!r}")
    return int(convert_dtype(dtype))


def tdm_child(x: Any, node_nums: int, child_nums: int, param_attr: Any = None, dtype: Any = "int32") -> tuple[Any, Any]:
    """The children of nodes of a tree (0: none), and which of these are leaves.

    Args:
        x (Variable): nodes, int32 or int64.
        node_nums (int): how many nodes the tree has.
        child_nums (int): how many children a node has at most.
        param_attr (ParamAttr): of the tree, [node_nums, 3 + child_nums]: a node's item (0: no leaf), layer, parent and children.
        dtype (str): data type of the results, int32 or int64.
    Returns:
        tuple: Variable of the children [..., child_nums], and Variable of the same shape with 1 for leaves.
    Raises:
        TypeError: x or `dtype` is of another type.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        ...     nodes = paddle.static.data("nodes", [None, 1], "int32")
        ...     paddle.incubate.layers.tdm_child(nodes, node_nums=7, child_nums=2)[0].shape
        (-1, 1, 2)
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    check(x, "x", "tdm_child", _INTEGERS)
    kind = _number(dtype, "dtype", "tdm_child")
    helper = LayerHelper("tdm_child", param_attr=param_attr)
    tree = helper.create_parameter(
        attr=helper.param_attr, shape=[node_nums, 3 + child_nums], dtype=dtype, default_initializer=Constant(0)
    )
    tree.stop_gradient = True
    children, leaves = deep_tree.tdm_child(x, tree, child_nums=child_nums, dtype=kind, _helper=helper)
    return children, leaves


def layers_of(counts: list[int], sizes: list[int], leaves: int) -> list[int]:
    """Where the nodes of each layer of a tree begin, and where the last ones end.

    Raises:
        ValueError: there are not as many layers as numbers of nodes to draw, or a layer has fewer nodes.
        AssertionError: there are not more nodes than leaves.
    """
    if len(counts) != len(sizes):
        raise ValueError(f"Invalid value for argument `neg_samples_num_list`. Expected {len(sizes)} numbers. Received: {counts}")
    if any(count >= size for count, size in zip(counts, sizes)):
        raise ValueError(f"Invalid value for argument `neg_samples_num_list`. Expected less than {sizes} a layer. Received: {counts}")
    if leaves >= sum(sizes):
        raise failed_assertion("leaf_node_num", f"below {sum(sizes)}", leaves, "tdm_sampler")
    return [sum(sizes[:n]) for n in range(len(sizes) + 1)]


def tdm_sampler(
    x: Any, neg_samples_num_list: Any, layer_node_num_list: Any, leaf_node_num: int, tree_travel_attr: Any = None,
    tree_layer_attr: Any = None, output_positive: bool = True, output_list: bool = True, seed: int = 0, tree_dtype: Any = "int32",
    dtype: Any = "int32",
) -> tuple[Any, Any, Any]:  # fmt: skip
    """The path through a tree to each item, and other nodes of each layer to train against.

    Args:
        x (Variable): items, the numbers of leaves.
        neg_samples_num_list (list): how many other nodes of each layer are drawn, the root's layer left out.
        layer_node_num_list (list): how many nodes each of these layers has.
        leaf_node_num (int): how many leaves there are.
        tree_travel_attr (ParamAttr): of the paths, [leaf_node_num, layers].
        tree_layer_attr (ParamAttr): of the nodes, layer by layer, [nodes, 1].
        output_positive (bool): give the nodes of the paths, too, in front of those that are drawn.
        output_list (bool): give a list with a Variable for each layer.
        seed (int): seed of the draws; 0: they differ from run to run.
        tree_dtype (str): data type of both parameters.
        dtype (str): data type of the results.
    Returns:
        tuple: nodes, labels (1 on the path) and mask (0 where a path has ended): lists of Variables [N, number, 1], or a Variable each.
    Raises:
        TypeError: an argument is of another type.
        ValueError: the lists do not fit each other.
        AssertionError: there are not more nodes than leaves.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        ...     items = paddle.static.data("items", [None, 1], "int32")
        ...     nodes, labels, mask = paddle.incubate.layers.tdm_sampler(items, [1, 2], [2, 4], 4)
        ...     [layer.shape for layer in nodes]
        [(-1, 2, 1), (-1, 3, 1)]
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    kind = _number(dtype, "dtype", "tdm_sampler")
    _number(tree_dtype, "tree_dtype", "tdm_sampler")
    counts, sizes = list(neg_samples_num_list), list(layer_node_num_list)
    offsets = layers_of(counts, sizes, leaf_node_num)
    helper = LayerHelper("tdm_sampler")
    travel, nodes = (
        helper.create_parameter(attr=attr, shape=size, dtype=tree_dtype, default_initializer=Constant(0))
        for attr, size in ((tree_travel_attr, [leaf_node_num, len(sizes)]), (tree_layer_attr, [offsets[-1], 1]))
    )
    found = deep_tree.tdm_sampler(
        x, travel, nodes, neg_samples_num_list=counts, output_positive=output_positive, layer_offset_lod=offsets, seed=seed, dtype=kind,
        _helper=helper,
    )  # fmt: skip
    for each in found:
        each.stop_gradient = True
    if not output_list:
        return tuple(found)
    layers: tuple[list[Any], ...] = ([], [], [])
    begin = 0
    for count in counts:
        width = count + int(output_positive)
        parts = [indexing.slice_(each, axes=[1], starts=[begin], ends=[begin + width], _helper="slice") for each in found]
        for kept, part in zip(layers, parts):
            kept.append(manipulation.reshape2(part, shape=[-1, width, 1], _helper="reshape2"))
            kept[-1].stop_gradient = True
        begin += width
    return layers  # type: ignore[return-value]


__all__ = ["tdm_child", "tdm_sampler"]
