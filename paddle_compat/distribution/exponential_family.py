"""Distributions of an exponential family."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import mode
from paddle_compat.distribution.distribution import Distribution, undefined

__all__ = ["ExponentialFamily"]


def gradients_of(value: Any, parameters: list[Any]) -> list[Any]:
    """The gradients of a sum, that can themselves be differentiated."""
    if mode.is_static():
        from paddle_compat.core.backward import gradients

        return list(gradients(value, parameters))
    from paddle_compat.autograd._grad import grad

    return list(grad(value, parameters, create_graph=True))


def as_leaves(parameters: Any) -> list[Any]:
    """Copies of tensors that gradients are taken by."""
    leaves = [p.detach() for p in parameters]
    for leaf in leaves:
        leaf.stop_gradient = False
    return leaves


class ExponentialFamily(Distribution):
    """Base class of distributions with natural parameters; a subclass says what these are.

    Args:
        batch_shape: the shape of independent distributions that one object holds.
        event_shape: the shape of one value.

    Example:
        >>> import paddle_compat as paddle
        >>> isinstance(paddle.distribution.Beta(1.0, 2.0), paddle.distribution.ExponentialFamily)
        True

    Follows Paddle 2.6.
    """

    @property
    def _natural_parameters(self) -> Any:
        raise undefined(self, "natural parameters")

    def _log_normalizer(self, *parameters: Any) -> Any:
        raise undefined(self, "normalizer")

    @property
    def _mean_carrier_measure(self) -> Any:
        raise undefined(self, "carrier measure")

    def entropy(self) -> Any:
        """The expected negative logarithm of the density, from the gradient of the normalizer."""
        parameters = as_leaves(self._natural_parameters)
        normalizer = self._log_normalizer(*parameters)
        result = normalizer - self._mean_carrier_measure
        for parameter, gradient in zip(parameters, gradients_of(normalizer, parameters)):
            result = result - parameter * gradient
        return result


__getattr__ = missing(__name__)
