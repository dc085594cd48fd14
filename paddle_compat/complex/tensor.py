"""`paddle.complex.tensor`: the functions of complex values of Paddle 1.8.

Complex values are Tensors like any others, of data type complex64 or complex128, where Paddle 1.8 pairs two real ones.
"""

from __future__ import annotations

from typing import Any

from paddle_compat._lazy import modules
from paddle_compat._missing import missing
from paddle_compat.fluid import layers
from paddle_compat.tensor._from_data import complex as _from_parts
from paddle_compat.tensor.attribute import is_complex as _is_complex


def _need_complex(api: str, *values: Any) -> None:
    if not any(_is_complex(value) for value in values):
        received = ", ".join(str(getattr(value, "dtype", type(value).__name__)) for value in values)
        raise ValueError(f"Invalid value for argument of `complex.{api}`. Expected a complex tensor. Received: {received}")


def elementwise_add(x: Any, y: Any, axis: int = -1, name: str | None = None) -> Any:
    """x + y, where at least one is complex.

    Args:
        x, y: tensors; y's shape is a part of x's.
        axis: where in x the shape of y begins; -1: at its end.
        name: prefix of the output's name.
    Returns:
        A complex tensor.
    Raises:
        ValueError: both are real.

    Example:
        >>> import numpy as np, paddle_compat as paddle, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     x = fluid.dygraph.to_variable(np.array([3 + 1j]))
        ...     paddle.complex.elementwise_add(x, x).numpy().tolist()
        [(6+2j)]

    Follows Paddle 1.8.
    """
    _need_complex("elementwise_add", x, y)
    return layers.elementwise_add(x, y, axis, name=name)


def elementwise_sub(x: Any, y: Any, axis: int = -1, name: str | None = None) -> Any:
    """x - y, where at least one is complex.

    Args:
        x, y: tensors; y's shape is a part of x's.
        axis: where in x the shape of y begins; -1: at its end.
        name: prefix of the output's name.
    Returns:
        A complex tensor.
    Raises:
        ValueError: both are real.

    Example:
        >>> import numpy as np, paddle_compat as paddle, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     x, y = (fluid.dygraph.to_variable(np.array([number])) for number in (3 + 1j, 1.0))
        ...     paddle.complex.elementwise_sub(x, y).numpy().tolist()
        [(2+1j)]

    Follows Paddle 1.8.
    """
    _need_complex("elementwise_sub", x, y)
    return layers.elementwise_sub(x, y, axis, name=name)


def elementwise_mul(x: Any, y: Any, axis: int = -1, name: str | None = None) -> Any:
    """x * y, where at least one is complex.

    Args:
        x, y: tensors; y's shape is a part of x's.
        axis: where in x the shape of y begins; -1: at its end.
        name: prefix of the output's name.
    Returns:
        A complex tensor.
    Raises:
        ValueError: both are real.

    Example:
        >>> import numpy as np, paddle_compat as paddle, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     x = fluid.dygraph.to_variable(np.array([3 + 1j]))
        ...     paddle.complex.elementwise_mul(x, x).numpy().tolist()
        [(8+6j)]

    Follows Paddle 1.8.
    """
    _need_complex("elementwise_mul", x, y)
    return layers.elementwise_mul(x, y, axis, name=name)


def elementwise_div(x: Any, y: Any, axis: int = -1, name: str | None = None) -> Any:
    """x / y, where at least one is complex.

    Args:
        x, y: tensors; y's shape is a part of x's.
        axis: where in x the shape of y begins; -1: at its end.
        name: prefix of the output's name.
    Returns:
        A complex tensor.
    Raises:
        ValueError: both are real.

    Example:
        >>> import numpy as np, paddle_compat as paddle, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     x, y = (fluid.dygraph.to_variable(np.array([number])) for number in (3 + 1j, 2.0))
        ...     paddle.complex.elementwise_div(x, y).numpy().tolist()
        [(1.5+0.5j)]

    Follows Paddle 1.8.
    """
    _need_complex("elementwise_div", x, y)
    return layers.elementwise_div(x, y, axis, name=name)


def kron(x: Any, y: Any, name: str | None = None) -> Any:
    """The Kronecker product, where at least one is complex.

    Args:
        x, y: tensors.
        name: prefix of the output's name.
    Returns:
        A complex tensor.
    Raises:
        ValueError: both are real.

    Example:
        >>> import numpy as np, paddle_compat as paddle, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     x, y = (fluid.dygraph.to_variable(np.array(row)) for row in ([1, 1j], [2.0, 3.0]))
        ...     paddle.complex.kron(x, y).numpy().tolist()
        [(2+0j), (3+0j), 2j, 3j]

    Follows Paddle 1.8.
    """
    _need_complex("kron", x, y)
    return layers.kron(x, y, name=name)


def trace(input: Any, offset: int = 0, dim1: int = 0, dim2: int = 1, name: str | None = None) -> Any:
    """The sum of a diagonal.

    Args:
        input: a complex tensor of at least two dimensions.
        offset: which diagonal; above 0: right of the main one.
        dim1, dim2: the dimensions of the matrices.
        name: prefix of the output's name.
    Returns:
        A complex tensor.
    Raises:
        ValueError: input is real.

    Example:
        >>> import numpy as np, paddle_compat as paddle, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     paddle.complex.trace(fluid.dygraph.to_variable(np.eye(2) * 2j)).numpy().tolist()
        [4j]

    Follows Paddle 1.8.
    """
    _need_complex("trace", input)
    return layers.trace(input, offset, dim1, dim2)


def sum(input: Any, dim: Any = None, keep_dim: bool = False, name: str | None = None) -> Any:
    """The sum of elements.

    Args:
        input: a complex tensor.
        dim: an int or a list of them; None: all dimensions.
        keep_dim: whether dimensions stay, with size 1.
        name: prefix of the output's name.
    Returns:
        A complex tensor.
    Raises:
        ValueError: input is real.

    Example:
        >>> import numpy as np, paddle_compat as paddle, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     paddle.complex.sum(fluid.dygraph.to_variable(np.array([1j, 2.0]))).numpy().tolist()
        [(2+1j)]

    Follows Paddle 1.8.
    """
    _need_complex("sum", input)
    return layers.reduce_sum(input, dim, keep_dim, name)


def reshape(x: Any, shape: Any, inplace: bool = False, name: str | None = None) -> Any:
    """The same elements in another shape.

    Args:
        x: a complex tensor.
        shape: list or tuple of int; one may be -1, and 0 keeps a size.
        inplace: whether x itself takes the shape.
        name: prefix of the output's name.
    Returns:
        A complex tensor.
    Raises:
        ValueError: x is real.

    Example:
        >>> import numpy as np, paddle_compat as paddle, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     paddle.complex.reshape(fluid.dygraph.to_variable(np.array([1j, 2.0])), [2, -1]).shape
        [2, 1]

    Follows Paddle 1.8.
    """
    _need_complex("reshape", x)
    return layers.reshape(x, shape, inplace=inplace, name=name)


def transpose(x: Any, perm: Any, name: str | None = None) -> Any:
    """The dimensions in another order.

    Args:
        x: a complex tensor.
        perm: list of int, the dimensions of x in their new order.
        name: prefix of the output's name.
    Returns:
        A complex tensor.
    Raises:
        ValueError: x is real.

    Example:
        >>> import numpy as np, paddle_compat as paddle, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     paddle.complex.transpose(fluid.dygraph.to_variable(np.array([[1j, 2.0]])), [1, 0]).shape
        [2, 1]

    Follows Paddle 1.8.
    """
    _need_complex("transpose", x)
    return layers.transpose(x, perm, name)


def matmul(x: Any, y: Any, transpose_x: bool = False, transpose_y: bool = False, alpha: float = 1.0, name: str | None = None) -> Any:
    """The matrix product, where at least one is complex.

    Args:
        x, y: tensors.
        transpose_x, transpose_y: whether the last two dimensions change places first.
        alpha: what the product is multiplied by.
        name: prefix of the output's name.
    Returns:
        A complex tensor.
    Raises:
        ValueError: both are real.

    Example:
        >>> import numpy as np, paddle_compat as paddle, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     x, y = (fluid.dygraph.to_variable(np.array(row)) for row in ([[1, 1j]], [2.0, 3.0]))
        ...     paddle.complex.matmul(x, y).numpy().tolist()
        [(2+3j)]

    Follows Paddle 1.8.
    """
    _need_complex("matmul", x, y)
    x, y = (value if _is_complex(value) else _from_parts(value, layers.zeros_like(value)) for value in (x, y))
    return layers.matmul(x, y, transpose_x, transpose_y, alpha, name)


__all__ = [
    "elementwise_add", "elementwise_div", "elementwise_mul", "elementwise_sub", "kron", "matmul", "reshape", "sum", "trace", "transpose",
]  # fmt: skip

__getattr__ = missing(__name__)

modules(
    __name__,
    {
        "linalg": ("matmul",),
        "manipulation": ("reshape", "transpose"),
        "math": ("elementwise_add", "elementwise_div", "elementwise_mul", "elementwise_sub", "kron", "sum", "trace"),
    },
)
