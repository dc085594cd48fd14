"""LoD of values in eager mode of Paddle 1.8: a VarBase has one where its LoDTensor was given one, or an operator's kernel gives it one.

What only hands its input's LoD on in a Program does not so here: the kernels of 1.8 that set LoD themselves are few.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from paddle_compat.core.lod import LoD
from paddle_compat.core.op import Op
from paddle_compat.core.tensor import Tensor

_LOD = "_lod"  # the member of a VarBase
_HANDS_ON = ("hash", "sequence_enumerate", "shard_index")
there = False  # whether any value was given LoD so far


def of(value: Any) -> LoD | None:
    """The LoD of a value; None: it has none."""
    return value.__dict__.get(_LOD) if isinstance(value, Tensor) else None


def put(value: Any, lod: LoD | None) -> None:
    """Give a value LoD, or take it away."""
    global there
    if lod is not None:
        there = True
        value.__dict__[_LOD] = lod
    elif there:
        value.__dict__.pop(_LOD, None)


def counts(definition: Op) -> bool:
    """Whether an operator has to do with LoD: it makes some, or takes what some value has."""
    return isinstance(definition.lod, tuple) or (there and bool(definition.lod_args or definition.type in _HANDS_ON))


def taken(definition: Op, inputs: tuple[Any, ...]) -> dict[str, Any]:
    """The LoDs that an operator's function takes beside its inputs, by name."""
    return {
        arg + "_lod": [of(one) for one in value] if isinstance(value, (list, tuple)) else of(value)
        for arg, value in zip(definition.args, inputs)
        if arg + "_lod" in definition.lod_args
    }


def levelled(definition: Op, inputs: tuple[Any, ...], made: dict[str, Any]) -> Op:
    """The operator bound to its inputs' LoDs.

    Args:
        definition: the operator.
        inputs: its inputs.
        made: takes an output slot's LoD, or LoDs, once the operator has run.
    Returns:
        An operator that takes these inputs and gives outputs alone.
    """
    lods = taken(definition, inputs)
    slots = definition.lod if isinstance(definition.lod, tuple) else ()
    count = len(definition.returns)

    def run(*args: Any, **attrs: Any) -> Any:
        found = definition.fn(*args, **attrs, **lods)
        if not slots:
            return found
        made.update(zip(slots, found[count:]))
        return found[:count] if count > 1 else found[0]

    if definition.type in _HANDS_ON:
        first = inputs[0]
        made.update({slot.name: of(first) for slot in definition.returns})
    return replace(definition, fn=run, lod=None, lod_args=())


def spread(definition: Op, found: Any, made: Mapping[str, Any]) -> None:
    """Give the outputs of an operator their LoDs."""
    for slot, value in zip(definition.returns, found if len(definition.returns) > 1 else (found,)):
        lods = made.get(slot.name)
        if slot.is_list and lods is not None:
            for one, lod in zip(value, lods):
                put(one, lod)
        elif isinstance(value, Tensor):
            put(value, lods)
