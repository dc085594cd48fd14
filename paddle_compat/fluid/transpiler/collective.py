"""`fluid.transpiler.collective`: collective operators written into a Program, so that the processes of a job train it together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import unique_name
from paddle_compat.core.dtype import VarType
from paddle_compat.core.operator import Operator, OpRole
from paddle_compat.core.program import Block, Program, default_main_program, default_startup_program
from paddle_compat.core.variable import Variable

_ROLE = "op_role"


class Collective:
    """What writes collective operators: those that join the rings and start all ranks alike, and those of a step.

    Args:
        nrings (int): over how many rings the operators are dealt out.

    Example:
        >>> from paddle_compat.fluid.transpiler.collective import Collective
        >>> Collective(2).nrings
        2

    Follows Paddle 1.8.
    """

    mode: str = ""

    def __init__(self, nrings: int) -> None:
        self.nrings = nrings
        self.endpoints: list[str] = []
        self.current_endpoint = ""
        self.nranks, self.rank = 0, 0
        self.startup_program: Program | None = None
        self.main_program: Program | None = None
        self.op_role_key, self.op_role_var_key = _ROLE, "op_role_var"

    def transpile(
        self,
        startup_program: Program | None,
        main_program: Program | None,
        rank: int,
        endpoints: str | Sequence[str],
        current_endpoint: str,
        wait_port: bool,
    ) -> None:
        """Write the operators into both Programs.

        Args:
            startup_program (Program): None: the default one.
            main_program (Program): one that trains; None: the default one.
            rank (int): of this process.
            endpoints (str|list): of all processes, "host:port".
            current_endpoint (str): of this process.
            wait_port (bool): kept; processes wait for each other where the startup Program lets them meet.
        Raises:
            ValueError: fewer than two endpoints, or the process's own is not among them.
        """
        self.endpoints = endpoints.split(",") if isinstance(endpoints, str) else list(endpoints)
        self.startup_program = default_startup_program() if startup_program is None else startup_program
        self.main_program = default_main_program() if main_program is None else main_program
        self.nranks, self.rank, self.current_endpoint, self.wait_port = len(self.endpoints), rank, current_endpoint, wait_port
        if self.nranks == 1 and self.mode != SingleProcessMultiThread.mode:
            raise ValueError(f"Invalid value for argument `endpoints`. Expected two or more. Received: {self.endpoints}")
        if current_endpoint not in self.endpoints:
            raise ValueError(
                f"Invalid value for argument `current_endpoint`. Expected one of {self.endpoints}. Received: {current_endpoint}"
            )
        self._transpile_startup_program()
        self._transpile_main_program()

    def _transpile_main_program(self) -> None:
        """Write what happens in a step: nothing here."""

    def _transpile_startup_program(self) -> None:
        """Make the rings, and give all ranks rank 0's values."""
        block = self._startup_block()
        others = [endpoint for endpoint in self.endpoints if endpoint != self.current_endpoint]
        forward = {_ROLE: OpRole.Forward}
        for ring in range(self.nrings):
            name = unique_name.generate("nccl_id")
            block.create_var(name=name, persistable=True, type=VarType.RAW)
            block.append_op(
                type="c_gen_nccl_id",
                outputs={"Out": [name]},
                attrs={"rank": self.rank, "endpoint": self.current_endpoint, "other_endpoints": others, **forward},
            )
            attrs = {"nranks": self.nranks, "rank": self.rank, "ring_id": ring, **forward}
            block.append_op(type="c_comm_init", inputs={"X": [name]}, attrs=attrs)
        rings = self._rings()
        last = None
        for param in block.iter_parameters():
            if _is_here(param):
                last = param
                attrs = {"ring_id": next(rings), "root": 0, **forward}
                block.append_op(type="c_broadcast", inputs={"X": [param]}, outputs={"Out": [param]}, attrs=attrs)
        if last is not None:
            self._sync(block, len(block.ops), last, OpRole.Forward)

    def _startup_block(self) -> Block:
        assert self.startup_program is not None
        return self.startup_program.global_block()

    def _main_block(self) -> Block:
        assert self.main_program is not None
        return self.main_program.global_block()

    def _rings(self) -> Iterator[int]:
        """Rings for operators, one after the other."""
        return (i % self.nrings for i in count())

    def _sync(self, block: Block, index: int, var: Any, role: int) -> None:
        """Wait for every ring."""
        for ring in range(self.nrings):
            _insert(block, index + ring, "c_sync_comm_stream", var, role, ring_id=ring)

    def _summed(self, block: Block, index: int, names: Sequence[str], rings: Iterator[int], role: int) -> None:
        """Sum variables over all ranks, once they are computed."""
        if names:
            _insert(block, index, "c_sync_calc_stream", names[0], role)
        for name in names:
            _insert(block, index + 1, "c_allreduce_sum", name, role, ring_id=next(rings))


def _insert(block: Block, index: int, type_: str, var: Any, role: int, **attrs: Any) -> None:
    """Put an operator somewhere that writes to the variable that it reads."""
    block._insert_op(index, type=type_, inputs={"X": [var]}, outputs={"Out": [var]}, attrs={**attrs, _ROLE: role})


def _is_here(param: Any) -> bool:
    """Whether every rank has the whole parameter."""
    return not getattr(param, "is_distributed", False)


def _backwards(block: Block) -> list[tuple[int, Operator]]:
    """A block's operators with their places, from behind, so that what is put behind one moves none that is still to come."""
    return list(enumerate(block.ops))[::-1]


class GradAllReduce(Collective):
    """All ranks add up their gradients, of losses that each weighs by the number of ranks: one step of the joined batch.

    Args:
        nrings (int): over how many rings the sums are dealt out.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.transpiler.collective import GradAllReduce
        >>> main, start = fluid.Program(), fluid.Program()
        >>> with fluid.program_guard(main, start):
        ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 2]), 1))
        ...     _ = fluid.optimizer.SGD(0.1).minimize(loss)
        >>> GradAllReduce(1).transpile(start, main, 0, "127.0.0.1:6170,127.0.0.1:6171", "127.0.0.1:6170", False)
        >>> [op.type for op in main.global_block().ops if op.type.startswith("c_allreduce")]
        ['c_allreduce_sum', 'c_allreduce_sum']

    Follows Paddle 1.8.
    """

    mode = "grad_allreduce"

    def __init__(self, nrings: int = 2) -> None:
        super().__init__(nrings)
        self.mode = type(self).mode

    def _transpile_main_program(self) -> None:
        block = self._main_block()
        for i, op in _backwards(block):
            if op.role == OpRole.Backward | OpRole.Loss:
                _insert(block, i + 1, "scale", block.vars[op.output_arg_names[0]], OpRole.Backward, scale=1.0 / self.nranks)
        rings, last = self._rings(), None
        compressed = {name for op in block.ops if op.type == "dgc" for name in op.output("Grad_out")}  # summed once they are
        for i, op in _backwards(block):
            pairs = (op.attrs.get("op_role_var") or []) if op.role & OpRole.Backward else []
            names = [grad for param, grad in zip(pairs[::2], pairs[1::2]) if _is_here(block.vars[param])]
            names = [name for name in names if op.type == "dgc" or name not in compressed]
            self._summed(block, i + 1, names, rings, OpRole.Backward)
            last = names[-1] if names else last
        first = next((i for i, op in enumerate(block.ops) if op.role & OpRole.Optimize), None)
        if last is not None and first is not None:
            self._sync(block, first, last, OpRole.Backward)


class LocalSGD(Collective):
    """Each rank takes steps of its own; after each all parameters become their mean over the ranks.

    Args:
        nrings (int): over how many rings the sums are dealt out.

    Example:
        >>> from paddle_compat.fluid.transpiler.collective import LocalSGD
        >>> LocalSGD().snapshot_name("fc_0.w_0")
        'fc_0.w_0@SNAPSHOT'

    Follows Paddle 1.8.
    """

    mode = "local_sgd"

    def __init__(self, nrings: int = 2) -> None:
        super().__init__(nrings)
        self.snapshot_key, self.mode = "@SNAPSHOT", type(self).mode

    def snapshot_name(self, param_name: str) -> str:
        """The name under which a parameter's value before the step is kept.

        Args:
            param_name (str): the parameter's.
        Returns:
            str.
        """
        return param_name + self.snapshot_key

    def _snapshot(self, block: Block, param: Any) -> Any:
        return block.create_var(
            name=self.snapshot_name(param.name), shape=param.shape, dtype=param.dtype, persistable=True, stop_gradient=True
        )

    def _transpile_startup_program(self) -> None:
        super()._transpile_startup_program()
        block = self._startup_block()
        for param in [param for param in block.iter_parameters() if _is_here(param)]:
            snapshot = self._snapshot(block, param)
            attrs = {_ROLE: OpRole.Forward}
            block.append_op(type="assign", inputs={"X": [param]}, outputs={"Out": [snapshot]}, attrs=attrs)

    def _transpile_main_program(self) -> None:
        block = self._main_block()
        rings, role = self._rings(), {_ROLE: OpRole.Optimize}
        pairs: list[tuple[Variable, Variable]] = []
        last: Variable | None = None
        for i, op in _backwards(block):
            if not {"Param", "Grad", "LearningRate"} <= {slot for slot, names in op.inputs.items() if names}:
                continue
            param = last = block.vars[op.input("Param")[0]]
            if not _is_here(param):
                continue
            snapshot = self._snapshot(block, param)
            pairs.insert(0, (param, snapshot))
            # how far the step went
            block._insert_op(
                i + 1, type="elementwise_sub", inputs={"X": [snapshot], "Y": [param]}, outputs={"Out": [param]}, attrs=dict(role)
            )
            self._summed(block, i + 2, [param.name], rings, OpRole.Optimize)
        if last is not None:
            self._sync(block, len(block.ops), last, OpRole.Optimize)
        for param, snapshot in pairs:
            _insert(block, len(block.ops), "scale", param, OpRole.Optimize, scale=1.0 / self.nranks)
            block.append_op(type="elementwise_sub", inputs={"X": [snapshot], "Y": [param]}, outputs={"Out": [param]}, attrs=dict(role))
            block.append_op(type="assign", inputs={"X": [param]}, outputs={"Out": [snapshot]}, attrs=dict(role))


class SingleProcessMultiThread(GradAllReduce):
    """As `GradAllReduce`, for the devices of one process.

    Example:
        >>> from paddle_compat.fluid.transpiler.collective import SingleProcessMultiThread
        >>> SingleProcessMultiThread().nrings
        1

    Follows Paddle 1.8.
    """

    mode = "single_process_multi_thread"

    def __init__(self) -> None:
        super().__init__(1)

    def _transpile_startup_program(self) -> None:
        self._startup_block().append_op(type="c_comm_init_all", attrs={"ring_id": 0})


__getattr__ = missing(__name__)
__all__ = ["GradAllReduce", "LocalSGD"]
