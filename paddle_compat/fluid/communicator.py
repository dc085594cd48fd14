"""`fluid.communicator`: sends gradients and receives parameters beside a trainer's steps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.program import Program
from paddle_compat.core.scope import global_scope
from paddle_compat.engine import communicator as engine
from paddle_compat.engine.geo import GeoCommunicator, parameters_of
from paddle_compat.fluid.transpiler.distribute_transpiler import DistributedMode

_KINDS = {
    DistributedMode.SYNC: engine.Kind.SYNC,
    DistributedMode.ASYNC: engine.Kind.ASYNC,
    DistributedMode.HALF_ASYNC: engine.Kind.HALF_ASYNC,
    DistributedMode.GEO: engine.Kind.GEO,
}
_NEEDS = {DistributedMode.SYNC: ("pserver_endpoints", "trainer_id"), DistributedMode.GEO: ("push_vars", "trainers", "push_nums")}


class Communicator:
    """Sends and receives for a trainer, whose steps do not wait for it.

    Args:
        program (Program): the trainer's, of a transpiler with `runtime_split_send_recv`. Its `recv` operators are marked `do_not_run`.
        mode (int): one of `DistributedMode`.
        kwargs (dict): what the mode needs. SYNC: `pserver_endpoints` and `trainer_id`. GEO: `push_vars`, `trainers` and `push_nums` (steps
            between two pushes).
        envs (dict): texts by the names of flags: `communicator_max_merge_var_num`, `communicator_send_queue_size`,
            `communicator_send_wait_times` (of 10 ms each), `communicator_min_send_grad_num_before_recv`,
            `communicator_independent_recv_thread`, `communicator_is_sgd_optimizer` (merged gradients are summed, else averaged);
            `communicator_thread_pool_size` and others have no effect.
    Raises:
        TypeError: `program` is no Program.
        ValueError: no such mode, or `kwargs` lack what it needs.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.communicator import Communicator
        >>> from paddle_compat.fluid.transpiler.distribute_transpiler import DistributedMode
        >>> beside = Communicator(fluid.Program(), DistributedMode.ASYNC)  # in earnest, a trainer's Program
        >>> beside.is_running()
        False
        >>> beside.start(); beside.stop()  # this one's Program sends nothing

    Follows Paddle 1.8.
    """

    def __init__(self, program: Program, mode: int, kwargs: Mapping[str, Any] | None = None, envs: Mapping[str, str] = {}) -> None:
        if not isinstance(program, Program):
            raise TypeError(
                f"Invalid value for argument `program` of `Communicator`. Expected a Program. Received: {type(program).__name__}"
            )
        if mode not in _KINDS:
            raise ValueError(f"Invalid value for argument `mode` of `Communicator`. Expected one of {sorted(_KINDS)}. Received: {mode!r}")
        said = dict(kwargs or {})
        lacking = [name for name in _NEEDS.get(mode, ()) if name not in said]
        if lacking:
            raise ValueError(f"Invalid value for argument `kwargs` of `Communicator`. Expected {lacking}. Received: {sorted(said)}")
        settings = engine.settings_of(envs, int(said.get("push_nums", 100)))
        if mode == DistributedMode.GEO:
            parameters, tables = parameters_of(said["push_vars"])
            self._engine: engine.Communicator = GeoCommunicator(
                program, settings, global_scope(), parameters, tables, int(said["trainers"]), first_rows=True
            )
        else:
            self._engine = engine.Communicator(program, _KINDS[mode], settings, global_scope())

    def start(self) -> None:
        """Begin, before the training.

        Raises:
            PreconditionNotMetError: another communicator of this process is running.
        """
        self._engine.start()

    def stop(self) -> None:
        """Send what waits, receive the parameters, and end, behind the training."""
        self._engine.stop()

    def is_running(self) -> bool:
        """Whether it was started, and not stopped. Paddle 1.8.5 always answers None.

        Returns:
            bool.
        """
        return self._engine.is_running()


__all__ = ["Communicator"]
__getattr__ = missing(__name__)
