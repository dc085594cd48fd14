"""Questions about the small tools of fleet, for a wheel and for us; `find` imports a module by its path below `paddle`."""

from __future__ import annotations

import argparse
import contextlib
import io
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
        "programs": of_programs(find),
    }
