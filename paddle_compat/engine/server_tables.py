"""Tables of a server's Program: what its blocks say of a whole table happens to the rows that trainers touched.

A block that `listen_and_serv` names in `prefetch_var_name_to_block_id` fills a table and what its updates keep: nobody runs it, rows begin
as it says. Blocks that update a table run on its touched rows, which are the whole table for the time of a round.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import torch

from paddle_compat.core.block import Block
from paddle_compat.core.dtype import torch_dtype
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.core.operator import Operator
from paddle_compat.core.program import Program
from paddle_compat.core.scope import Scope
from paddle_compat.engine.entries import entry_of
from paddle_compat.engine.first_rows import first_rows
from paddle_compat.engine.row_rules import as_whole, by_row
from paddle_compat.engine.sparse_table import SparseTable
from paddle_compat.ops._sparse_updates import Occurrences

Gradients = dict[str, torch.Tensor]


class ServedTable:
    """A table of a server's Program.

    Args:
        name: of its variable.
        block: that fills it, and what its updates keep.
        updates: the operators of the blocks that update it.
        gradients: the names of what trainers send for it.
    """

    def __init__(self, name: str, block: Block, updates: Sequence[Operator], gradients: Sequence[str]) -> None:
        self.name, self.gradients = name, list(gradients)
        for op in updates:
            if name in op.inputs.get("Param", ()):
                by_row(op.type)
        fills = {op.output_arg_names[0]: op for op in block.ops}
        var = block._var_recursive(name)
        height, width = var.shape
        starts = {each: (width, _constant(op)) for each, op in fills.items() if each != name}
        begin, whole = fills[name].attrs.get("_begin", 0), first_rows(fills[name].type, fills[name].attrs, width, name)
        entry = entry_of(fills[name].attrs.get("_entry", "none"), height, name)
        self.rows = SparseTable(width, height, lambda ids: whole(ids + begin), starts, torch_dtype(var.dtype), entry)

    def take_up(self, scope: Scope) -> None:
        """Begin with the rows that were loaded into a Scope, if any were."""
        names = {"rows": self.name} | {f"state/{name}": name for name in self.rows.states}
        found = {key: var.tensor.value for key, name in names.items() if (var := scope.find_var(name)) is not None}
        loaded = {key: value._values() for key, value in found.items() if value is not None}
        if (rows := found.get("rows")) is not None:
            self.rows.restore({"ids": rows._indices()[0], **loaded})
            scope.erase(list(names.values()))

    @contextmanager
    def as_whole(self, feed: Gradients, scope: Scope) -> Iterator[None]:
        """Have the rows that gradients touch be the table, in a Scope; they are put back where nothing failed.

        Args:
            feed: gradients by name; those of this table become gradients of these rows.
            scope: gets the table, and what its updates keep.
        """
        sent = [name for name in self.gradients if name in feed]
        lists = [feed[name]._indices()[0] for name in sent]
        found = Occurrences.of(torch.cat(lists))
        different, places = found.rows, found.back.split([len(ids) for ids in lists])
        taken = None if self.rows.entry is None else self.rows.positions(different, grows=False) >= 0
        if taken is not None:
            different, numbers = different[taken], taken.cumsum(0) - 1
        for name, place in zip(sent, places):
            gradient = feed[name]._values()
            if taken is not None:
                place, gradient = numbers[place[taken[place]]], gradient[taken[place]]
            feed[name] = as_whole(place, gradient, len(different))
        with self.rows.changing(different) as values:
            names = {"rows": self.name} | {name: name for name in self.rows.states}
            for key, name in names.items():
                scope.var(name).tensor.value = values[key]
            yield
            for key, name in names.items():
                values[key] = scope.var(name).tensor.value  # type: ignore[assignment]  # which the round has left there


def tables_of(program: Program, listener: Operator) -> list[ServedTable]:
    """The tables of a server's Program.

    Args:
        listener: its `listen_and_serv`.
    """
    found, arriving = [], set(listener.input("X"))
    for said in listener.attrs.get("prefetch_var_name_to_block_id") or ():
        name, _, index = said.rpartition(":")
        blocks = [block for block in listener.attrs["optimize_blocks"] if any(name in op.input_arg_names for op in block.ops)]
        updates = [op for block in blocks for op in block.ops]
        gradients = arriving & {each for op in updates for each in op.input_arg_names}
        found.append(ServedTable(name, program.blocks[int(index)], updates, sorted(gradients)))
    return found


def _constant(op: Operator) -> float:
    if op.type != "fill_constant":
        raise UnsupportedError("is_distributed=True", f"an accumulator that `{op.type}` fills", "one that starts from one number")
    return float(op.attrs.get("value", 0.0))
