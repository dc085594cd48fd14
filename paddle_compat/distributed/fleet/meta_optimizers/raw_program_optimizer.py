"""Sums of gradients over all workers, written into the Program itself."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import unique_name
from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.operator import Operator, OpRole
from paddle_compat.core.program import Block, Program, default_startup_program
from paddle_compat.distributed.fleet.base._build import gradient_scale, together
from paddle_compat.distributed.fleet.meta_optimizers.meta_optimizer_base import MetaOptimizerBase


class RawProgramOptimizer(MetaOptimizerBase):
    """Workers start from the first one's parameters, and update them by the mean of all gradients.

    Args:
        optimizer: the user's optimizer, or another layer around it.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> paddle.enable_static()
        >>> fleet.init(is_collective=True)
        >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        ...     loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 1))
        ...     _ = fleet.distributed_optimizer(paddle.optimizer.SGD(0.1)).minimize(loss)
        >>> fleet._get_applied_meta_list()
        ['RawProgramOptimizer']
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """

    switch = "without_graph_optimization"

    def _can_apply(self) -> bool:
        """Always with several workers: a graph that is optimised is no other way to sum here."""
        strategy = self.user_defined_strategy
        return (super()._can_apply() or self.role_maker._worker_num() > 1) and not (
            strategy.tensor_parallel or strategy.sharding or strategy.pipeline
        )

    def minimize_impl(
        self, loss: Any, startup_program: Program | None = None, parameter_list: Any = None, no_grad_set: Iterable[Any] | None = None
    ) -> tuple[Any, list[Any]]:
        """Append all that minimises a loss, and the sums of its gradients.

        Args:
            loss (Tensor): what is minimised.
            startup_program (Program|None): None for the default one.
            parameter_list (list|None): what is trained.
            no_grad_set (set|None): Variables through which no gradient flows.
        Returns:
            tuple: the update operators, and the pairs of parameter and gradient.
        """
        result = self.inner_opt.minimize(loss, startup_program, parameter_list, no_grad_set)
        role, strategy = self.role_maker, self.user_defined_strategy
        if role._worker_num() > 1:
            startup = startup_program if startup_program is not None else default_startup_program()
            check_parts(loss.block.program, role._worker_num())
            begin_together(startup.global_block(), loss.block.program, role)
            if not (strategy.localsgd or strategy.adaptive_localsgd):
                sum_gradients(loss.block.program, role._worker_num(), gradient_scale(strategy))
                loss.block.program._bucket_bytes = together(strategy)
        return result


def check_parts(main: Program, count: int) -> None:
    """Refuse layers that `paddle.distributed.split` cut into another number of parts than there are workers to compute them together.

    Args:
        main: the Program that has them.
        count: how many compute one model together.
    """
    for param in main.global_block().all_parameters():
        parts = getattr(param, "_parts", count)
        if parts != count:
            raise invalid_argument(
                "num_partitions", f"{count}, as many as compute one model together (strategy.tensor_parallel_configs)",
                f"{parts} parts of `{param.name}`", "paddle.distributed.split",
            )  # fmt: skip


def begin_together(block: Block, main: Program, role: Any) -> None:
    """Let a startup program end with the first worker's parameters on all workers.

    Args:
        block: of the startup program.
        main: the Program that has the parameters.
        role: of this process.
    """
    begin_ring(block, 0, role._get_trainer_endpoints(), role._get_trainer_endpoint())
    take_over(block, 0, sorted(p.name for p in main.global_block().all_parameters() if not getattr(p, "is_distributed", False)))


def begin_ring(block: Block, ring_id: int, endpoints: list[str], own: str | None) -> None:
    """Let a startup program make a ring.

    Args:
        block: of the startup program.
        ring_id: the ring's number.
        endpoints: of those who are in it.
        own: this process's one among them.
    """
    rank = endpoints.index(own) if own in endpoints else 0
    number = block.create_var(name=unique_name.generate("comm_id"), persistable=True, type=VarType.RAW)
    others = [each for each in endpoints if each != own]
    attrs = {"rank": rank, "endpoint": own or "", "other_endpoints": others, "ring_id": ring_id, "op_role": int(OpRole.Forward)}
    block.append_op(type="c_gen_nccl_id", outputs={"Out": [number]}, attrs=attrs)
    attrs = {
        "nranks": len(endpoints), "rank": rank, "ring_id": ring_id, "endpoints": ",".join(endpoints), "op_role": int(OpRole.Forward)
    }  # fmt: skip
    block.append_op(type="c_comm_init", inputs={"X": [number]}, attrs=attrs)


def take_over(block: Block, ring_id: int, names: list[str]) -> None:
    """Let a startup program end with what the first process of a ring has.

    Args:
        block: of the startup program.
        ring_id: the ring's number.
        names: of parameters.
    """
    attrs: dict[str, Any] = {"ring_id": ring_id, "root": 0, "op_role": int(OpRole.Forward)}
    for name in names:
        block.append_op(type="c_broadcast", inputs={"X": [name]}, outputs={"Out": [name]}, attrs=attrs)
    if names:
        attrs = {"ring_id": ring_id, "op_role": int(OpRole.Forward)}
        block.append_op(type="c_sync_comm_stream", inputs={"X": [names[-1]]}, outputs={"Out": [names[-1]]}, attrs=attrs)


def sum_gradients(main: Program, size: int, scale: str = "avg", ring_id: int = 0, parts: bool = False) -> None:
    """Sum a Program's gradients over all workers of a ring, behind the backward pass that makes them.

    Args:
        main: the Program.
        size: how many workers there are.
        scale: "avg": the loss's gradient starts from 1 / size; others leave it.
        ring_id: the ring's number.
        parts: sum those of parameters, too, of which each worker has a part, for all in the ring have the same one.
    """
    block = main.global_block()
    ops: list[Operator] = []
    pending: dict[str, None] = {}
    apart = {p.name for p in block.all_parameters() if getattr(p, "is_distributed", False) and not parts}
    for op in block.ops:
        backward = bool(op.role & OpRole.Backward) and op.role != OpRole.NotSpecified
        if pending and not backward:
            ops += _sums(block, pending, ring_id)
        ops.append(op)
        if backward and op.role & OpRole.Loss and scale == "avg":
            ops.append(_scaled(block, op.output("Out"), 1.0 / size))
        if backward and not op.role & OpRole.Loss:
            merges = "grad_merge_cond_name" in op.attrs  # over runs, whose total is summed over the workers when it is whole
            pairs = [] if merges else op.attrs.get("op_role_var") or []
            for name, gradient in zip(pairs[::2], pairs[1::2]):
                if name not in apart:
                    pending[gradient] = None
                elif scale == "avg":
                    ops.append(_scaled(block, [gradient], float(size)))
    block.ops[:] = ops + _sums(block, pending, ring_id)
    main._touch()


def _scaled(block: Block, names: list[str], scale: float) -> Operator:
    return Operator(block, "scale", {"X": names}, {"Out": names}, {"scale": scale, "op_role": int(OpRole.Backward)})


def _sums(block: Block, pending: dict[str, None], ring_id: int) -> list[Operator]:
    attrs = {"ring_id": ring_id, "use_calc_stream": False, "op_role": int(OpRole.Backward)}
    made = [Operator(block, "c_allreduce_sum", {"X": [name]}, {"Out": [name]}, dict(attrs)) for name in pending]
    pending.clear()
    return made


__all__ = ["RawProgramOptimizer"]

__getattr__ = missing(__name__)
