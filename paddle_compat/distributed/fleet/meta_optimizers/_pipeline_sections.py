"""What one stage of a pipeline runs: its section of a training Program, and of the startup Program."""

from __future__ import annotations

from typing import Any

from paddle_compat.core import unique_name
from paddle_compat.core.clone import copy_program, drop_blocks
from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.core.operator import Operator, OpRole
from paddle_compat.core.program import Block, Program
from paddle_compat.distributed.fleet.meta_optimizers._pipeline_stages import ALL, FIRST_PAIR, Stages, part_of
from paddle_compat.distributed.fleet.meta_optimizers.raw_program_optimizer import begin_ring

WORLD, DATA = 1, 2  # the wheel's numbers of the rings of all, and of those who have the same stage
_MERGED = "@MERGED"


def section_of(main: Program, stages: Stages, stage: int, parts: int, copies: int) -> Program:
    """A stage's section of a training Program.

    Args:
        main: the Program, in which stages send and receive.
        stages: of it; `stage`: whose section it is.
        parts: how many small batches make a step.
        copies: how many processes have the same stage.
    """
    section = copy_program(main, lambda op: op.block.idx > 0 or stages.of(op) in (ALL, stage))
    section.__dict__.pop("lr_scheduler", None)
    block = section.global_block()
    _leave_to_others(block, stages, stage)
    _receive_first(block)
    _weigh(block, parts, copies)
    _merge(block, copies)
    drop_blocks(section)
    for op in block.ops:
        op.attrs.pop("op_device", None)
    _forget_unused(section)
    section._touch()
    return section


def _leave_to_others(block: Block, stages: Stages, stage: int) -> None:
    """Take out of operators of all stages what the others have, and let stages meet where each has a part of the result."""
    ops: list[Operator] = []
    for op in block.ops:
        holders = {n: stages.holder(n) for n in op.input_arg_names if not stages.is_kept(n)}
        if stages.of(op) != ALL or part_of(op) != "update" or set(holders.values()) <= {ALL}:
            ops.append(op)
            continue
        if op.type not in _OF_ALL:
            where = f"{op.type} of gradients of several stages, recorded at {op.where}"
            raise UnsupportedError("fleet.DistributedStrategy.pipeline", where, "ClipGradByGlobalNorm, or what looks at one gradient")
        found = op.inputs.get("FoundInfinite", [])
        for slots in (op.inputs, op.outputs):
            slots.update(
                {s: [n for n in names if s == "FoundInfinite" or holders.get(n, ALL) in (ALL, stage)] for s, names in slots.items()}
            )
        if found:
            if holders[found[0]] not in (ALL, stage):
                ops.append(_nothing(block, found[0]))
            ops += _any_stage(block, found[0])
        if op.inputs["X"] or found:
            ops.append(op)
        else:
            ops.append(_nothing(block, op.output(_OF_ALL[op.type])[0]))
        if op.type == "sum":
            ops.append(_together(block, "c_allreduce_sum", op.output("Out")[0]))
    block.ops[:] = ops


# operators that look at what several stages have, and where each stage's share of the result is
_OF_ALL = {"sum": "Out", "concat": "Out", "check_finite_and_unscale": "FoundInfinite", "update_loss_scaling": "LossScaling"}


def _nothing(block: Block, name: str) -> Operator:
    """What an operator of no gradients comes to."""
    var = block.vars[name]
    attrs = {"shape": [abs(size) for size in var.shape], "dtype": var.dtype, "value": 0.0, "op_role": int(OpRole.Optimize)}
    return Operator(block, "fill_constant", {}, {"Out": [name]}, attrs)


def _any_stage(block: Block, name: str) -> list[Operator]:
    """Let all stages know whether one has found something."""
    number = unique_name.generate(f"{name}_cast_int32")
    block.create_var(name=number, shape=block.vars[name].shape, dtype="int32")
    return [
        _cast(block, name, number, VarType.BOOL, VarType.INT32), _together(block, "c_allreduce_max", number),
        _cast(block, number, name, VarType.INT32, VarType.BOOL),
    ]  # fmt: skip


def _together(block: Block, type_: str, name: str) -> Operator:
    attrs = {"ring_id": WORLD, "use_calc_stream": True, "op_role": int(OpRole.Optimize)}
    return Operator(block, type_, {"X": [name]}, {"Out": [name]}, attrs)


def _cast(block: Block, source: str, target: str, was: int, becomes: int) -> Operator:
    attrs = {"in_dtype": was, "out_dtype": becomes, "op_role": int(OpRole.Optimize)}
    return Operator(block, "cast", {"X": [source]}, {"Out": [target]}, attrs)


def _receive_first(block: Block) -> None:
    """Put what comes from other stages in front; what backward passes would wait for is held by operators that do nothing."""
    parts: dict[str, list[Operator]] = {"forward": [], "backward": [], "update": []}
    come: dict[str, list[Operator]] = {"forward": [], "backward": []}
    held: list[Operator] = []
    for op in block.ops:
        part = part_of(op)
        if op.type == "c_sync_comm_stream" and part == "backward":
            attrs = {"op_role": int(OpRole.Backward)}
            held.append(Operator(block, "nop", dict(op.inputs), dict(op.outputs), attrs))
        elif op.type == "recv_v2":
            come[part].append(op)
        else:
            parts[part if part in parts else "forward"].append(op)
    backward = [*come["backward"][:1], *held, *come["backward"][1:], *parts["backward"]]
    block.ops[:] = [*come["forward"], *parts["forward"], *backward, *parts["update"]]


def _weigh(block: Block, parts: int, copies: int) -> None:
    """Let a backward pass start from its share of the mean over small batches, and over processes that have the same stages."""
    for place, op in reversed([*enumerate(block.ops)]):
        if op.role & OpRole.Loss and op.role & OpRole.Backward and op.type == "fill_constant":
            op.attrs["value"] = op.attrs["value"] / parts
            names = op.output("Out")
            if copies > 1:
                attrs = {"scale": 1.0 / copies, "op_role": int(OpRole.Backward)}
                block.ops.insert(place + 1, Operator(block, "scale", {"X": names}, {"Out": list(names)}, attrs))


def _merge(block: Block, copies: int) -> None:
    """Add up the gradients of small batches, which updates then take, and sum them over processes that have the same stage."""
    grads: dict[str, None] = {}
    for op in block.ops:
        pairs = (op.attrs.get("op_role_var") or []) if part_of(op) == "backward" else []
        grads.update(dict.fromkeys(pairs[1::2]))
    names = {grad: grad + _MERGED for grad in grads}
    added: list[Operator] = []
    for grad, merged in names.items():
        var = block.vars[grad]
        block.create_var(name=merged, shape=var.shape, dtype=var.dtype, persistable=True)
        start = {"shape": list(var.shape), "dtype": var.dtype, "value": 0.0, "op_role": int(OpRole.LRSched)}
        added.append(Operator(block, "fill_constant", {}, {"Out": [merged]}, start))
        added.append(Operator(block, "sum", {"X": [merged, grad]}, {"Out": [merged]}, {"op_role": int(OpRole.Backward)}))
    attrs = {"ring_id": DATA, "use_calc_stream": True, "op_role": int(OpRole.Optimize)}
    for merged in names.values() if copies > 1 else ():
        added.append(Operator(block, "c_allreduce_sum", {"X": [merged]}, {"Out": [merged]}, dict(attrs)))
    first = next((i for i, op in enumerate(block.ops) if part_of(op) == "update"), len(block.ops))
    for op in block.ops[first:]:
        if op.type != "c_sync_comm_stream" and not names.keys().isdisjoint(op.input_arg_names):
            for slots in (op.inputs, op.outputs):
                slots.update({slot: [names.get(n, n) for n in given] for slot, given in slots.items()})
            if op.attrs.get("op_role_var"):
                op.attrs["op_role_var"] = [names.get(n, n) for n in op.attrs["op_role_var"]]
    block.ops[first:first] = added


def _forget_unused(program: Program) -> None:
    used = {n for block in program.blocks for op in block.ops for n in (*op.input_arg_names, *op.output_arg_names)}
    for block in program.blocks:
        for name in block.vars.keys() - used:
            del block.vars[name]


def startup_of(startup: Program, section: Program, stages: Stages, stage: int, role: Any, pairs: list[tuple[int, int]]) -> Program:
    """A stage's section of a startup Program, which ends with the rings that the stage sends and receives in.

    Args:
        startup: the whole Program.
        section: what the stage runs in each step.
        stages: of the training Program; `stage`: whose section it is.
        role: of this process.
        pairs: from which stage to which the ring with each number goes.
    """
    needed = section.global_block().vars
    devices = stages.devices

    def mine(op: Operator) -> bool:
        device = op.attrs.get("op_device") or ""
        if device in devices:
            return devices.index(device) == stage
        kept = [n for n in op.output_arg_names if n in stages.block.vars]
        return not device or not kept or any(n in needed for n in kept)

    made = copy_program(startup, mine)
    block = made.global_block()
    for op in block.ops:
        op.attrs.pop("op_device", None)
    _forget_unused(made)
    endpoints, own = role._get_trainer_endpoints(), role._get_trainer_endpoint()
    count, rank = len(devices), role._worker_index()
    first = rank - stage
    _meet(block, WORLD, endpoints, own)
    for number, pair in enumerate(pairs):
        _meet(block, FIRST_PAIR + number, [endpoints[first + each] for each in pair], own if stage in pair else None)
    if len(endpoints) > count:
        _meet(block, DATA, endpoints[stage::count], own)
        _take_over(block, section)
    made._touch()
    return made


def _meet(block: Block, ring_id: int, endpoints: list[str], own: str | None) -> None:
    """Make a ring, where this process is in it, and wait for all."""
    role = int(OpRole.Forward)
    if own is not None:
        begin_ring(block, ring_id, endpoints, own)
    number = len([name for name in block.vars if name.startswith("sync_var_")])
    met = block.create_var(name=f"sync_var_{number}", shape=[1], dtype="int32", stop_gradient=True)
    block.append_op(type="fill_constant", outputs={"Out": [met]}, attrs={"shape": [1], "dtype": met.dtype, "value": 1.0, "op_role": role})
    attrs = {"ring_id": WORLD, "use_calc_stream": True, "op_role": role}
    block.append_op(type="c_allreduce_sum", inputs={"X": [met]}, outputs={"Out": [met]}, attrs=attrs)
    block.append_op(type="c_sync_calc_stream", inputs={"X": [met]}, outputs={"Out": [met]}, attrs={"op_role": role})


def _take_over(block: Block, section: Program) -> None:
    """Begin with the parameters of the first process that has the same stage."""
    names = [p.name for p in section.all_parameters() if p.name in block.vars and not getattr(p, "is_distributed", False)]
    order = {name: place for place, op in enumerate(block.ops) for name in op.output_arg_names}
    names.sort(key=lambda name: order.get(name, 0))
    for name in names:
        attrs = {"ring_id": DATA, "root": 0, "op_role": int(OpRole.Forward)}
        block.append_op(type="c_broadcast", inputs={"X": [name]}, outputs={"Out": [name]}, attrs=attrs)
    if names:
        attrs = {"ring_id": DATA, "op_role": int(OpRole.Forward)}
        block.append_op(type="c_sync_comm_stream", inputs={"X": [names[-1]]}, outputs={"Out": [names[-1]]}, attrs=attrs)
