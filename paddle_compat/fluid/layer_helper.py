"""`paddle.fluid.layer_helper`: the LayerHelper that writes Programs as Paddle 1.8 does."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import mode
from paddle_compat.core.errors import type_error
from paddle_compat.core.layer_helper import LayerHelper as _LayerHelper
from paddle_compat.fluid.dygraph import _eager
from paddle_compat.fluid.dygraph._parambase import new_parameter, placeholder


class LayerHelper(_LayerHelper):
    """What a layer needs to name variables, create parameters and append operators, as Paddle 1.8 does.

    Args:
        layer_type (str): the prefix of the names.
        kwargs: the layer's own arguments; `name`, `param_attr`, `bias_attr`, `act`, `input` are read.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.layer_helper import LayerHelper
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
        ...     helper = LayerHelper("mine", act="relu")
        ...     helper.append_activation(fluid.data("x", [None, 2])).name
        'mine_0.tmp_0'

    Follows Paddle 1.8.
    """

    def __init__(self, layer_type: str, **kwargs: Any) -> None:
        if mode._static is None:
            _eager.settle(kwargs.values())
        super().__init__(layer_type, age=1, **kwargs)

    # ---- in eager mode
    def _apply(self, definition: Any, *inputs: Any, **attrs: Any) -> Any:
        if _eager.runs_now(inputs):
            return _eager.run(definition, inputs, attrs)
        return super()._apply(definition, *inputs, **attrs)

    def _parameter_now(self, attr: Any, shape: list[int], dtype: Any, stop_gradient: bool) -> Any:
        return new_parameter(attr, shape, dtype, stop_gradient, self.main_program.global_block())

    def create_variable_for_type_inference(self, dtype: Any = None, stop_gradient: bool = False, shape: Any = None) -> Any:
        """A temporary variable, or in eager mode a VarBase that an operator is to fill.

        Args:
            dtype: data type; None: inference gives it.
            stop_gradient (bool): no gradient flows through it.
            shape (list): None: inference gives it.
        Returns:
            Variable or VarBase.
        """
        if mode._static is False:
            return placeholder(dtype)
        return super().create_variable_for_type_inference(dtype, stop_gradient, shape)

    create_tmp_variable = create_variable_for_type_inference

    def create_variable(self, *args: Any, **kwargs: Any) -> Any:
        """A variable in the current block, or in eager mode a VarBase without elements.

        Args:
            args, kwargs: as of `Block.create_var`; `name`, `dtype` and `persistable` count in eager mode.
        Returns:
            Variable or VarBase.
        """
        if mode._static is False:
            return placeholder(kwargs.get("dtype"), kwargs.get("name"), bool(kwargs.get("persistable")))
        return super().create_variable(*args, **kwargs)

    def create_global_variable(self, persistable: bool = False, *args: Any, **kwargs: Any) -> Any:
        """A variable in the global block, or in eager mode a VarBase without elements.

        Args:
            persistable (bool): it lives in the Scope between runs.
            args, kwargs: as of `Block.create_var`; `name`, `dtype` and `shape` count in eager mode.
        Returns:
            Variable or VarBase.
        """
        if mode._static is False:
            return placeholder(kwargs.get("dtype"), kwargs.get("name"), persistable, kwargs.get("shape"))
        return super().create_global_variable(persistable, *args, **kwargs)

    def set_variable_initializer(self, var: Any, initializer: Any) -> Any:
        """Create the variable in the startup program too, with this initializer; in eager mode, fill it.

        Args:
            var (Variable): the variable.
            initializer: what fills it.
        Returns:
            Variable: that of the startup program; in eager mode `var`.
        """
        if mode._static is not False:
            return super().set_variable_initializer(var, initializer)
        initializer(var, self.main_program.global_block())
        return var

    def to_variable(self, value: Any, name: str | None = None) -> Any:
        """A value of eager mode from an array.

        Args:
            value (numpy.ndarray|VarBase): the array; a VarBase is given back.
            name (str): None: a new one.
        Returns:
            VarBase.
        Raises:
            AssertionError: eager mode is off.
            TypeError: it is no array.

        Example:
            >>> import numpy as np, paddle_compat.fluid as fluid
            >>> from paddle_compat.fluid.layer_helper import LayerHelper
            >>> with fluid.dygraph.guard():
            ...     LayerHelper("mine").to_variable(np.ones(2, "float32")).numpy()
            array([1., 1.], dtype=float32)
        """
        from paddle_compat.fluid.dygraph.base import to_variable

        return to_variable(value, name)

    def is_instance(self, param_name: str, cls: type[Any]) -> None:
        """Refuse an argument of the layer that is no instance of a class.

        Args:
            param_name (str): the argument.
            cls (type): the class.
        Raises:
            TypeError: it is none.

        Example:
            >>> import paddle_compat.fluid as fluid
            >>> from paddle_compat.fluid.layer_helper import LayerHelper
            >>> LayerHelper("mine", act="relu").is_instance("act", str)
        """
        given = self.kwargs.get(param_name)
        if not isinstance(given, cls):
            raise type_error(param_name, cls.__name__, given, self.layer_type)


__all__ = ["LayerHelper"]

__getattr__ = missing(__name__)
