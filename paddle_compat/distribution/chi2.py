"""The chi-square distribution."""

from __future__ import annotations

from typing import Any

from paddle_compat import tensor as T
from paddle_compat._missing import missing
from paddle_compat.core import mode
from paddle_compat.distribution.gamma import Gamma

__all__ = ["Chi2"]


class Chi2(Gamma):
    """The chi-square distribution, of sums of squares of normal numbers.

    Args:
        df: how many of them: a positive float or a tensor.
    Raises:
        TypeError: `df` is neither.
        ValueError: it is not positive.

    Example:
        >>> import paddle_compat as paddle
        >>> float(paddle.distribution.Chi2(3.0).variance)
        6.0

    Follows Paddle 3.3.
    """

    def __init__(self, df: Any) -> None:
        (self.df,) = self._single_parameters(df)
        if not mode.is_static() and not bool((self.df > 0).all()):
            raise ValueError(f"The arg of `df` must be positive. Received: {df}")
        super().__init__(self.df * 0.5, T.full_like(self.df, 0.5))


__getattr__ = missing(__name__)
