"""What a collective call gives: a task. And the flat tensors that travel in place of a Tensor's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import torch

from paddle_compat.core.errors import PreconditionNotMetError, invalid_argument, type_error
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.distributed._groups import Group
from paddle_compat.distributed.communication._agreement import expected
from paddle_compat.engine.agreements import Call
from paddle_compat.engine.processes import Agreed, before_the_end, compares, left, together, watched

T = TypeVar("T")


class Task:
    """A collective call that was started: its results are there after `wait`."""

    def __init__(self, works: Sequence[Any], finish: Callable[[], None] | None = None, agreed: Agreed | None = None) -> None:
        self._works, self._finish, self._agreed = list(works), finish, agreed
        self._asked = False  # whether somebody has waited, or did until that failed

    def wait(self, timeout: Any = None) -> bool:
        """Wait until the results are there (on a GPU: let what comes after wait for them).

        Args:
            timeout: kept; the group's counts.
        Returns:
            bool: True.
        Raises:
            ValueError: the processes made different calls.
        """
        return self._wait(False)

    def _wait(self, last: bool) -> bool:
        self._asked = True
        if self._agreed is not None:
            self._works, self._agreed = _listed(self._agreed.wait(last)), None
        while self._works:
            work = self._works[0]
            guarded(work.wait)
            self._works.pop(0)
        if self._finish is not None:
            finish, self._finish = self._finish, None
            finish()
        return True

    def is_completed(self) -> bool:
        """Whether the results are there, or will be at `wait` without waiting."""
        if self._agreed is not None:
            if not self._agreed.turn.done:
                return False
            if self._agreed.turn.error is not None:
                return True
            self._works, self._agreed = _listed(self._agreed.wait(False)), None
        return all(work.is_completed() for work in self._works)

    def has_begun(self) -> bool:
        """Whether all processes are known to make the call."""
        return self._agreed is None or self._agreed.turn.done

    def is_sync(self) -> bool:
        """Whether the call had ended when it returned."""
        return self._agreed is None and not self._works and self._finish is None

    def synchronize(self) -> None:
        """Wait until the results are there."""
        self.wait()

    def __del__(self) -> None:
        if not (self._asked or self.is_sync()):
            left.append(_Left(self._works, self._finish, self._agreed))


class _Left(Task):
    """A call that nobody waited for, and nobody can any more."""

    def __del__(self) -> None:
        pass


def end_those_left() -> None:
    """Wait for the calls that nobody else can wait for, and that all processes are known to make: what came is put where it belongs.

    Gloo takes a message back whose handle is let go, as if it had never set out, so that what follows on the same way would never come.
    """
    later: list[Task] = []
    while left:
        task = left.pop(0)
        if not task.has_begun():
            later.append(task)
        elif task._agreed is None or task._agreed.turn.error is None:  # `Agreements.missed` tells of others
            task.wait()
    left.extend(later)


before_the_end.append(end_those_left)


class Message(Task):
    """A message that was begun. Gloo does not know whether it came before somebody waits, which is short once both processes are there."""

    def is_completed(self) -> bool:
        """Whether it has come, or gone out."""
        if self._agreed is None:
            return True
        turn = self._agreed.turn
        return turn.done and (turn.error is not None or self.wait())


def _listed(works: Any) -> list[Any]:
    return [work for work in (works if isinstance(works, list) else [works]) if work is not None]


def guarded(call: Callable[[], T], group: Group | None = None) -> T:
    """The result of a call of torch.distributed's; its errors name the process that is lost, where that can be known."""
    with watched(group and group.process_group):
        return call()


def started(group: Group, sync_op: bool, call: Call, start: Callable[[], Any], finish: Callable[[], None] | None = None) -> Task:
    """The task of a call, which sets out when all processes are known to make it: ended if `sync_op`.

    Args:
        group: who meets.
        call: what is said of it.
        start: makes it, and gives what is to be waited for; `finish`: takes in what came.
    """
    if not compares(group.process_group):
        return ended(sync_op, Task(_listed(guarded(start, group)), finish))
    return ended(sync_op, Task([], finish, together(group.process_group, call, expected(group), start)))


def ended(sync_op: bool, task: Task) -> Task:
    """A task, which has ended if `sync_op`."""
    end_those_left()
    if sync_op:
        task._wait(True)
    return task


def check_stream(sync_op: bool, use_calc_stream: bool) -> None:
    """The stream that computes is for calls that wait.

    Raises:
        PreconditionNotMetError: sync_op is False, and use_calc_stream True.
    """
    if use_calc_stream and not sync_op:
        raise PreconditionNotMetError("Invalid value for argument `use_calc_stream`. Expected False where `sync_op` is. Received: True")


def value_of(tensor: Any, name: str, api: str) -> torch.Tensor:
    """The torch tensor of a Tensor, without history.

    Raises:
        WrongInputError: it is no Tensor.
        InvalidArgumentError: it is the rows of a table.
    """
    if not isinstance(tensor, Tensor):
        expected = "a Tensor, as the group's processes meet at once" if isinstance(tensor, Variable) else "a Tensor"
        raise type_error(name, expected, tensor, api)
    value = tensor._t.detach()
    if value.is_sparse:
        raise invalid_argument(name, "a dense Tensor", "the rows of a table (SelectedRows)", api)
    return value


def values_of(tensors: Any, name: str, api: str) -> list[torch.Tensor]:
    """The torch tensors of a list of Tensors."""
    if not isinstance(tensors, (list, tuple)):
        raise type_error(name, "a list of Tensors", tensors, api)
    return [value_of(tensor, name, api) for tensor in tensors]


def flat(value: torch.Tensor) -> torch.Tensor:
    """The elements in a row, in a data type that travels: the tensor's own memory if possible."""
    row = value.contiguous().view(-1)
    return row.view(torch.uint8) if row.dtype is torch.int16 else row


def apart(row: torch.Tensor, *written: torch.Tensor) -> torch.Tensor:
    """A row that is sent, in memory of its own where something comes into the same memory, which may be there before all has gone out."""
    memory = row.untyped_storage().data_ptr()
    return row.clone() if any(each.untyped_storage().data_ptr() == memory for each in written) else row


def put(row: torch.Tensor, value: torch.Tensor) -> None:
    """Write what came into a row into the tensor it was made for, if that is not the row's own memory."""
    if row.data_ptr() != value.data_ptr():
        if value.dtype is torch.int16 and row.dtype is torch.uint8:
            row = row.view(torch.int16)
        value.copy_(row.view(value.shape))


def put_all(rows: Sequence[torch.Tensor], values: Sequence[torch.Tensor]) -> None:
    """`put` of many."""
    for row, value in zip(rows, values):
        put(row, value)


def _name(value: torch.Tensor) -> str:
    return str(value.dtype).removeprefix("torch.")


def number_of(rank: Any, name: str, group: Group, api: str) -> int:
    """The number in the group of a process of the job.

    Raises:
        InvalidArgumentError: it is none of the group's.
    """
    if rank not in group.ranks:
        raise invalid_argument(name, f"one of {group.ranks}, the group's processes", rank, api)
    return group.ranks.index(rank)


def check_alike(values: Sequence[torch.Tensor], model: torch.Tensor, count: int, name: str, api: str) -> None:
    """As many tensors as processes, each of the model's size and data type.

    Raises:
        InvalidArgumentError: they are not.
    """
    if len(values) != count:
        raise invalid_argument(name, f"{count} Tensors, one for each process", f"{len(values)}", api)
    for value in values:
        if value.numel() != model.numel() or value.dtype is not model.dtype:
            expected = f"Tensors of shape {list(model.shape)} and data type {_name(model)}"
            raise invalid_argument(name, expected, f"{list(value.shape)} and {_name(value)}", api)


def check_joined(value: torch.Tensor, part: torch.Tensor, count: int, name: str, api: str) -> None:
    """A tensor with room for a part of each process.

    Raises:
        InvalidArgumentError: it has not.
    """
    if value.numel() != part.numel() * count or value.dtype is not part.dtype:
        expected = f"{count} times the elements of a Tensor of shape {list(part.shape)}, in {_name(part)}"
        raise invalid_argument(name, expected, f"{list(value.shape)} in {_name(value)}", api)
