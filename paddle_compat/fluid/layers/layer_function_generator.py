"""`fluid.layers.layer_function_generator`: layers made of nothing but an operator's type, and documentation from its description."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

from paddle_compat._missing import missing
from paddle_compat.base.layers.layer_function_generator import described
from paddle_compat.core import mode
from paddle_compat.core.dtype import VarType
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.framework import OpProtoHolder
from paddle_compat.fluid.layer_helper import LayerHelper
from paddle_compat.fluid.layers._record import check_dtype, run
from paddle_compat.tensor.layer_function_generator import filled_in, layer_fn

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
    return layer_fn(op_type, OpProtoHolder, LayerHelper, (Variable,))


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

    return described(comment, OpProtoHolder)


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

    return filled_in(op_type, OpProtoHolder)


__all__ = ["deprecated", "generate_layer_fn", "generate_activation_fn", "autodoc", "templatedoc"]

__getattr__ = missing(__name__)
