"""What the functions of `paddle.sparse` take."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.errors import UnimplementedError, UnsupportedError, invalid_argument
from paddle_compat.core.sparse import SparseCooTensor, SparseTensor
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable


def in_eager_mode(x: Any, api: str) -> None:
    """Refuse Variables: Programs have no sparse ones here."""
    if isinstance(x, Variable):
        raise UnsupportedError(f"paddle.sparse.{api} of Variables", instead="eager mode, or dense Variables")


def sparse(x: Any, name: str, api: str) -> SparseTensor:
    """A sparse Tensor."""
    in_eager_mode(x, api)
    if isinstance(x, SparseTensor):
        return x
    if isinstance(x, Tensor):
        raise UnimplementedError(
            f"Invalid value for argument `{name}` of `{api}`. Expected a sparse Tensor. Received: a dense one of shape {x.shape}"
        )
    raise invalid_argument(name, "a sparse Tensor", x, api)


def of_coordinates(x: Any, name: str, api: str) -> SparseCooTensor:
    """A sparse Tensor whose values have coordinates."""
    found = sparse(x, name, api)
    if not isinstance(found, SparseCooTensor):
        raise UnimplementedError(f"Invalid value for argument `{name}` of `{api}`. Expected a COO Tensor. Received: a {found._what} Tensor")
    return found


def dense(x: Any, name: str, api: str) -> Tensor:
    """A Tensor that holds every element."""
    in_eager_mode(x, api)
    if isinstance(x, SparseTensor):
        raise UnimplementedError(f"Invalid value for argument `{name}` of `{api}`. Expected a dense Tensor. Received: a {x._what} Tensor")
    if isinstance(x, Tensor):
        return x
    raise invalid_argument(name, "a Tensor", x, api)
