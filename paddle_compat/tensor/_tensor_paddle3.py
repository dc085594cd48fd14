"""Members and operators of Tensors since Paddle 3 that no function of `paddle.tensor` stands for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import index
from typing import Any

import numpy as np
import torch

from paddle_compat.core import distributions
from paddle_compat.core.errors import NotFoundError, invalid_argument, type_error
from paddle_compat.core.paddle3 import SINCE_3_3
from paddle_compat.core.random import engine_for, paddle_draws, torch_generator
from paddle_compat.core.tensor import Tensor
from paddle_compat.device._choosing import Device
from paddle_compat.tensor._in_place import check_writable, write


class Size(list[int]):
    """A shape; in scripts for Paddle 3.3 that of Tensors. It is a list that meets tuples, too.

    Args:
        iterable: ints.
    Raises:
        TypeError: one of them is none.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.Size([2, 3]).numel()
        6

    Follows Paddle 3.3.
    """

    def __init__(self, iterable: Iterable[Any] = ()) -> None:
        super().__init__()
        for place, size in enumerate(iterable):
            try:
                self.append(index(int(size) if isinstance(size, Tensor) else size))
            except TypeError:
                kind = type(size).__name__
                raise TypeError(f"paddle.Size() takes an iterable of 'int' (item {place} is '{kind}')") from None

    def numel(self) -> int:
        """How many elements a tensor of that shape has.

        Returns:
            int.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.Size([2, 3]).numel()
            6
        """
        return torch.Size(self).numel()

    def __add__(self, other: Any) -> Size:  # type: ignore[override]
        if not isinstance(other, (list, tuple)):
            raise TypeError(f"can only concatenate list, tuple or Size (not '{type(other).__name__}') to Size")
        return Size([*self, *other])

    def __radd__(self, other: Any) -> Size:
        return Size([*other, *self]) if isinstance(other, (list, tuple)) else NotImplemented

    def __mul__(self, times: Any) -> Size:
        return Size(list(self) * times)

    __rmul__ = __mul__

    def __getitem__(self, places: Any) -> Any:
        found = super().__getitem__(places)
        return Size(found) if isinstance(places, slice) else found

    def __eq__(self, other: Any) -> bool:
        return list(self) == (list(other) if isinstance(other, tuple) else other)

    def __ne__(self, other: Any) -> bool:
        return not self == other

    def __repr__(self) -> str:
        return f"paddle.Size({list(self)})"


class TensorSize(int):
    """A Tensor's number of elements, as in Paddle 2; called, its shape or a part of it, as in Paddle 3.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.ones([2, 3])
        >>> x.size, x.size(), x.size(-1)
        (6, paddle.Size([2, 3]), 3)

    Follows Paddle 2.6 and 3.3.
    """

    _shape: torch.Size

    def __call__(self, dim: int | None = None) -> Any:
        return Size(self._shape) if dim is None else self._shape[dim]

    def __reduce__(self) -> tuple[type[int], tuple[int]]:
        return int, (int(self),)


def _size(self: Tensor) -> TensorSize:
    size = TensorSize(self._t.numel())
    size._shape = self._t.shape
    return size


def _device(self: Tensor) -> Device:
    device = self._t.device
    return Device("cpu" if device.type == "cpu" else f"gpu:{device.index or 0}")


def get_device(self: Tensor) -> int:
    """The number of the GPU that the Tensor lives on.

    Returns:
        int: -1 on the CPU.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.ones([1]).cpu().get_device()
        -1

    Follows Paddle 3.3.
    """
    return self._t.get_device()


def stride(self: Tensor, dim: int | None = None, /) -> Any:
    """How many elements of memory lie between neighbours.

    Args:
        dim: the dimension; None: all.
    Returns:
        int, or a list of them.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.ones([2, 3]).stride()
        [3, 1]

    Follows Paddle 3.3.
    """
    return list(self._t.stride()) if dim is None else self._t.stride(dim)


def apply(self: Tensor, func: Callable[[Any], Any]) -> Any:
    """What a function makes of the Tensor.

    Args:
        func: takes and gives a Tensor.
    Returns:
        Tensor.
    Raises:
        RuntimeError: the Tensor takes part in gradients.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.ones([1]).apply(lambda v: v + 1).tolist()
        [2.0]

    Follows Paddle 3.3.
    """
    if not self.stop_gradient:
        raise RuntimeError("Invalid use of `apply`. Expected a Tensor with stop_gradient. Received: one that takes part in gradients")
    return func(self)


def apply_(self: Tensor, func: Callable[[Any], Any]) -> Tensor:
    """`apply`, written over the Tensor.

    Args:
        func: takes and gives a Tensor.
    Returns:
        Tensor: itself.
    Raises:
        RuntimeError: the Tensor takes part in gradients.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.ones([1]).apply_(lambda v: v + 1).tolist()
        [2.0]

    Follows Paddle 3.3.
    """
    return write(self, apply(self, func)._t)


def resize_(self: Tensor, shape: Any, fill_zero: bool = False, name: str | None = None) -> Tensor:
    """Let the Tensor have another shape, with its elements in order as far as they go.

    Args:
        shape: the shape.
        fill_zero: whether what comes in addition is 0.
        name: has no effect.
    Returns:
        Tensor: itself.
    Raises:
        ValueError: there are more elements than now, and nothing says what they are.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.ones([2]).resize_([3], fill_zero=True).tolist()
        [1.0, 1.0, 0.0]

    Follows Paddle 3.3.
    """
    size, flat = torch.Size(shape).numel(), self._t.detach().reshape(-1)
    if size > flat.numel() and not fill_zero:
        raise invalid_argument("shape", f"at most {flat.numel()} elements, or fill_zero=True", shape, "resize_")
    self._become(torch.cat([flat[:size], flat.new_zeros(max(size - flat.numel(), 0))]).reshape(tuple(shape)))
    return self


def set_(self: Tensor, source: Any = None, shape: Any = None, stride: Any = None, offset: int = 0, name: str | None = None) -> Tensor:
    """Let the Tensor hold another one's memory.

    Args:
        source: the other Tensor; None: it becomes empty.
        shape: the shape; None: the other one's.
        stride: how many elements lie between neighbours; None: the other one's, or none.
        offset: where it begins, in bytes.
        name: has no effect.
    Returns:
        Tensor: itself.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.zeros([2]).set_(paddle.ones([3])).tolist()
        [1.0, 1.0, 1.0]

    Follows Paddle 3.3.
    """
    held = self._t.new_empty(0) if source is None else source._t.detach()
    if shape is not None:
        steps = torch.empty(tuple(shape), device="meta").stride() if stride is None else tuple(stride)
        held = held.as_strided(tuple(shape), steps, held.storage_offset() + offset // held.element_size())
    self._become(held)
    return self


def set_tensor(self: Tensor, value: Tensor) -> None:
    """Let the Tensor hold a copy of another one's values, in their shape and data type. Whether it has a gradient stays as it is.

    Args:
        value: the other Tensor.
    Raises:
        ValueError: it is no Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.zeros([2])
        >>> x.set_tensor(paddle.to_tensor([1, 2, 3])); x
        Tensor(shape=[3], dtype=int64, place=Place(cpu), stop_gradient=True,
               [1, 2, 3])

    Follows Paddle 3.3.
    """
    if not isinstance(value, Tensor):
        raise type_error("value", "a Tensor", value, "set_tensor")
    stops, held = self.stop_gradient, value._t.detach().clone()
    self._become(held if stops or not (held.is_floating_point() or held.is_complex()) else held.requires_grad_())


# by data type, the end of what fills it where nobody gives one: floats hold all whole numbers so far
_ENDS = {
    torch.int32: 2**31 - 1, torch.int64: 2**63 - 1, torch.float16: 2**11, torch.bfloat16: 2**8, torch.float32: 2**24,
    torch.float64: 2**53,
}  # fmt: skip


def random_(self: Tensor, from_: int = 0, to: int | None = None, *, generator: None = None) -> Tensor:
    """Fill the Tensor with whole numbers, as probable as one another.

    Args:
        from_: the least; where there is no `to`: the end, and the least is 0.
        to: the end, which is not among them; where neither is given that of the data type.
        generator: has no effect.
    Returns:
        Tensor: itself.
    Raises:
        TypeError: an end is no int.
        ValueError: there is nothing between the ends, or the Tensor is a leaf that has gradients.
        RuntimeError: the data type is neither int32 nor int64 nor that of floats.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.zeros([3], "int64").random_(1).tolist()
        [0, 0, 0]

    Follows Paddle 3.3.
    """
    held = self._t
    if held.dtype not in _ENDS:
        raise NotFoundError(f"Invalid data type for `random_`. Expected int32, int64 or a float. Received: {self.dtype}")
    for name, end in (("from_", from_), ("to", to)):
        if not (isinstance(end, int) or name == "to" and end is None):
            raise type_error(name, "an int", end, "random_")
    low, high = (0, from_ or _ENDS[held.dtype]) if to is None else (from_, to)
    if low >= high:
        raise invalid_argument("from_", f"a number below to = {high}", low, "random_")
    check_writable(self, "random_")
    high = _representable(high, held.dtype) if held.is_floating_point() else high
    if not paddle_draws(held.device):
        return write(self, torch.empty_like(held).random_(low, high, generator=torch_generator(held.device)))
    drawn = distributions.remainders(engine_for(0), held.numel(), low, high)
    return write(self, torch.from_numpy(drawn.reshape(held.shape)).to(held.device, held.dtype))


def _representable(high: int, kind: torch.dtype) -> int:
    """An end below which no number is rounded up to it."""
    last, digits = high - 1, _ENDS[kind].bit_length() - 1
    return high - (1 << (abs(last).bit_length() - digits)) if int(torch.tensor(last, dtype=torch.int64).to(kind)) > last else high


_OF_BITS = ("__and__", "__or__", "__xor__", "__lshift__", "__rshift__")


def _other_way(name: str) -> Callable[[Any, Any], Any]:
    """An operator whose Tensor stands behind the sign."""

    def method(self: Any, other: Any) -> Any:
        held = self._t
        whole = not (held.is_floating_point() or held.is_complex())
        if isinstance(other, float) and name in _OF_BITS or isinstance(other, np.ndarray) and other.dtype.kind == "f" and whole:
            raise TypeError(f"Unsupported operand in front of a {held.dtype} Tensor for {name}. Expected integers. Received: {other!r}")
        if isinstance(other, float) and whole:
            self = self.astype("float32")  # as where the number stands behind the sign
        elif isinstance(other, int) and held.dtype is torch.bool and name not in _OF_BITS:
            self = self.astype("int64")
        kind = torch.promote_types(self._t.dtype, torch.complex64) if isinstance(other, complex) else self._t.dtype
        left = torch.as_tensor(other, device=held.device).to(kind)
        return getattr(Tensor(left.reshape(1) if name == "__floordiv__" and not left.dim() else left), name)(self)

    return method


def _shift(name: str) -> Callable[[Any, Any], Any]:
    def method(self: Tensor, other: Any) -> Any:
        from paddle_compat.tensor import _paddle3_numbers

        by = other if isinstance(other, Tensor) else Tensor(torch.as_tensor(other, device=self._t.device).to(self._t.dtype))
        return getattr(_paddle3_numbers, name)(self, by)

    return method


def _absolute(self: Any) -> Any:
    return self.abs()


def _capsule(self: Tensor, *, stream: int | None = None, max_version: Any = None, dl_device: Any = None, copy: bool | None = None) -> Any:
    """What other libraries' `from_dlpack`, and `torch.as_tensor`, make their arrays of; they share its elements."""
    if not self.stop_gradient:
        raise BufferError(
            "Can't get __dlpack__ from Tensor that requires gradients. Expected tensor.detach(), if gradients aren't required. "
            "Received: stop_gradient=False"
        )
    if stream is not None and self._t.device.type == "cpu":
        raise AssertionError(f"CPU tensor stream must be None. Received: {stream!r}")
    held = self._t.clone() if copy else self._t
    return held.__dlpack__(stream=stream)


def _capsule_device(self: Tensor) -> tuple[Any, int]:
    return self._t.__dlpack_device__()


def _shape(self: Tensor) -> Size:
    """The dimensions."""
    size = Size.__new__(Size)
    size.extend(self._t.shape)  # ints all, which need no look
    return size


METHODS: dict[str, Any] = {
    "__abs__": _absolute,
    "__complex__": lambda self: complex(self._one("complex")),
    "__dlpack__": _capsule,
    "__dlpack_device__": _capsule_device,
    "__lshift__": _shift("bitwise_left_shift"),
    "__pos__": lambda self: self,
    "__rshift__": _shift("bitwise_right_shift"),
    **{
        f"__r{name}__": _other_way(f"__{name}__")
        for name in ("and", "or", "xor", "lshift", "rshift", "floordiv", "mod", "matmul")
    },
    "apply": apply,
    "apply_": apply_,
    "device": property(_device, doc='Where the Tensor lives: "cpu" or "gpu:0".'),
    "get_device": get_device,
    "random_": random_,
    "resize_": resize_,
    "set_": set_,
    "size": property(_size, doc="Number of elements; called, as in Paddle 3, the shape or one of the dimensions."),
    "set_tensor": set_tensor,
    "stride": stride,
}

if SINCE_3_3:
    METHODS["shape"] = property(_shape)
