"""One of the stages of a pipeline in Programs, or (`alone`) one process with the whole model; writes losses, parameters and statistics."""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np

import paddle_compat as paddle
from paddle_compat import static
from paddle_compat.core.errors import EOFException
from paddle_compat.distributed import fleet

PARTS, SIZE, STEPS = 3, 4, 3
SCALED = {"amp": True, "amp_configs": {"init_loss_scaling": 1024.0, "use_dynamic_loss_scaling": True}}
# what is set beside the pipeline, its schedule, the optimizer, its settings
CASES: dict[str, tuple[dict[str, Any], str, str, dict[str, Any]]] = {
    "plain": ({}, "1F1B", "Momentum", {}),
    "one after the other": ({}, "F-then-B", "Momentum", {}),
    "clipped and decayed": ({}, "1F1B", "Adam", {"grad_clip": paddle.nn.ClipGradByGlobalNorm(0.1), "weight_decay": 0.1}),
    "mixed": (SCALED, "1F1B", "Momentum", {}),
    "recomputed": ({"recompute": True, "recompute_configs": {"checkpoints": ["fc_1.tmp_2"]}}, "1F1B", "SGD", {}),
}


def network(stages: int, read: bool = False) -> tuple[Any, Any]:
    """The loss of a network whose first stage hands a second value to the last one, and a loader of its data."""
    draws = np.random.RandomState(0)

    def layer(x: Any, size: int, **settings: Any) -> Any:
        given = paddle.nn.initializer.Assign(draws.uniform(-0.5, 0.5, (x.shape[1], size)).astype("float32"))
        return static.nn.fc(x, size, weight_attr=paddle.ParamAttr(initializer=given), **settings)

    loader = None
    with static.device_guard("gpu:0"):
        x, y = static.data("x", [None, 6]), static.data("y", [None, 1], "int64")
        if read:
            loader = paddle.io.DataLoader.from_generator(feed_list=[x, y], capacity=4, iterable=False)
        beside = layer(x, 8)
        hidden = layer(x, 8, activation="tanh")
    for stage in range(1, stages):
        with static.device_guard(f"gpu:{stage}"):
            hidden = layer(hidden, 8, activation="relu")
    with static.device_guard(f"gpu:{stages - 1}"):
        out = layer(hidden + beside, 3)
        return paddle.mean(paddle.nn.functional.softmax_with_cross_entropy(out, y)), loader


def batches(copies: int, rank: int | None) -> list[dict[str, Any]]:
    """The batch of each step: this copy's share of it, or all (None)."""
    draws, count = np.random.RandomState(1), SIZE * PARTS * copies
    found = [{"x": draws.rand(count, 6).astype("float32"), "y": draws.randint(0, 3, (count, 1))} for _ in range(STEPS)]
    if rank is not None:
        found = [{name: np.split(value, copies)[rank] for name, value in each.items()} for each in found]
    return found


def train(case: str, stages: int, copies: int, alone: bool, read: bool = False) -> dict[str, Any]:
    """The losses, and the parameters that are here after all steps."""
    switches, order, kind, settings = CASES[case]
    main, startup = static.Program(), static.Program()
    schedule = paddle.optimizer.lr.StepDecay(0.1, 2, 0.5)
    with static.scope_guard(static.Scope()):
        with static.program_guard(main, startup), paddle.utils.unique_name.guard():
            loss, loader = network(stages, read)
            optimizer = getattr(paddle.optimizer, kind)(schedule, **settings)
            if not alone:
                strategy = fleet.DistributedStrategy()
                strategy.pipeline = True
                strategy.pipeline_configs = {"micro_batch_size": SIZE, "accumulate_steps": PARTS, "schedule_mode": order}
                for name, value in switches.items():
                    setattr(strategy, name, value)
                fleet.init(is_collective=True, strategy=strategy)
                optimizer = fleet.distributed_optimizer(optimizer)
            optimizer.minimize(loss)
        executor, losses, ended = static.Executor(paddle.CPUPlace()), [], False
        executor.run(startup)
        given = batches(copies, None if alone else fleet.worker_index() // stages)
        if loader is not None:
            loader.set_batch_generator(lambda: ((v["x"][i : i + SIZE], v["y"][i : i + SIZE]) for v in given for i in range(0, 12, SIZE)))
            loader.start()
        for feed in given:
            found = executor.run(main, feed=None if read else feed, fetch_list=[loss])
            losses.append([float(value) for value in found])
            schedule.step()
        if loader is not None:
            try:
                executor.run(main, fetch_list=[loss])
            except EOFException:
                ended = True
        held = [(p.name, static.global_scope().find_var(p.name)) for p in main.all_parameters()]
        values = {name: np.array(var.get_tensor()).tolist() for name, var in held if var is not None and var.get_tensor()._is_initialized()}
        rate = np.array(static.global_scope().find_var("learning_rate_0").get_tensor()).tolist()
    return {"losses": losses, "values": values, "ended": ended, "rate": rate}


def statistics(stages: int) -> list[float]:
    """The running mean of a batch norm in the first stage, which every small batch counts for in its turn."""
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup), paddle.utils.unique_name.guard():
        with static.device_guard("gpu:0"):
            x = static.data("x", [None, 6])
            hidden = static.nn.batch_norm(static.nn.fc(x, 4, weight_attr=paddle.ParamAttr(initializer=paddle.nn.initializer.Constant(0.5))))
        with static.device_guard("gpu:1"):
            loss = paddle.mean(static.nn.fc(hidden, 2))
        strategy = fleet.DistributedStrategy()
        strategy.pipeline = True
        strategy.pipeline_configs = {"micro_batch_size": SIZE, "accumulate_steps": PARTS}
        fleet.init(is_collective=True, strategy=strategy)
        fleet.distributed_optimizer(paddle.optimizer.SGD(0.0)).minimize(loss)
    executor = static.Executor(paddle.CPUPlace())
    with static.scope_guard(static.Scope()):
        executor.run(startup)
        executor.run(main, feed={"x": batches(1, None)[0]["x"]})
        var = static.global_scope().find_var("batch_norm_0.w_1")
        return [] if var is None else np.array(var.get_tensor()).tolist()


def failure() -> str:
    """What a stage says where the last one is given a class that is not there."""
    main, startup = static.Program(), static.Program()
    strategy = fleet.DistributedStrategy()
    strategy.pipeline, strategy.pipeline_configs = True, {"micro_batch_size": SIZE, "accumulate_steps": PARTS}
    fleet.init(is_collective=True, strategy=strategy)
    with static.program_guard(main, startup):
        loss, _ = network(2)
        fleet.distributed_optimizer(paddle.optimizer.SGD(0.1)).minimize(loss)
    executor, feed = static.Executor(paddle.CPUPlace()), batches(1, None)[0]
    feed["y"][SIZE] = 7
    executor.run(startup)
    try:
        executor.run(main, feed=feed)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


if __name__ == "__main__":
    folder, stages, copies, names = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4].split(",")
    paddle.enable_static()
    found: dict[str, Any] = {case: failure() if case == "fails" else train(case, stages, copies, False) for case in names}
    if stages == 2 and copies == 1 and "fails" not in names:
        found |= {"read": train("plain", stages, copies, False, read=True), "statistics": statistics(stages)}
    with open(f"{folder}/{fleet.worker_index()}.json", "w") as file:
        json.dump(found, file)
