"""Passes that make rewritten graphs ones for inference."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat.base._ir_graph import IrGraph
from paddle_compat.core import unique_name
from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import failed_assertion
from paddle_compat.static.quantization._passes import COLUMNS, DEQUANTIZED, INT8, PRODUCTS, Pass, steps_of
from paddle_compat.static.quantization.utils import bias_correction_w, quant_tensor


class QuantizationFreezePass(Pass):
    """Makes a rewritten graph one for inference: weights become the numbers of their steps, and products are scaled back behind them.

    Args:
        scope (Scope): where the weights are.
        place: where these are.
        bias_correction (bool): the steps are moved so that channels keep their means and deviations.
        weight_bits, activation_bits (int): how many bits tell the steps apart.
        round_type (str): "round"; with "adaround" weights hold their steps already, or the fractions between them, which stay.
        weight_quantize_type (str): "abs_max" or "channel_wise_abs_max", as it was for training, or as activations.
        quantizable_op_type (list): of no effect; products that were rewritten are known.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.static.quantization import QuantizationFreezePass
        >>> QuantizationFreezePass(paddle.static.Scope(), paddle.CPUPlace())._dequantized_var_name("conv2d_0.tmp_0")
        'conv2d_0.tmp_0.dequantized'

    Follows Paddle 2.6.
    """

    def __init__(
        self, scope: Any, place: Any, bias_correction: bool = False, weight_bits: int = 8, activation_bits: int = 8,
        round_type: str = "round", weight_quantize_type: str = "abs_max", quantizable_op_type: Any = None,
    ) -> None:  # fmt: skip
        if scope is None or place is None:
            raise failed_assertion("scope", "a Scope and a place", (scope, place), type(self).__name__)
        self._scope, self._place, self._bias_correction = scope, place, bias_correction
        self._weight_bits, self._activation_bits, self._weight_quantize_type = weight_bits, activation_bits, weight_quantize_type
        self._rounded = np.asarray if round_type == "adaround" else np.round

    def apply(self, graph: Any) -> Any:
        """Rewrite a graph.

        Args:
            graph (IrGraph): changed in place.
        Returns:
            IrGraph: the same graph.
        """
        graph = self._graph(graph)
        weights = {node.name() for node in graph.all_persistable_nodes()}
        scales: dict[str, Any] = {}  # of weights: a number, or one for each channel
        for node in graph.topology_sort():
            if node.name().startswith(("fake_quantize_", "fake_channel_wise_quantize")) and "dequantize" not in node.name():
                name = node.input("X")[0]
                if name in weights:
                    scales[name] = self._freeze_weight(node, name)
        rename: dict[str, Any] = {}
        for node in graph.topology_sort():
            if node.name() in ("fake_dequantize_max_abs", "fake_channel_wise_dequantize_max_abs"):
                self._remove_fake_quant_and_dequant_op(graph, node, scales)
        for node in graph.topology_sort():
            if node.name() in PRODUCTS and "quantization_type" in node._op.attrs:
                weight = next((name for name in node.input_arg_names() if name in scales), None)
                other = next(var for var in node.inputs if var.name() != weight)
                if weight is not None:
                    rename[node.outputs[0].name()] = self._insert_dequant(graph, node, other, scales[weight])
        for node in graph.all_op_nodes():
            made_here = {var for var in rename.values() if var in node.outputs}
            for var in node.inputs:
                if var.name() in rename and not made_here:
                    graph.update_input_link(var, rename[var.name()], node)
        self._drop_unused(graph)
        return graph

    def _freeze_weight(self, node: Any, name: str) -> Any:
        """Put the numbers of its steps in a weight's place; gives what the last one stands for."""
        value = self._value(name)
        axis = int(node._op.attr("quant_axis")) if node.name() == "fake_channel_wise_quantize_abs_max" else None
        if self._FROM_SCOPE or "InScale" in node._op.inputs:
            scale = self._value(node.output("OutScale")[0])
        else:
            scale = np.abs(value).max(axis=None if axis is None else tuple(d for d in range(value.ndim) if d != axis))
        result: Any = float(scale.reshape(-1)[0]) if axis is None else scale.reshape(-1)
        along = -1 if axis is None else axis
        steps = self._rounded(quant_tensor(value, result, along, self._weight_bits))
        if self._bias_correction:
            steps = self._rounded(bias_correction_w(value, steps, result, along, self._weight_bits))
        self._put(name, steps.astype(value.dtype))
        return result

    def _remove_fake_quant_and_dequant_op(self, graph: IrGraph, node: Any, scales: dict[str, Any]) -> None:
        """Have what reads values that were rounded read the steps instead; a weight holds them itself."""
        steps = self._input(node, node.input("X")[0])
        maker = steps.inputs[0]
        source = self._input(maker, maker.input("X")[0])
        of_weight = source.name() in scales
        out = node.outputs[0]
        for reader in out.outputs:
            graph.update_input_link(out, source if of_weight else steps, reader)
        gone = [node, out]
        if of_weight:
            gone += [maker, *maker.outputs]
        graph.safe_remove_nodes(gone)

    def _insert_dequant(self, graph: IrGraph, node: Any, steps: Any, scale: Any) -> Any:
        """Scale a product back; gives the variable with the values."""
        out = next(var for var in node.outputs if not var.persistable())
        back = graph.create_var_node(self._dequantized_var_name(out.name()), out.type(), out.shape(), out.dtype())
        maker = steps.inputs[0]
        of_step = next(var for var in maker.outputs if var.name() == maker.output("OutScale")[0])
        if np.ndim(scale):
            kept = self._held(graph, unique_name.generate("channel_scale"), [len(scale)], 0.0)
            self._put(kept.name(), np.asarray(scale, "float32"))
            attrs: dict[str, Any] = {
                "quant_bits": [self._weight_bits, self._activation_bits], "quant_axis": 1 if node.name() in COLUMNS else 0,
                "x_num_col_dims": 1,
            }  # fmt: skip
            inputs: dict[str, Any] = {"X": out, "Scales": [kept, of_step]}
            self._append(graph, "fake_channel_wise_dequantize_max_abs", attrs, inputs, {"Out": back})
        else:
            attrs = {"max_range": steps_of(self._weight_bits) * steps_of(self._activation_bits) / scale}
            self._append(graph, "fake_dequantize_max_abs", attrs, {"X": out, "Scale": of_step}, {"Out": back})
        return back

    @staticmethod
    def _dequantized_var_name(var_name: str) -> str:
        return var_name + DEQUANTIZED


class ConvertToInt8Pass(Pass):
    """Keeps the weights of a frozen graph as int8.

    Args:
        scope (Scope): where the weights are.
        place: where these are.
        quantizable_op_type (list): of no effect; products that were rewritten are known.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.base.framework import IrGraph, core
        >>> from paddle_compat.static.quantization import ConvertToInt8Pass
        >>> graph = IrGraph(core.Graph(paddle.static.Program().desc))
        >>> ConvertToInt8Pass(paddle.static.Scope(), paddle.CPUPlace()).apply(graph) is graph
        True

    Follows Paddle 2.6.
    """

    def __init__(self, scope: Any, place: Any, quantizable_op_type: Any = None) -> None:
        if scope is None or place is None:
            raise failed_assertion("scope", "a Scope and a place", (scope, place), type(self).__name__)
        self._scope, self._place = scope, place

    def apply(self, graph: Any) -> Any:
        """Rewrite a graph.

        Args:
            graph (IrGraph): changed in place.
        Returns:
            IrGraph: the same graph.
        """
        graph, made = self._graph(graph), {}
        for node in graph.topology_sort():
            if node.name() in PRODUCTS and "quantization_type" in node._op.attrs:
                for var in node.inputs:
                    if var.persistable():
                        if var.name() not in made:
                            made[var.name()] = self._convert_to_int8(graph, var)
                        graph.update_input_link(var, made[var.name()], node)
        self._drop_unused(graph)
        return graph

    def _convert_to_int8(self, graph: IrGraph, var: Any) -> Any:
        node = graph.create_persistable_node(var.name() + INT8, var.type(), var.shape(), VarType.INT8)
        self._put(node.name(), self._value(var.name()).astype(np.int8))
        return node


class TransformForMobilePass(Pass):
    """Gives the operators that round, and those that scale back, the names that Paddle-Lite has for them.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.base.framework import IrGraph, core
        >>> from paddle_compat.static.quantization import TransformForMobilePass
        >>> graph = IrGraph(core.Graph(paddle.static.Program().desc))
        >>> TransformForMobilePass().apply(graph) is graph
        True

    Follows Paddle 2.6.
    """

    def __init__(self) -> None:
        pass

    def apply(self, graph: Any) -> Any:
        """Rewrite a graph.

        Args:
            graph (IrGraph): changed in place.
        Returns:
            IrGraph: the same graph.
        """
        graph = self._graph(graph)
        for node in graph.all_op_nodes():
            if "quantize_dequantize" in node.name():
                continue
            if node.name().startswith(("fake_quantize", "fake_channel_wise_quantize")):
                node.set_type("quantize")
            elif node.name().startswith(("fake_dequantize", "fake_channel_wise_dequantize")):
                node.set_type("dequantize")
        return graph
