"""A worker's Program of fleet: rows of tables are asked for and pushed, dense gradients sent at once, and nothing is updated here.

The operators are those that Paddle 2.6 writes. Parameters come back without an operator, as they do there: the last operator that sends
knows which (`_receives`).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from paddle_compat.core import unique_name
from paddle_compat.core.block import Block
from paddle_compat.core.dtype import VarType
from paddle_compat.core.job import Servers
from paddle_compat.core.operator import Operator, OpRole
from paddle_compat.core.program import Program
from paddle_compat.distributed.ps._plan import RPC, Part, Placed, Plan
from paddle_compat.distributed.ps._training import LOOKUPS, Training, drop, is_remote, place_behind, set_apart
from paddle_compat.engine.trainer_operators import RECEIVES, ROUTES, TOUCHES

Route = tuple[str, tuple[str, ...], tuple[str, ...], tuple[int, ...]]  # a `Parts` of the engine's
RATE = "@RATE"  # ends the name under which servers hear of a learning rate


class Worker:
    """Writes a worker's Programs, in place.

    Args:
        training: what the Program trains.
        startup: the startup Program.
        plan: which server keeps what.
        servers: of the job, and this worker's number.
        sync: whether all workers wait for each other in every step.
        rates: learning rates that a scheduler changes, of which the first worker tells servers.
    """

    def __init__(self, training: Training, startup: Program, plan: Plan, servers: Servers, sync: bool, rates: Sequence[str] = ()) -> None:
        self.training, self.startup, self.plan, self.servers, self.sync, self.rates = training, startup, plan, servers, sync, rates
        self.block = training.program.global_block()
        self.tables = [placed for placed in plan.placed if placed.remote]
        self.dense = [placed for placed in plan.placed if not placed.remote]
        self._constants: list[str] = []

    def write(self) -> None:
        """Write what happens in a step, and what happens once."""
        readers = {each.param.name: self._readers(each) for each in self.tables}
        self._take_out_updates()
        for number, placed in enumerate(self.tables):
            self._ask(number, placed, readers[placed.param.name])
        sent = [self._push(number, placed, readers[placed.param.name]) for number, placed in enumerate(self.tables)]
        self._send(len(self.tables), [each for each in sent if each is not None])
        self.training.program._touch()

    def ask(self) -> None:
        """Write look-ups that ask servers, of a Program that only infers."""
        for number, placed in enumerate(self.tables):
            lookups = self._readers(placed)
            if lookups:
                for op in lookups:
                    op._set_attr("is_test", True)
                self._ask(number, placed, lookups)
        self.training.program._touch()

    def route(self, placed: Placed, gradient: bool = True) -> Route:
        """The parts of a parameter, or of its gradient, by the names that servers know."""
        parts = tuple(self._sent_name(part) if gradient else part.param for part in placed.parts)
        return (placed.grad.name if gradient else placed.param.name, parts, tuple(placed.endpoints), tuple(placed.rows))

    def _sent_name(self, part: Part) -> str:
        return f"{part.grad}.trainer_{self.servers.trainer}" if self.sync and self.servers.trainers > 1 else part.grad

    # ---- tables
    def _readers(self, placed: Placed) -> list[Operator]:
        return [op for op in self.block.ops if is_remote(op) and op.type in LOOKUPS and op.input("W") == [placed.param.name]]

    def _ask(self, number: int, placed: Placed, lookups: list[Operator]) -> None:
        """Look-ups of a table become one operator that asks for the rows of all; several, where one's ids depend on another's rows."""
        found = {name for op in lookups for name in op.output("Out")}
        place = place_behind(self.block, [op.input("Ids")[0] for op in lookups])
        first = min(self.block.ops.index(op) for op in lookups)
        if any(found & set(op.input_arg_names) for op in self.block.ops[:place]):
            for op in lookups:
                self._ask_once(number, placed, [op], self.block.ops.index(op))
        else:
            self._ask_once(number, placed, lookups, max(place, first))

    def _ask_once(self, number: int, placed: Placed, lookups: list[Operator], place: int) -> None:
        outputs = [op.output("Out")[0] for op in lookups]
        known = [(var, var.shape, var.lod_level) for var in map(self.block._var_recursive, outputs)]
        first = lookups[0]
        attrs = {
            "table_id": number, "is_distributed": bool(first.attrs.get("is_distributed")), "lookup_table_version": first.type,
            "padding_idx": first.attrs.get("padding_idx", -1), "dtype": int(placed.param.dtype), "op_role": OpRole.Forward,
            "is_test": bool(first.attrs.get("is_test")),
            "table_names": [part.param for part in placed.parts], "height_sections": placed.rows, "endpoints": placed.endpoints,
        }  # fmt: skip
        place -= sum(self.block.ops.index(op) < place for op in lookups)
        self.block.ops = [op for op in self.block.ops if op not in lookups]
        inputs = {"Ids": [op.input("Ids")[0] for op in lookups], "W": [placed.param]}
        self.block._insert_op(place, "distributed_lookup_table", inputs, {"Outputs": outputs}, attrs)
        for var, shape, level in known:
            var.shape, var.lod_level = shape, level

    def _push(self, number: int, placed: Placed, lookups: list[Operator]) -> Placed | None:
        """Push what looked-up rows have for gradients. Returns the table where its gradient as a whole is to be sent."""
        backward = [op for op in self.block.ops if op.forward in lookups]
        made = {name for op in backward for name in op.output_arg_names}
        adds = [op for op in self.block.ops if op.type == "sum"]
        sums = [op for op in adds if op.output("Out") == [placed.grad.name] and made.issuperset(op.input("X"))]
        whole = {placed.grad.name, *made}
        own = {id(op) for op in (*backward, *sums)}
        used = any(whole & set(op.input_arg_names) for op in self.block.ops if id(op) not in own)
        if used or not backward or {placed.grad.name} - {name for op in (*backward, *sums) for name in op.output_arg_names}:
            set_apart([*backward, *(op for op in self.block.ops if placed.grad.name in op.output_arg_names)])
            return placed  # a clip, say, reads it, or made it
        shows, clicks = self._seen(placed)
        inputs = {"Ids": [op.input("Ids")[0] for op in backward], "Shows": [shows], "Clicks": [clicks]}
        outputs = {"Outputs": [op.input("Out@GRAD")[0] for op in backward]}
        first = backward[0]
        attrs = {
            "table_id": number, "size": int(placed.param.shape[-1]), "is_distributed": bool(first.attrs.get("is_distributed")),
            "padding_idx": first.attrs.get("padding_idx", -1), "dtype": int(placed.param.dtype), "use_cvm_op": False,
            "push_sparse_version": "push_sparse", "is_test": False, "op_role": OpRole.Forward, ROUTES: [self.route(placed)],
        }  # fmt: skip
        drop(self.block, [*backward, *sums])
        self.block.append_op("distributed_push_sparse", inputs, outputs, attrs)
        return None

    def _seen(self, placed: Placed) -> list[str]:
        """Variables that say how often a table's rows were shown and clicked at: an entry's, or constants."""
        kind, *names = self.training.entries[placed.param.name].split(":")
        if kind == "show_click_entry":
            return [self.block._var_recursive(name).name for name in names]
        if not self._constants:
            for name, value in (("show", 1.0), ("clk", 0.0)):
                name = unique_name.generate(name) if name in self.block.vars else name  # a script's own may be called so
                self.block.create_var(name=name, shape=[1], dtype="float32")
                attrs = {"shape": [1], "dtype": int(VarType.FP32), "value": value, "op_role": OpRole.Forward}
                self.block._prepend_op("fill_constant", None, {"Out": [name]}, attrs)
                self._constants.append(name)
        return self._constants

    # ---- dense parameters
    def _send(self, number: int, tables: Sequence[Placed]) -> None:
        control: Any = None
        for i, placed in enumerate(self.tables):
            if placed in tables:
                attrs = {"send_varnames": [placed.grad.name], "is_sparse": 1, "table_id": i, "op_role": RPC, ROUTES: [self.route(placed)]}
                self.block.append_op("send", {"X": [placed.grad]}, {"Out": []}, attrs)
        routes = [self.route(placed) for placed in self.dense]
        values = [placed.grad for placed in self.dense]
        for rate in self.rates if self.servers.trainer == 0 else ():
            values.append(self.block.vars[rate])
            servers = self.servers.endpoints
            routes.append((rate, (rate + RATE,) * len(servers), servers, ()))
        attrs = {"send_varnames": [f"Dense@GRAD_{number}"], "is_sparse": 0, "table_id": number, "op_role": RPC, ROUTES: routes}
        receives = [self.route(placed, gradient=False) for placed in self.dense]
        if self.sync:
            control = self.block.create_var(name=f"__control_var@{random.random()}", dtype="bool")
            self.block.append_op("send", {"X": values}, {"Out": [control]}, attrs)
            barrier = {"trainer_id": self.servers.trainer, "half_async": True, "endpoints": list(self.servers.endpoints), "op_role": RPC}
            self.block.append_op("send_barrier", {"X": [control]}, {"Out": []}, {**barrier, RECEIVES: receives})
        else:
            self.block.append_op("send", {"X": values}, {"Out": []}, {**attrs, RECEIVES: receives})

    # ---- what servers do
    def _take_out_updates(self) -> None:
        kept = {rate: self.block.vars[rate] for rate in self.rates}
        gone = set(drop(self.block, [*self.training.rates, *self.training.updates])) - set(self.rates)
        self.block.vars.update(kept)  # a scheduler writes there
        block = self.startup.global_block()
        tables = {placed.param.name for placed in self.tables}
        gone -= {name for op in self.training.updates for name in op.inputs.get("LearningRate", ())}
        drop(block, [op for op in block.ops if gone.intersection(op.output_arg_names)])
        block.ops = [op for op in block.ops if not tables.intersection(op.output_arg_names)]
        for placed in self.tables:
            attrs = {"shape": list(placed.param.shape), "op_role": OpRole.Forward}
            block.append_op("fake_init", None, {"Out": [block.vars[placed.param.name]]}, attrs)
        self.startup._touch()


class GeoWorker(Worker):
    """Writes a worker's Programs of Geo-SGD, in place: it updates on its own, and says which rows of tables it touched."""

    def write(self) -> None:
        """Write what happens at the end of a step."""
        for placed in self.tables:
            for op in self._readers(placed):
                op._set_attr("remote_prefetch", False)
        for number, placed in enumerate(self.tables):
            attrs = {"send_varnames": [placed.grad.name], "is_sparse": 1, "table_id": number, "op_role": RPC, TOUCHES: [placed.param.name]}
            self.block.append_op("send", {"X": [placed.grad]}, {"Out": []}, attrs)
        self.training.program._touch()


def empty(*programs: Program) -> None:
    """Leave nothing in a server's own Programs: what it runs was written elsewhere."""
    for program in programs:
        program.blocks = [Block(program, 0)]
        program._touch()
