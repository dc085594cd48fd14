"""Jobs whose processes are all alike: torchrun's elastic agent with Paddle's environment and logs."""

from __future__ import annotations

import datetime
import logging
import os
import secrets
import sys
from collections.abc import Callable
from typing import Any

import torch
from torch.distributed import DistNetworkError
from torch.distributed.elastic.multiprocessing import SignalException
from torch.distributed.elastic.multiprocessing.errors import ChildFailedError
from torch.distributed.elastic.rendezvous import (
    RendezvousError,
    RendezvousHandler,
    RendezvousInfo,
    RendezvousParameters,
    rendezvous_handler_registry,
)
from torch.distributed.elastic.rendezvous.registry import get_rendezvous_handler
from torch.distributed.launcher.api import LaunchConfig, launch_agent

from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.job import MEETING
from paddle_compat.distributed.launch._addresses import free_ports, own_address
from paddle_compat.distributed.launch._options import Options
from paddle_compat.distributed.launch._signs import BEAT, BEATS, Signs
from paddle_compat.distributed.launch._workers import Follower, Workers, command, status_of

_FIRST_PORT = 6070  # of machines that are named by --ips
_LOCAL = "127.0.0.1"
_NAME = "paddle_compat"  # of the rendezvous below
_AGAIN = 30  # seconds that machines have to meet again, and --elastic_timeout
_GRACE = 5  # seconds that processes have to end by themselves after Ctrl-C, which Python does not see in a collective call; torch: 30


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
    if options.backend == "nccl" and not gpus:
        raise invalid_argument("--backend", "gloo or auto, as there is no GPU", options.backend)
    group = _Group(options, count, gpus)
    workers = Workers(options, [f"workerlog.{i}" for i in range(count)], group.variables)
    meeting = group.meeting()
    if "shutdown_timeout" in LaunchConfig.__dataclass_fields__:  # older versions of torch always wait for 30 seconds
        meeting["shutdown_timeout"] = int(os.environ.get("TORCH_ELASTIC_SHUTDOWN_TIMEOUT", _GRACE))
    config = LaunchConfig(
        *options.nodes, count, run_id=options.job_id, role="trainer", max_restarts=options.restarts, monitor_interval=0.1,
        logs_specs=workers, local_addr=group.host, **meeting,
    )  # fmt: skip
    logging.getLogger("torch.distributed.elastic").setLevel(max(options.log_level, "WARNING", key=logging.getLevelName))
    followed = workers.files[0] if workers.files and options.follow else None
    try:
        with Follower(followed, sys.stdout):
            launch_agent(config, sys.executable, list(command(options)))
        group.end(True)
    except ChildFailedError as error:
        rank, failure = error.get_first_failure()
        log = workers.files[failure.local_rank] if workers.files else None
        print(
            f"rank {rank} failed with exit code {failure.exitcode}; the other processes were ended" + (f". Its log: {log}" if log else ""),
            file=sys.stderr,
        )
        if log and options.follow and log != followed:
            workers.show_end(failure.local_rank, sys.stdout)
        return status_of(failure.exitcode)
    except SignalException as signal:
        print(f"ended by {signal.sigval.name}, and all processes with it", file=sys.stderr)
        return status_of(-signal.sigval)
    except (DistNetworkError, RendezvousError) as error:
        reason = str(error).partition("\n")[0] or "too few have come in time"
        print(f"the machines cannot meet at {config.rdzv_endpoint}: {reason}", file=sys.stderr)
        return 1
    finally:
        group.end(False)
    return 0


class _Group:
    """This machine's part of a group: where it meets the others, and what its processes are told.

    Args:
        options: of the launcher; count: how many processes; gpus: how many GPUs there are.
    """

    def __init__(self, options: Options, count: int, gpus: int) -> None:
        self._options, self._count, self._gpus = options, count, gpus
        self._backend = ("nccl" if gpus else "gloo") if options.backend == "auto" else options.backend
        self._several = options.nodes[1] > 1
        self.host = options.host or (own_address() if self._several else _LOCAL)
        if options.start_port or len(options.ips) > 1:
            first = options.start_port or _FIRST_PORT
            ports = list(range(first, first + count))
        else:
            ports = free_ports(count)
        self._ports = ports
        self._own = [f"{self.host}:{port}" for port in ports]
        self.met: RendezvousInfo | None = None  # the machines of this time
        self._signs: Signs | None = None  # that they live

    def meeting(self) -> dict[str, Any]:
        """How torch's agents of all machines find one another."""
        options = self._options
        if not self._several:
            return self._rendezvous("c10d", f"{_LOCAL}:0")
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
            settings = {"keep_alive_interval": BEAT, "keep_alive_max_attempt": BEATS, "last_call_timeout": options.timeout}
            return self._rendezvous("c10d", master, **settings, **({"is_host": rank == 0} if rank >= 0 else {}))
        return self._rendezvous("static", master, rank=rank)

    def _rendezvous(self, kind: str, endpoint: str, **settings: Any) -> dict[str, Any]:
        settings.update(timeout=900, kind=kind, group=self)
        return {"rdzv_backend": _NAME, "rdzv_endpoint": endpoint, "rdzv_configs": settings}

    def meet(self, call: Callable[[], RendezvousInfo]) -> None:
        """Meet the other machines, whose signs of life are watched from then on."""
        self.end(False)
        self.met = call()
        self._signs = Signs(self.met.store, self.met.rank, self.met.world_size) if self.met.world_size > 1 else None

    def end(self, done: bool) -> None:
        """Give no sign any more.

        Args:
            done: this machine's part of the job is, and the others may go on without it.
        """
        if self._signs is not None:
            self._signs.end(done)
            self._signs = None

    def check(self) -> None:
        """Raise where a machine has gone, and nobody can meet anew.

        Raises:
            RendezvousError: one has.
        """
        if self._signs is not None and self._signs.gone is not None and self.met is not None:
            raise RendezvousError(f"machine {self._signs.gone} of {self.met.world_size} is gone")

    @property
    def patience(self) -> datetime.timedelta:
        """How long machines that have met wait for each other when they meet again."""
        return datetime.timedelta(seconds=_AGAIN + self._options.timeout)

    def variables(self, envs: dict[int, dict[str, str]]) -> dict[int, dict[str, str]]:
        """Paddle's variables.

        Args:
            envs: torch's, by process of this machine.
        """
        endpoints, meeting = self._endpoints(), self._meeting()
        found = {}
        for i, env in envs.items():
            rank, size = env["RANK"], env["WORLD_SIZE"]
            found[i] = {
                "PADDLE_TRAINER_ID": rank, "PADDLE_GLOBAL_RANK": rank, "PADDLE_TRAINERS_NUM": size, "PADDLE_GLOBAL_SIZE": size,
                "PADDLE_RANK_IN_NODE": str(i), "PADDLE_LOCAL_RANK": str(i), "PADDLE_LOCAL_SIZE": str(len(envs)),
                "PADDLE_NNODES": env["GROUP_WORLD_SIZE"], "PADDLE_MASTER": f"{env['MASTER_ADDR']}:{env['MASTER_PORT']}",
                "PADDLE_TRAINER_ENDPOINTS": ",".join(endpoints), "PADDLE_CURRENT_ENDPOINT": endpoints[int(rank)], MEETING: meeting,
            }  # fmt: skip
            if self._options.devices or self._gpus:
                found[i]["FLAGS_selected_gpus"] = self._device(i)
            if self._backend == "gloo":
                found[i]["PADDLE_DISTRI_BACKEND"] = "gloo"
        return found

    def _device(self, i: int) -> str:
        devices = self._options.devices or tuple(map(str, range(self._gpus)))
        return ",".join(devices) if self._count == 1 else devices[i % len(devices)]

    def _endpoints(self) -> list[str]:
        """Those of all machines, which tell one another theirs each time that they have met."""
        if self.met is None or self.met.world_size == 1:
            return self._own
        store, number = self.met.store, self.met.rank
        store.set(f"paddle_compat/{number}", ",".join(self._own))
        return [each for i in range(self.met.world_size) for each in store.get(f"paddle_compat/{i}").decode().split(",")]

    def _meeting(self) -> str:
        """What tells this time apart from others, also where machines have joined and no restart is counted."""
        own = secrets.token_hex(8)
        if self.met is None or self.met.world_size == 1:
            return own
        if self.met.rank == 0:
            self.met.store.set("paddle_compat/meeting", own)
        return str(self.met.store.get("paddle_compat/meeting").decode())


class _Rendezvous(RendezvousHandler):
    """One of torch's, that lets the group know whom it met."""

    def __init__(self, torchs: Any, group: _Group) -> None:
        self._torchs, self._group = torchs, group

    def next_rendezvous(self) -> RendezvousInfo:
        """Meet the other machines."""
        self._torchs._bootstrap_store_info = None  # torch keeps the first one, which machines that join later would wait for in vain
        if self._group.met is not None and hasattr(self._torchs, "_settings"):
            self._torchs._settings.timeout._set_timeouts(join=self._group.patience)
        self._group.meet(self._torchs.next_rendezvous)
        assert self._group.met is not None
        return self._group.met

    @property
    def use_agent_store(self) -> bool:
        """Whether processes meet in the store of the machines."""
        return self._torchs.use_agent_store

    def get_backend(self) -> str:
        """The name that the agent asks for it by."""
        return _NAME

    def is_closed(self) -> bool:
        """Whether nobody can join any more."""
        return self._torchs.is_closed()

    def set_closed(self) -> None:
        """Let nobody join any more."""
        self._torchs.set_closed()

    def num_nodes_waiting(self) -> int:
        """How many machines want to join, or have left: then the processes start again."""
        waiting: int = self._torchs.num_nodes_waiting()
        met, state = self._group.met, getattr(self._torchs, "_state_holder", None) and self._torchs._state_holder.state
        if waiting or met is None:
            return waiting
        if state is not None and not state.closed:
            return max(met.world_size - len(state.participants), 0)
        self._group.check()
        return 0

    def get_run_id(self) -> str:
        """The job's name."""
        return self._torchs.get_run_id()

    def shutdown(self) -> bool:
        """Leave for good."""
        return self._torchs.shutdown()


def _rendezvous(asked: RendezvousParameters) -> RendezvousHandler:
    """What the agent asks for by the name `paddle_compat`."""
    settings = dict(asked.config)
    group, kind = settings.pop("group"), settings.pop("kind")
    torchs = RendezvousParameters(kind, asked.endpoint, asked.run_id, asked.min_nodes, asked.max_nodes, asked.local_addr, **settings)
    return _Rendezvous(get_rendezvous_handler(torchs), group)


rendezvous_handler_registry.register(_NAME, _rendezvous)
