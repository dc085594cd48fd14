"""`paddle.tensor.math`: arithmetic, reductions, running totals."""

from __future__ import annotations

import math
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.direct import direct
from paddle_compat.core.dtype import VarType, dtype_name
from paddle_compat.core.errors import OutOfRangeError, failed_assertion, type_error
from paddle_compat.core.paddle3 import SINCE_3, paddle3
from paddle_compat.ops import _broadcast, arrangement
from paddle_compat.ops import math as ops
from paddle_compat.tensor import _arithmetic, _bounds, _reductions, _running_totals
from paddle_compat.tensor._arithmetic import *  # noqa: F403
from paddle_compat.tensor._arithmetic import add, divide, multiply, pow
from paddle_compat.tensor._axis_arithmetic import (  # noqa: F401 - networks of Paddle's tests take them from here
    _add_with_axis,
    _divide_with_axis,
    _multiply_with_axis,
    _subtract_with_axis,
)
from paddle_compat.tensor._bounds import *  # noqa: F403
from paddle_compat.tensor._bounds import clip
from paddle_compat.tensor._calls import ALL, BOOL, FLOATS, INTS, NUMBERS, check, is_int, is_tensor, named, promoted, static
from paddle_compat.tensor._in_place import in_place
from paddle_compat.tensor._reductions import *  # noqa: F403
from paddle_compat.tensor._running_totals import *  # noqa: F403
from paddle_compat.tensor._running_totals import cumprod
from paddle_compat.tensor.linalg import inner, kron, mm, outer  # noqa: F401
from paddle_compat.tensor.ops import (  # noqa: F401
    angle,
    cast,
    conj,
    digamma,
    digamma_,
    erfinv,
    erfinv_,
    frac,
    frac_,
    i0,
    i0_,
    i0e,
    i1,
    i1e,
    isfinite,
    isinf,
    isnan,
    lgamma,
    lgamma_,
    log,
    log1p,
    log1p_,
    log2,
    log2_,
    log10,
    log10_,
    log_,
    logit,
    logit_,
    polygamma,
    polygamma_,
    sgn,
    sign,
    tanh,
    tanh_,
    trunc,
    trunc_,
)  # fmt: skip

_SHARED = [
    "angle", "conj", "digamma", "digamma_", "erfinv", "erfinv_", "frac", "frac_", "i0", "i0_", "i0e", "i1", "i1e", "inner", "isfinite",
    "isinf", "isnan", "kron", "lgamma", "lgamma_", "log", "log10", "log10_", "log1p", "log1p_", "log2", "log2_", "log_", "logit", "logit_",
    "mm", "outer", "polygamma", "polygamma_", "sgn", "sign", "tanh", "tanh_", "trunc", "trunc_",
]  # fmt: skip


@direct(
    "x",
    "trace_kernel(x_, offset=offset, axis1=axis1, axis2=axis2)",
    "offset == 0 and axis1 == 0 and axis2 == 1 and x_.dtype in NUMERIC and x_.dim() > 1",
    kind="x_.dtype",
    trace_kernel=arrangement.trace.fn,
)
@paddle3(input="x")
def trace(x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, name: str | None = None) -> Any:
    """The sum of the diagonal of each matrix that two dimensions form.

    Args:
        x: a tensor of numbers, of two dimensions or more.
        offset: which diagonal.
        axis1, axis2: the two dimensions.
        name: prefix of the output's name.
    Returns:
        A tensor without those dimensions.
    Raises:
        AssertionError: the dimensions lie outside or are one.
        IndexError: x has fewer than two, in eager mode.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.trace(paddle.to_tensor([[1, 2], [3, 4]])).item()
        5

    Follows Paddle 2.6.
    """
    _check_diagonal(x, axis1, axis2, "trace", INTS + ("float16", "float32", "float64"))
    return arrangement.trace(x, offset=offset, axis1=axis1, axis2=axis2, _helper=named("trace", name))


@direct(
    "x",
    "torch.diagonal(x_, offset, axis1, axis2)",
    "type(offset) is int and type(axis1) is int and type(axis2) is int and x_.dtype in NUMERIC",
    kind="x_.dtype",
    window=True,
)
@paddle3(input="x", dim1="axis1", dim2="axis2", out=True)
def diagonal(x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, name: str | None = None) -> Any:
    """The diagonal of each matrix that two dimensions form.

    Args:
        x: a tensor of two dimensions or more.
        offset: which diagonal.
        axis1, axis2: the two dimensions.
        name: prefix of the output's name.
    Returns:
        A tensor with one dimension fewer.
    Raises:
        AssertionError: the dimensions lie outside or are one.
        IndexError: x has fewer than two, in eager mode.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.diagonal(paddle.to_tensor([[1, 2], [3, 4]])).tolist()
        [1, 4]

    Follows Paddle 2.6.
    """
    _check_diagonal(x, axis1, axis2, "diagonal", BOOL + NUMBERS)
    return arrangement.diagonal(x, offset=offset, axis1=axis1, axis2=axis2, _helper=named("diagonal", name))


def _check_diagonal(x: Any, axis1: int, axis2: int, api: str, kinds: tuple[str, ...]) -> None:
    check(x, "Input", api, kinds, ALL)
    rank = len(x.shape)
    if rank < 2 and not static(x):
        raise OutOfRangeError(f"Invalid value for argument `x` of `{api}`. Expected two dimensions or more. Received: {rank}")
    if rank < 2:
        raise failed_assertion("x", "two dimensions or more", rank, api)
    for value, label in ((axis1, "axis1"), (axis2, "axis2")):
        if not -rank <= value < rank:
            raise failed_assertion(label, "a dimension of x", value, api) if static() else OutOfRangeError(
                f"Invalid value for argument `{label}` of `{api}`. Expected {-rank} to {rank - 1}. Received: {value}"
            )
    if axis1 % rank == axis2 % rank:
        raise failed_assertion("axis2", "another than axis1", axis2, api)


def broadcast_shape(x_shape: Any, y_shape: Any) -> list[int]:
    """The shape that two shapes broadcast to.

    Args:
        x_shape, y_shape: lists of ints.
    Returns:
        A list of ints.
    Raises:
        ValueError: they do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.broadcast_shape([2, 1, 3], [1, 3, 1])
        [2, 3, 3]

    Follows Paddle 2.6.
    """
    return list(_broadcast.broadcast_shapes(tuple(x_shape), tuple(y_shape)))


def renorm(x: Any, p: float, axis: int, max_norm: float) -> Any:
    """Each slice along a dimension, shortened to a norm where it is longer.

    Args:
        x: a tensor of float32 or float64.
        p: the order of the norm.
        axis: the dimension.
        max_norm: the longest norm.
    Returns:
        A tensor like x.
    Raises:
        ValueError: axis lies outside.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.renorm(paddle.to_tensor([[3.0, 4.0]]), 2.0, 0, 1.0).tolist()[0][0] < 0.61
        True

    Follows Paddle 2.6.
    """
    check(x, "x", "renorm", ("float32", "float64"))
    rank = len(x.shape)
    if not -rank <= axis < rank:
        raise ValueError(f"Invalid value for argument `axis` of `renorm`. Expected a dimension of x. Received: {axis}")
    return ops.renorm(x, p=p, axis=axis % rank, max_norm=max_norm, _helper="renorm")


def nan_to_num(x: Any, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None, name: str | None = None) -> Any:
    """x with numbers in place of NaN and infinity.

    Args:
        x: a tensor of float32 or float64.
        nan, posinf, neginf: the numbers; None: the largest and smallest finite ones.
        name: prefix of the output's name.
    Returns:
        A tensor like x.
    Raises:
        AssertionError: x is no such tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nan_to_num(paddle.to_tensor([1.0, float("nan")])).tolist()
        [1.0, 0.0]

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor.creation import full_like
    from paddle_compat.tensor.logic import equal
    from paddle_compat.tensor.search import where

    if dtype_name(x.dtype) not in ("float32", "float64"):
        raise failed_assertion("x", "a tensor of float32 or float64", dtype_name(x.dtype), "nan_to_num")
    limit = 3.4028234663852886e38 if x.dtype == VarType.FP32 else 1.7976931348623157e308
    replacements = (float("inf"), float("-inf"), nan, limit if posinf is None else posinf, -limit if neginf is None else neginf)
    above, below, for_nan, for_above, for_below = (full_like(x, value) for value in replacements)
    out = where(isnan(x), for_nan, x)
    out = where(equal(out, above), for_above, out)
    return where(equal(out, below), for_below, out)


@paddle3(input="x", other="y")
def gcd(x: Any, y: Any, name: str | None = None) -> Any:
    """The greatest common divisor; of floats, what Euclid's algorithm comes to, NaN where one is not finite.

    Args:
        x, y: int32 or int64 tensors, or float32 or float64 Tensors; shapes broadcast.
        name: has no effect.
    Returns:
        A tensor of the common shape.
    Raises:
        TypeError: an argument is no such tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.gcd(paddle.to_tensor([12]), paddle.to_tensor([20])).tolist()
        [4]

    Follows Paddle 2.6.
    """
    import paddle_compat.tensor as paddle

    for value, label in ((x, "x"), (y, "y")):
        check(value, label, "gcd", INTS, (*INTS, "float32", "float64"))
    x, y = promoted(x, y)
    shape = broadcast_shape(x.shape, y.shape)
    x, y = paddle.expand(x, shape), paddle.expand(y, shape)
    x, y = paddle.abs(x), paddle.abs(y)
    if not is_int(x):  # Paddle goes on for ever with numbers that are not finite
        none = ~(paddle.isfinite(x) & paddle.isfinite(y))
        x, y = paddle.where(none, paddle.full_like(x, math.nan), x), paddle.where(none, paddle.zeros_like(y), y)
    if static(x, y):
        from paddle_compat.static.nn.control_flow import while_loop

        return while_loop(lambda x, y: paddle.any(y != 0), _euclid, [x, y])[0]
    while bool(paddle.any(y != 0)):
        x, y = _euclid(x, y)
    return x


def _euclid(x: Any, y: Any) -> tuple[Any, Any]:
    """One step of Euclid's algorithm, the larger number first; where y is 0 it is over."""
    import paddle_compat.tensor as paddle

    going = y != 0
    divisor = paddle.where(going, y, paddle.ones(y.shape, y.dtype))
    larger = paddle.where(going, y, x)
    rest = paddle.mod(x, divisor)
    rest = paddle.where(going, rest, paddle.zeros(y.shape, y.dtype))
    return paddle.where(larger < rest, rest, larger), paddle.where(larger < rest, larger, rest)


@paddle3(input="x", other="y")
def lcm(x: Any, y: Any, name: str | None = None) -> Any:
    """The least common multiple.

    Args:
        x, y: int32 or int64 tensors, or float32 or float64 Tensors; shapes broadcast.
        name: has no effect.
    Returns:
        A tensor of the common shape.
    Raises:
        TypeError: an argument is no such tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.lcm(paddle.to_tensor([4]), paddle.to_tensor([6])).tolist()
        [12]

    Follows Paddle 2.6.
    """
    import paddle_compat.tensor as paddle

    divisor = gcd(x, y)
    none = paddle.equal(divisor, 0)
    safe = paddle.where(none, paddle.ones(divisor.shape, divisor.dtype), divisor)
    return paddle.where(none, paddle.zeros(divisor.shape, divisor.dtype), paddle.abs(x * y) // safe)


def take(x: Any, index: Any, mode: str = "raise", name: str | None = None) -> Any:
    """The elements at some positions of the flattened tensor.

    Args:
        x: a tensor.
        index: int32 or int64.
        mode: "raise" counts negative ones from the end; "wrap" goes round; "clip" stops at both ends.
        name: has no effect.
    Returns:
        A tensor of the index's shape.
    Raises:
        ValueError: mode is something else.
        TypeError: the index is no such tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.take(paddle.to_tensor([[1, 2], [3, 4]]), paddle.to_tensor([0, -1])).tolist()
        [1, 4]

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor.manipulation import flatten, reshape
    from paddle_compat.tensor.search import index_select, where
    from paddle_compat.tensor.stat import numel

    if mode not in ("raise", "wrap", "clip"):
        raise ValueError(f"Invalid value for argument `mode` of `take`. Expected 'raise', 'wrap' or 'clip'. Received: {mode!r}")
    if not is_tensor(index) or index.dtype not in (VarType.INT32, VarType.INT64):
        raise TypeError(f"Invalid type for argument `index` of `take`. Expected a tensor of int32 or int64. Received: {index!r}")
    flat, places = flatten(x), flatten(index)
    size = numel(x) if -1 in x.shape else math.prod(x.shape)
    if mode == "raise":
        places = where(places < 0, places + size, places)
    elif mode == "wrap":
        places = where(places < 0, places % size, places)
        places = where(places >= size, places % size, places)
    else:
        places = clip(places, 0, size - 1)
    return reshape(index_select(flat, places), list(index.shape))


def frexp(x: Any, name: str | None = None) -> tuple[Any, Any]:
    """Mantissa and exponent: x = mantissa * 2 ** exponent, the mantissa from 0.5 to 1.

    Args:
        x: a tensor of float32 or float64.
        name: has no effect.
    Returns:
        Mantissa and exponent, of x's type.
    Raises:
        TypeError: x is no such tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> [v.tolist() for v in paddle.frexp(paddle.to_tensor([6.0]))]
        [[0.75], [3.0]]

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor.creation import full_like
    from paddle_compat.tensor.ops import abs, floor
    from paddle_compat.tensor.search import where

    if x.dtype not in (VarType.FP32, VarType.FP64):
        raise TypeError(f"Invalid type for argument `x` of `frexp`. Expected a tensor of float32 or float64. Received: {x!r}")
    size = abs(x)
    exponent = floor(log2(size))
    exponent = where(isinf(exponent), full_like(exponent, 0), exponent)
    mantissa = divide(size, 2**exponent)
    exponent = where(mantissa >= 1, add(exponent, full_like(exponent, 1)), exponent)
    mantissa = where(mantissa >= 1, divide(mantissa, 2 ** full_like(exponent, 1)), mantissa)
    return where(x < 0, mantissa * -1, mantissa), exponent


def ldexp(x: Any, y: Any, name: str | None = None) -> Any:
    """x * 2 ** y.

    Args:
        x, y: tensors of numbers; shapes broadcast.
        name: has no effect.
    Returns:
        A tensor, float64 if one of them is, else float32.
    Raises:
        TypeError: an argument is no tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.ldexp(paddle.to_tensor([3.0]), paddle.to_tensor([2])).tolist()
        [12.0]

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor.creation import to_tensor

    for value, label in ((x, "x"), (y, "y")):
        if not is_tensor(value):
            raise type_error(label, "a tensor", value, "ldexp")
    kind = VarType.FP64 if VarType.FP64 in (x.dtype, y.dtype) else VarType.FP32
    x, y = cast(x, kind), cast(y, kind)
    return multiply(x, pow(cast(to_tensor(2), kind), y))


def multigammaln(x: Any, p: int, name: str | None = None) -> Any:
    """The logarithm of the multivariate gamma function.

    Args:
        x: a tensor of floats above (p - 1) / 2.
        p: the number of dimensions.
        name: has no effect.
    Returns:
        A tensor like x.
    Raises:
        AssertionError: p is less than 1.

    Example:
        >>> import paddle_compat as paddle
        >>> round(paddle.multigammaln(paddle.to_tensor([2.0]), 1).item(), 4)
        0.0

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor._reductions import sum
    from paddle_compat.tensor.creation import arange

    if p < 1:
        raise failed_assertion("p", "at least 1", p, "multigammaln")
    constant = 0.25 * p * (p - 1) * math.log(math.pi)
    steps = 0.5 * arange(1 - p, 1, 1, x.dtype) if p == 1 else 0.5 * arange(-(p - 1), 1, 1, x.dtype)
    return sum(lgamma(x.unsqueeze(-1) + steps), -1) + constant


def vander(x: Any, n: int | None = None, increasing: bool = False, name: str | None = None) -> Any:
    """The powers of a vector's elements as columns.

    Args:
        x: a vector.
        n: how many columns; None: as many as elements.
        increasing: the 0th power first, else last.
        name: has no effect.
    Returns:
        [N, n].
    Raises:
        ValueError: x is no vector, or n negative.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vander(paddle.to_tensor([2.0, 3.0]), 3).tolist()
        [[4.0, 2.0, 1.0], [9.0, 3.0, 1.0]]

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor.creation import ones
    from paddle_compat.tensor.manipulation import concat, expand, flip, unsqueeze

    check(x, "x", "vander", INTS + FLOATS + ("complex64", "complex128"))
    if len(x.shape) != 1:
        raise ValueError(f"Invalid value for argument `x` of `vander`. Expected a vector. Received: shape {list(x.shape)}")
    size = x.shape[0] if n is None else n
    if size > 0 and static(x):
        return _recorded_powers(x, size, increasing)
    if size < 0:
        raise ValueError(f"Invalid value for argument `n` of `vander`. Expected at least 0. Received: {n}")
    first = ones([x.shape[0], 1], x.dtype)
    if size < 2:
        return first[:, :size]
    powers = cumprod(expand(unsqueeze(x, 1), [x.shape[0], size - 1]), 1)
    out = concat([first, powers], 1)
    return out if increasing else flip(out, 1)


def _recorded_powers(x: Any, size: int, increasing: bool) -> Any:
    """What `vander` records: columns that are put one after the other into an empty matrix."""
    from paddle_compat.tensor._variable_assignment import setitem
    from paddle_compat.tensor.creation import empty, to_tensor
    from paddle_compat.tensor.manipulation import unsqueeze

    behind = (slice(None), slice(1, None))
    out: Any = setitem(empty([x.shape[0], size], x.dtype), (slice(None), 0), to_tensor([1], dtype=x.dtype))
    if size > 1:
        out = setitem(out, behind, unsqueeze(x, 1))
        out = setitem(out, behind, cumprod(out[:, 1:], dim=-1))
    return out if increasing else out[:, ::-1]


def combinations(x: Any, r: int = 2, with_replacement: bool = False, name: str | None = None) -> Any:
    """All choices of r elements of a vector.

    Args:
        x: a vector.
        r: how many.
        with_replacement: whether an element may be chosen again.
        name: has no effect.
    Returns:
        [N, r].
    Raises:
        TypeError: x is no vector, or r negative.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.combinations(paddle.to_tensor([1, 2, 3])).tolist()
        [[1, 2], [1, 3], [2, 3]]

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor._expand import expand
    from paddle_compat.tensor._reshape import reshape
    from paddle_compat.tensor.creation import arange, empty, full, meshgrid
    from paddle_compat.tensor.manipulation import stack
    from paddle_compat.tensor.search import masked_select
    from paddle_compat.tensor.stat import numel

    if len(x.shape) != 1:
        raise TypeError(f"Invalid type for argument `x` of `combinations`. Expected a vector. Received: shape {list(x.shape)}")
    if not isinstance(r, int) or r < 0:
        raise ValueError(f"Invalid value for argument `r` of `combinations`. Expected an int of at least 0. Received: {r}")
    if r == 0:
        return empty([0], dtype=x.dtype)
    if (r > x.shape[0] and not with_replacement) or (x.shape[0] == 0 and with_replacement):
        return expand(reshape(x[:0], [0, 1]), [0, r]) if SINCE_3 else empty([0, r], dtype=x.dtype)
    grids = meshgrid([x] * r) if r > 1 else [x]
    steps = arange(numel(x))
    places = meshgrid([steps] * r) if r > 1 else []
    mask = full([x.shape[0]] * r, True, "bool")
    for first, second in zip(places, places[1:]):
        mask = mask * (first <= second if with_replacement else first < second)
    return stack([masked_select(grid, mask) for grid in grids], 1)


gcd_, lcm_, nan_to_num_ = map(in_place, (gcd, lcm, nan_to_num))
ldexp_, multigammaln_, renorm_ = map(in_place, (ldexp, multigammaln, renorm))

__all__ = sorted(
    {
        *_arithmetic.__all__, *_bounds.__all__, *_reductions.__all__, *_running_totals.__all__, *_SHARED, "broadcast_shape",
        "combinations", "diagonal", "frexp", "gcd", "gcd_", "lcm", "lcm_", "ldexp", "ldexp_", "multigammaln", "multigammaln_",
        "nan_to_num", "nan_to_num_", "renorm", "renorm_", "take", "trace", "vander",
    }
)  # fmt: skip

__getattr__ = missing(__name__)
