"""Replicas: one Program on several devices of this process, each in a thread, each with its own copy of what is kept.

    replicas = Replicas(program, scope, devices)
    results = replicas.run([feed_of_device_0, feed_of_device_1], fetches)

Replica 0 works in the Scope itself, the others in Scopes behind it. They meet in the `c_allreduce_sum` operators that
`engine.data_parallel` writes, and once more before anything is committed: a run that fails changes nothing.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from paddle_compat.core import flags, random
from paddle_compat.core.lod import LoDTensor, LoDTensorArray
from paddle_compat.core.program import Program
from paddle_compat.core.rings import Abandoned, Ring, inside
from paddle_compat.core.scope import Scope, ScopeVariable
from paddle_compat.engine.device_ring import DeviceRing, device_rings
from paddle_compat.engine.executor import Fed, Prepared, feed_tensors
from paddle_compat.engine.processes import Processes, leave
from paddle_compat.engine.ring import LocalRing, Meeting

BACKENDS = {"cuda": "nccl"}  # by which replicas on devices of that kind meet; those on others add up in their memory

_State = tuple[torch.Tensor | None, int]


class _Worker:
    """A thread that does what it is handed, one thing after another, until its owner is gone."""

    def __init__(self, rank: int, threads: int) -> None:
        self.tasks: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.thread = threading.Thread(target=_work, args=(self.tasks, rank, threads), name=f"replica-{rank}", daemon=True)
        self.thread.start()


class _Outcomes:
    """What the workers' tasks came to; an exception where one raised."""

    def __init__(self, count: int) -> None:
        self.values: list[Any] = [None] * count
        self.left, self.lock, self.whole = count, threading.Lock(), threading.Event()

    def put(self, rank: int, value: Any) -> None:
        self.values[rank] = value
        with self.lock:
            self.left -= 1
            if not self.left:
                self.whole.set()


def _work(tasks: queue.SimpleQueue[Any], rank: int, threads: int) -> None:
    torch.set_num_threads(threads)
    random.draw_as_replica(rank)
    while True:
        task, outcomes = tasks.get()
        if task is None:
            return
        try:
            value = task()
        except BaseException as error:  # whoever handed the task over gets it
            value = error
        del task
        outcomes.put(rank, value)
        del outcomes, value


def _dismiss(workers: list[_Worker]) -> None:
    for worker in workers:
        worker.tasks.put((None, None))
    for worker in workers:
        if worker.thread is not threading.current_thread():
            worker.thread.join(10)


class Replicas:
    """The replicas of a Program.

    Args:
        program: what each of them runs.
        scope: where replica 0 finds and leaves what is kept.
        devices: one a replica.
        shared: replicas whose Scopes these use.
        processes: those whose replicas these meet.
        divided: what each of them runs, where they update different parameters.
    """

    def __init__(
        self,
        program: Program,
        scope: Scope,
        devices: Sequence[torch.device],
        shared: Replicas | None = None,
        processes: Processes | None = None,
        divided: Sequence[Program] | None = None,
    ) -> None:
        self.program, self.scope, self.devices = program, scope, list(devices)
        self.programs = list(divided or [program] * len(self.devices))
        self.held_once = self.programs[0]._held_once
        self.scopes: list[Scope] = shared.scopes if shared is not None else [scope, *(Scope(scope) for _ in self.devices[1:])]
        self.meetings: dict[int, Meeting] = {}  # by how many meet: a Program that does not train may be fed for fewer
        self.device_rings: dict[int, list[DeviceRing]] = {}  # by the same
        self.prepared: dict[Any, list[Prepared | None]] = {}
        self.names = [name for name, var in program.global_block().vars.items() if var.persistable]
        self.left: dict[str, _State] = {}  # what the last run left in the Scope
        self.changes = -1  # of the Scope, when these last ran
        self.workers: list[_Worker] = []
        self.processes = processes
        self.turn: threading.Lock = shared.turn if shared is not None else threading.Lock()  # one run after another, whoever asks
        self.begun = shared is not None or processes is None  # whether all processes have the same values
        self.threads = 0  # how many of them may compute at the same time on CPUs; 0: all
        self.runs, self.runs_per_drop = 0, 100  # since Paddle would have dropped its temporary scopes, and how often it does
        if shared is not None:
            self.left, self.changes = shared.left, shared.changes

    def run(self, feeds: Sequence[Mapping[str, Any]], fetches: tuple[str, ...]) -> list[list[Any]]:
        """Run all replicas once.

        Args:
            feeds: for each replica what it is fed; where there are fewer, the last replicas do not run.
            fetches: names.
        Returns:
            For each replica its fetched values, as LoDTensors, or LoDTensorArrays.
        """
        with self.turn:
            return self._run(feeds, fetches)

    def _run(self, feeds: Sequence[Mapping[str, Any]], fetches: tuple[str, ...]) -> list[list[Any]]:
        if self.processes is not None and not self.begun:
            held = [self.scope.find_var(name) for name in self.names]
            self.processes.broadcast([h.tensor.value for h in held if h is not None and h.tensor.value is not None])
            self.begun = True
        self._hand_out()
        fed = [feed_tensors(self.program, feed) for feed in feeds]
        runs = [self._prepared(rank, each, fetches) for rank, each in enumerate(fed)]
        if len(runs) not in self.meetings:
            self.meetings[len(runs)] = Meeting(len(runs), self.threads if self.devices[0].type == "cpu" else 0)
        meeting = self.meetings[len(runs)]
        rings = self._rings(meeting)
        try:
            if len(runs) == 1:
                with inside(rings[0]):
                    results = [runs[0].run(fed[0][1], fed[0][3], self.devices[0], False)]
            else:
                calls = self._calls(rings, runs, fed)
                tasks = [self._task(rank, meeting, *each) for rank, each in enumerate(zip(rings, runs, fed, calls))]
                results = self._together(tasks, meeting)
        except BaseException as error:
            for ring in self.device_rings.pop(meeting.count, ()):
                ring.let_go()
            if self.processes is not None and self.processes.group is not None:  # which wait for sums that do not come any more
                leave(error)
            raise
        self._remember(runs)
        self.runs = (self.runs + 1) % max(self.runs_per_drop, 1)
        return results

    def _rings(self, meeting: Meeting) -> Sequence[Ring]:
        """How each of the replicas that meet there meets the others."""
        backend = BACKENDS.get(self.devices[0].type)
        if backend is None:
            return [LocalRing(meeting, rank, self.processes) for rank in range(meeting.count)]
        if meeting.count not in self.device_rings:
            self.device_rings[meeting.count] = device_rings(meeting, backend, self.processes)
        return self.device_rings[meeting.count]

    # ---- what Paddle's own object answers
    def device_count(self) -> int:
        """How many replicas there are."""
        return len(self.devices)

    def local_scopes(self) -> list[Scope]:
        """The replicas' Scopes."""
        return list(self.scopes)

    def drop_local_exe_scopes(self) -> None:
        """Begin to count runs anew: there is nothing temporary to drop."""
        self.runs = 0

    def _need_create_local_exe_scopes(self) -> bool:
        return not self.runs

    # ---- threads
    def _task(
        self, rank: int, meeting: Meeting, ring: Ring, prepared: Prepared, fed: Fed, call: Callable[..., Any]
    ) -> Callable[[], list[Any]]:
        device = self.devices[rank]

        def task() -> list[Any]:
            try:
                with inside(ring), _using(device), meeting.turn():
                    return prepared.run(fed[1], fed[3], device, False, meeting.wait, call)
            except BaseException:
                meeting.abandon()
                raise

        return task

    def _together(self, tasks: Sequence[Callable[[], Any]], meeting: Meeting) -> list[Any]:
        if not self.workers or not self.workers[0].thread.is_alive():  # as in a process forked off the one that made them
            self.workers = [_Worker(rank, self._threads()) for rank in range(len(self.devices))]
            weakref.finalize(self, _dismiss, self.workers)
        outcomes = _Outcomes(len(tasks))
        handed = 0
        interrupt: BaseException | None = None
        while not outcomes.whole.is_set():
            try:
                for worker, task in zip(self.workers[handed:], tasks[handed:]):
                    handed += 1
                    worker.tasks.put((task, outcomes))
                while not outcomes.whole.wait(0.05):  # a signal that comes right before the wait is seen after it
                    pass
            except BaseException as error:  # KeyboardInterrupt: the replicas stop where they meet next
                interrupt = error
                meeting.abandon()
        meeting.restore()
        if interrupt is not None:
            raise interrupt
        failed = [(rank, value) for rank, value in enumerate(outcomes.values) if isinstance(value, BaseException)]
        if failed:  # the one that the others stopped for
            rank, first = min(failed, key=lambda pair: isinstance(pair[1], Abandoned))
            raise _named(first, rank, len(tasks))
        return outcomes.values

    def _threads(self) -> int:
        """How many threads each replica may have."""
        return max(1, torch.get_num_threads() // len(self.devices)) if self.devices[0].type == "cpu" else 1

    # ---- what is run
    def _calls(self, rings: Sequence[Ring], runs: Sequence[Prepared], fed: Sequence[Fed]) -> list[Callable[..., Any]]:
        """What each replica calls. Whether a step is compiled is decided here, in the order of the ranks, so that runs repeat."""
        if runs[0].call is runs[0].plain:
            return [run.call for run in runs]
        former = torch.get_num_threads()
        torch.set_num_threads(self._threads())  # what is built for a replica is built for its threads
        try:
            calls = []
            for device, ring, run, each in zip(self.devices, rings, runs, fed):
                with inside(ring), _using(device):
                    calls.append(run.chosen(each[1], each[3], device))
        finally:
            torch.set_num_threads(former)
        return [call or run.plain for call, run in zip(calls, runs)]

    def _prepared(self, rank: int, fed: Fed, fetches: tuple[str, ...]) -> Prepared:
        key = (tuple(fed[0]), tuple(fed[2]), fetches, flags.version())
        twins = self.prepared.get(key)
        if twins is None:
            twins = [None] * len(self.devices)
        found = twins[rank]
        if found is None:
            base = next((twin for twin in twins if twin is not None), None)
            if base is None or self.held_once:
                found = Prepared(self.programs[rank], fed[0], fed[2], list(fetches), self.scopes[rank])
            else:
                found = base.twin(self.scopes[rank])
            if not found.lowered.absent:  # which may have a value by the next run
                twins[rank] = found
                self.prepared[key] = twins
        return found

    # ---- what is kept
    def _hand_out(self) -> None:
        """Give the other replicas what somebody else has changed in the Scope since they last ran."""
        if len(self.scopes) == 1:
            return
        changed, self.changes = self.changes != self.scope._changes, self.scope._changes
        for name in self.names:
            source = self.scope.find_var(name)
            if source is None:  # what is fed or written is each replica's own
                for scope in self.scopes[1:]:
                    scope.var(name)
                continue
            if name in self.held_once and source.tensor.value is not None:  # or a replica would update a copy that it alone has moved
                source.tensor.value = source.tensor.value.to(self.devices[0])
            state = _state(source)
            former = self.left.get(name)
            if not changed and former is not None and former[0] is state[0] and former[1] == state[1]:
                continue
            self.left[name] = state
            if not changed and former is not None and _left_by.get(source) == (id(state[0]), state[1]):
                continue  # by replicas that share the Scope but not the copies: these stay what they were, as in Paddle
            for scope, device in zip(self.scopes[1:], self.devices[1:]):
                if name in self.held_once:
                    scope.var(name).tensor.value = source.tensor.value
                else:
                    _copy(source, scope.var(name), device)

    def _remember(self, runs: Sequence[Prepared]) -> None:
        """Take note of what this run left in the Scope."""
        if len(self.scopes) == 1:
            return
        for rank, run in enumerate(runs if self.held_once else ()):
            for name in self.held_once.intersection(run.lowered.updates):  # the owner has made a new tensor
                for scope in self.scopes:
                    scope.var(name).tensor.value = self.scopes[rank].var(name).tensor.value
        for name in self.names:
            holder = self.scope.find_var(name)
            if holder is not None:
                state = self.left[name] = _state(holder)
                _left_by[holder] = id(state[0]), state[1]


_left_by: weakref.WeakKeyDictionary[ScopeVariable, tuple[int, int]] = weakref.WeakKeyDictionary()


def _state(holder: ScopeVariable) -> _State:
    value = holder.tensor.value
    return value, -1 if value is None else value._version


def _copy(source: ScopeVariable, target: ScopeVariable, device: torch.device) -> None:
    value = source.tensor.value
    target.tensor = LoDTensor(None if value is None else value.detach().to(device, copy=True), source.tensor.lod_)
    if isinstance(source.other, LoDTensorArray):
        target.other = LoDTensorArray(LoDTensor(t.value.to(device, copy=True), t.lod_) for t in source.other)
    else:
        target.other = source.other


def _using(device: torch.device) -> contextlib.AbstractContextManager[Any]:
    return torch.cuda.device(device) if device.type == "cuda" else contextlib.nullcontext()


def _named(error: BaseException, rank: int, count: int) -> BaseException:
    """The error of a replica, which says whose it is."""
    note = f"\n  [replica {rank} of {count}]"
    if len(error.args) == 1 and isinstance(error.args[0], str):
        error.args = (error.args[0] + note,)
    return error
