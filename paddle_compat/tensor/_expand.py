"""Tensors repeated along dimensions."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.direct import direct
from paddle_compat.core.dtype import dtype_name
from paddle_compat.core.errors import WrongInputError, failed_assertion, type_error
from paddle_compat.core.paddle3 import SINCE_3, paddle3
from paddle_compat.ops import manipulation
from paddle_compat.tensor._calls import (
    ALL,
    BOOL,
    NUMBERS,
    agree,
    check,
    check_all,
    is_tensor,
    named,
    need,
    static,
)
from paddle_compat.tensor._shapes import as_list, listed_numbers, numbers, shape_inputs

_LEAST = 0 if SINCE_3 else 1  # the least size that Programs are told

_COMMON = BOOL + NUMBERS


def _repeats(values: Any, label: str, api: str, unknown: int) -> tuple[Any, list[Any] | None, list[int]]:
    listed = values if isinstance(values, (list, tuple)) else [values] if api == "expand" else []
    for value in listed:
        # Paddle asks each tensor whether it has one element, and throws the answer away in static mode
        if is_tensor(value) and static(value):
            from paddle_compat.tensor.stat import numel

            numel(value) == 1  # noqa: B015
    return shape_inputs(values, label, api, unknown)


@direct("x", "x_.expand(shape).clone(memory_format=torch.contiguous_format)", "type(shape) is list")
@paddle3(input="x", size="shape", sizes="shape")
def expand(x: Any, shape: Any, name: str | None = None) -> Any:
    """x broadcast to a shape.

    Args:
        x: a tensor.
        shape: ints and tensors, or a tensor; -1 keeps x's size.
        name: prefix of the output's name.
    Returns:
        A tensor.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.expand(paddle.to_tensor([1, 2]), [2, 2]).tolist()
        [[1, 2], [1, 2]]

    Follows Paddle 2.6.
    """
    if not static(x):
        return manipulation.expand_v2(x, shape=numbers(shape))
    if isinstance(shape, (list, tuple)) and not all(is_tensor(n) or hasattr(n, "__index__") for n in shape):
        raise failed_assertion("shape", "ints and tensors", shape, "expand")
    return _expanded(x, shape, _repeats(shape, "shape", "expand", -2), "expand", name)


def _refuse_flags(x: Any, api: str) -> None:
    """Refuse to record what repeats flags that a gradient would have to pass, as Paddle 2 does."""
    if static(x) and dtype_name(x.dtype) == "bool" and not x.stop_gradient and not SINCE_3:
        raise ValueError(f"Invalid value for argument `x` of `{api}`. Expected stop_gradient, as flags have none. Received: {x.name}")


def _expanded(x: Any, shape: Any, inputs: tuple[Any, list[Any] | None, list[int]], api: str, name: str | None) -> Any:
    whole, listed, written = inputs
    if whole is None and any(not is_tensor(n) and n < _LEAST and n != -1 for n in shape):
        raise failed_assertion("shape", "sizes above 0, or -1", shape, api)
    check(x, "x", api, _COMMON, ALL)
    _refuse_flags(x, api)
    return manipulation.expand_v2(x, whole, listed, shape=written, _helper=named("expand", name))


@direct("x", "x_.expand(shape).clone(memory_format=torch.contiguous_format)", "type(shape) is list")
@paddle3(input="x", size="shape", sizes="shape")
def broadcast_to(x: Any, shape: Any, name: str | None = None) -> Any:
    """x broadcast to a shape.

    Args:
        x: a tensor.
        shape: ints and tensors, or a tensor; -1 keeps x's size.
        name: prefix of the output's name.
    Returns:
        A tensor.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.broadcast_to(paddle.to_tensor([1, 2]), [2, 2]).tolist()
        [[1, 2], [1, 2]]

    Follows Paddle 2.6.
    """
    if not static(x):
        return expand(x, shape, name)
    return _expanded(x, shape, shape_inputs(shape, "shape", "broadcast_to"), "broadcast_to", name)


@direct("x y", "x_.expand(y_.shape).clone(memory_format=torch.contiguous_format)", "x_.dtype in PLAIN")
@paddle3(input="x", other="y", out=True)
def expand_as(x: Any, y: Any, name: str | None = None) -> Any:
    """x broadcast to the shape of y.

    Args:
        x, y: tensors.
        name: prefix of the output's name.
    Returns:
        A tensor.
    Raises:
        TypeError: an argument is no tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.expand_as(paddle.to_tensor([1, 2]), paddle.ones([2, 2])).tolist()
        [[1, 2], [1, 2]]

    Follows Paddle 2.6.
    """
    check(x, "x", "expand_as", _COMMON)
    check(y, "y", "expand_as")
    _refuse_flags(x, "expand_as")
    return manipulation.expand_as_v2(x, y, target_shape=list(y.shape), _helper=named("expand_as", name))


def broadcast_tensors(input: Any, name: str | None = None) -> list[Any]:
    """Tensors broadcast to their common shape.

    Args:
        input: a list of tensors of one type.
        name: prefix of the outputs' names.
    Returns:
        As many tensors.
    Raises:
        TypeError: the types differ, or there is no tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> [v.shape for v in paddle.broadcast_tensors([paddle.ones([2, 1]), paddle.ones([3])])]
        [[2, 3], [2, 3]]

    Follows Paddle 2.6.
    """
    check_all(input, "input", "broadcast_tensors", _COMMON if static() and not SINCE_3 else ALL)
    if not input:
        raise type_error("input", "a tensor at least", input, "broadcast_tensors")
    for value in input:
        if not agree(value, input[0]):
            problem = f"Invalid type for argument `input` of `broadcast_tensors`. Expected {input[0].dtype}. Received: {value.dtype}"
            raise WrongInputError(problem)
    return list(manipulation.broadcast_tensors(list(input), _helper=named("broadcast_tensors", name)))


@direct("x", "tile_kernel(x_, repeat_times=repeat_times)", "type(repeat_times) is list", tile_kernel=manipulation.tile.fn)
@paddle3(input="x", dims="repeat_times")
def tile(x: Any, repeat_times: Any, name: str | None = None) -> Any:
    """x repeated along each dimension.

    Args:
        x: a tensor.
        repeat_times: ints and tensors, or a tensor.
        name: prefix of the output's name.
    Returns:
        A tensor.
    Raises:
        TypeError: an argument is nothing of the kind.
        AssertionError: repeat_times is a tensor that is no vector.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.tile(paddle.to_tensor([1, 2]), [2]).tolist()
        [1, 2, 1, 2]

    Follows Paddle 2.6.
    """
    if is_tensor(repeat_times) and len(repeat_times.shape) != 1:
        raise failed_assertion("repeat_times", "a tensor of one dimension", list(repeat_times.shape), "tile")
    if not static(x):
        times = listed_numbers(as_list(repeat_times) if isinstance(repeat_times, int) else repeat_times)
        return manipulation.tile(x, repeat_times=times)
    if not is_tensor(repeat_times):
        need(repeat_times, "repeat_times", "tile", list, tuple)
    whole, listed, written = _repeats(repeat_times, "repeat_times", "tile", -1)
    check(x, "x", "tile", _COMMON, ALL)
    _refuse_flags(x, "tile")
    if whole is None and any(not is_tensor(n) and n < _LEAST for n in repeat_times):
        raise failed_assertion("repeat_times", "numbers above 0", repeat_times, "tile")
    if whole is not None:
        written = [-1]
    return manipulation.tile(x, whole, listed, repeat_times=written, _helper=named("tile", name))


__all__ = [
    "broadcast_tensors", "broadcast_to", "expand", "expand_as", "tile",
]  # fmt: skip
