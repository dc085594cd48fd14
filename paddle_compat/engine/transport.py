"""How trainers and parameter servers call each other: torch.distributed.rpc behind a small interface.

Only plain calls with CPU tensors travel; a call that fails on its way is made again, so that callee sees it at least once: what must happen
once is numbered by the caller. What the callee raises comes back as what it is.
"""

from __future__ import annotations

import fcntl
import os
import socket
import struct
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

import torch
from torch.distributed import rpc
from torch.distributed.rendezvous import register_rendezvous_handler

from paddle_compat.core import errors
from paddle_compat.core.job import Servers, returns, snapshots
from paddle_compat.engine.members import Member, Registry
from paddle_compat.engine.peers import address_towards

_TOKEN, _DEADLINE = "PADDLE_COMPAT_PS_TOKEN", "FLAGS_rpc_deadline"
_THREADS = 16  # that answer calls
SCHEME = "paddle-compat"
_AGAIN = "again"  # an answer: the world is being left
_MOMENT = 0.02  # seconds
_ENTRY = 20.0  # seconds at most until all that are led into a generation have met there
_GET_ADDRESS = 0x8915  # ioctl SIOCGIFADDR


def deadline() -> float:
    """Seconds that a call may take, as the environment says it in milliseconds."""
    return int(os.environ.get(_DEADLINE, 180_000)) / 1000


class Promise:
    """What `answer` gives where the answer comes later; what is called first counts."""

    def __init__(self) -> None:
        self.future: torch.futures.Future[tuple[str, Any]] = torch.futures.Future()
        self._once = threading.Lock()

    def give(self, value: Any) -> None:
        """Answer."""
        self._set("value", value)

    def fail(self, error: Exception) -> None:
        """Raise it in the caller."""
        self._set(type(error).__name__, str(error))

    def again(self) -> None:
        """Ask the caller to call again."""
        self._set(_AGAIN, None)

    def _set(self, kind: str, value: Any) -> None:
        with self._once:
            if not self.future.done():
                self.future.set_result((kind, value))


class Answer(Protocol):
    """The answer to a call that has been made."""

    def result(self) -> Any:
        """Wait for it."""
        ...


class Transport(Protocol):
    """What the parameter server needs to have of a way to call other processes.

    Attributes:
        name: this process's; `peers`: the names of all that are there now, this one included.
        lost: the names of those that died and did not come back; `done`: of the trainers that said that they are.
        over: whether the job is.
    """

    name: str

    @property
    def peers(self) -> Sequence[str]: ...
    @property
    def lost(self) -> set[str]: ...
    @property
    def done(self) -> set[str]: ...
    @property
    def over(self) -> bool: ...
    def join(self) -> None: ...
    def call(self, to: str, method: str, *arguments: Any) -> Any: ...
    def call_async(self, to: str, method: str, *arguments: Any) -> Answer: ...
    def leave(self, done: bool = True) -> None: ...


class RpcTransport:
    """A process of a job over torch.distributed.rpc, which has one world at a time.

    Args:
        name: "server0", "trainer1", ...
        names: of all members, servers first; `servers`: how many of them are.
        registry: the first server's endpoint.
        answer: what calls of other processes are given to, as method and arguments; it may return a `Promise`.
        interrupt: called when a world is left, to break such promises.
        token: that all processes of the job know.
        deadline: seconds that a call may take, tries included.
        patience: seconds for which others are waited for; `awaits`: for which the job waits for trainers that died.
        kept: the file in which the first server remembers who is done.
    """

    def __init__(
        self, name: str, names: Sequence[str], servers: int, registry: str, *, answer: Callable[..., Any] | None = None,
        interrupt: Callable[[], None] | None = None, token: str = "", deadline: float = 180.0, patience: float = 60.0,
        awaits: float = 0.0, kept: Path | None = None,
    ) -> None:  # fmt: skip
        self.name, self.names, self.servers, self.registry = name, list(names), servers, registry
        self.answer, self.interrupt, self.token = answer, interrupt, token
        self.deadline, self.patience, self.awaits, self.kept = deadline, patience, awaits, kept
        self.peers: list[str] = []
        self.open = threading.Lock()  # held while a call sets out, and while the world is left
        self._member: Member | None = None
        self._led: Registry | None = None

    @classmethod
    def of_job(
        cls, servers: Servers, name: str, answer: Callable[..., Any] | None = None, interrupt: Callable[[], None] | None = None
    ) -> RpcTransport:
        """The transport of one member of a job, which has the environment's token and deadline.

        Args:
            servers: the job.
            name: of the member; `answer`, `interrupt`: as above.
        """
        count = len(servers.endpoints)
        names = [*(f"server{i}" for i in range(count)), *(f"trainer{i}" for i in range(servers.trainers))]
        seconds, folder = deadline(), snapshots()
        return cls(
            name, names, count, servers.endpoints[0], answer=answer, interrupt=interrupt, token=os.environ.get(_TOKEN, ""),
            deadline=seconds, patience=seconds, awaits=returns(), kept=folder / "job.json" if folder else None,
        )  # fmt: skip

    @property
    def member(self) -> Member:
        """This process's place in the job.

        Raises:
            PreconditionNotMetError: it has not joined.
        """
        if self._member is None:
            raise errors.PreconditionNotMetError(f"{self.name} has not joined the job, or has left it")
        return self._member

    @property
    def lost(self) -> set[str]:
        """Who died and did not come back."""
        return self.member.lost

    @property
    def done(self) -> set[str]:
        """Which trainers said that they are done."""
        return self.member.done

    @property
    def over(self) -> bool:
        """Whether all trainers are done."""
        return self._member is None or self._member.over

    def join(self) -> None:
        """Join the job, and wait until all the others have.

        Raises:
            PreconditionNotMetError: this process is in a job already.
            ExecutionTimeoutError, UnavailableError, PermissionDeniedError: see `Member.wait`.
            OSError: the first server's port is taken.
        """
        global _serving
        if _serving is not None:
            raise errors.PreconditionNotMetError(f"This process is {_serving.name} of a job already")
        if self.name == self.names[0]:
            self._led = Registry(self.registry, self.names, self.servers, self.token, self.awaits, self.kept)
        _serving = self
        try:
            self._member = Member(self.name, self.registry, self._enter, self._leave, self.token, self.patience)
            self._member.wait()
        except BaseException:
            self.leave()
            raise

    def call(self, to: str, method: str, *arguments: Any) -> Any:
        """Call a process and wait for the answer."""
        return self.call_async(to, method, *arguments).result()

    def call_async(self, to: str, method: str, *arguments: Any) -> Answer:
        """Call a process.

        Args:
            to: its name.
            method, arguments: what its `answer` is given; tensors are on the CPU.
        Returns:
            Answer: whose `result()` gives the value, or raises what the callee raised, or UnavailableError after the deadline.
        """
        return _Call(self, to, method, arguments)

    def leave(self, done: bool = True) -> None:
        """Be done with the job, or be one that it lost."""
        global _serving
        if self._member is not None:
            self._member.finish(done)
        if self._led is not None:
            self._led.close()
        self._member = self._led = None
        if _serving is self:
            _serving = None

    def _enter(self, generation: int, host: str, port: int, names: list[str]) -> None:
        # One that dies on its way in lets the others wait there, without a way to stop them. They have to be free, to meet again, long
        # before anybody's patience ends. Calls say for themselves how long they may take.
        seconds = min(self.deadline / 3, self.patience / 3, _ENTRY)
        options = rpc.TensorPipeRpcBackendOptions(
            num_worker_threads=_THREADS, rpc_timeout=seconds, init_method=f"{SCHEME}://{host}:{port}", _transports=["uv"]
        )
        with self.open, interface(host), without_autograd():
            rpc._init_counter = generation  # a prefix of the store's keys: newcomers have counted less
            try:
                own, rank = _in_rpc(self.name, self.registry, generation), names.index(self.name)
                rpc.init_rpc(own, rank=rank, world_size=len(names), rpc_backend_options=options)
            except BaseException:
                _shut_down()
                raise
            self.peers = names

    def _leave(self) -> None:
        with self.open:
            self.peers = []
            if self.interrupt is not None:
                self.interrupt()
            _shut_down()


class _Call:
    """A call that is made again until it is answered."""

    def __init__(self, transport: RpcTransport, to: str, method: str, arguments: tuple[Any, ...]) -> None:
        self.transport, self.to, self.question = transport, to, (method, arguments)
        self.end = time.monotonic() + transport.deadline
        self.generation = 0
        self.future: Any = None
        self._start(0)

    def _start(self, after: int) -> None:
        """Set out in a generation that is newer than one."""
        self.generation = self.transport.member.wait(after, max(self.end - time.monotonic(), 0.0))
        self.future = None
        with self.transport.open, suppress(RuntimeError):  # one that cannot set out has failed like one that got lost
            to, seconds = _in_rpc(self.to, self.transport.registry, self.generation), max(self.end - time.monotonic(), 0.1)
            self.future = rpc.rpc_async(to, _answer, args=self.question, timeout=seconds)

    def result(self) -> Any:
        """Wait for the answer."""
        while True:
            reason, after = f"{self.to} is not there", self.generation
            if self.future is not None:
                try:
                    kind, value = self.future.wait()
                except RuntimeError as error:
                    reason = str(error).partition("\n")[0]
                else:
                    if kind == "value":
                        return value
                    if kind != _AGAIN:
                        raise _raised(kind, value)
                    after -= 1  # the callee may enter this generation a moment later than the caller
                    time.sleep(_MOMENT)
            try:
                self._start(after)
            except errors.ExecutionTimeoutError:
                raise errors.UnavailableError(
                    f"{self.to} did not answer {self.question[0]!r} of {self.transport.name} within {self.transport.deadline:g} s: {reason}"
                ) from None


_serving: RpcTransport | None = None


def _in_rpc(name: str, registry: str, generation: int) -> str:
    """What rpc knows a member by: it numbers its meetings by the names that take part, and newcomers to a job have met less often."""
    return f"{name}-{registry.rpartition(':')[2]}-{generation}"


def _store(url: str, **options: Any) -> Iterator[tuple[Any, int, int]]:
    """Where a generation meets: the registry's store, which listens at its own address alone."""
    said = urlsplit(url)
    store = torch.distributed.TCPStore(str(said.hostname), int(said.port or 0), is_master=False, wait_for_workers=False)
    yield store, -1, -1  # rpc knows the ranks


register_rendezvous_handler(SCHEME, _store)
warnings.filterwarnings("ignore", "You are using a Backend", UserWarning)  # rpc does


@rpc.functions.async_execution
def _answer(method: str, arguments: tuple[Any, ...]) -> Any:
    """Answer a call here; a failure is an answer, too."""
    promise = Promise()
    serving = _serving
    if serving is None or serving.answer is None or not serving.peers:
        promise.again()
        return promise.future
    try:
        value = serving.answer(method, *arguments)
    except Exception as error:
        promise.fail(error)
    else:
        if isinstance(value, Promise):
            return value.future
        promise.give(value)
    return promise.future


def _raised(kind: str, text: str) -> Exception:
    found = getattr(errors, kind, None)
    if isinstance(found, type) and issubclass(found, Exception):
        return found(text)
    return errors.ExternalError(f"{kind}: {text}")


def _shut_down() -> None:
    """Leave the world of rpc, if there is one, without waiting for others."""
    with suppress(RuntimeError):
        rpc.shutdown(graceful=False)


@contextmanager
def interface(host: str) -> Iterator[None]:
    """Let rpc listen only on the interface that leads to the other processes."""
    own = address_towards(host)
    found = next((name for _, name in socket.if_nameindex() if _address_of(name) == own), None)
    said = {name: found for name in ("TP_SOCKET_IFNAME", "GLOO_SOCKET_IFNAME") if found and name not in os.environ}
    os.environ.update(said)
    try:
        yield
    finally:
        for name in said:
            del os.environ[name]


@contextmanager
def without_autograd() -> Iterator[None]:
    """Keep rpc's autograd, which nobody uses, at the rank that it heard of first: it takes no other, and ranks change with the members."""
    module: Any = torch.distributed.autograd
    init = module._init

    def keep(rank: int) -> None:
        if not _ranks:
            _ranks.append(rank)
            init(rank)

    module._init = keep
    try:
        yield
    finally:
        module._init = init


_ranks: list[int] = []  # that one


def _address_of(interface: str) -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock, suppress(OSError):
        packed = fcntl.ioctl(sock.fileno(), _GET_ADDRESS, struct.pack("256s", interface[:15].encode()))
        return socket.inet_ntoa(packed[20:24])
    return ""
