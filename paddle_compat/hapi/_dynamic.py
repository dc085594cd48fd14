"""How a `Model` runs a batch in dynamic mode."""

from __future__ import annotations

import contextlib
import importlib
import os
import warnings
from typing import Any

import numpy as np

from paddle_compat.core.tensor import Tensor
from paddle_compat.framework.io import load, save
from paddle_compat.hapi._parallel import Counted, gathered, trimmed, wrapped
from paddle_compat.static.input import InputSpec


def as_list(value: Any) -> list[Any]:
    """A list of what a caller gave: one thing, several, or nothing."""
    if value is None:
        return []
    return list(value) if isinstance(value, (list, tuple)) else [value]


def as_tensor(value: Any) -> Any:
    """A Tensor of an array; Tensors as they are."""
    from paddle_compat.tensor.creation import to_tensor

    return value if isinstance(value, Tensor) else to_tensor(np.asarray(value))


def rows_of(value: Any) -> int:
    """How many samples an array of a batch has."""
    shape = value.shape() if callable(value.shape) else value.shape  # a LoDTensor's is a method
    return shape[0] if len(shape) else 1


def total(losses: list[Any]) -> Any:
    """The sum of several losses."""
    first, *others = losses
    for other in others:
        first = first + other
    return first


class Dynamic:
    """Runs batches at once."""

    def __init__(self, model: Any) -> None:
        self.model = model
        self.scaler: Any = None
        self.cast: dict[str, Any] = {}
        self.ddp_model = wrapped(model.network)
        self.counted = Counted()
        self.seen: list[Any] | None = None  # what the network was last called with, as it is saved where nobody says

    def prepare(self, amp: dict[str, Any]) -> None:
        """Set up mixed precision, where it is asked for."""
        level = amp.pop("level", "O0")
        self.cast, self.scaler = {}, None
        if level == "O0":
            return
        module: Any = importlib.import_module("paddle_compat.amp")
        casting: dict[str, Any] = {key: amp.pop(key) for key in ("custom_white_list", "custom_black_list") if key in amp}
        amp.pop("use_fp16_guard", None)
        self.cast = {"level": level, **casting}
        self.scaler = module.GradScaler(**amp)
        if level == "O2":
            model = self.model
            model.network, model._optimizer = module.decorate(models=model.network, optimizers=model._optimizer, level="O2")

    def _context(self) -> Any:
        if not self.cast:
            return contextlib.nullcontext()
        module: Any = importlib.import_module("paddle_compat.amp")
        return module.auto_cast(enable=True, **self.cast)

    def _call(self, inputs: list[Any], network: Any) -> list[Any]:
        """The network's outputs."""
        given = [as_tensor(value) for value in inputs]
        self.seen = [(value.shape, value.dtype) for value in given]
        return as_list(network(*given))

    def _losses(self, outputs: list[Any], labels: list[Any]) -> list[Any]:
        return as_list(self.model._loss(*(outputs + labels)))

    def _metrics(self, outputs: list[Any], labels: list[Any]) -> list[Any]:
        found = []
        for metric in self.model._metrics:
            parts = metric.compute(*(outputs + labels))
            found.append(metric.update(*[_array(part) for part in as_list(parts)]))
        return found

    def train_batch(self, inputs: list[Any], labels: list[Any], update: bool) -> tuple[list[Any], list[Any]]:
        """Forward, backward and, when asked to, an update; gives losses and metrics."""
        model = self.model
        model.network.train()
        labels = [as_tensor(label) for label in labels]
        with self._context():
            outputs = self._call(inputs, self.ddp_model or model.network)
            losses = self._losses(outputs, labels)
            loss = total(losses)
        if self.scaler is not None:
            self.scaler.scale(loss).backward()
            if update:
                self.scaler.minimize(model._optimizer, loss)
                model.network.clear_gradients()
        else:
            loss.backward()
            if update:
                model._optimizer.step()
                model.network.clear_gradients()  # of parameters that the optimizer does not have, too
        return [_array(value) for value in losses], self._metrics(outputs, labels)

    def eval_batch(self, inputs: list[Any], labels: list[Any]) -> tuple[list[Any], list[Any]]:
        """Forward; gives losses and metrics."""
        from paddle_compat.autograd import no_grad

        model = self.model
        model.network.eval()
        labels = [as_tensor(label) for label in labels]
        with no_grad(), self._context():
            outputs = self._call(inputs, model.network)
            losses = self._losses(outputs, labels) if model._loss else []
            if self.ddp_model is not None:
                outputs, labels = gathered(outputs), gathered(labels)
                rows = self.counted.keep(rows_of(outputs[0]))
                outputs, labels = trimmed(outputs, rows), trimmed(labels, rows)
            return [_array(value) for value in losses], self._metrics(outputs, labels)

    def predict_batch(self, inputs: list[Any]) -> list[Any]:
        """Forward; gives the outputs as arrays."""
        from paddle_compat.autograd import no_grad

        self.model.network.eval()
        with no_grad(), self._context():
            return [_array(output) for output in self._call(inputs, self.model.network)]

    def save(self, path: str) -> None:
        """Write the network's state and the optimizer's."""
        save(self.model.network.state_dict(), path + ".pdparams")
        optimizer = self.model._optimizer
        state = optimizer.state_dict() if optimizer is not None else {}
        if state:
            save(state, path + ".pdopt")

    def load(self, values: list[tuple[Any, Any]], path: str | None) -> None:
        """Set parameters, and the optimizer's state from its file."""
        for parameter, value in values:
            parameter.set_value(value)
        if path is None or self.model._optimizer is None:
            return
        if os.path.exists(path):
            self.model._optimizer.set_state_dict(load(path))
        else:
            warnings.warn(f"There is no {path}: the optimizer starts anew.", stacklevel=3)

    def save_inference(self, path: str) -> None:
        """Write the network as `paddle.jit.save` does; where no inputs are described, for those of the last batch."""
        specs = self.model._inputs
        if specs is None and self.seen is None:
            raise RuntimeError(
                "Saving inference model needs 'inputs' or running before saving. Please specify 'inputs' in Model initialization or"
                " run a batch, whose shapes are taken. Received: neither"
            )
        if self.seen is not None and (specs is None or self.model._inferred):
            warnings.warn(
                "'inputs' was not specified when Model initialization, so the input shape to be saved will be the shape derived from"
                f" the user's actual inputs. The input shape to be saved is {[shape for shape, _ in self.seen]}. For saving correct"
                " input shapes, please provide 'inputs' for Model initialization.",
                stacklevel=3,
            )
            specs = [InputSpec(shape, dtype) for shape, dtype in self.seen]
        jit: Any = importlib.import_module("paddle_compat.jit")
        network = self.model.network
        training = network.training
        network.eval()
        jit.save(network, path, input_spec=specs)
        if training:
            network.train()


def _array(value: Any) -> Any:
    return value.numpy() if isinstance(value, Tensor) else np.asarray(value)
