"""The processes that call one another's functions: who they are, where they meet, and torch.distributed.rpc between them."""

from __future__ import annotations

import contextlib
import os
import socket
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any, NamedTuple

import torch
from torch.distributed import rpc

from paddle_compat.core import errors
from paddle_compat.engine.peers import address_towards
from paddle_compat.engine.transport import SCHEME, interface, without_autograd

_THREADS = 16  # that answer calls
_LEFT = "left"  # how many have left, at the place where they met
_LAST_SECONDS = 20.0  # that process 0 waits for them: one may have died
_TIMEOUTS = ("RPC ran into a timeout", "RPC ran for more than set timeout")  # the callee says one, the caller the other


class WorkerInfo(NamedTuple):
    """A process that can be called.

    Example:
        >>> from paddle_compat.distributed import rpc
        >>> rpc.get_worker_info("worker1").ip  # doctest: +SKIP
        '127.0.0.1'

    Follows Paddle 2.6.
    """

    name: str
    rank: int
    ip: str
    port: int

    def __repr__(self) -> str:
        return f"{{name: {self.name}, rank: {self.rank}, ip: {self.ip}, port: {self.port}}}"


class World:
    """This process among the others.

    Args:
        name: its own name, which nobody else has.
        rank: its number.
        size: how many there are.
        host, port: where process 0 lets them meet.
        own: the address that it tells the others, if it was given one.
        seconds: that the others may take to come.
    Raises:
        AlreadyExistsError: another process has the name.
        ExecutionTimeoutError: not all have come in time.
        OSError: process 0 cannot have the address.
    """

    def __init__(self, name: str, rank: int, size: int, host: str, port: int, own: str | None, seconds: float) -> None:
        patience = timedelta(seconds=seconds)
        # under a launcher of torch its agent lets the workers meet already
        leads = rank == 0 and os.environ.get("TORCHELASTIC_USE_AGENT_STORE") != "True"
        door = {"master_listen_fd": socket.create_server((host, port), backlog=128).detach()} if leads else {}
        try:
            base = torch.distributed.TCPStore(host, port, is_master=leads, wait_for_workers=False, timeout=patience, **door)  # type: ignore[arg-type]
            self._store = torch.distributed.PrefixStore("paddle_compat/rpc", base)
            ip, said = own.split(":") if own else (address_towards(host), "0")
            self._store.set(str(rank), f"{name}|{ip}|{said}")
            found = [self._store.get(str(each)).decode().split("|") for each in range(size)]
        except (TimeoutError, torch.distributed.DistStoreError, torch.distributed.DistNetworkError) as error:
            reason = str(error).partition("\n")[0]
            raise errors.ExecutionTimeoutError(f"Worker {name!r} ({rank} of {size}) waited in vain at {host}:{port}: {reason}") from error
        self.workers = {who: WorkerInfo(who, number, where, int(at)) for number, (who, where, at) in enumerate(found)}
        if len(self.workers) < size:
            names = [who for who, *_ in found]
            raise errors.AlreadyExistsError(f"The names of workers must be unique. Received: {names}")
        self.own = self.workers[name]
        self._meeting = host, port, seconds

    def enter(self) -> None:
        """Let the others call, and wait until all can be called."""
        host, port, seconds = self._meeting
        options = rpc.TensorPipeRpcBackendOptions(
            num_worker_threads=_THREADS, rpc_timeout=seconds, init_method=f"{SCHEME}://{host}:{port}", _transports=["uv"]
        )
        with interface(host), without_autograd():
            rpc.init_rpc(self.own.name, rank=self.own.rank, world_size=len(self.workers), rpc_backend_options=options)

    def info(self, name: str) -> WorkerInfo:
        """Who has a name.

        Raises:
            NotFoundError: nobody.
        """
        if name not in self.workers:
            raise errors.NotFoundError(f"There is no worker {name!r}. Expected one of {list(self.workers)}")
        return self.workers[name]

    def call(self, to: str, function: Callable[..., Any], args: Any, kwargs: Any, seconds: float) -> Answer:
        """Begin a call; without end where the seconds are not positive."""
        words = f"{to!r} to call {getattr(function, '__name__', function)!r}"
        return Answer(rpc.rpc_async(self.info(to).name, function, args=args, kwargs=kwargs, timeout=max(seconds, 0.0)), words, seconds)

    def leave(self) -> None:
        """Wait until nobody calls any more, and go: process 0 last, as the others still read at its place that all are through."""
        rpc.shutdown()
        if self.own.rank:
            with contextlib.suppress(torch.distributed.DistNetworkError):  # nobody waits for this one any more
                self._store.add(_LEFT, 1)
            return
        until = time.monotonic() + _LAST_SECONDS
        while self._store.add(_LEFT, 0) < len(self.workers) - 1 and time.monotonic() < until:
            time.sleep(0.005)


class Answer:
    """What a call will give."""

    def __init__(self, future: Any, words: str, seconds: float) -> None:
        self._future, self._words, self._seconds = future, words, seconds

    def wait(self) -> Any:
        """The value.

        Raises:
            ExecutionTimeoutError: the time is over.
            UnavailableError: the other process is gone.
            Exception: what the function raised there.
        """
        try:
            return self._future.wait()
        except RuntimeError as error:
            said = str(error)
            if any(each in said for each in _TIMEOUTS):
                raise errors.ExecutionTimeoutError(f"Asked {self._words}. Expected an answer within {self._seconds:g} s") from None
            if type(error) is RuntimeError and "On WorkerInfo" not in said:
                raise errors.UnavailableError(f"Asked {self._words} in vain: {said.partition(chr(10))[0]}") from None
            raise
