"""Lowering: a Program becomes a torch.fx.GraphModule, one node per operator, replayed as generated Python.

The graph's placeholders are what is fed and what lives in the Scope; it returns what is fetched and the new values of
persistable variables. A backward pass is one `backward` node (see `engine.regions`); operators of an edited one get a node each.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from keyword import iskeyword
from typing import Any

import torch
from torch import fx

from paddle_compat.core import flags
from paddle_compat.core.attribute_variables import is_list, value_of, values_of, variables_of
from paddle_compat.core.dtype import VarType, is_float
from paddle_compat.core.errors import NotFoundError, UnknownOperatorError
from paddle_compat.core.finite import look
from paddle_compat.core.lod import lod_of_rows
from paddle_compat.core.op import Op, find_op
from paddle_compat.core.operator import EMPTY_VAR, PLUMBING, Operator, OpRole
from paddle_compat.core.program import Block, Program
from paddle_compat.engine import autograd, control_flow, derived, gradients, recompute, reductions, trainer_operators, whole_numbers
from paddle_compat.engine.handed_lods import handed_on
from paddle_compat.engine.nodes import attributes, bound, drop_unread_constants, kept_apart, python_name, updates_in_place
from paddle_compat.engine.order import in_place, may_fail_after_update, updates_last
from paddle_compat.engine.regions import Edge, Region, counts, find_regions, in_order, is_update, stops_inside
from paddle_compat.engine.snapshots import take_snapshots
from paddle_compat.engine.updates import refuse_updates

LOD_STATE = "@LOD"


@dataclass
class Lowered:
    """A Program made ready to run for one set of feeds and fetches.

    Attributes:
        root: what the graph's sub-blocks hang on.
        graph: what the module runs. Whoever rewrites it does so before the module is asked for, as writing its code takes time.
        feeds: names of the fed variables; `feed_lods`: those of them that come with LoD.
        states: names of the variables taken from the Scope; with `LOD_STATE` behind it, a variable's LoD.
        updates: names of the variables written to the Scope, in the order they are returned, after the fetches.
        lod_updates: those of them whose LoD is returned after them all.
        fetches: for each fetched name whether its LoD is returned after it.
        trained: names of states and feeds that must require gradients.
        mutated: states that an operator updates in place; `overwritten`: feeds that one does.
        fails_late: whether an operator that may fail has to run after such an update.
        nodes: node name -> Operator, to name an error's culprit; a sub-block's module has its own in `meta`.
        products: node name -> the product merged into it.
    """

    root: torch.nn.Module
    graph: fx.Graph
    feeds: list[str]
    feed_lods: list[str]
    states: list[str]
    updates: list[str]
    lod_updates: list[str]
    fetches: list[bool]
    trained: set[str]
    mutated: list[str]
    fails_late: bool
    nodes: dict[str, Operator]
    products: dict[str, Operator] = field(default_factory=dict)
    overwritten: set[str] = field(default_factory=set)

    @cached_property
    def module(self) -> fx.GraphModule:
        """The GraphModule. It is called with the feeds, their LoDs, then the states."""
        return fx.GraphModule(self.root, self.graph, "Program")
    absent: list[str] = field(default_factory=list)  # names without a value that were fetched (None, as in Paddle) or left out of a sum


@dataclass
class Values:
    """What the names of a block stand for while it is lowered."""

    env: dict[str, fx.Node] = field(default_factory=dict)
    lods: dict[str, fx.Node] = field(default_factory=dict)


def lower(
    program: Program, feeds: list[str], feed_lods: list[str], fetches: list[str], known: Any, levelled: Any,
    keep_grad: bool = False, fuse: bool = True, singly: bool = False,
) -> Lowered:  # fmt: skip
    """Lower a Program's global block.

    Args:
        feeds: names that will be fed; `feed_lods`: those that come with LoD.
        fetches: names to return.
        known: tells whether a name has a value in the Scope.
        levelled: tells whether that value has a LoD.
        keep_grad: it will run in the caller's grad mode, and gradients flow through it.
        fuse: neighbouring updates become one call.
        singly: each gradient operator becomes a call of its own.
    """
    return _Lowering(program, known, levelled, keep_grad, fuse, singly).run(feeds, feed_lods, fetches)


class _Lowering:
    def __init__(self, program: Program, known: Any, levelled: Any, keep_grad: bool, fuse: bool, singly: bool = False) -> None:
        self.program, self.known, self.levelled, self.keep_grad, self.fuse = program, known, levelled, keep_grad, fuse
        self.singly = singly
        self.graph, self.root = fx.Graph(), torch.nn.Module()
        self.firsts: dict[fx.Graph, fx.Node] = {}  # the first node of each graph that is no placeholder
        self.nodes: dict[str, Operator] = {}
        self.states: dict[str, fx.Node] = {}
        self.updated: dict[str, None] = {}
        self.mutated: dict[str, None] = {}
        self.written_over: set[str] = set()  # all names that an operator updates in place
        self.writers: list[tuple[fx.Node, list[str]]] = []  # the nodes that do, in the global block
        self.regions: list[Region] = []
        self.ahead = False  # whether a backward pass is still to come
        self.grad_mode: bool | None = True if keep_grad else None
        self.cuts: set[Edge] = set()
        self.leaves: set[str] = set()  # names that gradients are for
        self.asked_about: set[str] = set()  # those of them whose gradients somebody reads
        self.whole: set[str] = set()  # integers that gradients pass through
        self.aliases: dict[Edge, fx.Node] = {}  # inputs of operators whose gradient operators run by themselves
        self.single: set[int] = set()  # ids of these operators
        self.differentiated: set[int] = set()  # ids of the operators that have gradient operators
        self.made: dict[tuple[int, str], fx.Node] = {}  # and what they made, by their ids and the names
        self.unfed: set[str] = set()  # data that only branches and loops read, and that nobody has given
        self.taken: dict[Edge, Any] = {}  # what each operator read; None: what only the body of a loop makes
        self.met = False
        self.absent: list[str] = []  # names that have no value, fetched or left out of a sum
        self.checks = bool(flags.get("FLAGS_check_nan_inf"))

    # ---- the global block
    def run(self, feeds: list[str], feed_lods: list[str], fetches: list[str]) -> Lowered:
        refuse_updates(self.program)
        block = self.program.global_block()
        self.block = block
        values = self.values = Values()
        for name in feeds:
            values.env[name] = self._placeholder(name)
            if block.vars[name].persistable:  # what is fed takes the place of what the Scope holds
                self.updated[name] = None
        for name in feed_lods:
            values.lods[name] = self._placeholder(name + "_lod")
        regions = find_regions(block, fetches)
        for region in regions if self.singly else ():
            region.edited = region.edited or "each of its operators is asked for"
        ends: dict[int, Region] = {id(r.ops[-1]): r for r in regions}
        members = {id(op): r for r in regions for op in r.ops}
        self.differentiated = {i for region in regions for i in region.forwards}
        for region in regions:
            if region.edited:
                self.single |= region.forwards
            else:
                self.cuts |= region.cuts
        if regions:
            self._set_grad(True)
        self.regions, self.leaves = regions, {name for r in regions for name in r.totals.values()}
        self.wanted = set(fetches)
        self.asked_about = gradients.asked_about(self)
        self.asked = derived.asked_names(self.program, fetches, {i for i, r in members.items() if not r.edited})
        ops = in_order([op for op in block.ops if op.type not in PLUMBING], regions)
        ops = [op for op in ops if not reductions.only_orders(op)]
        ops = updates_last(ops, members)
        ops, segments = recompute.plan(ops, regions, self.wanted)
        last = max((i for i, op in enumerate(ops) if id(op) in members), default=-1)
        index = 0
        while index < len(ops):
            op = ops[index]
            here = members.get(id(op))
            if here is not None and not here.edited:
                if id(op) in ends:
                    index += gradients.one_call(self, here, ops[index + 1 :])
                    for done in here.ops:
                        gradients.rewind(self, done)
                        if done.type == "increment":
                            self._operator(done)
                index += 1
                continue
            self.ahead = index < last
            if self.program._held_once and op.role & OpRole.Optimize and in_place(op):
                self._meet()
            if regions:  # only what a backward pass still ahead may differentiate
                self._set_grad(id(op) in self.differentiated or (index < last and not is_update(op) and not op.role & OpRole.Backward))
            if id(op) in segments:
                recompute.lower_segment(self, segments[id(op)])
                index += len(segments[id(op)])
                continue
            if here is not None and op.forward is not None:
                gradients.of_operator(self, op)
                gradients.rewind(self, op)
            elif reductions.of_gradients(op):
                index += reductions.lower_together(self, ops[index:])
                continue
            else:
                together, alone = self._stretch(ops, index)
                if len(together) > 1:
                    self._fused(together)
                    for other in alone:
                        self._operator(other)
                    index += len(together) + len(alone)
                    continue
                self._operator(op)
            index += 1
        if regions:
            self._set_grad(False)
        fails_late = may_fail_after_update(ops)
        if self.program._held_once:
            self._meet()
            if not self.program._held_once.isdisjoint(fetches):
                self._meet(again=True)  # when all have updated
        outputs: list[Any] = []
        with_lod = []
        for name in fetches:
            node = self._read(name, fetched=True)
            outputs.append(node)
            lod = values.lods.get(name)
            with_lod.append(lod is not None)
            if lod is not None:
                outputs.append(lod)
        updates = list(self.updated)
        lod_updates = [name for name in updates if name in values.lods]
        outputs += [*(values.env[name] for name in updates), *(values.lods[name] for name in lod_updates)]
        self.graph.output(tuple(outputs))
        take_snapshots(self)
        drop_unread_constants(self.graph, self.nodes)
        trained = {n for r in regions for n in (*r.totals.values(), *(t for t, _ in r.targets)) if not counts(self.block, n)}
        sources = {*feeds, *self.states}
        places = (feeds, feed_lods, list(self.states), updates, lod_updates, with_lod, trained & sources, list(self.mutated))
        return Lowered(self.root, self.graph, *places, fails_late, self.nodes, overwritten=self.written_over & {*feeds}, absent=self.absent)

    def _meet(self, again: bool = False) -> None:
        """Wait for the other replicas of the process, which may still read what they all share."""
        if again or not self.met:
            self.met = True
            self._call(reductions.meet, ())

    # ---- nodes
    def _placeholder(self, name: str) -> fx.Node:
        node = self.graph.create_node("placeholder", python_name(name), name=python_name(name))
        # where the name is taken fx counts on, and must not make an argument of the old name into a variable of the new
        node.target = node.name
        return node

    def _call(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None, name: str | None = None) -> fx.Node:
        kwargs = kwargs or {}
        unwritable = {key: kwargs[key] for key in kwargs if iskeyword(key)}
        if unwritable:
            target = bound(target, unwritable)
            kwargs = {key: value for key, value in kwargs.items() if key not in unwritable}
        node = self.graph.create_node("call_function", target, args, kwargs, name=python_name(name) if name else None)
        self.firsts.setdefault(self.graph, node)
        return node

    def _set_grad(self, on: bool) -> None:
        if self.grad_mode is not on and not self.keep_grad:
            self.grad_mode = on
            self._call(torch._C._set_grad_enabled, (on,))

    def _read(self, name: str, fetched: bool = False) -> Any:
        """The node of a name: computed before, or a placeholder for the Scope's value."""
        node = self.values.env.get(name)
        if node is not None:
            return node
        var = self.block._find_var_recursive(name)
        if fetched and var is None and not (self.program.age == 1 and self.known(name)):
            raise NotFoundError(
                f"Invalid value for argument `fetch_list`. Expected variables of the program. Received: {name}, which is not in it."
            )
        if fetched and var is not None and not self.known(name) and var.type != VarType.LOD_TENSOR_ARRAY:
            derived.refuse_underived(self.block, name)
            self.absent.append(name)
            return None
        if var is not None and var.type == VarType.LOD_TENSOR_ARRAY and not self.known(name):
            node = self.values.env[name] = self._call(list, (), name=name)  # an array starts empty
            return node
        if control_flow.unfed(self, name):
            control_flow.fed(None, name)
        node = self._placeholder(name)
        self._hoist(node)
        self.states[name] = node
        self.values.env[name] = node
        if var is not None and var.lod_level and var.persistable or self.levelled(name):
            lod = self.states[name + LOD_STATE] = self.values.lods[name] = self._placeholder(name + "_lod")
            self._hoist(lod)
        return node

    def _hoist(self, node: fx.Node) -> None:
        """Placeholders stand before everything else."""
        if self.graph in self.firsts:
            self.firsts[self.graph].prepend(node)

    def _input(self, op: Operator, slot: str, position: int, name: str) -> Any:
        edge = (id(op), slot, position)
        node = self._read(name)
        if name in self.unfed:
            node = self._call(control_flow.fed, (node, name))
        self.taken[edge] = node
        if not self.grad_mode or not self._is_tensor(name):
            return node
        if edge in self.cuts or (stops_inside(self.block, name, self.keep_grad) and not self._hands_on_nothing(op)):
            stop = autograd.stopped if op.type == "select_input" else torch.Tensor.detach
            node = self._call(stop, (node,), name=name + "_detached")
        if id(op) in self.single:
            node = self.aliases[edge] = self._call(autograd.alias, (node,), name=name + "_alias")
        return node

    def _hands_on_nothing(self, op: Operator) -> bool:
        """Whether what a recorded function's operator makes is cut off where it is read, so that its inputs need not be."""
        if not self.keep_grad:
            return False
        made = [(name, self.block.vars.get(name)) for name in op.output_arg_names]
        return all(var is not None and var.op is op and stops_inside(self.block, name, True) for name, var in made)

    def _is_tensor(self, name: str) -> bool:
        var = self.block._find_var_recursive(name)
        return var is not None and var.type in (VarType.LOD_TENSOR, VarType.SELECTED_ROWS) and is_float(var.dtype)

    # ---- operators
    def _operator(self, op: Operator) -> None:
        definition = find_op(op.type)
        if definition is None:
            if "_grad" in op.type:
                gradients.without_forward(self, op)
                return
            raise UnknownOperatorError(op.type)
        lowering = control_flow.LOWERINGS.get(op.type) or trainer_operators.LOWERINGS.get(op.type)
        if lowering is not None:
            lowering(self, op)
            return
        args: list[Any] = []
        more: dict[str, Any] = {}
        shared: list[Any] = []  # the LoD of each input that is no parameter
        for slot, arg in zip(definition.inputs, definition.args):
            names = op.inputs.get(slot.name, [])
            if slot.is_list:
                names = self._with_values(names) if op.type == "sum" else names
                given = [self._input(op, slot.name, i, n) for i, n in enumerate(names)]
                args.append([self._call(torch.clone, (node,)) for node in given] if kept_apart(op, definition, slot.name) else given)
                lod: Any = [self.values.lods.get(n) for n in names]
                shared += lod if definition.lod == "joined" else lod[:1]
            elif names and slot.name == "Seed" and self._starts_itself(op, names[0]):
                args.append(self._call(torch.tensor, ([op.attrs["startup_seed"]],)))
                lod = None
            elif names and not self._is_raw(names[0]):
                node = self._input(op, slot.name, 0, names[0])
                if kept_apart(op, definition, slot.name):
                    node = self._call(torch.clone, (node,))
                    if "_apart" in definition.attrs:
                        more["_apart"] = 1
                args.append(node)
                lod = self.values.lods.get(names[0])
                if not self._is_parameter(names[0]):
                    shared.append(lod)
            else:
                args.append(None)
                lod = None
            if arg + "_lod" in definition.lod_args:
                more[arg + "_lod"] = lod
        if definition.continues is not None and op.outputs.get(definition.continues):
            args.append(derived.former(self, op.outputs[definition.continues][0]))
        while args and args[-1] is None:
            args.pop()
        first = next((op.outputs[s.name][0] for s in definition.outputs if op.outputs.get(s.name)), op.type)
        fn = derived.function_of(definition, op, self.asked)
        alone = fn is definition.fn
        fn = whole_numbers.following(self, op, definition, fn) if self.keep_grad or self.ahead else fn
        if self.ahead and definition.inplace and op.role & OpRole.Optimize:
            fn = autograd.unnoticed(fn)
        attrs = {**self._attributes(definition, op), **more}
        node = self._call(fn, tuple(args), attrs, name=first)
        self.nodes[node.name] = op
        self._results(op, definition, node, handed_on(definition, shared, args, attrs, self._call), alone)
        for name, value in derived.derive(definition, op, node, self.asked, self.wanted, self._call, attrs).items():
            self._write(name, value)

    def _with_values(self, names: list[str]) -> list[str]:
        """What a sum adds up: 1.8 passes over states that have no value yet, so that evaluators need no reset before they count."""
        if self.program.age != 1:
            return names
        held = {n for n in names if (var := self.block._find_var_recursive(n)) is not None and var.persistable}
        empty = [n for n in names if n in held and n not in self.values.env and not self.known(n)]
        if len(empty) == len(names):
            return names
        self.absent += empty
        return [n for n in names if n not in empty]

    def _starts_itself(self, op: Operator, name: str) -> bool:
        """Whether an operator begins with a seed of its own, as the variable that hands it from run to run holds none yet."""
        if "startup_seed" not in op.attrs or name in self.values.env or self.known(name):
            return False
        self.absent.append(name)
        return True

    def _attributes(self, definition: Op, op: Operator) -> dict[str, Any]:
        """The operator's attributes; where a Variable gives one, the node of its value."""
        found = attributes(definition, op)
        for name, value in found.items():
            given = [self._read(var.name) for var in variables_of(value)]
            if given:
                take = values_of if is_list(op.type, name) else value_of
                found[name] = self._call(take, (given if isinstance(value, list) else given[0],))
        return found

    def _is_parameter(self, name: str) -> bool:
        var = self.block._find_var_recursive(name)
        return var is not None and var.is_parameter

    def _is_raw(self, name: str) -> bool:
        """Whether a variable is a kernel's own workspace in Paddle, which nothing here fills."""
        var = self.block._find_var_recursive(name)
        return var is not None and var.type == VarType.RAW and name not in self.values.env

    def _results(self, op: Operator, definition: Op, node: fx.Node, first_lod: fx.Node | None, alone: bool = True) -> None:
        lod_outputs = definition.lod if isinstance(definition.lod, tuple) else ()
        count = len(definition.returns) + len(lod_outputs)
        kept = definition.grad_slots(self.program.age) or ()
        for position, slot in enumerate(definition.returns):
            names = op.outputs.get(slot.name, [])
            if not names or (op.type == "moving_average_abs_max_scale" and op.attrs.get("is_test") and slot.name != "Out"):
                continue  # what only training writes keeps its value
            source = definition.inplace.get(slot.name)
            if source is not None and names == op.inputs.get(source):
                self.writes_over(names, node)
                for name in names if self.checks else ():
                    self._check(op, self._read(name), name)
                continue
            value = (
                node
                if count == 1 and alone
                else self._call(operator.getitem, (node, position), name=names[0] if not slot.is_list else None)
            )
            for i, name in enumerate(names):
                if name == EMPTY_VAR:
                    continue
                item = self._call(operator.getitem, (value, i), name=name) if slot.is_list else value
                self._write(name, item, slot.name in kept)
                if id(op) in self.single:
                    self.made[id(op), name] = self.values.env[name]
                if self.checks:
                    self._check(op, self.values.env[name], name)
                if first_lod is not None and self._hands_on_lod(op, definition):
                    by_rows = definition.lod == "rows"
                    self.values.lods[name] = self._call(lod_of_rows, (first_lod, self.values.env[name])) if by_rows else first_lod
                elif slot.name not in lod_outputs:
                    self.values.lods.pop(name, None)
        for extra, slot_name in enumerate(lod_outputs):
            names = op.outputs.get(slot_name, [])
            if names:
                lod = self._call(operator.getitem, (node, len(definition.returns) + extra), name=names[0] + "_lod")
                listed = definition.slot(slot_name)
                assert listed is not None
                for i, name in enumerate(names):
                    self.values.lods[name] = self._call(operator.getitem, (lod, i)) if listed.is_list else lod

    def _hands_on_lod(self, op: Operator, definition: Op) -> bool:
        """Whether outputs take the LoD of the first input."""
        if callable(definition.lod):
            first = next(op.inputs[s.name][0] for s in definition.inputs if op.inputs.get(s.name))
            return definition.lod(len(self.block._var_recursive(first).shape), **{**definition.attrs, **attributes(definition, op)})
        return definition.lod in ("share", "rows", "joined")

    def _check(self, op: Operator, value: fx.Node, name: str) -> None:
        """Under FLAGS_check_nan_inf: a node that raises when the value is not finite, or tells it."""
        node = self._call(look, (value, op.type, name, name))
        self.nodes[node.name] = op

    def _write(self, name: str, node: fx.Node, kept: bool = False) -> None:
        """Let a variable stand for a node; `kept`: for an operator's result that its gradient operator reads, and so depends on."""
        var = self.block._find_var_recursive(name)
        if self.ahead and name in self.leaves and var is not None and var.is_parameter:
            node = self._call(autograd.alias, (node,), name=name + "_alias")  # the Program sets what it trains
        elif self.ahead and name in self.asked_about:
            differentiable = autograd.result if kept else autograd.differentiable
            node = self._call(differentiable, (node,), name=name + "_differentiable")
        self.values.env[name] = node
        if (var is not None and var.persistable) or (var is None and self.known(name)):
            self.updated[name] = None

    # ---- neighbouring updates of one kind
    def _stretch(self, ops: list[Operator], index: int) -> tuple[list[Operator], list[Operator]]:
        """Neighbours of one kind from here on, none of which needs another: those that one fused call can do, and the rest."""
        first = ops[index]
        definition = find_op(first.type)
        together: list[Operator] = []
        alone: list[Operator] = []
        if definition is None or definition.fused is None or self.checks or not self.fuse:
            return together, alone
        key = attributes(definition, first)
        written: set[str] = set()
        for op in ops[index:]:
            names = [*op.input_arg_names, *op.output_arg_names]
            if op.type != first.type or attributes(definition, op) != key or not written.isdisjoint(names):
                break
            in_place = updates_in_place(self.block, op, definition) if definition.inplace else self._advances(op)
            (together if in_place else alone).append(op)
            written.update(op.output_arg_names)
        return together, alone

    def _advances(self, op: Operator) -> bool:
        """Whether a `scale` multiplies a number that an optimizer keeps (a power of beta), which can be done in place."""
        (name,) = op.input("X")
        var = self.block._find_var_recursive(name)
        kept = var is not None and var.persistable and var.shape == (1,) and is_float(var.dtype)
        mine = self.values.env.get(name) is self.states.get(name) and bool(op.role & OpRole.Optimize)
        alone = op.output("Out") == [name] and not op.inputs.get("ScaleTensor") and not op.attrs.get("bias")
        return kept and mine and alone

    def _fused(self, ops: list[Operator]) -> None:
        definition = find_op(ops[0].type)
        assert definition is not None and definition.fused is not None
        lists: list[Any] = []
        for slot in definition.inputs:
            names = [op.inputs.get(slot.name, []) for op in ops]
            lists.append([self._read(n[0]) if n else None for n in names] if any(names) else None)
        while lists[-1] is None:
            lists.pop()
        fn = autograd.unnoticed(definition.fused) if self.ahead else definition.fused
        node = self._call(fn, tuple(lists), attributes(definition, ops[0]), name=f"{ops[0].type}_fused")
        self.nodes[node.name] = ops[0]
        for op in ops:
            for slot_name in definition.inplace or ("Out",):
                self.writes_over(op.outputs.get(slot_name, []), node)

    def writes_over(self, names: Sequence[str], node: fx.Node | None = None) -> None:
        """Note that an operator updates variables in place."""
        self.mutated.update((n, None) for n in names if n in self.states)
        self.written_over.update(names)
        if node is not None and not self.mutated.keys().isdisjoint(names):
            self.writers.append((node, [*names]))

    # ---- sub-blocks
    def sub_block(self, block: Block, more_lods: Sequence[str] = ()) -> tuple[fx.Node, list[str], list[str], list[str], list[str]]:
        """Lower a sub-block to a GraphModule of its own.

        Args:
            more_lods: names read whose LoD it takes even where the outside has none yet.

        Returns:
            The node that holds it; the outer names it reads, those of them whose LoD it takes too; the outer names it
            writes, those of them whose LoD it returns too. It is called with the values, then the LoDs, and returns likewise.
        """
        reads, writes = control_flow.block_interface(block)
        lod_reads = [n for n in reads if n in self.values.lods or n in more_lods]
        self.unfed.update(n for n in reads if n not in self.values.env and control_flow.unfed(self, n))
        with self._inside(block, reads, lod_reads):
            index = 0
            while index < len(block.ops):
                op = block.ops[index]
                if reductions.of_gradients(op):  # merged ones, which meet under a condition
                    index += reductions.lower_together(self, block.ops[index:])
                else:
                    self._operator(op)
                    index += 1
            lod_writes = [n for n in writes if n in self.values.lods]
            self.graph.output((*(self.values.env[n] for n in writes), *(self.values.lods[n] for n in lod_writes)))
            module = fx.GraphModule(self.root, self.graph, f"Block{block.idx}")
            module.meta["nodes"] = self.nodes
        return self.attach(f"block_{block.idx}", module), reads, lod_reads, writes, lod_writes

    def step_block(self, block: Block, locals_: list[str], returns: list[str]) -> tuple[fx.Node, list[str]]:
        """Lower the body of a recurrent operator; it reads `locals_` and outer names, and returns `returns`.

        Returns:
            The node that holds it, and the names it takes.
        """
        reads, _ = control_flow.block_interface(block)
        reads = [*locals_, *(n for n in reads if n not in locals_)]
        with self._inside(block, reads, []):
            for op in block.ops:
                self._operator(op)
            self.graph.output(tuple(self.values.env[n] for n in returns))
            module = fx.GraphModule(self.root, self.graph, f"Block{block.idx}")
            module.meta["nodes"] = self.nodes
        return self.attach(f"block_{block.idx}", module), reads

    @contextmanager
    def _inside(self, block: Block, reads: list[str], lod_reads: list[str]) -> Iterator[None]:
        outer = self.graph, self.values, self.block, self.states, self.updated, self.root, self.nodes
        self.graph, self.values, self.block, self.root = fx.Graph(), Values(), block, torch.nn.Module()
        self.states, self.updated, self.nodes = {}, {}, {}
        for name in reads:
            self.values.env[name] = self._placeholder(name)
        for name in lod_reads:
            self.values.lods[name] = self._placeholder(name + "_lod")
        try:
            yield
            assert not self.states, f"block {block.idx} reads {sorted(self.states)} that its interface does not name"
        finally:
            self.graph, self.values, self.block, self.states, self.updated, self.root, self.nodes = outer

    def attach(self, attr: str, module: fx.GraphModule) -> fx.Node:
        """The node that holds a GraphModule, which the root keeps under that name."""
        setattr(self.root, attr, module)
        node = self.graph.create_node("get_attr", attr, name=attr)
        self.firsts.setdefault(self.graph, node)
        return node
