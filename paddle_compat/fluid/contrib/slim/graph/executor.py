"""`paddle.fluid.contrib.slim.graph.executor`: running graphs."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.place import Place
from paddle_compat.core.scope import Scope
from paddle_compat.fluid.contrib.slim.graph.graph_wrapper import GraphWrapper
from paddle_compat.fluid.data_feeder import DataFeeder
from paddle_compat.fluid.executor import Executor


class SlimGraphExecutor:
    """Runs graphs: their inputs are fed, and their outputs fetched.

    Args:
        place (Place): the device.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.contrib.slim.graph import GraphWrapper, SlimGraphExecutor
        >>> with fluid.program_guard(fluid.Program()):
        ...     double = fluid.data("x", [None, 2]) * 2
        ...     graph = GraphWrapper(fluid.default_main_program(), [("x", "x")], [("double", double.name)])
        >>> SlimGraphExecutor(fluid.CPUPlace()).run(graph, fluid.global_scope(), data=[([1.0, 2.0],)])[0].tolist()
        [[2.0, 4.0]]

    Follows Paddle 1.8.
    """

    def __init__(self, place: Place) -> None:
        self.exe, self.place = Executor(place), place

    def run(self, graph: GraphWrapper, scope: Scope | None, data: Any = None) -> list[Any]:
        """Run a graph, as it was compiled where it was.

        Args:
            graph (GraphWrapper): what to run.
            scope (Scope): where its values are.
            data (list): samples, each with a value for every input in their order; None: the graph reads its data itself.
        Returns:
            list of numpy.ndarray: the outputs, in their order.
        Raises:
            AssertionError: what to run is no graph.
        """
        if not isinstance(graph, GraphWrapper):
            raise failed_assertion("graph", "a GraphWrapper", graph, "SlimGraphExecutor.run")
        feed = None
        if data is not None:
            feed = DataFeeder(list(graph.in_nodes.values()), self.place, graph.program).feed(data)
        program = graph.program if graph.compiled_graph is None else graph.compiled_graph
        fetched: list[Any] = self.exe.run(program, feed=feed, fetch_list=list(graph.out_nodes.values()), scope=scope)
        return fetched


__all__ = ["SlimGraphExecutor"]

__getattr__ = missing(__name__)
