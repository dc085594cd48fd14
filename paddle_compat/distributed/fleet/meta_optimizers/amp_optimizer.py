"""Mixed precision, asked for by `strategy.amp`."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.distributed.fleet.meta_optimizers._mixed import SCALING, MixedSteps, mixed_precision
from paddle_compat.distributed.fleet.meta_optimizers.meta_optimizer_base import MetaOptimizerBase
from paddle_compat.static.amp import AutoMixedPrecisionLists, decorate


class AMPOptimizer(MetaOptimizerBase):
    """The optimizer inside minimizes in mixed precision, as `paddle.static.amp.decorate` lets it.

    Args:
        optimizer: the user's optimizer, or another layer around it.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> paddle.enable_static()
        >>> strategy = fleet.DistributedStrategy()
        >>> strategy.amp = True
        >>> fleet.init(is_collective=True, strategy=strategy)
        >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        ...     loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 1))
        ...     _ = fleet.distributed_optimizer(paddle.optimizer.SGD(0.1)).minimize(loss)
        >>> "check_finite_and_unscale" in {op.type for op in loss.block.ops}
        True
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """

    switch = "amp"

    def _wrapped(self) -> None:
        """Put the optimizer of mixed precision around those inside."""
        configs = self.user_defined_strategy.amp_configs
        custom = (set(configs[f"custom_{name}"]) for name in ("white_list", "black_list", "black_varnames"))
        chosen = {name: configs[name] for name in (*SCALING, "use_pure_fp16", "use_fp16_guard")}
        if configs["use_pure_bf16"]:
            chosen |= {"use_bf16": True, "use_pure_fp16": True, "use_dynamic_loss_scaling": False, "init_loss_scaling": 1.0}
        lists = AutoMixedPrecisionLists(*custom, dtype="bfloat16" if configs["use_pure_bf16"] else "float16")
        self.inner_opt = decorate(self.inner_opt, lists, **chosen)
        self.inner_opt._set_distributed(self.role_maker._worker_num() > 1)

    def _steps(self) -> Any:
        """Steps that leave out infinite gradients."""
        return MixedSteps(self.inner_opt, mixed_precision(self.user_defined_strategy.amp_configs))


__all__ = ["AMPOptimizer"]

__getattr__ = missing(__name__)
