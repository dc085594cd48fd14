"""What `paddle.load` makes of files: pickles, single tensors, Programs, and the folders and prefixes of saved models."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from typing import Any, BinaryIO

import numpy as np
import torch

from paddle_compat.core import mode, unique_name
from paddle_compat.core.errors import EnforceNotMet, InvalidArgumentError
from paddle_compat.core.lod import LoDTensor, to_numpy
from paddle_compat.core.pickles import load_pickle
from paddle_compat.core.place import current_place
from paddle_compat.core.safetensors import read_safetensors
from paddle_compat.core.selected_rows import SelectedRows
from paddle_compat.core.serialize import model_file, program_from_bytes
from paddle_compat.core.streams import Reader, read_combined, read_selected_rows, read_tensor
from paddle_compat.core.tensor import Tensor
from paddle_compat.framework._to_file import NAMES, array_of
from paddle_compat.static._files import is_persistable

_BINARY = b"\0\0\0\0"  # version 0 of a tensor
# elements that Tensors have; uint16 stands for bfloat16
_KNOWN = {np.dtype(code).str for code in ("f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "c8", "c16", "?")}


def read(stream: BinaryIO, return_numpy: bool, keep_name_table: bool) -> Any:
    """Read what `paddle.save` or an operator wrote.

    Args:
        stream: stands at the value.
        return_numpy: give arrays instead of Tensors.
        keep_name_table: leave a state dict's table of names in it.
    Returns:
        The value.
    """
    start = stream.tell()
    head = stream.read(4)
    stream.seek(start)
    if head == _BINARY:
        return _binary(stream, return_numpy)
    if head[:1] == b"\n":  # a Program begins with its first block
        return program_from_bytes(stream.read(), str(getattr(stream, "name", "<bytes>")))
    value = load_pickle(stream)
    if isinstance(value, dict) and isinstance(value.get(NAMES), dict):
        return _state_dict(value, return_numpy, keep_name_table)
    return _Converter(value, return_numpy).convert(value)


def read_named(stream: BinaryIO, return_numpy: bool) -> dict[str, Any]:
    """Read a file of safetensors.

    Args:
        stream: stands at its beginning.
        return_numpy: give arrays instead of Tensors.
    Returns:
        Names and Tensors.
    """
    make = array_of if return_numpy else _maker("eager_tmp")
    return {name: make(value) for name, value in read_safetensors(stream).items()}


# ---- pickles
def _state_dict(value: dict[Any, Any], return_numpy: bool, keep_name_table: bool) -> dict[Any, Any]:
    names = value[NAMES] if keep_name_table else value.pop(NAMES)
    if not return_numpy:
        maker = _Converter(None, False)
        for key, item in value.items():
            if isinstance(item, np.ndarray):
                name = names.get(key)
                value[key] = maker.tensor(item, name if isinstance(name, str) else None)
    return value


class _Converter:
    """Makes Tensors of the arrays that stand for some: those with a name, or all if none has one."""

    def __init__(self, value: Any, return_numpy: bool) -> None:
        self._arrays_too = not self._has_named(value, set())
        self._return_numpy = return_numpy
        self._done: dict[int, tuple[Any, Any]] = {}  # a container may stand in several places, or in itself
        self._used: set[int] = set()
        self._make = _maker()

    def _has_named(self, value: Any, seen: set[int]) -> bool:
        if isinstance(value, (list, tuple, dict)) and id(value) not in seen:
            seen.add(id(value))
            items = value.values() if isinstance(value, dict) else value
            return _is_named(value) or any(self._has_named(item, seen) for item in items)
        return False

    def convert(self, value: Any) -> Any:
        """The value with Tensors, lists and dicts changed in place."""
        if isinstance(value, np.ndarray):
            return self.tensor(value) if self._arrays_too and not self._return_numpy else value
        if not isinstance(value, (list, tuple, dict)):
            return value
        if id(value) in self._done:
            return self._done[id(value)][1]
        if _is_named(value):
            made = value[1] if self._return_numpy else self.tensor(value[1], value[0])
        elif isinstance(value, tuple):
            made = tuple(self.convert(item) for item in value)
        else:
            made = value
            self._done[id(value)] = value, made
            for key, item in list(value.items() if isinstance(value, dict) else enumerate(value)):
                value[key] = self.convert(item)
        self._done[id(value)] = value, made
        return made

    def tensor(self, array: np.ndarray, name: str | None = None) -> Any:
        """A Tensor of an array that nobody else will have, in its memory; a LoDTensor in static mode."""
        if array.dtype.str not in _KNOWN:
            raise InvalidArgumentError(
                f"Invalid array in the file. Expected elements of a data type that Tensors have. Received: {array.dtype}. "
                "`paddle.load(..., return_numpy=True)` gives it as it is."
            )
        if id(array) in self._used:  # one array of the file in two places: each has its own
            array = array.copy()
        self._used.add(id(array))
        value = torch.from_numpy(np.asarray(array, order="C"))
        if value.dtype is torch.uint16:
            value = value.view(torch.bfloat16)
        made: Any = self._make(value, name)
        return made


def _is_named(value: Any) -> bool:
    return type(value) is tuple and len(value) == 2 and type(value[0]) is str and isinstance(value[1], np.ndarray)


def _maker(prefix: str = "generated_tensor") -> Callable[..., Any]:
    """What makes of a torch tensor what this mode and device want; the names of Tensors begin so where they have none."""
    if not mode.in_dygraph_mode():
        return lambda value, name=None: LoDTensor(value)
    device = current_place().torch_device
    return lambda value, name=None: Tensor(value.to(device), name or unique_name.generate(prefix))


# ---- tensors without a pickle
def _binary(stream: BinaryIO, return_numpy: bool) -> Any:
    """A LoD tensor or a SelectedRows: what takes the whole file, for both begin alike."""
    start = stream.tell()
    found: dict[Any, tuple[LoDTensor, int]] = {}
    errors: list[EnforceNotMet] = []
    for kind in (read_tensor, read_selected_rows):
        stream.seek(start)
        reader = Reader(stream)
        try:
            found[kind] = kind(reader), reader.left
        except EnforceNotMet as error:
            errors.append(error)
    if not found:
        raise errors[0]
    kind = min(found, key=lambda kind: found[kind][1] > 0)
    value, left = found[kind]
    stream.seek(-left, os.SEEK_END)
    if kind is read_selected_rows:
        rows = SelectedRows(_home=value)
        rows._read()
        return rows
    if return_numpy:
        return to_numpy(value._tensor())
    return _maker()(value._tensor()) if mode.in_dygraph_mode() else value


# ---- saved models
def read_model(path: str, model_filename: str | None, params_filename: str | None) -> dict[str, np.ndarray]:
    """The parameters of a model that `paddle.jit.save` or `save_inference_model` wrote.

    Args:
        path: its folder, or the prefix of its files.
        model_filename: the Program's file in the folder; None: `__model__`.
        params_filename: the file of all parameters; None: each has a file.
    Returns:
        Arrays by structured names where the model has them, else by the names of the parameters.
    """
    if os.path.isdir(path):
        model, parameters = os.path.join(path, model_filename or "__model__"), params_filename and os.path.join(path, params_filename)
        prefix = os.path.splitext(parameters or model)[0]
    else:
        for name, given in (("model_filename", model_filename), ("params_filename", params_filename)):
            if given is not None:
                warnings.warn(f"`{name}` has no effect on a path that is the prefix of a model's files.", stacklevel=4)
        prefix, model, parameters = path, model_file(path), path + ".pdiparams"
    if parameters is None and not os.path.exists(model):
        return {name: _file(os.path.join(path, name)) for name in _files_below(path)}
    notes = prefix + ".pdiparams.info"
    info = load_pickle(notes) if os.path.exists(notes) else {}
    names = sorted(info) if info else _persistable(model)
    if parameters is None:
        arrays = {name: _file(os.path.join(path, name)) for name in names}
    else:
        with open(parameters, "rb") as stream:
            arrays = {name: to_numpy(value._tensor()) for name, value in read_combined(Reader(stream), names).items()}
    return {info[name].get("structured_name", name) if name in info else name: array for name, array in arrays.items()}


def _persistable(model: str) -> list[str]:
    with open(model, "rb") as stream:
        program = program_from_bytes(stream.read(), model)
    return sorted(var.name for var in program.list_vars() if is_persistable(var))


def _files_below(folder: str) -> list[str]:
    found = [os.path.join(root, name) for root, _, names in os.walk(folder) for name in names]
    return sorted(os.path.relpath(path, folder).replace(os.sep, "/") for path in found)


def _file(path: str) -> np.ndarray:
    with open(path, "rb") as stream:
        return to_numpy(read_tensor(Reader(stream))._tensor())
