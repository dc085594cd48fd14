"""Every exception that paddle_compat raises on purpose, on one page.

EnforceNotMet                     what real Paddle 1.8 raises for any failed check (a RuntimeError)
|-- InvalidArgumentError          also ValueError          |-- PreconditionNotMetError   also RuntimeError
|-- NotFoundError                 also RuntimeError        |-- PermissionDeniedError     also RuntimeError
|-- OutOfRangeError               also IndexError          |-- ExecutionTimeoutError     also RuntimeError
|-- AlreadyExistsError            also RuntimeError        |-- UnavailableError          also RuntimeError
|-- ResourceExhaustedError        also MemoryError         |-- FatalError                also SystemError
|-- UnimplementedError            also NotImplementedError |-- ExternalError             also OSError
|-- WrongInputError               also ValueError and TypeError     |-- FailedAssertionError   also ValueError and AssertionError
|-- WrongPlaceError               also ValueError and IndexError
|-- UnreadableFileError           also ValueError, EOFError and UnpicklingError: a file that is empty, cut off, foreign or not to be trusted
UnknownDtypeError                 no data type (a TypeError and a ValueError)
EOFException                      a reader is exhausted
UnsupportedError                  an API of Paddle's that is not there (NotImplementedError and AttributeError, so `hasattr` says False)
|-- UnknownOperatorError          also ValueError: an operator that is not there

Paddle 2.x maps each of its error codes to a Python exception; deriving from both makes `except` clauses of either age work.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Sequence
from pickle import UnpicklingError
from types import FrameType
from typing import Any

# What `with program_guard(...)` runs between a script's line and ours.
_CONTEXTS = contextlib.__file__
PACKAGE_ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class EnforceNotMet(RuntimeError):
    """A check of Paddle's failed.

    Example:
        >>> from paddle_compat.base import core
        >>> issubclass(core.EnforceNotMet, RuntimeError)
        True

    Follows Paddle 1.8 and 2.6.
    """


class InvalidArgumentError(EnforceNotMet, ValueError):
    """A value is not what the operator or function takes."""


class UnreadableFileError(InvalidArgumentError, EOFError, UnpicklingError):
    """A file is empty, cut off, another program's, or names what it may not: a ValueError in 2.x, in 1.8 what `pickle` raises."""


class WrongInputError(TypeError, InvalidArgumentError):
    """A value of a wrong type: 2.6 raises ValueError where C++ sees it (in eager mode), TypeError where Python does (recording)."""


class FailedAssertionError(InvalidArgumentError, AssertionError):
    """A value that Paddle's Python asserts something of; where C++ sees it first, it is an invalid argument."""


class UnknownDtypeError(TypeError, ValueError):
    """No data type: Paddle 1.x calls it a wrong value, 2.x a wrong type."""


class NotFoundError(EnforceNotMet):
    """A variable, operator or file is not there."""


class OutOfRangeError(EnforceNotMet, IndexError):
    """An index lies outside its range."""


class WrongPlaceError(OutOfRangeError, InvalidArgumentError):
    """A dimension or index that is not there: some of Paddle's operators call it out of range, others an invalid argument."""


class AlreadyExistsError(EnforceNotMet):
    """A thing of that name is there already."""


class ResourceExhaustedError(EnforceNotMet, MemoryError):
    """A device or the host has no memory left."""


class PreconditionNotMetError(EnforceNotMet):
    """Something must be done first."""


class NoDeviceError(PreconditionNotMetError, InvalidArgumentError):
    """A GPU was asked for where there is none: Paddle's Python raises ValueError, what lies below it its own error."""


class PermissionDeniedError(EnforceNotMet):
    """The operation is not allowed."""


class ExecutionTimeoutError(EnforceNotMet):
    """The operation did not end in time.

    Attributes:
        processes: the numbers of the processes of a job that were waited for.
    """

    processes: Sequence[int] = ()


class UnimplementedError(EnforceNotMet, NotImplementedError):
    """Paddle itself does not implement this combination."""


class UnavailableError(EnforceNotMet):
    """A service, or another process of a job, is not reachable now.

    Attributes:
        processes: the numbers of the processes that are gone.
    """

    processes: Sequence[int] = ()


class FatalError(EnforceNotMet, SystemError):
    """An internal invariant is broken."""


class ExternalError(EnforceNotMet, OSError):
    """A third-party library failed."""


class EOFException(Exception):
    """A reader has no more data in this pass.

    Example:
        >>> from paddle_compat.base import core
        >>> issubclass(core.EOFException, Exception)
        True

    Follows Paddle 1.8 and 2.6.
    """


class UnsupportedError(NotImplementedError, AttributeError):
    """An API of Paddle's that paddle_compat does not have.

    Args:
        api: the API's Paddle name, for example ``paddle.static.nn.foo``.
        argument: the argument or value that is not supported, when the API itself is.
        instead: what to use instead.
    """

    def __init__(self, api: str, argument: str | None = None, instead: str | None = None) -> None:
        self.api, self.argument, self.instead = api, argument, instead
        self.where = caller_location()
        what = f"`{api}`" + (f" with {argument}" if argument else "")
        text = f"{what} is not supported by paddle_compat (called at {self.where})."
        if instead:
            text += f" Use {instead} instead."
        super().__init__(text)

    def __reduce__(self) -> tuple[Any, ...]:
        # rebuilt without __init__: its message is whole, and names the line that raised it, not the one that loads it
        return _rebuilt, (type(self), self.args), self.__dict__


def _rebuilt(kind: type[UnsupportedError], args: tuple[Any, ...]) -> UnsupportedError:
    error = kind.__new__(kind)
    error.args = args
    return error


def missing_member(api: str) -> Callable[[object, str], Any]:
    """The `__getattr__` of a public class: what its instances do not have is not supported.

    Args:
        api: the class's Paddle name.
    """

    def __getattr__(self: object, name: str) -> Any:
        if name.startswith("_"):  # questions of Python's and our own
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        raise UnsupportedError(f"{api}.{name}")

    return __getattr__


class UnknownOperatorError(UnsupportedError, ValueError):
    """An operator that paddle_compat does not have.

    Args:
        type: the operator's type.
    """

    def __init__(self, type: str) -> None:
        super().__init__(f"operator {type}", None, "an operator that paddle_compat has")


def also_fatal(kind: type[BaseException], text: str) -> BaseException:
    """An exception of a kind that came from elsewhere (a worker process, a reader's thread), and a FatalError, which Paddle raises."""
    return _also(FatalError, kind, text)


def also_external(error: Exception) -> BaseException:
    """What a script's function raised while gradients are computed, still of its own kind, and an ExternalError, which Paddle raises."""
    if isinstance(error, (ExternalError, UnsupportedError)):
        return error
    return _also(ExternalError, type(error), f"(External) {type(error).__name__}: {error}")


def _also(paddles: type[EnforceNotMet], kind: type[BaseException], text: str) -> BaseException:
    if not issubclass(paddles, kind):
        try:
            # a KeyError would show the text's representation
            members = {"__module__": kind.__module__, "__str__": lambda error: error.args[0]}
            return type(kind.__name__, (kind, paddles), members)(text)
        except Exception:  # what the type is made of is not known here
            pass
    return paddles(text)


def caller_frame() -> FrameType | None:
    """The innermost frame that lies outside this package: the user's own line."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        name = frame.f_code.co_filename
        if not name.startswith((PACKAGE_ROOT, "<frozen")) and name != _CONTEXTS:
            return frame
        frame = frame.f_back
    return None


def caller_frames() -> list[FrameType]:
    """The frames that lie outside this package, the innermost first."""
    found: list[FrameType] = []
    frame = caller_frame()
    while frame is not None:
        if not frame.f_code.co_filename.startswith((PACKAGE_ROOT, "<frozen")):
            found.append(frame)
        frame = frame.f_back
    return found


def caller_location() -> str:
    """`file:line` of the user's call."""
    frame = caller_frame()
    return f"{frame.f_code.co_filename}:{frame.f_lineno}" if frame else "<unknown>"


def invalid_argument(name: str, expected: object, received: object, api: str | None = None) -> InvalidArgumentError:
    """The error for a bad value, naming argument, expectation and what came."""
    where = f" of `{api}`" if api else ""
    return InvalidArgumentError(
        f"Invalid value for argument `{name}`{where}. Expected {expected}. Received: {_shown(received)}"
    )


def failed_assertion(name: str, expected: object, received: object, api: str | None = None) -> FailedAssertionError:
    """The error where Paddle's Python asserts, naming argument, expectation and what came."""
    where = f" of `{api}`" if api else ""
    return FailedAssertionError(f"Invalid value for argument `{name}`{where}. Expected {expected}. Received: {received!r}")


def refused_shape(shape: Any) -> str:
    """What is wrong with the shape of a parameter, in the words that Paddle's tests look for."""
    if shape is None:
        return "The shape of Parameter should not be None. Expected known dimensions."
    return f"Each dimension of shape for Parameter must be greater than 0, but received {list(shape)}. Expected known dimensions."


def need_given(api: str, error: type[Exception] = FailedAssertionError, **values: object) -> None:
    """Refuse None, as many of Paddle's constructors do."""
    for name, value in values.items():
        if value is None:
            raise error(f"Invalid value for argument `{name}` of `{api}`. Expected a value. Received: None")


def type_error(name: str, expected: object, received: object, api: str | None = None) -> WrongInputError:
    """The error for a value of a wrong type, naming argument, expectation and what came."""
    where = f" of `{api}`" if api else ""
    return WrongInputError(
        f"Invalid type for argument `{name}`{where}. Expected {expected}. Received: {type(received).__name__} ({_shown(received, repr)})"
    )


# what torch and Python raise in an operator's function, and what Paddle calls that; the first that fits counts
_KINDS: tuple[tuple[type[Exception], type[EnforceNotMet]], ...] = (
    (NotImplementedError, UnimplementedError),
    (IndexError, WrongPlaceError),
    (TypeError, WrongInputError),
    (AssertionError, FailedAssertionError),
)


def refusal_kind(error: Exception) -> type[EnforceNotMet]:
    """The class in which to refuse an operator's inputs, given what its function raised."""
    if isinstance(error, AssertionError) and "out of bounds" in str(error):  # a dimension, in shape functions of torch before 2.13
        return WrongPlaceError
    return next((kind for raised, kind in _KINDS if isinstance(error, raised)), InvalidArgumentError)


def _shown(value: object, how: Callable[[object], str] = str) -> str:
    """A value in one line, whichever Paddle the Program follows."""
    own = getattr(type(value), "_shown", None)
    return own(value) if own is not None else how(value)
