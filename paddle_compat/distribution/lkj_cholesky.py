"""The LKJ distribution of correlation matrices."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from paddle_compat import tensor as T
from paddle_compat._missing import missing
from paddle_compat.core import mode
from paddle_compat.core.errors import type_error
from paddle_compat.distribution.beta import Beta
from paddle_compat.distribution.distribution import Distribution
from paddle_compat.distribution.distribution import sample_shape as checked_shape
from paddle_compat.framework.dtype import finfo

__all__ = ["LKJCholesky"]


class LKJCholesky(Distribution):
    """The Lewandowski-Kurowicka-Joe distribution of lower triangular factors of correlation matrices.

    Args:
        dim: rows of a matrix, at least 2.
        concentration: the higher, the nearer to the identity: a positive float or a tensor.
        sample_method: "onion" or "cvine".
    Raises:
        TypeError: `dim` is no int, or `concentration` is neither.
        ValueError: an argument has no such value.

    Example:
        >>> import paddle_compat as paddle
        >>> lkj = paddle.distribution.LKJCholesky(2, 1.0)
        >>> round(float(lkj.log_prob(paddle.eye(2))), 4), lkj.sample([3]).shape
        (-0.6931, [3, 2, 2])

    Follows Paddle 3.3.
    """

    def __init__(self, dim: int = 2, concentration: Any = 1.0, sample_method: str = "onion") -> None:
        (self.concentration,), _ = self._parameters(concentration)
        if dim < 2:
            raise ValueError(f"Expected dim greater than or equal to 2. Found dim={dim}.")
        if not isinstance(dim, int):
            raise type_error("dim", "an int", dim, "LKJCholesky")
        if not mode.is_static() and not bool((self.concentration > 0).all()):
            raise ValueError(f"The arg of `concentration` must be positive. Received: {concentration}")
        if sample_method not in ("onion", "cvine"):
            raise ValueError(f"`method` should be one of 'cvine' or 'onion'. Received: {sample_method!r}")
        self.dim, self.sample_method = dim, sample_method
        super().__init__(self.concentration.shape, (dim, dim))
        marginal = (self.concentration + 0.5 * (dim - 2)).unsqueeze(-1)
        if sample_method == "onion":
            steps = self._numbers([0, *range(dim - 1)])
            self._beta = Beta(steps + 0.5, marginal - 0.5 * steps)
        else:
            columns = marginal - self._numbers(0.5 * np.tril_indices(dim - 1)[1])
            self._beta = Beta(columns, columns)

    def _numbers(self, values: Any) -> Any:
        return T.to_tensor(np.asarray(values, "float64"), dtype=self.dtype)

    def sample(self, sample_shape: Any = ()) -> Any:
        """Factors by chance.

        Args:
            sample_shape: how many, in which shape.
        Returns:
            Tensor, of shape [*sample_shape, *concentration's shape, dim, dim].
        """
        sizes = checked_shape(sample_shape, "LKJCholesky.sample")
        drawn = self._beta.sample(sizes)
        if self.sample_method == "onion":
            return self._onion(drawn, sizes)
        return self._vine(drawn.reshape([*sizes, *self.batch_shape, -1]))  # Beta drops a last dimension of one

    def _onion(self, drawn: Any, sizes: list[int]) -> Any:
        """Row after row: a length that was drawn, in a direction by chance."""
        noise = T.tril(T.randn(list(self._extend_shape(sizes)), self.dtype), -1)
        tiny = finfo(noise.dtype).tiny
        lengths = T.clip(T.sqrt(T.square(noise).sum(-1, keepdim=True)), min=tiny)  # the first row is zeros
        rows = T.sqrt(drawn).unsqueeze(-1) * (noise / lengths)
        return rows + T.diag_embed(T.sqrt(T.clip(1 - T.square(rows).sum(-1), min=tiny)))

    def _vine(self, drawn: Any) -> Any:
        """From partial correlations, the columns of which were drawn alike."""
        below = np.ravel_multi_index(np.tril_indices(self.dim, -1), (self.dim, self.dim))
        placed = T.matmul(2 * drawn - 1, self._numbers(np.eye(self.dim**2)[below]))
        partial = placed.reshape([*placed.shape[:-1], self.dim, self.dim])
        rest = T.cumprod(T.sqrt(1 - T.square(partial)), -1)
        before = T.concat([T.ones_like(rest[..., :1]), rest[..., :-1]], -1)
        return (partial + T.eye(self.dim, dtype=self.dtype)) * before

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density at factors."""
        diagonal = T.diagonal(value, axis1=-2, axis2=-1)[..., 1:]
        powers = 2 * (self.concentration - 1).unsqueeze(-1) + self._numbers(np.arange(self.dim - 2, -1, -1))
        less = self.dim - 1
        alpha = self.concentration + 0.5 * less
        normalizer = 0.5 * less * math.log(math.pi) + T.multigammaln(alpha - 0.5, less) - T.lgamma(alpha) * less
        return (powers * T.log(diagonal)).sum(-1) - normalizer


__getattr__ = missing(__name__)
