"""What leaves a Program together with some channels of a convolution: the parts of other parameters that go with them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np

from paddle_compat.fluid.contrib.slim.graph.graph_wrapper import GraphWrapper, OpWrapper, VarWrapper

# a parameter, its dimension, and the places along it that go
_Part = tuple[VarWrapper, int, list[int]]


class Channels:
    """Takes channels of convolutions out of a graph.

    Args:
        graph: the graph, whose shapes become smaller.
        scope: where the values are.
        place: the device.
    """

    def __init__(self, graph: GraphWrapper, scope: Any, place: Any) -> None:
        self._graph, self._scope, self._place = graph, scope, place
        self._readers: dict[str, list[OpWrapper]] = defaultdict(list)
        for op in graph.ops():
            for name in dict.fromkeys(var.name() for var in op.all_inputs()):
                self._readers[name].append(op)
        # what has been taken from already, by dimension: a parameter becomes smaller once along each
        self.taken: list[list[str]] = [[], []]

    def take(self, pruner: Any, name: str, ratio: float, lazy: bool = False, only_graph: bool = False) -> None:
        """Take a share of the channels that a weight makes, and what goes with them.

        Args:
            pruner: tells which channels, and makes the smaller values.
            name: the weight.
            ratio: the share.
            lazy: values become zeros, and shapes stay.
            only_graph: shapes change, and values stay.
        """
        if name in self.taken[0]:
            return
        param = self._graph.var(name)
        gone = [int(place) for place in pruner.cal_pruned_idx(name, self._value(name), ratio, axis=0)]
        parts: list[_Part] = [(param, 0, gone)]
        for op in self._readers[name]:
            if op.type() in ("conv2d", "depthwise_conv2d"):
                parts += self._behind(op.outputs("Output")[0], gone, set())
        for var, axis, places in parts:
            if var.name() in self.taken[axis]:
                continue
            self.taken[axis].append(var.name())
            for one in (var, *self._states(var)):
                self._shrink(pruner, one, axis, places, lazy, only_graph)

    def _value(self, name: str) -> Any:
        return np.array(self._scope.find_var(name).get_tensor())

    def _shrink(self, pruner: Any, var: VarWrapper, axis: int, places: list[int], lazy: bool, only_graph: bool) -> None:
        if not only_graph:
            tensor = self._scope.find_var(var.name()).get_tensor()
            tensor.set(pruner.prune_tensor(np.array(tensor), places, axis, lazy=lazy), self._place)
        if not lazy:
            shape = list(var.shape())
            shape[axis] -= len(places)
            var.set_shape(shape)

    def _states(self, param: VarWrapper) -> list[VarWrapper]:
        """What an optimizer keeps for each element of a parameter."""
        kept: list[VarWrapper] = []
        for op in self._readers[param.name()]:
            if op.is_opt_op():
                for var in op.all_inputs():
                    if self._graph.is_persistable(var) and var != param and var.shape() == param.shape() and var not in kept:
                        kept.append(var)
        return kept

    def _behind(self, var: VarWrapper, channels: list[int], met: set[int]) -> Iterator[_Part]:
        """What goes with some channels of a variable, as Paddle 1.8 follows them.

        They are followed forward only, to the next convolutions and products: another summand of a sum keeps its channels.
        """
        for op in self._readers[var.name()]:
            if id(op._op) in met or op.is_bwd_op() or op.is_opt_op():
                continue
            met.add(id(op._op))
            kind, handed = op.type(), channels
            if kind == "conv2d":
                yield op.inputs("Filter")[0], 1, channels
                continue
            if kind == "mul":
                rows = op.inputs("Y")[0]
                each = rows.shape()[0] // var.shape()[1]  # a channel has as many places of an image
                yield rows, 0, [channel * each + place for channel in channels for place in range(each)]
                continue
            if kind == "depthwise_conv2d":
                yield op.inputs("Filter")[0], 0, channels
            elif kind == "batch_norm":
                for slot in ("Scale", "Bias", "Mean", "Variance"):
                    yield op.inputs(slot)[0], 0, channels
            elif kind == "elementwise_add" and self._graph.is_parameter(op.inputs("Y")[0]):
                yield op.inputs("Y")[0], 0, channels
            elif kind == "concat":
                names = [joined.name() for joined in op.inputs("X")]
                start = sum(self._graph.var(name).shape()[1] for name in names[: names.index(var.name())])
                handed = [channel + start for channel in channels]
            for following in op.all_outputs():
                if not self._graph.is_persistable(following):  # running statistics have been met above
                    yield from self._behind(following, handed, met)
