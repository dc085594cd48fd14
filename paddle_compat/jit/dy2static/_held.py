"""What branches and loops can reach: where eager mode may take over, it runs what changes lists, dicts and objects inside of them.

A branch is recorded whether it will be taken or not, and a loop's body once. The variables that they assign are chosen when the
Program runs; what they put into a list that others hold too is done while recording, once and for all.
"""

from __future__ import annotations

import array
import collections
import functools
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from paddle_compat.core import capture
from paddle_compat.core.tensor import Tensor
from paddle_compat.jit.dy2static._watch import _LARGEST_PLAIN, _PLAIN, _content, _fields, _is_library
from paddle_compat.jit.dy2static.utils import Dygraph2StaticException
from paddle_compat.nn.layer.layers import Layer

_CONTAINERS = (list, tuple, set, dict, collections.deque, bytearray, array.array)


class Held:
    """What is in the lists, dicts, arrays, objects and variables that functions can reach.

    Args:
        functions: where to begin; nothing is looked at where eager mode is no way out.
    """

    def __init__(self, *functions: Callable[..., Any]) -> None:
        self._before: list[tuple[Any, Any]] = []
        if capture.may_leave():
            met: dict[int, Any] = {}  # which also keeps them, as they are told apart by their ids
            stack: list[Any] = list(functions)
            while stack:
                value = stack.pop()
                if type(value) in _PLAIN or id(value) in met:
                    continue
                met[id(value)] = value
                inside = _inside(value)
                if inside is not None:
                    self._before.append((value, inside))
                    stack += () if isinstance(inside, bytes) else inside

    def refuse_changes(self) -> None:
        """Leave to eager mode what has changed something since.

        Raises:
            Dygraph2StaticException: something is not as it was.
        """
        for value, inside in self._before:
            if not _same(_inside(value), inside):
                raise Dygraph2StaticException(
                    f"a branch or loop that depends on a Tensor changes what is in a {type(value).__name__}, which eager mode does when "
                    "it gets there"
                )


def _inside(value: Any) -> Any:
    """What a value holds now: a tuple of things, or bytes; None: nothing that could change."""
    if isinstance(value, _CONTAINERS) and len(value) > _LARGEST_PLAIN or isinstance(value, np.ndarray) and value.size > _LARGEST_PLAIN:
        return str(len(value)).encode()  # as _watch has it
    if isinstance(value, dict):
        return (*value, *value.values())
    if isinstance(value, np.ndarray):
        return value.tobytes()
    if isinstance(value, (bytearray, array.array)):
        return bytes(value)
    if isinstance(value, _CONTAINERS):
        return tuple(value)
    if isinstance(value, types.CellType):
        return (_content(value),)
    if isinstance(value, types.FunctionType):
        return (*(value.__closure__ or ()), *(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values())
    if isinstance(value, types.MethodType):
        return value.__self__, value.__func__
    if isinstance(value, functools.partial):
        return value.func, value.args, value.keywords
    if isinstance(value, (type, types.ModuleType, Tensor)) or _is_library(value) and not isinstance(value, Layer):
        return None
    attributes = _fields(value)
    return None if attributes is None else (*attributes, *attributes.values())


def _same(now: Any, before: Any) -> bool:
    if isinstance(before, bytes):
        return bool(now == before)
    return len(now) == len(before) and all(a is b for a, b in zip(now, before))
