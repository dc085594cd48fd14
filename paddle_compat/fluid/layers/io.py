"""`fluid.layers.io`: where data comes in."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import mode
from paddle_compat.core.dtype import DTypeLike, VarType
from paddle_compat.core.errors import type_error
from paddle_compat.core.layer_helper import LayerHelper
from paddle_compat.core.program import default_main_program, default_startup_program
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.layers._readers import create_py_reader_by_data, double_buffer, py_reader, read_file


def data(
    name: str,
    shape: Any,
    append_batch_size: bool = True,
    dtype: DTypeLike = "float32",
    lod_level: int = 0,
    type: VarType = VarType.LOD_TENSOR,
    stop_gradient: bool = True,
) -> Variable:
    """A variable to be fed; the batch dimension is put in front.

    Args:
        name: its name.
        shape: its dimensions, without the batch.
        append_batch_size: put -1 in front, unless the shape has a -1 already.
        dtype: data type.
        lod_level: number of sequence levels.
        type: kind of the variable.
        stop_gradient: no gradient for it.
    Returns:
        The Variable.
    Raises:
        TypeError: the name is no str, or the shape neither a list nor a tuple.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.data("x", [3]).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    if not isinstance(name, (str, bytes)):
        raise type_error("name", "str", name, "fluid.layers.data")
    if not isinstance(shape, (list, tuple)):
        raise type_error("shape", "list or tuple", shape, "fluid.layers.data")
    dims = [-1 if d is None else int(d) for d in shape]
    if any(d is None or int(d) < 0 for d in shape):
        append_batch_size = False
    if append_batch_size:
        dims = [-1, *dims]
    return feed_variable(name, dims, dtype, lod_level, type, stop_gradient, need_check_feed=False)


def load(out: Variable, file_path: str, load_as_fp16: bool | None = None) -> None:
    """Read a variable from its file when the Program runs.

    Args:
        out: the Variable that takes the value.
        file_path: the file, as `fluid.io.save_vars` writes one for each variable.
        load_as_fp16: convert to float16.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.load(fluid.layers.create_tensor("float32"), "folder/fc_0.w_0")

    Follows Paddle 1.8.
    """
    attrs: dict[str, Any] = {"file_path": file_path}
    if load_as_fp16 is not None:
        attrs["load_as_fp16"] = load_as_fp16
    LayerHelper("load", age=1).append_op(type="load", inputs={}, outputs={"Out": out}, attrs=attrs)


def feed_variable(
    name: str,
    shape: list[int],
    dtype: DTypeLike,
    lod_level: int,
    type: VarType,
    stop_gradient: bool,
    need_check_feed: bool,
) -> Variable:
    """The variable in the default main program; from then on that program follows Paddle 1.8."""
    if mode.settle_static():
        default_main_program().age = default_startup_program().age = 1
    return default_main_program().current_block()._add_var(
        name=name, shape=shape, dtype=dtype, type=type, stop_gradient=stop_gradient, lod_level=lod_level, is_data=True,
        need_check_feed=need_check_feed,
    )  # fmt: skip


__all__ = ["create_py_reader_by_data", "data", "double_buffer", "load", "py_reader", "read_file"]

__getattr__ = missing(__name__)
