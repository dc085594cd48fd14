"""Sparse tensors in parts: values, and where they are. Plain functions over torch tensors, which autograd differentiates.

Coordinates are `indices` [dimensions, nnz], or `crows` and `cols`, which rows of (batches of) matrices are cut by. Where values lie is
worked out first, without gradients; what becomes of the values are additions to, and choices of, rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from paddle_compat.ops._update_parts import single

Shape = Sequence[int]
# by function, what it multiplies values with
FACTORS = {"deg2rad": single(math.pi / 180), "neg": -1.0, "rad2deg": single(180 / math.pi)}


def keys(indices: Tensor, sizes: Shape) -> Tensor:
    """One number for each place, in the order of places."""
    if not len(indices):
        return torch.zeros(indices.shape[1:], dtype=torch.int64, device=indices.device)
    found, *others = indices.long().unbind()
    for row, size in zip(others, sizes[1:]):
        found = found * size + row
    return found


def merged(x: Tensor, y: Tensor, sizes: Shape) -> tuple[Tensor, Tensor, Tensor] | None:
    """The places of two tensors that name places several times, or in no order; None where neither does so.

    Both are gone through side by side, and what stands at one place by now becomes one. Of all values that y has at a place, Paddle
    takes the last one everywhere.

    Returns:
        The places, and for each of them 1 + which of the values of x and of y stands there, 0 for none.
    """
    first, second = keys(x, sizes), keys(y, sizes)
    if bool((first[1:] > first[:-1]).all()) and bool((second[1:] > second[:-1]).all()):
        return None
    left, right = first.tolist(), second.tolist()
    last = {key: number for number, key in enumerate(right, 1)}
    found: list[tuple[int, int, int]] = []
    i = j = 0
    while i < len(left) or j < len(right):
        of_x = j == len(right) or (i < len(left) and left[i] <= right[j])
        of_y = i == len(left) or (j < len(right) and right[j] <= left[i])
        key = left[i] if of_x else right[j]
        found.append((key, i + 1 if of_x else 0, last[key] if of_y else 0))
        i, j = i + of_x, j + of_y
    unique, of_first, of_second = torch.tensor(found, dtype=torch.int64, device=x.device).reshape(-1, 3).unbind(1)
    return places(unique, sizes), of_first, of_second


def _ascend(numbers: Tensor) -> bool:
    """Whether numbers are in order, as they mostly are: to ask costs a fraction of sorting them."""
    return bool((numbers[1:] >= numbers[:-1]).all())


def places(numbers: Tensor, sizes: Shape) -> Tensor:
    """The coordinates of such numbers."""
    rows = []
    for size in reversed(sizes):
        rows.append(numbers % size if size else numbers)
        numbers = numbers.div(size, rounding_mode="floor") if size else numbers
    return torch.stack(rows[::-1]) if rows else numbers.new_zeros((0, *numbers.shape))


def added(values: Tensor, where: Tensor, count: int) -> Tensor:
    """Rows of values, added up where they belong together."""
    return values.new_zeros((count, *values.shape[1:])).index_add(0, where, values)


def different(numbers: Tensor) -> tuple[Tensor, Tensor]:
    """The different numbers in order, and which of them each one is."""
    found: tuple[Tensor, Tensor] = (torch.unique_consecutive if _ascend(numbers) else torch.unique)(numbers, return_inverse=True)
    return found


def coalesced(indices: Tensor, values: Tensor, sizes: Shape) -> tuple[Tensor, Tensor]:
    """Places in order, once each, and the sums of their values."""
    unique, where = different(keys(indices, sizes))
    return places(unique, sizes), added(values, where, len(unique))


def whole(indices: Tensor, values: Tensor, shape: Shape) -> Tensor:
    """All elements; of two values of one place the later one."""
    return values.new_zeros(tuple(shape)).index_put(tuple(indices.long()), values)


def found(x: Tensor, rank: int) -> Tensor:
    """The places along the first dimensions where something is that is not 0."""
    there = x != 0
    if rank < x.dim():
        there = there.flatten(rank).any(-1)
    return there.nonzero().t().contiguous()


def rows_of(crows: Tensor, shape: Shape) -> Tensor:
    """The coordinates, but for columns, of values that lie row by row: rows, or matrices and rows."""
    rows = shape[-2]
    lengths = crows.reshape(-1, rows + 1).diff().reshape(-1)
    numbers = torch.repeat_interleave(torch.arange(len(lengths), device=crows.device), lengths)
    return numbers[None] if len(shape) == 2 else torch.stack([numbers.div(rows, rounding_mode="floor"), numbers % rows])


def cut(indices: Tensor, shape: Shape) -> tuple[Tensor, Tensor, Tensor]:
    """The rows of matrices that have coordinates: crows, cols, and the order that the values get."""
    rows = math.prod(shape[:-1])
    if not rows:
        return indices.new_zeros(math.prod(shape[:-2])), indices[-1], torch.arange(0, device=indices.device)
    numbers = keys(indices[:-1], shape[:-1])
    order = torch.arange(len(numbers), device=numbers.device) if _ascend(numbers) else numbers.argsort(stable=True)
    ends = torch.bincount(numbers, minlength=rows).reshape(-1, shape[-2]).cumsum(-1)
    crows = torch.cat([ends.new_zeros((len(ends), 1)), ends], 1).reshape(-1)
    return crows.to(indices.dtype), indices[-1][order], order


def softened(values: Tensor, rows: Tensor, count: int) -> Tensor:
    """The softmax of the values of each row."""
    where = rows.reshape(-1, *[1] * (values.dim() - 1)).expand_as(values)
    largest = values.detach().new_full((count, *values.shape[1:]), -math.inf).scatter_reduce(0, where, values.detach(), "amax")
    raised = (values - largest[rows]).exp()
    return raised / added(raised, rows, count)[rows]


def softmax(indices: Tensor, values: Tensor, shape: Shape, along: int) -> Tensor:
    """The softmax of the values that are there, along one of the dimensions."""
    outer = len(indices)
    if along >= outer:
        return values.softmax(along - outer + 1)
    others = [n for n in range(outer) if n != along]
    rows, where = different(keys(indices[others], [shape[n] for n in others]))
    return softened(values, where, len(rows))


def summed(indices: Tensor, values: Tensor, shape: Shape, along: int, keepdim: bool) -> tuple[Tensor, Tensor, list[int]]:
    """Sums along one of the dimensions: places, values and shape. The only dimension that has coordinates stays, with size 1."""
    outer = len(indices)
    keepdim = keepdim or outer == 1 > along
    found = [1 if n == along else size for n, size in enumerate(shape) if keepdim or n != along]
    if along >= outer:
        return indices, values.sum(along - outer + 1, keepdim), found
    if keepdim:
        kept = indices.clone()
        kept[along] = 0
    else:
        kept = torch.cat([indices[:along], indices[along + 1 :]])
    kept, values = coalesced(kept, values, found[: len(kept)])
    return kept, values, found


def bounds(shape: Shape, axes: Shape, starts: Shape, ends: Shape) -> list[tuple[int, int, int]]:
    """A part's dimensions, and where it begins and ends along them."""
    found = []
    for axis, start, end in zip(axes, starts, ends):
        size = shape[axis]
        first, last = (min(max(n + size if n < 0 else n, 0), size) for n in (start, end))
        found.append((axis % len(shape), first, max(first, last)))
    return found


def part(indices: Tensor, values: Tensor, shape: Shape, limits: list[tuple[int, int, int]]) -> tuple[Tensor, Tensor, list[int]]:
    """What lies within the bounds: places, values and shape."""
    found, outer = list(shape), len(indices)
    inside = torch.ones(indices.shape[1], dtype=torch.bool, device=indices.device)
    moved = indices.clone()
    for axis, first, last in limits:
        found[axis] = last - first
        if axis < outer:
            inside &= (indices[axis] >= first) & (indices[axis] < last)
            moved[axis] -= first
        else:
            values = values.narrow(axis - outer + 1, first, last - first)
    return moved[:, inside], values[inside], found


def resolved(shape: Shape, wanted: Shape) -> list[int]:
    """The sizes that a reshape means: 0 takes one over, -1 follows from the others."""
    sizes = [shape[i] if n == 0 and i < len(shape) else n for i, n in enumerate(wanted)]
    if -1 in sizes:
        rest = -math.prod(sizes)
        sizes[sizes.index(-1)] = math.prod(shape) // rest if rest else 0
    return sizes


def times_dense(rows: Tensor, cols: Tensor, values: Tensor, y: Tensor, count: int) -> Tensor:
    """A sparse matrix times the columns of a dense one, or a vector."""
    picked = y[cols]
    return added(values.reshape(-1, *[1] * (picked.dim() - 1)) * picked, rows, count)


def times_sparse(x: tuple[Tensor, Tensor, Tensor], y: tuple[Tensor, Tensor, Tensor], sizes: tuple[int, int, int]) -> tuple[Tensor, Tensor]:
    """A sparse matrix times another one, each as rows, columns and values: the places and values of the product."""
    (rows, inner, left), (also, cols, right) = x, y
    height, middle, width = sizes
    order = also.argsort(stable=True)
    counts = torch.bincount(also, minlength=middle)
    starts = counts.cumsum(0) - counts
    pairs = counts[inner]
    of_x = torch.repeat_interleave(torch.arange(len(inner), device=inner.device), pairs)
    within = torch.arange(len(of_x), device=inner.device) - torch.repeat_interleave(pairs.cumsum(0) - pairs, pairs)
    of_y = order[starts[inner[of_x]] + within]
    indices = torch.stack([rows[of_x], cols[of_y]])
    return coalesced(indices, left[of_x] * right[of_y], (height, width))


def dots(rows: Tensor, cols: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """The products of rows of x with columns of y, for some of the pairs."""
    return (x[rows] * y.t()[cols]).sum(-1)


def joined(x: Tensor, y: Tensor, sizes: Shape) -> tuple[Tensor, Tensor, Tensor]:
    """The places of two tensors together, in order, and where the values of each come among them."""
    first = keys(x, sizes)
    unique, where = torch.cat([first, keys(y, sizes)]).unique(return_inverse=True)
    return places(unique, sizes), where[: len(first)], where[len(first) :]


def together(
    x: Tensor, of_x: Tensor, y: Tensor, of_y: Tensor, sizes: Shape, function: Callable[[Tensor, Tensor], Tensor]
) -> tuple[Tensor, Tensor]:
    """A function of the values of two tensors, at the places of either: where one has none it has 0.

    Args:
        x, y: the places of each.
        of_x, of_y: the values there.
    Returns:
        The places and the values.
    """
    if (found := merged(x, y, sizes)) is not None:
        indices, *numbers = found
        zeros = (torch.cat([values.new_zeros((1, *values.shape[1:])), values]) for values in (of_x, of_y))
        return indices, function(*(values.index_select(0, where) for values, where in zip(zeros, numbers)))
    if torch.equal(x, y):
        return x, function(of_x, of_y)
    indices, *numbers = joined(x, y, sizes)
    return indices, function(*(added(values, where, indices.shape[1]) for values, where in zip((of_x, of_y), numbers)))


def divided(x: Tensor, of_x: Tensor, y: Tensor, of_y: Tensor, sizes: Shape) -> tuple[Tensor, Tensor]:
    """The quotients of two tensors, as floats and at all places: 0 / 0 is NaN; arguments and results as of `together`."""
    count = math.prod(sizes)
    left, right = (added(values, keys(indices, sizes), count) for indices, values in ((x, of_x), (y, of_y)))
    if not left.is_floating_point():
        left, right = left.float(), right.float()
    return places(torch.arange(count, device=x.device), sizes), left / right


_PAIRS = 1 << 22  # of values and cells of a window that are looked at together


class Rules:
    """Which values go where through the window of a convolution or a pooling: one pair of numbers for each of them and each cell.

    Args:
        indices: [1 + dimensions, nnz], the first row the number of the picture.
        sizes: of the dimensions.
        window, stride, padding, dilation: of each dimension; padding as (before, after).
        same: whether the results lie where the values are (then strides are 1, and windows centred).
    """

    def __init__(
        self, indices: Tensor, sizes: Shape, window: Shape, stride: Shape, padding: Sequence[tuple[int, int]], dilation: Shape, same: bool
    ) -> None:
        batch = int(sizes[0])
        if same:
            stride = [1] * len(window)
            padding = [((k // 2) * d, (k // 2) * d) for k, d in zip(window, dilation)]
            self.sizes = list(sizes)
        else:
            spans = [d * (k - 1) + 1 for k, d in zip(window, dilation)]
            inner = [(n + sum(p) - span) // s + 1 for n, p, span, s in zip(sizes[1:], padding, spans, stride)]
            self.sizes = [batch, *inner]
        known, order = keys(indices, self.sizes).sort(stable=True) if same else (indices[0], indices[0])
        steps = places(torch.arange(math.prod(window), device=indices.device), window)
        counts, sources, targets = [], [], []
        for part in steps.split(max(1, _PAIRS // max(indices.shape[1], 1)), 1):
            numbers, fits = self._moved(indices, part, stride, padding, dilation)
            if same:
                at = torch.searchsorted(known, numbers).clamp(max=max(len(known) - 1, 0))
                fits &= known[at] == numbers if len(known) else fits
                numbers = order[at] if len(known) else numbers
            counts += fits.sum(1).tolist()
            sources.append(fits.nonzero()[:, 1])
            targets.append(numbers[fits])
        where = torch.cat(targets)
        if same:
            self.indices = indices
        else:
            unique, where = where.unique(return_inverse=True)
            self.indices = places(unique, self.sizes)
        self.sources, self.targets = torch.cat(sources).split(counts), where.split(counts)

    def _moved(
        self, indices: Tensor, steps: Tensor, stride: Shape, padding: Sequence[tuple[int, int]], dilation: Shape
    ) -> tuple[Tensor, Tensor]:
        """The numbers [cells, nnz] of the places that values go to through cells of the window, and which there are."""
        numbers = indices[0].long().expand(steps.shape[1], -1)
        fits = torch.ones_like(numbers, dtype=torch.bool)
        for at, step, s, p, d, size in zip(indices[1:], steps, stride, padding, dilation, self.sizes[1:]):
            start = at + p[0] - step[:, None] * d
            goes = start.div(s, rounding_mode="floor") if s > 1 else start
            fits &= (goes >= 0) & (goes < size)
            if s > 1:
                fits &= start % s == 0
            numbers = numbers * size + goes
        return numbers, fits

    @property
    def count(self) -> int:
        """How many results there are."""
        return self.indices.shape[1]


def convolved(rules: Rules, values: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    """What the values [nnz, C] make through the weights [*window, C, M]: [results, M]."""
    cells = weight.reshape(-1, *weight.shape[-2:])
    out = values.new_zeros((rules.count, weight.shape[-1]))
    for cell, source, target in zip(cells, rules.sources, rules.targets):
        if len(source):
            out = out.index_add(0, target, values[source] @ cell)
    return out if bias is None else out + bias


class _Largest(torch.autograd.Function):
    """Each result is the largest of its values, all of which get its gradient that are as large."""

    @staticmethod
    def forward(ctx: Any, values: Tensor, source: Tensor, target: Tensor, count: int) -> Tensor:
        picked = values[source]
        out = values.new_full((count, values.shape[1]), -math.inf)
        out = out.scatter_reduce(0, target[:, None].expand_as(picked), picked, "amax")
        ctx.save_for_backward(picked == out[target], source, target)
        ctx.length = len(values)
        return out

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None, None, None]:
        largest, source, target = ctx.saved_tensors
        return added(grad[target] * largest, source, ctx.length), None, None, None


def largest(rules: Rules, values: Tensor) -> Tensor:
    """The largest of the values [nnz, C] in each window: [results, C]."""
    out: Tensor = _Largest.apply(values, torch.cat(rules.sources), torch.cat(rules.targets), rules.count)
    return out
