"""Student's t distribution."""

from __future__ import annotations

import math
from typing import Any

from paddle_compat import tensor as T
from paddle_compat._missing import missing
from paddle_compat.core import mode
from paddle_compat.distribution.distribution import Distribution, is_tensor, kind_of, same_shapes, sample_shape
from paddle_compat.distribution.gamma import Gamma

__all__ = ["StudentT"]


class StudentT(Distribution):
    """Student's t distribution.

    Args:
        df: degrees of freedom: a number, list, array or tensor.
        loc, scale: where it lies and how wide it is: likewise.
        name: kept.
    Raises:
        TypeError: a parameter is none of these.
        ValueError: `df` or `scale` is negative.

    Example:
        >>> import paddle_compat as paddle
        >>> float(paddle.distribution.StudentT(4.0, 0.0, 1.0).variance)
        2.0

    Follows Paddle 3.3.
    """

    def __init__(self, df: Any, loc: Any, scale: Any, name: str | None = None) -> None:
        self.name = "StudentT" if name is None else name
        self.df, self.loc, self.scale = self._alike(df, loc, scale)
        self.dtype = kind_of(self.df)
        for word, value in (("df", self.df), ("scale", self.scale)):
            if not mode.is_static() and not bool((value >= 0).all()):
                raise ValueError(f"Every element of input parameter `{word}` should be nonnegative. Received: {value}")
        super().__init__(self.df.shape)
        self._chi2 = Gamma(0.5 * self.df, T.full_like(self.df, 0.5))

    def _alike(self, *parameters: Any) -> list[Any]:
        """The parameters as tensors of one shape; what is none takes the type of those that are."""
        tensors = [value for value in parameters if is_tensor(value)]
        kind = tensors[0].dtype if tensors else "float32"

        def converted(value: Any) -> Any:
            return value if is_tensor(value) else T.cast(self._to_tensor(float(value) if isinstance(value, int) else value)[0], kind)

        return same_shapes(*map(converted, parameters))

    @property
    def mean(self) -> Any:
        """The expected value; NaN where there is none."""
        return T.where(self.df > 1.0, self.loc, T.full_like(self.loc, float("nan")))

    @property
    def variance(self) -> Any:
        """The expected square of the distance from the mean; NaN where there is none."""
        df = self.df.detach()
        wide = T.where(df > 1.0, T.full_like(df, float("inf")), T.full_like(df, float("nan")))
        return T.where(df > 2.0, self.scale.pow(2) * df / (df - 2), wide)

    def sample(self, shape: Any = ()) -> Any:
        """Numbers by chance."""
        sizes = sample_shape(shape, "StudentT.sample")
        normal = T.normal(shape=list(self._extend_shape(sizes)))
        return self.loc + self.scale * normal * T.rsqrt(self._chi2.sample(sizes) / self.df)

    def _log_beta(self) -> Any:
        return T.lgamma(0.5 * self.df) + math.lgamma(0.5) - T.lgamma(0.5 * (self.df + 1))

    def entropy(self) -> Any:
        """The expected negative logarithm of the density."""
        half = 0.5 * (self.df + 1)
        return T.log(self.scale) + half * (T.digamma(half) - T.digamma(0.5 * self.df)) + 0.5 * T.log(self.df) + self._log_beta()

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density at values."""
        far = (self._check_values_dtype_in_probs(self.df, value) - self.loc) / self.scale
        normalizer = T.log(self.scale) + 0.5 * T.log(self.df) + self._log_beta()
        return -0.5 * (self.df + 1.0) * T.log1p(far**2.0 / self.df) - normalizer

    def prob(self, value: Any) -> Any:
        """The density at values."""
        return T.exp(self.log_prob(value))


__getattr__ = missing(__name__)
