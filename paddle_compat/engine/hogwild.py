"""Threads that train at once on the parameters of one Scope, without locks around their steps (Hogwild).

Each thread has a Scope of its own behind the one that all share. Of what operators update in place, parameters and what optimizers keep,
it holds the same memory. What operators make anew, counters and statistics, it holds as it was when its step began, and what the step
changed is added to what the others have made of it meanwhile.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import torch

from paddle_compat.core import flags, random
from paddle_compat.core.lod import LoDTensor
from paddle_compat.core.op import find_op
from paddle_compat.core.program import Program
from paddle_compat.core.scope import Scope
from paddle_compat.engine.executor import Prepared, feed_tensors, prepare
from paddle_compat.engine.sample_files import Readers
from paddle_compat.engine.trainer_operators import LOWERINGS as OF_TRAINERS

Fetched = Callable[[Mapping[str, Any], list[Any]], None]


def may_train_at_once(program: Program, device: torch.device) -> bool:
    """Whether several threads may run a Program: it is not compiled, and calls no other processes, which rely on the order of calls."""
    if device.type != "cpu" or program._compiles or flags.get("FLAGS_use_cinn"):
        return False
    return program._servers is None and not any(_calls_others(op.type) for block in program.blocks for op in block.ops)


def _calls_others(type_: str) -> bool:
    found = find_op(type_)
    return type_ in OF_TRAINERS or found is not None and found.fn.__module__.startswith("paddle_compat.ops.collective")


class _Shared:
    """What all threads have in one Scope, and what of it a step makes anew."""

    def __init__(self, scope: Scope, prepared: Prepared) -> None:
        lowered = prepared.lowered
        self.scope, self.lock = scope, threading.Lock()
        self.made = [name for name in lowered.updates if name in lowered.states]
        self.versions = dict.fromkeys(self.made, 0)  # how often each of them was changed
        for name in lowered.updates:  # which has a place that all threads find
            if scope.find_var(name) is None:
                scope.var(name)
        self.kept = [name for name in lowered.states if name not in self.versions and self.tensor(name).value is not None]

    def tensor(self, name: str) -> LoDTensor:
        """What all threads have of a variable."""
        found = self.scope.find_var(name)
        return LoDTensor() if found is None else found.tensor

    def kid(self) -> Scope:
        """The Scope of a thread: tensors of the same memory, each with a history of its own."""
        kid = Scope(self.scope)
        for name in self.kept:
            source, own = self.tensor(name), kid.var(name).tensor
            assert source.value is not None
            own.value, own.lod_ = source.value.data, source.lod_
        return kid

    def begin(self, kid: Scope) -> dict[str, tuple[int, torch.Tensor]]:
        """Have variables as they are now. Returns how often they were changed, and their values."""
        found = {}
        with self.lock:
            for name in self.made:
                source, own = self.tensor(name), kid.var(name).tensor
                if source.value is not None:
                    own.value, own.lod_ = source.value.clone(), source.lod_
                    found[name] = self.versions[name], source.value.clone()
        return found

    def end(self, kid: Scope, begun: Mapping[str, tuple[int, torch.Tensor]]) -> None:
        """Give what a step has changed."""
        with self.lock:
            for name, (version, former) in begun.items():
                source, own = self.tensor(name), kid.var(name).tensor
                assert source.value is not None and own.value is not None
                alike = source.value.shape == own.value.shape == former.shape and own.value.dtype is not torch.bool
                if version == self.versions[name] or not alike:
                    source.value, source.lod_ = own.value, own.lod_
                else:
                    source.value = source.value + (own.value - former)
                self.versions[name] += 1


def train_at_once(
    program: Program,
    readers: Readers,
    streams: Sequence[Iterator[tuple[int, Mapping[str, Any]]]],
    fetches: Sequence[str],
    scope: Scope,
    device: torch.device,
    fetched: Fetched,
) -> int:
    """Run a Program on the batches of several streams, each in a thread: the first one's in this.

    Args:
        readers: of the streams, which end when one of the threads has failed.
        streams: of a batch's size and its feed.
        fetches: names.
        fetched: gets each feed of the first stream and what was fetched.
    Returns:
        How many steps were made.
    Raises:
        What the first thread that failed has raised; the others have ended then.
    """
    errors, steps = list[BaseException](), [0] * len(streams)
    share = max(1, (threads := torch.get_num_threads()) // len(streams))
    shared: _Shared | None = None
    base: Prepared | None = None
    preparing = threading.Lock()

    def ready(feed: Mapping[str, Any]) -> tuple[Prepared, _Shared]:
        nonlocal base, shared
        with preparing:
            if base is None or shared is None:
                names, _, lods, _ = feed_tensors(program, feed)
                base = prepare(program, tuple(names), tuple(lods), tuple(fetches), scope)
                shared = _Shared(scope, base)
            return base.twin(shared.kid()), shared

    def train(number: int) -> None:
        twin: Prepared | None = None
        for _, feed in streams[number]:
            if twin is None:
                twin, common = ready(feed)
            _, tensors, _, lods = feed_tensors(program, feed)
            begun = common.begin(twin.scope)
            values = twin.run(tensors, lods, device, False)
            common.end(twin.scope, begun)
            steps[number] += 1
            if number == 0:
                fetched(feed, values)

    def work(number: int) -> None:
        torch.set_num_threads(share)
        random.draw_as_replica(number)
        try:
            train(number)
        except BaseException as error:  # raised where the threads were begun
            errors.append(error)
            readers.stopped.set()

    workers = [threading.Thread(target=work, args=(i,), name=f"trainer {i}", daemon=True) for i in range(1, len(streams))]
    try:
        torch.set_num_threads(share)
        for worker in workers:
            worker.start()
        train(0)
        _join(workers)
    except BaseException as error:
        errors.append(error)
    finally:
        if errors:
            readers.stopped.set()
        _join(workers)
        torch.set_num_threads(threads)
        scope._changes += 1
    if errors:
        raise errors[0]
    return sum(steps)


def _join(workers: Iterable[threading.Thread]) -> None:
    for worker in workers:
        while worker.is_alive():
            worker.join(0.1)
