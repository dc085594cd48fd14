"""The normal distribution of vectors."""

from __future__ import annotations

import math
from typing import Any

from paddle_compat import tensor as T
from paddle_compat._missing import missing
from paddle_compat.autograd._modes import no_grad
from paddle_compat.core.dtype import default, dtype_name
from paddle_compat.distribution.distribution import Distribution, kind_of, sample_shape

__all__ = ["MultivariateNormal"]


class MultivariateNormal(Distribution):
    """The normal distribution of vectors, by one of three matrices.

    Args:
        loc: the expected vector: a tensor of floats [..., n], or a number.
        covariance_matrix: [..., n, n], positive definite.
        precision_matrix: the inverse of the covariance.
        scale_tril: the lower triangular factor of the covariance, with a positive diagonal.
    Raises:
        ValueError: none of the matrices is given, or several, or the one that is has less than two dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> normal = paddle.distribution.MultivariateNormal(paddle.zeros([2]), paddle.eye(2) * 4.0)
        >>> normal.variance.tolist(), round(float(normal.log_prob(paddle.zeros([2]))), 4)
        ([4.0, 4.0], -3.2242)

    Follows Paddle 3.3.
    """

    def __init__(self, loc: Any, covariance_matrix: Any = None, precision_matrix: Any = None, scale_tril: Any = None) -> None:
        mean = T.to_tensor([loc], dtype=dtype_name(default())) if isinstance(loc, (int, float)) else loc
        mean = mean if mean.shape else mean.reshape([1])
        self.dtype = kind_of(mean)
        matrices = {"covariance_matrix": covariance_matrix, "precision_matrix": precision_matrix, "scale_tril": scale_tril}
        given = [name for name, matrix in matrices.items() if matrix is not None]
        if len(given) != 1:
            raise ValueError(f"Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified. Received: {given}")
        matrix = matrices[given[0]]
        if len(matrix.shape) < 2:
            raise ValueError(f"`{given[0]}` of MultivariateNormal must be at least two-dimensional. Received: {list(matrix.shape)}")
        matrix = T.cast(matrix, self.dtype)
        batch = T.broadcast_shape(list(matrix.shape[:-2]), list(mean.shape[:-1]))
        self.covariance_matrix = self.precision_matrix = self.scale_tril = None
        setattr(self, given[0], T.expand(matrix, [*batch, *matrix.shape[-2:]]))
        self.loc = T.expand(mean, [*batch, -1])
        self._factor = {"covariance_matrix": T.cholesky, "precision_matrix": _factor_of_inverse}.get(given[0], T.assign)(matrix)
        super().__init__(batch, self.loc.shape[-1:])

    @property
    def mean(self) -> Any:
        """The expected vector."""
        return self.loc

    @property
    def variance(self) -> Any:
        """The expected square of the distance from the mean, of each number of the vector."""
        return T.expand(T.square(self._factor).sum(-1), [*self.batch_shape, *self.event_shape])

    def sample(self, shape: Any = ()) -> Any:
        """Vectors by chance."""
        with no_grad():
            return self.rsample(shape)

    def rsample(self, shape: Any = ()) -> Any:
        """Vectors by chance; gradients pass by the mean and the matrix."""
        sizes = list(self._extend_shape(sample_shape(shape, "MultivariateNormal.rsample")))
        noise = T.cast(T.normal(shape=sizes), self.dtype)
        return self.loc + T.matmul(self._factor, noise.unsqueeze(-1)).squeeze(-1)

    def _half_log_determinant(self) -> Any:
        return T.log(T.diagonal(self._factor, axis1=-2, axis2=-1)).sum(-1)

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density at vectors."""
        far = _squared_distance(self._factor, T.cast(value, self.dtype) - self.loc)
        return -0.5 * (self.event_shape[0] * math.log(2 * math.pi) + far) - self._half_log_determinant()

    def prob(self, value: Any) -> Any:
        """The density at vectors."""
        return T.exp(self.log_prob(value))

    def entropy(self) -> Any:
        """The expected negative logarithm of the density."""
        entropy = 0.5 * self.event_shape[0] * (1.0 + math.log(2 * math.pi)) + self._half_log_determinant()
        return T.expand(entropy, list(self.batch_shape)) if self.batch_shape else entropy

    def kl_divergence(self, other: Any) -> Any:
        """The divergence from another normal distribution of vectors of the same size."""
        if self.batch_shape != other.batch_shape and self.event_shape != other.event_shape:
            raise ValueError(
                "KL divergence of two Multivariate Normal distributions should share the same `batch_shape` and `event_shape`. "
                f"Received: {self.batch_shape}, {self.event_shape} and {other.batch_shape}, {other.event_shape}"
            )
        mine, others = (T.matmul(d._factor, d._factor, transpose_y=True) for d in (self, other))
        spread = T.diagonal(T.solve(others, mine), axis1=-2, axis2=-1).sum(-1)
        far = spread + _squared_distance(other._factor, self.loc - other.loc) - self.event_shape[0]
        return other._half_log_determinant() - self._half_log_determinant() + 0.5 * far


def _factor_of_inverse(matrix: Any) -> Any:
    """The lower triangular factor of a matrix's inverse: turned about, the factor of the matrix is the transposed inverse of it."""
    turned = T.flip(T.cholesky(T.flip(matrix, [-2, -1])), [-2, -1])
    axes = list(range(len(matrix.shape)))
    lower = T.transpose(turned, [*axes[:-2], axes[-1], axes[-2]])
    return T.triangular_solve(lower, T.expand(T.eye(matrix.shape[-1], dtype=matrix.dtype), list(matrix.shape)), upper=False)


def _squared_distance(factor: Any, vectors: Any) -> Any:
    """The squared lengths of vectors, measured by the covariance that a triangular factor stands for."""
    sizes = T.broadcast_shape(list(factor.shape[:-2]), list(vectors.shape[:-1]))
    whole = T.expand(factor, [*sizes, *factor.shape[-2:]])
    return T.square(T.triangular_solve(whole, vectors.unsqueeze(-1), upper=False)).sum([-2, -1])


__getattr__ = missing(__name__)
