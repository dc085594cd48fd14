"""The Python values that a recording depends on: where eager mode may take over, they are what tells recordings apart, beside arguments.

A Program does not read globals, closures and attributes again, and does not change them again. So what they were is written down
while a function is recorded: a later call takes a recording only while they are the same, and what changes them runs in eager mode.
"""

from __future__ import annotations

import argparse
import array
import collections
import dis
import functools
import io
import os
import sys
import threading
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from paddle_compat.core import unique_name
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.jit.dy2static.utils import Dygraph2StaticException
from paddle_compat.nn.layer.layers import Layer

_LIBRARIES = {*sys.stdlib_module_names, "paddle_compat", "paddle", "torch", "numpy", "scipy", "builtins"} - {"__main__"}
_PLAIN: frozenset[type] = frozenset({bool, int, float, complex, str, bytes, type(None)})
_HOLDERS = (argparse.Namespace, types.SimpleNamespace, threading.local)  # of Python's own, and made to be filled
_BY_CONTENT: tuple[type, ...] = (
    *_PLAIN, list, tuple, set, dict, collections.deque, bytearray, array.array, np.ndarray, Tensor, *_HOLDERS,
)  # fmt: skip


class _Bare(Layer):
    def _settle_mode(self) -> None:
        """Choose neither mode: this one is made when the module is imported, by scripts of Paddle 1.8 as well."""


with unique_name.guard():  # whose number is for the first layer of the script's own
    _OWN = frozenset(vars(_Bare()))
_UNSET = object()
_LARGEST = 256  # what is longer is told apart by its length alone,
_LARGEST_PLAIN = 1 << 14  # and this where numbers and texts alone are in it
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
        self._owners: dict[int, Any] = {}  # modules and classes, of whose attributes those count that functions name
        self._attributes: set[str] = set()
        if owner is not None:
            self.note_value(type(owner).__name__, owner)

    def note_value(self, name: str, value: Any) -> None:
        """Write down what is in a list, a dict or an object."""
        if type(value) not in _PLAIN and not isinstance(value, Variable):
            self._add((id(value), None), name, lambda: value, None)

    def _add(self, key: Any, name: str, get: Callable[[], Any], put: Callable[[Any], None] | None) -> None:
        if key not in self.roots:
            self._values[key] = value = get()
            self.roots[key] = name, get, put, _state(value, {}, self)

    def keep(self, value: Any, copy: Any) -> None:
        """Remember what was in a list, a dict or an object."""
        self._inside.append((value, copy))

    def own(self, owner: Any) -> None:
        """Write down the attributes of a module or a class, and of those that it is made from, which the functions name."""
        for each in owner.__mro__ if isinstance(owner, type) else (owner,):
            if id(each) not in self._owners and not _is_library(each):
                self._owners[id(each)] = each
                for name in self._attributes:
                    self._note_attribute(each, name)

    def _note_attribute(self, owner: Any, name: str) -> None:
        if name in vars(owner):
            get = functools.partial(_attribute, owner, name)
            self._add((id(owner), name), f"{owner.__name__}.{name}", get, functools.partial(setattr, owner, name))

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
        if not {"environ", "getenv"}.isdisjoint(_attributes(function.__code__)):
            self._add("environment", "os.environ", lambda: dict(os.environ), os.environ.update)
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
            self._add((id(cell), None), name, functools.partial(_content, cell), functools.partial(setattr, cell, "cell_contents"))
        new = {name for name in _attributes(function.__code__) if not name.startswith("__")} - self._attributes
        self._attributes |= new
        for owner in list(self._owners.values()):
            for name in new:
                self._note_attribute(owner, name)
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


def _state(value: Any, met: dict[int, None], watch: Watch | None) -> Any:
    """What tells a value from what it may become; a watch gets copies of what is in lists, dicts and objects."""
    kind = type(value)
    if kind in _PLAIN:
        return kind, value
    if id(value) in met:
        return id(value)
    if isinstance(value, (list, tuple, set, dict, collections.deque)):
        return _of_container(value, kind, met, watch)
    if kind in (np.ndarray, bytearray, array.array):
        return _of_array(value, watch)
    if isinstance(value, Layer):
        return _of_layer(value, met, watch)
    if hasattr(kind, "__next__") and not isinstance(value, io.IOBase):
        raise Dygraph2StaticException(f"a {kind.__name__} gives other values at every call, which eager mode takes from it")
    if isinstance(value, (type, types.ModuleType)):
        if watch is not None:
            watch.own(value)
        return id(value)
    attributes = _fields(value)
    if attributes is None or isinstance(value, (Tensor, types.MethodType)) or _is_library(value):
        return id(value)
    met[id(value)] = None
    if watch is not None:
        watch.keep(value, dict(attributes))
        watch.own(kind)
    return id(value), tuple([(name, _state(v, met, watch)) for name, v in attributes.items()])


def _of_container(value: Any, kind: type, met: dict[int, None], watch: Watch | None) -> Any:
    if len(value) > _LARGEST:
        parts: Any = value.items() if isinstance(value, dict) else value
        kinds = frozenset(map(type, value)) if len(value) <= _LARGEST_PLAIN and not isinstance(value, dict) else None
        if kinds is None or not kinds <= _PLAIN:
            return id(value), len(value)
        if watch is not None and kind is not tuple:
            watch.keep(value, value.copy())
        return kind, kinds, frozenset(parts) if isinstance(value, set) else tuple(parts)
    met[id(value)] = None
    if watch is not None and not isinstance(value, tuple):
        watch.keep(value, value.copy())
    if isinstance(value, dict):
        return kind, tuple([(_state(k, met, watch), _state(v, met, watch)) for k, v in value.items()])
    if isinstance(value, set):
        return kind, frozenset(map(id, value)) if not all(type(v) in _PLAIN for v in value) else frozenset(value)
    return kind, tuple([_state(v, met, watch) for v in value])


def _of_array(value: Any, watch: Watch | None) -> Any:
    if len(memoryview(value)) > _LARGEST_PLAIN if not isinstance(value, np.ndarray) else value.size > _LARGEST_PLAIN:
        return id(value), len(value)
    if watch is not None:
        watch.keep(value, value.copy() if isinstance(value, np.ndarray) else value[:])
    return id(value), getattr(value, "shape", None), bytes(value) if isinstance(value, bytearray) else value.tobytes()


def _of_layer(value: Layer, met: dict[int, None], watch: Watch | None) -> Any:
    found: list[Any] = []
    for layer in value.sublayers(include_self=True):
        met[id(layer)] = None
        found += (id(layer), layer.training)
        for held in (layer._parameters, layer._buffers, layer._forward_pre_hooks, layer._forward_post_hooks):
            if held:
                found += map(id, held.values())
        if watch is not None:
            watch.keep(layer._buffers, layer._buffers.copy())
        if not _is_library(layer):
            attributes = {name: v for name, v in vars(layer).items() if name not in _OWN}
            if watch is not None:
                watch.keep(layer, attributes | {"training": layer.training})
                watch.own(type(layer))
            found.append(tuple([(name, _state(v, met, watch)) for name, v in attributes.items()]))
    return tuple(found)


def _fields(value: Any) -> dict[str, Any] | None:
    """What is in an object, in its slots too; None: nothing can be."""
    found: dict[str, Any] | None = getattr(value, "__dict__", None)
    kind: Any = type(value)
    slots = _slots(kind)
    return {**(found or {}), **{name: getattr(value, name) for name in slots if hasattr(value, name)}} if slots else found


@functools.lru_cache(maxsize=1024)
def _slots(kind: type) -> tuple[str, ...]:
    found: list[str] = []
    for each in kind.__mro__:
        names = () if _is_library(each) else vars(each).get("__slots__", ())
        found += [names] if isinstance(names, str) else names
    return tuple(name for name in found if not name.startswith("__"))


def _put_back(value: Any, copy: Any) -> None:
    if isinstance(value, (list, bytearray, array.array)):
        value[:] = copy
    elif isinstance(value, np.ndarray):
        value[...] = copy
    elif isinstance(value, collections.deque):
        value.clear()
        value.extend(copy)
    elif isinstance(value, (dict, set)):
        value.clear()
        value.update(copy)
    else:
        attributes: dict[str, Any] = getattr(value, "__dict__", {})
        kind: Any = type(value)
        for name in [n for n in attributes if n not in copy and not (isinstance(value, Layer) and n in _OWN)]:
            del attributes[name]
        slots = _slots(kind)
        attributes.update({name: v for name, v in copy.items() if name not in slots})
        for name in copy.keys() & slots:
            object.__setattr__(value, name, copy[name])


def _is_library(value: Any) -> bool:
    """Whether it comes from a library, whose values stay as they are."""
    if isinstance(value, types.ModuleType):
        return value.__name__.partition(".")[0] in _LIBRARIES
    if isinstance(value, _BY_CONTENT):
        return False
    owner = value if isinstance(value, (type, types.FunctionType, types.BuiltinFunctionType)) else type(value)
    return (getattr(owner, "__module__", None) or "").partition(".")[0] in _LIBRARIES


def _attribute(owner: Any, name: str) -> Any:
    return vars(owner).get(name, _UNSET)


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
def _attributes(code: types.CodeType) -> frozenset[str]:
    """The names of attributes (and globals) in code, and in that of functions inside of it."""
    return frozenset(code.co_names).union(*map(_attributes, _inner(code)))


def _inner(code: types.CodeType) -> list[types.CodeType]:
    return [part for part in code.co_consts if isinstance(part, types.CodeType)]
