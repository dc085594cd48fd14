"""`fluid.layers.nn`: numbers by chance.

As in Paddle 1.8 a seed of 0 means any numbers, whatever `Program.random_seed` is.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat.core import unique_name
from paddle_compat.core.dtype import DTypeLike, VarType, convert_dtype, dtype_name
from paddle_compat.core.errors import failed_assertion, type_error
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.layer_helper import LayerHelper
from paddle_compat.fluid.layers._filling import fill_constant
from paddle_compat.fluid.layers._record import check_dtype, declared, dtype_number, is_variable, layer, run, temporaries
from paddle_compat.fluid.layers._reshape import dimension
from paddle_compat.fluid.layers._shapes import tensors_in


def _require(dtype: DTypeLike, accepted: tuple[VarType, ...], api: str) -> int:
    if convert_dtype(dtype) not in accepted:
        expected = " or ".join(map(dtype_name, accepted))
        raise TypeError(f"Invalid value for argument `dtype` of `{api}`. Expected {expected}. Received: {dtype!r}")
    return dtype_number(dtype)


_REAL = (VarType.FP32, VarType.FP64)
_WHOLE = (VarType.INT32, VarType.INT64)


def _like(type_: str, input: Variable, shape: Any, dims: tuple[int, int], seed: int, dtype: int, **attrs: float) -> Variable:
    floats: dict[str, Any] = {name: float(value) for name, value in attrs.items()}
    return run(
        type_, input, shape=list(shape), input_dim_idx=dims[0], output_dim_idx=dims[1], seed=seed, dtype=dtype,
        **floats,
    )  # fmt: skip


def _check_sizes(shape: Any, api: str) -> None:
    """Refuse what is no shape."""
    if api == "gaussian_random":
        for size in (shape,) if is_variable(shape) else filter(is_variable, shape if isinstance(shape, (list, tuple)) else ()):
            check_dtype(size, "shape", (VarType.INT32, VarType.INT64), api)
    if is_variable(shape):
        return
    if not isinstance(shape, (list, tuple)):
        raise type_error("shape", "a list, a tuple or a Variable", shape, api)
    if not shape:
        raise failed_assertion("shape", "a list that is not empty", shape, api)
    if api == "uniform_random" and any(not is_variable(size) and size <= 0 for size in shape):
        raise failed_assertion("shape", "sizes above 0", shape, api)


def uniform_random(
    shape: Any, dtype: DTypeLike = "float32", min: float = -1.0, max: float = 1.0, seed: int = 0, name: str | None = None
) -> Variable:
    """Numbers of equal chances between two bounds.

    Args:
        shape: a list of ints and Variables, or an integer Variable.
        dtype: float32 or float64; the numbers are float32 anyway, as in Paddle 1.8.
        min, max: the bounds.
        seed: 0: any.
        name: the layer's name.
    Returns:
        Variable.
    Raises:
        TypeError: `shape` is no list and no Variable.
        AssertionError: `shape` is empty, or, for uniform numbers, has sizes below 1.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.uniform_random([3, 4]).shape
        (3, 4)

    Follows Paddle 1.8.
    """
    _require(dtype, _REAL, "uniform_random")
    _check_sizes(shape, "uniform_random")
    helper = LayerHelper("uniform_random", name=name)
    tensor, tensors, sizes = tensors_in(shape, dimension(helper, "int64"))
    attrs: dict[str, Any] = {} if sizes is None else {"shape": sizes}
    return run("uniform_random", tensor, tensors, helper=helper, min=float(min), max=float(max), seed=seed, **attrs)


def gaussian_random(
    shape: Any, mean: float = 0.0, std: float = 1.0, seed: int = 0, dtype: DTypeLike = "float32", name: str | None = None
) -> Variable:
    """Numbers of a normal distribution.

    Args:
        shape: a list of ints, or an integer Variable.
        mean, std: mean and standard deviation.
        seed: 0: any.
        dtype: float32 or float64.
        name: the layer's name.
    Returns:
        Variable.
    Raises:
        TypeError: `shape` is no list and no integer Variable.
        AssertionError: `shape` is empty.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.gaussian_random([3, 4]).shape
        (3, 4)

    Follows Paddle 1.8.
    """
    number = dtype_number(dtype)
    _check_sizes(shape, "gaussian_random")
    helper = LayerHelper("gaussian_random", name=name)
    tensor, tensors, sizes = tensors_in(shape, lambda size: fill_constant([1], "int32", size, force_cpu=True), int32=True)
    attrs: dict[str, Any] = {} if sizes is None else {"shape": sizes}
    return run("gaussian_random", tensor, tensors, helper=helper, mean=mean, std=std, seed=seed, dtype=number, **attrs)


@layer
def uniform_random_batch_size_like(
    input: Variable,
    shape: Any,
    dtype: DTypeLike = "float32",
    input_dim_idx: int = 0,
    output_dim_idx: int = 0,
    min: float = -1.0,
    max: float = 1.0,
    seed: int = 0,
) -> Variable:
    """Numbers of equal chances between two bounds, with one dimension taken from a Variable.

    Args:
        input: the Variable.
        shape: the dimensions; the one at `output_dim_idx` does not count.
        dtype: float32 or float64.
        input_dim_idx: which dimension is taken.
        output_dim_idx: where it goes.
        min, max: the bounds.
        seed: 0: any.
    Returns:
        Variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.uniform_random_batch_size_like(fluid.data("x", [None, 3]), [1, 5]).shape
        (-1, 5)

    Follows Paddle 1.8.
    """
    number = _require(dtype, _REAL, "uniform_random_batch_size_like")
    dims = (input_dim_idx, output_dim_idx)
    return _like("uniform_random_batch_size_like", input, shape, dims, seed, number, min=min, max=max)


@layer
def gaussian_random_batch_size_like(
    input: Variable,
    shape: Any,
    input_dim_idx: int = 0,
    output_dim_idx: int = 0,
    mean: float = 0.0,
    std: float = 1.0,
    seed: int = 0,
    dtype: DTypeLike = "float32",
) -> Variable:
    """Numbers of a normal distribution, with one dimension taken from a Variable.

    Args:
        input: the Variable.
        shape: the dimensions; the one at `output_dim_idx` does not count.
        input_dim_idx: which dimension is taken.
        output_dim_idx: where it goes.
        mean, std: mean and standard deviation.
        seed: 0: any.
        dtype: float16 or float32.
    Returns:
        Variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.gaussian_random_batch_size_like(fluid.data("x", [None, 3]), [1, 5]).shape
        (-1, 5)

    Follows Paddle 1.8.
    """
    number = _require(dtype, (VarType.FP16, VarType.FP32), "gaussian_random_batch_size_like")
    dims = (input_dim_idx, output_dim_idx)
    return _like("gaussian_random_batch_size_like", input, shape, dims, seed, number, mean=mean, std=std)


def randint(
    low: int,
    high: int | None = None,
    shape: Any = None,
    out: Variable | None = None,
    dtype: DTypeLike | None = None,
    device: str | None = None,
    stop_gradient: bool = False,
    seed: int = 0,
    name: str | None = None,
) -> Variable:
    """Whole numbers of equal chances from `low` to below `high`.

    Args:
        low, high: the bounds; with only one, from 0 to below it.
        shape: a list of ints and Variables, or an integer Variable; None: [1].
        out: a Variable to write to.
        dtype: int32 or int64; None: int64.
        device: kept; the executor's place decides.
        stop_gradient: it stops gradients.
        seed: 0: any.
        name: the Variable's name.
    Returns:
        Variable.
    Raises:
        ValueError: low is not below high.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.randint(0, 10, shape=[3, 4]).shape
        (3, 4)

    Follows Paddle 1.8.
    """
    if high is None:
        low, high = 0, low
    number = _require(dtype or "int64", _WHOLE, "randint")
    if low >= high:
        raise ValueError(f"Invalid value for argument `low` of `randint`. Expected a number below high = {high}. Received: {low}")
    helper = LayerHelper("randint", name=name)
    if out is None and name is not None:
        out = helper.create_variable(name=name, dtype=dtype or "int64", persistable=False)
    tensor, tensors, sizes = tensors_in([1] if shape is None else shape, dimension(helper, "int64"))
    attrs: dict[str, Any] = {"low": low, "high": high, "seed": seed, "dtype": number, **({} if sizes is None else {"shape": sizes})}
    found = run("randint", tensor, tensors, helper=helper, outputs=None if out is None else {"Out": out}, **attrs)
    found.stop_gradient = stop_gradient
    return found


def randn(
    shape: Any,
    out: Variable | None = None,
    dtype: DTypeLike | None = None,
    device: str | None = None,
    stop_gradient: bool = True,
    name: str | None = None,
) -> Variable:
    """Numbers of the standard normal distribution; each recorded call has a seed of its own.

    Args:
        shape: a list of ints.
        out: a Variable to write to.
        dtype: float32 or float64; None: float32.
        device: kept; the executor's place decides.
        stop_gradient: it stops gradients.
        name: the layer's name.
    Returns:
        Variable.
    Raises:
        TypeError: the shape is neither a list nor a tuple.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.randn([3, 4]).shape
        (3, 4)

    Follows Paddle 1.8.
    """
    if not isinstance(shape, (list, tuple)):
        raise type_error("shape", "list or tuple", shape, "randn")
    number = _require(dtype or "float32", _REAL, "randn")
    helper = LayerHelper("randn", name=name)
    found = run(
        "gaussian_random", helper=helper, outputs=None if out is None else {"Out": out}, shape=list(shape), mean=0.0, std=1.0,
        seed=int(np.random.randint(0, 100)), dtype=number,
    )  # fmt: skip
    found.stop_gradient = stop_gradient
    return found


def randperm(
    n: int,
    out: Variable | None = None,
    dtype: DTypeLike = "int64",
    device: str | None = None,
    stop_gradient: bool = True,
    seed: int = 0,
) -> Variable:
    """The numbers from 0 to below n in random order.

    Args:
        n: how many.
        out: a Variable to write to.
        dtype: int32 or int64.
        device: kept; the executor's place decides.
        stop_gradient: it stops gradients.
        seed: 0: any.
    Returns:
        Variable [n].
    Raises:
        ValueError: n is below 1.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.randperm(6).shape
        (6,)

    Follows Paddle 1.8.
    """
    if n < 1:
        raise ValueError(f"Invalid value for argument `n` of `randperm`. Expected a number above 0. Received: {n}")
    number = _require(dtype, _WHOLE, "randperm")
    helper = LayerHelper("randperm")
    found = run("randperm", helper=helper, outputs=None if out is None else {"Out": out}, n=n, dtype=number, seed=seed)
    found.stop_gradient = stop_gradient
    return found


@layer
def sampling_id(x: Variable, min: float = 0.0, max: float = 1.0, seed: int = 0, dtype: DTypeLike = "float32") -> Variable:
    """A category for each row of chances.

    Args:
        x: [N, categories].
        min, max: the bounds of the number that the summed chances are compared with.
        seed: 0: any.
        dtype: what the Variable says of itself; it holds int64.
    Returns:
        Variable [N].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.sampling_id(fluid.data("x", [None, 5])).shape
        (-1,)

    Follows Paddle 1.8.
    """
    return declared(run("sampling_id", x, min=min, max=max, seed=seed), dtype)


@layer
def random_crop(x: Variable, shape: list[int], seed: Any = None) -> Variable:
    """From each instance a piece of a given shape, cut at a place of its own.

    Args:
        x: float32, float64, int16, int32 or uint8.
        shape: the piece's shape.
        seed: an int, or a Variable int64 of one element that goes on from run to run; None: any.
    Returns:
        Variable.
    Raises:
        ValueError: seed is neither.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     fluid.layers.random_crop(fluid.data("x", [None, 3, 8, 8]), shape=[3, 4, 4], seed=1).shape
        (-1, 3, 4, 4)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("random_crop")
    attrs: dict[str, Any] = {"shape": list(shape)}
    outputs = temporaries(helper, "Out")
    if seed is None:
        seed = int(np.random.randint(-65536, 65536))
    if isinstance(seed, int):
        attrs["startup_seed"] = seed
        seed = helper.create_variable(name=unique_name.generate("random_crop_seed"), dtype="int64", persistable=True)
    elif not is_variable(seed):
        raise ValueError(f"Invalid value for argument `seed` of `random_crop`. Expected an int or a Variable. Received: {seed!r}")
    return run("random_crop", x, seed, helper=helper, outputs=outputs | {"SeedOut": seed} if outputs else None, **attrs)[0]


__all__ = [
    "gaussian_random", "gaussian_random_batch_size_like", "randint", "randn", "random_crop", "randperm", "sampling_id",
    "uniform_random", "uniform_random_batch_size_like",
]  # fmt: skip
