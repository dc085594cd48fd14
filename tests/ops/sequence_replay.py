"""Run an operator on what the wheel was given and compare (see scripts/references/sequence_cases.py)."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from paddle_compat.core.infer import described_meta, infer_op
from paddle_compat.core.lod import lod_from_offsets, lod_to_offsets
from paddle_compat.core.op import Meta, Op, Slot, find_op

REFERENCES = Path(__file__).resolve().parent.parent / "references"


@lru_cache(maxsize=4)
def load(family: str) -> dict[str, np.ndarray]:
    """All arrays of a data file, by key."""
    with np.load(REFERENCES / f"ops_seq_{family}.npz") as file:
        return dict(file)


def cases(*families: str) -> Any:
    """A `pytest.mark.parametrize` over everything recorded of some families."""
    found = [
        pytest.param(family, key[:-5], id=f"{family}-{key[:-5]}")
        for family in families
        for key in load(family)
        if key.endswith("|meta")
    ]
    return pytest.mark.parametrize(("family", "name"), found)


class Replay:
    """One case: what was fed, and what came out."""

    def __init__(self, family: str, name: str) -> None:
        self.arrays = load(family)
        self.name = name
        self.meta = json.loads(str(self.arrays[name + "|meta"]))
        found = find_op(self.meta["type"])
        assert found is not None, self.meta["type"]
        self.op: Op = found
        self.gradients = [k.split("|")[2:] for k in self.arrays if k.startswith(name + "|grad|")]
        self.wanted = {slot for slot, _ in self.gradients}

    def array(self, kind: str, key: str) -> np.ndarray:
        return self.arrays[f"{self.name}|{kind}|{key}"]

    def fed(self, slot: Slot) -> list[torch.Tensor]:
        count = len(self.meta["fed_lod"].get(slot.name, ()))
        values = [torch.from_numpy(self.array("in", f"{slot.name}|{i}")) for i in range(count)]
        return [v.requires_grad_() if slot.name in self.wanted else v for v in values]

    def infer(self, slot: Slot) -> Any:
        metas = [
            Meta(tuple(shape), torch.from_numpy(np.empty(0, dtype)).dtype, level)
            for shape, dtype, level in self.meta["fed_static"].get(slot.name, ())
        ]
        return metas if slot.is_list else metas[0] if metas else None

    def run(self) -> tuple[dict[str, Any], dict[str, Any], dict[str, list[torch.Tensor]]]:
        """Outputs by slot, their LoD by slot, inputs by slot."""
        inputs = {slot.name: self.fed(slot) for slot in self.op.inputs}
        args, lods = [], {}
        names = list(self.op.fn.__code__.co_varnames)
        for position, slot in enumerate(self.op.inputs):
            values = inputs[slot.name]
            args.append(values if slot.is_list else values[0] if values else None)
            key = f"{names[position]}_lod"
            if key in self.op.lod_args:
                given = [lod_from_offsets(lod) for lod in self.meta["fed_lod"].get(slot.name, ())]
                lods[key] = given if slot.is_list else given[0] if given else None
        result = self.op.fn(*args, **self.meta["attrs"], **lods)
        values = list(result) if isinstance(result, tuple) else [result]
        outputs = dict(zip((s.name for s in self.op.returns), values))
        if self.op.lod == "share":
            fed = next(iter(self.meta["fed_lod"].get(self.op.inputs[0].name, ())), ())
            out_lods = dict.fromkeys(outputs, lod_from_offsets(fed))
        elif self.op.lod is None:
            out_lods = dict.fromkeys(outputs)
        else:
            out_lods = {**dict.fromkeys(outputs), **dict(zip(self.op.lod, values[len(outputs) :]))}
        return outputs, out_lods, inputs


def replay(family: str, name: str, rtol: float = 2e-5, atol: float = 2e-6) -> None:
    """Compare outputs, LoD, gradients, and the shapes found while recording."""
    case = Replay(family, name)
    outputs, lods, inputs = case.run()
    targets, cotangents = [], []
    for key, lod in case.meta["lod"].items():
        slot, i = key.split("|")
        value = outputs[slot][int(i)] if isinstance(outputs[slot], list) else outputs[slot]
        expected = case.array("out", key)
        got = value.detach().numpy()
        assert got.dtype == expected.dtype, key
        assert got.shape == expected.shape, key
        np.testing.assert_allclose(got, expected, rtol, atol, err_msg=key)
        assert lod_to_offsets(lods[slot]) == lod, key
        if f"{name}|cotangent|{key}" in case.arrays:
            targets.append(value)
            cotangents.append(torch.from_numpy(case.array("cotangent", key)))
    if case.gradients:
        wrt = [inputs[slot][int(i)] for slot, i in case.gradients]
        for (slot, i), grad in zip(case.gradients, torch.autograd.grad(targets, wrt, cotangents)):
            expected = case.array("grad", f"{slot}|{i}")
            np.testing.assert_allclose(grad.numpy(), expected, rtol, atol, err_msg=slot + "@GRAD")
    metas = [case.infer(slot) for slot in case.op.inputs]
    attrs = {**case.op.attrs, **case.meta["attrs"]}
    inferred = dict(zip((s.name for s in case.op.returns), infer_op(case.op, metas, attrs)))
    for slot in case.op.outputs:
        meta = described_meta(case.op, slot.name, metas, attrs) if slot.described else inferred[slot.name]
        for i, one in enumerate(meta if isinstance(meta, list) else [meta]):
            if one is not None and f"{slot.name}|{i}" in case.meta["static"]:
                assert [list(one.shape), one.lod_level] == case.meta["static"][f"{slot.name}|{i}"], slot.name
