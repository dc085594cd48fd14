"""`paddle.jit.dy2static.utils`: what stands for a variable that has no value yet, and errors of rewritten code."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from enum import Enum
from typing import Any, NoReturn

from paddle_compat._missing import missing
from paddle_compat.core import flags
from paddle_compat.jit.dy2static._harness import (  # noqa: F401 - harnesses take them from here
    GetterSetterHelper,
    _compatible_non_tensor_spec,
    ast_to_func,
    ast_to_source_code,
    func_to_source_code,
    index_in_list,
    is_builtin,
    is_paddle_func,
    make_hashable,
    type_name,
)
from paddle_compat.jit.dy2static._liveness import FunctionNameLivenessAnalysis, NameScope  # noqa: F401 - as above
from paddle_compat.jit.dy2static.utils_helper import (  # noqa: F401 - as above
    NodeVarType,
    is_api_in_module,
    is_dygraph_api,
    is_numpy_api,
    is_paddle_api,
)
from paddle_compat.utils.environments import BooleanEnvironmentVariable

RETURN_NO_VALUE_MAGIC_NUM = 1.77113e27
ENV_ENABLE_SOT = BooleanEnvironmentVariable("ENABLE_FALL_BACK", True)  # whether eager mode may take over where `full_graph` is not given
RE_PYNAME = "[a-zA-Z0-9_]+"
RE_PYMODULE = r"[a-zA-Z0-9_]+\."
ORIGI_INFO = "Original information of source code for ast node."


class Backend(Enum):
    """What runs recordings, as Paddle 3 tells them apart."""

    CINN = 0
    PHI = 1
    PCC = 2

    def is_cinn(self) -> bool:
        """Whether it compiles."""
        return self is Backend.CINN


def cinn_is_available() -> bool:
    """Whether Paddle's own compiler is there: what stands for it is PyTorch's, which harnesses need not test."""
    return False


def cinn_is_enabled(build_strategy: Any, backend: Any) -> bool:
    """Whether a recording is compiled with these options of `to_static`."""
    asked = backend in ("CINN", Backend.CINN) or getattr(build_strategy, "build_cinn_pass", False)
    return bool(asked or flags.get("FLAGS_use_cinn"))


class Dygraph2StaticException(Exception):
    """Code cannot be recorded as it is written.

    Args:
        message (str): why.

    Example:
        >>> from paddle_compat.jit.dy2static.utils import Dygraph2StaticException
        >>> raise Dygraph2StaticException("no")
        Traceback (most recent call last):
        ...
        paddle_compat.jit.dy2static.utils.Dygraph2StaticException: no

    Follows Paddle 2.6.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)


class UndefinedVar:
    """What a local variable of a rewritten function is before something is assigned to it; using it raises UnboundLocalError.

    Args:
        name (str): the variable's name.
    Raises:
        UnboundLocalError: it is used.

    Example:
        >>> from paddle_compat.jit.dy2static.utils import UndefinedVar
        >>> UndefinedVar("x") + 1
        Traceback (most recent call last):
        ...
        UnboundLocalError: local variable 'x' should be created before using it.

    Follows Paddle 2.6.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def check(self) -> NoReturn:
        """Raise.

        Raises:
            UnboundLocalError: always.

        Example:
            >>> from paddle_compat.jit.dy2static.utils import UndefinedVar
            >>> UndefinedVar("x").check()
            Traceback (most recent call last):
            ...
            UnboundLocalError: local variable 'x' should be created before using it.
        """
        raise UnboundLocalError(f"local variable '{self.name}' should be created before using it.")

    def _refuse(self, *args: Any, **kwargs: Any) -> NoReturn:
        self.check()

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __floordiv__ = __mod__ = _refuse
    __pow__ = __rpow__ = __matmul__ = __rmatmul__ = __and__ = __or__ = __xor__ = __neg__ = __invert__ = __abs__ = _refuse
    __lt__ = __le__ = __gt__ = __ge__ = __bool__ = __int__ = __float__ = __index__ = __len__ = __iter__ = __call__ = _refuse
    __getitem__ = __setitem__ = __contains__ = __enter__ = __exit__ = _refuse

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # what copying and numpy ask for
            raise AttributeError(name)
        self.check()


def parse_arg_and_kwargs(function: Callable[..., Any]) -> tuple[list[str], dict[str, Any]]:
    """How a function may be called.

    Args:
        function: the function, or method.
    Returns:
        Names of the arguments that may be given by position, without `self`, and the defaults of those that have one.
    Raises:
        TypeError: it is no function.

    Example:
        >>> from paddle_compat.jit.dy2static.utils import parse_arg_and_kwargs
        >>> parse_arg_and_kwargs(lambda x, axis=0, *rest, name=None: x)
        (['x', 'axis'], {'axis': 0})

    Follows Paddle 2.6.
    """
    taken = [each for each in inspect.signature(function).parameters.values() if each.kind is each.POSITIONAL_OR_KEYWORD]
    if taken and taken[0].name == "self":
        taken = taken[1:]
    return [each.name for each in taken], {each.name: each.default for each in taken if each.default is not each.empty}


def parse_varargs_name(function: Callable[..., Any]) -> str | None:
    """The name of the parameter that takes any further arguments by position.

    Args:
        function: the function, or method.
    Returns:
        The name; None where it takes no further ones.
    Raises:
        TypeError: it is no function.

    Example:
        >>> from paddle_compat.jit.dy2static.utils import parse_varargs_name
        >>> parse_varargs_name(lambda x, *rest: x)
        'rest'

    Follows Paddle 2.6.
    """
    return next((each.name for each in inspect.signature(function).parameters.values() if each.kind is each.VAR_POSITIONAL), None)


__all__ = ["Dygraph2StaticException", "RETURN_NO_VALUE_MAGIC_NUM", "UndefinedVar", "parse_arg_and_kwargs", "parse_varargs_name"]

__getattr__ = missing(__name__)
