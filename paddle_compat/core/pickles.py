"""Paddle's pickle files (`.pdparams`, `.pdopt`, whatever `paddle.save` writes), read without trusting them.

Reading goes through a whitelist: a pickle may build containers, numbers, strings, numpy arrays, and a few plain values of
the standard library (dates, paths, namespaces); whatever else it names is refused before it is looked up, so a file
executes nothing. Writing names numpy's modules as numpy 1 did,
because that is what the Pythons that real Paddle runs on can import.
"""

from __future__ import annotations

import argparse
import collections
import importlib
import io
import math
import os
import pickle
import shutil
import stat
import struct
import sys
import threading
import types
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, BinaryIO

import numpy as np

from paddle_compat.core.dtype import var_type
from paddle_compat.core.errors import UnreadableFileError, invalid_argument
from paddle_compat.core.random import GeneratorState, generator_state
from paddle_compat.core.safetensors import is_safetensors
from paddle_compat.core.streams import write_pieces

PathLike = str | os.PathLike[str]

_PLAIN: dict[str, Any] = {kind.__name__: kind for kind in (tuple, list, dict, set, frozenset, complex, slice)}
_PLAIN["Ellipsis"] = ...
# Types that a pickle may mention, as the default of a dict, but not call: a short text can make a number without end.
_MENTIONED: dict[str, type] = {"int": int, "long": int, "float": float, "bool": bool, "str": str, "unicode": str}
# Plain values of the standard library, which are made of what the file holds, and do nothing.
_VALUES = {
    "argparse": ("Namespace",),
    "types": ("SimpleNamespace",),
    "collections": ("OrderedDict", "Counter", "deque", "defaultdict"),
    "datetime": ("date", "datetime", "time", "timedelta", "timezone"),
    "decimal": ("Decimal",),
    "pathlib": ("PosixPath", "PurePosixPath", "PureWindowsPath"),
}
_NAMESPACES = (argparse.Namespace, types.SimpleNamespace)
_SLICES = "UnpackBigParamInfor@@"  # the key under which Paddle notes the arrays that it cut for old pickle protocols
_LARGEST_SLICE = 2**30 - 1
_LARGE = 1 << 16  # as many bytes and more are written from where they are, and looked for before they are read
# How files of other programs begin.
_FOREIGN = {
    b"PK\x03\x04": "a zip archive, as torch.save and numpy.savez write it",
    b"\x89PNG": "a PNG image",
    b"\x89HDF": "an HDF5 file",
    b"\x93NUMPY": "a file of numpy.save",
    b"\x1f\x8b": "a gzip archive",
    b"\xff\xd8\xff": "a JPEG image",
    b"<": "a text that begins with <",
    b"{": "a text that begins with {, such as JSON",
}
_TORCH_MAGIC = 0x1950A86A20F9469CFC6C  # the number that torch.save of old puts in front


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


def _bytearray(data: Any = b"", encoding: str = "latin-1") -> bytearray:
    """What a pickle spells as a call of `bytearray`, for which a number would stand for so many bytes."""
    return bytearray(_encode(data, encoding) if isinstance(data, str) else bytes(memoryview(data)))


def _defaultdict(factory: Any = None, *args: Any) -> collections.defaultdict[Any, Any]:
    """A dict whose defaults are empty containers, zeros, or texts without letters."""
    if factory not in (None, list, dict, set, *_MENTIONED.values()):
        raise pickle.UnpicklingError(f"defaults of {factory}")
    return collections.defaultdict(factory, *args)


def is_plain(kind: type) -> bool:
    """Whether a pickle may hold values of a type of the standard library's."""
    return kind.__name__ in _VALUES.get(kind.__module__.partition(".")[0], ())


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
        or [dim for dim in shape if type(dim) is not int or dim < 0]
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


def _call(call: Any, place: int) -> Any:
    """An opcode that calls what is so far down on the stack, unless a pickle may only mention that."""

    def load(unpickler: Any) -> None:
        called = unpickler.stack[place]
        if called in (int, float, bool, str):
            raise pickle.UnpicklingError(f"a call of {called.__name__}")
        call(unpickler)

    return load


class _Unpickler(pickle._Unpickler):
    """Builds only what is on the whitelist, and numpy values only from data that fit them.

    It is the one written in Python, which a damaged file cannot crash, and which can look at what numpy is to take.
    """

    dispatch = dict(pickle._Unpickler.dispatch)

    def __init__(self, file: _Bounded) -> None:
        super().__init__(file, encoding="latin1")
        self._file = file
        self._leave_frame()

    def load(self) -> Any:
        """As the base class does it, but that a frame's opcodes are read from the frame without a step between."""
        self.metastack: list[Any] = []
        self.stack: list[Any] = []
        self.append = self.stack.append
        self.proto = 0
        dispatch: Any = self.dispatch
        try:
            while True:
                key = self.read(1)
                if key:
                    dispatch[key[0]](self)
                elif self._framed:
                    self._leave_frame()
                else:
                    raise EOFError("no more bytes")
        except pickle._Stop as stop:  # type: ignore[attr-defined]
            return stop.value

    def _leave_frame(self) -> None:
        self._read_from(self._file, False)

    def _read_from(self, source: Any, framed: bool) -> None:
        self.read, self.readline, self._framed = source.read, source.readline, framed

    def load_frame(self) -> None:
        """Read a frame, which opcodes do not cross."""
        (size,) = struct.unpack("<Q", self.read(8))
        frame = self._file.read(size)
        if len(frame) < size or self._framed and self.read(1):
            raise EOFError(f"{size} bytes wanted, {len(frame)} left")
        stream = io.BytesIO(frame)
        self._read_from(stream, True)

    dispatch[pickle.FRAME[0]] = load_frame  # type: ignore[assignment]

    def find_class(self, module: str, name: str) -> Any:
        if module in ("builtins", "__builtin__") and name in _PLAIN:
            return _PLAIN[name]
        if module in ("builtins", "__builtin__") and name in _MENTIONED:
            return _MENTIONED[name]
        if (module, name) == ("collections", "defaultdict"):
            return _defaultdict
        package = module.partition(".")[0]  # newer Pythons have their paths in pathlib._local
        if name in _VALUES.get(package, ()):
            return getattr(importlib.import_module(package), name)
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
            "builtins.bytearray": _bytearray,
            "__builtin__.bytearray": _bytearray,
            "paddle_compat.core.dtype.var_type": var_type,
            "paddle_compat.core.random.generator_state": generator_state,
            "paddle.fluid.libpaddle.GeneratorState": GeneratorState,
            "paddle.base.libpaddle.GeneratorState": GeneratorState,
        }.get(f"{module}.{name}")
        if known is None:
            raise pickle.UnpicklingError(f"the forbidden name {module}.{name}; nothing was executed")
        return known

    def load_build(self) -> None:
        stack = self.stack
        state = stack.pop()
        if isinstance(stack[-1], np.ndarray):
            _set_array(stack[-1], state)
        elif isinstance(stack[-1], np.dtype):
            _set_dtype(stack[-1], state)
        elif type(stack[-1]) in _NAMESPACES and type(state) is dict:
            vars(stack[-1]).update((str(key), value) for key, value in state.items())
        elif type(stack[-1]) is GeneratorState and isinstance(state, tuple):
            stack[-1].take_over(state)
        else:
            raise pickle.UnpicklingError(f"a state of a {type(stack[-1]).__name__}")

    dispatch[pickle.BUILD[0]] = load_build  # type: ignore[assignment]
    for _code, _place in ((pickle.REDUCE, -2), (pickle.NEWOBJ, -2), (pickle.NEWOBJ_EX, -3)):
        dispatch[_code[0]] = _call(dispatch[_code[0]], _place)
    # opcodes of protocol 5, which Paddle never writes, and which may ask for any amount of memory
    for _code in (pickle.BYTEARRAY8, pickle.NEXT_BUFFER, pickle.READONLY_BUFFER):
        del dispatch[_code[0]]


_RECIPE: Any = np.zeros(1).__reduce__()
_RECONSTRUCT, _KIND = _RECIPE[0], _RECIPE[1][2]
_FRAME = 1 << 16  # after so many bytes a pickle of protocol 4 begins another frame
_INTEGER, _SHORT = struct.Struct("<i"), struct.Struct("<H")


class _Bounded:
    """A stream whose reader asks for no more bytes than it has: a damaged size costs no memory."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._end: int | None = None
        if file.seekable():
            here = file.tell()
            self._end = file.seek(0, os.SEEK_END)
            file.seek(here)

    def read(self, size: int) -> bytes:
        if size >= _LARGE and self._end is not None and size > (left := self._end - self._file.tell()):
            raise EOFError(f"{size} bytes wanted, {left} left")
        return self._file.read(size)

    def readline(self) -> bytes:
        line = self._file.readline()
        if not line.endswith(b"\n"):
            raise EOFError("no end of a line")
        return line


class _Elements:
    """Stands for the bytes of an array, which are written from where they are."""

    __slots__ = ("array",)

    def __init__(self, array: np.ndarray) -> None:
        self.array = array


class _Pickler(pickle._Pickler):
    """Writes numpy's modules by their old names and large arrays without copying them.

    The pickler written in C offers neither.
    """

    dispatch = dict(pickle._Pickler.dispatch)

    def save_global(self, obj: Any, name: str | None = None) -> None:
        module = getattr(obj, "__module__", None) or ""
        if not module.startswith("numpy._core"):
            super().save_global(obj, name)  # type: ignore[misc]
            return
        module = sys.intern(module.replace("numpy._core", "numpy.core", 1))
        name = name or obj.__name__
        if self.proto >= 4:  # type: ignore[attr-defined]
            self.save(module)  # type: ignore[attr-defined]
            self.save(name)  # type: ignore[attr-defined]
            self.write(pickle.STACK_GLOBAL)  # type: ignore[attr-defined]
        else:
            self.write(pickle.GLOBAL + f"{module}\n{name}\n".encode())  # type: ignore[attr-defined]
        self.memoize(obj)  # type: ignore[attr-defined]

    def save_array(self, array: np.ndarray) -> None:
        """As an array pickles itself, but for its bytes."""
        if self._saved_like_others(array):
            return
        recipe: Any = array.__reduce__() if array.nbytes < _LARGE else None
        if recipe is None and self.proto >= 3 and not array.dtype.hasobject and array.flags.forc:  # type: ignore[attr-defined]
            fortran = array.flags.f_contiguous and not array.flags.c_contiguous
            state = (1, array.shape, array.dtype, fortran, _Elements(array.T if fortran else array))
            recipe = (*np.empty(0, array.dtype).__reduce__()[:2], state)
        self.save_reduce(*(recipe or array.__reduce__()), obj=array)  # type: ignore[attr-defined]

    def _saved_like_others(self, array: np.ndarray) -> bool:
        """Write a small array at once, when one before it has left all names in the memo; gives whether it did.

        What it writes are the opcodes that the general way writes, in frames that end at the same places.
        """
        memo: dict[int, tuple[int, Any]] = self.memo  # type: ignore[attr-defined]
        frame = self.framer.current_frame  # type: ignore[attr-defined]
        dtype, flags, size = array.dtype, array.flags, array.nbytes
        shared = [memo.get(id(thing)) for thing in (_RECONSTRUCT, np.ndarray, _KIND, dtype)]
        if frame is None or self.proto < 4 or not 1 < size < _LARGE or dtype.hasobject or not flags.forc or None in shared:  # type: ignore[attr-defined]
            return False
        if frame.tell() + size + 200 >= _FRAME or len(array.shape) > 32:
            return False
        get, int_of = self.get, _INTEGER.pack  # type: ignore[attr-defined]
        function, kind, letter, described = [get(found[0]) for found in shared if found is not None]
        shape = b"".join([b"K" + bytes((n,)) if n < 256 else b"M" + _SHORT.pack(n) if n < 65536 else b"J" + int_of(n) for n in array.shape])
        ends = (b")", b"\x85\x94", b"\x86\x94", b"\x87\x94")
        shape = shape + ends[array.ndim] if array.ndim < 4 else b"(" + shape + b"t\x94"
        fortran = flags.f_contiguous and not flags.c_contiguous
        data = array.tobytes("A")
        length = b"C" + bytes((size,)) if size < 256 else b"B" + int_of(size)
        order = b"\x88" if fortran else b"\x89"
        parts = (function, kind, b"K\x00\x85\x94", letter, b"\x87\x94R\x94(K\x01", shape, described, order, length, data, b"\x94t\x94b")
        frame.write(b"".join(parts))
        for i in range(6 if array.ndim else 5):  # what was memoized: two tuples, the array, its shape, bytes and state
            memo[id(array) if i == 2 else -len(memo)] = len(memo), array
        return True

    def save_elements(self, elements: _Elements) -> None:
        """The bytes of a large array."""
        data = elements.array.reshape(-1).view(np.uint8)
        if data.size < 1 << 32:
            header = pickle.BINBYTES + struct.pack("<I", data.size)
        elif self.proto < 4:  # type: ignore[attr-defined]
            raise invalid_argument("protocol", f"4, as an array has {data.size} bytes", self.proto)  # type: ignore[attr-defined]
        else:
            header = pickle.BINBYTES8 + struct.pack("<Q", data.size)
        whole = memoryview(data)  # type: ignore[arg-type]
        self._write_large_bytes(header, whole[:0])  # type: ignore[attr-defined]
        write_pieces(self.framer.file_write, whole)  # type: ignore[attr-defined]
        self.memoize(elements)  # type: ignore[attr-defined]

    dispatch[np.ndarray] = save_array  # type: ignore[assignment]
    dispatch[_Elements] = save_elements  # type: ignore[assignment]


def load_pickle(file: PathLike | BinaryIO) -> Any:
    """Read a pickle of containers, numbers, strings and numpy arrays.

    Args:
        file: a path, or a binary stream that stands at the pickle.

    Returns:
        The object; arrays that Paddle cut into slices for an old pickle protocol are whole again.

    Raises:
        UnreadableFileError: the file is empty, truncated or no pickle, or names something that is not on the whitelist.

    Example:
        >>> import io
        >>> load_pickle(io.BytesIO(pickle.dumps({"w": np.ones(2, "float32")})))["w"].tolist()
        [1.0, 1.0]
    """
    if isinstance(file, (str, os.PathLike)):
        with open(file, "rb") as stream:
            return load_pickle(stream)
    start = file.tell() if file.seekable() else None
    try:
        value = _Unpickler(_Bounded(file)).load()
        if type(value) is int and value == _TORCH_MAGIC:
            raise pickle.UnpicklingError("a file of torch.save")
        return _join_slices(value)
    except Exception as error:  # a damaged pickle can raise anything
        raise _unreadable(file, start, error) from error


def _unreadable(file: BinaryIO, start: int | None, error: Exception) -> UnreadableFileError:
    """What is wrong with a file: it is another program's, empty, cut off, or names what it may not."""
    source, where, head, size = getattr(file, "name", "<bytes>"), "unknown", b"?", 0
    if start is not None:
        where = str(file.tell())
        size = file.seek(0, os.SEEK_END)
        file.seek(start)
        head = file.read(64)
    foreign = [what for begin, what in _FOREIGN.items() if head.startswith(begin)]
    if not head:
        found = "an empty file"
    elif "forbidden name" in str(error):
        found = str(error)
    elif foreign:
        found = foreign[0]
    elif is_safetensors(head, size):
        found = "a file of safetensors, which `paddle.load(..., safetensors=True)` reads"
    elif head[:1] != b"\x80" and head.isascii() and " ".join(head.decode().split()).isprintable():
        found = f"a text, {head[:20].decode()!r}"
    elif isinstance(error, EOFError) or "truncated" in str(error) or "exhausted" in str(error):
        found = f"{size} bytes that end too early: the file is truncated ({error or 'no more bytes'})"
    else:
        found = str(error) or type(error).__name__
    return UnreadableFileError(
        f"Invalid file {source}, byte {where}. Expected a pickle of containers, numbers, strings and numpy arrays. Received: {found}"
    )


def save_pickle(
    value: Any, file: PathLike | BinaryIO, protocol: int = 4, reducers: Mapping[type, Callable[[Any], Any]] | None = None
) -> None:
    """Pickle a value so that every age of Paddle can read it.

    Args:
        value: containers, numbers, strings and numpy arrays.
        file: a path, or a binary stream to write to.
        protocol: pickle's protocol, 2 to 4. Below 4, dict entries of 2**30 bytes and more are cut into
            slices, as Paddle does.
        reducers: how objects of other types are written, as `copyreg.dispatch_table` says it.

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
            save_pickle(value, stream, protocol, reducers)
    else:
        pickler = _Pickler(file, protocol)
        if reducers is not None:
            pickler.dispatch_table = reducers
        pickler.dump(_cut_slices(value) if protocol < 4 else value)


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
    path = os.path.realpath(path)  # what a link stands for is replaced, not the link
    before = os.stat(path) if os.path.exists(path) else None
    if before is not None and not stat.S_ISREG(before.st_mode):  # a pipe or a device cannot be replaced; a folder raises
        with open(path, "wb") as stream:
            yield stream
        return
    draft = os.path.join(os.path.dirname(path), f".{os.path.basename(path)[:64]}.{os.getpid()}.{threading.get_ident()}.part")
    try:
        with open(draft, "wb") as stream:
            yield stream
        if before is not None:
            shutil.copymode(path, draft)
        os.replace(draft, path)
    except BaseException:
        if os.path.exists(draft):
            os.unlink(draft)
        raise


def remove_drafts(path: PathLike) -> None:
    """Remove what writers of a file left who were killed (see `replacing`); nobody may be writing it now."""
    folder, name = os.path.split(os.path.realpath(path))
    for draft in os.listdir(folder):
        if draft.startswith(f".{name[:64]}.") and draft.endswith(".part"):
            os.unlink(os.path.join(folder, draft))


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
