"""The passes that a BuildStrategy stands for: a list that scripts look at and change. Of all of them one runs, which draws the graph."""

from __future__ import annotations

import re
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import AlreadyExistsError, InvalidArgumentError, PreconditionNotMetError, UnsupportedError, type_error
from paddle_compat.static._drawings import draw


class Pass:
    """A pass by name, with what was set on it, which is kept without effect.

    Args:
        kind (str): its name.

    Example:
        >>> import paddle_compat as paddle
        >>> builder = paddle.static.BuildStrategy()._finalize_strategy_and_create_passes()
        >>> viz = builder.append_pass("graph_viz_pass")
        >>> viz.set("graph_viz_path", "graph.dot")
        >>> viz.type(), viz.has("graph_viz_path")
        ('graph_viz_pass', True)

    Follows Paddle 1.8 and 2.6.
    """

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._attributes: dict[str, Any] = {}

    def type(self) -> str:
        """Its name.

        Returns:
            str.
        """
        return self._kind

    def has(self, name: str) -> bool:
        """Whether an attribute was set.

        Args:
            name (str): the attribute's name.
        Returns:
            bool.
        """
        return name in self._attributes

    def set(self, name: str, value: Any) -> None:
        """Set an attribute.

        Args:
            name (str): the attribute's name.
            value: text, an integer, or a set of texts.
        Raises:
            AlreadyExistsError: it was set before.
        """
        if name in self._attributes:
            raise AlreadyExistsError(f"Attribute {name} already set in the pass. Expected one that is not. Received: {name}")
        self._attributes[name] = value

    def set_not_owned(self, name: str, value: Any) -> None:
        """Set an attribute, as `set` does.

        Args:
            name (str): the attribute's name.
            value: its value.

        Example:
            >>> from paddle_compat.static.pass_builder import Pass
            >>> made = Pass("graph_viz_pass")
            >>> made.set_not_owned("graph_viz_path", "graph.dot"); made.has("graph_viz_path")
            True
        """
        self.set(name, value)

    def apply(self, graph: Any) -> None:
        """Draw a graph, where this is "graph_viz_pass".

        Args:
            graph (core.Graph): the graph.
        Raises:
            PreconditionNotMetError: "graph_viz_path" was not set.
            UnsupportedError: it is another pass.

        Example:
            >>> import os, tempfile
            >>> from paddle_compat.base.framework import core
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     draws = core.get_pass("graph_viz_pass")
            ...     draws.set("graph_viz_path", os.path.join(folder, "graph.dot"))
            ...     draws.apply(core.Graph(core.ProgramDesc()))
            ...     os.listdir(folder)
            ['graph.dot']
        """
        if self._kind != "graph_viz_pass":
            raise UnsupportedError(f"Pass({self._kind!r}).apply", instead="an IrGraph, which a script can rewrite itself")
        if "graph_viz_path" not in self._attributes:
            raise PreconditionNotMetError("graph_viz_pass draws into a file. Expected graph_viz_path to be set. Received: nothing")
        draw(graph._to_program(), self._attributes["graph_viz_path"])


class PassBuilder:
    """A list of passes, as a BuildStrategy begins it.

    Args:
        names: of the passes that there are.

    Example:
        >>> import paddle_compat as paddle
        >>> builder = paddle.static.BuildStrategy()._finalize_strategy_and_create_passes()
        >>> count = len(builder.all_passes())
        >>> builder.insert_pass(0, "graph_viz_pass").type(), len(builder.all_passes()) - count
        ('graph_viz_pass', 1)
        >>> builder.remove_pass(0)

    Follows Paddle 1.8 and 2.6.
    """

    def __init__(self, names: list[str]) -> None:
        self._passes = [Pass(name) for name in names]

    def all_passes(self) -> list[Pass]:
        """The passes in their order.

        Returns:
            list of Pass.
        """
        return list(self._passes)

    def append_pass(self, name: str) -> Pass:
        """Put a pass at the end.

        Args:
            name (str): the pass's name.
        Returns:
            Pass.
        Raises:
            InvalidArgumentError: no pass is called so.

        Example:
            >>> from paddle_compat.static.pass_builder import PassBuilder
            >>> builder = PassBuilder([])
            >>> builder.append_pass("graph_viz_pass").type(), len(builder.all_passes())
            ('graph_viz_pass', 1)
        """
        return self.insert_pass(len(self._passes), name)

    def insert_pass(self, index: int, name: str) -> Pass:
        """Put a pass at a place in the list.

        Args:
            index (int): where it is to be.
            name (str): the pass's name.
        Returns:
            Pass.
        Raises:
            InvalidArgumentError: no pass is called so, or the list is shorter.
        """
        made = get_pass(name)
        self._passes.insert(self._index(index, len(self._passes)), made)
        return made

    def remove_pass(self, index: int) -> None:
        """Take a pass out of the list.

        Args:
            index (int): where it is.
        Raises:
            InvalidArgumentError: the list is shorter.
        """
        del self._passes[self._index(index, len(self._passes) - 1)]

    def _index(self, index: int, last: int) -> int:
        if not isinstance(index, int) or index < 0:
            raise type_error("index", "a natural number", index, "PassBuilder")
        if index > last:
            raise InvalidArgumentError(f"There are not as many passes. Expected an index up to {last}. Received: {index}")
        return index


def get_pass(pass_type: str) -> Pass:
    """A pass by its name.

    Args:
        pass_type (str): the name.
    Returns:
        Pass.
    Raises:
        InvalidArgumentError: no pass is called so.

    Example:
        >>> from paddle_compat.base.framework import core
        >>> core.get_pass("graph_viz_pass").type()
        'graph_viz_pass'

    Follows Paddle 1.8 and 2.6.
    """
    if not isinstance(pass_type, str):
        raise type_error("pass_type", "a pass's name", pass_type, "get_pass")
    if not re.search(r"_pass(_v\d+)?$", pass_type):
        raise InvalidArgumentError(f"Pass {pass_type} has not been registered. Expected a pass's name. Received: {pass_type}")
    return Pass(pass_type)


def passes_of(strategy: Any) -> list[str]:
    """The names of the passes that a BuildStrategy of Paddle 1.8 begins with."""
    reduces = strategy.reduce_strategy == strategy.ReduceStrategy.Reduce
    distributed = strategy.async_mode or strategy.is_distribution
    averages = not (reduces or distributed)
    several = "async" if strategy.async_mode else "dist" if strategy.is_distribution else "reduce_mode" if reduces else "all_reduce_mode"
    switched = {
        "sequential_execution_pass": strategy.enable_sequential_execution,
        "sync_batch_norm_pass": strategy.sync_batch_norm,
        "fuse_relu_depthwise_conv_pass": strategy.fuse_relu_depthwise_conv,
        "fuse_bn_act_pass": strategy.fuse_bn_act_ops,
        "fuse_elewise_add_act_pass": strategy.fuse_elewise_add_act_ops,
        "coalesce_grad_tensor_pass": averages and strategy.fuse_all_reduce_ops,
        "fuse_adam_op_pass": averages and strategy.fuse_all_optimizer_ops,
        "fuse_sgd_op_pass": averages and strategy.fuse_all_optimizer_ops,
        "fuse_momentum_op_pass": averages and strategy.fuse_all_optimizer_ops,
        "add_reader_dependency_pass": True,
        f"{several}_multi_devices_pass": True,
        "fuse_all_reduce_op_pass": averages and strategy.fuse_all_reduce_ops,
        "all_reduce_deps_pass": not reduces,
        "runtime_context_cache_pass": strategy.cache_runtime_context,
        "backward_optimizer_op_deps_pass": strategy.num_trainers > 1,
        "modify_op_lock_and_record_event_pass": strategy.remove_unnecessary_lock,
        "multi_devices_check_pass": True,
    }
    return [name for name, on in switched.items() if on]


__all__ = ["Pass", "PassBuilder", "get_pass"]

__getattr__ = missing(__name__)
