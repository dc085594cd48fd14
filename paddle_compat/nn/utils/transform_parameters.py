"""All parameters in one vector, and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.core.mode import in_dygraph_mode
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

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.utils.parameters_to_vector(paddle.nn.Linear(3, 4).parameters()).shape
        [16]

    Follows Paddle 2.6.
    """
    _need_eager("parameters_to_vector")
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
        AssertionError: in static mode.
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
    if sum(sizes) != vec._t.numel():
        raise ValueError(
            f"Invalid value for argument `vec` of `vector_to_parameters`. Expected {sum(sizes)} elements. Received: {vec._t.numel()}"
        )
    with torch.no_grad():
        for parameter, part in zip(parameters, vec._t.split(sizes)):
            parameter._t.copy_(part.reshape(parameter._t.shape))


__all__ = ["parameters_to_vector", "vector_to_parameters"]

__getattr__ = missing(__name__)
