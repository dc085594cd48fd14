"""`paddle.nn.functional`: smooth activations, and softmax."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.direct import at_once, direct
from paddle_compat.core.dtype import DTypeLike, convert_dtype
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.paddle3 import paddle3
from paddle_compat.nn.functional._apply import apply, check_float, helper_for, in_place, overwrite, paddle
from paddle_compat.ops import activation as ops
from paddle_compat.ops.dropout import gumbel_softmax as gumbel_softmax_op
from paddle_compat.ops.math import cast
from paddle_compat.tensor._calls import floats


@direct(
    "x",
    "gelu_kernel(x_, approximate=approximate)",
    "type(approximate) is bool and x_.dtype in FLOATS",
    kind="x_.dtype",
    gelu_kernel=ops.gelu.fn,
)
@paddle3(input="x", out=True)
def gelu(x: Any, approximate: bool | str = False, name: str | None = None) -> Any:
    """x times the normal distribution's probability of being below x.

    Args:
        x (Tensor): float.
        approximate (bool|str): by a hyperbolic tangent: True or "tanh"; False or "none".
        name (str): prefix of the output's name.
    Returns:
        Tensor: of x's shape and data type.
    Raises:
        ValueError: there is no such approximation.

    Example:
        >>> import paddle_compat as paddle
        >>> [round(v, 4) for v in paddle.nn.functional.gelu(paddle.to_tensor([-1.0, 0.5])).tolist()]
        [-0.1587, 0.3457]

    Follows Paddle 2.6.
    """
    if isinstance(approximate, str):
        if approximate not in ("tanh", "none"):
            raise invalid_argument("approximate", "True, False, 'tanh' or 'none'", approximate, "gelu")
        approximate = approximate == "tanh"
    return apply(ops.gelu, "gelu", x, name, approximate=approximate)


@paddle3(input="x", dim="axis")
def glu(x: Any, axis: int = -1, name: str | None = None) -> Any:
    """One half of x times the sigmoid of the other.

    Args:
        x (Tensor): float; its size along `axis` is even.
        axis (int): the dimension to halve.
        name (str): prefix of the output's name.
    Returns:
        Tensor: half as large along `axis`.
    Raises:
        ValueError: there is no such dimension.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.glu(paddle.to_tensor([[0.1, 0.2, 0.3, 0.4]])).shape
        [1, 2]

    Follows Paddle 2.6.
    """
    check_float(x, "glu")
    if not -len(x.shape) <= axis < len(x.shape):
        raise invalid_argument("axis", f"from {-len(x.shape)} to {len(x.shape) - 1}", axis, "glu")
    first, second = paddle.split(x, 2, axis=axis, name=name)
    return paddle.multiply(first, sigmoid(second, name=name), name=name)


def gumbel_softmax(x: Any, temperature: float = 1.0, hard: bool = False, axis: int = -1, name: str | None = None) -> Any:
    """Softmax of x with Gumbel noise: samples from a distribution that gradients flow through.

    Args:
        x (Tensor): logarithms of probabilities, up to a constant.
        temperature (float): above 0; the lower, the closer to one class.
        hard (bool): one class exactly, with the gradient of the soft result.
        axis (int): the dimension of the classes.
        name (str): prefix of the output's name.
    Returns:
        Tensor: of x's shape and data type.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.gumbel_softmax(paddle.to_tensor([[0.1, 2.0]]), hard=True).shape
        [1, 2]

    Follows Paddle 2.6.
    """
    return apply(gumbel_softmax_op, "gumbel_softmax", x, name, temperature=temperature, hard=hard, axis=axis)


@at_once(ops.logsigmoid)
@paddle3(input="x")
def log_sigmoid(x: Any, name: str | None = None) -> Any:
    """The logarithm of the sigmoid.

    Args:
        x (Tensor): float.
        name (str): prefix of the output's name.
    Returns:
        Tensor: of x's shape and data type.

    Example:
        >>> import paddle_compat as paddle
        >>> [round(v, 4) for v in paddle.nn.functional.log_sigmoid(paddle.to_tensor([1.0, 2.0])).tolist()]
        [-0.3133, -0.1269]

    Follows Paddle 2.6.
    """
    return apply(ops.logsigmoid, "log_sigmoid", x, name)


logsigmoid = log_sigmoid


def _softened(op: Any, layer: str, x: Any, axis: int, dtype: DTypeLike | None, name: str | None) -> Any:
    helper = helper_for(layer, x, name)
    if dtype is not None:
        x = cast(x, in_dtype=int(x.dtype), out_dtype=int(convert_dtype(dtype)), _helper=helper)
    check_float(x, layer)
    return op(x, axis=axis, _helper=helper)


@direct(
    "x",
    "log_softmax_of(x_, axis)",
    "dtype is None and x_.dtype in FLOATS and -x_.dim() <= axis < x_.dim()",
    kind="x_.dtype",
    log_softmax_of=ops.log_softmax_of,
)
def log_softmax(x: Any, axis: int = -1, dtype: DTypeLike | None = None, name: str | None = None) -> Any:
    """The logarithm of the softmax.

    Args:
        x (Tensor): float.
        axis (int): the dimension whose exponentials sum up to 1.
        dtype: what x is cast to first.
        name (str): prefix of the output's name.
    Returns:
        Tensor: of x's shape.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.log_softmax(paddle.to_tensor([[1.0, 2.0]])).shape
        [1, 2]

    Follows Paddle 2.6.
    """
    return _softened(ops.log_softmax, "log_softmax", x, axis, dtype, name)


@direct("x", "mish_kernel(x_)", "x_.dtype in FLOATS", kind="x_.dtype", mish_kernel=ops.mish.fn)
def mish(x: Any, name: str | None = None) -> Any:
    """x tanh(log(1 + exp(x))).

    Args:
        x (Tensor): float.
        name (str): prefix of the output's name.
    Returns:
        Tensor: of x's shape and data type.

    Example:
        >>> import paddle_compat as paddle
        >>> [round(v, 4) for v in paddle.nn.functional.mish(paddle.to_tensor([-5.0, 0.0, 5.0])).tolist()]
        [-0.0336, 0.0, 4.9996]

    Follows Paddle 2.6.
    """
    return apply(ops.mish, "mish", x, name)


@at_once(ops.sigmoid)
@paddle3(input="x", out=True)
def sigmoid(x: Any, name: str | None = None) -> Any:
    """1 / (1 + exp(-x)).

    Args:
        x (Tensor): float.
        name (str): prefix of the output's name.
    Returns:
        Tensor: of x's shape and data type.

    Example:
        >>> import paddle_compat as paddle
        >>> [round(v, 4) for v in paddle.nn.functional.sigmoid(paddle.to_tensor([-4.0, 1.0])).tolist()]
        [0.018, 0.7311]

    Follows Paddle 2.6.
    """
    return apply(ops.sigmoid, "sigmoid", floats(x), name)


@direct("x", "silu_kernel(x_)", "x_.dtype in FLOATS", kind="x_.dtype", silu_kernel=ops.silu.fn)
@paddle3(input="x")
def silu(x: Any, name: str | None = None, *, inplace: bool = False) -> Any:
    """x times the sigmoid of x.

    Args:
        x (Tensor): float.
        name (str): prefix of the output's name.
        inplace (bool): whether x becomes the result.
    Returns:
        Tensor: of x's shape and data type.

    Example:
        >>> import paddle_compat as paddle
        >>> [round(v, 4) for v in paddle.nn.functional.silu(paddle.to_tensor([1.0, 2.0])).tolist()]
        [0.7311, 1.7616]

    Follows Paddle 2.6.
    """
    out = apply(ops.silu, "silu", x, name)
    return in_place(x, out, "silu_") if inplace else out


@direct(
    "x",
    "softmax(x_, axis=axis)",
    "dtype is None and x_.dtype in FLOATS and -x_.dim() <= axis < x_.dim()",
    kind="x_.dtype",
    softmax=ops.softmax.fn,
)
@paddle3(input="x", dim="axis", out=True)
def softmax(x: Any, axis: int = -1, dtype: DTypeLike | None = None, name: str | None = None) -> Any:
    """Exponentials, divided by their sum.

    Args:
        x (Tensor): float.
        axis (int): the dimension that sums up to 1.
        dtype: what x is cast to first.
        name (str): prefix of the output's name.
    Returns:
        Tensor: of x's shape.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.softmax(paddle.to_tensor([[1.0, 2.0]])).shape
        [1, 2]

    Follows Paddle 2.6.
    """
    return _softened(ops.softmax, "softmax", x, axis, dtype, name)


@paddle3(input="x", dim="axis", out=True)
def softmax_(x: Any, axis: int = -1, dtype: DTypeLike | None = None, name: str | None = None) -> Any:
    """`softmax` in place.

    Args:
        x (Tensor): float; changed.
        axis (int): the dimension that sums up to 1.
        dtype: what x is cast to first.
        name (str): kept.
    Returns:
        Tensor: x.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.softmax_(paddle.to_tensor([[1.0, 2.0]])).shape
        [1, 2]

    Follows Paddle 2.6.
    """
    return overwrite(x, softmax, axis, dtype, name)


@direct(
    "x",
    "softplus_kernel(x_, beta=float(beta), threshold=float(threshold))",
    "x_.dtype in FLOATS",
    kind="x_.dtype",
    softplus_kernel=ops.softplus.fn,
)
@paddle3(input="x", out=True)
def softplus(x: Any, beta: float = 1, threshold: float = 20, name: str | None = None) -> Any:
    """log(1 + exp(beta x)) / beta; x itself where beta x is above the threshold.

    Args:
        x (Tensor): float.
        beta (float): how sharp the bend is.
        threshold (float): from where on it is linear.
        name (str): prefix of the output's name.
    Returns:
        Tensor: of x's shape and data type.

    Example:
        >>> import paddle_compat as paddle
        >>> [round(v, 4) for v in paddle.nn.functional.softplus(paddle.to_tensor([-0.4, 0.3])).tolist()]
        [0.513, 0.8544]

    Follows Paddle 2.6.
    """
    return apply(ops.softplus, "softplus", x, name, beta=float(beta), threshold=float(threshold))


@at_once(ops.softsign)
def softsign(x: Any, name: str | None = None) -> Any:
    """x / (1 + |x|).

    Args:
        x (Tensor): float.
        name (str): prefix of the output's name.
    Returns:
        Tensor: of x's shape and data type.

    Example:
        >>> import paddle_compat as paddle
        >>> [round(v, 4) for v in paddle.nn.functional.softsign(paddle.to_tensor([-0.4, 0.3])).tolist()]
        [-0.2857, 0.2308]

    Follows Paddle 2.6.
    """
    return apply(ops.softsign, "softsign", x, name)


def swiglu(x: Any, y: Any = None, name: str | None = None) -> Any:
    """silu(x) y.

    Args:
        x (Tensor): float.
        y (Tensor): of x's shape; None: x and y are the halves of x's last dimension.
        name (str): kept.
    Returns:
        Tensor: of x's shape, or half as wide.
    Raises:
        ValueError: the last dimension has no halves.

    Example:
        >>> import paddle_compat as paddle
        >>> [round(v, 4) for v in paddle.nn.functional.swiglu(paddle.to_tensor([1.0, 2.0, 3.0, 4.0])).tolist()]
        [2.1932, 7.0464]

    Follows Paddle 3.3.
    """
    if y is None:
        if x.shape[-1] % 2:
            raise invalid_argument("x", "an even last dimension", list(x.shape), "swiglu")
        x, y = paddle.split(x, 2, axis=-1)
    return paddle.multiply(silu(x), y)


@direct("x", "silu_kernel(x_)", "x_.dtype in FLOATS", kind="x_.dtype", silu_kernel=ops.silu.fn)
def swish(x: Any, name: str | None = None) -> Any:
    """x times the sigmoid of x.

    Args:
        x (Tensor): float.
        name (str): prefix of the output's name.
    Returns:
        Tensor: of x's shape and data type.

    Example:
        >>> import paddle_compat as paddle
        >>> [round(v, 4) for v in paddle.nn.functional.swish(paddle.to_tensor([-2.0, 1.0])).tolist()]
        [-0.2384, 0.7311]

    Follows Paddle 2.6.
    """
    return apply(ops.swish, "swish", x, name, beta=1.0)


@at_once(ops.tanh)
@paddle3(input="x", out=True)
def tanh(x: Any, name: str | None = None) -> Any:
    """The hyperbolic tangent.

    Args:
        x (Tensor): float.
        name (str): prefix of the output's name.
    Returns:
        Tensor: of x's shape and data type.

    Example:
        >>> import paddle_compat as paddle
        >>> [round(v, 4) for v in paddle.nn.functional.tanh(paddle.to_tensor([-0.4, 0.3])).tolist()]
        [-0.3799, 0.2913]

    Follows Paddle 2.6.
    """
    return apply(ops.tanh, "tanh", floats(x), name)


@paddle3(input="x", out=True)
def tanh_(x: Any, name: str | None = None) -> Any:
    """`tanh` in place.

    Args:
        x (Tensor): float; changed.
        name (str): kept.
    Returns:
        Tensor: x.

    Example:
        >>> import paddle_compat as paddle
        >>> [round(v, 4) for v in paddle.nn.functional.tanh_(paddle.to_tensor([-0.4, 0.3])).tolist()]
        [-0.3799, 0.2913]

    Follows Paddle 2.6.
    """
    return overwrite(x, tanh, name)


@at_once(ops.tanh_shrink)
def tanhshrink(x: Any, name: str | None = None) -> Any:
    """x - tanh(x).

    Args:
        x (Tensor): float.
        name (str): prefix of the output's name.
    Returns:
        Tensor: of x's shape and data type.

    Example:
        >>> import paddle_compat as paddle
        >>> [round(v, 4) for v in paddle.nn.functional.tanhshrink(paddle.to_tensor([-0.4, 0.3])).tolist()]
        [-0.0201, 0.0087]

    Follows Paddle 2.6.
    """
    return apply(ops.tanh_shrink, "tanh_shrink", x, name)
