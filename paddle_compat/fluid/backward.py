"""`paddle.fluid.backward`: gradients of Programs."""

from paddle_compat._missing import missing
from paddle_compat.base.backward import calc_gradient
from paddle_compat.core.backward import append_backward, gradients

__all__ = ["append_backward", "calc_gradient", "gradients"]

__getattr__ = missing(__name__)
