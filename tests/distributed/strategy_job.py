"""One of two workers that train by one strategy after the other; writes what its parameters were after each step."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

import paddle_compat as paddle
from paddle_compat.amp import _casting, _support
from paddle_compat.distributed import fleet
from paddle_compat.distributed.fleet.meta_optimizers import _mixed
from paddle_compat.engine import processes
from paddle_compat.engine.buckets import buckets

STEPS, ROWS, WIDTH, LARGE = 6, 4, 4, 128
# strategy: its switches, the optimizer, and what else is special
CASES: dict[str, tuple[dict[str, Any], str]] = {
    "plain": ({}, "momentum"),
    "unused": ({"find_unused_parameters": True, "fuse_grad_size_in_MB": 3}, "sgd"),
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
MERGE: dict[str, Any] = {"gradient_merge": True, "gradient_merge_configs": {"k_steps": 3, "avg": True}}
LOCAL: dict[str, Any] = {"localsgd": True, "localsgd_configs": {"k_steps": 2, "begin_step": 2}}
LARS: dict[str, Any] = {"lars": True, "lars_configs": {"lars_coeff": 0.1, "lars_weight_decay": 0.01}}
AGAIN: dict[str, Any] = {"recompute": True, "recompute_configs": {"checkpoints": ["fc_0.tmp_0"]}}


def build_strategy(**switches: Any) -> dict[str, Any]:
    """A strategy with a build strategy."""
    made = paddle.static.BuildStrategy()
    for name, value in switches.items():
        setattr(made, name, value)
    return {"build_strategy": made}


ONE = paddle.static.BuildStrategy.GradientScaleStrategy.One
CASES |= {
    "built": (build_strategy(gradient_scale_strategy=ONE, fuse_all_optimizer_ops=False, enable_inplace=False), "sgd"),
    "built_apart": (build_strategy(fuse_all_reduce_ops=False), "sgd"),
    "merge_joined": (MERGE, "sgd"),
    "merge_apart": ({**MERGE, "fuse_all_reduce_ops": False}, "sgd"),
    "norm_built": (build_strategy(sync_batch_norm=True), "sgd"),
}
CASES |= {  # several at once, as users set them
    "merge_mixed_recompute": (MERGE | AGAIN | {"amp": True}, "momentum"),
    "local_mixed": (LOCAL | {"amp": True}, "sgd"),
    "lars_local": (LARS | LOCAL, "momentum"),
    "lars_mixed": (LARS | {"amp": True}, "momentum"),
    "norm_mixed": ({"sync_batch_norm": True, "amp": True}, "sgd"),
    "norm_half": ({"sync_batch_norm": True, "fp16_allreduce": True}, "sgd"),
    "norm_half_apart": ({"sync_batch_norm": True, "fp16_allreduce": True, "fuse_all_reduce_ops": False}, "sgd"),
}
BFLOAT16: dict[str, Any] = {"amp": True, "amp_configs": {"use_pure_bf16": True, "use_fp16_guard": False}}
CASES |= {
    "bfloat16": (BFLOAT16, "sgd"),
    "merge_bfloat16_recompute": (MERGE | AGAIN | BFLOAT16, "momentum"),
    "norm_bfloat16": (BFLOAT16 | {"sync_batch_norm": True}, "sgd"),
}
# in eager mode checkpoints are sublayers
AGAIN_EAGERLY = AGAIN | {"recompute_configs": {"checkpoints": ["0"]}}
EAGER_CASES = CASES | {
    "recompute": (AGAIN_EAGERLY, "momentum"),
    "merge_mixed_recompute": (MERGE | AGAIN_EAGERLY | {"amp": True}, "momentum"),
    "merge_bfloat16_recompute": (MERGE | AGAIN_EAGERLY | BFLOAT16, "momentum"),
}
EAGER = (
    "plain", "sum", "customized", "half", "recompute", "joined", "apart", "lars", "lamb", "merge", "local", "norm", "adaptive",
    "compressed", "mixed", "local_mixed", "unused",
    "merge_mixed", "lamb_mixed", "merge_mixed_recompute", "lars_local", "lars_mixed", "norm_mixed",
    "norm_half_apart", "bfloat16", "merge_bfloat16_recompute", "norm_bfloat16",
)  # fmt: skip
RATE = {"sgd": 0.125, "momentum": 0.125, "adam": 0.125}
# cases of which everything that a file has is forgotten after a step, and read again
RESTARTED = ("compressed", "merge", "merge_mixed", "local", "lars_local", "local_mixed", "adaptive", "mixed", "lamb_mixed")
HALFWAY = 3  # that step
INFINITE = 2  # the step in which rank 1's batch of "mixed" overflows


sent: list[int] = []  # in how many buckets gradients travelled, each time


def counted(tensors: Any, *limits: int) -> list[list[int]]:
    """As `buckets`, which are counted."""
    found = buckets(tensors, *limits)
    sent.append(len(found))
    return found


def batch(case: str, step: int, rank: int) -> np.ndarray:
    """What a worker trains on in a step; of few bits, so that its gradients are exact at first."""
    width = LARGE if case == "compressed" else WIDTH
    rows = np.random.RandomState(100 * step + rank).randint(-40, 40, (ROWS, width)) / 32
    if case in ("mixed", "local_mixed") and (step, rank) == (INFINITE, 1):
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
    biased = case.endswith(("joined", "apart")) and not case.startswith("norm")
    out = paddle.static.nn.fc(x, first.shape[1], weight_attr=attr, bias_attr=None if biased else False)
    if case.startswith("norm"):
        out = paddle.static.nn.batch_norm(out, moving_mean_name="mean", moving_variance_name="variance")
    return paddle.mean(paddle.square(out)), paddle.static.default_main_program().global_block().var("weight")


def optimizer(kind: str) -> Any:
    """The user's optimizer."""
    if kind == "momentum":
        return paddle.optimizer.Momentum(RATE[kind], 0.5)
    return {"sgd": paddle.optimizer.SGD, "adam": paddle.optimizer.Adam}[kind](RATE[kind])


def widened(value: np.ndarray) -> np.ndarray:
    """What was fetched, in float32 where it comes as the bits of bfloat16."""
    return (value.astype("uint32") << 16).view("float32") if value.dtype == np.uint16 else np.array(value)


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
        moves = fleet.distributed_optimizer(optimizer(kind))
        moves.minimize(loss)
    fetched = [weight.name, *{"adaptive": ["k_steps"], "mixed": ["loss_scaling_0"]}.get(case, [])]
    fetched += ["mean", "variance"] if case.startswith("norm") else []
    executor = paddle.static.Executor(paddle.CPUPlace())
    rows = []
    with ExitStack() as stack:
        stack.enter_context(paddle.static.scope_guard(paddle.static.Scope()))
        executor.run(startup)
        if "bfloat16" in case:
            moves.amp_init(paddle.CPUPlace(), scope=paddle.static.global_scope())
        sent.clear()
        for step in range(STEPS):
            if case in RESTARTED and step == HALFWAY + 1:
                paddle.static.save(main, f"{sys.argv[1]}/{case}{rank}")
                stack.enter_context(paddle.static.scope_guard(paddle.static.Scope()))
                executor.run(startup)
                paddle.static.load(main, f"{sys.argv[1]}/{case}{rank}", executor)
            rows.append([widened(v) for v in executor.run(main, feed={"x": batch(case, step, rank)}, fetch_list=fetched)])
    found = {f"{case}.{name}": np.stack([row[i] for row in rows]) for i, name in enumerate(fetched)}
    return found | {f"{case}.sent": np.array(sent), f"{case}.most": np.array(main._bucket_bytes or 0)}


class Uneven(paddle.nn.Layer):
    """A layer, and one that not all workers use."""

    def __init__(self, layer: Any, uses_both: bool) -> None:
        super().__init__()
        self.layer, self.uses_both = layer, uses_both
        self.spare = paddle.nn.Linear(WIDTH, WIDTH)

    def forward(self, x: Any) -> Any:
        out = self.layer(x)
        return out + 0.0 * self.spare(x) if self.uses_both else out


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
    net = paddle.nn.Sequential(layer, norm) if case.startswith("norm") else paddle.nn.Sequential(layer)
    net = Uneven(layer, rank == 0) if case == "unused" else net
    wanted = {"sgd": paddle.optimizer.SGD, "momentum": paddle.optimizer.Momentum, "adam": paddle.optimizer.Adam}[kind]

    def begun() -> Any:
        paddle.utils.unique_name.switch()  # states have the same names each time
        return fleet.distributed_optimizer(wanted(RATE[kind], *[0.5] * (kind == "momentum"), parameters=net.parameters()))

    moves = begun()
    model = fleet.distributed_model(net)
    norm = net[1] if case.startswith("norm") else norm
    rows: list[dict[str, Any]] = []
    sent.clear()
    for step in range(STEPS):
        out = model(paddle.to_tensor(batch(case, step, rank)))
        paddle.mean(paddle.square(out)).backward()
        seen = {"dtype": out.dtype.name, "gradient": layer.weight.grad.astype("float32")}
        moves.step()
        moves.clear_grad()
        if case in RESTARTED and step == HALFWAY:
            state = {name: np.array(value) for name, value in moves.state_dict().items()}
            for scaler in [each.scaler for each in _mixed._present]:
                scaler._scale, scaler._incr_count, scaler._decr_count = None, -1, -1
            moves = begun()
            moves.clear_grad()
            moves.set_state_dict(state)
        seen |= {"weight": layer.weight.astype("float32"), "mean": norm._mean, "variance": norm._variance}
        seen |= {"k_steps": moves._k_steps} if case == "adaptive" else {}
        seen |= {"loss_scaling_0": moves._scaler._scale} if "mixed" in case else {}
        rows.append({name: np.array(value) for name, value in seen.items()})
    found = {f"eager_{case}.{name}": np.stack([row[name] for row in rows]) for name in rows[0]}
    most = getattr(model, "comm_buffer_size", 0)
    return found | {f"eager_{case}.sent": np.array(sent), f"eager_{case}.most": np.array(most)}


def as_on_a_gpu(case: str) -> ExitStack:
    """What lets float16 act on a CPU, which it does on a GPU alone."""
    stack = ExitStack()
    if "mixed" in case:
        for module in (_support, _casting, _mixed):
            stack.enter_context(patch.object(module, "accelerated", lambda: True))
    return stack


if __name__ == "__main__":
    processes.buckets = counted  # type: ignore[assignment]
    paddle.enable_static()
    found: dict[str, np.ndarray] = {}
    for each in CASES:
        found.update(train(each))
    paddle.disable_static()
    for each in EAGER:
        with as_on_a_gpu(each):
            found.update(train_eagerly(each))
    np.savez(Path(sys.argv[1]) / f"{fleet.worker_index()}.npz", **found)
