"""One of the processes of `test_without_servers.py`: trains as the mode says, prints a JSON object of losses and parameters.

    python trainers_job.py NUMBER ENDPOINT,ENDPOINT
"""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np
import paddle.fluid as fluid

MODES = ("nccl2", "grad_allreduce", "local_sgd")
STEPS = 4


def batches() -> list[dict[str, np.ndarray]]:
    """The joined batches."""
    numbers = np.random.RandomState(5)
    made = [numbers.rand(8, 4).astype("float32") for _ in range(STEPS)]
    return [{"x": x, "y": x.sum(1, keepdims=True)} for x in made]


def network(mode: str) -> Any:
    """A small layer; the loss. Steps of SGD may be averaged behind the update as well as before."""
    x, y = fluid.data("x", [None, 4]), fluid.data("y", [None, 1])
    loss = fluid.layers.mean(fluid.layers.square_error_cost(fluid.layers.fc(fluid.layers.fc(x, 3, act="tanh"), 1), y))
    (fluid.optimizer.SGD(0.1) if mode == "local_sgd" else fluid.optimizer.Momentum(0.1, 0.9)).minimize(loss)
    return loss


def train(mode: str, number: int, endpoints: list[str]) -> dict[str, Any]:
    """What a trainer sees; alone where there are no endpoints."""
    main, startup, scope = fluid.Program(), fluid.Program(), fluid.Scope()
    main.random_seed = startup.random_seed = 3 + number  # rank 0's values are everybody's
    place = fluid.CPUPlace()
    exe = fluid.Executor(place)
    with fluid.unique_name.guard(), fluid.scope_guard(scope), fluid.program_guard(main, startup):
        loss = network(mode)
        if endpoints:
            config = fluid.DistributeTranspilerConfig()
            config.mode = "nccl2" if mode == "nccl2" else "collective"
            config.collective_mode = mode
            fluid.DistributeTranspiler(config).transpile(number, trainers=",".join(endpoints), current_endpoint=endpoints[number])
        exe.run(startup)
        many = mode == "nccl2" and endpoints
        pe = fluid.ParallelExecutor(False, loss.name, num_trainers=len(endpoints), trainer_id=number) if many else None
        losses = []
        for joined in batches():
            share = {name: value[number :: len(endpoints)] if endpoints else value for name, value in joined.items()}
            got = pe.run([loss.name], feed=share) if pe is not None else exe.run(main, feed=share, fetch_list=[loss])
            losses.append(float(np.mean(got[0])))
        kept = {p.name: np.array(scope.find_var(p.name).get_tensor()).tolist() for p in main.all_parameters()}
    return {"losses": losses, "parameters": kept}


if __name__ == "__main__":
    print(json.dumps({mode: train(mode, int(sys.argv[1]), sys.argv[2].split(",")) for mode in MODES}) + "\n", end="", flush=True)
