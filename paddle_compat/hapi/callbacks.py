"""`paddle.hapi.callbacks`: what a `Model` calls while it runs."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.hapi._callback import Callback, CallbackList
from paddle_compat.hapi._loggers import ProgBarLogger, VisualDL, WandbCallback
from paddle_compat.hapi._parallel import leads

__all__ = [
    "Callback", "CallbackList", "EarlyStopping", "LRScheduler", "ModelCheckpoint", "ProgBarLogger", "ReduceLROnPlateau", "VisualDL",
    "WandbCallback", "config_callbacks",
]  # fmt: skip


class ModelCheckpoint(Callback):
    """Saves the Model after epochs, and when training ends.

    Args:
        save_freq: after so many epochs.
        save_dir: the folder; None: nothing is saved.

    Example:
        >>> import os, tempfile, paddle_compat as paddle
        >>> model = paddle.Model(paddle.nn.Linear(2, 1))
        >>> model.prepare(paddle.optimizer.SGD(0.1, parameters=model.parameters()), paddle.nn.MSELoss())
        >>> folder = tempfile.mkdtemp()
        >>> save = paddle.callbacks.ModelCheckpoint(save_dir=folder)
        >>> model.fit([[paddle.ones([3, 2]), paddle.ones([3, 1])]], verbose=0, callbacks=[save])  # doctest: +ELLIPSIS
        save checkpoint at .../0
        save checkpoint at .../final
        >>> sorted(name for name in os.listdir(folder) if name.endswith("params"))
        ['0.pdparams', 'final.pdparams']

    Follows Paddle 2.6.
    """

    def __init__(self, save_freq: int = 1, save_dir: str | None = None) -> None:
        super().__init__()
        self.save_freq = save_freq
        self.save_dir = save_dir
        self.epoch = 0

    def _save(self, name: str) -> None:
        assert self.save_dir is not None
        if not leads():
            return
        path = os.path.join(self.save_dir, name)
        print(f"save checkpoint at {os.path.abspath(path)}")
        self.model.save(path)

    def on_epoch_begin(self, epoch: int | None = None, logs: dict[str, Any] | None = None) -> None:
        """Note which epoch it is."""
        self.epoch = epoch or 0

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Save, if it is time to."""
        if self.model and self.save_dir and self.epoch % self.save_freq == 0:
            self._save(str(epoch))

    def on_train_end(self, logs: dict[str, Any] | None = None) -> None:
        """Save as `final`."""
        if self.model and self.save_dir:
            self._save("final")


class LRScheduler(Callback):
    """Advances the optimizer's schedule.

    Args:
        by_step: after every batch.
        by_epoch: after every epoch.
    Raises:
        ValueError: both are asked for.

    Example:
        >>> import paddle_compat as paddle
        >>> model = paddle.Model(paddle.nn.Linear(2, 1))
        >>> rate = paddle.optimizer.lr.StepDecay(0.1, step_size=1)
        >>> model.prepare(paddle.optimizer.SGD(rate, parameters=model.parameters()), paddle.nn.MSELoss())
        >>> batches = [[paddle.ones([3, 2]), paddle.ones([3, 1])]] * 4
        >>> model.fit(batches, verbose=0, callbacks=[paddle.callbacks.LRScheduler(by_step=False, by_epoch=True)])
        >>> rate.last_epoch
        1

    Follows Paddle 2.6.
    """

    def __init__(self, by_step: bool = True, by_epoch: bool = False) -> None:
        super().__init__()
        if by_step and by_epoch:
            raise ValueError("by_step option is mutually exclusive with by_epoch. Expected one of them for `LRScheduler`. Received: both")
        self.by_step = by_step
        self.by_epoch = by_epoch

    def _advance(self) -> None:
        from paddle_compat.optimizer.lr import LRScheduler as Schedule

        rate = getattr(getattr(self.model, "_optimizer", None), "_learning_rate", None)
        if isinstance(rate, Schedule):
            rate.step()

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Advance it, if that is asked for."""
        if self.by_epoch:
            self._advance()

    def on_train_batch_end(self, step: int, logs: dict[str, Any] | None = None) -> None:
        """Advance it, if that is asked for."""
        if self.by_step:
            self._advance()


def _grows(monitor: str, mode: str) -> bool:
    return mode == "max" or (mode == "auto" and "acc" in monitor)


def _known_mode(mode: str, what: str) -> str:
    if mode in ("auto", "min", "max"):
        return mode
    warnings.warn(f"{what} mode {mode} is unknown, fallback to auto mode.", stacklevel=3)
    return "auto"


def _monitored(logs: dict[str, Any] | None, monitor: str, what: str) -> Any:
    if logs is None or monitor not in logs:
        warnings.warn(f"Monitor of {what} should be loss or metric name.", stacklevel=3)
        return None
    value = logs[monitor]
    return value[0] if isinstance(value, (list, tuple)) else value


class EarlyStopping(Callback):
    """Stops training when evaluations get no better.

    Args:
        monitor: "loss" or a metric's name.
        mode: "min", "max", or "auto": accuracies shall grow, all else shall fall.
        patience: so many evaluations without progress are one too many.
        verbose: say when it stops.
        min_delta: less than this is no progress.
        baseline: what the first evaluation must beat.
        save_best_model: save the best one as `best_model` in `fit`'s `save_dir`.

    Example:
        >>> import paddle_compat as paddle
        >>> model = paddle.Model(paddle.nn.Linear(2, 1))
        >>> model.prepare(paddle.optimizer.SGD(0.0, parameters=model.parameters()), paddle.nn.MSELoss())
        >>> batches = [[paddle.ones([3, 2]), paddle.ones([3, 1])]]
        >>> stop = paddle.callbacks.EarlyStopping(patience=1)
        >>> model.fit(batches, batches, epochs=9, verbose=0, callbacks=[stop])
        Epoch 2: Early stopping.

    Follows Paddle 2.6.
    """

    def __init__(
        self,
        monitor: str = "loss",
        mode: str = "auto",
        patience: int = 0,
        verbose: int = 1,
        min_delta: float = 0,
        baseline: float | None = None,
        save_best_model: bool = True,
    ) -> None:
        super().__init__()
        self.monitor = monitor
        self.patience = patience
        self.verbose = verbose
        self.baseline = baseline
        self.min_delta: float = abs(min_delta)
        self.wait_epoch = 0
        self.best_weights: Any = None
        self.stopped_epoch = 0
        self.save_best_model = save_best_model
        self.save_dir: str | None = None  # set by `config_callbacks`
        grows = _grows(monitor, _known_mode(mode, "EarlyStopping"))
        self.monitor_op: Callable[[Any, Any], Any] = np.greater if grows else np.less
        if not grows:
            self.min_delta = -self.min_delta if self.min_delta else 0

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Start waiting."""
        self.wait_epoch = 0
        if self.baseline is not None:
            self.best_value: Any = self.baseline
        else:
            self.best_value = np.inf if self.monitor_op is np.less else -np.inf

    def on_eval_end(self, logs: dict[str, Any] | None = None) -> None:
        """See whether it got better, and stop training when it has not for long enough."""
        current = _monitored(logs, self.monitor, "EarlyStopping")
        if current is None:
            return
        if self.monitor_op(current - self.min_delta, self.best_value):
            self.best_value = current
            self.wait_epoch = 0
            if self.save_best_model and self.save_dir is not None:
                self.model.save(os.path.join(self.save_dir, "best_model"))
        else:
            self.wait_epoch += 1
        self.stopped_epoch += 1
        if self.wait_epoch >= self.patience:
            self.model.stop_training = True
            if self.verbose > 0:
                print(f"Epoch {self.stopped_epoch}: Early stopping.")
                if self.save_best_model and self.save_dir is not None:
                    print(f"Best checkpoint has been saved at {os.path.abspath(os.path.join(self.save_dir, 'best_model'))}")


class ReduceLROnPlateau(Callback):
    """Multiplies the optimizer's learning rate when evaluations get no better.

    Args:
        monitor: "loss" or a metric's name.
        factor: less than 1.
        patience: so many evaluations without progress are one too many.
        verbose: say when it does.
        mode: "min", "max", or "auto": accuracies shall grow, all else shall fall.
        min_delta: less than this is no progress.
        cooldown: evaluations to wait before it counts again.
        min_lr: the least rate.
    Raises:
        ValueError: the factor is not below 1.

    Example:
        >>> import paddle_compat as paddle
        >>> model = paddle.Model(paddle.nn.Linear(2, 1))
        >>> model.prepare(paddle.optimizer.SGD(0.5, parameters=model.parameters()), paddle.nn.MSELoss())
        >>> reduce = paddle.callbacks.ReduceLROnPlateau(patience=1, min_delta=100.0, factor=0.5, verbose=0)
        >>> batches = [[paddle.ones([3, 2]), paddle.ones([3, 1])]]
        >>> model.fit(batches, batches, epochs=3, verbose=0, callbacks=[reduce])
        >>> model._optimizer.get_lr(), reduce.in_cooldown()
        (0.125, False)

    Follows Paddle 2.6.
    """

    def __init__(
        self,
        monitor: str = "loss",
        factor: float = 0.1,
        patience: int = 10,
        verbose: int = 1,
        mode: str = "auto",
        min_delta: float = 1e-4,
        cooldown: int = 0,
        min_lr: float = 0,
    ) -> None:
        super().__init__()
        if factor >= 1.0:
            raise ValueError(f"ReduceLROnPlateau does not support a factor >= 1.0. Received: {factor}")
        self.monitor = monitor
        self.factor = factor
        self.patience = patience
        self.verbose = verbose
        self.min_delta = min_delta
        self.cooldown = cooldown
        self.min_lr = min_lr
        self.mode = _known_mode(mode, "Learning rate reduction")
        self.epoch = 0
        self._reset()

    def _reset(self) -> None:
        self._grows = _grows(self.monitor, self.mode)
        self.best: Any = -np.inf if self._grows else np.inf
        self.cooldown_counter = 0
        self.wait = 0

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Start anew."""
        self._reset()

    def on_eval_end(self, logs: dict[str, Any] | None = None) -> None:
        """See whether it got better, and reduce the rate when it has not for long enough."""
        current = _monitored(logs, self.monitor, "ReduceLROnPlateau")
        if current is None:
            return
        rate = getattr(self.model._optimizer, "_learning_rate", None)
        if not isinstance(rate, float):
            warnings.warn(f"Expected a learning_rate that is a float for ReduceLROnPlateau, but got {type(rate)}.", stacklevel=2)
            return
        if self.in_cooldown():
            self.cooldown_counter -= 1
            self.wait = 0
        if current > self.best + self.min_delta if self._grows else current < self.best - self.min_delta:
            self.best = current
            self.wait = 0
        elif not self.in_cooldown():
            self.wait += 1
            if self.wait >= self.patience:
                self._reduce(rate)
        self.epoch += 1

    def _reduce(self, rate: float) -> None:
        if rate <= float(np.float32(self.min_lr)):  # the wheel compares in single precision
            return
        reduced = max(rate * self.factor, self.min_lr)
        # as in the wheel, where `get_lr` tells it and updates that began before do not read it
        self.model._optimizer._learning_rate = reduced
        if self.verbose > 0 and leads():
            print(f"\nEpoch {self.epoch + 1}: ReduceLROnPlateau reducing learning rate to {reduced}.")
        self.cooldown_counter = self.cooldown
        self.wait = 0

    def in_cooldown(self) -> bool:
        """Whether it waits after a reduction.

        Returns:
            bool.
        """
        return self.cooldown_counter > 0


def config_callbacks(
    callbacks: Any = None,
    model: Any = None,
    batch_size: int | None = None,
    epochs: int | None = None,
    steps: int | None = None,
    log_freq: int = 2,
    verbose: int = 2,
    save_freq: int = 1,
    save_dir: str | None = None,
    metrics: Any = None,
    mode: str = "train",
) -> CallbackList:
    """The callbacks of a run: those given, and a ProgBarLogger, a ModelCheckpoint and an LRScheduler where there is none.

    Args:
        callbacks: a Callback, or a list of them.
        model: the Model.
        batch_size, epochs, steps, verbose, metrics: what callbacks find in `params`.
        log_freq: of the ProgBarLogger.
        save_freq, save_dir: of the ModelCheckpoint.
        mode: "train", "eval" or "predict".
    Returns:
        CallbackList.

    Example:
        >>> from paddle_compat.hapi.callbacks import config_callbacks
        >>> [type(one).__name__ for one in config_callbacks(verbose=0)]
        ['ModelCheckpoint', 'LRScheduler']

    Follows Paddle 2.6.
    """
    found = list(callbacks) if isinstance(callbacks, (list, tuple)) else [callbacks] if callbacks else []

    def lacks(kind: type) -> bool:
        return not any(isinstance(callback, kind) for callback in found)

    if verbose and lacks(ProgBarLogger):
        found.insert(0, ProgBarLogger(log_freq, verbose=verbose))
    if lacks(ModelCheckpoint):
        found.append(ModelCheckpoint(save_freq, save_dir))
    for callback in found:
        if isinstance(callback, EarlyStopping):
            callback.save_dir = save_dir
    if lacks(LRScheduler):
        found.append(LRScheduler())
    both = CallbackList(found)
    both.set_model(model)
    named = metrics or [] if mode != "test" else []
    both.set_params({"batch_size": batch_size, "epochs": epochs, "steps": steps, "verbose": verbose, "metrics": named})
    return both


__getattr__ = missing(__name__)
