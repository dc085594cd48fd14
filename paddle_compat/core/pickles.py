"""Paddle's pickle files (`.pdparams`, `.pdopt`, whatever `paddle.save` writes), read without trusting them.

Reading goes through a whitelist: a pickle may build containers, numbers, strings and numpy arrays; whatever else it
names is refused before it is looked up, so a file executes nothing. Writing names numpy's modules as numpy 1 did,
because that is what the Pythons that real Paddle runs on can import.
"""

from __future__ import annotations

import collections
import math
import os
import pickle
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

import numpy as np

from paddle_compat.core.errors import InvalidArgumentError, invalid_argument

PathLike = str | os.PathLike[str]

_PLAIN = {kind.__name__: kind for kind in (tuple, list, dict, set, frozenset, complex)}
_SLICES = "UnpackBigParamInfor@@"  # the key under which Paddle notes the arrays that it cut for old pickle protocols
_LARGEST_SLICE = 2**30 - 1


class _ArrayType:
    """Stands for the name `numpy.ndarray`, which a pickle may mention but not call."""

    def __new__(cls, *args: Any) -> _ArrayType:
        raise pickle.UnpicklingError("a call of numpy.ndarray")


def _encode(text: str, encoding: str) -> bytes:
    """Protocol 2 spells bytes as a call of `_codecs.encode` with latin1; no other codec is wanted."""
    if encoding not in ("latin1", "latin-1"):
        raise pickle.UnpicklingError(f"text encoded as {encoding}")
    return text.encode("latin1")


def _no_bytes() -> bytes:
    """Protocol 2 spells empty bytes as a call of `bytes`."""
    return b""


def _eval(expression: str, names: dict[str, Any]) -> Any:
    """Paddle pickles a LoDTensor as `eval("data", {"data": array})`: hand out the array, evaluate nothing."""
    if expression != "data" or set(names) != {"data"}:
        raise pickle.UnpicklingError(f"a call eval({expression!r})")
    return names["data"]


def _dtype(code: str, align: bool = False, copy: bool = False) -> np.dtype[Any]:
    """Plain numpy dtypes only; a forged structured one could describe memory that is not there."""
    # a copy, as numpy's own types are shared by the whole process and the byte order is set afterwards
    dtype = np.dtype(code, False, True) if isinstance(code, str) else None
    if dtype is None or dtype.kind not in "biufcSUO":
        raise pickle.UnpicklingError(f"an array of {code}")
    return dtype


def _set_dtype(dtype: Any, state: Any) -> None:
    """Set a type's byte order, which is all that may differ from what its code says."""
    expected = dtype.__reduce__()[2]
    if not isinstance(state, tuple) or state[2:] != expected[2:] or state[1:2] not in (("<",), (">",), ("=",), ("|",)):
        raise pickle.UnpicklingError(f"a description {state} of the type {dtype}")
    dtype.__setstate__((expected[0], *state[1:]))


def _array(kind: Any, shape: Any, code: Any) -> np.ndarray:
    """What `_reconstruct` gives: an empty array that is to be filled."""
    if kind is not _ArrayType:
        raise pickle.UnpicklingError(f"an array that is a {kind}")
    return np.ndarray((0,), "b")


def _set_array(array: Any, state: Any) -> None:
    """Fill an array, sure that numpy finds as many elements as it will take."""
    version, shape, dtype, fortran, data = state
    if isinstance(data, str):  # written by Python 2
        data = data.encode("latin1")
    size = math.prod(shape) * (1 if dtype.hasobject else dtype.itemsize)
    if (
        not isinstance(dtype, np.dtype)
        or not all(type(dim) is int and dim >= 0 for dim in shape)
        or type(data) is not (list if dtype.hasobject else bytes)
        or len(data) != size
        or array.size
    ):
        raise pickle.UnpicklingError(f"an array of shape {shape} and type {dtype} in {len(data)} bytes")
    array.__setstate__((1, shape, dtype, bool(fortran), data))


def _scalar(dtype: np.dtype[Any], data: Any) -> Any:
    if isinstance(data, str):
        data = data.encode("latin1")
    if not isinstance(dtype, np.dtype) or dtype.hasobject or type(data) is not bytes or len(data) != dtype.itemsize:
        raise pickle.UnpicklingError(f"a number of type {dtype}")
    return np.frombuffer(data, dtype)[0]


class _Unpickler(pickle._Unpickler):
    """Builds only what is on the whitelist, and numpy values only from data that fit them.

    It is the one written in Python, which a damaged file cannot crash, and which can look at what numpy is to take.
    """

    dispatch = dict(pickle._Unpickler.dispatch)

    def find_class(self, module: str, name: str) -> Any:
        if module in ("builtins", "__builtin__") and name in _PLAIN:
            return _PLAIN[name]
        known = {
            "builtins.bytes": _no_bytes,
            "__builtin__.bytes": _no_bytes,
            "builtins.eval": _eval,
            "__builtin__.eval": _eval,
            "numpy.core.multiarray._reconstruct": _array,
            "numpy._core.multiarray._reconstruct": _array,
            "numpy.core.multiarray.scalar": _scalar,
            "numpy._core.multiarray.scalar": _scalar,
            "numpy.ndarray": _ArrayType,
            "numpy.dtype": _dtype,
            "_codecs.encode": _encode,
            "collections.OrderedDict": collections.OrderedDict,
        }.get(f"{module}.{name}")
        if known is None:
            raise pickle.UnpicklingError(f"the name {module}.{name}")
        return known

    def load_build(self) -> None:
        stack: list[Any] = self.stack  # type: ignore[attr-defined]
        state = stack.pop()
        if isinstance(stack[-1], np.ndarray):
            _set_array(stack[-1], state)
        elif isinstance(stack[-1], np.dtype):
            _set_dtype(stack[-1], state)
        else:
            raise pickle.UnpicklingError(f"a state of a {type(stack[-1]).__name__}")

    dispatch[pickle.BUILD[0]] = load_build  # type: ignore[assignment]
    # opcodes of protocol 5, which Paddle never writes, and which may ask for any amount of memory
    for _code in (pickle.BYTEARRAY8, pickle.NEXT_BUFFER, pickle.READONLY_BUFFER):
        del dispatch[_code[0]]


class _Pickler(pickle._Pickler):  # the C pickler offers no way to choose the module that a name is written with
    def save_global(self, obj: Any, name: str | None = None) -> None:
        module = getattr(obj, "__module__", None) or ""
        if not module.startswith("numpy._core"):
            super().save_global(obj, name)  # type: ignore[misc]
            return
        module = module.replace("numpy._core", "numpy.core", 1)
        name = name or obj.__name__
        if self.proto >= 4:  # type: ignore[attr-defined]
            self.save(module)  # type: ignore[attr-defined]
            self.save(name)  # type: ignore[attr-defined]
            self.write(pickle.STACK_GLOBAL)  # type: ignore[attr-defined]
        else:
            self.write(pickle.GLOBAL + f"{module}\n{name}\n".encode())  # type: ignore[attr-defined]
        self.memoize(obj)  # type: ignore[attr-defined]


def load_pickle(file: PathLike | BinaryIO) -> Any:
    """Read a pickle of containers, numbers, strings and numpy arrays.

    Args:
        file: a path, or a binary stream that stands at the pickle.

    Returns:
        The object; arrays that Paddle cut into slices for an old pickle protocol are whole again.

    Raises:
        InvalidArgumentError: the file is truncated, is no pickle, or names something that is not on the whitelist.

    Example:
        >>> import io
        >>> load_pickle(io.BytesIO(pickle.dumps({"w": np.ones(2, "float32")})))["w"].tolist()
        [1.0, 1.0]
    """
    if isinstance(file, (str, os.PathLike)):
        with open(file, "rb") as stream:
            return load_pickle(stream)
    source = getattr(file, "name", "<bytes>")
    try:
        return _join_slices(_Unpickler(file, encoding="latin1").load())
    except Exception as error:  # a damaged pickle can raise anything
        where = file.tell() if file.seekable() else "unknown"
        raise InvalidArgumentError(
            f"Invalid file {source}, byte {where}. Expected a pickle of containers, numbers, strings and numpy arrays. "
            f"Received: {error or type(error).__name__}"
        ) from error


def save_pickle(value: Any, file: PathLike | BinaryIO, protocol: int = 4) -> None:
    """Pickle a value so that every age of Paddle can read it.

    Args:
        value: containers, numbers, strings and numpy arrays.
        file: a path, or a binary stream to write to.
        protocol: pickle's protocol, 2 to 4. Below 4, dict entries of 2**30 bytes and more are cut into
            slices, as Paddle does.

    Raises:
        InvalidArgumentError: the protocol is not 2, 3 or 4.

    Example:
        >>> import io
        >>> stream = io.BytesIO()
        >>> save_pickle({"a": 1}, stream, protocol=2)
        >>> len(stream.getvalue())
        17
    """
    if not isinstance(protocol, int) or isinstance(protocol, bool) or not 2 <= protocol <= 4:
        raise invalid_argument("protocol", "2, 3 or 4", repr(protocol))
    if isinstance(file, (str, os.PathLike)):
        with replacing(file) as stream:
            save_pickle(value, stream, protocol)
    else:
        _Pickler(file, protocol).dump(_cut_slices(value) if protocol < 4 else value)


@contextmanager
def replacing(path: PathLike) -> Iterator[BinaryIO]:
    """Open a file for writing that appears under its name only when all of it is written.

    Args:
        path: the file's final name; its folder must exist.

    Yields:
        A binary stream. If the block raises, the file that was there before stays as it was.

    Example:
        >>> with replacing("weights.bin") as stream:  # doctest: +SKIP
        ...     stream.write(b"...")
    """
    path = os.fspath(path)
    draft = f"{path}.{os.getpid()}.{threading.get_ident()}.part"
    try:
        with open(draft, "wb") as stream:
            yield stream
        os.replace(draft, path)
    except BaseException:
        if os.path.exists(draft):
            os.unlink(draft)
        raise


def _cut_slices(value: Any) -> Any:
    """Cut a dict's arrays of more than `_LARGEST_SLICE` bytes; note their shapes so that readers can join them."""
    if not isinstance(value, dict):
        return value
    whole: dict[Any, Any] = {}
    slices: dict[str, Any] = {}
    notes: dict[str, Any] = {}
    for key, array in value.items():
        size = _LARGEST_SLICE // array.dtype.itemsize if isinstance(array, np.ndarray) else 0
        if not size or array.size <= size:
            whole[key] = array
            continue
        flat = array.reshape(-1)
        parts = {f"{key}@@.{i}": flat[start : start + size] for i, start in enumerate(range(0, flat.size, size))}
        notes[key] = {"OriginShape": array.shape, "slices": list(parts)}
        slices.update(parts)
    return {**whole, **slices, _SLICES: notes} if notes else value


def _join_slices(value: Any) -> Any:
    if isinstance(value, dict) and isinstance(value.get(_SLICES), dict):
        for key, note in value.pop(_SLICES).items():
            parts = [value.pop(name) for name in note["slices"]]
            value[key] = np.concatenate(parts).reshape(note["OriginShape"])
    return value
