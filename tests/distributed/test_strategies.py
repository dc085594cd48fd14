"""What each strategy of fleet does to the parameters of two workers, against the algorithms written out in numpy.

In the middle of the cases `strategy_job.RESTARTED` everything is forgotten, and read from files again.
"""

from __future__ import annotations

import copy
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from distributed.strategy_job import CASES, EAGER, INFINITE, RATE, STEPS, as_on_a_gpu, start
from distributed.strategy_references import MOMENTUM, RANKS, REFERENCES, batches, gradient, in_half, local_steps
from jobs import run_job

import paddle_compat as paddle
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.distributed import fleet
from paddle_compat.distributed.fleet.base._build import gradient_scale, together
from paddle_compat.distributed.fleet.base.meta_optimizer_factory import eager_optimizer
from paddle_compat.engine import eager_backward


@pytest.fixture(scope="module")
def workers(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, np.ndarray]]:
    """What both workers wrote."""
    folder = tmp_path_factory.mktemp("workers")
    for status, text in run_job(Path(__file__).with_name("strategy_job.py"), RANKS, arguments=[str(folder)], folder=folder):
        assert status == 0, text
    return [dict(np.load(folder / f"{rank}.npz")) for rank in range(RANKS)]


@pytest.mark.parametrize("case", [case for case in REFERENCES if case in CASES])
def test_workers_step_together(case: str, workers: Any) -> None:
    np.testing.assert_array_equal(workers[0][f"{case}.weight"], workers[1][f"{case}.weight"])
    expected = np.stack(list(REFERENCES[case](case)))
    np.testing.assert_allclose(workers[0][f"{case}.weight"], expected, atol=1e-2 if "bfloat16" in case else 2e-6)


@pytest.mark.parametrize("case", [case for case in REFERENCES if case in EAGER])
def test_workers_step_together_in_eager_mode(case: str, workers: Any) -> None:
    expected = np.stack(list(REFERENCES[case](case)))
    precise = 1e-2 if "bfloat16" in case else 1e-4 if "mixed" in case else 2e-6
    for worker in workers:
        np.testing.assert_array_equal(worker[f"eager_{case}.weight"], workers[0][f"eager_{case}.weight"])
        np.testing.assert_allclose(worker[f"eager_{case}.weight"], expected, atol=precise)


@pytest.mark.parametrize("case", EAGER)
def test_models_compute_in_low_precision(case: str, workers: Any) -> None:
    wanted = "BF16" if "bfloat16" in case else "FP16" if "mixed" in case else "FP32"
    assert set(workers[0][f"eager_{case}.dtype"]) == {wanted}


def test_nobody_sees_by_how_much_gradients_are_larger_on_their_way(workers: Any) -> None:
    """Between the backward pass and the step, the gradient is that of the mean of the losses; one overflow makes it infinite everywhere."""
    weight = start("mixed").astype("float64")
    expected = np.mean([gradient(x, weight) for x in batches("mixed", 0)], axis=0)
    for worker in workers:
        grads = worker["eager_mixed.gradient"]
        np.testing.assert_allclose(grads[0], expected, atol=1e-3)
        assert [bool(np.isfinite(grad).all()) for grad in grads] == [step != INFINITE for step in range(STEPS)]


def test_parameters_are_in_low_precision(workers: Any) -> None:
    """The bits that bfloat16 has not are zeros, in every step."""
    for way in ("bfloat16", "merge_bfloat16_recompute", "eager_bfloat16"):
        assert not (workers[0][f"{way}.weight"].view("uint32") & 0xFFFF).any()
    assert (workers[0]["plain.weight"].view("uint32") & 0xFFFF).any()


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
        assert way or set(worker["built_apart.sent"]) == {2}
        assert way or worker["merge_joined.sent"].tolist() == [1] * (STEPS // 3)
        assert way or sum(worker["merge_apart.sent"]) == 2 * (STEPS // 3)


@pytest.mark.parametrize("way", ["", "eager_"])
def test_so_much_travels_together_as_a_strategy_says(way: str, workers: Any) -> None:
    for worker in workers:
        assert [int(worker[f"{way}{case}.most"]) for case in ("joined", "apart", "unused")] == [32 << 20, 0, 3 << 20]


def test_gradients_that_are_cast_travel_alone_if_they_are_to(workers: Any) -> None:
    """Each step of two norms' parameters and a weight: two sums of statistics and one of their gradients, and the gradients."""
    for worker in workers:
        assert worker["norm_half.sent"].size == 4 * STEPS and worker["norm_half_apart.sent"].size == 6 * STEPS


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
        for way in ("mixed", "eager_mixed"):
            scales = worker[f"{way}.loss_scaling_0"].reshape(-1)
            assert scales.tolist() == [1024.0] * INFINITE + [512.0] * (STEPS - INFINITE)


@pytest.mark.parametrize("case", ["local", "lars_local", "local_mixed"])
@pytest.mark.parametrize("way", ["", "eager_"])
def test_local_steps(way: str, case: str, workers: Any) -> None:
    """Workers meet in steps 1 and 2, then in every second one, also where one of them leaves out a step that overflows."""
    expected = local_steps(case, lambda step, _: step in (1, 2, 4, 6))
    found = [worker[f"{way}{case}.weight"] for worker in workers]
    for rank, weights in enumerate(found):
        np.testing.assert_allclose(weights, expected[rank], atol=1e-4 if way and "mixed" in case else 2e-6)
    assert [bool(np.array_equal(a, b)) for a, b in zip(*found)] == [True, True, False, True, False, True]


@pytest.mark.parametrize("mixed", [False, True])
def test_adaptive_local_steps_follow_the_rate_of_what_takes_the_place_of_the_users(mixed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    ends = "127.0.0.1:6170,127.0.0.1:6171"
    for name, value in {"TRAINER_ID": "1", "TRAINER_ENDPOINTS": ends, "CURRENT_ENDPOINT": "127.0.0.1:6171"}.items():
        monkeypatch.setenv(f"PADDLE_{name}", value)
    paddle.enable_static()
    strategy = fleet.DistributedStrategy()
    strategy.adaptive_localsgd = strategy.lars = True
    strategy.amp = mixed
    fleet.init(is_collective=True, strategy=strategy)
    main = paddle.static.Program()
    with paddle.static.program_guard(main, paddle.static.Program()):
        loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 1, bias_attr=False))
        fleet.distributed_optimizer(paddle.optimizer.Momentum(0.1)).minimize(loss)
    (update,) = [op for op in main.global_block().ops if op.type == "lars_momentum"]
    remembered = [op for block in main.blocks for op in block.ops if op.type == "assign" and op.output("Out") == ["lr_0"]]
    assert [op.input("X") for op in remembered] == [update.input("LearningRate")]


@pytest.mark.parametrize("way", ["adaptive", "eager_adaptive"])
def test_adaptive_local_steps(way: str, workers: Any) -> None:
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
        np.testing.assert_allclose(worker[f"{way}.weight"], expected[rank], atol=2e-6)
        assert worker[f"{way}.k_steps"].reshape(-1).tolist() == numbers
    assert len(set(numbers)) > 1


@pytest.mark.parametrize("way", ["compressed", "eager_compressed"])
def test_compressed_gradients(way: str, workers: Any) -> None:
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
        found = workers[0][f"{way}.weight"][step]
        np.testing.assert_array_equal(found, workers[1][f"{way}.weight"][step])
        # where two elements are nearly as large, rounding decides which one is sent
        assert np.mean(np.abs(found - weight) > 1e-5) < 1e-3, f"step {step}"


@pytest.mark.parametrize(
    "way",
    [
        "norm",
        "norm_built",
        "eager_norm",
        "norm_mixed",
        "norm_bfloat16",
        "eager_norm_mixed",
        "norm_half_apart",
        "eager_norm_half_apart",
        "eager_norm_bfloat16",
    ],
)
def test_norms_over_all_batches(way: str, workers: Any) -> None:
    """The running statistics are those of the joined batch."""
    mean, variance = np.zeros(4), np.ones(4)
    weight = start("norm").astype("float64")
    precise = 2e-3 if "bfloat16" in way else 1e-5
    for step in range(STEPS):
        joined = np.concatenate(batches("norm", step)) @ weight
        mean, variance = 0.9 * mean + 0.1 * joined.mean(0), 0.9 * variance + 0.1 * joined.var(0)
        for worker in workers:
            np.testing.assert_allclose(worker[f"{way}.mean"][step], mean, atol=precise)
            np.testing.assert_allclose(worker[f"{way}.variance"][step], variance, atol=precise)
        weight = workers[0][f"{way}.weight"][step].astype("float64")


def operators(optimizer: Any, **switches: Any) -> list[str]:
    """The operators that minimise something with a strategy."""
    paddle.enable_static()
    initialised(**switches)
    value = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 1))
    fleet.distributed_optimizer(optimizer(0.1)).minimize(value)
    return [op.type for op in value.block.ops]


def test_what_cannot_act_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="enable_offload"):
        operators(paddle.optimizer.SGD, recompute=True, recompute_configs={"checkpoints": ["x"], "enable_offload": True})


@pytest.mark.parametrize(
    ("switch", "optimizer", "reason"),
    [("lars", "SGD", "Momentum, and not SGD"), ("lamb", "Momentum", "Adam, and not Momentum"), ("recompute", "Adam", "no checkpoints")],
)
def test_what_does_not_fit_is_left_out_with_a_warning(switch: str, optimizer: str, reason: str) -> None:
    kind = getattr(paddle.optimizer, optimizer)
    with pytest.warns(UserWarning, match=rf"DistributedStrategy.{switch}` is without effect: .*{reason}"):
        ops = operators(kind, **{switch: True})
    assert ops[-1] == optimizer.lower() and not getattr(fleet._final_strategy(), switch)
    paddle.disable_static()
    initialised(**{switch: True})
    with pytest.warns(UserWarning, match=rf"DistributedStrategy.{switch}` is without effect: .*{reason}"):
        assert type(fleet.distributed_optimizer(kind(0.1, parameters=paddle.nn.Linear(2, 2).parameters()))) is kind


def initialised(**switches: Any) -> None:
    """fleet with a strategy, in eager mode."""
    strategy = fleet.DistributedStrategy()
    for name, value in switches.items():
        setattr(strategy, name, value)
    fleet.init(is_collective=True, strategy=strategy)


def test_float16_on_a_cpu_has_no_effect_which_is_said() -> None:
    initialised(amp=True)
    with pytest.warns(UserWarning, match="only be enabled on CUDAPlace"):
        model = fleet.distributed_model(paddle.nn.Linear(2, 2))
    assert model(paddle.ones([1, 2])).dtype.name == "FP32" and model.weight.dtype.name == "FP32"


def test_a_single_worker_computes_in_low_precision_but_where_the_user_says_it() -> None:
    initialised(amp=True, amp_configs={"use_pure_bf16": True, "custom_black_list": ["matmul_v2"]})
    model = fleet.distributed_model(paddle.nn.Sequential(paddle.nn.Linear(2, 2), paddle.nn.ReLU()))
    assert model[0].weight.dtype.name == "BF16" and model(paddle.ones([1, 2])).dtype.name == "FP32"
    with paddle.amp.auto_cast(level="O2", dtype="bfloat16"):
        assert model(paddle.ones([1, 2])).dtype.name == "BF16"


def test_names_of_variables_are_refused_in_eager_mode() -> None:
    initialised(amp=True, amp_configs={"custom_black_varnames": ["x"]})
    with pytest.raises(UnsupportedError, match="amp_configs.*custom_black_varnames"):
        fleet.distributed_model(paddle.nn.Linear(2, 2))


@pytest.mark.parametrize("scaled_by_user", [False, True])
def test_gradients_beside_the_model_are_as_they_are(scaled_by_user: bool) -> None:
    """What passes through the backward pass beside the model's parameters is divided, too, but where a scaler of the user's is at work."""
    with as_on_a_gpu("mixed"):
        initialised(amp=True, amp_configs={"init_loss_scaling": 1024.0, "incr_every_n_steps": 1})
        net = paddle.nn.Linear(2, 1)
        moves = fleet.distributed_optimizer(paddle.optimizer.SGD(0.0, parameters=net.parameters()))
        model = fleet.distributed_model(net)
        if scaled_by_user:
            fleet.distributed_scaler(paddle.amp.GradScaler())
        x = paddle.to_tensor([[1.0, 2.0]], stop_gradient=False)
        seen: list[float] = []
        x.register_hook(lambda grad: seen.append(float(grad.sum())))
        middle: list[float] = []
        for _ in range(2):
            out = model(x)
            out.register_hook(lambda grad: middle.append(float(grad)))
            (out.sum() + (net.weight * 3.0).sum()).backward()
            moves.step()
        np.testing.assert_allclose(net.weight.grad.numpy().ravel(), [8.0, 10.0], rtol=1e-3)
        np.testing.assert_allclose(x.grad.numpy().ravel(), 2 * net.weight.numpy().ravel(), rtol=1e-3)
        np.testing.assert_allclose(seen, [float(net.weight.sum())] * 2, atol=2**-9)  # two weights below 2, rounded to 11 bits
        assert middle == ([1.0, 1.0] if scaled_by_user else [1024.0, 2048.0])


def test_inside_an_auto_cast_of_the_users_scaling_is_up_to_the_user() -> None:
    with as_on_a_gpu("mixed"):
        initialised(amp=True, amp_configs={"init_loss_scaling": 1024.0, "incr_every_n_steps": 1})
        net = paddle.nn.Linear(2, 1)
        moves = fleet.distributed_optimizer(paddle.optimizer.SGD(0.0, parameters=net.parameters()))
        model = fleet.distributed_model(net)
        middle: list[float] = []
        for by_user in (True, False):
            with paddle.amp.auto_cast(level="O1") if by_user else nullcontext():
                out = model(paddle.ones([1, 2]))
            out.register_hook(lambda grad: middle.append(float(grad)))
            out.sum().backward()
            moves.step()
        assert middle == [1.0, 1024.0] and float(moves._scaler._scale) == 2048.0


def test_another_job_begins_without_the_factor() -> None:
    initialised()
    former = list(eager_backward.around)  # dist tensors of other tests of this process may have theirs
    with as_on_a_gpu("mixed"):
        initialised(amp=True)
        fleet.distributed_model(paddle.nn.Linear(2, 2))
        assert len(eager_backward.around) == len(former) + 1
    initialised()
    assert eager_backward.around == former


@pytest.mark.parametrize("other", ["amp", "localsgd", "adaptive_localsgd", "gradient_merge", "fp16_allreduce"])
def test_compression_goes_with_nothing_that_changes_what_is_sent(other: str) -> None:
    workers = ["127.0.0.1:1", "127.0.0.1:2"]
    role = fleet.UserDefinedRoleMaker(is_collective=True, current_id=0, role=fleet.Role.WORKER, worker_endpoints=workers)
    strategy = fleet.DistributedStrategy()
    strategy.dgc = True
    setattr(strategy, other, True)
    strategy.gradient_merge_configs = {"k_steps": 2}
    layer = paddle.nn.Linear(2, 1)
    with pytest.raises(UnsupportedError, match=f"dgc.*{other}=True"):
        eager_optimizer(paddle.optimizer.Momentum(0.1, parameters=layer.parameters()), role, strategy)


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


def minimized(build: Any, execution: Any = None, given: Any = None, main: Any = None, startup: Any = None) -> Any:
    """A Program that fleet minimized a loss in, with a build and an execution strategy."""
    paddle.enable_static()
    strategy = fleet.DistributedStrategy()
    if build is not None:
        strategy.build_strategy = build
    if execution is not None:
        strategy.execution_strategy = execution
    main = main or paddle.static.Program()
    with paddle.static.program_guard(main, startup or paddle.static.Program()):
        value = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 4]) if given is None else given, 1))
        fleet.init(is_collective=True, strategy=strategy)
        fleet.distributed_optimizer(paddle.optimizer.SGD(0.1)).minimize(value)
    return main


@pytest.mark.parametrize("chosen", [None, False, True])
@pytest.mark.parametrize(
    ("switch", "setting", "by_itself"),
    [
        ("fuse_all_optimizer_ops", "_fuses_updates", True),
        ("build_cinn_pass", "_compiles", False),
        ("enable_inplace", "_writes_in_place", True),
    ],
)
def test_a_build_strategy_says_how_a_program_runs(switch: str, setting: str, by_itself: bool, chosen: bool | None) -> None:
    """What nobody has chosen stays as it is without a build strategy."""
    build = paddle.static.BuildStrategy()
    if chosen is not None:
        setattr(build, switch, chosen)
    assert getattr(minimized(None), setting) is by_itself
    assert getattr(minimized(build), setting) is (by_itself if chosen is None else chosen)


def test_an_execution_strategy_has_nothing_run() -> None:
    strategy = paddle.static.ExecutionStrategy()
    strategy._dry_run = True
    main = minimized(None, strategy)
    exe, weight = paddle.static.Executor(), main.all_parameters()[0].name
    feed = {"x": np.ones((2, 4), "float32")}
    assert exe.run(main, feed, [weight]) == [None] and not exe.run(main, feed, [weight], return_numpy=False)[0]._is_initialized()
    assert exe.run(main.clone(), feed, []) == []


@pytest.mark.parametrize(("beside", "steps"), [(True, 3), (False, 1)])
def test_a_run_makes_as_many_steps_as_an_execution_strategy_says(beside: bool, steps: int) -> None:
    """As in a CompiledProgram: with `async_mode` alone."""
    paddle.enable_static()
    build, strategy = paddle.static.BuildStrategy(), paddle.static.ExecutionStrategy()
    build.async_mode, strategy.num_iteration_per_run = beside, 3
    main, startup = paddle.static.Program(), paddle.static.Program()
    with paddle.static.program_guard(main, startup), paddle.static.scope_guard(paddle.static.Scope()):
        given = paddle.static.data("given", [None, 4])
        loader = paddle.io.DataLoader.from_generator([given], capacity=2, iterable=False)
        loader.set_batch_generator(lambda: ([np.full((1, 4), i, "float32")] for i in range(4)))
        minimized(build, strategy, given, main, startup)
        exe = paddle.static.Executor()
        exe.run(startup)
        loader.start()
        assert exe.run(main, fetch_list=[given])[0][0, 0] == steps - 1
        loader.reset()


def test_fleet_of_1_8_drops_scopes_as_its_execution_strategy_says() -> None:
    from paddle_compat import fluid
    from paddle_compat.fluid.incubate.fleet.collective import DistributedStrategy
    from paddle_compat.fluid.incubate.fleet.collective import fleet as former

    strategy = DistributedStrategy()
    strategy.exec_strategy.num_iteration_per_drop_scope = 2
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
        former.init(fluid.incubate.fleet.base.role_maker.UserDefinedCollectiveRoleMaker(0, ["127.0.0.1:6170"]))
        loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 2]), 1))
        former.distributed_optimizer(fluid.optimizer.SGD(0.1), strategy=strategy).minimize(loss)
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(fluid.default_startup_program())
        found = []
        for _ in range(4):
            exe.run(former.main_program, {"x": np.ones((4, 2), "float32")}, [loss])
            found.append(former.main_program._executor._need_create_local_exe_scopes())
    assert found == [False, True, False, True]


def test_a_build_strategy_has_programs_drawn(tmp_path: Path) -> None:
    build = paddle.static.BuildStrategy()
    build.debug_graphviz_path = str(tmp_path / "drawn")
    minimized(build)
    before, after = ((tmp_path / f"drawn_{name}_graph").read_text() for name in ("original", "multi_devices"))
    assert "mul" in before and "sgd" not in before and "sgd" in after


def test_what_a_build_strategy_was_told_is_read_back_until_a_file_says_otherwise(tmp_path: Path) -> None:
    build = paddle.static.BuildStrategy()
    build.sync_batch_norm, build.enable_inplace = True, False
    strategy = fleet.DistributedStrategy()
    strategy.build_strategy = build
    strategy = copy.deepcopy(strategy)
    read = strategy.build_strategy
    assert (read.sync_batch_norm, read.enable_inplace, read._chosen) == (True, False, {"sync_batch_norm", "enable_inplace"})
    strategy.save_to_prototxt(str(tmp_path / "saved"))
    strategy.load_from_prototxt(str(tmp_path / "saved"))
    assert not strategy.build_strategy.sync_batch_norm and "enable_inplace" in strategy.build_strategy._chosen


@pytest.mark.parametrize(
    ("switches", "wanted"),
    [({}, 32 << 20), ({"fuse_grad_size_in_MB": 2}, 2 << 20), ({"fuse_grad_size_in_num": 1}, 0), ({"fuse_all_reduce_ops": False}, 0)],
)
def test_how_much_travels_together(switches: dict[str, Any], wanted: int) -> None:
    strategy = fleet.DistributedStrategy()
    for name, value in switches.items():
        setattr(strategy, name, value)
    assert together(strategy) == wanted


def test_a_gradient_that_is_to_be_fed_is_refused() -> None:
    build = paddle.static.BuildStrategy()
    build.gradient_scale_strategy = paddle.static.BuildStrategy.GradientScaleStrategy.Customized
    strategy = fleet.DistributedStrategy()
    strategy.build_strategy = build
    with pytest.raises(UnsupportedError, match="build_strategy.*gradient_scale_strategy"):
        gradient_scale(strategy)


def test_layers_around_and_inside_mixed_precision_hand_on_what_it_needs() -> None:
    """Updates of Adam inside recomputation are left out after an overflow; the factor is found behind the merging of gradients."""
    paddle.enable_static()
    strategy = fleet.DistributedStrategy()
    strategy.amp = strategy.recompute = strategy.gradient_merge = True
    strategy.gradient_merge_configs = {"k_steps": 2, "avg": True}
    with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        hidden = paddle.tanh(paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 4))
        strategy.recompute_configs = {"checkpoints": [hidden.name]}
        fleet.init(is_collective=True, strategy=strategy)
        moves = fleet.distributed_optimizer(paddle.optimizer.Adam(0.1))
        moves.minimize(paddle.mean(hidden))
        assert fleet._get_applied_meta_list()[-3:] == ["GradientMergeOptimizer", "AMPOptimizer", "RecomputeOptimizer"]
        updates = [op for block in paddle.static.default_main_program().blocks for op in block.ops if op.type == "adam"]
        assert updates and all(op.input("SkipUpdate") for op in updates)
        assert moves.get_loss_scaling().name == "loss_scaling_0"


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
