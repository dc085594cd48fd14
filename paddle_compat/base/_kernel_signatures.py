"""Which inputs, attributes and outputs the kernel of an operator takes, in its order; harnesses of Paddle's own tests ask.

`_kernel_signatures.txt` lists them (`scripts/list_kernel_signatures.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from paddle_compat.core.errors import NotFoundError
from paddle_compat.core.op import find_op

Signature = tuple[list[str], list[str], list[str]]


@cache
def _listed() -> dict[str, list[tuple[list[str], str]]]:
    """Operator -> what it chooses by, and what it takes then; the one without a choice is the last."""
    found: dict[str, list[tuple[list[str], str]]] = {}
    for line in Path(__file__).with_suffix(".txt").read_text().splitlines():
        name, taken = line.split(": ", 1)
        type, _, choices = name.rstrip("]").partition("[")
        found.setdefault(type, []).insert(0, (choices.split(), taken))
    return found


def kernel_signature(type: str, inputs: Mapping[str, Any], attributes: Mapping[str, Any]) -> Signature:
    """The slots and attributes of an operator's kernel.

    Args:
        type: the operator's type.
        inputs: slot -> Tensors; where an input is given that stands for an attribute, its slot stands in the attribute's place.
        attributes: name -> value; some choose another kernel where they are not their defaults.
    Returns:
        The names of the inputs, of the attributes and of the outputs.
    Raises:
        NotFoundError: no such kernel is known.
    """
    if type not in _listed():
        raise NotFoundError(f"Invalid value for argument `type`. Expected an operator with a kernel. Received: {type}")
    operator = find_op(type)
    usual = operator.defaults(2) if operator else {}

    def chosen(choice: str) -> bool:
        name = choice.lstrip("!")
        given = bool(inputs.get(name)) or attributes.get(name, usual.get(name)) != usual.get(name)
        return given is not choice.startswith("!")

    taken = next(taken for choices, taken in _listed()[type] if all(map(chosen, choices)))
    slots, names, outputs = (part.split() for part in taken.split("|"))
    return slots, [_taken(name, inputs) for name in names], outputs


def _taken(attribute: str, inputs: Mapping[str, Any]) -> str:
    name, _, standing = attribute.partition("=")
    return next((slot for slot in standing.split(",") if slot and inputs.get(slot)), name)
