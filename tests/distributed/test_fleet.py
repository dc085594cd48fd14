"""Fleet's roles, strategies, data generators and Programs answer and hold what Paddle 2.6.2's do."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from processes import ROOT

import paddle_compat as paddle
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.distributed import fleet
from paddle_compat.distributed.fleet.utils import fs
from paddle_compat.fluid.incubate.fleet.base import fleet_base
from paddle_compat.fluid.incubate.fleet.base import role_maker as fluid_roles

sys.path.insert(0, str(ROOT / "scripts/references"))

import fleet_cases
import fleet_fluid_cases

REAL = json.loads(gzip.decompress((ROOT / "tests/references/fleet_2.6.2.json.gz").read_bytes()))


REAL_AUC = 0.7916666666666666  # of the wheel
OLD = json.loads((ROOT / "tests/references/fleet_fluid_1.8.5.json").read_text())


def plain(value: Any) -> Any:
    """As the data file has it."""
    return json.loads(json.dumps(value))


def same(ours: Any, real: Any) -> bool:
    """Whether an answer is the wheel's; what the wheel raises plainly may be of any kind here."""
    if isinstance(real, dict) and "raises" in real:
        return isinstance(ours, dict) and (ours.get("raises") == real["raises"] or ("raises" in ours and real["raises"] == "Exception"))
    return bool(plain(ours) == real)


def differences(ours: dict[str, Any], real: dict[str, Any]) -> dict[str, Any]:
    return {name: (ours.get(name), real[name]) for name in real if not same(ours.get(name), real[name])}


@pytest.mark.parametrize("name", fleet_cases.ENVIRONMENTS)
def test_the_environment_says_the_role(name: str) -> None:
    collective, values = fleet_cases.ENVIRONMENTS[name]
    with fleet_cases.environment(values):
        ours = fleet_cases.role_answers(lambda: fleet.PaddleCloudRoleMaker(is_collective=collective))
    assert not differences(ours, REAL["roles"][name])


@pytest.mark.parametrize("name", fleet_cases.USERS)
def test_the_user_says_the_role(name: str) -> None:
    ours = fleet_cases.role_answers(lambda: fleet.UserDefinedRoleMaker(**fleet_cases.USERS[name]))
    assert not differences(ours, REAL["users"][name])


def test_the_roles_of_paddle_1() -> None:
    assert plain(fleet_fluid_cases.answers(fluid_roles)) == OLD


def test_the_fleet_of_paddle_1_shares_files_and_sums() -> None:
    role = fluid_roles.UserDefinedRoleMaker(current_id=1, role=fluid_roles.Role.WORKER, worker_num=2, server_endpoints=["a:1", "b:1"])
    there = fleet_base.Fleet(fleet_base.Mode.TRANSPILER)
    there.init(role)
    assert there.split_files(["a", "b", "c"]) == ["c"] and there.server_num() == 2 and there.server_endpoints(to_string=True) == "a:1,b:1"
    for wrong in (3, None):
        with pytest.raises(TypeError, match="RoleMakerBase"):
            fleet_base.Fleet(fleet_base.Mode.TRANSPILER).init(wrong)
    with pytest.raises(TypeError, match="Optimizer"):
        fleet_base.DistributedOptimizer(3)
    for name in ("MPISymetricRoleMaker", "GeneralRoleMaker"):
        with pytest.raises(UnsupportedError, match=name):
            getattr(fluid_roles, name)()


def test_a_strategy_takes_and_writes_what_the_wheels_does() -> None:
    assert not differences(fleet_cases.strategies(fleet, paddle), REAL["strategies"])


def test_data_generators_print_what_the_wheels_do() -> None:
    assert not differences(fleet_cases.generators(fleet), REAL["generators"])


def ours_of(real: list[Any], scale: str) -> list[Any]:
    """The wheel's operators as we order and choose them: sums stand behind the backward pass, and nothing tries the ring out first.

    The wheel divides by the number of workers whatever `scale_strategy` says.
    """
    real = [op for op in real if op[0] != "scale" or scale == "avg"]
    sums = [op for op in real if op[0] == "c_allreduce_sum" and op[3]["op_role"] == 1]
    rest = [op for op in real if op not in sums and "sync_var_0" not in (*op[1].get("X", ()), *op[2].get("Out", ()))]
    last = max((i for i, op in enumerate(rest) if op[3]["op_role"] & 1), default=-1)
    return rest[: last + 1] + sums + rest[last + 1 :]


PROGRAMS = [("one worker", 1, "avg"), ("two workers", 2, "avg"), ("two workers, sums", 2, "sum")]


@pytest.mark.parametrize(("name", "workers", "scale"), PROGRAMS)
def test_programs_hold_the_wheels_sums(name: str, workers: int, scale: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paddle_compat.distributed._groups.join", lambda: None)  # nobody else is there
    ours, real = plain(fleet_cases.programs(fleet, paddle, workers, scale)), REAL[name]
    assert ours["layers"] == real["layers"]
    for program in ("main", "startup"):
        assert [op[:3] for op in ours[program]] == [op[:3] for op in ours_of(real[program], scale)]
        assert [op[3] for op in ours[program]] == [op[3] for op in ours_of(real[program], scale)]


def test_several_workers_sum_whatever_the_switches_of_graphs_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paddle_compat.distributed._groups.join", lambda: None)  # nobody else is there
    paddle.enable_static()
    strategy = fleet.DistributedStrategy()
    strategy.without_graph_optimization = False
    with fleet_cases.environment(fleet_cases.TWO):
        fleet.init(is_collective=True, strategy=strategy)
        loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 1))
        fleet.distributed_optimizer(paddle.optimizer.SGD(0.1)).minimize(loss)
    assert [op.type for op in loss.block.ops].count("c_allreduce_sum") == 2


@pytest.mark.parametrize("collective", [True, False])
def test_several_losses_are_refused(collective: bool) -> None:
    paddle.enable_static()
    strategy = fleet.DistributedStrategy()
    strategy.a_sync = not collective
    servers = fleet.UserDefinedRoleMaker(is_collective=False, worker_num=1, server_endpoints=["127.0.0.1:6174"])
    fleet.init(None if collective else servers, collective, strategy)
    loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 1))
    optimizer = fleet.distributed_optimizer(paddle.optimizer.SGD(0.1), strategy)
    with pytest.raises(ValueError if collective else UnsupportedError, match="loss"):
        optimizer.minimize([loss, loss])


LATER = ("semi_auto", "auto", "a_sync", "heter_ccl_mode", "is_fl_ps_mode")
OF_PROGRAMS = ("pipeline", "tensor_parallel", "sharding", "asp", "qat")
REFUSED = [*((name, static) for name in LATER for static in (True, False)), *((name, False) for name in OF_PROGRAMS)]


@pytest.mark.parametrize(("name", "static"), REFUSED)
def test_what_cannot_act_is_refused_by_name(name: str, static: bool) -> None:
    paddle.enable_static() if static else paddle.disable_static()
    strategy = fleet.DistributedStrategy()
    setattr(strategy, name, True)
    with pytest.raises(UnsupportedError, match=rf"fleet\.DistributedStrategy\.{name}\b"):
        fleet.init(is_collective=True, strategy=strategy)
    fleet.init(is_collective=True)
    with pytest.raises(UnsupportedError, match=rf"fleet\.DistributedStrategy\.{name}\b"):
        fleet.distributed_optimizer(paddle.optimizer.SGD(0.1, parameters=[paddle.ones([1])] if not static else None), strategy)


@pytest.mark.parametrize("static", [True, False])
def test_what_is_kept_without_effect_is_named_by_a_warning(static: bool) -> None:
    paddle.enable_static() if static else paddle.disable_static()
    strategy = fleet.DistributedStrategy()
    strategy.nccl_comm_num, strategy.elastic, strategy.fuse_grad_size_in_MB = 2, True, 16
    with pytest.warns(UserWarning, match="DistributedStrategy`: nccl_comm_num, elastic are kept, without effect"):
        fleet.init(is_collective=True, strategy=strategy)


@pytest.mark.parametrize("degree", ["mp_degree", "pp_degree", "sharding_degree", "sep_degree"])
def test_hybrid_degrees_are_for_eager_mode_and_as_many_processes(degree: str) -> None:
    strategy = fleet.DistributedStrategy()
    strategy.hybrid_configs = {degree: 2}
    with pytest.raises(AssertionError, match="hybrid_configs.*product is 1"):
        fleet.init(is_collective=True, strategy=strategy)
    paddle.enable_static()
    with pytest.raises(UnsupportedError, match=f"hybrid_configs.*{degree}=2"):
        fleet.init(is_collective=True, strategy=strategy)


@pytest.mark.parametrize("static", [False, True])
def test_later_hybrid_configs_are_taken_as_far_as_they_ask_for_nothing(static: bool) -> None:
    paddle.enable_static() if static else paddle.disable_static()
    strategy = fleet.DistributedStrategy()
    assert sorted(strategy.hybrid_configs) == [
        "dp_degree", "mp_configs", "mp_degree", "pp_configs", "pp_degree", "sep_degree", "sharding_configs", "sharding_degree",
    ]  # fmt: skip
    asked = {"ep_degree": 1, "cp_degree": 1, "moe_sharding_degree": 1, "enable_optimizer_timer": False, "split_norm_comm": True}
    strategy.hybrid_configs = {**asked, "order": ["dp", "pp", "sharding", "sep", "cp", "mp"]}
    assert asked.items() <= strategy.hybrid_configs.items()
    fleet.init(is_collective=True, strategy=strategy)
    for degree in ("ep_degree", "cp_degree", "moe_sharding_degree", "cp_sharding_degree"):
        strategy = fleet.DistributedStrategy()
        strategy.hybrid_configs = {degree: 2}
        with pytest.raises(UnsupportedError, match=f"hybrid_configs.*{degree}=2"):
            fleet.init(is_collective=True, strategy=strategy)


def test_servers_need_a_strategy() -> None:
    paddle.enable_static()
    role = fleet.UserDefinedRoleMaker(current_id=0, role=fleet.Role.SERVER, worker_num=2, server_endpoints=["127.0.0.1:6001"])
    fleet.init(role)
    assert fleet.is_server() and fleet.server_num() == 1 and fleet.server_endpoints(to_string=True) == "127.0.0.1:6001"
    for name in ("init_server", "run_server", "init_worker", "stop_worker", "load_inference_model", "get_fl_client"):
        with pytest.raises(UnsupportedError if "_model" in name or "fl_" in name else ValueError, match=rf"fleet\.{name}\b"):
            getattr(fleet, name)(*(("p", 0) if name == "load_inference_model" else ()))


@pytest.mark.parametrize(
    ("role", "more"),
    [("HETER_TRAINER", {}), ("TRAINER", {"PADDLE_ALL_HETER_TRAINER_IP_PORT_LIST": "127.0.0.1:4"}),
     ("PSERVER", {"PADDLE_ALL_HETER_TRAINER_IP_PORT_LIST": "127.0.0.1:4"})],
)  # fmt: skip
def test_jobs_with_heter_workers_are_refused(role: str, more: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    said = {
        "PADDLE_PSERVERS_IP_PORT_LIST": "127.0.0.1:1", "PADDLE_TRAINERS_NUM": "1", "PADDLE_TRAINER_ID": "0", "POD_IP": "127.0.0.1",
        "PADDLE_PORT": "1", "PADDLE_TRAINER_ENDPOINTS": "127.0.0.1:2", "TRAINING_ROLE": role, **more,
    }  # fmt: skip
    for name, value in said.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(UnsupportedError, match="HETER_TRAINER"):
        fleet.PaddleCloudRoleMaker(is_collective=False)._is_worker()


def test_one_process_alone_has_nothing_to_begin() -> None:
    alone = fleet.Fleet()
    alone.init(is_collective=True)
    for name in ("init_server", "run_server", "init_worker", "stop_worker"):
        assert getattr(alone, name)() is None


def test_a_job_of_one_process_begins_behind_minimize_as_others_do(monkeypatch: pytest.MonkeyPatch) -> None:
    endpoint = "127.0.0.1:36000"
    for name, value in (("TRAINER_ENDPOINTS", endpoint), ("CURRENT_ENDPOINT", endpoint), ("TRAINERS_NUM", "1"), ("TRAINER_ID", "0")):
        monkeypatch.setenv(f"PADDLE_{name}", value)
    job = fleet.Fleet()
    job.init(is_collective=True)
    assert job.worker_endpoints() == [endpoint] and job.worker_num() == 1
    for call in (job.init_worker, job.stop_worker, job.init_server, job.run_server):
        with pytest.raises(ValueError, match="minimize"):
            call()


def test_layers_around_optimizers_apply_to_strategies_alone() -> None:
    base, optimizer = fleet.meta_optimizers.meta_optimizer_base.MetaOptimizerBase, paddle.optimizer.SGD(parameters=[paddle.ones([1])])
    assert not base(optimizer)._can_apply() and not base(optimizer)._is_graph_out()
    strategy = fleet.DistributedStrategy()
    for change in (base(optimizer)._disable_strategy, base(optimizer)._enable_strategy):
        with pytest.raises(NotImplementedError, match="strategy"):
            change(strategy)
    layer = fleet.meta_optimizers.LarsOptimizer(optimizer)
    layer._enable_strategy(strategy)
    assert strategy.lars and not layer._can_apply()
    layer._disable_strategy(strategy)
    assert not strategy.lars
    util = fleet.UtilBase()
    util._set_file_system(fleet.utils.LocalFS())
    assert isinstance(util.fs_client, fleet.utils.LocalFS)
    with pytest.raises(AssertionError, match="FS"):
        util._set_file_system("/")


def test_before_init_it_says_so() -> None:
    for name in ("worker_index", "worker_num", "is_first_worker", "barrier_worker", "get_hybrid_communicate_group"):
        with pytest.raises(AttributeError, match=r"fleet\.init\(\)"):
            getattr(fleet.Fleet(), name)()


def test_no_axis_shards_experts_apart() -> None:
    fleet.init(is_collective=True)
    assert fleet.get_hybrid_communicate_group().get_moe_sharding_parallel_world_size() == 0  # as 3.3.1


def test_files_of_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    client = fs.LocalFS()
    client.mkdirs("a/b")
    client.touch("a/f")
    client.touch("a/f")
    assert client.ls_dir("a") == (["b"], ["f"]) and client.ls_dir("nope") == ([], []) and client.list_dirs("a") == ["b"]
    for call in (lambda: client.touch("a/f", exist_ok=False), lambda: client.mv("a/f", "a/b")):
        with pytest.raises(fs.FSFileExistsError):
            call()
    with pytest.raises(fs.FSFileNotExistsError):
        client.mv("a/nope", "a/c")
    with pytest.raises(AssertionError, match="already a file"):
        client.mkdirs("a/f")
    client.mv("a/f", "a/b", overwrite=True)
    assert client.is_file("a/b") and not client.is_exist("a/f")
    client.delete("nope")
    client.delete("a")
    assert not client.is_exist("a")


def test_figures_of_one_worker() -> None:
    fleet.init(is_collective=True)
    metrics = fleet.metrics
    assert metrics.auc(np.array([[0, 2, 1, 0.0]]), np.array([[3, 0, 1, 0.0]])) == pytest.approx(REAL_AUC)
    assert metrics.auc(np.zeros((1, 4)), np.zeros((1, 4))) == 0.5
    paddle.enable_static()
    scope = paddle.static.global_scope()
    scope.var("counted").get_tensor().set(np.array([3.0, 1.0], "float32"), paddle.CPUPlace())
    assert metrics.sum("counted").tolist() == [3.0, 1.0]
    with pytest.raises(AttributeError, match="nothing"):
        metrics.sum("nothing")


def test_functions_are_those_of_one_fleet() -> None:
    scaler = paddle.amp.GradScaler()
    assert fleet.distributed_scaler(scaler) is scaler
    assert fleet.init(is_collective=True) is fleet.fleet
    assert (fleet.rank(), fleet.nranks(), fleet.world_size(), fleet.rank_in_node()) == (0, 1, 1, None)
    assert fleet.util is fleet.fleet.util and fleet.worker_index.__self__ is fleet.fleet


def test_a_topology_says_what_it_does_not_know() -> None:
    topology = fleet.CommunicateTopology(["dp", "mp", "pp"], [2, 2, 2])
    assert topology.get_dim_size("pp") == 2 and topology.get_rank_from_stage(0, pp=1) == 1
    for ask in (lambda: topology.get_comm_list("zz"), lambda: topology.get_dim_size("zz"), lambda: topology.get_rank_from_stage(0, pp=5)):
        with pytest.raises(AssertionError):
            ask()
    for ask in (lambda: topology.get_dim("zz"), lambda: topology.get_rank_from_stage(0, zz=1), lambda: topology.get_fused_ranks(["zz"])):
        with pytest.raises(ValueError, match=r"zz|not in"):
            ask()
