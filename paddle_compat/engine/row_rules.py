"""How optimizers' operators update some rows of a table: by the same kernels as everywhere, on the rows that were touched alone.

An operator sees the touched rows as if they were the whole parameter, their states as its accumulators, and a gradient that has each of
these rows once. So rows that nobody touches stand still, as with Adam's `lazy_mode`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import torch

from paddle_compat.core.errors import UnsupportedError
from paddle_compat.core.op import Op, find_op

RATE = "LearningRate"
_POWERS = {"Beta1Pow": "beta1", "Beta2Pow": "beta2"}  # and the attributes that they are the powers of
_COPIES = {"Param", "MasterParam"}
# what one row's step does not depend on other rows for
BY_ROW = frozenset({
    "sgd", "momentum", "adam", "adamw", "adamax", "adagrad", "decayed_adagrad", "adadelta", "rmsprop", "ftrl", "proximal_gd",
    "proximal_adagrad",
})  # fmt: skip


@dataclass(frozen=True)
class RowRule:
    """An optimizer for `SparseTable.update`.

    Attributes:
        definition: of the operator.
        attrs: the operator's.
        states: for each accumulator that rows have, by its slot, its width and what it starts from; `SparseTable` takes them.
        shared: what all rows have in common, tensors of one number: LearningRate, and powers of beta, which steps advance.

    Example:
        >>> import torch
        >>> from paddle_compat.engine.row_rules import rule_of
        >>> rule = rule_of("adagrad", 2, {"epsilon": 0.0}, rate=0.5)
        >>> rows, moment = torch.ones(1, 2), torch.zeros(1, 2)
        >>> rule(rows, torch.full((1, 2), 4.0), Moment=moment)
        >>> rows.tolist(), moment.tolist(), rule.states
        ([[0.5, 0.5]], [[16.0, 16.0]], {'Moment': (2, 0.0)})
    """

    definition: Op
    attrs: dict[str, Any]
    states: dict[str, tuple[int, float]]
    shared: dict[str, torch.Tensor] = field(default_factory=dict)

    def __call__(self, rows: torch.Tensor, gradients: torch.Tensor, **states: torch.Tensor) -> None:
        """Take one step of some rows, in place.

        Args:
            rows: (n, width).
            gradients: (n, width), one for each row.
            states: the accumulators of these rows, by slot.
        """
        whole = as_whole(torch.arange(len(rows)), gradients, len(rows), merged=True)
        given: dict[str, Any] = {"Param": rows, "Grad": whole, **states, **self.shared}
        self.definition.fn(*(given.get(slot.name) for slot in self.definition.inputs), **self.attrs)
        if "Beta1Pow" in self.shared and "Beta1PowOut" not in self.definition.inplace:  # adamax leaves that to another operator
            self.shared["Beta1Pow"].mul_(self.attrs.get("beta1", self.definition.attrs["beta1"]))

    def set_rate(self, rate: float) -> None:
        """Have another learning rate from now on."""
        self.shared[RATE].fill_(rate)


def rule_of(
    type_: str, width: int, attrs: Mapping[str, Any] | None = None, rate: float = 0.001, starts: Mapping[str, float] | None = None
) -> RowRule:
    """The rule of an optimizer's operator, without a Program.

    Args:
        type_: the operator's type, such as "adam".
        width: of a row.
        attrs: the operator's.
        rate: the learning rate.
        starts: what accumulators start from, by slot; 0 where nothing is said.
    Returns:
        RowRule.
    Raises:
        UnsupportedError: the operator's steps look at the whole parameter.
    """
    definition, said = by_row(type_), dict(attrs or {})
    states = {slot: (width, float((starts or {}).get(slot, 0.0))) for slot in row_slots(definition)}
    shared = {RATE: torch.tensor([rate])} if definition.slot(RATE) is not None else {}
    for slot, beta in _POWERS.items():
        if definition.slot(slot) is not None:
            shared[slot] = torch.tensor([float(said.get(beta, definition.attrs[beta]))])
    return RowRule(definition, said, states, shared)


def by_row(type_: str) -> Op:
    """The definition of an optimizer's operator that can update a table's rows.

    Raises:
        UnsupportedError: it looks at the whole parameter.
    """
    found = find_op(type_)
    if found is None or type_ not in BY_ROW:
        raise UnsupportedError("is_distributed=True", f"the optimizer's operator `{type_}`, which looks at the whole table", "adam or sgd")
    return found


def row_slots(definition: Op) -> list[str]:
    """The input slots of the accumulators of which rows have their own."""
    return [slot for slot in dict.fromkeys(definition.inplace.values()) if slot not in _COPIES and slot not in _POWERS]


def as_whole(rows: torch.Tensor, gradients: torch.Tensor, height: int, merged: bool = False) -> torch.Tensor:
    """A sparse gradient.

    Args:
        rows: (n), the row that each gradient is for.
        gradients: (n, width).
        height: of the table.
        merged: rows are ascending and different.
    """
    shape = (height, *gradients.shape[1:])
    return torch.sparse_coo_tensor(rows[None], gradients, shape, is_coalesced=merged or None, check_invariants=False)
