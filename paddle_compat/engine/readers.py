"""What the `read` operators of a Program take from their readers before it runs: it is fed like anything else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from paddle_compat.core.clone import copy_program
from paddle_compat.core.errors import EOFException, PreconditionNotMetError, also_fatal
from paddle_compat.core.operator import Operator
from paddle_compat.core.program import Program
from paddle_compat.core.scope import Scope


class Source:
    """Where a reader's batches come from; it lies in the Scope, under the names of the reader's variables."""

    def __init__(self) -> None:
        self.batches: Iterator[Sequence[Any]] | None = None

    def take(self) -> Sequence[Any]:
        """The next batch.

        Raises:
            EOFException: there is none.
            PreconditionNotMetError: the reader was not started.
        """
        if self.batches is None:
            raise PreconditionNotMetError("The reader has not been started. Expected a call of `start()` before the run. Received: none")
        try:
            return next(self.batches)
        except StopIteration:
            raise EOFException("There is no next data. Use `reset()` and `start()` to begin a new pass.") from None
        except Exception as error:
            raise killed(error) from error


def killed(error: Exception) -> BaseException:
    """The error for the main thread where a user's generator raised one."""
    text = f"Blocking queue is killed because the data reader raises an exception. {type(error).__name__}: {error}"
    return also_fatal(type(error), text)


def fed_by_readers(program: Program, feed: Mapping[str, Any], scope: Scope) -> Mapping[str, Any]:
    """The feed of a run, with what the Program's `read` operators read that is not fed."""
    for op in _read_operators(program):
        names = op.output("Out")
        if any(name not in feed for name in names):
            found = scope.find_var(op.input("Reader")[0])
            if found is None or not isinstance(found.other, Source):
                raise PreconditionNotMetError(
                    f"Operator `read` finds no reader. Expected `{op.input('Reader')[0]}` in the scope. Received: nothing of that name"
                )
            feed = {**feed, **dict(zip(names, found.other.take()))}
    return feed


def _read_operators(program: Program) -> list[Operator]:
    """The `read` operators; looked for once for each version of the Program."""
    version, found = program._lowered.get("reads", (None, []))
    if version != program._edits:
        found = [op for op in program.global_block().ops if op.type == "read"]
        program._lowered["reads"] = program._edits, found
    return found


def ahead_of_readers(program: Program) -> Program | None:
    """The operators in front of the first `read`, which Paddle 1.8's Executor has run when a reader is at its end; None: there are none.

    A counter of steps is such an operator, so that every pass of a reader counts as one step more.
    """
    reads = _read_operators(program)
    ops = program.global_block().ops
    if program.age != 1 or not reads or reads[0] is ops[0]:
        return None
    version, part = program._lowered.get("ahead of reads", (None, None))
    if version != program._edits:
        later = set(map(id, ops[ops.index(reads[0]) :]))
        part = copy_program(program, lambda op: id(op) not in later)
        program._lowered["ahead of reads"] = program._edits, part
    return part
