"""`paddle.fluid.backward`: gradients of Programs."""

from __future__ import annotations

from collections.abc import Sequence

from paddle_compat._missing import missing
from paddle_compat.base._grad_descriptions import without_branches
from paddle_compat.base.backward import (  # noqa: F401 - harnesses take them from here
    _addup_repetitive_outputs_,
    _all_in_set_,
    _append_grad_suffix_,
    _as_list,
    _create_op_desc_,
    _find_no_grad_vars,
    _find_op_path_,
    _get_no_grad_set_name,
    _get_stop_gradients_,
    _rename_arg_,
    _some_in_set_,
    _strip_grad_suffix_,
    calc_gradient,
)
from paddle_compat.core.backward import append_backward, gradients
from paddle_compat.core.op_desc import OpDesc


def _remove_no_grad_branch_(op_descs: Sequence[OpDesc], no_grad_set: set[str]) -> list[OpDesc]:
    """`without_branches`, as Paddle 1.8 has it."""
    return without_branches(op_descs, no_grad_set, "fill_zeros_like", {})


__all__ = ["append_backward", "calc_gradient", "gradients"]

__getattr__ = missing(__name__)
