"""How the functions of `paddle.fft` reach the operators: which of them, what they take, and how it is cut or filled up."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from paddle_compat.core.dtype import dtype_name, is_float
from paddle_compat.core.errors import invalid_argument, type_error
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.nn.functional._apply import helper_for
from paddle_compat.ops import fourier as ops

# the top-level functions (`paddle.cast`, ...), which load when they are first called
paddle: Any = import_module("paddle_compat")
_COMPLEX = {"float32": "complex64", "float64": "complex128"}


def _is_complex(x: Any) -> bool:
    return dtype_name(x.dtype).startswith("complex")


def _checked_norm(norm: Any, api: str) -> str:
    if norm not in ("forward", "backward", "ortho"):
        raise invalid_argument("norm", "'forward', 'backward' or 'ortho'", norm, api)
    return str(norm)


def _checked_sizes(x: Any, s: Any, axes: Any, api: str) -> tuple[list[int] | None, list[int]]:
    """Sizes and axes, counted from the first."""
    rank = len(x.shape)
    for name, value in (("s", s), ("axes", axes)):
        if value is not None and not isinstance(value, (list, tuple, range)):
            raise invalid_argument(name, "a sequence of ints", value, api)
        if value is not None and not all(isinstance(v, int) for v in value):
            raise invalid_argument(name, "ints", value, api)
    if s is not None and len(s) > rank:
        raise invalid_argument("s", f"at most {rank} numbers, as x has that rank", s, api)
    if s is not None and any(size <= 0 for size in s):
        raise invalid_argument("s", "sizes above 0", s, api)
    if axes is None:
        axes = range(rank) if s is None else range(rank - len(s), rank)
    if any(not -rank <= axis < rank for axis in axes):
        raise invalid_argument("axes", f"numbers in [{-rank}, {rank})", list(axes), api)
    if s is not None and len(s) != len(axes):
        raise invalid_argument("s", f"as many numbers as there are axes, {len(axes)}", s, api)
    found = [axis % rank for axis in axes]
    if len(set(found)) != len(found):
        raise invalid_argument("axes", "each axis once", list(axes), api)
    return None if s is None else list(s), found


def _resized(x: Any, sizes: Sequence[int], axes: Sequence[int]) -> Any:
    """What is too long cut off, what is too short filled up with zeros."""
    cut = [(axis, size) for axis, size in zip(axes, sizes) if size < x.shape[axis]]
    grown = {axis: size - x.shape[axis] for axis, size in zip(axes, sizes) if size > x.shape[axis] >= 0}
    if cut:
        x = paddle.slice(x, [axis for axis, _ in cut], [0] * len(cut), [size for _, size in cut])
    if grown:
        pads = [n for axis in range(len(x.shape)) for n in (0, grown.get(axis, 0))]
        x = paddle.nn.functional.pad(x, pads, mode="constant", value=0.0)
    return x


def transform(
    kind: str, x: Any, s: Any, axes: Any, norm: Any, forward: bool, api: str, name: str | None, onesided: bool = True
) -> Any:
    """One of the three operators; numbers that it does not take are made such, as the real functions do."""
    if not isinstance(x, (Tensor, Variable)):
        raise type_error("x", "Tensor", x, api)
    norm = _checked_norm(norm, api)
    sizes, axes = _checked_sizes(x, s, axes, api)
    if kind != "c2r" and not (is_float(x.dtype) or _is_complex(x)):
        x = paddle.cast(x, paddle.get_default_dtype())
    if kind == "c2c" and not _is_complex(x):
        kind, onesided = "r2c", False
    if kind == "r2c" and _is_complex(x):
        raise type_error("x", "real numbers", dtype_name(x.dtype), api)
    attrs: dict[str, Any] = {"axes": sorted(axes) if kind == "c2c" else axes, "normalization": norm, "forward": forward}
    if kind == "c2r":
        if not _is_complex(x):
            if dtype_name(x.dtype) not in _COMPLEX:
                raise type_error("x", "float32, float64 or complex numbers", dtype_name(x.dtype), api)
            x = paddle.cast(x, _COMPLEX[dtype_name(x.dtype)])
        if sizes is not None:
            attrs["last_dim_size"] = sizes[-1]
            sizes = [*sizes[:-1], sizes[-1] // 2 + 1]
    if kind == "r2c":
        attrs["onesided"] = onesided
    if sizes is not None:
        x = _resized(x, sizes, axes)
    return getattr(ops, f"fft_{kind}")(x, _helper=helper_for(f"fft_{kind}", x, name), **attrs)


def along_one(kind: str, x: Any, n: Any, axis: Any, norm: Any, forward: bool, api: str, name: str | None) -> Any:
    axis = -1 if axis is None else axis
    if n is not None and not isinstance(n, int):
        raise invalid_argument("n", "an int", n, api)
    if n is not None and n <= 0:
        raise invalid_argument("n", "a number above 0", n, api)
    if not isinstance(axis, int):
        raise invalid_argument("axis", "an int", axis, api)
    if isinstance(x, (Tensor, Variable)) and not -len(x.shape) <= axis < len(x.shape):
        raise invalid_argument("axis", f"a number in [{-len(x.shape)}, {len(x.shape)})", axis, api)
    return transform(kind, x, None if n is None else [n], [axis], norm, forward, api, name)


def along_two(kind: str, x: Any, s: Any, axes: Any, norm: Any, forward: bool, api: str, name: str | None) -> Any:
    if isinstance(x, (Tensor, Variable)) and len(x.shape) < 2:
        raise invalid_argument("x", "two dimensions at least", list(x.shape), api)
    for argument, value in (("s", s), ("axes", axes)):
        if value is not None and not (isinstance(value, (list, tuple, range)) and len(value) == 2):
            raise invalid_argument(argument, "a sequence of 2 ints", value, api)
    return transform(kind, x, s, axes, norm, forward, api, name)
