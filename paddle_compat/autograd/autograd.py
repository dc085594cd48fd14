"""`paddle.autograd.jacobian` and `hessian`: matrices of derivatives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from paddle_compat import tensor as T
from paddle_compat._missing import missing
from paddle_compat.autograd._recorded_rows import RecordedRows
from paddle_compat.autograd._rows import Lines, Rows, derivatives, through
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable


class Jacobian:
    """The derivatives of the elements of `ys` with respect to those of `xs`: a Tensor whose rows are computed when they are asked for.

    Args:
        ys (Tensor): of no more than one dimension, besides that of a batch.
        xs (Tensor): likewise.
        is_batched (bool): whether the first dimension is a batch.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        >>> matrix = paddle.autograd.jacobian(x * x, x)
        >>> matrix.shape, matrix[1].tolist(), (matrix * 2)[:].tolist()
        ([2, 2], [0.0, 4.0], [[4.0, 0.0], [0.0, 8.0]])

    Follows Paddle 2.6.
    """

    def __init__(self, ys: Any, xs: Any, is_batched: bool = False) -> None:
        least, most = (1, 2) if is_batched else (0, 1)
        for name, value in (("ys", ys), ("xs", xs)):
            if not least <= value.ndim <= most:
                raise ValueError(
                    f"Invalid value for argument `{name}` of `jacobian`. Expected a Tensor of {least} or {most} dimensions when "
                    f"is_batched={is_batched}: `{name}.ndim should be {least} or {most}`. Received: {value.ndim}"
                )
        self.shape = [*ys.shape[:least], *ys.shape[least:], *xs.shape[least:]]
        self._point = None if ys.ndim + xs.ndim else True
        self._single = not is_batched and not ys.ndim, not is_batched and not xs.ndim
        self._rows: Lines
        if isinstance(ys, Variable):
            self._rows = RecordedRows(ys if ys.ndim > least else T.unsqueeze(ys, -1), [xs], is_batched)
        else:
            self._rows = Rows(ys._t if ys.ndim > least else ys._t.unsqueeze(-1), [xs._t], is_batched)
        self._flat = is_batched and xs.ndim == 1 and not isinstance(ys, Variable)  # recorded rows have a column there

    def _whole(self) -> Any:
        """Everything, with the dimensions that there are."""
        whole = self._rows.whole()
        if self._flat:  # one derivative for each member of the batch
            whole = whole.unsqueeze(-1)
        return self._rows.public(whole.reshape(self.shape) if True in self._single else whole)

    def __getitem__(self, indexes: Any) -> Any:
        if self._point:
            raise IndexError("A 0-D Tensor can not be indexed. Expected ys or xs of one dimension. Received: both of none")
        if True in self._single or self._flat:
            return self._whole()[indexes]
        return self._rows.part(indexes)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._whole(), name)

    locals().update(through(lambda self: self._rows))


class Hessian(Jacobian):
    """The second derivatives of one number: the Jacobian of its gradient.

    Args:
        ys (Tensor): the gradient.
        xs (Tensor): as for `Jacobian`.
        is_batched (bool): likewise.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        >>> paddle.autograd.hessian((x * x * x).sum(), x)[:].tolist()
        [[6.0, 0.0], [0.0, 12.0]]

    Follows Paddle 2.6.
    """


def jacobian(ys: Any, xs: Any, batch_axis: int | None = None) -> Any:
    """The derivatives of Tensors with respect to Tensors that they were made from.

    Args:
        ys: a Tensor, or a tuple of them.
        xs: a Tensor, or a tuple of them.
        batch_axis: 0 where the first dimension of all is a batch, whose members do not depend on each other.
    Returns:
        Jacobian; a tuple of them for a tuple, one per `xs` for each of `ys`.
    Raises:
        ValueError: `batch_axis` is something else, or a Tensor has too many dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        >>> w = paddle.to_tensor(3.0, stop_gradient=False)
        >>> by_x, by_w = paddle.autograd.jacobian(x * w, (x, w))
        >>> by_x[:].tolist(), by_w[:].tolist()
        ([[3.0, 0.0], [0.0, 3.0]], [1.0, 2.0])

    Follows Paddle 2.6.
    """
    batched = _is_batched(batch_axis, "jacobian")
    if isinstance(ys, Sequence):
        return tuple(jacobian(y, xs, batch_axis) for y in ys)
    if isinstance(xs, Sequence):
        return tuple(Jacobian(ys, x, batched) for x in xs)
    return Jacobian(ys, xs, batched)


def hessian(ys: Any, xs: Any, batch_axis: int | None = None) -> Any:
    """The second derivatives of one number (of each member of a batch) with respect to Tensors that it was made from.

    Args:
        ys (Tensor): of one element; of shape [batch] or [batch, 1] with `batch_axis`.
        xs: a Tensor, or a tuple of them.
        batch_axis: 0 where the first dimension of all is a batch.
    Returns:
        Hessian; for a tuple a tuple of tuples of them.
    Raises:
        ValueError: `batch_axis` is something else, or there are too many elements.

    Example:
        >>> import paddle_compat as paddle
        >>> x, y = (paddle.to_tensor([n], stop_gradient=False) for n in (2.0, 3.0))
        >>> [[part[:].tolist() for part in row] for row in paddle.autograd.hessian(x * x * y, (x, y))]
        [[[[6.0]], [[4.0]]], [[[4.0]], [[0.0]]]]

    Follows Paddle 2.6.
    """
    batched = _is_batched(batch_axis, "hessian")
    if ys.size != (ys.shape[0] if batched and ys.ndim else 1):
        raise ValueError(
            f"Invalid value for argument `ys` of `hessian`. Expected one element when batch_axis is {batch_axis}"
            f"{', for each member of the batch' if batched else ''}. Received: shape {ys.shape}"
        )
    several = isinstance(xs, Sequence)
    inputs = list(xs) if several else [xs]
    firsts = [Tensor(g) for g in derivatives(ys._t.sum(), [x._t for x in inputs])]
    made = tuple(tuple(Hessian(first, x, batched) for x in inputs) for first in firsts)
    return made if several else made[0][0]


def _is_batched(batch_axis: Any, api: str) -> bool:
    if batch_axis is not None and batch_axis != 0:
        raise ValueError(f"Invalid value for argument `batch_axis` of `{api}`. Expected None or 0. Received: {batch_axis!r}")
    return batch_axis is not None


def as_tensors(xs: Any) -> Any:
    """Several tensors as a tuple, one as it is.

    Args:
        xs: a Tensor, a list or tuple of them, or None.
    Returns:
        A tuple for a list or tuple; everything else as it is.

    Example:
        >>> from paddle_compat.autograd.autograd import as_tensors
        >>> as_tensors([1, 2]), as_tensors(None)
        ((1, 2), None)

    Follows Paddle 3.3.
    """
    return tuple(xs) if isinstance(xs, Sequence) else xs


__all__ = ["as_tensors", "hessian", "jacobian"]

__getattr__ = missing(__name__)
