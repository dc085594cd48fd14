"""A worker that trains one case after another on its part of fixed batches; writes the parameters of each as JSON to its folder."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import paddle
from paddle import fluid
from paddle.distributed import fleet
from paddle.fluid.incubate.fleet.base import role_maker
from paddle.fluid.incubate.fleet.collective import DistributedStrategy
from paddle.fluid.incubate.fleet.collective import fleet as old_fleet

STEPS, ROWS, WIDTH, WORDS, HIDDEN = 3, 16, 6, 12, 3
RATE, DECAY, COEFFICIENT = 0.1, 0.5, 0.3
NORM = 2.5  # the gradient of a whole batch is longer in the first step, and not in the last
# the optimizer, and what else takes part
CASES: dict[str, tuple[str, tuple[str, ...]]] = {
    "sgd": ("SGD", ()),
    "momentum": ("Momentum", ()),
    "adam": ("Adam", ()),
    "sgd_decay_sparse": ("SGD", ("decay", "sparse")),
    "momentum_clip_l2": ("Momentum", ("clip", "l2")),
    "momentum_clip_sparse": ("Momentum", ("clip", "sparse")),
    "adam_lazy_sparse": ("Adam", ("lazy", "sparse")),
    "adam_all": ("Adam", ("decay", "clip", "l2", "sparse")),
}
FRONTS = ("static", "eager", "parallel", "old", "old_operators")
Found = dict[str, list[Any]]


def batch(step: int, rank: int, workers: int) -> dict[str, np.ndarray]:
    """A worker's rows of a batch: the first are much larger than the last, so that no worker's gradient is like another's."""
    random = np.random.RandomState(step)
    x = random.rand(ROWS, WIDTH) * np.linspace(2, 0.2, ROWS)[:, None]
    words = random.randint(WORDS - 2, size=(ROWS, 2))  # nobody reads the last two
    share = slice(rank * ROWS // workers, (rank + 1) * ROWS // workers)
    return {"x": x[share].astype("float32"), "words": words[share], "y": (x.sum(1, keepdims=True) - 2)[share].astype("float32")}


def settings(kind: str, parts: tuple[str, ...]) -> dict[str, Any]:
    """What optimizers of 2.x are told but for their parameters."""
    more: dict[str, Any] = {"momentum": 0.9} if kind == "Momentum" else {}
    if "lazy" in parts:
        more["lazy_mode"] = True
    if "clip" in parts:
        more["grad_clip"] = paddle.nn.ClipGradByGlobalNorm(NORM)
    if "l2" in parts:
        more["weight_decay"] = paddle.regularizer.L2Decay(COEFFICIENT)
    return {"learning_rate": paddle.optimizer.lr.ExponentialDecay(RATE, DECAY) if "decay" in parts else RATE, **more}


def old_optimizer(kind: str, parts: tuple[str, ...]) -> Any:
    """The same of 1.8."""
    more: dict[str, Any] = {"momentum": 0.9} if kind == "Momentum" else {}
    if "lazy" in parts:
        more["lazy_mode"] = True
    if "clip" in parts:
        more["grad_clip"] = fluid.clip.GradientClipByGlobalNorm(NORM)
    if "l2" in parts:
        more["regularization"] = fluid.regularizer.L2Decay(COEFFICIENT)
    rate = fluid.layers.exponential_decay(RATE, 1, DECAY) if "decay" in parts else RATE
    return getattr(fluid.optimizer, kind)(rate, **more)


def static(case: str, rank: int, workers: int, together: bool) -> Found:
    """By Programs of 2.x."""
    kind, parts = CASES[case]
    x, y = paddle.static.data("x", [None, WIDTH]), paddle.static.data("y", [None, 1])
    words = paddle.static.data("words", [None, 2], "int64")
    read = paddle.static.nn.embedding(words, [WORDS, HIDDEN], is_sparse="sparse" in parts)
    hidden = paddle.static.nn.fc(paddle.concat([x, read.reshape([-1, 2 * HIDDEN])], 1), 4, activation="tanh")
    loss = paddle.mean(paddle.square(paddle.static.nn.fc(hidden, 1) - y))
    told = settings(kind, parts)
    optimizer = getattr(paddle.optimizer, kind)(**told)
    if together:
        fleet.init(is_collective=True)
        optimizer = fleet.distributed_optimizer(optimizer)
    optimizer.minimize(loss)
    main, run = paddle.static.default_main_program(), paddle.static.Executor(paddle.CPUPlace())
    run.run(paddle.static.default_startup_program())
    for step in range(STEPS):
        run.run(main, feed=batch(step, rank, workers), fetch_list=[loss])
        if "decay" in parts:
            told["learning_rate"].step()
    scope = paddle.static.global_scope()
    return {p.name: np.array(scope.find_var(p.name).get_tensor()).tolist() for p in main.all_parameters()}


def old(case: str, rank: int, workers: int, together: bool, strategy: Any = None) -> Found:
    """By 1.8's fleet: gradients meet as those of replicas."""
    kind, parts = CASES[case]
    x, y, words = fluid.data("x", [None, WIDTH]), fluid.data("y", [None, 1]), fluid.data("words", [None, 2], "int64")
    read = fluid.embedding(words, [WORDS, HIDDEN], is_sparse="sparse" in parts)
    hidden = fluid.layers.fc(fluid.layers.concat([x, fluid.layers.reshape(read, [-1, 2 * HIDDEN])], 1), 4, act="tanh")
    loss = fluid.layers.mean(fluid.layers.square_error_cost(fluid.layers.fc(hidden, 1), y))
    optimizer = old_optimizer(kind, parts)
    main, run = fluid.default_main_program(), fluid.Executor(fluid.CPUPlace())
    if together:
        old_fleet.init(role_maker.PaddleCloudRoleMaker(is_collective=True))
        optimizer = old_fleet.distributed_optimizer(optimizer, strategy)
    optimizer.minimize(loss)
    run.run(old_fleet.startup_program if together else fluid.default_startup_program())
    for step in range(STEPS):
        run.run(old_fleet.main_program if together else main, feed=batch(step, rank, workers), fetch_list=[loss])
    scope = fluid.global_scope()
    return {p.name: np.array(scope.find_var(p.name).get_tensor()).tolist() for p in main.all_parameters()}


def old_operators(case: str, rank: int, workers: int, together: bool) -> Found:
    """By 1.8's fleet: operators of the Program sum gradients."""
    strategy = DistributedStrategy()
    strategy.mode, strategy.collective_mode = "collective", "grad_allreduce"
    return old(case, rank, workers, together, strategy)


class Network(paddle.nn.Layer):
    """The same network in eager mode."""

    def __init__(self, sparse: bool) -> None:
        super().__init__()
        self.read = paddle.nn.Embedding(WORDS, HIDDEN, sparse=sparse)
        self.hidden, self.out = paddle.nn.Linear(WIDTH + 2 * HIDDEN, 4), paddle.nn.Linear(4, 1)

    def forward(self, x: Any, words: Any) -> Any:
        return self.out(paddle.tanh(self.hidden(paddle.concat([x, self.read(words).reshape([-1, 2 * HIDDEN])], 1))))


def eager(case: str, rank: int, workers: int, together: bool, by_fleet: bool = True) -> Found:
    """In eager mode, by fleet."""
    kind, parts = CASES[case]
    refused = {"l2"} if kind == "Adam" and "sparse" in parts else set()  # together, in eager mode, by Paddle
    model, told = Network("sparse" in parts), settings(kind, tuple(part for part in parts if part not in refused))
    made = getattr(paddle.optimizer, kind)(parameters=model.parameters(), **told)
    trained, optimizer = model, made
    if together and by_fleet:
        fleet.init(is_collective=True)
        trained, optimizer = fleet.distributed_model(model), fleet.distributed_optimizer(made)
    elif together:
        paddle.distributed.init_parallel_env()
        trained = paddle.DataParallel(model)
    for step in range(STEPS):
        part = {name: paddle.to_tensor(value) for name, value in batch(step, rank, workers).items()}
        paddle.mean(paddle.square(trained(part["x"], part["words"]) - part["y"])).backward()
        optimizer.step()
        optimizer.clear_grad()
        if "decay" in parts:
            told["learning_rate"].step()
    return {name: value.tolist() for name, value in trained.state_dict().items()}


def parallel(case: str, rank: int, workers: int, together: bool) -> Found:
    """In eager mode, by DataParallel."""
    return eager(case, rank, workers, together, by_fleet=False)


def trained(front: str, case: str, rank: int = 0, workers: int = 1, together: bool = False) -> Found:
    """The parameters at the end; every worker begins with others, of which the first one's count."""
    main, startup, seed = paddle.static.Program(), paddle.static.Program(), 5 + rank
    train = globals()[front]
    if front in ("eager", "parallel"):
        paddle.disable_static()
        paddle.seed(seed)
        return train(case, rank, workers, together)
    paddle.enable_static()
    try:
        with paddle.static.scope_guard(fluid.Scope()), paddle.static.program_guard(main, startup), fluid.unique_name.guard():
            paddle.seed(seed)
            main.random_seed = startup.random_seed = seed
            return train(case, rank, workers, together)
    finally:
        paddle.disable_static()


if __name__ == "__main__":
    rank, workers = paddle.distributed.get_rank(), paddle.distributed.get_world_size()
    found = {front: {case: trained(front, case, rank, workers, together=True) for case in CASES} for front in FRONTS}
    Path(sys.argv[1], f"{rank}.json").write_text(json.dumps(found))
