"""The Bernoulli distribution."""

from __future__ import annotations

from typing import Any

from paddle_compat import tensor as T
from paddle_compat._missing import missing
from paddle_compat.core import mode
from paddle_compat.core.errors import invalid_argument, type_error
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.distribution.distribution import is_tensor, kind_of, same_shapes, sample_shape
from paddle_compat.distribution.exponential_family import ExponentialFamily
from paddle_compat.framework.dtype import finfo

__all__ = ["Bernoulli"]


class Bernoulli(ExponentialFamily):
    """1 with a given chance, else 0.

    Args:
        probs: the chance of 1: a float, list, array or tensor.
        name: prefix of names of operators.
    Raises:
        TypeError: `probs` is none of these.
        ValueError: a chance lies outside [0, 1].

    Example:
        >>> import paddle_compat as paddle
        >>> bernoulli = paddle.distribution.Bernoulli(0.25)
        >>> float(bernoulli.variance)
        0.1875

    Follows Paddle 2.6.
    """

    probs: Any  # the chances; they hide the method

    def __init__(self, probs: Any, name: str | None = None) -> None:
        self.name = name or "Bernoulli"
        tensor = probs if self._validate_args(probs) else self._to_tensor(probs)[0]
        if not SINCE_3 and not mode.is_static() and not bool(((tensor >= 0) & (tensor <= 1)).all()):
            raise ValueError(f"The arg of `probs` must be in range [0, 1]. Received: {probs!r}")
        self.dtype = kind_of(tensor)
        eps = finfo(tensor.dtype).eps
        self.probs = T.clip(tensor, eps, 1 - eps)
        self.logits = self._probs_to_logits(self.probs, is_binary=True)
        super().__init__(self.probs.shape)

    @property
    def mean(self) -> Any:
        """The chance of 1."""
        return self.probs

    @property
    def variance(self) -> Any:
        """The chance of 1 times that of 0."""
        return self.probs * (1 - self.probs)

    def _sizes(self, shape: Any, api: str) -> list[int]:
        return [*sample_shape(shape, api), *self.probs.shape]

    def sample(self, shape: Any = ()) -> Any:
        """Zeros and ones by chance."""
        return T.bernoulli(T.expand(self.probs.detach(), self._sizes(shape, "Bernoulli.sample")))

    def rsample(self, shape: Any = (), temperature: float = 1.0) -> Any:
        """Logits whose sigmoid comes near zeros and ones by chance, and that can be differentiated by `probs`.

        Args:
            shape: how many; a list or tuple of sizes.
            temperature: what the logits are divided by; the lower, the nearer.
        Returns:
            A tensor.
        Raises:
            TypeError: `shape` is no list.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.distribution.Bernoulli(0.25).rsample([2, 3]).shape
            [2, 3]

        Follows Paddle 2.6.
        """
        sizes = self._sizes(shape, "Bernoulli.rsample")
        chances = T.expand(self.probs, sizes)
        noise = T.rand(sizes, self.dtype)
        return (T.log(noise) - T.log1p(-noise) + T.log(chances) - T.log1p(-chances)) / float(temperature)

    def _with(self, value: Any, parameter: Any, api: str) -> list[Any]:
        if not is_tensor(value):
            raise type_error("value", "a tensor", value, api)
        value = self._check_values_dtype_in_probs(parameter, value)
        if kind_of(value) != self.dtype:
            raise invalid_argument("value", f"a tensor of type {self.dtype}", value.dtype, api)
        return same_shapes(parameter, value)

    def cdf(self, value: Any) -> Any:
        """The chance of numbers up to values.

        Args:
            value: a tensor.
        Returns:
            A tensor.
        Raises:
            TypeError: `value` is no tensor.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.distribution.Bernoulli(0.25).cdf(paddle.to_tensor([0.0])).tolist()
            [0.75]

        Follows Paddle 2.6.
        """
        chances, value = self._with(value, self.probs, "Bernoulli.cdf")
        one = T.ones_like(chances)
        return T.where(value < 0, T.zeros_like(chances), T.where(value < 1, one - chances, one))

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the chance of zeros and ones."""
        from paddle_compat.nn import functional

        logits, value = self._with(value, self.logits, "Bernoulli.log_prob")
        return -functional.binary_cross_entropy_with_logits(logits, value, reduction="none")

    def prob(self, value: Any) -> Any:
        """The chance of zeros and ones."""
        return T.exp(self.log_prob(value))

    def entropy(self) -> Any:
        """The expected negative logarithm of the chance."""
        from paddle_compat.nn import functional

        return functional.binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")

    def kl_divergence(self, other: Any) -> Any:
        """The Kullback-Leibler divergence from another Bernoulli distribution."""
        from paddle_compat.nn.functional import softplus

        logits, others = self.logits, other.logits
        there = self.probs * (softplus(-others) - softplus(-logits))
        return there + (1 - self.probs) * (softplus(others) - softplus(logits))


__getattr__ = missing(__name__)
