"""Weights divided by their largest singular value."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError, type_error
from paddle_compat.core.mode import in_dygraph_mode


def spectral_norm(layer: Any, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None) -> Any:
    """Not there: in Programs Paddle refuses it as well.

    Args:
        layer: a layer.
        name (str): its weight's name.
        n_power_iterations (int): iterations for each call.
        eps (float): the least length.
        dim (int, optional): the dimension of outputs.
    Returns:
        Nothing: it raises.
    Raises:
        TypeError: in static mode.
        UnsupportedError: in eager mode; `paddle.nn.SpectralNorm` does the same as a layer.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.utils.spectral_norm(paddle.nn.Linear(2, 3))  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ...
        paddle_compat.core.errors.UnsupportedError: `nn.utils.spectral_norm` is not supported ...

    Follows Paddle 2.6.
    """
    if not in_dygraph_mode():
        raise type_error("layer", "a layer made in eager mode; in a Program use paddle.static.nn.spectral_norm", layer, "spectral_norm")
    raise UnsupportedError("nn.utils.spectral_norm", None, "paddle.nn.SpectralNorm")


__all__ = ["spectral_norm"]

__getattr__ = missing(__name__)
