"""Initializers that draw numbers, from the generator that `paddle.seed` starts."""

from __future__ import annotations

import math
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion, invalid_argument, need_given
from paddle_compat.core.paddle3 import SINCE_3, placed
from paddle_compat.nn.initializer.base import Initializer, calculate_gain, fans, fill, seed_of


class Normal(Initializer):
    """Normally distributed numbers.

    Args:
        mean (float): their mean.
        std (float): their standard deviation.
        name: kept.

    Example:
        >>> import paddle_compat as paddle
        >>> start = paddle.nn.initializer.Normal(0.0, 0.02)
        >>> paddle.create_parameter([3, 4], "float32", default_initializer=start).shape
        [3, 4]

    Follows Paddle 2.6.
    """

    _type: str = "gaussian_random"
    _wide: str | None = None
    _more: dict[str, Any] = {}  # further attributes

    def __init__(self, mean: float = 0.0, std: float = 1.0, name: str | None = None) -> None:
        need_given(type(self).__name__, mean=mean, std=std)
        self._mean, self._std_dev, self._seed = mean, std, 0

    def forward(self, var: Any, block: Any = None) -> Any:
        """Fill `var`."""
        attrs = {"mean": float(self._mean), "std": float(self._std_dev), "seed": seed_of(self, var, block), **self._more}
        return fill(var, block, self._type, attrs, self._wide)


@placed("a b name")
class TruncatedNormal(Normal):
    """Normally distributed numbers within two standard deviations of the mean, or within bounds.

    Args:
        mean (float): the mean before the cut.
        std (float): the standard deviation before the cut.
        name: kept; a number counts as `a`, as Paddle 3 has the bounds before the name.
        b, a (float): the bounds; None: two standard deviations from the mean, in scripts for Paddle 3 -2 and 2.

    Example:
        >>> import paddle_compat as paddle
        >>> start = paddle.nn.initializer.TruncatedNormal(std=0.02)
        >>> paddle.create_parameter([3, 4], "float32", default_initializer=start).shape
        [3, 4]

    Follows Paddle 2.6.
    """

    _type = _wide = "truncated_gaussian_random"

    def __init__(
        self, mean: float = 0.0, std: float = 1.0, name: Any = None, b: float | None = None, *, a: float | None = None
    ) -> None:
        if isinstance(name, (int, float)):  # Paddle 3 has the bounds before the name
            a, name = name, None
        if SINCE_3:
            a, b = -2.0 if a is None else a, 2.0 if b is None else b
        super().__init__(mean, std, name)
        if a is not None or b is not None:
            bounds = ((-2.0, a), (2.0, b))
            self._more = {"_bounds": tuple(two if bound is None or not std else (bound - mean) / std for two, bound in bounds)}


class Uniform(Initializer):
    """Evenly distributed numbers.

    Args:
        low (float): the lower bound.
        high (float): the upper bound, which is not reached.
        name: kept.

    Example:
        >>> import paddle_compat as paddle
        >>> start = paddle.nn.initializer.Uniform(-0.1, 0.1)
        >>> paddle.create_parameter([3, 4], "float32", default_initializer=start).shape
        [3, 4]

    Follows Paddle 2.6.
    """

    def __init__(self, low: float = -1.0, high: float = 1.0, name: str | None = None) -> None:
        need_given("Uniform", low=low, high=high)
        if high < low:
            raise failed_assertion("high", f"at least low, {low}", high, "Uniform")
        self._low, self._high, self._seed = low, high, 0

    def forward(self, var: Any, block: Any = None) -> Any:
        """Fill `var`."""
        attrs = {"min": float(self._low), "max": float(self._high), "seed": seed_of(self, var, block)}
        return fill(var, block, "uniform_random", attrs, "uniform_random")


def _spread(initializer: Any, var: Any, block: Any, std: float, uniform: bool, wide: str) -> Any:
    """Numbers with mean 0 and the standard deviation `std`."""
    seed = seed_of(initializer, var, block)
    if uniform:
        limit = math.sqrt(3.0) * std
        return fill(var, block, "uniform_random", {"min": -limit, "max": limit, "seed": seed}, wide)
    return fill(var, block, "gaussian_random", {"mean": 0.0, "std": std, "seed": seed}, wide)


@placed("gain name")
class XavierNormal(Initializer):
    """Glorot's: normally distributed with variance 2 / (fan_in + fan_out).

    Args:
        fan_in (float): numbers that go into one output; None: from the parameter's shape.
        fan_out (float): outputs that one number goes into; None: from the parameter's shape.
        name: kept.
        gain (float): factor on the standard deviation.

    Example:
        >>> import paddle_compat as paddle
        >>> start = paddle.nn.initializer.XavierNormal()
        >>> paddle.create_parameter([3, 4], "float32", default_initializer=start).shape
        [3, 4]

    Follows Paddle 2.6.
    """

    _uniform = False

    def __init__(self, fan_in: float | None = None, fan_out: float | None = None, name: str | None = None, gain: float = 1.0) -> None:
        self._fan_in, self._fan_out, self._gain, self._seed = fan_in, fan_out, gain, 0

    def forward(self, var: Any, block: Any = None) -> Any:
        """Fill `var`."""
        into, out_of = fans(var)
        total = (into if self._fan_in is None else self._fan_in) + (out_of if self._fan_out is None else self._fan_out)
        std = self._gain * math.sqrt(2.0 / float(total or 1))  # there may be nothing to fill
        return _spread(self, var, block, std, self._uniform, "xavier_init")


class XavierUniform(XavierNormal):
    """Glorot's: evenly distributed with variance 2 / (fan_in + fan_out).

    Args:
        fan_in (float): numbers that go into one output; None: from the parameter's shape.
        fan_out (float): outputs that one number goes into; None: from the parameter's shape.
        name: kept.
        gain (float): factor on the standard deviation.

    Example:
        >>> import paddle_compat as paddle
        >>> start = paddle.nn.initializer.XavierUniform()
        >>> paddle.create_parameter([3, 4], "float32", default_initializer=start).shape
        [3, 4]

    Follows Paddle 2.6.
    """

    _uniform = True


class KaimingNormal(Initializer):
    """He's: normally distributed with variance gain^2 / fan_in.

    Args:
        fan_in (float): numbers that go into one output; None: from the parameter's shape.
        negative_slope (float): the slope of "leaky_relu".
        nonlinearity (str): the activation after the layer, see `calculate_gain`.
        mode (str): "fan_out" divides by the outputs that one number goes into instead of by fan_in.

    Example:
        >>> import paddle_compat as paddle
        >>> start = paddle.nn.initializer.KaimingNormal()
        >>> paddle.create_parameter([3, 4], "float32", default_initializer=start).shape
        [3, 4]

    Follows Paddle 2.6.
    """

    _uniform = False

    def __init__(
        self, fan_in: float | None = None, negative_slope: float = 0.0, nonlinearity: str = "relu", mode: str = "fan_in"
    ) -> None:
        if mode not in ("fan_in", "fan_out"):
            raise invalid_argument("mode", "'fan_in' or 'fan_out'", mode, type(self).__name__)
        self._mode = mode
        self._fan_in, self._negative_slope, self._nonlinearity, self._seed = fan_in, negative_slope, nonlinearity, 0

    def forward(self, var: Any, block: Any = None) -> Any:
        """Fill `var`."""
        into = fans(var)[self._mode == "fan_out"] if self._fan_in is None else self._fan_in
        std = calculate_gain(self._nonlinearity, self._negative_slope) / math.sqrt(float(into))
        return _spread(self, var, block, std, self._uniform, "masra_init")


class KaimingUniform(KaimingNormal):
    """He's: evenly distributed with variance gain^2 / fan_in.

    Args:
        fan_in (float): numbers that go into one output; None: from the parameter's shape.
        negative_slope (float): the slope of "leaky_relu".
        nonlinearity (str): the activation after the layer, see `calculate_gain`.
        mode (str): "fan_out" divides by the outputs that one number goes into instead of by fan_in.

    Example:
        >>> import paddle_compat as paddle
        >>> start = paddle.nn.initializer.KaimingUniform()
        >>> paddle.create_parameter([3, 4], "float32", default_initializer=start).shape
        [3, 4]

    Follows Paddle 2.6.
    """

    _uniform = True


__all__ = ["KaimingNormal", "KaimingUniform", "Normal", "TruncatedNormal", "Uniform", "XavierNormal", "XavierUniform"]

__getattr__ = missing(__name__)
