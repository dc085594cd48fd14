"""Callbacks that report values: on the screen, and to the packages visualdl and wandb."""

from __future__ import annotations

import importlib
import time
import warnings
from typing import Any

from paddle_compat.hapi._callback import Callback
from paddle_compat.hapi._parallel import leads
from paddle_compat.hapi.progressbar import ProgressBar


class _Clock:
    """How long reading and running the batches since the last report took."""

    def __init__(self) -> None:
        self.reset()
        self.mark = time.time()

    def reset(self) -> None:
        self.reading = self.running = 0.0
        self.samples = self.batches = 0

    def begin(self) -> None:
        self.start = time.time()
        self.reading += self.start - self.mark

    def end(self, samples: Any) -> None:
        self.mark = time.time()
        self.running += self.mark - self.start
        self.batches += 1
        self.samples += samples or 0

    def values(self) -> list[tuple[str, str]]:
        batches, cost = max(self.batches, 1), self.reading + self.running
        found = [
            ("avg_reader_cost", f"{self.reading / batches:.5f} sec"),
            ("avg_batch_cost", f"{cost / batches:.5f} sec"),
            ("ips", f"{self.samples / cost if cost else 0.0:.5f} samples/sec"),
        ]
        self.reset()
        return found


class ProgBarLogger(Callback):
    """Prints how far a run has come, with the losses and metrics.

    Args:
        log_freq: it prints after so many batches.
        verbose: 0 nothing, 1 a bar that moves, 2 a line each time, 3 with times.

    Example:
        >>> import paddle_compat as paddle
        >>> model = paddle.Model(paddle.nn.Linear(2, 1))
        >>> model.prepare(paddle.optimizer.SGD(0.0, parameters=model.parameters()), paddle.nn.MSELoss())
        >>> batches = [[paddle.zeros([3, 2]), paddle.ones([3, 1])]] * 4
        >>> model.fit(batches, verbose=0, callbacks=[paddle.callbacks.ProgBarLogger(2, verbose=2)])  # doctest: +ELLIPSIS
        The loss value printed in the log is the current step, and the metric is the average value of previous steps.
        Epoch 1/1
        step 2/4 - loss: 1.0000 - .../step
        step 4/4 - loss: 1.0000 - .../step

    Follows Paddle 2.6.
    """

    def __init__(self, log_freq: int = 1, verbose: int = 2) -> None:
        super().__init__()
        self.epochs: int | None = None
        self.steps: int | None = None
        self.log_freq = log_freq
        self.verbose = verbose if leads() else 0
        self._names: list[str] = []

    def _begin(self, steps: int | None, names: Any) -> None:
        self.steps, self._names = steps, list(names or [])
        self._step = self._samples = 0
        self._clock = _Clock()
        self._bar = ProgressBar(num=steps, verbose=self.verbose)

    def _update(self, logs: dict[str, Any] | None) -> None:
        values: list[tuple[str, Any]] = [(name, logs[name]) for name in self._names if name in (logs or {})] if logs else []
        if self.verbose == 3:
            values += self._clock.values()
        self._bar.update(self._step, values)

    def _batch_end(self, logs: dict[str, Any] | None) -> None:
        size = (logs or {}).get("batch_size", 1)
        self._step += 1
        self._samples += size
        self._clock.end(size)
        if self.verbose and self._step % self.log_freq == 0 and (self.steps is None or self._step < self.steps):
            self._update(logs)

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Say what the numbers are."""
        self.epochs = self.params["epochs"]
        if self.verbose:
            print("The loss value printed in the log is the current step, and the metric is the average value of previous steps.")

    def on_epoch_begin(self, epoch: int | None = None, logs: dict[str, Any] | None = None) -> None:
        """Say which epoch it is."""
        self._begin(self.params["steps"], self.params["metrics"])
        if self.verbose and self.epochs and epoch is not None:
            print(f"Epoch {epoch + 1}/{self.epochs}")

    def on_train_batch_begin(self, step: int, logs: dict[str, Any] | None = None) -> None:
        """Take the time."""
        self._clock.begin()

    def on_train_batch_end(self, step: int, logs: dict[str, Any] | None = None) -> None:
        """Print the values, now and then."""
        self._batch_end(logs)

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Print the last batch's values."""
        if self.verbose and self.steps is not None:
            self._update(logs)

    def on_eval_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Say that it begins."""
        self._begin((logs or {}).get("steps"), (logs or {}).get("metrics"))
        if self.verbose:
            print("Eval begin...")

    def on_eval_batch_begin(self, step: int, logs: dict[str, Any] | None = None) -> None:
        """Take the time."""
        self._clock.begin()

    def on_eval_batch_end(self, step: int, logs: dict[str, Any] | None = None) -> None:
        """Print the values, now and then."""
        self._batch_end(logs)

    def on_eval_end(self, logs: dict[str, Any] | None = None) -> None:
        """Print the last batch's values, and how many samples there were, where the number of batches was known."""
        if self.verbose and self.steps is not None:
            self._update(logs)
            print(f"Eval samples: {self._samples}")

    def on_predict_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Say that it begins."""
        self._begin((logs or {}).get("steps"), (logs or {}).get("metrics"))
        if self.verbose:
            print("Predict begin...")

    def on_predict_batch_begin(self, step: int, logs: dict[str, Any] | None = None) -> None:
        """Take the time."""
        self._clock.begin()

    def on_predict_batch_end(self, step: int, logs: dict[str, Any] | None = None) -> None:
        """Print the step, now and then."""
        self._batch_end(logs)

    def on_predict_end(self, logs: dict[str, Any] | None = None) -> None:
        """Say how many samples there were."""
        if self.verbose:
            if self._step % self.log_freq != 0 or self.verbose == 1:
                self._update(logs)
            print(f"Predict samples: {self._samples}")


class _Reporter(Callback):
    """Hands losses and metrics on to a package for experiments."""

    def _send(self, values: dict[str, float], step: int | None, mode: str) -> None:
        """Report values."""

    def _numbers(self, logs: dict[str, Any] | None, mode: str) -> dict[str, float]:
        found = {}
        for name in self.params.get("metrics") or (logs or {}).get("metrics") or []:
            value: Any = (logs or {}).get(name)
            value = value[0] if isinstance(value, (list, tuple)) and value else value
            if value is not None:
                found[f"{mode}/{name}"] = float(value)
        return found

    epoch: int | None = 0  # evaluations go by the epoch that they follow

    def _report(self, logs: dict[str, Any] | None, mode: str, step: int | None) -> None:
        if leads():
            self._send(self._numbers(logs, mode), step, mode)

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Start counting."""
        self._trained = 0

    def on_epoch_begin(self, epoch: int | None = None, logs: dict[str, Any] | None = None) -> None:
        """Note which epoch it is."""
        self.epoch = epoch

    def on_train_batch_end(self, step: int, logs: dict[str, Any] | None = None) -> None:
        """Hand on the batch's values."""
        self._trained += 1
        self._report(logs, "train", self._trained)

    def on_eval_end(self, logs: dict[str, Any] | None = None) -> None:
        """Hand on the evaluation's values."""
        self._report(logs, "eval", self.epoch)


class VisualDL(_Reporter):
    """Writes losses and metrics for the package visualdl, which must be installed.

    Args:
        log_dir: the folder of its files.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.callbacks.VisualDL("log").log_dir
        'log'

    Follows Paddle 2.6.
    """

    def __init__(self, log_dir: str) -> None:
        super().__init__()
        self.log_dir = log_dir
        self._writer: Any = None
        self._trains = False

    def _send(self, values: dict[str, float], step: int | None, mode: str) -> None:
        if self._writer is None:
            self._writer = _package("visualdl").LogWriter(self.log_dir)
        for name, value in values.items():
            self._writer.add_scalar(tag=name, step=step, value=value)

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Start counting."""
        super().on_train_begin(logs)
        self._trains = True

    def on_eval_end(self, logs: dict[str, Any] | None = None) -> None:
        """Hand on the evaluation's values; close the file where no training goes on."""
        super().on_eval_end(logs)
        if not self._trains:
            self.on_train_end(logs)

    def on_train_end(self, logs: dict[str, Any] | None = None) -> None:
        """Close the file."""
        self._trains = False
        if self._writer is not None:
            self._writer.close()
            self._writer = None


def _package(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(f"Failed importing {name}, which this callback needs. Install it with `pip install {name}`.") from error


class WandbCallback(_Reporter):
    """Reports losses and metrics to the package wandb, which must be installed.

    Args:
        project: wandb's project.
        entity: who owns it.
        name: of the run.
        dir: the folder of its files.
        mode: "online", "offline" or "disabled".
        job_type: what kind of run it is.
        kwargs: more arguments of `wandb.init`.
    Raises:
        ImportError: wandb is not installed.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.callbacks.WandbCallback(project="mine")  # doctest: +SKIP

    Follows Paddle 2.6.
    """

    def __init__(
        self,
        project: str | None = None,
        entity: str | None = None,
        name: str | None = None,
        dir: str | None = None,
        mode: str | None = None,
        job_type: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__()
        self.wandb = _package("wandb")
        given = {"project": project, "name": name, "entity": entity, "dir": dir, "mode": mode, "job_type": job_type}
        self.wandb_args = {**given, **kwargs}
        self._run: Any = None
        if getattr(self.wandb, "run", None) is not None:
            warnings.warn(
                "There is a wandb run already in progress, and this WandbCallback reports to it. Call `wandb.finish()` before for another.",
                stacklevel=2,
            )
        if leads():
            _ = self.run  # begins with the callback, as in Paddle: scripts set its configuration before they train

    @property
    def run(self) -> Any:
        """The run that is reported to."""
        if self._run is None:
            self._run = self.wandb.run or self.wandb.init(**self.wandb_args)
        return self._run

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Start counting, and say what the values go by."""
        super().on_train_begin(logs)
        if leads():
            for step, values in (("train/step", "train/*"), ("epoch", "eval/*")):
                self.run.define_metric(step)
                self.run.define_metric(values, step_metric=step)

    def _send(self, values: dict[str, float], step: int | None, mode: str) -> None:
        self.run.log({"train/step" if mode == "train" else "epoch": step, **values})

    def on_train_end(self, logs: dict[str, Any] | None = None) -> None:
        """End the run."""
        if leads():
            self.run.finish()
