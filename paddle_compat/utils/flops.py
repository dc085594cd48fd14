"""`paddle.utils.flops`: how many operations an operator takes, by the shapes of its inputs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from copy import copy  # noqa: F401 - a name of Paddle's file
from typing import Any

import numpy as np

from paddle_compat._missing import missing

__all__ = ["flops", "prod", "register_flops"]
__getattr__ = missing(__name__)

Shapes = dict[str, list[Any]]
Count = Callable[[Shapes, dict[str, Any]], int]

_COUNTS: dict[str, Count] = {}


def flops(op_type: str, input_shapes: dict[str, list[Any]], attrs: dict[str, Any]) -> int:
    """How many floating-point operations an operator takes.

    Args:
        op_type (str): the operator's type.
        input_shapes (dict[str, list[list[int]]]): the shapes of its inputs, by the names of their slots.
        attrs (dict[str, Any]): its attributes.
    Returns:
        int: 0 where the operator has no count, or none for these shapes and attributes.

    Example:
        >>> from paddle_compat.utils.flops import flops
        >>> flops("matmul_v2", {"X": [[2, 3, 4]], "Y": [[4, 5]]}, {"trans_x": False, "trans_y": False})
        240

    Follows Paddle 2.6.
    """
    count = _COUNTS.get(op_type)
    try:
        return count(input_shapes, attrs) if count is not None else 0
    except Exception:  # as Paddle does: profilers ask about whatever they meet
        return 0


def register_flops(op_type: str) -> Callable[[Count], Count]:
    """Give an operator a count.

    Args:
        op_type (str): the operator's type.
    Returns:
        Callable: a decorator for a function of `input_shapes` and `attrs` that gives the number.

    Example:
        >>> from paddle_compat.utils.flops import flops, register_flops
        >>> @register_flops("twice")
        ... def count(input_shapes, attrs):
        ...     return 2 * input_shapes["X"][0][0]
        >>> flops("twice", {"X": [[3]]}, {})
        6

    Follows Paddle 2.6.
    """

    def register(count: Count) -> Count:
        _COUNTS[op_type] = count
        return count

    return register


def prod(s: Sequence[int]) -> int:
    """The product of some numbers.

    Args:
        s (Sequence[int]): the numbers, a shape for example.
    Returns:
        int: 1 for none.

    Example:
        >>> from paddle_compat.utils.flops import prod
        >>> prod([2, 3])
        6

    Follows Paddle 2.6.
    """
    return math.prod(s)


def _for_each(operations: int) -> Count:
    """A count of so many operations for each number of X."""
    return lambda shapes, attrs: operations * prod(shapes["X"][0])


def _for_each_of_both(shapes: Shapes, attrs: dict[str, Any]) -> int:
    return prod(_met(shapes["X"][0], shapes["Y"][0]))


def _met(x: Sequence[int], y: Sequence[int]) -> Sequence[int]:
    """The shape of what two shapes make, where of two unequal sizes the greater counts: a count checks nothing."""
    rank = max(len(x), len(y))
    return np.maximum([1] * (rank - len(x)) + [*x], [1] * (rank - len(y)) + [*y]).tolist()


def _product(turned_x: str, turned_y: str) -> Count:
    """The count of a matrix product, whose attributes turn its inputs."""

    def count(shapes: Shapes, attrs: dict[str, Any]) -> int:
        x, y = ([*shapes[slot][0]] for slot in "XY")
        for shape, turned in ((x, turned_x), (y, turned_y)):
            if attrs.get(turned):
                shape[-1], shape[-2] = shape[-2], shape[-1]
        return 2 * prod(_met(x[:-2], y[:-2])) * x[-2] * x[-1] * y[-1]

    return count


def _convolution(shapes: Shapes, attrs: dict[str, Any]) -> int:
    (number, channels, *sizes), (filters, _, *kernels) = shapes["Input"][0], shapes["Filter"][0]
    strides, paddings, dilations = (
        [value] * 2 if isinstance(value, int) else value for value in map(attrs.__getitem__, ("strides", "paddings", "dilations"))
    )
    places = number * prod(
        [(size + 2 * paddings[n] - (dilations[n] * (kernels[n] - 1) + 1)) // strides[n] + 1 for n, size in enumerate(sizes)]
    )
    products = places * prod(kernels) * channels * (filters // attrs["groups"])
    return 2 * products + (places * filters if shapes["Bias"] else 0)


def _normalization(shapes: Shapes, attrs: dict[str, Any]) -> int:
    return prod(shapes["X"][0]) * (8 if attrs.get("epsilon") else 7)


_COUNTS.update(
    {
        **dict.fromkeys(("c_embedding", "dropout", "reshape2", "transpose2"), _for_each(0)),
        **dict.fromkeys(("elu", "leaky_relu", "pool", "prelu", "relu", "relu6", "silu"), _for_each(1)),
        **dict.fromkeys(("elementwise_add", "elementwise_div", "elementwise_mul"), _for_each_of_both),
        "softmax": _for_each(3), "gelu": _for_each(5), "layer_norm": _normalization,
        "conv2d": _convolution, "matmul": _product("transpose_X", "transpose_Y"), "matmul_v2": _product("trans_x", "trans_y"),
    }
)  # fmt: skip
