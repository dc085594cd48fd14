"""`fluid.layers.ops`: functions of one variable, element by element."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.layers._record import layer, run

_UNARY = {
    "abs": "|x|",
    "acos": "the arc cosine of x",
    "asin": "the arc sine of x",
    "atan": "the arc tangent of x",
    "ceil": "the smallest whole number that is not below x",
    "cos": "the cosine of x",
    "cosh": "the hyperbolic cosine of x",
    "exp": "e to the power of x",
    "floor": "the largest whole number that is not above x",
    "logsigmoid": "log(1 / (1 + exp(-x)))",
    "reciprocal": "1 / x",
    "round": "the whole number nearest to x",
    "rsqrt": "1 / sqrt(x)",
    "sigmoid": "1 / (1 + exp(-x))",
    "sin": "the sine of x",
    "sinh": "the hyperbolic sine of x",
    "softplus": "log(1 + exp(x))",
    "softsign": "x / (1 + |x|)",
    "sqrt": "the square root of x",
    "square": "x * x",
    "tan": "the tangent of x",
    "tanh": "the hyperbolic tangent of x",
    "tanh_shrink": "x - tanh(x)",
}

_DOC = """{what}, element by element.

    Args:
        x: float16, float32 or float64.
        name: the layer's name.
    Returns:
        Variable of the shape and data type of x.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.{name}(fluid.data("x", [None, 3])).shape
        (-1, 3)

    Follows Paddle 1.8.
    """


def _unary(type_: str) -> Callable[..., Any]:
    def function(x: Variable, name: str | None = None) -> Variable:
        return run(type_, x, name=name)

    what = _UNARY[type_]
    function.__name__ = function.__qualname__ = type_
    function.__doc__ = _DOC.format(what=what[0].upper() + what[1:], name=type_)
    return layer(function)


abs = _unary("abs")
acos = _unary("acos")
asin = _unary("asin")
atan = _unary("atan")
ceil = _unary("ceil")
cos = _unary("cos")
cosh = _unary("cosh")
exp = _unary("exp")
floor = _unary("floor")
logsigmoid = _unary("logsigmoid")
reciprocal = _unary("reciprocal")
round = _unary("round")
rsqrt = _unary("rsqrt")
sigmoid = _unary("sigmoid")
sin = _unary("sin")
sinh = _unary("sinh")
softplus = _unary("softplus")
softsign = _unary("softsign")
sqrt = _unary("sqrt")
square = _unary("square")
tan = _unary("tan")
tanh = _unary("tanh")
tanh_shrink = _unary("tanh_shrink")


@layer
def erf(x: Variable) -> Variable:
    """The error function, element by element.

    Args:
        x: a floating Variable.
    Returns:
        Variable of the shape and data type of x.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.erf(fluid.data("x", [None, 3])).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    return run("erf", x)


@layer
def gelu(x: Variable, approximate: bool = False) -> Variable:
    """x times the chance that a standard normal number is below x.

    Args:
        x: a floating Variable.
        approximate: by tanh instead of the error function.
    Returns:
        Variable of the shape and data type of x.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.gelu(fluid.data("x", [None, 3])).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    return run("gelu", x, approximate=approximate)


@layer
def hard_shrink(x: Variable, threshold: float | None = None) -> Variable:
    """x where |x| is above `threshold`, else 0.

    Args:
        x: a floating Variable.
        threshold: None stands for 0.5.
    Returns:
        Variable of the shape and data type of x.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.hard_shrink(fluid.data("x", [None, 3]), threshold=0.3).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    return run("hard_shrink", x, threshold=threshold)


@layer
def softshrink(x: Variable, alpha: float | None = None) -> Variable:
    """x moved towards 0 by `alpha`, 0 where it would cross it.

    Args:
        x: a floating Variable.
        alpha: None stands for 0.5.
    Returns:
        Variable of the shape and data type of x.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.softshrink(fluid.data("x", [None, 3])).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    attrs: dict[str, Any] = {} if alpha is None else {"lambda": alpha}
    return run("softshrink", x, **attrs)


@layer
def thresholded_relu(x: Variable, threshold: float | None = None) -> Variable:
    """x where it is above `threshold`, else 0.

    Args:
        x: a floating Variable.
        threshold: None stands for 1.0.
    Returns:
        Variable of the shape and data type of x.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.thresholded_relu(fluid.data("x", [None, 3])).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    return run("thresholded_relu", x, threshold=threshold)


@layer
def cumsum(x: Variable, axis: int | None = None, exclusive: bool | None = None, reverse: bool | None = None) -> Variable:
    """Sums of all elements up to each one.

    Args:
        x: a Variable.
        axis: along which dimension; None: the last.
        exclusive: without the element itself.
        reverse: from the end.
    Returns:
        Variable of the shape and data type of x.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.cumsum(fluid.data("x", [None, 3]), axis=0).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    return run("cumsum", x, axis=axis, exclusive=exclusive, reverse=reverse)


__all__ = [*_UNARY, "cumsum", "erf", "gelu", "hard_shrink", "softshrink", "thresholded_relu"]

__getattr__ = missing(__name__)
