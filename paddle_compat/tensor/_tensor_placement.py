"""Methods of Tensors that hand them to another place: cpu, cuda, pin_memory, to."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from paddle_compat import _alias
from paddle_compat.core.dtype import VarType, convert_dtype, torch_dtype
from paddle_compat.core.eager import followed
from paddle_compat.core.errors import PermissionDeniedError, failed_assertion, invalid_argument
from paddle_compat.core.place import CPUPlace, CUDAPinnedPlace, CUDAPlace, Place, current_place, place_of_name
from paddle_compat.core.tensor import EagerParamBase, Tensor, wrapped
from paddle_compat.tensor._calls import ALL


def _moved(self: Tensor, place: Place, dtype: Any = None, blocking: bool = True) -> Tensor:
    """The Tensor in a place and of a data type: itself where it is so already."""
    device, kind = place.torch_device, self._t.dtype if dtype is None else torch_dtype(dtype)
    if device == self._t.device and kind is self._t.dtype and not isinstance(place, CUDAPinnedPlace):
        return self
    value = self._t.pin_memory() if isinstance(place, CUDAPinnedPlace) else self._t.to(device, kind, non_blocking=not blocking)
    moved = Tensor(value, persistable=self.persistable)
    if not (self.stop_gradient or value.requires_grad) and torch.is_grad_enabled():
        moved._open = True  # integers
    return moved


def cpu(self: Tensor) -> Tensor:
    """The Tensor in the host's memory.

    Returns:
        Tensor: itself, where it is there already.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.to_tensor([1.0]).cpu().place
        Place(cpu)

    Follows Paddle 2.6.
    """
    return _moved(self, CPUPlace())


def cuda(self: Tensor, device_id: int | None = None, blocking: bool = True) -> Tensor:
    """The Tensor in a GPU's memory.

    Args:
        device_id (int): the GPU; None: the current one.
        blocking (bool): whether to wait for the copy.
    Returns:
        Tensor: itself, where it is there already.
    Raises:
        ValueError: device_id is no int.
        RuntimeError: there is no GPU.

    Example:
        >>> import paddle_compat as paddle
        >>> if paddle.is_compiled_with_cuda():
        ...     assert paddle.to_tensor([1.0]).cuda().place.is_gpu_place()

    Follows Paddle 2.6.
    """
    if device_id is not None and (isinstance(device_id, bool) or not isinstance(device_id, int)):
        raise invalid_argument("device_id", "an int", repr(device_id), "Tensor.cuda")
    now = current_place()
    return _moved(self, CUDAPlace(device_id if device_id is not None else now.get_device_id()), blocking=blocking)


def pin_memory(self: Tensor, blocking: bool = True) -> Tensor:
    """The Tensor in page-locked memory of the host.

    Args:
        blocking (bool): whether to wait for the copy.
    Returns:
        Tensor: itself, where it is there already.
    Raises:
        RuntimeError: there is no GPU.

    Example:
        >>> import paddle_compat as paddle
        >>> if paddle.is_compiled_with_cuda():
        ...     assert paddle.to_tensor([1.0]).pin_memory().place.is_cuda_pinned_place()

    Follows Paddle 2.6.
    """
    if self.place.is_cuda_pinned_place():
        return self
    if not torch.cuda.is_available():
        raise PermissionDeniedError("`Tensor.pin_memory` needs a GPU, for which the memory is locked, and torch sees none.")
    return Tensor(self._t.cpu().pin_memory(), persistable=self.persistable)


_FORMS = "Tensor.to(device, dtype=None, blocking=None), Tensor.to(dtype, blocking=None) or Tensor.to(other, blocking=None)"
_DEVICES = "'cpu', 'gpu', 'gpu:N', paddle.CPUPlace(), paddle.CUDAPlace(N) or paddle.CUDAPinnedPlace()"


def to(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """The Tensor on a device and of a data type; itself, where it is so already.

    A script of Paddle 3 gets a copy where it says the data type by its name.

    Args:
        args: a device, then a data type, then whether to wait; or a data type, then whether to wait; or a Tensor that shows both.
        kwargs: `device`, `dtype`, `blocking`, `other`: the same by name; since Paddle 3 also `non_blocking`, which is the contrary of
            `blocking`, and `copy`, for a Tensor of its own in any case.
    Returns:
        Tensor.
    Raises:
        TypeError: too few, too many or unknown arguments.
        ValueError: there is no such device.

    Example:
        >>> import paddle_compat as paddle
        >>> str(paddle.to_tensor([1.5]).to("cpu", "float64").dtype)
        'paddle.float64'

    Follows Paddle 2.6.
    """
    more = {name: kwargs.pop(name) for name in ("non_blocking", "copy") if name in kwargs}
    for name in kwargs:
        if name not in ("device", "dtype", "blocking", "other"):
            raise TypeError(f"to() got an unexpected keyword argument {name}. Expected {_FORMS}. Received: {name}")
    if not 0 < len(args) + len(kwargs) <= 3:
        raise TypeError(f"to() takes one to three arguments. Expected {_FORMS}. Received: {len(args) + len(kwargs)} arguments")
    given = dict(kwargs)
    if args and isinstance(args[0], Tensor):
        names = ["other", "blocking"]
    elif args and is_dtype(args[0]):
        names = ["dtype", "blocking"]
    else:
        names = ["device", "dtype", "blocking"]
    if len(args) > len(names) or set(names[: len(args)]) & set(kwargs):
        raise TypeError(f"to() got too many or repeated arguments. Expected {_FORMS}. Received: {args}, {kwargs}")
    given.update(zip(names, args))
    if given.get("dtype") is not None and not isinstance(given["dtype"], VarType) and _alias.since("3"):
        # which takes the name of a data type for another one
        more.setdefault("copy", torch_dtype(convert_dtype(given["dtype"])) is self._t.dtype)
    if (other := given.pop("other", None)) is not None:
        given.setdefault("device", other.place)
        given.setdefault("dtype", other.dtype)
    if "non_blocking" in more:
        given["blocking"] = not more["non_blocking"]
    return _to(wrapped(followed(torch.clone, self._t)) if more.get("copy") else self, **given)


def is_dtype(value: Any) -> bool:
    """Whether a first argument of `to` means a data type."""
    if isinstance(value, str):
        return value in ALL
    return isinstance(value, (VarType, np.dtype))


def _to(self: Tensor, device: Any = None, dtype: Any = None, blocking: bool | None = None) -> Tensor:
    """`to`, whose arguments have their names."""
    if device is None:
        place: Place = self.place
    elif isinstance(device, Place):
        place = device
    elif not isinstance(device, str):
        raise invalid_argument("device", _DEVICES, type(device).__name__, "Tensor.to")
    else:
        place = place_of_name(device, "device", "Tensor.to")
    if not (blocking is None or isinstance(blocking, bool)):
        raise failed_assertion("blocking", "True, False or None", blocking, "Tensor.to")
    moved = _moved(self, place, dtype, blocking is not False)
    if moved is not self and isinstance(self, EagerParamBase):  # which stays the one that the layer and the optimizer know
        rehold(self, moved._t.detach())
        return self
    return moved


def rehold(x: Tensor, value: torch.Tensor) -> None:
    """Let a Tensor's torch tensor hold another's data, of another data type perhaps; of a dist tensor, the part in this process, too."""
    held = x._t
    held.data = value
    x._become(held)
    if hasattr(held, "_local_tensor"):
        held._local_tensor, held._spec = value._local_tensor, value._spec  # type: ignore[attr-defined]


METHODS: dict[str, Any] = {"cpu": cpu, "cuda": cuda, "pin_memory": pin_memory, "to": to, "_to": _to}
