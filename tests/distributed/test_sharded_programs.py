"""`strategy.sharding`, `asp` and `qat` in Programs: shared updates change no number, what is zero stays zero, products see few bits."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from distributed.sharding_job import CASES
from jobs import run_job

import paddle_compat as paddle
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.distributed import fleet
from paddle_compat.incubate import asp

# workers -> what `sharding_configs` is in each way they train in
JOBS: dict[int, dict[str, dict[str, Any]]] = {
    2: {"two": {"sharding_degree": 2}, "merged by it": {"sharding_degree": 2, "gradient_merge_acc_step": 2}},
    4: {"four": {"sharding_degree": 4}, "pairs": {"sharding_degree": 2, "dp_degree": 2}},
}
# the wheel's losses of `pruned`, with what is set beside asp
REAL_LOSSES: list[tuple[dict[str, Any], list[float]]] = [
    ({}, [2.096253, 2.281589, 1.966158]),
    ({"gradient_merge": True, "gradient_merge_configs": {"k_steps": 2, "avg": True}}, [2.096253, 2.263480, 1.965719]),
    ({"recompute": True, "recompute_configs": {"checkpoints": ["fc_0.tmp_2"]}}, [2.096253, 2.281589, 1.966158]),
]


@pytest.fixture(scope="module")
def workers(tmp_path_factory: pytest.TempPathFactory) -> dict[int, list[Any]]:
    """What the workers of each job wrote."""
    found = {}
    for size, ways in JOBS.items():
        folder = tmp_path_factory.mktemp(f"workers{size}")
        job = Path(__file__).with_name("sharding_job.py")
        for status, text in run_job(job, size, seconds=180, arguments=[str(folder), json.dumps(ways)], folder=folder):
            assert status == 0, text
        found[size] = [json.loads((folder / f"{rank}.json").read_text()) for rank in range(size)]
    return found


@pytest.mark.parametrize(("size", "way"), [(2, "two"), (4, "four"), (4, "pairs")])
@pytest.mark.parametrize("case", CASES)
def test_sharing_changes_no_number(case: str, size: int, way: str, workers: dict[int, list[Any]]) -> None:
    for worker in workers[size]:
        alone = workers[size][0][case]["without"]["values"]
        for name, value in worker[case][way]["values"].items():
            np.testing.assert_allclose(value, alone[name], atol=3e-7)
        np.testing.assert_allclose(worker[case][way]["losses"], worker[case]["without"]["losses"], rtol=1e-5)


@pytest.mark.parametrize(("size", "way"), [(2, "two"), (4, "four")])
@pytest.mark.parametrize("case", ["plain", "adam", "clipped", "lamb", "mixed"])
def test_each_state_is_kept_by_one_worker(case: str, size: int, way: str, workers: dict[int, list[Any]]) -> None:
    kept = [worker[case][way]["state"] for worker in workers[size]]
    assert all(kept)
    assert sorted(name for each in kept for name in each) == workers[size][0][case]["without"]["state"]


def test_its_configuration_merges_gradients_too(workers: dict[int, list[Any]]) -> None:
    for worker in workers[2]:
        assert worker["plain"]["merged by it"]["layers"] == ["ShardingOptimizer", "GradientMergeOptimizer"]
        assert worker["merged"]["merged by it"]["values"] == worker["merged"]["without"]["values"]
        assert worker["plain"]["merged by it"]["values"] != worker["plain"]["without"]["values"]


def network() -> tuple[Any, Any, Any]:
    """The Programs and the loss of the wheel's own tests of strategies."""
    main, startup = paddle.static.Program(), paddle.static.Program()
    with paddle.static.program_guard(main, startup), paddle.utils.unique_name.guard():
        x, y = paddle.static.data("x", [-1, 32]), paddle.static.data("y", [-1, 1], "int64")
        hidden = paddle.static.nn.fc(paddle.static.nn.fc(x, 64, activation="tanh"), 256, activation="tanh")
        out = paddle.static.nn.fc(hidden, 2, activation="softmax")
        loss = paddle.mean(paddle.nn.functional.cross_entropy(out, y, reduction="none", use_softmax=False))
    return main, startup, loss


def minimized(worker: int, count: int, configs: dict[str, Any], **switches: Any) -> Any:
    """The main Program of one of several workers, none of whom is there."""
    paddle.enable_static()
    strategy = fleet.DistributedStrategy()
    strategy.sharding, strategy.sharding_configs = True, configs
    for name, value in switches.items():
        setattr(strategy, name, value)
    ends = [f"127.0.0.1:{6170 + each}" for each in range(count)]
    job = {"PADDLE_TRAINER_ID": str(worker), "PADDLE_TRAINERS_NUM": str(count), "PADDLE_TRAINER_ENDPOINTS": ",".join(ends)}
    with patch.dict(os.environ, job | {"PADDLE_CURRENT_ENDPOINT": ends[worker]}):
        fleet.init(is_collective=True, strategy=strategy)
        main, startup, loss = network()
        with paddle.static.program_guard(main, startup):
            fleet.distributed_optimizer(paddle.optimizer.Momentum(0.01)).minimize(loss)
    return main


# who updates what in 2.6.2: the roots of its sums of gradients
OWNERS = {2: {"fc_0": [0, 0], "fc_1": [0, 1], "fc_2": [1, 1]}, 4: {"fc_0": [0, 0], "fc_1": [0, 1], "fc_2": [2, 3]}}


@pytest.mark.parametrize("count", OWNERS)
def test_parameters_are_dealt_out_as_the_wheel_does(count: int) -> None:
    for worker in range(count):
        ops = minimized(worker, count, {"sharding_degree": count}).global_block().ops
        owners = {f"{layer}.{kind}_0": owner for layer, both in OWNERS[count].items() for kind, owner in zip("wb", both)}
        assert {op.input("X")[0]: op.attr("root") for op in ops if op.type == "c_broadcast"} == owners
        assert {op.input("Param")[0] for op in ops if op.type == "momentum"} == {name for name, owner in owners.items() if owner == worker}


@pytest.mark.parametrize(
    "configs", [{"sharding_degree": 4}, {"sharding_degree": 1}, {"sharding_degree": 2, "dp_degree": 2}, {"sharding_degree": 8}]
)
def test_degrees_are_those_of_the_job(configs: dict[str, Any]) -> None:
    with pytest.raises(AssertionError, match="the number of workers, 2"):
        minimized(0, 2, configs)


@pytest.mark.parametrize(
    ("configs", "switches"),
    [
        ({"sharding_degree": 1, "mp_degree": 2}, {}),
        ({"sharding_degree": 2, "pp_degree": 2}, {"pipeline": True}),
        ({"sharding_degree": 2}, {"pipeline": True}),
        ({"sharding_degree": 2}, {"localsgd": True}),
        ({"sharding_degree": 2}, {"tensor_parallel": True}),
    ],
)
def test_what_does_not_go_with_it_is_refused(configs: dict[str, Any], switches: dict[str, Any]) -> None:
    with pytest.raises(UnsupportedError, match="DistributedStrategy"):
        minimized(0, 2, configs, **switches)


def test_stages_are_asked_for_by_their_own_switch() -> None:
    with pytest.raises(AssertionError, match="pipeline"):
        minimized(0, 2, {"sharding_degree": 1, "pp_degree": 2})


def test_offloading_has_no_effect_which_is_said() -> None:
    with pytest.warns(UserWarning, match="optimize_offload is kept, without effect"):
        minimized(0, 2, {"sharding_degree": 2, "optimize_offload": True})


@pytest.mark.parametrize(("beside", "losses"), REAL_LOSSES)
def test_pruned_weights_stay_pruned(beside: dict[str, Any], losses: list[float]) -> None:
    paddle.enable_static()
    strategy = fleet.DistributedStrategy()
    strategy.asp = True
    for name, value in beside.items():
        setattr(strategy, name, value)
    fleet.init(is_collective=True, strategy=strategy)
    main, startup = paddle.static.Program(), paddle.static.Program()
    with paddle.static.program_guard(main, startup), paddle.utils.unique_name.guard():
        x, y = paddle.static.data("x", [None, 32]), paddle.static.data("y", [None, 1], "int64")
        out = paddle.static.nn.fc(paddle.static.nn.fc(x, 32, activation="tanh"), 8, activation="softmax")
        loss = paddle.mean(paddle.nn.functional.cross_entropy(out, y, reduction="none", use_softmax=False))
        fleet.distributed_optimizer(paddle.optimizer.SGD(0.1)).minimize(loss)
    assert "ASPOptimizer" in fleet._get_applied_meta_list()
    executor = paddle.static.Executor(paddle.CPUPlace())
    paddle.seed(1)
    with paddle.static.scope_guard(paddle.static.Scope()):
        executor.run(startup)
        assert sorted(asp.prune_model(main, mask_algo="mask_2d_greedy")) == ["fc_0.w_0", "fc_1.w_0"]
        draws, found = np.random.RandomState(0), []
        for _ in losses:
            feed = {"x": draws.rand(8, 32).astype("float32"), "y": draws.randint(0, 8, (8, 1)).astype("int64")}
            found.append(float(np.ravel(executor.run(main, feed=feed, fetch_list=[loss])[0])[0]))
        weights = [np.array(paddle.static.global_scope().find_var(name).get_tensor()) for name in ("fc_0.w_0", "fc_1.w_0")]
    np.testing.assert_allclose(found, losses, atol=2e-6)
    assert all(asp.check_sparsity(weight.T, func_name=asp.CheckMethod.CHECK_2D) for weight in weights)


# the wheel's losses of four steps and of a Program for inference then, with what is set beside qat, and the sums of weights' scales
ROUNDED: list[tuple[dict[str, Any], list[float], float]] = [
    ({}, [0.648190, 0.909568, 0.500041, 0.641408, 0.990153], 15.42054),
    ({"qat_configs": {"channel_wise_abs_max": False, "weight_bits": 4, "activation_bits": 5}},
     [0.635209, 1.000521, 0.473255, 0.658052, 0.974431], 0.37021),
    ({"recompute": True, "recompute_configs": {"checkpoints": ["fc_0.tmp_2", "fc_1.tmp_2"]}},
     [0.648190, 0.909568, 0.500041, 0.641408, 0.990153], 15.42054),
    ({"gradient_merge": True, "gradient_merge_configs": {"k_steps": 2, "avg": True}},
     [0.648190, 0.936185, 0.470634, 0.640344, 1.006309], 15.42171),
]  # fmt: skip


@pytest.mark.parametrize(("beside", "losses", "scale"), ROUNDED)
def test_products_see_few_bits(beside: dict[str, Any], losses: list[float], scale: float) -> None:
    paddle.enable_static()
    strategy = fleet.DistributedStrategy()
    strategy.qat = True
    for name, value in beside.items():
        setattr(strategy, name, value)
    fleet.init(is_collective=True, strategy=strategy)
    main, startup, loss = network()
    inference = main.clone(for_test=True)
    executor, place = paddle.static.Executor(paddle.CPUPlace()), paddle.CPUPlace()
    with paddle.static.scope_guard(paddle.static.Scope()):
        with paddle.static.program_guard(main, startup):
            training = fleet.distributed_optimizer(paddle.optimizer.SGD(0.01))
            training.minimize(loss)
        assert "QATOptimizer" in fleet._get_applied_meta_list()
        paddle.seed(1)
        executor.run(startup)
        training.qat_init(place, test_program=inference)
        draws, found = np.random.RandomState(0), []
        for step in range(len(losses)):
            feed = {"x": draws.rand(8, 32).astype("float32"), "y": draws.randint(0, 2, (8, 1)).astype("int64")}
            program = main if step < len(losses) - 1 else inference
            found.append(float(np.ravel(executor.run(program, feed=feed, fetch_list=[loss.name])[0])[0]))
        scales = np.array(paddle.static.global_scope().find_var("fc_0.w_0@scale").get_tensor())
    np.testing.assert_allclose(found, losses, atol=3e-6)
    np.testing.assert_allclose(np.abs(scales).sum(), scale, atol=2e-5)
    assert [op.type for op in inference.global_block().ops].count("moving_average_abs_max_scale") == 8  # as in the wheel's


def test_workers_that_round_sum_their_gradients() -> None:
    main = minimized(0, 2, {}, sharding=False, qat=True)
    kinds = [op.type for op in main.global_block().ops]
    assert kinds.count("c_allreduce_sum") == kinds.count("momentum") == 6
    assert kinds.index("quantize_linear") < kinds.index("c_allreduce_sum")
    with pytest.raises(AssertionError, match="qat_init can only be used when"):
        minimized(0, 2, {}, sharding=False)
        fleet.Fleet().qat_init(paddle.CPUPlace())
