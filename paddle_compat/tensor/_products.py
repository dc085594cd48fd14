"""Products of vectors and matrices."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.direct import direct
from paddle_compat.core.dtype import dtype_name
from paddle_compat.core.errors import invalid_argument, type_error
from paddle_compat.core.paddle3 import SINCE_3, paddle3
from paddle_compat.ops import linalg as ops
from paddle_compat.tensor._calls import (
    ALL,
    COMPLEX,
    FLOATS,
    INTS,
    NUMBERS,
    agree,
    check,
    check_all,
    check_pair,
    helper_of,
    is_tensor,
    named,
    promoted,
    static,
)

_DOUBLE = ("float32", "float64")
_SMOOTH = ("float16", *_DOUBLE)


def _complex_among(*values: Any) -> bool:
    return any(is_tensor(value) and dtype_name(value.dtype) in COMPLEX for value in values)


def _met(x: Any, y: Any) -> tuple[Any, Any]:
    """The factors of a product in one type, as Paddle 3 takes them: at once, whole numbers beside float32 count as floats, too."""
    if static(x, y) or not (is_tensor(x) and is_tensor(y)) or _complex_among(x, y):
        return promoted(x, y, False)
    if dtype_name(x.dtype) == "float32" and dtype_name(y.dtype) in INTS:
        y = y.astype("float32")
    return x, y


@direct(
    "x y",
    "matmul_kernel(x_, y_, trans_x=transpose_x, trans_y=transpose_y) if transpose_x or transpose_y else torch.matmul(x_, y_)",
    "(kind := x_.dtype) is y_.dtype and kind in FLOATS",
    kind="kind",
    matmul_kernel=ops.matmul_v2.fn,
)
@paddle3(input="x", other="y", out=True)
def matmul(x: Any, y: Any, transpose_x: bool = False, transpose_y: bool = False, name: str | None = None) -> Any:
    """The matrix product; leading dimensions broadcast.

    Args:
        x, y: tensors of floats. A vector counts as a row (x) or a column (y).
        transpose_x, transpose_y: whether to transpose the last two dimensions before.
        name: prefix of the output's name.
    Returns:
        A tensor.
    Raises:
        TypeError: an argument is no such tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.matmul(paddle.ones([2, 3]), paddle.ones([3, 1])).tolist()
        [[3.0], [3.0]]

    Follows Paddle 2.6.
    """
    x, y = _met(x, y)
    whole = INTS if not static(x, y) or is_tensor(x) and is_tensor(y) and x.dtype == y.dtype else ()
    for value, label in ((x, "x"), (y, "y")):
        check(value, label, "matmul", ("int8", *whole, *FLOATS, *COMPLEX))
    attrs: dict[str, Any] = {"trans_x": transpose_x, "trans_y": transpose_y}
    return ops.matmul_v2(x, y, _helper=named("matmul_v2", name), **attrs)


def _fits(api: str, left: int, right: int, label: str) -> None:
    if -1 not in (left, right) and left != right:
        raise ValueError(f"Invalid value for argument `{label}` of `{api}`. Expected a size of {left}. Received: {right}")


@direct("input mat2", "torch.matmul(input_, mat2_)", "(kind := input_.dtype) is mat2_.dtype and kind in FLOATS", kind="kind")
def mm(input: Any, mat2: Any, name: str | None = None) -> Any:
    """The product of two matrices, or of stacks of them.

    Args:
        input, mat2: tensors of float16, float32 or float64.
        name: prefix of the output's name.
    Returns:
        A tensor.
    Raises:
        TypeError: an argument is no such tensor.
        ValueError: the sizes do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.mm(paddle.ones([2, 3]), paddle.ones([3, 1])).tolist()
        [[3.0], [3.0]]

    Follows Paddle 2.6.
    """
    input, mat2 = _met(input, mat2)
    for value, label in ((input, "x"), (mat2, "y")):
        check(value, label, "mm", _SMOOTH, ("int32", "int64", *_SMOOTH, *COMPLEX))
    if len(input.shape) > 1 and len(mat2.shape) > 1:
        _fits("mm", input.shape[-1], mat2.shape[-2], "mat2")
    return ops.matmul_v2(input, mat2, _helper=named("mm", name))


@direct("x y", "torch.bmm(x_, y_)", "(kind := x_.dtype) is y_.dtype and kind in FLOATS", kind="kind")
@paddle3(input="x", mat2="y", out=True)
def bmm(x: Any, y: Any, name: str | None = None) -> Any:
    """The products of matrices in pairs.

    Args:
        x: [B, N, K].
        y: [B, K, M].
        name: prefix of the output's name.
    Returns:
        [B, N, M].
    Raises:
        ValueError: the shapes do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.bmm(paddle.ones([1, 1, 2]), paddle.ones([1, 2, 1])).tolist()
        [[[2.0]]]

    Follows Paddle 2.6.
    """
    check(x, "x", "bmm")
    check(y, "y", "bmm")
    left, right = list(x.shape), list(y.shape)
    if len(left) != 3 or len(right) != 3:
        raise ValueError(f"Invalid value for argument `x` of `bmm`. Expected three dimensions. Received: shapes {left} and {right}")
    _fits("bmm", left[2], right[1], "y")
    _fits("bmm", left[0], right[0], "y")
    return ops.bmm(x, y, _helper=named("bmm", name))


@direct(
    "x y",
    "dot_kernel(x_, y_)",
    "(kind := x_.dtype) is y_.dtype and kind in NUMERIC and 0 < x_.dim() < 3 and x_.shape == y_.shape",
    kind="kind",
    dot_kernel=ops.dot.fn,
)
@paddle3(input="x", tensor="y", out=True)
def dot(x: Any, y: Any, name: str | None = None) -> Any:
    """The inner product of two vectors, or of each pair of rows.

    Args:
        x, y: [N] or [B, N].
        name: prefix of the output's name.
    Returns:
        [] or [B].
    Raises:
        RuntimeError: the shapes differ, or have not one or two dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.dot(paddle.to_tensor([1, 2]), paddle.to_tensor([3, 4])).item()
        11

    Follows Paddle 2.6.
    """
    for value, label in ((x, "x"), (y, "y")):
        if not is_tensor(value):
            raise type_error(label, "a tensor", value, "dot")
    x, y = _met(x, y) if dtype_name(x.dtype) in COMPLEX else (x, y)
    check_pair("dot", x, y, NUMBERS + COMPLEX)
    if len(x.shape) not in (1, 2):
        raise RuntimeError(f"Invalid value for argument `x` of `dot`. Expected one or two dimensions. Received: {list(x.shape)}")
    if list(x.shape) != list(y.shape):
        raise RuntimeError(f"Invalid value for argument `y` of `dot`. Expected the shape of x, {list(x.shape)}. Received: {list(y.shape)}")
    return ops.dot(x, y, _helper=named("dot", name))


@direct("x vec", "torch.mv(x_, vec_)", "(kind := x_.dtype) is vec_.dtype and kind in FLOATS and x_.dim() == 2", kind="kind")
def mv(x: Any, vec: Any, name: str | None = None) -> Any:
    """A matrix times a vector.

    Args:
        x: [N, M].
        vec: [M].
        name: prefix of the output's name.
    Returns:
        [N].
    Raises:
        ValueError: the shapes do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.mv(paddle.ones([2, 3]), paddle.ones([3])).tolist()
        [3.0, 3.0]

    Follows Paddle 2.6.
    """
    for value, label in ((x, "x"), (vec, "vec")):
        check(value, label, "mv", _DOUBLE)
    if len(x.shape) != 2 or len(vec.shape) != 1:
        shapes = f"{list(x.shape)} and {list(vec.shape)}"
        raise ValueError(f"Invalid value for argument `vec` of `mv`. Expected a matrix and a vector. Received: shapes {shapes}")
    return ops.mv(x, vec, _helper=named("mv", name))


def inner(x: Any, y: Any, name: str | None = None) -> Any:
    """The sums of products over the last dimension of both tensors.

    Args:
        x, y: tensors of floats, the last dimension of one size.
        name: prefix of the output's name.
    Returns:
        x.shape[:-1] + y.shape[:-1]; in eager mode x * y where one of them has one element.
    Raises:
        ValueError: the sizes differ.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.inner(paddle.ones([2, 3]), paddle.ones([1, 3])).tolist()
        [[3.0], [3.0]]

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor._arithmetic import multiply
    from paddle_compat.tensor._reshape import reshape

    if not x.shape or not y.shape or not static(x, y) and 1 in (x.size, y.size):
        return multiply(x, y, name=name)
    x, y = _met(x, y)
    left, right = list(x.shape), list(y.shape)
    nx, ny = reshape(x, [-1, left[-1]]), reshape(y, [-1, right[-1]])
    for value, label in ((nx, "x"), (ny, "y")):
        check(value, label, "inner", _SMOOTH, NUMBERS + COMPLEX)
    _fits("inner", left[-1], right[-1], "y")
    if not static(x, y):
        return reshape(ops.matmul_v2(nx, ny, trans_y=True), left[:-1] + right[:-1])
    helper = helper_of("inner", name)
    out = helper.create_variable_for_type_inference(nx.dtype)
    return reshape(ops.matmul_v2(nx, ny.T, _helper=helper, _outputs={"Out": out}), left[:-1] + right[:-1])


@paddle3(input="x", vec2="y", out=True)
def outer(x: Any, y: Any, name: str | None = None) -> Any:
    """The products of each element of x with each of y.

    Args:
        x, y: tensors; they count as flat.
        name: prefix of the output's name.
    Returns:
        [x.size, y.size].
    Raises:
        TypeError: an argument is no tensor of numbers.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.outer(paddle.to_tensor([1.0, 2.0]), paddle.to_tensor([3.0, 4.0])).tolist()
        [[3.0, 4.0], [6.0, 8.0]]

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor._arithmetic import multiply
    from paddle_compat.tensor._reshape import reshape

    column, row = reshape(x, [-1, 1]), reshape(y, [1, -1])
    if not static(x, y) or SINCE_3:
        return multiply(column, row, name=name)
    for value, label in ((column, "x"), (row, "y")):
        check(value, label, "inner", INTS + _SMOOTH, ALL)
    return ops.matmul_v2(column, row, _helper=named("outer", name))


def kron(x: Any, y: Any, name: str | None = None) -> Any:
    """The Kronecker product.

    Args:
        x, y: tensors of numbers.
        name: prefix of the output's name.
    Returns:
        A tensor whose dimensions are products of theirs.
    Raises:
        TypeError: an argument is no such tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.kron(paddle.to_tensor([1, 2]), paddle.to_tensor([1, 10])).tolist()
        [1, 10, 2, 20]

    Follows Paddle 2.6.
    """
    x, y = promoted(x, y, False) if _complex_among(x, y) else (x, y)
    check_pair("kron", x, y, INTS + _SMOOTH, INTS + _SMOOTH + COMPLEX)
    return ops.kron(x, y, _helper=named("kron", name))


@paddle3(dim="axis")
def cross(x: Any, y: Any, axis: int = 9, name: str | None = None) -> Any:
    """The cross product of vectors along a dimension of size 3.

    Args:
        x, y: tensors of one shape.
        axis: the dimension; 9: the first of size 3.
        name: prefix of the output's name.
    Returns:
        A tensor like x.
    Raises:
        TypeError: an argument is no tensor of numbers.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.cross(paddle.to_tensor([1.0, 0.0, 0.0]), paddle.to_tensor([0.0, 1.0, 0.0])).tolist()
        [0.0, 0.0, 1.0]

    Follows Paddle 2.6.
    """
    x, y = promoted(x, y)
    for value, label in ((x, "x"), (y, "y")):
        check(value, label, "cross", NUMBERS, NUMBERS + COMPLEX)
    return ops.cross(x, y, dim=9 if axis is None else axis, _helper=named("cross", name))


def multi_dot(x: Any, name: str | None = None) -> Any:
    """The product of several matrices, in the cheapest order.

    Args:
        x: a list of matrices; the first and the last may be vectors.
        name: prefix of the output's name.
    Returns:
        A tensor.
    Raises:
        TypeError: the types differ, or there is no tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.linalg.multi_dot([paddle.ones([1, 2]), paddle.ones([2, 3]), paddle.ones([3, 1])]).tolist()
        [[6.0]]

    Follows Paddle 2.6.
    """
    check_all(x, "x", "multi_dot", _SMOOTH)
    for value in x:
        if not agree(value, x[0]):
            raise (type_error if static(value) else invalid_argument)("x", f"Tensors of {x[0].dtype}", value.dtype, "multi_dot")
    return ops.multi_dot(list(x), _helper=named("multi_dot", name))


__all__ = [
    "bmm", "cross", "dot", "inner", "kron", "matmul", "mm", "multi_dot", "mv", "outer",
]  # fmt: skip
