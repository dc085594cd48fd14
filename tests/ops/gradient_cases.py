"""Gradients of single operators that the wheels recorded, in one form: see check_op, nn_replay and sequence_replay."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import check_op
import nn_replay
import numpy as np
import sequence_replay
from op_cases import cotangent

MATH = ("elementwise", "math", "reduction", "manipulation", "indexing", "activation", "linalg")
NN = ("conv", "pool", "norm", "loss", "embedding", "nce", "vision")
SEQUENCE = ("sequence", "structured", "recurrent")
Slots = dict[str, list[Any]]  # slot -> an array for each of its variables; None: nothing was recorded


@dataclass
class Recorded:
    """One operator with its inputs, the gradients that came into its outputs, and those that came out."""

    name: str
    type: str
    age: int
    inputs: Slots
    attrs: dict[str, Any]
    counts: dict[str, int]  # output slot -> how many variables it has
    upstream: Slots
    grads: Slots
    lods: dict[str, list[Any]]
    outputs: Slots = field(default_factory=dict)
    result_lods: dict[str, Any] = field(default_factory=dict)
    tolerance: float = 2e-5


def _put(slots: Slots, slot: str, number: int, value: Any) -> None:
    listed = slots.setdefault(slot, [])
    listed.extend([None] * (number + 1 - len(listed)))
    listed[number] = value


def _math() -> Iterator[Recorded]:
    for table in MATH:
        for row in check_op.rows(table, import_module(f"cases_{table}").CASES):
            case, age = row.values
            found = Recorded(f"{case.key}-{age}", case.type, age, case.arrays(), case.attrs, dict(case.outs), {}, {}, {})
            found.tolerance = max(case.gtol, 2e-5)
            for name, entry in check_op.recorded(table, age)[case.key]["values"].items():
                slot, number = name.split()
                if "@" in slot:
                    _put(found.grads, slot.split("@")[0], int(number), check_op.unpacked(entry))
                elif np.dtype(entry["dtype"]).kind in "fc":
                    _put(found.upstream, slot, int(number), cotangent(f"{case.key} {name}", entry["shape"], entry["dtype"]))
            if found.grads:
                yield found


def _nn() -> Iterator[Recorded]:
    for family in NN:
        for version in nn_replay.VERSIONS:
            described, arrays = nn_replay.load(family, version)
            for name, entry in described.items():
                found = Recorded(f"{name}-{version[0]}", entry["type"], int(version[0]), {}, entry["attrs"], {}, {}, {}, {})
                for key, array in arrays.items():
                    if key.startswith(name + "/"):
                        kind, label = key[len(name) + 1 :].split("/", 1)
                        slot, number = (label.split(".") + ["0"])[:2]
                        into = {"in": found.inputs, "upstream": found.upstream, "grad": found.grads, "out": found.outputs}.get(kind)
                        if kind == "out":
                            found.counts[slot] = max(found.counts.get(slot, 0), int(number) + 1)
                        if into is not None:
                            _put(into, slot, int(number), array)
                if found.grads:
                    yield found


def _sequence() -> Iterator[Recorded]:
    for family in SEQUENCE:
        for key in sequence_replay.load(family):
            if not key.endswith("|meta"):
                continue
            case = sequence_replay.Replay(family, key[:-5])
            fed, made = case.meta["fed_lod"], case.meta["lod"]
            found = Recorded(f"{case.name}-1", case.meta["type"], 1, {}, case.meta["attrs"], {}, {}, {}, fed, {}, made)
            kinds = {"in": found.inputs, "cotangent": found.upstream, "grad": found.grads, "out": found.outputs}
            for whole, array in case.arrays.items():
                parts = whole.split("|")
                if parts[0] == case.name and len(parts) == 4:
                    if parts[1] == "out":
                        found.counts[parts[2]] = max(found.counts.get(parts[2], 0), int(parts[3]) + 1)
                    if parts[1] in kinds:
                        _put(kinds[parts[1]], parts[2], int(parts[3]), array)
            if found.grads:
                yield found


def every() -> Iterator[Recorded]:
    """All recorded gradients."""
    yield from _math()
    yield from _nn()
    yield from _sequence()


def first_of_each() -> list[Recorded]:
    """One for each operator and age."""
    found: dict[tuple[str, int], Recorded] = {}
    for case in every():
        found.setdefault((case.type, case.age), case)
    return list(found.values())
