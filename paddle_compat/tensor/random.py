"""Random tensors. From the same seed, on the CPU, the numbers are the real Paddle's."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch

from paddle_compat._missing import missing
from paddle_compat.core.direct import direct
from paddle_compat.core.dtype import VarType, convert_dtype, default, dtype_name
from paddle_compat.core.errors import invalid_argument, type_error
from paddle_compat.core.paddle3 import SINCE_3, SINCE_3_3, paddle3, placed
from paddle_compat.core.tensor import Tensor
from paddle_compat.ops import random as ops
from paddle_compat.tensor import _calls
from paddle_compat.tensor._calls import FLOATS, check, ended, float_or_variable, is_tensor, named, need, plain_at_once, static, whole_number
from paddle_compat.tensor._draws import gaussian_  # noqa: F401
from paddle_compat.tensor._in_place import check_writable, counted, overwrite_data, write
from paddle_compat.tensor._shapes import numbers, shape_inputs
from paddle_compat.tensor._tensor_meshes import laid_like

_DOUBLE = ("float32", "float64")


def _shape(shape: Any, api: str) -> tuple[Any, Any, list[int]]:
    """A shape as three inputs of an operator; in eager mode it is known."""
    if static(shape, *(shape if isinstance(shape, (list, tuple)) else ())):
        if is_tensor(shape):
            check(shape, "shape", api, ("int32", "int64"))
        return shape_inputs(shape, "shape", api, creates=True)
    listed = shape if isinstance(shape, (list, tuple)) else [shape]
    if not is_tensor(shape) and not all(hasattr(n, "__index__") or isinstance(n, (np.number, np.ndarray)) for n in listed):
        raise type_error("shape", "a list or tuple of ints, or a tensor", shape, api)
    return None, None, numbers(shape.numpy() if is_tensor(shape) else shape)  # of any type, as Paddle does


def _kind(dtype: Any, api: str, kinds: tuple[str, ...] = FLOATS) -> VarType:
    """The data type of the output."""
    target = default() if dtype is None else convert_dtype(dtype)
    if dtype_name(target) not in kinds:
        raise type_error("dtype", f"one of {', '.join(kinds)}", dtype, api)
    return target


def _part(dtype: Any) -> str | None:
    """The type of the parts of complex numbers, if a data type is of such."""
    return None if dtype is None else {"complex64": "float32", "complex128": "float64"}.get(dtype_name(dtype))


_LEAST = 0.0 if SINCE_3_3 else -1.0  # what uniform numbers begin at by default
_KIND = "(kind := KINDS[default() if dtype is None else dtype])"
_LISTED = f"type(shape) is list and {_KIND} in FLOATS"


@direct(
    "", "uniform_kernel(shape=shape, dtype=kind, min=float(min), max=float(max), seed=seed)",
    f"type(min) in NUMBERS and type(max) in NUMBERS and {_LISTED}", default=default, uniform_kernel=ops.uniform_random.fn,
)  # fmt: skip
@paddle3(made=True)
def uniform(shape: Any, dtype: Any = None, min: float = _LEAST, max: float = 1.0, seed: int = 0, name: str | None = None) -> Any:
    """Numbers that are equally likely in [min, max).

    Args:
        shape: a list of ints and tensors, or a tensor.
        dtype: a floating type; None: the default one.
        min, max: the range; in scripts for Paddle 3.3 from 0 by default.
        seed: the seed; 0: that of `paddle.seed`.
        name: prefix of the output's name.
    Returns:
        A tensor.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.uniform([2, 3]).shape
        [2, 3]

    Follows Paddle 2.6.
    """
    target = _kind(dtype, "uniform/rand")
    whole, parts, written = _shape(shape, "uniform/rand")
    for argument, value in (("min", min), ("max", max)):
        if isinstance(value, (str, list, tuple, dict)) or value is None:
            raise type_error(argument, "a number or a tensor", value, "uniform/rand")
    attrs: dict[str, Any] = {"shape": written, "seed": plain_at_once(seed), "dtype": int(target)}
    attrs |= {"min": float_or_variable(min), "max": float_or_variable(max)}
    out = ops.uniform_random(whole, parts, _helper=named("uniform", name), **attrs)
    out.stop_gradient = True
    return out


@direct("", "uniform_kernel(shape=shape, dtype=kind, min=0.0, max=1.0)", _LISTED, default=default, uniform_kernel=ops.uniform_random.fn)
@paddle3(size="shape", sizes="shape", made=True)
def rand(shape: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Numbers that are equally likely in [0, 1).

    Args:
        shape: a list of ints and tensors, or a tensor.
        dtype: a floating type; None: the default one.
        name: prefix of the output's name.
    Returns:
        A tensor.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.rand([2, 3]).shape
        [2, 3]

    Follows Paddle 2.6.
    """
    if (part := _part(dtype)) and not static():
        real, imaginary = uniform([2, *numbers(shape)], part, 0.0, 1.0)
        return real + 1j * imaginary
    return uniform(shape, dtype, 0.0, 1.0, name=name)


@direct(
    "", "normal_kernel(shape=shape, dtype=kind, mean=float(mean), std=float(std), seed=seed)",
    f"type(mean) in NUMBERS and type(std) in NUMBERS and {_LISTED}", default=default, normal_kernel=ops.gaussian_random.fn,
)  # fmt: skip
def gaussian(shape: Any, mean: float = 0.0, std: float = 1.0, seed: int = 0, dtype: Any = None, name: str | None = None) -> Any:
    """Normal numbers.

    Args:
        shape: a list of ints and tensors, or a tensor.
        mean, std: of the distribution.
        seed: the seed; 0: that of `paddle.seed`.
        dtype: a floating type; None: the default one.
        name: prefix of the output's name.
    Returns:
        A tensor.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> from paddle_compat.tensor.random import gaussian
        >>> gaussian([2, 3]).shape
        [2, 3]

    Follows Paddle 2.6.
    """
    api = "gaussian/standard_normal/randn/normal"
    kind = "complex64" if dtype is None and isinstance(mean, complex) else dtype
    if (part := _part(kind)) and not static():
        from paddle_compat.tensor.manipulation import as_complex

        spread = gaussian([*numbers(shape), 2], 0.0, std / 2**0.5, seed, part)  # the variance of both parts together
        return as_complex(spread) + mean if mean else as_complex(spread)
    target = _kind(kind, api)
    whole, parts, written = _shape(shape, api)
    attrs: dict[str, Any] = {"shape": written, "mean": float(mean), "std": float(std), "seed": seed, "dtype": int(target)}
    out = ops.gaussian_random(whole, parts, _helper=named("gaussian", name), **attrs)
    out.stop_gradient = True
    return out


@direct("", "gaussian_kernel(shape=shape, dtype=kind)", _LISTED, default=default, gaussian_kernel=ops.gaussian_random.fn)
@paddle3(made=True)
def standard_normal(shape: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Normal numbers of mean 0 and standard deviation 1.

    Args:
        shape: a list of ints and tensors, or a tensor.
        dtype: a floating type; None: the default one.
        name: prefix of the output's name.
    Returns:
        A tensor.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.standard_normal([2, 3]).shape
        [2, 3]

    Follows Paddle 2.6.
    """
    return gaussian(shape, 0.0, 1.0, dtype=dtype, name=name)


@direct("", "gaussian_kernel(shape=shape, dtype=kind)", _LISTED, default=default, gaussian_kernel=ops.gaussian_random.fn)
@paddle3(size="shape", sizes="shape", made=True)
def randn(shape: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Normal numbers of mean 0 and standard deviation 1.

    Args:
        shape: a list of ints and tensors, or a tensor.
        dtype: a floating type; None: the default one.
        name: prefix of the output's name.
    Returns:
        A tensor.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.randn([2, 3]).shape
        [2, 3]

    Follows Paddle 2.6.
    """
    return standard_normal(shape, dtype, name)


@direct(
    "", "gaussian_kernel(shape=shape, dtype=KINDS[default()], mean=float(mean), std=float(std))",
    "type(mean) in NUMBERS and type(std) in NUMBERS and type(shape) is list and KINDS[default()] in FLOATS",
    default=default, gaussian_kernel=ops.gaussian_random.fn,
)  # fmt: skip
@paddle3(size="shape", out=True)
def normal(mean: Any = 0.0, std: Any = 1.0, shape: Any = None, name: str | None = None) -> Any:
    """Normal numbers.

    Args:
        mean, std: numbers, or tensors (whose shape the output then has).
        shape: a list of ints and tensors, or a tensor, where both are numbers; None: [1].
        name: prefix of the output's name.
    Returns:
        A tensor.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.normal(1.0, 2.0, [2, 3]).shape
        [2, 3]

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor.attribute import shape as shape_of
    from paddle_compat.tensor.manipulation import reshape

    mean, std = (value if is_tensor(value) else plain_at_once(value) for value in (mean, std))
    for value, label in ((mean, "mean"), (std, "std")):
        if not is_tensor(value):
            need(value, label, "normal", int, float, *((complex,) if label == "mean" and not static() else ()))
        elif static(value):
            check(value, label, "normal", _DOUBLE)
    like = mean if is_tensor(mean) else std
    if not is_tensor(like):
        return gaussian([1] if shape is None else shape, mean, std, name=name)
    sizes: Any = shape_of if static(like) else lambda x: x.shape
    if like is mean and is_tensor(std):
        std = reshape(std, sizes(mean))
    return standard_normal(sizes(like), like.dtype, name) * std + mean


@direct(
    "", "randint_kernel(shape=shape, low=0 if high is None else low, high=low if high is None else high, dtype=kind)",
    "type(shape) is list and type(low) is int and (low > 0 if high is None else type(high) is int and low < high) "
    "and (kind := torch.int64 if dtype is None else KINDS[dtype]) in WHOLE",
    randint_kernel=ops.randint.fn,
)  # fmt: skip
def randint(low: int = 0, high: int | None = None, shape: Any = [1], dtype: Any = None, name: str | None = None) -> Any:  # noqa: B006
    """Whole numbers that are equally likely in [low, high).

    Args:
        low, high: the range; with one number, from 0 up to that.
        shape: a list of ints and tensors, or a tensor.
        dtype: int32 or int64; None: int64.
        name: prefix of the output's name.
    Returns:
        A tensor.
    Raises:
        ValueError: the range is empty.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.randint(0, 5, [2, 3]).shape
        [2, 3]

    Follows Paddle 2.6.
    """
    if not static(low, high):
        low, high = whole_number(low, "low", "randint"), high if high is None else whole_number(high, "high", "randint")
    if high is None and low <= 0:
        raise ValueError(f"Invalid value for argument `low` of `randint`. Expected more than 0. Received: {low}")
    low, high = (0, low) if high is None else (low, high)
    target = _kind(VarType.INT64 if dtype is None else dtype, "randint", ("int32", "int64"))
    if low >= high:
        raise ValueError(f"Invalid value for argument `high` of `randint`. Expected more than {low}. Received: {high}")
    whole, parts, written = _shape(shape, "randint")
    attrs: dict[str, Any] = {"shape": written, "low": low, "high": high, "seed": 0, "dtype": int(target)}
    out = ops.randint(whole, parts, _helper=named("randint", name), **attrs)
    out.stop_gradient = True
    return out


def randint_like(x: Any, low: int = 0, high: int | None = None, dtype: Any = None, name: str | None = None) -> Any:
    """Whole numbers in [low, high), in the shape of x.

    Args:
        x: a tensor.
        low, high: the range; with one number, from 0 up to that.
        dtype: the output's type; None: x's.
        name: prefix of an output's name.
    Returns:
        A tensor.
    Raises:
        ValueError: the range is empty.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.randint_like(paddle.zeros([2, 3]), 5).shape
        [2, 3]

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor.attribute import shape as shape_of
    from paddle_compat.tensor.ops import cast

    if high is None:
        if low <= 0:
            raise ValueError(f"Invalid value for argument `low` of `randint_like`. Expected more than 0. Received: {low}")
        low, high = 0, low
    kinds = ("bool", "int32", "int64", "float16", "float32", "float64", *(() if static(x) else ("complex64", "complex128")))
    target = _kind(x.dtype if dtype is None else dtype, "randint_like", kinds)
    return cast(randint(low, high, shape_of(x), "int64", name), target)


@direct("", "randperm_kernel(n=n, dtype=KINDS[dtype])", "type(n) is int and n > 0", randperm_kernel=ops.randperm.fn)
@paddle3(made=True)
def randperm(n: int, dtype: Any = "int64", name: str | None = None) -> Any:
    """The numbers from 0 to n - 1 in random order.

    Args:
        n: how many.
        dtype: int32, int64, float32 or float64.
        name: prefix of the output's name.
    Returns:
        [n].
    Raises:
        ValueError: n is less than 1.

    Example:
        >>> import paddle_compat as paddle
        >>> sorted(paddle.randperm(4).tolist())
        [0, 1, 2, 3]

    Follows Paddle 2.6.
    """
    target = _kind(dtype, "randperm", ("int32", "int64", *_DOUBLE))
    n = n if static(n) else whole_number(n, "n", "randperm")
    least = 1 if static(n) and not SINCE_3 else 0
    if n < least:
        raise invalid_argument("n", f"{least} or more", n, "randperm")
    out = ops.randperm(n=n, dtype=int(target), seed=0, _helper=named("randperm", name))
    out.stop_gradient = True
    return out


@placed("p name")
@direct("x", "bernoulli_kernel(x_)", "name is None and x_.dtype in FLOATS and not x_.requires_grad", bernoulli_kernel=ops.bernoulli.fn)
def bernoulli(x: Any, name: str | None = None, *, p: float | None = None) -> Any:
    """Ones with the given probabilities, zeros else.

    Args:
        x: probabilities, floats.
        name: prefix of the output's name.
        p: one probability for all elements, in place of x's. Also as the second argument.
    Returns:
        A tensor like x.
    Raises:
        TypeError: x is no such tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.bernoulli(paddle.ones([2])).tolist()
        [1.0, 1.0]

    Follows Paddle 2.6.
    """
    check(x, "x", "bernoulli", FLOATS)
    if isinstance(name, (int, float)):  # where Paddle 3 has it
        name, p = None, name
    if p is not None:
        from paddle_compat.tensor.creation import full_like

        x = full_like(x, p)
    return ended(ops.bernoulli(x, _helper=named("randint", name)))  # Paddle names it so


@direct(
    "x", "multinomial_kernel(x_, num_samples=num_samples, replacement=replacement)",
    "type(num_samples) is int and type(replacement) is bool and x_.dtype in FLOATS and not x_.requires_grad",
    multinomial_kernel=ops.multinomial.fn,
)  # fmt: skip
@paddle3(input="x", out=True)
def multinomial(x: Any, num_samples: int = 1, replacement: bool = False, name: str | None = None) -> Any:
    """Positions drawn by weight.

    Args:
        x: weights, [N] or [B, N].
        num_samples: how many to draw from each row.
        replacement: whether a position may be drawn again.
        name: prefix of the output's name.
    Returns:
        Positions, int64, [num_samples] or [B, num_samples].
    Raises:
        TypeError: x is no such tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.multinomial(paddle.to_tensor([0.0, 1.0]), 1).tolist()
        [1]

    Follows Paddle 2.6.
    """
    check(x, "x", "multinomial", FLOATS)
    count = _calls.whole_at_once(num_samples, x)
    return ended(ops.multinomial(x, num_samples=count, replacement=replacement, _helper=named("multinomial", name)))


def poisson(x: Any, name: str | None = None) -> Any:
    """Counts of the Poisson distribution.

    Args:
        x: the expected counts, float32 or float64.
        name: prefix of the output's name.
    Returns:
        A tensor like x.
    Raises:
        TypeError: x is no such tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.poisson(paddle.zeros([2])).tolist()
        [0.0, 0.0]

    Follows Paddle 2.6.
    """
    check(x, "x", "poisson", _DOUBLE)
    return ops.poisson(x, _helper=named("poisson", name))


def _eager_only(x: Any, api: str) -> None:
    assert not static(x), f"`{api}` works in eager mode only. Expected a Tensor. Received: {x!r}"


def _overwrite(x: Any, api: str, value: Any) -> Any:
    """Give a Tensor new numbers."""
    _eager_only(x, api)
    check_writable(x, api)
    return counted(write(x, laid_like(x, value._t if isinstance(value, Tensor) else value)), api)


def uniform_(x: Any, min: float = _LEAST, max: float = 1.0, seed: int = 0, name: str | None = None) -> Any:
    """Fill a Tensor with numbers that are equally likely in [min, max).

    Args:
        x: a Tensor.
        min, max: the range; in scripts for Paddle 3.3 from 0 by default.
        seed: the seed; 0: that of `paddle.seed`.
        name: has no effect.
    Returns:
        x.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.tensor.random import uniform_
        >>> uniform_(paddle.zeros([2, 3])).shape
        [2, 3]

    Follows Paddle 2.6.
    """
    return _overwrite(x, "uniform_", uniform(x.shape, x.dtype, min, max, seed))


def bernoulli_(x: Any, p: Any = 0.5, name: str | None = None) -> Any:
    """Fill a Tensor with ones of the given probability, zeros else.

    Args:
        x: the Tensor.
        p: a probability, or a Tensor of them that fits x's shape.
        name: has no effect.
    Returns:
        x.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.bernoulli_(paddle.zeros([2]), 1.0).tolist()
        [1.0, 1.0]

    Follows Paddle 3.3.
    """
    from paddle_compat.tensor.creation import full_like
    from paddle_compat.tensor.manipulation import broadcast_tensors

    chances = broadcast_tensors([p.astype(x.dtype), x])[0] if is_tensor(p) else full_like(x, p)
    return _overwrite(x, "bernoulli_", bernoulli(chances.clip(0.0, 1.0)))  # it asks for none to lie between


def normal_(x: Any, mean: float = 0.0, std: float = 1.0, name: str | None = None) -> Any:
    """Fill a Tensor with normal numbers.

    Args:
        x: a Tensor.
        mean, std: of the distribution.
        name: has no effect.
    Returns:
        x.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.normal_(paddle.zeros([2, 3])).shape
        [2, 3]

    Follows Paddle 2.6.
    """
    return _overwrite(x, "normal_", gaussian(x.shape, mean, std, dtype=x.dtype))


@paddle3(lambd="lam")
def exponential_(x: Any, lam: float = 1.0, name: str | None = None) -> Any:
    """Fill a Tensor with numbers of the exponential distribution.

    Args:
        x: a Tensor.
        lam: the rate.
        name: has no effect.
    Returns:
        x.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.tensor.random import exponential_
        >>> exponential_(paddle.zeros([2, 3])).shape
        [2, 3]

    Follows Paddle 2.6.
    """
    rate: dict[str, Any] = {"lambda": float(lam)}  # a word of Python's
    if static(x):
        check(x, "x", "exponential", ("float32", "float64"))
        return ops.exponential(x, _outputs={"Out": x}, **rate)
    put = overwrite_data if x.is_leaf else write
    put(x, laid_like(x, ops.exponential(x, **rate)._t))
    x._changes -= 1  # Paddle does not count it as a change in place
    return x


def cauchy_(x: Any, loc: float = 0, scale: float = 1, name: str | None = None) -> Any:
    """Fill a Tensor with tangents of random angles, loc + scale tan(pi (z - 0.5)).

    The wheels draw z from the standard normal distribution, so that this is not quite Cauchy's; so do we, for their numbers.

    Args:
        x: a Tensor.
        loc: what is added.
        scale: what the tangents are multiplied by.
        name: has no effect.
    Returns:
        x.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.cauchy_(paddle.zeros([2, 3])).shape
        [2, 3]

    Follows Paddle 2.6.
    """
    _eager_only(x, "cauchy_")
    return _overwrite(x, "cauchy_", torch.tan((standard_normal(x.shape, x.dtype)._t - 0.5) * math.pi) * scale + loc)


def geometric_(x: Any, probs: Any, name: str | None = None) -> Any:
    """Fill a Tensor with the geometric distribution: log(u) / log(1 - probs) for equally likely u.

    Args:
        x: a Tensor.
        probs: the chance of success, a number or a tensor.
        name: has no effect.
    Returns:
        x.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.geometric_(paddle.zeros([2, 3]), 0.5).shape
        [2, 3]

    Follows Paddle 2.6.
    """
    _eager_only(x, "geometric_")
    chance = probs._t if isinstance(probs, Tensor) else torch.tensor(probs, dtype=x._t.dtype)
    draws = uniform(x.shape, x.dtype, float(torch.finfo(x._t.dtype).tiny), 1.0)._t
    return _overwrite(x, "geometric_", torch.log(draws) / torch.log1p(-chance))


__all__ = [
    "bernoulli", "bernoulli_", "cauchy_", "exponential_", "gaussian", "geometric_", "multinomial", "normal", "normal_", "poisson",
    "rand", "randint", "randint_like", "randn", "randperm", "standard_normal", "uniform", "uniform_",
]  # fmt: skip

__getattr__ = missing(__name__)
