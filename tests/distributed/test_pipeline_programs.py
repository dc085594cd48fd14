"""`strategy.pipeline` in Programs: the operators of each stage are the wheel's, and stages train with the numbers of one process."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from distributed.pipeline_program_job import CASES, PARTS, SIZE, batches, network, train
from jobs import run_job

import paddle_compat as paddle
from paddle_compat import static
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.distributed import fleet
from paddle_compat.engine.pipeline import schedule

# stages, copies -> what is trained
JOBS = {(2, 1): [*CASES], (3, 1): ["plain", "clipped and decayed"], (2, 2): ["plain"]}


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[int, int], list[Any]]:
    """What the processes of each job wrote."""
    found = {}
    job = Path(__file__).with_name("pipeline_program_job.py")
    for (count, copies), cases in JOBS.items():
        folder = tmp_path_factory.mktemp(f"stages{count}{copies}")
        arguments = [str(folder), str(count), str(copies), ",".join(cases)]
        for status, text in run_job(job, count * copies, seconds=180, arguments=arguments, folder=folder):
            assert status == 0, text
        found[count, copies] = [json.loads((folder / f"{rank}.json").read_text()) for rank in range(count * copies)]
    return found


@pytest.fixture
def static_mode() -> Any:
    """Programs are recorded."""
    paddle.enable_static()
    yield
    paddle.disable_static()


@pytest.mark.parametrize(("count", "copies", "case"), [(*key, case) for key, cases in JOBS.items() for case in cases])
def test_stages_train_as_one_process(
    count: int, copies: int, case: str, stages: dict[tuple[int, int], list[Any]], static_mode: None
) -> None:
    alone = train(case, count, copies, alone=True)
    seen = set()
    for worker in stages[count, copies]:
        for name, value in worker[case]["values"].items():
            np.testing.assert_allclose(value, alone["values"][name], atol=3e-7)
        assert worker[case]["rate"] == alone["rate"]
        seen |= {*worker[case]["values"]}
    assert seen == {*alone["values"]}


def test_each_stage_keeps_its_own_parameters(stages: dict[tuple[int, int], list[Any]]) -> None:
    names = [sorted(worker["plain"]["values"]) for worker in stages[3, 1]]
    layers = [("fc_0", "fc_1"), ("fc_2",), ("fc_3", "fc_4")]
    assert names == [[f"{layer}.{part}" for layer in each for part in ("b_0", "w_0")] for each in layers]


def test_the_loss_of_the_last_small_batch_is_fetched_in_the_last_stage(stages: dict[tuple[int, int], list[Any]], static_mode: None) -> None:
    first, last = (worker["plain"]["losses"] for worker in stages[2, 1])
    assert first == [[], [], []]
    feed = {name: value[-SIZE:] for name, value in batches(1, None)[0].items()}
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup), paddle.utils.unique_name.guard():
        loss = network(2)[0]
    with static.scope_guard(static.Scope()):
        executor = static.Executor(paddle.CPUPlace())
        executor.run(startup)
        np.testing.assert_allclose(last[0], executor.run(main, feed=feed, fetch_list=[loss]), rtol=1e-6)


def test_readers_give_small_batches(stages: dict[tuple[int, int], list[Any]]) -> None:
    for worker in stages[2, 1]:
        assert worker["read"]["ended"]
        assert worker["read"]["losses"] == worker["plain"]["losses"]
        assert worker["read"]["values"] == worker["plain"]["values"]


def test_each_small_batch_counts_for_running_statistics(stages: dict[tuple[int, int], list[Any]]) -> None:
    mean = np.zeros(4)
    for part in np.split(batches(1, None)[0]["x"], PARTS):
        mean = 0.9 * mean + 0.1 * (part @ np.full((6, 4), 0.5)).mean(0)
    np.testing.assert_allclose(stages[2, 1][0]["statistics"], mean, rtol=1e-5)
    assert stages[2, 1][1]["statistics"] == []


def test_stages_are_told_of_one_that_fails(tmp_path: Path) -> None:
    job = Path(__file__).with_name("pipeline_program_job.py")
    for status, text in run_job(job, 2, seconds=90, arguments=[str(tmp_path), "2", "1", "fails"], folder=tmp_path):
        assert status == 0, text
    first, last = (json.loads((tmp_path / f"{rank}.json").read_text())["fails"] for rank in range(2))
    assert last.startswith("OutOfRangeError: Operator `softmax_with_cross_entropy`") and "7" in last
    assert first.startswith("UnavailableError: Process 1 of 2") and "softmax_with_cross_entropy" in first


@pytest.mark.parametrize(
    ("stage", "order", "turns"),
    [(0, "1F1B", "F0 F1 F2 B0 F3 B1 B2 B3"), (1, "1F1B", "F0 F1 B0 F2 B1 F3 B2 B3"), (2, "1F1B", "F0 B0 F1 B1 F2 B2 F3 B3"),
     (2, "F-then-B", "F0 F1 F2 F3 B0 B1 B2 B3")],
)  # fmt: skip
def test_the_turns_of_stages(stage: int, order: str, turns: str) -> None:
    assert " ".join(f"{'F' if forward else 'B'}{number}" for forward, number in schedule(stage, 3, 4, order)) == turns


# ---- what is written, as 2.6.2 writes it where it takes a computer for one with GPUs
def of_rank(monkeypatch: pytest.MonkeyPatch, rank: int, size: int) -> None:
    """Let this process write the Programs of one of several."""
    ends = [f"127.0.0.1:{36001 + each}" for each in range(size)]
    monkeypatch.setenv("PADDLE_TRAINER_ID", str(rank))
    monkeypatch.setenv("PADDLE_TRAINERS_NUM", str(size))
    monkeypatch.setenv("PADDLE_TRAINER_ENDPOINTS", ",".join(ends))
    monkeypatch.setenv("PADDLE_CURRENT_ENDPOINT", ends[rank])


def written(mode: str = "1F1B", count: int = 2, **switches: Any) -> tuple[Any, Any]:
    """The Programs of the wheel's own network, in two stages or three."""
    main, startup = static.Program(), static.Program()
    strategy = fleet.DistributedStrategy()
    strategy.pipeline = True
    strategy.pipeline_configs = {"micro_batch_size": 4, "accumulate_steps": 3, "schedule_mode": mode}
    for name, value in switches.items():
        setattr(strategy, name, value)
    fleet.init(is_collective=True, strategy=strategy)
    with static.program_guard(main, startup), paddle.utils.unique_name.guard():
        with static.device_guard("gpu:0"):
            x, y = static.data("x", [-1, 32]), static.data("y", [-1, 1], "int64")
            hidden = static.nn.fc(x, 16, activation="tanh")
            beside = static.nn.fc(x, 16)
        if count == 3:
            with static.device_guard("gpu:1"):
                hidden = static.nn.fc(hidden, 16, activation="relu")
        with static.device_guard(f"gpu:{count - 1}"):
            hidden = static.nn.fc(hidden, 16, activation="tanh")
            out = static.nn.fc(hidden + beside if count == 3 else hidden, 4)
            loss = paddle.mean(paddle.nn.functional.softmax_with_cross_entropy(out, y))
        clip = paddle.nn.ClipGradByGlobalNorm(1.0) if switches.get("amp") is None else None
        fleet.distributed_optimizer(paddle.optimizer.SGD(0.01, grad_clip=clip)).minimize(loss)
    return main, startup


def shown(program: Any) -> list[str]:
    """What tells operators that meet others from one another, and the types of all."""
    found = []
    for op in program.global_block().ops:
        text = f"{op.type}:{op.attr('op_role')}"
        if op.type in ("send_v2", "recv_v2", "c_allreduce_sum", "c_allreduce_max", "c_broadcast", "c_sync_comm_stream", "c_comm_init"):
            text += f" ring {op.attr('ring_id')} {(op.input_arg_names or op.output_arg_names)[0]}"
        if op.type in ("send_v2", "recv_v2"):
            text += f" peer {op.attr('peer')}"
        found.append(text)
    return found


FIRST = [  # the section of the first of two stages
    "mul:0", "elementwise_add:0", "tanh:0", "mul:0", "elementwise_add:0", "c_sync_calc_stream:0", "send_v2:0 ring 20 fc_0.tmp_2 peer 1",
    "recv_v2:1 ring 21 fc_0.tmp_2@GRAD peer 0", "nop:1", "tanh_grad:1", "elementwise_add_grad:1", "mul_grad:1",
    "fill_constant:16", "sum:1", "fill_constant:16", "sum:1", "squared_l2_norm:2", "squared_l2_norm:2", "sum:2",
    "c_allreduce_sum:2 ring 1 add_n_0.tmp_0", "sqrt:2", "fill_constant:2", "elementwise_max:2", "elementwise_div:2",
    "elementwise_mul:2", "elementwise_mul:2", "sgd:2", "sgd:2",
]  # fmt: skip
MIDDLE = [  # that of the second of three stages, but for its updates
    "recv_v2:0 ring 20 fc_0.tmp_2 peer 0", "recv_v2:0 ring 20 fc_1.tmp_1 peer 0", "mul:0", "elementwise_add:0", "relu:0",
    "c_sync_calc_stream:0", "send_v2:0 ring 21 fc_2.tmp_2 peer 1", "c_sync_calc_stream:0", "send_v2:0 ring 21 fc_1.tmp_1 peer 1",
    "recv_v2:1 ring 22 fc_2.tmp_2@GRAD peer 0", "nop:1", "nop:1", "recv_v2:1 ring 22 fc_1.tmp_1@GRAD peer 0", "relu_grad:1",
    "elementwise_add_grad:1", "mul_grad:1", "c_sync_calc_stream:1", "send_v2:1 ring 23 fc_1.tmp_1@GRAD peer 1",
    "c_sync_calc_stream:1", "send_v2:1 ring 23 fc_0.tmp_2@GRAD peer 1", "fill_constant:16", "sum:1", "fill_constant:16", "sum:1",
    "c_sync_comm_stream:2 ring 23 fc_0.tmp_2@GRAD", "c_sync_comm_stream:2 ring 23 fc_1.tmp_1@GRAD",
]  # fmt: skip
WAITS = ["fill_constant:0", "c_allreduce_sum:0 ring 1 sync_var_{}", "c_sync_calc_stream:0"]


def test_the_section_of_the_first_stage(monkeypatch: pytest.MonkeyPatch, static_mode: None) -> None:
    of_rank(monkeypatch, 0, 2)
    main, startup = written()
    options = main._pipeline_opt
    assert shown(options["section_program"]) == FIRST
    named = ("pipeline_stage", "num_pipeline_stages", "schedule_mode", "num_microbatches", "inner_parallelism", "trainer", "device_worker")
    assert [options[name] for name in named] == [0, 2, "1F1B", 3, 2, "PipelineTrainer", "Section"]
    assert fleet._get_applied_meta_list() == ["PipelineOptimizer"]
    section = options["section_program"].global_block()
    assert section.vars["fc_0.tmp_2"].shape == (4, 16) and section.vars["fc_0.w_0@GRAD@MERGED"].persistable
    assert "fc_3.w_0" not in section.vars and "y" not in section.vars
    assert startup._pipeline_opt["startup_program"].global_block().vars.keys() >= {"fc_1.w_0", "learning_rate_0", "comm_id_0"}


def test_the_section_of_a_stage_between_others(monkeypatch: pytest.MonkeyPatch, static_mode: None) -> None:
    of_rank(monkeypatch, 1, 3)
    main, startup = written(count=3)
    assert shown(main._pipeline_opt["section_program"])[: len(MIDDLE)] == MIDDLE
    sent = [op for op in main.global_block().ops if op.type == "send_v2"]
    assert [(op.attr("ring_id"), op.attr("op_device")) for op in sent] == [
        (20, "gpu:0"), (21, "gpu:1"), (20, "gpu:0"), (21, "gpu:1"), (22, "gpu:2"), (22, "gpu:2"), (23, "gpu:1"), (23, "gpu:1"),
    ]  # fmt: skip
    made = startup._pipeline_opt["startup_program"].global_block().ops
    rings = [(op.attr("ring_id"), op.attr("rank"), op.attr("endpoints")) for op in made if op.type == "c_comm_init"]
    assert rings[1:] == [
        (20, 1, "127.0.0.1:36001,127.0.0.1:36002"), (21, 0, "127.0.0.1:36002,127.0.0.1:36003"),
        (22, 1, "127.0.0.1:36003,127.0.0.1:36002"), (23, 0, "127.0.0.1:36002,127.0.0.1:36001"),
    ]  # fmt: skip


def test_who_has_the_same_stage_sums_gradients(monkeypatch: pytest.MonkeyPatch, static_mode: None) -> None:
    of_rank(monkeypatch, 3, 4)
    main, startup = written()
    section = main._pipeline_opt["section_program"]
    assert [text for text in shown(section) if "ring 2 " in text] == [
        f"c_allreduce_sum:2 ring 2 {name}@GRAD@MERGED" for name in ("fc_3.b_0", "fc_3.w_0", "fc_2.b_0", "fc_2.w_0")
    ]
    seed = next(op for op in section.global_block().ops if op.attr("op_role") == 257)
    scale = next(op for op in section.global_block().ops if op.type == "scale")
    assert (round(seed.attr("value"), 6), scale.attr("scale")) == (0.333333, 0.5)
    own = startup._pipeline_opt["startup_program"]
    waits = [text.format(number) for number in range(4) for text in WAITS]
    inits = [f"c_comm_init:0 ring {ring} comm_id_{number}" for number, ring in enumerate((1, 20, 21, 2))]
    expected = [t for number, init in enumerate(inits) for t in ("c_gen_nccl_id:0", init, *waits[3 * number : 3 * number + 3])]
    names = ("fc_2.w_0", "fc_2.b_0", "fc_3.w_0", "fc_3.b_0")
    expected += [*(f"c_broadcast:0 ring 2 {name}" for name in names), "c_sync_comm_stream:0 ring 2 fc_3.b_0"]
    assert shown(own)[5:] == expected
    init = [op for op in own.global_block().ops if op.type == "c_comm_init"]
    assert init[-1].attr("endpoints") == "127.0.0.1:36002,127.0.0.1:36004"


def test_stages_that_go_one_after_the_other_wait_for_nothing(monkeypatch: pytest.MonkeyPatch, static_mode: None) -> None:
    of_rank(monkeypatch, 1, 2)
    section = written("F-then-B")[0]._pipeline_opt["section_program"].global_block()
    (sent,) = (op for op in section.ops if op.type == "send_v2")
    assert sent.attr("use_calc_stream") and not [op for op in section.ops if op.type.startswith(("c_sync", "nop"))]


def test_stages_tell_one_another_of_infinite_gradients(monkeypatch: pytest.MonkeyPatch, static_mode: None) -> None:
    of_rank(monkeypatch, 1, 2)
    section = written(amp=True)[0]._pipeline_opt["section_program"]
    texts = [text.split(" ")[0] for text in shown(section)]
    assert texts[texts.index("check_finite_and_unscale:2") :] == [
        *["check_finite_and_unscale:2"] * 4, "concat:2", "reduce_any:2", "cast:2", "c_allreduce_max:2", "cast:2", "update_loss_scaling:2",
        *["sgd:2"] * 4,
    ]  # fmt: skip


def test_one_process_runs_a_pipeline_of_one_stage(static_mode: None) -> None:
    main, startup = static.Program(), static.Program()
    strategy = fleet.DistributedStrategy()
    strategy.pipeline, strategy.pipeline_configs = True, {"micro_batch_size": 2, "accumulate_steps": 2}
    fleet.init(is_collective=True, strategy=strategy)
    with static.program_guard(main, startup), static.device_guard("gpu:0"):
        x = static.data("x", [None, 2])
        loss = paddle.mean(static.nn.fc(x, 1, weight_attr=paddle.ParamAttr(name="weight"), bias_attr=False))
        fleet.distributed_optimizer(paddle.optimizer.SGD(1.0)).minimize(loss)
    executor, x = static.Executor(paddle.CPUPlace()), np.arange(8, dtype="float32").reshape(4, 2)
    with static.scope_guard(static.Scope()):
        executor.run(startup)
        before = np.array(static.global_scope().find_var("weight").get_tensor())
        loss, after = executor.run(main, feed={"x": x}, fetch_list=[loss, "weight"])
        np.testing.assert_allclose(loss, (x[2:] @ before).mean(), rtol=1e-6)
        np.testing.assert_allclose(before - after, x.mean(0)[:, None], rtol=1e-6)
        with pytest.raises(ValueError, match="a batch of 2 equal parts"):
            executor.run(main, feed={"x": x[:3]})
        with pytest.raises(UnsupportedError, match="train_from_dataset"):
            executor.train_from_dataset(main, paddle.distributed.InMemoryDataset())


def test_sharding_may_name_the_number_of_stages(monkeypatch: pytest.MonkeyPatch, static_mode: None) -> None:
    of_rank(monkeypatch, 1, 4)
    degrees = {"sharding_degree": 1, "mp_degree": 1, "pp_degree": 2, "dp_degree": 2}
    sections = [written(**switches)[0]._pipeline_opt for switches in ({}, {"sharding": True, "sharding_configs": degrees})]
    assert shown(sections[0]["section_program"]) == shown(sections[1]["section_program"])
    assert fleet._get_applied_meta_list()[0] == "ShardingOptimizer"
    with pytest.raises(AssertionError, match="a pp_degree of 2"):
        written(sharding=True, sharding_configs={**degrees, "pp_degree": 4, "dp_degree": 1})


def test_what_is_refused(monkeypatch: pytest.MonkeyPatch, static_mode: None) -> None:
    of_rank(monkeypatch, 0, 2)
    with pytest.raises(UnsupportedError, match="pipeline.*gradient_merge"):
        written(gradient_merge=True)
    with pytest.raises(AssertionError, match="1F1B"):
        written("interleaved")
    of_rank(monkeypatch, 0, 3)
    with pytest.raises(AssertionError, match="divides the 3 workers"):
        written()
    of_rank(monkeypatch, 0, 2)
    strategy = fleet.DistributedStrategy()
    strategy.pipeline = True
    fleet.init(is_collective=True, strategy=strategy)
    with static.program_guard(static.Program(), static.Program()):
        x = static.data("x", [-1, 4])
        with pytest.raises(AssertionError, match="device_guard"):
            fleet.distributed_optimizer(paddle.optimizer.SGD(0.1)).minimize(paddle.mean(static.nn.fc(x, 4)))
    with static.program_guard(static.Program(), static.Program()):
        shared = paddle.ParamAttr(name="shared")
        with static.device_guard("gpu:0"):
            hidden = static.nn.fc(static.data("x", [-1, 4]), 4, weight_attr=shared)
        with static.device_guard("gpu:1"):
            loss = paddle.mean(static.nn.fc(hidden, 4, weight_attr=shared))
        with pytest.raises(UnsupportedError, match="shared"):
            fleet.distributed_optimizer(paddle.optimizer.SGD(0.1)).minimize(loss)
