"""A trainer's side of parameter servers: operators `send` and `recv` of its Programs, made one call to each server in a step.

What is sent waits until the step has sent everything (`send_barrier`, or the first `recv`); the answer to that call brings what the step
before got from that server, so that `recv` finds it there.
"""

from __future__ import annotations

import atexit
import operator
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import torch

from paddle_compat.core.errors import InvalidArgumentError, OutOfRangeError, PreconditionNotMetError, UnsupportedError
from paddle_compat.core.job import Servers
from paddle_compat.core.operator import Operator

if TYPE_CHECKING:
    from paddle_compat.engine.lowering import _Lowering
    from paddle_compat.engine.transport import Transport


class Trainer:
    """A trainer, which joins its job when it first sends or gets something.

    Args:
        servers: of the job, and this trainer's number.
    """

    def __init__(self, servers: Servers) -> None:
        self.servers, self.number = servers, servers.trainer
        self.sent: dict[int, dict[str, torch.Tensor]] = defaultdict(dict)  # what this step has for each server
        self.wanted: dict[int, dict[str, None]] = defaultdict(dict)  # what steps get of each
        self.got: dict[str, torch.Tensor] = {}  # and have not read yet
        self.pushes: list[int] = []  # to each server
        self.answered: list[int] = []  # the number of the last of them that was applied
        self._transport: Transport | None = None

    @property
    def transport(self) -> Transport:
        """How it calls the servers."""
        if self._transport is None:
            from paddle_compat.engine.transport import RpcTransport  # loads rpc

            joined = RpcTransport.of_job(self.servers, f"trainer{self.number}")
            joined.join()
            self._transport = joined
            atexit.register(_exit)
            calls = [joined.call_async(f"server{i}", "hello", self.number) for i in range(len(self.servers.endpoints))]
            self.pushes = [call.result() for call in calls]
            self.answered = list(self.pushes)
        return self._transport

    def send(self, names: Sequence[str], endpoints: Sequence[str], tensors: Sequence[torch.Tensor]) -> None:
        """Have something for servers."""
        for name, endpoint, tensor in zip(names, endpoints, tensors, strict=True):
            self.sent[self._server(endpoint)][name] = tensor.detach()

    def push(self, endpoints: Sequence[str] = ()) -> None:
        """Send what this step has.

        Args:
            endpoints: of servers that hear of the step even where it has nothing for them.
        """
        sent, self.sent = self.sent, defaultdict(dict)
        transport = self.transport
        calls = {}
        for server in sorted({*sent, *map(self._server, endpoints)}):
            self.pushes[server] += 1
            arguments = (self.number, self.pushes[server], self.answered[server], sent[server], list(self.wanted[server]))
            calls[server] = transport.call_async(f"server{server}", "push", *arguments)
        self.got = {}
        for server, call in calls.items():
            self.got.update(call.result())
            self.answered[server] = self.pushes[server]

    def recv(self, names: Sequence[str], endpoints: Sequence[str]) -> list[torch.Tensor]:
        """Values of servers."""
        if self.sent:
            self.push()
        lacking: dict[int, list[str]] = defaultdict(list)
        for name, endpoint in zip(names, endpoints, strict=True):
            server = self._server(endpoint)
            self.wanted[server][name] = None
            if name not in self.got:
                lacking[server].append(name)
        for call in [self.transport.call_async(f"server{server}", "pull", missing) for server, missing in lacking.items()]:
            self.got.update(call.result())
        return [self.got.pop(name) for name in names]

    def lookup(
        self, table: torch.Tensor, lists: Sequence[torch.Tensor], names: Sequence[str], sections: Sequence[int],
        endpoints: Sequence[str], padding_idx: int = -1, last_is_one: bool = True,
    ) -> list[torch.Tensor]:  # fmt: skip
        """Rows of a table that servers keep in parts.

        Args:
            table: stands for it here: gradients are rows of it.
            lists: of ids.
            names, sections, endpoints: of each part: its name, its number of rows and its server.
            padding_idx: an id whose row is zeros; -1: none.
            last_is_one: lists come with a last dimension of 1.
        Raises:
            OutOfRangeError: an id is negative, or not smaller than the table's height.
        """
        if self.sent:
            self.push()
        every = torch.cat([ids.reshape(-1) for ids in lists])
        unique, back = torch.unique(every, return_inverse=True)
        for wrong in unique[[0, -1]] if len(unique) else ():
            if not 0 <= wrong < len(table):
                whole = names[0].rpartition(".block")[0] or names[0]
                raise OutOfRangeError(f"Invalid ids of table `{whole}`. Expected ids from 0 to {len(table) - 1}. Received: {int(wrong)}")
        calls, begin, first = [], 0, 0
        for name, rows, endpoint in zip(names, sections, endpoints, strict=True):
            end = begin + rows
            last = len(unique) if name == names[-1] else int(torch.searchsorted(unique, end))
            if last > first:
                calls.append(self.transport.call_async(f"server{self._server(endpoint)}", "lookup", {name: unique[first:last] - begin}))
            begin, first = end, last
        found = [value for call in calls for value in call.result().values()]
        values = (torch.cat(found) if len(found) != 1 else found[0]).index_select(0, back)
        if padding_idx >= 0:
            values[every == padding_idx] = 0
        outputs = _RemoteRows.apply(table, every, values).split([ids.numel() for ids in lists])
        return [out.view(*(ids.shape[:-1] if last_is_one else ids.shape), out.shape[-1]) for out, ids in zip(outputs, lists, strict=True)]

    def leave(self, done: bool = True) -> None:
        """Be done with the job, or give up."""
        if self._transport is not None:
            self._transport.leave(done)
        self._transport = None

    def _server(self, endpoint: str) -> int:
        try:
            return self.servers.endpoints.index(endpoint)
        except ValueError:
            raise InvalidArgumentError(f"Expected one of the servers {list(self.servers.endpoints)}. Received: {endpoint}") from None


class _RemoteRows(torch.autograd.Function):
    """Rows that came from servers, as if they had been read from the table that stands for theirs."""

    @staticmethod
    def forward(ctx: Any, table: torch.Tensor, ids: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(ids)
        ctx.shape = table.shape
        return values

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> Any:
        (ids,), (gradient,) = ctx.saved_tensors, gradients
        # the row of padding gets gradients, too, as where the table is here
        return torch.sparse_coo_tensor(ids[None], gradient, ctx.shape, check_invariants=False), None, None


_trainer: Trainer | None = None


def trainer_of(servers: Servers | None, type_: str) -> Trainer:
    """This process as a trainer.

    Raises:
        PreconditionNotMetError: the Program knows no servers, or the process is a trainer of another job.
    """
    global _trainer
    if servers is None:
        raise PreconditionNotMetError(
            f"Operator `{type_}` calls parameter servers. Expected a Program of fluid.DistributeTranspiler. Received: one that knows none"
        )
    if _trainer is None:
        _trainer = Trainer(servers)
    if _trainer.servers != servers:
        raise PreconditionNotMetError(
            f"This process is a trainer of {_trainer.servers}. Expected the same in all its Programs until the executor is closed. "
            f"Received: {servers}"
        )
    return _trainer


def leave(done: bool = True) -> None:
    """Be done with the job, if this process has joined one.

    Args:
        done: else the servers take it for one that died.
    """
    global _trainer
    if _trainer is not None:
        _trainer.leave(done)
    _trainer = None


def _exit() -> None:
    leave(done=not hasattr(sys, "last_value"))  # which an uncaught exception leaves


# ---- lowering
def _trainer_for(lowering: _Lowering, op: Operator) -> Trainer:
    return trainer_of(lowering.program._servers, op.type)


def _send(lowering: _Lowering, op: Operator) -> None:
    names = op.input("X")
    if not op.attrs.get("use_send_handler", True):
        raise UnsupportedError("fluid.DistributeTranspiler", f"sync_mode=False and a schedule ({names[0]})", "a constant learning rate")
    if op.attrs.get("send_varnames") or op.attrs.get("sections"):
        raise UnsupportedError("fluid.DistributeTranspilerConfig", "runtime_split_send_recv=True", "False")
    values = [lowering._read(name) for name in names]
    node = lowering._call(_trainer_for(lowering, op).send, (names, list(op.attrs["epmap"]), values))
    lowering.nodes[node.name] = op


def _send_barrier(lowering: _Lowering, op: Operator) -> None:
    node = lowering._call(_trainer_for(lowering, op).push, (list(op.attrs["endpoints"]),))
    lowering.nodes[node.name] = op


def _recv(lowering: _Lowering, op: Operator) -> None:
    names = op.output("Out")
    node = lowering._call(_trainer_for(lowering, op).recv, (names, list(op.attrs["epmap"])))
    lowering.nodes[node.name] = op
    for i, name in enumerate(names):
        lowering._write(name, lowering._call(operator.getitem, (node, i), name=name))


def _lookup(lowering: _Lowering, op: Operator) -> None:
    attrs = op.attrs
    lists = [lowering._read(name) for name in op.input("Ids")]
    said = [list(attrs[name]) for name in ("table_names", "height_sections", "endpoints")]
    old = attrs.get("lookup_table_version", "lookup_table") == "lookup_table"
    target = _trainer_for(lowering, op).lookup
    node = lowering._call(target, (lowering._read(op.input("W")[0]), lists, *said, attrs.get("padding_idx", -1), old))
    lowering.nodes[node.name] = op
    for i, name in enumerate(op.output("Outputs")):
        lowering._write(name, lowering._call(operator.getitem, (node, i), name=name))


def _fetch_barrier(lowering: _Lowering, op: Operator) -> None:
    """Nothing: `recv` returns when everything has come."""


LOWERINGS: dict[str, Callable[[Any, Operator], None]] = {
    "send": _send,
    "send_barrier": _send_barrier,
    "recv": _recv,
    "fetch_barrier": _fetch_barrier,
    "distributed_lookup_table": _lookup,
}
