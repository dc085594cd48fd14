"""One batch on its way through the stages of a pipeline, as one of them sees it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed.fleet.meta_parallel._schedules import Turn
from paddle_compat.distributed.fleet.meta_parallel._turns import Turns, through
from paddle_compat.distributed.fleet.meta_parallel.pp_utils._messages import Line


class Run(Turns):
    """What a stage does for one batch.

    Args:
        model (PipelineParallel): whose stage it is.
        orders: what each stage does.
        data (FakeMicroDataset): the small batches.
        scaler (GradScaler|None): scales the losses.
        losses (bool): whether they are wanted; else what the model returns.
    """

    def __init__(self, model: Any, orders: list[list[Turn]], data: Any, scaler: Any, losses: bool) -> None:
        layers = model._layers
        line = Line(model.pp_group) if model.num_stages > 1 else None
        super().__init__(orders, model.stage_id, model._chunks, line, layers._folded)
        self.model, self.layers, self.data, self.scaler, self.losses = model, layers, data, scaler, losses
        self.batches = model.accumulate_steps
        self.outputs: list[Any] = []  # of the last part
        self.micro_losses: list[list[Any]] = []  # of each small batch, by each of the model's losses
        self._under_way: dict[tuple[int, int], tuple[Any, Any]] = {}  # what a part took and gave, until the way back

    def _forward(self, turn: Turn) -> Any:
        """Call a part of the model."""
        model, number = self.model, turn.micro if self.trains else None
        last = self._target(turn, self.stage) is None
        begins = self._source(turn) is None
        given = self.data.inputs(turn.micro) if begins else self._in_hand(self._taken(turn))
        model._tell("FORWARD_BEGIN", input_tensor=given, step_id=number)
        with model._timed("forward_step"):
            made = self.layers(given, chunk_id=turn.chunk if self.chunks > 1 else None)
            if last:
                made = self._ended(self._in_hand(made), turn.micro)
        model._tell("FORWARD_END", input_tensor=given, output_tensor=made, step_id=number)
        if self.trains:
            self._under_way[turn.micro, turn.chunk] = None if begins else given, made
        return made

    def _in_hand(self, value: Any) -> Any:
        """What a part, or the loss, is called with."""
        return value

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
        last = self._source(turn) is None
        gradients = None if last else self._taken(turn)
        said = {"input_tensor": given, "output_tensor": made, "output_tensor_grad": gradients, "step_id": turn.micro}
        model._tell("BACKWARD_BEGIN", **said)
        with model._timed("backward_step"):
            if last:
                (made if self.scaler is None else self.scaler.scale(made)).backward()
            else:
                through(made, gradients)
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
