"""All parameters in one vector, and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion, invalid_argument
from paddle_compat.core.mode import in_dygraph_mode
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.tensor._in_place import overwrite_data
from paddle_compat.tensor.manipulation import concat, reshape


def _need_eager(api: str) -> None:
    assert in_dygraph_mode(), f"`{api}` works in eager mode only. Expected paddle.disable_static(). Received: a call in static mode"


def parameters_to_vector(parameters: Iterable[Any], name: str | None = None) -> Any:
    """The values of parameters, one after the other.

    Args:
        parameters: the parameters.
        name (str, optional): of no effect.
    Returns:
        A Tensor of one dimension, at which gradients stop.
    Raises:
        AssertionError: in static mode.
        IndexError: there are no parameters.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.utils.parameters_to_vector(paddle.nn.Linear(3, 4).parameters()).shape
        [16]

    Follows Paddle 2.6.
    """
    _need_eager("parameters_to_vector")
    parameters = list(parameters)
    if not parameters:
        raise IndexError("Invalid value for argument `parameters` of `parameters_to_vector`. Expected one at least. Received: none")
    with torch.no_grad():
        vector = concat([reshape(parameter, [-1]) for parameter in parameters])
    vector.stop_gradient = False  # gradients stop at it: it does not remember the parameters
    return vector


def vector_to_parameters(vec: Any, parameters: Iterable[Any], name: str | None = None) -> None:
    """Set parameters from the vector that `parameters_to_vector` makes.

    Args:
        vec: a Tensor of one dimension.
        parameters: the parameters.
        name (str, optional): of no effect.
    Raises:
        AssertionError: in static mode; in scripts for Paddle 3, a vector of other than one dimension.
        ValueError: the vector does not have as many elements as the parameters.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.Linear(3, 4)
        >>> paddle.nn.utils.vector_to_parameters(paddle.zeros([16]), layer.parameters())
        >>> float(layer.weight.abs().sum())
        0.0

    Follows Paddle 2.6.
    """
    _need_eager("vector_to_parameters")
    parameters = list(parameters)
    sizes = [parameter._t.numel() for parameter in parameters]
    given = list(vec._t.shape)
    if SINCE_3 and len(given) != 1:
        raise failed_assertion("vec", "one dimension", f"shape {given}", "vector_to_parameters")
    if sum(sizes) > vec._t.numel() or not SINCE_3 and (given[:1] != [sum(sizes)] or vec._t.numel() != sum(sizes)):
        raise invalid_argument("vec", f"{sum(sizes)} elements", f"shape {given}", "vector_to_parameters")
    with torch.no_grad():
        for parameter, part in zip(parameters, vec._t.split([*sizes, given[0] - sum(sizes)])):
            overwrite_data(parameter, part.reshape(parameter._t.shape).clone())  # of the vector's data type, too


__all__ = ["parameters_to_vector", "vector_to_parameters"]

__getattr__ = missing(__name__)
