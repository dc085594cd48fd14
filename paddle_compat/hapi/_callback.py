"""The base of callbacks, and the list of them that a `Model` calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


class Callback:
    """Base of the callbacks: every method does nothing until a subclass says what.

    Example:
        >>> import paddle_compat as paddle
        >>> class Count(paddle.callbacks.Callback):
        ...     def on_train_begin(self, logs=None):
        ...         self.steps = 0
        ...     def on_train_batch_end(self, step, logs=None):
        ...         self.steps += 1
        >>> count = Count()
        >>> model = paddle.Model(paddle.nn.Linear(2, 1))
        >>> model.prepare(paddle.optimizer.SGD(0.1, parameters=model.parameters()), paddle.nn.MSELoss())
        >>> batches = [[paddle.ones([3, 2]), paddle.ones([3, 1])]] * 4
        >>> model.fit(batches, verbose=0, callbacks=[count])
        >>> count.steps, count.model is model, count.params["epochs"]
        (4, True, 1)
        >>> idle = paddle.callbacks.Callback()
        >>> idle.set_params({"epochs": 1}); idle.set_model(model)
        >>> idle.on_train_begin(); idle.on_epoch_begin(0); idle.on_train_batch_begin(0)
        >>> idle.on_train_batch_end(0); idle.on_epoch_end(0); idle.on_train_end()
        >>> idle.on_eval_begin(); idle.on_eval_batch_begin(0); idle.on_eval_batch_end(0); idle.on_eval_end()
        >>> idle.on_predict_begin(); idle.on_predict_batch_begin(0); idle.on_predict_batch_end(0); idle.on_predict_end()

    Follows Paddle 2.6.
    """

    def __init__(self) -> None:
        self.model: Any = None
        self.params: dict[str, Any] = {}

    def set_params(self, params: dict[str, Any]) -> None:
        """Take what the run is asked for.

        Args:
            params: `batch_size`, `epochs`, `steps`, `verbose` and `metrics`.
        """
        self.params = params

    def set_model(self, model: Any) -> None:
        """Take the Model.

        Args:
            model: the Model that runs.
        """
        self.model = model

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Training begins.

        Args:
            logs: None.
        """

    def on_train_end(self, logs: dict[str, Any] | None = None) -> None:
        """Training ends.

        Args:
            logs: values of the last batch.
        """

    def on_eval_begin(self, logs: dict[str, Any] | None = None) -> None:
        """An evaluation begins.

        Args:
            logs: `steps` and `metrics`, the names of the values.
        """

    def on_eval_end(self, logs: dict[str, Any] | None = None) -> None:
        """An evaluation ends.

        Args:
            logs: its values.
        """

    def on_predict_begin(self, logs: dict[str, Any] | None = None) -> None:
        """A prediction begins.

        Args:
            logs: `steps`.
        """

    def on_predict_end(self, logs: dict[str, Any] | None = None) -> None:
        """A prediction ends.

        Args:
            logs: `step` and `batch_size` of the last batch.
        """

    def on_epoch_begin(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """An epoch of training begins.

        Args:
            epoch: its number, from 0.
            logs: None.
        """

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """An epoch of training ends.

        Args:
            epoch: its number, from 0.
            logs: values of the last batch.
        """

    def on_train_batch_begin(self, step: int, logs: dict[str, Any] | None = None) -> None:
        """A batch of training begins.

        Args:
            step: its number in the epoch, from 0.
            logs: values of the batch before.
        """

    def on_train_batch_end(self, step: int, logs: dict[str, Any] | None = None) -> None:
        """A batch of training ends.

        Args:
            step: its number in the epoch, from 0.
            logs: `loss`, the metrics by name, `step` and `batch_size`.
        """

    def on_eval_batch_begin(self, step: int, logs: dict[str, Any] | None = None) -> None:
        """A batch of an evaluation begins.

        Args:
            step: its number, from 0.
            logs: values of the batch before.
        """

    def on_eval_batch_end(self, step: int, logs: dict[str, Any] | None = None) -> None:
        """A batch of an evaluation ends.

        Args:
            step: its number, from 0.
            logs: `loss`, the metrics by name, `step` and `batch_size`.
        """

    def on_predict_batch_begin(self, step: int, logs: dict[str, Any] | None = None) -> None:
        """A batch of a prediction begins.

        Args:
            step: its number, from 0.
            logs: values of the batch before.
        """

    def on_predict_batch_end(self, step: int, logs: dict[str, Any] | None = None) -> None:
        """A batch of a prediction ends.

        Args:
            step: its number, from 0.
            logs: `step` and `batch_size`.
        """


class CallbackList:
    """Callbacks, called one after another.

    Args:
        callbacks: the callbacks.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.hapi.callbacks import CallbackList
        >>> calls = CallbackList([paddle.callbacks.Callback()])
        >>> calls.append(paddle.callbacks.ModelCheckpoint())
        >>> calls.set_params({"epochs": 1}); calls.set_model(None)
        >>> calls.on_begin("train"); calls.on_epoch_begin(0); calls.on_batch_begin("train", 0)
        >>> calls.on_batch_end("train", 0); calls.on_epoch_end(0); calls.on_end("train")
        >>> [type(one).__name__ for one in calls]
        ['Callback', 'ModelCheckpoint']

    Follows Paddle 2.6.
    """

    def __init__(self, callbacks: Any = None) -> None:
        self.callbacks: list[Any] = list(callbacks or [])
        self.params: dict[str, Any] = {}
        self.model: Any = None

    def append(self, callback: Any) -> None:
        """Add one at the end.

        Args:
            callback: the callback.
        """
        self.callbacks.append(callback)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.callbacks)

    def set_params(self, params: dict[str, Any]) -> None:
        """Hand the run's parameters to all.

        Args:
            params: the parameters.
        """
        for callback in self.callbacks:
            callback.set_params(params)

    def set_model(self, model: Any) -> None:
        """Hand the Model to all.

        Args:
            model: the Model.
        """
        self.model = model
        for callback in self.callbacks:
            callback.set_model(model)

    def _call(self, name: str, *args: Any) -> None:
        for callback in self.callbacks:
            getattr(callback, name)(*args)

    def _check_mode(self, mode: str) -> None:
        assert mode in ("train", "eval", "predict"), f"Invalid value for argument `mode`. Expected train, eval or predict. Received: {mode}"

    def on_begin(self, mode: str, logs: dict[str, Any] | None = None) -> None:
        """A run begins.

        Args:
            mode: "train", "eval" or "predict".
            logs: what the callbacks are told.
        """
        self._check_mode(mode)
        self._call(f"on_{mode}_begin", logs)

    def on_end(self, mode: str, logs: dict[str, Any] | None = None) -> None:
        """A run ends.

        Args:
            mode: "train", "eval" or "predict".
            logs: what the callbacks are told.
        """
        self._check_mode(mode)
        self._call(f"on_{mode}_end", logs)

    def on_epoch_begin(self, epoch: int = 0, logs: dict[str, Any] | None = None) -> None:
        """An epoch begins.

        Args:
            epoch: its number.
            logs: what the callbacks are told.
        """
        self._call("on_epoch_begin", epoch, logs)

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """An epoch ends.

        Args:
            epoch: its number.
            logs: what the callbacks are told.
        """
        self._call("on_epoch_end", epoch, logs)

    def on_batch_begin(self, mode: str, step: int = 0, logs: dict[str, Any] | None = None) -> None:
        """A batch begins.

        Args:
            mode: "train", "eval" or "predict".
            step: its number.
            logs: what the callbacks are told.
        """
        self._check_mode(mode)
        self._call(f"on_{mode}_batch_begin", step, logs)

    def on_batch_end(self, mode: str, step: int = 0, logs: dict[str, Any] | None = None) -> None:
        """A batch ends.

        Args:
            mode: "train", "eval" or "predict".
            step: its number.
            logs: what the callbacks are told.
        """
        self._check_mode(mode)
        self._call(f"on_{mode}_batch_end", step, logs)
