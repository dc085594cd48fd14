"""The state of a compression, which strategies see and change."""

from __future__ import annotations

import logging
import os
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from paddle_compat.base._loader_base import DataLoaderBase
from paddle_compat.base.log_helper import get_logger
from paddle_compat.core.errors import EOFException, failed_assertion
from paddle_compat.core.pickles import load_pickle
from paddle_compat.fluid.contrib.slim.graph.executor import SlimGraphExecutor
from paddle_compat.fluid.contrib.slim.graph.graph_wrapper import GraphWrapper

logger = get_logger("paddle.fluid.contrib.slim.core.compressor", logging.INFO, fmt="%(asctime)s-%(levelname)s: %(message)s")
_PERIOD = 20  # batches of an evaluation between two lines of the log


def cached_reader(reader: Callable[[], Any], sampled_rate: float, cache_path: str, cached_id: int) -> Callable[[], Iterator[Any]]:
    """A reader of some of the batches, the same ones each time: they are kept in files.

    Args:
        reader (callable): gives an iterator over all batches.
        sampled_rate (float): the share of them to keep; the first one always is.
        cache_path (str): a folder.
        cached_id (int): the name of a folder in it; batches that are there already are used.
    Returns:
        callable: gives an iterator over the batches that were kept.

    Example:
        >>> import tempfile
        >>> from paddle_compat.fluid.contrib.slim.core.compressor import cached_reader
        >>> some = cached_reader(lambda: iter([[1], [2], [3]]), 1.0, tempfile.mkdtemp(), 0)
        >>> list(some()), list(some())
        ([[1], [2], [3]], [[1], [2], [3]])

    Follows Paddle 1.8.
    """
    folder = os.path.join(cache_path, str(cached_id))
    names = os.path.join(folder, "list")

    def cached() -> Iterator[Any]:
        if os.path.exists(names):
            with open(names) as lines:
                for line in lines:
                    yield np.load(os.path.join(folder, line.strip()), allow_pickle=True).tolist()
            return
        os.makedirs(folder, exist_ok=True)
        kept = 0
        with open(names, "w") as lines:
            for batch in reader():
                if kept == 0 or np.random.uniform() < sampled_rate:
                    name = f"batch{kept}.npy"
                    whole = np.empty(len(batch), object)
                    whole[:] = batch
                    np.save(os.path.join(folder, name), whole)
                    lines.write(f"{name}\n")
                    kept += 1
                    yield batch

    return cached


def runs(graph: GraphWrapper, executor: SlimGraphExecutor, reader: Any, scope: Any) -> Iterator[Callable[[], list[Any]]]:
    """For each batch of a reader what runs a graph with it, until the data are at their end."""
    if isinstance(reader, DataLoaderBase) and not reader.iterable:  # type: ignore[attr-defined]
        loader: Any = reader
        loader.start()
        ended = False

        def run() -> list[Any]:
            nonlocal ended
            try:
                return executor.run(graph, scope)
            except EOFException:
                ended = True
                loader.reset()
                return []

        while not ended:
            yield run
        return
    for data in reader():
        yield lambda data=data: executor.run(graph, scope, data=data)  # type: ignore[misc]


class Context:
    """The state of a compression: its graphs, the epoch, and what evaluations gave.

    Args:
        place (Place): the device.
        scope (Scope): where the values are.
        train_graph, eval_graph (GraphWrapper): what is trained, and what is evaluated.
        train_reader, eval_reader (callable): give iterators over batches.
        teacher_graphs (list): graphs to learn from.
        train_optimizer, distiller_optimizer (Optimizer): how to train, and how while learning from others.
        search_space (SearchSpace): the networks that a search may try.

    Example:
        >>> import os, tempfile
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.contrib.slim.core import Context
        >>> context = Context(fluid.CPUPlace(), fluid.Scope())
        >>> context.eval_results["acc"] = [0.5, 0.5004]
        >>> context.eval_converged("acc"), context.put("note", 3), context.get("note"), context.get("other")
        (True, None, 3, None)
        >>> name = os.path.join(tempfile.mkdtemp(), "context")
        >>> context.to_file(name); context.from_file(name)
        >>> context.epoch_id, context.eval_results
        (0, {'acc': [0.5, 0.5004]})

    Follows Paddle 1.8.
    """

    def __init__(
        self,
        place: Any,
        scope: Any,
        train_graph: GraphWrapper | None = None,
        train_reader: Any = None,
        eval_graph: GraphWrapper | None = None,
        eval_reader: Any = None,
        teacher_graphs: list[GraphWrapper] | None = None,
        train_optimizer: Any = None,
        distiller_optimizer: Any = None,
        search_space: Any = None,
    ) -> None:
        self.place, self.scope = place, scope
        self.train_graph, self.train_reader = train_graph, train_reader
        self.eval_graph, self.eval_reader = eval_graph, eval_reader
        self.teacher_graphs, self.search_space = teacher_graphs, search_space
        self.train_optimizer, self.distiller_optimizer = train_optimizer, distiller_optimizer
        self.optimize_graph: GraphWrapper | None = None
        self.executor: SlimGraphExecutor | None = None
        self.epoch = self.epoch_id = self.batch_id = 0
        self.k_v: dict[str, Any] = {}
        self.eval_results: dict[str, list[Any]] = {}
        self.skip_training = False
        self.cache_path = "./eval_cache"

    def to_file(self, file_name: str) -> None:
        """Write the epoch and the results of evaluations to a file.

        Args:
            file_name (str): its name.
        """
        with open(file_name, "wb") as file:
            pickle.dump({"epoch_id": self.epoch_id, "eval_results": self.eval_results}, file)

    def from_file(self, file_name: str) -> None:
        """Read the epoch and the results of evaluations from a file.

        Args:
            file_name (str): its name.
        Raises:
            UnreadableFileError: the file is no such file.
        """
        kept = load_pickle(file_name)
        self.epoch_id, self.eval_results = kept["epoch_id"], kept["eval_results"]

    def eval_converged(self, metric_name: str, delta: float = 0.001) -> bool:
        """Whether the last two evaluations gave nearly the same.

        Args:
            metric_name (str): what was evaluated.
            delta (float): the relative difference that is none.
        Returns:
            bool; False where there are fewer than two.
        Raises:
            ZeroDivisionError: the former result is 0.
        """
        results = self.eval_results.get(metric_name, [])
        if len(results) < 2:
            return False
        before, last = results[-2:]
        logger.info("Latest evaluations: %s", results[-2:])
        return bool(abs(last - before) / before < delta)

    def run_eval_graph(self, sampled_rate: float | None = None, cached_id: int = 0) -> tuple[Any, Any]:
        """Evaluate the graph for evaluations: the means over batches of what it fetches.

        Args:
            sampled_rate (float): the share of the batches to use, as `cached_reader` keeps them; None: all.
            cached_id (int): the name of the folder that they are kept in.
        Returns:
            tuple: the values, and their names.
        Raises:
            AssertionError: there is no graph to evaluate, or nothing that gives its data.

        Example:
            >>> import paddle_compat.fluid as fluid
            >>> from paddle_compat.fluid.contrib.slim.core import Context
            >>> from paddle_compat.fluid.contrib.slim.graph import GraphWrapper
            >>> with fluid.program_guard(fluid.Program()):
            ...     mean = fluid.layers.mean(fluid.data("x", [None, 2]))
            ...     graph = GraphWrapper(fluid.default_main_program(), [("x", "x")], [("mean", mean.name)])
            >>> context = Context(fluid.CPUPlace(), fluid.Scope(), eval_graph=graph, eval_reader=lambda: iter([[([1.0, 2.0],)]]))
            >>> values, names = context.run_eval_graph()
            >>> values.tolist(), list(names)
            ([1.5], ['mean'])
        """
        logger.info("Running evaluation")
        if self.eval_graph is None or self.eval_reader is None:
            raise failed_assertion("eval_graph and eval_reader", "a graph and a reader", None, "run_eval_graph")
        graph = self.eval_graph.clone(for_test=True)
        reader = self.eval_reader if sampled_rate is None else cached_reader(self.eval_reader, sampled_rate, self.cache_path, cached_id)
        results = []
        names = list(self.eval_graph.out_nodes)
        for number, run in enumerate(runs(graph, SlimGraphExecutor(self.place), reader, self.scope)):
            fetched = run()
            if fetched:
                values = [np.mean(value) for value in fetched]
                if number % _PERIOD == 0:
                    logger.info("batch-%s; %s=%s", number, names, values)
                results.append(values)
        means = np.mean(np.array(results), axis=0)
        logger.info("Final eval result: %s=%s", names, means)
        logger.info("Finish evaluation")
        return means, self.eval_graph.out_nodes.keys()

    def put(self, key: str, value: Any) -> None:
        """Keep something for later.

        Args:
            key (str): its name.
            value: what to keep.
        """
        self.k_v[key] = value

    def get(self, key: str) -> Any:
        """What was kept.

        Args:
            key (str): its name.
        Returns:
            what was kept; None where nothing was.
        """
        return self.k_v.get(key)
