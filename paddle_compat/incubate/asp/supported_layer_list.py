"""`paddle.incubate.asp.supported_layer_list`: which layers' weights are pruned, and how."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.base.log_helper import get_logger
from paddle_compat.core.errors import failed_assertion
from paddle_compat.incubate.asp import utils
from paddle_compat.nn.layer.layers import Layer, _convert_camel_to_snake

Pruning = Callable[[Any, int, int, utils.MaskAlgo, str], tuple[Any, Any]]
_logger = get_logger(__name__, logging.INFO, fmt="%(asctime)s-%(levelname)s: %(message)s")


def _default_pruning(weight_nparray: Any, m: int, n: int, func_name: utils.MaskAlgo, param_name: str) -> tuple[Any, Any]:
    """A weight with n zeros of every m neighbours of what a product adds up, and the mask; weights that are too small stay as they are."""
    shape = weight_nparray.shape
    for rank, place, word in ((4, 1, "second"), (2, 0, "first")):
        if len(shape) == rank and shape[place] < m:
            _logger.warning(f"{param_name} is not pruned because the {word} dimension of {shape} is smaller than {m}")
            return weight_nparray, np.ones_like(weight_nparray)
    check = utils.CheckMethod.get_checking_method(func_name)
    mask = utils.create_mask(weight_nparray.T, func_name=func_name, n=n, m=m).T
    pruned = weight_nparray * mask
    if not utils.check_sparsity(pruned.T, n=n, m=m, func_name=check):
        raise failed_assertion("n", f"{n} zeros of every {m} neighbours, which {param_name} cannot have", (n, m), "prune_model")
    return pruned, mask


supported_layers_and_prune_func_map: dict[str, Pruning] = dict.fromkeys(("fc", "linear", "conv2d"), _default_pruning)


def add_supported_layer(layer: Any, pruning_func: Pruning | None = None) -> None:
    """Have the weights of further layers pruned.

    Args:
        layer (str|Layer|type): a layer, its class, or what its parameters' names begin with.
        pruning_func (callable): takes an array, m, n, a `MaskAlgo` and the parameter's name; returns the pruned array and the mask. None:
            what is done for `Linear`.
    Raises:
        AssertionError: it is none of these.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.incubate.asp.add_supported_layer(paddle.nn.Bilinear)

    Follows Paddle 2.6.
    """
    if isinstance(layer, str):
        name = layer
    elif isinstance(layer, Layer):
        name = _convert_camel_to_snake(type(layer).__name__)
    elif issubclass(layer, Layer):
        name = _convert_camel_to_snake(layer.__name__)
    else:
        raise failed_assertion("layer", "a str, a Layer or its class", layer, "add_supported_layer")
    supported_layers_and_prune_func_map[name] = _default_pruning if pruning_func is None else pruning_func


__getattr__ = missing(__name__)
