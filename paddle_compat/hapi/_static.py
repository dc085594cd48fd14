"""How a `Model` runs a batch in static mode: a Program each for training, evaluation and prediction."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from paddle_compat.core.dtype import dtype_name
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.job import job
from paddle_compat.core.lod import to_numpy
from paddle_compat.core.pickles import load_pickle, save_pickle
from paddle_compat.core.program import default_main_program, default_startup_program, program_guard
from paddle_compat.core.scope import global_scope
from paddle_compat.core.tensor import Tensor
from paddle_compat.hapi._dynamic import as_list, rows_of, total
from paddle_compat.hapi._parallel import Counted, gathered, minimizer, trimmed
from paddle_compat.static._files import is_belong_to_optimizer, put_array, scope_value
from paddle_compat.static.input import data

_LISTS = ("custom_white_list", "custom_black_list", "custom_black_varnames")


class _Built:
    """A Program with the names that it is fed and the variables that are fetched."""

    def __init__(self, program: Any, feeds: list[str], losses: list[Any], metrics: list[list[Any]], outputs: list[Any]) -> None:
        self.program, self.feeds, self.losses, self.metrics, self.outputs = program, feeds, losses, metrics, outputs


class Static:
    """Records the network once for each purpose, and runs that."""

    def __init__(self, model: Any) -> None:
        self.model = model
        self._main, self._startup = default_main_program(), default_startup_program()
        self._built: dict[str, _Built] = {}
        self._executor: Any = None
        self._half: Any = None  # the optimizer that minimizes in mixed precision
        self.counted = Counted()

    def prepare(self, amp: dict[str, Any]) -> None:
        """Record the Programs, and give their variables values where they have none."""
        from paddle_compat.static.executor import Executor

        self._built = {}
        self._half = self._decorated(amp) if amp.get("level", "O0") != "O0" and self.model._optimizer is not None else None
        self._executor = Executor()
        for mode in ("train", "eval", "test"):
            if mode == "test" or self.model._loss is not None or self.model._metrics:
                self._record(mode)
        self._initialize()
        if self._half is not None and "train" in self._built:
            tests = [built.program for mode, built in self._built.items() if mode != "train"]
            for program in tests or [None]:
                self._half.amp_init(None, test_program=program)

    def _decorated(self, amp: dict[str, Any]) -> Any:
        """The optimizer as `paddle.static.amp` minimizes with it."""
        from paddle_compat.static.amp import AutoMixedPrecisionLists, decorate

        scaler = {key: value for key, value in amp.items() if key not in ("level", "use_fp16_guard", *_LISTS)}
        lists = AutoMixedPrecisionLists(**{key: amp.get(key) for key in _LISTS})
        pure = amp["level"] == "O2"
        return decorate(self.model._optimizer, lists, use_pure_fp16=pure, use_fp16_guard=amp.get("use_fp16_guard"), **scaler)

    def _record(self, mode: str) -> None:
        model = self.model
        training = mode == "train" and model._optimizer is not None
        if mode == "train" and not training:
            return
        program = self._main.clone()
        with program_guard(program, self._startup):
            (model.network.train if training else model.network.eval)()
            inputs = [data(spec.name or f"input_{i}", list(spec.shape), dtype_name(spec.dtype)) for i, spec in enumerate(model._inputs)]
            outputs = as_list(model.network.forward(*inputs))
            losses: list[Any] = []
            metrics: list[list[Any]] = []
            labels: list[Any] = []
            if mode != "test":
                specs = model._labels or []
                labels = [data(spec.name or f"label_{i}", list(spec.shape), dtype_name(spec.dtype)) for i, spec in enumerate(specs)]
                losses = as_list(model._loss(*(outputs + labels))) if model._loss else []
                judged = outputs + labels if training else gathered(outputs + labels)
                metrics = [as_list(metric.compute(*judged)) for metric in model._metrics]
            if training:
                minimizer(self._half or model._optimizer).minimize(total(losses))
        self._built[mode] = _Built(program, [var.name for var in inputs + labels], losses, metrics, outputs)

    def _initialize(self) -> None:
        """Run the part of the startup program whose outputs have no value yet."""
        scope, start = global_scope(), self._startup.clone()
        block = start.global_block()

        def lacks(name: str) -> bool:
            found = scope.find_var(name)
            return found is None or found.tensor.value is None

        block.ops = [op for op in block.ops if any(lacks(name) for name in op.output_arg_names)]
        if block.ops:
            self._executor.run(start)

    def _run(self, mode: str, values: list[Any], fetched: list[Any]) -> list[np.ndarray]:
        built = self._built[mode]
        feed = {name: value.numpy() if isinstance(value, Tensor) else np.asarray(value) for name, value in zip(built.feeds, values)}
        found: list[np.ndarray] = self._executor.run(built.program, feed=feed, fetch_list=fetched)
        return found

    def _losses_and_metrics(self, mode: str, values: list[Any]) -> tuple[list[Any], list[Any]]:
        built = self._built[mode]
        flat = [part for parts in built.metrics for part in parts]
        fetched = iter(self._run(mode, values, built.losses + flat))
        losses = [next(fetched) for _ in built.losses]
        judged = [[next(fetched) for _ in parts] for parts in built.metrics]
        if mode == "eval" and job().size > 1:
            rows = self.counted.keep(rows_of(values[0]) * job().size)
            judged = [trimmed(parts, rows) for parts in judged]
        return losses, [metric.update(*parts) for metric, parts in zip(self.model._metrics, judged)]

    def train_batch(self, inputs: list[Any], labels: list[Any], update: bool) -> tuple[list[Any], list[Any]]:
        """One step; gives losses and metrics."""
        assert update, "Does not support `update == False` in static graph mode by now."
        return self._losses_and_metrics("train", inputs + labels)

    def eval_batch(self, inputs: list[Any], labels: list[Any]) -> tuple[list[Any], list[Any]]:
        """Forward; gives losses and metrics."""
        return self._losses_and_metrics("eval", inputs + labels)

    def predict_batch(self, inputs: list[Any]) -> list[Any]:
        """Forward; gives the outputs as arrays."""
        return self._run("test", inputs, self._built["test"].outputs)

    def _state_of_optimizer(self) -> list[Any]:
        own = {value.name for value in self.model.network.state_dict().values()}
        program = self._built["train"].program if "train" in self._built else self._main
        return [var for var in program.list_vars() if is_belong_to_optimizer(var) and var.name not in own]

    def save(self, path: str) -> None:
        """Write the network's state and the optimizer's, in the layout of dynamic mode."""
        if not os.path.basename(path):
            raise failed_assertion("path", "a path of the format 'dirname/filename'", path, "paddle.Model.save")
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        state = {key: to_numpy(scope_value(value.name)._tensor()) for key, value in self.model.network.state_dict().items()}
        save_pickle(state, path + ".pdparams", 2)
        if self.model._optimizer is not None:
            optimizer = {var.name: to_numpy(scope_value(var.name)._tensor()) for var in self._state_of_optimizer()}
            if optimizer:
                save_pickle(optimizer, path + ".pdopt", 2)

    def load(self, values: list[tuple[Any, Any]], path: str | None) -> None:
        """Set parameters, and the optimizer's state from its file."""
        if self._executor is not None:
            self._initialize()
        for variable, value in values:
            put_array(variable, value)
        if path is not None and os.path.exists(path):
            state = load_pickle(path)
            for var in self._state_of_optimizer():
                if var.name in state:
                    put_array(var, state[var.name])

    def save_inference(self, path: str) -> None:
        """Write the Program that predicts."""
        from paddle_compat.static.io import save_inference_model

        built = self._built["test"]
        block = built.program.global_block()
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        feeds = [block.var(name) for name in built.feeds]
        save_inference_model(path, feeds, built.outputs, self._executor, program=built.program)
