"""Convolutions over the values that are there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.dtype import dtype_name
from paddle_compat.core.errors import failed_assertion, invalid_argument
from paddle_compat.core.sparse import SparseCooTensor, coo
from paddle_compat.core.tensor import wrapped
from paddle_compat.core.variable import Variable
from paddle_compat.ops import sparse as ops
from paddle_compat.sparse._arguments import dense, of_coordinates, recorded


def spread(value: Any, name: str, count: int, api: str) -> list[int]:
    """A number for each dimension."""
    if isinstance(value, int):
        return [value] * count
    if isinstance(value, (list, tuple)) and len(value) >= count:
        return [int(n) for n in value[:count]]
    raise invalid_argument(name, f"a number, or {count} of them", value, api)


def padded(padding: Any, count: int, api: str) -> list[tuple[int, int]]:
    """How much is added in front of each dimension and behind it; words add nothing, as in the wheel."""
    if isinstance(padding, str):
        if padding.upper() not in ("SAME", "VALID"):
            raise invalid_argument("padding", "numbers, 'SAME' or 'VALID'", padding, api)
        padding = 0
    return [(n, n) for n in spread(padding, "padding", count, api)]


def points(x: Any, rank: int, data_format: str, expected: str, api: str) -> SparseCooTensor:
    """A COO Tensor whose values have one dimension, that of channels."""
    if data_format != expected:
        raise invalid_argument("data_format", expected, data_format, api)
    found = of_coordinates(x, "x", api)
    if len(found._shape) != rank + 2 or len(found._indices) != rank + 1:
        raise invalid_argument("x", f"{rank + 2} dimensions, all but the channels with coordinates", found.shape, api)
    return found


def _convolve(
    api: str, rank: int, same: bool, x: Any, weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any, groups: int,
    data_format: str, key: str | None = None,
) -> Any:  # fmt: skip
    if isinstance(x, Variable):
        padding = [before for before, _ in padded(padding, rank, api)]
        out = recorded(
            "sparse_conv3d", x, weight, paddings=padding, dilations=spread(dilation, "dilation", rank, api),
            strides=spread(stride, "stride", rank, api), groups=groups, subm=same, key=key or "",
        )  # fmt: skip
        return out if bias is None else recorded("sparse_add", out, bias)
    found = points(x, rank, data_format, "NHWC" if rank == 2 else "NDHWC", api)
    if groups != 1:
        raise failed_assertion("groups", "1", groups, api)
    filters = dense(weight, "weight", api)
    if filters.ndim != rank + 2 or filters.shape[-2] != found._shape[-1]:
        raise invalid_argument("weight", f"[{rank} sizes, {found._shape[-1]} channels, results]", filters.shape, api)
    if dtype_name(filters.dtype) != dtype_name(found.dtype):
        raise invalid_argument("weight", f"{dtype_name(found.dtype)}, as x", dtype_name(filters.dtype), api)
    rules = ops.Rules(
        found._indices, found._shape[:-1], filters.shape[:rank], spread(stride, "stride", rank, api), padded(padding, rank, api),
        spread(dilation, "dilation", rank, api), same,
    )  # fmt: skip
    shift = None if bias is None else dense(bias, "bias", api)._t
    values = ops.convolved(rules, found._values._t, filters._t, shift)
    return coo(rules.indices.to(found._indices.dtype), wrapped(values), [*rules.sizes, filters.shape[-1]])


_KEY = "\n        key (str): has no effect: in Paddle it names what is worked out once."


def _document(name: str, rank: int, same: bool, version: str) -> str:
    sizes = ", ".join("DHW"[-rank:])
    where = "at the places of x alone" if same else "wherever a window meets one of them"
    example = "paddle.sparse.sparse_coo_tensor([[0], " + ", ".join(["[1]"] * rank) + "], [[2.0]], [1, " + "3, " * rank + "1])"
    ones = "[" + "3, " * rank + "1, 1]"
    return f"""A convolution of the values that are there, with results {where}.

    Args:
        x (Tensor): sparse, [N, {sizes}, C], all but the last dimension with coordinates.
        weight (Tensor): [{", ".join("k" + n for n in "DHW"[-rank:])}, C, M].
        bias (Tensor): [M]; None: none.
        stride (int|list|tuple): from window to window{"; has no effect" if same else ""}.
        padding (int|list|tuple|str): how much is added around each dimension{"; has no effect, windows are centred" if same else ""}.
        dilation (int|list|tuple): from cell to cell of a window.
        groups (int): 1.
        data_format (str): "{"NHWC" if rank == 2 else "NDHWC"}".{_KEY if same else ""}
        name (str): has no effect.
    Returns:
        Tensor: sparse, [N, {sizes}, M].
    Raises:
        NotImplementedError: x is not sparse, or not of the layout COO.
        ValueError: the shapes or the data format do not fit.
        AssertionError: groups is another number.

    Example:
        >>> import paddle_compat as paddle
        >>> x = {example}
        >>> out = paddle.sparse.nn.functional.{name}(x, paddle.ones({ones}))
        >>> out.shape, out.values().tolist()
        ({"[1, " + "3, " * rank + "1]" if same else "[1, " + "1, " * rank + "1]"}, [[2.0]])

    Follows Paddle {version}.
    """


def _plain(name: str, rank: int) -> Callable[..., Any]:
    layout = "NHWC" if rank == 2 else "NDHWC"

    def conv(
        x: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1,
        data_format: str = layout, name: str | None = None,
    ) -> Any:  # fmt: skip
        return _convolve(api, rank, False, x, weight, bias, stride, padding, dilation, groups, data_format)

    api = name
    conv.__name__ = conv.__qualname__ = name
    conv.__doc__ = _document(name, rank, False, "2.6")
    return conv


def _submanifold(name: str, rank: int, version: str) -> Callable[..., Any]:
    layout = "NHWC" if rank == 2 else "NDHWC"

    def conv(
        x: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1,
        data_format: str = layout, key: str | None = None, name: str | None = None,
    ) -> Any:  # fmt: skip
        return _convolve(api, rank, True, x, weight, bias, stride, padding, dilation, groups, data_format, key)

    api = name
    conv.__name__ = conv.__qualname__ = name
    conv.__doc__ = _document(name, rank, True, version)
    return conv


conv2d, conv3d = _plain("conv2d", 2), _plain("conv3d", 3)
subm_conv2d, subm_conv3d = _submanifold("subm_conv2d", 2, "2.6"), _submanifold("subm_conv3d", 3, "2.6")
subm_conv2d_igemm, subm_conv3d_igemm = _submanifold("subm_conv2d_igemm", 2, "3.3"), _submanifold("subm_conv3d_igemm", 3, "3.3")

__all__ = ["conv2d", "conv3d", "subm_conv2d", "subm_conv2d_igemm", "subm_conv3d", "subm_conv3d_igemm"]

__getattr__ = missing(__name__)
