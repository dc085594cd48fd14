"""Casts in a Program of Paddle 1.8, and what follows with the factor of its loss."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.dtype import VarType
from paddle_compat.core.program import Program
from paddle_compat.fluid import layers
from paddle_compat.static.amp._neighbours import (  # noqa: F401 - harnesses take them from here
    _rename_arg,
    find_op_index,
    find_true_post_op,
    find_true_prev_op,
)
from paddle_compat.static.amp._rewriting import rewrite_listed
from paddle_compat.static.amp.fp16_utils import update_role_var_grad

__all__ = ["rewrite_program", "update_loss_scaling", "update_role_var_grad"]


def rewrite_program(main_prog: Program, amp_lists: Any) -> None:
    """Write casts into a Program, so that it computes in float16 where the lists say so.

    Args:
        main_prog (Program): the Program, without gradients.
        amp_lists (AutoMixedPrecisionLists): the lists.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.contrib.mixed_precision import AutoMixedPrecisionLists, fp16_utils
        >>> main = fluid.Program()
        >>> with fluid.program_guard(main, fluid.Program()):
        ...     y = fluid.layers.fc(fluid.data("x", [None, 2]), 1, bias_attr=False)
        >>> fp16_utils.rewrite_program(main, AutoMixedPrecisionLists())
        >>> [op.type for op in main.global_block().ops], y.dtype.name
        (['cast', 'cast', 'mul'], 'FP16')

    Follows Paddle 1.8.
    """
    lists = (amp_lists.white_list, amp_lists.black_list, amp_lists.gray_list)
    rewrite_listed(main_prog.global_block(), *lists, amp_lists.black_varnames, VarType.FP16, "fp16")


def update_loss_scaling(
    is_overall_finite: Any,
    prev_loss_scaling: Any,
    num_good_steps: Any,
    num_bad_steps: Any,
    incr_every_n_steps: Any,
    decr_every_n_nan_or_inf: Any,
    incr_ratio: float,
    decr_ratio: float,
) -> None:
    """Write what follows with the factor of the loss.

    Args:
        is_overall_finite (Variable): whether all gradients are finite.
        prev_loss_scaling (Variable): the factor; takes the new one.
        num_good_steps, num_bad_steps (Variable): how many steps in a row were finite or not.
        incr_every_n_steps, decr_every_n_nan_or_inf (Variable): after how many of them the factor changes.
        incr_ratio, decr_ratio (float): what it is multiplied by then.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.contrib.mixed_precision import fp16_utils
        >>> main = fluid.Program()
        >>> with fluid.program_guard(main, fluid.Program()):
        ...     finite = fluid.data("finite", [1], "bool")
        ...     scaling = fluid.layers.create_global_var([1], 8.0, "float32", True)
        ...     good, bad, many, few = (fluid.layers.create_global_var([1], n, "int32", True) for n in (0, 0, 10, 1))
        ...     fp16_utils.update_loss_scaling(finite, scaling, good, bad, many, few, 2.0, 0.5)
        >>> main.num_blocks
        11

    Follows Paddle 1.8.
    """
    zero = layers.fill_constant([1], "int32", 0)

    def reset(*counts: Any) -> None:
        for count in counts:
            layers.assign(zero, count)

    with layers.Switch() as finite:
        with finite.case(is_overall_finite):
            with layers.Switch() as enough:
                with enough.case(layers.less_than(incr_every_n_steps, num_good_steps + 1)):
                    larger = prev_loss_scaling * incr_ratio
                    with layers.Switch() as usable:
                        with usable.case(layers.isfinite(larger)):
                            layers.assign(larger, prev_loss_scaling)
                        with usable.default():
                            pass
                    reset(num_good_steps, num_bad_steps)
                with enough.default():
                    layers.increment(num_good_steps)
                    reset(num_bad_steps)
        with finite.default(), layers.Switch() as enough:
            with enough.case(layers.less_than(decr_every_n_nan_or_inf, num_bad_steps + 1)):
                smaller = prev_loss_scaling * decr_ratio
                one = layers.fill_constant([1], "float32", 1.0)
                with layers.Switch() as least:
                    with least.case(layers.less_than(smaller, one)):
                        layers.assign(one, prev_loss_scaling)
                    with least.default():
                        layers.assign(smaller, prev_loss_scaling)
                reset(num_good_steps, num_bad_steps)
            with enough.default():
                reset(num_good_steps)
                layers.increment(num_bad_steps)


__getattr__ = missing(__name__)
