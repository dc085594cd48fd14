"""What the functions of `paddle.sparse` take."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from paddle_compat.core import capture
from paddle_compat.core.dtype import VarType, dtype_name, is_float
from paddle_compat.core.errors import UnimplementedError, UnsupportedError, failed_assertion, invalid_argument, type_error
from paddle_compat.core.layer_helper import LayerHelper
from paddle_compat.core.sparse import SparseCooTensor, SparseTensor
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable


def in_eager_mode(x: Any, api: str) -> None:
    """Refuse Variables, as the wheel does: few functions have operators for Programs."""
    if isinstance(x, Variable):
        raise failed_assertion("x", "a Tensor: it is for eager mode alone, paddle.disable_static() leads there", f"Variable {x.name}", api)


def in_program(x: Any) -> bool:
    """Whether that is a sparse Variable of a Program."""
    return isinstance(x, Variable) and x.type == VarType.SPARSE_COO


def of_floats(x: Variable, api: str) -> Variable:
    """A sparse Variable of floats: what is worked out of its values has no other kernels."""
    if not is_float(x.dtype) and dtype_name(x.dtype) not in ("complex64", "complex128"):
        raise type_error("x", "a sparse Variable of floats", x, api)
    return x


def recorded(operator: str, *inputs: Any, **attrs: Any) -> Any:
    """The Variable of an operator that is recorded into a Program."""
    if capture.may_leave():
        raise _only_at_once(operator)
    found = getattr(import_module("paddle_compat.ops.sparse_variables"), operator)(*inputs, **attrs, _helper=LayerHelper(operator))
    return found


def scaled(x: Variable, factor: float, api: str) -> Any:
    """The Variable of the values times a number."""
    return recorded("sparse_scale", of_floats(x, api), scale=factor, bias=0.0, bias_after_scale=True)


def _only_at_once(api: str) -> UnsupportedError:
    """Why a function that `to_static` records goes on in eager mode: gradients pass sparse Tensors there alone."""
    return UnsupportedError(f"{api} of paddle.sparse in a recorded function", instead="eager mode")


def sparse(x: Any, name: str, api: str) -> SparseTensor:
    """A sparse Tensor."""
    in_eager_mode(x, api)
    if isinstance(x, SparseTensor):
        if capture.current is not None:
            raise _only_at_once(api)
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
