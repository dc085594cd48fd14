"""Passes that take note of the largest magnitudes of what operators give."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat.base._ir_graph import IrGraph
from paddle_compat.core.dtype import is_float
from paddle_compat.core.scope import global_scope
from paddle_compat.static.quantization._passes import SUPPORTED, WATCHED, Pass, add_states


class OutScaleForTrainingPass(Pass):
    """Has moving averages of the largest magnitudes that operators give taken note of.

    Args:
        scope (Scope): where states get their first values; None: the current one.
        place: where these are.
        moving_rate (float): the share that a former average keeps.
        is_test (bool): scales stay as they are; None: the graph tells.
        scale_dict (dict): name -> the scale that a result begins with; None, and for others: 1.

    Example:
        >>> from paddle_compat.static.quantization import OutScaleForTrainingPass
        >>> OutScaleForTrainingPass(moving_rate=0.99).apply(None)
        Traceback (most recent call last):
        ...
        paddle_compat.core.errors.FailedAssertionError: Invalid value for argument `graph` of `OutScaleForTrainingPass`. \
Expected an IrGraph. Received: None

    Follows Paddle 2.6.
    """

    def __init__(
        self, scope: Any = None, place: Any = None, moving_rate: float = 0.9, is_test: bool | None = None, scale_dict: Any = None
    ) -> None:
        self._scope, self._place, self._moving_rate, self._is_test = scope, place, moving_rate, is_test
        self._scale_dict: dict[str, Any] = dict(scale_dict or {})

    def apply(self, graph: Any) -> Any:
        """Rewrite a graph.

        Args:
            graph (IrGraph): changed in place.
        Returns:
            IrGraph: the same graph.
        """
        graph = self._entered(graph)
        for node in graph.topology_sort():
            if not self._is_backward(node):
                for var in _results(node, self._FROM_SCOPE):
                    if self._FROM_SCOPE and self._scale_name(var.name()) in graph._block.vars:
                        continue  # the scale by which it is rounded
                    readers = list(var.outputs)
                    first = float(np.reshape(self._scale_dict.get(var.name(), 1.0), -1)[0])
                    before = self._held(graph, self._scale_name(var.name()), [1], first)
                    inputs: dict[str, Any] = {"X": var}
                    outputs: dict[str, Any] = {"OutScale": graph.create_var_node_from_desc(before.var()), **self._out(graph, var)}
                    if not self._is_test:
                        add_states(self, graph, inputs, outputs, "scale_", "@")
                    attrs = {"moving_rate": self._moving_rate, "is_test": bool(self._is_test)}
                    self._append(graph, "moving_average_abs_max_scale", attrs, inputs, outputs)
                    if self._FROM_SCOPE and readers:  # Paddle 2 looks at a value before it is used
                        graph.link_to(outputs["OutScale"], readers[0])
        return graph

    def _out(self, graph: IrGraph, var: Any) -> dict[str, Any]:
        """The output that hands the values on: 1.8's."""
        return {}

    @staticmethod
    def _scale_name(var_name: str) -> str:
        return f"{var_name}@scale"


def _results(node: Any, later: bool) -> list[Any]:
    """What an operator gives, of which the magnitudes are noted: 1.8 knows fewer operators."""
    slots = SUPPORTED.get(node.name(), ((), ()))[1] if later else ("Out", "Output", "Y") if node.name() in WATCHED else ()
    names = {name for slot in slots if slot in node._op.output_names for name in node.output(slot)}
    return [var for var in node.outputs if var.name() in names and not var.persistable() and is_float(var.dtype())]


def note_threshold(op: Any, name: str, value: float, each: bool) -> None:
    """Write a result's largest magnitude on its operator; in 2.x each result has an attribute of its own, too."""
    op._set_attr("out_threshold", value)
    if each:
        note_of_slot(op, name, value)
    op._set_attr("with_quant_attr", True)


def note_of_slot(op: Any, name: str, value: float) -> None:
    """Write a result's largest value on its operator, by the place that the result has there."""
    slot = next(slot for slot in op.output_names if name in op.output(slot))
    op._set_attr(f"{slot}{op.output(slot).index(name)}_threshold", value)


class OutScaleForInferencePass(Pass):
    """Notes the averages that were found on the operators of a graph for inference.

    Args:
        scope (Scope): where they are; None: the current one.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.base.framework import IrGraph, core
        >>> from paddle_compat.static.quantization import OutScaleForInferencePass
        >>> graph = IrGraph(core.Graph(paddle.static.Program().desc))
        >>> OutScaleForInferencePass().apply(graph) is graph
        True

    Follows Paddle 2.6.
    """

    def __init__(self, scope: Any = None) -> None:
        self._scope = scope

    def apply(self, graph: Any) -> Any:
        """Rewrite a graph.

        Args:
            graph (IrGraph): changed in place.
        Returns:
            IrGraph: the same graph.
        """
        graph, scope = self._graph(graph), self._scope or global_scope()
        for node in graph.all_op_nodes():
            for var in _results(node, self._FROM_SCOPE):
                found = scope.find_var(self._scale_name(var.name()))
                if found is not None:
                    note_threshold(node._op, var.name(), float(np.array(found.get_tensor()).reshape(-1)[0]), self._FROM_SCOPE)
        return graph

    @staticmethod
    def _scale_name(var_name: str) -> str:
        return f"{var_name}@scale"
