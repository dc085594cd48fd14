"""`paddle.base.backward`: gradients of Programs."""

from paddle_compat.core.backward import append_backward, gradients

__all__ = ["append_backward", "gradients"]
