"""One batch on its way through the stages of a process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from paddle_compat.core.errors import type_error
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed.auto_parallel._tensors import is_dist, reshard
from paddle_compat.distributed.auto_parallel.pipelining.utils import check
from paddle_compat.distributed.fleet.meta_parallel._schedules import Turn
from paddle_compat.distributed.fleet.meta_parallel._turns import Turns, through
from paddle_compat.distributed.fleet.meta_parallel.pp_utils._messages import Line, parts_of


class Batch(Turns):
    """What the stages of a process do for a batch.

    Args:
        parts: the stages, the part of the model's begin first.
        orders: what each process does.
        line: leads to the others; None: there are none.
        given: the arguments of each small batch, and those by name.
        targets: the labels of each small batch; None: this process needs none.
        loss_fn: takes the outputs and the labels of a small batch.
    """

    def __init__(
        self, parts: Sequence[Any], orders: Sequence[Sequence[Turn]], line: Line | None, given: tuple[list[Any], list[Any]],
        targets: list[Any] | None, loss_fn: Callable[..., Any] | None,
    ) -> None:  # fmt: skip
        super().__init__(orders, 0 if line is None else parts[0].group_rank, len(parts), line)
        self.parts, (self.args, self.kwargs), self.targets, self.loss_fn = parts, given, targets, loss_fn
        self.outputs: list[Any] = []  # of the last part
        self.losses: list[Any] = []
        self._under_way: dict[tuple[int, int], tuple[tuple[Any, ...], Any]] = {}  # what a part took and gave, until the way back

    def _forward(self, turn: Turn) -> Any:
        stage = self.parts[turn.chunk]
        given = self.args[turn.micro] if stage.is_first else _several(self._taken(turn))
        if stage.input_args is not None:
            check(f"Stage {stage.stage_index} forward inputs", stage.input_args, given)
        made = stage.layer(*given, **self.kwargs[turn.micro])
        if stage.output_args is not None:
            check(f"Stage {stage.stage_index} forward outputs", stage.output_args, _several(made))
        if stage.is_last:
            self.outputs.append(made)
            made = self._lost(made, turn.micro)
            self.losses.append(made)
        self._under_way[turn.micro, turn.chunk] = given, made
        return made

    def _lost(self, made: Any, micro: int) -> Any:
        if self.loss_fn is None:
            raise type_error("loss_fn", "what takes outputs and labels, on the last stage", None, "the schedule")
        if self.targets is None:
            raise type_error("target", "the labels of the batch, on the last stage", None, "step")
        return self.loss_fn(made, self.targets[micro])

    def _backward(self, turn: Turn) -> Any:
        given, made = self._under_way.pop((turn.micro, turn.chunk))
        if self.parts[turn.chunk].is_last:
            made.backward()
        else:
            through(made, self._taken(turn))
        if self.parts[turn.chunk].is_first:
            return None
        return tuple(_laid(part.grad, part) if isinstance(part, Tensor) and not part.stop_gradient else None for part in parts_of(given))


def _several(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def _laid(gradient: Any, value: Any) -> Any:
    """A gradient as its value lies: pieces go to the process that has the same piece of that."""
    return reshard(gradient, value.process_mesh, value.placements) if gradient is not None and is_dist(gradient) else gradient
