"""Jobs without servers: trainers meet, and each runs the whole Program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from paddle_compat.core.dtype import VarType
from paddle_compat.core.program import Program
from paddle_compat.fluid.transpiler import collective

_WRITERS = {"grad_allreduce": collective.GradAllReduce, "local_sgd": collective.LocalSGD}


def meet(main: Program, startup: Program, config: Any, trainer: int, endpoints: Sequence[str]) -> None:
    """Let the startup Program bring trainers together, for a `ParallelExecutor` of several trainers.

    Args:
        main, startup: the Programs.
        config: a `DistributeTranspilerConfig`.
        trainer: this process's number.
        endpoints: of all.
    """
    rings = config.nccl_comm_num
    main._trainers_endpoints, main._nccl_comm_num = list(endpoints), rings  # type: ignore[attr-defined]
    block = startup.global_block()
    names = ["NCCLID", *(f"NCCLID_{i}" for i in range(1, rings))]
    if config.use_hierarchical_allreduce:
        main._use_hierarchical_allreduce = True  # type: ignore[attr-defined]
        main._hierarchical_allreduce_inter_nranks = config.hierarchical_allreduce_inter_nranks  # type: ignore[attr-defined]
        names += [f"Hierarchical_{which}_NCCLID_{i}" for i in range(rings) for which in ("inter", "exter")]
    for name in names:
        block.create_var(name=name, persistable=True, type=VarType.RAW)
    attrs = {
        "trainers": list(endpoints), "trainer_id": trainer, "nccl_comm_num": rings,
        "use_hierarchical_allreduce": config.use_hierarchical_allreduce,
        "hierarchical_allreduce_inter_nranks": config.hierarchical_allreduce_inter_nranks,
    }  # fmt: skip
    block.append_op("gen_nccl_id", {}, {"NCCLID": [names[0]]}, attrs)


def join_in(main: Program, startup: Program, config: Any, trainer: int, endpoints: Sequence[str], own: str) -> None:
    """Write collective operators into both Programs.

    Args:
        main, startup: the Programs.
        config: a `DistributeTranspilerConfig`.
        trainer: this process's number.
        endpoints: of all; own: of this process.
    Raises:
        ValueError: the collective mode is none of them.
    """
    if config.collective_mode not in _WRITERS:
        raise ValueError(
            f"Invalid value for argument `config.collective_mode` of `DistributeTranspiler`. Expected one of {', '.join(_WRITERS)}. "
            f"Received: {config.collective_mode!r}"
        )
    _WRITERS[config.collective_mode](config.nccl_comm_num).transpile(startup, main, trainer, list(endpoints), own, config.wait_port)
