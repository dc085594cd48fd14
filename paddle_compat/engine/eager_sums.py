"""Gradients of what runs at once, averaged over the processes of a ring while the backward pass goes on.

    means = GradientMeans(parameters, sparse, ring, most, some_unused)
    means.begin(outputs)   # of a forward pass whose gradients will be averaged
    ...backward...         # `engine.eager_backward` tells the means when it is through
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

import torch

from paddle_compat.core.errors import PreconditionNotMetError
from paddle_compat.core.rings import Journey, Ring
from paddle_compat.engine import eager_backward
from paddle_compat.engine.processes import leave

_Holder = Any  # a Tensor, whose torch tensor may become another one


class GradientMeans:
    """The gradients that parameters have after a backward pass, made the means over a ring's processes.

    Args:
        parameters: Tensors that train, in the order in which they are used.
        sparse: for each whether its gradient is rows of a table.
        ring: whose processes all do the same.
        most: bytes that travel together at most.
        some_unused: whether a pass may go past parameters, which the processes then tell each other.

    Attributes:
        divides: whether the sums become means.
        travels_as: the data type in which dense gradients of float32 travel; None: their own.
    """

    divides = True
    travels_as: torch.dtype | None = None

    def __init__(self, parameters: Sequence[_Holder], sparse: Sequence[bool], ring: Ring, most: int, some_unused: bool) -> None:
        order = range(len(parameters))[::-1]  # the last are made first
        self.dense = [parameters[i] for i in order if not sparse[i]]
        self.sparse = [parameters[i] for i in order if sparse[i]]
        self.ring, self.most, self.some_unused = ring, most, some_unused
        self.watched: list[torch.Tensor | None] = [None] * len(parameters)
        self.hooks: list[Any] = [None] * len(parameters)
        self.journey: Journey | None = None
        self.made: set[int] = set()  # positions whose gradients have been handed in

    def begin(self, outputs: Iterable[torch.Tensor]) -> None:
        """Average the gradients of the next backward pass.

        Args:
            outputs: what the forward pass has made.
        """
        for i, holder in enumerate([*self.dense, *self.sparse]):
            if holder._t is not self.watched[i] and holder._t.requires_grad:  # what was frozen meanwhile makes none
                if self.hooks[i] is not None:
                    self.hooks[i].remove()
                self.watched[i] = holder._t
                self.hooks[i] = holder._t.register_post_accumulate_grad_hook(partial(self._arrived, i))
        self.journey = self.ring.journey([self._image(holder._t) for holder in self.dense], self.most)
        self.made = set()
        if self.some_unused and self.journey is not None:
            used = set(map(id, eager_backward.leaves(outputs)))
            for i, holder in enumerate(self.dense):
                if id(holder._t) not in used:
                    self.journey.put(i, self._sent(_or_zeros(holder._t)))

    def let_go(self) -> None:
        """Average nothing any more."""
        self.journey = None
        for hook in self.hooks:
            if hook is not None:
                hook.remove()

    def _arrived(self, position: int, parameter: torch.Tensor) -> None:
        if self.journey is None:
            return
        if not self.made:
            eager_backward.after.append(self)
        self.made.add(position)
        if position < len(self.dense) and parameter.grad is not None:
            self.journey.put(position, self._sent(parameter.grad))

    def _is_cast(self, dtype: torch.dtype | None) -> bool:
        return self.travels_as is not None and dtype is torch.float32

    def _image(self, tensor: torch.Tensor) -> torch.Tensor:
        """What has the size and the data type of what travels for a parameter."""
        dtype = self.travels_as if self._is_cast(tensor.grad_dtype) else tensor.grad_dtype
        return tensor if dtype is tensor.dtype else tensor.new_empty((), dtype=dtype).expand(tensor.shape)

    def _sent(self, gradient: torch.Tensor) -> torch.Tensor:
        """What travels: what is cast is divided before, so that the sum of many fits into the narrow type as well as one."""
        return gradient.div(self._divisor()).to(self.travels_as) if self._is_cast(gradient.dtype) else gradient

    def _divisor(self) -> int:
        return self.ring.size if self.divides else 1

    def finish(self, error: BaseException | None) -> None:
        """The backward pass is through: wait for the means.

        Args:
            error: why it is not; the other processes are left, as they wait for gradients that do not come.
        """
        journey, self.journey = self.journey, None
        if journey is None:
            return
        if error is not None:
            leave(error)
            return
        tensors = [holder._t for holder in self.dense]
        # of what was handed in already, the journey looks at the first
        sums = journey.finish([t if i in self.made and t.grad is not None else self._sent(_or_zeros(t)) for i, t in enumerate(tensors)])
        rows = self.ring.all_reduce([_or_no_rows(holder._t) for holder in self.sparse]) if self.sparse else []
        used = self._used()
        with torch.no_grad():
            if whole := [total for t, total in zip(tensors, sums) if not self._is_cast(t.grad_dtype)]:
                torch._foreach_div_(whole, self._divisor())
            for i, (tensor, mean) in enumerate(zip(tensors, [total.to(t.grad_dtype) for t, total in zip(tensors, sums)])):
                # what passes without averaging have left is averaged as well
                if i in self.made or used[i] or self.some_unused and tensor.grad is not None:
                    tensor.grad = mean
                elif not self.some_unused and mean.count_nonzero():
                    raise PreconditionNotMetError(
                        f"Parameter {self.dense[i].name} has a gradient in another process and none in process {self.ring.rank}. Expected "
                        "the same parameters in use everywhere, or DataParallel(find_unused_parameters=True). Received: other ones"
                    )
            for holder, gathered in zip(self.sparse, rows):
                if gathered._nnz():
                    holder._t.grad = gathered / self._divisor()

    def _used(self) -> list[bool]:
        """Which parameters any process uses, where they tell each other."""
        if not self.some_unused or not self.dense:
            return [False] * len(self.dense)
        own = torch.tensor([float(i in self.made) for i in range(len(self.dense))])
        return [bool(n) for n in self.ring.all_reduce([own.to(self.dense[0]._t.device)])[0].tolist()]


def _or_zeros(tensor: torch.Tensor) -> torch.Tensor:
    return torch.zeros_like(tensor, dtype=tensor.grad_dtype) if tensor.grad is None else tensor.grad


def _or_no_rows(tensor: torch.Tensor) -> torch.Tensor:
    if tensor.grad is not None:
        return tensor.grad if tensor.grad.is_sparse else tensor.grad.to_sparse(1)
    rows = torch.zeros((1, 0), dtype=torch.int64, device=tensor.device)
    return torch.sparse_coo_tensor(rows, tensor.new_zeros((0, *tensor.shape[1:])), tensor.shape, check_invariants=False)
