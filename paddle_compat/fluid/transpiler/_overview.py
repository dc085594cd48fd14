"""What servers have of a Program, as `_parameters_on_pservers` of Paddle 1.8 tells it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from paddle_compat.distributed.ps._files import Kept
from paddle_compat.distributed.ps._training import Training
from paddle_compat.fluid.transpiler.details.vars_distributed import VarsDistributed, VarStruct


def overview(training: Training, kept: Sequence[Kept]) -> VarsDistributed:
    """Variables of a Program and the parts of them that servers have.

    Args:
        training: what the Program trains.
        kept: what servers have.
    """
    found, numbers = VarsDistributed(), dict[str, int]()
    for part in sorted(kept, key=lambda part: part.state):
        whole = _described(training._known[part.whole])
        shape = (part.rows, *whole.shape[1:]) if part.rows else whole.shape
        number = numbers.get(part.whole, 0) if part.rows else 0
        numbers[part.whole] = number + 1
        mine = VarStruct(part.name, shape, whole.dtype, whole.type, whole.lod_level, True)
        kind = "Optimizer" if part.state else "RemotePrefetch" if part.whole in training.tables else "Param"
        offset = part.begin * math.prod(whole.shape[1:])
        found.add_distributed_var(whole, mine, bool(part.rows), number, offset, kind, part.endpoint)
    return found


def _described(var: Any) -> VarStruct:
    return VarStruct(var.name, tuple(var.shape), var.dtype, var.type, var.lod_level, var.persistable)
