"""Tensor arrays and rank tables in `fluid.layers.control_flow`; `paddle.tensor` has the arrays, too."""

from __future__ import annotations

from typing import Any

from paddle_compat.core import mode, unique_name
from paddle_compat.core.dtype import DTypeLike, VarType
from paddle_compat.core.errors import type_error
from paddle_compat.core.program import default_main_program, default_startup_program
from paddle_compat.core.variable import Variable
from paddle_compat.ops import array as ops
from paddle_compat.static.nn._arguments import layer, need_type, need_variable
from paddle_compat.tensor.array import array_length, array_read, array_write
from paddle_compat.tensor.array import create_array as _create_array


def create_array(dtype: DTypeLike, initialized_list: Any = None) -> Any:
    """A tensor array, empty unless it is told otherwise.

    Args:
        dtype: data type of its elements.
        initialized_list: Variables or Tensors that it starts with.
    Returns:
        A Variable of type LOD_TENSOR_ARRAY; in eager mode a list.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.layers.control_flow import create_array
        >>> with fluid.program_guard(fluid.Program()):
        ...     x = fluid.layers.data("x", [2])
        ...     create_array("float32").name
        'array_0.out'

    Follows Paddle 1.8.
    """
    mode.settle_by_imports()
    if mode.settle_static():
        default_main_program().age = default_startup_program().age = 1
    return _create_array(dtype, initialized_list)


def lod_rank_table(x: Variable, level: int = 0) -> Variable:
    """The sequences of a LoD level, longest first.

    Args:
        x: a Variable with LoD.
        level: the level.
    Returns:
        A Variable of type LOD_RANK_TABLE.
    Raises:
        TypeError: `x` is no Variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.layers.control_flow import lod_rank_table
        >>> with fluid.program_guard(fluid.Program()):
        ...     lod_rank_table(fluid.layers.data("x", [2], lod_level=1)).name
        'lod_rank_table_1'

    Follows Paddle 1.8.
    """
    need_variable(x, "x", "lod_rank_table")
    helper = layer("lod_rank_table")
    table = helper.create_variable(type=VarType.LOD_RANK_TABLE, name=unique_name.generate("lod_rank_table"))
    ops.lod_rank_table(x, level=level, _helper=helper, _outputs={"Out": table})
    return table


def max_sequence_len(rank_table: Variable) -> Variable:
    """The length of the longest sequence.

    Args:
        rank_table: what `lod_rank_table` gave.
    Returns:
        [1], int64.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.layers.control_flow import lod_rank_table, max_sequence_len
        >>> with fluid.program_guard(fluid.Program()):
        ...     max_sequence_len(lod_rank_table(fluid.layers.data("x", [2], lod_level=1))).shape
        (1,)

    Follows Paddle 1.8.
    """
    out: Variable = ops.max_sequence_len(rank_table, _helper=layer("max_seqence_len"))  # spelled so by Paddle
    return out


def lod_tensor_to_array(x: Variable, table: Variable) -> Variable:
    """An array whose element t holds step t of every sequence that is long enough, longest first.

    Args:
        x: a Variable with LoD.
        table: its rank table.
    Returns:
        A Variable of type LOD_TENSOR_ARRAY.
    Raises:
        TypeError: an argument is no Variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.layers.control_flow import lod_rank_table, lod_tensor_to_array
        >>> with fluid.program_guard(fluid.Program()):
        ...     x = fluid.layers.data("x", [2], lod_level=1)
        ...     lod_tensor_to_array(x, lod_rank_table(x)).name
        'lod_tensor_to_array_1'

    Follows Paddle 1.8.
    """
    need_variable(x, "x", "lod_tensor_to_array")
    need_variable(table, "table", "lod_tensor_to_array")
    helper = layer("lod_tensor_to_array")
    name = unique_name.generate("lod_tensor_to_array")
    array = helper.create_variable(name=name, type=VarType.LOD_TENSOR_ARRAY, dtype=x.dtype)
    ops.lod_tensor_to_array(x, table, _helper=helper, _outputs={"Out": array})
    return array


def array_to_lod_tensor(x: Variable, table: Variable) -> Variable:
    """The reverse of `lod_tensor_to_array`.

    Args:
        x: a tensor array.
        table: the rank table that its elements follow.
    Returns:
        A Variable with LoD.
    Raises:
        TypeError: an argument is no Variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.layers.control_flow import array_to_lod_tensor, lod_rank_table, lod_tensor_to_array
        >>> with fluid.program_guard(fluid.Program()):
        ...     x = fluid.layers.data("x", [2], lod_level=1)
        ...     table = lod_rank_table(x)
        ...     array_to_lod_tensor(lod_tensor_to_array(x, table), table).shape
        (-1, 2)

    Follows Paddle 1.8.
    """
    need_variable(x, "x", "array_to_lod_tensor")
    need_variable(table, "table", "array_to_lod_tensor")
    out: Variable = ops.array_to_lod_tensor(x, table, _helper=layer("array_to_lod_tensor"))
    return out


def shrink_memory(x: Variable, i: Variable, table: Variable) -> Variable:
    """The states of the sequences that have a step `i`.

    Args:
        x: states, the longest sequence's first.
        i: the step, int64.
        table: the sequences' rank table.
    Returns:
        The first rows of `x`.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.layers.control_flow import lod_rank_table, shrink_memory
        >>> with fluid.program_guard(fluid.Program()):
        ...     x = fluid.layers.data("x", [2], lod_level=1)
        ...     i = fluid.layers.data("i", [1], append_batch_size=False, dtype="int64")
        ...     shrink_memory(x, i, lod_rank_table(x)).shape
        (-1, 2)

    Follows Paddle 1.8.
    """
    out: Variable = ops.shrink_rnn_memory(x, table, i, _helper=layer("shrink_memory"))
    return out


def reorder_lod_tensor_by_rank(x: Variable, rank_table: Variable) -> Variable:
    """The sequences (rows, without LoD) of `x` in the order of a rank table.

    Args:
        x: a Variable.
        rank_table: what `lod_rank_table` gave.
    Returns:
        A Variable like `x`.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.layers.control_flow import lod_rank_table, reorder_lod_tensor_by_rank
        >>> with fluid.program_guard(fluid.Program()):
        ...     x = fluid.layers.data("x", [2], lod_level=1)
        ...     reorder_lod_tensor_by_rank(x, lod_rank_table(x)).shape
        (-1, 2)

    Follows Paddle 1.8.
    """
    need_variable(x, "x", "reorder_lod_tensor_by_rank")
    need_variable(rank_table, "rank_table", "reorder_lod_tensor_by_rank")
    if rank_table.type != VarType.LOD_RANK_TABLE:
        raise type_error("rank_table", "a LOD_RANK_TABLE", rank_table, "reorder_lod_tensor_by_rank")
    helper = layer("reorder_lod_tensor_by_rank")
    out: Variable = ops.reorder_lod_tensor_by_rank(x, rank_table, _helper=helper)
    return out


def split_lod_tensor(input: Variable, mask: Variable, level: int = 0) -> tuple[Variable, Variable]:
    """The sequences (rows, without LoD) for which a mask is true, and the others.

    Args:
        input: a Variable.
        mask: [N, 1], bool.
        level: the LoD level whose sequences the mask chooses.
    Returns:
        Two Variables.
    Raises:
        TypeError: an argument is no Variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.layers.control_flow import split_lod_tensor
        >>> with fluid.program_guard(fluid.Program()):
        ...     x = fluid.layers.data("x", [2])
        ...     chosen, others = split_lod_tensor(x, fluid.layers.data("mask", [1], dtype="bool"))
        ...     chosen.shape
        (-1, 2)

    Follows Paddle 1.8.
    """
    need_variable(input, "input", "split_lod_tensor")
    need_variable(mask, "mask", "split_lod_tensor")
    need_type(level, "level", "split_lod_tensor", int)
    true, false = ops.split_lod_tensor(input, mask, level=level, _helper=layer("split_lod_tensor"))
    return true, false


def merge_lod_tensor(in_true: Variable, in_false: Variable, x: Variable, mask: Variable, level: int = 0) -> Variable:
    """The reverse of `split_lod_tensor`.

    Args:
        in_true, in_false: the two sides.
        x: what was split; only its LoD matters.
        mask: the mask that split it.
        level: the LoD level that was split.
    Returns:
        A Variable.
    Raises:
        TypeError: an argument is no Variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.layers.control_flow import merge_lod_tensor
        >>> with fluid.program_guard(fluid.Program()):
        ...     x = fluid.layers.data("x", [2])
        ...     merge_lod_tensor(x, x, x, fluid.layers.data("mask", [1], dtype="bool")).shape
        (-1, 2)

    Follows Paddle 1.8.
    """
    for name, value in (("x", x), ("mask", mask), ("in_true", in_true), ("in_false", in_false)):
        need_variable(value, name, "merge_lod_tensor")
    helper = layer("merge_lod_tensor")
    out: Variable = ops.merge_lod_tensor(x, mask, in_true, in_false, level=level, _helper=helper)
    return out


__all__ = [
    "array_length", "array_read", "array_to_lod_tensor", "array_write", "create_array", "lod_rank_table",
    "lod_tensor_to_array", "max_sequence_len", "merge_lod_tensor", "reorder_lod_tensor_by_rank", "shrink_memory",
    "split_lod_tensor",
]  # fmt: skip
