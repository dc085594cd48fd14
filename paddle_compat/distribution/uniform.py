"""The uniform distribution."""

from __future__ import annotations

from typing import Any

from paddle_compat import tensor as T
from paddle_compat._missing import missing
from paddle_compat.distribution.distribution import Distribution, extended

__all__ = ["Uniform"]


class Uniform(Distribution):
    """Values that are equally likely in [low, high).

    Args:
        low, high: the range: numbers, lists, arrays or tensors.
        name: prefix of names of operators.
    Raises:
        TypeError: a parameter is none of these.
        ValueError: one parameter is a tensor and the other is not.

    Example:
        >>> import paddle_compat as paddle
        >>> uniform = paddle.distribution.Uniform(low=0.0, high=4.0)
        >>> uniform.probs(paddle.to_tensor([1.0, 5.0])).tolist()
        [0.25, 0.0]

    Follows Paddle 2.6.
    """

    def __init__(self, low: Any, high: Any, name: str | None = None) -> None:
        self.name = name if name is not None else "Uniform"
        (self.low, self.high), self.all_arg_is_float = self._parameters(low, high)
        self.batch_size_unknown = any(size < 0 for size in self.low.shape)
        super().__init__(self.low.shape)

    def sample(self, shape: Any = (), seed: int = 0) -> Any:
        """Values by chance.

        Args:
            shape: how many; a list or tuple of sizes.
            seed: a seed of its own; 0: that of `paddle.seed`.
        Returns:
            A tensor.
        Raises:
            TypeError: `shape` is no list.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.distribution.Uniform(0.0, 1.0).sample([2, 3], seed=1).shape
            [2, 3]

        Follows Paddle 2.6.
        """
        sizes = extended(shape, self.low + self.high, "Uniform.sample")
        drawn = T.uniform(sizes, self.dtype, 0.0, 1.0, seed)
        if self.batch_size_unknown:
            drawn = T.reshape(drawn, sizes)  # which says the sizes that are known
        return drawn * (self.high - self.low) + self.low

    def _inside(self, value: Any) -> Any:
        """1 where a value lies in the range, 0 elsewhere."""
        return T.cast(self.low < value, self.low.dtype) * T.cast(value < self.high, self.low.dtype)

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density at values."""
        value = self._check_values_dtype_in_probs(self.low, value)
        return T.log(self._inside(value)) - T.log(self.high - self.low)

    def probs(self, value: Any) -> Any:
        """The density at values."""
        value = self._check_values_dtype_in_probs(self.low, value)
        return self._inside(value) / (self.high - self.low)

    def entropy(self) -> Any:
        """The logarithm of the range."""
        return T.log(self.high - self.low)


__getattr__ = missing(__name__)
