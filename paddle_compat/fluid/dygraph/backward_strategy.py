"""`paddle.fluid.dygraph.backward_strategy`: how gradients of one value are summed."""

from __future__ import annotations

from paddle_compat._missing import missing


class BackwardStrategy:
    """How gradients that meet in one value are summed.

    Attributes:
        sort_sum_gradient: sum them in the order of the forward pass; of no effect here, where the order is always the same.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> strategy = fluid.dygraph.BackwardStrategy()
        >>> strategy.sort_sum_gradient = True

    Follows Paddle 1.8.
    """

    __slots__ = ("sort_sum_gradient",)

    def __init__(self) -> None:
        self.sort_sum_gradient = False


__all__ = ["BackwardStrategy"]

__getattr__ = missing(__name__)
