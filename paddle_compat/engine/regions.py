"""Backward regions: which gradient operators of a Program are one autograd call.

`append_backward` and `gradients` write a region of gradient operators each. Its operators say which values depend on which;
autograd says the same in one call, as long as nobody edited the region. This file reads a region and tells
- the targets with their seeds, and the gradients that somebody outside reads: `Region.targets`, `Region.totals`;
- the edges of the forward graph that gradients must not cross (`no_grad_set`, `stop_gradient`): `Region.cuts`;
- or that the region was edited, and each gradient operator has to run by itself: `Region.edited`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field

from paddle_compat.core.attribute_variables import reads
from paddle_compat.core.composition import COMPOSED
from paddle_compat.core.dtype import VarType, is_float
from paddle_compat.core.operator import EMPTY_VAR, GRAD_SUFFIX, Operator, OpRole
from paddle_compat.core.program import Block
from paddle_compat.engine import overwritten

SEED_TYPES = frozenset({"fill_constant", "fill_any_like", "fill_constant_batch_size_like", "shape"})
Edge = tuple[int, str, int]  # (id of a forward operator, input slot, position in the slot)


@dataclass
class Region:
    """The gradient operators of one `append_backward` or `gradients` call."""

    ops: list[Operator]
    first: int  # positions in the block
    last: int
    targets: list[tuple[str, str | None]] = field(default_factory=list)  # (forward name, name of its seed; None: one)
    ones: set[str] = field(default_factory=set)  # names of the seeds that are one
    totals: dict[str, str] = field(default_factory=dict)  # gradient name -> forward name, for every whole gradient
    taken: dict[str, Edge] = field(default_factory=dict)  # forward name -> an edge that read the value differentiated
    parts: set[str] = field(default_factory=set)  # gradient names that are only a part of a sum
    live: set[str] = field(default_factory=set)  # forward names that a gradient was made for
    edges: set[Edge] = field(default_factory=set)
    cuts: set[Edge] = field(default_factory=set)
    forwards: set[int] = field(default_factory=set)  # ids of the forward operators differentiated
    weighing: set[int] = field(default_factory=set)  # ids of operators that a transpiler put in to change the targets' gradients
    waiting: list[Operator] = field(default_factory=list)  # operators put in for finished gradients: they run behind the pass
    edited: str | None = None  # why it cannot be one autograd call
    late: set[int] = field(default_factory=set)  # ids of gradient operators that read what was written again since

    @property
    def seed_ops(self) -> list[Operator]:
        """Operators that make the gradients of the targets."""
        return [op for op in self.ops if self.seeds(op) and not op.attrs.get("_zero")]

    def seeds(self, op: Operator) -> bool:
        """Whether the operator makes gradients from nothing, or weighs those of the targets."""
        return op.forward is None and op.type in SEED_TYPES or id(op) in self.weighing


def find_regions(block: Block, wanted: Collection[str] = ()) -> list[Region]:
    """The regions of a block, in order, each analysed.

    Args:
        block: the block.
        wanted: names of the variables that are fetched.
    """
    positions: dict[int, list[int]] = defaultdict(list)
    for i, op in enumerate(block.ops):
        region = op.attrs.get("_region")
        if region is not None:
            positions[region].append(i)
    regions = []
    for places in positions.values():
        region = Region([block.ops[i] for i in places], places[0], places[-1])
        region.forwards = {id(op.forward) for op in region.ops if op.forward is not None}
        _read(region, block)
        if not any("sub_block" in op.forward.attrs for op in region.ops if op.forward is not None):  # loops and branches run whole
            overwritten.mark(region, block)
            overwritten.mark_counting(region, block, wanted)
        regions.append(region)
    regions.sort(key=lambda r: r.first)
    while _unsettled(regions, block, wanted):
        pass
    return regions


def _read(region: Region, block: Block) -> None:
    """Fill in targets, totals, parts and edges; set `edited` where the operators are no plain backward pass."""
    parts_of: dict[str, set[str]] = defaultdict(set)  # forward name -> gradient parts made for it
    whole: dict[str, tuple[str, frozenset[str]]] = {}  # gradient name -> (forward name, the parts in it)
    seeds: dict[str, str] = {}  # seed name -> forward name
    read: dict[str, set[str]] = defaultdict(set)  # forward name -> gradient names that stand for its total
    if any(COMPOSED in op.attrs for op in region.ops):
        region.edited = "gradient operators are taken apart into more elementary ones"
        return
    stranger = _take_in(region, block.ops[region.first : region.last + 1])
    if stranger is not None:
        region.edited = f"operator {stranger.type} stands inside the backward pass"
        return
    written: set[str] = set()
    made: dict[Edge, str] = {}  # the gradient of each edge
    zeros = {op.output("Out")[0] for op in region.ops if op.attrs.get("_zero")}
    for op in region.ops:
        grads: dict[str, str] = op.attrs.get("_grads", {})
        if region.seeds(op) or (op.forward is None and op.attrs.get("_zero")):
            continue
        if op.forward is None and op.type == "sum":
            names = op.input("X")
            owners = {grads.get(n) for n in names}
            if len(owners) != 1 or None in owners:
                region.edited = f"operator sum adds gradients of {sorted(map(str, owners))}"
                return
            (owner,) = owners
            assert owner is not None
            for n in names:
                if n not in parts_of[owner]:
                    seeds[n] = owner
                    parts_of[owner].add(n)
            whole[op.output("Out")[0]] = (owner, frozenset(names))
            continue
        if op.forward is None or op.attrs.get("_written") != _signature(op):
            region.edited = f"operator {op.type} was put into the backward pass or changed"
            return
        forward = op.forward
        for name in op.input_arg_names:
            owner = grads.get(name)
            if owner is None or name == EMPTY_VAR or name in zeros or name in op.attrs.get("_zeros", ()):
                continue
            if name not in whole:
                if name not in written:
                    seeds[name] = owner
                    parts_of[owner].add(name)
                whole[name] = (owner, frozenset([name]))
            read[owner].add(name)
        for name in op.output_arg_names:
            owner = grads.get(name)
            if name == EMPTY_VAR or (owner is None and name in forward.input_arg_names):
                continue
            if owner is None:
                region.edited = f"operator {op.type} writes {name}, which is no gradient of its inputs"
                return
            if name in written and name not in op.input_arg_names:  # written over: what was there before is lost
                region.edges -= {edge for edge in region.edges if made.get(edge) == name}
                parts_of[owner], read[owner] = set(), set()
                whole.pop(name, None)
            if name in op.input_arg_names:
                # A loop reads the gradient of a variable's last value and writes that of its first, under one name.
                if name in whole and whole[name][1] != frozenset(parts_of[owner]):
                    region.edited = f"{name} is used before all parts of the gradient of {owner} are there"
                    return
                parts_of[owner], read[owner] = set(), set()
                whole[name] = (owner, frozenset([name]))
            written.add(name)
            parts_of[owner].add(name)
            for slot, names in forward.inputs.items():
                for i, n in enumerate(names):
                    if n == owner and _edge_of(op, slot, i, name):
                        region.edges.add((id(forward), slot, i))
                        made[id(forward), slot, i] = name
                        region.taken[owner] = (id(forward), slot, i)
    for owner, gradients in read.items():
        for name in gradients:
            if whole[name][1] != frozenset(parts_of[owner]):
                region.edited = f"{name} is used before all parts of the gradient of {owner} are there"
                return
    for owner, parts in parts_of.items():
        if len(parts) > 1:
            region.parts |= parts
        else:
            whole.setdefault(next(iter(parts)), (owner, frozenset(parts)))
    region.totals = {name: owner for name, (owner, _) in whole.items()}
    region.live = set(parts_of)
    region.ones = _ones(region) & seeds.keys()
    region.targets = [(owner, None if seed in region.ones else seed) for seed, owner in seeds.items()]


def _take_in(region: Region, ops: list[Operator]) -> Operator | None:
    """Make the operators that others put into the pass a part of it, or let them wait for its end; one that can do neither.

    So does a transpiler: it weighs the gradient of the loss, and sums up gradients over trainers as soon as they are made.
    """
    own = {id(op) for op in region.ops}
    touched = {n for op in region.ops for n in op.output_arg_names}
    made: set[str] = set()
    members: list[Operator] = []
    begun = False
    for op in ops:
        if id(op) in own:
            begun = begun or not region.seeds(op)
            made.update(op.output_arg_names)
        elif touched.isdisjoint(op.input_arg_names) and touched.isdisjoint(op.output_arg_names):
            continue
        elif not begun and made.issuperset(op.output_arg_names):
            region.weighing.add(id(op))
        else:
            region.waiting.append(op)
            touched.update(op.output_arg_names)
            continue
        members.append(op)
    region.ops = members
    read: set[str] = set()  # by the pass from here on
    written: set[str] = set()
    waiting = {id(op) for op in region.waiting}
    for op in reversed(ops):
        if id(op) in waiting:
            if not (read | written).isdisjoint(op.output_arg_names) or not written.isdisjoint(op.input_arg_names):
                return op
        elif id(op) in own:
            read.update(op.input_arg_names)
            written.update(op.output_arg_names)
    return None


def in_order(ops: list[Operator], regions: list[Region]) -> list[Operator]:
    """The operators, those that wait for the end of a backward pass behind it."""
    for region in regions:
        if region.waiting and not region.edited:
            waiting = {id(op) for op in region.waiting}
            ops = [op for op in ops if id(op) not in waiting]
            end = next(i for i, op in enumerate(ops) if op is region.ops[-1]) + 1
            ops[end:end] = region.waiting
    return ops


def _signature(op: Operator) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return tuple(op.input_arg_names), tuple(op.output_arg_names)


def _edge_of(op: Operator, slot: str, position: int, name: str) -> bool:
    """Whether this gradient is that of the slot and position: a variable may be read twice by one operator."""
    own = op.outputs.get(slot + GRAD_SUFFIX)
    return name in op.output_arg_names if own is None else position < len(own) and own[position] == name


def _ones(region: Region) -> set[str]:
    """Gradients that are filled with ones, and stay so."""
    weighed = {n for op in region.ops if id(op) in region.weighing for n in op.output_arg_names}
    filled = [op for op in region.ops if op.forward is None and op.type in ("fill_constant", "fill_any_like")]
    return {op.output("Out")[0] for op in filled if op.attrs.get("value") == 1.0} - weighed


def _read_names(regions: list[Region], block: Block, wanted: Collection[str]) -> set[str]:
    """The names that somebody needs the value of: what is one autograd call reads the gradients that it begins with alone."""
    calls = [region for region in regions if not region.edited]
    inside = {id(op) for region in calls for op in region.ops}
    operators = [op for op in block.ops if id(op) not in inside] + [op for region in calls for op in region.seed_ops]
    begun = {name for region in calls for target in region.targets for name in target if name}
    return {name for op in operators for name in reads(op)} | begun | {*wanted}


def _cut(region: Region, block: Block, read: set[str]) -> set[Edge]:
    """Edges into operators of the region that carry no gradient in Paddle but would in autograd."""
    cuts: set[Edge] = set()
    live = region.live
    # values that depend on one whose gradient is read
    carriers = {owner for name, owner in region.totals.items() if name in read or _stays(block, name)}
    produced: set[str] = set()
    for op in block.ops[: region.first]:
        outs = op.output_arg_names
        names = [(slot, i, n) for slot, ns in op.inputs.items() for i, n in enumerate(ns)]
        if op.type == "increment" and op.input("X") == outs:
            continue  # the gradient of the counter before is that of the counter after, under one name
        if live & set(outs):
            for slot, i, name in names:
                if (id(op), slot, i) in region.edges or not _differentiable(block, name):
                    continue
                if name in carriers and (name in produced or name in live):
                    cuts.add((id(op), slot, i))
        if any(n in carriers for _, _, n in names):
            carriers.update(outs)
        produced.update(outs)
    return cuts


def _stays(block: Block, name: str) -> bool:
    var = block._find_var_recursive(name)
    return var is not None and var.persistable


def _differentiable(block: Block, name: str) -> bool:
    var = block._find_var_recursive(name)
    return var is not None and is_float(var.dtype)


def counts(block: Block, name: str) -> bool:
    """Whether it is a tensor of integers: Paddle writes operators for its gradient, PyTorch has none for it."""
    var = block._find_var_recursive(name)
    return var is not None and var.type == VarType.LOD_TENSOR and not is_float(var.dtype)


def stops_inside(block: Block, name: str, everywhere: bool = False) -> bool:
    """Whether a user stopped gradients at this variable of a sub-block: there it alone decides, no edge of a region tells.

    Args:
        everywhere: it decides in the global block, too (gradients flow through the Program, and are no operators of it).
    """
    var = block.vars.get(name) if everywhere or block.parent_idx >= 0 else None
    if var is None or not var.stop_gradient or var.op is None:
        return False
    sources = map(block._find_var_recursive, var.op.input_arg_names)
    return any(source is not None and not source.stop_gradient for source in sources)


def _unsettled(regions: list[Region], block: Block, wanted: Collection[str]) -> bool:
    """Whether a region had to be told to run operator by operator, which others may be concerned by.

    Regions share one forward pass: where one needs an edge that another cuts, the later runs operator by operator.
    So does one that hands gradients past a loop which another one goes through.
    """
    needed: set[Edge] = set()
    cut: set[Edge] = set()
    gradients = {id(op) for region in regions for op in region.ops}
    for region in regions[::-1]:  # gradients of gradients, operator by operator, need these operator by operator
        for other in regions if region.edited else ():
            if not other.edited and region.forwards & gradients & (other.forwards | {id(op) for op in other.ops}):
                other.edited = "an edited backward pass goes through its operators"
    read = _read_names(regions, block, wanted)
    for region in regions:
        if region.edited:
            continue
        region.cuts = _cut(region, block, read)
        if region.cuts & needed or region.edges & cut:
            region.edited = "another backward pass needs gradients through values that this one stops"
            return True
        live = set(region.totals.values())
        past = {id(op) for op in block.ops[: region.first] if op.type == "while" and live.intersection(op.output_arg_names)}
        if any((past - region.forwards) & other.forwards for other in regions):
            region.edited = "another backward pass goes through a loop that this one leaves out"
            return True
        needed |= region.edges
        cut |= region.cuts
    return False


def is_update(op: Operator) -> bool:
    """Whether the operator belongs to clipping, regularization, update or schedule: nothing differentiates it."""
    return bool(op.role & (OpRole.Optimize | OpRole.LRSched)) and op.role != OpRole.NotSpecified
