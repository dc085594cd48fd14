"""`fluid.layers.nn`: elements picked, put and encoded by index."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat.core.dtype import DTypeLike
from paddle_compat.core.errors import invalid_argument, type_error
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.input import look_up
from paddle_compat.fluid.layers._filling import zeros
from paddle_compat.fluid.layers._record import is_variable, layer, run


@layer
def gather(input: Variable, index: Variable, overwrite: bool = True) -> Variable:
    """Rows by number.

    Args:
        input: a Variable.
        index: int32 or int64, one dimension.
        overwrite: the gradients of a row that is taken twice replace each other instead of adding up.
    Returns:
        Variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.gather(fluid.data("x", [None, 3]), fluid.data("i", [5], "int64")).shape
        (5, 3)

    Follows Paddle 1.8.
    """
    return run("gather", input, index, overwrite=overwrite)


@layer
def gather_nd(input: Variable, index: Variable, name: str | None = None) -> Variable:
    """The slices at the positions that the last dimension of `index` spells.

    Args:
        input: a Variable.
        index: int32 or int64.
        name: the layer's name.
    Returns:
        Variable of shape `index.shape[:-1] + input.shape[index.shape[-1]:]`.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.gather_nd(fluid.data("x", [2, 3, 4]), fluid.data("i", [5, 1], "int64")).shape
        (5, 3, 4)

    Follows Paddle 1.8.
    """
    return run("gather_nd", input, index, name=name)


@layer
def gather_tree(ids: Variable, parents: Variable) -> Variable:
    """Full sequences of a beam search from the ids and parents of each step.

    Args:
        ids, parents: int32 or int64 [longest, batch, beams].
    Returns:
        Variable of the same shape.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     ids, parents = fluid.data("i", [5, 2, 2], "int64"), fluid.data("p", [5, 2, 2], "int64")
        ...     fluid.layers.gather_tree(ids, parents).shape
        (5, 2, 2)

    Follows Paddle 1.8.
    """
    return run("gather_tree", ids, parents)


@layer
def scatter(input: Variable, index: Variable, updates: Variable, name: str | None = None, overwrite: bool = True) -> Variable:
    """A copy with some rows replaced.

    Args:
        input: a Variable.
        index: int32 or int64, the rows' numbers.
        updates: the new rows.
        name: the layer's name.
        overwrite: replace; else a row becomes the sum of all its updates.
    Returns:
        Variable of the shape of `input`.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x, i, u = fluid.data("x", [3, 2]), fluid.data("i", [4], "int64"), fluid.data("u", [4, 2])
        ...     fluid.layers.scatter(x, i, u, overwrite=False).shape
        (3, 2)

    Follows Paddle 1.8.
    """
    return run("scatter", input, index, updates, name=name, overwrite=overwrite)


@layer
def scatter_nd_add(ref: Variable, index: Variable, updates: Variable, name: str | None = None) -> Variable:
    """A copy with updates added at the positions that the last dimension of `index` spells.

    Args:
        ref: a Variable.
        index: int32 or int64.
        updates: of shape `index.shape[:-1] + ref.shape[index.shape[-1]:]`, of the data type of ref.
        name: the layer's name.
    Returns:
        Variable of the shape of ref.
    Raises:
        ValueError: the data types differ.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x, i, u = fluid.data("x", [3, 2]), fluid.data("i", [4, 1], "int64"), fluid.data("u", [4, 2])
        ...     fluid.layers.scatter_nd_add(x, i, u).shape
        (3, 2)

    Follows Paddle 1.8.
    """
    if ref.dtype != updates.dtype:
        raise ValueError(f"Invalid data type of argument `updates` of `scatter_nd_add`. Expected {ref.dtype}. Received: {updates.dtype}")
    return run("scatter_nd_add", ref, index, updates, name=name)


@layer
def scatter_nd(index: Variable, updates: Variable, shape: Any, name: str | None = None) -> Variable:
    """Zeros with updates added at the positions that the last dimension of `index` spells.

    Args:
        index: int32 or int64.
        updates: what is added.
        shape: of the result.
        name: the layer's name.
    Returns:
        Variable of that shape.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.scatter_nd(fluid.data("i", [4, 1], "int64"), fluid.data("u", [4, 2]), [3, 2]).shape
        (3, 2)

    Follows Paddle 1.8.
    """
    return scatter_nd_add(zeros(shape, updates.dtype), index, updates, name)


@layer
def index_select(input: Variable, index: Variable, dim: int = 0) -> Variable:
    """Slices by number.

    Args:
        input: a Variable.
        index: int32 or int64, one dimension.
        dim: along which dimension.
    Returns:
        Variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.index_select(fluid.data("x", [3, 4]), fluid.data("i", [2], "int32"), dim=1).shape
        (3, 2)

    Follows Paddle 1.8.
    """
    return run("index_select", input, index, dim=dim)


@layer
def index_sample(x: Variable, index: Variable) -> Variable:
    """From each row of x the elements that the same row of `index` names.

    Args:
        x: two dimensions.
        index: int32 or int64, two dimensions.
    Returns:
        Variable of the shape of `index`.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.index_sample(fluid.data("x", [3, 4]), fluid.data("i", [3, 2], "int32")).shape
        (3, 2)

    Follows Paddle 1.8.
    """
    return run("index_sample", x, index)


@layer
def multiplex(inputs: list[Variable], index: Variable) -> Variable:
    """Each row from the Variable that `index` names for it.

    Args:
        inputs: at least two Variables of one shape.
        index: int32 or int64 [N, 1].
    Returns:
        Variable of that shape.
    Raises:
        TypeError: they are no list of Variables, or of another data type.
        ValueError: there are fewer than two.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x, i = fluid.data("x", [None, 2]), fluid.data("i", [None, 1], "int32")
        ...     fluid.layers.multiplex([x, x], i).shape
        (-1, 2)

    Follows Paddle 1.8.
    """
    if not isinstance(inputs, list):
        raise type_error("inputs", "a list", inputs, "fluid.layers.multiplex")
    if len(inputs) < 2:
        raise ValueError(
            "Invalid value for argument `inputs` of `multiplex`. Expected a list of at least two Variables. "
            f"Received: {len(inputs)}"
        )
    return run("multiplex", index, inputs)


@layer
def one_hot(input: Variable, depth: Any, allow_out_of_range: bool = False) -> Variable:
    """Ones at the ids, zeros elsewhere, in place of the last dimension.

    Args:
        input: ids, int32 or int64, the last dimension 1.
        depth: its new size, an int or a Variable of one element.
        allow_out_of_range: an id beyond it gives zeros instead of an error.
    Returns:
        Variable float32.
    Raises:
        TypeError: depth is neither an int nor a Variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.one_hot(fluid.data("ids", [None, 1], "int64"), depth=4).shape
        (-1, 4)

    Follows Paddle 1.8.
    """
    if is_variable(depth):
        depth.stop_gradient = True
        return run("one_hot", input, depth, stop=True, allow_out_of_range=allow_out_of_range)
    if not isinstance(depth, (int, np.integer)):
        raise type_error("depth", "int or Variable", depth, "one_hot")
    return run("one_hot", input, stop=True, depth=int(depth), allow_out_of_range=allow_out_of_range)


@layer
def shard_index(input: Variable, index_num: int, nshards: int, shard_id: int, ignore_value: int = -1) -> Variable:
    """Ids within one of several equal shards; those of other shards become `ignore_value`.

    Args:
        input: ids, int64, at least two dimensions.
        index_num: how many ids there are.
        nshards: how many shards.
        shard_id: which one.
        ignore_value: see above.
    Returns:
        Variable of the same shape.
    Raises:
        ValueError: there is no such shard, or input has one dimension.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.shard_index(fluid.data("ids", [None, 1], "int64"), index_num=20, nshards=2, shard_id=0).shape
        (-1, 1)

    Follows Paddle 1.8.
    """
    if not 0 <= shard_id < nshards:
        raise ValueError(f"Invalid value for argument `shard_id` of `shard_index`. Expected 0 to {nshards - 1}. Received: {shard_id}")
    if len(input.shape) < 2:
        raise invalid_argument("input", "2 dimensions or more", f"shape {list(input.shape)}", "shard_index")
    return run("shard_index", input, index_num=index_num, nshards=nshards, shard_id=shard_id, ignore_value=ignore_value)


@layer
def embedding(
    input: Variable,
    size: Any,
    is_sparse: bool = False,
    is_distributed: bool = False,
    padding_idx: int | None = None,
    param_attr: Any = None,
    dtype: DTypeLike = "float32",
) -> Variable:
    """Rows of a table, by id, in place of the last dimension.

    Args:
        input: ids, int64, the last dimension 1.
        size: rows and columns of the table.
        is_sparse: the gradient is SelectedRows.
        is_distributed: the table lives on parameter servers.
        padding_idx: the id whose row counts as zeros; negative from the end.
        param_attr: ParamAttr of the table.
        dtype: data type of the table.
    Returns:
        Variable of shape `input.shape[:-1] + [size[1]]`.
    Raises:
        TypeError: size is neither a list nor a tuple.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     fluid.layers.embedding(fluid.data("ids", [None, 1], "int64"), size=[128, 64]).shape
        (-1, 64)

    Follows Paddle 1.8.
    """
    if not isinstance(size, (list, tuple)):
        raise type_error("size", "list or tuple", size, "embedding")
    return look_up("lookup_table", input, size, is_sparse, is_distributed, padding_idx, param_attr, dtype)


__all__ = [
    "embedding", "gather", "gather_nd", "gather_tree", "index_sample", "index_select", "multiplex", "one_hot", "scatter", "scatter_nd",
    "scatter_nd_add", "shard_index",
]  # fmt: skip
