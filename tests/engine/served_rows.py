"""A table as a server has it: a block that says how its rows begin, and an optimizer's operator that runs on the rows that are touched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch

from paddle_compat.core.op import find_op
from paddle_compat.core.program import Program
from paddle_compat.core.scope import Scope
from paddle_compat.engine.executor import prepare
from paddle_compat.engine.server_tables import ServedTable

POWERS = {"Beta1Pow": 0.9, "Beta2Pow": 0.999}


class ServedRows:
    """A table and its update, which runs as a server's round does.

    Args:
        type_: of the optimizer's operator.
        shape: of the table.
        attrs: the operator's.
        rate: the learning rate.
        starts: what accumulators begin with, by slot; 0 where nothing is said.
        fill: the operator that says how rows begin, and its attributes.
    """

    def __init__(
        self, type_: str, shape: tuple[int, int], attrs: Mapping[str, Any] | None = None, rate: float = 1.0,
        starts: Mapping[str, float] | None = None, fill: tuple[str, Mapping[str, Any]] = ("fill_constant", {}),
    ) -> None:  # fmt: skip
        definition = find_op(type_)
        assert definition is not None
        self.program, self.scope, self.shape = Program(), Scope(), shape
        self.slots = [slot for slot in dict.fromkeys(definition.inplace.values()) if slot not in {"Param", "MasterParam", *POWERS}]
        block = self.program.global_block()
        self.shared = {slot: torch.tensor([rate if slot == "LearningRate" else POWERS[slot]]) for slot in ("LearningRate", *POWERS)}
        self.shared = {slot: value for slot, value in self.shared.items() if definition.slot(slot) is not None}
        shapes = {"Param": shape, "Grad": shape, **dict.fromkeys(self.slots, shape), **dict.fromkeys(self.shared, (1,))}
        for name, size in shapes.items():
            block.create_var(name=name, shape=size, dtype="float32", persistable=name != "Grad")
        for name, value in self.shared.items():
            self.scope.var(name).tensor.value = value.clone()
        inputs, outputs = {name: name for name in shapes}, dict(definition.inplace)
        update = block.append_op(type_, inputs, outputs, dict(attrs or {}))
        if type_ == "adamax":  # leaves that to another operator
            block.append_op("scale", {"X": "Beta1Pow"}, {"Out": "Beta1Pow"}, {"scale": POWERS["Beta1Pow"]})
        begin = self.program._create_block()
        begin.append_op(fill[0], {}, {"Out": "Param"}, {"shape": shape, **fill[1]})
        for slot in self.slots:
            begin.append_op("fill_constant", {}, {"Out": slot}, {"shape": shape, "value": (starts or {}).get(slot, 0.0)})
        self.table = ServedTable("Param", begin, [update], ["Grad"])

    def step(self, ids: torch.Tensor, gradients: torch.Tensor) -> None:
        """Update the rows of ids, which may repeat, by a gradient for each."""
        feed = {"Grad": torch.sparse_coo_tensor(ids[None], gradients, self.shape, check_invariants=False)}
        with self.table.as_whole(feed, self.scope):
            prepare(self.program, ("Grad",), (), (), self.scope).run([feed["Grad"]], (), torch.device("cpu"), False)
