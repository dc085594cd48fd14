"""`paddle.fluid.input`: data, embedding and one_hot of Paddle 1.8, which take the shape as it is."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.dtype import DTypeLike, VarType, convert_dtype
from paddle_compat.core.errors import type_error
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.layer_helper import LayerHelper
from paddle_compat.fluid.layers.io import feed_variable


def data(name: str, shape: Any, dtype: DTypeLike = "float32", lod_level: int = 0) -> Variable:
    """A variable to be fed; what is fed is checked against shape and data type.

    Args:
        name: its name.
        shape: its dimensions, None or -1 for any.
        dtype: data type.
        lod_level: number of sequence levels.
    Returns:
        The Variable.
    Raises:
        TypeError: the name is no str, the shape neither a list nor a tuple, or a size neither an int nor None.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.data("x", [None, 3]).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    if not isinstance(name, (str, bytes)):
        raise type_error("name", "str", name, "fluid.data")
    if not isinstance(shape, (list, tuple)):
        raise type_error("shape", "list or tuple", shape, "fluid.data")
    for size in shape:
        if size is not None and not hasattr(size, "__index__"):
            raise type_error("shape", "ints or None in it", size, "fluid.data")
    dims = [-1 if d is None else int(d) for d in shape]
    return feed_variable(name, dims, dtype, lod_level, VarType.LOD_TENSOR, True, need_check_feed=True)


def embedding(
    input: Variable,
    size: Any,
    is_sparse: bool = False,
    is_distributed: bool = False,
    padding_idx: int | None = None,
    param_attr: Any = None,
    dtype: DTypeLike = "float32",
) -> Variable:
    """Rows of a table, by id; the output has the ids' shape and one more dimension.

    Args:
        input: ids, int64.
        size: rows and columns of the table.
        is_sparse: the gradient is SelectedRows.
        is_distributed: the table lives on parameter servers.
        padding_idx: the id whose row counts as zeros; negative from the end.
        param_attr: ParamAttr of the table.
        dtype: data type of the table.
    Returns:
        Variable of shape `input.shape + [size[1]]`.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     fluid.embedding(fluid.data("ids", [None, 1], "int64"), [10, 4]).shape
        (-1, 1, 4)

    Follows Paddle 1.8.
    """
    return look_up("lookup_table_v2", input, size, is_sparse, is_distributed, padding_idx, param_attr, dtype)


def look_up(
    type: str,
    input: Variable,
    size: Any,
    is_sparse: bool,
    is_distributed: bool,
    padding_idx: int | None,
    param_attr: Any,
    dtype: DTypeLike,
) -> Variable:
    """A table parameter and the look-up operator on it."""
    if convert_dtype(input.dtype) != VarType.INT64:
        raise type_error("input", "int64 ids", input.dtype, "fluid.embedding")
    helper = LayerHelper("embedding", param_attr=param_attr)
    table = helper.create_parameter(attr=helper.param_attr, shape=size, dtype=dtype, is_bias=False)
    out = helper.create_variable_for_type_inference(dtype)
    padding = -1 if padding_idx is None else padding_idx if padding_idx >= 0 else size[0] + padding_idx
    remote = is_sparse and not is_distributed
    helper.append_op(
        type=type,
        inputs={"Ids": input, "W": table},
        outputs={"Out": out},
        attrs={
            "is_sparse": is_sparse,
            "is_distributed": is_distributed,
            "remote_prefetch": remote,
            "padding_idx": padding,
        },
    )
    return out


def one_hot(input: Variable, depth: Any, allow_out_of_range: bool = False) -> Variable:
    """Ones at the ids, zeros elsewhere; the output has the ids' shape and one more dimension.

    Args:
        input: ids, int32 or int64.
        depth: length of the new dimension, an int or a Variable.
        allow_out_of_range: an id beyond it gives zeros instead of an error.
    Returns:
        float32 [..., depth].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.one_hot(fluid.data("ids", [4], "int64"), 3).shape
        (4, 3)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("one_hot_v2")
    out = helper.create_variable_for_type_inference("float32")
    inputs: dict[str, Any] = {"X": input}
    attrs: dict[str, Any] = {"allow_out_of_range": allow_out_of_range}
    if isinstance(depth, (Variable, Tensor)):
        depth.stop_gradient = True
        inputs["depth_tensor"] = depth
    else:
        attrs["depth"] = depth
    helper.append_op(type="one_hot_v2", inputs=inputs, attrs=attrs, outputs={"Out": out})
    return out


__all__ = ["data", "embedding", "one_hot"]

__getattr__ = missing(__name__)
