"""Jobs with parameter servers: servers and trainers, each told Paddle's variables and started again; servers end when the trainers have."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from tempfile import TemporaryDirectory
from typing import Any

from torch.distributed.elastic.multiprocessing import SignalException

from paddle_compat.core.errors import UnsupportedError, invalid_argument
from paddle_compat.core.job import RETURNS, SNAPSHOTS, goes_on
from paddle_compat.distributed.launch._addresses import free_ports, own_address
from paddle_compat.distributed.launch._options import Options
from paddle_compat.distributed.launch._workers import Follower, Workers, command, status_of

_LOCAL = "127.0.0.1"
_TOKEN = "PADDLE_COMPAT_PS_TOKEN"
_GRACE = 30  # seconds that servers have to end by themselves once the workers have
_HASTE = 5  # the same after Ctrl-C, for all
_RETURN = 180  # seconds that servers wait for a trainer that is being started again
_POLL = 0.1  # seconds


def run(options: Options) -> int:
    """Run this machine's servers and trainers.

    Args:
        options: of the launcher.
    Returns:
        The status to exit with.
    Raises:
        UnsupportedError: several machines whose servers and trainers are not named.
        InvalidArgumentError: none of them is on this machine.
    """
    servers, trainers = _endpoints(options)
    mine = {options.host, _LOCAL, "localhost", own_address()} if options.host in (None, _LOCAL) else {options.host}
    variables = [
        *({"TRAINING_ROLE": "PSERVER", **_of(each)} for each in servers if _host(each) in mine),
        *({"TRAINING_ROLE": "TRAINER", "PADDLE_TRAINER_ID": str(i), **_of(each)} for i, each in enumerate(trainers) if _host(each) in mine),
    ]
    if not variables:
        raise invalid_argument("--host", "the address of one of --servers or --trainers", options.host or own_address())
    with ExitStack() as stack:
        shared = {
            "PADDLE_PSERVERS_IP_PORT_LIST": ",".join(servers), "PADDLE_TRAINERS_NUM": str(len(trainers)),
            "PADDLE_TRAINER_ENDPOINTS": ",".join(trainers), "PADDLE_NNODES": str(len({_host(one) for one in (*servers, *trainers)})),
            # what Paddle's launcher says of gloo, for scripts that ask for it: here workers meet through the first server
            "PADDLE_GLOO_RENDEZVOUS": "3", "PADDLE_WITH_GLOO": os.environ.get("PADDLE_WITH_GLOO", "1"),
            "TORCH_CPP_LOG_LEVEL": os.environ.get("TORCH_CPP_LOG_LEVEL", "ERROR"),  # rpc warns of every process that leaves
        }  # fmt: skip
        if len(variables) == len(servers) + len(trainers) and not os.environ.get(_TOKEN):
            shared[_TOKEN] = secrets.token_hex(16)  # nobody else has to know it
        if options.restarts:
            shared |= _for_restarts(options, stack)
        for each in variables:
            each.update(shared, PADDLE_ROLE=each["TRAINING_ROLE"])
        here = [each for each in variables if each["TRAINING_ROLE"] == "PSERVER"]
        jobs = [_Process("server", i, each, options) for i, each in enumerate(here)]
        jobs += [_Process("worker", i, each, options) for i, each in enumerate(variables[len(here) :])]
        return _run(jobs, options)


def _run(processes: list[_Process], options: Options) -> int:
    followed = processes[0].log if options.follow else None
    handlers = {name: signal.signal(name, _interrupt) for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)}
    try:
        with Follower(followed, sys.stdout):
            for each in processes:
                each.start()
            failed = _watch(processes, options.restarts)
            _end(processes, signal.SIGTERM, _GRACE)
    except SignalException as interrupted:
        _end(processes, interrupted.sigval, int(os.environ.get("TORCH_ELASTIC_SHUTDOWN_TIMEOUT", _HASTE)))
        print(f"ended by {interrupted.sigval.name}, and all processes with it", file=sys.stderr)
        return status_of(-interrupted.sigval)
    finally:
        for name, handler in handlers.items():
            signal.signal(name, handler)
    if failed is None:
        return 0
    print(f"{failed} failed with exit code {failed.status}; the other processes were ended{failed.said()}", file=sys.stderr)
    if failed.log and options.follow and failed.log != followed:
        failed.logs.show_end(0, sys.stdout)
    return status_of(failed.status or 0)


class _Process:
    """A server or a worker, which may be started again.

    Args:
        role: "server" or "worker".
        number: among those of this machine.
        variables: of its environment.
        options: of the launcher.
    """

    def __init__(self, role: str, number: int, variables: dict[str, str], options: Options) -> None:
        self.role, self.number, self.words = role, number, command(options)
        self.logs = Workers(options, [f"{role}log.{number}"], lambda envs: {0: variables})
        self.log = self.logs.files[0] if self.logs.files else None
        self.starts = 0
        self._popen: subprocess.Popen[bytes] | None = None

    def __str__(self) -> str:
        return f"{self.role} {self.number}"

    @property
    def status(self) -> int | None:
        """What it exited with; None: it runs, or has never been started."""
        return self._popen.poll() if self._popen is not None else None

    def said(self) -> str:
        """Where to read more."""
        return f". Its log: {self.log}" if self.log else ""

    def start(self) -> None:
        """Start it, once more."""
        own: dict[int, dict[str, str]] = {0: {}}
        self.logs.reify(own)
        environment = {**os.environ, **own[0], "TORCHELASTIC_RESTART_COUNT": str(self.starts)}
        self._popen = subprocess.Popen([sys.executable, *self.words], env=environment, start_new_session=True)
        self.starts += 1

    def signal(self, number: int) -> None:
        """Send it a signal, and those that it has started."""
        if self._popen is not None and self._popen.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(self._popen.pid, number)


def _watch(processes: Sequence[_Process], restarts: int) -> _Process | None:
    """Start again what fails, until the workers have ended (where none is here, the servers), or one fails too often; that one."""
    last = [each for each in processes if each.role == "worker"] or processes
    failed: _Process | None = None
    while not all(each.status == 0 or each is failed for each in last):
        for each in processes:
            if not each.status or each is failed:
                continue
            if each.starts <= restarts:
                print(f"{each} failed with exit code {each.status}; it is started again, {each.starts} of {restarts}", file=sys.stderr)
                each.start()
                for other in processes:
                    if other.role == "server" and other.status == 0:  # it took the job for over
                        other.start()
            elif failed is None and each.role == "worker" and goes_on():
                print(f"{each} failed with exit code {each.status}; the others go on without it{each.said()}", file=sys.stderr)
                failed = each
            else:
                return failed or each
        time.sleep(_POLL)
    return failed


def _end(processes: Sequence[_Process], number: int, seconds: float) -> None:
    """Ask processes to end, and end those that have not in time."""
    with suppress(SignalException):  # whoever asks twice does not want to wait
        for each in processes:
            each.signal(number)
        end = time.monotonic() + seconds
        while any(each.status is None for each in processes if each.starts) and time.monotonic() < end:
            time.sleep(_POLL)
    for each in processes:
        each.signal(signal.SIGKILL)
    while any(each.status is None for each in processes if each.starts):
        time.sleep(_POLL)


def _interrupt(number: int, frame: Any) -> None:
    """Let a signal end the watch."""
    raise SignalException(f"Process {os.getpid()} got signal {number}", signal.Signals(number))


def _for_restarts(options: Options, stack: ExitStack) -> dict[str, str]:
    """What servers and trainers are told where they may be started again."""
    said = {name: value for name, value in ((each, os.environ.get(each)) for each in (SNAPSHOTS, RETURNS)) if value}
    if SNAPSHOTS not in said:  # this job's own: the next one begins anew
        if options.log_dir:
            os.makedirs(options.log_dir, exist_ok=True)
        said[SNAPSHOTS] = stack.enter_context(TemporaryDirectory(prefix="snapshots-", dir=options.log_dir, ignore_cleanup_errors=True))
    return {RETURNS: str(_RETURN), **said, SNAPSHOTS: os.path.abspath(said[SNAPSHOTS])}


def _endpoints(options: Options) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Of all servers and of all trainers, in order."""
    if (options.nodes[1] > 1 or len(options.ips) > 1) and not (options.servers and options.trainers):
        raise UnsupportedError("paddle.distributed.launch", "--server_num on several machines", "--servers and --trainers")
    host = options.host or _LOCAL
    lacking = (0 if options.servers else options.server_num) + (0 if options.trainers else options.trainer_num)
    ports = list(range(options.start_port, options.start_port + lacking)) if options.start_port else free_ports(lacking)
    found = [f"{host}:{port}" for port in ports]
    servers = options.servers or tuple(found[: options.server_num])
    trainers = options.trainers or tuple(found[len(found) - options.trainer_num :])
    for name, each in (("servers", servers), ("trainers", trainers)):
        if len(set(each)) < len(each) or not all(one.rpartition(":")[2].isdecimal() for one in each):
            raise invalid_argument(f"--{name}", "address:port of each, and no two the same", ",".join(each))
    return servers, trainers


def _of(endpoint: str) -> dict[str, str]:
    host, _, port = endpoint.rpartition(":")
    return {"POD_IP": host, "PADDLE_PORT": port}


def _host(endpoint: str) -> str:
    return endpoint.rpartition(":")[0]
