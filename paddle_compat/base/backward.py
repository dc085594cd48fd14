"""`paddle.base.backward`: gradients of Programs."""

from paddle_compat._missing import missing
from paddle_compat.core.backward import append_backward, gradients
from paddle_compat.core.backward import gradients as calc_gradient

__all__ = ["append_backward", "calc_gradient", "gradients"]

__getattr__ = missing(__name__)
