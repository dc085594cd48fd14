"""`DGCMomentumOptimizer` of Paddle 1.8: momentum whose ranks send each other the largest elements of their gradients."""

from __future__ import annotations

from typing import Any

from paddle_compat.core import mode
from paddle_compat.fluid._optimizers import MomentumOptimizer
from paddle_compat.fluid.clip import GradientClipByNorm, append_gradient_clip_ops
from paddle_compat.optimizer._compression import CompressedUpdates
from paddle_compat.optimizer._updates import Pair


class DGCMomentumOptimizer(CompressedUpdates, MomentumOptimizer):
    """Momentum for many trainers that send each other only the largest elements of large gradients.

    What is not sent adds up, with its momentum, until it is large enough. Parameters of less than 16384 elements, or of
    another type than float32, are trained by momentum as it is.

    Args:
        learning_rate (float|Variable), parameter_list (list|None), regularization (regularizer|None), name (str|None):
            as of `Optimizer`.
        momentum (float): how much of the velocity stays.
        rampup_begin_step (int): the step from which on gradients are compressed.
        rampup_step (int): in how many steps `sparsity` is gone through.
        sparsity (list): shares of the elements that are not sent.
        use_nesterov (bool): look ahead.
        num_trainers (int|None): how many train; needed for `grad_clip`, which is divided by its root.
        grad_clip (GradientClipByNorm|None): how gradients are clipped.
    Raises:
        AssertionError: a step below zero, or no number of trainers where gradients are clipped.
        TypeError: gradients are to be clipped in another way.
        Exception: eager mode is on.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
        ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 128]), 128))
        ...     dgc = fluid.optimizer.DGCMomentumOptimizer(0.1, 0.9, rampup_begin_step=10, sparsity=[0.999])
        ...     ops, pairs = dgc.minimize(loss)
        >>> [op.type for op in ops]
        ['momentum', 'dgc_momentum']

    Follows Paddle 1.8.
    """

    _clip_class = GradientClipByNorm

    @staticmethod
    def _clip_by_parameter(pairs: list[Pair]) -> list[Pair]:
        return append_gradient_clip_ops(pairs)

    def __init__(
        self,
        learning_rate: Any,
        momentum: float,
        rampup_begin_step: float,
        rampup_step: float = 1,
        sparsity: Any = [0.999],  # noqa: B006  # as Paddle shows it; nobody writes to it
        parameter_list: Any = None,
        use_nesterov: bool = False,
        num_trainers: int | None = None,
        regularization: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ) -> None:
        mode.need_static("DGCMomentumOptimizer")
        super().__init__(learning_rate, momentum, parameter_list, use_nesterov, regularization, grad_clip, name)
        self._compress(rampup_begin_step, rampup_step, sparsity, num_trainers)
