"""Functions of two tensors, element by element, and of one tensor and a number."""

from __future__ import annotations

import math as _math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from paddle_compat.core import unique_name
from paddle_compat.core.direct import direct
from paddle_compat.core.dtype import VarType
from paddle_compat.core.eager import call, together
from paddle_compat.core.errors import invalid_argument, type_error
from paddle_compat.core.op import Op
from paddle_compat.core.paddle3 import SINCE_3, paddle3
from paddle_compat.core.tensor import Tensor
from paddle_compat.ops import activation, elementwise, linalg
from paddle_compat.ops import math as ops
from paddle_compat.tensor._calls import (
    ALL,
    BOOL,
    COMPLEX,
    FLOATS,
    INTS,
    NUMBERS,
    agree,
    check,
    check_all,
    floats,
    helper_of,
    is_tensor,
    named,
    number,
    static,
    with_complex,
)
from paddle_compat.tensor._in_place import in_place, overwrite_data, write
from paddle_compat.tensor._options import beside, met, with_option
from paddle_compat.tensor._tensor_operators import common

_COMMON = BOOL + NUMBERS
_PLUS = _COMMON + COMPLEX
_MORE_AT_ONCE = {  # what kernels take that recording refuses
    "add": ("uint8", "int8", "int16"), "subtract": ("int16",),
    "divide": ("uint8", "int8", "int16"),
    "floor_divide": ("uint8", "int8", "int16"),
    **dict.fromkeys(("remainder", "mod", "floor_mod"), COMPLEX),
}


def _binary(
    api: str, operator: Op, dtypes: Sequence[str], what: str, example: str, gives: str, short: str | None = None, smooth: bool = True
) -> Callable[..., Any]:
    attrs: dict[str, Any] = {"axis": -1} if "axis" in operator.attrs else {}
    at_once = (*dtypes, *_MORE_AT_ONCE.get(api, ()))

    def function(x: Any, y: Any, name: str | None = None) -> Any:
        y = number(y)
        if not smooth and is_tensor(x) and isinstance(y, (bool, int, float)):  # as Paddle 3 takes it
            x, y = beside(api, x, y)
        x, y = met(api, x, y)
        check(x, "x", operator.type, dtypes, at_once)
        check(y, "y", operator.type, dtypes, at_once)
        if not static(x, y):
            together(operator.type, x, y)
            left, right = common(x._t, y._t)
            if operator.frozen:  # no gradient in eager mode
                left, right = left.detach(), right.detach()
            return Tensor(call(operator, [left, right], attrs))
        if api == "multiply" and x.dtype != y.dtype:
            raise TypeError(f"Invalid type for argument `y` of `multiply`. Expected {x.dtype}. Received: {y.dtype}")
        helper = helper_of(operator.type, name)
        out = helper.create_variable(name=helper.name, dtype=x.dtype, persistable=False)
        return operator(x, y, _helper=helper, _outputs={"Out": out}, **attrs)

    taken = with_option(api, function)
    taken.__name__, taken.__qualname__, taken.__module__ = api, api, __name__
    taken.__doc__ = _doc(api, what, dtypes, example, gives)
    if short is None:
        return taken
    kernels: dict[str, Any] = {operator.type: getattr(operator.fn, "compute", operator.fn)}
    kinds = "FLOATS" if api == "divide" else "NUMERIC"
    kinds += " and not (x_.requires_grad or y_.requires_grad)" if operator.frozen else ""
    when = f"(kind := x_.dtype) is y_.dtype and kind in {kinds}"
    return direct("x y", short, when, kind="kind", **kernels)(paddle3(input="x", other="y", out=True)(taken))


def _doc(api: str, what: str, dtypes: Sequence[str], example: str, gives: str) -> str:
    left, right = example.split("; ")
    more = {"divide": "        rounding_mode: None, 'trunc' (towards zero) or 'floor' (down); no gradient passes then.\n"}
    numbers = "; y may be a number" if api in ("floor_divide", "remainder", "mod", "floor_mod") else ""  # in Paddle 3
    more["add"] = more["subtract"] = "        alpha: y is multiplied by it first.\n"
    return f"""{what}

    Args:
        x, y: tensors of one type out of {", ".join(dtypes)}; their shapes broadcast. Of two floating types the wider is taken{numbers}.
        name: the output's name.
{more.get(api, "")}    Returns:
        A tensor of the common shape.
    Raises:
        TypeError: an argument is no such tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.{api}(paddle.to_tensor({left}), paddle.to_tensor({right})).tolist()
        {gives}

    Follows Paddle 2.6.
    """


add = _binary("add", elementwise.elementwise_add, _PLUS, "x + y.", "[1, 2]; [3, 4]", "[4, 6]", "torch.add(x_, y_)")
subtract = _binary("subtract", elementwise.elementwise_sub, _PLUS, "x - y.", "[1, 2]; [3, 5]", "[-2, -3]", "torch.sub(x_, y_)")
multiply = _binary("multiply", elementwise.elementwise_mul, _PLUS, "x * y.", "[1, 2]; [3, 4]", "[3, 8]", "torch.mul(x_, y_)")
divide = _binary(
    "divide", elementwise.elementwise_div, _PLUS, "x / y; integers divide as in C.", "[7.0, 2.0]; [2.0, 4.0]", "[3.5, 0.5]",
    "torch.div(x_, y_)",
)  # fmt: skip
_FOURS = ("[1, 4]; [3, 2]", "[3, 4]"), ("[1, 4]; [3, 2]", "[1, 2]")
maximum = _binary("maximum", elementwise.elementwise_max, _PLUS, "The larger of x and y.", *_FOURS[0], "elementwise_max(x_, y_)")
minimum = _binary("minimum", elementwise.elementwise_min, _COMMON, "The smaller of x and y.", *_FOURS[1], "elementwise_min(x_, y_)")
_LARGER, _SMALLER = "The larger of x and y; a number wins over NaN.", "The smaller of x and y; a number wins over NaN."
fmax = _binary("fmax", elementwise.elementwise_fmax, _COMMON, _LARGER, *_FOURS[0], "elementwise_fmax(x_, y_)")
fmin = _binary("fmin", elementwise.elementwise_fmin, _COMMON, _SMALLER, *_FOURS[1], "elementwise_fmin(x_, y_)")
_whole = partial(_binary, dtypes=_COMMON, smooth=False)
_MODULO = "The remainder, with the sign of y."
floor_divide = _whole(
    "floor_divide", elementwise.elementwise_floordiv, what="x / y, rounded down.", example="[7, -7]; [2, 2]", gives="[3, -4]",
    short="elementwise_floordiv(x_, y_)",
)  # fmt: skip
remainder, mod, floor_mod = (
    _whole(api, elementwise.elementwise_mod, what=_MODULO, example="[7, -7]; [4, 4]", gives="[3, 1]", short="elementwise_mod(x_, y_)")
    for api in ("remainder", "mod", "floor_mod")
)
heaviside = _binary(
    "heaviside", elementwise.elementwise_heaviside, _COMMON, "0 where x is negative, 1 where positive, y where zero.",
    "[-1.0, 0.0, 2.0]; [0.5, 0.5, 0.5]", "[0.0, 0.5, 1.0]",
)  # fmt: skip


def _compared(api: str, operator: Op, dtypes: Sequence[str], what: str, example: str, gives: str) -> Callable[..., Any]:
    def function(x: Any, y: Any, name: str | None = None) -> Any:
        x, y = met(api, x, y)
        check(x, "x", api, dtypes)
        check(y, "y", api, dtypes)
        return operator(x, y, _helper=named(api, name))

    function.__name__ = function.__qualname__ = api
    function.__doc__ = _doc(api, what, dtypes, example, gives)
    return function


_ANGLES = NUMBERS[:3] + NUMBERS[4:]
atan2 = direct("x y", "torch.atan2(x_, y_)", "(kind := x_.dtype) is y_.dtype and kind in FLOATS", kind="kind")(
    _compared("atan2", elementwise.atan2, _ANGLES, "The angle of (y, x).", "[0.0, 1.0]; [1.0, 0.0]", "[0.0, 1.5707963705062866]")
)
nextafter = _compared(
    "nextafter", elementwise.nextafter, ("float32", "float64"), "The next number after x towards y.", "[1.0]; [2.0]",
    "[1.0000001192092896]",
)  # fmt: skip


@direct(
    "x y",
    "pow_of_tensors(x_, y_)",
    "(kind := x_.dtype) is y_.dtype and kind in FLOATS",
    ("x", "pow_kernel(x_, factor=float(y))", "type(y) in NUMBERS and x._t.dtype in FLOATS"),
    pow_kernel=ops.pow.fn,
    pow_of_tensors=elementwise.elementwise_pow.fn,
)
@paddle3(input="x", exponent="y", out=True)
def pow(x: Any, y: Any, name: str | None = None) -> Any:
    """x to the power y.

    Args:
        x: a tensor.
        y: a number, or a tensor of x's type; shapes broadcast.
        name: prefix of the output's name.
    Returns:
        A tensor of the common shape.
    Raises:
        TypeError: y is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.pow(paddle.to_tensor([1.0, 2.0, 3.0]), 2).tolist()
        [1.0, 4.0, 9.0]

    Follows Paddle 2.6.
    """
    if isinstance(y, (int, float)):
        if isinstance(x, Tensor):
            check(x, "x", "pow", NUMBERS + FLOATS + COMPLEX)
        return ops.pow(x, factor=float(y), _helper=named("pow", name))
    if not is_tensor(y):
        raise type_error("y", "a number or a tensor", y, "pow")
    x, y = met("pow", x, y)
    check(x, "x", "elementwise_pow", _COMMON, _COMMON + COMPLEX)
    check(y, "y", "elementwise_pow", _COMMON, _COMMON + COMPLEX)
    helper = named("elementwise_pow", name)
    out = elementwise.elementwise_pow(x, y, axis=-1, _helper=helper)
    if name is None and static(x):
        unique_name.generate("elementwise_pow")  # Paddle makes a second helper, and does not use it
    return out


@direct(
    "x",
    "scale_kernel(x_, scale=float(scale), bias=float(bias), bias_after_scale=bias_after_scale)",
    "type(scale) in NUMBERS and type(bias) in NUMBERS and act is None and x_.dtype in FLOATS",
    kind="x_.dtype",
    scale_kernel=ops.scale.fn,
)
def scale(
    x: Any,
    scale: Any = 1.0,
    bias: float = 0.0,
    bias_after_scale: bool = True,
    act: str | None = None,
    name: str | None = None,
) -> Any:
    """scale * x + bias, or scale * (x + bias).

    Args:
        x: a tensor of numbers.
        scale: a number, or a tensor of one element.
        bias: a number.
        bias_after_scale: whether the bias is added to what was scaled.
        act: the name of an activation that follows.
        name: prefix of the output's name.
    Returns:
        A tensor like x.
    Raises:
        TypeError: x is no such tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.scale(paddle.to_tensor([1.0, 2.0]), 2.0, 1.0).tolist()
        [3.0, 5.0]

    Follows Paddle 2.6.
    """
    check(x, "x", "scale", ALL)
    factor = (scale,) if is_tensor(scale) else ()
    attrs: dict[str, Any] = {} if factor else {"scale": scale if isinstance(scale, complex) and not static(x) else float(scale)}
    attrs.update(bias=float(bias), bias_after_scale=bias_after_scale)
    if static(x):
        helper = helper_of("scale", name)
        helper.kwargs["act"] = act
        return helper.append_activation(ops.scale(x, *factor, _helper=helper, **attrs))
    out = ops.scale(x, *factor, **attrs)
    return getattr(activation, act)(out) if act else out


def neg(x: Any, name: str | None = None) -> Any:
    """-x.

    Args:
        x: a tensor of numbers.
        name: prefix of the output's name.
    Returns:
        A tensor like x.
    Raises:
        TypeError: x is no such tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.neg(paddle.to_tensor([1, -2])).tolist()
        [-1, 2]

    Follows Paddle 2.6.
    """
    return scale(x, -1.0, 0.0, True, None, name)


def _angle_scale(api: str, x: Any, factor: float, name: str | None) -> Any:
    check(x, "x", api, INTS + ("float32", "float64"), ALL)
    helper = named(api, name) if not static(x) else helper_of(api, name)
    if x.dtype in (VarType.INT32, VarType.INT64):
        x = ops.cast(x, in_dtype=int(x.dtype), out_dtype=int(VarType.FP32), _helper=helper)
    return ops.scale(x, scale=factor, _helper=helper)


def deg2rad(x: Any, name: str | None = None) -> Any:
    """Degrees as radians.

    Args:
        x: a tensor; integers become float32.
        name: prefix of the output's name.
    Returns:
        A tensor of x's shape.
    Raises:
        TypeError: x is no such tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> round(paddle.deg2rad(paddle.to_tensor(180.0)).item(), 4)
        3.1416

    Follows Paddle 2.6.
    """
    return _angle_scale("deg2rad", x, _math.pi / 180.0, name)


def rad2deg(x: Any, name: str | None = None) -> Any:
    """Radians as degrees.

    Args:
        x: a tensor; integers become float32.
        name: prefix of the output's name.
    Returns:
        A tensor of x's shape.
    Raises:
        TypeError: x is no such tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> round(paddle.rad2deg(paddle.to_tensor(3.14159)).item(), 2)
        180.0

    Follows Paddle 2.6.
    """
    return _angle_scale("rad2deg", x, 180.0 / _math.pi, name)


def stanh(x: Any, scale_a: float = 0.67, scale_b: float = 1.7159, name: str | None = None) -> Any:
    """scale_b * tanh(scale_a * x).

    Args:
        x: a tensor of floats.
        scale_a, scale_b: numbers.
        name: prefix of the output's name.
    Returns:
        A tensor like x.
    Raises:
        TypeError: x is no such tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> round(paddle.stanh(paddle.to_tensor(1.0)).item(), 4)
        1.0038

    Follows Paddle 2.6.
    """
    x = floats(x)
    check(x, "x", "stanh", FLOATS, FLOATS + COMPLEX)
    return ops.stanh(x, scale_a=scale_a, scale_b=scale_b, _helper=named("stanh", name))


def lerp(x: Any, y: Any, weight: Any, name: str | None = None) -> Any:
    """x + weight * (y - x).

    Args:
        x, y: tensors of floats; shapes broadcast.
        weight: a number, or a tensor of x's type.
        name: prefix of the output's name.
    Returns:
        A tensor of the common shape.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.lerp(paddle.to_tensor([1.0, 2.0]), paddle.to_tensor([3.0, 6.0]), 0.5).tolist()
        [2.0, 4.0]

    Follows Paddle 2.6.
    """
    if isinstance(weight, float):
        from paddle_compat.tensor.creation import full

        weight = full([], weight, x.dtype)
    for value, label in ((x, "x"), (y, "y"), (weight, "weight")):
        check(value, label, "lerp", FLOATS)
    return elementwise.lerp(x, y, weight, _helper=named("lerp", name))


def hypot(x: Any, y: Any, name: str | None = None) -> Any:
    """The length of the vector (x, y): sqrt(x * x + y * y).

    Args:
        x, y: tensors of floats; shapes broadcast.
        name: has no effect.
    Returns:
        A tensor of the common shape.
    Raises:
        TypeError: an argument is no tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.hypot(paddle.to_tensor([3.0]), paddle.to_tensor([4.0])).tolist()
        [5.0]

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor.ops import sqrt

    for value, label in ((x, "x"), (y, "y")):
        if not is_tensor(value):
            raise type_error(label, "a tensor", value, "hypot")
    x, y = met("hypot", x, y)
    return sqrt(pow(x, 2) + pow(y, 2))


def logaddexp(x: Any, y: Any, name: str | None = None) -> Any:
    """log(exp(x) + exp(y)), without overflow.

    Args:
        x, y: tensors; shapes broadcast.
        name: has no effect.
    Returns:
        A tensor of the common shape.

    Example:
        >>> import paddle_compat as paddle
        >>> round(paddle.logaddexp(paddle.to_tensor(0.0), paddle.to_tensor(0.0)).item(), 4)
        0.6931

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor.ops import abs, cast, exp, log1p

    more, larger = log1p(exp(-abs(x - y))), maximum(x, y)
    return more + (cast(larger, more.dtype) if SINCE_3 and larger.dtype != more.dtype else larger)


@direct("", "added(alike(inputs))", "type(inputs) is list", kind="inputs[0]._kind", added=ops.added)
def add_n(inputs: Any, name: str | None = None) -> Any:
    """The sum of tensors.

    Args:
        inputs: a list of tensors of one shape and type, or a tensor; those without dimensions may stand beside ones of a single element,
            and in eager mode floats behind a complex one.
        name: prefix of the output's name.
    Returns:
        A tensor like those.
    Raises:
        TypeError: an input is no such tensor.
        ValueError: there is no input, or they differ in shape or type.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.add_n([paddle.to_tensor([1, 2]), paddle.to_tensor([3, 4])]).tolist()
        [4, 6]

    Follows Paddle 2.6.
    """
    check_all(tensors := inputs if isinstance(inputs, (list, tuple)) else [inputs], "inputs", "add_n", NUMBERS + COMPLEX)
    tensors = with_complex(list(tensors))
    if not static(*tensors):
        tensors = [each for each in tensors if each.size] or [each for each in tensors if each.shape == tensors[0].shape]
        shapes = [whole := max((each.shape for each in tensors), key=len, default=list[int]()), whole[:0] if set(whole) <= {1} else whole]
        if not tensors or any(each.shape not in shapes or not agree(each, tensors[0]) for each in tensors):
            raise invalid_argument("inputs", "tensors of one shape and type", [(t.shape, t.dtype) for t in tensors] or "none", "add_n")
    return ops.add_n(tensors, _helper=named("add_n", name))


@direct(
    "input x y", "torch.addmm(input_, x_, y_, beta=beta, alpha=alpha)",
    "x_.dim() == 2 and 0 < input_.dim() < 3 and (kind := x_.dtype) is y_.dtype and input_.dtype is kind and kind in FLOATS", kind="kind",
)  # fmt: skip
def addmm(input: Any, x: Any, y: Any, beta: float = 1.0, alpha: float = 1.0, name: str | None = None) -> Any:
    """beta * input + alpha * (x times y).

    Args:
        input: [N, M], or a shape that broadcasts to it.
        x: [N, K].
        y: [K, M].
        beta, alpha: numbers.
        name: prefix of the output's name.
    Returns:
        [N, M].
    Raises:
        ValueError: the shapes do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.addmm(paddle.ones([1, 1]), paddle.ones([1, 2]), paddle.ones([2, 1]), 0.5, 2.0).tolist()
        [[4.5]]

    Follows Paddle 2.6.
    """
    for value, label in ((input, "Input"), (x, "X"), (y, "Y")):
        check(value, label, "addmm", FLOATS)
    if len(input.shape) not in (1, 2) or len(x.shape) != 2 or len(y.shape) != 2 or -1 != x.shape[1] != y.shape[0] != -1:
        raise ValueError(
            "Invalid value for argument `y` of `addmm`. Expected matrices that multiply. Received: "
            f"shapes {list(input.shape)}, {list(x.shape)}, {list(y.shape)}"
        )
    return linalg.addmm(input, x, y, Alpha=alpha, Beta=beta, _helper=named("addmm", name))


def increment(x: Any, value: float = 1.0, name: str | None = None) -> Any:
    """Add a number to a tensor of one element, in place.

    Args:
        x: a tensor of one element.
        value: the number.
        name: has no effect.
    Returns:
        x.
    Raises:
        TypeError: x is no tensor of numbers.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.increment(paddle.to_tensor([1.0]), 2.0).tolist()
        [3.0]

    Follows Paddle 2.6.
    """
    check(x, "x", "increment", INTS + ("float32", "float64"))
    if static(x):
        return ops.increment(x, step=float(value), _helper=named("increment", name), _outputs={"Out": x})
    value_of = ops.increment(x, step=float(value))._t
    return (overwrite_data if x._t.is_leaf else write)(x, value_of)


def multiplex(inputs: Any, index: Any, name: str | None = None) -> Any:
    """Row by row, the tensor that the index names.

    Args:
        inputs: tensors of one shape [M, ...].
        index: int32, [M, 1].
        name: prefix of the output's name.
    Returns:
        [M, ...].
    Raises:
        TypeError: an argument is nothing of the kind.
        ValueError: there are fewer than two tensors.

    Example:
        >>> import paddle_compat as paddle
        >>> rows = [paddle.to_tensor([[1.0], [2.0]]), paddle.to_tensor([[3.0], [4.0]])]
        >>> paddle.multiplex(rows, paddle.to_tensor([[1], [0]], dtype="int32")).tolist()
        [[3.0], [2.0]]

    Follows Paddle 2.6.
    """
    from paddle_compat.ops import indexing

    check_all(inputs, "inputs", "multiplex", INTS + ("float32", "float64") + COMPLEX)
    check(index, "index", "multiplex", INTS)
    if len(inputs) < 2:
        raise invalid_argument("inputs", "two tensors or more", len(inputs), "multiplex")
    return indexing.multiplex(index, list(inputs), _helper=named("multiplex", name))


add_, subtract_, multiply_, divide_ = map(in_place, (add, subtract, multiply, divide))
floor_divide_, remainder_, mod_, floor_mod_ = map(in_place, (floor_divide, remainder, mod, floor_mod))
pow_, scale_, neg_, lerp_, hypot_, addmm_ = map(in_place, (pow, scale, neg, lerp, hypot, addmm))
mul, sub, negative = multiply, subtract, neg
mul_, sub_ = multiply_, subtract_

__all__ = [
    "mul", "negative", "sub", "sub_",
    "add", "add_", "add_n", "addmm", "addmm_", "atan2", "deg2rad", "divide", "divide_", "floor_divide",
    "floor_divide_", "floor_mod", "floor_mod_", "fmax", "fmin", "heaviside", "hypot", "hypot_", "increment", "lerp", "lerp_",
    "logaddexp", "maximum", "minimum", "mod", "mod_", "mul_", "multiplex", "multiply", "multiply_", "neg", "neg_", "nextafter", "pow",
    "pow_", "rad2deg", "remainder", "remainder_", "scale", "scale_", "stanh", "subtract", "subtract_",
]  # fmt: skip
