"""What fleet does in eager mode."""

from __future__ import annotations

from typing import Any

import torch

from paddle_compat.core.errors import UnsupportedError
from paddle_compat.distributed._modes import ParallelMode

_ALONE = ("amp", "gradient_merge", "localsgd", "adaptive_localsgd", "dgc", "fp16_allreduce")  # switches of data parallelism


class EagerTraining:
    """The part of `Fleet` that trains in eager mode: gradients meet in `paddle.DataParallel`, or workers step alone."""

    _role_maker: Any
    _user_defined_strategy: Any
    user_defined_optimizer: Any
    _hcg: Any  # not there before `init`: libraries ask whether it is
    _seeded = False  # whether processes along the model axis have numbers of their own

    def _begin_eager(self) -> None:
        """Work out which groups this process belongs to."""
        from paddle_compat.distributed.fleet.base.topology import grid

        self._hcg = grid(self._role_maker, self._user_defined_strategy)
        if self._hcg.get_model_parallel_world_size() > 1 and not self._seeded:
            from paddle_compat.distributed.fleet.layers.mpu.random import model_parallel_random_seed

            given = self._user_defined_strategy.tensor_parallel_configs["tensor_init_seed"]
            self._seeded = True  # once: what has begun goes on after another `init`
            model_parallel_random_seed(None if given == -1 else given)

    def _forget_former_job(self) -> None:
        """Take away what the strategies of an earlier `init` put around backward passes."""
        from paddle_compat.distributed.fleet.meta_optimizers import _mixed, _steps

        _mixed.begin_anew()
        _steps.begin_anew()

    def get_hybrid_communicate_group(self) -> Any:
        """The groups that this process belongs to.

        Returns:
            HybridCommunicateGroup: along each axis of the job.
        Raises:
            AttributeError: `init` has not been called.

        Example:
            >>> from paddle_compat.distributed import fleet
            >>> _ = fleet.init(is_collective=True)
            >>> fleet.get_hybrid_communicate_group().get_data_parallel_world_size()
            1
        """
        if self._role_maker is None:
            raise AttributeError("Nobody has said which groups there are. Expected fleet.init() before this call. Received: none")
        if not hasattr(self, "_hcg"):
            self._begin_eager()
        return self._hcg

    def _hybrid(self) -> Any:
        """The groups, where there are any."""
        return getattr(self, "_hcg", None)

    def _eager_optimizer(self, optimizer: Any) -> Any:
        from paddle_compat.distributed.fleet.base.meta_optimizer_factory import eager_optimizer
        from paddle_compat.distributed.fleet.meta_optimizers.dygraph_optimizer.hybrid_parallel_optimizer import HybridParallelOptimizer

        strategy = self._user_defined_strategy
        kind = None if self._role_maker._worker_num() == 1 else self.get_hybrid_communicate_group().get_parallel_mode()
        if kind is None:
            return eager_optimizer(optimizer, self._role_maker, strategy)
        if kind == ParallelMode.DATA_PARALLEL:
            made = eager_optimizer(optimizer, self._role_maker, strategy)
            return HybridParallelOptimizer(optimizer, self._hybrid(), strategy) if made is optimizer else made
        refused = [name for name in _ALONE if getattr(strategy, name)]
        if refused:
            raise UnsupportedError(
                f"fleet.DistributedStrategy.{refused[0]}", "tensors, stages, states or sequences shared out", "data parallelism"
            )
        return HybridParallelOptimizer(eager_optimizer(optimizer, self._role_maker, strategy), self._hybrid(), strategy)

    def distributed_model(self, model: Any) -> Any:
        """A model whose gradients are those of all workers.

        Args:
            model (Layer): the user's.
        Returns:
            Layer: a DataParallel, or what `fleet.meta_parallel` has for stages, tensors, sharding or sequences; with one worker, or where
            workers step alone, the model itself, and a NoPipelineParallel of a PipelineLayer in one stage.
        Raises:
            AssertionError: no model.
            AttributeError: `init` has not been called.
            UnsupportedError: `recompute_configs` names what is no sublayer.

        Example:
            >>> import paddle_compat as paddle
            >>> from paddle_compat.distributed import fleet
            >>> _ = fleet.init(is_collective=True)
            >>> model = fleet.distributed_model(paddle.nn.Linear(4, 1))
            >>> sgd = fleet.distributed_optimizer(paddle.optimizer.SGD(0.1, parameters=model.parameters()))
            >>> paddle.mean(model(paddle.ones([2, 4]))).backward(); sgd.step()

        Follows Paddle 2.6.
        """
        if model is None:
            raise AssertionError("model should not be None. Expected a paddle.nn.Layer for `distributed_model`. Received: None")
        if self._role_maker is None:
            raise AttributeError("Nobody has said which part this process plays. Expected fleet.init() before this call. Received: none")
        from paddle_compat import nn
        from paddle_compat.distributed._data_parallel import DataParallel
        from paddle_compat.distributed.fleet.meta_optimizers._mixed import mixed_precision
        from paddle_compat.distributed.fleet.meta_optimizers._models import begun_together, compute_again
        from paddle_compat.distributed.fleet.meta_parallel.parallel_layers.pp_layers import PipelineLayer
        from paddle_compat.distributed.fleet.meta_parallel.pipeline_parallel import NoPipelineParallel

        strategy, alone = self._user_defined_strategy, self._role_maker._worker_num() == 1
        if strategy.sync_batch_norm and not alone:
            model = nn.SyncBatchNorm.convert_sync_batchnorm(model)
        if strategy.recompute:
            compute_again(model, strategy)
        if strategy.amp:
            model = mixed_precision(strategy.amp_configs).model(model)
        staged = isinstance(model, PipelineLayer)
        if alone:
            return NoPipelineParallel(model, strategy) if staged else model
        kind = self.get_hybrid_communicate_group().get_parallel_mode()
        if staged and kind not in (ParallelMode.PIPELINE_PARALLEL, ParallelMode.DATA_PARALLEL):
            return NoPipelineParallel(model, strategy)
        if kind != ParallelMode.DATA_PARALLEL:
            return self._shared_out(model, kind)
        if strategy.localsgd or strategy.adaptive_localsgd or strategy.dgc:  # steps exchange what is to be exchanged
            return begun_together(model)
        made = DataParallel(
            model,
            comm_buffer_size=strategy.fuse_grad_size_in_MB if strategy.fuse_all_reduce_ops else 0,
            last_comm_buffer_size=strategy.last_comm_group_size_MB,
            find_unused_parameters=strategy.find_unused_parameters,
        )
        made._exchange(
            divides=strategy.gradient_scale_configs["scale_strategy"] == "avg",
            travels_as=torch.float16 if strategy.fp16_allreduce else None,
        )
        return made

    def _shared_out(self, model: Any, kind: int) -> Any:
        """A model in the wrapper of its kind of parallelism."""
        from paddle_compat.distributed.fleet import meta_parallel

        if kind == ParallelMode.PIPELINE_PARALLEL:
            return meta_parallel.pipeline_parallel.chosen(model, self._hybrid(), self._user_defined_strategy)
        if kind == ParallelMode.TENSOR_PARALLEL:
            made = meta_parallel.TensorParallel
        else:
            made = meta_parallel.ShardingParallel if kind == ParallelMode.SHARDING_PARALLEL else meta_parallel.SegmentParallel
        return made(model, self._hybrid(), self._user_defined_strategy)

    def distributed_scaler(self, scaler: Any) -> Any:
        """A scaler of losses for several workers, which all find the same overflows.

        With the strategy `amp` it takes the place of fleet's own.

        Args:
            scaler (GradScaler): the user's.
        Returns:
            GradScaler: the same.

        Example:
            >>> import paddle_compat as paddle
            >>> from paddle_compat.distributed import fleet
            >>> scaler = paddle.amp.GradScaler()
            >>> fleet.distributed_scaler(scaler) is scaler
            True
        """
        from paddle_compat.distributed.fleet.meta_optimizers._mixed import left_to_the_user
        from paddle_compat.distributed.fleet.meta_optimizers.dygraph_optimizer.hybrid_parallel_gradscaler import let_agree

        left_to_the_user(scaler)
        if self._role_maker is not None and self._role_maker._worker_num() > 1:
            groups = self.get_hybrid_communicate_group()
            if groups.get_parallel_mode() != ParallelMode.DATA_PARALLEL:
                let_agree(scaler, groups)
        return scaler
