"""Geo-SGD: a trainer updates its own parameters, and tells servers every so many steps how far they came.

A thread sends the gains since the last time, divided by the number of trainers, and asks for the sums; a step that begins adds what the
others gained. Of tables only the rows travel that steps have touched, here or elsewhere. Steps do not wait, unless an exchange takes as
long as they do from one to the next.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import torch

from paddle_compat.core.errors import PreconditionNotMetError
from paddle_compat.core.program import Program
from paddle_compat.core.scope import Scope
from paddle_compat.engine.changed_rows import Seen
from paddle_compat.engine.communicator import Communicator, Kind, Settings
from paddle_compat.engine.trainer import Parts, Trainer, put_in

_GAIN = ".delta"  # ends the names of what servers add


@dataclass
class Exchange:
    """What a trainer tells and asks for at one time.

    Attributes:
        gains: by the names of parameters; rows of tables.
        sums: the servers' parameters, once they have come.
        rows: ids and values of the rows of tables that have changed there.
    """

    gains: dict[str, torch.Tensor] = field(default_factory=dict)
    sums: dict[str, torch.Tensor] = field(default_factory=dict)
    rows: dict[str, tuple[torch.Tensor, torch.Tensor]] = field(default_factory=dict)


class GeoCommunicator(Communicator):
    """Sends what parameters gained and receives what others did.

    Args:
        program: the trainer's.
        settings: when it sends.
        scope: where parameters are.
        parameters: as servers keep them.
        tables: names of those of which rows travel.
        trainers: how many there are.
        first_rows: a step that reads a table touches its row 0. (1.8.5 reads ids of 64 bits as pairs of 32, of which the upper is 0; what a
            trainer gained there in former steps it so sends on, a part each time.)
    """

    def __init__(
        self,
        program: Program,
        settings: Settings,
        scope: Scope,
        parameters: Sequence[Parts],
        tables: set[str],
        trainers: int,
        first_rows: bool = False,
    ) -> None:
        super().__init__(program, Kind.GEO, settings, scope)
        self.parameters = {each.name: each for each in parameters}
        self.tables, self.trainers, self.first_rows = tables, trainers, first_rows
        self.old: dict[str, torch.Tensor] = {}  # parameters as servers know them of this trainer
        self.touched: dict[str, torch.Tensor] = {}  # by row, since the last push
        self.seen: dict[str, Seen] = defaultdict(Seen)  # of the tables' parts
        self.steps = 0  # since then
        self.noted = self.starts = False  # what the Program that runs has said
        self.outgoing: Exchange | None = None
        self.incoming: Exchange | None = None

    # ---- what Programs say
    def note_start(self) -> None:
        """The parameters get their first values."""
        self.starts = True

    def note_rows(self, tables: Sequence[str], lists: Sequence[torch.Tensor]) -> None:
        """A step ends, and has read rows of tables."""
        self.noted = True
        for name, ids in zip(tables, lists, strict=True):
            if name in self.touched:
                self.touched[name].index_fill_(0, ids.reshape(-1), True)
                if self.first_rows and ids.numel() > 1:
                    self.touched[name][0] = True

    # ---- the training thread's
    def take_up(self, scope: Scope) -> None:
        """Add what others gained."""
        self._raise()
        with self.changed:
            came, self.incoming = self.incoming, None
        if came is None:
            return
        for name, total in came.sums.items():
            _value(scope, name).add_(total - self.old[name])
            self.old[name] = total
        for name, (rows, total) in came.rows.items():
            _value(scope, name).index_add_(0, rows, total - self.old[name].index_select(0, rows))
            self.old[name].index_copy_(0, rows, total)

    def end_step(self, scope: Scope, program: Program) -> None:
        """Send when it is time."""
        if self.starts:
            self._begin(scope)
        if not self.noted and (self.tables or program is not self.program):  # one without tables has nothing to say
            return
        self.noted = False
        if not self.old:
            raise PreconditionNotMetError("Geo-SGD needs first values. Expected that the startup Program runs behind Communicator.start()")
        self.steps += 1
        if self.steps >= self.settings.push_steps:
            self._push(scope, wait=self.steps >= 2 * self.settings.push_steps)

    def begin_with_servers(self, scope: Scope) -> None:
        """Let all parameters be the servers'; what steps gained since the last push counts for nothing."""
        dense = [each for name, each in self.parameters.items() if name not in self.tables]
        put_in(scope, dense, self.trainer.pull(dense))
        self._begin(scope)

    def _begin(self, scope: Scope) -> None:
        """Tables begin as the servers' do, like the others that the startup Program has asked for."""
        self.starts, self.steps = False, 0
        tables = [self.parameters[name] for name in sorted(self.tables)]
        put_in(scope, tables, self.trainer.pull(tables))
        for name in self.parameters:
            if name in self.tables:
                self.touched[name] = torch.zeros(len(_value(scope, name)), dtype=torch.bool)
            self.old[name] = _value(scope, name).clone()

    def _push(self, scope: Scope, wait: bool) -> None:
        with self.changed:
            if wait:
                self.changed.wait_for(lambda: not self._busy or self.error is not None)
            elif self._busy:
                return  # the next step's end is another chance
        self.take_up(scope)
        found = Exchange()
        for name in self.parameters:
            value, old = _value(scope, name), self.old[name]
            if name in self.tables:
                rows = self.touched[name].nonzero()[:, 0]
                self.touched[name].zero_()
                if not len(rows):
                    continue
                gain = (value.index_select(0, rows) - old.index_select(0, rows)).div_(self.trainers)
                old.index_add_(0, rows, gain)
                found.gains[name] = torch.sparse_coo_tensor(rows[None], gain, old.shape, check_invariants=False)
            else:
                found.gains[name] = gain = (value - old).div_(self.trainers)
                old.add_(gain)
        self.steps = 0
        with self.changed:
            self.outgoing, self._busy = found, True
            self.changed.notify_all()

    def _finish(self) -> None:
        """Send what is left, and take up what comes."""
        if self.old and self.steps and self.error is None:
            self._push(self.scope, wait=True)

    def _keep(self, trainer: Trainer) -> None:
        self.take_up(self.scope)

    # ---- the other thread's
    def _run(self) -> None:
        while True:
            with self.changed:
                self.changed.wait_for(lambda: self.outgoing is not None or self.stopping)
                work, self.outgoing = self.outgoing, None
            if work is None:
                return
            try:
                self._exchange(work)
            except Exception as error:  # the training thread's to hear
                self._fail(error)
                return
            with self.changed:
                self.incoming, self._busy = work, False
                self.changed.notify_all()

    def _exchange(self, work: Exchange) -> None:
        trainer, dense = self.trainer, [each for name, each in self.parameters.items() if name not in self.tables]
        for name, each in self.parameters.items():
            trainer.routes[name + _GAIN] = Parts(name + _GAIN, tuple(part + _GAIN for part in each.parts), each.endpoints, each.rows)
        sums = trainer.deliver({name + _GAIN: gain for name, gain in work.gains.items()}, dense)
        work.sums = {each.name: each.join(sums) for each in dense}
        work.rows = trainer.changes([self.parameters[name] for name in sorted(self.tables)], self.seen)


def _value(scope: Scope, name: str) -> torch.Tensor:
    value = scope.var(name).tensor.value
    assert value is not None  # the startup Program has run
    return value.detach()


def parameters_of(said: Mapping[str, Mapping[str, Sequence[str]]]) -> tuple[list[Parts], set[str]]:
    """Parameters and names of tables, as `push_vars` of Paddle's communicators say them.

    Args:
        said: by name: `var_names`, `sections`, `epmap` of the parts, as texts, and `is_sparse`.
    """
    parts = []
    for name, each in said.items():
        parts.append(Parts(name, tuple(each["var_names"]), tuple(each["epmap"]), tuple(int(rows) for rows in each["sections"])))
    return parts, {name for name, each in said.items() if each["is_sparse"] == ["True"]}
