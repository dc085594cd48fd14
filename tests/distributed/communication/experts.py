"""A mixture of experts whose four experts two processes share out, and the same in one process."""

import numpy as np
import paddle
from paddle.incubate.distributed.models import moe


def layer(gate, experts, processes=1, group=None):
    """The layer with these of its experts."""
    made = {
        "naive": lambda: moe.NaiveGate(4, 4 // processes, processes, topk=2),
        "gshard": lambda: moe.GShardGate(4, 4 // processes, processes, capacity=(0.6, 1.0), random_routing=False, group=group),
        "switch": lambda: moe.SwitchGate(4, 4 // processes, processes, switch_eps=0.0, capacity=(0.3, 1.0), group=group),
    }[gate]()
    linears = paddle.nn.LayerList([paddle.nn.Linear(4, 4) for _ in experts])
    whole = moe.MoELayer(4, linears, gate=made, moe_group=group)
    for number, parameters in [(9, made.parameters()), *((n, each.parameters()) for n, each in zip(experts, linears))]:
        numbers = np.random.RandomState(number)
        for parameter in parameters:
            parameter.set_value(numbers.randn(*parameter.shape).astype("float32"))
    return whole


def batch(rank):
    """What a process is fed."""
    return np.random.RandomState(20 + rank).randn(1, 6, 4).astype("float32")


def gradients(whole, x):
    """What a layer gives, and the gradients of its input, its experts and its gate, and those of its experts after a clip."""
    given = paddle.to_tensor(x, stop_gradient=False)
    y = whole(given)
    (y * y).sum().backward()
    experts = [[None if p.grad is None else p.grad.tolist() for p in each.parameters()] for each in whole.experts]
    return {"y": y.tolist(), "x": given.grad.tolist(), "experts": experts, "gate": [p.grad.tolist() for p in whole.gate.parameters()]}


def of_process(rank, group, gate):
    """What one of two processes has."""
    whole = layer(gate, (2 * rank, 2 * rank + 1), 2, group)
    found = gradients(whole, batch(rank))
    clip = moe.ClipGradForMOEByGlobalNorm(1.0, lambda p: "gate" not in p.name, group)
    found["clipped"] = [g.tolist() for _, g in clip([(p, p.grad) for each in whole.experts for p in each.parameters()])]
    return found
