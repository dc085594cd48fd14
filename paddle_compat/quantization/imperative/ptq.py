"""`paddle.quantization.imperative.ptq`: the former way to find the thresholds of a trained network."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from paddle_compat import nn
from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.tensor import Tensor
from paddle_compat.nn.quant import quant_layers
from paddle_compat.quantization.imperative import fuse_utils, utils
from paddle_compat.quantization.imperative.ptq_config import PTQConfig, default_ptq_config
from paddle_compat.quantization.imperative.ptq_hooks import quant_forward_post_hook
from paddle_compat.quantization.imperative.ptq_quantizer import AbsmaxQuantizer, PerChannelAbsmaxQuantizer
from paddle_compat.quantization.imperative.ptq_registry import PTQRegistry
from paddle_compat.quantization.imperative.qat import drop_watching, save_with_scales

INFER_MODEL_SUFFIX, INFER_PARAMS_SUFFIX = ".pdmodel", ".pdiparams"


class ImperativePTQ:
    """Finds the thresholds of a trained network in eager mode, and saves it with them.

    Args:
        quant_config (PTQConfig): what watches; the default: KLQuantizer and PerChannelAbsmaxQuantizer.
    Raises:
        AssertionError: it is no PTQConfig.
    """

    def __init__(self, quant_config: PTQConfig = default_ptq_config) -> None:
        if not isinstance(quant_config, PTQConfig):
            raise failed_assertion("quant_config", "a PTQConfig", quant_config, "ImperativePTQ")
        self._quant_config = quant_config

    def quantize(self, model: nn.Layer, inplace: bool = False, fuse: bool = False, fuse_list: Any = None) -> nn.Layer:
        """Have the layers of a network watched.

        Args:
            model (Layer): the network.
            inplace (bool): change the network itself.
            fuse (bool): make one layer each of those in `fuse_list` first.
            fuse_list (list): pairs of names, as of `fuse_layers`.
        Returns:
            Layer: the network, to be called with samples.
        """
        if not isinstance(model, nn.Layer):
            raise failed_assertion("model", "a paddle.nn.Layer", model, "ImperativePTQ.quantize")
        model = model if inplace else copy.deepcopy(model)
        if fuse:
            model.eval()
            model = fuse_utils.fuse_layers(model, fuse_list)
        for layer in model.sublayers():
            if PTQRegistry.is_supported_layer(layer) and utils.is_leaf_layer(layer) and not self._is_skip_layer(layer):
                config = copy.deepcopy(self._quant_config)
                config.enable_in_act_quantizer = PTQRegistry.is_simulated_quant_layer(layer)
                config.quant_hook_handle = layer.register_forward_post_hook(quant_forward_post_hook)
                layer._quant_config = config
        return model

    def save_quantized_model(self, model: nn.Layer, path: str, input_spec: Any = None, **config: Any) -> None:
        """Work the thresholds out, have products round, and save the network; thresholds are attributes of its operators.

        Args:
            model (Layer): what `quantize` gave, after samples.
            path (str): folder and prefix of the files' names.
            input_spec (list): as of `paddle.jit.save`.
            config: as of `paddle.jit.save`.
        """
        if not isinstance(model, nn.Layer):
            raise failed_assertion("model", "a paddle.nn.Layer", model, "save_quantized_model")
        thresholds: dict[str, float] = {}
        hooks = [
            layer.register_forward_post_hook(_noting(layer, thresholds)) for layer in self._convert(model).sublayers() if _is_quant(layer)
        ]

        def gather(program: Any, scope: Any, fetches: list[Any]) -> list[Any]:
            _note_outputs(program, thresholds)
            self._gather_input_thresholds(program, scope)
            return drop_watching(program, fetches)

        save_with_scales(model, path, input_spec, config, gather)
        for hook in hooks:
            hook.remove()

    def _convert(self, model: nn.Layer) -> nn.Layer:
        for layer in model.sublayers():
            if self._is_quant_layer(layer) and layer._quant_config.quant_hook_handle is not None:
                layer._quant_config.quant_hook_handle.remove()
                layer._quant_config.quant_hook_handle = None
        self._cal_thresholds(model)
        self._wrap_simulated_layers(model)
        return model

    def _cal_thresholds(self, model: nn.Layer) -> None:
        for layer in model.sublayers():
            if self._is_quant_layer(layer):
                config: PTQConfig = layer._quant_config
                if config.enable_in_act_quantizer:
                    config.in_act_quantizer.cal_thresholds()
                    config.wt_quantizer.sample_data(layer, (layer.weight,))
                    config.wt_quantizer.cal_thresholds()
                config.out_act_quantizer.cal_thresholds()

    def _wrap_simulated_layers(self, model: nn.Layer) -> None:
        """Put layers that round, with the thresholds that were found, in the places of products."""
        for name, layer in list(model.named_sublayers()):
            if not (self._is_quant_layer(layer) and PTQRegistry.is_simulated_quant_layer(layer)):
                continue
            config: PTQConfig = layer._quant_config
            by_channels = isinstance(config.wt_quantizer, PerChannelAbsmaxQuantizer)
            made = getattr(quant_layers, f"Quantized{type(layer).__name__}")(
                layer, weight_quantize_type="channel_wise_abs_max" if by_channels else "abs_max",
                activation_quantize_type="moving_average_abs_max", weight_bits=config.wt_quantizer.quant_bits,
                activation_bits=config.in_act_quantizer.quant_bits,
            )  # fmt: skip
            made._fake_quant_input._scale.set_value(np.array(config.in_act_quantizer.thresholds[:1], "float32"))
            weight = np.array(config.wt_quantizer.thresholds[:1], "float32").reshape(-1)
            made._fake_quant_weight._scale.set_value(weight)
            made._quant_config = config
            holder, last = utils.find_parent_layer_and_sub_name(model, name)
            setattr(holder, last, made)

    def _gather_input_thresholds(self, program: Any, scope: Any) -> None:
        """Note on operators what is known of their inputs."""
        for block in program.blocks:
            for op in block.ops:
                if op.type in utils.fake_quantize_dequantize_op_types:
                    scale = utils.fp_numpy_to_naive(utils.load_variable_data(scope, op.output("OutScale")[0]))
                    readers, name = utils.find_next_ops(block, op.output("Out")[0]), op.output("Out")[0]
                elif "out_threshold" in op.attrs:
                    scale, name = op.attr("out_threshold"), op.output_arg_names[0]
                    name = op.output("Y")[0] if op.type == "batch_norm" else name
                    readers = utils.find_next_ops(block, name)
                else:
                    continue
                for reader in readers:
                    if reader.type not in (*utils.fake_quantize_dequantize_op_types, "fetch"):
                        for slot in list(utils.slots_of(reader, name))[-1:]:
                            reader._set_attr(f"{slot}_threshold", scale)
                            reader._set_attr("with_quant_attr", True)

    @staticmethod
    def _is_skip_layer(layer: Any) -> bool:
        return getattr(layer, "skip_quant", False) is True

    @staticmethod
    def _is_quant_layer(layer: Any) -> bool:
        return _is_quant(layer)


def _is_quant(layer: Any) -> bool:
    return hasattr(layer, "_quant_config")


def _noting(layer: Any, thresholds: dict[str, float]) -> Any:
    """A hook that remembers under which name a layer's output is recorded."""
    quantizer = layer._quant_config.out_act_quantizer
    known = quantizer.thresholds or (quantizer.abs_max_vals if isinstance(quantizer, AbsmaxQuantizer) else [])

    def hook(layer: Any, inputs: Any, outputs: Any) -> None:
        if not isinstance(outputs, Tensor) and known:
            thresholds[outputs.name] = float(known[0])

    return hook


def _note_outputs(program: Any, thresholds: dict[str, float]) -> None:
    for block in program.blocks:
        for op in block.ops:
            for name in op.output_arg_names:
                if name in thresholds:
                    for slot in utils.slots_of(op, name, output=True):
                        op._set_attr(f"{slot}_threshold", thresholds[name])
                    op._set_attr("out_threshold", thresholds[name])
                    op._set_attr("with_quant_attr", True)
                    product = utils.find_previous_op(block, op.input("X")[0]) if op.type == "elementwise_add" else None
                    if product is not None and product.type == "matmul_v2":  # a linear layer's: its product has the threshold, too
                        product._set_attr("Out0_threshold", thresholds[name])
                        product._set_attr("out_threshold", thresholds[name])


__getattr__ = missing(__name__)
