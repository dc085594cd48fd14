"""What a process that is alone is told in static mode, whatever job its environment names: Programs may be written and never run."""

from __future__ import annotations

import os
from typing import Any

from fleet_cases import TWO, answer, environment, pretend_to_have_gpus

WHEELS = ("2.6.2",)

# one endpoint, two workers, and nobody says which of them this is
COUNTED = {
    "POD_IP": "127.0.0.1", "PADDLE_TRAINER_ENDPOINTS": "127.0.0.1:36001", "PADDLE_TRAINERS_NUM": "2",
    "PADDLE_PSERVERS_IP_PORT_LIST": "127.0.0.1:36001,127.0.0.2:36002",
}  # fmt: skip
JOBS = {"alone": {}, "counted": COUNTED, "second of two": TWO}
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
    for name, (given, optimizer) in STRATEGIES.items():
        for job in ("alone", "second of two"):
            if job == "alone" or name not in ONLY_ALONE:
                found[f"{name}, {job}"] = trained(fleet, paddle, given, optimizer, JOBS[job])
    return found


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
