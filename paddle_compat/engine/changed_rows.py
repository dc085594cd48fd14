"""Which rows of a server's tables trainers have not seen: what Geo-SGD asks for."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import NamedTuple

import torch

from paddle_compat.core.errors import NotFoundError


class Seen(NamedTuple):
    """What a trainer has seen of a table.

    Attributes:
        life: of the server, which forgets when rows changed when it is started again; 0: none.
        change: the number of the last one.
    """

    life: int = 0
    change: int = 0


class Rows(NamedTuple):
    """Rows of a table: what the trainer has seen then, the ids, ascending, and the values."""

    seen: Seen
    ids: torch.Tensor
    values: torch.Tensor


class ChangedRows:
    """When rows of tables changed, by the number of the change.

    Args:
        tables: by name.
    """

    def __init__(self, tables: Mapping[str, torch.Tensor]) -> None:
        self.tables = tables
        self.life, self.change = 1 + secrets.randbits(60), 0
        self.when: dict[str, torch.Tensor] = {}

    def note(self, name: str, ids: torch.Tensor) -> None:
        """Rows of a table have changed."""
        self.change += 1
        if name not in self.when:
            self.when[name] = torch.zeros(len(self.tables[name]), dtype=torch.int64)
        self.when[name].index_fill_(0, ids, self.change)

    def since(self, wanted: Mapping[str, Seen]) -> dict[str, Rows]:
        """Rows that have changed; all of a table, for who has seen those of a former life.

        Raises:
            NotFoundError: there is no such table.
        """
        found = {}
        for name, seen in wanted.items():
            if name not in self.tables:
                raise NotFoundError(f"This server has no table {name!r}. Expected one of {sorted(self.tables)}")
            table, when = self.tables[name].detach(), self.when.get(name)
            if seen.life not in (0, self.life):
                ids = torch.arange(len(table))
            else:
                ids = torch.empty(0, dtype=torch.int64) if when is None else (when > seen.change).nonzero()[:, 0]
            found[name] = Rows(Seen(self.life, self.change), ids, table.index_select(0, ids))
        return found
