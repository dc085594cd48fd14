"""`fluid.layers.distributions`: probability distributions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import type_error
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.layers._activation import log
from paddle_compat.fluid.layers._filling import assign, cast, diag, fill_constant, fill_constant_batch_size_like
from paddle_compat.fluid.layers._math import elementwise_pow, matmul, reduce_max, reduce_prod, reduce_sum
from paddle_compat.fluid.layers._random import gaussian_random, uniform_random, uniform_random_batch_size_like
from paddle_compat.fluid.layers._record import check_dtype, is_variable, run
from paddle_compat.fluid.layers._reshape import reshape
from paddle_compat.fluid.layers._reshape import shape as shape_of
from paddle_compat.fluid.layers.ops import exp
from paddle_compat.fluid.layers.tensor import create_tensor

_REAL = (VarType.FP32, VarType.FP64)


def _parameters(api: str, **given: Any) -> tuple[list[Variable], bool]:
    """The parameters as Variables, and whether their batch size is unknown."""
    kinds = {is_variable(value) for value in given.values()}
    if len(kinds) > 1:
        raise ValueError(f"Invalid arguments of `{api}`. Expected only Variables, or none. Received: {given}")
    if kinds == {True}:
        return list(given.values()), True
    arrays = []
    for name, value in given.items():
        if not isinstance(value, (float, list, np.ndarray)):
            raise type_error(name, "float, list, numpy.ndarray or Variable", value, api)
        array = np.array([value] if isinstance(value, float) else value)
        arrays.append(array if array.dtype == np.float32 else array.astype("float32"))
    made = []
    for array in np.broadcast_arrays(*arrays):
        made.append(create_tensor("float32"))
        assign(np.ascontiguousarray(array), made[-1])
    return made, False


class Distribution:
    """Base of the distributions.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> isinstance(fluid.layers.Normal(0.0, 1.0), fluid.layers.distributions.Distribution)
        True

    Follows Paddle 1.8.
    """

    def sample(self, shape: list[int], seed: int = 0) -> Variable:
        """Draw numbers of this shape.

        Args:
            shape (list): how many.
            seed (int): 0: any.
        Returns:
            Variable.
        Raises:
            TypeError: the distribution does not define it.

        Example:
            >>> import paddle_compat.fluid as fluid
            >>> with fluid.program_guard(fluid.Program()):
            ...     fluid.layers.Categorical(fluid.data("x", [3])).sample([1])
            Traceback (most recent call last):
            ...
            TypeError: `Categorical` cannot be drawn from. Expected Normal or Uniform.
        """
        raise TypeError(f"`{type(self).__name__}` cannot be drawn from. Expected Normal or Uniform.")

    def entropy(self) -> Variable:
        """The entropy.

        Returns:
            Variable.
        Raises:
            TypeError: the distribution does not define it.
        """
        raise TypeError(f"`{type(self).__name__}` has no entropy. Expected a distribution that defines it.")

    def kl_divergence(self, other: Any) -> Variable:
        """How far another distribution is from this one (Kullback and Leibler).

        Args:
            other: a distribution of the same kind.
        Returns:
            Variable.
        Raises:
            TypeError: the distribution does not define it.

        Example:
            >>> import paddle_compat.fluid as fluid
            >>> with fluid.program_guard(fluid.Program()):
            ...     fluid.layers.Uniform([0.0], [1.0]).kl_divergence(fluid.layers.Uniform([0.0], [2.0]))
            Traceback (most recent call last):
            ...
            TypeError: `Uniform` has no divergence. Expected a distribution that defines it.
        """
        raise TypeError(f"`{type(self).__name__}` has no divergence. Expected a distribution that defines it.")

    def log_prob(self, value: Variable) -> Variable:
        """The logarithm of the density.

        Args:
            value (Variable): where.
        Returns:
            Variable.
        Raises:
            TypeError: the distribution does not define it.

        Example:
            >>> import paddle_compat.fluid as fluid
            >>> with fluid.program_guard(fluid.Program()):
            ...     fluid.layers.Categorical(fluid.data("x", [3])).log_prob(fluid.data("at", [3]))
            Traceback (most recent call last):
            ...
            TypeError: `Categorical` has no density. Expected a distribution that defines it.
        """
        raise TypeError(f"`{type(self).__name__}` has no density. Expected a distribution that defines it.")


class Uniform(Distribution):
    """Equal chances between two bounds.

    Args:
        low, high: floats, lists, numpy arrays or Variables, float32.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     uniform = fluid.layers.Uniform([0.0, 1.0], [3.0, 4.0])
        ...     uniform.sample([5]).shape, uniform.entropy().shape, uniform.log_prob(fluid.data("x", [2])).shape
        ((5, 2), (2,), (2,))

    Follows Paddle 1.8.
    """

    def __init__(self, low: Any, high: Any) -> None:
        self.all_arg_is_float = isinstance(low, float) and isinstance(high, float)
        (self.low, self.high), self.batch_size_unknown = _parameters("Uniform", low=low, high=high)

    def sample(self, shape: list[int], seed: int = 0) -> Variable:
        """Draw numbers.

        Args:
            shape: how many of each.
            seed: 0: any.
        Returns:
            Variable of `shape`, followed by the parameters' shape unless both are floats.
        """
        batch = list((self.low + self.high).shape)
        output = shape + batch
        if self.batch_size_unknown:
            zeros = fill_constant_batch_size_like(self.low + self.high, batch + shape, self.low.dtype, 0.0)
            drawn = uniform_random_batch_size_like(zeros, zeros.shape, min=0.0, max=1.0, seed=seed)
            return reshape(drawn * (zeros + self.high - self.low) + self.low, output)
        drawn = uniform_random(output, seed=seed)
        found = drawn * (fill_constant(output, self.low.dtype, 0.0) + (self.high - self.low))
        found = found + self.low
        return reshape(found, shape) if self.all_arg_is_float else found

    def log_prob(self, value: Variable) -> Variable:
        """The logarithm of the density.

        Args:
            value (Variable): where; it broadcasts with the parameters.
        Returns:
            Variable; outside of the bounds minus infinity.
        Raises:
            TypeError: the value is neither float32 nor float64.
        """
        check_dtype(value, "value", _REAL, "Uniform.log_prob")
        above, below = run("less_than", self.low, value, stop=True), run("less_than", value, self.high, stop=True)
        above, below = cast(above, value.dtype), cast(below, value.dtype)
        return log(above * below) - log(self.high - self.low)

    def entropy(self) -> Variable:
        """The entropy.

        Returns:
            Variable of the parameters' shape.
        """
        return log(self.high - self.low)


class Normal(Distribution):
    """The normal distribution.

    Args:
        loc, scale: mean and standard deviation: floats, lists, numpy arrays or Variables, float32.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     normal, other = fluid.layers.Normal([0.0, 1.0], [3.0, 4.0]), fluid.layers.Normal([0.0, 0.0], [1.0, 1.0])
        ...     normal.sample([5]).shape, normal.entropy().shape, normal.log_prob(fluid.data("x", [2])).shape
        ...     normal.kl_divergence(other).shape
        ((5, 2), (2,), (2,))
        (2,)

    Follows Paddle 1.8.
    """

    def __init__(self, loc: Any, scale: Any) -> None:
        self.all_arg_is_float = isinstance(loc, float) and isinstance(scale, float)
        (self.loc, self.scale), self.batch_size_unknown = _parameters("Normal", loc=loc, scale=scale)

    def sample(self, shape: list[int], seed: int = 0) -> Variable:
        """Draw numbers.

        Args:
            shape: how many of each.
            seed: 0: any.
        Returns:
            Variable of `shape`, followed by the parameters' shape unless both are floats.
        """
        batch = list((self.loc + self.scale).shape)
        output = shape + batch
        if self.batch_size_unknown:
            zeros = fill_constant_batch_size_like(self.loc + self.scale, batch + shape, self.loc.dtype, 0.0)
            drawn = gaussian_random(shape_of(zeros), mean=0.0, std=1.0, seed=seed)
            return reshape(drawn * (zeros + self.scale) + self.loc, output)
        drawn = gaussian_random(output, mean=0.0, std=1.0, seed=seed)
        found = drawn * (fill_constant(output, self.loc.dtype, 0.0) + self.scale)
        found = found + self.loc
        return reshape(found, shape) if self.all_arg_is_float else found

    def entropy(self) -> Variable:
        """The entropy.

        Returns:
            Variable of the parameters' shape.
        """
        batch = list((self.loc + self.scale).shape)
        zeros = fill_constant_batch_size_like(self.loc + self.scale, batch, self.loc.dtype, 0.0)
        return 0.5 + 0.5 * math.log(2 * math.pi) + log(self.scale + zeros)

    def log_prob(self, value: Variable) -> Variable:
        """The logarithm of the density.

        Args:
            value (Variable): where; it broadcasts with the parameters.
        Returns:
            Variable.
        Raises:
            TypeError: the value is neither float32 nor float64.
        """
        check_dtype(value, "value", _REAL, "Normal.log_prob")
        variance = self.scale * self.scale
        log_scale = log(self.scale)
        return -1.0 * ((value - self.loc) * (value - self.loc)) / (2.0 * variance) - log_scale - math.log(math.sqrt(2.0 * math.pi))

    def kl_divergence(self, other: Any) -> Variable:
        """How far another normal distribution is from this one.

        Args:
            other (Normal): the other one.
        Returns:
            Variable of the parameters' shape.
        Raises:
            TypeError: it is none.
        """
        if not isinstance(other, Normal):
            raise type_error("other", "Normal", other, "Normal.kl_divergence")
        ratio = self.scale / other.scale
        ratio = ratio * ratio
        distance = (self.loc - other.loc) / other.scale
        distance = distance * distance
        return 0.5 * (ratio + distance - 1.0 - log(ratio))


class Categorical(Distribution):
    """One of several categories.

    Args:
        logits: the logarithms of the chances, up to a constant, float32; the last dimension holds the categories.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     one, other = (fluid.layers.Categorical(fluid.data(name, [None, 3])) for name in "xy")
        ...     one.entropy().shape, one.kl_divergence(other).shape
        ((-1, 1), (-1, 1))

    Follows Paddle 1.8.
    """

    def __init__(self, logits: Any) -> None:
        (self.logits,), _ = _parameters("Categorical", logits=logits)
        check_dtype(self.logits, "logits", _REAL, "Categorical")

    def kl_divergence(self, other: Any) -> Variable:
        """How far another categorical distribution is from this one.

        Args:
            other (Categorical): the other one.
        Returns:
            Variable [..., 1].
        Raises:
            TypeError: it is none.
        """
        if not isinstance(other, Categorical):
            raise type_error("other", "Categorical", other, "Categorical.kl_divergence")
        logits = self.logits - reduce_max(self.logits, dim=-1, keep_dim=True)
        others = other.logits - reduce_max(other.logits, dim=-1, keep_dim=True)
        exps, other_exps = exp(logits), exp(others)
        total = reduce_sum(exps, dim=-1, keep_dim=True)
        other_total = reduce_sum(other_exps, dim=-1, keep_dim=True)
        chances = exps / total
        return reduce_sum(chances * (logits - log(total) - others + log(other_total)), dim=-1, keep_dim=True)

    def entropy(self) -> Variable:
        """The entropy.

        Returns:
            Variable [..., 1].
        """
        logits = self.logits - reduce_max(self.logits, dim=-1, keep_dim=True)
        exps = exp(logits)
        total = reduce_sum(exps, dim=-1, keep_dim=True)
        chances = exps / total
        return -1.0 * reduce_sum(chances * (logits - log(total)), dim=-1, keep_dim=True)


class MultivariateNormalDiag(Distribution):
    """The normal distribution of vectors whose elements do not depend on each other.

    Args:
        loc: the means, float32 [D].
        scale: a diagonal matrix of the variances, float32 [D, D].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     scale = fluid.layers.diag(fluid.data("s", [2]))
        ...     one, other = (fluid.layers.MultivariateNormalDiag(fluid.data(name, [2]), scale) for name in "xy")
        ...     one.entropy().shape, one.kl_divergence(other).shape
        ((1,), (1,))

    Follows Paddle 1.8.
    """

    def __init__(self, loc: Any, scale: Any) -> None:
        (self.loc, self.scale), _ = _parameters("MultivariateNormalDiag", loc=loc, scale=scale)

    def _determinant(self, value: Variable) -> Variable:
        shape = list(value.shape)
        ones = fill_constant(shape, self.loc.dtype, 1.0)
        identity = diag(fill_constant([shape[0]], self.loc.dtype, 1.0))
        return reduce_prod(value + ones - identity)

    def _inverse(self, value: Variable) -> Variable:
        shape = list(value.shape)
        ones = fill_constant(shape, self.loc.dtype, 1.0)
        identity = diag(fill_constant([shape[0]], self.loc.dtype, 1.0))
        return elementwise_pow(value, ones - 2 * identity)

    def entropy(self) -> Variable:
        """The entropy.

        Returns:
            Variable of shape (1,).
        """
        return 0.5 * (self.scale.shape[0] * (1.0 + math.log(2 * math.pi)) + log(self._determinant(self.scale)))

    def kl_divergence(self, other: Any) -> Variable:
        """How far another such distribution is from this one.

        Args:
            other (MultivariateNormalDiag): the other one.
        Returns:
            Variable of shape (1,).
        Raises:
            TypeError: it is none.
        """
        if not isinstance(other, MultivariateNormalDiag):
            raise type_error("other", "MultivariateNormalDiag", other, "MultivariateNormalDiag.kl_divergence")
        trace = reduce_sum(self._inverse(other.scale) * self.scale)
        location = matmul(other.loc - self.loc, self._inverse(other.scale))
        location = matmul(location, other.loc - self.loc)
        size = list(self.scale.shape)[0]
        logs = log(self._determinant(other.scale)) - log(self._determinant(self.scale))
        return 0.5 * (trace + location - size + logs)


__all__ = ["Categorical", "MultivariateNormalDiag", "Normal", "Uniform"]

__getattr__ = missing(__name__)
