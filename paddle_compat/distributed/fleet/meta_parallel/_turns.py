"""How a stage of a pipeline takes its turns: what it waits for, and whom it hands what it makes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict, deque
from collections.abc import Sequence
from typing import Any

from paddle_compat.autograd._modes import no_grad
from paddle_compat.autograd.backward_mode import backward
from paddle_compat.distributed.fleet.meta_parallel._schedules import Turn, source, target, ticks
from paddle_compat.distributed.fleet.meta_parallel.pp_utils._messages import Line, parts_of


class Turns(ABC):
    """What a stage does for one batch. Who inherits says what its parts do with what they get (`_forward`, `_backward`).

    Args:
        orders: what each stage does.
        stage: this one.
        chunks: how many parts each stage has.
        line (Line|None): leads to the others; None: there are none.
        folded: whether parts go forth and back over the stages (see `_schedules`).
    """

    def __init__(self, orders: Sequence[Sequence[Turn]], stage: int, chunks: int, line: Line | None, folded: bool = False) -> None:
        self.stage, self.stages, self.chunks, self.folded = stage, len(orders), chunks, folded
        self.trains = not all(turn.forward for order in orders for turn in order)
        self.ticks, self._over, self.line = ticks(orders, chunks, folded), 0, line
        self._waiting: dict[int, deque[Turn]] = defaultdict(deque)  # what comes from each stage, in the order in which it is sent
        self._came: dict[Turn, Any] = {}

    def go(self) -> None:
        """Take all turns.

        Raises:
            UnavailableError: another stage has failed.
        """
        try:
            for now in self.ticks:
                self._at(now)
                self._over += 1
            if self.line is not None:
                self.line.finish()
        except Exception as error:
            self._let_know(error)
            raise

    @abstractmethod
    def _forward(self, turn: Turn) -> Any:
        """Call a part: what it hands on."""

    @abstractmethod
    def _backward(self, turn: Turn) -> Any:
        """Go back through a part: the gradients of what it took."""

    def _target(self, turn: Turn, stage: int) -> tuple[int, Turn] | None:
        return target(turn, stage, self.stages, self.chunks, self.folded)

    def _source(self, turn: Turn) -> tuple[int, Turn] | None:
        return source(turn, self.stage, self.stages, self.chunks, self.folded)

    def _at(self, now: list[Turn | None]) -> None:
        """A time: this stage's turn, and what the others' turns send it."""
        turn, sent = now[self.stage], []
        if turn is not None:
            made = self._forward(turn) if turn.forward else self._backward(turn)
            to = self._target(turn, self.stage)
            if to is not None and to[0] == self.stage:
                self._came[to[1]] = made
            elif to is not None:
                sent.append((to[0], made))
        coming = [(stage, to[1]) for stage, other in self._others(now) if (to := self._target(other, stage)) and to[0] == self.stage]
        if self.line is None:
            return
        if self.line.in_step:
            found = self.line.exchange(sent, [stage for stage, _ in coming])
            self._came.update(zip((wanted for _, wanted in coming), found))
            return
        for peer, value in sent:
            self.line.send(peer, value)
        for stage, wanted in coming:
            self._waiting[stage].append(wanted)

    def _others(self, now: list[Turn | None]) -> list[tuple[int, Turn]]:
        return [(stage, turn) for stage, turn in enumerate(now) if turn is not None and stage != self.stage]

    def _let_know(self, error: Exception) -> None:
        """Tell the stages that wait for something of this one that it does not come."""
        if self.line is None:
            return
        turns = [now[self.stage] for now in self.ticks[self._over :]]
        ways = [self._target(turn, self.stage) for turn in turns if turn is not None]
        for peer in sorted({way[0] for way in ways if way is not None} - {self.stage}):
            try:
                self.line.fail(peer, f"{type(error).__name__}: {error}")
            except RuntimeError:  # it is gone itself
                continue

    def _taken(self, turn: Turn) -> Any:
        """What a turn takes from another one; None: nothing."""
        way = self._source(turn)
        if way is None:
            return None
        while turn not in self._came:
            assert self.line is not None
            self._came[self._waiting[way[0]].popleft()] = self.line.receive(way[0])
        return self._came.pop(turn)


def through(made: Any, gradients: Any) -> None:
    """Go back from what a part made, with the gradients that came for it."""
    found: dict[int, tuple[Any, Any]] = {}
    for part, gradient in zip(parts_of(made), parts_of(gradients)):
        if part is None or part.stop_gradient or gradient is None:
            continue
        gradient.stop_gradient = True
        former = found.get(id(part))
        found[id(part)] = part, gradient if former is None else _sum(former[1], gradient)
    if found:
        tensors, sums = zip(*found.values())
        backward(list(tensors), list(sums))


def _sum(one: Any, other: Any) -> Any:
    with no_grad():
        return one + other
