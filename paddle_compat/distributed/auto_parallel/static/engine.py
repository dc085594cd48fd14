"""`paddle.distributed.auto_parallel.static.engine`: `Engine`, which trains a model on datasets over the processes of the job."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.errors import NotFoundError, UnsupportedError, failed_assertion, invalid_argument, missing_member, type_error
from paddle_compat.core.program import Program
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed import _groups
from paddle_compat.distributed.auto_parallel._dist_model import DistModel
from paddle_compat.distributed.auto_parallel._dist_model_inputs import flat
from paddle_compat.distributed.auto_parallel._loaders import ShardDataloader, layout, shard_dataloader
from paddle_compat.distributed.auto_parallel._program_files import write_program
from paddle_compat.distributed.auto_parallel._strategies import Strategy
from paddle_compat.distributed.auto_parallel._tensors import is_dist, shard_tensor, unshard_dtensor
from paddle_compat.distributed.auto_parallel.interface import get_mesh
from paddle_compat.distributed.auto_parallel.process_mesh import ProcessMesh
from paddle_compat.distributed.auto_parallel.strategy import BaseConfig
from paddle_compat.framework.io import load, save
from paddle_compat.framework.random import seed
from paddle_compat.hapi.callbacks import Callback, config_callbacks
from paddle_compat.io import DataLoader, IterableDataset
from paddle_compat.io.dataloader.collate import default_collate_fn
from paddle_compat.metric import Metric
from paddle_compat.nn import Layer
from paddle_compat.optimizer.optimizer import Optimizer
from paddle_compat.static.input import InputSpec
from paddle_compat.tensor.creation import to_tensor

_MODES = ("train", "eval", "predict")


class History(Callback):
    """What the passes of `Engine.fit` ended with.

    Attributes:
        history: name -> one value for each pass.

    Follows Paddle 2.6 and 3.3.
    """

    def __init__(self) -> None:
        super().__init__()
        self.history: dict[str, list[Any]] = {}

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Keep the values."""
        for name, value in {"epoch": epoch, **(logs or {})}.items():
            self.history.setdefault(name, []).append(value)


class _Loss:
    """A loss whose arguments are fetched beside it."""

    def __init__(self, loss: Callable[..., Any]) -> None:
        self._loss = loss

    def __call__(self, *given: Any) -> Any:
        self.given = given
        return self._loss(*given)


class _Spec:
    """An input: all of its shape, its data type, and how it lies."""

    def __init__(self, like: Any, placements: list[Any]) -> None:
        self.shape, self.dtype, self.placements = list(like.shape), like.dtype, placements
        self.name = like.name if isinstance(like, InputSpec) else None


class _Place:
    """In place of a loader: where its batches lie."""

    def __init__(self, mesh: ProcessMesh) -> None:
        self._meshes = mesh


def _want(name: str, given: Any, right: bool, expected: str) -> None:
    if not right:
        raise type_error(name, expected, given, "Engine")


def _settings(strategy: Any) -> Strategy | None:
    """What `paddle.distributed.to_static` takes, of a Strategy of `auto`, too."""
    if strategy is None or isinstance(strategy, Strategy):
        return strategy
    found, usual = Strategy(), vars(type(strategy)())
    for name, group in vars(strategy).items():
        if name in ("amp", "gradient_merge", "pipeline", "recompute", "sharding"):
            setattr(found, f"_{name}", group)
        elif getattr(group, "enable", False) and not usual[name].enable:
            raise UnsupportedError("paddle.distributed.auto_parallel.Engine", f"strategy.{name}.enable=True", "a Strategy without it")
    return found


def _count(data: Any, size: int, steps: int | None) -> int | None:
    """How many batches a pass has; None: nobody knows."""
    whole = len(data) // size if hasattr(data, "__len__") else None
    return whole if steps is None else steps if whole is None else min(steps, whole)


def _example(dataset: Any, size: int | None, collate: Callable[..., Any] | None) -> Any:
    """A batch of the first sample, for its shapes and data types."""
    sample = next(iter(dataset)) if isinstance(dataset, IterableDataset) else dataset[0]
    return sample if size is None else (collate or default_collate_fn)([sample] * size)


class Engine:
    """A model, its loss and its optimizer, run on datasets by all processes of the job together.

    Where parameters lie on a mesh (`shard_tensor`), or one is set (`set_mesh`), batches are cut along its dimension `dp`, if it has one.
    Else all processes share each batch. Sizes of batches are those of all processes together; a last batch that is smaller is left out.

    Args:
        model (Layer): the model.
        loss (Layer | callable): called with the model's outputs and the labels.
        optimizer (Optimizer): updates the parameters.
        metrics (Metric | list): computed of the outputs and the labels.
        cluster: of no effect: nothing is planned by what machines there are.
        strategy (Strategy): settings of `paddle.distributed.to_static`.
    Raises:
        TypeError: an argument is of a wrong type.
        UnsupportedError: there are metrics, and the strategy's gradient_merge is on; or what is on is not supported.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet import auto
        >>> model = paddle.nn.Linear(4, 2)
        >>> sgd = paddle.optimizer.SGD(0.1, parameters=model.parameters())
        >>> engine = auto.Engine(model, paddle.nn.MSELoss(), sgd)
        >>> data = paddle.io.TensorDataset([paddle.ones([8, 4]), paddle.zeros([8, 2])])
        >>> history = engine.fit(data, batch_size=4, epochs=2, verbose=0)
        >>> history.history["step"], engine.evaluate(data, batch_size=4, verbose=0)["step"]
        ([2, 2], 2)
        >>> [out.shape for out, in engine.predict(data, batch_size=4, verbose=0)]
        [(4, 2), (4, 2)]
        >>> engine.to_mode("train")
        >>> losses = [engine.run(batch)["loss"] for batch in engine.dataloader(data, batch_size=4)]
        >>> engine.prepare([paddle.static.InputSpec([4, 4], "float32", "x")], mode="predict")
        >>> [op.type for op in engine.get_serial_main_program("predict").global_block().ops]
        ['matmul_v2', 'elementwise_add']
        >>> assert engine.get_dist_main_program("train").global_block().ops[-1].type == "sgd"
        >>> [op.type for op in engine.serial_main_program.global_block().ops], len(engine.main_program.global_block().ops)
        (['matmul_v2', 'elementwise_add'], 2)
        >>> assert engine.serial_startup_program and engine.startup_program and engine.optimizer is sgd
        >>> assert engine.get_serial_startup_program("train") and engine.get_dist_startup_program("train")
        >>> import tempfile
        >>> path = tempfile.mkdtemp() + "/model"
        >>> engine.save(path)
        >>> sorted(engine.load(path)[0])
        ['bias', 'weight']

    Follows Paddle 2.6 and 3.3.
    """

    def __init__(
        self, model: Any = None, loss: Any = None, optimizer: Any = None, metrics: Any = None, cluster: Any = None, strategy: Any = None
    ) -> None:
        several = list(metrics) if isinstance(metrics, (list, tuple)) else [] if metrics is None else [metrics]
        _want("model", model, model is None or isinstance(model, Layer), "a paddle.nn.Layer")
        _want("loss", loss, loss is None or callable(loss), "a paddle.nn.Layer or another callable")
        _want("optimizer", optimizer, optimizer is None or isinstance(optimizer, Optimizer), "a paddle.optimizer.Optimizer")
        _want("metrics", metrics, all(isinstance(each, Metric) for each in several), "a paddle.metric.Metric, or several")
        _want("strategy", strategy, strategy is None or isinstance(strategy, BaseConfig), "a paddle.distributed.Strategy")
        self._seed: int | None = getattr(strategy, "seed", None)  # where random numbers begin when a mode does
        strategy = _settings(strategy)
        self._model, self._loss, self._optimizer, self._metrics, self._strategy = model, loss, optimizer, several, strategy
        if several and strategy is not None and strategy.gradient_merge.enable:
            raise UnsupportedError("paddle.distributed.auto_parallel.Engine", "metrics and gradient_merge", "an Engine to evaluate")
        self._models: dict[str, DistModel] = {}
        self._mode: str | None = None
        self._place: tuple[ProcessMesh, Any] | None = None

    # ---- data
    def _laid(self) -> tuple[ProcessMesh, Any]:
        """The mesh, and its dimension along which batches are cut. What the first run found stays."""
        if self._place is None:
            tensors: list[Any] = [] if self._model is None else [*self._model.parameters(), *self._model.buffers()]
            mesh = next((tensor.process_mesh for tensor in tensors if is_dist(tensor)), get_mesh())
            everyone = ProcessMesh(list(range(_groups.job_size())), ["dp"])
            mesh = everyone if mesh is None else mesh
            self._place = mesh, "dp" if "dp" in mesh.dim_names else None
        return self._place

    def dataloader(
        self, dataset: Any, batch_size: int = 1, shuffle: bool = False, drop_last: bool = True,
        collate_fn: Callable[..., Any] | None = None, num_workers: int = 0, use_buffer_reader: bool = True,
        use_shared_memory: bool = True, timeout: int = 0,
        worker_init_fn: Callable[[int], None] | None = None, epochs: int = 1, steps_per_epoch: int | None = None, sample_split: int = 1,
        mode: str | None = None, places: Any = None,
    ) -> ShardDataloader:  # fmt: skip
        """A loader of batches that lie as the model takes them.

        Args:
            dataset (Dataset): the samples.
            batch_size (int): of all processes together.
            shuffle, drop_last, collate_fn, num_workers, use_buffer_reader, use_shared_memory, timeout, worker_init_fn, places: as a
                `paddle.io.DataLoader` takes them.
            epochs, steps_per_epoch: of no effect: who reads it counts.
            sample_split (int): how many of a sample's parts are inputs; the others are labels.
            mode (str): of `to_mode`; None: the present one.
        Returns:
            ShardDataloader: `run` takes its batches.
        Raises:
            AssertionError: there is no such mode.
        """
        if mode is not None:
            self.to_mode(mode)
        self._split = sample_split
        self._example = lambda: _example(dataset, batch_size, collate_fn)
        loader = DataLoader(
            dataset, places=places, batch_size=batch_size, shuffle=shuffle, drop_last=drop_last, collate_fn=collate_fn,
            num_workers=num_workers, use_buffer_reader=use_buffer_reader, use_shared_memory=use_shared_memory, timeout=timeout,
            worker_init_fn=worker_init_fn,
        )  # fmt: skip
        mesh, dim = self._laid()
        return shard_dataloader(loader, mesh, shard_dims=dim)

    _split: int | None = None
    _example: Callable[[], Any] | None = None  # makes a batch like those of the last loader

    def _parts(self, batch: Any) -> tuple[list[Any], list[Any]]:
        """The inputs of a batch, and its labels."""
        if isinstance(batch, (list, tuple)) and len(batch) == 1 and isinstance(batch[0], dict):
            batch = batch[0]  # as Paddle's own loader gives batches
        parts = list(batch.values()) if isinstance(batch, dict) else list(batch) if isinstance(batch, (list, tuple)) else [batch]
        split = self._split
        if split is None and len(parts) != 2 and self._mode != "predict":
            raise invalid_argument("train_sample_split", f"how many of a sample's {len(parts)} parts are inputs", None, "Engine")
        at = min(1, len(parts)) if split is None else split
        return [self._dist(value) for value in flat(parts[:at])], [self._dist(value) for value in flat(parts[at:])]

    def _dist(self, value: Any) -> Tensor:
        """All of a value, laid as a batch is."""
        tensor = value if isinstance(value, Tensor) else to_tensor(value)
        mesh, dim = self._laid()
        return tensor if is_dist(tensor) else shard_tensor(tensor, mesh, layout(mesh, dim))

    # ---- modes
    def to_mode(self, mode: str) -> None:
        """Choose the mode.

        Args:
            mode (str): "train", "eval" or "predict".
        Raises:
            AssertionError: there is no such mode.
        """
        if mode not in _MODES:
            raise failed_assertion("mode", "'train', 'eval' or 'predict'", mode, "Engine.to_mode")
        self._mode = mode

    def prepare(
        self, inputs_spec: Any = None, labels_spec: Any = None, inputs: Any = None, labels: Any = None,
        main_program: Program | None = None, startup_program: Program | None = None, mode: str | None = None, init_parameters: bool = True,
    ) -> None:  # fmt: skip
        """Make the Programs of a mode before there is data.

        Args:
            inputs_spec (InputSpec | list): of each input, of all processes' part together. None: with `labels_spec`, what `dataloader`
                was last given says them.
            labels_spec (InputSpec | list): likewise of the labels.
            inputs, labels, main_program, startup_program: only None.
            mode (str): the mode; None: the present one.
            init_parameters (bool): of no effect: parameters have their values.
        Raises:
            AssertionError: there is no such mode; or neither specs nor a loader before.
            TypeError: a spec is no InputSpec.
            UnsupportedError: Variables or Programs are given.
        """
        if any(given is not None for given in (inputs, labels, main_program, startup_program)):
            api = "paddle.distributed.auto_parallel.Engine.prepare"
            raise UnsupportedError(api, "Variables or a Program", "inputs_spec and labels_spec")
        self.to_mode(mode or self._mode or "train")
        given = [flat([] if specs is None else [specs]) for specs in (inputs_spec, labels_spec)]
        for spec in flat(given):
            if not isinstance(spec, InputSpec):
                raise type_error("inputs_spec" if spec in given[0] else "labels_spec", "a paddle.static.InputSpec", spec, "Engine.prepare")
        if not flat(given):
            if self._example is None:
                raise failed_assertion("inputs_spec", "specs, or a call of dataloader(...) before", None, "Engine.prepare")
            inputs, labels = self._parts(self._example())
            given = [inputs, [] if self._mode == "predict" else labels]
        self._make(given)

    def _needs(self) -> str:
        """The mode, for which there is all that it needs."""
        mode = self._mode or "train"
        needs = {"model": (self._model, 3), "loss": (self._loss, 2), "optimizer": (self._optimizer, 1)}
        for name, (given, modes) in needs.items():
            if given is None and mode in _MODES[:modes]:
                raise type_error(name, f"one, which the mode {mode!r} needs", None, "Engine")
        return mode

    def _make(self, specs: list[list[Any]]) -> DistModel:
        """The DistModel of the present mode, for inputs and labels of these shapes and types."""
        mode = self._needs()
        if mode not in self._models:
            mesh, dim = self._laid()
            known = [[_Spec(spec, layout(mesh, dim)) for spec in some] for some in specs]
            loss = None if mode == "predict" else _Loss(self._loss) if self._metrics else self._loss
            loader = _Place(mesh)  # says on which mesh, where no parameter does
            optimizer = self._optimizer if mode == "train" else None
            if self._seed:
                for start in (seed, np.random.seed, random.seed):
                    start(self._seed)
            self._models[mode] = DistModel(self._model, loader, loss, optimizer, self._strategy, input_spec=known)
        return self._models[mode]

    # ---- running
    def run(self, data: Any = None, feed: Any = None, fetch_list: Any = None, mode: str | None = None) -> dict[str, Any]:
        """Run one batch.

        Args:
            data: a batch of `dataloader`, or a list of arrays or Tensors that all processes hold whole.
            feed, fetch_list: only None.
            mode (str): the mode; None: the present one.
        Returns:
            dict: "loss", and the metrics so far by name; in the mode "predict" "outputs", a dict of `out0`, `out1` and so on; "fetches", a
                dict of what `auto.fetch` asked for.
        Raises:
            AssertionError: there is no such mode.
            UnsupportedError: feed or fetch_list is given.
        """
        if feed is not None or fetch_list is not None:
            raise UnsupportedError("paddle.distributed.auto_parallel.Engine.run", "feed or fetch_list", "data")
        self.to_mode(mode or self._mode or "train")
        self._needs()
        inputs, labels = self._parts(data)
        labels = [] if self._mode == "predict" else labels
        recording = self._make([inputs, labels])._recording(None)
        found = recording.run([*inputs, *labels])
        if self._mode == "predict":
            return {"outputs": {f"out{i}": value for i, value in enumerate(found)}, "fetches": recording.fetches}
        merge = None if self._strategy is None else self._strategy.gradient_merge
        parts = merge is not None and merge.enable and merge.k_steps > 1 and self._mode == "train"  # each part has a loss
        logs = {"loss": found[0][-1, ...] if parts else found[0]}
        whole = [unshard_dtensor(label) for label in labels]
        for metric in self._metrics:
            metric.update(*flat([metric.compute(*(to_tensor(out) for out in found[1:]), *whole)]))
            names = metric.name()
            logs.update(zip(names if isinstance(names, list) else [names], flat([metric.accumulate()])))
        return {**logs, "fetches": recording.fetches}

    def fit(
        self, train_data: Any, train_sample_split: int | None = None, batch_size: int = 1, epochs: int = 1,
        steps_per_epoch: int | None = None, log_freq: int = 10, save_dir: str | None = None, save_freq: int = 1, valid_data: Any = None,
        valid_sample_split: int | None = None, valid_freq: int = 1, valid_steps: int | None = None,
        collate_fn: Callable[..., Any] | None = None, callbacks: Any = None, verbose: int = 2, nvprof_range: Sequence[int] = [-1, -1],
    ) -> History:  # fmt: skip
        """Train.

        Args:
            train_data (Dataset): the samples.
            train_sample_split (int): how many of a sample's parts are inputs; None: one, and one is the label.
            batch_size (int): of all processes together.
            epochs (int): passes over the data.
            steps_per_epoch (int): batches of each; None: all.
            log_freq (int): how often it prints; `verbose` 0: never.
            save_dir (str): a folder for what `save` writes, after every `save_freq` passes and in the end.
            valid_data (Dataset): evaluated after every `valid_freq` passes.
            valid_sample_split, valid_steps: of it.
            collate_fn, callbacks: as `paddle.Model.fit` takes them.
            nvprof_range: of no effect.
        Returns:
            History: `history` is the dict of what each pass ended with.
        Raises:
            TypeError: there is no model, loss or optimizer.
        """
        history = History()
        own = [*flat([callbacks or []]), history]
        calls = self._callbacks(own, "train", train_data, epochs, steps_per_epoch, log_freq, verbose, batch_size)
        calls.on_begin("train")
        for epoch in range(epochs):
            calls.on_epoch_begin(epoch)
            logs = self._pass("train", train_data, train_sample_split, batch_size, steps_per_epoch, collate_fn, calls, epoch)[0]
            if valid_data is not None and (epoch + 1) % valid_freq == 0:
                found = self.evaluate(valid_data, valid_sample_split, batch_size, valid_steps, log_freq, collate_fn, callbacks, verbose)
                logs.update({f"val_{name}": value for name, value in found.items()})
            calls.on_epoch_end(epoch, logs)
            if save_dir and (epoch + 1) % save_freq == 0:
                self.save(os.path.join(save_dir, f"epoch{epoch}"))
        calls.on_end("train", logs if epochs else {})
        if save_dir:
            self.save(os.path.join(save_dir, "final"))
        return history

    def evaluate(
        self, valid_data: Any, valid_sample_split: int | None = None, batch_size: int = 1, steps: int | None = None, log_freq: int = 10,
        collate_fn: Callable[..., Any] | None = None, callbacks: Any = None, verbose: int = 2,
    ) -> dict[str, Any]:  # fmt: skip
        """Compute loss and metrics.

        Args:
            valid_data (Dataset): the samples.
            valid_sample_split, batch_size, log_freq, collate_fn, callbacks, verbose: as `fit` takes them.
            steps (int): how many batches; None: all.
        Returns:
            dict: "step", how many batches there were; "loss", of the last one; the metrics by their names.
        Raises:
            TypeError: there is no model, or no loss.
        """
        calls = self._callbacks(callbacks, "eval", valid_data, 1, steps, log_freq, verbose, batch_size)
        return self._alone("eval", valid_data, valid_sample_split, batch_size, steps, collate_fn, calls)[0]

    def predict(
        self, test_data: Any, test_sample_split: int | None = None, batch_size: int = 1, steps: int | None = None,
        collate_fn: Callable[..., Any] | None = None, callbacks: Any = None, verbose: int = 2,
    ) -> list[list[np.ndarray[Any, Any]]]:  # fmt: skip
        """Compute the outputs.

        Args:
            test_data (Dataset): the samples.
            batch_size, collate_fn, callbacks, verbose: as `fit` takes them.
            test_sample_split (int): how many of a sample's parts are inputs; None: one.
            steps (int): how many batches; None: all.
        Returns:
            list: for each batch its outputs, whole in every process.
        Raises:
            TypeError: there is no model.
        """
        calls = self._callbacks(callbacks, "predict", test_data, 1, steps, 10, verbose, batch_size)
        return self._alone("predict", test_data, test_sample_split, batch_size, steps, collate_fn, calls)[1]

    def _alone(self, mode: str, data: Any, split: Any, size: int, steps: Any, collate: Any, calls: Any) -> tuple[dict[str, Any], list[Any]]:
        """A pass that is not one of training."""
        names = {} if mode == "predict" else {"metrics": ["loss", *self._names()]}
        calls.on_begin(mode, {"steps": _count(data, size, steps), **names})
        logs, outputs = self._pass(mode, data, split, size, steps, collate, calls)
        calls.on_end(mode, logs)
        return logs, outputs

    def _pass(
        self, mode: str, data: Any, split: Any, size: int, steps: Any, collate: Any, calls: Any, epoch: int | None = None
    ) -> tuple[dict[str, Any], list[Any]]:
        """What the last batch of a pass gave, and the outputs of all."""
        former = self._mode
        loader = self.dataloader(data, size, collate_fn=collate, mode=mode)
        for metric in self._metrics:
            metric.reset()
        logs: dict[str, Any] = {"step": 0}
        outputs = []
        for step, batch in enumerate(loader):
            if step == steps:
                break
            self._split = split
            calls.on_batch_begin(mode, step, logs if step else {})
            about = {"epoch": epoch, "lr": self._optimizer.get_lr()} if mode == "train" and self._optimizer is not None else {}
            found = self.run(batch)
            outputs.append(list(found.get("outputs", {}).values()))
            logs = {"step": step + 1, **about, **found}
            calls.on_batch_end(mode, step, logs)
        self._mode = former if mode == "eval" and former == "train" else mode
        return logs, outputs

    def _names(self) -> list[str]:
        return [name for metric in self._metrics for name in flat([metric.name()])]

    def _callbacks(self, given: Any, mode: str, data: Any, epochs: int, steps: Any, log_freq: int, verbose: int, size: int) -> Any:
        names = ["loss", *self._names(), *(["lr"] if mode == "train" else [])]
        return config_callbacks(given, self, size, epochs, _count(data, size, steps), log_freq, verbose, metrics=names, mode=mode)

    # ---- files
    def save(self, path: str, training: bool = True) -> None:
        """Write the model's values, and the optimizer's states, to `PATH_distRANK.pdparams` and `.pdopt`; all processes call it.

        Args:
            path (str): how the files' names begin.
            training (bool): False writes what `predict` runs, `.pdmodel` and `.pdiparams`, which has the whole model in each process.
        Raises:
            AssertionError: training is False, and the present mode is not "predict".
        """
        path = f"{os.fspath(path)}_dist{_groups.job_rank()}"
        if not training:
            if self._mode != "predict":
                raise failed_assertion("training", 'True outside of mode "predict"', False, "paddle.distributed.auto_parallel.Engine.save")
            write_program(path, self._models["predict"])
            return
        save(self._model.state_dict(), f"{path}.pdparams")
        if "train" in self._models:
            save(self._models["train"].state_dict("opt"), f"{path}.pdopt")

    def load(self, path: str, strict: bool = True, load_optimizer: bool = True) -> tuple[dict[str, Any], dict[str, Any]]:
        """Read what `save` has written, in as many processes or another number.

        Args:
            path (str): how the files' names begin.
            strict (bool): of no effect: what the model lacks is left out.
            load_optimizer (bool): the optimizer's states, too; a mode "train" has to be prepared.
        Returns:
            tuple: the model's values by name, and the optimizer's states.
        Raises:
            FileNotFoundError: there is no such file.
        """
        own = f"{os.fspath(path)}_dist{_groups.job_rank()}"
        path = own if os.path.exists(f"{own}.pdparams") else f"{os.fspath(path)}_dist0"
        if not os.path.exists(f"{path}.pdparams"):
            raise FileNotFoundError(str(NotFoundError(f"There is no file {path}.pdparams. Expected what Engine.save has written.")))
        values = load(f"{path}.pdparams")
        self._model.set_state_dict(values)
        states: dict[str, Any] = {}
        if load_optimizer and "train" in self._models and os.path.exists(f"{path}.pdopt"):
            states = load(f"{path}.pdopt")
            mesh = self._laid()[0]
            known = self._models["train"].state_dict("opt")
            held = {name: shard_tensor(to_tensor(value), mesh, []) for name, value in states.items() if name in known}
            self._models["train"].set_state_dict(held)
        return values, states

    # ---- Programs
    def get_dist_main_program(self, mode: str) -> Program:
        """This process's Program of a mode, as `DistModel.dist_main_program` gives it.

        Args:
            mode (str): one that has run or was prepared.
        Returns:
            Program.
        Raises:
            KeyError: it has not.
        """
        return self._models[mode].dist_main_program()

    def get_dist_startup_program(self, mode: str) -> Program:
        """This process's startup Program of a mode, as `DistModel.dist_startup_program` gives it.

        Args:
            mode (str): one that has run or was prepared.
        Returns:
            Program.
        Raises:
            KeyError: it has not.
        """
        return self._models[mode].dist_startup_program()

    def get_serial_main_program(self, mode: str) -> Program:
        """The whole model's Program of a mode, as `DistModel.serial_main_program` gives it.

        Args:
            mode (str): one that has run or was prepared.
        Returns:
            Program.
        Raises:
            KeyError: it has not.
        """
        return self._models[mode].serial_main_program()

    def get_serial_startup_program(self, mode: str) -> Program:
        """The whole model's startup Program of a mode, as `DistModel.serial_startup_program` gives it.

        Args:
            mode (str): one that has run or was prepared.
        Returns:
            Program.
        Raises:
            KeyError: it has not.
        """
        return self._models[mode].serial_startup_program()

    def _present(self) -> DistModel:
        return self._models[self._mode]  # type: ignore[index]  # None is a key that is not there

    @property
    def main_program(self) -> Program:
        """This process's Program of the present mode; a KeyError before it has run or was prepared, as of the three below."""
        return self._present().dist_main_program()

    @property
    def startup_program(self) -> Program:
        """This process's startup Program of the present mode."""
        return self._present().dist_startup_program()

    @property
    def serial_main_program(self) -> Program:
        """The whole model's Program of the present mode."""
        return self._present().serial_main_program()

    @property
    def serial_startup_program(self) -> Program:
        """The whole model's startup Program of the present mode."""
        return self._present().serial_startup_program()

    @property
    def optimizer(self) -> Optimizer | None:
        """The optimizer that was given."""
        return self._optimizer

    if not TYPE_CHECKING:
        __getattr__ = missing_member("paddle.distributed.auto_parallel.Engine")


__all__ = ["Engine"]
__getattr__ = missing(__name__)
