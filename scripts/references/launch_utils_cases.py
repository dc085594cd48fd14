"""Questions about paddle.distributed.utils.launch_utils, for a wheel and for us; what asks them names the modules."""

from __future__ import annotations

import argparse
import os
from typing import Any, Callable

HOSTS = ["127.0.0.1", "10.0.0.2"]
ENDPOINTS = [["127.0.0.1:1", "127.0.0.1:2"], ["10.0.0.2:1", "10.0.0.2:2"]]
CLOUD = {
    "PADDLE_TRAINERS": "10.0.0.1,10.0.0.2", "POD_IP": "10.0.0.2", "PADDLE_TRAINER_ID": "1", "PADDLE_TRAINERS_NUM": "2",
    "PADDLE_PORT": "6170", "TRAINER_PORTS_NUM": "2",
}  # fmt: skip
EACH = "10.0.0.1:1,10.0.0.1:2,10.0.0.2:1,10.0.0.2:2"


def plain(value: Any) -> Any:
    """Values as JSON has them; what is none of its kinds is shown as text."""
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return value if value is None or isinstance(value, (bool, int, str, dict)) else str(value)


def asked(question: Callable[[], Any], variables: dict[str, str]) -> Any:
    """The answer in an environment with these variables, or the kind of what it raises."""
    before = dict(os.environ)
    for name in (*CLOUD, "CUDA_VISIBLE_DEVICES", "DISTRIBUTED_TRAINER_ENDPOINTS"):
        os.environ.pop(name, None)
    os.environ.update(variables)
    try:
        return plain(question())
    except (AssertionError, ValueError, TypeError) as error:
        kinds = (AssertionError, ValueError, TypeError)
        return {"raises": next(kind.__name__ for kind in kinds if isinstance(error, kind))}
    finally:
        os.environ.clear()
        os.environ.update(before)


def with_names(cluster: Any) -> Any:
    """A cluster whose machines have names and ports."""
    for number, pod in enumerate(cluster.pods):
        pod.id, pod.port, pod.gpus = "pod%d" % number, 6000 + number, [number, 7]
    return cluster


def answers(lu: Any, cu: Any) -> dict[str, Any]:
    """Every question's answer."""

    def made(own: str = "10.0.0.2", gpus: Any = (0, 3)) -> Any:
        return lu.get_cluster(HOSTS, own, ENDPOINTS, list(gpus))

    def options(**given: Any) -> Any:
        here = {"cluster_node_ips": "127.0.0.1", "node_ip": "127.0.0.1"}
        return argparse.Namespace(**{**here, "started_port": 6200, "use_paddlecloud": False, **given})

    def parsed(*words: str) -> dict[str, Any]:
        parser = argparse.ArgumentParser(prog="train")
        lu.add_arguments("use_gpu", bool, True, "Whether.", parser)
        lu.add_arguments("epochs", int, 3, "How many.", parser)
        return dict(vars(parser.parse_args(words)), text=parser.format_help().split("--epochs EPOCHS ")[-1].split())

    def equals() -> list[bool]:
        (one, pod), (two, other) = made(), made("127.0.0.1")
        return [one == two, one != two, pod == other, pod == two.pods[1], pod.trainers[0] == other.trainers[0]]

    def hdfs() -> list[Any]:
        full = lu.Hdfs()
        full.hdfs_ugi, full.hdfs_name, full.hdfs_path = "a", "b", "c"
        return [str(lu.Hdfs()), lu.Hdfs().is_valid(), str(full), full.is_valid()]

    def updated() -> list[Any]:
        cluster = lu.Cluster(None)
        cluster.update_pods(made()[0])
        return [cluster.trainers_nranks(), cluster.pods_nranks(), cluster.trainers_endpoints()]

    questions: dict[str, Any] = {
        "shown": made,
        "several gpus": lambda: made(gpus=([0, 1], [2, 3])),
        "fewer gpus": lambda: made(gpus=(1,)),
        "counts": lambda: [made()[0].trainers_nranks(), made()[0].pods_nranks(), made()[1].rank, made()[1].trainers[0].get_rank()],
        "pods": lambda: with_names(made()[0]).pods_endpoints(),
        "pod by id": lambda: [with_names(made()[0]).get_pod_by_id(name) for name in ("pod1", "pod9")],
        "visible": lambda: [pod.get_visible_gpus() for pod in with_names(made()[0]).pods],
        "visible none": lambda: made()[1].get_visible_gpus(),
        "pods without ports": lambda: made()[0].pods_endpoints(),
        "no gpus": lambda: lu.get_cluster(["a"], "a", [["a:1"]], None),
        "unknown host": lambda: made("1.2.3.4"),
        "few endpoints": lambda: lu.get_cluster(["a"], "a", [["a:1"]], [0, 1]),
        "endpoints in a text": lambda: lu.get_cluster(["a"], "a", "a:1", [0]),
        "equals": equals,
        "updated": updated,
        "hdfs": hdfs,
        "attributes": lambda: [vars(kind()) for kind in (lu.Trainer, lu.Pod, lu.JobServer, lu.Hdfs, lu.TrainerProc)],
        "told": lambda: lu._prepare_trainer_env(made()[0], made()[1].trainers[1], "gloo"),
        "told nccl": lambda: lu._prepare_trainer_env(made()[0], made()[1].trainers[1], "nccl"),
        "parsed": parsed,
        "parsed false": lambda: parsed("--use_gpu", "false", "--epochs", "5"),
        "from options": lambda: lu.get_cluster_from_args(options(), [0, 1]),
        "from options of machines": lambda: lu.get_cluster_from_args(options(cluster_node_ips="127.0.0.1,b", node_ip="b"), [4]),
        "options and devices": lambda: cu.get_cluster_and_pod(options(selected_devices="0,1", selected_gpus="0,1")),
        "chosen": lambda: lu.get_gpus("0,2"),
    }
    found = {name: asked(question, {}) for name, question in questions.items()}
    for name, gpus in (("chosen of visible", "4,6"), ("hidden", "1")):
        found[name] = asked(lambda gpus=gpus: lu.get_gpus(gpus), {"CUDA_VISIBLE_DEVICES": "4,5,6"})
    changes: dict[str, dict[str, str]] = {
        "cloud": {}, "cloud without port": {"PADDLE_PORT": ""}, "cloud of one": {"PADDLE_TRAINERS": "10.0.0.2", "PADDLE_TRAINER_ID": "0"},
        "cloud with endpoints": {"DISTRIBUTED_TRAINER_ENDPOINTS": EACH},
    }  # fmt: skip
    for name, changed in changes.items():
        found[name] = asked(lambda: cu.get_cloud_cluster("10.0.0.2", "10.0.0.2", 6071, [0, 1]), {**CLOUD, **changed})
    for absent in ("PADDLE_TRAINERS", "POD_IP", "PADDLE_TRAINER_ID"):
        variables = {name: value for name, value in CLOUD.items() if name != absent}
        found["cloud without " + absent] = asked(lambda: cu.get_cloud_cluster(None, None, 6071, [0, 1]), variables)
    return found
