"""How Tensors print."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from paddle_compat._missing import missing
from paddle_compat.core.dtype import dtype_name
from paddle_compat.core.paddle3 import SINCE_3_3
from paddle_compat.core.tensor import Tensor
from paddle_compat.tensor import _tensor_meshes
from paddle_compat.tensor._calls import need


@dataclass
class PrintOptions:
    """What `set_printoptions` sets."""

    precision: int = 8
    threshold: int = 1000
    edgeitems: int = 3
    linewidth: int = 80
    sci_mode: bool = False


OPTIONS = PrintOptions()


def set_printoptions(
    precision: int | None = None,
    threshold: int | None = None,
    edgeitems: int | None = None,
    sci_mode: bool | None = None,
    linewidth: int | None = None,
) -> None:
    """Set how Tensors print; what is None stays as it is.

    Args:
        precision: digits behind the point.
        threshold: larger tensors are shortened.
        edgeitems: how many elements a shortened dimension shows at each end.
        sci_mode: whether floats print with an exponent.
        linewidth: characters in a line.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.set_printoptions(4)
        >>> print(paddle.to_tensor([0.5]))
        Tensor(shape=[1], dtype=float32, place=Place(cpu), stop_gradient=True,
               [0.5000])
        >>> paddle.set_printoptions(8)

    Follows Paddle 2.6.
    """
    given = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    for name, value in given.items():
        if value is not None:
            need(value, name, "set_printoptions", int)
            setattr(OPTIONS, name, value)
    if sci_mode is not None:
        need(sci_mode, "sci_mode", "set_printoptions", bool)
        OPTIONS.sci_mode = sci_mode


def _number(value: Any) -> str:
    """One element."""
    if SINCE_3_3 and isinstance(value, (complex, np.complexfloating)):
        kind = "e" if OPTIONS.sci_mode else "f"
        return f"({value.real:.{OPTIONS.precision}{kind}}{value.imag:+.{OPTIONS.precision}{kind}}j)"
    if not isinstance(value, (float, np.floating)):
        return str(value.item() if isinstance(value, np.complexfloating) else value)
    if np.isnan(value):
        return "nan"
    if OPTIONS.sci_mode:
        return f"{value:.{OPTIONS.precision}e}"
    return f"{value:.0f}." if np.isinf(value) or value == int(value) else f"{value:.{OPTIONS.precision}f}"


def _shown(array: Any) -> Any:
    """The elements that are shown of a shortened tensor."""
    edge = OPTIONS.edgeitems
    for axis, size in enumerate(array.shape):
        if size > 2 * edge > 0:
            array = np.take(array, [*range(edge), *range(size - edge, size)], axis)
    return array


def _body(array: Any, short: bool, width: int, signed: bool, indent: int) -> str:
    edge = OPTIONS.edgeitems
    cut = short and array.ndim > 0 and len(array) > 2 * edge
    if array.ndim == 0:
        return _element(array.item() if array.dtype.kind != "f" else array[()], width, signed)
    rows = [*array[:edge], None, *array[-edge:]] if cut else list(array)
    if array.ndim > 1:
        lines = ["..." if row is None else _body(row, short, width, signed, indent + 1) for row in rows]
        return "[" + ("," + "\n" * (array.ndim - 1) + " " * (indent + 1)).join(lines) + "]"
    items = ["..." if row is None else _element(row, width, signed) for row in rows]
    in_line = max(1, (OPTIONS.linewidth - indent) // (width + 2))
    lines = [", ".join(items[n : n + in_line]) for n in range(0, len(items), in_line)]
    return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"


def _element(value: Any, width: int, signed: bool) -> str:
    text = _number(value)
    if signed and len(text) < width and not value < 0:
        text = " " + text
    return text.ljust(width)


def to_string(tensor: Tensor, prefix: str = "Tensor") -> str:
    """What `print` shows of a Tensor.

    Args:
        tensor: a Tensor.
        prefix: the name in front.
    Returns:
        Some lines.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.tensor.to_string import to_string
        >>> print(to_string(paddle.to_tensor([1, 2])))
        Tensor(shape=[2], dtype=int64, place=Place(cpu), stop_gradient=True,
               [1, 2])

    Follows Paddle 2.6.
    """
    shape, kind = list(tensor.shape), dtype_name(tensor.dtype)
    head = f"{prefix}(shape={shape}, dtype={kind}, place={tensor.place}, stop_gradient={tensor.stop_gradient},"
    if _tensor_meshes.is_dist(tensor):
        head += f" {_tensor_meshes.described(tensor)} GlobalDenseTensor"
        if not _tensor_meshes.is_here(tensor):
            return f"{head} Not initialized)"
        head += "="
        tensor = Tensor(_tensor_meshes.whole(tensor))
    indent = len(prefix) + 1
    return f"{head}\n{' ' * indent}{body(tensor, indent)})"


_AS_FLOATS = (torch.bfloat16, torch.float8_e4m3fn, torch.float8_e5m2)


def body(tensor: Tensor, indent: int) -> str:
    """The elements of a Tensor, in lines that stand that far from the left."""
    array = tensor._t.detach().float().cpu().numpy() if tensor._t.dtype in _AS_FLOATS else tensor._array()
    short = array.size > OPTIONS.threshold
    shown = _shown(array)  # the width of a column is that of its ends, also where all is shown
    texts = [_number(value) for value in shown.reshape(-1)]
    with np.errstate(invalid="ignore"):  # what is no number has no sign
        signed = shown.ndim > 0 and bool((shown < 0).any())  # of complex numbers, the real parts decide, then the others
    width = max(map(len, texts), default=0)
    return _body(array, short, width, signed, indent)


__all__ = ["set_printoptions"]

__getattr__ = missing(__name__)
