"""`paddle.quantization.imperative.qat`: the former way to train with rounded values."""

from __future__ import annotations

import os
from typing import Any

from paddle_compat import nn, static
from paddle_compat._missing import missing
from paddle_compat.core import mode
from paddle_compat.core.errors import UnsupportedError, failed_assertion
from paddle_compat.nn.quant import quant_layers
from paddle_compat.quantization.imperative import fuse_utils, utils

INFER_MODEL_SUFFIX, INFER_PARAMS_SUFFIX = ".pdmodel", ".pdiparams"
_PARALLEL = ("ColumnParallelLinear", "RowParallelLinear")


class ImperativeQuantAware:
    """Prepares networks in eager mode for training with rounded values, and saves them with the scales that they have found.

    Args:
        quantizable_layer_type (list): names or classes of layers: "Conv2D", "Linear", "Conv2DTranspose".
        weight_quantize_type (str): "abs_max", "channel_wise_abs_max", "lsq_weight" or "channel_wise_lsq_weight".
        activation_quantize_type (str): "moving_average_abs_max" or "lsq_act".
        weight_bits, activation_bits (int): how many bits tell the steps apart.
        moving_rate (float): the share that a former average keeps.
        fuse_conv_bn (bool): put the network into evaluation mode, which is what Paddle does.
        weight_preprocess_layer, act_preprocess_layer: classes of layers that are called before.
        weight_quantize_layer, act_quantize_layer: classes of layers that round instead.
        onnx_format (bool): watch the outputs of quantized layers only; saving is not supported then.
    Raises:
        AssertionError: there is no such way, or too many bits.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.quantization import ImperativeQuantAware
        >>> network = ImperativeQuantAware().quantize(paddle.nn.Sequential(paddle.nn.Linear(4, 2)))
        >>> network[0]._layer
        QuantizedLinear(
          (_fake_quant_weight): FakeQuantAbsMax()
          (_fake_quant_input): FakeQuantMovingAverageAbsMax()
        )

    Follows Paddle 2.6.
    """

    def __init__(
        self, quantizable_layer_type: list[Any] = ["Conv2D", "Linear", "Conv2DTranspose", *_PARALLEL],  # noqa: B006
        weight_quantize_type: str = "abs_max", activation_quantize_type: str = "moving_average_abs_max", weight_bits: int = 8,
        activation_bits: int = 8, moving_rate: float = 0.9, fuse_conv_bn: bool = False, weight_preprocess_layer: Any = None,
        act_preprocess_layer: Any = None, weight_quantize_layer: Any = None, act_quantize_layer: Any = None, onnx_format: bool = False,
    ) -> None:  # fmt: skip
        self.fuse_conv_bn = fuse_conv_bn
        self._quantize_inputs = ImperativeQuantizeInputs(
            quantizable_layer_type, weight_quantize_type, activation_quantize_type, weight_bits, activation_bits, moving_rate,
            weight_preprocess_layer, act_preprocess_layer, weight_quantize_layer, act_quantize_layer,
        )  # fmt: skip
        self._quantize_outputs = ImperativeQuantizeOutputs(moving_rate, activation_bits, onnx_format)

    def quantize(self, model: nn.Layer) -> nn.Layer:
        """Put layers that round, and layers that watch, into a network.

        Args:
            model (Layer): changed in place. Layers with an attribute `skip_quant` that is True stay.
        Returns:
            Layer: the same network.
        Raises:
            AssertionError: the model is no layer.
        """
        if not isinstance(model, nn.Layer):
            raise failed_assertion("model", "a paddle.nn.Layer", model, "quantize")
        if self.fuse_conv_bn:
            fuse_utils.fuse_conv_bn(model)
        self._quantize_inputs.apply(model)
        self._quantize_outputs.apply(model)
        return model

    def save_quantized_model(self, layer: nn.Layer, path: str, input_spec: Any = None, **config: Any) -> None:
        """Save a network for inference; the scales are attributes of its operators.

        Args:
            layer (Layer): the trained network.
            path (str): folder and prefix of the files' names.
            input_spec (list): as of `paddle.jit.save`.
            config: as of `paddle.jit.save`.
        """
        self._quantize_outputs.save_quantized_model(layer, path, input_spec, **config)


class ImperativeQuantizeInputs:
    """Puts layers that round their weights and inputs in the places of plain ones."""

    def __init__(
        self, quantizable_layer_type: list[Any] = ["Conv2D", "Linear", "Conv2DTranspose"],  # noqa: B006
        weight_quantize_type: str = "abs_max", activation_quantize_type: str = "moving_average_abs_max", weight_bits: int = 8,
        activation_bits: int = 8, moving_rate: float = 0.9, weight_preprocess_layer: Any = None, act_preprocess_layer: Any = None,
        weight_quantize_layer: Any = None, act_quantize_layer: Any = None,
    ) -> None:  # fmt: skip
        kinds = [utils.layer_name_map.get(each, each) for each in quantizable_layer_type]
        for kind in kinds:
            if kind not in utils.fake_quant_input_layers and kind not in _PARALLEL:
                raise failed_assertion("quantizable_layer_type", "Conv2D, Linear or Conv2DTranspose", kind, "ImperativeQuantAware")
        self._quantizable_layer_type = tuple(kind for kind in kinds if isinstance(kind, type))
        self._parallel = tuple(kind for kind in kinds if isinstance(kind, str))
        for name, kind, known in (
            ("weight_quantize_type", weight_quantize_type, ("abs_max", "channel_wise_abs_max", "lsq_weight", "channel_wise_lsq_weight")),
            ("activation_quantize_type", activation_quantize_type, ("moving_average_abs_max", "lsq_act")),
        ):
            if kind not in known:
                raise failed_assertion(name, f"one of {known}", kind, "ImperativeQuantAware")
        for name, bits in (("weight_bits", weight_bits), ("activation_bits", activation_bits)):
            if not (isinstance(bits, int) and 0 <= bits <= 16):
                raise failed_assertion(name, "1, 2, ... or 16", bits, "ImperativeQuantAware")
        for layer in (weight_preprocess_layer, act_preprocess_layer, weight_quantize_layer, act_quantize_layer):
            if layer is not None and not issubclass(layer, nn.Layer):
                raise failed_assertion("a preprocess or quantize layer", "a subclass of paddle.nn.Layer", layer, "ImperativeQuantAware")
        self._kwargs = {
            "weight_quantize_type": weight_quantize_type, "activation_quantize_type": activation_quantize_type, "weight_bits": weight_bits,
            "activation_bits": activation_bits, "moving_rate": moving_rate, "weight_pre_layer": weight_preprocess_layer,
            "act_pre_layer": act_preprocess_layer, "weight_quant_layer": weight_quantize_layer, "act_quant_layer": act_quantize_layer,
        }  # fmt: skip

    def apply(self, model: nn.Layer) -> None:
        """Replace layers of a network."""
        for name, layer in list(model.named_sublayers()):
            chosen = isinstance(layer, self._quantizable_layer_type) or type(layer).__name__ in self._parallel
            if chosen and getattr(layer, "skip_quant", False) is not True:
                holder, last = utils.find_parent_layer_and_sub_name(model, name)
                setattr(holder, last, self._get_input_quantized_layer(layer))

    def _get_input_quantized_layer(self, layer: Any) -> Any:
        kinds = {kind.__name__: f"Quantized{kind.__name__}" for kind in utils.fake_quant_input_layers if isinstance(layer, kind)}
        name = next(iter(kinds.values()), f"Quantized{type(layer).__name__}")
        return getattr(quant_layers, name)(layer, **self._kwargs)


class ImperativeQuantizeOutputs:
    """Puts layers around others that watch, or round, what these give."""

    def __init__(self, moving_rate: float = 0.9, activation_bits: int = 8, onnx_format: bool = False) -> None:
        self._moving_rate, self._activation_bits, self._onnx_format = moving_rate, activation_bits, onnx_format

    def apply(self, model: nn.Layer) -> None:
        """Wrap layers of a network."""
        for name, layer in list(model.named_sublayers()):
            if "_act_preprocess" in name or not self._is_target_layer(layer):
                continue
            holder, last = utils.find_parent_layer_and_sub_name(model, name)
            if isinstance(layer, tuple(utils.fake_quant_output_layers)):
                made: nn.Layer = quant_layers.FakeQuantMAOutputScaleLayer(layer)  # with its own settings, as in Paddle
            else:
                made = quant_layers.MAOutputScaleLayer(layer, self._moving_rate)
            setattr(holder, last, made)

    def _is_target_layer(self, layer: nn.Layer) -> bool:
        if isinstance(layer, tuple(utils.fake_quant_wrap_layers)) or isinstance(layer, tuple(utils.fake_quant_output_layers)):
            return True
        known = isinstance(layer, tuple(utils.fake_quant_leaf_layers))
        return utils.is_leaf_layer(layer) and not known and not self._onnx_format

    def save_quantized_model(self, model: nn.Layer, path: str, input_spec: Any = None, **config: Any) -> None:
        """Save a network for inference, with the scales as attributes of its operators."""
        if not isinstance(model, nn.Layer):
            raise failed_assertion("model", "a paddle.nn.Layer", model, "save_quantized_model")
        if self._onnx_format:
            raise UnsupportedError("save_quantized_model", "onnx_format=True", "paddle.quantization.QAT.convert and paddle.jit.save")
        save_with_scales(model, path, input_spec, config, gather_scales)


def save_with_scales(model: nn.Layer, path: str, input_spec: Any, config: dict[str, Any], gather: Any) -> None:
    """Save a network, and once more with what is gathered of its scales."""
    from paddle_compat import jit

    jit.save(model, path, input_spec, **config)
    eager = mode.in_dygraph_mode()
    mode.enable_static()
    try:
        with static.scope_guard(static.Scope()):
            executor = static.Executor()
            program, feeds, fetches = static.load_inference_model(path, executor)
            fetches = gather(program, static.global_scope(), fetches)
            set_skip_quant_attr(program)
            inputs = [program.global_block().var(name) for name in feeds]
            folder = os.path.dirname(path)
            os.makedirs(folder or ".", exist_ok=True)
            static.save_inference_model(path, inputs, fetches, executor, program=program.clone(), clip_extra=False)
    finally:
        if eager:
            mode.disable_static()


def gather_scales(program: Any, scope: Any, fetch_targets: list[Any]) -> list[Any]:
    """Note scales on the operators that read, or make, what has one; what only watched goes."""
    names = [target.name for target in fetch_targets]
    for block in program.blocks:
        for op in list(block.ops):
            if op.type in utils.fake_quantize_dequantize_op_types:
                scale = utils.fp_numpy_to_naive(utils.load_variable_data(scope, op.output("OutScale")[0]))
                _note(utils.find_next_ops(block, op.output("Out")[0]), op.output("Out")[0], scale)
            elif op.type == "moving_average_abs_max_scale":
                scale = utils.fp_numpy_to_naive(utils.load_variable_data(scope, op.output("OutScale")[0]))
                source, out = op.input("X")[0], op.output("Out")[0]
                before = utils.find_previous_op(block, source)
                if before is not None and "feed" not in before.type:
                    _note([before], source, scale, output=True)
                _note([each for each in utils.find_next_ops(block, out) if each.type != "fetch"], out, scale)
                names = _without(block, op, names)
    return [program.global_block().var(name) for name in names]


def drop_watching(program: Any, fetch_targets: list[Any]) -> list[Any]:
    """Remove what only watches."""
    names = [target.name for target in fetch_targets]
    for block in program.blocks:
        for op in [op for op in block.ops if op.type == "moving_average_abs_max_scale"]:
            names = _without(block, op, names)
    return [program.global_block().var(name) for name in names]


def _without(block: Any, op: Any, names: list[str]) -> list[str]:
    """Remove an operator that hands its input on; and what is fetched instead of the given names."""
    source, out = op.input("X")[0], op.output("Out")[0]
    for each in utils.find_next_ops(block, out):
        each._rename_input(out, source)
    block._remove_op(block.ops.index(op))
    return [source if name == out else name for name in names]


def _note(ops: list[Any], name: str, scale: Any, output: bool = False) -> None:
    for op in ops:
        if op.type in utils.fake_quantize_dequantize_op_types:
            continue
        for slot in list(utils.slots_of(op, name, output))[-1:]:  # one place is noted, as in Paddle
            op._set_attr(f"{slot}_threshold", scale)
        if output:
            op._set_attr("out_threshold", scale)
        op._set_attr("with_quant_attr", True)


def set_skip_quant_attr(program: Any) -> None:
    """Mark the products of which an operand is not rounded."""
    for block in program.blocks:
        for op in block.ops:
            if op.type in utils.weight_op_types and _is_skip_quant_op(block, op):
                op._set_attr("skip_quant", 1)
                op._set_attr("with_quant_attr", True)


def _is_skip_quant_op(block: Any, in_op: Any) -> bool:
    before = [utils.find_previous_op(block, name) for name in in_op.input_arg_names]
    return any(op is not None and op.type not in utils.fake_quantize_dequantize_op_types for op in before)


__getattr__ = missing(__name__)
