"""One batch on its way through the stages of a pipeline, as one of them sees it."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable
from typing import Any

import torch

from paddle_compat.autograd.backward_mode import backward
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed.fleet.meta_parallel._schedules import Turn, source, target, ticks
from paddle_compat.distributed.fleet.meta_parallel.pp_utils._messages import Line, parts_of


class Run:
    """What a stage does for one batch.

    Args:
        model (PipelineParallel): whose stage it is.
        orders: what each stage does.
        data (FakeMicroDataset): the small batches.
        scaler (GradScaler|None): scales the losses.
        losses (bool): whether they are wanted; else what the model returns.
    """

    def __init__(self, model: Any, orders: list[list[Turn]], data: Any, scaler: Any, losses: bool) -> None:
        self.model, self.layers, self.data, self.scaler, self.losses = model, model._layers, data, scaler, losses
        self.stage, self.stages, self.chunks = model.stage_id, model.num_stages, self.layers.get_num_virtual_stages() or 1
        self.batches = model.accumulate_steps
        self.trains = not all(turn.forward for order in orders for turn in order)
        self.ticks, self._over = ticks(orders, self.chunks), 0
        self.line = Line(model.pp_group) if self.stages > 1 else None
        self.outputs: list[Any] = []  # of the last part
        self.micro_losses: list[list[Any]] = []  # of each small batch, by each of the model's losses
        self._waiting: dict[int, deque[Turn]] = defaultdict(deque)  # what comes from each stage, in the order in which it is sent
        self._came: dict[Turn, Any] = {}
        self._under_way: dict[tuple[int, int], tuple[Any, Any]] = {}  # what a part took and gave, until the way back

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

    def _at(self, now: list[Turn | None]) -> None:
        """A time: this stage's turn, and what the others' turns send it."""
        turn, sent = now[self.stage], []
        if turn is not None:
            made = self._forward(turn) if turn.forward else self._backward(turn)
            to = target(turn, self.stage, self.stages, self.chunks)
            if to is not None and to[0] == self.stage:
                self._came[to[1]] = made
            elif to is not None:
                sent.append((to[0], made))
        coming = [(stage, to[1]) for stage, other in self._others(now) if (to := target(other, stage, self.stages, self.chunks))
                  and to[0] == self.stage]  # fmt: skip
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
        ways = [target(turn, self.stage, self.stages, self.chunks) for turn in turns if turn is not None]
        for peer in sorted({way[0] for way in ways if way is not None} - {self.stage}):
            try:
                self.line.fail(peer, f"{type(error).__name__}: {error}")
            except RuntimeError:  # it is gone itself
                continue

    def _taken(self, turn: Turn) -> Any:
        """What a turn takes from another one; None: nothing."""
        way = source(turn, self.stage, self.stages, self.chunks)
        if way is None:
            return None
        while turn not in self._came:
            assert self.line is not None
            self._came[self._waiting[way[0]].popleft()] = self.line.receive(way[0])
        return self._came.pop(turn)

    def _forward(self, turn: Turn) -> Any:
        """Call a part of the model."""
        model, number = self.model, turn.micro if self.trains else None
        last = target(turn, self.stage, self.stages, self.chunks) is None
        begins = source(turn, self.stage, self.stages, self.chunks) is None
        given = self.data.inputs(turn.micro) if begins else self._taken(turn)
        model._tell("FORWARD_BEGIN", input_tensor=given, step_id=number)
        with model._timed("forward_step"):
            made = self.layers(given, chunk_id=turn.chunk if self.chunks > 1 else None)
            if last:
                made = self._ended(made, turn.micro)
        model._tell("FORWARD_END", input_tensor=given, output_tensor=made, step_id=number)
        if self.trains:
            self._under_way[turn.micro, turn.chunk] = None if begins else given, made
        return made

    def _ended(self, made: Any, micro: int) -> Any:
        """What comes of the last part: the loss that the way back starts from, or what the model returns."""
        if not self.losses:
            self.outputs.append(made)
            return made
        functions = losses_of(self.layers)
        if not 0 <= self.model.loss_fn_idx < len(functions):
            expected = f"a PipelineLayer with that loss: loss function {self.model.loss_fn_idx} should exist to compute loss"
            raise failed_assertion("loss_fn", expected, self.layers._loss_fn, "PipelineParallel.train_batch")
        labels, found = self.data.labels(micro), []
        for function in functions:
            loss = function(made, labels)
            if not isinstance(loss, Tensor):
                expected = "a loss that is a Tensor: currently, loss_fn should obtain Paddle.Tensor dtype"
                raise failed_assertion("loss_fn", expected, type(loss).__name__, "PipelineParallel.train_batch")
            found.append(loss / self.batches if self.batches > 1 and not self.model._delay_scale_loss else loss)
        self.micro_losses.append([loss.detach() for loss in found])
        return found[self.model.loss_fn_idx]

    def _backward(self, turn: Turn) -> Any:
        """Go back through a part of the model: the gradients of what it took."""
        model = self.model
        given, made = self._under_way.pop((turn.micro, turn.chunk))
        last = source(turn, self.stage, self.stages, self.chunks) is None
        gradients = None if last else self._taken(turn)
        said = {"input_tensor": given, "output_tensor": made, "output_tensor_grad": gradients, "step_id": turn.micro}
        model._tell("BACKWARD_BEGIN", **said)
        with model._timed("backward_step"):
            if last:
                (made if self.scaler is None else self.scaler.scale(made)).backward()
            else:
                _through(made, gradients)
        back = None if given is None else _in_form(given, lambda part: None if part is None or part.stop_gradient else part.grad)
        model._tell("BACKWARD_END", input_tensor_grad=back, **said)
        return back

    def total(self) -> list[Any]:
        """The sum of the losses, by each of the model's; the mean, where they were not divided."""
        found = [sum(column[1:], column[0]) for column in zip(*self.micro_losses)]
        return [each / self.batches for each in found] if self.model._delay_scale_loss else found


def losses_of(layers: Any) -> list[Any]:
    """The losses of a model."""
    given = layers._loss_fn
    return [] if given is None else list(given) if isinstance(given, (list, tuple)) else [given]


def _in_form(value: Any, change: Callable[[Any], Any]) -> Any:
    """What was made of each Tensor, in the form that they had."""
    if isinstance(value, (tuple, list)):
        return tuple(_in_form(each, change) for each in value)
    return {name: _in_form(each, change) for name, each in value.items()} if isinstance(value, dict) else change(value)


@torch.no_grad()
def _sum(one: Any, other: Any) -> Any:
    return one + other


def _through(made: Any, gradients: Any) -> None:
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
