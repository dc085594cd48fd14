"""The job that this process is one of, as the launcher tells it in the environment: torchrun's spelling or Paddle's, each from the other.

    torchrun                     Paddle
    RANK                         PADDLE_TRAINER_ID, PADDLE_GLOBAL_RANK
    WORLD_SIZE                   PADDLE_TRAINERS_NUM, PADDLE_GLOBAL_SIZE
    LOCAL_RANK                   PADDLE_RANK_IN_NODE, PADDLE_LOCAL_RANK
    LOCAL_WORLD_SIZE             PADDLE_LOCAL_SIZE
    MASTER_ADDR, MASTER_PORT     PADDLE_MASTER, else the first of PADDLE_TRAINER_ENDPOINTS

Processes have an endpoint each in Paddle and none under torchrun, where the ones given here only tell processes apart: the master's
address with a port of its own for each rank. Nothing but the first is ever connected to.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from paddle_compat.core import ending as ending  # which is to be there before scripts register what they do at their end
from paddle_compat.core.errors import EnforceNotMet, InvalidArgumentError

_RANK = ("RANK", "PADDLE_TRAINER_ID", "PADDLE_GLOBAL_RANK")
_SIZE = ("WORLD_SIZE", "PADDLE_TRAINERS_NUM", "PADDLE_GLOBAL_SIZE")
_LOCAL_RANK = ("LOCAL_RANK", "PADDLE_RANK_IN_NODE", "PADDLE_LOCAL_RANK")
_LOCAL_SIZE = ("LOCAL_WORLD_SIZE", "PADDLE_LOCAL_SIZE")
_ENDPOINTS, _ENDPOINT = "PADDLE_TRAINER_ENDPOINTS", "PADDLE_CURRENT_ENDPOINT"
_DERIVED = "PADDLE_COMPAT_DERIVED"  # what complete_environment() wrote, as JSON: no word of the user's, here and in child processes
MEETING = "PADDLE_COMPAT_MEETING"  # a word of our launcher's that is another one each time that the processes of a job start anew
SNAPSHOTS = "PADDLE_COMPAT_PS_SNAPSHOTS"  # the folder of what parameter servers keep, should they be started again
RETURNS = "PADDLE_COMPAT_PS_RETURNS"  # seconds that a trainer that died has to be started again; none: nobody starts it
GOES_ON = "PADDLE_COMPAT_PS_GOES_ON"  # whether a job with parameter servers goes on without trainers that died
_SERVERS = ("PADDLE_PSERVERS_IP_PORT_LIST", "PADDLE_PORT", "TRAINING_ROLE")
_FORGOTTEN = (_DERIVED, MEETING, "MASTER_ADDR", "MASTER_PORT", "PADDLE_MASTER", *_SERVERS)
_PORTS = 1 << 16


class Job(NamedTuple):
    """One process and its peers.

    Attributes:
        rank: this process's number; size: how many there are.
        local_rank, local_size: the same among those of this machine.
        endpoints: "host:port" of each, by rank; none where nobody named them.
        endpoint: this process's own, or "".
    """

    rank: int = 0
    size: int = 1
    local_rank: int = 0
    local_size: int = 1
    endpoints: tuple[str, ...] = ()
    endpoint: str = ""


class Servers(NamedTuple):
    """The parameter servers that a Program's trainers and servers meet.

    Attributes:
        endpoints: "host:port" of each, by number.
        trainers: how many there are.
        trainer: the number of the one whose Program it is.
    """

    endpoints: tuple[str, ...]
    trainers: int
    trainer: int = 0


def job() -> Job:
    """What the environment says about this process now; a job of one where it says nothing.

    Returns:
        Job: rank, size, local_rank, local_size, endpoints and endpoint. A parameter server counts as rank 0 of the trainers.
    Raises:
        InvalidArgumentError: a variable is no number or out of its range, endpoints repeat or do not fit the size or the
            rank, or torchrun's variables and Paddle's contradict each other.
    """
    said = environment()
    endpoints = tuple(part.strip() for part in said.get(_ENDPOINTS, "").split(",") if part.strip())
    if len(set(endpoints)) < len(endpoints):
        raise _wrong(_ENDPOINTS, "endpoints that differ", said[_ENDPOINTS])
    size = _number(said, _SIZE, len(endpoints) or 1, lambda n: n > 0, "a positive number")
    if endpoints and not any(name in said for name in _RANK):
        size = len(endpoints)  # no launcher says these and leaves the number out; Paddle counts the workers by endpoints alone
    if endpoints and len(endpoints) != size:
        raise _wrong(_ENDPOINTS, f"{size} endpoints, as {_first(said, _SIZE)} says", f"{len(endpoints)} ({said[_ENDPOINTS]})")
    own = said.get(_ENDPOINT, "")
    guess = endpoints.index(own) if own in endpoints else 0
    rank = _number(said, _RANK, guess, lambda n: 0 <= n < size, f"a number from 0 to {size - 1}, {size} processes being there")
    if _is_server(said):
        return Job(rank, size, 0, 1, endpoints, own or f"{said.get('POD_IP', '')}:{said.get('PADDLE_PORT', '')}".strip(":"))
    if not endpoints and not has_servers():
        endpoints = _numbered(said, size)
    if own and endpoints and endpoints[rank] != own:
        raise _wrong(_ENDPOINT, f"{endpoints[rank]}, which is number {rank} of {_ENDPOINTS}", own)
    endpoint = endpoints[rank] if endpoints else own
    here = [i for i, each in enumerate(endpoints) if _host(each) == _host(endpoint)] if _ENDPOINTS in said else list(range(size))
    local_size = _number(said, _LOCAL_SIZE, len(here) or 1, lambda n: 0 < n <= size, f"a number from 1 to {size}")
    place = here.index(rank) if rank in here else 0
    local_rank = _number(said, _LOCAL_RANK, place % local_size, lambda n: 0 <= n < local_size, f"a number from 0 to {local_size - 1}")
    return Job(rank, size, local_rank, local_size, endpoints, endpoint)


def has_servers() -> bool:
    """Whether this is a job with parameter servers, whose trainers do not meet one another."""
    return bool(os.environ.get("PADDLE_PSERVERS_IP_PORT_LIST")) or _is_server(os.environ)


def snapshots() -> Path | None:
    """The folder of a parameter-server job's snapshots."""
    folder = os.environ.get(SNAPSHOTS)
    return Path(folder) if folder else None


def goes_on() -> bool:
    """Whether a parameter-server job goes on without trainers that died, where it could not otherwise."""
    said = os.environ.get(GOES_ON, "").lower()
    if said not in ("", "0", "1", "true", "false"):
        raise _wrong(GOES_ON, "0 or 1", said)
    return said in ("1", "true")


def returns() -> float:
    """Seconds that a trainer of a parameter-server job that died has to come back."""
    return _number(os.environ, (RETURNS,), 0, lambda n: n >= 0, "seconds") if RETURNS in os.environ else 0


def complete_environment() -> None:
    """Write into `os.environ` what one launcher's variables say in the other's spelling; nothing where no job is.

    What is there stays. Where the variables contradict each other nothing is written: whoever asks for the job is told. In a
    job with parameter servers torchrun's variables are not written, as its trainers make no group.
    """
    said = environment()
    if not any(name in said for name in (*_RANK, *_SIZE, _ENDPOINTS)) or has_servers():
        return
    try:
        found = job()
    except EnforceNotMet:
        return
    values: dict[str, object] = {}
    for names, value in zip((_RANK, _SIZE, _LOCAL_RANK, _LOCAL_SIZE), found[:4]):
        values |= dict.fromkeys(names, value)
    values["PADDLE_NNODES"] = -(-found.size // found.local_size)
    if found.local_size > 1:
        values["FLAGS_selected_gpus"] = found.local_rank
    if found.endpoints:
        values |= {_ENDPOINTS: ",".join(found.endpoints), _ENDPOINT: found.endpoint}
        master = said.get("PADDLE_MASTER") or found.endpoints[0]
        host, _, port = master.rpartition(":")
        values |= {"PADDLE_MASTER": master, "MASTER_ADDR": host, "MASTER_PORT": port}
        if "MASTER_ADDR" in said and "MASTER_PORT" in said:
            values["PADDLE_MASTER"] = f"{said['MASTER_ADDR']}:{said['MASTER_PORT']}"
    written = {name: str(value) for name, value in values.items() if name not in said}
    os.environ.update(written)
    os.environ[_DERIVED] = json.dumps(written)


def forget() -> None:
    """Take the job out of `os.environ`: this process starts one of its own."""
    names = {*_RANK, *_SIZE, *_LOCAL_RANK, *_LOCAL_SIZE, _ENDPOINTS, _ENDPOINT, *_FORGOTTEN, *json.loads(os.environ.get(_DERIVED) or "{}")}
    for name in names:
        os.environ.pop(name, None)


def environment() -> dict[str, str]:
    """The environment without what was derived, whether in this process or in the one that started it, and without empty words."""
    derived = json.loads(os.environ.get(_DERIVED) or "{}")
    return {name: value for name, value in os.environ.items() if value and derived.get(name) != value}


def _numbered(said: Mapping[str, str], size: int) -> tuple[str, ...]:
    """Endpoints for processes that have none of their own."""
    host, _, port = said.get("PADDLE_MASTER", "").rpartition(":")
    host, port = said.get("MASTER_ADDR", host), said.get("MASTER_PORT", port)
    if not host or not port:
        return ()
    first = _number({"MASTER_PORT": port}, ("MASTER_PORT",), 0, lambda n: 0 <= n < _PORTS, "a port")
    if first + size > _PORTS:  # the others lie below it
        return tuple(f"{host}:{first - i}" for i in range(size))
    return tuple(f"{host}:{first + i}" for i in range(size))


def _number(said: Mapping[str, str], names: tuple[str, ...], default: int, fits: Callable[[int], bool], expected: str) -> int:
    """What the first of the names says; the others must say the same."""
    found = default
    given = _first(said, names)
    for name in names:
        if name not in said:
            continue
        try:
            value = int(said[name])
        except ValueError:
            raise _wrong(name, expected, said[name]) from None
        if not fits(value):
            raise _wrong(name, expected, said[name])
        if name == given:
            found = value
        elif value != found:
            raise _wrong(name, f"{found}, as {given} says", said[name])
    return found


def _first(said: Mapping[str, str], names: tuple[str, ...]) -> str:
    return next((name for name in names if name in said), names[0])


def _is_server(said: Mapping[str, str]) -> bool:
    return said.get("TRAINING_ROLE") == "PSERVER"


def _host(endpoint: str) -> str:
    return endpoint.rpartition(":")[0]


def _wrong(variable: str, expected: str, received: str) -> InvalidArgumentError:
    return InvalidArgumentError(f"Invalid value for environment variable `{variable}`. Expected {expected}. Received: {received}")
