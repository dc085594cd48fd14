"""`paddle.distributed.fleet.utils.hybrid_parallel_inference`: Programs for inference that several workers compute together."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import mode
from paddle_compat.core.errors import UnsupportedError, failed_assertion
from paddle_compat.core.program import Program
from paddle_compat.distributed.fleet.base.role_maker import PaddleCloudRoleMaker
from paddle_compat.distributed.fleet.meta_optimizers.raw_program_optimizer import begin_ring

_MODEL, _ALL = 0, 1  # the wheel's numbers of the rings; `paddle.distributed.split` writes operators of the first one


class HybridParallelInferenceHelper:
    """Lets workers that have parts of layers (`paddle.distributed.split`) meet in a Program for inference.

    Args:
        startup_program (Program): gets what the workers meet by.
        main_program (Program): what is computed.
        num_mp (int): how many workers compute a layer together.
        num_pp (int): how many have layers of their own: 1.
        micro_batch_size (int), beam_size (int): what pipelines are told.
        init_comm (bool): whether `startup_program` is to get that.
        role_maker (RoleMaker|None): of this process; None: the environment says it.
    Raises:
        AssertionError: there are others than `num_mp` workers, or eager mode is on.
        UnsupportedError: `num_pp` is above 1.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> from paddle_compat.distributed.fleet.utils.hybrid_parallel_inference import HybridParallelInferenceHelper
        >>> paddle.enable_static()
        >>> fleet.init(is_collective=True)
        >>> main, startup = paddle.static.Program(), paddle.static.Program()
        >>> with paddle.static.program_guard(main, startup):
        ...     with paddle.static.device_guard("gpu:0"):
        ...         out = paddle.static.nn.fc(paddle.static.data("x", [None, 2]), 3)
        >>> helper = HybridParallelInferenceHelper(startup, main, num_mp=1, num_pp=1)
        >>> helper.gen_infer_program()
        >>> [op.type for op in startup.global_block().ops][-2:]
        ['c_gen_nccl_id', 'c_comm_init']
        >>> paddle.disable_static()

    Follows Paddle 2.6, which refuses wheels without GPUs.
    """

    def __init__(
        self, startup_program: Program, main_program: Program, num_mp: int = 1, num_pp: int = 1, micro_batch_size: int = 1,
        beam_size: int = 1, init_comm: bool = True, role_maker: Any = None,
    ) -> None:  # fmt: skip
        if mode.in_dygraph_mode():
            raise AssertionError("Only static graph mode is supported. Expected paddle.enable_static() before. Received: eager mode")
        for name, program in (("startup_program", startup_program), ("main_program", main_program)):
            if not isinstance(program, Program):
                raise failed_assertion(name, "a Program", type(program).__name__, "HybridParallelInferenceHelper")
        if num_pp > 1:
            raise UnsupportedError("HybridParallelInferenceHelper", f"num_pp={num_pp}", "num_mp alone")
        role = PaddleCloudRoleMaker(is_collective=True) if role_maker is None else role_maker
        workers = role._worker_num()
        if num_mp * num_pp != workers:
            expected = f"with num_pp a product of {workers}, the number of workers"
            raise failed_assertion("num_mp", expected, num_mp, "HybridParallelInferenceHelper")
        self._startup_program, self._main_program, self._role = startup_program, main_program, role
        self.num_mp, self.num_pp, self.micro_batch_size, self.beam_size = num_mp, num_pp, micro_batch_size, beam_size
        if init_comm:
            self._init_communication_group()

    def _init_communication_group(self) -> None:
        block, ends = self._startup_program.global_block(), self._role._get_trainer_endpoints()
        own = ends[self._role._worker_index()]
        begin_ring(block, _ALL, ends, own)
        if self.num_mp > 1:
            begin_ring(block, _MODEL, ends, own)

    def gen_infer_program(
        self, sync_in_while_lastpp2firstpp_var_names: Any = None, sync_in_while_var_names: Any = None, debug: bool = False
    ) -> None:
        """Leave to this worker what is its own: with one stage, everything.

        Args:
            sync_in_while_lastpp2firstpp_var_names (list|None): what the last stage sends the first one in a loop.
            sync_in_while_var_names (list|None): what stages send to each other in a loop.
            debug (bool): kept; the wheel writes the Programs into files.
        """


__all__ = ["HybridParallelInferenceHelper"]

__getattr__ = missing(__name__)
