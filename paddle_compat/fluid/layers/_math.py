"""`fluid.layers.nn`: arithmetic, sums, comparisons and products of tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paddle_compat.core.dtype import VarType, convert_dtype
from paddle_compat.core.errors import invalid_argument, type_error
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.layer_helper import LayerHelper
from paddle_compat.fluid.layers._activation import log
from paddle_compat.fluid.layers._record import is_variable, layer, run
from paddle_compat.fluid.layers.ops import exp

_ELEMENTWISE = {
    "add": "x + y",
    "div": "x / y; the quotient of whole numbers is cut off",
    "floordiv": "The largest whole number that is not above x / y",
    "max": "The larger of x and y",
    "min": "The smaller of x and y",
    "mod": "The remainder of x / y",
    "mul": "x y",
    "pow": "x to the power of y",
    "sub": "x - y",
}

_ELEMENTWISE_DOC = """{what}, element by element.

    Args:
        x: a Variable.
        y: a Variable whose shape is a run of neighbouring dimensions of x.
        axis: where that run starts; -1: it ends with the last dimension.
        act: an activation.
        name: the layer's name.
    Returns:
        Variable of the shape of x.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x, y = fluid.data("x", [None, 3, 4], "int64"), fluid.data("y", [3], "int64")
        ...     fluid.layers.elementwise_{name}(x, y, axis=1).shape
        (-1, 3, 4)

    Follows Paddle 1.8.
    """


def _elementwise(kind: str) -> Callable[..., Any]:
    type_ = f"elementwise_{kind}"

    def function(x: Variable, y: Variable, axis: int = -1, act: str | None = None, name: str | None = None) -> Variable:
        helper = LayerHelper(type_, act=act, name=name)
        return helper.append_activation(run(type_, x, y, helper=helper, axis=axis))

    function.__name__ = function.__qualname__ = type_
    function.__doc__ = _ELEMENTWISE_DOC.format(what=_ELEMENTWISE[kind], name=kind)
    return layer(function)


elementwise_add = _elementwise("add")
elementwise_div = _elementwise("div")
elementwise_floordiv = _elementwise("floordiv")
elementwise_max = _elementwise("max")
elementwise_min = _elementwise("min")
elementwise_mod = _elementwise("mod")
elementwise_mul = _elementwise("mul")
elementwise_pow = _elementwise("pow")
elementwise_sub = _elementwise("sub")

_REDUCE = {
    "sum": "The sum",
    "mean": "The mean",
    "max": "The largest element",
    "min": "The smallest element",
    "prod": "The product",
    "all": "Whether all elements are true",
    "any": "Whether any element is true",
}

_REDUCE_DOC = """{what} along some dimensions.

    Args:
        input: a Variable{kind}.
        dim: an int or a list of them; None: all dimensions.
        keep_dim: the dimensions stay, with size 1.
        name: the layer's name.
    Returns:
        Variable; of shape (1,) when no dimension is left.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.reduce_{name}(fluid.data("x", [2, 3, 4], "{dtype}"), dim=[1, 2]).shape
        (2,)

    Follows Paddle 1.8.
    """


def _reduce(kind: str) -> Callable[..., Any]:
    type_ = f"reduce_{kind}"

    def function(input: Variable, dim: Any = None, keep_dim: bool = False, name: str | None = None) -> Variable:
        dims = [dim] if dim is not None and not isinstance(dim, (list, tuple)) else dim
        return run(type_, input, name=name, dim=list(dims) if dims else [0], keep_dim=keep_dim, reduce_all=not dims)

    logical = kind in ("all", "any")
    function.__name__ = function.__qualname__ = type_
    function.__doc__ = _REDUCE_DOC.format(
        what=_REDUCE[kind], kind=" of bool" if logical else "", name=kind, dtype="bool" if logical else "float32"
    )
    return layer(function)


reduce_sum = _reduce("sum")
reduce_mean = _reduce("mean")
reduce_max = _reduce("max")
reduce_min = _reduce("min")
reduce_prod = _reduce("prod")
reduce_all = _reduce("all")
reduce_any = _reduce("any")


_LOGICAL_DOC = """{what}, element by element.

    Args:
        {arguments}: bool.
        out: a Variable to write to.
        name: the layer's name.
    Returns:
        Variable bool.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x = fluid.data("x", [None, 3], "bool")
        ...     fluid.layers.{name}({call}).shape
        (-1, 3)

    Follows Paddle 1.8.
    """


def _logical(type_: str, what: str) -> Callable[..., Any]:
    def function(x: Variable, y: Variable, out: Variable | None = None, name: str | None = None) -> Variable:
        return run(type_, x, y, name=name, outputs=None if out is None else {"Out": out})

    function.__name__ = function.__qualname__ = type_
    function.__doc__ = _LOGICAL_DOC.format(what=what, arguments="x, y", name=type_, call="x, x")
    return layer(function)


logical_and = _logical("logical_and", "Whether both are true")
logical_or = _logical("logical_or", "Whether one of them is true")
logical_xor = _logical("logical_xor", "Whether exactly one of them is true")


@layer
def logical_not(x: Variable, out: Variable | None = None, name: str | None = None) -> Variable:
    """Whether it is false, element by element.

    Args:
        x: bool.
        out: a Variable to write to.
        name: the layer's name.
    Returns:
        Variable bool.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.logical_not(fluid.data("x", [None, 3], "bool")).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    return run("logical_not", x, name=name, outputs=None if out is None else {"Out": out})


@layer
def elementwise_equal(x: Variable, y: Variable, name: str | None = None) -> Variable:
    """Whether x and y are equal, element by element.

    Args:
        x, y: Variables.
        name: the layer's name.
    Returns:
        Variable bool.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x = fluid.data("x", [None, 3])
        ...     fluid.layers.elementwise_equal(x, x).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    return run("equal", x, y, layer="elementwise_equal", name=name, stop=True)


@layer
def allclose(
    input: Variable, other: Variable, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False, name: str | None = None
) -> Variable:
    """Whether all elements are equal but for |input - other| <= atol + rtol |other|.

    Args:
        input, other: float32 or float64.
        rtol, atol: the tolerance.
        equal_nan: elements that are no numbers count as equal.
        name: the layer's name.
    Returns:
        Variable bool of shape (1,).

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.allclose(fluid.data("x", [3]), fluid.data("y", [3])).shape
        (1,)

    Follows Paddle 1.8.
    """
    return run("allclose", input, other, name=name, rtol=rtol, atol=atol, equal_nan=equal_nan)


@layer
def scale(
    x: Variable, scale: Any = 1.0, bias: float = 0.0, bias_after_scale: bool = True, act: str | None = None, name: str | None = None
) -> Variable:
    """x times a number, plus a number.

    Args:
        x: a Variable.
        scale: the factor, a number or a Variable of one element.
        bias: what is added.
        bias_after_scale: after the product; else before it.
        act: an activation.
        name: the layer's name.
    Returns:
        Variable of the shape and data type of x.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.scale(fluid.data("x", [2, 3]), scale=2.0, bias=1.0).shape
        (2, 3)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("scale", act=act, name=name)
    attrs: dict[str, Any] = {"bias": float(bias), "bias_after_scale": bias_after_scale}
    if is_variable(scale):
        return helper.append_activation(run("scale", x, scale, helper=helper, **attrs))
    return helper.append_activation(run("scale", x, helper=helper, scale=float(scale), **attrs))


@layer
def mean(x: Variable, name: str | None = None) -> Variable:
    """The mean of all elements.

    Args:
        x: a floating Variable.
        name: the layer's name.
    Returns:
        Variable of shape (1,).

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.mean(fluid.data("x", [2, 3])).shape
        (1,)

    Follows Paddle 1.8.
    """
    return run("mean", x, name=name)


@layer
def sum(x: Any) -> Variable:
    """The sum of Variables of one shape, element by element.

    Args:
        x: a Variable or a list of them.
    Returns:
        Variable of that shape.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x = fluid.data("x", [2, 3])
        ...     fluid.layers.sum([x, x]).shape
        (2, 3)

    Follows Paddle 1.8.
    """
    return run("sum", x if isinstance(x, (list, tuple)) else [x])


@layer
def logsumexp(x: Variable, dim: Any = None, keepdim: bool = False, out: Variable | None = None, name: str | None = None) -> Variable:
    """The logarithm of the sum of exponentials along some dimensions.

    Args:
        x: float32 or float64.
        dim: an int or a list of them; None: all dimensions.
        keepdim: the dimensions stay, with size 1.
        out: a Variable to write to.
        name: the layer's name.
    Returns:
        Variable; of shape (1,) when no dimension is left.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.logsumexp(fluid.data("x", [2, 3]), dim=-1).shape
        (2,)

    Follows Paddle 1.8.
    """
    total = reduce_sum(exp(x), dim=dim, keep_dim=keepdim)
    return log(total, name) if out is None else run("log", total, name=name, outputs={"Out": out})


@layer
def mul(x: Variable, y: Variable, x_num_col_dims: int = 1, y_num_col_dims: int = 1, name: str | None = None) -> Variable:
    """The product of two tensors flattened to matrices.

    Args:
        x, y: floating Variables.
        x_num_col_dims, y_num_col_dims: how many leading dimensions make the rows.
        name: the layer's name.
    Returns:
        Variable of the leading dimensions of x and the trailing ones of y.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.mul(fluid.data("x", [None, 3, 4]), fluid.data("y", [12, 5])).shape
        (-1, 5)

    Follows Paddle 1.8.
    """
    return run("mul", x, y, name=name, x_num_col_dims=x_num_col_dims, y_num_col_dims=y_num_col_dims)


@layer
def matmul(
    x: Variable, y: Variable, transpose_x: bool = False, transpose_y: bool = False, alpha: float = 1.0, name: str | None = None
) -> Variable:
    """The product of vectors, matrices or batches of them.

    Args:
        x, y: floating Variables.
        transpose_x, transpose_y: exchange the last two dimensions first.
        alpha: a factor of the product.
        name: the layer's name.
    Returns:
        Variable.
    Raises:
        AssertionError: the shapes do not fit.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.matmul(fluid.data("x", [None, 2, 3]), fluid.data("y", [3, 4])).shape
        (-1, 2, 4)

    Follows Paddle 1.8.
    """
    left, right = x.shape, y.shape
    depth = left[-2] if transpose_x and len(left) > 1 else left[-1]
    other = right[-1] if transpose_y or len(right) == 1 else right[-2]
    if depth > 0 and other > 0 and depth != other:
        raise AssertionError(
            f"Invalid shapes of arguments `x` and `y` of `matmul`. Expected as many columns of x as rows of y. Received: {list(left)} "
            f"(transpose_x={transpose_x}) and {list(right)} (transpose_y={transpose_y})"
        )
    return run("matmul", x, y, name=name, transpose_X=transpose_x, transpose_Y=transpose_y, alpha=float(alpha))


@layer
def bmm(x: Variable, y: Variable, name: str | None = None) -> Variable:
    """The products of two batches of matrices.

    Args:
        x: [N, M, K].
        y: [N, K, P].
        name: the layer's name.
    Returns:
        Variable [N, M, P].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.bmm(fluid.data("x", [None, 2, 3]), fluid.data("y", [None, 3, 4])).shape
        (-1, 2, 4)

    Follows Paddle 1.8.
    """
    return run("bmm", x, y, name=name)


@layer
def dot(x: Variable, y: Variable, name: str | None = None) -> Variable:
    """The inner product of vectors, or of the rows of matrices.

    Args:
        x, y: one or two dimensions, of one shape.
        name: the layer's name.
    Returns:
        Variable [1] or [N, 1].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.dot(fluid.data("x", [None, 3]), fluid.data("y", [None, 3])).shape
        (-1, 1)

    Follows Paddle 1.8.
    """
    return run("dot", x, y, layer="dot", name=name)


@layer
def cross(input: Variable, other: Variable, dim: int | None = None) -> Variable:
    """The cross product of vectors of three elements.

    Args:
        input, other: Variables of one shape.
        dim: the dimension of size 3 that holds the vectors; None: the first such one.
    Returns:
        Variable of that shape.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.cross(fluid.data("x", [4, 3]), fluid.data("y", [4, 3]), dim=1).shape
        (4, 3)

    Follows Paddle 1.8.
    """
    attrs: dict[str, Any] = {"dim": dim} if dim else {}
    return run("cross", input, other, **attrs)


@layer
def dist(x: Variable, y: Variable, p: float = 2) -> Variable:
    """The p-norm of x - y.

    Args:
        x, y: float32 or float64.
        p: which norm; 0 counts the elements that differ, infinity gives the largest difference.
    Returns:
        Variable of shape (1,).

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.dist(fluid.data("x", [2, 3]), fluid.data("y", [2, 3]), p=1).shape
        (1,)

    Follows Paddle 1.8.
    """
    return run("dist", x, y, p=float(p))


@layer
def addmm(input: Variable, x: Variable, y: Variable, alpha: float = 1.0, beta: float = 1.0, name: str | None = None) -> Variable:
    """`alpha` x y + `beta` input, of matrices.

    Args:
        input: [N, M].
        x: [N, K].
        y: [K, M].
        alpha, beta: the factors.
        name: kept, as in Paddle 1.8.
    Returns:
        Variable [N, M].
    Raises:
        ValueError: one has other than two dimensions.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     i, x, y = fluid.data("i", [2, 2]), fluid.data("x", [2, 3]), fluid.data("y", [3, 2])
        ...     fluid.layers.addmm(i, x, y, alpha=0.5).shape
        (2, 2)

    Follows Paddle 1.8.
    """
    for argument, matrix in (("input", input), ("x", x), ("y", y)):
        if len(matrix.shape) != 2:
            raise invalid_argument(argument, "2 dimensions", f"shape {list(matrix.shape)}", "addmm")
    return run("addmm", input, x, y, name=name, Alpha=alpha, Beta=beta)


@layer
def addcmul(
    input: Variable, tensor1: Variable, tensor2: Variable, value: float = 1.0, out: Variable | None = None, name: str | None = None
) -> Variable:
    """input + `value` tensor1 tensor2, element by element.

    Args:
        input, tensor1, tensor2: Variables.
        value: the factor.
        out: a Variable to write to.
        name: kept, as in Paddle 1.8.
    Returns:
        Variable of the shape of `input`.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     i, x, y = fluid.data("i", [2, 2]), fluid.data("x", [2, 2]), fluid.data("y", [2, 2])
        ...     fluid.layers.addcmul(i, x, y, value=0.5).shape
        (2, 2)

    Follows Paddle 1.8.
    """
    product = elementwise_mul(tensor1, tensor2) * value
    if out is None:
        return elementwise_add(input, product)
    return run("elementwise_add", input, product, outputs={"Out": out})


@layer
def log_softmax(input: Variable, axis: int | None = None, dtype: Any = None, name: str | None = None) -> Variable:
    """The logarithm of the softmax.

    Args:
        input: a floating Variable.
        axis: along which dimension; None: the last.
        dtype: a data type to convert to first.
        name: the layer's name.
    Returns:
        Variable of the shape of `input`.
    Raises:
        TypeError: the data type is neither float32 nor float64.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.log_softmax(fluid.data("x", [None, 3])).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("log_softmax", name=name)
    if dtype is not None:
        if convert_dtype(dtype) not in (VarType.FP32, VarType.FP64):
            raise type_error("dtype", "float32 or float64", dtype, "log_softmax")
        input = run("cast", input, helper=helper, in_dtype=int(input.dtype), out_dtype=int(convert_dtype(dtype)))
    return run("log", run("softmax", input, helper=helper, axis=-1 if axis is None else axis), helper=helper)


@layer
def softmax(input: Variable, use_cudnn: bool = False, name: str | None = None, axis: int = -1) -> Variable:
    """Exponentials divided by their sum.

    Args:
        input: a floating Variable.
        use_cudnn: kept.
        name: the layer's name.
        axis: along which dimension.
    Returns:
        Variable of the shape of `input`.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.softmax(fluid.data("x", [None, 3])).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    return run("softmax", input, name=name, axis=axis)


__all__ = [
    *(f"elementwise_{kind}" for kind in _ELEMENTWISE),
    *(f"reduce_{kind}" for kind in _REDUCE),
    "addcmul", "addmm", "allclose", "bmm", "cross", "dist", "dot", "elementwise_equal", "log_softmax", "logical_and", "logical_not",
    "logical_or", "logical_xor", "logsumexp", "matmul", "mean", "mul", "scale", "softmax", "sum",
]  # fmt: skip
