"""The trainer's side: gradients are sent to the servers that keep their parameters, and parameters come back."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from paddle_compat.core.block import Block
from paddle_compat.core.dtype import VarType
from paddle_compat.core.operator import Operator
from paddle_compat.core.program import Program
from paddle_compat.distributed.ps._plan import DIST, RPC, Placed, Plan
from paddle_compat.distributed.ps._training import COUNTER, Training, drop, is_remote, place_behind, rename, set_apart

_control = count()


@dataclass(frozen=True)
class Cluster:
    """What a trainer knows of its job.

    Attributes:
        trainer, trainers: its number, and how many there are.
        endpoints: of the servers.
        sync: whether all trainers wait for each other in every step.
        split: whether `send` and `recv` cut and join, not operators of their own.
        half: whether a trainer waits until what it sent has gone.
        summed: whether servers sum the gradients of all trainers.
    """

    trainer: int
    trainers: int
    endpoints: list[str]
    sync: bool
    split: bool = False
    half: bool = False
    summed: bool = False


def control(block: Block) -> Any:
    """A variable that holds nothing: operators that read it run behind those that write it."""
    return block.create_var(name=f"__control_var@{next(_control)}", dtype="bool")


class Trainer:
    """Writes a trainer's Programs, in place.

    Args:
        training: what the Program trains.
        startup: the startup Program.
        plan: which server keeps what.
        cluster: the job.
        counts: whether this trainer tells servers how many steps it has taken.
    """

    def __init__(self, training: Training, startup: Program, plan: Plan, cluster: Cluster, counts: bool = False) -> None:
        self.training, self.startup, self.plan, self.cluster, self.counts = training, startup, plan, cluster, counts
        self.main = training.program
        self.block = self.main.global_block()

    @property
    def _rpc(self) -> dict[str, Any]:
        return {"trainer_id": self.cluster.trainer, "op_role": RPC}

    @property
    def ending(self) -> str:
        """What the names of gradients end in that are sent: where all are summed, whose they are."""
        return f".trainer_{self.cluster.trainer}" if self.cluster.sync and self.cluster.trainers > 1 else ""

    def write(self) -> None:
        """Write what happens in a step, and what happens once."""
        self._ask_for_rows()
        self._receive(self._send())
        self.begin()

    # ---- a step
    def _ask_for_rows(self) -> None:
        """Look-ups of a table on servers become one operator that asks for the rows of all."""
        for placed in self.plan.placed:
            if not placed.remote:
                continue
            lookups = [op for op in self.block.ops if is_remote(op) and op.input("W") == [placed.param.name]]
            where = {
                "table_names": [part.param for part in placed.parts],
                "height_sections": placed.rows,
                "endpoints": placed.endpoints,
                "trainer_id": self.cluster.trainer,
            }
            self._ask_once(placed, lookups, where)

    def _ask_once(self, placed: Placed, lookups: Sequence[Operator], where: dict[str, Any]) -> None:
        ids, found = [op.input("Ids")[0] for op in lookups], [op.output("Out")[0] for op in lookups]
        lists = [self.block._var_recursive(name) for name in found]
        known = [(var.shape, var.lod_level) for var in lists]
        self.block.ops = [op for op in self.block.ops if op not in lookups]
        set_apart(op for op in self.block.ops if op.forward in lookups or placed.grad.name in op.output_arg_names)
        place = place_behind(self.block, ids)
        early = {name for op in self.block.ops[:place] for name in op.input_arg_names} & set(found)
        if early:
            raise ValueError(
                f"Invalid value for argument `program` of `DistributeTranspiler.transpile`. Expected look-ups of {placed.param.name} that "
                f"do not depend on each other. Received: one whose ids are computed from {sorted(early)}"
            )
        first = lookups[0]
        kind = {"lookup_table_version": first.type, "dtype": int(placed.param.dtype)}
        attrs = {"padding_idx": first.attrs.get("padding_idx", -1), **kind}
        inputs = {"Ids": ids, "W": [placed.param]}
        self.block._insert_op(place, "distributed_lookup_table", inputs, {"Outputs": found}, {**where, **attrs, "op_role": 0})
        for var, (shape, level) in zip(lists, known):
            var.shape, var.lod_level = shape, level

    def _send(self) -> dict[str, Any]:
        """Send every gradient as soon as it is there. Returns the control variable of each parameter."""
        sent: dict[str, Any] = {}
        for placed in self.plan.dealt:
            sent[placed.param.name] = self._send_one(placed)
        awaited = list(sent.values())
        if self.counts:
            name = f"{COUNTER}.trainer_{self.cluster.trainer}"
            attrs = {"epmap": self.cluster.endpoints, "op_role_var": [name, name], "op_role": RPC, "merge_add": True}
            if self.cluster.split:
                attrs["send_varnames"] = [name]
            awaited.append(control(self.block))
            self.block.append_op("send", {"X": [name]}, {"Out": awaited[-1:]}, {**attrs, "use_send_handler": False})
        barrier = control(self.block)
        if self.cluster.sync or (self.cluster.half and self.cluster.split):
            attrs = {"endpoints": self.cluster.endpoints, "half_async": not self.cluster.sync, **self._rpc}
            self.block.append_op("send_barrier", {"X": awaited}, {"Out": [barrier]}, attrs)
            if self.cluster.sync:
                return dict.fromkeys(sent, barrier)
        return sent

    def _send_one(self, placed: Placed) -> Any:
        named = self.ending
        grad, sparse = placed.grad, placed.grad.type == VarType.SELECTED_ROWS
        place = place_behind(self.block, [grad.name])
        if not placed.sliced and named:
            rename(self.main, grad.name, grad.name + named)
        values = [grad]
        if placed.sliced:
            kind = {"dtype": grad.dtype, "type": grad.type}
            parts = [self.block.create_var(name=part.grad + named, shape=part.shape, **kind) for part in placed.parts]
        if placed.sliced and not self.cluster.split:
            values = parts
            cut = ("split_selected_rows", "height_sections") if sparse else ("split_byref", "sections")
            self.block._insert_op(place, cut[0], {"X": [grad]}, {"Out": values}, {cut[1]: placed.rows, "op_role": DIST})
            place += 1
        done = control(self.block)
        attrs = {"epmap": placed.endpoints, "op_role_var": [placed.param.name, grad.name], "op_role": RPC}
        if self.cluster.split:
            own = f".trainer_{self.cluster.trainer}" if self.cluster.summed and self.cluster.trainers > 1 else ""
            attrs |= {"sections": placed.rows, "send_varnames": [part.grad + own for part in placed.parts]}
        self.block._insert_op(place, "send", {"X": values}, {"Out": [done]}, attrs)
        return done

    def _receive(self, behind: dict[str, Any]) -> None:
        came: list[Any] = []
        joins = []
        for placed in self.plan.placed:
            parts = self._parts(self.block, placed)
            if placed.remote:
                continue
            values = [placed.param] if self.cluster.split else parts
            attrs = {"epmap": placed.endpoints, "op_role_var": [placed.param.name, placed.grad.name], **self._rpc}
            if self.cluster.split:
                attrs["recv_varnames"] = [part.param for part in placed.parts]
            self.block.append_op("recv", {"X": [behind[placed.param.name]]}, {"Out": values}, attrs)
            came += values
            if len(values) > 1:
                joins.append((values, placed.param))
        if self.cluster.sync:
            attrs = {"endpoints": self.cluster.endpoints, **self._rpc}
            self.block.append_op("fetch_barrier", {"X": list(behind.values())[:1]}, {"Out": came}, attrs)
        for values, param in joins:
            self.block.append_op("concat", {"X": values}, {"Out": [param]}, {"axis": 0, "op_role": DIST})

    def _parts(self, block: Block, placed: Placed) -> list[Any]:
        """A parameter's parts, as variables."""
        if not placed.sliced:
            return [block.vars[placed.param.name]]
        return [block.create_var(name=part.param, shape=part.shape, dtype=placed.param.dtype) for part in placed.parts]

    # ---- once
    def begin(self, held: Collection[str] = ()) -> None:
        """Trainers begin with the servers' parameters.

        Args:
            held: names of tables that trainers hold and get whole.
        """
        block = self.startup.global_block()
        joins = []
        for placed in self.plan.placed:
            if placed.remote and placed.param.name not in held:
                continue
            values = self._parts(block, placed)
            block.append_op("recv", {"X": []}, {"Out": values}, {"epmap": placed.endpoints, **self._rpc})
            if placed.sliced:
                joins.append((values, placed.param.name))
        attrs = {"endpoints": self.cluster.endpoints, **self._rpc}
        block.append_op("fetch_barrier", {"X": []}, {"Out": [control(block)]}, attrs)
        for values, name in joins:
            block.append_op("concat", {"X": values}, {"Out": [block.vars[name]]}, {"axis": 0, "op_role": 0})

    def finish(self) -> None:
        """Take out what servers do."""
        rates = {id(op) for op in self.training.rates}
        self.block.ops = [op for op in self.block.ops if id(op) not in rates]
        gone = drop(self.block, self.training.updates)
        block = self.startup.global_block()
        drop(block, [op for op in block.ops if set(op.output_arg_names) & set(gone)])
        self._leave_out_tables(block)

    def _leave_out_tables(self, block: Block) -> None:
        tables = [placed.param for placed in self.plan.placed if placed.remote]
        names = {param.name for param in tables}
        block.ops = [op for op in block.ops if not names & set(op.output_arg_names)]
        for param in reversed(tables):
            block.append_op("fake_init", None, {"Out": [block.vars[param.name]]}, {"shape": list(param.shape), "op_role": 0})
