"""The Python values that a recording depends on: where eager mode may take over, they are what tells recordings apart, beside arguments.

A Program does not read globals, closures and attributes again, and does not change them again. So what they were is written down
while a function is recorded: a later call takes a recording only while they are the same, and what changes them runs in eager mode.
"""

from __future__ import annotations

import dis
import functools
import io
import os
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.jit.dy2static.utils import Dygraph2StaticException
from paddle_compat.nn.layer.layers import Layer

_LIBRARIES = {*sys.stdlib_module_names, "paddle_compat", "paddle", "torch", "numpy", "scipy", "builtins"} - {"__main__"}
_PLAIN: frozenset[type] = frozenset({bool, int, float, complex, str, bytes, type(None)})
_BY_CONTENT: tuple[type, ...] = (*_PLAIN, list, tuple, set, dict, np.ndarray, Tensor)
_OWN = frozenset(vars(Layer()))
_UNSET = object()
_LARGEST = 256  # what is longer is told apart by its length alone
current: Watch | None = None  # of the recording that is being made


class Watch:
    """What one recording depends on.

    Args:
        owner: the object that the function is a method of; None: it is none.
    """

    def __init__(self, owner: Any) -> None:
        self.roots: dict[Any, tuple[str, Callable[[], Any], Callable[[Any], None] | None, Any]] = {}
        self._values: dict[Any, Any] = {}
        self._inside: list[tuple[Any, Any]] = []  # what may change, and a copy of what is in it
        self._functions: dict[int, Any] = {}  # also keeps them, as they are told apart by their ids
        if owner is not None:
            self.note_value(type(owner).__name__, owner)

    def note_value(self, name: str, value: Any) -> None:
        """Write down what is in a list, a dict or an object."""
        if type(value) not in _PLAIN and not isinstance(value, Variable):
            self._add((id(value), None), name, lambda: value, None)

    def _add(self, key: Any, name: str, get: Callable[[], Any], put: Callable[[Any], None] | None) -> None:
        if key not in self.roots:
            self._values[key] = value = get()
            self.roots[key] = name, get, put, _state(value, {}, self._inside)

    def note(self, function: Any) -> None:
        """Write down what a function reads of the world, before it runs."""
        if id(function) in self._functions or _is_library(function):
            return
        self._functions[id(function)] = function
        world = function.__globals__
        for name in _globals(function.__code__):
            if name in world and not _is_library(world[name]):
                put = functools.partial(world.__setitem__, name)
                self._add((id(world), name), name, functools.partial(world.get, name, _UNSET), put)
        if _reads_environment(function.__code__):
            self._add("environment", "os.environ", lambda: dict(os.environ), os.environ.update)
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
            self._add((id(cell), None), name, functools.partial(_content, cell), functools.partial(setattr, cell, "cell_contents"))
        for default in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
            self.note_value(function.__name__, default)

    def changed(self) -> str | None:
        """The name of something that is not as it was; None where everything is."""
        for name, get, _, before in self.roots.values():
            if _state(get(), {}, None) != before:
                return name
        return None

    def restore(self) -> str | None:
        """Put back what was changed since, and say its name."""
        name = self.changed()
        if name is not None:
            for key, (_, get, put, _) in self.roots.items():
                if put is not None and self._values[key] is not _UNSET and get() is not self._values[key]:
                    put(self._values[key])
            for value, copy in self._inside:
                _put_back(value, copy)
        return name


@contextmanager
def watching(watch: Watch | None) -> Iterator[None]:
    """What is called inside is written down."""
    global current
    former, current = current, watch
    try:
        yield
    finally:
        current = former


def _state(value: Any, met: dict[int, None], inside: list[tuple[Any, Any]] | None) -> Any:
    """What tells a value from what it may become; `inside` gets copies of what is in lists, dicts and objects."""
    kind = type(value)
    if kind in _PLAIN:
        return kind, value
    if id(value) in met:
        return id(value)
    if isinstance(value, (list, tuple, set, dict)):
        return _of_container(value, kind, met, inside)
    if kind is np.ndarray:
        return id(value), value.shape, value.tobytes() if value.size <= _LARGEST else None
    if isinstance(value, Layer):
        return _of_layer(value, met, inside)
    if hasattr(kind, "__next__") and not isinstance(value, io.IOBase):
        raise Dygraph2StaticException(f"a {kind.__name__} gives other values at every call, which eager mode takes from it")
    attributes = getattr(value, "__dict__", None)
    if attributes is None or isinstance(value, (Tensor, types.FunctionType, types.MethodType)) or _is_library(value):
        return id(value)
    met[id(value)] = None
    if isinstance(value, (type, types.ModuleType)):
        return id(value), tuple((name, (type(v), v)) for name, v in attributes.items() if type(v) in _PLAIN)
    if inside is not None:
        inside.append((value, dict(attributes)))
    return id(value), tuple((name, _state(v, met, inside)) for name, v in attributes.items())


def _of_container(value: Any, kind: type, met: dict[int, None], inside: list[tuple[Any, Any]] | None) -> Any:
    if len(value) > _LARGEST:
        return id(value), len(value)
    met[id(value)] = None
    if inside is not None and not isinstance(value, tuple):
        inside.append((value, value.copy()))
    if isinstance(value, dict):
        return kind, tuple((_state(k, met, inside), _state(v, met, inside)) for k, v in value.items())
    if isinstance(value, set):
        return kind, frozenset(map(id, value)) if not all(type(v) in _PLAIN for v in value) else frozenset(value)
    return kind, tuple([_state(v, met, inside) for v in value])


def _of_layer(value: Layer, met: dict[int, None], inside: list[tuple[Any, Any]] | None) -> Any:
    found: list[Any] = []
    for layer in value.sublayers(include_self=True):
        met[id(layer)] = None
        found += (id(layer), layer.training)
        for held in (layer._parameters, layer._buffers, layer._forward_pre_hooks, layer._forward_post_hooks):
            if held:
                found += map(id, held.values())
        if inside is not None:
            inside.append((layer._buffers, layer._buffers.copy()))
        if not _is_library(layer):
            attributes = {name: v for name, v in vars(layer).items() if name not in _OWN}
            if inside is not None:
                inside.append((layer, attributes))
            found.append(tuple((name, _state(v, met, inside)) for name, v in attributes.items()))
    return tuple(found)


def _put_back(value: Any, copy: Any) -> None:
    if isinstance(value, list):
        value[:] = copy
    elif isinstance(value, (dict, set)):
        value.clear()
        value.update(copy)
    else:
        attributes = vars(value)
        for name in [n for n in attributes if n not in copy and not (isinstance(value, Layer) and n in _OWN)]:
            del attributes[name]
        attributes.update(copy)


def _is_library(value: Any) -> bool:
    """Whether it comes from a library, whose values stay as they are."""
    if isinstance(value, types.ModuleType):
        return value.__name__.partition(".")[0] in _LIBRARIES
    if isinstance(value, _BY_CONTENT):
        return False
    owner = value if isinstance(value, (type, types.FunctionType, types.BuiltinFunctionType)) else type(value)
    return (getattr(owner, "__module__", None) or "").partition(".")[0] in _LIBRARIES


def _content(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # nothing was assigned yet
        return _UNSET


@functools.lru_cache(maxsize=1024)
def _globals(code: types.CodeType) -> tuple[str, ...]:
    """The names of globals that code reads or writes, that of functions inside of it too."""
    found = dict.fromkeys(i.argval for i in dis.get_instructions(code) if i.opname in ("LOAD_GLOBAL", "STORE_GLOBAL"))
    for part in _inner(code):
        found.update(dict.fromkeys(_globals(part)))
    return tuple(found)


@functools.lru_cache(maxsize=1024)
def _reads_environment(code: types.CodeType) -> bool:
    """Whether code, or that of functions inside of it, has to do with environment variables."""
    return not {"environ", "getenv"}.isdisjoint(code.co_names) or any(map(_reads_environment, _inner(code)))


def _inner(code: types.CodeType) -> list[types.CodeType]:
    return [part for part in code.co_consts if isinstance(part, types.CodeType)]
