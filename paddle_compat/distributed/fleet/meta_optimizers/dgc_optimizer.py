"""Deep gradient compression, asked for by `strategy.dgc`."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.core.mode import in_dygraph_mode
from paddle_compat.distributed.fleet.meta_optimizers._replacing import Replacing
from paddle_compat.distributed.fleet.meta_optimizers._steps import CompressedSteps
from paddle_compat.nn.clip import ClipGradByNorm, append_gradient_clip_ops
from paddle_compat.optimizer import Momentum
from paddle_compat.optimizer._compression import CompressedUpdates, Compression, local_norm
from paddle_compat.optimizer._updates import Pair

_SPARSITY = 0.999  # of what a gradient has is not sent, where nobody says it


class DGCMomentumOptimizer(CompressedUpdates, Momentum):
    """Momentum for many workers that send each other only the largest elements of large gradients (static mode).

    What is not sent adds up, with its momentum, until it is large enough. Parameters of less than 16384 elements, or of
    another type than float32, are trained by momentum as it is.

    Args:
        learning_rate (float|LRScheduler), parameter_list (list|None), regularization (regularizer|None), name (str|None):
            as of `Momentum`.
        momentum (float): how much of the velocity stays.
        rampup_begin_step (int): the step from which on gradients are compressed.
        rampup_step (int): in how many steps `sparsity` is gone through.
        sparsity (list): shares of the elements that are not sent.
        use_nesterov (bool): look ahead.
        num_trainers (int|None): how many train; needed for `grad_clip`, which is divided by its root.
        grad_clip (ClipGradByNorm|None): how gradients are clipped.
    Raises:
        AssertionError: a step below zero, or no number of trainers where gradients are clipped.
        TypeError: gradients are to be clipped in another way.
        Exception: in eager mode.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.meta_optimizers.dgc_optimizer import DGCMomentumOptimizer
        >>> paddle.enable_static()
        >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        ...     loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 128]), 128))
        ...     ops, _ = DGCMomentumOptimizer(0.1, 0.9, rampup_begin_step=10).minimize(loss)
        >>> [op.type for op in ops]
        ['momentum', 'dgc_momentum']
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """

    _clip_class = ClipGradByNorm

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
        if in_dygraph_mode():
            raise Exception("In dygraph, don't support DGCMomentumOptimizer.")
        super().__init__(learning_rate, momentum, parameter_list, use_nesterov, regularization, grad_clip, name=name)
        self._decay, self.regularization = None, regularization
        self._compress(rampup_begin_step, rampup_step, sparsity, num_trainers)

    @staticmethod
    def _clip_by_parameter(pairs: list[Pair]) -> list[Pair]:
        return append_gradient_clip_ops(pairs)


class DGCOptimizer(Replacing):
    """Momentum becomes `DGCMomentumOptimizer`, where there are workers to send gradients to.

    Args:
        optimizer: the user's, a `Momentum`.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> paddle.enable_static()
        >>> strategy = fleet.DistributedStrategy()
        >>> strategy.dgc = True
        >>> fleet.init(is_collective=True, strategy=strategy)
        >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        ...     loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 1, bias_attr=False))
        ...     ops, _ = fleet.distributed_optimizer(paddle.optimizer.Momentum(0.1, 0.9)).minimize(loss)
        >>> [op.type for op in ops]  # one worker has nobody to send to
        ['momentum']
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """

    switch = "dgc"
    replaced, replacement = Momentum, DGCMomentumOptimizer
    kept = ("learning_rate", "momentum", "use_nesterov", "parameter_list", "grad_clip", "name")
    configured = ("rampup_begin_step", "rampup_step")

    def _can_apply(self) -> bool:
        return super()._can_apply() and self.role_maker._worker_num() > 1

    def _wrapped(self) -> None:
        """Put the compressing optimizer in the place of the user's; in eager mode, compressing steps around it.

        Raises:
            UnsupportedError: another switch is on that changes gradients before they are sent.
        """
        for other in ("amp", "gradient_merge", "localsgd", "adaptive_localsgd", "fp16_allreduce"):
            if getattr(self.user_defined_strategy, other):
                raise UnsupportedError("fleet.DistributedStrategy.dgc", f"True with {other}=True", "one of them")
        super()._wrapped()

    def _replacement(self, optimizer: Any) -> Any:
        """The `DGCMomentumOptimizer`; in eager mode `CompressedSteps` around the user's."""
        return CompressedSteps(optimizer, self._compression(optimizer)) if in_dygraph_mode() else super()._replacement(optimizer)

    def _settings(self, optimizer: Any) -> dict[str, Any]:
        """How much is sent, by how many, and the rule of decay, which acts before the compression."""
        return {
            "sparsity": list(self._configs["sparsity"]) or [_SPARSITY],
            "num_trainers": self.role_maker._worker_num(),
            "regularization": optimizer.regularization or optimizer._decay,
        }

    def _compression(self, optimizer: Any) -> Compression:
        told = self._settings(optimizer)
        return Compression(
            begin=float(self._configs["rampup_begin_step"]),
            steps=float(self._configs["rampup_step"]),
            sparsity=told["sparsity"],
            local_norm=local_norm(optimizer._grad_clip, ClipGradByNorm, told["num_trainers"], "fleet.DistributedStrategy.dgc"),
            momentum=optimizer._momentum,
            nesterov=optimizer._use_nesterov,
            regularization=told["regularization"],
        )


__all__ = ["DGCMomentumOptimizer", "DGCOptimizer"]

__getattr__ = missing(__name__)
