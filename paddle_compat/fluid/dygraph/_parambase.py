"""ParamBase, a parameter of Paddle 1.8's eager mode, and what blocks and layers make there."""

from __future__ import annotations

from typing import Any

import torch

from paddle_compat.core import block, unique_name
from paddle_compat.core.dtype import torch_dtype
from paddle_compat.core.place import current_place
from paddle_compat.core.program import default_main_program
from paddle_compat.core.tensor import EagerParamBase, Tensor, create_parameter
from paddle_compat.fluid.dygraph import _eager
from paddle_compat.fluid.dygraph._varbase import VarBase


class ParamBase(VarBase, EagerParamBase):  # type: ignore[metaclass]
    """A parameter of an eager script of Paddle 1.8.

    Args:
        shape (list): its dimensions; a torch tensor is the parameter's value.
        dtype: data type.
        kwargs: `name`, `optimize_attr`, `regularizer`, `do_model_average`, `is_distributed`, `trainable`.
    Raises:
        ValueError: shape or data type is missing, or a dimension is unknown.
    """

    op: Any = None
    _counted = EagerParamBase

    def __init__(self, shape: Any, dtype: Any = None, name: str | None = None, **kwargs: Any) -> None:
        value = shape
        if not isinstance(shape, torch.Tensor):
            if not shape or dtype is None or any(size < 0 for size in shape):
                expected = "known dimensions, at least one, and a data type"
                raise ValueError(f"Invalid shape or data type of a parameter. Expected {expected}. Received: {shape!r}, {dtype!r}")
            value = torch.empty(list(shape), dtype=torch_dtype(dtype))
            name = name or unique_name.generate("_param_base")
        VarBase.__init__(self, value, name=name, persistable=True)
        self.optimize_attr = kwargs.get("optimize_attr") or {"learning_rate": 1.0}
        self.regularizer = kwargs.get("regularizer")
        self.do_model_average = kwargs.get("do_model_average")
        self.need_clip = True
        self.is_distributed = kwargs.get("is_distributed", False)
        self.is_parameter = True
        self._trainable = bool(kwargs.get("trainable", True))
        self.stop_gradient = value is not shape  # until a layer makes it

    @property
    def trainable(self) -> bool:
        """Whether optimizers move it; its gradient is there all the same."""
        return self._trainable

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self._trainable = bool(value)

    def __repr__(self) -> str:
        return self.to_string()


def placeholder(dtype: Any = None, name: str | None = None, persistable: bool = False, shape: Any = None) -> Tensor:
    """A VarBase, or a Tensor of Paddle 2, that an operator is to fill."""
    kind = torch.float32 if dtype is None else torch_dtype(dtype)
    made = torch.empty([0] if shape is None else shape, dtype=kind)
    return (VarBase if _eager.first_age() else Tensor)(made, name=name, persistable=persistable)


def _made_by_a_block(
    name: str | None = None, shape: Any = None, dtype: Any = None, persistable: Any = None, initializer: Any = None, **kwargs: Any
) -> Tensor:
    """What `Block.create_var` gives in eager mode."""
    sizes = None if shape is None or any(size < 0 for size in shape) else list(shape)
    made = placeholder(dtype, name, bool(persistable), sizes)
    if initializer is not None:
        initializer(made, default_main_program().global_block())
    return made


def _parameter_of_a_block(shape: Any = None, dtype: Any = None, initializer: Any = None, **kwargs: Any) -> ParamBase:
    """What `Block.create_parameter` gives in eager mode."""
    made = ParamBase(shape, dtype, **kwargs)
    if initializer is not None:
        with torch.no_grad():
            initializer(made, made.block)
    made.stop_gradient = False
    return made


block.makers[1] = _made_by_a_block, _parameter_of_a_block


def new_parameter(attr: Any, shape: list[int], dtype: Any, stop_gradient: bool, where: Any) -> EagerParamBase:
    """A parameter, filled by the initializer's operator, which takes its seed from the block's Program."""
    if not _eager.first_age():
        return create_parameter(attr, shape, dtype, stop_gradient, where)
    if not shape or any(size <= 0 for size in shape):
        raise ValueError(f"Invalid value for argument `shape` of a parameter. Expected sizes above 0. Received: {shape}")
    kwargs = attr._to_kwargs(with_initializer=True)
    initializer = kwargs.pop("initializer")
    param = ParamBase(torch.empty(shape, dtype=torch_dtype(dtype), device=current_place().torch_device), **kwargs)
    with torch.no_grad():
        initializer(param, where)
    if stop_gradient:
        param.stop_gradient = True
    return param


__all__ = ["ParamBase", "new_parameter", "placeholder"]
