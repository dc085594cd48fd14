"""`paddle.pir.core`: the Programs that Paddle's new IR is recorded into; Programs have one IR here, so they are `paddle.static`'s."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.base.framework import (
    convert_np_dtype_to_dtype_,
    default_main_program,
    default_startup_program,
    program_guard,
    switch_main_program,
    switch_startup_program,
)
from paddle_compat.core import unique_name
from paddle_compat.core.dtype import ELEMENTS, VarType, data_types
from paddle_compat.core.layer_helper import LayerHelper

# the same data types by the names of both kinds, which are one kind here since Paddle 3
vartype_to_datatype = {getattr(VarType, old): getattr(data_types, new) for new, old in ELEMENTS.items()}
datatype_to_vartype = {new: old for old, new in vartype_to_datatype.items()}


def create_parameter(
    dtype: Any, shape: Any, name: str | None = None, initializer: Any = None, trainable: bool = True, **kwargs: Any
) -> Any:
    """A parameter of the main Program, which the startup Program fills.

    Args:
        dtype: its data type.
        shape: its dimensions.
        name: its name; None: made.
        initializer: what fills it.
        trainable: whether it is trained.
        kwargs: have no effect.
    Returns:
        Parameter.
    Raises:
        ValueError: nothing fills it.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> one = paddle.nn.initializer.Constant(1.0)
        >>> paddle.pir.core.create_parameter("float32", [2], initializer=one).shape
        (2,)
        >>> paddle.disable_static()

    Follows Paddle 3.3.
    """
    from paddle_compat.static.variables import create_parameter

    name = _named(initializer, name, "parameter")
    made = create_parameter(list(shape), dtype, name, default_initializer=initializer)
    made.trainable, made.stop_gradient = trainable, not trainable
    return made


def create_persistable_value(dtype: Any, shape: Any, name: str | None = None, initializer: Any = None, **kwargs: Any) -> Any:
    """A variable of the main Program that lives on between runs and is not trained; the startup Program fills it.

    Args:
        dtype: its data type.
        shape: its dimensions.
        name: its name; None: made.
        initializer: what fills it.
        kwargs: have no effect.
    Returns:
        Variable.
    Raises:
        ValueError: nothing fills it.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> one = paddle.nn.initializer.Constant(1.0)
        >>> paddle.pir.core.create_persistable_value("float32", [2], initializer=one).persistable
        True
        >>> paddle.disable_static()

    Follows Paddle 3.3.
    """
    name = _named(initializer, name, "persistable_value")
    helper = LayerHelper("persistable_value", name=name)
    made = helper.create_global_variable(dtype=dtype, shape=list(shape), persistable=True, name=name, stop_gradient=True)
    helper.set_variable_initializer(made, initializer)
    return made


def _named(initializer: Any, name: str | None, kind: str) -> str:
    """The name of something that has to be filled."""
    if initializer is None:
        raise ValueError(f"Invalid value for argument `initializer` of `create_{kind}`. Expected what fills it. Received: None")
    return name or unique_name.generate(kind)


__all__ = [
    "convert_np_dtype_to_dtype_", "create_parameter", "create_persistable_value", "datatype_to_vartype", "default_main_program",
    "default_startup_program", "program_guard", "switch_main_program", "switch_startup_program", "vartype_to_datatype",
]  # fmt: skip

__getattr__ = missing(__name__)
