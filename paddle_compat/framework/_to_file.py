"""What `paddle.save` writes: Tensors as arrays with their names, in the layouts of Paddle's own files."""

from __future__ import annotations

import collections
import copyreg
import warnings
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from typing import Any, BinaryIO

import numpy as np
import torch

from paddle_compat.core import mode, safetensors
from paddle_compat.core.errors import UnimplementedError
from paddle_compat.core.lod import BITS, LoDTensor
from paddle_compat.core.pickles import is_plain, replacing, save_pickle
from paddle_compat.core.program import Program
from paddle_compat.core.random import GeneratorState
from paddle_compat.core.selected_rows import SelectedRows
from paddle_compat.core.serialize import program_to_bytes
from paddle_compat.core.streams import write_tensor
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.nn.layer.layers import Layer

NAMES = "StructuredToParameterName@@"  # the key of a state dict's table from its keys to the names of its Tensors
_CONTAINERS = (list, tuple, set, dict, collections.OrderedDict)
_ITERABLE_LEAVES = (str, np.ndarray, np.generic, Tensor, LoDTensor, SelectedRows, Variable)
_READABLE = (
    bool, int, float, complex, str, np.ndarray, np.generic, np.dtype, type(None), type(...), slice, bytes, bytearray, GeneratorState
)  # fmt: skip


def array_of(tensor: torch.Tensor) -> np.ndarray:
    """The array that a file holds for a torch tensor, in the tensor's own memory where it can be; what numpy has not as its bits."""
    tensor = _whole(tensor).cpu().resolve_conj().resolve_neg().contiguous()
    return tensor.view(BITS.get(tensor.dtype, tensor.dtype)).numpy()


def _whole(tensor: torch.Tensor) -> torch.Tensor:
    """A tensor without its gradient, with all of its elements."""
    tensor = tensor.detach()
    if hasattr(tensor, "full_tensor"):  # of several processes, which meet here
        tensor = tensor.full_tensor()
    return tensor.to_dense() if tensor.layout is not torch.strided else tensor


class _Reducers(dict[type, Callable[[Any], Any]]):
    """How a pickle spells values of Paddle's: by the class that a type derives from."""

    def get(self, kind: type, default: Any = None) -> Any:
        found = super().get(kind)
        if found is None:
            found = next((reduce for base, reduce in self.items() if issubclass(kind, base)), None)
        return found or copyreg.dispatch_table.get(kind, default)


def _refuse(value: Any) -> Any:
    raise TypeError(f"cannot pickle a `{type(value).__name__}`. Expected its `state_dict()`. Received: the object itself")


def _name(tensor: Tensor) -> str:
    """A string of its own, as the wheels hand it out: a pickle says of a string that it had it before by its identity."""
    return tensor.name.encode().decode()


_REDUCERS = _Reducers()
_REDUCERS[Tensor] = lambda tensor: (tuple, ((_name(tensor), array_of(tensor._t)),))
_REDUCERS[LoDTensor] = lambda tensor: (eval, ("data", {"data": array_of(tensor._tensor())}))  # so do the wheels
for _kind in (Variable, Program, SelectedRows):
    _REDUCERS[_kind] = _refuse


def write(value: Any, file: str | BytesIO, protocol: int, binary: bool) -> None:
    """Write a value to a file, which appears under its name only when all of it is written, or to a stream.

    Args:
        value: whatever `paddle.save` takes.
        file: the file's path, or the stream.
        protocol: pickle's protocol.
        binary: write a single Tensor without a pickle around it.
    """
    if binary:
        _check_binary(value)
        if _plain_tensor(value).value is None:
            raise ValueError("Invalid value for argument `obj` of `paddle.save`. Expected a Tensor with a value. Received: an empty one")
        _to(file, lambda stream: write_tensor(stream, _plain_tensor(value)))
    elif isinstance(value, Program):
        content = program_to_bytes(value)
        _to(file, lambda stream: stream.write(content))
    else:
        _REDUCERS.update(_optimizers())
        if is_state_dict(value):
            value = state_dict_of_arrays(value)
        else:
            _check(value)
        save_pickle(value, file, protocol, _REDUCERS)


def write_safetensors(state: dict[str, Any], file: str | BytesIO) -> None:
    """Write a state dict in the format of safetensors.

    Args:
        state: names and Tensors.
        file: the file's path, or the stream.
    """
    for name, value in state.items():
        if not isinstance(value, (Tensor, LoDTensor)):
            raise ValueError(f"Key `{name}` is invalid for safetensors. Expected a Tensor. Received: {type(value)}")
    tensors = {name: _whole(value._t if isinstance(value, Tensor) else value._tensor()) for name, value in state.items()}
    _to(file, lambda stream: safetensors.write_safetensors(stream, tensors))


def _to(file: str | BytesIO, write_to: Callable[[BinaryIO], object]) -> None:
    if isinstance(file, str):
        with replacing(file) as stream:
            write_to(stream)
    else:
        write_to(file)


def _optimizers() -> dict[type, Callable[[Any], Any]]:
    from paddle_compat.optimizer.optimizer import Optimizer

    return {Optimizer: _refuse}


def _check_binary(value: Any) -> None:
    if not isinstance(value, (Tensor, LoDTensor, SelectedRows)):
        raise UnimplementedError(
            f"Invalid value for argument `obj` of `paddle.save`. Expected a Tensor, as use_binary_format is True. Received: {type(value)}"
        )


def _plain_tensor(value: Any) -> LoDTensor:
    if isinstance(value, SelectedRows):
        return value._home
    return value if isinstance(value, LoDTensor) else LoDTensor(value._t)


# ---- state dicts
def is_state_dict(value: Any) -> bool:
    """Whether it is a dict of Tensors and of dicts that hold none: its Tensors are written as arrays, their names in a table."""
    if not isinstance(value, dict):
        return False
    values = (Tensor, LoDTensor)
    return all(
        isinstance(item, values) or (isinstance(item, dict) and not any(isinstance(leaf, (*values, Layer)) for leaf in _leaves(item)))
        for item in value.values()
    )


def state_dict_of_arrays(state: dict[Any, Any]) -> dict[Any, Any]:
    """A state dict's arrays and, in dynamic mode, the table of its Tensors' names."""
    if not state:
        warnings.warn("The input state dict is empty, no need to save.", stacklevel=4)
    for item in state.values():
        _check(item, refuse=False)
    arrays = {
        key: array_of(item._t) if isinstance(item, Tensor) else array_of(item._tensor()) if isinstance(item, LoDTensor) else item
        for key, item in state.items()
    }
    if mode.in_dygraph_mode():
        arrays[NAMES] = {key: _name(item) for key, item in state.items() if isinstance(item, Tensor)}
    return arrays


def _leaves(value: Any, seen: set[int] | None = None) -> Iterator[Any]:
    """What stands in containers, however deep; containers that Paddle knows are gone through once."""
    seen = set() if seen is None else seen
    if isinstance(value, dict) or type(value) in _CONTAINERS:
        if id(value) not in seen:
            seen.add(id(value))
            for item in value.values() if isinstance(value, dict) else value:
                yield from _leaves(item, seen)
        if type(value) in _CONTAINERS:
            return
    yield value


def _check(value: Any, refuse: bool = True) -> None:
    """Refuse what the wheels refuse; warn of what `paddle.load` will refuse.

    The wheels refuse no iterable inside of a state dict's dicts.
    """
    for leaf in _leaves(value):
        if isinstance(leaf, Layer):
            raise ValueError(
                "`paddle.save` does not support saving a `paddle.nn.Layer` object. Expected its `state_dict()`. "
                f"Received: {type(leaf).__name__}"
            )
        if refuse and isinstance(leaf, Iterable) and not isinstance(leaf, _ITERABLE_LEAVES):
            raise UnimplementedError(
                "Invalid value for argument `obj` of `paddle.save`. Expected iterable objects of the types tuple, list, set, dict, "
                f"OrderedDict and str. Received: {type(leaf)}"
            )
        if not isinstance(leaf, (*_READABLE, *_REDUCERS)) and not is_plain(type(leaf)):  # reducers refuse some further on
            warnings.warn(
                f"`paddle.save` writes an object of {type(leaf)}, which `paddle.load` refuses to make again: it reads only containers, "
                "numbers, strings, arrays and Tensors. Save what it holds (`vars(...)`) instead.",
                stacklevel=4,
            )
