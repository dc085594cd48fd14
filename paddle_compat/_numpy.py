"""NumPy as Paddle's scripts know it.

Paddle's wheels come with NumPy 1.x, and scripts lean on what NumPy has taken away since: `"%f" % loss` of the one element that a
run returns, `numpy.int`, a list of scalars that prints as numbers. Only what would be an error otherwise is put back.
"""

from __future__ import annotations

import ctypes
import functools
import math
from typing import Any

import numpy

# What each name stood for. `numpy.bool` and `numpy.long` came back with another meaning in 2.0, and keep it there.
_NAMES: dict[str, Any] = {
    **{kind.__name__: kind for kind in (bool, complex, float, int, object, str)},
    **dict.fromkeys(("Inf", "Infinity", "PINF", "infty"), math.inf),
    **dict.fromkeys(("NAN", "NaN"), math.nan),
    "ComplexWarning": "exceptions.ComplexWarning",
    "NINF": -math.inf,
    "RankWarning": "exceptions.RankWarning",
    "VisibleDeprecationWarning": "exceptions.VisibleDeprecationWarning",
    "alen": len,
    "alltrue": "all",
    "asfarray": lambda a, dtype=float: numpy.asarray(a, dtype if numpy.issubdtype(dtype, numpy.inexact) else float),
    "asscalar": lambda a: a.item(),
    "bool8": "bool_",
    "cfloat": "complex128",
    "complex_": "complex128",
    "cumproduct": "cumprod",
    "float_": "float64",
    "in1d": lambda ar1, ar2, assume_unique=False, invert=False: numpy.isin(numpy.ravel(ar1), ar2, assume_unique, invert),
    "int0": "intp",
    "long": int,
    "mat": "asmatrix",
    "math": math,
    "msort": lambda a: numpy.sort(a, axis=0),
    "product": "prod",
    "round_": "round",
    "row_stack": "vstack",
    "singlecomplex": "complex64",
    "sometrue": "any",
    "string_": "bytes_",
    "trapz": "trapezoid",
    "uint0": "uintp",
    "unicode": str,
    "unicode_": "str_",
}
_IMMUTABLE = 1 << 8  # Py_TPFLAGS_IMMUTABLETYPE


def restore() -> None:
    """Put back the names that NumPy took away, and the conversion of arrays of one element to Python numbers (gone in 2.4)."""
    for name, meaning in _NAMES.items():
        if name not in vars(numpy):
            value = meaning
            for part in meaning.split(".") if isinstance(meaning, str) else ():
                value = getattr(numpy if value is meaning else value, part, None)
            if value is not None:  # an older NumPy has another name for it
                setattr(numpy, name, value)
    if _release() >= (2, 4):
        _convert_one_element()


def print_scalars_plainly() -> None:
    """Let scalars in lists print as NumPy 1.x prints them: `[0.5]`, not `[np.float32(0.5)]`."""
    if _release() >= (2, 0):
        numpy.set_printoptions(legacy="1.25")


def take_lists_of_unequal_lengths() -> None:
    """Let lists of unequal lengths become arrays of objects, as they did before NumPy 1.24."""
    if _release() >= (1, 24):
        for name in ("array", "asarray", "asanyarray"):
            setattr(numpy, name, _of_unequal_lengths(getattr(numpy, name)))


def _release() -> tuple[int, int]:
    major, minor = numpy.__version__.split(".")[:2]
    return int(major), int(minor)


def _convert_one_element() -> None:
    """Give arrays `__float__` and `__int__` that pass over dimensions of size 1.

    `"%f" % array` asks the type, so it is the type that has to change, and Python lets nobody assign to one made in C. The flag
    that says so is taken off meanwhile; where it does not lie where CPython has it, nothing is done.
    """
    flags = ctypes.c_ulong.from_address(id(numpy.ndarray) + object.__basicsize__ + 19 * ctypes.sizeof(ctypes.c_void_p))
    if flags.value != numpy.ndarray.__flags__ or hasattr(numpy.ndarray.__float__, "__wrapped__"):
        return
    flags.value &= ~_IMMUTABLE
    try:
        for name in ("__float__", "__int__"):
            setattr(numpy.ndarray, name, _of_one_element(getattr(numpy.ndarray, name)))
    finally:
        flags.value |= _IMMUTABLE


def _of_one_element(original: Any) -> Any:
    def convert(array: Any) -> Any:
        return original(array.reshape(()) if array.ndim and array.size == 1 else array)

    convert.__name__, convert.__qualname__, convert.__doc__ = original.__name__, original.__qualname__, original.__doc__
    convert.__wrapped__ = original  # type: ignore[attr-defined]
    return convert


def _of_unequal_lengths(original: Any) -> Any:
    @functools.wraps(original)
    def convert(*args: Any, **kwargs: Any) -> Any:
        try:
            return original(*args, **kwargs)
        except ValueError as error:
            asked = args[1] if len(args) > 1 else kwargs.get("dtype")
            if asked is not None or "inhomogeneous shape" not in str(error):
                raise
        if len(args) > 1:
            return original(args[0], object, *args[2:], **kwargs)
        return original(*args, **kwargs | {"dtype": object})

    return convert
