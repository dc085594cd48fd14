"""Parameters that lie behind one another in a buffer, of which each process along the sharding axis updates a piece."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from paddle_compat.core.tensor import EagerParamBase, Tensor
from paddle_compat.distributed.fleet.utils.hybrid_parallel_util import gradient
from paddle_compat.ops import collective_parts

_BYTES = 256  # a parameter's room is a multiple of these for each process, as in Paddle, so that states have the sizes of Paddle's
_KEPT = ("optimize_attr", "regularizer", "do_model_average", "need_clip", "is_distributed", "is_firstly_shared")


class Slices:
    """Parameters of one data type in one buffer, and this process's slices of them.

    Args:
        parameters: they lie in the buffer from here on.
        group: the processes.
        rank: this one's place.

    Attributes:
        own: a parameter for each one that is this process's part of it; of one element, and of no use, where it has none.
    """

    def __init__(self, parameters: Sequence[Any], group: Any, rank: int) -> None:
        self._parameters, self._group = list(parameters), group
        first = self._parameters[0]._t
        unit = _BYTES // first.element_size() * group.nranks
        rooms = [-(-parameter._t.numel() // unit) * unit for parameter in self._parameters]
        self._begins = [sum(rooms[:number]) for number in range(len(rooms))]
        self._values = torch.zeros(sum(rooms), dtype=first.dtype, device=first.device)
        size = len(self._values) // group.nranks
        self._piece = slice(rank * size, rank * size + size)
        self._spans = [
            (max(begin, self._piece.start), min(begin + room, self._piece.stop)) for begin, room in zip(self._begins, rooms)
        ]  # fmt: skip
        self.lay()
        self.own = [self._slice(parameter, *span) for parameter, span in zip(self._parameters, self._spans)]

    @torch.no_grad()
    def lay(self) -> None:
        """Let the parameters lie in the buffer, those too that somebody has given other memory since."""
        for parameter, begin in zip(self._parameters, self._begins):
            value = parameter._t
            room = self._values[begin : begin + value.numel()].view(value.shape)
            if value.data_ptr() != room.data_ptr():
                room.copy_(value)
                value.data = room

    def _slice(self, parameter: Any, begin: int, end: int) -> Any:
        value = self._values[begin:end] if begin < end else torch.zeros(1, dtype=self._values.dtype, device=self._values.device)
        made = EagerParamBase(value, name=parameter.name, trainable=parameter.trainable)
        for name in _KEPT:
            if hasattr(parameter, name):
                setattr(made, name, getattr(parameter, name))
        return made

    @torch.no_grad()
    def share_gradients(self) -> None:
        """Give this process's slices their part of the mean of all processes' gradients."""
        main = hasattr(self._parameters[0], "main_grad")
        grads = torch.zeros_like(self._values, dtype=torch.float32 if main else None)
        for parameter, begin in zip(self._parameters, self._begins):
            grad = gradient(parameter)
            if grad is not None:
                grads[begin : begin + grad.numel()] = (grad.to_dense() if grad.is_sparse else grad).reshape(-1)
        count = self._group.nranks
        part = collective_parts.reduce_scatter(Tensor(grads.div_(count)), ring_id=self._group.id, nranks=count)._t
        for made, (begin, end) in zip(self.own, self._spans):
            if begin < end:
                setattr(made, "main_grad" if main else "grad", Tensor(part[begin - self._piece.start : end - self._piece.start]))

    @torch.no_grad()
    def share_values(self) -> None:
        """Take over the pieces of the other processes."""
        whole = collective_parts.all_gather(Tensor(self._values[self._piece]), ring_id=self._group.id, nranks=self._group.nranks)
        self._values.copy_(whole._t)
