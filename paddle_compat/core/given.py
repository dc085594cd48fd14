"""What scripts call `paddle.Tensor` with: arrays, tensors, a data type and dimensions, and, as in Paddle 3, data or sizes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch

from paddle_compat.core import unique_name
from paddle_compat.core.dtype import VarType, check_array, default, torch_dtype
from paddle_compat.core.errors import PreconditionNotMetError, invalid_argument
from paddle_compat.core.lod import LoDTensor
from paddle_compat.core.place import Place, place_of_name, run_device


class Given(NamedTuple):
    """What a Tensor is set up with."""

    value: torch.Tensor
    name: str
    persistable: bool
    stop_gradient: bool | None


_KINDS: dict[str, tuple[Any, str]] = {
    "name": (str, "a str"), "place": (Place, "a place"), "persistable": (bool, "a bool"), "zero_copy": (bool, "a bool"),
    "stop_gradient": (bool, "a bool"), "value": ((np.ndarray, LoDTensor), "an array, a LoDTensor or a Tensor"),
}  # fmt: skip
_OTHERS = ("data", "device", "dims", "dtype", "type", "dist_attr")


def given(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Given:
    """Read the arguments of a call.

    Args:
        args: an array, its place, persistable, zero_copy, name and stop_gradient; a tensor, its place and name; a data type,
            dimensions, name, type and persistable; or, as in Paddle 3, lists of numbers or several sizes.
        kwargs: the same by name.
    Returns:
        Given.
    Raises:
        ValueError: an argument is of another type, or there is nothing to make a Tensor of.
        RuntimeError: an argument of an unknown name.
    """
    found = {**_by_name(args), **kwargs}
    for name, option in found.items():
        kind, expected = _KINDS.get(name, (object, ""))
        if name not in _KINDS and name not in _OTHERS:
            raise PreconditionNotMetError(f"Unknown argument of `Tensor`. Expected one of {[*_KINDS, *_OTHERS]}. Received: {name}")
        if not isinstance(option, kind) and option is not None and not (name == "value" and hasattr(option, "_t")):
            raise invalid_argument(name, expected, option, "Tensor")
    own = found.get("name")
    name = unique_name.generate("generated_tensor") if own is None else own
    value: Any = found.get("value")
    persistable = value.persistable if hasattr(value, "_t") else found.get("persistable", False)  # a Tensor keeps its own
    return Given(_held(found), name, persistable, found.get("stop_gradient"))


def _by_name(args: tuple[Any, ...]) -> dict[str, Any]:
    """Arguments by position, by their names: what the others are is told by the first."""
    first = args[0] if args else None
    names: tuple[str, ...] = ("value", "place", "persistable", "zero_copy", "name", "stop_gradient")
    if isinstance(first, VarType):
        names = ("dtype", "dims", "name", "type", "persistable")
    elif isinstance(first, LoDTensor) or hasattr(first, "_t"):
        names = ("value", "place", "name")
    elif type(first) in (int, list, tuple):
        return {"data": torch.Size(args) if type(first) is int else first}
    if len(args) > len(names):
        raise invalid_argument("args", f"at most {list(names)}", f"{len(args)} arguments", "Tensor")
    return dict(zip(names, args))


def _held(found: dict[str, Any]) -> torch.Tensor:
    """The elements."""
    value, data, place = found.get("value"), found.get("data"), found.get("place")
    kind = torch_dtype(found["dtype"] if found.get("dtype") is not None else default())
    if data is not None:
        device = run_device() if found.get("device") is None else place_of_name(found["device"]).torch_device
        return torch.zeros(data, dtype=kind, device=device) if type(data) is torch.Size else torch.tensor(data, dtype=kind, device=device)
    if value is None:
        if found.get("dtype") is None and (found or place is not None):
            raise invalid_argument("value", _KINDS["value"][1], None, "Tensor")
        dims = [int(n) for n in found.get("dims", [0])]
        if found.get("type") == VarType.SELECTED_ROWS:  # of which there are none yet
            size, none = [0, *dims[1:]], torch.zeros([1, 0], dtype=torch.int64, device=run_device())
            return torch.sparse_coo_tensor(none, torch.zeros(size, dtype=kind, device=run_device()), size, check_invariants=False)
        return torch.zeros(dims, dtype=kind, device=run_device())
    if isinstance(value, np.ndarray):
        check_array(value, "value", "Tensor")
        held = torch.from_numpy(np.ascontiguousarray(value)).reshape(value.shape)
        held = held if found.get("zero_copy") else held.clone()
    else:
        held = (value._tensor() if isinstance(value, LoDTensor) else value._t).detach()
    return held if place is None else held.to(place.torch_device)
