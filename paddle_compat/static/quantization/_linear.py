"""Passes that round with `quantize_linear` and `dequantize_linear`, the operators of ONNX."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat.base._ir_graph import IrGraph
from paddle_compat.core.dtype import VarType
from paddle_compat.static.quantization._passes import DEQUANTIZED, QUANTIZED, SUPPORTED, Pass, add_states
from paddle_compat.static.quantization._rounding import AddQuantDequantPass, QuantizationTransformPass
from paddle_compat.static.quantization.utils import bias_correction_w, quant_tensor

_ZERO = "@zero_point"
_POSSIBLE = ("int8", "int16", "int32")  # whole numbers that a weight's steps are kept as


class Linear(Pass):
    """Inserts pairs of the two operators."""

    def _pair(
        self, graph: IrGraph, var: Any, bits: int, axis: int = -1, train: bool = False, names: dict[str, str] | None = None,
        **more: Any,
    ) -> Any:  # fmt: skip
        """What rounds a variable; gives the variable with rounded values.

        Names may say where the scale and the zero point are, and how the result is called.
        """
        names = names or {}
        size = [var.shape()[axis]] if axis >= 0 else [1]
        steps = graph.create_var_node(var.name() + QUANTIZED, var.type(), var.shape(), var.dtype())
        back = graph.create_var_node(names.get("out", steps.name() + DEQUANTIZED), var.type(), var.shape(), var.dtype())
        scale = self._held(graph, names.get("scale", f"{var.name()}@scale"), size, 0.001, kept=bool(names))
        attrs = {"quant_axis": axis, "bit_length": bits, **more}
        zero = self._held(graph, names.get("zero", steps.name() + _ZERO), size, 0, VarType.INT32, kept="zero" in names)
        inputs: dict[str, Any] = {"X": var, "Scale": scale, "ZeroPoint": zero}
        outputs: dict[str, Any] = {"Y": steps}
        read = scale
        if train:
            add_states(self, graph, inputs, outputs, "")
            read = outputs["OutScale"] = graph.create_var_node_from_desc(scale.var())
        self._append(graph, "quantize_linear", {**attrs, "is_test": False} if train else attrs, inputs, outputs)
        zero = self._held(graph, names.get("zero", back.name() + _ZERO), size, 0, VarType.INT32, kept="zero" in names)
        self._append(graph, "dequantize_linear", attrs, {"X": steps, "Scale": read, "ZeroPoint": zero}, {"Y": back})
        return back


class QuantizationTransformPassV2(Linear, QuantizationTransformPass):
    """Has products see their operands rounded to few bits by ONNX's operators.

    Args:
        scope, place, weight_bits, activation_bits, activation_quantize_type, weight_quantize_type, window_size, moving_rate, skip_pattern,
            quantizable_op_type, weight_quantize_func, act_quantize_func, weight_preprocess_func, act_preprocess_func, optimizer_func,
            executor, is_test: as of `QuantizationTransformPass`; of the ways, "channel_wise_abs_max" makes a difference.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.base.framework import IrGraph, core
        >>> from paddle_compat.static.quantization import QuantizationTransformPassV2
        >>> paddle.enable_static()
        >>> main = paddle.static.Program()
        >>> with paddle.static.program_guard(main, paddle.static.Program()):
        ...     _ = paddle.static.nn.fc(paddle.static.data("x", [2, 4]), 3, bias_attr=False)
        >>> graph = IrGraph(core.Graph(main.desc))
        >>> graph = QuantizationTransformPassV2(scope=paddle.static.Scope(), place=paddle.CPUPlace(), is_test=True).apply(graph)
        >>> [op.type for op in graph.to_program().global_block().ops][1:]
        ['dequantize_linear', 'quantize_linear', 'dequantize_linear', 'mul']

    Follows Paddle 2.6.
    """

    def _rounded(self, graph: IrGraph, var: Any, is_weight: bool, product: str) -> Any:
        channels = is_weight and self._weight_quantize_type == "channel_wise_abs_max"
        axis = self._axis_of(product) if channels else None
        bits = self._weight_bits if is_weight else self._activation_bits
        return self._pair(graph, var, bits, -1 if axis is None else axis, not self._is_test)

    def _mark(self, node: Any) -> None:
        node.set_attr("quantization_type", "qat_with_weight")


class AddQuantDequantPassV2(Linear, AddQuantDequantPass):
    """Has operators without weights see their inputs rounded by ONNX's operators.

    Args:
        scope, place, moving_rate, quant_bits, skip_pattern, quantizable_op_type, is_test, scale_dict: as of `AddQuantDequantPass`.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.base.framework import IrGraph, core
        >>> from paddle_compat.static.quantization import AddQuantDequantPassV2
        >>> graph = IrGraph(core.Graph(paddle.static.Program().desc))
        >>> AddQuantDequantPassV2(scope=paddle.static.Scope(), place=paddle.CPUPlace()).apply(graph) is graph
        True

    Follows Paddle 2.6.
    """

    def _reads(self, node: Any) -> list[Any]:
        if "quantization_type" in node._op.attrs:
            return []
        return [var for var in node.inputs if var.name() in self._names_read(node) and not var.persistable()]

    def _mark(self, node: Any) -> None:
        pass

    def _rounded(self, graph: IrGraph, var: Any) -> Any:
        return self._pair(graph, var, self._quant_bits, train=not self._is_test)


class ReplaceFakeQuantDequantPass(Linear):
    """Puts ONNX's operators in the place of those that round and scale back at once.

    Args:
        scope (Scope): where scales are.
        place: where these are.
        quant_bits (int): for operators that do not say how many bits.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.base.framework import IrGraph, core
        >>> from paddle_compat.static.quantization import ReplaceFakeQuantDequantPass
        >>> graph = IrGraph(core.Graph(paddle.static.Program().desc))
        >>> ReplaceFakeQuantDequantPass(paddle.static.Scope(), paddle.CPUPlace()).apply(graph) is graph
        True

    Follows Paddle 2.6.
    """

    def __init__(self, scope: Any, place: Any, quant_bits: int = 8) -> None:
        self._scope, self._place, self._quant_bits = self._needed(scope), self._needed(place), quant_bits

    def apply(self, graph: Any) -> Any:
        """Rewrite a graph.

        Args:
            graph (IrGraph): changed in place.
        Returns:
            IrGraph: the same graph.
        """
        graph = self._graph(graph)
        for node in graph.topology_sort():
            if "quantize_dequantize" in node.name() and node.name().startswith("fake_"):
                var, out = self._input(node, node.input("X")[0]), next(v for v in node.outputs if v.name() == node.output("Out")[0])
                slot = node.input("InScale") if "InScale" in node._op.input_names else node.output("OutScale")
                axis = int(node._op.attr("quant_axis")) if "quant_axis" in node._op.attr_names else -1
                bits = int(node._op.attr("bit_length")) if "bit_length" in node._op.attr_names else self._quant_bits
                names = {"scale": slot[0], "zero": var.name() + _ZERO, "out": out.name()}
                back = self._pair(graph, var, bits, axis, names=names)
                for reader in out.outputs:
                    graph.update_input_link(out, back, reader)
                graph.safe_remove_nodes([node, out])
        return graph


class QuantWeightPass(Linear):
    """Keeps weights as the numbers of their steps.

    Args:
        scope (Scope): where weights and scales are.
        place: where these are.
        bias_correction (bool): the steps are moved so that channels keep their means and deviations.
        quant_bits (int): how many bits tell the steps apart.
        save_int_weight (bool): as whole numbers; False: as floats.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.base.framework import IrGraph, core
        >>> from paddle_compat.static.quantization import QuantWeightPass
        >>> graph = IrGraph(core.Graph(paddle.static.Program().desc))
        >>> QuantWeightPass(paddle.static.Scope(), paddle.CPUPlace()).apply(graph) is graph
        True

    Follows Paddle 2.6.
    """

    def __init__(self, scope: Any, place: Any, bias_correction: bool = False, quant_bits: int = 8, save_int_weight: bool = True) -> None:
        self._scope, self._place = self._needed(scope), self._needed(place)
        self._bias_correction, self._quant_bits, self._save_int_weight = bias_correction, quant_bits, save_int_weight

    def apply(self, graph: Any) -> Any:
        """Rewrite a graph.

        Args:
            graph (IrGraph): changed in place.
        Returns:
            IrGraph: the same graph.
        """
        graph, done = self._graph(graph), set()
        for node in graph.topology_sort():
            if node.name() != "quantize_linear":
                continue
            var = self._input(node, node.input("X")[0])
            if not var.persistable():
                continue
            if var.name() not in done:
                done.add(var.name())
                self._keep_steps(node, var.name())
            steps = next(out for out in node.outputs if out.name() == node.output("Y")[0])
            for reader in steps.outputs:
                graph.update_input_link(steps, var, reader)
            graph.safe_remove_nodes([node, steps])
        self._drop_unused(graph)
        return graph

    def _keep_steps(self, node: Any, name: str) -> None:
        value, scale = self._value(name), self._value(node.input("Scale")[0])
        axis = int(node._op.attr("quant_axis"))
        steps = quant_tensor(value, scale, axis, self._quant_bits, onnx_format=True)
        if self._bias_correction:
            steps = np.round(bias_correction_w(value, steps, scale, axis, self._quant_bits))
        kind = next(kind for kind in _POSSIBLE if self._quant_bits <= np.iinfo(kind).bits) if self._save_int_weight else value.dtype
        self._put(name, steps.astype(kind))


class AddQuantDequantForInferencePass(Linear):
    """Has all that operators give pass ONNX's operators, where its scale is known.

    Args:
        scope (Scope): where scales are.
        place: where these are.
        quant_bits (int): how many bits tell the steps apart.
        quantizable_op_type (list): whose results; empty: of all operators that are known.
        calibration_range_dict (dict): name -> scale, for results that have none in the graph.
        only_observer (bool): values pass as they are.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.base.framework import IrGraph, core
        >>> from paddle_compat.static.quantization import AddQuantDequantForInferencePass
        >>> graph = IrGraph(core.Graph(paddle.static.Program().desc))
        >>> AddQuantDequantForInferencePass(paddle.static.Scope(), paddle.CPUPlace()).apply(graph) is graph
        True

    Follows Paddle 2.6.
    """

    def __init__(
        self, scope: Any, place: Any, quant_bits: int = 8, quantizable_op_type: Any = [],  # noqa: B006
        calibration_range_dict: Any = None, only_observer: bool = True,
    ) -> None:  # fmt: skip
        self._scope, self._place, self._quant_bits, self._only_observer = scope, place, quant_bits, only_observer
        self._kinds = set(quantizable_op_type or SUPPORTED)
        self._scales: dict[str, Any] = dict(calibration_range_dict or {})

    def apply(self, graph: Any) -> Any:
        """Rewrite a graph.

        Args:
            graph (IrGraph): changed in place.
        Returns:
            IrGraph: the same graph.
        """
        graph = self._graph(graph)
        held = {node.name() for node in graph.all_persistable_nodes()}
        for node in graph.topology_sort():
            if node.name() not in self._kinds:
                continue
            names = {name for slot in SUPPORTED.get(node.name(), ((), ()))[1] for name in node.output(slot)}
            for var in node.outputs:
                scale = f"{var.name()}@scale"
                readers = [op for op in var.outputs if var.name() in {n for slot in _read(op) for n in op.input(slot)}]
                if var.name() not in names or not (scale in held or var.name() in self._scales):
                    continue
                zero = var.name() + QUANTIZED + _ZERO
                back = self._pair(graph, var, self._quant_bits, names={"zero": zero}, only_observer=self._only_observer)
                if scale not in held:
                    self._put(scale, np.float32(self._scales[var.name()]))
                for reader in readers:
                    graph.update_input_link(var, back, reader)
        graph.safe_remove_nodes([node for node in graph.all_op_nodes() if node.name() == "moving_average_abs_max_scale"])
        return graph


def _read(node: Any) -> tuple[str, ...]:
    """The slots of an operator whose values are rounded."""
    return SUPPORTED.get(node.name(), ((), ()))[0]
