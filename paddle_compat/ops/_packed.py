"""Many small tensors side by side in one buffer: one call does to all of them what would take a call for each.

What an optimizer keeps between steps (moments, mean squares, powers of beta) moves into a buffer at the first step and stays
there: its tensors become windows of the buffer. Gradients are copied into a buffer; parameters stay where they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.utils.weak import WeakTensorKeyDictionary

Tensor = torch.Tensor
LARGEST = 1 << 18  # elements that one call works on: more of them leave the processor's cache between two calls
SMALL = 1 << 15  # elements up to which copying a gradient costs less than calls of its own


def _windows(buffer: Tensor, like: Sequence[Tensor]) -> list[Tensor]:
    """Consecutive parts of a buffer in the shapes of these tensors."""
    parts = buffer.split([tensor.numel() for tensor in like])
    return [part.view(tensor.shape) for part, tensor in zip(parts, like)]


_buffers = WeakTensorKeyDictionary()  # first of some tensors: their buffer, and where in memory its windows begin


def buffer_of(tensors: Sequence[Tensor]) -> Tensor | None:
    """The buffer that these contiguous tensors, and nothing else, are windows of; the first time they move into one.

    None for tensors of several types, or where one of them is there twice.
    """
    if len(tensors) == 1:
        return tensors[0].view(-1)
    places = [tensor.data_ptr() for tensor in tensors]
    found = _buffers.get(tensors[0])
    if found is not None and found[1] == places:
        return found[0]
    if len(set(places)) < len(places) or len({tensor.dtype for tensor in tensors}) > 1:
        return None
    buffer = torch.cat([tensor.view(-1) for tensor in tensors])
    for tensor, window in zip(tensors, _windows(buffer, tensors)):
        tensor.data = window
    _buffers[tensors[0]] = buffer, [tensor.data_ptr() for tensor in tensors]
    return buffer


class Sound(list[Any]):
    """A column of dense, contiguous tensors of one type, which kernels can take; whoever makes one sees to it that they stay so."""

    kind: torch.dtype
    buffer: Tensor | None = None  # of powers of beta: where they are packed


def sound(column: list[Any]) -> list[Any]:
    """A column that need not be looked at in each step, if it is one."""
    if any(not isinstance(value, Tensor) or value.is_sparse or not value.is_contiguous() for value in column):
        return column
    if any(value.dtype is not column[0].dtype for value in column):
        return column
    out = Sound(column)
    out.kind = column[0].dtype
    return out


class Powers:
    """Powers of beta, one for each parameter; nobody but optimizers writes them."""

    def __init__(self, tensors: list[Tensor]) -> None:
        self.tensors = tensors
        known = type(tensors) is Sound
        self.buffer = tensors.buffer if known else None  # type: ignore[attr-defined]
        if self.buffer is None and tensors[0].device.type == "cpu":
            self.buffer = buffer_of(tensors)
            if known:
                tensors.buffer = self.buffer  # type: ignore[attr-defined]

    def numbers(self) -> list[float]:
        """Their values."""
        return [tensor.item() for tensor in self.tensors] if self.buffer is None else self.buffer.tolist()

    def advance(self, beta: float) -> None:
        """Make them those of the next step."""
        if self.buffer is None:
            torch._foreach_mul_(self.tensors, beta)
        else:
            self.buffer.mul_(beta)


@dataclass
class Piece:
    """What some calls work on: a part of a large parameter, or several small ones.

    Attributes:
        rows: which parameters; of a large one, `part` tells which part.
        params: these parameters.
        kept: the tensors of each column of the state.
        state: each column of the state in one dimension.
        grad: the gradients in one dimension.
        step: free room of that size.
        grads, steps: their windows in the shapes of the parameters.
        sizes: of several parameters, how many elements each has.
        owner: of very small ones, which one each element belongs to.
    """

    rows: list[int]
    part: int
    params: list[Tensor]
    kept: list[list[Tensor]]
    state: list[Tensor]
    grad: Tensor
    step: Tensor
    grads: list[Tensor]
    steps: list[Tensor]
    sizes: Tensor | None = None
    owner: Tensor | None = None

    def values(self) -> Tensor:
        """The parameters in one dimension; several of them take the place of their gradients."""
        if self.sizes is None:
            return self.params[0]
        torch._foreach_copy_(self.grads, self.params)
        return self.grad

    def norms(self, flat: Tensor, windows: list[Tensor]) -> Tensor:
        """The length of each parameter's part of `flat`."""
        if self.owner is None:
            return torch.stack(torch._foreach_norm(windows))
        squares = torch.square(flat.double())  # summed one after the other
        return torch.segment_reduce(squares, "sum", lengths=self.sizes, unsafe=True).sqrt_().to(flat.dtype)

    def multiply(self, factors: Tensor) -> None:
        """Multiply each parameter's step by its factor."""
        if self.owner is None:
            torch._foreach_mul_(self.steps, factors.tolist())
        else:
            self.step.mul_(factors.index_select(0, self.owner))


def _several(rows: list[int], columns: Sequence[Sequence[Tensor]]) -> Piece:
    """Small parameters."""
    params, *kept = ([column[i] for i in rows] for column in columns)
    grad = params[0].new_empty(sum(param.numel() for param in params))
    step, sizes = torch.empty_like(grad), torch.tensor([param.numel() for param in params])
    owner = torch.arange(len(params)).repeat_interleave(sizes) if grad.numel() <= SMALL else None
    state = [buffer for tensors in kept if (buffer := buffer_of(tensors)) is not None]
    windows = [_windows(buffer, params) for buffer in state]
    grads, steps = _windows(grad, params), _windows(step, params)
    return Piece(rows, 0, [param.detach() for param in params], windows, state, grad, step, grads, steps, sizes, owner)


def _parts(row: int, columns: Sequence[Sequence[Tensor]], free: Tensor) -> list[Piece]:
    """A large parameter."""
    found = []
    for part, (param, *state) in enumerate(zip(*(column[row].detach().view(-1).split(free.numel()) for column in columns))):
        step = free[: param.numel()]
        found.append(Piece([row], part, [param], [[tensor] for tensor in state], state, param, step, [], [step]))
    return found


def _cut(columns: Sequence[Sequence[Tensor]], whole: bool) -> list[Piece]:
    """Parameters and their state in pieces."""
    groups: list[list[int]] = []
    sizes, left = [param.numel() for param in columns[0]], 0
    for i, size in enumerate(sizes):
        if size > left and size <= SMALL:
            groups.append([])
            left = LARGEST
        if size <= SMALL:
            groups[-1].append(i)
            left -= size
    most = max((size for size in sizes if size > SMALL), default=0)
    free = columns[0][0].new_empty(most if whole else min(most, LARGEST))
    found = [_several(rows, columns) for rows in groups]
    return found + [piece for i, size in enumerate(sizes) if size > SMALL for piece in _parts(i, columns, free)]


_cuts = WeakTensorKeyDictionary()  # first of some parameters: their pieces, and where in memory they and their state lie


def pieces(params: Sequence[Tensor], grads: Sequence[Tensor], *state: Sequence[Tensor], whole: bool = False) -> Iterator[Piece]:
    """An update's parameters, gradients and state, piece by piece; they are cut up at the first step.

    Args:
        whole: leave large parameters in one piece.
    """
    columns = (params, *state)
    found, *known = _cuts.get(params[0], (None,))
    if known != [whole, _places(columns)]:
        found = _cut(columns, whole)
        _cuts[params[0]] = found, whole, _places(columns)
    for piece in found:
        if piece.sizes is None:
            grad = grads[piece.rows[0]].view(-1)
            piece.grad = grad if whole else grad.split(LARGEST)[piece.part]
        else:
            torch._foreach_copy_(piece.grads, [grads[i] for i in piece.rows])
        yield piece
        if piece.sizes is None:
            piece.grad = piece.step  # the gradient itself is not kept


def _places(columns: Sequence[Sequence[Tensor]]) -> list[int]:
    """Where in memory tensors begin."""
    return [tensor.data_ptr() for column in columns for tensor in column]
