"""`paddle.base.backward`: gradients of Programs."""

from __future__ import annotations

from paddle_compat._missing import missing
from paddle_compat.core.backward import append_backward, gradients
from paddle_compat.core.backward import gradients as calc_gradient
from paddle_compat.core.operator import GRAD_SUFFIX


def _append_grad_suffix_(name: str) -> str:
    """The name of a variable's gradient."""
    return name + GRAD_SUFFIX


def _strip_grad_suffix_(name: str) -> str:
    """The name of the variable that a gradient, or a part of it, belongs to."""
    base, suffix, _ = name.partition(GRAD_SUFFIX)
    return base.rpartition("grad/")[2] if suffix else name


__all__ = ["append_backward", "calc_gradient", "gradients"]

__getattr__ = missing(__name__)
