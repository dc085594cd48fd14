"""Members of Tensors since Paddle 3: data types as methods, new Tensors of the same kind, and torch's names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paddle_compat.core.dtype import NAME_OF
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.paddle3 import paddle3
from paddle_compat.core.tensor import Tensor


def _cast(method: str, dtype: str) -> Callable[[Any], Any]:
    def cast(self: Any) -> Any:
        return self if NAME_OF[self._t.dtype] == dtype else self.astype(dtype)

    cast.__name__, cast.__qualname__ = method, f"Tensor.{method}"
    cast.__doc__ = f"""The Tensor as {dtype}.

    Returns:
        Tensor: itself, where it is so already.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.to_tensor([1]).{method}().astype("int64").tolist()
        [1]

    Follows Paddle 3.3.
    """
    return cast


def _new(kind: str, value: float | None) -> Callable[..., Any]:
    @paddle3(sizes="size", made=True)
    def made(self: Tensor, size: Any, *, dtype: Any = None) -> Any:
        from paddle_compat.tensor import creation

        kind_of = self.dtype if dtype is None else dtype
        return creation.empty(size, kind_of) if value is None else creation.full(size, value, kind_of)

    made.__name__, made.__qualname__ = f"new_{kind}", f"Tensor.new_{kind}"
    made.__doc__ = f"""A new Tensor of this one's type.

    Args:
        size: the shape; also as ints one by one.
        dtype: another data type.
        out: a Tensor that becomes the result, too.
        device: where it lives.
        requires_grad: whether it takes part in gradients.
        pin_memory: whether it lies in memory that a GPU reads directly.
    Returns:
        Tensor

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.ones([1]).new_{kind}(2, 3).shape
        [2, 3]

    Follows Paddle 3.3.
    """
    return made


@paddle3(made=True)
def new_full(self: Tensor, size: Any, fill_value: Any, *, dtype: Any = None) -> Any:
    """A new Tensor of this one's type, of one value.

    Args:
        size: the shape.
        fill_value: the value.
        dtype: another data type.
    Returns:
        Tensor

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.ones([1]).new_full([2], 5).tolist()
        [5.0, 5.0]

    Follows Paddle 3.3.
    """
    from paddle_compat.tensor.creation import full

    return full(size, fill_value, self.dtype if dtype is None else dtype)


def type_as(self: Any, other: Tensor) -> Any:
    """The Tensor as another one's data type.

    Args:
        other: the other one.
    Returns:
        Tensor

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.ones([1]).type_as(paddle.to_tensor([1])).tolist()
        [1]

    Follows Paddle 3.3.
    """
    return self.astype(other.dtype)


def requires_grad_(self: Tensor, requires_grad: bool = True) -> Tensor:
    """Have the Tensor take part in gradients, or not.

    Args:
        requires_grad: whether it does.
    Returns:
        Tensor: itself.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.ones([1]).requires_grad_().stop_gradient
        False

    Follows Paddle 3.3.
    """
    self.stop_gradient = not requires_grad
    return self


@paddle3(sizes="repeats")
def repeat(self: Tensor, repeats: Any) -> Any:
    """The Tensor side by side with itself, so often along each dimension.

    Args:
        repeats: how often; also as ints one by one.
    Returns:
        Tensor

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.to_tensor([1, 2]).repeat(2).tolist()
        [1, 2, 1, 2]

    Follows Paddle 3.3.
    """
    from paddle_compat.tensor._expand import tile

    return tile(self, repeats)


def _turned(self: Tensor) -> Any:
    """The Tensor with its last two dimensions exchanged."""
    from paddle_compat.tensor._reshape import transpose

    if len(self.shape) < 2:
        raise invalid_argument("x", "two dimensions or more", len(self.shape), "Tensor.mT")
    return transpose(self, -2, -1)


KINDS = {
    "bfloat16": "bfloat16", "bool": "bool", "byte": "uint8", "cdouble": "complex128", "cfloat": "complex64", "char": "int8",
    "complex128": "complex128", "complex64": "complex64", "double": "float64", "float": "float32", "float16": "float16",
    "float32": "float32", "float64": "float64", "half": "float16", "int": "int32", "int16": "int16", "int32": "int32", "int64": "int64",
    "int8": "int8", "long": "int64", "short": "int16", "uint8": "uint8",
}  # fmt: skip

METHODS: dict[str, Any] = {
    **{method: _cast(method, dtype) for method, dtype in KINDS.items()},
    "new_empty": _new("empty", None),
    "new_ones": _new("ones", 1.0),
    "new_zeros": _new("zeros", 0.0),
    "new_full": new_full,
    "type_as": type_as,
    "requires_grad_": requires_grad_,
    "repeat": repeat,
    "mT": property(_turned),
    "requires_grad": property(
        lambda self: not self.stop_gradient,
        lambda self, value: setattr(self, "stop_gradient", not value),
        doc="Whether the Tensor takes part in gradients.",
    ),
    "is_cuda": property(lambda self: self._t.is_cuda, doc="Whether the Tensor lies on a GPU."),
    "itemsize": property(lambda self: self._t.itemsize, doc="How many bytes an element has."),
}
