"""`paddle.tensor.layer_function_generator`: functions made of nothing but an operator's type, and documentation from its description."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

from paddle_compat import _C_ops, _legacy_C_ops
from paddle_compat._missing import missing
from paddle_compat.core import mode
from paddle_compat.core.layer_helper import LayerHelper
from paddle_compat.core.op import definition_of
from paddle_compat.core.op_protos import OpProtoHolder
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.tensor._calls import COMPLEX, INTS, check, named

F = TypeVar("F", bound=Callable[..., Any])
_FLOATS = ("float16", "float32", "float64")
_OF_NUMBERS = ("abs", "exp", "square")  # which Programs take whole and complex numbers for, too


def _snake(name: str) -> str:
    """`LengthOfX` -> `length_of_x`: how a slot's argument is called."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=.)(?=[A-Z][a-z])", "_", name).lower()


def generate_layer_fn(op_type: str) -> Callable[..., Any]:
    """A function that calls an operator: its inputs by position or by name, its attributes by name, and `name` and `act`.

    Args:
        op_type (str): the operator, which has one output.
    Returns:
        A function, called as the operator is.
    Raises:
        ValueError: there is no such operator, or it has more outputs; when the function is called, an input is no tensor, or the inputs
            have several data types.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.tensor.layer_function_generator import generate_layer_fn
        >>> generate_layer_fn("elementwise_add")(paddle.ones([2]), paddle.ones([2])).tolist()
        [2.0, 2.0]

    Follows Paddle 2.6.
    """
    taken = (Tensor,) if SINCE_3 else (Tensor, Variable)  # Paddle 3's Programs hold no Variables that would do
    return layer_fn(op_type, OpProtoHolder, LayerHelper, taken)


def layer_fn(op_type: str, protos: Any, helper_class: Any, taken: Any) -> Callable[..., Any]:
    """A function that calls an operator, for either age of Paddle.

    Args:
        op_type: the operator.
        protos: who describes operators.
        helper_class: who appends or runs them.
        taken: the classes of inputs.
    Returns:
        The function.
    Raises:
        ValueError: there is no such operator, or it has more outputs.
    """
    proto = protos.instance().get_op_proto(op_type)
    outputs = [slot for slot in proto.outputs if not slot.intermediate]
    if len(outputs) != 1:
        raise ValueError("Only one non intermediate output operator can be", f"automatically generated. {op_type}")
    if outputs[0].duplicable:
        raise ValueError("Only non duplicable op can be automatically generated.")

    def function(*args: Any, **kwargs: Any) -> Any:
        helper = helper_class(op_type, **kwargs)
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
                if not isinstance(each, taken):
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
        kwargs = {key: value for key, value in kwargs.items() if key not in ("name", "act")}
        helper.append_op(type=op_type, inputs=inputs, outputs=written, attrs=kwargs)
        return helper.append_activation(out)

    function.__name__ = op_type
    return function


def generate_activation_fn(op_type: str) -> Callable[..., Any]:
    """A function of one tensor that calls an operator from X to Out.

    Args:
        op_type (str): the operator.
    Returns:
        A function of `x` and `name`, called as the operator is (`func` in scripts of Paddle 3).
    Raises:
        ValueError: there is no such operator; AttributeError in scripts of Paddle 3, when the function is called.
        TypeError: x is of a data type that Programs have not the operator for; when the function is called.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.tensor.layer_function_generator import generate_activation_fn
        >>> generate_activation_fn("relu")(paddle.to_tensor([-1.0, 2.0])).tolist()
        [0.0, 2.0]

    Follows Paddle 2.6.
    """
    if not SINCE_3:
        OpProtoHolder.instance().get_op_proto(op_type)

    def func(x: Any, name: str | None = None) -> Any:
        if SINCE_3 or mode.in_dygraph_mode():
            return _called(op_type)(x)
        check(x, "x", op_type, (*INTS, "bfloat16", *_FLOATS, *COMPLEX) if op_type in _OF_NUMBERS else _FLOATS)
        return definition_of(op_type)(x, _helper=named(op_type, name))

    if not SINCE_3:
        func.__name__ = op_type
    return func


def _called(op_type: str) -> Callable[..., Any]:
    try:
        return getattr(_C_ops, op_type)
    except AttributeError:
        return getattr(_legacy_C_ops, op_type)


def generate_inplace_fn(inplace_op_type: str) -> Callable[..., Any]:
    """A function of one Tensor that calls an operator which writes over it.

    Args:
        inplace_op_type (str): the operator, whose name ends in `_`.
    Returns:
        A function of `x` and `name`, called as the operator is; in static mode it does nothing, as in the wheels.
    Raises:
        AttributeError: there is no such operator; when the function is called.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.tensor.layer_function_generator import generate_inplace_fn
        >>> x = paddle.to_tensor([4.0])
        >>> generate_inplace_fn("sqrt_")(x) is x, x.tolist()
        (True, [2.0])

    Follows Paddle 2.6.
    """

    def func(x: Any, name: str | None = None) -> Any:
        return _called(inplace_op_type)(x) if mode.in_dygraph_mode() else None

    func.__name__ = inplace_op_type
    func.__doc__ = f"`{inplace_op_type[:-1]}`, which writes over x."
    return func


def escape_math(text: str) -> str:
    r"""A text whose formulas, `$$x$$`, are those of a documentation.

    Args:
        text (str): the text.
    Returns:
        str.

    Example:
        >>> from paddle_compat.tensor.layer_function_generator import escape_math
        >>> escape_math("so $$x$$ is")
        'so :math:`x` is'

    Follows Paddle 2.6.
    """
    return re.sub(r"\$\$([^$]+)\$\$", r":math:`\1`", text)


def add_sample_code(func: Callable[..., Any], sample_code: str) -> None:
    """Write an example behind a function's documentation.

    Args:
        func: the function.
        sample_code (str): the example.

    Example:
        >>> from paddle_compat.tensor.layer_function_generator import add_sample_code
        >>> def double(x):
        ...     "Twice x."
        >>> add_sample_code(double, " double(2)")
        >>> double.__doc__
        'Twice x. double(2)'

    Follows Paddle 2.6.
    """
    func.__doc__ = (func.__doc__ or "") + sample_code


def templatedoc(op_type: str | None = None) -> Callable[[F], F]:
    """Fill in the documentation of a function from an operator's description: `${comment}`, `${x_comment}`, `${x_type}`.

    Args:
        op_type (str): the operator, whose comments are empty here; None: that which is called as the function is.
    Returns:
        A decorator.
    Raises:
        ValueError: there is no such operator.

    Example:
        >>> from paddle_compat.tensor.layer_function_generator import templatedoc
        >>> @templatedoc("sigmoid")
        ... def function(x):
        ...     "x is a ${x_type}."
        >>> function.__doc__
        'x is a Variable.'

    Follows Paddle 2.6.
    """

    return filled_in(op_type, OpProtoHolder)


def filled_in(op_type: str | None, protos: Any) -> Callable[[F], F]:
    """What fills in the documentation of a function, for either age of Paddle.

    Args:
        op_type: the operator; None: that which is called as the function is.
        protos: who describes operators.
    Returns:
        A decorator.
    """

    def decorate(function: F) -> F:
        proto = protos.instance().get_op_proto(op_type or function.__name__)
        found = {"comment": "", **{f"{attr.name}_comment": "" for attr in proto.attrs}}
        for slot in [*proto.inputs, *proto.outputs]:
            found |= {f"{_snake(slot.name)}_comment": "", f"{_snake(slot.name)}_type": "Variable"}
        function.__doc__ = re.sub(r"\$\{(\w+)\}", lambda match: found.get(match[1], match[0]), function.__doc__ or "")
        return function

    return decorate


__all__: list[str] = []

__getattr__ = missing(__name__)
