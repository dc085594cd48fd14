"""`paddle.jit.dy2static.convert_call_func`: functions that rewritten code calls are rewritten, too, unless they are a library's."""

from __future__ import annotations

import builtins
import functools
import inspect
import io
import logging
import random
import sys
import types
import warnings
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core import capture, mode
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.framework import mode as paddle_mode
from paddle_compat.jit.dy2static import _ranges, _watch, convert_operators
from paddle_compat.jit.dy2static._rebuild import is_rewritten, rewritten
from paddle_compat.jit.dy2static._source import NoSource
from paddle_compat.jit.dy2static._transform import Unsupported
from paddle_compat.jit.dy2static._values import detached
from paddle_compat.jit.dy2static.utils import Dygraph2StaticException
from paddle_compat.nn.layer.layers import Layer

CONVERSION_OPTIONS = "__jst_not_to_static"  # the attribute that marks what stays as it is
_OUTSIDE = (random.Random, np.random.RandomState, np.random.Generator, logging.Logger, io.IOBase, ContextVar)
_ACTING = frozenset({"time", "logging", "posix", "nt", "io", "_io", "subprocess", "shutil", "uuid", "secrets", "queue"})
_ACTIONS = frozenset({"seed", "set_rng_state", "set_flags", "get_flags", "set_device", "set_default_dtype", "save", "load",
                       "is_grad_enabled"})  # fmt: skip
_LIBRARIES = {*sys.stdlib_module_names, "paddle_compat", "paddle", "torch", "numpy", "scipy", "builtins"} - {"__main__"}
BUILTIN_LIKELY_MODULES = [inspect, logging, np]  # what `ignore_module` was given stands behind these
_ignored: set[str] = set()
_BUILTINS: dict[Any, Callable[..., Any]] = {
    builtins.range: _ranges.convert_range,
    builtins.enumerate: _ranges.convert_enumerate,
    builtins.zip: _ranges.convert_zip,
    builtins.len: convert_operators.convert_len,
    builtins.print: convert_operators.convert_print,
    builtins.isinstance: convert_operators.convert_isinstance,
    builtins.type: convert_operators.convert_type,
    builtins.hasattr: convert_operators.convert_hasattr,
    builtins.bool: lambda x=False: convert_operators.convert_var_dtype(x, "bool"),
    builtins.int: lambda *x, **base: convert_operators.convert_var_dtype(x[0], "int") if len(x) == 1 and not base else int(*x, **base),
    builtins.float: lambda x=0.0: convert_operators.convert_var_dtype(x, "float"),
}  # fmt: skip
# What a call in a Program becomes where eager mode makes a value of an array; `paddle_compat.fluid` puts 1.8's `to_variable` in.
recorded_as: dict[Any, Callable[..., Any]] = {}
_warned: set[Any] = set()


class ConversionOptions:
    """How a function is recorded.

    Args:
        not_convert (bool): it stays as it is.
    """

    def __init__(self, not_convert: bool = False) -> None:
        self.not_convert = not_convert

    def attach(self, function: Any) -> None:
        """Mark a function, or a layer's class."""
        setattr(function, CONVERSION_OPTIONS, self)


def ignore(function: Any) -> Any:
    """Mark a function: it stays as it is."""
    ConversionOptions(not_convert=True).attach(function)
    return function


def ignore_modules(modules: Any) -> None:
    """Leave the functions of these modules as they are."""
    BUILTIN_LIKELY_MODULES.extend(module for module in modules if module not in BUILTIN_LIKELY_MODULES)
    _ignored.update(module.__name__ for module in modules)


def is_marked(function: Any) -> bool:
    """Whether somebody said that the function, or the layer's class, stays as it is."""
    return getattr(getattr(function, CONVERSION_OPTIONS, None), "not_convert", False)


def is_ignored(function: Any) -> bool:
    """Whether the function stays as it is."""
    if is_marked(function):
        return True
    module = getattr(function, "__module__", None) or ""
    parts = module.split(".")
    return parts[0] in _LIBRARIES or any(".".join(parts[: i + 1]) in _ignored for i in range(len(parts)))


def convert_call(func: Any) -> Any:
    """What rewritten code calls instead of a function.

    Args:
        func: anything that can be called.
    Returns:
        The rewritten function; libraries' own, classes and layers as they are.
    Raises:
        Dygraph2StaticException: it draws Python's or NumPy's random numbers, asks for the time, logs, reads or writes files or
            sets something of Paddle's, and eager mode may take over.

    Example:
        >>> from paddle_compat.jit.dy2static.convert_call_func import convert_call
        >>> convert_call(len)([1, 2]), convert_call(dict) is dict
        (2, True)

    Follows Paddle 2.6.
    """
    from paddle_compat.jit.dy2static.program_translator import StaticFunction

    if capture.may_leave():
        if _acts(func):
            raise Dygraph2StaticException(f"`{func.__name__}` has to do with more than Tensors, which eager mode does at every call")
        if func in (mode.in_dygraph_mode, paddle_mode.in_dynamic_mode, paddle_mode.in_dynamic_or_pir_mode):
            return lambda: True
    if isinstance(func, (types.BuiltinFunctionType, type)):
        return _BUILTINS.get(func, func)
    if isinstance(func, StaticFunction):
        return func.inner
    if isinstance(func, types.FunctionType):
        if func in recorded_as and not mode.in_dygraph_mode():
            return recorded_as[func]
        if is_ignored(func):
            return _given_variables(func) if capture.current is not None else func
        return rewritten_or_not(func)
    if isinstance(func, types.MethodType):
        if isinstance(func.__self__, Tensor) and capture.current is not None:
            return getattr(capture.as_variable(func.__self__), _name_of(func))
        if isinstance(func.__self__, Variable) and func.__name__ == "numpy" and capture.current is None:
            return lambda: detached(func.__self__)  # code written for eager mode, called while a Program is written
        inner = func.__func__
        if not isinstance(inner, types.FunctionType) or is_ignored(inner):
            return func
        if _watch.current is not None:
            _watch.current.note_value(inner.__name__, func.__self__)
        return types.MethodType(rewritten_or_not(inner), func.__self__)
    if isinstance(func, functools.partial):
        return functools.partial(convert_call(func.func), *func.args, **func.keywords)
    if isinstance(func, Layer):  # whose forward `Layer.__call__` has rewritten
        return _given_variables(func) if capture.current is not None else func
    method = getattr(type(func), "__call__", None)  # noqa: B004 - the function itself is wanted
    if isinstance(method, types.FunctionType) and not is_ignored(method):
        return types.MethodType(rewritten_or_not(method), func)
    return func


def _name_of(method: types.MethodType) -> str:
    """The name by which a Tensor has a method."""
    if getattr(type(method.__self__), method.__name__, None) is method.__func__:
        return method.__name__
    return next((name for kind in type(method.__self__).__mro__ for name, f in vars(kind).items() if f is method.__func__), method.__name__)


def _acts(func: Any) -> bool:
    """Whether a library's function does or reads something at every call that no Program does."""
    if isinstance(getattr(func, "__self__", None), _OUTSIDE) or func is builtins.input:
        return True
    module = getattr(func, "__module__", None) or ""
    if module in _ACTING:
        return isinstance(func, (types.FunctionType, types.BuiltinFunctionType, types.MethodType))
    if module.startswith("paddle_compat."):
        return getattr(func, "__name__", "") in _ACTIONS and isinstance(func, types.FunctionType)
    return isinstance(getattr(func, "__self__", None), type) and func.__name__ in ("now", "utcnow", "today")


def _given_variables(func: Any) -> Any:
    """The function, which gets Variables for the Tensors that it is called with."""

    def call(*args: Any, **kwargs: Any) -> Any:
        if any(isinstance(a, Tensor) for a in (*args, *kwargs.values())):
            args = tuple(map(capture.as_variable, args))
            kwargs = {k: capture.as_variable(v) for k, v in kwargs.items()}
        return func(*args, **kwargs)

    return call


def rewritten_or_not(function: types.FunctionType) -> types.FunctionType:
    """The rewritten function, or the function itself, with a warning where its source is not to be had."""
    if _watch.current is not None and not is_rewritten(function):
        _watch.current.note(function)
    if is_rewritten(function) or inspect.isgeneratorfunction(function) or inspect.iscoroutinefunction(function):
        return function
    try:
        return rewritten(function)
    except Unsupported:
        return function
    except (NoSource, SyntaxError) as error:
        code = function.__code__
        if code not in _warned:
            _warned.add(code)
            warnings.warn(
                f"{code.co_filename}:{code.co_firstlineno}: `{function.__qualname__}` is called as it is, its branches and loops cannot "
                f"depend on Tensors in a Program ({error})",
                stacklevel=2,
            )
        return function


def convert_forward(forward: Any) -> Any:
    """A layer's forward as a recording calls it."""
    from paddle_compat.jit.dy2static.program_translator import StaticFunction

    if isinstance(forward, StaticFunction):
        return forward.inner
    if is_marked(type(getattr(forward, "__self__", None))):
        return forward
    if isinstance(forward, types.MethodType) and isinstance(forward.__func__, types.FunctionType) and not is_ignored(forward.__func__):
        return types.MethodType(rewritten_or_not(forward.__func__), forward.__self__)
    if isinstance(forward, types.FunctionType) and not is_ignored(forward):
        return rewritten_or_not(forward)
    return forward


__all__ = ["convert_call"]

__getattr__ = missing(__name__)
