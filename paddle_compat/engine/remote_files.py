"""Files of what servers keep, asked for by operators of a Program: `recv_save` and `checkpoint_notify`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

import torch

from paddle_compat.core.dtype import torch_dtype
from paddle_compat.core.errors import InvalidArgumentError, NotFoundError
from paddle_compat.core.lod import LoDTensor
from paddle_compat.core.pickles import replacing
from paddle_compat.core.streams import write_tensor
from paddle_compat.engine import table_files


def recv_save(trainer: Any, parts: type, attrs: Mapping[str, Any]) -> None:
    """Write a variable into a file.

    Args:
        trainer: calls the servers.
        parts: makes a variable as servers keep it.
        attrs: of the operator.
    Raises:
        InvalidArgumentError: lists of different lengths, a part of another shape, or a file that is not to be written over.
    """
    path, names, endpoints = Path(attrs["file_path"]), attrs["remote_varnames"], attrs["endpoints"]
    shapes = [[int(size) for size in text.split(",") if size] for text in attrs["slice_shapes"]]
    if not len(names) == len(endpoints) == len(shapes) or not names:
        raise InvalidArgumentError(
            "Operator `recv_save` needs a name, a shape and a server for each part. Expected lists `remote_varnames`, `slice_shapes` and "
            f"`endpoints` of one length. Received: {list(names)}, {list(attrs['slice_shapes'])}, {list(endpoints)}"
        )
    if path.exists() and not attrs.get("overwrite", True):
        raise InvalidArgumentError(f"{path} exists. Expected a new file where `overwrite` of `recv_save` is False. Received: this one")
    found = []
    for name, endpoint, shape in zip(names, endpoints, shapes):
        value = trainer.pull([parts(name, (name,), (endpoint,))])[name]
        if list(value.shape) != shape:
            raise InvalidArgumentError(f"Invalid part {name!r} of `recv_save`. Expected shape {shape}. Received: {list(value.shape)}")
        found.append(value)
    whole = torch.cat(found) if len(found) > 1 else found[0]
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as stream:
        write_tensor(stream, LoDTensor(whole.to(torch_dtype(attrs.get("dtype", 5)))))


def checkpoint_notify(trainer: Any, tables: Mapping[str, Any], attrs: Mapping[str, Any]) -> None:
    """Have servers write their rows of a table.

    Args:
        trainer: calls the servers.
        tables: by name, as servers keep them.
        attrs: of the operator.
    Raises:
        NotFoundError: no Program that this process has run looks such a table up.
    """
    name, folder = attrs["lookup_table"], os.path.abspath(attrs["dir"])
    if name not in tables:
        raise NotFoundError(
            f"Operator `checkpoint_notify` knows no table {name!r}. Expected one that the trainer's Program has looked up: {sorted(tables)}"
        )
    table, calls = tables[name], []
    for part, endpoint, begin in zip(table.parts, table.endpoints, accumulate(table.rows, initial=0)):
        if endpoint in attrs["epmap"]:
            number = trainer.servers.endpoints.index(endpoint)
            places = {part: tuple(table_files.Place(name, begin, sum(table.rows)))}
            calls.append(trainer.transport.call_async(f"server{number}", "write_tables", places, folder, number))
    for call in calls:
        call.result()
    table_files.remove_others(folder, {name}, len(trainer.servers.endpoints))


def names_of(attrs: Mapping[str, Any]) -> Sequence[str]:
    """The servers that an operator names."""
    return tuple(attrs.get("endpoints") or attrs.get("epmap") or ())
