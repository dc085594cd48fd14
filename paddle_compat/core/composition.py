"""Operators of a Program taken apart into more elementary ones: the switches, who says how, and what the rules write with.

A rule gets a `Writer` and says with it which operators stand for one operator; it returns what takes the place of that operator's
outputs, or raises `StaysWhole` where it cannot do without sizes that are not known. Rules for forward operators are `FORWARD`, those
for gradient operators `GRADIENT`; both are filled by `incubate.autograd`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from paddle_compat.core import unique_name
from paddle_compat.core.op import find_op
from paddle_compat.core.operator import EMPTY_VAR, Operator
from paddle_compat.core.program import Block
from paddle_compat.core.variable import Variable

COMPOSED = "_composed"  # of an operator that a rule for a gradient operator wrote
Rule = Callable[["Writer", "Call"], Mapping[str, Any]]
FORWARD: dict[str, Rule] = {}
GRADIENT: dict[str, Rule] = {}
PRIMITIVE: dict[str, Rule] = {}  # for gradient operators too: those that only `incubate.autograd`'s primitives take apart
switches = {"forward": False, "backward": False}
_primitive = False
blacklist: set[str] = set()  # operators whose gradients stay whole
prim_config: dict[str, set[str]] = {"forward_blacklist": set(), "composite_ops_record": set()}  # Paddle's own name for these


class StaysWhole(Exception):
    """A rule leaves an operator as it is."""


@dataclass
class Call:
    """An operator that a rule takes apart: its variables by slot, its attributes, and which outputs anybody wants."""

    type: str
    inputs: Mapping[str, Sequence[Variable]]
    outputs: Mapping[str, Sequence[str]]
    attrs: Mapping[str, Any]

    def __getitem__(self, slot: str) -> Variable:
        """The one variable of an input slot."""
        return self.inputs[slot][0]

    def get(self, slot: str) -> Variable | None:
        """The one variable of an input slot, None where it was left out."""
        found = self.inputs.get(slot)
        return found[0] if found else None

    def axes(self, rank: int) -> list[int]:
        """The dimensions that a reduction of so many dimensions goes over."""
        given = self.attrs.get("dim")
        given = [given] if isinstance(given, int) else given
        return list(range(rank)) if self.attrs.get("reduce_all") or not given else [axis % rank for axis in given] if rank else []

    def wants(self, slot: str) -> bool:
        """Whether an output is asked for."""
        return any(name != EMPTY_VAR for name in self.outputs.get(slot, ()))


@dataclass
class Writer:
    """Appends operators to a block, each with outputs of its own."""

    block: Block
    attrs: Mapping[str, Any] = field(default_factory=dict)  # of every operator

    def op(self, type: str, inputs: Mapping[str, Any], outputs: int = 1, **attrs: Any) -> Any:
        """Append an operator.

        Args:
            type: its type.
            inputs: slot name -> Variable or list of Variables.
            outputs: how many Variables its first output slot takes.
            attrs: its attributes.
        Returns:
            The Variable of its first output slot, a list of them for several.
        """
        definition = find_op(type)
        assert definition is not None
        made: dict[str, Any] = {}
        for number, slot in enumerate(definition.outputs):
            if number == 0 or slot.name == "XShape":
                names = [unique_name.generate(f"{type}.tmp") for _ in range(1 if number else outputs)]
                made[slot.name] = [self.block._add_var(name=name) for name in names]
        self.block.append_op(type=type, inputs=inputs, outputs=made, attrs={**attrs, **self.attrs})
        first = next(iter(made.values()))
        return first if outputs > 1 else first[0]

    def of(self, type: str, x: Variable, **attrs: Any) -> Any:
        """An operator of one input X."""
        return self.op(type, {"X": x}, **attrs)

    def two(self, type: str, x: Variable, y: Variable) -> Any:
        """An operator of X and Y, which broadcasts."""
        return self.op(type, {"X": x, "Y": y})

    def add(self, x: Variable, y: Variable) -> Any:
        """x + y."""
        return self.two("elementwise_add", x, y)

    def sub(self, x: Variable, y: Variable) -> Any:
        """x - y."""
        return self.two("elementwise_sub", x, y)

    def mul(self, x: Variable, y: Variable) -> Any:
        """x * y."""
        return self.two("elementwise_mul", x, y)

    def div(self, x: Variable, y: Variable) -> Any:
        """x / y."""
        return self.two("elementwise_div", x, y)

    def power(self, x: Variable, y: Variable) -> Any:
        """x to the power of y."""
        return self.two("elementwise_pow", x, y)

    def scale(self, x: Variable, scale: float, bias: float = 0.0) -> Any:
        """scale * x + bias."""
        return self.of("scale", x, scale=float(scale), bias=float(bias), bias_after_scale=True)

    def require(self, condition: bool) -> None:
        """Leave the operator as it is, unless a condition holds."""
        if not condition:
            raise StaysWhole

    def full(self, shape: Sequence[int], value: float, dtype: Any) -> Any:
        """A constant."""
        self.require(-1 not in shape)
        return self.op("fill_constant", {}, shape=list(shape), value=float(value), dtype=int(dtype))

    def full_as(self, x: Variable, value: float) -> Any:
        """A constant of a variable's shape, of one element where that is not known."""
        return self.full([1] if -1 in x.shape else list(x.shape), value, x.dtype)

    def filled_as(self, x: Variable, value: float) -> Any:
        """A constant of a variable's shape, whatever that will be."""
        return self.of("fill_any_like", x, value=value, dtype=int(x.dtype))

    def cast(self, x: Variable, dtype: Any) -> Any:
        """In another type."""
        return self.of("cast", x, in_dtype=int(x.dtype), out_dtype=int(dtype))

    def reshape(self, x: Variable, shape: Sequence[int]) -> Any:
        """In another shape."""
        self.require(list(shape).count(-1) < 2)
        return self.of("reshape2", x, shape=list(shape))

    def transpose(self, x: Variable, order: Sequence[int]) -> Any:
        """With its dimensions in another order."""
        return self.of("transpose2", x, axis=list(order))

    def sum(self, x: Variable, axes: Sequence[int], keep: bool = False) -> Any:
        """Sum over dimensions; over all where the list names all."""
        whole = len(axes) == len(x.shape)
        return self.of("reduce_sum", x, dim=list(axes), keep_dim=keep, reduce_all=whole)

    def mean(self, x: Variable, axes: Sequence[int], keep: bool = False) -> Any:
        """Mean over dimensions, whose sizes are known."""
        self.require(all(x.shape[axis] >= 0 for axis in axes))
        total = self.sum(x, axes, keep)
        count = 1
        for axis in axes:
            count *= x.shape[axis]
        return self.div(total, self.full([] if not total.shape else [1], count, x.dtype))

    def assign(self, x: Variable) -> Any:
        """A copy."""
        return self.of("assign", x)


def compose(
    block: Block,
    rule: Rule,
    call: Call,
    attrs: Mapping[str, Any],
) -> list[Operator] | None:
    """Append what a rule writes for an operator; it writes into the variables that the operator would have written.

    Args:
        rule: from `FORWARD` or `GRADIENT`.
        call: the operator.
        attrs: of every operator written.
    Returns:
        The operators; None where the rule leaves the operator as it is, and nothing was appended.
    """
    start = len(block.ops)
    known = set(block.vars)
    writer = Writer(block, attrs)
    try:
        results = rule(writer, call)
    except StaysWhole:
        del block.ops[start:]
        for name in [n for n in block.vars if n not in known]:
            block._remove_var(name)
        return None
    taken: set[str] = set()
    for slot, names in call.outputs.items():
        found = results.get(slot)
        values = found if isinstance(found, list) else [found]
        for name, value in zip(names, values):
            if value is None or name in (EMPTY_VAR, value.name):
                continue
            if value.name in known or value.name in taken or _would_stop(block, block.ops[start:], value, name):
                value = writer.assign(value)
            taken.add(name)
            _take_place(block, block.ops[start:], value, name)
    return block.ops[start:]


def _as_call(op: Operator) -> tuple[Call, dict[str, Any]]:
    """An operator for a rule, and the attributes of what the rule writes for it."""
    inputs = {slot: [op.block._var_recursive(n) for n in names] for slot, names in op.inputs.items() if names}
    attrs: dict[str, Any] = {name: op.attrs[name] for name in ("op_role", "op_namescope", "op_device") if name in op.attrs}
    return Call(op.type, inputs, op.outputs, op.attrs), attrs


def beside(op: Operator, rule: Rule) -> list[list[Variable]] | None:
    """Append to an operator's block what stands for it, into variables of its own.

    Args:
        op: the operator, which stays.
        rule: how it is taken apart.
    Returns:
        What stands for its outputs, slot after slot; None where the rule leaves the operator as it is.
    """
    call, attrs = _as_call(op)
    start = len(op.block.ops)
    try:
        results = rule(Writer(op.block, attrs), call)
    except StaysWhole:
        del op.block.ops[start:]
        return None
    listed = (results.get(slot) for slot in call.outputs)
    return [list(found) if isinstance(found, list) else [found] for found in listed if found is not None]


def decompose(block: Block, ops: Sequence[Operator], rules: Mapping[str, Rule] = FORWARD) -> None:
    """Put more elementary operators in the place of those that there is a rule for, and that are not to stay whole.

    Args:
        ops: operators of the block.
        rules: type of an operator -> its rule.
    """
    for op in list(ops):
        rule = rules.get(op.type)
        if rule is None or op.type in prim_config["forward_blacklist"]:
            continue
        written = compose(block, rule, *_as_call(op))
        if written is None:
            continue
        del block.ops[len(block.ops) - len(written) :]
        place = next(i for i, each in enumerate(block.ops) if each is op)
        block.ops[place : place + 1] = written
        prim_config["composite_ops_record"].add(op.type)
        block.program._touch()


def _would_stop(block: Block, ops: Sequence[Operator], value: Variable, name: str) -> bool:
    """Whether gradients pass through a variable that operators read, and would not through the one that is to take its place: the
    mean of a batch, say, which is an output besides."""
    target = block._find_var_recursive(name)
    return target is not None and target.stop_gradient and any(value.name in op.input_arg_names for op in ops)


def _take_place(block: Block, ops: Sequence[Operator], value: Variable, name: str) -> None:
    """Have operators work on a variable that is there in place of one that they made."""
    for op in ops:
        op._rename_everywhere(value.name, name)
    target = block._find_var_recursive(name)
    if target is None:
        target = block._add_var(name=name, shape=value.shape, dtype=value.dtype)
    target.op = value.op
    block._remove_var(value.name)


def rule_for(op_type: str) -> Rule | None:
    """How a gradient operator is taken apart, None where it stays whole."""
    if _primitive:
        return GRADIENT.get(op_type) or PRIMITIVE.get(op_type)
    if not switches["backward"] or not blacklist.isdisjoint((op_type, op_type.removesuffix("_grad"))):
        return None
    return GRADIENT.get(op_type)


@contextmanager
def whole_primitive() -> Iterator[None]:
    """Inside, gradient operators are taken apart wherever there is a rule."""
    global _primitive
    former, _primitive = _primitive, True
    try:
        yield
    finally:
        _primitive = former
