"""What passes that rewrite graphs for quantization have in common."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat.base._ir_graph import IrGraph
from paddle_compat.core import unique_name
from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.operator import OpRole
from paddle_compat.core.scope import global_scope

PRODUCTS = ("conv2d", "depthwise_conv2d", "conv2d_transpose", "mul", "matmul", "matmul_v2", "depthwise_conv2d_transpose", "conv3d")
COLUMNS = ("conv2d_transpose", "mul", "matmul", "matmul_v2", "depthwise_conv2d_transpose")  # their weights' channels are dimension 1
WATCHED = (
    "conv2d", "depthwise_conv2d", "mul", "matmul", "relu", "leaky_relu", "relu6", "sigmoid", "tanh", "prelu", "swish", "softmax",
    "batch_norm", "elementwise_add", "pool2d", "reshape2", "transpose2", "concat", "elementwise_mul", "scale",
)  # fmt: skip
_X_AND_Y = (
    "mul", "matmul", "matmul_v2", "elementwise_add", "equal", "greater_equal", "greater_than", "less_equal", "less_than", "not_equal",
    "elementwise_sub", "elementwise_mul", "elementwise_pow", "logical_and",
)  # fmt: skip
_X_ALONE = (
    "pool2d", "concat", "softmax", "argmax", "transpose", "gather", "mean", "reshape", "reshape2", "transpose2", "nearest_interp",
    "trilinear_interp", "squeeze", "relu", "relu6", "leaky_relu", "tanh", "swish", "dropout", "sigmoid", "hard_swish", "hard_sigmoid",
    "pad2d", "pad3d", "flatten", "flatten2", "unsqueeze2", "flatten_contiguous_range", "split", "squeeze2", "nearest_interp_v2",
    "bilinear_interp", "bilinear_interp_v2", "arg_max", "abs", "assign", "cast", "clip", "crop", "cumsum", "expand_v2", "fill_any_like",
    "gelu", "p_norm", "pow", "reduce_mean", "logical_not", "meshgrid", "tile", "reduce_sum", "square", "softplus", "shuffle_channel",
    "reduce_max", "scale",
)  # fmt: skip
# Operators that are known: the slots of what they read, and of what they give.
ACTIVATIONS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    **dict.fromkeys(_X_AND_Y, (("X", "Y"), ("Out",))),
    **dict.fromkeys(_X_ALONE, (("X",), ("Out",))),
    **dict.fromkeys(("slice", "strided_slice", "fill_constant_batch_size_like"), (("Input",), ("Out",))),
    **dict.fromkeys(("batch_norm", "layer_norm", "instance_norm", "stack"), (("X",), ("Y",))),
    **dict.fromkeys(("gru", "lstm"), (("Input", "Weight"), ("Hidden",))),
    **dict.fromkeys(("lookup_table", "lookup_table_v2"), (("W", "Ids"), ("Out",))),
    "prelu": (("X", "Alpha"), ("Out",)),
    "box_coder": (("PriorBox",), ("OutputBox",)),
    "fill_constant": ((), ("Out",)),
    "norm": (("X",), ("Norm",)),
    "top_k_v2": (("X",), ("Out", "Indices")),
    "roi_align": (("X", "ROIs"), ("Out",)),
    "where": (("Condition", "X", "Y"), ("Out",)),
    "grid_sampler": (("X", "Grid"), ("Output",)),
    "group_norm": (("X",), ("Y", "Mean", "Variance")),
}
WEIGHTED = ("conv2d", "depthwise_conv2d", "conv2d_transpose", "mul", "matmul", "matmul_v2")
SUPPORTED = {**dict.fromkeys(WEIGHTED[:3], (("Input", "Filter"), ("Output",))), **ACTIVATIONS}
QUANTIZED, DEQUANTIZED, BOTH, INT8 = ".quantized", ".dequantized", ".quant_dequant", ".int8"


_KINDS = {VarType.INT64: "int64", VarType.INT32: "int32"}


def steps_of(bits: int) -> float:
    return float((1 << (bits - 1)) - 1)


class Pass:
    """What passes have in common: a scope for the states that they make, and Paddle's names for these."""

    _SCALE = "@scale"  # the end of a scale's name
    _is_test: bool | None = None
    _KEEPS_MODE = True  # the first graph tells whether all are for inference
    _FROM_SCOPE = True  # a weight's scale is the last step's, which the scope has
    _scope: Any
    _place: Any

    def _graph(self, graph: Any) -> IrGraph:
        if not isinstance(graph, IrGraph):
            raise failed_assertion("graph", "an IrGraph", graph, type(self).__name__)
        return graph

    def _entered(self, graph: Any) -> IrGraph:
        """The graph to rewrite, which tells whether it is for inference, unless the pass knows."""
        graph = self._graph(graph)
        if self._is_test is None or not self._KEEPS_MODE:
            self._is_test = graph.is_test()
        return graph

    def _held(self, graph: IrGraph, name: str, shape: list[int], value: float, dtype: Any = VarType.FP32, kept: bool = False) -> Any:
        """A persistable variable with a first value in the scope, or the one that is there and kept."""
        node = graph.create_persistable_node(name, VarType.LOD_TENSOR, shape, dtype)
        kind = _KINDS.get(dtype, "float32")
        scope = self._scope or global_scope()
        found: Any = scope.find_var(name) if kept else None
        if found is None or not found.get_tensor()._is_initialized():
            scope.var(name).get_tensor().set(np.full(shape, value, kind), self._place)
        return node

    def _needed(self, value: Any) -> Any:
        """A scope, or a place, which has to be there."""
        if value is None:
            raise failed_assertion("scope", "a Scope and a place", value, type(self).__name__)
        return value

    def _value(self, name: str) -> Any:
        found: Any = (self._scope or global_scope()).find_var(name)
        return np.array(found.get_tensor())

    def _put(self, name: str, value: Any) -> None:
        (self._scope or global_scope()).var(name).get_tensor().set(value, self._place)

    @staticmethod
    def _append(graph: IrGraph, kind: str, attrs: dict[str, Any], inputs: dict[str, Any], outputs: dict[str, Any]) -> Any:
        """A linked operator."""
        node = graph.create_op_node(kind, {"op_role": OpRole.Forward, **attrs}, inputs, outputs)
        for value in inputs.values():
            for each in value if isinstance(value, list) else [value]:
                graph.link_to(each, node)
        for each in outputs.values():
            graph.link_to(node, each)
        return node

    @staticmethod
    def _input(node: Any, name: str) -> Any:
        return next(each for each in node.inputs if each.name() == name)

    @staticmethod
    def _skipped(node: Any, pattern: Any) -> bool:
        """Whether a user left an operator out, by an attribute or a name scope."""
        op = node._op
        if "skip_quant" in op.attrs and op.attrs["skip_quant"]:
            return True
        patterns = [pattern] if isinstance(pattern, str) else list(pattern or [])
        scope = str(op.attrs.get("op_namescope", ""))
        return any(each in scope for each in patterns)

    @staticmethod
    def _is_backward(node: Any) -> bool:
        return bool(node._op.role & OpRole.Backward)

    @staticmethod
    def _drop_unused(graph: IrGraph) -> None:
        graph.safe_remove_nodes({node for node in graph.all_var_nodes() if not node.inputs and not node.outputs})

    def _relink_backward(self, graph: IrGraph, kinds: tuple[str, ...], made: dict[str, Any]) -> None:
        """Have gradient operators read what forward operators read now."""
        for node in graph.all_op_nodes():
            if self._is_backward(node) and node.name() in kinds and not self._skipped(node, getattr(self, "_skip_pattern", [])):
                for var in node.inputs:
                    if var.name() in made:
                        graph.update_input_link(var, made[var.name()], node)


def add_states(owner: Pass, graph: IrGraph, inputs: dict[str, Any], outputs: dict[str, Any], prefix: str, end: str = "") -> None:
    """What a moving average is made of."""
    for slot in ("State", "Accum"):
        before = owner._held(graph, unique_name.generate(f"{prefix}{slot.lower()}{end}"), [1], 1.0)
        inputs[f"In{slot}"], outputs[f"Out{slot}"] = before, graph.create_var_node_from_desc(before.var())
