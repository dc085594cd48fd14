"""Gradients that no backward pass left: a Tensor's, given by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paddle_compat.core.dtype import dtype_name
from paddle_compat.core.errors import PreconditionNotMetError, invalid_argument

if TYPE_CHECKING:
    from paddle_compat.core.tensor import Tensor


def give(owner: Tensor, grad: Tensor) -> None:
    """Have a copy of a Tensor for the gradient of another.

    Args:
        owner: a leaf, or what operators made.
        grad: of any shape; of the data type of the gradient that is there, if one is.
    Raises:
        InvalidArgumentError: it is no Tensor.
        PreconditionNotMetError: the gradient that is there is of another data type.
    """
    from paddle_compat.core.tensor import Tensor

    if not isinstance(grad, Tensor):
        raise invalid_argument("grad", "a Tensor", type(grad).__name__, "Tensor.grad")
    former = owner.grad
    if former is not None and grad._t.dtype is not former._t.dtype:
        expected, received = (dtype_name(x.dtype) for x in (former, grad))
        raise PreconditionNotMetError(f"A gradient has its Tensor's data type. Expected {expected}. Received: {received}")
    value = grad._t.detach().clone()
    if not owner._t.is_leaf:
        owner._kept = owner._kept or [None]
        owner._kept[0] = value
    elif owner._fits(value):
        owner._given = value if owner._t.grad is None else None  # a gradient that takes on other values stays one
        owner._t.grad = value
    else:  # which torch has no place for
        owner._given, owner._t.grad = value, None
