"""Jobs whose processes are all alike: torchrun's elastic agent with Paddle's environment and logs."""

from __future__ import annotations

import logging
import sys
from datetime import timedelta
from typing import Any

import torch
from torch.distributed import TCPStore
from torch.distributed.elastic.multiprocessing import SignalException
from torch.distributed.elastic.multiprocessing.errors import ChildFailedError
from torch.distributed.launcher.api import LaunchConfig, launch_agent

from paddle_compat.core.errors import invalid_argument
from paddle_compat.distributed.launch._addresses import free_ports, own_address
from paddle_compat.distributed.launch._options import Options
from paddle_compat.distributed.launch._workers import SHELL, Follower, Workers, command, show_end, status_of

_FIRST_PORT = 6070  # of machines that are named by --ips
_LOCAL = "127.0.0.1"


def run(options: Options) -> int:
    """Run the job's processes of this machine.

    Args:
        options: of the launcher.
    Returns:
        The status to exit with.
    Raises:
        InvalidArgumentError: machines cannot meet as the options say, or there are fewer devices than processes.
    """
    gpus = torch.cuda.device_count()
    count = options.processes or len(options.devices) or gpus or 1
    if options.devices and options.processes and len(options.devices) not in (1, count) and count > 1:
        raise invalid_argument("--devices", f"{count} numbers, as --nproc_per_node says", ",".join(options.devices))
    group = _Group(options, count, gpus)
    workers = Workers(options, [f"workerlog.{i}" for i in range(count)], group.variables)
    config = LaunchConfig(
        *options.nodes, count, run_id=options.job_id, role="trainer", max_restarts=options.restarts, monitor_interval=0.1,
        logs_specs=workers, local_addr=group.host, **group.meeting(),
    )  # fmt: skip
    logging.getLogger("torch.distributed.elastic").setLevel(max(options.log_level, "WARNING", key=logging.getLevelName))
    followed = workers.files[0] if workers.files and options.follow else None
    try:
        with Follower(followed, sys.stdout):
            launch_agent(config, SHELL, list(command(options)))
    except ChildFailedError as error:
        rank, failure = error.get_first_failure()
        log = workers.files[failure.local_rank] if workers.files else None
        print(
            f"rank {rank} failed with exit code {failure.exitcode}; the other processes were ended" + (f". Its log: {log}" if log else ""),
            file=sys.stderr,
        )
        if log and options.follow and log != followed:
            show_end(log, sys.stdout)
        return status_of(failure.exitcode)
    except SignalException as signal:
        print(f"ended by {signal.sigval.name}, and all processes with it", file=sys.stderr)
        return status_of(-signal.sigval)
    return 0


class _Group:
    """This machine's part of a group: where it meets the others, and what its processes are told.

    Args:
        options: of the launcher; count: how many processes; gpus: how many GPUs there are.
    """

    def __init__(self, options: Options, count: int, gpus: int) -> None:
        self._options, self._count, self._gpus = options, count, gpus
        self._several = options.nodes[1] > 1
        self.host = options.host or (own_address() if self._several else _LOCAL)
        if options.start_port or len(options.ips) > 1:
            first = options.start_port or _FIRST_PORT
            ports = list(range(first, first + count))
        else:
            ports = free_ports(count)
        self._ports = ports
        self._own = [f"{self.host}:{port}" for port in ports]

    def meeting(self) -> dict[str, Any]:
        """How torch's agents of all machines find one another."""
        options, settings = self._options, {"timeout": 900}
        if not self._several:
            return {"rdzv_backend": "c10d", "rdzv_endpoint": f"{_LOCAL}:0", "rdzv_configs": settings}
        rank, master = options.rank, options.master
        if len(options.ips) > 1:
            if self.host not in options.ips:
                raise invalid_argument("--host", f"one of --ips ({','.join(options.ips)})", self.host)
            rank, master = options.ips.index(self.host), master or f"{options.ips[0]}:{self._ports[-1] + 1}"
        if not master or not master.rpartition(":")[2].isdecimal():
            raise invalid_argument("--master", f"address:port, where {options.nodes[0]} machines meet", master)
        if rank >= options.nodes[1]:
            raise invalid_argument("--rank", f"a number below --nnodes ({options.nodes[1]})", rank)
        if rank < 0 or options.restarts or options.nodes[0] < options.nodes[1]:  # they agree on their numbers each time
            return {
                "rdzv_backend": "c10d", "rdzv_endpoint": master, "rdzv_configs": {**settings, "last_call_timeout": options.timeout},
            }  # fmt: skip
        return {"rdzv_backend": "static", "rdzv_endpoint": master, "rdzv_configs": {**settings, "rank": rank}}

    def variables(self, envs: dict[int, dict[str, str]]) -> dict[int, dict[str, str]]:
        """Paddle's variables.

        Args:
            envs: torch's, by process of this machine.
        """
        endpoints = self._endpoints(envs[0])
        found = {}
        for i, env in envs.items():
            rank, size = env["RANK"], env["WORLD_SIZE"]
            found[i] = {
                "PADDLE_TRAINER_ID": rank, "PADDLE_GLOBAL_RANK": rank, "PADDLE_TRAINERS_NUM": size, "PADDLE_GLOBAL_SIZE": size,
                "PADDLE_RANK_IN_NODE": str(i), "PADDLE_LOCAL_RANK": str(i), "PADDLE_LOCAL_SIZE": str(len(envs)),
                "PADDLE_NNODES": env["GROUP_WORLD_SIZE"], "PADDLE_MASTER": f"{env['MASTER_ADDR']}:{env['MASTER_PORT']}",
                "PADDLE_TRAINER_ENDPOINTS": ",".join(endpoints), "PADDLE_CURRENT_ENDPOINT": endpoints[int(rank)],
            }  # fmt: skip
            if self._options.devices or self._gpus:
                found[i]["FLAGS_selected_gpus"] = self._device(i)
            if not self._gpus:
                found[i]["PADDLE_DISTRI_BACKEND"] = "gloo"
        return found

    def _device(self, i: int) -> str:
        devices = self._options.devices or tuple(map(str, range(self._gpus)))
        return ",".join(devices) if self._count == 1 else devices[i % len(devices)]

    def _endpoints(self, env: dict[str, str]) -> list[str]:
        """Those of all machines, which tell one another theirs."""
        if not self._several:
            return self._own
        host, port = env["MASTER_ADDR"], int(env["MASTER_PORT"])
        if env["TORCHELASTIC_USE_AGENT_STORE"] != "True":  # nobody listens there before the processes run
            return [f"{host}:{port + i}" for i in range(int(env["WORLD_SIZE"]))]
        store = TCPStore(host, port, is_master=False, timeout=timedelta(seconds=300))
        round_ = f"paddle_compat/{env['TORCHELASTIC_RUN_ID']}/{env['TORCHELASTIC_RESTART_COUNT']}/{env['WORLD_SIZE']}"
        store.set(f"{round_}/{env['GROUP_RANK']}", ",".join(self._own))
        return [each for i in range(int(env["GROUP_WORLD_SIZE"])) for each in store.get(f"{round_}/{i}").decode().split(",")]
