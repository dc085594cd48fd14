"""What each strategy of fleet does to the parameters of two workers, against the algorithms written out in numpy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from distributed.strategy_job import CASES, INFINITE, RATE, ROWS, STEPS, batch, start
from jobs import run_job

import paddle_compat as paddle
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.distributed import fleet

MOMENTUM, RANKS = 0.5, 2
Rows = list[np.ndarray]


@pytest.fixture(scope="module")
def workers(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, np.ndarray]]:
    """What both workers wrote."""
    folder = tmp_path_factory.mktemp("workers")
    for status, text in run_job(Path(__file__).with_name("strategy_job.py"), RANKS, arguments=[str(folder)], folder=folder):
        assert status == 0, text
    return [dict(np.load(folder / f"{rank}.npz")) for rank in range(RANKS)]


def gradient(x: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Of the mean of the squares of x @ weight."""
    return 2 * x.T @ (x @ weight) / (ROWS * weight.shape[1])


def loss(x: np.ndarray, weight: np.ndarray) -> float:
    return float(np.mean(np.square(x @ weight)))


def batches(case: str, step: int) -> Rows:
    return [batch(case, step, rank).astype("float64") for rank in range(RANKS)]


def mean_gradient(case: str, step: int, weight: np.ndarray) -> np.ndarray:
    return np.mean([gradient(x, weight) for x in batches(case, step)], axis=0)


def in_half(grads: Rows) -> np.ndarray:
    """The sum of gradients that travel as float16."""
    low = [grad.astype("float16") for grad in grads]
    return (low[0] + low[1]).astype("float64")


def momentum(case: str) -> Iterator[np.ndarray]:
    weight = start(case).astype("float64")
    velocity = np.zeros_like(weight)
    for step in range(STEPS):
        velocity = MOMENTUM * velocity + mean_gradient(case, step, weight)
        weight = weight - RATE["momentum"] * velocity
        yield weight


def summed(case: str) -> Iterator[np.ndarray]:
    weight = start(case).astype("float64")
    for step in range(STEPS):
        weight = weight - RATE["sgd"] * RANKS * mean_gradient(case, step, weight)
        yield weight


def merged(case: str) -> Iterator[np.ndarray]:
    weight = start(case).astype("float64")
    velocity, total = np.zeros_like(weight), np.zeros_like(weight)
    for step in range(STEPS):
        total = total + mean_gradient(case, step, weight)
        if step % 3 == 2:
            velocity = MOMENTUM * velocity + total / 3
            weight = weight - RATE["momentum"] * velocity
            total = np.zeros_like(weight)
        yield weight


def merged_in_half(case: str) -> Iterator[np.ndarray]:
    weight = start(case).astype("float64")
    totals = [np.zeros_like(weight) for _ in range(RANKS)]
    for step in range(STEPS):
        totals = [total + gradient(x, weight) / RANKS for total, x in zip(totals, batches(case, step))]
        if step % 2 == 1:
            weight = weight - RATE["sgd"] * in_half(totals)
            totals = [np.zeros_like(weight) for _ in range(RANKS)]
        yield weight


def halved(case: str) -> Iterator[np.ndarray]:
    weight = start(case).astype("float64")
    for step in range(STEPS):
        weight = weight - RATE["sgd"] * in_half([gradient(x, weight) / RANKS for x in batches(case, step)])
        yield weight


def lars(case: str) -> Iterator[np.ndarray]:
    weight = start(case).astype("float64")
    velocity = np.zeros_like(weight)
    for step in range(STEPS):
        grad, norm = mean_gradient(case, step, weight), np.linalg.norm(weight)
        trust = 0.1 * norm / (np.linalg.norm(grad) + 0.01 * norm)
        velocity = MOMENTUM * velocity + RATE["momentum"] * trust * (grad + 0.01 * weight)
        weight = weight - velocity
        yield weight


def lamb(case: str) -> Iterator[np.ndarray]:
    weight = start(case).astype("float64")
    first, second = np.zeros_like(weight), np.zeros_like(weight)
    for step in range(STEPS):
        grad = mean_gradient(case, step, weight)
        first, second = 0.9 * first + 0.1 * grad, 0.999 * second + 0.001 * grad**2
        move = first / (1 - 0.9 ** (step + 1)) / (np.sqrt(second / (1 - 0.999 ** (step + 1))) + 1e-8) + 0.02 * weight
        weight = weight - RATE["adam"] * np.linalg.norm(weight) / np.linalg.norm(move) * move
        yield weight


def mixed(case: str) -> Iterator[np.ndarray]:
    weight = start(case).astype("float64")
    for step in range(STEPS):
        if step != INFINITE:
            weight = weight - RATE["sgd"] * mean_gradient(case, step, weight)
        yield weight


REFERENCES: dict[str, Callable[[str], Iterator[np.ndarray]]] = {
    "plain": momentum, "recompute": momentum, "sum": summed, "customized": summed, "merge": merged, "merge_half": merged_in_half,
    "half": halved, "lars": lars, "lamb": lamb, "mixed": mixed, "merge_mixed": merged, "lamb_mixed": lamb,
}  # fmt: skip


@pytest.mark.parametrize("case", REFERENCES)
def test_workers_step_together(case: str, workers: Any) -> None:
    np.testing.assert_array_equal(workers[0][f"{case}.weight"], workers[1][f"{case}.weight"])
    expected = np.stack(list(REFERENCES[case](case)))
    np.testing.assert_allclose(workers[0][f"{case}.weight"], expected, atol=2e-6)


@pytest.mark.parametrize("case", ["plain", "sum", "customized", "half", "recompute", "lars", "lamb", "merge"])
def test_workers_step_together_in_eager_mode(case: str, workers: Any) -> None:
    expected = np.stack(list(REFERENCES[case](case)))
    for worker in workers:
        np.testing.assert_allclose(worker[f"eager_{case}.weight"], expected, atol=2e-6)


def test_half_precision_rounds_what_travels(workers: Any) -> None:
    """The first step is exact but for the rounding to float16, which is to be seen."""
    weight = start("half").astype("float64")
    grads = [gradient(x, weight) / RANKS for x in batches("half", 0)]
    for way in ("half.weight", "eager_half.weight"):
        np.testing.assert_array_equal(workers[0][way][0], (weight - RATE["sgd"] * in_half(grads)).astype("float32"))
    assert np.abs(in_half(grads) - sum(grads)).max() > 1e-5


@pytest.mark.parametrize("way", ["", "eager_"])
def test_gradients_travel_together_or_alone(way: str, workers: Any) -> None:
    for worker in workers:
        assert set(worker[f"{way}joined.sent"]) == {1} and set(worker[f"{way}apart.sent"]) == {2}


@pytest.mark.parametrize("name", ["1", "full"])
def test_sublayers_that_keep_nothing_run_twice(name: str) -> None:
    runs: list[int] = []

    class Noted(paddle.nn.Linear):
        def forward(self, x: Any) -> Any:
            runs.append(layers.index(self))
            return super().forward(x)

    layers = [Noted(2, 2), Noted(2, 2)]
    strategy = fleet.DistributedStrategy()
    strategy.recompute = True
    strategy.recompute_configs = {"checkpoints": [layers[1].full_name() if name == "full" else name]}
    fleet.init(is_collective=True, strategy=strategy)
    model = fleet.distributed_model(paddle.nn.Sequential(*layers))
    model(paddle.ones([1, 2])).sum().backward()
    assert runs == [0, 1, 1]
    assert layers[1].weight.grad.tolist() == [[float(v)] * 2 for v in layers[0](paddle.ones([1, 2]))[0]]


def test_checkpoints_are_sublayers_in_eager_mode() -> None:
    strategy = fleet.DistributedStrategy()
    strategy.recompute = True
    strategy.recompute_configs = {"checkpoints": ["fc_0.tmp_0"]}
    fleet.init(is_collective=True, strategy=strategy)
    with pytest.raises(UnsupportedError, match="recompute_configs.*fc_0.tmp_0"):
        fleet.distributed_model(paddle.nn.Linear(2, 2))


def test_an_overflow_of_one_worker_stops_both(workers: Any) -> None:
    for worker in workers:
        scales = worker["mixed.loss_scaling_0"].reshape(-1)
        assert scales.tolist() == [1024.0] * INFINITE + [512.0] * (STEPS - INFINITE)


def local_steps(case: str, meets: Callable[[int, float], bool]) -> list[Rows]:
    """Each worker's parameter after each step; `meets` is told the step (from 1) and the mean loss."""
    kept = MOMENTUM if CASES[case][1] == "momentum" else 0.0
    weights = [start(case).astype("float64") for _ in range(RANKS)]
    velocities = [np.zeros_like(weights[0]) for _ in range(RANKS)]
    found: list[Rows] = [[] for _ in range(RANKS)]
    for step in range(STEPS):
        data = batches(case, step)
        mean_loss = float(np.mean([loss(x, weight) for x, weight in zip(data, weights)]))
        for rank, x in enumerate(data):
            velocities[rank] = kept * velocities[rank] + gradient(x, weights[rank])
            weights[rank] = weights[rank] - RATE["sgd"] * velocities[rank]
        if meets(step + 1, mean_loss):
            weights = [np.mean(weights, axis=0)] * RANKS
        for rank in range(RANKS):
            found[rank].append(weights[rank])
    return found


def test_local_steps(workers: Any) -> None:
    """Workers meet in steps 1 and 2, then in every second one."""
    expected = local_steps("local", lambda step, _: step in (1, 2, 4, 6))
    for rank, worker in enumerate(workers):
        np.testing.assert_allclose(worker["local.weight"], expected[rank], atol=2e-6)
        np.testing.assert_allclose(worker["eager_local.weight"], expected[rank], atol=2e-6)
    assert [bool(np.array_equal(a, b)) for a, b in zip(*(w["local.weight"] for w in workers))] == [True, True, False, True, False, True]


def test_adaptive_local_steps(workers: Any) -> None:
    """The number of steps alone follows the root of the loss over the first one."""
    state = {"last": 0, "k": 3, "first": 0.0}
    numbers: list[int] = []

    def meets(step: int, mean_loss: float) -> bool:
        if step == 1:
            state["first"] = mean_loss
        due = step <= 1 or step - state["last"] == state["k"]
        if due:
            state["last"] = step
            if step > 1:
                state["k"] = int(np.clip(np.ceil(np.sqrt(mean_loss / state["first"] * 3)), 1, 16))
        numbers.append(int(state["k"]))
        return due

    expected = local_steps("adaptive", meets)
    for rank, worker in enumerate(workers):
        np.testing.assert_allclose(worker["adaptive.weight"], expected[rank], atol=2e-6)
        assert worker["adaptive.k_steps"].reshape(-1).tolist() == numbers
    assert len(set(numbers)) > 1


def test_compressed_gradients(workers: Any) -> None:
    """From the third step on, half, then a hundredth of each worker's gathered gradient is sent."""
    weight = start("compressed").astype("float64")
    velocity = np.zeros_like(weight)
    state = [(velocity, velocity)] * RANKS
    for step in range(STEPS):
        grads = [gradient(x, weight) for x in batches("compressed", step)]
        if step < 2:
            velocity = MOMENTUM * velocity + np.mean(grads, axis=0)
            weight = weight - RATE["momentum"] * velocity
            state = [(velocity, np.zeros_like(weight))] * RANKS
        else:
            count = int(weight.size * (1 - np.float32([0.5, 0.99][min(step - 2, 1)])))
            for rank, grad in enumerate(grads):
                u = MOMENTUM * state[rank][0] + grad
                v = state[rank][1] + u
                sent = np.zeros(v.size, bool)
                sent[np.argsort(-np.abs(v), axis=None)[:count]] = True
                sent = sent.reshape(v.shape)
                weight = weight - RATE["momentum"] * np.where(sent, v, 0) / RANKS
                state[rank] = np.where(sent, 0, u), np.where(sent, 0, v)
        found = workers[0]["compressed.weight"][step]
        np.testing.assert_array_equal(found, workers[1]["compressed.weight"][step])
        # where two elements are nearly as large, rounding decides which one is sent
        assert np.mean(np.abs(found - weight) > 1e-5) < 1e-3, f"step {step}"


@pytest.mark.parametrize("way", ["norm", "eager_norm"])
def test_norms_over_all_batches(way: str, workers: Any) -> None:
    """The running statistics are those of the joined batch."""
    mean, variance = np.zeros(4), np.ones(4)
    weight = start("norm").astype("float64")
    for step in range(STEPS):
        joined = np.concatenate(batches("norm", step)) @ weight
        mean, variance = 0.9 * mean + 0.1 * joined.mean(0), 0.9 * variance + 0.1 * joined.var(0)
        for worker in workers:
            np.testing.assert_allclose(worker[f"{way}.mean"][step], mean, atol=1e-5)
            np.testing.assert_allclose(worker[f"{way}.variance"][step], variance, atol=1e-5)
        weight = workers[0][f"{way}.weight"][step].astype("float64")


@pytest.mark.parametrize(
    ("switches", "optimizer", "named"),
    [
        ({"lars": True}, "SGD", "lars.*True around SGD"),
        ({"lamb": True}, "Momentum", "lamb.*True around Momentum"),
        ({"recompute": True}, "SGD", "recompute.*without checkpoints"),
        ({"recompute": True, "recompute_configs": {"checkpoints": ["x"], "enable_offload": True}}, "SGD", "enable_offload"),
        ({"amp": True, "amp_configs": {"use_pure_bf16": True}}, "SGD", "use_pure_bf16"),
    ],
)
def test_what_cannot_act_is_refused(switches: dict[str, Any], optimizer: str, named: str) -> None:
    paddle.enable_static()
    strategy = fleet.DistributedStrategy()
    for name, value in switches.items():
        setattr(strategy, name, value)
    fleet.init(is_collective=True, strategy=strategy)
    value = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 1))
    with pytest.raises(UnsupportedError, match=named):
        fleet.distributed_optimizer(getattr(paddle.optimizer, optimizer)(0.1)).minimize(value)


@pytest.mark.parametrize("name", ["amp", "dgc", "adaptive_localsgd"])
def test_what_acts_in_programs_only(name: str) -> None:
    strategy = fleet.DistributedStrategy()
    setattr(strategy, name, True)
    with pytest.raises(UnsupportedError, match=rf"fleet\.DistributedStrategy\.{name}\b.*eager mode"):
        fleet.init(is_collective=True, strategy=strategy)


def test_merged_gradients_are_not_scaled_at_each_step() -> None:
    strategy = fleet.DistributedStrategy()
    strategy.gradient_merge = True
    strategy.gradient_merge_configs = {"k_steps": 2, "avg": True}
    fleet.init(is_collective=True, strategy=strategy)
    layer = paddle.nn.Linear(2, 1)
    moves = fleet.distributed_optimizer(paddle.optimizer.SGD(0.1, parameters=layer.parameters()))
    scaler = paddle.amp.GradScaler()
    scaler._enable = True  # as on a GPU
    with pytest.raises(UnsupportedError, match="gradient_merge.*GradScaler"):
        scaler.unscale_(moves)


@pytest.mark.parametrize("written", [None, True, False])
def test_a_build_strategy_says_whether_activations_are_written_over(written: bool | None) -> None:
    paddle.enable_static()
    strategy = fleet.DistributedStrategy()
    if written is not None:
        build = paddle.static.BuildStrategy()
        build.enable_inplace = written
        strategy.build_strategy = build
    main = paddle.static.Program()
    with paddle.static.program_guard(main, paddle.static.Program()):
        value = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 1))
        fleet.init(is_collective=True, strategy=strategy)
        fleet.distributed_optimizer(paddle.optimizer.SGD(0.1)).minimize(value)
    assert main._writes_in_place is (written is not False)


def test_recomputed_values_are_not_kept() -> None:
    """The layers of fleet hand checkpoints to the backward pass, which then keeps less."""
    kept = {}
    paddle.enable_static()
    for recompute in (False, True):
        strategy = fleet.DistributedStrategy()
        main, startup = paddle.static.Program(), paddle.static.Program()
        with paddle.static.program_guard(main, startup), paddle.static.scope_guard(paddle.static.Scope()):
            value, points = paddle.static.data("x", [64, 32]), []
            for _ in range(6):
                value = paddle.tanh(paddle.exp(paddle.static.nn.fc(value, 32)))
                points.append(value.name)
            strategy.recompute = recompute
            strategy.recompute_configs = {"checkpoints": points[1::2]}
            fleet.init(is_collective=True, strategy=strategy)
            fleet.distributed_optimizer(paddle.optimizer.SGD(0.1)).minimize(paddle.mean(value))
            executor = paddle.static.Executor(paddle.CPUPlace())
            executor.run(startup)
            sizes: list[int] = []

            def keep(tensor: torch.Tensor, sizes: list[int] = sizes) -> torch.Tensor:
                sizes.append(tensor.numel())
                return tensor

            with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
                executor.run(main, feed={"x": np.ones((64, 32), "float32")})
            kept[recompute] = sum(sizes)
    assert kept[True] < kept[False] / 2
