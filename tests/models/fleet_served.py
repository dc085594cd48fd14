"""Programs that the Fleet of parameter servers writes for its workers and servers, under each strategy, as plain values.

Read by the recording script under the 1.8.5 wheel as well, so this stays within Python 3.7 and imports nothing but `fluid`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Dict

from transpiled import LARGE, NETS, SERVERS, Plain, optimizer, plain_program

STRATEGIES = ("sync", "async", "half_async", "geo")
MODELS: Dict[str, Plain] = {
    "line/sgd": {"net": "line"},
    "line/adam sliced": {"net": "line", "opt": "adam", "args": LARGE},
    "deep/momentum 3 servers": {"net": "deep", "opt": "momentum", "servers": 3},
    "ctr/dense": {"net": "ctr", "args": {"sparse": False}},
    "ctr/sparse": {"net": "ctr"},
    "ctr/sparse adam decay": {"net": "ctr", "opt": "adam", "decay": "exponential"},
    "ctr/distributed": {"net": "ctr", "args": {"dist": True, "shared": True}},
    "words/sparse": {"net": "words"},
    "newer/sparse": {"net": "newer"},
}
CASES = {"%s %s" % (model, strategy): dict(said, strategy=strategy) for model, said in MODELS.items() for strategy in STRATEGIES}
CASES["line/one worker sync"] = {"net": "line", "workers": 1, "strategy": "sync"}
CASES["line/second worker async"] = {"net": "line", "number": 1, "args": LARGE, "strategy": "async"}
CASES["line/threads of servers"] = {"net": "line", "threads": {"_rpc_send_thread_num": 4, "_rpc_get_thread_num": 5}, "strategy": "sync"}
CASES["line/no strategy"] = {"net": "line", "strategy": None}
CONFIGS: Dict[str, Plain] = {
    "waits": {"sync_mode": True},
    "does not wait": {"sync_mode": False},
    "splits": {"sync_mode": False, "runtime_split_send_recv": True},
    "half async": {"sync_mode": False, "half_async": True, "runtime_split_send_recv": True},
    "geo": {"sync_mode": False, "geo_sgd_mode": True, "runtime_split_send_recv": True, "geo_sgd_need_push_nums": 7},
    "geo that does not split": {"sync_mode": False, "geo_sgd_mode": True},
}
for _name, _config in CONFIGS.items():
    CASES["line/config that %s" % _name] = {"net": "line", "args": LARGE, "config": _config}


def strategy(fluid: Any, front: Any, said: Plain) -> Any:
    """What `distributed_optimizer` is given."""
    if "config" in said:
        config = fluid.DistributeTranspilerConfig()
        for name, value in said["config"].items():
            setattr(config, name, value)
        return config
    if said["strategy"] is None:
        return None
    made = getattr(front.StrategyFactory, "create_%s_strategy" % said["strategy"])()
    made.set_program_config({"wait_port": False})
    made.set_server_runtime_config(said.get("threads", {}))
    return made


def written(fluid: Any, said: Plain, role: Any) -> Any:
    """The fleet of a process that has minimized the case's loss."""
    front = import_module(fluid.__name__ + ".incubate.fleet.parameter_server.distribute_transpiler")
    front.fleet.init(role)
    cost = NETS[said["net"]](fluid, **said.get("args", {}))
    made = optimizer(fluid, said.get("opt", "sgd"), said.get("decay", ""))
    front.fleet.distributed_optimizer(made, strategy(fluid, front, said)).minimize(cost)
    return front.fleet


def observe(fluid: Any, said: Plain) -> Plain:
    """What a worker and the servers run in a case, and what the fleet says of it."""
    roles = import_module(fluid.__name__ + ".incubate.fleet.base.role_maker")
    servers, workers = SERVERS[: said.get("servers", 2)], said.get("workers", 2)
    fluid.DistributeTranspilerConfig.wait_port = False  # nobody serves
    found: Plain = {"servers": []}
    for number, part in [(said.get("number", 0), roles.Role.WORKER)] + [(i, roles.Role.SERVER) for i in range(len(servers))]:
        role = roles.UserDefinedRoleMaker(current_id=number, role=part, worker_num=workers, server_endpoints=servers)
        with fluid.unique_name.guard(), fluid.program_guard(fluid.Program(), fluid.Program()):
            try:
                fleet = written(fluid, said, role)
            except Exception as error:  # which the wheel raises is part of the answer
                return {"error": type(error).__name__}
            programs = [plain_program(fleet.main_program), plain_program(fleet.startup_program)]
            if part == roles.Role.SERVER:
                found["servers"].append(programs)
                continue
            found["worker"] = programs
            found["origin"] = plain_program(fleet._origin_program)
            found["kind"] = type(fleet._transpile_config).__name__
            found["told"] = fleet.main_program._fleet_opt
            if "Geo" in found["kind"]:
                found["parts"] = {name: dict(parts) for name, parts in fleet.vars_info.items()}
    return found


def answer(call: Any, *given: Any) -> Any:
    try:
        return call(*given)
    except Exception as error:
        kinds = [kind.__name__ for kind in type(error).__mro__]
        return {"raises": next(kind for kind in kinds if kind in ("TypeError", "ValueError", "NotImplementedError"))}


def answers(fluid: Any) -> Plain:
    """What strategies say, of themselves and when they are told something."""
    front = import_module(fluid.__name__ + ".incubate.fleet.parameter_server.distribute_transpiler")
    parts = ("program_config", "trainer_runtime_config", "server_runtime_config", "execute_strategy", "build_strategy")
    config = ("sync_mode", "runtime_split_send_recv", "half_async", "completely_not_async", "geo_sgd_mode", "geo_sgd_need_push_nums")
    told: Dict[str, Any] = {
        "program_config": [{"min_block_size": 10000}, {"sync_mode": False}, {"sync_mode": True}, {"half_async": False}],
        "trainer_runtime_config": [{"communicator_send_queue_size": 9}, {"rpc_deadline": 5}],
        "server_runtime_config": [{"_rpc_send_thread_num": 3}],
        "execute_strategy": [{"num_threads": 3}, {"use_thread_barrier": False}],
        "build_strategy": [{"async_mode": False}, {"memory_optimize": True}],
    }

    def state(made: Any) -> Plain:
        said = {name: getattr(made.get_program_config(), name) for name in config}
        runs = made.get_execute_strategy()
        runtime = made.get_trainer_runtime_config()
        said.update(mode=runtime.mode, flags=runtime.get_communicator_flags(), least=made.get_program_config().min_block_size)
        said.update(threads=runs.num_threads, waits=runs.use_thread_barrier, beside=made.get_build_strategy().async_mode)
        return dict(said, rpc=made.get_server_runtime_config()._rpc_send_thread_num)

    def change(name: str, part: str, value: Any) -> Any:
        made = getattr(front.StrategyFactory, "create_%s_strategy" % name)()
        getattr(made, "set_" + part)(value)
        return state(made)

    found: Plain = {}
    for name in STRATEGIES:
        found[name] = state(getattr(front.StrategyFactory, "create_%s_strategy" % name)())
        for part in parts:
            for value in [*told[part], {"nothing": 1}, 3, None]:
                found["%s %s %s" % (name, part, value)] = answer(change, name, part, value)
    found["geo 20"] = front.StrategyFactory.create_geo_strategy(20).get_program_config().geo_sgd_need_push_nums
    for part in parts:
        found["base %s" % part] = answer(getattr(front.DistributedStrategy(), "check_" + part))
        found["base set %s" % part] = answer(getattr(front.DistributedStrategy(), "set_" + part), {})
    for mode in (None, 0, 1, 2, 3, 4):
        runtime = front.TrainerRuntimeConfig()
        runtime.mode = mode
        found["flags of %s" % mode] = answer(runtime.get_communicator_flags)
        found["text of %s" % mode] = answer(repr, runtime)
    for given in (None, 3, {}, {"dump_slot": 3, "foo": 1}, {"dump_param": ["w"], "dump_fields": ["x"], "dump_file_num": 4}):
        made = front.SyncStrategy()
        made.set_debug_opt(given)
        found["debug %s" % (given,)] = made.get_debug_opt()
    return found
