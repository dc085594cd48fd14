"""The server's side: variables that trainers send and ask for, and a block of updates for each parameter's part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from paddle_compat.core.block import Block
from paddle_compat.core.clone import copy_program
from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.core.operator import Operator, input_slots
from paddle_compat.core.program import Program
from paddle_compat.distributed.ps._plan import Part, Placed, Plan
from paddle_compat.distributed.ps._training import Training

# operators that fill a variable, whose `shape` says how much of it
_FILLS = ("fill_constant", "gaussian_random", "truncated_gaussian_random", "uniform_random", "assign_value")
_THREADS = {"rpc_get_thread_num": 12, "rpc_send_thread_num": 12, "rpc_prefetch_thread_num": 12}


class Server:
    """Writes a server's Programs.

    Args:
        training: what the Program trains.
        begins: operators of the startup Program, before it was rewritten.
        plan: which server keeps what.
        trainers: how many there are.
        sync: whether an update waits for all trainers' gradients.
        compensates: whether gradients that come late are corrected by how far the parameter has moved since (DC-ASGD).
    """

    def __init__(
        self, training: Training, begins: Sequence[Operator], plan: Plan, trainers: int, sync: bool, compensates: bool = False
    ) -> None:
        self.training, self.begins, self.plan = training, begins, plan
        self.trainers, self.sync, self.compensates = trainers, sync, compensates
        self._temporaries = 0

    def main(self, endpoint: str, number: int, mode: int) -> Program:
        """What a server runs until the trainers have left.

        Args:
            endpoint: the server's.
            number: its place among the servers.
            mode: one of `DistributedMode`.
        """
        program = _empty(self.training.program)
        block = program.global_block()
        parts = list(self.plan.on(endpoint))
        arriving = [var for part in parts for var in self._gradients(block, part)]
        rates = self._rates(program)
        parent = program.num_blocks - 1
        blocks, where = [rates] if rates is not None else [], []
        order = {op.input("Param")[0]: i for i, op in enumerate(self.training.updates) if "Param" in op.inputs}
        for placed in sorted(self.plan.placed, key=lambda each: order.get(each.param.name, 0)):
            mine = [part for part in parts if part.whole == placed.param.name]
            for part in mine:
                found = program._create_block(parent)
                program._rollback()
                self._update(found, placed, part)
                blocks.append(found)
                where.append(f"{part.grad}:{found.idx}")
        if self.training.others:
            found = program._create_block(parent)
            program._rollback()
            for op in self.training.others:
                self._copied(found, op, {}, None)
            blocks.append(found)
        if not blocks:
            blocks.append(program._create_block(parent))
            program._rollback()
        sparse = [f"{part.grad}:{part.param}" for part in parts if self._updates_rows(block, part)]
        tables = [self._begun(program, part) for part in parts if part.whole in self.training.distributed]
        attrs = {
            "optimize_blocks": blocks, "endpoint": endpoint, "pserver_id": number, "Fanin": self.trainers, "distributed_mode": mode,
            "grad_to_block_id": where, "sparse_grad_to_param": sparse, "dc_asgd": self.compensates,
            "lr_decay_block_id": -1 if rates is None else rates.idx, **_THREADS,
        }  # fmt: skip
        if tables:
            attrs["prefetch_var_name_to_block_id"] = tables
        block.append_op("listen_and_serv", {"X": arriving}, {}, attrs)
        return program

    def _begun(self, program: Program, part: Part) -> str:
        """A block that fills a distributed table, and what its updates keep, which servers read row by row. Returns what names it."""
        found = program._create_block(0)
        program._rollback()
        home = program.global_block()
        for op in self.begins:
            (name, *_) = op.output_arg_names or [""]
            if name == part.whole:
                _fill(found, op, part.param, None)
                found.ops[-1].attrs |= {"_begin": part.begin, "_entry": self.training.entries[part.whole]}  # rows are the whole table's
            elif _belongs(self.training, part.whole, [name]) and name in home.vars and home.vars[name].shape == part.shape:
                _fill(found, op, name, part)
        return f"{part.param}:{found.idx}"

    def startup(self, main: Program, endpoint: str) -> Program:
        """What a server runs before: its parts of the parameters, and what updates keep, get their first values.

        Args:
            main: the server's Program.
            endpoint: the server's.
        """
        program = _empty(self.training.program)
        block = program.global_block()
        for var in main.global_block().vars.values():
            block._clone_variable(var)
        parts: dict[str, list[Part]] = {}
        for part in self.plan.on(endpoint):
            if part.whole not in self.training.distributed:
                parts.setdefault(part.whole, []).append(part)
        rowwise = {name for op in _fills_of_tables(main) for name in op.output_arg_names}
        for op in self.begins:
            names = [name for name in op.output_arg_names if name not in rowwise]
            mine = [part for name in names for part in parts.get(name, ())]
            if mine:
                for part in mine:
                    _fill(block, op, part.param, part)
            elif any(name in block.vars for name in names):
                owner = next((p for ps in parts.values() for p in ps if _belongs(self.training, p.whole, names)), None)
                _fill(block, op, names[0], owner if owner is not None and block.vars[names[0]].shape == owner.shape else None)
        if self.compensates:
            for part in self.plan.on(endpoint):
                for i in range(self.trainers):
                    block.append_op("assign", {"X": [part.param]}, {"Out": [f"{part.param}.trainer_{i}_bak"]}, {"op_role": 0})
        return program

    # ---- block 0
    def _gradients(self, block: Block, part: Part) -> list[Any]:
        """What trainers send for a part, and what the updates read."""
        like = next(placed.grad for placed in self.plan.placed if placed.param.name == part.whole)
        kind = {"shape": part.shape, "dtype": like.dtype, "type": like.type}
        summed = block.create_var(name=part.grad, persistable=True, **kind)
        if not self.sync:
            return [summed]
        return [block.create_var(name=f"{part.grad}.trainer_{i}", **kind) for i in range(self.trainers)]

    def _updates_rows(self, block: Block, part: Part) -> bool:
        """Whether an update takes a part's gradient as rows."""
        like = next(placed.grad.name for placed in self.plan.placed if placed.param.name == part.whole)
        rows = block.vars[part.grad].type == VarType.SELECTED_ROWS
        return rows and any(op.inputs.get("Grad") == [like] for op in self.training.group(part.whole))

    # ---- learning rates
    def _rates(self, program: Program) -> Block | None:
        if not self.training.rates:
            return None
        found = program._create_block(0)
        program._rollback()
        for op in self.training.rates:
            self._copied(found, op, {}, None)
        return found

    # ---- updates
    def _update(self, block: Block, placed: Placed, part: Part) -> None:
        home = block.program.global_block()
        if self.sync:
            many = [f"{part.grad}.trainer_{i}" for i in range(self.trainers)]
            block.append_op("sum", {"X": many}, {"Out": [part.grad]}, {"op_role": 0})
            block.append_op("scale", {"X": [part.grad]}, {"Out": [part.grad]}, {"scale": 1.0 / self.trainers, "op_role": 0})
        if part.param not in home.vars:
            whole = placed.param
            made: Any = home.create_var(name=part.param, shape=part.shape, dtype=whole.dtype, persistable=True)
            made.is_distributed = whole.name in self.training.distributed
        names = {placed.param.name: part.param, placed.grad.name: part.grad}
        late = self._compensated(block, part) if self.compensates else None
        for op in self.training.group(placed.param.name):
            self._copied(block, op, names, part, late if "Grad" in op.inputs else None)

    def _compensated(self, block: Block, part: Part) -> str:
        """A gradient plus its square times how far the parameter has moved since the trainer got it."""
        home = block.program.global_block()
        grad = home.vars[part.grad]
        if grad.type == VarType.SELECTED_ROWS:
            raise UnsupportedError("fluid.DistributeTranspilerConfig.enable_dc_asgd", f"the sparse table {part.whole}", "is_sparse=False")
        former = [home.create_var(name=f"{part.param}.trainer_{i}_bak", shape=part.shape, dtype=grad.dtype) for i in range(self.trainers)]
        trainer = block.create_var(name="@TRAINER_ID@", shape=[1], dtype="int64")
        own = block.create_var(name=f"{part.param}.local_bak", shape=part.shape, dtype=grad.dtype)
        block.append_op("ref_by_trainer_id", {"X": former, "TrainerId": [trainer]}, {"Out": [own]}, {"op_role": 0})
        value: Any = part.param
        for kind, other in (("sub", own), ("mul", grad), ("mul", grad), ("add", None)):
            made = block.create_var(name=f"tmp_dc_output_{self._temporaries}", shape=part.shape, dtype=grad.dtype)
            self._temporaries += 1
            inputs = {"X": [value], "Y": [other]} if other is not None else {"X": [grad], "Y": [value]}
            block.append_op(f"elementwise_{kind}", inputs, {"Out": [made]}, {"op_role": 0})
            value = made
        return str(value.name)

    def _copied(self, block: Block, op: Operator, names: dict[str, str], part: Part | None, grad: str | None = None) -> None:
        """An operator of the trainer's Program, on this server's variables, which are made where they are missing."""
        home = block.program.global_block()

        def there(name: str) -> str:
            mapped = names.get(name, name)
            if block._find_var_recursive(mapped) is None:
                _keep(home, self.training.variable(op, name), self._whole_shape(part), part)
            return mapped

        inputs = {slot: [there(name) for name in given] for slot, given in op.inputs.items()}
        outputs = {slot: [there(name) for name in given] for slot, given in op.outputs.items()}
        if grad is not None:
            inputs["Grad"] = [grad]
        attrs = {name: value for name, value in op.attrs.items() if name != "sub_block"}
        if "sub_block" in op.attrs:
            attrs["sub_block"] = self._copied_block(block, op.attrs["sub_block"])
        _append(block, op, inputs, outputs, attrs)

    def _copied_block(self, block: Block, source: Block) -> Block:
        found = block.program._create_block(block.idx)
        block.program._rollback()
        for op in source.ops:
            for name in (*op.input_arg_names, *op.output_arg_names):
                if name not in found.vars:
                    found._clone_variable(source._var_recursive(name))
            self._copied(found, op, {}, None)
        return found

    def _whole_shape(self, part: Part | None) -> tuple[int, ...] | None:
        if part is None:
            return None
        return next(tuple(placed.param.shape) for placed in self.plan.placed if placed.param.name == part.whole)


class GeoServer(Server):
    """Writes a server's Programs of Geo-SGD: a parameter gains what trainers say that they gained."""

    def main(self, endpoint: str, number: int, mode: int) -> Program:
        """What a server runs until the trainers have left; see `Server.main`."""
        program = _empty(self.training.program)
        home = program.global_block()
        blocks, where, sparse = [], [], []
        parts = list(self.plan.on(endpoint))
        for placed in self.plan.placed:
            for part in [part for part in parts if part.whole == placed.param.name]:
                kind = VarType.SELECTED_ROWS if placed.remote else VarType.LOD_TENSOR
                param = home.create_var(name=part.param, shape=part.shape, dtype=placed.param.dtype, persistable=True)
                gain = home.create_var(name=f"{part.param}.delta", shape=part.shape, dtype=placed.param.dtype, type=kind)
                found = program._create_block(0)
                program._rollback()
                found.append_op("sum", {"X": [param, gain]}, {"Out": [param]}, {"op_role": 0})
                blocks.append(found)
                where.append(f"{gain.name}:{found.idx}")
                if placed.remote:
                    sparse.append(f"{gain.name}:{part.param}")
        attrs = {
            "optimize_blocks": blocks, "endpoint": endpoint, "Fanin": self.trainers, "distributed_mode": mode,
            "grad_to_block_id": where, "sparse_grad_to_param": sparse, **_THREADS,
        }  # fmt: skip
        home.append_op("listen_and_serv", {"X": []}, {}, attrs)
        return program


def _fills_of_tables(main: Program) -> list[Operator]:
    """The operators of a server's Program that say how rows of distributed tables begin."""
    said = main.global_block().ops[-1].attrs.get("prefetch_var_name_to_block_id") or ()
    return [op for each in said for op in main.blocks[int(each.rpartition(":")[2])].ops]


def _empty(like: Program) -> Program:
    """A Program without anything, of the same age and seed."""
    made = copy_program(like, lambda op: False)
    made.blocks = [Block(made, 0)]
    return made


def _keep(home: Block, var: Any, whole: tuple[int, ...] | None, part: Part | None) -> None:
    """Make a variable of the trainer's Program on the server; what is as large as the parameter is sliced as it is."""
    made = home._clone_variable(var)
    if part is not None and var._shape_known and tuple(var.shape) == whole:
        made.shape = part.shape


def _belongs(training: Training, param: str, names: Sequence[str]) -> bool:
    """Whether the updates of a parameter use one of some variables."""
    return any(set(names) & {*op.input_arg_names, *op.output_arg_names} for op in training.group(param))


def _fill(block: Block, op: Operator, name: str, part: Part | None) -> None:
    """Copy an operator that fills a variable; of a part it fills as much as there is."""
    attrs = dict(op.attrs)
    if part is not None and op.type in _FILLS and "shape" in attrs:
        width = 1
        for size in part.shape[1:]:
            width *= size
        attrs["shape"] = list(part.shape)
        for key, value in op.attrs.items():
            if op.type == "assign_value" and key.endswith("_values") and value:
                attrs[key] = list(value)[part.begin * width : (part.begin + part.rows) * width]
    outputs = {slot: [name] * len(given) for slot, given in op.outputs.items()}
    _append(block, op, {slot: list(given) for slot, given in op.inputs.items()}, outputs, attrs)


def _append(block: Block, op: Operator, inputs: dict[str, list[str]], outputs: dict[str, list[str]], attrs: dict[str, Any]) -> None:
    """Append an operator like another; what it is in a name scope for is not known here."""
    own = {name: list(value) if isinstance(value, list) else value for name, value in attrs.items() if name != "op_namescope"}
    made = Operator(block, op.type, input_slots(op.definition, inputs, op.program.age), outputs, own)
    made._calls = op._calls
    block.ops.append(made)
