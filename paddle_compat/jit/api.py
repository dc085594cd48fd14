"""`paddle.jit.api`: to_static and what goes with it."""

from __future__ import annotations

import functools
import types
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import invalid_argument, type_error
from paddle_compat.core.mode import in_dygraph_mode
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.jit._saved import (  # noqa: F401 - Paddle has them here
    _clear_save_pre_hooks,
    _register_save_pre_hook,
    _remove_save_pre_hook,
    _run_save_pre_hooks,
    _save_pre_hooks,
    load,
    save,
)
from paddle_compat.jit._traced import TracedLayer
from paddle_compat.jit.dy2static import convert_call_func, logging_utils
from paddle_compat.jit.dy2static.program_translator import (  # noqa: F401 - Paddle has them here
    ASTStaticFunction,
    ProgramTranslator,
    StaticFunction,
    SymbolicStaticFunction,
    convert_to_static,
    unwrap,
)
from paddle_compat.jit.dy2static.utils import ENV_ENABLE_SOT, Backend
from paddle_compat.jit.translated_layer import (  # noqa: F401 - Paddle has them here
    INFER_MODEL_SUFFIX,
    INFER_PARAMS_INFO_SUFFIX,
    INFER_PARAMS_SUFFIX,
    TranslatedLayer,
)
from paddle_compat.nn.layer.layers import Layer
from paddle_compat.utils.environments import EnvironmentVariableGuard


def dygraph_to_static_func(func: Callable[..., Any]) -> Callable[..., Any]:
    """Rewrite a function, so that its branches and loops may depend on Variables while a Program is written.

    Args:
        func (callable): the function.
    Returns:
        A callable that stands for it.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.jit.api import dygraph_to_static_func
        >>> @dygraph_to_static_func
        ... def double(x):
        ...     if paddle.mean(x) > 0:
        ...         x = x * 2
        ...     return x
        >>> double(paddle.ones([2])).tolist()
        [2.0, 2.0]
        >>> paddle.enable_static()
        >>> with paddle.static.program_guard(paddle.static.Program()):
        ...     double(paddle.static.data("x", [2])).shape
        (2,)
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """

    @functools.wraps(func)
    def call(*args: Any, **kwargs: Any) -> Any:
        if in_dygraph_mode() or not ProgramTranslator().enable_to_static:
            logging_utils.warn(f"`{func.__name__}` runs as it is: `dygraph_to_static_func` rewrites functions in static mode")
            return func(*args, **kwargs)
        return convert_call_func.convert_call(func)(*args, **kwargs)

    return call


@contextmanager
def sot_mode_guard(value: bool) -> Iterator[None]:
    """Whether `to_static` without `full_graph` lets eager mode take over what cannot be recorded, inside the block."""
    with EnvironmentVariableGuard(ENV_ENABLE_SOT, value):
        yield


def to_static(function: Any = None, input_spec: Any = None, build_strategy: Any = None, backend: str | None = None, **kwargs: Any) -> Any:
    """Run a function or layer as a recorded Program.

    At the first call with arguments of a kind (data types, shapes, Python values, training or not) the function is recorded;
    later calls run the Program. Branches and loops may depend on Tensors. What cannot be recorded runs in eager mode, with a
    warning; `full_graph=True` makes that an error.

    Args:
        function (callable|Layer): a function, a method or a layer; None: a decorator is returned.
        input_spec (list): InputSpecs (nested as the arguments are) of its inputs; -1 for sizes that vary.
        build_strategy (BuildStrategy): `build_cinn_pass` compiles the Program.
        backend (str): "CINN" compiles the Program; None does not.
        kwargs: `full_graph` (bool): raise where the function cannot be recorded. `property` (bool): it is a property of its class.
    Returns:
        A callable that stands for the function; a layer is returned itself, its forward replaced.
    Raises:
        ValueError: the backend is neither "CINN" nor None.
        TypeError: `build_strategy` is no BuildStrategy, or the method's object no Layer.
        AssertionError: `full_graph` is no bool.

    Example:
        >>> import paddle_compat as paddle
        >>> @paddle.jit.to_static
        ... def power(x, n):
        ...     y = paddle.ones_like(x)
        ...     i = paddle.zeros([1], "int64")
        ...     while i < n:
        ...         y = y * x
        ...         i += 1
        ...     return y
        >>> power(paddle.to_tensor([2.0]), paddle.to_tensor([3])).tolist()
        [8.0]

    Follows Paddle 2.6.
    """
    build_strategy = build_strategy or None
    if build_strategy is not None and type(build_strategy).__name__ != "BuildStrategy":
        raise TypeError(
            "Invalid type for argument `build_strategy` of `to_static`. Expected paddle.static.BuildStrategy. "
            f"Received: {type(build_strategy).__name__}"
        )
    backend = "CINN" if backend is Backend.CINN else backend.upper() if isinstance(backend, str) else backend  # as Paddle 3
    if backend not in ("CINN", None):
        raise invalid_argument("backend", "'CINN' or None", repr(backend), "to_static")
    whole = kwargs.get("full_graph")
    if whole is not None and not isinstance(whole, bool):
        raise AssertionError(f"Invalid type for argument `full_graph` of `to_static`. Expected bool. Received: {type(whole).__name__}")
    if whole is None:
        whole = not ENV_ENABLE_SOT.get()
    made = ASTStaticFunction if whole else SymbolicStaticFunction
    if not whole and input_spec is not None:
        warnings.warn(
            "full_graph=False don't support input_spec arguments. It will not produce any effect.\n"
            "You can set full_graph=True, then you can assign input spec.\n",
            stacklevel=2,
        )
    options = {"build_strategy": build_strategy, "backend": backend, **kwargs, "full_graph": whole}

    def decorate(target: Any) -> Any:
        if isinstance(target, Layer):
            if isinstance(target.forward, StaticFunction):
                warnings.warn(
                    f"`{type(target).__name__}.forward` was decorated before. It is decorated anew, and the former one replaced.",
                    stacklevel=3,
                )
            forward = unwrap(target.forward)
            object.__setattr__(target, "forward", made(forward, input_spec, **options))
            return target
        if isinstance(target, types.MethodType) and not isinstance(target.__self__, Layer):
            raise TypeError(
                f"Invalid type for argument `function` of `to_static`. Expected a function, or the method of an nn.Layer. Received: a "
                f"method of {type(target.__self__).__name__}"
            )
        return made(unwrap(target), input_spec, **options)

    return decorate if function is None else decorate(function)


def not_to_static(func: Any = None) -> Any:
    """Leave a function as it is: a recording calls it, but rewrites nothing in it.

    Args:
        func (callable): the function; None: a decorator is returned.
    Returns:
        The function.

    Example:
        >>> import paddle_compat as paddle
        >>> @paddle.jit.not_to_static
        ... def plus_one(x):
        ...     return x + 1
        >>> paddle.jit.to_static(lambda x: plus_one(x) * 2)(paddle.ones([1])).tolist()
        [4.0]

    Follows Paddle 2.6.
    """
    return not_to_static if func is None else convert_call_func.ignore(func)


def ignore_module(modules: list[Any]) -> None:
    """Leave the functions of some modules as they are.

    Args:
        modules (list): modules.

    Example:
        >>> import collections, paddle_compat as paddle
        >>> paddle.jit.ignore_module([collections])

    Follows Paddle 2.6.
    """
    convert_call_func.ignore_modules(modules)


def set_dynamic_shape(variable: Any, shape_list: list[int]) -> None:
    """Say which sizes of a Variable vary from turn to turn of a recorded loop; a Tensor of eager mode stays as it is.

    Args:
        variable (Tensor|Variable): the Variable.
        shape_list (list): its sizes, -1 for those that vary.
    Raises:
        TypeError: it is neither.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [2, 3])
        >>> paddle.jit.api.set_dynamic_shape(x, [-1, 3]); x.shape
        (-1, 3)
        >>> paddle.disable_static()

    Follows Paddle 3.3.
    """
    if isinstance(variable, Variable):
        variable.desc.set_shape(shape_list)
    elif not isinstance(variable, Tensor):
        raise type_error("variable", "a Variable or a Tensor", variable, "set_dynamic_shape")


__all__ = ["TracedLayer", "ignore_module", "load", "not_to_static", "save", "to_static"]

__getattr__ = missing(__name__)
