"""`paddle.fluid.backward`: gradients of Programs."""

from paddle_compat._missing import missing
from paddle_compat.base.backward import (  # noqa: F401 - harnesses take them from here
    _append_grad_suffix_,
    _as_list,
    _find_no_grad_vars,
    _find_op_path_,
    _get_no_grad_set_name,
    _get_stop_gradients_,
    _strip_grad_suffix_,
    calc_gradient,
)
from paddle_compat.core.backward import append_backward, gradients

__all__ = ["append_backward", "calc_gradient", "gradients"]

__getattr__ = missing(__name__)
