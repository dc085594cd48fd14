"""Passes that have operators see their operands rounded."""

from __future__ import annotations

from typing import Any

from paddle_compat.base._ir_graph import IrGraph
from paddle_compat.core import unique_name
from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import UnsupportedError, failed_assertion
from paddle_compat.static.quantization._passes import (
    ACTIVATIONS,
    BOTH,
    COLUMNS,
    DEQUANTIZED,
    PRODUCTS,
    QUANTIZED,
    Pass,
    add_states,
    steps_of,
)


class QuantizationTransformPass(Pass):
    """Has products see their operands rounded to few bits, and their gradients, too.

    Args:
        scope (Scope): where states get their first values; None: the current one.
        place: where these are.
        weight_bits, activation_bits (int): how many bits tell the steps apart.
        activation_quantize_type (str): "abs_max", "range_abs_max" or "moving_average_abs_max".
        weight_quantize_type (str): "abs_max" or "channel_wise_abs_max", or as activations.
        window_size (int): how many steps "range_abs_max" looks back on.
        moving_rate (float): the share that a former average keeps.
        skip_pattern (list): parts of names of scopes whose operators stay.
        quantizable_op_type (list): which operators.
        weight_quantize_func, act_quantize_func, weight_preprocess_func, act_preprocess_func, optimizer_func, executor: None; functions of
            one's own are not supported.
        is_test (bool): scales stay as they are; None: the graph tells.
    Raises:
        ValueError: there is no such way, or no such operator.
        AssertionError: scales of channels are asked for what operators make.
        UnsupportedError: a function of one's own.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.base.framework import IrGraph, core
        >>> from paddle_compat.static.quantization import QuantizationTransformPass
        >>> paddle.enable_static()
        >>> main = paddle.static.Program()
        >>> with paddle.static.program_guard(main, paddle.static.Program()):
        ...     _ = paddle.static.nn.fc(paddle.static.data("x", [2, 4]), 3, bias_attr=False)
        >>> graph = IrGraph(core.Graph(main.desc))
        >>> QuantizationTransformPass(scope=paddle.static.Scope(), place=paddle.CPUPlace()).apply(graph) is graph
        True
        >>> [op.type for op in graph.to_program().global_block().ops][::2]
        ['fake_quantize_abs_max', 'fake_quantize_abs_max', 'mul']

    Follows Paddle 2.6.
    """

    def __init__(
        self, scope: Any = None, place: Any = None, weight_bits: int = 8, activation_bits: int = 8,
        activation_quantize_type: str = "abs_max", weight_quantize_type: str = "abs_max", window_size: int = 10000,
        moving_rate: float = 0.9, skip_pattern: Any = ["skip_quant"],  # noqa: B006
        quantizable_op_type: Any = ["conv2d", "depthwise_conv2d", "mul"],  # noqa: B006
        weight_quantize_func: Any = None, act_quantize_func: Any = None, weight_preprocess_func: Any = None,
        act_preprocess_func: Any = None, optimizer_func: Any = None, executor: Any = None, is_test: bool | None = None,
    ) -> None:  # fmt: skip
        own = {
            "weight_quantize_func": weight_quantize_func, "act_quantize_func": act_quantize_func,
            "weight_preprocess_func": weight_preprocess_func, "act_preprocess_func": act_preprocess_func, "optimizer_func": optimizer_func,
        }  # fmt: skip
        for name, function in own.items():
            if function is not None:
                raise UnsupportedError("QuantizationTransformPass", f"{name}=...", "layers of one's own with ImperativeQuantAware")
        kinds = ("abs_max", "channel_wise_abs_max", "range_abs_max", "moving_average_abs_max")
        if activation_quantize_type == "channel_wise_abs_max":
            raise failed_assertion(
                "activation_quantize_type", "one scale for all channels", activation_quantize_type, "QuantizationTransformPass"
            )
        for name, kind in (("activation_quantize_type", activation_quantize_type), ("weight_quantize_type", weight_quantize_type)):
            if kind not in kinds:
                raise ValueError(f"Invalid value for argument `{name}`. Expected one of {kinds}. Received: {kind!r}")
        for kind in quantizable_op_type:
            if kind not in PRODUCTS:
                raise failed_assertion("quantizable_op_type", f"operators of {PRODUCTS}", kind, "QuantizationTransformPass")
        self._scope, self._place, self._is_test = scope, place, is_test
        self._weight_bits, self._activation_bits = weight_bits, activation_bits
        self._activation_quantize_type, self._weight_quantize_type = activation_quantize_type, weight_quantize_type
        self._window_size, self._moving_rate, self._skip_pattern = window_size, moving_rate, skip_pattern
        self._quantizable_ops = list(quantizable_op_type)

    def apply(self, graph: Any) -> Any:
        """Rewrite a graph.

        Args:
            graph (IrGraph): changed in place.
        Returns:
            IrGraph: the same graph.
        """
        graph = self._entered(graph)
        weights = {node.name() for node in graph.all_persistable_nodes()}
        made: dict[str, Any] = {}
        derivatives = tuple(f"{kind}_grad" for kind in self._quantizable_ops)
        for node in graph.topology_sort():
            if node.name() in (*self._quantizable_ops, *derivatives) and self._skipped(node, self._skip_pattern):
                node.set_attr("skip_quant", 1)  # for passes that come later and may have other patterns
        self._global_step: Any = None
        if not self._is_test and "range_abs_max" in (self._weight_quantize_type, self._activation_quantize_type):
            self._create_global_step(graph)
        for node in graph.topology_sort():
            if node.name() not in self._quantizable_ops or self._is_backward(node) or self._skipped(node, self._skip_pattern):
                continue
            if any(var.name() in weights for var in node.inputs):
                self._mark(node)
                for var in node.inputs:
                    if var.name() not in made:
                        made[var.name()] = self._rounded(graph, var, var.name() in weights, node.name())
                    graph.update_input_link(var, made[var.name()], node)
        self._relink_backward(graph, derivatives, made)
        return graph

    def _create_global_step(self, graph: IrGraph) -> None:
        before = self._held(graph, "@STEP_COUNTER@", [1], 0.0, VarType.INT64)
        self._global_step = graph.create_var_node_from_desc(before.var())
        self._append(graph, "increment", {"step": 1.0}, {"X": before}, {"Out": self._global_step})

    def _axis_of(self, product: str) -> int | None:
        """The dimension of a product's weight that channels are; None where it has a scale for all."""
        return 1 if product in COLUMNS else 0

    def _mark(self, node: Any) -> None:
        node.set_attr("quantization_type", "qat_with_weight")
        node.set_attr("with_quant_attr", True)

    def _rounded(self, graph: IrGraph, var: Any, is_weight: bool, product: str) -> Any:
        """What rounds a variable to steps and back."""
        kind = self._weight_quantize_type if is_weight else self._activation_quantize_type
        bits = self._weight_bits if is_weight else self._activation_bits
        axis = self._axis_of(product)
        if kind == "channel_wise_abs_max" and axis is None:
            kind = "abs_max"
        steps = graph.create_var_node(var.name() + QUANTIZED, var.type(), var.shape(), var.dtype())
        back = graph.create_var_node(steps.name() + DEQUANTIZED, var.type(), var.shape(), var.dtype())
        name = var.name() + self._SCALE
        if kind == "channel_wise_abs_max":
            assert axis is not None
            scale = self._scale_of_step(graph, name, [var.shape()[axis]])
            attrs: dict[str, Any] = {"bit_length": bits, "quant_axis": axis, "is_test": bool(self._is_test)}
            self._append(graph, "fake_channel_wise_quantize_abs_max", attrs, {"X": var}, {"Out": steps, "OutScale": scale})
            attrs = {"quant_bits": [bits], "quant_axis": axis}
            self._append(graph, "fake_channel_wise_dequantize_max_abs", attrs, {"X": steps, "Scales": [scale]}, {"Out": back})
            return back
        scale = self._insert_quant_op(graph, var, steps, name, kind, bits)
        self._append(graph, "fake_dequantize_max_abs", {"max_range": steps_of(bits)}, {"X": steps, "Scale": scale}, {"Out": back})
        return back

    def _scale_of_step(self, graph: IrGraph, name: str, shape: list[int]) -> Any:
        """What keeps a scale that each step finds anew."""
        return self._held(graph, name, shape, 0.0, kept=True)

    def _insert_quant_op(self, graph: IrGraph, var: Any, steps: Any, name: str, kind: str, bits: int) -> Any:
        if kind == "abs_max":
            scale = self._scale_of_step(graph, name, [1])
            self._append(graph, "fake_quantize_abs_max", {"bit_length": bits}, {"X": var}, {"Out": steps, "OutScale": scale})
            return scale
        before = self._held(graph, name, [1], 0.001, kept=self._FROM_SCOPE)
        after = graph.create_var_node_from_desc(before.var())
        inputs: dict[str, Any] = {"X": var, "InScale": before}
        outputs: dict[str, Any] = {"Out": steps, "OutScale": after}
        attrs: dict[str, Any] = {"bit_length": bits, "is_test": bool(self._is_test)}
        if kind == "range_abs_max":
            attrs["window_size"] = self._window_size
            if not self._is_test:
                inputs["Iter"] = self._global_step
                outputs["OutScales"] = self._held(graph, unique_name.generate("scales"), [self._window_size], 0.0)
        else:
            attrs["moving_rate"] = self._moving_rate
            if not self._is_test:
                add_states(self, graph, inputs, outputs, "")
        self._append(graph, f"fake_quantize_{kind}", attrs, inputs, outputs)
        return after


class AddQuantDequantPass(Pass):
    """Has operators without weights see their inputs rounded by a moving average.

    Args:
        scope (Scope): where states get their first values; None: the current one.
        place: where these are.
        moving_rate (float): the share that a former average keeps.
        quant_bits (int): how many bits tell the steps apart.
        skip_pattern (list): parts of names of scopes whose operators stay.
        quantizable_op_type (list): which operators.
        is_test (bool): scales stay as they are; None: the graph tells.
        scale_dict (dict): None; scales by name are not supported.
    Raises:
        UnsupportedError: a dictionary of scales.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.base.framework import IrGraph, core
        >>> from paddle_compat.static.quantization import AddQuantDequantPass
        >>> paddle.enable_static()
        >>> main = paddle.static.Program()
        >>> with paddle.static.program_guard(main):
        ...     x = paddle.static.data("x", [2, 4])
        ...     _ = x + x
        >>> graph = IrGraph(core.Graph(main.desc))
        >>> AddQuantDequantPass(scope=paddle.static.Scope(), place=paddle.CPUPlace()).apply(graph) is graph
        True
        >>> [op.type for op in graph.to_program().global_block().ops]
        ['fake_quantize_dequantize_moving_average_abs_max', 'elementwise_add']

    Follows Paddle 2.6.
    """

    def __init__(
        self, scope: Any = None, place: Any = None, moving_rate: float = 0.9, quant_bits: int = 8,
        skip_pattern: Any = ["skip_quant"], quantizable_op_type: Any = ["elementwise_add", "pool2d"],  # noqa: B006
        is_test: bool | None = None, scale_dict: Any = None,
    ) -> None:  # fmt: skip
        if scale_dict is not None:
            raise UnsupportedError("AddQuantDequantPass", "scale_dict=...", "values in the scope")
        self._scope, self._place, self._is_test = scope, place, is_test
        self._moving_rate, self._quant_bits, self._skip_pattern = moving_rate, quant_bits, skip_pattern
        self._quantizable_op_type = list(quantizable_op_type)

    def apply(self, graph: Any) -> Any:
        """Rewrite a graph.

        Args:
            graph (IrGraph): changed in place.
        Returns:
            IrGraph: the same graph.
        """
        graph = self._entered(graph)
        made: dict[str, Any] = {}
        for node in graph.topology_sort():
            if node.name() not in self._quantizable_op_type or self._is_backward(node) or self._skipped(node, self._skip_pattern):
                continue
            reads = self._reads(node)
            if reads:
                self._mark(node)
            for var in reads:
                if var.name() not in made:
                    made[var.name()] = self._rounded(graph, var)
                graph.update_input_link(var, made[var.name()], node)
        self._relink_backward(graph, tuple(f"{kind}_grad" for kind in self._quantizable_op_type), made)
        return graph

    @staticmethod
    def _names_read(node: Any) -> set[str]:
        slots = ACTIVATIONS.get(node.name(), (("X", "Y"), ()))[0]
        return {name for slot in slots if slot in node._op.input_names for name in node.input(slot)}

    def _reads(self, node: Any) -> list[Any]:
        """What an operator sees rounded: nothing, where it reads a weight, or where this was done before."""
        found = [var for var in node.inputs if var.name() in self._names_read(node)]
        return [] if any(var.persistable() for var in found) or "quantization_type" in node._op.attrs else found

    def _mark(self, node: Any) -> None:
        node.set_attr("quantization_type", "qat_without_weight")
        node.set_attr("activation_bits", self._quant_bits)
        node.set_attr("with_quant_attr", True)

    def _rounded(self, graph: IrGraph, var: Any) -> Any:
        out = graph.create_var_node(var.name() + BOTH, var.type(), var.shape(), var.dtype())
        before = self._held(graph, out.name() + self._SCALE, [1], 0.001, kept=self._FROM_SCOPE)
        inputs: dict[str, Any] = {"X": var, "InScale": before}
        outputs: dict[str, Any] = {"Out": out, "OutScale": graph.create_var_node_from_desc(before.var())}
        if not self._is_test:
            add_states(self, graph, inputs, outputs, "quant_dequant.")
        attrs = {"bit_length": self._quant_bits, "moving_rate": self._moving_rate, "is_test": bool(self._is_test)}
        self._append(graph, "fake_quantize_dequantize_moving_average_abs_max", attrs, inputs, outputs)
        return out
