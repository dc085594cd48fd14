"""Members of Variables since Paddle 3: data types as methods, new tensors of the same kind, and torch's names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paddle_compat.core import capture
from paddle_compat.core.dtype import dtype_name, torch_dtype
from paddle_compat.core.errors import type_error
from paddle_compat.core.op import definition_of
from paddle_compat.core.place import Place
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.tensor import _tensor_kinds
from paddle_compat.tensor._tensor_placement import is_dtype
from paddle_compat.tensor._variable_operators import astype


def _cast(method: str, dtype: str) -> Callable[[Variable], Variable]:
    def cast(self: Variable) -> Variable:
        return self if dtype_name(self.dtype) == dtype else astype(self, dtype)

    cast.__name__, cast.__qualname__ = method, f"Variable.{method}"
    cast.__doc__ = f"""The Variable as {dtype}.

    Returns:
        Variable: itself, where it is so already.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> str(paddle.static.data("x", [2]).{method}().dtype)
        'paddle.{dtype}'

    Follows Paddle 3.3.
    """
    return cast


def to(self: Variable, *args: Any, **kwargs: Any) -> Variable:
    """The Variable as another data type; where it lies is decided when the Program runs.

    Args:
        args: a device, a data type, and whether to wait; or a tensor that shows them.
        kwargs: `device`, `dtype`, `blocking`, `other`: the same by name.
    Returns:
        Variable: itself, where it is so already.
    Raises:
        TypeError: none of these.
        RuntimeError: eager mode may take over a recording, which knows the device.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> str(paddle.static.data("x", [2]).to("cpu", "int32").dtype)
        'paddle.int32'

    Follows Paddle 3.3.
    """
    dtype: Any = None
    for value in (*args, *kwargs.values()):
        if isinstance(value, (Tensor, Variable)):
            dtype = value.dtype
        elif is_dtype(value):
            dtype = value
        elif isinstance(value, (str, Place)):
            if capture.may_leave():
                raise RuntimeError(f"Where Variable `{self.name}` lies is only known when the recorded Program runs")
        elif not isinstance(value, (bool, type(None))):
            raise type_error("device", "a device, a data type or a tensor", value, "Variable.to")
    return self if dtype is None else _cast("to", dtype_name(dtype))(self)


def contiguous(self: Variable) -> Variable:
    """The Variable itself, as a Program does not know how elements lie in memory.

    Returns:
        Variable.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> paddle.static.data("x", [2]).contiguous().shape
        (2,)

    Follows Paddle 3.3.
    """
    return self


def is_contiguous(self: Variable) -> bool:
    """Whether the elements lie in memory in order.

    Returns:
        bool: True.
    Raises:
        RuntimeError: eager mode may take over a recording, which knows better.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> paddle.static.data("x", [2]).is_contiguous()
        True

    Follows Paddle 3.3.
    """
    if capture.may_leave():
        raise RuntimeError(f"How the elements of Variable `{self.name}` lie is only known when the recorded Program runs")
    return True


def _bits(function: str, reverse: bool = False) -> Any:
    """An operator of bits, beside a number of the Variable's type, as Paddle 3 has it."""

    def method(self: Variable, other: Any) -> Any:
        from paddle_compat.tensor import creation

        if not isinstance(other, (int, Tensor, Variable)):
            return NotImplemented
        value = creation.full([], other, self.dtype) if isinstance(other, int) else other
        operator = definition_of(function)
        return operator(value, self, _helper=function) if reverse else operator(self, value, _helper=function)

    return method


METHODS: dict[str, Any] = {
    **{f"__{name}__": _bits(f"bitwise_{what}_shift") for name, what in (("lshift", "left"), ("rshift", "right"))},
    **{f"__r{name}__": _bits(f"bitwise_{what}_shift", True) for name, what in (("lshift", "left"), ("rshift", "right"))},
    **{f"__r{name}__": _bits(f"bitwise_{name}", True) for name in ("and", "or", "xor")},
    **{method: _cast(method, dtype) for method, dtype in _tensor_kinds.KINDS.items()},
    **{
        name: _tensor_kinds.METHODS[name]
        for name in ("new_empty", "new_ones", "new_zeros", "new_full", "type_as", "requires_grad", "requires_grad_", "repeat", "mT")
    },
    "contiguous": contiguous,
    "is_contiguous": is_contiguous,
    "itemsize": property(lambda self: torch_dtype(self.dtype).itemsize, doc="How many bytes an element has."),
    "to": to,
}
