"""Running operators at once as Paddle 1.8 does: a value knows its age by its class.

What `fluid.layers` computes from values is a VarBase, whose operators are 1.8's, too. Names are numbers until somebody asks for
them: all that a guard makes shares one counter. Gradients stay in values that operators made, as long as a script holds
them, and a pass overwrites what an earlier one left.

Scripts of 2.0 to 2.4 are in eager mode before they enter any guard, if they do: there `fluid` makes Tensors of Paddle 2.
"""

from __future__ import annotations

import weakref
from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import Any

import torch

from paddle_compat.core import block, by_slots, eager, mode
from paddle_compat.core.attribute_limits import limits
from paddle_compat.core.attribute_values import fit_attributes
from paddle_compat.core.errors import PreconditionNotMetError
from paddle_compat.core.op import Op, definition_of
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.engine.snapshots import own
from paddle_compat.fluid.dygraph import _lods

_numbers = 0  # how many names the current guard gave
_made: list[weakref.ref[Any]] = []  # values that operators made since the last backward pass
_LEAST = 4096
_engine = torch.autograd.Variable._execution_engine.run_backward
_limit = _LEAST  # of `_made`, before the dead ones go
_value_class: type[Any] = Tensor  # VarBase, as soon as it is there
_first_age = False  # inside a guard of a script of Paddle 1.8


def numbers(start: int) -> int:
    """Count names from here on, and return where the count stood."""
    global _numbers
    former, _numbers = _numbers, start
    return former


def number() -> int:
    """The next number for a name."""
    global _numbers
    _numbers += 1
    return _numbers - 1


def first_age() -> bool:
    """Whether what `fluid` makes is VarBases, and not Tensors."""
    return _first_age


def enter(first: bool) -> bool:
    """Let what `fluid` makes be VarBases, or not; gives what was."""
    global _first_age
    former, _first_age = _first_age, first
    return former


def remember(value: Any) -> None:
    """Its gradient is to be kept in the next pass, if somebody holds it by then."""
    global _limit
    _made.append(weakref.ref(value))
    if len(_made) > _limit:
        _made[:] = [ref for ref in _made if ref() is not None]
        _limit = max(_LEAST, 2 * len(_made))


def runs_now(inputs: Iterable[Any]) -> bool:
    """Whether an operator runs at once: eager mode is on, and no Variable of a Program comes in."""
    if mode._static is None:
        settle(inputs)
    if mode._static is not False:
        return False
    for value in inputs:
        first = value[0] if type(value) in (list, tuple) and value else value
        if isinstance(first, Variable):
            return False
    return True


def settle(values: Iterable[Any]) -> None:
    """Choose eager mode where nobody has chosen and a Tensor of Paddle 2 is among a function's arguments."""
    for value in values:
        if isinstance(value[0] if type(value) in (list, tuple) and value else value, Tensor):
            mode.settle_eager()


@cache
def _plan(type_: str) -> tuple[frozenset[str], dict[str, Any], tuple[int, ...], int, bool]:
    """What `run` knows of an operator.

    Returns:
        The attributes that count (choices of kernels do not), those that 1.8 has otherwise, where the computed outputs stand among
        all that the operator has in Paddle 1.8, how many these are, and whether no gradient goes through it there.
    """
    definition = definition_of(type_)
    slots = [s for s in definition.outputs if s.age in (0, 1) and not (s.described and s.optional)]
    places = tuple(slots.index(s) if s in slots else len(slots) for s in definition.returns)
    known = definition.required | definition.attrs.keys()
    return known, {**definition.first_age, **definition.older}, places, len(slots), definition.grad_slots(1) is None


def run(definition: Op, inputs: tuple[Any, ...], attrs: dict[str, Any], outputs: Any = None) -> Any:
    """Run an operator with 1.8's rules.

    Args:
        outputs: slot -> the value (or list of values) that takes the result.
    Returns:
        A VarBase, or a Tensor of Paddle 2, for each computed output.
    """
    global _numbers
    known, otherwise, places, count, stops = _plan(definition.type)
    attrs = {**otherwise, **attrs} if attrs.keys() <= known else {**otherwise, **{k: v for k, v in attrs.items() if k in known}}
    if _first_age and any(type(v) is not type(definition.attrs.get(k, v)) and not isinstance(v, (list, tuple)) for k, v in attrs.items()):
        fit_attributes(definition, attrs, 1)
    for name, limit in limits(definition.type, 1 if _first_age else 2).items():
        if attrs.get(name) is not None:
            limit.check(definition.type, name, attrs[name])
    if outputs and definition.inplace:
        former, inputs = inputs, by_slots.apart(definition, inputs, outputs)
        if inputs is not former and "_apart" in known:
            attrs["_apart"] = 1
    if _lods.counts(definition) and _first_age:
        made: dict[str, Any] = {}
        found = eager.run(_lods.levelled(definition, inputs, made), inputs, attrs)
        _lods.spread(definition, found, made)
    else:
        found = definition(*inputs, **attrs) if mode._static is False else eager.run(definition, inputs, attrs)
    if stops and _first_age and torch.is_grad_enabled():
        _cut_off(found, inputs)
    if _first_age:
        _own(found, inputs)
    if outputs:  # which have names
        return _stored(definition, found, outputs)
    if not _first_age:
        return found
    if type(found) is Tensor:
        _claim(found, _numbers + places[0])
        _numbers += count
    else:
        several = found if isinstance(found, (tuple, list)) else (found,)
        for place, value in zip(places, several if len(places) > 1 else (several,)):
            if isinstance(value, (list, tuple)):
                kin = [weakref.ref(item) for item in value if item._t.requires_grad]
                for item in value:
                    _claim(item, number())
                    if len(kin) > 1:
                        item.__dict__[_KIN] = kin
            elif value is not None:
                _claim(value, _numbers + place)
        _numbers += count
    return found


def _cut_off(found: Any, inputs: tuple[Any, ...]) -> None:
    """Let gradients end at what an operator made that hands none on: the results want some all the same, where an input does."""
    flat = [item for value in inputs for item in (value if isinstance(value, (list, tuple)) else (value,)) if isinstance(item, Tensor)]
    if not any(item._t.requires_grad for item in flat):
        return
    for value in found if isinstance(found, (list, tuple)) else (found,):
        for item in value if isinstance(value, (list, tuple)) else (value,):
            if type(item) is Tensor and item._t.is_floating_point():
                item._become(item._t.detach().requires_grad_())


def _own(found: Any, inputs: tuple[Any, ...]) -> None:
    """Copy what shows an input's memory: the results of Paddle 1.8 have memory of their own, which no update of an input changes."""
    for value in found if isinstance(found, (list, tuple)) else (found,):
        for item in value if isinstance(value, (list, tuple)) else (value,):
            if type(item) is Tensor and item._t._is_view():
                given = (one for each in inputs for one in (each if isinstance(each, (list, tuple)) else (each,)))
                apart = own(item._t, *(one._t for one in given if isinstance(one, Tensor)))
                if apart is not item._t:
                    item._become(apart)


def _claim(value: Any, name: Any) -> None:
    if type(value) is Tensor and _first_age:
        value.__class__ = _value_class
        value._name = name
        if value._t.requires_grad:
            remember(value)


def _stored(definition: Op, found: Any, outputs: Any) -> Any:
    """What was computed, put into the values given for it."""
    several = found if len(definition.returns) > 1 else (found,)
    results = []
    for slot, value in zip(definition.returns, several):
        target = outputs.get(slot.name)
        target = target[0] if isinstance(target, (list, tuple)) and not slot.is_list and target else target
        if target is None or value is None:
            if type(value) is Tensor:
                _claim(value, number())
            results.append(value)
            continue
        for one, new in zip(target, value) if slot.is_list else ((target, value),):
            store(one, new._t)
            _lods.put(one, _lods.of(new))
        results.append(target)
    return tuple(results) if len(results) > 1 else results[0]


def store(target: Any, value: torch.Tensor) -> None:
    """Let a VarBase hold this value; a parameter takes a copy and stays what is trained."""
    by_slots.store(target, value)
    if target._t is value and value.requires_grad:
        remember(target)


def trace(type_: str, inputs: Any, outputs: Any, attrs: Any) -> None:
    """Run an operator that is given by its slots, as `append_op` takes them, and fill the outputs."""
    listed = {slot: given if isinstance(given, (list, tuple)) else [given] for slot, given in (outputs or {}).items() if given is not None}
    if not any(issubclass(type(value), _value_class) for given in listed.values() for value in given):
        by_slots.trace(type_, inputs, outputs, attrs)  # values of Paddle 2.x
        return
    definition = definition_of(type_)
    described = [s.name for s in definition.outputs if s.described and listed.get(s.name) and definition.derives(s.name)]
    if described and definition.whole is not None:
        definition, described = by_slots.whole(type_), []
    targets = {slot.name: listed[slot.name] for slot in definition.returns if slot.name in listed}
    args = by_slots.arguments(definition, inputs)
    found = run(definition, args, attrs or {}, targets)
    if described and not definition.random:  # which nothing of ours reads: they are computed for whoever named them
        outs = list(found) if len(definition.returns) > 1 else [found]
        known = {**definition.first_age, **(attrs or {})}
        results = by_slots.derived(definition, args, outs, known, described, _lods.taken(definition, args))
        for slot in described:
            if results.get(slot) is not None:
                store(listed[slot][0], results[slot]._t.detach())


block.run_now = trace


# ---- gradients
_KIN = "_kin"  # the member of a value that refers to what its operator made beside it
STOPPED = "_stopped"  # the member of a value that holds what it was before gradients were stopped at it


def stop(value: Any) -> None:
    """Stop gradients at a value that an operator made: those on their way through it become zeros."""
    former = value._t
    held = former.detach()
    value._become(held)

    def lose(grad: torch.Tensor) -> torch.Tensor:
        held.grad = torch.zeros_like(held)
        return torch.zeros_like(grad)

    value.__dict__[STOPPED] = former, former.register_hook(lose)


def go_on(value: Any) -> None:
    """Let gradients through again."""
    former, hook = value.__dict__.pop(STOPPED)
    value._become(former)
    hook.remove()


def gradient(tensor: torch.Tensor) -> torch.Tensor | None:
    """What a pass left here; torch warns where it could not leave anything."""
    return tensor.grad if tensor.is_leaf or tensor.retains_grad else None


def _reached(root: Any) -> tuple[set[Any], list[torch.Tensor]]:
    """The operators and the leaves that a pass from here goes through, a leaf as often as something reads it."""
    seen, waiting, leaves = {root}, [root], []
    while waiting:
        for node, _ in waiting.pop().next_functions:
            if node is None:
                continue
            leaf = getattr(node, "variable", None)
            if leaf is not None:
                leaves.append(leaf)
            elif node not in seen:
                waiting.append(node)
            seen.add(node)
    return seen, leaves


def gone(value: Any, expected: str) -> PreconditionNotMetError:
    """The error where a graph's values went with an earlier pass."""
    return PreconditionNotMetError(
        f"A part of what `{value.name}` was made from has been differentiated already, and its values are gone. Expected {expected}. "
        "Received: a second pass."
    )


def backward(value: Any, retain_graph: bool = False) -> None:
    """Fill the gradients of all that a value was made from; those of an earlier pass go.

    Args:
        value: where the pass begins.
        retain_graph: other values' passes may go the same way.
    """
    root = value.__dict__[STOPPED][0] if STOPPED in value.__dict__ else value._t
    if root.grad_fn is None:
        return  # Paddle 1.8 says nothing, and leaves gradients alone
    nodes, leaves = _reached(root.grad_fn)
    times = Counter(leaves)
    filled = list(times)
    alive = [(ref, kept) for ref in _made if (kept := ref()) is not None and kept._t.requires_grad and not kept._t.is_leaf]
    _made[:] = [ref for ref, _ in alive]
    for _, kept in alive:
        kin = [kept, *[other for ref in kept.__dict__.get(_KIN, ()) if (other := ref()) is not None]]
        if any(one._t.grad_fn in nodes for one in kin):
            kept._t.retain_grad()
            filled.append(kept._t)
    former = [tensor.grad for tensor in filled]
    for tensor in filled:
        tensor.grad = None
    try:
        # torch.autograd.backward without its checks, which import sympy
        _engine((root,), (torch.ones_like(root),), retain_graph, False, (), allow_unreachable=True, accumulate_grad=True)
    except RuntimeError as error:
        for tensor, grad in zip(filled, former):
            tensor.grad = grad
        if "second time" not in str(error):
            raise
        raise gone(value, "one backward() of a graph; sum the losses") from error
    if root is value._t:  # from here on it is a beginning, of which no pass goes on to what it was made from
        ended = root.detach().requires_grad_()
        ended.grad = root.grad
        value._become(ended)
    for tensor, grad in zip(filled, former):
        if tensor.grad is None:  # nothing came to one of several outputs, or gradients stop there by now
            tensor.grad = torch.zeros_like(tensor) if grad is None or tensor.requires_grad else grad
        elif times[tensor] > 1 and tensor.grad.is_sparse:
            tensor.grad = tensor.grad.coalesce()  # where gradients of a table meet, each row comes once
