"""Which server keeps what: pure planning, asked once, and read by what writes trainers' Programs and servers' alike."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

RPC, DIST = 4, 8  # what `op_role` says of operators that talk to servers, and of those that cut and join for them


@dataclass(frozen=True)
class Part:
    """Rows of a parameter, and its gradient's, that one server keeps.

    Attributes:
        param, grad: their names, `w.block0` and `w@GRAD.block0` of a sliced one.
        begin: the first row.
        shape: of these rows.
        whole: the parameter's name.
        endpoint: the server.
    """

    param: str
    grad: str
    begin: int
    shape: tuple[int, ...]
    whole: str
    endpoint: str = ""

    @property
    def rows(self) -> int:
        """How many rows."""
        return self.shape[0]


@dataclass(eq=False)  # `==` of Variables would record an operator
class Placed:
    """A parameter that is trained, with the gradient that trainers send and the parts in which servers keep it."""

    param: Any
    grad: Any
    remote: bool  # a table whose rows are asked for, and which trainers do not hold
    parts: list[Part] = field(default_factory=list)

    @property
    def sliced(self) -> bool:
        """Whether there is more than one part."""
        return len(self.parts) > 1

    @property
    def rows(self) -> list[int]:
        """Rows of each part."""
        return [part.rows for part in self.parts]

    @property
    def endpoints(self) -> list[str]:
        """The server of each part."""
        return [part.endpoint for part in self.parts]


@dataclass
class Plan:
    """All parameters by name, and the order in which they were dealt to servers."""

    placed: list[Placed]
    dealt: list[Placed]

    def on(self, endpoint: str) -> Iterator[Part]:
        """The parts of one server, in the order in which it got them."""
        return (part for placed in self.dealt for part in placed.parts if part.endpoint == endpoint)


def rows_of(shape: Sequence[int], count: int, smallest: int) -> list[int]:
    """In how many rows each of at most `count` parts goes, none (but the last) of less than `smallest` values."""
    rows, width = shape[0], math.prod(shape[1:])
    pieces = max(1, min(count, rows * width // smallest))
    each = math.ceil(math.ceil(rows * width / pieces) / width)
    return [min(each, rows - begin) for begin in range(0, rows, each)]


def make(
    trained: Sequence[tuple[Any, Any, bool]],
    endpoints: Sequence[str],
    deal: Callable[[list[Any]], list[str]],
    smallest: int | None,
    seed: int,
) -> Plan:
    """Deal parameters to servers.

    Args:
        trained: parameter, gradient, and whether it is a remote table; ordered by name.
        endpoints: of the servers.
        deal: gives each gradient's part a server, as a `PSDispatcher` does.
        smallest: values that a part must have; None: nothing is sliced, and parameters are shuffled.
        seed: of the shuffle.
    """
    placed = [Placed(param, grad, remote) for param, grad, remote in trained]
    for each in placed:
        shape = tuple(each.param.shape)
        rows = [shape[0]] if smallest is None else rows_of(shape, len(endpoints), smallest)
        begins = [sum(rows[:i]) for i in range(len(rows))]
        ends = [f".block{i}" if len(rows) > 1 else "" for i in range(len(rows))]
        name, grad = each.param.name, each.grad.name
        each.parts = [Part(name + end, grad + end, b, (n, *shape[1:]), name) for end, b, n in zip(ends, begins, rows)]
    order = np.arange(len(placed))
    if smallest is None:
        np.random.RandomState(seed).shuffle(order)
    dealt = [placed[i] for i in order]
    for each in dealt:
        found = deal([part.grad for part in each.parts])
        each.parts = [Part(p.param, p.grad, p.begin, p.shape, p.whole, endpoint) for p, endpoint in zip(each.parts, found)]
    return Plan(placed, dealt)
