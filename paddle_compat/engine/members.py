"""Who takes part in a job with parameter servers, by generations.

A world of torch.distributed.rpc forgives nothing: nobody who died comes back into it. So whoever joins a job that has begun makes a new
*generation*: all leave their world, and enter the next one together. The first server runs the `Registry` at its endpoint; each process,
that server included, has a `Member`, whose connection to the registry the operating system closes when the process dies, in whatever way.

They send each other lines of JSON: nothing is unpickled here, and who cannot prove that it knows the job's token is told nothing.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import os
import secrets
import selectors
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import torch

from paddle_compat.core.errors import EnforceNotMet, ExecutionTimeoutError, PermissionDeniedError, UnavailableError
from paddle_compat.core.pickles import remove_drafts, replacing

_log = logging.getLogger(__name__)
_LONGEST = 1 << 16  # bytes of a line
_POLL = 0.1  # seconds
_PARTING = 30.0


def _proof(token: str, nonce: str, name: str) -> str:
    return hmac.new(token.encode(), f"{nonce} {name}".encode(errors="replace"), hashlib.sha256).hexdigest()


class _Line:
    """A connection that carries lines of JSON."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock, self.read = sock, b""
        self.name = ""  # of the member at the other end, once it is known
        self.nonce = secrets.token_hex(16)
        self.inside = 0  # the generation that the member is in; 0: none
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)  # a machine that lost its power closes nothing
        for option, value in (("TCP_KEEPIDLE", 10), ("TCP_KEEPINTVL", 5), ("TCP_KEEPCNT", 3)):
            if hasattr(socket, option):
                sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, **message: Any) -> None:
        with suppress(OSError):  # whoever reads from it is told that it is broken
            self.sock.sendall(json.dumps(message).encode() + b"\n")

    def receive(self) -> list[dict[str, Any]]:
        """The messages that have come; waits for some.

        Raises:
            OSError: the other end is gone, or speaks another language.
        """
        data = self.sock.recv(_LONGEST)
        *lines, self.read = (self.read + data).split(b"\n")
        if not data or len(self.read) > _LONGEST:
            raise ConnectionError("closed")
        try:
            found = [json.loads(line) for line in lines]
        except (ValueError, RecursionError):
            raise ConnectionError("no JSON") from None
        if not all(isinstance(message, dict) for message in found):
            raise ConnectionError("no message")
        return found


class Registry:
    """The first server's list of the members, which leads them from one generation to the next.

    Args:
        endpoint: "host:port" to listen at.
        names: of all members, servers first: their order is that of the ranks in a world.
        servers: how many of them are servers. The job ends when the others are done.
        token: that members have to know.
        patience: seconds for which the job waits for trainers that died, before it ends without them.
        kept: the file that remembers, should this server be started again, who is done and who died.
    """

    def __init__(
        self, endpoint: str, names: Sequence[str], servers: int, token: str = "", patience: float = 0.0, kept: Path | None = None
    ) -> None:
        self.names, self.servers, self.token, self.patience, self.kept = list(names), servers, token, patience, kept
        self.host, _, port = endpoint.rpartition(":")
        self.generation, self.done, self.opened = 0, set[str](), False
        self.lost: dict[str, float] = {}  # the members that died, and when
        if kept is not None and kept.exists():
            state = json.loads(kept.read_text())
            self.generation, self.done, self.opened = state["generation"], set(state["done"]), True
            self.lost = dict.fromkeys(state["lost"], time.monotonic())
        self.lines: list[_Line] = []
        self.entering: list[str] = []  # who was led into the newest generation, while not all of them said that they are in it
        self.over = False  # the job is
        self.store: Any = None
        self.since = time.monotonic()
        self.selector = selectors.DefaultSelector()
        self.listener = socket.create_server((self.host, int(port)), backlog=128)
        self.selector.register(self.listener, selectors.EVENT_READ)
        self.closed = False
        os.register_at_fork(after_in_child=self._forget)
        self.thread = threading.Thread(target=self._run, name="paddle_compat registry", daemon=True)
        self.thread.start()

    def close(self) -> None:
        """Listen no longer."""
        self.closed = True
        self.thread.join()

    def _forget(self) -> None:
        """In a child process, whose copies of the connections would keep them, and the port, alive."""
        for each in (self.listener, *(line.sock for line in self.lines)):
            each.close()

    def _run(self) -> None:
        while not self.closed:
            for key, _ in self.selector.select(_POLL):
                if key.fileobj is self.listener:
                    self._accept()
                else:
                    self._read(key.data)
            self._lead()
        for line in [*self.lines]:
            self.selector.unregister(line.sock)
            line.sock.close()
        self.selector.close()
        self.listener.close()

    def _accept(self) -> None:
        with suppress(OSError):  # gone before it was greeted
            sock, _ = self.listener.accept()
            line = _Line(sock)
            self.lines.append(line)
            self.selector.register(sock, selectors.EVENT_READ, line)
            line.send(nonce=line.nonce)

    def _read(self, line: _Line) -> None:
        try:
            for message in line.receive():
                if line.name:
                    self._hear(line, message)
                else:
                    self._admit(line, message)
        except OSError:
            self._drop(line)

    def _admit(self, line: _Line, message: dict[str, Any]) -> None:
        name, proof = str(message.get("name")), str(message.get("proof"))
        refusal = ""
        if not hmac.compare_digest(proof.encode(errors="replace"), _proof(self.token, line.nonce, name).encode()):
            refusal = "its token (PADDLE_COMPAT_PS_TOKEN) is not the job's"
        elif name not in self.names:
            refusal = f"the job has {len(self.names) - self.servers} trainers and {self.servers} servers, and no {name}"
        elif any(other.name == name for other in self.lines):
            refusal = f"there is a {name} already"
        if refusal:
            _log.warning("Refused %s from %s: %s.", name[:40], line.sock.getpeername()[0], refusal)
            line.send(refused=refusal)
            raise ConnectionError(refusal)
        line.name = name
        self.generation = max(self.generation, int(message.get("generation", 0)))
        self.opened = self.opened or self.generation > 0
        self.lost.pop(name, None)
        self.done.discard(name)
        self.since = time.monotonic()
        self._tell_who_is_missing()

    def _hear(self, line: _Line, message: dict[str, Any]) -> None:
        if "inside" in message:
            line.inside = int(message["inside"])
        if "failed" in message and message["generation"] == self.generation:
            _log.warning("%s could not enter generation %d: %s", line.name, self.generation, message["failed"])
            self.entering = []
        if message.get("done") and line.name in self.names[self.servers :]:
            self.done.add(line.name)
            self._keep()
            self._tell(done=[line.name])
            self._drop(line)

    def _drop(self, line: _Line) -> None:
        self.selector.unregister(line.sock)
        self.lines.remove(line)
        line.sock.close()
        if line.name and line.name not in self.done:
            self.lost[line.name] = time.monotonic()
            self._keep()
            self._tell(lost=[line.name])
            self._tell_who_is_missing()

    def _tell(self, **message: Any) -> None:
        for line in self.lines:
            if line.name:
                line.send(**message)

    def _expected(self) -> list[str]:
        """Whom a generation cannot begin without.

        That is everybody at first, and later the servers. Trainers that died make another one when they come back; those of whom a server
        that was started again knows nothing get a while.
        """
        waits = not self.opened or time.monotonic() - self.since < self.patience
        there = {line.name for line in self.lines}
        absent = self.done | (self.lost.keys() if self.opened else set())
        return [
            name for i, name in enumerate(self.names)
            if name in there or i < self.servers or (waits and name not in absent)
        ]  # fmt: skip

    def _tell_who_is_missing(self) -> None:
        there = {line.name for line in self.lines}
        self._tell(missing=[name for name in self._expected() if name not in there])

    def _lead(self) -> None:
        """Take the job one step further, where it is time to."""
        members = {line.name: line for line in self.lines if line.name}
        if self.entering:
            if not set(self.entering) <= members.keys():  # somebody died on the way
                self.entering = []
            elif all(members[name].inside == self.generation for name in self.entering):
                self.entering = []
                self._keep()
        elif any(line.inside == 0 for line in members.values()):
            for line in members.values():
                if line.inside > 0:
                    line.send(do="leave")
                    line.inside = -1  # until it says that it has left
            expected = self._expected()
            if all(line.inside == 0 for line in members.values()) and members.keys() >= set(expected):
                self._open(expected, members)
        self._end(members)

    def _open(self, names: list[str], members: dict[str, _Line]) -> None:
        """Lead all into a new generation."""
        self.generation += 1
        self.opened, self.entering = True, names
        door = socket.create_server((self.host, 0), backlog=128)
        port = door.getsockname()[1]
        store = torch.distributed.TCPStore
        self.store = store(self.host, port, is_master=True, wait_for_workers=False, master_listen_fd=door.detach())
        for name in names:
            said = {"names": names, "done": sorted(self.done), "lost": sorted(self.lost)}
            members[name].send(do="enter", generation=self.generation, port=port, **said)

    def _end(self, members: dict[str, _Line]) -> None:
        trainers = self.names[self.servers :]
        now = time.monotonic()
        over = [name for name in trainers if name in self.done or now - self.lost.get(name, now) > self.patience]
        if trainers and len(over) == len(trainers):
            if not self.over and self.kept is not None:
                self.kept.unlink(missing_ok=True)  # it is another job that begins here next
                remove_drafts(self.kept)  # of a server that was killed
            self.over = True
            for line in members.values():
                line.send(do="end")

    def _keep(self) -> None:
        if self.kept is not None and not self.over:
            state = {"generation": self.generation, "done": sorted(self.done), "lost": sorted(self.lost)}
            try:
                with replacing(self.kept) as stream:
                    stream.write(json.dumps(state).encode())
                    stream.flush()
                    os.fsync(stream.fileno())
            except OSError as error:  # a full disk does not end the job
                _log.error("Could not remember who is done: %s", error)


class Member:
    """A process's place in the job.

    Args:
        name: this process's, "server0" or "trainer1".
        registry: the first server's endpoint.
        enter: called with generation, host, port and names, to join a world; `leave`: called to part from it.
        token: of the job.
        patience: seconds for which it looks for a registry that is not there.
    """

    def __init__(
        self, name: str, registry: str, enter: Callable[[int, str, int, list[str]], None], leave: Callable[[], None],
        token: str = "", patience: float = 60.0,
    ) -> None:  # fmt: skip
        self.name, self.registry, self.token, self.patience = name, registry, token, patience
        self._enter, self._leave = enter, leave
        self.generation = 0  # the newest that it was in
        self._newest = 0  # that it was led into: rpc counts the tries by the names, so that a number does not come twice
        self.inside = False
        self.missing: list[str] = []
        self.problem = "no answer of the first server"
        self.lost: set[str] = set()  # who died and did not come back
        self.done: set[str] = set()  # trainers that said so
        self.over = False  # the job is
        self.error: EnforceNotMet | None = None
        self.changed = threading.Condition()
        self._line: _Line | None = None
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name="paddle_compat member", daemon=True)
        self._thread.start()
        os.register_at_fork(after_in_child=self._forget)

    def wait(self, after: int = 0, seconds: float | None = None) -> int:
        """Wait until this process is in a generation.

        Args:
            after: the generation that is known to be of no use any more.
            seconds: at most.
        Returns:
            The generation.
        Raises:
            ExecutionTimeoutError: not all the others came; it names them.
            UnavailableError: the registry is gone for good; PermissionDeniedError: it has refused this process.
        """
        seconds = self.patience if seconds is None else seconds
        end = time.monotonic() + seconds
        with self.changed:
            while not (self.inside and self.generation > after):
                if self.error is not None:
                    raise self.error
                if not self.changed.wait(max(end - time.monotonic(), 0)) and time.monotonic() >= end:
                    problem = f"no {', '.join(self.missing)}" if self.missing else self.problem
                    raise ExecutionTimeoutError(
                        f"Expected all processes of the job with parameter servers. Received, in {self.name}: {problem} for {seconds:g} s"
                    )
            return self.generation

    def finish(self, done: bool = True) -> None:
        """Be done with the job, or be one that it lost."""
        self._stopped = True
        if self._line is not None:
            if done:
                self._line.send(done=True)
            with suppress(OSError):
                self._line.sock.shutdown(socket.SHUT_RDWR)
        if threading.current_thread() is not self._thread:
            self._thread.join(_PARTING)  # rpc may be waiting, without a way to stop it, for members that died on their way in
            if self._thread.is_alive():
                _log.warning("%s has left the job while rpc was still on its way into a generation", self.name)

    def _forget(self) -> None:
        """In a child process, whose copy of the connection would keep it alive."""
        if self._line is not None:
            self._line.sock.close()

    def _run(self) -> None:
        try:
            while not self._stopped and not self.over:
                self._line = self._connected()
                with suppress(OSError):
                    for message in self._messages(self._line):
                        self._obey(self._line, message)
                self._line.sock.close()
                self._part()
        except EnforceNotMet as error:
            with self.changed:
                self.error = error
                self.changed.notify_all()
        finally:
            self._part()

    def _connected(self) -> _Line:
        host, _, port = self.registry.rpartition(":")
        end = time.monotonic() + self.patience
        while not self._stopped:
            with suppress(OSError):
                line = _Line(socket.create_connection((host, int(port)), timeout=5))
                greeting = line.receive()[0]
                proof = _proof(self.token, str(greeting["nonce"]), self.name)
                line.send(name=self.name, proof=proof, generation=self._newest)
                line.sock.settimeout(None)
                return line
            if time.monotonic() > end:
                raise UnavailableError(f"The first server is gone: {self.name} had no answer at {self.registry} for {self.patience:g} s")
            time.sleep(_POLL)
        raise UnavailableError(f"{self.name} has left the job")

    def _messages(self, line: _Line) -> Iterator[dict[str, Any]]:
        while True:
            yield from line.receive()

    def _obey(self, line: _Line, message: dict[str, Any]) -> None:
        if "refused" in message:
            raise PermissionDeniedError(f"The first server at {self.registry} refuses {self.name}: {message['refused']}")
        with self.changed:
            self.missing = message.get("missing", self.missing)
            self.lost = self.lost.union(message.get("lost", ()))
            self.done = self.done.union(message.get("done", ()))
            self.over = self.over or message.get("do") == "end"
            self.changed.notify_all()
        if message.get("do") == "leave":
            self._part()
            line.send(inside=0)
        if message.get("do") == "enter":
            self._go_in(line, message)

    def _go_in(self, line: _Line, message: dict[str, Any]) -> None:
        self._part()  # where the registry gave up the last generation before it heard that this member is in it
        self._newest = message["generation"]
        try:
            self._enter(message["generation"], self.registry.rpartition(":")[0], message["port"], message["names"])
        except Exception as error:  # whatever rpc says: the registry gathers all again
            self.problem = str(error).partition("\n")[0]
            time.sleep(_POLL)
            line.send(failed=self.problem, generation=message["generation"], inside=0)
            return
        with self.changed:
            self.generation, self.inside = message["generation"], True
            self.lost -= set(message["names"])
            self.changed.notify_all()
        line.send(inside=self.generation)

    def _part(self) -> None:
        with self.changed:
            inside, self.inside = self.inside, False
            self.changed.notify_all()
        if inside:
            self._leave()
