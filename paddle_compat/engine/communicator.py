"""A trainer's sends and receives beside its steps: a thread merges the gradients of several steps, and makes one call to each server.

A trainer that has a running one hands it what a step sends, and goes on. Parameters come with the answers; a step that begins takes up
those that have come, so nothing changes while it computes. Where trainers wait for what they sent (HALF_ASYNC, SYNC) there is nothing to do
beside a step: its own call brings the parameters, too.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

import torch

from paddle_compat.core.errors import PreconditionNotMetError
from paddle_compat.core.program import Program
from paddle_compat.core.scope import Scope
from paddle_compat.engine.merged_steps import MergedSteps, Step
from paddle_compat.engine.trainer import Parts, Trainer, put_in, trainer_of
from paddle_compat.engine.trainer_operators import received

_MOMENT = 5.0  # seconds that a thread has to end whose call fails


class Kind(Enum):
    """How trainers go on while servers update."""

    SYNC = "sync"  # each step waits for the gradients of all trainers
    HALF_ASYNC = "half_async"  # each step waits until its own gradients are applied
    ASYNC = "async"  # no step waits
    GEO = "geo"  # trainers update on their own, and tell servers how far they came


@dataclass(frozen=True)
class Settings:
    """When the thread sends and receives.

    Attributes:
        merged: gradients of so many steps at most go in one call.
        queue: steps whose gradients may wait; the next one waits for room.
        pause: seconds for which the thread waits for the next step's, before it sends fewer than `merged`.
        receives_after: parameters come once more than so many steps' gradients were sent, if receiving is independent of sending.
        independent: else parameters come with every call.
        adds: merged gradients are summed; else averaged.
        push_steps: Geo-SGD: steps between two pushes.
    """

    merged: int = 1
    queue: int = 1
    pause: float = 0.05
    receives_after: int = 1
    independent: bool = True
    adds: bool = True
    push_steps: int = 100


class Communicator:
    """Sends and receives for the trainer of a Program.

    Args:
        program: the trainer's; its `recv` operators take up what has come, from now on.
        kind: how it goes on while servers update.
        settings: when it sends and receives.
        scope: where parameters are, when they are asked for outside of a step.
    """

    def __init__(self, program: Program, kind: Kind, settings: Settings, scope: Scope) -> None:
        self.program, self.kind, self.settings, self.scope = program, kind, settings, scope
        self.receives: list[Parts] = []
        self.adding: set[str] = set()  # what is summed whatever the settings say
        for op in program.global_block().ops:
            if op.type == "recv":
                op._set_attr("do_not_run", True)
            self.receives += received(op)
            if op.type == "send" and op.attrs.get("merge_add"):
                self.adding.update(op.input("X"))
        self.queue: deque[Step] = deque()
        self.changed = threading.Condition()  # of everything that both threads see
        self.fresh: dict[str, torch.Tensor] = {}  # parameters that have come and that no step has taken up
        self.stopping = False
        self.error: Exception | None = None
        self.sent = 0  # steps, since parameters came last
        self._thread: threading.Thread | None = None
        self._trainer: Trainer | None = None

    @property
    def trainer(self) -> Trainer:
        """Whose it is.

        Raises:
            PreconditionNotMetError: the Program knows no servers.
        """
        if self._trainer is None:
            self._trainer = trainer_of(self.program._servers, "send")
        return self._trainer

    @property
    def beside(self) -> bool:
        """Whether steps do not wait for what they send."""
        return self._thread is not None

    def is_running(self) -> bool:
        """Whether it was started, and not stopped."""
        return self._trainer is not None and self._trainer.communicator is self

    def start(self) -> None:
        """Begin to send and receive; a Program that knows no servers has nothing of that.

        Raises:
            PreconditionNotMetError: another communicator of this process is running.
        """
        if self.is_running() or self.program._servers is None:
            return
        other = self.trainer.communicator
        if other is not None:
            raise PreconditionNotMetError(
                "Expected that this process has one communicator at a time. Received: a second one; stop the first"
            )
        self.stopping, self.error, self.sent = False, None, 0
        self.trainer.communicator = self
        if self.kind in (Kind.ASYNC, Kind.GEO):
            self._thread = threading.Thread(target=self._run, name="communicator", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Send what waits, receive the parameters, and end.

        Raises:
            What the thread could not send for.
        """
        if not self.is_running():
            return
        thread, trainer = self._thread, self.trainer
        self._finish()
        with self.changed:
            self.stopping = True
            self.changed.notify_all()
        if thread is not None:
            thread.join()
        trainer.communicator = self._trainer = self._thread = None
        self._raise()
        if thread is not None and trainer.has_joined:  # else no Program has run, and there may be no servers
            self._keep(trainer)

    def send_no_more(self) -> None:
        """Forget what waits: the trainer gives up."""
        with self.changed:
            self.stopping = True
            self.queue.clear()
            self.changed.notify_all()

    def wait(self) -> None:
        """Let the thread end: one that is in a call when Python ends takes the process down with it."""
        if self._thread is not None:
            self._thread.join(_MOMENT)

    def recv(self) -> None:
        """Wait until what was sent is applied, and get the parameters.

        Raises:
            PreconditionNotMetError: it is not running, or the Program knows no servers.
        """
        if not self.is_running():
            raise PreconditionNotMetError("Expected a communicator that is running. Received: one that was not started, or was stopped")
        with self.changed:
            self.changed.wait_for(lambda: (not self.queue and not self._busy) or self.error is not None)
        self._raise()
        self._keep(self.trainer)

    # ---- the training thread's
    def put(self, step: Step) -> None:
        """Take what a step sends; waits while too many wait."""
        with self.changed:
            # what is on its way takes a place, too: steps that ran further ahead would have older parameters, and not be done earlier
            self.changed.wait_for(lambda: len(self.queue) + self._sending < self.settings.queue or self.error is not None)
            self.queue.append(step)
            self.changed.notify_all()
        self._raise()

    def take_up(self, scope: Scope) -> None:
        """Put the parameters that have come into a Scope: a step begins."""
        self._raise()
        with self.changed:
            fresh, self.fresh = self.fresh, {}
        put_in(scope, self.receives if fresh else (), fresh)

    def end_step(self, scope: Scope, program: Program) -> None:
        """A Program has run."""

    def note_start(self) -> None:
        """A startup Program of Geo-SGD runs.

        Raises:
            PreconditionNotMetError: this is none for it.
        """
        raise PreconditionNotMetError(f"Expected a communicator with mode GEO for Programs of GeoSgdTranspiler. Received: {self.kind.name}")

    def note_rows(self, tables: Sequence[str], lists: Sequence[torch.Tensor]) -> None:
        """A Program of Geo-SGD has read rows of tables.

        Args:
            tables: their names, one for each of the lists of ids.
        Raises:
            PreconditionNotMetError: this is none for it.
        """
        self.note_start()

    def _finish(self) -> None:
        """Leave to the thread what it does not have yet."""

    def _keep(self, trainer: Trainer) -> None:
        """Put the parameters of now where a run begins with them."""
        with self.changed:
            self.fresh = trainer.pull(self.receives)
        self.take_up(self.scope)

    def _raise(self) -> None:
        if self.error is not None:
            raise self.error

    # ---- the other thread's
    _busy = False  # there is something that was taken and is not applied
    _sending = False  # it is on its way

    def _run(self) -> None:
        """Merge and send until nothing is left and nothing will come."""
        try:
            while (steps := self._gather()).count:
                self.sent += steps.count
                due = not self.settings.independent or self.sent > self.settings.receives_after
                wanted = self.receives if due else ()
                values = self.trainer.deliver(steps.gradients(self._is_sum), wanted)
                with self.changed:
                    self.fresh = values or self.fresh
                    self._busy = self._sending = False
                    self.changed.notify_all()
                if due:
                    self.sent = 0
        except Exception as error:  # the training thread's to hear
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        with self.changed:
            self.error, self._busy, self._sending = error, False, False
            self.queue.clear()
            self.changed.notify_all()

    def _gather(self) -> MergedSteps:
        """The next steps to send together: as many as come without a pause between them."""
        found, pause = MergedSteps(), None
        while found.count < self.settings.merged and (step := self._next(pause)) is not None:
            found.add(step)
            pause = self.settings.pause
        self._sending = bool(found.count)
        return found

    def _next(self, seconds: float | None) -> Step | None:
        """The next step's gradients, if they come in time, and before the end."""
        with self.changed:
            self.changed.wait_for(lambda: self.queue or self.stopping, seconds)
            if not self.queue:
                return None
            self._busy = True
            self.changed.notify_all()
            return self.queue.popleft()

    def _is_sum(self, name: str) -> bool:
        return self.settings.adds or name in self.adding


def settings_of(flags: Mapping[str, str], push_steps: int = 100) -> Settings:
    """Settings as Paddle's flags say them, by their names without `FLAGS_`; those that are not there are Paddle's defaults.

    Args:
        flags: `communicator_max_merge_var_num` and others, as text.
        push_steps: of Geo-SGD.
    """

    def number(name: str, default: int) -> int:
        return int(flags.get(f"communicator_{name}", default))

    return Settings(
        merged=max(number("max_merge_var_num", 1), 1),
        queue=max(number("send_queue_size", 1), 1),
        pause=number("send_wait_times", 5) * 0.01,
        receives_after=number("min_send_grad_num_before_recv", 1),
        independent=bool(number("independent_recv_thread", 1)),
        adds=bool(number("is_sgd_optimizer", 1)),
        push_steps=push_steps,
    )
