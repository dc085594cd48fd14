"""Methods of Tensors about the memory that holds them: copies, strides, sharing."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import torch

from paddle_compat.core import eager, mode
from paddle_compat.core.dtype import check_array
from paddle_compat.core.errors import FatalError, PreconditionNotMetError, failed_assertion, invalid_argument
from paddle_compat.core.lod import LoDTensor
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.core.place import Place
from paddle_compat.core.program import default_main_program
from paddle_compat.core.selected_rows import SelectedRows
from paddle_compat.core.tensor import EagerParamBase, Tensor
from paddle_compat.tensor._tensor_meshes import is_dist, is_here


def _copy_to(self: Tensor, place: Place, blocking: bool = True) -> Tensor:
    """A copy in a place, under the same name; no gradient goes through it."""
    value = self._t.detach()
    value = value.clone() if place.torch_device == value.device else value.to(place.torch_device)
    return Tensor(value, name=self.name, persistable=self.persistable)


def _to_static_var(self: Tensor, to_parameter: bool = False, **kwargs: Any) -> Any:
    """A Variable of its name, shape and data type in the default main Program; of a parameter, and where asked for, a Parameter."""
    block = default_main_program().global_block()
    own: dict[str, Any] = {"name": self.name, "shape": self.shape, "dtype": self.dtype, "stop_gradient": self.stop_gradient}
    with mode.inside(static=True):  # in eager mode blocks make Tensors
        if not to_parameter and not isinstance(self, EagerParamBase):
            return block.create_var(**{**own, "persistable": self.persistable, **kwargs})
        if isinstance(self, EagerParamBase):
            own.update({name: getattr(self, name) for name in ("trainable", "optimize_attr", "regularizer", "need_clip")})
        return block.create_parameter(**{**own, **kwargs})


def _is_initialized(self: Tensor) -> bool:
    """Whether it has memory; a dist tensor has some in the processes of its mesh."""
    if eager.spread is not None and is_dist(self) and not is_here(self):
        return False
    return self._t.is_sparse or _held(self).untyped_storage().size() > 0


def copy_(self: Tensor, other: Tensor, blocking: bool | None = None, non_blocking: bool = False) -> Tensor | None:
    """Become a copy of another Tensor, whatever its shape.

    Args:
        other (Tensor): the other one.
        blocking (bool): whether to wait for the copy, which 2.6 wants given.
        non_blocking (bool): 3.3's name of the opposite; copies are waited for in either case.
    Returns:
        Tensor: this one, as in 3.3; None where `blocking` is given, as in 2.6.
    Raises:
        RuntimeError: the data types differ.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.zeros([2]).copy_(paddle.ones([2])).tolist()
        [1.0, 1.0]

    Follows Paddle 2.6.
    """
    if other.dtype != self.dtype:
        raise PreconditionNotMetError(f"Invalid data type of `other` of `Tensor.copy_`. Expected {self.dtype}. Received: {other.dtype}")
    _replace(self, other._t.detach())
    return self if SINCE_3 or blocking is None else None


def _replace(self: Tensor, value: torch.Tensor) -> None:
    """Give a Tensor other data, in the memory that it has where they fit."""
    if value.shape == self._t.shape and value.dtype is self._t.dtype:
        _overwrite(self._t, value)
    elif value.dtype is self._t.dtype and value.device == self._t.device:
        self._t.data = value.clone()
        self._become(self._t)
    else:
        self._become(value.to(self._t.device, copy=True))


def _overwrite(target: torch.Tensor, value: torch.Tensor) -> None:
    """Write over data: values that a backward pass waits for count as unchanged, as in Paddle."""
    if hasattr(target, "device_mesh"):
        from paddle_compat.engine import spmd_writes

        spmd_writes.overwrite(target, value)
    else:
        target.data.copy_(value)


def set_value(self: Tensor, value: Any) -> None:
    """Overwrite the data.

    Args:
        value: a Tensor or numpy array of the same shape and data type.
    Raises:
        AssertionError: it is neither, or of another shape or data type.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> x = paddle.zeros([2])
        >>> x.set_value(np.array([1.0, 2.0], "float32")); x.tolist()
        [1.0, 2.0]

    Follows Paddle 1.8 and 2.6.
    """
    if isinstance(value, LoDTensor):
        source = value._tensor()
    elif isinstance(value, Tensor):
        source = value._t.detach()
    elif isinstance(value, np.ndarray):
        check_array(value, "value", "Tensor.set_value")
        source = torch.from_numpy(value if value.flags.writeable else value.copy())
        if value.dtype == np.uint16 and self._t.dtype is torch.bfloat16:
            source = source.view(torch.bfloat16)
    else:
        raise failed_assertion("value", "a Tensor or numpy array", type(value).__name__, "Tensor.set_value")
    if source.shape != self._t.shape:
        raise failed_assertion("value", f"shape {self.shape}, that of {self.name}", list(source.shape), "Tensor.set_value")
    if source.dtype is not self._t.dtype:
        raise failed_assertion("value", f"{self.dtype._shown()}, as {self.name} has", str(source.dtype), "Tensor.set_value")
    _overwrite(self._t, source)


def detach_(self: Tensor, /) -> Tensor:
    """Cut this Tensor off from the gradient.

    Returns:
        Tensor: itself.

    Example:
        >>> import paddle_compat as paddle
        >>> y = paddle.to_tensor([1.0], stop_gradient=False) * 2
        >>> y.detach_().stop_gradient
        True

    Follows Paddle 2.6.
    """
    self._become(self._t.detach())
    self._cut, self._open = None, False
    return self


def _set_data(self: Tensor, value: Tensor) -> None:
    """Be another Tensor in all that it holds: values, the way that gradients take, its name. Which Paddle 2 calls to set `data`."""
    if not isinstance(value, Tensor):
        raise invalid_argument("data", "a Tensor", type(value).__name__, "Tensor.data")
    if self is value:
        return
    self._become(value._t)
    for held in ("_cut", "_open", "_passed", "_onward", "_origin", "_given", "_kept", "_cleared", "persistable"):
        setattr(self, held, getattr(value, held))
    if hasattr(value, "_name"):
        self._name = value._name
    elif hasattr(self, "_name"):  # either makes a name when it is asked for one
        del self._name


def _set_values(self: Tensor, value: Tensor) -> None:
    """Hold another Tensor's values, in its memory, and keep everything else. Which Paddle 3 calls to set `data`."""
    if not isinstance(value, Tensor):
        raise invalid_argument("data", "a Tensor", type(value).__name__, "Tensor.data")
    values = value._t.detach()
    if self._t.requires_grad and not (values.is_floating_point() or values.is_complex()):  # which torch lets no gradient pass to
        self._become(values)
        self._open = True
    else:
        self._t.data = values
        self._become(self._t)


def contiguous(self: Tensor, /) -> Tensor:
    """The Tensor with its elements in the order of their indices in memory.

    Returns:
        Tensor: itself, where they are so already.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.ones([2, 3]).t().contiguous().strides
        [2, 1]

    Follows Paddle 2.6.
    """
    return self if self._t.is_contiguous() else Tensor(self._t.contiguous())


def is_contiguous(self: Tensor, /) -> bool:
    """Whether its elements are in the order of their indices in memory.

    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.ones([2, 3]).is_contiguous(), paddle.ones([2, 3]).t().is_contiguous()
        (True, False)

    Follows Paddle 2.6.
    """
    return self._t.is_contiguous()


def get_strides(self: Tensor, /) -> list[int]:
    """How many elements of memory lie between neighbours of each dimension.

    Returns:
        List of int.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.ones([2, 3]).get_strides()
        [3, 1]

    Follows Paddle 2.6.
    """
    return list(self._t.stride())


def data_ptr(self: Tensor, /) -> int:
    """The address of the first element.

    Returns:
        int.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.ones([2]).data_ptr() > 0
        True

    Follows Paddle 2.6.
    """
    return self._t.data_ptr()


def is_same_shape(self: Tensor, y: Tensor, /) -> bool:
    """Whether another Tensor has the same shape.

    Args:
        y (Tensor): the other one.
    Returns:
        bool.
    Raises:
        ValueError: the other one is no Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.ones([2]).is_same_shape(paddle.ones([3]))
        False

    Follows Paddle 2.6.
    """
    if not isinstance(y, Tensor):
        raise invalid_argument("y", "a Tensor", y, "Tensor.is_same_shape")
    return self.shape == y.shape


def is_dense(self: Tensor, /) -> bool:
    """Whether it holds every element; a dist tensor does not, even where each process has all.

    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.ones([2]).is_dense()
        True

    Follows Paddle 2.6.
    """
    return not self._t.is_sparse and not (eager.spread is not None and is_dist(self))


def is_selected_rows(self: Tensor, /) -> bool:
    """Whether it holds some rows only, as gradients of sparse embeddings do.

    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.ones([2]).is_selected_rows()
        False

    Follows Paddle 2.6.
    """
    return self._t.is_sparse


def rows(self: Tensor, /) -> list[int]:
    """The numbers of the rows that a gradient of some rows holds.

    Returns:
        List of int.
    Raises:
        SystemError: the Tensor holds every element.

    Example:
        >>> import paddle_compat as paddle
        >>> table = paddle.ones([4, 2]); table.stop_gradient = False
        >>> paddle.nn.functional.embedding(paddle.to_tensor([2]), table, sparse=True).sum().backward()
        >>> table.grad.rows()
        [2]

    Follows Paddle 2.6.
    """
    if not self._t.is_sparse:
        raise FatalError("`Tensor.rows` is for gradients of some rows. Expected a Tensor with is_selected_rows(). Received: a dense one")
    return [int(n) for n in self._t._indices()[0]]


class _Inside(LoDTensor):
    """What a Tensor holds, as the LoDTensor of `get_tensor`: what is set here is set there."""

    __slots__ = ("_owner",)

    def __init__(self, owner: Tensor) -> None:
        self._owner = owner
        super().__init__(owner._t.detach())

    @property
    def value(self) -> torch.Tensor:
        return self._owner._t.detach()

    @value.setter
    def value(self, value: torch.Tensor | None) -> None:
        if value is None:
            _clear(self._owner)
        elif value.data_ptr() != self._owner._t.data_ptr():
            _replace(self._owner, value)


def get_tensor(self: Tensor) -> LoDTensor:
    """What the Tensor holds.

    Returns:
        LoDTensor, whose `set` changes the Tensor.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> x = paddle.ones([2])
        >>> x.get_tensor().set(np.zeros(2, "float32"), paddle.CPUPlace()); x.tolist()
        [0.0, 0.0]

    Follows Paddle 2.6.
    """
    return _Inside(self)


_ROWS = "_some_rows"  # the member of a Tensor that keeps its SelectedRows


class _Home(LoDTensor):
    """Where the rows of a Tensor are, for SelectedRows to read and write; nothing while what was written does not fit together."""

    __slots__ = ("_of", "_unfit")

    def __init__(self, of: Tensor) -> None:
        self._of, self._unfit = of, False
        self.lod_, self._dims, self._format = None, [0], "NCHW"

    @property
    def value(self) -> torch.Tensor | None:
        """The rows as a sparse torch tensor."""
        return None if self._unfit else self._of._t

    @value.setter
    def value(self, value: Any) -> None:
        self._unfit = value is None
        if value is not None:
            self._of._become(value)


def _use_gpudnn(self: Tensor, use_gpudnn: bool = True) -> Tensor:
    """Another Tensor of the same values and history; which library computes with it is torch's business."""
    return Tensor(self._t.view_as(self._t))


def get_selected_rows(self: Tensor, /) -> SelectedRows | None:
    """The rows that a gradient of some rows holds, or what was made for rows; to change them changes it.

    Returns:
        SelectedRows; None: the Tensor holds every element.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.ones([2]).get_selected_rows() is None
        True

    Follows Paddle 2.6.
    """
    if not self._t.is_sparse:
        return None
    found = self.__dict__.get(_ROWS)
    if found is None:
        found = self.__dict__[_ROWS] = SelectedRows(_home=_Home(self))
    return found


def value(self: Tensor) -> Tensor:
    """The Tensor itself.

    Returns:
        Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.ones([2])
        >>> x.value() is x
        True

    Follows Paddle 2.6.
    """
    return self


def _shares_memory(self: Tensor, other: Tensor) -> bool:
    mine, others = self._t.untyped_storage(), other._t.untyped_storage()
    return mine.data_ptr() == others.data_ptr() and mine.size() > 0


def _share_buffer_to(self: Tensor, other: Tensor) -> None:
    """Have another Tensor, of its own shape, read this one's memory."""
    size = other._t.numel()
    other._become(self._t.detach().reshape(-1)[:size].view(other._t.shape))


def _share_to(self: Tensor, other: Tensor) -> None:
    other._become(self._t.detach())


def _slice(self: Tensor, begin_idx: int, end_idx: int) -> Tensor:
    """Some rows, in the same memory."""
    return Tensor(self._t.detach()[begin_idx:end_idx])


def reconstruct_from_(self: Tensor, other: Tensor) -> None:
    """Become another Tensor, with its memory and its gradients; the name stays.

    Args:
        other (Tensor): the other one.
    Raises:
        ValueError: it is none.

    Example:
        >>> import paddle_compat as paddle
        >>> x, y = paddle.ones([3]), paddle.zeros([2])
        >>> x.reconstruct_from_(y); x[0] = 5.0; y.tolist()
        [5.0, 0.0]

    Follows Paddle 2.6.
    """
    if not isinstance(other, Tensor):
        raise invalid_argument("other", "a Tensor", other, "Tensor.reconstruct_from_")
    self._become(other._t)
    self._cut, self._open, self._passed = other._cut, other._open, other._passed


def _clear(self: Tensor) -> None:
    """Let the memory go; a dist tensor stays one."""
    value: Any = self._t.detach()
    nothing = _held(self).detach().new_empty(0)
    self._become(type(value)(nothing, value._spec, requires_grad=False) if hasattr(value, "_spec") else nothing)
    self._cut = None


def _held(self: Tensor) -> torch.Tensor:
    """What this process has: of a dist tensor its piece."""
    return getattr(self._t, "_local_tensor", self._t)


def _bump(self: Tensor) -> None:
    """Count a change in place."""
    torch.autograd.graph.increment_version(self._t)


def _version(self: Tensor) -> int:
    return self._t._version + self._changes


def _md5sum(self: Tensor) -> str:
    return hashlib.md5(np.ascontiguousarray(self.numpy()).tobytes(), usedforsecurity=False).hexdigest()


def _offset(self: Tensor) -> int:
    return int(self._t.storage_offset()) * self._t.element_size()




METHODS: dict[str, Any] = {
    "contiguous": contiguous,
    "copy_": copy_,
    "data": property(lambda self: self.detach(), _set_values, doc="The values, without a gradient; to set them keeps the gradient.")
    if SINCE_3
    else property(lambda self: self, _set_data, doc="The Tensor itself; to set it makes the Tensor share all that another one holds."),
    "data_ptr": data_ptr,
    "detach_": detach_,
    "get_selected_rows": get_selected_rows,
    "get_strides": get_strides,
    "get_tensor": get_tensor,
    "inplace_version": property(_version, doc="How often it was changed in place."),
    "is_contiguous": is_contiguous,
    "is_dense": is_dense,
    "is_same_shape": is_same_shape,
    "is_selected_rows": is_selected_rows,
    "layout": property(lambda self: "NCHW", doc="The name of the order of dimensions."),
    "offset": property(_offset, doc="Bytes of memory in front of its first element."),
    "reconstruct_from_": reconstruct_from_,
    "rows": rows,
    "set_value": set_value,
    "strides": property(get_strides, doc="How many elements of memory lie between neighbours of each dimension."),
    "value": value,
    "block": property(lambda self: default_main_program().global_block(), doc="The block that operators are recorded to in static mode."),
    **{
        name: property(lambda self: None, doc="Of a Tensor of several processes only: None.")
        for name in ("dist_attr",)
    },
    "_bump_inplace_version": _bump,
    "_clear": _clear,
    "_clear_data": _clear,
    "_clear_dataptr": _clear,
    "_copy_to": _copy_to,
    "_inplace_version": _version,
    "_is_initialized": _is_initialized,
    "_is_dense_tensor_hold_allocation": lambda self: _held(self).untyped_storage().size() > 0,
    "_is_shared_buffer_with": _shares_memory,
    "_is_shared_underline_tensor_with": _shares_memory,
    "_md5sum": _md5sum,
    "_numel": lambda self: _held(self).numel(),
    "_offset": _offset,
    "_place_str": property(lambda self: str(self.place)),
    "_share_buffer_to": _share_buffer_to,
    "_share_underline_tensor_to": _share_to,
    "_slice": _slice,
    "_to_static_var": _to_static_var,
    "_use_gpudnn": _use_gpudnn,
}
