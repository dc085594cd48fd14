"""Running an operator at once that is given as Programs give it: type, inputs and outputs by slot, attributes by name."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping
from functools import cache
from typing import Any

import torch

from paddle_compat.core import eager
from paddle_compat.core.op import Op, Slot, definition_of
from paddle_compat.core.tensor import Tensor


@cache
def whole(type_: str) -> Op:
    """The operator with all its outputs computed, those that serve gradients too."""
    definition = definition_of(type_)
    assert definition.whole is not None
    order = [*definition.returns, *(s for s in definition.outputs if s.described)]
    return dataclasses.replace(
        definition, fn=definition.whole, outputs=tuple(Slot(s.name, s.is_list, s.optional, age=s.age) for s in order)
    )


def arguments(definition: Op, inputs: Mapping[str, Any] | None) -> tuple[Any, ...]:
    """The operator's inputs in order, from slot -> a value or a list of values."""
    args: list[Any] = []
    for slot in definition.inputs:
        given = (inputs or {}).get(slot.name)
        several = list(given) if isinstance(given, (list, tuple)) else [] if given is None else [given]
        args.append(several if slot.is_list else several[0] if several else None)
    return tuple(args)


def apart(definition: Op, args: tuple[Any, ...], outputs: Mapping[str, Any]) -> tuple[Any, ...]:
    """The inputs of an operator that writes over some of them: copies of those whose place other values are to take."""
    found = list(args)
    for slot, source in definition.inplace.items():
        i = next(n for n, s in enumerate(definition.inputs) if s.name == source)
        value, target = found[i] if i < len(found) else None, outputs.get(slot)
        targets = list(target) if isinstance(target, (list, tuple)) else [target]
        if isinstance(value, (list, tuple)):
            found[i] = [_copied(one, other) for one, other in zip(value, targets)] if len(targets) == len(value) else value
        elif targets:
            found[i] = _copied(value, targets[0])
    return args if all(new is old for new, old in zip(found, args)) else tuple(found)


def _copied(value: Any, target: Any) -> Any:
    other = isinstance(value, Tensor) and isinstance(target, Tensor) and target is not value
    return _wrapped(value._t.detach().clone()) if other else value


def call(
    type_: str,
    inputs: Mapping[str, Any] | None,
    attrs: Mapping[str, Any] | None,
    wanted: Collection[str] = (),
    targets: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Run an operator.

    Args:
        wanted: slots of outputs that serve gradients alone, which are computed only when they are named here.
        targets: what is to hold the outputs; an input that the operator writes over stays as it is where others are to hold that.
    Returns:
        slot -> the output, for all computed outputs and the wanted ones that there are.
    """
    definition = definition_of(type_)
    described = [s.name for s in definition.outputs if s.described and s.name in wanted]
    args = arguments(definition, inputs)
    if targets and definition.inplace:
        args = apart(definition, args, targets)
    known = {k: v for k, v in (attrs or {}).items() if k in definition.attrs or k in definition.required}
    if described and definition.whole is not None:
        definition = whole(type_)
    found = eager.run(definition, args, known)
    results = dict(zip([s.name for s in definition.returns], found if len(definition.returns) > 1 else (found,)))
    missing = [name for name in described if name not in results]
    return {**results, **derived(definition, args, list(results.values()), known, missing)}


def derived(
    definition: Op,
    args: tuple[Any, ...],
    outputs: list[Any],
    attrs: Mapping[str, Any],
    wanted: Collection[str],
    lods: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Outputs that serve gradients alone, made from what an operator took and gave.

    Args:
        args: its inputs, in order; `outputs`: what it computed.
        wanted: the slots.
        lods: the inputs' LoDs that its function takes, by name.
    Returns:
        slot -> the output, for those that there is a rule for.
    """
    known = {k: v for k, v in attrs.items() if k in definition.attrs or k in definition.required}
    rules = {name: definition.derive[name] for name in wanted if name in definition.derive}
    given, named = (*_raw(list(args)), *_raw(outputs)), {**definition.attrs, **known, **(lods or {})}
    with torch.no_grad():
        return {name: _wrapped(rule(*given, **named)) for name, rule in rules.items()}


def _wrapped(value: torch.Tensor | None) -> Any:
    return None if value is None else eager._wrap(value)


def _raw(values: Any) -> Any:
    return [_raw(v) if isinstance(v, (list, tuple)) else v._t if isinstance(v, Tensor) else v for v in values]


def store(target: Tensor, value: torch.Tensor) -> None:
    """Let a Tensor hold this value; one that is trained keeps its memory, and so stays what is trained."""
    if target._t is value:
        return
    if target._t.is_leaf and target._t.requires_grad:
        with torch.no_grad():
            if target._t.shape != value.shape:
                target._t.data = value.detach().clone()
                target._become(target._t)
            else:
                target._t.copy_(value)
    else:
        target._become(value)


def trace(type_: str, inputs: Any, outputs: Any, attrs: Any) -> None:
    """Run an operator and put what it gives into the outputs: slot -> a Tensor, or a list of them."""
    targets = {slot: given if isinstance(given, (list, tuple)) else [given] for slot, given in (outputs or {}).items() if given is not None}
    results = call(type_, inputs, attrs, [slot for slot, given in targets.items() if given], targets)
    for slot, given in targets.items():
        value = results.get(slot)
        values = value if isinstance(value, (list, tuple)) else [value]
        for target, new in zip(given, values):
            if new is not None:
                store(target, new._t)
