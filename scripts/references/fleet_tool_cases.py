"""Questions about the small tools of fleet, for a wheel and for us; `find` imports a module by its path below `paddle`."""

from __future__ import annotations

import argparse
import contextlib
import io
import logging
import os
import re
from http.client import HTTPConnection
from typing import Any, Callable

import numpy as np

REQUESTS = [
    ("GET", "/a/k", None), ("PUT", "/a/k", b"v1"), ("GET", "/a/k", None), ("GET", "/a/none", None), ("PUT", "/short", b"x"),
    ("GET", "/short", None), ("PUT", "/a/k2", b""), ("PUT", "/a/k", b"v3"), ("GET", "/a/k", None), ("DELETE", "/a/k", None),
    ("GET", "/a/k", None), ("DELETE", "/a/k", None), ("DELETE", "/short", None), ("DELETE", "/b/c", None), ("DELETE", "/zz/c", None),
    ("GET", "/", None), ("DELETE", "/a/k2", None),
]  # fmt: skip
ENTRIES = [
    ("ProbabilityEntry", 0.5), ("ProbabilityEntry", 0), ("ProbabilityEntry", 1.5), ("ProbabilityEntry", 1.0), ("ProbabilityEntry", "a"),
    ("CountFilterEntry", 5), ("CountFilterEntry", 0), ("CountFilterEntry", -1), ("CountFilterEntry", 0.5), ("CountFilterEntry", True),
    ("ShowClickEntry", "a", "b"), ("ShowClickEntry", 1, "b"), ("ShowClickEntry", "a", 2), ("EntryAttr",),
]  # fmt: skip

CLOUD = {
    "PADDLE_TRAINERS": "10.0.0.1,10.0.0.2", "POD_IP": "10.0.0.2", "PADDLE_TRAINER_ID": "1", "PADDLE_TRAINERS_NUM": "2",
    "PADDLE_PORT": "6170", "TRAINER_PORTS_NUM": "2",
}  # fmt: skip


def asked(question: Callable[[], Any]) -> Any:
    """An answer, or the kind of what it raises."""
    try:
        return question()
    except Exception as error:
        kinds = (NotImplementedError, AssertionError, KeyError, TypeError, ValueError, RuntimeError)
        return {"raises": next(kind.__name__ for kind in kinds if isinstance(error, kind))}


def of_entries(find: Callable[[str], Any]) -> Any:
    """What the words of sparse tables are."""
    module = find("distributed.entry_attr")
    return [asked(lambda entry=entry: getattr(module, entry[0])(*entry[1:])._to_attr()) for entry in ENTRIES]


def of_timers(find: Callable[[str], Any]) -> Any:
    """Stopwatches that run, stand, are asked and printed; times are not compared."""
    module = find("distributed.fleet.utils.timer_helper")
    found: list[Any] = [module.is_timer_initialized(), asked(module.get_timers), asked(module.set_timers), asked(module.set_timers)]
    timers = module.get_timers()
    one = timers("one")
    found += [module.is_timer_initialized(), timers("one") is one, sorted(vars(one)), sorted(timers.timers)]
    found += [asked(one.stop), asked(one.start), asked(one.start), one.elapsed() > 0, one.started_, asked(one.stop)]
    found += [one.elapsed(False) > 0, one.elapsed() > 0, one.elapsed(), asked(one.reset)]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        timers.log(["one"])
        timers("two")
        timers.log(["one", "two"], 2.0, False)
    return [*found, asked(lambda: timers.log(["one"], 0)), asked(lambda: timers.log(["none"])), printed.getvalue()]


def of_server(find: Callable[[str], Any]) -> Any:
    """What a server of values answers, and what it holds then."""
    module = find("distributed.fleet.utils.http_server")
    port = next(iter(find("distributed.utils.launch_utils").find_free_ports(1)))
    server, found = module.KVServer(port, size={"a": 2, "b": 1}), []
    server.start()
    try:
        for method, path, value in REQUESTS:
            client = HTTPConnection("127.0.0.1", port, timeout=10)
            client.request(method, path, value)
            answer = client.getresponse()
            found.append([answer.status, answer.read().decode(), server.should_stop()])
            client.close()
        inside = server.http_server
        kept = {scope: {key: value.decode() for key, value in values.items()} for scope, values in inside.kv.items()}
        return [found, kept, {scope: sorted(keys) for scope, keys in inside.delete_kv.items()}, inside.get_deleted_size("q")]
    finally:
        server.stop()


def of_gloo(find: Callable[[str], Any], folder: str) -> Any:
    """A process that meets nobody but itself."""
    module = find("distributed.fleet.base.role_maker")
    gloo = module.Gloo()
    kinds = {name: value for name, value in vars(gloo.RENDEZVOUS).items() if name.isupper()}
    found: list[Any] = [kinds, gloo.barrier("worker"), gloo.all_reduce([1], "sum", "worker"), gloo.all_gather(3, "worker")]

    def start(kind: int, path: Any) -> Any:
        return gloo.init(kind, module.Role.WORKER, 0, 1, 0, kwargs=path)

    found += [asked(lambda: start(7, {})), asked(lambda: start(2, {})), asked(lambda: start(2, {"dfs.path": ""}))]
    found.append(start(2, {"dfs.path": folder}))
    for world in ("worker", "zz"):
        found += [asked(lambda world=world: gloo.barrier(world)), asked(lambda world=world: gloo.all_gather(3, world))]
        found.append(asked(lambda world=world: gloo.all_reduce([1, 2], "sum", world).tolist()))
    for value, mode in ((np.ones((2, 2)), "sum"), (5, "max"), (5, "zz"), ([[1.5]], "min")):
        found.append(asked(lambda value=value, mode=mode: np.asarray(gloo.all_reduce(value, mode, "worker")).tolist()))
    return [*found, gloo.all_gather(1.5, "worker")]


def of_programs(find: Callable[[str], Any]) -> Any:
    """Which part of a training Program its operators belong to."""
    paddle, common = find(""), find("distributed.fleet.meta_optimizers.common")
    paddle.enable_static()  # from here on
    main, start = paddle.static.Program(), paddle.static.Program()
    with paddle.static.program_guard(main, start):
        loss = paddle.static.nn.fc(paddle.static.data("x", [None, 3]), 2).mean()
        paddle.optimizer.Adam(0.1, grad_clip=paddle.nn.ClipGradByGlobalNorm(1.0)).minimize(loss)
    questions = (common.is_update_op, common.is_loss_grad_op, common.is_backward_op, common.is_optimizer_op)
    rows = [[op.type, *(int(question(op)) for question in questions)] for op in main.global_block().ops]
    return [rows, common.OP_ROLE_KEY, common.OP_ROLE_VAR_KEY]


SAID = {
    "PADDLE_PSERVERS_IP_PORT_LIST": "127.0.0.1:6174,127.0.0.1:6175", "PADDLE_TRAINERS_NUM": "3", "TRAINING_ROLE": "TRAINER",
    "PADDLE_TRAINER_ID": "1", "PADDLE_TRAINER_ENDPOINTS": "127.0.0.1:6170,127.0.0.1:6171,127.0.0.1:6172", "POD_IP": "127.0.0.1",
    "PADDLE_PORT": "6171",
}  # fmt: skip
OF_ROLES = ("get_role_id", "get_ps_endpoint", "get_ps_endpoints", "get_trainers", "get_trainer_endpoint", "get_trainer_endpoints")


class Former:
    """A role maker of 1.8, whose methods have no underscore in front."""

    def role_id(self) -> int:
        return 1

    def get_pserver_endpoints(self) -> list[str]:
        return ["a:1", "b:2"]

    def worker_num(self) -> int:
        return 7


def of_roles(find: Callable[[str], Any]) -> list[Any]:
    """Who a process is and what the environment says of its job."""
    roles, public = find("distributed.fleet.base.role_maker"), find("distributed.ps.utils.public")
    before, found = dict(os.environ), []
    try:
        for said in ({}, {"TRAINING_ROLE": "PSERVER"}, {"PADDLE_TRAINER_ENDPOINTS": "a:1,b:2"}, SAID):
            for name in SAID:
                os.environ.pop(name, None)
            os.environ.update(said)
            found.append([public.is_distributed_env(), public.get_dist_env()])
        cloud = roles.PaddleCloudRoleMaker(is_collective=False)
    finally:
        os.environ.update(SAID)
        cloud._generate_role()
        os.environ.clear()
        os.environ.update(before)
    given = {"current_id": 1, "role": roles.Role.SERVER, "worker_num": 2, "server_endpoints": ["a:1", "b:2"]}
    user = roles.UserDefinedRoleMaker(is_collective=False, **given)
    user._generate_role()
    for role in (cloud, user):
        found.append({name: asked(lambda name=name, role=role: getattr(public, name)(role)) for name in OF_ROLES})
    return [*found, [getattr(public, name)(Former()) for name in OF_ROLES[:4]]]


def of_tables(find: Callable[[str], Any]) -> list[Any]:
    """What of a training Program is for servers: its look-ups, updates, schedules, parameters; and how large variables are."""
    paddle, public = find(""), find("distributed.ps.utils.public")
    paddle.enable_static()  # from here on
    main = paddle.static.Program()
    with paddle.static.program_guard(main, paddle.static.Program()):
        ids = paddle.static.data("ids", [None, 1], "int64")
        far = paddle.static.nn.sparse_embedding(ids, [100, 2], param_attr="far")
        rows = paddle.static.nn.embedding(ids, [100, 2], is_sparse=True, param_attr="rows")
        whole = paddle.static.nn.embedding(ids, [100, 2], param_attr="whole")
        loss = paddle.mean(paddle.static.nn.fc(far + paddle.sum(rows + whole, axis=1), 1, weight_attr="w", bias_attr="b"))
        paddle.optimizer.Adam(0.1).minimize(loss)
    ops, block = main.global_block().ops, main.global_block()
    found: list[Any] = [[op.type, public.is_sparse_op(op), public.is_distributed_sparse_op(op)] for op in ops]
    found.append([public.get_sparse_tablename(op) for op in ops if op.type.startswith("lookup") and not op.type.endswith("grad")])
    found += [sorted(public.get_sparse_tablenames([main, main], kind)) for kind in (True, False)]
    for tables in ([], ["far"], ["far", "w"]):
        found.append(sorted(op.input("Param")[0] for op in public.get_optimize_ops(main, tables)))
    found.append([op.type for op in public.get_lr_ops(main)])
    found.append([sorted([one.name, other.name] for one, other in pairs) for pairs in public.get_param_grads(main)])
    found.append({name: public.get_var_mem_size(block.var(name)) for name in ("far", "rows", "w", "b", "ids")})
    kinds = ("float16", "float32", "float64", "int64", "int32", "uint8", "bool", "int16")
    return [*found, {kind: public.get_var_mem_size(block.create_var(name=kind, shape=[3, 5], dtype=kind)) for kind in kinds}]


def of_runtimes(find: Callable[[str], Any]) -> list[Any]:
    """What the runtimes of a fleet do, and what those without servers warn of."""
    where, warned = "distributed.fleet.runtime.", []
    former, logging.warning = logging.warning, lambda text, *rest: warned.append(str(text))  # what the root logger is told
    found: list[Any] = []
    try:
        for path, name in (("runtime_base", "RuntimeBase"), ("collective_runtime", "CollectiveRuntime")):
            runtime = getattr(find(where + path), name)()
            found.append([name, vars(runtime), runtime._set_basic_info({"a": 1}), dict(vars(runtime)), hasattr(runtime, "_init_worker")])
            calls = ("_run_worker", "_init_server", "_run_server", "_stop_worker", "_save_inference_model", "_save_persistables")
            found.append([getattr(runtime, call)() for call in calls])
        runtime._init_worker()
    finally:
        logging.warning = former
    return [*found, warned, issubclass(find(where + "the_one_ps").TheOnePSRuntime, find(where + "runtime_base").RuntimeBase)]


def of_launchers(find: Callable[[str], Any]) -> dict[str, Any]:
    """Jobs as launchers of fleet describe them."""
    lu, cloud = find("distributed.fleet.launch_utils"), find("distributed.fleet.cloud_utils")
    hosts, ends = ["127.0.0.1", "10.0.0.2"], [["127.0.0.1:1", "127.0.0.1:2"], ["10.0.0.2:1", "10.0.0.2:2"]]
    modes = {kind: {n: v for n, v in vars(getattr(lu, kind)).items() if n.isupper()} for kind in ("DeviceMode", "DistributeMode")}
    found: dict[str, Any] = {"modes": modes}
    for name, own, mode, devices in (
        ("cpu", "10.0.0.2", 0, [0, 1]), ("gpu", "127.0.0.1", 1, [0, 1]), ("several", "10.0.0.2", 1, [[0], [1, 2]]),
        ("too many", "10.0.0.2", 1, [0, 1, 2]), ("nobody", "10.0.0.3", 0, [0, 1]),
    ):  # fmt: skip

        def described(own: str = own, mode: int = mode, devices: Any = devices) -> Any:
            cluster, pod = lu.get_cluster(hosts, own, ends, mode, devices)
            trainers = [dict(vars(each)) for each in pod.trainers]
            rest = {key: value for key, value in vars(pod).items() if key != "trainers"}
            ids = [cluster.trainers_nranks(), cluster.pods_nranks(), cluster.trainers_endpoints(), cluster.world_device_ids()]
            return [trainers, rest, ids, re.sub(r"\s+", " ", str(cluster)), str(pod.trainers[0])]

        found[name] = asked(described)
    args = {"backend": "gloo", "nproc_per_node": 3}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        found["mode"] = [asked(lambda: lu.get_device_mode("gloo")), asked(lambda: lu.get_device_mode("auto"))]
        found["devices"] = list(lu.get_device_proc_info(argparse.Namespace(**args)))
        found["device"] = list(lu.get_device_proc_info(argparse.Namespace(backend="gloo", nproc_per_node=None)))
    found["printed"] = printed.getvalue()
    found["ends"] = [lu.get_custom_endpoints("10.0.0.1:6170,10.0.0.2:6171", 2), asked(lambda: lu.get_custom_endpoints(None))]
    found["backends"] = {each: asked(lambda each=each: lu.check_backend(each)) for each in ("auto", "gloo", "bkcl", "heter", "zz")}
    found["words"] = [lu.get_gpus("0,1"), lu.get_xpus("0, 1"), len(lu.get_ports(3, 0))]
    found["fields"] = [sorted(vars(kind())) for kind in (lu.Pod, lu.Trainer, lu.TrainerProc, lu.JobServer)]
    before = dict(os.environ)
    try:
        os.environ.update(FLAGS_START_PORT="7000")
        found["ports"] = list(lu.get_ports(3, 2))
        found["cloud"] = [cloud.use_paddlecloud(), cloud.get_trainers_num()]
        os.environ.update(CLOUD)
        found["in cloud"] = [cloud.use_paddlecloud(), cloud.get_trainers_num()]
        for devices, mode in (([0, 1], 0), ([0], 1)):
            cluster, pod = cloud.get_cloud_cluster("10.0.0.1,10.0.0.2", mode, devices, 6180)
            found["cluster %d" % mode] = [cluster.trainers_endpoints(), pod.rank, cluster.world_device_ids()]
        del os.environ["POD_IP"]
        found["no address"] = asked(lambda: cloud.get_cloud_cluster("10.0.0.1", 0, [0, 1]))
    finally:
        os.environ.clear()
        os.environ.update(before)
    return found


def of_elastic(find: Callable[[str], Any]) -> list[Any]:
    """Which jobs are elastic, and the words of those."""
    package, manager = find("distributed.fleet.elastic"), find("distributed.fleet.elastic.manager")
    full = {"elastic_server": "127.0.0.1:2379", "job_id": "job", "np": "2"}
    given = [full, {}, *({**full, name: None} for name in full)]
    found = [bool(package.enable_elastic(argparse.Namespace(**{**dict.fromkeys(full), **each}), 0)) for each in given]
    found += [bool(package.enable_elastic(argparse.Namespace(**full), mode)) for mode in (1, 2)]
    words = [{n: v for n, v in vars(getattr(manager, kind)).items() if n.isupper()} for kind in ("ElasticLevel", "ElasticStatus")]
    numbers = [manager.ELASTIC_EXIT_CODE, manager.ELASTIC_AUTO_PARALLEL_EXIT_CODE, manager.ELASTIC_TIMEOUT, manager.ELASTIC_TTL]
    return [found, words, numbers, package.ELASTIC_EXIT_CODE]


def answers(find: Callable[[str], Any], folder: str) -> dict[str, Any]:
    """Every question's answer; `folder` is a new one."""
    find("").disable_static()
    text = find("distributed.fleet.utils.log_util").layer_to_str
    nccl = find("distributed.utils.nccl_utils").get_nccl_version_str
    objects = find("distributed.communication.serialization_utils")
    mode = find("distributed.fleet.base.topology").ParallelMode
    util = find("distributed.fleet.base.util_factory").UtilFactory()

    def there_and_back(value: Any) -> Any:
        data, size = objects.convert_object_to_tensor(value)
        return [str(data.dtype).split(".")[-1], list(data.shape) == [int(size)], objects.convert_tensor_to_object(data, size)]

    made = util._create_util({"valid_strategy": 1, "role_maker": 2})
    return {
        "entries": of_entries(find),
        "timers": re.sub(r"\d\.\d\d\b", "0.00", repr(of_timers(find))),
        "server": of_server(find),
        "gloo": of_gloo(find, folder),
        "texts": [text("A", 1, "b", c=2, d="e"), text("A"), text("A", c=[1])],
        "nccl": [nccl(version) for version in (2804, 21003, 2000, 22105)],
        "objects": [there_and_back(value) for value in ({"a": 1}, [1, "b", None], "text")],
        "modes": {name: value for name, value in vars(mode).items() if name.isupper()},
        "util": [made.role_maker, made.dist_strategy, vars(util._create_util())],
        "launchers": of_launchers(find),
        "elastic": of_elastic(find),
        "roles": of_roles(find),
        "runtimes": of_runtimes(find),
        "programs": of_programs(find),
        "tables": of_tables(find),
    }
