"""`paddle.distributed.utils.launch_utils`: a job's machines and processes, for scripts that start the processes themselves."""

from __future__ import annotations

import logging
import os
import socket
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping, Sequence
from typing import IO, Any

import torch

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
from paddle_compat.distributed.launch._addresses import free_ports
from paddle_compat.distributed.utils._machines import Machine, Plain, Process
from paddle_compat.distributed.utils.log_utils import get_logger

logger = logging.getLogger("root")
_SECONDS = 3.0  # that a process has to end after it was asked


class Hdfs(Plain):
    """Where a job's files lie on HDFS: `hdfs_ugi`, `hdfs_name` and `hdfs_path`.

    Example:
        >>> from paddle_compat.distributed.utils.launch_utils import Hdfs
        >>> Hdfs().is_valid()
        False

    Follows Paddle 2.6.
    """

    def __init__(self) -> None:
        self.hdfs_ugi: str | None = None
        self.hdfs_name: str | None = None
        self.hdfs_path: str | None = None

    def is_valid(self) -> bool:
        """Whether all three are said.

        Returns:
            bool.
        """
        return None not in (self.hdfs_ugi, self.hdfs_name, self.hdfs_path)

    def __str__(self) -> str:
        return f"hdfs_ugi:{self.hdfs_ugi} hdfs_name:{self.hdfs_name} hdfs_path{self.hdfs_path}"


class JobServer(Plain):
    """Who keeps account of a job: its `endpoint`.

    Example:
        >>> from paddle_compat.distributed.utils.launch_utils import JobServer
        >>> JobServer().endpoint is None
        True

    Follows Paddle 2.6.
    """

    def __init__(self) -> None:
        self.endpoint: str | None = None

    def __str__(self) -> str:
        return f"{self.endpoint}"


class Trainer(Process):
    """One process: its `gpus`, its `endpoint` and its `rank`.

    Example:
        >>> from paddle_compat.distributed.utils.launch_utils import get_cluster
        >>> cluster, pod = get_cluster(["127.0.0.1"], "127.0.0.1", [["127.0.0.1:6170"]], [0])
        >>> print(pod.trainers[0]), pod.trainers[0].get_rank()
        gpu:[0] endpoint:127.0.0.1:6170 rank:0
        (None, 0)

    Follows Paddle 2.6.
    """

    def __init__(self) -> None:
        super().__init__()
        self.gpus: list[Any] = []

    def __str__(self) -> str:
        return f"gpu:{self.gpus} endpoint:{self.endpoint} rank:{self.rank}"


class Pod(Machine):
    """One machine: its `rank`, `addr`, `port`, and its `trainers`.

    Example:
        >>> from paddle_compat.distributed.utils.launch_utils import Pod
        >>> pod = Pod()
        >>> pod.gpus = [0, 2]
        >>> pod.get_visible_gpus()
        '0,2'

    Follows Paddle 2.6.
    """

    def __init__(self) -> None:
        super().__init__()
        self.gpus: list[Any] = []

    def get_visible_gpus(self) -> str:
        """The numbers of its GPUs, separated by commas.

        Returns:
            str.
        Raises:
            AssertionError: it has none.
        """
        return self._listed("gpus")

    def __str__(self) -> str:
        trainers = [str(trainer) for trainer in self.trainers]
        return f"rank:{self.rank} id:{self.id} addr:{self.addr} port:{self.port} visible_gpu:{self.gpus} trainers:{trainers}"


class Cluster(Plain):
    """All machines of a job: its `pods`.

    Args:
        hdfs (Hdfs): where its files lie, or None.

    Example:
        >>> from paddle_compat.distributed.utils.launch_utils import Cluster, get_cluster
        >>> endpoints = [["10.0.0.1:6170", "10.0.0.1:6171"], ["10.0.0.2:6170", "10.0.0.2:6171"]]
        >>> cluster, pod = get_cluster(["10.0.0.1", "10.0.0.2"], "10.0.0.2", endpoints, [0, 1])
        >>> cluster.trainers_nranks(), cluster.pods_nranks(), pod.rank, cluster.trainers_endpoints()[2], cluster.get_pod_by_id("a")
        (4, 2, 1, '10.0.0.2:6170', None)
        >>> for number, each in enumerate(cluster.pods):
        ...     each.id, each.port = str(number), 6000
        >>> cluster.pods_endpoints(), cluster.get_pod_by_id("1") is pod
        (['10.0.0.1:6000', '10.0.0.2:6000'], True)
        >>> other = Cluster(None)
        >>> other.update_pods(cluster)
        >>> other == cluster
        True

    Follows Paddle 2.6.
    """

    def __init__(self, hdfs: Hdfs | None) -> None:
        self.job_server: JobServer | None = None
        self.pods: list[Pod] = []
        self.hdfs = hdfs
        self.job_stage_flag: str | None = None

    def update_pods(self, cluster: Cluster) -> None:
        """Take another's machines.

        Args:
            cluster (Cluster): the other.
        """
        self.pods = list(cluster.pods)

    def trainers_nranks(self) -> int:
        """How many processes there are.

        Returns:
            int.
        """
        return len(self.trainers_endpoints())

    def pods_nranks(self) -> int:
        """How many machines there are.

        Returns:
            int.
        """
        return len(self.pods)

    def trainers_endpoints(self) -> list[Any]:
        """The endpoints of all processes, by rank.

        Returns:
            list.
        """
        return [trainer.endpoint for pod in self.pods for trainer in pod.trainers]

    def pods_endpoints(self) -> list[str]:
        """The endpoints of all machines.

        Returns:
            list.
        Raises:
            AssertionError: one has no address or no port.
        """
        found = []
        for pod in self.pods:
            if pod.addr is None or pod.port is None:
                raise failed_assertion("pods", "pods with `addr` and `port`", f"{pod.addr}:{pod.port}", "Cluster.pods_endpoints")
            found.append(f"{pod.addr}:{pod.port}")
        return found

    def get_pod_by_id(self, pod_id: Any) -> Pod | None:
        """The machine of that `id`.

        Args:
            pod_id: as the machine's `id`.
        Returns:
            Pod: None where there is none.
        """
        return next((pod for pod in self.pods if str(pod_id) == str(pod.id)), None)

    def __str__(self) -> str:
        pods = [str(pod) for pod in self.pods]
        return f"job_server:{self.job_server} pods:{pods} job_stage_flag:{self.job_stage_flag} hdfs:{self.hdfs}"


class TrainerProc:
    """A process that was started: `proc`, `rank`, `local_rank`, its command `cmd`, and its open log `log_fn`.

    Example:
        >>> from paddle_compat.distributed.utils.launch_utils import TrainerProc
        >>> sorted(vars(TrainerProc()))
        ['cmd', 'local_rank', 'log_fn', 'log_offset', 'proc', 'rank']

    Follows Paddle 2.6.
    """

    def __init__(self) -> None:
        self.proc: subprocess.Popen[Any] | None = None
        self.log_fn: IO[str] | None = None
        self.log_offset: int | None = None
        self.rank: int | None = None
        self.local_rank: int | None = None
        self.cmd: list[str] | None = None


def get_cluster(
    node_ips: Sequence[str], node_ip: str, trainer_endpoints: list[list[str]], selected_gpus: Sequence[Any]
) -> tuple[Cluster, Pod]:
    """A job of a process for each GPU of each machine.

    Args:
        node_ips (list): the machines' addresses.
        node_ip (str): this machine's.
        trainer_endpoints (list): the processes' endpoints, a list for each machine.
        selected_gpus (list): the numbers of the GPUs, one for each process.
    Returns:
        tuple: the Cluster, and the Pod that is this machine.
    Raises:
        AssertionError: `trainer_endpoints` is no list, or a machine has fewer endpoints than GPUs.
        ValueError: this machine is none of the job's.

    Example:
        >>> from paddle_compat.distributed.utils.launch_utils import get_cluster
        >>> cluster, pod = get_cluster(["127.0.0.1"], "127.0.0.1", [["127.0.0.1:6170", "127.0.0.1:6171"]], [0, 1])
        >>> [trainer.gpus for trainer in pod.trainers]
        [[0], [1]]

    Follows Paddle 2.6.
    """
    if not isinstance(trainer_endpoints, list):
        raise failed_assertion("trainer_endpoints", "a list: trainer_endpoints must be list", trainer_endpoints, "get_cluster")
    cluster, rank = Cluster(hdfs=None), 0
    for pod_rank, address in enumerate(node_ips):
        pod, endpoints = Pod(), trainer_endpoints[pod_rank]
        pod.rank, pod.addr = pod_rank, address
        if len(endpoints) < len(selected_gpus):
            expected = f"{len(selected_gpus)} endpoints on each machine, as `selected_gpus` says"
            raise failed_assertion("trainer_endpoints", expected, endpoints, "get_cluster")
        for gpu, endpoint in zip(selected_gpus, endpoints):
            trainer = Trainer()
            trainer.gpus, trainer.endpoint, trainer.rank = [gpu], str(endpoint), rank
            pod.trainers.append(trainer)
            rank += 1
        cluster.pods.append(pod)
    return cluster, cluster.pods[list(node_ips).index(node_ip)]


def get_cluster_from_args(args: Namespace, selected_gpus: Sequence[Any]) -> tuple[Cluster, Pod]:
    """A job as the options of a launcher describe it.

    Args:
        args (Namespace): `cluster_node_ips`, separated by commas, `node_ip`, and `started_port`, of each machine's first process.
        selected_gpus (list): the numbers of the GPUs.
    Returns:
        tuple: the Cluster, and the Pod that is this machine.

    Example:
        >>> import argparse
        >>> from paddle_compat.distributed.utils.launch_utils import get_cluster_from_args
        >>> args = argparse.Namespace(cluster_node_ips="127.0.0.1", node_ip="127.0.0.1", started_port=6170)
        >>> get_cluster_from_args(args, [0, 1])[0].trainers_endpoints()
        ['127.0.0.1:6170', '127.0.0.1:6171']

    Follows Paddle 2.6.
    """
    hosts = [host.strip() for host in args.cluster_node_ips.split(",")]
    alone = len(hosts) == 1 and args.started_port is None
    first = int(os.environ.get("FLAGS_START_PORT", "6070")) if args.started_port is None else int(args.started_port)
    ports = free_ports(len(selected_gpus)) if alone else range(first, first + len(selected_gpus))
    return get_cluster(hosts, args.node_ip, [[f"{host}:{port}" for port in ports] for host in hosts], selected_gpus)


def get_gpus(selected_gpus: str | None) -> list[Any]:
    """The GPUs that were chosen, numbered as this process sees them.

    Args:
        selected_gpus (str): numbers separated by commas; None: all.
    Returns:
        list: strings, or, under CUDA_VISIBLE_DEVICES, integers.
    Raises:
        AssertionError: CUDA_VISIBLE_DEVICES hides one of them.

    Example:
        >>> from paddle_compat.distributed.utils.launch_utils import get_gpus
        >>> [int(number) for number in get_gpus("0")]
        [0]

    Follows Paddle 2.6.
    """
    visible = os.environ.get("CUDA_VISIBLE_DEVICES", "")
    if selected_gpus is None:
        return list(range(torch.cuda.device_count()))
    chosen = [word.strip() for word in selected_gpus.split(",")]
    if not visible:
        return chosen
    seen = [word.strip() for word in visible.split(",")]
    for number in chosen:
        if number not in seen:
            raise failed_assertion("selected_gpus", f"numbers of CUDA_VISIBLE_DEVICES={visible}", number, "get_gpus")
    return [seen.index(number) for number in chosen]


def find_free_ports(num: int) -> set[int]:
    """Ports of this machine that nobody has at the moment.

    Args:
        num (int): how many.
    Returns:
        set.

    Example:
        >>> from paddle_compat.distributed.utils.launch_utils import find_free_ports
        >>> len(find_free_ports(2))
        2

    Follows Paddle 2.6.
    """
    return set(free_ports(num))


def get_host_name_ip() -> tuple[str, str] | None:
    """This machine's name and address.

    Returns:
        tuple: None where its name has no address.

    Example:
        >>> from paddle_compat.distributed.utils.launch_utils import get_host_name_ip
        >>> len(get_host_name_ip() or ("name", "address"))
        2

    Follows Paddle 2.6.
    """
    try:
        name = socket.gethostname()
        return name, socket.gethostbyname(name)
    except OSError:
        return None


def add_arguments(argname: str, type: Callable[[str], Any], default: Any, help: str, argparser: ArgumentParser, **kwargs: Any) -> None:
    """Add an option to a parser.

    Args:
        argname (str): its name, without dashes.
        type (type): of its value; bool takes words such as "true" and "no".
        default: its value where it is not given.
        help (str): what it is for.
        argparser (ArgumentParser): the parser.
        kwargs: more for `ArgumentParser.add_argument`.

    Example:
        >>> import argparse
        >>> from paddle_compat.distributed.utils.launch_utils import add_arguments
        >>> parser = argparse.ArgumentParser()
        >>> add_arguments("use_gpu", bool, True, "Whether to use GPUs.", parser)
        >>> bool(parser.parse_args(["--use_gpu", "false"]).use_gpu)
        False

    Follows Paddle 2.6.
    """
    read = _truth if type is bool else type
    argparser.add_argument("--" + argname, default=default, type=read, help=f"{help} Default: %(default)s.", **kwargs)


def _truth(word: str) -> int:
    words = {"y": 1, "yes": 1, "t": 1, "true": 1, "on": 1, "1": 1, "n": 0, "no": 0, "f": 0, "false": 0, "off": 0, "0": 0}
    if word.lower() not in words:
        raise ValueError(f"invalid truth value. Expected a word such as true or no. Received: {word!r}")
    return words[word.lower()]


def _prepare_trainer_env(cluster: Cluster, trainer: Any, backend: str | None = None) -> dict[str, str]:
    """What a process is told of its place in the job."""
    endpoints = cluster.trainers_endpoints()
    gpus = (backend is None and torch.cuda.is_available()) or backend == "nccl"
    told = {"FLAGS_selected_gpus": ",".join(str(gpu) for gpu in trainer.gpus)} if gpus else {}
    told |= {"PADDLE_TRAINER_ID": f"{trainer.rank}", "PADDLE_CURRENT_ENDPOINT": f"{trainer.endpoint}"}
    told |= {"PADDLE_TRAINERS_NUM": f"{len(endpoints)}", "PADDLE_TRAINER_ENDPOINTS": ",".join(endpoints)}
    return told if gpus else told | {"PADDLE_DISTRI_BACKEND": "gloo"}


def start_local_trainers(
    cluster: Cluster, pod: Pod, training_script: str, training_script_args: Sequence[str], log_dir: str | None = None
) -> list[TrainerProc]:
    """Start this machine's processes.

    Args:
        cluster (Cluster): the job.
        pod (Pod): this machine.
        training_script (str): what they run.
        training_script_args (list): its arguments.
        log_dir (str): a folder for a file `workerlog.N` of each; None: they write where this process does.
    Returns:
        list: of TrainerProc; whoever calls watches and ends them.

    Example:
        >>> import os, tempfile, time
        >>> from paddle_compat.distributed.utils.launch_utils import get_cluster, start_local_trainers, watch_local_trainers
        >>> folder = tempfile.mkdtemp()
        >>> script = os.path.join(folder, "show.py")
        >>> with open(script, "w") as file:
        ...     _ = file.write("import os; print('rank', os.environ['PADDLE_TRAINER_ID'])")
        >>> cluster, pod = get_cluster(["127.0.0.1"], "127.0.0.1", [["127.0.0.1:6170"]], [0])
        >>> procs = start_local_trainers(cluster, pod, script, [], log_dir=folder)
        >>> while watch_local_trainers(procs, cluster.trainers_nranks()):
        ...     time.sleep(0.1)
        rank 0

    Follows Paddle 2.6.
    """
    return started(cluster, pod.trainers, training_script, training_script_args, log_dir)


def started(
    cluster: Cluster, trainers: Sequence[Any], script: str, args: Sequence[str], log_dir: str | None, envs: Mapping[str, str] | None = None
) -> list[TrainerProc]:
    """What `start_local_trainers` does, for processes on anything.

    Args:
        cluster: the job.
        trainers: those of this machine.
        script: what they run.
        args: its arguments.
        log_dir: the folder for their logs.
        envs: the variables that they begin with; None: this process's.
    """
    procs = []
    for local_rank, trainer in enumerate(trainers):
        told = {name: value for name, value in (os.environ if envs is None else envs).items() if name not in ("http_proxy", "https_proxy")}
        told.update(_prepare_trainer_env(cluster, trainer))
        process = TrainerProc()
        process.cmd = [sys.executable, "-u", script, *args]
        if log_dir is not None:
            os.makedirs(log_dir, exist_ok=True)
            process.log_fn = open(os.path.join(log_dir, f"workerlog.{local_rank}"), "a")
            process.log_offset = process.log_fn.tell()
        process.proc = subprocess.Popen(process.cmd, env=told, stdout=process.log_fn, stderr=process.log_fn)
        process.rank, process.local_rank = trainer.rank, local_rank
        procs.append(process)
    return procs


def pull_worker_log(tp: TrainerProc) -> None:
    """Print what is new in a process's log.

    Args:
        tp (TrainerProc): the process.

    Example:
        >>> import tempfile
        >>> from paddle_compat.distributed.utils.launch_utils import TrainerProc, pull_worker_log
        >>> process = TrainerProc()
        >>> process.log_fn, process.log_offset = tempfile.NamedTemporaryFile("w"), 0
        >>> process.log_fn.write("step 1"), process.log_fn.flush()
        (6, None)
        >>> pull_worker_log(process)
        step 1

    Follows Paddle 2.6.
    """
    if tp.log_fn is None:
        return
    with open(tp.log_fn.name, errors="replace") as file:
        file.seek(tp.log_offset or 0)
        sys.stdout.write(file.read())
        tp.log_offset = file.tell()


def watch_local_trainers(procs: Sequence[TrainerProc], nranks: Any) -> bool:
    """Look once whether processes are well; one that failed ends all of them, and this process.

    Args:
        procs (list): of TrainerProc; what the first of this machine wrote to its log is printed.
        nranks (int): how many there are in the job, for messages.
    Returns:
        bool: whether one is still at work.
    Raises:
        SystemExit: one failed.

    Example:
        >>> import subprocess, sys, time
        >>> from paddle_compat.distributed.utils.launch_utils import TrainerProc, watch_local_trainers
        >>> process = TrainerProc()
        >>> process.proc = subprocess.Popen([sys.executable, "-c", "pass"])
        >>> while watch_local_trainers([process], 1):
        ...     time.sleep(0.1)

    Follows Paddle 2.6.
    """
    codes = [each.proc.poll() for each in procs if each.proc]
    for each in procs:
        if each.log_fn and each.local_rank == 0:
            pull_worker_log(each)
    if any(codes):
        failed = [each.rank for each in procs if each.proc and each.proc.poll()]
        terminate_local_procs(procs)
        logger.error(f"ABORT!!! Out of all {nranks} trainers, the trainer process with rank={failed} was aborted. Please check its log.")
        sys.exit(1)
    return None in codes


def terminate_local_procs(procs: Sequence[TrainerProc]) -> None:
    """End processes, and close their logs.

    Args:
        procs (list): of TrainerProc.

    Example:
        >>> import subprocess, sys
        >>> from paddle_compat.distributed.utils.launch_utils import TrainerProc, terminate_local_procs
        >>> process = TrainerProc()
        >>> process.proc = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
        >>> terminate_local_procs([process])
        >>> process.proc.returncode == 0
        False

    Follows Paddle 2.6.
    """
    running = [each.proc for each in procs if each.proc and each.proc.poll() is None]
    for process in running:
        process.terminate()
    for process in running:
        try:
            process.wait(_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    for each in procs:
        if each.log_fn:
            each.log_fn.close()


__all__ = [
    "Cluster", "Hdfs", "JobServer", "Pod", "Trainer", "TrainerProc", "add_arguments", "find_free_ports", "get_cluster",
    "get_cluster_from_args", "get_gpus", "get_host_name_ip", "get_logger", "pull_worker_log", "start_local_trainers",
    "terminate_local_procs", "watch_local_trainers",
]  # fmt: skip
__getattr__ = missing(__name__)
