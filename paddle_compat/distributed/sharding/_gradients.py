"""Gradients of which each process of a group keeps the means of its own parameters only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import torch

from paddle_compat.core.rings import Ring
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed.communication._functions import reduce
from paddle_compat.engine import eager_backward
from paddle_compat.engine.processes import leave


class SharedGradients:
    """The gradients of a backward pass: each goes to the process whose the parameter is, as the mean, and is let go of elsewhere.

    They set out in one order on all processes, some bytes at a time, while the pass goes on.

    Args:
        parameters: what is trained, in the order in which it is used.
        sparse: for each whether its gradient is rows of a table.
        owners: the rank in the group of the process whose a parameter is, by the parameter's id.
        group: the processes.
        ring: theirs.
        most: bytes that travel together at least, but for the last.
    """

    def __init__(
        self, parameters: Sequence[Any], sparse: Sequence[bool], owners: Mapping[int, int], group: Any, ring: Ring, most: int
    ) -> None:
        order = range(len(parameters))[::-1]  # the last are made first
        self._holders = [parameters[i] for i in order]
        self._tensors = [holder._t for holder in self._holders]  # a parameter that is away has another one
        self._sparse = [sparse[i] for i in order]
        self._owners = [owners[id(holder)] for holder in self._holders]
        self._group, self._ring, self._most = group, ring, most
        self._active = self._waits = False
        self._made: set[int] = set()  # in this pass
        self._next = 0  # position of the gradient that sets out next
        self._means: dict[int, torch.Tensor] = {}  # of this pass, of own parameters
        self._former: dict[int, torch.Tensor] = {}  # what earlier passes have left in own parameters
        self._aside: dict[int, torch.Tensor] = {}  # the same, while a pass adds up what this process has
        self._hooks = []
        for i, tensor in enumerate(self._tensors):
            if tensor.requires_grad:
                self._hooks += [
                    tensor.register_hook(partial(self._before, i)),
                    tensor.register_post_accumulate_grad_hook(partial(self._arrived, i)),
                ]

    def begin(self, outputs: Iterable[torch.Tensor]) -> None:
        """Share out the gradients of the next backward pass.

        Args:
            outputs: kept: parameters that nothing uses take part in any case.
        """
        self._active, self._made, self._next = True, set(), 0

    def let_go(self) -> None:
        """Share out nothing any more."""
        self._active = False
        for hook in self._hooks:
            hook.remove()

    def _before(self, position: int, gradient: torch.Tensor) -> None:
        """A gradient comes: a mean that is there must not be divided again."""
        tensor = self._tensors[position]
        former = self._former.get(position)
        if former is not None and tensor.grad is former:
            self._aside[position] = former
            tensor.grad = None

    def _arrived(self, position: int, tensor: torch.Tensor) -> None:
        if not self._active:
            return
        if not self._waits:
            eager_backward.after.append(self)
            self._waits = True
        self._made.add(position)
        waiting = self._next
        while waiting < len(self._tensors) and (waiting in self._made or self._sparse[waiting]):
            waiting += 1
        if sum(self._tensors[i].nbytes for i in range(self._next, waiting) if not self._sparse[i]) >= self._most:
            self._send(waiting)

    @torch.no_grad()
    def _send(self, end: int) -> None:
        """Send the gradients up to a position to those whose they are."""
        rows: dict[tuple[int, torch.dtype], list[int]] = {}
        for i in range(self._next, end):
            if not self._sparse[i]:
                dtype = self._tensors[i].grad_dtype or self._tensors[i].dtype
                rows.setdefault((self._owners[i], dtype), []).append(i)
        for (owner, dtype), positions in rows.items():
            parts = [_flat(self._tensors[i], dtype) for i in positions]
            row = torch.cat(parts)
            for i in positions:
                self._tensors[i].grad = None
            reduce(Tensor(row), self._group.ranks[owner], group=self._group)
            if owner == self._group.rank:
                row.div_(self._group.nranks)
                for i, mean in zip(positions, row.split([len(part) for part in parts])):
                    # each has memory of its own: one that is cleared must not keep the others'
                    self._means[i] = mean.view(self._tensors[i].shape).clone()
        self._next = end

    @torch.no_grad()
    def finish(self, error: BaseException | None) -> None:
        """The backward pass is through: send what is left, and put the means in their places.

        Args:
            error: why it is not; the other processes are left, as they wait for gradients that do not come.
        """
        self._waits = False
        if not self._active:
            return
        self._active = False
        if error is not None:
            leave(error)
            return
        self._send(len(self._tensors))
        self._send_rows()
        counts = torch.tensor([float(i in self._made) for i in range(len(self._tensors))])
        used = self._ring.all_reduce([counts.to(self._tensors[0].device)])[0].tolist() if self._tensors else []
        means, self._means, aside, self._aside = self._means, {}, self._aside, {}
        for i, mean in means.items():
            tensor = self._tensors[i]
            if former := aside.get(i) is not None:
                mean = mean + aside[i]
            if used[i] or former:
                tensor.grad = self._former[i] = mean
        for holder, owner in zip(self._holders, self._owners):
            if owner != self._group.rank:
                holder._cleared = False  # zeros would be a gradient

    def _send_rows(self) -> None:
        """Gradients that are rows of tables: all processes get them, and those whose they are keep them."""
        positions = [i for i, sparse in enumerate(self._sparse) if sparse]
        if not positions:
            return
        for i, gathered in zip(positions, self._ring.all_reduce([_rows(self._tensors[i]) for i in positions])):
            self._tensors[i].grad = None
            if self._owners[i] == self._group.rank:
                self._means[i] = gathered / self._group.nranks


def _flat(tensor: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    if tensor.grad is None:
        return torch.zeros(tensor.numel(), dtype=dtype, device=tensor.device)
    return (tensor.grad.to_dense() if tensor.grad.is_sparse else tensor.grad).reshape(-1)


def _rows(tensor: torch.Tensor) -> torch.Tensor:
    if tensor.grad is not None:
        return tensor.grad if tensor.grad.is_sparse else tensor.grad.to_sparse(1)
    rows = torch.zeros((1, 0), dtype=torch.int64, device=tensor.device)
    return torch.sparse_coo_tensor(rows, tensor.new_zeros((0, *tensor.shape[1:])), tensor.shape, check_invariants=False)
