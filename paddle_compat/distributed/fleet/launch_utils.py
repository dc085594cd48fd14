"""`paddle.distributed.fleet.launch_utils`: a job's machines and processes, for scripts that start the processes themselves."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.core.errors import InvalidArgumentError, failed_assertion
from paddle_compat.distributed.launch._addresses import free_ports
from paddle_compat.distributed.utils import launch_utils as _of_one_kind
from paddle_compat.distributed.utils._machines import Machine, Process
from paddle_compat.distributed.utils.launch_utils import (
    JobServer,
    TrainerProc,
    add_arguments,
    find_free_ports,
    get_gpus,
    get_host_name_ip,
    logger,
    pull_worker_log,
    terminate_local_procs,
    watch_local_trainers,
)  # fmt: skip
from paddle_compat.distributed.utils.log_utils import get_logger

_BACKENDS = ("nccl", "gloo", "bkcl", "auto", "heter", "xccl")


class DistributeMode:
    """What kind of a job it is.

    Example:
        >>> from paddle_compat.distributed.fleet.launch_utils import DistributeMode
        >>> DistributeMode.COLLECTIVE, DistributeMode.PS, DistributeMode.PS_HETER
        (0, 1, 2)

    Follows Paddle 2.6.
    """

    COLLECTIVE = 0
    PS = 1
    PS_HETER = 2


class DeviceMode:
    """What the processes compute on.

    Example:
        >>> from paddle_compat.distributed.fleet.launch_utils import DeviceMode
        >>> DeviceMode.CPU, DeviceMode.GPU, DeviceMode.UNKNOWN
        (0, 1, 3)

    Follows Paddle 2.6.
    """

    CPU = 0
    GPU = 1
    KUNLUN = XPU = 2
    UNKNOWN = 3


class Trainer(Process):
    """One process: its `accelerators`, its `endpoint`, its `rank` and its `stage`.

    Example:
        >>> from paddle_compat.distributed.fleet.launch_utils import DeviceMode, get_cluster
        >>> cluster, pod = get_cluster(["127.0.0.1"], "127.0.0.1", [["127.0.0.1:6170"]], DeviceMode.GPU, [3])
        >>> print(pod.trainers[0]), pod.trainers[0].get_rank(), pod.trainers[0].gpus
        accelerator:[3] endpoint:127.0.0.1:6170 rank:0
        (None, 0, [3])

    Follows Paddle 2.6.
    """

    def __init__(self) -> None:
        super().__init__()
        self.accelerators: list[Any] = []
        self.stage: int | None = None

    @property
    def gpus(self) -> list[Any]:
        """The accelerators, by the name that `utils.launch_utils` has for them."""
        return self.accelerators

    def __str__(self) -> str:
        return f"accelerator:{self.accelerators} endpoint:{self.endpoint} rank:{self.rank}"


class Pod(Machine):
    """One machine: its `rank`, `addr`, `port`, and its `trainers`, `servers`, `workers`, `coordinators` and `heter_workers`.

    Example:
        >>> from paddle_compat.distributed.fleet.launch_utils import Pod
        >>> pod = Pod()
        >>> pod.accelerators = [0, 2]
        >>> pod.get_visible_accelerators()
        '0,2'

    Follows Paddle 2.6.
    """

    def __init__(self) -> None:
        super().__init__()
        self.servers: list[Trainer] = []
        self.workers: list[Trainer] = []
        self.coordinators: list[Trainer] = []
        self.heter_workers: list[Trainer] = []
        self.accelerators: list[Any] = []
        self.device_mode: int | None = None

    def get_visible_accelerators(self) -> str:
        """The numbers of its accelerators, separated by commas.

        Returns:
            str.
        Raises:
            AssertionError: it has none.
        """
        return self._listed("accelerators")

    def __str__(self) -> str:
        kinds = ("trainers", "servers", "workers", "heter_workers", "coordinators")
        shown = " ".join(f"{kind}:{[str(each) for each in getattr(self, kind)]}" for kind in kinds)
        return f"rank:{self.rank} id:{self.id} addr:{self.addr} port:{self.port} visible_accelerator:{self.accelerators} {shown}"


class Cluster(_of_one_kind.Cluster):
    """All machines of a job: its `pods`.

    Args:
        hdfs (Hdfs): where its files lie, or None.

    Example:
        >>> from paddle_compat.distributed.fleet.launch_utils import Cluster, DeviceMode, get_cluster
        >>> endpoints = [["10.0.0.1:6170", "10.0.0.1:6171"], ["10.0.0.2:6170", "10.0.0.2:6171"]]
        >>> cluster, pod = get_cluster(["10.0.0.1", "10.0.0.2"], "10.0.0.2", endpoints, DeviceMode.GPU, [0, 1])
        >>> cluster.trainers_nranks(), cluster.pods_nranks(), pod.rank, cluster.world_device_ids()
        (4, 2, 1, [['0'], ['1'], ['0'], ['1']])

    Follows Paddle 2.6.
    """

    def world_device_ids(self) -> list[list[str]]:
        """The accelerators of all processes, by rank.

        Returns:
            list.
        """
        return [[str(each) for each in trainer.gpus] for pod in self.pods for trainer in pod.trainers]


def get_cluster(
    node_ips: Sequence[str], node_ip: str, trainer_endpoints: list[list[str]], device_mode: int, devices_per_proc: Sequence[Any]
) -> tuple[Cluster, Pod]:
    """A job of some processes on each machine.

    Args:
        node_ips (list): the machines' addresses.
        node_ip (str): this machine's.
        trainer_endpoints (list): the processes' endpoints, a list for each machine.
        device_mode (int): a `DeviceMode`.
        devices_per_proc (list): what each process of a machine has: a number of a GPU, or several.
    Returns:
        tuple: the Cluster, and the Pod that is this machine.
    Raises:
        AssertionError: `trainer_endpoints` is no list, or a machine has fewer endpoints than processes.
        ValueError: this machine is none of the job's.

    Example:
        >>> from paddle_compat.distributed.fleet.launch_utils import DeviceMode, get_cluster
        >>> cluster, pod = get_cluster(["127.0.0.1"], "127.0.0.1", [["127.0.0.1:6170", "127.0.0.1:6171"]], DeviceMode.CPU, [0, 1])
        >>> [trainer.endpoint for trainer in pod.trainers]
        ['127.0.0.1:6170', '127.0.0.1:6171']

    Follows Paddle 2.6.
    """
    plain, _ = _of_one_kind.get_cluster(node_ips, node_ip, trainer_endpoints, devices_per_proc)
    cluster = Cluster(hdfs=None)
    pods = []
    for each in plain.pods:
        pod = Pod()
        pod.rank, pod.addr, pod.device_mode = each.rank, each.addr, device_mode
        for process, devices in zip(each.trainers, devices_per_proc):
            trainer = Trainer()
            trainer.endpoint, trainer.rank = process.endpoint, process.rank
            if device_mode != DeviceMode.CPU:
                trainer.accelerators = list(devices) if isinstance(devices, (list, tuple)) else [devices]
            pod.accelerators += trainer.accelerators
            pod.trainers.append(trainer)
        pods.append(pod)
    cluster.pods = list(pods)  # type: ignore[arg-type]
    return cluster, pods[list(node_ips).index(node_ip)]


def start_local_trainers(
    cluster: Cluster,
    pod: Pod,
    training_script: str,
    training_script_args: Sequence[str],
    log_dir: str | None = None,
    envs: Mapping[str, str] | None = None,
) -> list[TrainerProc]:
    """Start this machine's processes.

    Args:
        cluster (Cluster): the job.
        pod (Pod): this machine.
        training_script (str): what they run.
        training_script_args (list): its arguments.
        log_dir (str): a folder for a file `workerlog.N` of each; None: they write where this process does.
        envs (dict): the variables that the processes begin with; None: this process's.
    Returns:
        list: of TrainerProc; whoever calls watches and ends them.

    Example:
        >>> import os, tempfile, time
        >>> from paddle_compat.distributed.fleet.launch_utils import DeviceMode, get_cluster, start_local_trainers, watch_local_trainers
        >>> folder = tempfile.mkdtemp()
        >>> script = os.path.join(folder, "show.py")
        >>> with open(script, "w") as file:
        ...     _ = file.write("import os; print('rank', os.environ['PADDLE_TRAINER_ID'], os.environ['MINE'])")
        >>> cluster, pod = get_cluster(["127.0.0.1"], "127.0.0.1", [["127.0.0.1:6170"]], DeviceMode.CPU, [0])
        >>> procs = start_local_trainers(cluster, pod, script, [], log_dir=folder, envs={**os.environ, "MINE": "1"})
        >>> while watch_local_trainers(procs, cluster.trainers_nranks()):
        ...     time.sleep(0.1)
        rank 0 1

    Follows Paddle 2.6.
    """
    return _of_one_kind.started(cluster, pod.trainers, training_script, training_script_args, log_dir, envs)


def get_xpus(xpus: str | None) -> list[Any]:
    """The accelerators of Kunlun that were chosen.

    Args:
        xpus (str): numbers separated by commas.
    Returns:
        list: strings.

    Example:
        >>> from paddle_compat.distributed.fleet.launch_utils import get_xpus
        >>> get_xpus("0,1")
        ['0', '1']

    Follows Paddle 2.6.
    """
    return [] if xpus is None else [word.strip() for word in xpus.split(",")]


def get_device_mode(backend: str) -> int:
    """What the processes compute on, as they meet.

    Args:
        backend (str): "nccl" or "gloo".
    Returns:
        int: a `DeviceMode`.
    Raises:
        RuntimeError: another one, or "nccl" without a GPU.

    Example:
        >>> from paddle_compat.distributed.fleet.launch_utils import DeviceMode, get_device_mode
        >>> get_device_mode("gloo") == DeviceMode.CPU
        launch train in CPU mode
        True

    Follows Paddle 2.6.
    """
    if backend == "gloo":
        print("launch train in CPU mode")
        return DeviceMode.CPU
    if backend in ("nccl", "heter") and torch.cuda.device_count() > 0:
        print("launch train in GPU mode!")
        return DeviceMode.GPU
    raise RuntimeError(f"Don't supported devices. Expected backend gloo, or nccl and a GPU. Received: {backend!r}")


def get_device_proc_info(args: Namespace) -> tuple[int, list[Any]]:
    """What the processes of this machine compute on, and what each of them has.

    Args:
        args (Namespace): `backend`, `nproc_per_node`, and `gpus`.
    Returns:
        tuple: a `DeviceMode`, and a list with a number or numbers for each process.
    Raises:
        AssertionError: the GPUs cannot be divided by `nproc_per_node`.

    Example:
        >>> import argparse
        >>> from paddle_compat.distributed.fleet.launch_utils import get_device_proc_info
        >>> get_device_proc_info(argparse.Namespace(backend="gloo", nproc_per_node=3))
        launch train in CPU mode
        (0, [0, 1, 2])

    Follows Paddle 2.6.
    """
    mode = get_device_mode(args.backend)
    count = getattr(args, "nproc_per_node", None)
    if mode == DeviceMode.CPU:
        return mode, list(range(1 if count is None else int(count)))
    gpus = get_gpus(args.gpus)
    if count is None:
        return mode, gpus
    each = int(len(gpus) / int(count))
    if each * int(count) != len(gpus):
        raise failed_assertion("nproc_per_node", f"a divisor of the {len(gpus)} GPUs", count, "get_device_proc_info")
    return mode, [gpus[i : i + each] for i in range(0, len(gpus), each)]


def get_ports(num: int, offset: int) -> Any:
    """Ports for processes: free ones, or those from FLAGS_START_PORT on.

    Args:
        num (int): how many.
        offset (int): how many behind FLAGS_START_PORT are left out.
    Returns:
        set|range.

    Example:
        >>> from paddle_compat.distributed.fleet.launch_utils import get_ports
        >>> len(get_ports(2, 0))
        2

    Follows Paddle 2.6.
    """
    first = os.environ.get("FLAGS_START_PORT")
    return set(free_ports(num)) if first is None else range(int(first) + offset, int(first) + offset + num)


def get_custom_endpoints(origin_endpoints: str, offset: int = 0) -> str:
    """Endpoints with other ports.

    Args:
        origin_endpoints (str): endpoints separated by commas.
        offset (int): what is added to the ports.
    Returns:
        str.
    Raises:
        AssertionError: there are none.

    Example:
        >>> from paddle_compat.distributed.fleet.launch_utils import get_custom_endpoints
        >>> get_custom_endpoints("10.0.0.1:6170,10.0.0.2:6171", 2)
        '10.0.0.1:6172,10.0.0.2:6173'

    Follows Paddle 2.6.
    """
    if origin_endpoints is None:
        raise failed_assertion("origin_endpoints", "endpoints separated by commas", None, "get_custom_endpoints")
    split = (endpoint.rsplit(":", 1) for endpoint in origin_endpoints.split(","))
    return ",".join(f"{host}:{int(port) + offset}" for host, port in split)


def check_backend(backend: str) -> None:
    """Whether processes can meet by something.

    Args:
        backend (str): "nccl", "gloo", "bkcl", "auto", "heter" or "xccl".
    Raises:
        ValueError: another one, or one that is not here.

    Example:
        >>> from paddle_compat.distributed.fleet.launch_utils import check_backend
        >>> check_backend("gloo")

    Follows Paddle 2.6.
    """
    if backend not in _BACKENDS:
        raise InvalidArgumentError(f"paddle.distributed: invalid argument `backend`. Expected one of {_BACKENDS}. Received: {backend!r}")
    if backend == "bkcl" or (backend == "nccl" and not torch.cuda.is_available()):
        raise InvalidArgumentError(f"paddle.distributed: backend {backend!r} needs devices that are not here. Expected gloo or auto.")


__all__ = [
    "Cluster", "DeviceMode", "DistributeMode", "JobServer", "Pod", "Trainer", "TrainerProc", "add_arguments", "check_backend",
    "find_free_ports", "get_cluster", "get_custom_endpoints", "get_device_mode", "get_device_proc_info", "get_gpus",
    "get_host_name_ip", "get_logger", "get_ports", "get_xpus", "pull_worker_log", "start_local_trainers", "terminate_local_procs",
    "watch_local_trainers",
]  # fmt: skip
__getattr__ = missing(__name__)
_ = logger  # which scripts look for here
