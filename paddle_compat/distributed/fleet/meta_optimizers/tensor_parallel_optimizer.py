"""Layers whose parts lie on several workers, in Programs: who computes one model together, and who has the same part of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.program import Program, default_startup_program
from paddle_compat.distributed.fleet.base._build import gradient_scale, together
from paddle_compat.distributed.fleet.meta_optimizers.meta_optimizer_base import MetaOptimizerBase
from paddle_compat.distributed.fleet.meta_optimizers.raw_program_optimizer import begin_ring, check_parts, sum_gradients, take_over

_MODEL, _ALL, _DATA = 0, 1, 2  # the wheel's numbers of the rings; `paddle.distributed.split` writes operators of the first one


class TensorParallelOptimizer(MetaOptimizerBase):
    """Workers that stand side by side compute one model together (`paddle.distributed.split`); groups of them share out the data.

    Args:
        optimizer: the user's optimizer, or another layer around it.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> paddle.enable_static()
        >>> fleet.init(is_collective=True)
        >>> strategy = fleet.DistributedStrategy()
        >>> strategy.tensor_parallel = True
        >>> strategy.tensor_parallel_configs = {"tensor_parallel_degree": 1}
        >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        ...     loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 1))
        ...     _ = fleet.distributed_optimizer(paddle.optimizer.SGD(0.1), strategy).minimize(loss)
        >>> fleet._get_applied_meta_list()
        ['TensorParallelOptimizer']
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """

    switch = "tensor_parallel"

    def minimize_impl(
        self, loss: Any, startup_program: Program | None = None, parameter_list: Any = None, no_grad_set: Iterable[Any] | None = None
    ) -> tuple[Any, list[Any]]:
        """Append all that minimises a loss, the rings, and the sums of gradients over those who have the same part.

        Args:
            loss (Tensor): what is minimised.
            startup_program (Program|None): None for the default one.
            parameter_list (list|None): what is trained.
            no_grad_set (set|None): Variables through which no gradient flows.
        Returns:
            tuple: the update operators, and the pairs of parameter and gradient.
        Raises:
            AssertionError: the number of workers is no multiple of the degree.
            ValueError: a layer is cut into another number of parts than the degree.
        """
        role, strategy = self.role_maker, self.user_defined_strategy
        degree, size, rank = strategy.tensor_parallel_configs["tensor_parallel_degree"], role._worker_num(), role._worker_index()
        if degree < 1 or size % degree:
            expected = f"a divisor of the number of workers, {size}"
            raise failed_assertion("tensor_parallel_configs", expected, degree, "fleet.DistributedStrategy")
        check_parts(loss.block.program, degree)
        result = self.inner_opt.minimize(loss, startup_program, parameter_list, no_grad_set)
        if size == 1:
            return result
        startup, main = startup_program if startup_program is not None else default_startup_program(), loss.block.program
        block, endpoints, own = startup.global_block(), role._get_trainer_endpoints(), role._get_trainer_endpoint()
        params = main.global_block().all_parameters()
        begin_ring(block, _ALL, endpoints, own)
        first = rank - rank % degree
        if degree > 1:
            begin_ring(block, _MODEL, endpoints[first : first + degree], own)
            take_over(block, _MODEL, [p.name for p in params if not getattr(p, "is_distributed", False)])
        if degree < size:
            begin_ring(block, _DATA, endpoints[rank % degree :: degree], own)
            take_over(block, _DATA, [p.name for p in params])
            sum_gradients(main, size // degree, gradient_scale(strategy), _DATA, parts=True)
            main._bucket_bytes = together(strategy)
        return result


__all__ = ["TensorParallelOptimizer"]

__getattr__ = missing(__name__)
