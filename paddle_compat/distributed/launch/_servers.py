"""Jobs with parameter servers: servers and trainers, each told Paddle's variables; servers end when the trainers have."""

from __future__ import annotations

import sys
import time
from typing import Any

from torch.distributed.elastic.multiprocessing import PContext, RunProcsResult, SignalException, start_processes

from paddle_compat.core.errors import UnsupportedError, invalid_argument
from paddle_compat.distributed.launch._addresses import free_ports, own_address
from paddle_compat.distributed.launch._options import Options
from paddle_compat.distributed.launch._workers import Follower, Workers, command, status_of

_LOCAL = "127.0.0.1"
_GRACE = 10  # seconds that a server has to leave by itself once it is asked to


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
    for each in variables:
        each.update(
            PADDLE_PSERVERS_IP_PORT_LIST=",".join(servers), PADDLE_TRAINERS_NUM=str(len(trainers)), PADDLE_ROLE=each["TRAINING_ROLE"],
            PADDLE_TRAINER_ENDPOINTS=",".join(trainers), PADDLE_NNODES=str(len({_host(one) for one in (*servers, *trainers)})),
        )  # fmt: skip
    count = sum(each["TRAINING_ROLE"] == "PSERVER" for each in variables)
    roles = {"server": variables[:count], "worker": variables[count:]}
    logs = {role: Workers(options, [f"{role}log.{i}" for i in range(len(found))], _told(found)) for role, found in roles.items()}
    first = next(role for role in roles if roles[role])
    followed = logs[first].files[0] if options.follow and logs[first].files else None
    running: dict[str, PContext] = {}
    try:
        with Follower(followed, sys.stdout):
            for role, found in roles.items():
                if found:
                    running[role] = _start(role, found, options, logs[role])
            role, result = _first_end(running)
            for context in running.values():
                context.close(timeout=_GRACE)
    except SignalException as signal:
        for context in running.values():
            context.close(signal.sigval, timeout=_GRACE)
        print(f"ended by {signal.sigval.name}, and all processes with it", file=sys.stderr)
        return status_of(-signal.sigval)
    if not result.is_failed():
        return 0
    failure = min(result.failures.values(), key=lambda each: each.timestamp)
    log = logs[role].files[failure.local_rank] if logs[role].files else None
    print(
        f"{role} {failure.local_rank} failed with exit code {failure.exitcode}; the other processes were ended"
        + (f". Its log: {log}" if log else ""),
        file=sys.stderr,
    )
    if log and options.follow and log != followed:
        logs[role].show_end(failure.local_rank, sys.stdout)
    return status_of(failure.exitcode)


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


def _first_end(running: dict[str, PContext]) -> tuple[str, RunProcsResult]:
    """Whose end decides: a failure, or that the trainers have ended (where none is here, the servers)."""
    last = "worker" if "worker" in running else "server"
    ended: dict[str, RunProcsResult] = {}
    while True:
        for role, context in running.items():
            if role not in ended:
                result = context.wait(0)
                if result is not None:
                    ended[role] = result
                    if result.is_failed() or role == last:
                        return role, result
        time.sleep(0.1)


def _start(role: str, variables: list[dict[str, str]], options: Options, logs: Workers) -> PContext:
    words = command(options)
    args: dict[int, tuple[Any, ...]] = dict.fromkeys(range(len(variables)), words)
    return start_processes(role, sys.executable, args, {i: {} for i in args}, logs)


def _told(found: list[dict[str, str]]) -> Any:
    return lambda envs: dict(enumerate(found))


def _of(endpoint: str) -> dict[str, str]:
    host, _, port = endpoint.rpartition(":")
    return {"POD_IP": host, "PADDLE_PORT": port}


def _host(endpoint: str) -> str:
    return endpoint.rpartition(":")[0]
