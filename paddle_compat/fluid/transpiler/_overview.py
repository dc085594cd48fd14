"""What servers have of a Program, as `_parameters_on_pservers` of Paddle 1.8 tells it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from paddle_compat.distributed.ps._files import Kept
from paddle_compat.distributed.ps._plan import Plan
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


def mappings(plan: Plan, training: Training, endpoints: Sequence[str], ending: str) -> dict[str, Any]:
    """What a transpiler tells of its plan, under the names of its attributes.

    Args:
        plan, training: of a trainer's Program that was written.
        endpoints: of the servers.
        ending: of the names under which it sends gradients.
    """
    variables = training.program.global_block().vars
    params = {part.param: variables[part.param] for placed in plan.placed for part in placed.parts}
    grads = {part.grad: variables[part.grad + ending] for placed in plan.placed for part in placed.parts}
    whole = {placed.param.name: placed.parts[0].grad.removesuffix(".block0") for placed in plan.placed}
    parts = {endpoint: list(plan.on(endpoint)) for endpoint in endpoints}
    return {
        "param_var_mapping": {each.param.name: [params[part.param] for part in each.parts] for each in plan.placed},
        "grad_var_mapping": {whole[each.param.name]: [grads[part.grad] for part in each.parts] for each in plan.placed},
        "grad_param_mapping": {grads[part.grad]: params[part.param] for each in plan.placed for part in each.parts},
        "param_grad_ep_mapping": {
            endpoint: {"params": [params[part.param] for part in own], "grads": [grads[part.grad] for part in own]}
            for endpoint, own in parts.items()
        },
        "sparse_param_to_height_sections": {each.param.name: each.rows for each in plan.placed if each.remote},
        "param_name_to_grad_name": whole,
        "grad_name_to_param_name": {grad: param for param, grad in whole.items()},
        "params_grads": [(each.param, each.grad) for each in plan.placed],
        "optimize_ops": training.updates,
    }
