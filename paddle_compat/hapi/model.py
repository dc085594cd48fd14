"""`paddle.Model`: a network with its training loop."""

from __future__ import annotations

import inspect
import os
import warnings
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core import mode
from paddle_compat.core.errors import type_error
from paddle_compat.core.job import job
from paddle_compat.core.pickles import load_pickle
from paddle_compat.framework._to_file import NAMES
from paddle_compat.hapi._batches import extract_args, flatten_list, restore_flatten_list, to_numpy  # noqa: F401 - harnesses take it from here
from paddle_compat.hapi._dynamic import Dynamic, as_list, rows_of
from paddle_compat.hapi._dynamic import as_list as to_list  # noqa: F401 - scripts take it from here
from paddle_compat.hapi._parallel import all_gather as _all_gather  # noqa: F401 - metrics of scripts take it from here
from paddle_compat.hapi._parallel import leads
from paddle_compat.hapi._parallel import prepare_distributed_context as prepare_distributed_context
from paddle_compat.hapi._static import Static
from paddle_compat.hapi.callbacks import EarlyStopping, config_callbacks
from paddle_compat.metric import Metric
from paddle_compat.nn.layer.layers import Layer
from paddle_compat.static.input import InputSpec
from paddle_compat.static.input import InputSpec as Input  # noqa: F401 - its former name

__all__ = ["Model"]

_AMP_KEYS = (
    "custom_white_list", "custom_black_list", "use_fp16_guard", "init_loss_scaling", "incr_ratio", "decr_ratio", "incr_every_n_steps",
    "decr_every_n_nan_or_inf", "use_dynamic_loss_scaling",
)  # fmt: skip


class Model:
    """A network with a loop that trains it, evaluates it and predicts with it, in dynamic and in static mode.

    Args:
        network: the Layer.
        inputs: InputSpecs of what its `forward` takes; needed in static mode, and to save it for inference.
        labels: InputSpecs of what the loss takes beside its outputs.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> _ = paddle.seed(1)
        >>> model = paddle.Model(paddle.nn.Linear(2, 3))
        >>> model.prepare(paddle.optimizer.Adam(0.1, parameters=model.parameters()), paddle.nn.CrossEntropyLoss(), paddle.metric.Accuracy())
        >>> class Points(paddle.io.Dataset):
        ...     def __getitem__(self, i):
        ...         return np.array([i % 3, 1.0], "float32"), np.array([i % 3])
        ...     def __len__(self):
        ...         return 12
        >>> model.fit(Points(), batch_size=4, epochs=60, verbose=0)
        >>> sorted(model.evaluate(Points(), batch_size=12, verbose=0)), model.predict(Points(), batch_size=6, verbose=0)[0][0].shape
        (['acc', 'loss'], (6, 3))
        >>> model.train_batch([np.ones((1, 2), "float32")], [np.array([[1]])])[1], len(model.parameters())
        ([1.0], 2)

    Follows Paddle 2.6.
    """

    def __init__(self, network: Layer, inputs: Any = None, labels: Any = None) -> None:
        self.mode = "train"
        self.network = network
        self.stop_training = False
        self.num_iters: int | None = None
        self._loss: Any = None
        self._optimizer: Any = None
        self._metrics: list[Any] = []
        self._prepared = False
        positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        self._arguments = [p.name for p in inspect.signature(network.forward).parameters.values() if p.kind in positional]
        dynamic = mode.in_dygraph_mode()
        if not dynamic and not isinstance(inputs, (list, tuple, dict, InputSpec)):
            raise type_error("inputs", "a list, tuple or dict of InputSpecs in static mode", inputs, "paddle.Model")
        self._inputs = self._specs(inputs, "inputs")
        self._inferred = False  # whether `_inputs` came from a batch
        self._labels = self._specs(labels, "labels")
        self._adapter: Any = Dynamic(self) if dynamic else Static(self)
        self._logs: dict[str, Any] = {}  # one for all runs: callbacks find the last batch's values there

    def _specs(self, specs: Any, name: str) -> list[Any] | None:
        if specs is None:
            return None
        if isinstance(specs, dict):
            found = [specs[argument] for argument in self._arguments if argument in specs]
        else:
            found = as_list(specs)
        for spec in found:
            expected = f"Invalid value for argument `{name}` of `paddle.Model`. Expected InputSpecs."
            assert isinstance(spec, InputSpec), f"{expected} Received: {spec!r}"
            if spec.name is None and not isinstance(specs, dict):
                raise ValueError(f"{expected[:-1]} with names. Received: {spec!r}")
        return found

    # ---- one batch
    def train_batch(self, inputs: Any, labels: Any = None, update: bool = True) -> Any:
        """Train on one batch.

        Args:
            inputs: an array or Tensor, or a list of them.
            labels: the same.
            update: update the parameters; else gradients add up.
        Returns:
            The losses, a list of arrays; with metrics, a pair of them and the metrics' values.
        Raises:
            AssertionError: there is no optimizer.
        """
        self._need_optimizer()
        self.mode = "train"
        losses, metrics = self._adapter.train_batch(as_list(inputs), as_list(labels), update)
        return (losses, metrics) if metrics else losses

    def _need_optimizer(self) -> None:
        assert self._optimizer is not None, "model not ready, please call `model.prepare()` first"

    def eval_batch(self, inputs: Any, labels: Any = None) -> Any:
        """Evaluate one batch.

        Args:
            inputs: an array or Tensor, or a list of them.
            labels: the same.
        Returns:
            The losses, a list of arrays; with metrics, a pair of them and the metrics' values; without a loss, the latter.

        Example:
            >>> import paddle_compat as paddle
            >>> model = paddle.Model(paddle.nn.ReLU())
            >>> model.prepare(loss=paddle.nn.MSELoss())
            >>> model.eval_batch(paddle.ones([2, 1]), paddle.zeros([2, 1]))[0].item()
            1.0
        """
        self.mode = "eval"
        losses, metrics = self._adapter.eval_batch(as_list(inputs), as_list(labels))
        if self._loss and metrics:
            return losses, metrics
        return losses if self._loss else metrics

    def predict_batch(self, inputs: Any) -> list[np.ndarray]:
        """Predict for one batch.

        Args:
            inputs: an array or Tensor, or a list of them.
        Returns:
            The outputs, a list of arrays.

        Example:
            >>> import paddle_compat as paddle
            >>> [output.shape for output in paddle.Model(paddle.nn.Linear(2, 3)).predict_batch(paddle.ones([4, 2]))]
            [(4, 3)]
        """
        self.mode = "test"
        found: list[np.ndarray] = self._adapter.predict_batch(as_list(inputs))
        return found

    # ---- files
    def save(self, path: str, training: bool = True) -> None:
        """Save parameters and optimizer state, or a model for inference; of several processes the first one does.

        Args:
            path: prefix of the files' names.
            training: True: `.pdparams` and `.pdopt`; False: the files of `paddle.jit.save`.
        Raises:
            RuntimeError: a model is to be saved for inference, but neither are inputs described nor was a batch run.
            AssertionError: in static mode, the path names a folder.

        Example:
            >>> import os, tempfile, paddle_compat as paddle
            >>> path = os.path.join(tempfile.mkdtemp(), "net")
            >>> paddle.Model(paddle.nn.Linear(2, 3)).save(path)
            >>> paddle.Model(paddle.nn.Linear(2, 3)).load(path)
        """
        if leads():
            (self._adapter.save if training else self._adapter.save_inference)(path)

    def load(self, path: str, skip_mismatch: bool = False, reset_optimizer: bool = False) -> None:
        """Load parameters and optimizer state that `save` wrote, in either mode.

        Args:
            path: prefix of the files' names.
            skip_mismatch: pass over parameters that do not fit, with a warning.
            reset_optimizer: leave the optimizer as it is.
        Raises:
            AssertionError: there is no such file.
            ValueError: a parameter is not in the file, or has another shape there.

        Example:
            >>> import os, tempfile, paddle_compat as paddle
            >>> path = os.path.join(tempfile.mkdtemp(), "net")
            >>> paddle.Model(paddle.nn.Linear(2, 3)).save(path)
            >>> paddle.Model(paddle.nn.Linear(2, 4)).load(path)
            Traceback (most recent call last):
            ...
            ValueError: weight receives a shape [2, 3], but the expected shape is [2, 4].
        """
        for suffix in (".pdparams", ".pdopt", ".pdmodel"):
            path = path.removesuffix(suffix)
        assert os.path.exists(path + ".pdparams"), f"Failed to load parameters, please check path. Received: {path}"
        state = load_pickle(path + ".pdparams")
        state.pop(NAMES, None)
        values = []
        for name, parameter in self.network.state_dict().items():
            problem = None
            if name not in state:
                problem = f"{name} is not found in the providing file."
            elif list(state[name].shape) != list(parameter.shape):
                problem = f"{name} receives a shape {list(state[name].shape)}, but the expected shape is {list(parameter.shape)}."
            if problem is None:
                values.append((parameter, state[name]))
            elif skip_mismatch:
                warnings.warn(f"Skip loading for {name}. {problem}", stacklevel=2)
            else:
                raise ValueError(problem)
        optimizer = path + ".pdopt"
        self._adapter.load(values, None if reset_optimizer or not os.path.exists(optimizer) else optimizer)

    def parameters(self, *args: Any, **kwargs: Any) -> list[Any]:
        """The network's parameters.

        Args:
            args, kwargs: of no effect.
        Returns:
            A list of parameters.
        """
        return self.network.parameters()

    # ---- setting up
    def prepare(self, optimizer: Any = None, loss: Any = None, metrics: Any = None, amp_configs: Any = None) -> None:
        """Say what the loop is to use.

        Args:
            optimizer: needed to train.
            loss: a Layer or function of outputs and labels, that gives a loss or a list of them.
            metrics: a Metric or a list of them.
            amp_configs: mixed precision: "O1" or "O2", or a dict of `level` and arguments of `auto_cast` and `GradScaler`.
        Raises:
            TypeError: the loss cannot be called.
            AssertionError: a metric is no Metric.
            ValueError: a level or key of `amp_configs` is not known.
        """
        self._optimizer = optimizer
        if loss is not None and not isinstance(loss, Layer) and not callable(loss):
            raise type_error("loss", "a paddle.nn.Layer or any callable function", loss, "paddle.Model.prepare")
        self._loss = loss
        metrics = as_list(metrics)
        for metric in metrics:
            assert isinstance(metric, Metric), f"{type(metric).__name__} is not sub class of Metric"
        self._metrics = metrics
        self._adapter.prepare(_amp(amp_configs))
        self._prepared = True

    # ---- the loop
    def fit(
        self,
        train_data: Any = None,
        eval_data: Any = None,
        batch_size: int = 1,
        epochs: int = 1,
        eval_freq: int = 1,
        log_freq: int = 10,
        save_dir: str | None = None,
        save_freq: int = 1,
        verbose: int = 2,
        drop_last: bool = False,
        shuffle: bool = True,
        num_workers: int = 0,
        callbacks: Any = None,
        accumulate_grad_batches: int = 1,
        num_iters: int | None = None,
    ) -> None:
        """Train.

        Args:
            train_data: a Dataset, or what gives batches: a DataLoader, a list.
            eval_data: the same, evaluated after epochs.
            batch_size, drop_last, shuffle, num_workers: of the DataLoader that a Dataset gets.
            epochs: how many times over the data.
            eval_freq: it evaluates after so many epochs.
            log_freq: it prints after so many batches.
            save_dir: folder for checkpoints; None: none.
            save_freq: it saves after so many epochs.
            verbose: 0 prints nothing, 1 a bar that moves, 2 a line each time, 3 with times.
            callbacks: Callbacks.
            accumulate_grad_batches: it updates after so many batches.
            num_iters: it stops after so many batches. What once stopped training (this, an EarlyStopping) has later calls stop
                after their first epoch, as in Paddle: set the Model's `stop_training` to False before.
        Raises:
            AssertionError: there is no data, or no optimizer.
        """
        assert train_data is not None, "train_data must be given!"
        self._need_optimizer()
        size, eval_size = batch_size if isinstance(batch_size, (tuple, list)) and len(batch_size) == 2 else (batch_size, batch_size)
        loader = _loader(train_data, size, shuffle, drop_last, num_workers)
        eval_loader = None if eval_data is None else _loader(eval_data, eval_size, False, False, num_workers)
        self.num_iters = num_iters
        self._accumulate = accumulate_grad_batches
        steps = self._len_data_loader(loader)
        if num_iters is not None and steps is not None:
            epochs, steps = num_iters // steps + 1, min(num_iters, steps)
        calls = config_callbacks(
            callbacks,
            model=self,
            epochs=epochs,
            steps=steps,
            log_freq=log_freq,
            save_freq=save_freq,
            save_dir=save_dir,
            verbose=verbose,
            metrics=self._metrics_name(),
        )
        if eval_loader is None and any(isinstance(callback, EarlyStopping) for callback in calls):
            warnings.warn("EarlyStopping needs validation data.", stacklevel=2)
        calls.on_begin("train")
        logs: dict[str, Any] = {}
        for epoch in range(epochs):
            calls.on_epoch_begin(epoch)
            logs = self._run_one_epoch(loader, calls, "train")
            calls.on_epoch_end(epoch, logs)
            if eval_loader is not None and epoch % eval_freq == 0:
                self._evaluate(eval_loader, calls, self._len_data_loader(eval_loader))
            if self.stop_training:
                break
        calls.on_end("train", logs)

    def _evaluate(self, loader: Any, calls: Any, steps: int | None) -> dict[str, Any]:
        self._adapter.counted.begin(loader)
        calls.on_begin("eval", {"steps": steps, "metrics": self._metrics_name()})
        logs = self._run_one_epoch(loader, calls, "eval")
        calls.on_end("eval", logs)
        self._adapter.counted.begin()
        return logs

    def evaluate(
        self,
        eval_data: Any,
        batch_size: int = 1,
        log_freq: int = 10,
        verbose: int = 2,
        num_workers: int = 0,
        callbacks: Any = None,
        num_iters: int | None = None,
    ) -> dict[str, Any]:
        """Evaluate.

        Args:
            eval_data: a Dataset, or what gives batches.
            batch_size, num_workers: of the DataLoader that a Dataset gets.
            log_freq: it prints after so many batches.
            verbose: 0 prints nothing, 1 a bar that moves, 2 a line each time.
            callbacks: Callbacks.
            num_iters: it stops after so many batches.
        Returns:
            The last batch's losses under `loss`, and the metrics by name.
        """
        self._need_prepared()
        loader = _loader(eval_data, batch_size, False, False, num_workers)
        self.num_iters = num_iters
        calls = config_callbacks(callbacks, model=self, log_freq=log_freq, verbose=verbose, metrics=self._metrics_name())
        steps = self._len_data_loader(loader)
        if steps is not None and num_iters is not None:
            steps = min(steps, num_iters)
        logs = self._evaluate(loader, calls, steps)
        self.num_iters = None
        return {name: logs[name] for name in self._metrics_name() if name in logs}

    def predict(
        self,
        test_data: Any,
        batch_size: int = 1,
        num_workers: int = 0,
        stack_outputs: bool = False,
        verbose: int = 1,
        callbacks: Any = None,
    ) -> list[Any]:
        """Predict.

        Args:
            test_data: a Dataset, or what gives batches.
            batch_size, num_workers: of the DataLoader that a Dataset gets.
            stack_outputs: put the batches of each output together.
            verbose: 0 prints nothing, 1 a bar that moves, 2 a line each time.
            callbacks: Callbacks.
        Returns:
            For each output of the network, a tuple of the batches' arrays, or one array.
        """
        loader = _loader(test_data, batch_size, False, False, num_workers)
        self.num_iters = None
        calls = config_callbacks(callbacks, model=self, verbose=verbose, metrics=None)
        self._outputs: list[list[np.ndarray]] = []
        calls.on_begin("predict", {"steps": self._len_data_loader(loader)})
        logs = self._run_one_epoch(loader, calls, "predict")
        outputs: list[Any] = list(zip(*self._outputs))
        if stack_outputs:
            outputs = [np.vstack(batches) for batches in outputs]
        calls.on_end("predict", logs)
        return outputs

    def _need_prepared(self) -> None:
        assert self._prepared, "model not ready, please call `model.prepare()` first"

    def _run_one_epoch(self, data_loader: Any, callbacks: Any, mode: str) -> dict[str, Any]:
        logs, names = self._logs, self._metrics_name()
        steps = self._len_data_loader(data_loader)
        for step, data in enumerate(data_loader):
            batch = _flat(data)
            callbacks.on_batch_begin(mode, step, logs)
            inputs, labels = self._divide(batch, mode)
            if mode == "predict":
                self._outputs.append(self.predict_batch(inputs))
            else:
                if mode == "train":
                    update = (step + 1) % self._accumulate == 0 or step + 1 == steps
                    found = self.train_batch(inputs, labels, update)
                else:
                    found = self.eval_batch(inputs, labels)
                logs.update(zip(names, self._values(found)))
            logs["step"] = step
            alone = mode != "eval" or job().size < 2
            logs["batch_size"] = rows_of(batch[0]) * job().size if alone else self._adapter.counted.batch
            callbacks.on_batch_end(mode, step, logs)
            if mode != "predict" and self.num_iters is not None:
                self.num_iters -= 1
                if self.num_iters <= 0:
                    self.stop_training = True
                    self.num_iters = None
                    break
        self._reset_metrics()
        return logs

    def _divide(self, batch: list[Any], mode: str) -> tuple[list[Any], list[Any]]:
        """What of a batch the network takes, and what the loss."""
        if self._inputs is not None:
            count = len(self._inputs)
        else:
            count = len(self._arguments)
            if self._loss and mode != "predict" and count >= len(batch) > 1:  # some of the arguments are optional
                count = len(batch) - 1
        if self._inputs is None and self._adapter.__class__ is Dynamic:
            self._inferred = True
            self._inputs = [
                InputSpec(list(value.shape), str(np.asarray(value).dtype), name) for name, value in zip(self._arguments, batch[:count])
            ]
        return batch[:count], batch[count:]

    def _values(self, found: Any) -> list[Any]:
        """Losses as floats, and each metric's value so far, in the order of `_metrics_name`."""
        values: list[Any] = []
        if self._loss:
            losses = found[0] if self._metrics else found
            values.append([float(np.asarray(loss).reshape(-1)[0]) for loss in losses])
        for metric in self._metrics:
            values += as_list(metric.accumulate())
        return values

    def _reset_metrics(self) -> None:
        for metric in self._metrics:
            metric.reset()

    def _metrics_name(self) -> list[str]:
        names = ["loss"] if self._loss else []
        for metric in self._metrics:
            names += as_list(metric.name())
        return names

    def _len_data_loader(self, data_loader: Any) -> int | None:
        try:
            steps: int | None = len(data_loader)
        except (TypeError, RuntimeError, ValueError):  # nobody knows
            return None
        return steps

    def summary(self, input_size: Any = None, dtype: Any = None) -> dict[str, int]:
        """Print the network's layers.

        Args:
            input_size: shapes of the inputs; None: those of the InputSpecs.
            dtype: data types of the inputs.
        Returns:
            `total_params` and `trainable_params`.
        Raises:
            AssertionError: there are neither shapes nor InputSpecs.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.Model(paddle.nn.Linear(2, 3)).summary((1, 2))["total_params"]  # doctest: +ELLIPSIS
            ----...
            9
        """
        from paddle_compat.hapi.model_summary import summary

        assert input_size is not None or self._inputs is not None, "'input_size' or 'self._input' must be set"
        if input_size is None:
            given = [tuple(spec.shape) for spec in self._inputs or []]
            input_size, dtype = given, dtype or [spec.dtype for spec in self._inputs or []]
        return summary(self.network, input_size, dtypes=dtype)


def _amp(configs: Any) -> dict[str, Any]:
    if configs is None:
        return {}
    if not isinstance(configs, (str, dict)):
        raise type_error("amp_configs", "str or dict", configs, "paddle.Model.prepare")
    configs = {"level": configs} if isinstance(configs, str) else {"level": "O1", **configs}
    if configs["level"] not in ("O0", "O1", "O2"):
        raise ValueError(f"The level of amp_configs should be 'O0', 'O1' or 'O2'. Received: {configs['level']!r}")
    unknown = tuple(key for key in configs if key != "level" and key not in _AMP_KEYS)
    if unknown:
        raise ValueError(
            "Except for 'level', the keys of 'amp_configs' must be accepted by mixed precision APIs, "
            f"but {unknown} could not be recognized."
        )
    return configs


def _loader(data: Any, batch_size: int, shuffle: bool, drop_last: bool, num_workers: int) -> Any:
    """What gives batches: the thing itself, or a DataLoader for a Dataset."""
    from paddle_compat.io import DataLoader, Dataset, DistributedBatchSampler, IterableDataset

    if isinstance(data, IterableDataset):
        return DataLoader(data, batch_size=batch_size, drop_last=drop_last, num_workers=num_workers, return_list=True)
    if isinstance(data, Dataset):
        sampler = DistributedBatchSampler(data, batch_size=batch_size, shuffle=shuffle, drop_last=drop_last)
        return DataLoader(data, batch_sampler=sampler, num_workers=num_workers, return_list=True)
    return data


def _flat(data: Any) -> list[Any]:
    """The arrays of a batch, however they are nested."""
    if isinstance(data, (list, tuple)):
        return [leaf for item in data for leaf in _flat(item)]
    return [leaf for item in data.values() for leaf in _flat(item)] if isinstance(data, dict) else [data]


__getattr__ = missing(__name__)
