"""Updates and their state that workers share out, asked for by `strategy.sharding`."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from math import prod
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError, failed_assertion
from paddle_compat.core.operator import Operator, OpRole
from paddle_compat.core.program import Block, Program, default_startup_program
from paddle_compat.distributed.fleet.meta_optimizers.common import is_update_op
from paddle_compat.distributed.fleet.meta_optimizers.raw_program_optimizer import RawProgramOptimizer, begin_ring

_RING = 1  # the wheel's number of the ring of those who share one optimizer's state
_NOT_BESIDE = ("localsgd", "adaptive_localsgd", "dgc")  # each worker keeps a state of its own there


class ShardingOptimizer(RawProgramOptimizer):
    """Each worker of a group updates some of the parameters, keeps their state alone, and sends them to the others.

    Args:
        optimizer: the user's optimizer, or another layer around it.

    Example:
        >>> import os
        >>> from unittest.mock import patch
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> paddle.enable_static()
        >>> strategy = fleet.DistributedStrategy()
        >>> strategy.sharding = True
        >>> strategy.sharding_configs = {"sharding_degree": 2}
        >>> ends = "127.0.0.1:6170", "127.0.0.1:6171"
        >>> second = {"PADDLE_TRAINER_ID": "1", "PADDLE_TRAINER_ENDPOINTS": ",".join(ends), "PADDLE_CURRENT_ENDPOINT": ends[1]}
        >>> with patch.dict(os.environ, second), paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        ...     fleet.init(is_collective=True, strategy=strategy)
        ...     loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 2))
        ...     _ = fleet.distributed_optimizer(paddle.optimizer.SGD(0.1)).minimize(loss)
        >>> [op.type for op in loss.block.ops][-5:]  # the other worker updates the weight
        ['c_allreduce_sum', 'c_allreduce_sum', 'sgd', 'c_broadcast', 'c_broadcast']
        >>> paddle.disable_static()

    Follows Paddle 2.6, whose workers also keep the parameters apart, and send them before each forward pass.
    """

    switch = "sharding"

    def _can_apply(self) -> bool:
        """With several workers; one has nobody to share with."""
        return bool(self.user_defined_strategy.sharding) and self.role_maker._worker_num() > 1

    def _wrapped(self) -> None:
        """Look whether the degrees fit.

        Raises:
            UnsupportedError: mp_degree is above 1, or both other degrees are; or another strategy keeps a state for each worker.
            AssertionError: the product of the degrees is not the number of workers.
        """
        strategy, size = self.user_defined_strategy, self.role_maker._worker_num()
        configs = strategy.sharding_configs
        stages = configs["pp_degree"]
        if configs["mp_degree"] > 1:
            raise UnsupportedError("fleet.DistributedStrategy.sharding_configs", f"mp_degree={configs['mp_degree']}", "tensor_parallel")
        if stages > 1 and not strategy.pipeline:
            raise failed_assertion("sharding_configs", "strategy.pipeline beside pp_degree", configs, "fleet.DistributedStrategy")
        if strategy.pipeline and (stages == 1 or configs["sharding_degree"] > 1):
            both = f"pp_degree={stages} and sharding_degree={configs['sharding_degree']} with pipeline=True"
            raise UnsupportedError("fleet.DistributedStrategy.sharding_configs", both, "either pp_degree or sharding_degree above 1")
        for other in _NOT_BESIDE:
            if getattr(strategy, other):
                raise UnsupportedError("fleet.DistributedStrategy.sharding", f"True with {other}=True", "one of them")
        if configs["optimize_offload"]:
            warnings.warn("`fleet.DistributedStrategy.sharding_configs`: optimize_offload is kept, without effect.", stacklevel=6)
        degree, copies = self._degrees()
        if degree < 1 or degree * stages * copies != size:
            expected = f"degrees whose product is the number of workers, {size}"
            given = {name: configs[name] for name in ("sharding_degree", "mp_degree", "pp_degree", "dp_degree")}
            raise failed_assertion("sharding_configs", expected, given, "fleet.DistributedStrategy")

    def _degrees(self) -> tuple[int, int]:
        """How many workers share one state, and how many such groups there are."""
        configs = self.user_defined_strategy.sharding_configs
        degree = configs["sharding_degree"]
        # `hybrid_dp` stands for as many groups as there are workers for
        together = max(degree * configs["pp_degree"], 1)
        return degree, max(self.role_maker._worker_num() // together, 1) if configs["hybrid_dp"] else configs["dp_degree"]

    def minimize_impl(
        self, loss: Any, startup_program: Program | None = None, parameter_list: Any = None, no_grad_set: Iterable[Any] | None = None
    ) -> tuple[Any, list[Any]]:
        """Append all that minimises a loss, without the updates that are up to others, and what sends parameters.

        Args:
            loss (Tensor): what is minimised.
            startup_program (Program|None): None for the default one.
            parameter_list (list|None): what is trained.
            no_grad_set (set|None): Variables through which no gradient flows.
        Returns:
            tuple: the update operators of this worker, and the pairs of parameter and gradient.
        """
        if self.user_defined_strategy.pipeline:  # whose layer is the one inside
            result: tuple[Any, list[Any]] = self.inner_opt.minimize(loss, startup_program, parameter_list, no_grad_set)
            return result
        ops, params_grads = super().minimize_impl(loss, startup_program, parameter_list, no_grad_set)
        (degree, _), role = self._degrees(), self.role_maker
        if degree == 1:
            return ops, params_grads
        startup = startup_program if startup_program is not None else default_startup_program()
        first = role._worker_index() - role._worker_index() % degree
        begin_ring(startup.global_block(), _RING, role._get_trainer_endpoints()[first : first + degree], role._get_trainer_endpoint())
        owners = _owners([param for param, _ in params_grads], degree)
        left = _leave_to_others(loss.block.program, startup, owners, role._worker_index() - first)
        return [op for op in ops or [] if op not in left], params_grads


def _owners(params: list[Any], count: int) -> dict[str, int]:
    """Who updates which parameter: neighbours stay together, and everyone gets about as many elements, as in Paddle 2.6."""
    sizes = [prod(param.shape) for param in params]
    owner, begun, found = 0, 0, {}
    for param, size in zip(params, sizes):
        if begun * count > sum(sizes) * (owner + 1):
            owner += 1
        found[param.name] = owner
        begun += size
    return found


def _leave_to_others(main: Program, startup: Program, owners: dict[str, int], own: int) -> set[Operator]:
    """Take out of Programs the updates of others, and the state that only these need; send what is updated.

    Args:
        main: the Program that has the updates.
        startup: the one that begins their state.
        owners: who updates which parameter.
        own: this worker's number among them.
    Returns:
        The updates of others.
    """
    left: set[Operator] = set()
    for block in main.blocks:
        updated = [op.input("Param") for op in block.ops if is_update_op(op)]
        if any(len(names) > 1 for names in updated):
            raise UnsupportedError("fleet.DistributedStrategy.sharding", "True around use_multi_tensor=True", "an optimizer without it")
        left |= {op for op in block.ops if is_update_op(op) and owners.get(op.input("Param")[0], own) != own}
        block.ops[:] = [op for op in block.ops if op not in left]
        for (name,) in updated:
            if name in owners:
                _send(block, name, owners[name])
    # conditions only say what their blocks read and write
    used = {name for op in _operators(main) if op.type != "conditional_block" for name in (*op.input_arg_names, *op.output_arg_names)}
    gone = {name for op in left for name in op.output_arg_names} - used
    for op in _operators(main):
        for slots in (op.inputs, op.outputs):
            slots.update({slot: [name for name in names if name not in gone] for slot, names in slots.items()})
    block = startup.global_block()
    block.ops[:] = [op for op in block.ops if not gone.intersection(op.output_arg_names)]
    for program in (main, startup):
        for name in gone:
            program.global_block().vars.pop(name, None)
        program._touch()
    return left


def _send(block: Block, name: str, owner: int) -> None:
    attrs = {"ring_id": _RING, "root": owner, "use_calc_stream": False, "op_role": int(OpRole.Optimize)}
    block.append_op(type="c_broadcast", inputs={"X": [name]}, outputs={"Out": [name]}, attrs=attrs)


def _operators(program: Program) -> Iterator[Operator]:
    return (op for block in program.blocks for op in block.ops)


__all__ = ["ShardingOptimizer"]

__getattr__ = missing(__name__)
