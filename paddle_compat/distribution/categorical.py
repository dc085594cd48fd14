"""The categorical distribution."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from paddle_compat import tensor as T
from paddle_compat._missing import missing
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.distribution.distribution import Distribution, kind_of, sample_shape

__all__ = ["Categorical"]


class Categorical(Distribution):
    """Whole numbers with a weight for each.

    As in Paddle, `probs` and `log_prob` take `logits` for weights, divided by their sum, while `sample`, `entropy` and
    `kl_divergence` take them for logits, of which the softmax is the chance.

    Args:
        logits: a list, array or tensor whose last dimension is the categories.
        name: prefix of names of operators.
    Raises:
        TypeError: `logits` is none of these.

    Example:
        >>> import paddle_compat as paddle
        >>> categorical = paddle.distribution.Categorical(paddle.to_tensor([1.0, 3.0]))
        >>> categorical.probs(paddle.to_tensor([1])).tolist()
        [0.75]

    Follows Paddle 2.6.
    """

    def __init__(self, logits: Any, name: str | None = None) -> None:
        self.name, self.dtype = name if name is not None else "Categorical", "float32"
        if self._validate_args(logits):
            self.logits, self.dtype = logits, kind_of(logits)
        else:
            self.logits = self._to_tensor(logits)[0]
            if isinstance(logits, np.ndarray) and logits.dtype == np.float64:
                self.dtype, self.logits = "float64", T.cast(self.logits, "float64")
        self._prob = self.logits / self.logits.sum(-1, keepdim=True)
        super().__init__(self.logits.shape[:-1])

    def _log_softmax(self) -> Any:
        """Chances and their logarithms."""
        shifted = self.logits - self.logits.max(-1, keepdim=True)
        weights = T.exp(shifted)
        whole = weights.sum(-1, keepdim=True)
        return weights / whole, shifted - T.log(whole)

    def sample(self, shape: Any = ()) -> Any:
        """Categories by chance."""
        sizes = sample_shape([shape] if SINCE_3 and isinstance(shape, int) else shape, "Categorical.sample")
        chances = self._logits_to_probs(self.logits)
        batch = list(self.logits.shape[:-1])
        if batch:
            chances = chances.reshape([-1, self.logits.shape[-1]])
        drawn = T.multinomial(chances, math.prod(sizes), True)
        return (T.transpose(drawn, [1, 0]) if batch else drawn).reshape(sizes + batch)

    def kl_divergence(self, other: Any) -> Any:
        """The Kullback-Leibler divergence from another categorical distribution; the last dimension stays, with size 1."""
        (chances, logs), (_, others) = self._log_softmax(), other._log_softmax()
        return (chances * (logs - others)).sum(-1, keepdim=True)

    def entropy(self) -> Any:
        """The expected negative logarithm of the chance."""
        chances, logs = self._log_softmax()
        return -(chances * logs).sum(-1)

    def probs(self, value: Any) -> Any:
        """The weight of categories, in parts of the sum of weights."""
        if len(self._prob.shape) == 1:
            return T.gather(self._prob, value.reshape([-1])).reshape(value.shape)
        if len(value.shape) == 1:
            value = T.expand(value, [*self._prob.shape[:-1], value.shape[0]])
        return T.take_along_axis(self._prob, value, -1)

    def log_prob(self, value: Any) -> Any:
        """The logarithm of `probs`."""
        return T.log(self.probs(value))


__getattr__ = missing(__name__)
