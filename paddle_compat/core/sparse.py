"""Sparse Tensors: the values that are there, and where they are.

A sparse Tensor is no torch tensor of a sparse layout (those are rows of tables here, see `Tensor.type`): it holds a Tensor of its
values, through which its gradients pass, and torch tensors that say where those are. What asks it for the one torch tensor that
other Tensors have is refused by name, so operators of dense Tensors need no question of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
import torch

from paddle_compat.core import unique_name
from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import ExternalError, FatalError, UnimplementedError, failed_assertion, invalid_argument, type_error
from paddle_compat.core.grad_mode import without_history
from paddle_compat.core.place import Place
from paddle_compat.core.tensor import _SHOWN, Tensor, wrapped


class SparseInputError(UnimplementedError, FatalError, ExternalError):
    """An operator of dense Tensors got a sparse one: some of 2.6's raise the first kind, some the second, most of 3.3's the third."""


class SparseTensor(Tensor):
    """A Tensor of which only some values are there; `paddle.sparse` makes and takes them.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.sparse.sparse_coo_tensor([[0, 1], [1, 0]], [1.0, 2.0], [2, 2])
        >>> x.is_sparse(), x.nnz()
        (True, 2)

    Follows Paddle 2.6.
    """

    __slots__ = ("_values", "_shape")
    _values: Tensor
    _shape: tuple[int, ...]
    _what = "sparse"  # the layout, in words

    @property
    def _t(self) -> NoReturn:  # type: ignore[override]
        raise SparseInputError(
            "A sparse Tensor has no elements in a row. Expected a dense Tensor (Tensor.to_dense()), or a function of paddle.sparse. "
            f"Received: a sparse Tensor of shape {self.shape}"
        )

    if TYPE_CHECKING:

        def _like(self, values: Tensor) -> Any:
            """Other values at the same places."""

        def _taken(self, other: SparseTensor) -> Tensor:
            """What another Tensor has at the places of this one; `paddle_compat.sparse` gives it."""

    @property
    def shape(self) -> list[int]:
        """The dimensions."""
        return list(self._shape)

    @property
    def dtype(self) -> VarType:
        """Data type of the values."""
        return self._values.dtype

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self._shape)

    @property
    def size(self) -> int:
        """Number of elements, also of those that are not there."""
        return int(np.prod(self._shape))

    @property
    def place(self) -> Place:
        """Where it lives."""
        return self._values.place

    @property
    def stop_gradient(self) -> bool:
        """Whether gradients stop here."""
        return self._values.stop_gradient

    @stop_gradient.setter
    def stop_gradient(self, value: bool) -> None:
        self._values.stop_gradient = value

    @property
    def is_leaf(self) -> bool:
        """Whether no operator made it, or none that gradients pass through."""
        return self._values.is_leaf

    @property
    def grad(self) -> Any:
        """The gradient that `backward` left here, at the same places."""
        found = self._values.grad
        return None if found is None else self._like(found)

    @grad.setter
    def grad(self, grad: Any) -> None:
        self._values.grad = _values_of(self, grad, "grad")

    def _clear_grad(self, set_to_zero: bool = True) -> None:
        self._values._clear_grad(set_to_zero)

    def backward(self, grad_tensor: Any = None, retain_graph: bool = False) -> None:
        """Leave the gradients of this Tensor in the leaves that it was made from, added to those that are there.

        Args:
            grad_tensor (Tensor): the gradient to start with, sparse; what it has at other places does not count. None: ones.
            retain_graph (bool): whether another backward pass may follow.
        Raises:
            NotImplementedError: grad_tensor is not sparse.
        """
        start = None if grad_tensor is None else _values_of(self, grad_tensor, "grad_tensor")
        self._values.backward(start, retain_graph)  # type: ignore[attr-defined]

    def register_hook(self, hook: Callable[[Any], Any]) -> Any:
        """Have a function called with the gradient of this Tensor, which may return another one to go on with.

        Args:
            hook (callable): takes the gradient, returns a sparse Tensor or None.
        Returns:
            An object whose `remove` takes the hook away.
        """

        def call(grad: Tensor) -> Any:
            out = hook(self._like(grad))
            return None if out is None else _values_of(self, out, "hook")

        return self._values.register_hook(call)  # type: ignore[attr-defined]

    def retain_grads(self) -> None:
        """Have `grad` of an operator's result kept, too."""
        self._values.retain_grads()  # type: ignore[attr-defined]

    def gradient(self) -> Any:
        """The gradient as numpy array: refused where there is one, as `numpy`.

        Returns:
            None: there is no gradient.
        """
        grad = self.grad
        return None if grad is None else grad.numpy()

    def nnz(self) -> int:
        """How many values are there.

        Returns:
            int.
        """
        return len(self._values)

    def values(self) -> Any:
        """The values that are there.

        Returns:
            Tensor: [nnz, ...], through which gradients pass.
        """
        value = self._values._t
        out = wrapped(without_history(value.view_as(value)) if value.requires_grad else value)
        out._open = self._values._open
        return out

    def detach(self) -> Any:
        """The same data, cut off from the gradient.

        Returns:
            Tensor: it shares the data.
        """
        return self._like(self._values.detach())

    def is_sparse(self) -> bool:
        """Whether it is a sparse Tensor: it is.

        Returns:
            bool.
        """
        return True

    def is_dense(self) -> bool:
        """Whether it holds every element: it does not.

        Returns:
            bool.
        """
        return False

    def is_selected_rows(self) -> bool:
        """Whether it holds some rows of a table: it does not.

        Returns:
            bool.
        """
        return False

    def numpy(self) -> np.ndarray:
        """Refused: `to_dense().numpy()` gives all elements, `values().numpy()` those that are there.

        Returns:
            Nothing.
        Raises:
            NotImplementedError: always.
        """
        return self._t

    def item(self, *args: int) -> Any:
        """Refused, as `numpy`.

        Args:
            args (int): an index.
        Returns:
            Nothing.
        Raises:
            ValueError: always.
        """
        raise invalid_argument("self", "a dense Tensor", f"a {self._what} Tensor", "Tensor.item")

    def __len__(self) -> int:
        return self._shape[0]

    def _one(self, kind: str) -> Any:
        if self.size != 1:
            raise AssertionError(f"Only a Tensor of one element can become {kind}. Expected one element. Received: {self.size}")
        return self._t

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        copied = self._like(deepcopy(self._values, memo))
        copied.name, copied.persistable = self.name + unique_name.generate("_deepcopy"), self.persistable
        memo[id(self)] = copied
        return copied


class SparseCooTensor(SparseTensor):
    """A sparse Tensor whose values have coordinates.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.sparse.sparse_coo_tensor([[0, 1], [1, 0]], [1.0, 2.0], [2, 2])
        >>> x.indices().tolist(), x.values().tolist()
        ([[0, 1], [1, 0]], [1.0, 2.0])

    Follows Paddle 2.6.
    """

    __slots__ = ("_indices", "_coalesced")
    _indices: torch.Tensor
    _coalesced: bool
    _what = "COO"

    @property
    def type(self) -> VarType:
        """Kind of the variable."""
        return VarType.SPARSE_COO

    def _like(self, values: Tensor) -> SparseCooTensor:
        return coo(self._indices, values, self._shape, self._coalesced)

    @property
    def _sparse_rank(self) -> int:
        """How many of the dimensions the coordinates speak of; the others are those of each value."""
        return len(self._indices)

    def indices(self) -> Tensor:
        """Where the values are.

        Returns:
            Tensor: [dimensions, nnz], int64.
        """
        return wrapped(self._indices)

    def is_sparse_coo(self) -> bool:
        """Whether its values have coordinates: they do.

        Returns:
            bool.
        """
        return True

    def is_coalesced(self) -> bool:
        """Whether it is known that no place has two values, and that places are in order.

        Returns:
            bool.
        """
        return self._coalesced


class SparseCsrTensor(SparseTensor):
    """A sparse Tensor whose values lie row by row, each with its column.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.sparse.sparse_csr_tensor([0, 1, 2], [1, 0], [1.0, 2.0], [2, 2])
        >>> x.crows().tolist(), x.cols().tolist(), x.values().tolist()
        ([0, 1, 2], [1, 0], [1.0, 2.0])

    Follows Paddle 2.6.
    """

    __slots__ = ("_crows", "_cols")
    _crows: torch.Tensor
    _cols: torch.Tensor
    _what = "CSR"

    @property
    def type(self) -> VarType:
        """Kind of the variable."""
        return VarType.SPARSE_CSR

    def _like(self, values: Tensor) -> SparseCsrTensor:
        return csr(self._crows, self._cols, values, self._shape)

    def crows(self) -> Tensor:
        """How many values lie in front of each row, and in front of the end; of each matrix one after the other.

        Returns:
            Tensor: [rows + 1], int64.
        """
        return wrapped(self._crows)

    def cols(self) -> Tensor:
        """The columns of the values.

        Returns:
            Tensor: [nnz], int64.
        """
        return wrapped(self._cols)

    def is_sparse_csr(self) -> bool:
        """Whether its values lie row by row: they do.

        Returns:
            bool.
        """
        return True


_SHOWN.update(dict.fromkeys(("SparseTensor", "SparseCooTensor", "SparseCsrTensor"), _SHOWN["Tensor"]))


def coo(indices: torch.Tensor, values: Tensor, shape: Any, coalesced: bool = False) -> SparseCooTensor:
    """A sparse Tensor of values with coordinates; nothing is looked at."""
    out = object.__new__(SparseCooTensor)
    out._kind = None
    out._indices, out._values, out._shape, out._coalesced = indices, values, tuple(shape), coalesced
    return out


def csr(crows: torch.Tensor, cols: torch.Tensor, values: Tensor, shape: Any) -> SparseCsrTensor:
    """A sparse Tensor of values that lie row by row; nothing is looked at."""
    out = object.__new__(SparseCsrTensor)
    out._kind = None
    out._crows, out._cols, out._values, out._shape = crows, cols, values, tuple(shape)
    return out


def held(x: Any) -> Any:
    """What holds the gradients of a Tensor: of a sparse one its values."""
    return x._values if isinstance(x, SparseTensor) else x


def start(x: Any, gradient: Any) -> Any:
    """What a backward pass starts from at what `held` gives: None stays None."""
    return gradient if gradient is None or not isinstance(x, SparseTensor) else _values_of(x, gradient, "grad_tensors")


def like(x: Any, values: Tensor | None) -> Any:
    """What stands for the values of a Tensor's gradient: of a sparse one, those at the same places."""
    return x._like(values) if values is not None and isinstance(x, SparseTensor) else values


def _values_of(x: SparseTensor, gradient: Any, name: str) -> Tensor:
    """The values of a gradient of a sparse Tensor."""
    if not isinstance(gradient, Tensor):
        raise type_error(name, "a sparse Tensor", gradient)
    if not isinstance(gradient, SparseTensor):
        raise UnimplementedError(f"Invalid value for argument `{name}`. Expected a sparse Tensor. Received: a dense one")
    if gradient.shape != x.shape:
        raise failed_assertion(name, f"the shape {x.shape}", gradient.shape)
    return x._taken(gradient)


def refused(method: str, kind: str, x: SparseTensor) -> FatalError:
    """The error for a method that Tensors of another layout have."""
    return FatalError(f"`Tensor.{method}` is for sparse Tensors only. Expected a {kind} Tensor. Received: a {x._what} Tensor")
