"""`paddle.base.dygraph.base`: eager mode on and off, and Tensors from arrays."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch

from paddle_compat._missing import missing
from paddle_compat.autograd._grad import grad
from paddle_compat.autograd._modes import enable_grad, is_grad_enabled, no_grad_, set_grad_enabled  # noqa: F401 - harnesses ask here
from paddle_compat.base.wrapped_decorator import signature_safe_contextmanager  # noqa: F401 - as above
from paddle_compat.core import capture, mode, unique_name
from paddle_compat.core.mode import disable_static as enable_dygraph
from paddle_compat.core.mode import enable_static as disable_dygraph
from paddle_compat.core.mode import in_dygraph_mode as enabled
from paddle_compat.core.program import default_main_program, default_startup_program
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable


@contextmanager
def guard(place: Any = None) -> Iterator[None]:
    """Eager mode inside: new default Programs, and names from the start.

    Args:
        place (CPUPlace|CUDAPlace|str): where values go; None: where they go outside.
    Returns:
        A context manager.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> with paddle.base.dygraph.guard():
        ...     paddle.nn.Linear(2, 3).weight.name
        'linear_0.w_0'
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    from paddle_compat.base.framework import _dygraph_place_guard, _get_paddle_place

    with mode.eager_guard(), torch.enable_grad(), _dygraph_place_guard(_get_paddle_place(place)):
        yield


def no_grad(func: Callable[..., Any] | None = None) -> Any:
    """No gradients inside: a context manager, or a decorator.

    Args:
        func (callable): a function to decorate; None for a context manager.
    Returns:
        The decorated function, or the context manager.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.to_tensor([2.0], stop_gradient=False)
        >>> with paddle.base.dygraph.no_grad():
        ...     (x * 2).stop_gradient
        True

    Follows Paddle 2.6.
    """
    return no_grad_() if func is None else no_grad_()(func)


def to_variable(value: Any, name: str | None = None, zero_copy: bool | None = None, dtype: Any = None) -> Any:
    """A Tensor from an array or lists; gradients stop at it.

    Args:
        value (numpy.ndarray|list|tuple|Tensor|Variable): the values; a Tensor or a Variable is given back.
        name (str): None: a new one.
        zero_copy (bool): of no effect; the array is copied.
        dtype (str|VarType): None: the array's.
    Returns:
        Tensor.
    Raises:
        TypeError: it is none of these.
        AssertionError: it is an array or a list, and eager mode is off.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.base.dygraph.to_variable([1, 2]).numpy()
        array([1, 2])

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor._from_data import values

    if not isinstance(value, (list, tuple, np.ndarray, Tensor, Variable)):
        raise TypeError(
            f"Invalid type for argument `value` of `to_variable`. Expected a list, a tuple, numpy.ndarray, Tensor or Variable. Received: "
            f"{type(value).__name__}"
        )
    if isinstance(value, (Tensor, Variable)):
        return value
    if not enabled() and capture.current is None:
        raise AssertionError("`to_variable` expects eager mode (call `paddle.disable_static()`). Received: a call in static mode")
    if zero_copy:
        warnings.warn("Currently, zero_copy is not supported, and it will be discarded.", stacklevel=2)
    return Tensor(values(np.array(value), dtype), unique_name.generate("generated_tensor") if name is None else name)


def switch_to_static_graph(func: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function run in static mode, whatever the mode is where it is called.

    Args:
        func: the function.
    Returns:
        The function.

    Example:
        >>> import paddle_compat as paddle
        >>> @paddle.base.dygraph.base.switch_to_static_graph
        ... def record():
        ...     return paddle.in_dynamic_mode()
        >>> record(), paddle.in_dynamic_mode()
        (False, True)

    Follows Paddle 2.6.
    """

    @functools.wraps(func)
    def call(*args: Any, **kwargs: Any) -> Any:
        with mode.inside(static=True):
            return func(*args, **kwargs)

    return call


_switch_to_static_graph_ = switch_to_static_graph


@contextmanager
def _switch_tracer_mode_guard_(is_train: bool = True) -> Iterator[None]:
    """Whether gradients are remembered inside; as it is in static mode."""
    if not enabled():
        yield
        return
    with torch.set_grad_enabled(is_train):
        yield


@contextmanager
def param_guard(parameters: Any) -> Iterator[None]:
    """A layer's parameters inside: in a recording each becomes a Variable where an operator takes it, so nothing is to be done.

    Args:
        parameters (dict): name -> parameter.
    Returns:
        A context manager.

    Example:
        >>> from paddle_compat.base.dygraph.base import param_guard
        >>> with param_guard({}):
        ...     pass

    Follows Paddle 2.6.
    """
    yield


@contextmanager
def program_desc_tracing_guard(enable: bool) -> Iterator[None]:
    """Where a layer builds itself at its first call: what fills its parameters is no part of a recording here, so nothing is to be done.

    Args:
        enable (bool): whether a recording should see what is done inside.
    Returns:
        A context manager.

    Example:
        >>> from paddle_compat.base.dygraph.base import program_desc_tracing_guard
        >>> with program_desc_tracing_guard(False):
        ...     pass

    Follows Paddle 2.6.
    """
    yield


@contextmanager
def _to_static_mode_guard_(is_to_static: bool = True) -> Iterator[None]:
    """Record eager layers that are called inside into the default Program, in static mode; without it nothing changes.

    Args:
        is_to_static (bool): whether to record.
    Returns:
        A context manager.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.Linear(2, 3)
        >>> paddle.enable_static()
        >>> main = paddle.static.Program()
        >>> with paddle.static.program_guard(main), paddle.base.dygraph.base._to_static_mode_guard_():
        ...     _ = layer(paddle.static.data("x", [4, 2]))
        >>> paddle.disable_static()
        >>> [op.type for op in main.global_block().ops]
        ['matmul_v2', 'elementwise_add']

    Follows Paddle 2.6.
    """
    if not is_to_static or enabled() or capture.current is not None:
        yield
        return
    from paddle_compat.jit.dy2static import program_translator  # noqa: F401 - it says what the layers' code goes through

    with capture.capturing(capture.Capture(into=(default_main_program(), default_startup_program()))):
        yield


def in_to_static_mode() -> bool:
    """Whether `paddle.jit.to_static` is recording.

    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.base.dygraph.base.in_to_static_mode()
        False

    Follows Paddle 2.6.
    """
    return capture.current is not None


in_declarative_mode = in_to_static_mode

__all__ = ["disable_dygraph", "enable_dygraph", "enabled", "grad", "guard", "no_grad", "no_grad_", "to_variable"]

__getattr__ = missing(__name__)
