"""Which stage of a pipeline each operator of a training Program belongs to, and what stages send each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from paddle_compat.core.errors import UnsupportedError, failed_assertion, invalid_argument
from paddle_compat.core.operator import EMPTY_VAR, GRAD_SUFFIX, PLUMBING, Operator, OpRole
from paddle_compat.core.program import Block, Program

ALL = -1  # of what every stage runs
FIRST_PAIR = 20  # the wheel's number of the first ring of two neighbours
_EVERYWHERE = "gpu:all"
_API = "fleet.DistributedStrategy.pipeline"


def part_of(op: Operator) -> str:
    """What part of a step an operator belongs to: "schedule", "update", "backward" or "forward"."""
    if op.role & OpRole.LRSched:
        return "schedule"
    if op.role & OpRole.Optimize:
        return "update"
    return "backward" if op.role & OpRole.Backward else "forward"


def grad_owner(name: str) -> str:
    """The variable that a gradient, or a part of one, is for."""
    return name.partition(GRAD_SUFFIX)[0]


class Stages:
    """The stages of a Program, which `device_guard("gpu:N")` names, and which of them every operator of the global block is in.

    Operators that name none follow what they read or make; those of all stages are marked "gpu:all", as in Paddle.

    Args:
        main: the Program, with backward pass and updates.
    Raises:
        AssertionError: no operator names a stage.
        UnsupportedError: two stages share a parameter.
    """

    def __init__(self, main: Program) -> None:
        self.block = main.global_block()
        self.devices = sorted({d for op in self.block.ops if (d := _named(op))}, key=_number)
        if not self.devices:
            expected = 'operators in `paddle.static.device_guard("gpu:N")`, which say in which stage they are'
            raise failed_assertion("loss", expected, "a Program without them", _API)
        self.owners: dict[str, int] = {}  # of what operators write
        self._readers: dict[str, set[int]] = {}
        for op in self.block.ops:
            self._place(op)
        self._refuse_shared()

    def of(self, op: Operator) -> int:
        """The stage of an operator; `ALL`: every one."""
        device = op.attrs["op_device"]
        return ALL if device == _EVERYWHERE else self.devices.index(device)

    def _place(self, op: Operator) -> None:
        device = _named(op)
        stage = self.devices.index(device) if device else self._inferred(op)
        op.attrs["op_device"] = _EVERYWHERE if stage == ALL else self.devices[stage]
        for name in op.output_arg_names:
            if stage != ALL or name not in self.owners:  # what scales all gradients leaves each where it is
                self.owners[name] = stage
        for name in op.input_arg_names if stage != ALL else ():
            self._readers.setdefault(name, set()).add(stage)

    def _inferred(self, op: Operator) -> int:
        part = part_of(op)
        shared = op.type in PLUMBING or op.type == "update_loss_scaling" or op.attrs.get("op_device") == _EVERYWHERE
        if part == "schedule" or shared:
            return ALL
        read = {self.holder(name) for name in op.input_arg_names} - {ALL}
        if part == "update":
            return read.pop() if len(read) == 1 else ALL
        if part == "backward":
            made = {self.holder(grad_owner(name)) for name in op.output_arg_names if name != EMPTY_VAR} - {ALL}
            read = made if len(made) == 1 else read
        if not read:
            read = {self.devices.index(d) for later in self._behind(op) if (d := _named(later))}
        if not read:
            expected = f"all operators in a `device_guard` of {self.devices}"
            raise failed_assertion("loss", expected, f"{op.type} outside of them, recorded at {op.where}", _API)
        return max(read) if part == "forward" else min(read)

    def holder(self, name: str) -> int:
        """The stage that has a variable: where it is made, or a parameter first read."""
        var = self.block._find_var_recursive(name)
        if var is not None and var.is_parameter:
            return next(iter(self._readers.get(name, {ALL})))
        return ALL if self.is_kept(name) else self.owners.get(name, ALL)

    def is_kept(self, name: str) -> bool:
        var = self.block._find_var_recursive(name)
        return var is not None and var.persistable

    def _behind(self, op: Operator) -> Iterator[Operator]:
        made = set(op.output_arg_names)
        return (later for later in self.block.ops if not made.isdisjoint(later.input_arg_names))

    def _refuse_shared(self) -> None:
        changed = {n for op in self.block.ops if self.of(op) != ALL for n in op.output_arg_names if self.is_kept(n)}
        for name in sorted(changed):
            if len(self._readers.get(name, ())) > 1:
                stages = sorted(self.devices[each] for each in self._readers[name])
                raise UnsupportedError(_API, f"`{name}`, which {' and '.join(stages)} share", "a parameter for each stage")


def _named(op: Operator) -> str:
    """The device of one stage that an operator names."""
    device = op.attrs.get("op_device") or ""
    return device if device.partition(":")[2].isdigit() and op.type not in PLUMBING else ""


def _number(device: str) -> int:
    return int(device.partition(":")[2])


class Exchange:
    """Operators that hand values from stage to stage, put into a Program where the first operator needs them.

    Args:
        stages: of the Program.
        micro_batch_size: how many examples go through at once; sizes that the Program leaves open are so many.
        beside: whether sending goes on beside computing, for which other operators wait at the end (not in "F-then-B").
    """

    def __init__(self, stages: Stages, micro_batch_size: int, beside: bool) -> None:
        self.stages, self.size, self.beside = stages, micro_batch_size, beside
        self.pairs: list[tuple[int, int]] = []  # (from, to) of each ring, from FIRST_PAIR on
        self._held: dict[str, set[int]] = {}  # which stages have a value
        self._waits: list[Operator] = []  # for what backward passes have sent
        self._run()

    def _run(self) -> None:
        block, stages = self.stages.block, self.stages
        ops: list[Operator] = []
        updating = False
        for op in block.ops:
            part = part_of(op)
            if part == "update" and not updating:
                ops += reversed(self._waits)
                updating = True
            stage = stages.of(op)
            if part in ("forward", "backward"):
                for name in dict.fromkeys(op.input_arg_names):
                    held = self._held.get(name, {ALL})
                    if ALL in held or stage in held or name == EMPTY_VAR:
                        continue
                    if stage == ALL:
                        raise UnsupportedError(_API, f"{op.type} of all stages that reads `{name}` of one", "an operator of each stage")
                    start = min(held, key=lambda each: abs(each - stage))
                    step = 1 if stage > start else -1
                    for here in range(start, stage, step):
                        ops += self._handed_on(name, here, here + step, part)
                for name in op.output_arg_names:
                    self._held[name] = {ALL} if stages.is_kept(name) else {stage}
            ops.append(op)
        block.ops[:] = ops if updating else [*ops, *reversed(self._waits)]
        block.program._touch()

    def _handed_on(self, name: str, here: int, there: int, part: str) -> list[Operator]:
        held = self._held[name]
        if there in held:
            return []
        held.add(there)
        block, devices = self.stages.block, self.stages.devices
        var = block._var_recursive(name)
        if var.shape and var.shape[0] < 0:
            var.shape = (self.size, *var.shape[1:])
        if min(var.shape, default=0) < 1:
            expected = "a shape that is known but for its first size, to be sent from stage to stage"
            raise invalid_argument(f"the shape of `{name}`", expected, list(var.shape), _API)
        if (here, there) not in self.pairs:
            self.pairs.append((here, there))
        ring_id, role = FIRST_PAIR + self.pairs.index((here, there)), int(OpRole.Forward if part == "forward" else OpRole.Backward)
        common = {"ring_id": ring_id, "op_role": role, "dynamic_shape": False}
        found = [
            _operator(block, "send_v2", [name], [], {"use_calc_stream": not self.beside, "peer": 1, **common}, devices[here]),
            _operator(
                block, "recv_v2", [], [name],
                {"out_shape": list(var.shape), "dtype": var.dtype, "peer": 0, "use_calc_stream": True, **common}, devices[there],
            ),
        ]  # fmt: skip
        if self.beside:
            found.insert(0, _operator(block, "c_sync_calc_stream", [name], [name], {"op_role": role}, devices[here]))
            later = OpRole.Backward if part == "forward" else OpRole.Optimize
            wait = _operator(block, "c_sync_comm_stream", [name], [name], {"ring_id": ring_id, "op_role": int(later)}, devices[here])
            if part == "forward":
                found.insert(2, wait)
            else:
                self._waits.append(wait)
        return found


def _operator(block: Block, type_: str, given: list[str], made: list[str], attrs: dict[str, Any], device: str) -> Operator:
    found = Operator(block, type_, {"X": given} if given else {}, {"Out": made} if made else {}, attrs)
    found.attrs["op_device"] = device
    return found
