"""`paddle.quantization.imperative.fuse_utils`: batch norms that become part of the layer before them."""

from __future__ import annotations

import copy
from typing import Any

from paddle_compat import nn
from paddle_compat import tensor as T
from paddle_compat._missing import missing
from paddle_compat.core.errors import UnimplementedError, failed_assertion, type_error
from paddle_compat.quantization.imperative.utils import find_parent_layer_and_sub_name


class Identity(nn.Layer):
    """What takes the place of a layer that is part of another one now."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Any) -> Any:
        """The input itself."""
        return input


def fuse_conv_bn(model: Any) -> None:
    """Put a network into evaluation mode; like Paddle 2.6's, which fuses a copy, it leaves its layers as they are."""
    model.eval()


def fuse_layers(model: Any, layers_to_fuse: list[list[str]], inplace: bool = False) -> Any:
    """Make one layer of a convolution, or a linear layer, and the batch norm behind it; the batch norm's place is taken by `Identity`.

    Args:
        model (Layer): in evaluation mode.
        layers_to_fuse (list): pairs of names.
        inplace (bool): change the network itself.
    Returns:
        Layer: the network.
    """
    model = model if inplace else copy.deepcopy(model)
    for names in layers_to_fuse:
        holders = [find_parent_layer_and_sub_name(model, name) for name in names]
        fused = _fuse_func([getattr(holder, name) for holder, name in holders])
        for (holder, name), layer in zip(holders, fused):
            setattr(holder, name, layer)
    return model


def _fuse_func(layer_list: list[Any]) -> list[Any]:
    """The layers that take the place of some."""
    method = types_to_fusion_method.get(tuple(type(layer) for layer in layer_list))
    if method is None:
        kinds = [" and ".join(kind.__name__ for kind in pair) for pair in types_to_fusion_method]
        raise type_error("layers_to_fuse", f"pairs of {' or '.join(kinds)}", [type(layer).__name__ for layer in layer_list], "fuse_layers")
    fused = method(*layer_list)
    fused._forward_pre_hooks.update(layer_list[0]._forward_pre_hooks)
    fused._forward_post_hooks.update(layer_list[-1]._forward_post_hooks)
    others = [Identity() for _ in layer_list[1:]]
    for other in others:
        other.training = layer_list[0].training
    return [fused, *others]


def _factor(bn: Any) -> Any:
    return T.rsqrt(bn._variance + bn._epsilon)


def _bias(bias: Any, bn: Any) -> Any:
    """The bias that the two layers have together."""
    return (T.zeros_like(bn._mean) if bias is None else bias) - bn._mean


def _fuse(layer: Any, bn: Any, linear: bool) -> Any:
    if layer.training != bn.training:
        raise failed_assertion("layers_to_fuse", "layers that are both in evaluation mode", (layer.training, bn.training), "fuse_layers")
    if layer.training:
        raise UnimplementedError("Batch norms are fused in evaluation mode. Expected model.eval(). Received: a network in training mode")
    fused = copy.deepcopy(layer)
    scale = _factor(bn) if bn.weight is None else bn.weight * _factor(bn)
    shift = _bias(layer.bias, bn) * scale + (0 if bn.bias is None else bn.bias)
    size = [1, -1] if linear else [-1, *[1] * (len(layer.weight.shape) - 1)]
    fused.weight.set_value(layer.weight * T.reshape(scale, size))
    if fused.bias is None:
        del fused.bias
        fused.bias = T.create_parameter([shift.shape[0]], shift.dtype, is_bias=True)
    fused.bias.set_value(shift)
    return fused


def _fuse_conv_bn(conv: Any, bn: Any) -> Any:
    return _fuse(conv, bn, linear=False)


def _fuse_linear_bn(linear: Any, bn: Any) -> Any:
    return _fuse(linear, bn, linear=True)


types_to_fusion_method: dict[tuple[type, ...], Any] = {
    (nn.Conv2D, nn.BatchNorm2D): _fuse_conv_bn, (nn.Linear, nn.BatchNorm1D): _fuse_linear_bn,
}  # fmt: skip

__getattr__ = missing(__name__)
