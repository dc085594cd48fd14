"""The launcher's options, in the spellings of Paddle 1.8 and 2.x, and the environment variables that stand for them."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import Any, NamedTuple

from paddle_compat.core.errors import InvalidArgumentError, UnsupportedError, invalid_argument
from paddle_compat.core.job import environment

# the launcher of 2.x lets these override the command line
_VARIABLES = {
    "POD_IP": "host", "PADDLE_MASTER": "master", "PADDLE_DEVICES": "devices", "PADDLE_NNODES": "nnodes", "PADDLE_RUN_MODE": "run_mode",
    "PADDLE_LOG_LEVEL": "log_level", "PADDLE_LOG_OVERWRITE": "log_overwrite", "PADDLE_NPROC_PER_NODE": "nproc_per_node",
    "PADDLE_JOB_ID": "job_id", "PADDLE_RANK": "rank", "PADDLE_TRAINER_ID": "rank", "PADDLE_LOG_DIR": "log_dir",
    "PADDLE_MAX_RESTART": "max_restart", "PADDLE_ELASTIC_LEVEL": "elastic_level", "PADDLE_ELASTIC_TIMEOUT": "elastic_timeout",
    "PADDLE_SERVER_NUM": "server_num", "PADDLE_TRAINER_NUM": "trainer_num", "PADDLE_SERVERS_ENDPOINTS": "servers",
    "PADDLE_TRAINERS_ENDPOINTS": "trainers", "PADDLE_START_PORT": "start_port", "PADDLE_IPS": "ips",
}  # fmt: skip
_SAY = "--nproc_per_node, --nnodes and --devices, which say what to start"
_ALIKE = "--servers and --trainers, or --server_num and --trainer_num"
_COME_AND_GO = "--nnodes MIN:MAX and --master, where machines may come and go"
_ABSENT = {  # options of Paddle's, and what to use instead
    **dict.fromkeys(("auto_parallel_config", "auto_cluster_config", "auto_tuner_json"), _SAY),
    **dict.fromkeys(("cluster_topo_path", "rank_mapping_path", "enable_auto_mapping"), _SAY),
    **dict.fromkeys(("coordinators", "coordinator_num", "heter_workers", "heter_devices", "heter_worker_num"), _ALIKE),
    **dict.fromkeys(("elastic_server", "elastic_pre_hook", "np", "scale", "force"), _COME_AND_GO),
}
_PORT = 6170  # of the first server of Paddle 1.8


class Options(NamedTuple):
    """What to start.

    Attributes:
        script: file, command or (module=True) module of the user, `arguments` its own.
        nodes: the fewest and the most machines; rank: this one's number, -1 where they agree on it themselves.
        processes: on this machine, None: one for each device; devices: their numbers, by process.
        host: this machine's address; ips: those of all machines, where they are named; master: where machines meet.
        start_port: of the first process, None: any free ones.
        log_dir: where logs go, None: to the terminal; follow: whether the first one goes there, too; overwrite: what earlier jobs left.
        restarts: how often a failed group is started again; timeout: seconds to wait for more machines than the fewest.
        servers, trainers: endpoints, or where those are not named, server_num and trainer_num of them.
        backend: what processes meet by: gloo, nccl, or auto: nccl where there are GPUs.
    """

    script: str
    arguments: tuple[str, ...]
    module: bool
    nodes: tuple[int, int]
    rank: int
    processes: int | None
    devices: tuple[str, ...]
    host: str | None
    ips: tuple[str, ...]
    master: str | None
    start_port: int | None
    log_dir: str | None
    follow: bool
    overwrite: bool
    log_level: str
    job_id: str
    restarts: int
    timeout: int
    servers: tuple[str, ...] = ()
    trainers: tuple[str, ...] = ()
    server_num: int = 0
    trainer_num: int = 0
    backend: str = "auto"

    @property
    def has_servers(self) -> bool:
        """Whether parameter servers are to be started."""
        return bool(self.servers or self.server_num)


def parse(arguments: Sequence[str]) -> Options:
    """The options of `paddle.distributed.launch`.

    Args:
        arguments: the command line.
    Raises:
        InvalidArgumentError: options contradict each other or are none.
        UnsupportedError: an option of Paddle's that is not there.
    """
    given = _parser().parse_args(arguments)
    if given.use_paddlecloud:
        given.ips, given.host = os.environ.get("PADDLE_TRAINERS", ""), os.environ.get("POD_IP")
        given.start_port = os.environ.get("PADDLE_PORT")
    else:
        outside = environment()
        for variable, option in _VARIABLES.items():
            if variable in outside:
                setattr(given, option, outside[variable])
    _refuse(given)
    servers, trainers = _parts(given.servers), _parts(given.trainers)
    server_num, trainer_num = _number("server_num", given.server_num or 0), _number("trainer_num", given.trainer_num or 0)
    wants_servers = bool(servers or server_num)
    if given.run_mode == "ps" and not wants_servers:
        raise invalid_argument("--server_num", "a number of servers, or --servers, with --run_mode ps", None)
    if given.run_mode in ("collective", "rpc") and wants_servers:
        raise invalid_argument("--run_mode", "ps with --servers or --server_num", given.run_mode)
    if wants_servers and not trainers and not trainer_num:
        raise invalid_argument("--trainer_num", "a number of trainers, or --trainers", None)
    ips, devices = _parts(given.ips), _parts(given.devices)
    nodes = _nodes(given.nnodes) if len(ips) < 2 else (len(ips), len(ips))
    old = given.old or given.use_paddlecloud
    if old and len(ips) > 1:
        given.start_port = given.start_port or _PORT
    restarts = _number("max_restart", 3 if given.max_restart is None else given.max_restart)
    level = int(given.elastic_level)
    return Options(
        script=given.training_script,
        arguments=tuple(given.training_script_args),
        module=given.module,
        nodes=nodes,
        rank=int(given.rank),
        processes=None if given.nproc_per_node is None else _number("nproc_per_node", given.nproc_per_node, 1),
        devices=_by_process(devices),
        host=given.host or None,
        ips=ips,
        master=given.master,
        start_port=None if not given.start_port else _number("start_port", given.start_port, 1),
        log_dir=given.log_dir or (None if old or given.log_dir == "" else "log"),
        follow=not old,
        overwrite=_truth("log_overwrite", given.log_overwrite),
        log_level=_level(given.log_level),
        job_id=given.job_id,
        restarts=restarts if given.max_restart is not None or level > 0 or nodes[0] < nodes[1] else 0,
        timeout=_number("elastic_timeout", given.elastic_timeout),
        servers=servers,
        trainers=trainers,
        server_num=server_num,
        trainer_num=trainer_num,
        backend=given.backend,
    )


def read_servers(arguments: Sequence[str]) -> argparse.Namespace:
    """What the words of `paddle.distributed.launch_ps` say.

    Args:
        arguments: the command line.
    """
    parser = argparse.ArgumentParser("python -m paddle.distributed.launch_ps", allow_abbrev=False)
    parser.add_argument("--cluster_node_ips", default="127.0.0.1", help="addresses of all machines, separated by commas")
    parser.add_argument("--node_ip", default="127.0.0.1", help="this machine's address")
    parser.add_argument("--start_port", type=int, default=_PORT, help="port of a machine's first server")
    parser.add_argument("--print_config", type=bool, default=True, help="of no effect")
    parser.add_argument("--endpoints", default="", help="addresses and ports of all servers, in place of the two options above")
    parser.add_argument("--worker_num", type=int, default=2, help="how many trainers")
    parser.add_argument("--server_num", type=int, default=2, help="how many servers a machine has")
    parser.add_argument("--log_dir", default="logs", help="folder for the logs; with an empty one they come on the terminal")
    parser.add_argument("--max_restart", type=int, default=0, help="how often a server or trainer that fails is started again")
    _add_script(parser)
    return parser.parse_args(arguments)


def servers_of(given: argparse.Namespace) -> Options:
    """The options of the launcher, of those of `paddle.distributed.launch_ps`.

    Args:
        given: what `read_servers` found; `max_restart` and `module` may be missing.
    Raises:
        UnsupportedError: several machines.
    """
    servers = _parts(given.endpoints)
    if len(_parts(given.cluster_node_ips)) > 1:
        api = "paddle.distributed.launch_ps"
        raise UnsupportedError(
            api, "several --cluster_node_ips", "paddle.distributed.launch with --servers and --trainers, on each machine"
        )
    if not servers:
        ports = range(given.start_port, given.start_port + _number("server_num", given.server_num, 1))
        servers = tuple(f"{ip}:{port}" for ip in _parts(given.cluster_node_ips) for port in ports)
    return Options(
        given.training_script, tuple(given.training_script_args), getattr(given, "module", False), (1, 1), -1, None, (), given.node_ip, (),
        None, None, given.log_dir or None, False, True, "INFO", "default", _number("max_restart", getattr(given, "max_restart", 0)), 30,
        servers, (), 0, _number("worker_num", given.worker_num, 1),
    )  # fmt: skip


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m paddle.distributed.launch", allow_abbrev=False, description="Start the processes of a distributed job."
    )
    add = parser.add_argument_group("machines").add_argument
    add("--nnodes", default="1", help="how many machines: N, or MIN:MAX where they may come and go")
    add("--master", help="where machines meet, address:port")
    add("--rank", default=-1, help="this machine's number; by default they agree on numbers themselves")
    add("--ips", default="", help="addresses of all machines, separated by commas, in place of the three options above")
    add("--cluster_node_ips", action=_Old, dest="ips", help="the same, of Paddle 1.8")
    add("--host", help="this machine's address")
    add("--node_ip", action=_Old, dest="host", help="the same, of Paddle 1.8")
    add("--start_port", help="port of the first process; by default free ones")
    add("--started_port", action=_Old, dest="start_port", help="the same, of Paddle 1.8")
    add("--use_paddlecloud", action="store_true", help="read the three above from PADDLE_TRAINERS, POD_IP and PADDLE_PORT")
    add = parser.add_argument_group("processes").add_argument
    add("--nproc_per_node", help="how many a machine has; by default one for each device")
    add("--devices", "--gpus", "--npus", "--xpus", default="", help="numbers of the GPUs, separated by commas; by default all")
    add("--selected_gpus", action=_Old, dest="devices", help="the same, of Paddle 1.8")
    add("--run_mode", help="collective, ps or rpc; by default what the options for servers say")
    add("--backend", default="auto", help="what processes meet by: gloo, nccl, or auto: nccl where there are GPUs")
    add("--job_id", default="default", help="a name that tells jobs on the same master apart")
    add = parser.add_argument_group("logs").add_argument
    add("--log_dir", help="folder for workerlog.N and serverlog.N; by default log, and with an option of Paddle 1.8 the terminal")
    add("--log_level", default="INFO", help="of the launcher's own messages")
    add("--log_overwrite", default="False", help="begin new logs rather than write behind those of earlier jobs")
    add("--print_config", action=_Old, dest="printed", help="of no effect")
    add("--enable_gpu_log", dest="printed", help="of no effect")
    add("--legacy", dest="printed", help="of no effect: there is one launcher")
    add = parser.add_argument_group("parameter servers").add_argument
    add("--servers", default="", help="address:port of all servers, separated by commas")
    add("--trainers", "--workers", default="", help="address:port of all trainers")
    add("--server_num", help="how many servers to start on this machine")
    add("--trainer_num", "--worker_num", help="how many trainers to start on this machine")
    add("--gloo_port", "--with_gloo", "--http_port", dest="printed", help="of no effect: trainers meet over torch.distributed")
    add = parser.add_argument_group("elastic").add_argument
    add("--max_restart", help="how often a failed group is started again; by default 0, or 3 with --elastic_level 1 or --nnodes MIN:MAX")
    add("--elastic_level", default=-1, help="1: start a failed group again")
    add("--elastic_timeout", default=30, help="seconds to wait for more machines than the fewest")
    add = parser.add_argument_group("of Paddle, not there").add_argument
    for name in ("sort_ip", *_ABSENT):
        add(f"--{name}", help=argparse.SUPPRESS)
    parser.set_defaults(old=False)
    _add_script(parser)
    return parser


def _add_script(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-m", "--module", action="store_true", help="the script is the name of a module, as in python -m")
    parser.add_argument("training_script", help="the script, or a command that is none of Python's")
    parser.add_argument("training_script_args", nargs=argparse.REMAINDER, help="its arguments")


class _Old(argparse.Action):
    """An option of Paddle 1.8, whose launcher has other defaults."""

    def __call__(self, parser: Any, namespace: argparse.Namespace, values: Any, option_string: str | None = None) -> None:
        setattr(namespace, self.dest, values)
        namespace.old = True


def _refuse(given: argparse.Namespace) -> None:
    api = "paddle.distributed.launch"
    if given.run_mode not in (None, "collective", "ps", "rpc"):
        raise UnsupportedError(api, f"--run_mode {given.run_mode}", "--run_mode collective, ps or rpc")
    for name, instead in _ABSENT.items():
        if getattr(given, name) is not None:
            raise UnsupportedError(api, f"--{name}", instead)
    if given.backend not in ("auto", "gloo", "nccl"):
        raise UnsupportedError(api, f"--backend {given.backend}", "--backend gloo, nccl or auto")
    if given.sort_ip is not None and _truth("sort_ip", given.sort_ip):
        raise UnsupportedError(api, "--sort_ip", "--rank, which gives a machine its number")
    if given.master and "://" in given.master:
        raise UnsupportedError(api, f"--master {given.master}", "--master address:port")


def _parts(text: str | None) -> tuple[str, ...]:
    return tuple(part.strip() for part in (text or "").split(",") if part.strip())


def _number(name: str, value: Any, least: int = 0) -> int:
    try:
        number = int(value)
    except ValueError:
        number = least - 1
    if number < least:
        raise invalid_argument(f"--{name}", f"a number from {least} on", value)
    return number


def _truth(name: str, value: Any) -> bool:
    text = str(value).lower()
    if text not in ("true", "1", "yes", "on", "false", "0", "no", "off"):
        raise invalid_argument(f"--{name}", "True or False", value)
    return text in ("true", "1", "yes", "on")


def _level(value: Any) -> str:
    names = {"10": "DEBUG", "20": "INFO", "30": "WARNING", "40": "ERROR", "50": "CRITICAL"}
    name = names.get(str(value), str(value).upper())
    if name not in names.values():
        raise invalid_argument("--log_level", f"one of {', '.join(names.values())}", value)
    return name


def _nodes(text: Any) -> tuple[int, int]:
    low, colon, high = str(text).partition(":")
    least = _number("nnodes", low, 1)
    return least, _number("nnodes", high, least) if colon else least


def _by_process(devices: tuple[str, ...]) -> tuple[str, ...]:
    """Numbers among the visible GPUs, as FLAGS_selected_gpus has them."""
    visible = _parts(os.environ.get("CUDA_VISIBLE_DEVICES"))
    if not visible:
        return devices
    absent = [device for device in devices if device not in visible]
    if absent:
        raise InvalidArgumentError(
            f"Invalid value for argument `--devices`. Expected numbers out of CUDA_VISIBLE_DEVICES={','.join(visible)}. "
            f"Received: {','.join(devices)}"
        )
    return tuple(str(visible.index(device)) for device in devices)
