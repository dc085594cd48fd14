"""One of two or four workers that train networks with `strategy.sharding` and without; writes all parameters, and who keeps which state."""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np

import paddle_compat as paddle
from paddle_compat.distributed import fleet

STEPS, HALFWAY = 6, 3
MERGE: dict[str, Any] = {"gradient_merge": True, "gradient_merge_configs": {"k_steps": 2, "avg": True}}
SCALED = {"amp": True, "amp_configs": {"init_loss_scaling": 1024.0, "use_dynamic_loss_scaling": True}}
AGAIN = {"recompute": True, "recompute_configs": {"checkpoints": ["fc_0.tmp_2"]}}
# what is set beside sharding, the optimizer, its settings
CASES: dict[str, tuple[dict[str, Any], str, dict[str, Any]]] = {
    "plain": ({}, "Momentum", {}),
    "adam": ({}, "Adam", {}),
    "clipped": ({}, "AdamW", {"grad_clip": paddle.nn.ClipGradByGlobalNorm(0.05)}),
    "decayed": ({}, "Momentum", {"weight_decay": 0.1}),
    "merged": (MERGE, "Adam", {}),
    "mixed": (SCALED, "Momentum", {}),
    "recomputed": (AGAIN, "SGD", {}),
    "all": (MERGE | SCALED | AGAIN, "Momentum", {"grad_clip": paddle.nn.ClipGradByGlobalNorm(0.05)}),
    "lamb": ({"lamb": True}, "Adam", {}),
    "half": ({"fp16_allreduce": True}, "SGD", {}),
}


def train(case: str, sharding: dict[str, Any] | None, folder: str) -> dict[str, Any]:
    """The parameters after all steps, the state that this worker keeps, and the layers; in the middle everything is read from files."""
    switches, kind, settings = CASES[case]
    strategy = fleet.DistributedStrategy()
    for name, value in switches.items():
        setattr(strategy, name, value)
    if sharding is not None:
        strategy.sharding, strategy.sharding_configs = True, sharding
    fleet.init(is_collective=True, strategy=strategy)
    rank = fleet.worker_index()
    paddle.seed(5 + rank)  # the first worker's parameters are those of all
    main, startup = paddle.static.Program(), paddle.static.Program()
    with paddle.static.program_guard(main, startup), paddle.utils.unique_name.guard():
        x, y = paddle.static.data("x", [None, 8]), paddle.static.data("y", [None, 1])
        hidden = paddle.static.nn.fc(paddle.static.nn.fc(x, 12, activation="tanh"), 6, activation="tanh")
        loss = paddle.mean(paddle.square(paddle.static.nn.fc(hidden, 1) - y))
        fleet.distributed_optimizer(getattr(paddle.optimizer, kind)(0.05, **settings)).minimize(loss)
    executor, state = paddle.static.Executor(paddle.CPUPlace()), f"{folder}/{case}-{sharding is None}-{rank}"
    params, losses = [p.name for p in main.all_parameters()], []
    with paddle.static.scope_guard(paddle.static.Scope()):
        executor.run(startup)
        draws = np.random.RandomState(rank)
        for step in range(STEPS):
            if step == HALFWAY:
                paddle.static.save(main, state)
                executor.run(startup)
                paddle.static.load(main, state, executor)
            feed = {"x": draws.rand(4, 8).astype("float32"), "y": draws.rand(4, 1).astype("float32")}
            losses.append(float(np.ravel(executor.run(main, feed=feed, fetch_list=[loss])[0])[0]))
        values = {name: np.array(paddle.static.global_scope().find_var(name).get_tensor()).tolist() for name in params}
    kept = sorted(v.name for v in main.list_vars() if v.persistable and v.name.startswith("fc_") and v.name not in params)
    return {"values": values, "losses": losses, "state": kept, "layers": fleet._get_applied_meta_list()}


if __name__ == "__main__":
    paddle.enable_static()
    ways: dict[str, dict[str, Any] | None] = {"without": None} | json.loads(sys.argv[2])
    told = {case: {way: train(case, configs, sys.argv[1]) for way, configs in ways.items()} for case in CASES}
    with open(f"{sys.argv[1]}/{fleet.worker_index()}.json", "w") as file:
        json.dump(told, file)
