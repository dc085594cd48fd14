"""`fluid.layers.layer_function_generator`: layers made of nothing but an operator's type, and documentation from its description."""

from __future__ import annotations

import functools
import re
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

from paddle_compat._missing import missing
from paddle_compat.core import mode
from paddle_compat.core.dtype import VarType
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.framework import OpProtoHolder
from paddle_compat.fluid.layer_helper import LayerHelper
from paddle_compat.fluid.layers._record import check_dtype, run

F = TypeVar("F", bound=Callable[..., Any])
_FLOATS = (VarType.FP16, VarType.FP32, VarType.FP64)


def deprecated(func_or_class: F) -> F:
    """Make a function warn at each call that it is out of date.

    Args:
        func_or_class: the function.
    Returns:
        The function that warns.

    Example:
        >>> import warnings
        >>> from paddle_compat.fluid.layers.layer_function_generator import deprecated
        >>> with warnings.catch_warnings(record=True) as seen:
        ...     deprecated(abs)(-1)
        1
        >>> len(seen)
        1

    Follows Paddle 1.8.
    """

    @functools.wraps(func_or_class)
    def warned(*args: Any, **kwargs: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("always", DeprecationWarning)
            warnings.warn(f"{func_or_class.__name__} is out of date.", DeprecationWarning, stacklevel=2)
        return func_or_class(*args, **kwargs)

    return warned  # type: ignore[return-value]


def _snake(name: str) -> str:
    """`LengthOfX` -> `length_of_x`: how a slot's argument is called."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=.)(?=[A-Z][a-z])", "_", name).lower()


def generate_layer_fn(op_type: str) -> Callable[..., Any]:
    """A layer that appends an operator: its inputs by position or by name, its attributes by name, and `name` and `act`.

    Args:
        op_type (str): the operator, which has one output.
    Returns:
        A function, called as the operator is.
    Raises:
        ValueError: there is no such operator, or it has more outputs; when the function is called, an input is no Variable, or the
            inputs have several data types.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.layers.layer_function_generator import generate_layer_fn
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     generate_layer_fn("mul")(fluid.data("x", [2, 3]), fluid.data("y", [3, 4])).shape
        (2, 4)

    Follows Paddle 1.8.
    """
    proto = OpProtoHolder.instance().get_op_proto(op_type)
    outputs = [slot for slot in proto.outputs if not slot.intermediate]
    if len(outputs) != 1:
        raise ValueError("Only one non intermediate output operator can be", f"automatically generated. {op_type}")
    if outputs[0].duplicable:
        raise ValueError("Only non duplicable op can be automatically generated.")

    def function(*args: Any, **kwargs: Any) -> Any:
        helper = LayerHelper(op_type, **kwargs)
        given = list(args)
        inputs: dict[str, list[Any]] = {}
        dtype: Any = None
        for slot in proto.inputs:
            value = kwargs.pop(slot.name, kwargs.pop(_snake(slot.name), []))
            values = list(value) if isinstance(value, (list, tuple)) else [value]
            if not values and given:
                first = given.pop(0)
                values = list(first) if isinstance(first, (list, tuple)) else [first]
            for each in values:
                if not isinstance(each, Variable):
                    raise ValueError(f"input of {op_type} must be variable")
                if dtype is not None and each.dtype != dtype:
                    raise ValueError(f"operator {op_type} must input same dtype. {dtype} vs {each.dtype}")
                dtype = each.dtype
            inputs[slot.name] = values
        name = outputs[0].name
        into = [kwargs.pop(key) for key in (name, _snake(name)) if key in kwargs]
        out = (into[0][0] if isinstance(into[0], (list, tuple)) else into[0]) if into else helper.create_variable_for_type_inference(dtype)
        written = {name: [out]}
        for slot in proto.outputs:
            if slot.intermediate:
                written[slot.name] = [helper.create_variable_for_type_inference(dtype)]
        helper.append_op(type=op_type, inputs=inputs, outputs=written, attrs=kwargs)
        return helper.append_activation(out)

    function.__name__ = op_type
    return function


def generate_activation_fn(op_type: str) -> Callable[..., Any]:
    """A layer of one Variable that appends an operator from X to Out.

    Args:
        op_type (str): the operator.
    Returns:
        A function of `x` and `name`, called as the operator is.
    Raises:
        ValueError: there is no such operator.
        TypeError: x is no Variable of floats; when the function is called.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.layers.layer_function_generator import generate_activation_fn
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     generate_activation_fn("sigmoid")(fluid.data("x", [2, 3])).shape
        (2, 3)

    Follows Paddle 1.8.
    """
    OpProtoHolder.instance().get_op_proto(op_type)

    def function(x: Variable, name: str | None = None) -> Variable:
        if not mode.in_dygraph_mode():
            check_dtype(x, "x", _FLOATS, op_type)
        return run(op_type, x, name=name)

    function.__name__ = op_type
    return function


def autodoc(comment: str = "") -> Callable[[F], F]:
    """Write the documentation of a function from the description of the operator that is called as it is: its slots and attributes.

    Args:
        comment (str): what stands in front.
    Returns:
        A decorator.
    Raises:
        ValueError: there is no such operator.

    Example:
        >>> from paddle_compat.fluid.layers.layer_function_generator import autodoc
        >>> @autodoc("Multiplies.")
        ... def mul(x, y):
        ...     ...
        >>> print(mul.__doc__.splitlines()[0], "x (Variable)" in mul.__doc__)
        Multiplies. True

    Follows Paddle 1.8.
    """

    def decorate(function: F) -> F:
        proto = OpProtoHolder.instance().get_op_proto(function.__name__)
        lines = [f"    {_snake(slot.name)} ({'list of ' if slot.duplicable else ''}Variable)" for slot in proto.inputs]
        listed = "\n".join(lines + [f"    {attr.name}" for attr in proto.attrs if not attr.name.startswith("op_")])
        function.__doc__ = f"{comment}\nArgs:\n{listed}\nReturns:\n    Variable\n"
        return function

    return decorate


def templatedoc(op_type: str | None = None) -> Callable[[F], F]:
    """Fill in the documentation of a function from an operator's description: `${comment}`, `${x_comment}`, `${x_type}`.

    Args:
        op_type (str): the operator, whose comments are empty here; None: that which is called as the function is.
    Returns:
        A decorator.
    Raises:
        ValueError: there is no such operator.

    Example:
        >>> from paddle_compat.fluid.layers.layer_function_generator import templatedoc
        >>> @templatedoc("sigmoid")
        ... def function(x):
        ...     "x is a ${x_type}."
        >>> function.__doc__
        'x is a Variable.'

    Follows Paddle 1.8.
    """

    def decorate(function: F) -> F:
        proto = OpProtoHolder.instance().get_op_proto(op_type or function.__name__)
        found = {"comment": "", **{f"{attr.name}_comment": "" for attr in proto.attrs}}
        for slot in [*proto.inputs, *proto.outputs]:
            found |= {f"{_snake(slot.name)}_comment": "", f"{_snake(slot.name)}_type": "Variable"}
        function.__doc__ = re.sub(r"\$\{(\w+)\}", lambda match: found.get(match[1], match[0]), function.__doc__ or "")
        return function

    return decorate


__all__ = ["deprecated", "generate_layer_fn", "generate_activation_fn", "autodoc", "templatedoc"]

__getattr__ = missing(__name__)
