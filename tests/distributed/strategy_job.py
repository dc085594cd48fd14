"""One of two workers that train by one strategy after the other; writes what its parameters were after each step."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

import paddle_compat as paddle
from paddle_compat.distributed import fleet
from paddle_compat.engine import processes
from paddle_compat.engine.buckets import MOST, buckets

STEPS, ROWS, WIDTH, LARGE = 6, 4, 4, 128
# strategy: its switches, the optimizer, and what else is special
CASES: dict[str, tuple[dict[str, Any], str]] = {
    "plain": ({}, "momentum"),
    "sum": ({"gradient_scale_configs": {"scale_strategy": "sum"}}, "sgd"),
    "customized": ({"gradient_scale_configs": {"scale_strategy": "customized"}}, "sgd"),
    "merge": ({"gradient_merge": True, "gradient_merge_configs": {"k_steps": 3, "avg": True}}, "momentum"),
    "merge_half": ({"gradient_merge": True, "gradient_merge_configs": {"k_steps": 2, "avg": False}, "fp16_allreduce": True}, "sgd"),
    "half": ({"fp16_allreduce": True}, "sgd"),
    "lars": ({"lars": True, "lars_configs": {"lars_coeff": 0.1, "lars_weight_decay": 0.01}}, "momentum"),
    "lamb": ({"lamb": True, "lamb_configs": {"lamb_weight_decay": 0.02}}, "adam"),
    "local": ({"localsgd": True, "localsgd_configs": {"k_steps": 2, "begin_step": 2}}, "momentum"),
    "adaptive": ({"adaptive_localsgd": True, "adaptive_localsgd_configs": {"init_k_steps": 3, "begin_step": 1}}, "sgd"),
    "compressed": ({"dgc": True, "dgc_configs": {"rampup_begin_step": 2, "rampup_step": 2, "sparsity": [0.5, 0.99]}}, "momentum"),
    "recompute": ({"recompute": True, "recompute_configs": {"checkpoints": ["fc_0.tmp_0"]}}, "momentum"),
    "mixed": ({"amp": True, "amp_configs": {"init_loss_scaling": 1024.0, "decr_every_n_nan_or_inf": 1, "decr_ratio": 0.5}}, "sgd"),
    "norm": ({"sync_batch_norm": True}, "sgd"),
    "merge_mixed": ({"gradient_merge": True, "gradient_merge_configs": {"k_steps": 3, "avg": True}, "amp": True}, "momentum"),
    "lamb_mixed": ({"lamb": True, "lamb_configs": {"lamb_weight_decay": 0.02}, "amp": True}, "adam"),
    "joined": ({}, "sgd"),
    "apart": ({"fuse_all_reduce_ops": False}, "sgd"),
}
# in eager mode checkpoints are sublayers
EAGER_CASES = CASES | {"recompute": ({"recompute": True, "recompute_configs": {"checkpoints": ["0"]}}, "momentum")}
RATE = {"sgd": 0.125, "momentum": 0.125, "adam": 0.125}
INFINITE = 2  # the step in which rank 1's batch of "mixed" overflows


sent: list[int] = []  # in how many buckets gradients travelled, each time


def counted(tensors: Any, most: int = MOST) -> list[list[int]]:
    """As `buckets`, which are counted."""
    found = buckets(tensors, most)
    sent.append(len(found))
    return found


def batch(case: str, step: int, rank: int) -> np.ndarray:
    """What a worker trains on in a step; of few bits, so that its gradients are exact at first."""
    width = LARGE if case == "compressed" else WIDTH
    rows = np.random.RandomState(100 * step + rank).randint(-40, 40, (ROWS, width)) / 32
    if case == "mixed" and (step, rank) == (INFINITE, 1):
        rows[0, 0] = np.inf
    return rows.astype("float32")


def start(case: str) -> np.ndarray:
    """The first worker's parameter."""
    width = LARGE if case == "compressed" else WIDTH
    return (np.random.RandomState(7).randint(-8, 8, (width, width)) / 8).astype("float32")


def network(case: str, rank: int) -> tuple[Any, Any]:
    """The loss and the parameter, which starts differently on the second worker."""
    first = start(case)
    x = paddle.static.data("x", [ROWS, first.shape[0]])
    attr = paddle.ParamAttr(name="weight", initializer=paddle.nn.initializer.Assign(first + rank))
    out = paddle.static.nn.fc(x, first.shape[1], weight_attr=attr, bias_attr=None if case in ("joined", "apart") else False)
    if case == "norm":
        out = paddle.static.nn.batch_norm(out, moving_mean_name="mean", moving_variance_name="variance")
    return paddle.mean(paddle.square(out)), paddle.static.default_main_program().global_block().var("weight")


def optimizer(kind: str) -> Any:
    """The user's optimizer."""
    if kind == "momentum":
        return paddle.optimizer.Momentum(RATE[kind], 0.5)
    return {"sgd": paddle.optimizer.SGD, "adam": paddle.optimizer.Adam}[kind](RATE[kind])


def train(case: str) -> dict[str, np.ndarray]:
    """The parameter after each step, and what else a case is about."""
    switches, kind = CASES[case]
    strategy = fleet.DistributedStrategy()
    for name, value in switches.items():
        setattr(strategy, name, value)
    fleet.init(is_collective=True, strategy=strategy)
    rank = fleet.worker_index()
    main, startup = paddle.static.Program(), paddle.static.Program()
    with paddle.static.program_guard(main, startup), paddle.utils.unique_name.guard():
        loss, weight = network(case, rank)
        fleet.distributed_optimizer(optimizer(kind)).minimize(loss)
    fetched = [weight.name, *{"adaptive": ["k_steps"], "mixed": ["loss_scaling_0"], "norm": ["mean", "variance"]}.get(case, [])]
    executor = paddle.static.Executor(paddle.CPUPlace())
    rows = []
    with paddle.static.scope_guard(paddle.static.Scope()):
        executor.run(startup)
        sent.clear()
        for step in range(STEPS):
            rows.append([np.array(v) for v in executor.run(main, feed={"x": batch(case, step, rank)}, fetch_list=fetched)])
    found = {f"{case}.{name}": np.stack([row[i] for row in rows]) for i, name in enumerate(fetched)}
    return found | {f"{case}.sent": np.array(sent)}


def train_eagerly(case: str) -> dict[str, np.ndarray]:
    """As `train`, in eager mode."""
    switches, kind = EAGER_CASES[case]
    strategy = fleet.DistributedStrategy()
    for name, value in switches.items():
        setattr(strategy, name, value)
    fleet.init(is_collective=True, strategy=strategy)
    rank = fleet.worker_index()
    first = start(case)
    layer = paddle.nn.Linear(*first.shape, bias_attr=None if case in ("joined", "apart") else False)
    layer.weight.set_value(first + rank)
    norm = paddle.nn.BatchNorm1D(first.shape[1])
    net = paddle.nn.Sequential(layer, norm) if case == "norm" else paddle.nn.Sequential(layer)
    wanted = {"sgd": paddle.optimizer.SGD, "momentum": paddle.optimizer.Momentum, "adam": paddle.optimizer.Adam}[kind]
    moves = fleet.distributed_optimizer(wanted(RATE[kind], *[0.5] * (kind == "momentum"), parameters=net.parameters()))
    model = fleet.distributed_model(net)
    rows: list[list[np.ndarray]] = []
    sent.clear()
    for step in range(STEPS):
        paddle.mean(paddle.square(model(paddle.to_tensor(batch(case, step, rank))))).backward()
        moves.step()
        moves.clear_grad()
        rows.append([value.numpy().copy() for value in (layer.weight, norm._mean, norm._variance)])
    found = {f"eager_{case}.{name}": np.stack([row[i] for row in rows]) for i, name in enumerate(("weight", "mean", "variance"))}
    return found | {f"eager_{case}.sent": np.array(sent)}


EAGER = ("plain", "sum", "customized", "half", "recompute", "joined", "apart", "lars", "lamb", "merge", "local", "norm")

if __name__ == "__main__":
    processes.buckets = counted  # type: ignore[assignment]
    paddle.enable_static()
    found: dict[str, np.ndarray] = {}
    for each in CASES:
        found.update(train(each))
    paddle.disable_static()
    for each in EAGER:
        found.update(train_eagerly(each))
    np.savez(Path(sys.argv[1]) / f"{fleet.worker_index()}.npz", **found)
