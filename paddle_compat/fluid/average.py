"""`paddle.fluid.average`: averages over batches, in Python."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from paddle_compat._missing import missing


class WeightedAverage:
    """A weighted mean of numbers or arrays.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> average = fluid.average.WeightedAverage()
        >>> average.add(value=2.0, weight=1)
        >>> average.add(value=4.0, weight=3)
        >>> average.eval()
        3.5
        >>> average.reset()

    Follows Paddle 1.8.
    """

    def __init__(self) -> None:
        warnings.warn("`WeightedAverage` is out of date; use `fluid.metrics.Accuracy`.", Warning, stacklevel=2)
        self.reset()

    def reset(self) -> None:
        """Start anew."""
        self.numerator: Any = None
        self.denominator: Any = None

    def add(self, value: Any, weight: Any) -> None:
        """Take a value.

        Args:
            value: a number or numpy array.
            weight: its weight.
        Raises:
            ValueError: an argument is neither.
        """
        numbers = (int, float, complex, np.number)
        for name, given in (("value", value), ("weight", weight)):
            if not isinstance(given, numbers) and not (isinstance(given, np.ndarray) and (name == "value" or given.shape == (1,))):
                raise ValueError(f"Invalid value for argument `{name}` of `WeightedAverage.add`. Expected a number. Received: {given!r}")
        if self.numerator is None:
            self.numerator, self.denominator = value * weight, weight
        else:
            self.numerator = self.numerator + value * weight
            self.denominator = self.denominator + weight

    def eval(self) -> Any:
        """The mean so far.

        Returns:
            A float or an array.
        Raises:
            ValueError: there was no value.
        """
        if self.numerator is None or self.denominator == 0:
            raise ValueError("`WeightedAverage` has no value. Expected `add` before `eval`. Received: nothing")
        return self.numerator / self.denominator


__all__ = ["WeightedAverage"]

__getattr__ = missing(__name__)
