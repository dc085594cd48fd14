"""Gradients that are merged over several runs, asked for by `strategy.gradient_merge`."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.operator import OpRole
from paddle_compat.core.program import default_main_program
from paddle_compat.distributed.fleet.base._build import merged_runs
from paddle_compat.distributed.fleet.meta_optimizers._steps import MergedSteps
from paddle_compat.distributed.fleet.meta_optimizers.fp16_allreduce_optimizer import from_half, to_half
from paddle_compat.distributed.fleet.meta_optimizers.meta_optimizer_base import MetaOptimizerBase
from paddle_compat.incubate.optimizer import GradientMergeOptimizer as Merging


class GradientMergeOptimizer(MetaOptimizerBase):
    """A step is made once in `k_steps` runs, by the gradients of all of them; only then they are summed over the workers.

    Args:
        optimizer: the user's optimizer, or another layer around it.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> paddle.enable_static()
        >>> strategy = fleet.DistributedStrategy()
        >>> strategy.gradient_merge = True
        >>> strategy.gradient_merge_configs = {"k_steps": 4, "avg": True}
        >>> fleet.init(is_collective=True, strategy=strategy)
        >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        ...     loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 1, bias_attr=False))
        ...     _ = fleet.distributed_optimizer(paddle.optimizer.SGD(0.1)).minimize(loss)
        >>> [op.type for op in loss.block.program.block(1).ops]
        ['scale', 'sgd', 'fill_constant']
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """

    switch = "gradient_merge"

    def _can_apply(self) -> bool:
        return "user_defined_strategy" in vars(self) and merged_runs(self.user_defined_strategy) > 1

    def _wrapped(self) -> None:
        """Put the merging optimizer around those inside, which sum what it has merged first."""
        configs, strategy = self.user_defined_strategy.gradient_merge_configs, self.user_defined_strategy
        alone = self.role_maker._worker_num() == 1 or strategy.localsgd or strategy.adaptive_localsgd
        inner = self.inner_opt if alone else _Summing(self.inner_opt, strategy.fp16_allreduce)
        self.inner_opt = Merging(inner, merged_runs(strategy), configs["avg"])

    def _steps(self) -> Any:
        """One step in `k_steps` calls."""
        configs = self.user_defined_strategy.gradient_merge_configs
        return MergedSteps(self.inner_opt, configs["k_steps"], configs["avg"])

    def apply_gradients(self, params_grads: list[Any]) -> Any:
        """Append what merges gradients, and under a condition what the layers inside append.

        Args:
            params_grads (list): what `backward` returned.
        Returns:
            list: the operators of the updates.
        """
        for op in default_main_program().global_block().ops:
            if op.role & OpRole.Backward:
                op.attrs.pop("op_role_var", None)  # the gradients of one run are not summed over the workers
        return self.inner_opt.apply_gradients(params_grads)


class _Summing:
    """What sums merged gradients over the workers before the optimizers inside take them."""

    def __init__(self, optimizer: Any, halved: bool) -> None:
        self.inner_opt, self.halved = optimizer, halved

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner_opt, name)

    def apply_gradients(self, params_grads: list[Any]) -> Any:
        program = default_main_program()
        block = program.current_block()
        pairs = to_half(block, params_grads) if self.halved else params_grads
        with program._role(OpRole.Backward, []):
            for _, grad in pairs:
                attrs = {"ring_id": 0, "use_calc_stream": False}
                block.append_op(type="c_allreduce_sum", inputs={"X": [grad]}, outputs={"Out": [grad]}, attrs=attrs)
        return self.inner_opt.apply_gradients(from_half(block, pairs) if self.halved else pairs)


__all__ = ["GradientMergeOptimizer"]

__getattr__ = missing(__name__)
