"""Gradients that travel in half precision, asked for by `strategy.fp16_allreduce`."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import unique_name
from paddle_compat.core.dtype import VarType
from paddle_compat.core.operator import OpRole
from paddle_compat.core.program import Block, default_main_program
from paddle_compat.distributed.fleet.base._build import merged_runs
from paddle_compat.distributed.fleet.meta_optimizers.meta_optimizer_base import MetaOptimizerBase
from paddle_compat.optimizer._updates import Pair


class FP16AllReduceOptimizer(MetaOptimizerBase):
    """Gradients of float32 are cast to float16, summed over the workers, and cast back.

    Args:
        optimizer: the user's optimizer, or another layer around it.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> paddle.enable_static()
        >>> strategy = fleet.DistributedStrategy()
        >>> strategy.fp16_allreduce = True
        >>> fleet.init(is_collective=True, strategy=strategy)
        >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        ...     loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 1, bias_attr=False))
        ...     _ = fleet.distributed_optimizer(paddle.optimizer.SGD(0.1)).minimize(loss)
        >>> [op.type for op in loss.block.ops][-3:]  # with more workers there are sums between the casts
        ['cast', 'cast', 'sgd']
        >>> paddle.disable_static()

    Follows Paddle 2.6, whose Programs lack the sums.
    """

    switch = "fp16_allreduce"

    def _can_apply(self) -> bool:
        strategy = self.user_defined_strategy
        # of merged gradients, the sums are written where they are summed; local steps sum none
        return super()._can_apply() and not (merged_runs(strategy) > 1 or strategy.localsgd or strategy.adaptive_localsgd)

    def apply_gradients(self, params_grads: list[Any]) -> Any:
        """Append the casts, between which the sums are put, and what the layers inside append.

        Args:
            params_grads (list): what `backward` returned.
        Returns:
            list: the operators of the updates.
        """
        block = default_main_program().global_block()
        lowered = to_half(block, params_grads)
        travelling = {grad.name: low.name for (_, grad), (_, low) in zip(params_grads, lowered) if grad is not low}
        for op in block.ops:  # what is summed is what the cast makes
            names = op.attrs.get("op_role_var") if op.role & OpRole.Backward else None
            if names:
                op.attrs["op_role_var"] = [travelling.get(name, name) for name in names]
        return self.inner_opt.apply_gradients(from_half(block, lowered))


def _cast(block: Block, var: Any, dtype: VarType, role: int) -> Any:
    name = unique_name.generate(f"{var.name}.cast_{'fp16' if dtype == VarType.FP16 else 'fp32'}")
    made = block.create_var(name=name, shape=var.shape, dtype=dtype, persistable=False, stop_gradient=True)
    attrs = {"in_dtype": int(var.dtype), "out_dtype": int(dtype)}
    with block.program._role(role, []):
        block.append_op(type="cast", inputs={"X": [var]}, outputs={"Out": [made]}, attrs=attrs)
    return made


def to_half(block: Block, params_grads: list[Pair]) -> list[Pair]:
    """Write what casts gradients of float32 to float16; rows of tables stay.

    Args:
        block: where it is written.
        params_grads: pairs of parameter and gradient.
    """
    dense = [g is not None and g.dtype == VarType.FP32 and g.type != VarType.SELECTED_ROWS for _, g in params_grads]
    return [(p, _cast(block, g, VarType.FP16, OpRole.Backward) if lower else g) for (p, g), lower in zip(params_grads, dense)]


def from_half(block: Block, params_grads: list[Pair]) -> list[Pair]:
    """Write what casts gradients of float16 back, where their parameters are of float32.

    Args:
        block: where it is written.
        params_grads: pairs of parameter and gradient.
    """
    low = [g is not None and g.dtype == VarType.FP16 and p.dtype == VarType.FP32 for p, g in params_grads]
    return [(p, _cast(block, g, VarType.FP32, OpRole.Optimize) if raised else g) for (p, g), raised in zip(params_grads, low)]


__all__ = ["FP16AllReduceOptimizer"]

__getattr__ = missing(__name__)
