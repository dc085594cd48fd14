"""Programs that are cut into the stages of a pipeline, asked for by `strategy.pipeline`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.place import current_place
from paddle_compat.core.program import Program, default_startup_program
from paddle_compat.distributed.fleet.meta_optimizers._pipeline_sections import section_of, startup_of
from paddle_compat.distributed.fleet.meta_optimizers._pipeline_stages import Exchange, Stages
from paddle_compat.distributed.fleet.meta_optimizers.meta_optimizer_base import MetaOptimizerBase

_MODES = ("1F1B", "F-then-B")


class PipelineOptimizer(MetaOptimizerBase):
    """Workers side by side run the stages of one model, which `device_guard("gpu:N")` names; small batches go through them.

    Args:
        optimizer: the user's optimizer, or another layer around it.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> paddle.enable_static()
        >>> fleet.init(is_collective=True)
        >>> strategy = fleet.DistributedStrategy()
        >>> strategy.pipeline = True
        >>> strategy.pipeline_configs = {"micro_batch_size": 2, "accumulate_steps": 4}
        >>> main, startup = paddle.static.Program(), paddle.static.Program()
        >>> with paddle.static.program_guard(main, startup), paddle.static.device_guard("gpu:0"):
        ...     loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 1, bias_attr=False))
        ...     _ = fleet.distributed_optimizer(paddle.optimizer.SGD(0.1), strategy).minimize(loss)
        >>> [op.type for op in main._pipeline_opt["section_program"].global_block().ops][-3:]
        ['fill_constant', 'sum', 'sgd']
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """

    switch = "pipeline"

    def minimize_impl(
        self, loss: Any, startup_program: Program | None = None, parameter_list: Any = None, no_grad_set: Iterable[Any] | None = None
    ) -> tuple[Any, list[Any]]:
        """Append all that minimises a loss, and cut the Programs into stages, of which the Executor runs this worker's.

        Args:
            loss (Tensor): what is minimised.
            startup_program (Program|None): None for the default one.
            parameter_list (list|None): what is trained.
            no_grad_set (set|None): Variables through which no gradient flows.
        Returns:
            tuple: the update operators, and the pairs of parameter and gradient.
        Raises:
            AssertionError: the number of workers is no multiple of the number of stages; no operator names a stage.
            UnsupportedError: two stages share a parameter.
        """
        role, configs = self.role_maker, self.user_defined_strategy.pipeline_configs
        parts, order = configs["accumulate_steps"], configs["schedule_mode"]
        if order not in _MODES:
            raise failed_assertion("pipeline_configs", f"a schedule_mode of {list(_MODES)}", order, "fleet.DistributedStrategy")
        startup = startup_program if startup_program is not None else default_startup_program()
        result = self.inner_opt.minimize(loss, startup_program, parameter_list, no_grad_set)
        main = loss.block.program
        stages = Stages(main)
        count, size = len(stages.devices), role._worker_num()
        if size % count:
            raise failed_assertion("device_guard", f"a number of stages that divides the {size} workers", count, "fleet.minimize")
        asked = self.user_defined_strategy.sharding_configs["pp_degree"] if self.user_defined_strategy.sharding and size > 1 else count
        if asked != count:
            raise failed_assertion("sharding_configs", f"a pp_degree of {count}, the number of stages", asked, "fleet.minimize")
        stage = role._worker_index() % count
        exchange = Exchange(stages, configs["micro_batch_size"], beside=order != "F-then-B")
        section = section_of(main, stages, stage, parts, size // count)
        main._pipeline_opt = {
            "trainer": "PipelineTrainer", "device_worker": "Section", "pipeline_stage": stage, "num_pipeline_stages": count,
            "schedule_mode": order, "inner_parallelism": count, "section_program": section, "place": current_place(), "place_id": 0,
            "sync_steps": -1, "num_microbatches": parts, "start_cpu_core_id": 0,
        }  # fmt: skip
        if size > 1:
            made = startup_of(startup, section, stages, stage, role, exchange.pairs)
            startup._pipeline_opt = {"startup_program": made}
        return result


__all__ = ["PipelineOptimizer"]

__getattr__ = missing(__name__)
