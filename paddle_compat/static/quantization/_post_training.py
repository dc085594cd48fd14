"""What post-training quantization of all ages does: run some batches, and round by the magnitudes that they have."""

from __future__ import annotations

import abc
from collections.abc import Iterable
from typing import Any

import numpy as np

from paddle_compat.base._ir_graph import Graph, IrGraph
from paddle_compat.core.dtype import is_float
from paddle_compat.core.errors import UnsupportedError, failed_assertion
from paddle_compat.static.quantization._calibration import ALGORITHMS, Calibration
from paddle_compat.static.quantization._out_scales import note_of_slot, note_threshold
from paddle_compat.static.quantization._passes import ACTIVATIONS, COLUMNS, SUPPORTED

_ACTIVATION_WAYS = ("range_abs_max", "moving_average_abs_max", "abs_max")
_WEIGHT_WAYS = ("abs_max", "channel_wise_abs_max")


def checked(name: str, value: Any, known: Iterable[Any], owner: str) -> Any:
    """A value that has to be one of some."""
    known = tuple(known)
    if value not in known:
        raise failed_assertion(name, f"one of {known}", value, owner)
    return value


def largest_of_weight(value: Any, kind: str, way: str) -> Any:
    """The largest magnitude of a weight of that kind of product: one, or one for each channel."""
    if way == "abs_max":
        return np.abs(value).max()
    axis = 1 if kind in COLUMNS else 0
    return np.abs(value).max(axis=tuple(d for d in range(value.ndim) if d != axis))


class PostTraining(abc.ABC):
    """A Program, the batches to try it on, and what follows from them."""

    _PASSES: Any  # the module with the passes of that age
    _EACH = True  # each result has an attribute of its own
    _SCALE = "@scale"
    _PRODUCTS: tuple[str, ...]
    _CALIBRATION = Calibration
    _ACTIVATIONS: tuple[str, ...] = tuple(ACTIVATIONS)
    _NOTED: tuple[str, ...] = tuple(SUPPORTED)
    _executor: Any
    _scope: Any
    _place: Any
    _program: Any
    _feed_list: list[str]
    _fetch_list: list[Any]
    _onnx_format = _bias_correction = _return_graph = False
    _freeze_model, _round_type = True, "round"
    _skip_tensor_list: Any = None
    _same_scale_tensor_list: Any = None
    _scale_dict: Any = None
    _batch_nums: Any = None
    _batch_size = 10

    def _choose(
        self, algo: str, hist_percent: float, kinds: Any, full: bool, activation_bits: int, weight_bits: int, activation_way: str,
        weight_way: str, algorithms: tuple[str, ...] = ALGORITHMS,
    ) -> None:  # fmt: skip
        owner = type(self).__name__
        checked("algo", algo, algorithms, owner)
        self._algo, self._weight_bits, self._activation_bits = algo, weight_bits, activation_bits
        self._activation_quantize_type = checked("activation_quantize_type", activation_way, _ACTIVATION_WAYS, owner)
        self._weight_quantize_type = checked("weight_quantize_type", weight_way, _WEIGHT_WAYS, owner)
        for kind in kinds:
            checked("quantizable_op_type", kind, (*self._PRODUCTS, *self._ACTIVATIONS), owner)
        self._products = [kind for kind in self._PRODUCTS if full or not kinds or kind in kinds]
        self._activations = [kind for kind in self._ACTIVATIONS if full or kind in kinds]
        self._calibration = self._CALIBRATION(algo, activation_bits, hist_percent, self._onnx_format)

    @abc.abstractmethod
    def _batches(self) -> Iterable[Any]:
        """What to feed, batch by batch."""

    def _grouped(self, samples: Iterable[Any]) -> Iterable[Any]:
        """Batches of samples; what is left over is none."""
        batch: list[Any] = []
        for sample in samples:
            batch.append(sample if isinstance(sample, (list, tuple)) else (sample,))
            if len(batch) == self._batch_size:
                yield [np.stack([np.asarray(value) for value in column]) for column in zip(*batch)]
                batch = []

    @abc.abstractmethod
    def _load(self) -> None:
        """Have the Program, and what it is fed and gives."""

    def _ops(self) -> Iterable[Any]:
        """The operators that are looked at: not convolutions that stay as they are."""
        kinds = {*ACTIVATIONS, *self._products}
        return (op for block in self._program.blocks for op in block.ops if op.type in kinds)

    @staticmethod
    def _names(op: Any, direction: int) -> list[str]:
        """What an operator reads, or gives, in the slots that count."""
        of, there = (op.output, op.output_names) if direction else (op.input, op.input_names)
        return [name for slot in SUPPORTED[op.type][direction] if slot in there for name in of(slot)]

    def _collect(self) -> None:
        """Find the weights, and all that magnitudes are needed of."""
        block = self._program.global_block()
        held = {var.name for var in self._program.list_vars() if var.persistable}
        self._weights: dict[str, str] = {}  # the kind of product that each is of
        sampled: dict[str, None] = {}
        for op in self._ops():
            reads, gives = self._names(op, 0), self._names(op, 1)
            if self._skip_tensor_list and any(name in self._skip_tensor_list for name in (*reads, *gives)):
                op._set_attr("skip_quant", True)
            weighted = op.type in self._products and any(name in held for name in reads)
            if weighted:
                self._weights.update({name: op.type for name in reads if name in held})
            if weighted or op.type in self._activations:
                sampled.update(dict.fromkeys(name for name in reads if name not in held))
            sampled.update(dict.fromkeys(gives))
        floats = {name for name in sampled if (var := block._find_var_recursive(name)) is not None and is_float(var.dtype)}
        self._sampled = [name for name in sampled if name in floats]

    def _sample(self) -> None:
        """Run the batches."""
        looks = [self._calibration.look, self._calibration.count] if self._calibration.twice else [self._calibration.look]
        for look in looks:
            for place, feed in enumerate(self._batches()):
                if self._batch_nums and place >= self._batch_nums:
                    break
                feed = dict(zip(self._feed_list, feed)) if isinstance(feed, (list, tuple)) and not isinstance(feed[0], dict) else feed
                found = self._executor.run(
                    program=self._program, feed=feed, fetch_list=self._sampled, return_numpy=False, scope=self._scope
                )
                for name, value in zip(self._sampled, found):
                    look(name, np.array(value))
        self._thresholds = {name: self._calibration.threshold(name) for name in self._sampled if name in self._calibration.ranges}
        self._thresholds |= {name: float(value) for name, value in (self._scale_dict or {}).items() if name in self._thresholds}
        for group in self._same_scale_tensor_list or ():
            together = [name for name in group if name in self._thresholds]
            if len(together) < len([name for name in group if name not in self._weights]):
                raise UnsupportedError(type(self).__name__, f"same_scale_tensor_list={group}", "names of variables alone")
            self._thresholds |= dict.fromkeys(together, max([self._thresholds[name] for name in together], default=0.0))

    def _quantize(self) -> Any:
        """All of it: gives the Program, or its graph."""
        self._load()
        self._collect()
        self._sample()
        if self._algo != "min_max":
            graph = self._rewritten()
            if self._return_graph:
                return graph
            self._program = graph.to_program()
        if not self._onnx_format:
            self._note()
        return self._program

    def _rewritten(self) -> Any:
        passes, place = self._PASSES, self._place
        end = "V2" if self._onnx_format else ""
        graph = IrGraph(Graph(self._program.desc), for_test=True)
        getattr(passes, f"QuantizationTransformPass{end}")(
            scope=self._scope, place=place, weight_bits=self._weight_bits, activation_bits=self._activation_bits,
            activation_quantize_type=self._activation_quantize_type, weight_quantize_type=self._weight_quantize_type,
            quantizable_op_type=self._products,
        ).apply(graph)  # fmt: skip
        getattr(passes, f"AddQuantDequantPass{end}")(
            scope=self._scope, place=place, quantizable_op_type=self._activations,
            quant_bits=self._activation_bits if self._onnx_format else 8,  # as in Paddle, whatever the products have
        ).apply(graph)  # fmt: skip
        held = {node.name() for node in graph.all_persistable_nodes()}
        for name, value in self._thresholds.items():
            for scale in (name + self._SCALE, f"{name}.quant_dequant{self._SCALE}"):
                if scale in held:
                    self._put(scale, np.array([value], np.float32))
        for name, kind in self._weights.items():
            if name + self._SCALE in held:
                value = largest_of_weight(np.array(self._scope.find_var(name).get_tensor()), kind, self._weight_quantize_type)
                self._put(name + self._SCALE, np.array([value], np.float32))
        self._finish(passes, graph)
        return graph

    def _finish(self, passes: Any, graph: Any) -> None:
        """Have weights hold steps."""
        scope, place = self._scope, self._place
        if not self._onnx_format:
            if self._freeze_model:
                more: dict[str, Any] = {"bias_correction": True} if self._bias_correction else {}
                if self._round_type != "round":
                    more["round_type"] = self._round_type
                passes.QuantizationFreezePass(
                    scope=scope, place=place, weight_bits=self._weight_bits, activation_bits=self._activation_bits,
                    weight_quantize_type=self._weight_quantize_type, quantizable_op_type=self._products, **more,
                ).apply(graph)  # fmt: skip
            return
        if self._freeze_model:
            passes.QuantWeightPass(scope, place, bias_correction=self._bias_correction, quant_bits=self._weight_bits).apply(graph)
        passes.AddQuantDequantForInferencePass(
            scope, place, quant_bits=self._activation_bits, calibration_range_dict=self._thresholds
        ).apply(graph)

    def _put(self, name: str, value: Any) -> None:
        self._scope.var(name).get_tensor().set(value, self._place)

    def _note(self) -> None:
        """Write on operators what is known of them."""
        kinds = {*self._products, *self._activations}
        ranges = self._calibration.ranges
        for op in self._ops():
            if op.type in kinds:
                op._set_attr("quantization_type", f"post_{self._algo.lower()}")
                op._set_attr("with_quant_attr", True)
            names = self._names(op, 1) if op.type in self._NOTED else []
            if self._algo == "min_max":
                if op.type in self._products:
                    for name in (name for name in self._names(op, 0) if name in ranges and name not in self._weights):
                        op._set_attr(f"{name}.min", ranges[name][0])
                        op._set_attr(f"{name}.max", ranges[name][1])
                for name in (name for name in names if name in ranges):
                    op._set_attr("out_min", ranges[name][0])
                    op._set_attr("out_max", ranges[name][1])
                    if self._EACH:
                        note_of_slot(op, name, ranges[name][1])
                continue
            for name in (name for name in names if name in self._thresholds):
                note_threshold(op, name, self._thresholds[name], self._EACH)
