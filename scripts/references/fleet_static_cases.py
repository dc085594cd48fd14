"""What a process that is alone is told in static mode, whatever job its environment names: Programs may be written and never run."""

from __future__ import annotations

import os
import tempfile
from typing import Any

from fleet_cases import TWO, answer, environment, pretend_to_have_gpus

WHEELS = ("2.6.2",)

# one endpoint, two workers, and nobody says which of them this is
COUNTED = {
    "POD_IP": "127.0.0.1", "PADDLE_TRAINER_ENDPOINTS": "127.0.0.1:36001", "PADDLE_TRAINERS_NUM": "2",
    "PADDLE_PSERVERS_IP_PORT_LIST": "127.0.0.1:36001,127.0.0.2:36002",
}  # fmt: skip
JOBS = {"alone": {}, "counted": COUNTED, "second of two": TWO}
ROUND = {  # of a job with one worker and one server
    "PADDLE_TRAINERS_NUM": "1", "PADDLE_PSERVERS_IP_PORT_LIST": "127.0.0.1:36001", "PADDLE_TRAINER_ENDPOINTS": "127.0.0.1:36001",
    "POD_IP": "127.0.0.1", "PADDLE_TRAINER_ID": "0", "PADDLE_PORT": "36001", "TRAINING_ROLE": "TRAINER", "SYS_JOB_ID": "job",
}  # fmt: skip
# how gloo is asked for; FOLDER stands for one that is there
WAYS = {
    "no": {"PADDLE_WITH_GLOO": "0"},
    "unknown": {"PADDLE_WITH_GLOO": "3"},
    "no way": {"PADDLE_WITH_GLOO": "1"},
    "wrong way": {"PADDLE_WITH_GLOO": "1", "PADDLE_GLOO_RENDEZVOUS": "5"},
    "no name": {
        "PADDLE_WITH_GLOO": "1", "PADDLE_GLOO_RENDEZVOUS": "1", "PADDLE_GLOO_FS_NAME": "", "PADDLE_GLOO_FS_UGI": "u",
        "PADDLE_GLOO_FS_PATH": "FOLDER",
    },
    "no folder": {"PADDLE_WITH_GLOO": "1", "PADDLE_GLOO_RENDEZVOUS": "2", "PADDLE_GLOO_FS_PATH": ""},
    "folder": {"PADDLE_WITH_GLOO": "1", "PADDLE_GLOO_RENDEZVOUS": "2", "PADDLE_GLOO_FS_PATH": "FOLDER"},
}  # fmt: skip
QUESTIONS = (
    "is_first_worker", "worker_index", "worker_num", "is_worker", "is_server", "worker_endpoints", "server_num", "server_endpoints",
    "node_num", "local_rank", "rank", "nranks", "world_size", "is_coordinator", "local_device_ids", "world_device_ids",
)  # fmt: skip
PARTS = ("init_worker", "stop_worker", "init_server", "run_server")
SWITCHES = ("amp", "recompute", "gradient_merge", "lars", "lamb", "localsgd", "adaptive_localsgd", "dgc", "fp16_allreduce")
# what is set -> the optimizer around which it acts
STRATEGIES: dict[str, tuple[dict[str, Any], str]] = {
    "nothing": ({}, "SGD"),
    "amp": ({"amp": True}, "SGD"),
    "merging one step": ({"gradient_merge": True, "gradient_merge_configs": {"k_steps": 1, "avg": True}}, "Adam"),
    "merging": ({"gradient_merge": True, "gradient_merge_configs": {"k_steps": 2, "avg": True}}, "Adam"),
    "local steps": ({"localsgd": True}, "SGD"),
    "adaptive local steps": ({"adaptive_localsgd": True}, "SGD"),
    "compressed": ({"dgc": True}, "Momentum"),
    "lars": ({"lars": True, "amp": True}, "Momentum"),
    "lamb": ({"lamb": True}, "Adam"),
}
ONLY_ALONE = ("adaptive local steps", "compressed")  # of which the wheel's list differs, and which it has not got


def asked(fleet: Any, paddle: Any) -> dict[str, Any]:
    """The answers of fleet, in each job."""
    paddle.enable_static()
    found: dict[str, Any] = {}
    for job, values in JOBS.items():
        with environment(values):
            fleet.init(fleet.PaddleCloudRoleMaker(is_collective=True))
            for question in QUESTIONS:
                found[f"{job}: {question}"] = answer(getattr(fleet, question))
            found[f"{job}: one text"] = fleet.worker_endpoints(to_string=True)
            found[f"{job}: files"] = fleet.util.get_file_shard(["a", "b", "c"])
    with environment({}):
        begun = [fleet.init(), fleet.init(is_collective=True), fleet.init(fleet.PaddleCloudRoleMaker(is_collective=True))]
        found["what init gives"] = [type(each).__name__ for each in begun]
        for part in PARTS:
            found[f"{part}, nothing minimized"] = answer(getattr(fleet.Fleet(), part))
        trained(fleet, paddle, {}, "SGD", {})
        fleet.init(is_collective=True)
        for part in PARTS:
            found[f"{part}, something minimized"] = answer(getattr(fleet, part))
    for name, values in WAYS.items():
        for collective in (True, False):
            found[f"gloo: {name}, collective {collective}"] = answer(lambda v=values, c=collective: met(fleet, v, c))
    found["files of workers"] = [shards(fleet, number, files) for number in (0, 1, 2) for files in ([], ["a"], ["a", "b", "c", "d", "e"])]
    found["a user's utility"] = of_the_user(fleet)
    for name, (given, optimizer) in STRATEGIES.items():
        for job in ("alone", "second of two"):
            if job == "alone" or name not in ONLY_ALONE:
                found[f"{name}, {job}"] = trained(fleet, paddle, given, optimizer, JOBS[job])
    return found


def met(fleet: Any, given: dict[str, str], collective: bool) -> list[Any]:
    """What a worker is handed that meets nobody."""
    with tempfile.TemporaryDirectory() as folder:
        words = {name: folder if value == "FOLDER" else value for name, value in given.items()}
        with environment({**ROUND, **words}):
            role = fleet.PaddleCloudRoleMaker(is_collective=collective)
            role._generate_role()
            answers = [role._all_gather(1), role._all_reduce(1, "sum"), role._all_reduce(2.5, "max")]
    return [each.item() if hasattr(each, "item") else each for each in answers]


def shards(fleet: Any, number: int, files: list[str]) -> list[str]:
    """The files of one worker of three, by the utility that the module has."""
    ends = ["127.0.0.1:6003", "127.0.0.1:6004", "127.0.0.1:6005"]
    role = fleet.UserDefinedRoleMaker(
        is_collective=False, current_id=number, role=fleet.Role.WORKER, worker_endpoints=ends, server_endpoints=["127.0.0.1:6001"]
    )
    fleet.init(role)
    found: list[str] = fleet.util.get_file_shard(files)
    return found


def of_the_user(fleet: Any) -> list[Any]:
    """A utility that the user put in the place of fleet's, and the one of the module after that."""

    class Mine(fleet.UtilBase):  # type: ignore[name-defined, misc]
        def ten(self) -> int:
            return 10

    fleet.init(is_collective=True)
    former, fleet.util = fleet.util, Mine()
    found = [fleet.util.ten(), answer(lambda: fleet.util.get_file_shard(["a", "b"]))]
    found.append(answer(lambda: shards(fleet, 1, ["a", "b", "c"])))
    fleet.util = former
    made = fleet.base.util_factory.UtilFactory()._create_util({"role_maker": None, "valid_strategy": fleet.DistributedStrategy()})
    return [*found, made.role_maker, made.dist_strategy is None]


def trained(fleet: Any, paddle: Any, given: dict[str, Any], optimizer: str, values: dict[str, str]) -> dict[str, Any]:
    """What a strategy has come to, and the layers of it."""
    main, startup = paddle.static.Program(), paddle.static.Program()
    with paddle.static.program_guard(main, startup), paddle.utils.unique_name.guard(), environment(values):
        strategy = fleet.DistributedStrategy()
        for name, value in given.items():
            setattr(strategy, name, value)
        fleet.init(is_collective=True)
        loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 1))
        pairs = fleet.distributed_optimizer(getattr(paddle.optimizer, optimizer)(0.01), strategy).minimize(loss)[1]
        final = fleet._final_strategy()
    types = {op.type for op in main.global_block().ops}
    return {
        "acts": [name for name in SWITCHES if getattr(final, name)],
        "layers": sorted(fleet._get_applied_meta_list()),
        "trained": len(pairs),
        "updates": sorted(types & {"sgd", "momentum", "adam", "lamb", "lars_momentum", "conditional_block", "update_loss_scaling"}),
    }


def recordings(version: str) -> dict[str, Any]:
    """The data file."""

    def record() -> dict[str, Any]:
        os.environ.setdefault("GLOG_minloglevel", "2")
        import paddle
        from paddle.distributed import fleet

        pretend_to_have_gpus()
        return asked(fleet, paddle)

    return {"fleet_static_2.6.2.json": record}
