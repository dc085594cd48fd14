"""Functions of Paddle 3 that compute numbers from numbers, and make some."""

from __future__ import annotations

import math
from typing import Any

from paddle_compat import tensor
from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import failed_assertion, invalid_argument, type_error
from paddle_compat.core.op import Op
from paddle_compat.core.paddle3 import become, paddle3
from paddle_compat.ops import elementwise
from paddle_compat.ops import random as drawing
from paddle_compat.tensor._calls import BITS, COMPLEX, FLOATS, check, is_int, is_tensor, named, promoted, static
from paddle_compat.tensor._in_place import in_place


def _shift(operator: Op, x: Any, y: Any, is_arithmetic: bool, name: str | None) -> Any:
    check(x, "x", operator.type, BITS[1:])
    check(y, "y", operator.type, BITS[1:])
    if x.dtype != y.dtype:
        raise invalid_argument("y", f"a tensor of {x.dtype}", y.dtype, operator.type)
    return operator(x, y, is_arithmetic=is_arithmetic, _helper=named(operator.type, name))


def bitwise_left_shift(x: Any, y: Any, is_arithmetic: bool = True, out: Any = None, name: str | None = None) -> Any:
    """The bits of integers moved up.

    Args:
        x: a tensor of integers.
        y: by how many places, a tensor of the same type; their shapes broadcast.
        is_arithmetic: has no effect.
        out: a Tensor that becomes the result, too.
        name: prefix of the output's name.
    Returns:
        A tensor of the common shape.
    Raises:
        ValueError: the types differ, or are none of integers.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.bitwise_left_shift(paddle.to_tensor([1, 3]), paddle.to_tensor([2])).tolist()
        [4, 12]

    Follows Paddle 3.3.
    """
    return _given(out, _shift(elementwise.bitwise_left_shift, x, y, is_arithmetic, name), "bitwise_left_shift")


def bitwise_right_shift(x: Any, y: Any, is_arithmetic: bool = True, out: Any = None, name: str | None = None) -> Any:
    """The bits of integers moved down.

    Args:
        x: a tensor of integers.
        y: by how many places, a tensor of the same type; their shapes broadcast.
        is_arithmetic: whether the sign follows; else zeros do.
        out: a Tensor that becomes the result, too.
        name: prefix of the output's name.
    Returns:
        A tensor of the common shape.
    Raises:
        ValueError: the types differ, or are none of integers.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.bitwise_right_shift(paddle.to_tensor([4, -8]), paddle.to_tensor([2])).tolist()
        [1, -2]

    Follows Paddle 3.3.
    """
    return _given(out, _shift(elementwise.bitwise_right_shift, x, y, is_arithmetic, name), "bitwise_right_shift")


def _given(out: Any, result: Any, api: str) -> Any:
    return result if out is None else become(out, result, api)


@paddle3(input="x", out=True)
def signbit(x: Any, name: str | None = None) -> Any:
    """Which elements bear a minus, -0.0 among them.

    Args:
        x: a tensor of real numbers.
        name: has no effect.
    Returns:
        A bool tensor.
    Raises:
        ValueError: the numbers are complex, or truth values.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.signbit(paddle.to_tensor([-1.0, 0.0, -0.0])).tolist()
        [True, False, True]

    Follows Paddle 3.3.
    """
    check(x, "x", "signbit", BITS[1:] + FLOATS)
    if is_int(x):
        return tensor.less_than(x, tensor.zeros_like(x))
    return (x < 0) | (1.0 / x < 0)


@paddle3(input="x", other="y", out=True)
def copysign(x: Any, y: Any, name: str | None = None) -> Any:
    """Numbers with the signs of others.

    Args:
        x: a tensor of real numbers.
        y: a tensor of the same type, or a number, which becomes one of x's type; the shapes broadcast.
        name: prefix of the output's name.
    Returns:
        A tensor of the common shape.
    Raises:
        TypeError: y is of another type.
        ValueError: the numbers are complex.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.copysign(paddle.to_tensor([1.0, -2.0]), paddle.to_tensor([-1.0, 1.0])).tolist()
        [-1.0, 2.0]

    Follows Paddle 3.3.
    """
    x, y = promoted(x, y)
    check(x, "x", "copysign", BITS + FLOATS)
    if not is_tensor(y):
        y = tensor.full([], y, x.dtype)
    if x.dtype != y.dtype:
        raise type_error("y", f"a number, or a tensor of {x.dtype}", str(y.dtype), "copysign")
    return elementwise.copysign(x, y, _helper=named("copysign", name))


@paddle3(input="x", out=True)
def sinc(x: Any, name: str | None = None) -> Any:
    """sin(pi x) / (pi x), and 1 at 0.

    Args:
        x: a tensor of floats or complex numbers.
        name: has no effect.
    Returns:
        A tensor like x.
    Raises:
        TypeError: x is no such tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.sinc(paddle.to_tensor([0.0, 0.5])).tolist()
        [1.0, 0.6366197466850281]

    Follows Paddle 3.3.
    """
    check(x, "x", "sinc", FLOATS + COMPLEX)
    none, ones = tensor.equal(x, tensor.zeros_like(x)), tensor.ones_like(x)
    angle = tensor.where(none, ones, x) * math.pi
    return tensor.where(none, ones, tensor.sin(angle) / angle)


def isreal(x: Any, name: str | None = None) -> Any:
    """Which numbers have no imaginary part.

    Args:
        x: a tensor.
        name: has no effect.
    Returns:
        A bool tensor.
    Raises:
        TypeError: x is no tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.isreal(paddle.to_tensor([1 + 0j, 1j])).tolist()
        [True, False]

    Follows Paddle 3.3.
    """
    if not is_tensor(x):
        raise type_error("x", "a tensor", x, "isreal")
    if x.dtype in (VarType.COMPLEX64, VarType.COMPLEX128):
        return tensor.imag(x) == 0
    return tensor.ones_like(x).astype("bool")


@paddle3(input="x", out=True)
def gammaln(x: Any, name: str | None = None) -> Any:
    """log |gamma(x)|.

    Args:
        x: a tensor of floats.
        name: prefix of the output's name.
    Returns:
        A tensor like x.

    Example:
        >>> import paddle_compat as paddle
        >>> round(paddle.gammaln(paddle.to_tensor([4.0])).item(), 4)
        1.7918

    Follows Paddle 3.3.
    """
    check(x, "x", "gammaln", FLOATS)
    return tensor.lgamma(x, name)


@paddle3(input="x", other="y", out=True)
def gammaincc(x: Any, y: Any, name: str | None = None) -> Any:
    """The upper incomplete gamma function over the whole one.

    Args:
        x: the exponents, floats of at least 0, through which no gradient passes.
        y: where the integral begins, of the same type; the shapes broadcast.
        name: prefix of the output's name.
    Returns:
        A tensor of the common shape.
    Raises:
        ValueError: a number is negative.

    Example:
        >>> import paddle_compat as paddle
        >>> round(paddle.gammaincc(paddle.to_tensor([2.0]), paddle.to_tensor([1.0])).item(), 4)
        0.7358

    Follows Paddle 3.3.
    """
    for each, label in ((x, "x"), (y, "y")):
        check(each, label, "gammaincc", ("float32", "float64"))
        if not static(x, y) and bool((each._t < 0).any()):
            raise invalid_argument(label, "numbers of at least 0", each.tolist(), "gammaincc")
    return elementwise.gammaincc(x, y, _helper=named("gammaincc", name))


@paddle3(input="x", other="y", out=True)
def gammainc(x: Any, y: Any, name: str | None = None) -> Any:
    """The lower incomplete gamma function over the whole one.

    Args:
        x: the exponents, floats of at least 0, through which no gradient passes.
        y: where the integral ends, of the same type; the shapes broadcast.
        name: has no effect.
    Returns:
        A tensor of the common shape.
    Raises:
        ValueError: a number is negative.

    Example:
        >>> import paddle_compat as paddle
        >>> round(paddle.gammainc(paddle.to_tensor([2.0]), paddle.to_tensor([1.0])).item(), 4)
        0.2642

    Follows Paddle 3.3.
    """
    return 1.0 - gammaincc(x, y)


@paddle3(input="x", vec2="y", out=True)
def ger(x: Any, y: Any, name: str | None = None) -> Any:
    """The products of each element of one vector with each of another.

    Args:
        x, y: vectors.
        name: has no effect.
    Returns:
        A matrix.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.ger(paddle.to_tensor([1, 2]), paddle.to_tensor([3, 4])).tolist()
        [[3, 4], [6, 8]]

    Follows Paddle 3.3.
    """
    return tensor.outer(x, y)


def histogram_bin_edges(input: Any, bins: int = 100, min: float = 0.0, max: float = 0.0, name: str | None = None) -> Any:
    """The edges of the bins of a histogram.

    Args:
        input: a tensor.
        bins: how many.
        min, max: the range; both 0: that of the elements.
        name: has no effect.
    Returns:
        bins + 1 floats.
    Raises:
        ValueError: min is greater than max.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.histogram_bin_edges(paddle.to_tensor([1.0, 3.0]), bins=2).tolist()
        [1.0, 2.0, 3.0]

    Follows Paddle 3.3.
    """
    if min > max:
        raise invalid_argument("min", f"at most max, {max}", min, "histogram_bin_edges")
    first, last = min, max
    if first == last == 0:
        first, last = (tensor.reshape(each, [1]) for each in (tensor.min(input).astype("float32"), tensor.max(input).astype("float32")))
        half = 0.5 * tensor.equal(first, last).astype("float32")
        first, last = first - half, last + half
    elif first == last:
        first, last = first - 0.5, last + 0.5
    return tensor.linspace(first, last, bins + 1, "float32")


def histogramdd(
    x: Any, bins: Any = 10, ranges: Any = None, density: bool = False, weights: Any = None, name: str | None = None
) -> tuple[Any, list[Any]]:
    """How many points fall into each box of a grid.

    Args:
        x: [..., D], the points' coordinates.
        bins: how many parts each dimension has: an int, or D of them; or a tuple of D vectors, the parts' edges.
        ranges: first and last edge of each dimension, 2 D numbers; None: those of the points.
        density: whether the volume of all boxes is 1.
        weights: what each point counts, of x's shape without the last dimension.
        name: has no effect.
    Returns:
        The counts, [bins of each dimension], and a list of the edges, in x's data type.
    Raises:
        AssertionError: a shape or a length does not fit.
        ValueError: bins are of another kind.

    Example:
        >>> import paddle_compat as paddle
        >>> counts, edges = paddle.histogramdd(paddle.to_tensor([[0.0, 1.0], [2.0, 3.0]]), bins=[2, 1])
        >>> counts.tolist(), edges[0].tolist()
        ([[1.0], [1.0]], [0.0, 1.0, 2.0])

    Follows Paddle 3.3.
    """
    api = "histogramdd"
    if len(x.shape) < 2:
        raise failed_assertion("x", "2 dimensions or more", list(x.shape), api)
    points = tensor.reshape(x.detach(), [-1, x.shape[-1]])
    columns = tensor.unbind(points, axis=1)
    if ranges is not None and len(ranges) != 2 * len(columns):
        raise failed_assertion("ranges", f"{2 * len(columns)} numbers", len(ranges), api)
    if weights is not None and list(weights.shape) != list(x.shape[:-1]):
        raise failed_assertion("weights", f"the shape {list(x.shape[:-1])}", list(weights.shape), api)
    parts = [bins] * len(columns) if isinstance(bins, int) else bins
    if not isinstance(parts, (list, tuple)) or not all(isinstance(part, int) for part in parts) and isinstance(parts, list):
        raise invalid_argument("bins", "an int, a list of ints or a tuple of Tensors", repr(bins), api)
    if len(parts) != len(columns):
        raise failed_assertion("bins", f"{len(columns)}, one for each dimension", len(parts), api)
    edges = []
    for i, part in enumerate(parts):
        if isinstance(part, int):
            ends = (columns[i].min(), columns[i].max()) if ranges is None else ranges[2 * i : 2 * i + 2]
            ends = ends if static(x) else [float(end) for end in ends]
            part = tensor.linspace(*ends, part + 1, "float32" if x.dtype == VarType.FP32 else "float64")
        edges.append(part.astype(x.dtype))
    sizes = [part if isinstance(part, int) else part.shape[0] - 1 for part in parts]
    box, inside = tensor.zeros_like(columns[0], "int64"), tensor.ones_like(columns[0], "bool")
    for column, borders, count in zip(columns, edges, sizes):
        place = tensor.searchsorted(borders, column, right=True) - 1
        place = tensor.where(column == borders[-1], tensor.full_like(place, count - 1), place)
        inside = tensor.logical_and(inside, tensor.logical_and(place >= 0, place < count))
        box = box * count + place
    counted = tensor.ones_like(columns[0]) if weights is None else tensor.reshape(weights, [-1])
    sums = tensor.bincount(tensor.masked_select(box, inside), tensor.masked_select(counted, inside), math.prod(sizes))
    counts = tensor.reshape(sums[: math.prod(sizes)].astype(x.dtype), sizes)
    if density:
        counts = counts / counts.sum()
        for i, borders in enumerate(edges):
            counts = counts / tensor.reshape(borders[1:] - borders[:-1], [1] * i + [-1] + [1] * (len(edges) - i - 1))
    return counts, edges


def baddbmm(input: Any, x: Any, y: Any, beta: float = 1.0, alpha: float = 1.0, name: str | None = None) -> Any:
    """beta * input + alpha * (x @ y), matrix by matrix.

    Args:
        input: [B, N, M], or a shape that broadcasts to it.
        x: [B, N, K].
        y: [B, K, M].
        beta, alpha: numbers.
        name: has no effect.
    Returns:
        [B, N, M].
    Raises:
        ValueError: the shapes do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> one = paddle.ones([1, 1, 1])
        >>> paddle.baddbmm(one, one, one, beta=2.0).tolist()
        [[[3.0]]]

    Follows Paddle 3.3.
    """
    for each, label in ((input, "input"), (x, "x"), (y, "y")):
        if len(each.shape) != 3:
            raise invalid_argument(label, "three dimensions", list(each.shape), "baddbmm")
    made = [x.shape[0], x.shape[1], y.shape[2]]
    if any(-1 != own not in (size, 1) and size != -1 for own, size in zip(input.shape, made)):
        raise invalid_argument("input", f"a shape that broadcasts to {made}", list(input.shape), "baddbmm")
    return beta * input + alpha * tensor.bmm(x, y)


def vecdot(x: Any, y: Any, axis: int = -1, name: str | None = None) -> Any:
    """The products of vectors along a dimension; of complex numbers the first are conjugated.

    Args:
        x, y: tensors; their shapes broadcast.
        axis: the dimension.
        name: has no effect.
    Returns:
        A tensor without that dimension.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vecdot(paddle.to_tensor([[1, 2]]), paddle.to_tensor([[3, 4]])).tolist()
        [11]

    Follows Paddle 3.3.
    """
    check(x, "x", "vecdot", BITS[1:] + FLOATS + COMPLEX)
    first = tensor.conj(x) if x.dtype in (VarType.COMPLEX64, VarType.COMPLEX128) else x
    return tensor.sum(first * y, axis)


def pdist(x: Any, p: float = 2.0, name: str | None = None) -> Any:
    """The distances of every two rows.

    Args:
        x: a matrix of floats.
        p: which norm of the difference.
        name: has no effect.
    Returns:
        A vector of N * (N - 1) / 2 distances.
    Raises:
        AssertionError: x is no matrix.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.pdist(paddle.to_tensor([[0.0, 0.0], [3.0, 4.0]])).tolist()
        [5.0]

    Follows Paddle 3.3.
    """
    if len(x.shape) != 2 or x.shape[0] < 0:
        raise failed_assertion("x", "a matrix of so many rows", list(x.shape), "pdist")
    first, second = tensor.unbind(tensor.triu_indices(x.shape[0], x.shape[0], 1))
    return tensor.p_norm(tensor.gather(x, first) - tensor.gather(x, second), p, 1)


@paddle3(made=True)
def range(start: Any = 0, end: Any = None, step: Any = 1, dtype: Any = None, name: str | None = None) -> Any:
    """Numbers at equal distances, the end among them.

    Args:
        start: the first; where there is no end: the end, and the first is 0.
        end: the last that there may be.
        step: the distance.
        dtype: the data type; None: float32.
        name: has no effect.
    Returns:
        A vector.
    Raises:
        ValueError: step is 0.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.range(1, 2, 0.5).tolist()
        [1.0, 1.5, 2.0]

    Follows Paddle 3.3.
    """
    bounds: list[Any] = [0, start, step] if end is None else [start, end, step]
    first, last, step = (each.item() if is_tensor(each) else each for each in bounds)
    if step == 0:
        raise invalid_argument("step", "another number than 0", step, "range")
    return tensor.arange(first, math.floor((last - first) / step) * step + first + step / 2, step, dtype or "float32")


def standard_gamma(x: Any, name: str | None = None) -> Any:
    """Numbers of the gamma distributions whose shapes a tensor holds, of rate 1.

    Args:
        x: a tensor of floats.
        name: prefix of the output's name.
    Returns:
        A tensor like x, through which no gradient passes.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.standard_gamma(paddle.ones([2, 3])).shape
        [2, 3]

    Follows Paddle 3.3.
    """
    check(x, "x", "standard_gamma", ("float32", "float64"))
    return drawing.standard_gamma(x, _helper=named("standard_gamma", name))


def binomial(count: Any, prob: Any, name: str | None = None) -> Any:
    """How many of so many trials succeed.

    Args:
        count: how many trials, whole numbers.
        prob: how probable success is, floats; the shapes broadcast.
        name: prefix of the output's name.
    Returns:
        An int64 tensor of the common shape.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.binomial(paddle.to_tensor([10]), paddle.to_tensor([1.0])).tolist()
        [10]

    Follows Paddle 3.3.
    """
    check(prob, "prob", "binomial", ("float32", "float64"))
    pair = tensor.broadcast_tensors([count.astype(prob.dtype), prob])
    return drawing.binomial(*pair, _helper=named("binomial", name))


def log_normal(mean: Any = 1.0, std: Any = 2.0, shape: Any = None, name: str | None = None) -> Any:
    """Numbers whose logarithms are normal.

    Args:
        mean, std: of the logarithms, numbers or tensors.
        shape: of the result, where both are numbers.
        name: has no effect.
    Returns:
        A tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.log_normal(0.0, 0.0, [2]).tolist()
        [1.0, 1.0]

    Follows Paddle 3.3.
    """
    return tensor.exp(tensor.normal(mean, std, shape))


def log_normal_(x: Any, mean: float = 1.0, std: float = 2.0, name: str | None = None) -> Any:
    """Fill a Tensor with numbers whose logarithms are normal.

    Args:
        x: the Tensor.
        mean, std: of the logarithms.
        name: has no effect.
    Returns:
        x.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.log_normal_(paddle.zeros([2]), 0.0, 0.0).tolist()
        [1.0, 1.0]

    Follows Paddle 3.3.
    """
    return tensor.exp_(tensor.normal_(x, mean, std))


bitwise_left_shift_, bitwise_right_shift_ = in_place(bitwise_left_shift), in_place(bitwise_right_shift)
copysign_, sinc_, gammaln_, gammaincc_, gammainc_ = map(in_place, (copysign, sinc, gammaln, gammaincc, gammainc))
baddbmm_ = in_place(baddbmm)

__all__ = [
    "baddbmm", "baddbmm_", "binomial", "bitwise_left_shift", "bitwise_left_shift_", "bitwise_right_shift", "bitwise_right_shift_",
    "copysign", "copysign_", "gammainc", "gammainc_", "gammaincc", "gammaincc_", "gammaln", "gammaln_", "ger", "histogram_bin_edges",
    "histogramdd", "isreal", "log_normal", "log_normal_", "pdist", "range", "signbit", "sinc", "sinc_", "standard_gamma", "vecdot",
]  # fmt: skip
