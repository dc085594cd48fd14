"""Which inputs, attributes and outputs the kernel of an operator takes, in its order; harnesses of Paddle's own tests ask.

`_kernel_signatures.txt` lists them (`scripts/list_kernel_signatures.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from paddle_compat.core.errors import NotFoundError

Signature = tuple[list[str], list[str], list[str]]


@cache
def _listed() -> dict[str, str]:
    lines = Path(__file__).with_suffix(".txt").read_text().splitlines()
    return dict(line.split(": ", 1) for line in lines)


def kernel_signature(type: str, inputs: Mapping[str, Any]) -> Signature:
    """The slots and attributes of an operator's kernel.

    Args:
        type: the operator's type.
        inputs: slot -> Tensors; where an input is given that stands for an attribute, its slot stands in the attribute's place.
    Returns:
        The names of the inputs, of the attributes and of the outputs.
    Raises:
        NotFoundError: no such kernel is known.
    """
    if type not in _listed():
        raise NotFoundError(f"Invalid value for argument `type`. Expected an operator with a kernel. Received: {type}")
    slots, attributes, outputs = (part.split() for part in _listed()[type].split("|"))
    return slots, [_taken(attribute, inputs) for attribute in attributes], outputs


def _taken(attribute: str, inputs: Mapping[str, Any]) -> str:
    name, _, standing = attribute.partition("=")
    return next((slot for slot in standing.split(",") if slot and inputs.get(slot)), name)
