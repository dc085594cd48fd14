"""A server's life beside its calls: who left, rounds that take too long, snapshots, and its end.

Without `PADDLE_COMPAT_PS_SNAPSHOTS`, a folder, there are no snapshots; the launcher says one where it starts processes again.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from paddle_compat.core.job import snapshots
from paddle_compat.engine.parameter_server import ParameterServer
from paddle_compat.engine.transport import Transport

_log = logging.getLogger(__name__)
_PERIOD = "PADDLE_COMPAT_PS_SNAPSHOT_SECONDS"
_POLL = 0.02  # seconds
_ENDED = 128 + signal.SIGTERM  # an exit status
_SHARE = 10  # times as long as a snapshot takes the server does something else, at least
_MOMENT = 3.0  # seconds that a server waits for the end of its job once it is asked to end


class Snapshots:
    """When a server writes what it holds.

    Args:
        server: its `kept` says where; None: never.
        seconds: from one to the next.
    """

    def __init__(self, server: ParameterServer, seconds: float) -> None:
        self.server, self.seconds = server, seconds
        self.written: Any = None  # what tells the newest of them from what there is now
        self.due = 0.0

    def take_up(self) -> None:
        """Go on from the snapshot of a server that was here before, if there is one."""
        path = self.server.kept
        if path is None:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        for draft in path.parent.glob(f".{path.name}.*.part"):  # of a server that was killed while it wrote
            draft.unlink()
        if path.exists():
            self.server.restore(path)
            self.written = self._state()
            _log.warning("Went on from the snapshot %s, written at %s.", path, time.strftime("%X", time.localtime(path.stat().st_mtime)))

    def look_at_the_clock(self) -> None:
        """Write one if it is time to."""
        if time.monotonic() > self.due:
            self.write()

    def write(self) -> None:
        """Write what has changed."""
        state, begun = self._state(), time.monotonic()
        if self.server.kept is not None and state != self.written:
            try:
                self.server.save()
                self.written = state
            except (OSError, RuntimeError) as error:  # a full disk does not end the training
                _log.error("Wrote no snapshot: %s", error)
        now = time.monotonic()
        self.due = now + max(self.seconds, _SHARE * (now - begun))

    def _state(self) -> Any:
        return dict(self.server.last), {name: len(table) for name, table in self.server.tables.items()}


def serve(server: ParameterServer, transport: Transport) -> None:
    """Serve until the job is over.

    Args:
        server: which answers the calls of `transport`.
        transport: has not joined the job yet.
    Raises:
        OSError: the first server's port is taken.
        ExecutionTimeoutError, PermissionDeniedError: the job has no place for this server, or not all others came.
    """
    folder = snapshots()
    if folder is not None:
        server.kept = folder / f"{transport.name}.snapshot"
    kept = Snapshots(server, float(os.environ.get(_PERIOD) or 60))
    kept.take_up()
    server.held = True  # what is answered before the first snapshot would be lost without a word
    with _ended_in_order() as asked:
        transport.join()
        asked.inside = True
        try:
            missed: set[str] = set()
            kept.write()  # what a server starts from is not lost either
            server.held = False
            while not transport.over and not asked.is_due():
                missed = _part_with(server, transport, missed)
                server.look_at_the_clock()
                kept.look_at_the_clock()
                time.sleep(_POLL)
            asked.over = transport.over
        finally:
            server.interrupt()
            kept.write()
            transport.leave()


def _part_with(server: ParameterServer, transport: Transport, missed: set[str]) -> set[str]:
    """Tell a server which trainers have left since; who has left by now."""
    lost, done = set(transport.lost), set(transport.done)
    for name in sorted((lost | done) - missed):
        if name.startswith("trainer"):
            server.without(int(name.removeprefix("trainer")), died=name in lost)
    return lost | done


class _Asked:
    """Whether this process was asked to end."""

    def __init__(self) -> None:
        self.end = float("inf")  # when it has to
        self.inside = False  # the job, which its end is waited for then
        self.over = False  # that end has come, and the process may end as it likes

    def is_due(self) -> bool:
        """Whether the job had its time to end."""
        return time.monotonic() > self.end

    def ring(self, number: int, frame: Any) -> None:
        """Handle the first SIGTERM; a second one does what it always does."""
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        if not self.inside:
            sys.exit(_ENDED)
        self.end = time.monotonic() + _MOMENT


@contextmanager
def _ended_in_order() -> Iterator[_Asked]:
    """Let SIGTERM, by which the launcher ends servers when the workers have ended, break off neither an update nor what follows the job.

    Raises:
        SystemExit: the job was not over when this process was to end.
    """
    asked, former = _Asked(), signal.getsignal(signal.SIGTERM)
    ours = former is signal.SIG_DFL or isinstance(getattr(former, "__self__", None), _Asked)  # and not the script's
    if ours and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, asked.ring)
    yield asked
    if asked.is_due() and not asked.over:
        sys.exit(_ENDED)
