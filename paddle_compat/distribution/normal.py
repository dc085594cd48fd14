"""The normal distribution."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from paddle_compat import tensor as T
from paddle_compat._missing import missing
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.distribution.distribution import HALF_LOG_2PI, Distribution, extended, is_tensor, kind_of

__all__ = ["Normal"]


def _is_complex(value: Any) -> bool:
    return not is_tensor(value) and isinstance(value, (complex, list, tuple, np.ndarray)) and np.iscomplexobj(np.asarray(value))


class Normal(Distribution):
    """The normal distribution.

    Args:
        loc: the mean: a number, list, array or tensor; complex, too.
        scale: the standard deviation.
        name: prefix of names of operators.
    Raises:
        TypeError: a parameter is none of these.
        ValueError: one parameter is a tensor and the other is not.

    Example:
        >>> import paddle_compat as paddle
        >>> normal = paddle.distribution.Normal(loc=[0.0, 1.0], scale=[1.0, 2.0])
        >>> normal.batch_shape, normal.variance.tolist()
        ((2,), [1.0, 4.0])

    Follows Paddle 2.6.
    """

    def __init__(self, loc: Any, scale: Any, name: str | None = None) -> None:
        self.name = name if name is not None else "Normal"
        given = isinstance(loc, complex) or SINCE_3 and _is_complex(loc)
        if given:
            self._keep_complex(loc, scale)
        else:
            (self.loc, self.scale), self.all_arg_is_float = self._parameters(loc, scale)
        # in 2.6, which takes no complex number, the density of complex tensors is that of real ones
        self._both_parts = given or SINCE_3 and kind_of(self.loc) in ("complex64", "complex128")
        super().__init__(self.loc.shape)

    def _keep_complex(self, loc: Any, scale: Any) -> None:
        """A mean that is no tensor, and complex: the standard deviation stays real, and of its own shape."""
        self.dtype = "complex128" if isinstance(loc, np.ndarray) and loc.dtype == "complex128" else "complex64"
        self.loc = T.to_tensor(np.asarray(loc).astype(self.dtype))
        wide = isinstance(scale, np.ndarray) and scale.dtype == "float64"
        self.scale = scale if is_tensor(scale) else T.to_tensor(np.asarray(scale).astype("float64" if wide else "float32"))
        self.all_arg_is_float = isinstance(loc, complex) and isinstance(scale, (int, float))

    def _far(self, other: Any) -> Any:
        """The square of how far complex values are, as a complex number."""
        distance = self.loc - other
        return distance * T.conj(distance)

    @property
    def mean(self) -> Any:
        """The expected value."""
        return self.loc

    @property
    def variance(self) -> Any:
        """The square of the standard deviation."""
        return T.pow(self.scale, 2)

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
            >>> paddle.distribution.Normal(0.0, 1.0).sample([2, 3], seed=1).shape
            [2, 3]

        Follows Paddle 2.6.
        """
        both = self.loc + self.scale
        noise = T.gaussian(extended(shape, both, "Normal.sample"), seed=seed, dtype=self.dtype)
        return T.add(noise * self.scale, self.loc)

    def rsample(self, shape: Any = ()) -> Any:
        """Values by chance that can be differentiated by the parameters."""
        noise = T.gaussian(extended(shape, self.loc, "Normal.rsample"), dtype=self.dtype)
        return T.add(self.loc, noise * self.scale)

    def entropy(self) -> Any:
        """The expected negative logarithm of the density."""
        scales = self.scale + T.zeros_like(self.loc + self.scale)
        if kind_of(self.loc) in ("complex64", "complex128"):  # the real and the imaginary part each have half the variance
            return T.log(T.real(scales)) * 2.0 + (1.0 + math.log(math.pi))
        return T.log(scales) + (0.5 + HALF_LOG_2PI)

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density at values."""
        value = self._check_values_dtype_in_probs(self.loc, value)
        if self._both_parts:
            return -1.0 * self._far(value) / (self.scale * self.scale) - 2.0 * T.log(self.scale) - math.log(math.pi)
        distance = value - self.loc
        return -1.0 * (distance * distance) / (2.0 * (self.scale * self.scale)) - T.log(self.scale) - HALF_LOG_2PI

    def probs(self, value: Any) -> Any:
        """The density at values."""
        value = self._check_values_dtype_in_probs(self.loc, value)
        if self._both_parts:
            return T.exp(-1.0 * self._far(value) / (self.scale * self.scale)) / (math.pi * (self.scale * self.scale))
        distance = value - self.loc
        return T.exp(-1.0 * (distance * distance) / (2.0 * (self.scale * self.scale))) / (math.sqrt(2 * math.pi) * self.scale)

    def kl_divergence(self, other: Any) -> Any:
        """The Kullback-Leibler divergence from another normal distribution."""
        ratio = self.scale / other.scale
        if self._both_parts:
            ratio = ratio * ratio
            return ratio + self._far(other.loc) / (other.scale * other.scale) - 1.0 - T.log(ratio)
        far = (self.loc - other.loc) / other.scale
        ratio = ratio * ratio
        return 0.5 * ratio + 0.5 * (far * far - 1.0 - T.log(ratio))


__getattr__ = missing(__name__)
