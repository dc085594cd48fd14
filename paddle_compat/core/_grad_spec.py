"""A gradient operator before it is appended."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from paddle_compat.core.operator import GRAD_SUFFIX, rename

if TYPE_CHECKING:
    from paddle_compat.core.operator import Operator
    from paddle_compat.core.program import Block

RECOMPUTED = "_recompute"  # of an operator that is written again: which segment between checkpoints it belongs to
DROPPED = "_dropped"  # of a gradient operator that is not appended: it only takes part in the names of sums
# attributes that `engine.regions` reads, one operator's own
OWN_MARKS = frozenset({RECOMPUTED, "_region", "_grads", "_written", "_zero", "_zeros", "_composed"})


def copied_attributes(op: Operator) -> dict[str, Any]:
    """What a gradient operator takes over from its forward operator."""
    return {k: v for k, v in op.attrs.items() if k not in ("op_role", "op_role_var") and k not in OWN_MARKS}


@dataclass
class GradSpec:
    """A gradient operator before it is appended: names only."""

    type: str
    inputs: dict[str, list[str]]
    outputs: dict[str, list[str]]
    attrs: dict[str, Any] = field(default_factory=dict)
    forward: Operator | None = None
    body: tuple[Block, list[GradSpec]] | None = None  # the block and operators of a sub-block's gradient

    def rename(self, slots: dict[str, list[str]], old: str, new: str) -> None:
        """Replace a name in the slots given."""
        rename(slots, old, new)

    def reads(self) -> list[str]:
        """Names of all variables read, in the order of Paddle's descriptions."""
        return [n for s in sorted(self.inputs) for n in self.inputs[s]]

    def writes(self) -> list[str]:
        """Names of all variables written."""
        return [n for s in sorted(self.outputs) for n in self.outputs[s]]


def zero_spec(name: str, age: int) -> GradSpec:
    """The operator that makes the gradient of an output on which nothing depends, from the variable that it is of.

    Paddle 1.8 takes the absence of a first gradient, and fills in those of gradients.
    """
    source = {"X": [name.split(GRAD_SUFFIX)[0].rsplit("grad/")[-1]]}
    outputs = {"Out": [name + GRAD_SUFFIX]}
    if age == 1:
        return GradSpec("fill_zeros_like", source, outputs, {"_zero": True})
    return GradSpec("fill_any_like", source, outputs, {"value": 0.0, "dtype": -1, "_zero": True})
