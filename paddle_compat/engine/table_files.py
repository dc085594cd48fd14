"""Files of tables whose rows exist when they are touched: what each server has of a table, in a file of its own.

FOLDER/__lookup_table__/TABLE_0           the rows of the table that server 0 has, a SelectedRows of Paddle 1.8
FOLDER/__lookup_table_states__/NAME_0     what updates keep beside them
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

import torch

from paddle_compat.core.errors import UnreadableFileError
from paddle_compat.core.lod import LoDTensor
from paddle_compat.core.pickles import replacing
from paddle_compat.core.streams import Reader, read_selected_rows, write_tensor
from paddle_compat.engine.sparse_table import SparseTable

ROWS, STATES = "__lookup_table__", "__lookup_table_states__"


class Place(NamedTuple):
    """Where what one server has of a table belongs.

    Attributes:
        name: the table's.
        begin: its id that is the server's 0.
        height: of the whole table.
    """

    name: str
    begin: int
    height: int


def write(table: SparseTable, place: Place, folder: str, number: int) -> None:
    """Write a table's rows, and their states.

    Args:
        number: of the server.
    """
    state = table.state()
    ids = (state["ids"] + place.begin)[None]
    files = {Path(ROWS, place.name): state["rows"]} | {Path(STATES, name): state[f"state/{name}"] for name in table.states}
    for file, values in files.items():
        path = Path(folder, f"{file}_{number}")
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as stream:
            found = torch.sparse_coo_tensor(ids, values, (place.height, *values.shape[1:]), check_invariants=False)
            write_tensor(stream, LoDTensor(found))


def read(folder: str, kind: str, name: str, begin: int, shape: tuple[int, ...]) -> torch.Tensor:
    """What one server has of a table, however many servers have written it.

    Args:
        kind: `ROWS` or `STATES`.
        name: of the table, or the state.
        begin: the server's first id.
        shape: of its part.
    Returns:
        A sparse tensor of that shape.
    Raises:
        UnreadableFileError: there is no file, or one holds rows of another width.
    """
    places, rows = [torch.empty(0, dtype=torch.int64)], [torch.empty(0, *shape[1:])]
    for path in _files(Path(folder, kind), name):
        with open(path, "rb") as stream:
            found = read_selected_rows(Reader(stream))._tensor()
        ids, values = found._indices()[0] - begin, found._values()
        if values.shape[1:] != shape[1:]:
            raise UnreadableFileError(f"Invalid file {path}. Expected rows of shape {list(shape[1:])}. Received: {list(values.shape[1:])}")
        mine = (ids >= 0) & (ids < shape[0])
        places.append(ids[mine])
        rows.append(values[mine])
    return torch.sparse_coo_tensor(torch.cat(places)[None], torch.cat(rows), shape, check_invariants=False)


def remove_others(folder: str, names: Collection[str], servers: int) -> None:
    """Remove what servers that this job does not have wrote into the same folder before.

    Args:
        names: of tables and states, whose files these are.
        servers: how many there are.
    """
    for path in [*Path(folder, ROWS).glob("*"), *Path(folder, STATES).glob("*")]:
        name, _, number = path.name.rpartition("_")
        if name in names and number.isdigit() and int(number) >= servers:
            path.unlink()


def _files(folder: Path, name: str) -> list[Path]:
    def part(path: Path) -> str:
        own, _, number = path.name.rpartition("_")
        return number if own == name else ""

    found = sorted(path for path in folder.glob("*") if part(path).isdigit())
    if not found:
        raise UnreadableFileError(f"Expected a file {folder / name}_0 of a distributed table. Received: {sorted(folder.glob('*'))}")
    return found
