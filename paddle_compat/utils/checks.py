"""Checks of the installation and of versions."""

from __future__ import annotations

import functools
import importlib
import warnings
from collections.abc import Callable
from types import ModuleType
from typing import Any, TypeVar

import numpy as np
import torch

from paddle_compat.version import full_version

_F = TypeVar("_F", bound=Callable[..., Any])


def try_import(module_name: str, err_msg: str | None = None) -> ModuleType:
    """Import a module, with a clear error where it is not installed.

    Args:
        module_name: its name.
        err_msg: the error's text.
    Returns:
        The module.
    Raises:
        ImportError: it is not installed.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.utils.try_import("json").__name__
        'json'

    Follows Paddle 2.6.
    """
    try:
        return importlib.import_module(module_name)
    except ImportError as error:
        text = f"`{module_name}` is needed here and not installed. Install it with `pip install {module_name}`."
        raise ImportError(err_msg or text) from error


def require_version(min_version: str, max_version: str | None = None) -> None:
    """Raise where Paddle is older than `min_version` or newer than `max_version`.

    Args:
        min_version, max_version: such as "2.0.0".
    Raises:
        TypeError, ValueError: an argument is no version.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.utils.require_version("2.0.0")

    Follows Paddle 2.6; `paddle_compat` speaks 1.8 and all later versions.
    """
    from paddle_compat.static.versions import require_version as check

    check(min_version, max_version)


class VisibleDeprecationWarning(UserWarning):
    """A warning of something deprecated that Python shows by default.

    Example:
        >>> from paddle_compat.utils.checks import VisibleDeprecationWarning
        >>> issubclass(VisibleDeprecationWarning, DeprecationWarning)
        False

    Follows Paddle 3.3.
    """


def deprecated(update_to: str = "", since: str = "", reason: str = "", level: int = 0) -> Callable[[_F], _F]:
    """Decorator: the function's documentation says that it is deprecated, and calling it may warn or raise.

    Args:
        update_to: what to use instead; its name begins with "paddle.".
        since: the version since when; before it nobody warns.
        reason: why.
        level: 0 leaves calls alone, 1 warns, 2 raises.
    Returns:
        The decorator.
    Raises:
        AssertionError: an argument is none of these.
        RuntimeError: the function is called, and the level is 2.

    Example:
        >>> import paddle_compat as paddle
        >>> @paddle.utils.deprecated(update_to="paddle.new", since="2.0.0")
        ... def old():
        ...     "Give one."
        ...     return 1
        >>> old.__doc__.split()[-7:]
        ['versions.', 'Please', 'use', '"paddle.new"', 'instead.', 'Give', 'one.']

    Follows Paddle 3.3; in 2.6.2 it is switched off.
    """
    for name, value in (("update_to", update_to), ("since", since), ("reason", reason)):
        if not isinstance(value, str):
            raise _wrong(name, "text", value)
    if not isinstance(level, int) or level not in (0, 1, 2):
        raise _wrong("level", "0, 1 or 2", level)
    since, update_to, reason = since.strip(), update_to.strip(), reason.strip()
    if update_to and not update_to.startswith("paddle."):
        raise _wrong("update_to", 'a name that begins with "paddle."', update_to)

    def decorate(function: _F) -> _F:
        api = f"{function.__module__}.{function.__name__}"
        text = f'API "{api}" is deprecated' + (f" since {since}" if since else "") + ", and will be removed in future versions."
        text += f' Please use "{update_to}" instead.' if update_to else ""
        text += f"\n    Reason: {reason}" if reason else ""
        function.__doc__ = f"\n\nWarning:\n    {text}\n\n{function.__doc__ or ''}"
        if level == 0:
            return function

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            if level == 2:
                raise RuntimeError(f'API "{api}" has been deprecated.')
            if not since or _numbers(since) <= _numbers(full_version):
                warnings.warn(f"\033[93m\nWarning:\n{text} \033[0m", VisibleDeprecationWarning, stacklevel=2)
            return function(*args, **kwargs)

        return call  # type: ignore[return-value]

    return decorate


def _wrong(argument: str, expected: str, received: object) -> AssertionError:
    return AssertionError(f"Invalid value for argument `{argument}` of `deprecated`. Expected {expected}. Received: {received!r}")


def _numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]


def run_check() -> None:
    """Train a small network and say on which devices that works.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.utils.run_check()  # doctest: +ELLIPSIS
        paddle_compat works on ...

    Follows Paddle 2.6.
    """
    from paddle_compat.core import mode, unique_name
    from paddle_compat.core.place import CPUPlace, CUDAPlace
    from paddle_compat.core.program import Program, program_guard
    from paddle_compat.core.scope import Scope, scope_guard
    from paddle_compat.nn.initializer import Constant
    from paddle_compat.optimizer import SGD
    from paddle_compat.static.executor import Executor
    from paddle_compat.tensor import mean

    place: Any = CUDAPlace(0) if torch.cuda.is_available() else CPUPlace()
    main, startup = Program(), Program()
    with mode.inside(static=True), unique_name.guard(), program_guard(main, startup), scope_guard(Scope()):
        from paddle_compat.static.nn import fc

        x = main.global_block()._add_var(name="x", shape=[-1, 4], dtype="float32", is_data=True, stop_gradient=True)
        loss = mean(fc(x, 2, weight_attr=Constant(0.5)))  # which draws no random numbers
        SGD(0.1).minimize(loss)
        executor = Executor(place)
        executor.run(startup)
        executor.run(main, feed={"x": np.ones((2, 4), "float32")}, fetch_list=[loss])
    unique_name.generate("linear")  # the wheels' check makes one, so that what comes later has other names
    print(f"paddle_compat works on {place}, over torch {torch.__version__}.")
