"""LayerHelper: what a layer function needs to name variables, create parameters and append operators."""

from __future__ import annotations

import copy
from importlib import import_module
from typing import Any

import numpy as np
import torch

from paddle_compat.core import mode, param_attr, unique_name
from paddle_compat.core._kernel_attributes import choose
from paddle_compat.core.dtype import DTypeLike, VarType, convert_dtype, default, dtype_name, is_float, torch_dtype
from paddle_compat.core.errors import failed_assertion, type_error
from paddle_compat.core.op import definition_of, find_op
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.core.param_attr import ParamAttr, WeightNormParamAttr
from paddle_compat.core.program import Program, default_main_program, default_startup_program
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Parameter

# In 2.x the values of operators take numbers from the names of layers (the second Linear is `linear_2`); in 3.x layers count by themselves.
_BESIDE_LAYERS = "op." if SINCE_3 else ""


class LayerHelper:
    """What a layer needs to name variables, create parameters and append operators.

    Args:
        layer_type: the prefix of the names, for example ``fc``.
        age: 1 when the caller is `paddle.fluid` (Programs then follow 1.8), 2 for `paddle.*`.
        kwargs: the layer's own arguments; `name`, `param_attr`, `bias_attr`, `act`, `input`, `main_program` are read.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.base.layer_helper import LayerHelper
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [None, 2])
        >>> helper = LayerHelper("mine", input=x, act="relu")
        >>> helper.input() is x, helper.multiple_input() == [x], helper.input_dtype().name
        (True, True, 'FP32')
        >>> pairs = list(helper.iter_inputs_and_params())
        >>> len(pairs) == len(helper.multiple_param_attr(1)) == 1
        True
        >>> w = helper.create_parameter(helper.param_attr, [2, 3], "float32")
        >>> w.name, helper.get_parameter(w.name) is w
        ('mine_0.w_0', True)
        >>> out = helper.create_variable_for_type_inference(x.dtype)
        >>> _ = helper.append_op(type="matmul_v2", inputs={"X": x, "Y": w}, outputs={"Out": out})
        >>> out.name, helper.append_activation(helper.append_bias_op(out)).shape
        ('mine_0.tmp_0', (-1, 3))
        >>> total = helper.create_global_variable(True, name="total", shape=[1], dtype="float32")
        >>> found, is_new = helper.create_or_get_global_variable("total")
        >>> found is total, is_new
        (True, False)
        >>> helper.set_variable_initializer(total, paddle.nn.initializer.Constant(0.0)).block.program is helper.startup_program
        True
        >>> helper.create_variable(name="scratch").name, helper.create_tmp_variable("float32").name
        ('scratch', 'mine_0.tmp_3')

    Follows Paddle 1.8 and 2.6.
    """

    _dtype: DTypeLike | None = None

    def __init__(self, layer_type: str, age: int = 2, **kwargs: Any) -> None:
        self.layer_type = layer_type
        self.age = age
        self.kwargs = kwargs
        name = kwargs.get("name")
        self.name: str = name if name is not None else unique_name.generate(layer_type)
        if age == 1:
            mode.settle_by_imports()
        if age == 1 and mode.settle_static():
            self.main_program.age = self.startup_program.age = 1

    @property
    def main_program(self) -> Program:
        """The Program recorded into."""
        return default_main_program()

    @property
    def startup_program(self) -> Program:
        """The Program that initialisation is recorded into."""
        return default_startup_program()

    # ---- the layer's arguments
    def multiple_input(self, input_param_name: str = "input") -> list[Any]:
        """The argument of that name as a list.

        Args:
            input_param_name (str): the argument's name.
        Returns:
            List of Variables.
        """
        inputs = self.kwargs.get(input_param_name, [])
        return list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]

    def input(self, input_param_name: str = "input") -> Any:
        """The one input of the layer.

        Args:
            input_param_name (str): the argument's name.
        Returns:
            Variable.
        Raises:
            ValueError: there are none or several.
        """
        inputs = self.multiple_input(input_param_name)
        if len(inputs) != 1:
            raise ValueError(
                f"Invalid value for argument `{input_param_name}` of `{self.layer_type}`. Expected one input. Received: {len(inputs)}"
            )
        return inputs[0]

    @property
    def param_attr(self) -> Any:
        """The parameter's attributes."""
        return ParamAttr._to_attr(self.kwargs.get("param_attr"))

    @property
    def bias_attr(self) -> Any:
        """The bias's attributes, False for none."""
        return ParamAttr._to_attr(self.kwargs.get("bias_attr"))

    def multiple_param_attr(self, length: int) -> list[Any]:
        """One ParamAttr for each input.

        Args:
            length (int): how many inputs there are.
        Returns:
            List of ParamAttr.
        Raises:
            ValueError: there are several attributes, and not as many as inputs.
        """
        attrs = self.param_attr
        if isinstance(attrs, ParamAttr):
            attrs = [attrs]
        if len(attrs) not in (1, length):
            raise ValueError(
                f"Invalid value for argument `param_attr` of `{self.layer_type}`. Expected 1 or {length} attributes. Received: {len(attrs)}"
            )
        if len(attrs) == 1 and length > 1:
            attrs = [attrs[0], *(copy.deepcopy(attrs[0]) for _ in range(length - 1))]
        return list(attrs)

    def iter_inputs_and_params(self, input_param_name: str = "input") -> Any:
        """Pairs of input and its ParamAttr.

        Args:
            input_param_name (str): the argument's name.
        Returns:
            Iterator of pairs.
        """
        inputs = self.multiple_input(input_param_name)
        return zip(inputs, self.multiple_param_attr(len(inputs)))

    def input_dtype(self, input_param_name: str = "input") -> VarType:
        """The data type that all inputs share.

        Args:
            input_param_name (str): the argument's name.
        Returns:
            VarType.
        Raises:
            ValueError: they have several.
        """
        dtype = None
        for value in self.multiple_input(input_param_name):
            if dtype is not None and dtype != value.dtype:
                raise ValueError(
                    f"Invalid value for argument `{input_param_name}` of `{self.layer_type}`. Expected one data type. "
                    f"Received: {dtype} and {value.dtype}"
                )
            dtype = value.dtype
        assert dtype is not None
        return dtype

    # ---- variables
    def create_variable_for_type_inference(
        self, dtype: DTypeLike | None = None, stop_gradient: bool = False, shape: Any = None
    ) -> Any:
        """A temporary variable ``<layer>.tmp_<n>``; an operator's inference gives it shape and type.

        In eager mode, it is a Tensor without elements.

        Args:
            dtype: data type; None: inference gives it.
            stop_gradient (bool): no gradient flows through it.
            shape (list): None: inference gives it.
        Returns:
            Variable or Tensor.
        """
        if mode.in_dygraph_mode():
            return self._nothing_yet(dtype, None)
        return self.main_program.current_block()._add_var(
            name=unique_name.generate_with_ignorable_key(".".join([self.name, "tmp"])),
            dtype=dtype,
            shape=shape,
            persistable=False,
            stop_gradient=stop_gradient,
        )

    create_tmp_variable = create_variable_for_type_inference

    @staticmethod
    def _nothing_yet(dtype: DTypeLike | None, name: str | None, persistable: bool = False, shape: Any = (0,)) -> Any:
        return Tensor(torch.zeros(tuple(shape), dtype=torch_dtype(default() if dtype is None else dtype)), name, persistable)

    def create_variable(self, *args: Any, **kwargs: Any) -> Any:
        """A variable in the current block; in eager mode, a Tensor without elements.

        Args:
            args, kwargs: as of `Block.create_var`.
        Returns:
            Variable or Tensor.
        """
        if mode.in_dygraph_mode():
            return self._nothing_yet(kwargs.get("dtype"), kwargs.get("name"), bool(kwargs.get("persistable")))
        return self.main_program.current_block()._add_var(*args, **kwargs)

    def create_global_variable(self, persistable: bool = False, *args: Any, **kwargs: Any) -> Any:
        """A variable in the global block; in eager mode, a Tensor.

        Args:
            persistable (bool): it lives in the Scope between runs.
            args, kwargs: as of `Block.create_var`.
        Returns:
            Variable or Tensor.
        """
        if mode.in_dygraph_mode():
            return self._nothing_yet(kwargs.get("dtype"), kwargs.get("name"), persistable, kwargs.get("shape") or (0,))
        return self.main_program.global_block()._add_var(
            *args, persistable=persistable, stop_gradient=kwargs.pop("stop_gradient", False), **kwargs
        )

    def create_or_get_global_variable(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """The global variable of that name, made if need be.

        Args:
            name (str): the variable's name.
            args, kwargs: as of `Block.create_var`.
        Returns:
            A pair: the variable, and whether it is new.
        """
        block = self.main_program.global_block()
        if block.has_var(name):
            return block.var(name), False
        var = self.create_global_variable(*args, name=name, **kwargs)
        return var, True

    def set_variable_initializer(self, var: Any, initializer: Any) -> Any:
        """Create the variable in the startup program too, with this initializer; a Tensor is filled at once.

        Args:
            var (Variable): the variable.
            initializer: what fills it.
        Returns:
            Variable: that of the startup program; the Tensor.
        """
        if mode.in_dygraph_mode():
            initializer(var, self.main_program.global_block())
            return var
        return self.startup_program.global_block()._add_var(
            name=var.name, type=var.type, dtype=var.dtype, shape=var.shape, persistable=True, initializer=initializer
        )

    def get_parameter(self, name: str) -> Parameter:
        """The parameter of that name.

        Args:
            name (str): the parameter's name.
        Returns:
            Parameter.
        Raises:
            ValueError: there is no variable of that name, or it is no parameter.
        """
        found = self.main_program.global_block().var(name)
        if not isinstance(found, Parameter):
            raise ValueError(f"Invalid value for argument `name`. Expected a parameter's name. Received: {name}")
        return found

    # ---- parameters
    def create_parameter(
        self,
        attr: Any,
        shape: Any,
        dtype: DTypeLike | None = None,
        is_bias: bool = False,
        default_initializer: Any = None,
        stop_gradient: bool = False,
        type: VarType = VarType.LOD_TENSOR,
    ) -> Any:
        """A parameter ``<layer>.w_<n>`` (a bias ``.b_<n>``) in the main program, initialised in the startup program.

        Args:
            attr (ParamAttr): False for none.
            shape (list): its dimensions.
            dtype: data type; None: the default one.
            is_bias (bool): it is named and starts as a bias.
            default_initializer: goes where `attr` has none.
            stop_gradient (bool): it is not trained.
            type (VarType): its kind.
        Returns:
            The Parameter; None when `attr` is False.
        Raises:
            ValueError: there is a parameter of that name and another shape; in eager mode, one of that name.
            TypeError: the shape holds other things than ints; the data type needs an initializer.
            AssertionError: the shape is not above 0.
        """
        if not attr and attr is not None:
            return None
        if isinstance(attr, (list, tuple)):
            raise failed_assertion("attr", "one ParamAttr, not several", attr, self.layer_type)
        attr = copy.deepcopy(attr) if attr is not None else ParamAttr()
        dtype = self.get_default_dtype() if dtype is None else dtype
        if attr.name is None:
            attr.name = unique_name.generate(".".join([self.name, "b" if is_bias else "w"]))
        overruling = param_attr.global_initializers[is_bias]
        if overruling is not None:
            default_initializer = overruling
        if default_initializer is None and attr.initializer is None:
            if not is_float(dtype):
                raise TypeError(
                    f"Invalid type for argument `dtype` of `{self.layer_type}`. Expected a floating type for a parameter "
                    "without initializer. "
                    f"Received: {dtype!r}"
                )
            attr._set_default_bias_initializer(self.age) if is_bias else attr._set_default_param_initializer(self.age)
        else:
            attr._set_default_initializer(default_initializer)
        if isinstance(attr, WeightNormParamAttr):
            return import_module("paddle_compat.static.nn._weight_norm").weight_norm_parameter(self, attr, shape, dtype)
        if isinstance(shape, Tensor):
            shape = shape.tolist()
        for size in shape:
            if not isinstance(size, (int, np.integer)):
                raise type_error("shape", "ints", size, self.layer_type)
            if self.age > 1 and size < (0 if SINCE_3 else 1):
                raise failed_assertion("shape", f"sizes {'of at least' if SINCE_3 else 'above'} 0", list(shape), self.layer_type)
        shape = [int(d) for d in shape]
        if mode.in_dygraph_mode():
            if unique_name.is_parameter(attr.name):
                raise ValueError(
                    "Invalid value for argument `name` of a parameter. Expected one that no other parameter has, in eager "
                    f"mode. Received: {attr.name}"
                )
            return self._parameter_now(attr, shape, dtype, stop_gradient)
        kwargs = attr._to_kwargs(with_initializer=True)
        main = self.main_program.global_block()
        existing = main.vars.get(attr.name)
        if existing is not None:
            for fact, old, new in (
                ("shape", list(existing.shape), shape),
                ("data type", existing.dtype, convert_dtype(dtype)),
                ("persistable", existing.persistable, True),
            ):
                if old != new:
                    raise ValueError(f"Parameter `{attr.name}` exists with another {fact}. Expected {old}. Received: {new}")
        # a name given again: the latest attributes count, and what the first layer was given holds the same values
        self.startup_program.global_block().create_parameter(dtype=dtype, shape=shape, type=type, **kwargs)
        kwargs.pop("initializer")
        param = main.create_parameter(dtype=dtype, shape=shape, type=type, **kwargs)
        if stop_gradient:
            param.stop_gradient = True
        return param

    def _parameter_now(self, attr: ParamAttr, shape: list[int], dtype: DTypeLike, stop_gradient: bool) -> Any:
        from paddle_compat.core.tensor import create_parameter

        return create_parameter(attr, shape, dtype, stop_gradient, self.main_program.global_block())

    # ---- operators
    def get_default_dtype(self) -> Any:
        """The data type of parameters that are given none.

        Returns:
            str: `paddle.get_default_dtype()`; what `set_default_dtype` was given.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.base.layer_helper.LayerHelper("mine").get_default_dtype()
            'float32'
        """
        return dtype_name(default()) if self._dtype is None else self._dtype

    def set_default_dtype(self, dtype: DTypeLike) -> None:
        """Choose the data type of this helper's parameters that are given none.

        Args:
            dtype: data type.

        Example:
            >>> import paddle_compat as paddle
            >>> helper = paddle.base.layer_helper.LayerHelper("mine")
            >>> helper.set_default_dtype("float64")
            >>> helper.get_default_dtype()
            'float64'
        """
        self._dtype = dtype

    def append_op(self, *args: Any, **kwargs: Any) -> Any:
        """Append an operator to the current block (see `Block.append_op`).

        Args:
            args, kwargs: as of `Block.append_op`.
        Returns:
            Operator.
        """
        return self.main_program.current_block().append_op(*args, **kwargs)

    def append_bias_op(self, input_var: Any, dim_start: int = 1, dim_end: int | None = None) -> Any:
        """Add the layer's bias.

        Args:
            input_var (Variable): what it is added to.
            dim_start, dim_end (int): the bias has the shape of these dimensions.
        Returns:
            Variable: the sum; `input_var` where the layer has no bias.
        """
        bias_attr = self.bias_attr
        if not bias_attr:
            return input_var
        bias = self.create_parameter(
            bias_attr, shape=list(input_var.shape[dim_start:dim_end]), dtype=input_var.dtype, is_bias=True
        )
        return self._apply(definition_of("elementwise_add"), input_var, bias, axis=dim_start)

    def _apply(self, definition: Any, *inputs: Any, **attrs: Any) -> Any:
        return definition(*inputs, _helper=self, **attrs)

    def append_activation(self, input_var: Any) -> Any:
        """Apply the layer's activation (`act`: a name, or a dict with `type` and attributes).

        Args:
            input_var (Variable): what it is applied to.
        Returns:
            Variable; `input_var` where the layer has no activation.
        Raises:
            TypeError: `act` is neither a name nor a dict.
            ValueError: there is no such activation.
        """
        act = self.kwargs.get("act")
        if act is None:
            return input_var
        if isinstance(act, str):
            act = {"type": act}
        if not isinstance(act, dict):
            raise TypeError(
                f"Invalid type for argument `act` of `{self.layer_type}`. Expected str or dict. Received: {act!r}"
            )
        act = dict(act)
        if self.kwargs.get("use_cudnn") and not mode.in_dygraph_mode():
            act["use_cudnn"] = True  # 1.8 hands the layer's choice on; nothing is chosen by it here
        kind = act.pop("type")
        definition = find_op(kind)
        if definition is None:
            raise ValueError(
                f"Invalid value for argument `act` of `{self.layer_type}`. Expected the name of an activation. Received: {kind!r}"
            )
        out = self._apply(definition, input_var, **act)
        # the layer's choice of a kernel is its activation's
        return choose(out, use_cudnn=True) if self.kwargs.get("use_cudnn") else out


def operator_helper(layer_type: str, name: str | None = None, age: int = 2) -> LayerHelper:
    """A LayerHelper that names values alone, and has no parameters.

    Args:
        layer_type: the prefix of the names.
        name: the user's own; None for one after the prefix.
        age: as LayerHelper's.
    """
    return LayerHelper(_BESIDE_LAYERS + layer_type, age=age, name=name)
