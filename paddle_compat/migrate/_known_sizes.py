"""Sizes that scripts read out of `paddle.shape(x)`, kept as sizes while torch writes a program down.

To torch a Tensor of sizes is numbers like others: what is read out of it is known only when the program runs, and no shape can be made
of it. So while a program is written down, this mode remembers which small Tensors were made of sizes, follows them through what scripts do
with them, and hands out the sizes themselves where a number is read.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from typing import Any

import numpy as np
import torch
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_map_only
from torch.utils.weak import WeakTensorKeyDictionary

from paddle_compat.core.tensor import Tensor

_MOST = 16  # sizes and the numbers beside them are few
_Known = np.ndarray[Any, np.dtype[np.object_]]  # of ints and torch.SymInts, in the shape of the Tensor


def _listed(data: Any) -> _Known | None:
    """Python numbers as an array of objects; None where they are no few whole numbers."""
    if isinstance(data, (int, torch.SymInt)) and not isinstance(data, bool):
        return _whole(data)
    if not isinstance(data, (list, tuple)) or not 0 < len(data) <= _MOST:
        return None
    if not all(isinstance(one, (int, torch.SymInt)) and not isinstance(one, bool) for one in data):
        return None
    values = np.empty(len(data), object)
    values[:] = data
    return values


def _whole(value: Any) -> _Known:
    return np.asarray(value, object)


def _filled(shape: Any, value: Any) -> _Known | None:
    sizes = tuple(shape) if isinstance(shape, (list, tuple)) else ()
    one = _listed(value)
    if one is None or one.shape or not all(type(size) is int for size in sizes) or np.prod(sizes, dtype=int) > _MOST:
        return None
    return np.full(sizes, one[()], object)


def _joined(parts: Iterable[Any], dim: int = 0) -> _Known:
    return np.concatenate([*parts], axis=dim)


def _stacked(parts: Iterable[Any], dim: int = 0) -> _Known:
    return np.stack([*parts], axis=dim)


def _selected(values: _Known, index: Any, *_: Any) -> Any:
    return values[index]


def _shaped(values: _Known, *shape: Any) -> _Known:
    sizes = shape[0] if len(shape) == 1 and isinstance(shape[0], (list, tuple)) else shape
    return values.reshape(tuple(sizes))


def _product(values: _Known, *_: Any, **__: Any) -> _Known:
    return _whole(reduce(operator.mul, values.ravel(), 1))


def _divided(a: Any, b: Any, *, rounding_mode: str | None = None) -> Any:
    return a // b if rounding_mode == "floor" else None


def _same(values: _Known, *_: Any, **__: Any) -> _Known:
    return values


def _deeper(values: _Known, dim: int) -> _Known:
    return np.expand_dims(values, dim)


def _flatter(values: _Known, *dims: Any) -> _Known:
    return values.reshape([size for size in values.shape if size != 1]) if not dims else np.squeeze(values, dims[0])


_Tensor = torch.Tensor
_COMPARED = {
    getattr(where, name): np.frompyfunc(getattr(operator, name), 2, 1)
    for name in ("eq", "ne", "lt", "le", "gt", "ge")
    for where in (torch, _Tensor)
}
# What follows sizes: what torch is asked, and the same on arrays of objects.
_FOLLOWED: Mapping[Any, Callable[..., Any]] = {
    **dict.fromkeys((torch.add, _Tensor.add, _Tensor.__add__, _Tensor.__radd__), operator.add),
    **dict.fromkeys((torch.sub, _Tensor.sub, _Tensor.__sub__), operator.sub),
    **dict.fromkeys((torch.mul, _Tensor.mul, _Tensor.__mul__, _Tensor.__rmul__), operator.mul),
    **dict.fromkeys((torch.floor_divide, _Tensor.floor_divide, _Tensor.__floordiv__), operator.floordiv),
    **dict.fromkeys((torch.div, _Tensor.div), _divided), **dict.fromkeys((torch.remainder, _Tensor.__mod__), operator.mod),
    **_COMPARED,
    **dict.fromkeys((torch.neg, _Tensor.neg, _Tensor.__neg__), operator.neg),
    **dict.fromkeys((torch.cat, torch.concat), _joined), torch.stack: _stacked,
    _Tensor.__getitem__: _selected,
    **dict.fromkeys((torch.reshape, _Tensor.reshape, _Tensor.view), _shaped),
    **dict.fromkeys((torch.prod, _Tensor.prod), _product),
    **dict.fromkeys((torch.unsqueeze, _Tensor.unsqueeze), _deeper), **dict.fromkeys((torch.squeeze, _Tensor.squeeze), _flatter),
    **dict.fromkeys((torch.clone, _Tensor.clone, _Tensor.detach, _Tensor.contiguous, _Tensor.cpu, _Tensor.long, _Tensor.int), _same),
    torch.ops.aten.detach.default: _same,
}  # fmt: skip
_APART = frozenset({torch.unbind, _Tensor.unbind})
_MADE: Mapping[Any, Callable[..., _Known | None]] = {
    **dict.fromkeys((torch.tensor, torch.scalar_tensor), lambda data, **_: _listed(data)),
    torch.full: lambda size, fill_value, **_: _filled(size, fill_value),
}  # fmt: skip
# What reads numbers out.
_READ: Mapping[Any, Callable[[_Known], Any]] = {
    **dict.fromkeys((_Tensor.item, _Tensor.__int__, _Tensor.__index__), lambda values: values.reshape(-1)[0]),
    _Tensor.tolist: lambda values: values.tolist(), _Tensor.numpy: lambda values: values,
}  # fmt: skip


class KnownSizes(TorchFunctionMode):
    """While it is entered, numbers that are read out of Tensors of sizes are these sizes."""

    def __init__(self) -> None:
        super().__init__()
        self._known = WeakTensorKeyDictionary()

    def __torch_function__(self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Mapping[str, Any] | None = None) -> Any:
        args, given = tree_map_only((Tensor, slice), self._number, (args, kwargs or {}))  # sizes beside numbers in lists
        first = self._known.get(args[0]) if args and isinstance(args[0], torch.Tensor) else None
        if first is not None and func in _READ:
            return _READ[func](first)
        out = func(*args, **given)
        if first is not None and func in _APART:
            self._known.update(zip(out, map(_whole, first)))
        name = getattr(func, "__name__", "")
        if name == "__setitem__" or name.startswith("__i") or name.endswith("_") and not name.endswith("__"):
            if first is not None:
                del self._known[args[0]]  # written to in place
            return out
        known = self._of(func, out, args, given)
        if known is not None:
            self._known[out] = known
        return out

    def _number(self, value: Any) -> Any:
        """A Tensor of one size, also as the bound of a slice, as that size; everything else as it is."""
        if isinstance(value, slice):
            return slice(*map(self._number, (value.start, value.stop, value.step)))
        known = self._known.get(value._t) if isinstance(value, Tensor) else None
        return value if known is None or known.size != 1 else known.reshape(-1)[0]

    def _of(self, func: Any, out: Any, args: tuple[Any, ...], given: Mapping[str, Any]) -> _Known | None:
        """The sizes that a result holds, if it holds some."""
        if not isinstance(out, torch.Tensor) or out.dtype not in ((torch.bool,) if func in _COMPARED else (torch.int32, torch.int64)):
            return None
        if func in _MADE:
            return _MADE[func](*args, **given)
        follow = _same if func in (_Tensor.to, _Tensor.type) else _FOLLOWED.get(func)
        if follow is None:
            return None
        try:
            found = follow(*map(self._values, args), **given)
        except (KeyError, TypeError, ValueError, IndexError, ArithmeticError):
            return None  # of Tensors that are not known, or of more than is followed here
        known = _whole(found)
        return known if known.shape == tuple(out.shape) else None

    def _values(self, value: Any) -> Any:
        """The sizes in a Tensor, or in Tensors; KeyError where it holds others."""
        if isinstance(value, torch.Tensor):
            constant = type(value) is torch.Tensor and value not in self._known and not value.is_floating_point() and value.numel() <= _MOST
            return _whole(value.tolist()) if constant else self._known[value]
        return [*map(self._values, value)] if isinstance(value, (list, tuple)) else value
