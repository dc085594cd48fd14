"""`paddle.fluid.contrib.slim.core.compressor`: trains a Program while strategies change it."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.place import CPUPlace
from paddle_compat.core.scope import global_scope
from paddle_compat.core.scope import scope_guard as _in_scope
from paddle_compat.fluid.contrib.slim.core._context import Context, cached_reader, logger, runs
from paddle_compat.fluid.contrib.slim.core.config import ConfigFactory
from paddle_compat.fluid.contrib.slim.core.strategy import Strategy
from paddle_compat.fluid.contrib.slim.graph.executor import SlimGraphExecutor
from paddle_compat.fluid.contrib.slim.graph.graph_wrapper import GraphWrapper

_Nodes = Sequence[tuple[str, str]] | Mapping[str, str] | None


class Compressor:
    """Trains a Program while strategies change it: they leave out channels, have it learn from others, or compute with few bits.

    Args:
        place (Place): the device; None: the CPU.
        scope (Scope): where the values are.
        train_program (Program): what is trained, as it computes the loss; it has to train by itself where there is no `train_optimizer`.
        train_reader (callable): gives an iterator over batches, lists of samples; or a DataLoader.
        train_feed_list, train_fetch_list (list): pairs of a name of one's own and a variable's: what is fed, in the order of the samples'
            values, and what is fetched; `loss` is what is trained.
        eval_program, eval_reader, eval_feed_list, eval_fetch_list: the same for evaluations.
        eval_func (dict): name -> what evaluates, called with the Program and the Scope, instead of fetching from `eval_program`.
        save_eval_model (bool): whether checkpoints hold an inference model.
        prune_infer_model (list): the names of the variables that are fed and of those that are fetched in another model of each checkpoint.
        teacher_programs (list): Programs to learn from, whose values are in the scope.
        checkpoint_path (str): the folder for a checkpoint of each epoch; a training that finds one there goes on from it. Strategies
            in it are read as pickles, so only your own folder.
        train_optimizer (Optimizer): how to train.
        distiller_optimizer (Optimizer): how to train while learning from others.
        search_space (SearchSpace): the networks that a search may try.
        log_period (int): the number of batches from one line in the log to the next one.

    Example:
        >>> import numpy as np, os, tempfile
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.contrib.slim.core import Compressor
        >>> main, startup = fluid.Program(), fluid.Program()
        >>> with fluid.program_guard(main, startup):
        ...     x, y = fluid.layers.data("x", [4]), fluid.layers.data("y", [1])
        ...     loss = fluid.layers.mean(fluid.layers.square_error_cost(fluid.layers.fc(x, 1), y))
        >>> scope = fluid.Scope()
        >>> fluid.Executor(fluid.CPUPlace()).run(startup, scope=scope)
        []
        >>> batches = lambda: iter([[(np.ones(4, "float32"), np.ones(1, "float32"))] * 8] * 2)
        >>> nodes = {"x": "x", "y": "y"}
        >>> compressor = Compressor(
        ...     fluid.CPUPlace(), scope, main, batches, nodes, {"loss": loss.name}, eval_program=main.clone(), eval_reader=batches,
        ...     eval_feed_list=nodes, eval_fetch_list={"cost": loss.name}, train_optimizer=fluid.optimizer.SGD(0.1))
        >>> name = os.path.join(tempfile.mkdtemp(), "compress.yaml")
        >>> with open(name, "w") as file:
        ...     _ = file.write("version: 1.0\\ncompressor: {epoch: 2}\\n")
        >>> compressor.config(name)
        >>> compressor.run().numel_params()
        5

    Follows Paddle 1.8.
    """

    def __init__(
        self,
        place: Any,
        scope: Any,
        train_program: Any,
        train_reader: Any = None,
        train_feed_list: _Nodes = None,
        train_fetch_list: _Nodes = None,
        eval_program: Any = None,
        eval_reader: Any = None,
        eval_feed_list: _Nodes = None,
        eval_fetch_list: _Nodes = None,
        eval_func: Mapping[str, Callable[[Any, Any], Any]] | None = None,
        save_eval_model: bool = True,
        prune_infer_model: Any = None,
        teacher_programs: Sequence[Any] = [],
        checkpoint_path: str | None = None,
        train_optimizer: Any = None,
        distiller_optimizer: Any = None,
        search_space: Any = None,
        log_period: int = 20,
    ) -> None:
        for name, nodes in (("train_feed_list", train_feed_list), ("train_fetch_list", train_fetch_list),
                            ("eval_feed_list", eval_feed_list), ("eval_fetch_list", eval_fetch_list)):  # fmt: skip
            if nodes is not None and not isinstance(nodes, (list, tuple, Mapping)):
                raise failed_assertion(name, "a list of pairs of names", nodes, "Compressor")
        self.place = CPUPlace() if place is None else place
        self.scope = global_scope() if scope is None else scope
        self.train_graph = GraphWrapper(train_program, train_feed_list or [], train_fetch_list or [])
        self.eval_graph = GraphWrapper(eval_program, eval_feed_list or [], eval_fetch_list or [])
        self.train_reader, self.eval_reader, self.eval_func = train_reader, eval_reader, eval_func
        self.save_eval_model, self.prune_infer_model = save_eval_model, prune_infer_model
        self.teacher_graphs = [GraphWrapper(teacher) for teacher in teacher_programs]
        self.checkpoint: str | None = None
        self.checkpoint_path = checkpoint_path
        self.eval_epoch = 1
        self.train_optimizer, self.distiller_optimizer = train_optimizer, distiller_optimizer
        for optimizer, name in ((train_optimizer, "train_opt"), (distiller_optimizer, "distiller_opt")):
            if optimizer is not None:
                optimizer._name = name  # so that what it keeps has the same names when a training goes on from a checkpoint
        self.init_model: str | None = None
        self.search_space, self.log_period = search_space, log_period
        if log_period <= 0:
            raise failed_assertion("log_period", "a positive number", log_period, "Compressor")
        self.strategies: list[Strategy] = []
        self.epoch = 0

    def config(self, config_file: str) -> None:
        """Take over what a file says: the strategies, and the settings `epoch`, `init_model`, `checkpoint_path` and `eval_epoch`.

        Args:
            config_file (str): the file's name.
        """
        said = ConfigFactory(config_file).compressor
        self.epoch = said["epoch"]
        for strategy in said["strategies"]:
            self.strategies.append(strategy)
            self.epoch = max(self.epoch, strategy.end_epoch)
        for name in ("init_model", "checkpoint_path", "eval_epoch"):
            if name in said:
                setattr(self, name, said[name])

    def run(self) -> GraphWrapper | None:
        """Train. What fails within an epoch goes to the log, and the next one begins, as in Paddle 1.8.

        Returns:
            GraphWrapper: what is evaluated, as the strategies changed it.
        """
        context = Context(
            self.place, self.scope, self.train_graph, self.train_reader, self.eval_graph, self.eval_reader, self.teacher_graphs,
            self.train_optimizer, self.distiller_optimizer, self.search_space,
        )  # fmt: skip
        if self.teacher_graphs:
            context.put("teachers", self.teacher_graphs)
        self._load_init_model(context)
        if self.train_optimizer is None:
            context.optimize_graph = context.train_graph
        else:
            assert context.train_graph is not None
            context.optimize_graph = context.train_graph.get_optimize_graph(self.train_optimizer, self.place, self.scope)
        self._load_checkpoint(context)
        self._tell("on_compression_begin", context)
        for epoch in range(context.epoch_id, self.epoch):
            context.epoch_id = epoch
            try:
                self._tell("on_epoch_begin", context)
                self._train_epoch(context)
                if self.eval_epoch > 0 and epoch % self.eval_epoch == 0:
                    self._evaluate(context)
                self._save_checkpoint(context)
                self._tell("on_epoch_end", context)
            except Exception:
                logger.exception("Epoch %s failed", epoch)
        self._tell("on_compression_end", context)
        return context.eval_graph

    def _tell(self, when: str, context: Context) -> None:
        for strategy in self.strategies:
            getattr(strategy, when)(context)

    def _train_epoch(self, context: Context) -> None:
        if context.skip_training:
            return
        graph = context.optimize_graph
        assert graph is not None
        if graph.compiled_graph is None:
            graph.compile()
        executor = SlimGraphExecutor(self.place)
        names = list(graph.out_nodes)
        for run in runs(graph, executor, context.train_reader, context.scope):
            self._tell("on_batch_begin", context)
            fetched = run()
            if not fetched:
                break
            if context.batch_id % self.log_period == 0:
                values = [round(float(np.mean(value)), 6) for value in fetched]
                logger.info("epoch:%s; batch_id:%s; %s = %s", context.epoch_id, context.batch_id, names, values)
            self._tell("on_batch_end", context)
            context.batch_id += 1
        context.batch_id = 0

    def _evaluate(self, context: Context) -> None:
        if self.eval_func is None:
            values, names = context.run_eval_graph()
            found = dict(zip(names, values))
        else:
            assert context.eval_graph is not None
            found = {name: evaluate(context.eval_graph.program, self.scope) for name, evaluate in self.eval_func.items()}
        for name, value in found.items():
            context.eval_results.setdefault(name, []).append(value)

    def _load_init_model(self, context: Context) -> None:
        if not self.init_model or not os.path.exists(self.init_model):
            return
        train, evaluated = context.train_graph, context.eval_graph
        assert train is not None and evaluated is not None
        before = evaluated.flops(only_conv=True), evaluated.flops()
        with _in_scope(self.scope):
            train.load_persistables(self.init_model, SlimGraphExecutor(self.place))
        for graph in (train, evaluated):
            _fit(graph, self.scope)
        after = evaluated.flops(only_conv=True), evaluated.flops()
        for what, (old, new) in zip(("conv", "total"), zip(before, after)):
            logger.info("%s flops: -%s", what, 1 - new / old if old else 0.0)
        logger.info("Init model from: %s", self.init_model)

    def _load_checkpoint(self, context: Context) -> None:
        if not self.checkpoint_path:
            return
        if not os.path.exists(self.checkpoint_path):
            logger.warning("Checkpoint path doesn't exist: [%s]", self.checkpoint_path)
            return
        epochs = [name for name in os.listdir(self.checkpoint_path) if name.isdigit()]
        logger.info("checkpoints: %s", epochs)
        if not epochs:
            return
        folder = os.path.join(self.checkpoint_path, max(epochs, key=int))
        with open(os.path.join(folder, "strategies"), "rb") as file:
            kept = pickle.load(file)
        if len(kept) != len(self.strategies):
            raise failed_assertion("strategies", f"{len(kept)}, as in the checkpoint {folder}", len(self.strategies), "Compressor")
        for strategy, former in zip(self.strategies, kept):
            strategy.__dict__.update(former.__dict__)
        context.from_file(os.path.join(folder, "context"))
        context.epoch_id += 1
        self._tell("restore_from_checkpoint", context)
        with _in_scope(self.scope):
            for graph in (context.optimize_graph, context.eval_graph):
                assert graph is not None
                graph.load_persistables(os.path.join(folder, "model"), SlimGraphExecutor(self.place))
                _fit(graph, self.scope)
        logger.info("Loaded params from: %s", os.path.join(folder, "model"))

    def _save_checkpoint(self, context: Context) -> None:
        if not self.checkpoint_path:
            return
        folder = os.path.join(self.checkpoint_path, str(context.epoch_id))
        os.makedirs(folder, exist_ok=True)
        executor = SlimGraphExecutor(self.place)
        assert context.optimize_graph is not None and context.eval_graph is not None
        with _in_scope(self.scope):
            context.optimize_graph.save_persistables(os.path.join(folder, "model"), executor)
            if self.save_eval_model:
                context.eval_graph.save_model(os.path.join(folder, "eval_model"), executor)
            if self.prune_infer_model:
                context.eval_graph.save_infer_model(
                    os.path.join(folder, "eval_model"), executor, self.prune_infer_model, program_only=self.save_eval_model
                )
        context.to_file(os.path.join(folder, "context"))
        with open(os.path.join(folder, "strategies"), "wb") as file:
            pickle.dump(self.strategies, file)
        logger.info("Saved checkpoint to: %s", folder)


def _fit(graph: GraphWrapper, scope: Any) -> None:
    """Declare the shapes that values have, of parameters and of what is computed from them."""
    graph.update_param_shape(scope)
    graph.update_groups_of_conv()
    graph.infer_shape()


__all__ = ["Compressor", "Context", "cached_reader"]

__getattr__ = missing(__name__)
