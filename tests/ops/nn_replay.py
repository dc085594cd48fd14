"""Run the operators on what a wheel was given and compare with what it gave (see scripts/references/nn_cases.py)."""

from __future__ import annotations

import json
import math
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from paddle_compat.core.infer import described_meta, infer_op
from paddle_compat.core.op import Meta, find_op

REFERENCES = Path(__file__).resolve().parent.parent / "references"
VERSIONS = ("1.8.5", "2.6.2")


@lru_cache(maxsize=4)
def load(family: str, version: str) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The cases of a family and their arrays."""
    with np.load(REFERENCES / f"ops_nn_{family}_{version}.npz") as file:
        arrays = dict(file)
    return json.loads(arrays.pop("cases").tobytes()), arrays


def cases(family: str) -> Any:
    """A `pytest.mark.parametrize` over everything recorded of a family."""
    found = [
        pytest.param(version, name, id=f"{name}-{version}") for version in VERSIONS for name in load(family, version)[0]
    ]
    return pytest.mark.parametrize(("version", "name"), found)


def replay(family: str, version: str, name: str, rtol: float = 2e-5, atol: float = 2e-6) -> None:
    """Compare outputs, shapes and gradients of one case."""
    described, arrays = load(family, version)
    entry = described[name]
    import_module(f"paddle_compat.ops.{family}")  # or `find_op` would load every family
    definition = find_op(entry["type"])
    assert definition is not None, f"no operator {entry['type']}"
    prefix = name + "/"

    def values(kind: str, slot: str) -> list[np.ndarray] | np.ndarray | None:
        whole = f"{prefix}{kind}/{slot}"
        if whole in arrays:
            return arrays[whole]
        many = sorted((k for k in arrays if k.startswith(whole + ".")), key=lambda k: int(k.rsplit(".", 1)[1]))
        return [arrays[k] for k in many] or None

    leaves: dict[str, torch.Tensor] = {}

    def tensor(label: str, array: np.ndarray) -> torch.Tensor:
        made = torch.from_numpy(array.copy())
        if f"{prefix}grad/{label}" in arrays:
            leaves[label] = made.requires_grad_()
        return made

    args: list[Any] = []
    for slot in definition.inputs:
        value = values("in", slot.name)
        if isinstance(value, list):
            args.append([tensor(f"{slot.name}.{i}", v) for i, v in enumerate(value)])
        else:
            args.append(tensor(slot.name, value) if value is not None else [] if slot.is_list else None)
    attrs = dict(definition.first_age) if version.startswith("1.") else {}
    attrs.update((k, v) for k, v in entry["attrs"].items() if k in definition.attrs or k in definition.required)
    out = definition.fn(*args, **attrs)
    outs = dict(zip((s.name for s in definition.returns), out if isinstance(out, tuple) else (out,)))
    targets, upstream = [], []
    for slot_name, value in outs.items():
        expected = values("out", slot_name)
        if expected is None:
            continue
        assert isinstance(expected, np.ndarray)
        assert tuple(value.shape) == expected.shape, (slot_name, tuple(value.shape), expected.shape)
        assert value.detach().numpy().dtype == expected.dtype, (slot_name, value.dtype, expected.dtype)
        np.testing.assert_allclose(value.detach().numpy(), expected, rtol, atol, err_msg=slot_name)
        into = values("upstream", slot_name)
        if into is not None:
            targets.append(value)
            upstream.append(torch.from_numpy(into.copy()))  # type: ignore[union-attr]
    if leaves:
        gradients = torch.autograd.grad(targets, list(leaves.values()), upstream, allow_unused=True)
        for label, got in zip(leaves, gradients):
            expected = arrays[f"{prefix}grad/{label}"]
            if got is None:
                got = torch.zeros(expected.shape)
            got = got.to_dense() if got.is_sparse else got
            np.testing.assert_allclose(got.numpy(), expected, rtol, atol, err_msg=f"{label}@GRAD")
    _compare_shapes(definition, args, attrs, entry["shapes"])


def _compare_shapes(definition: Any, args: list[Any], attrs: dict[str, Any], shapes: dict[str, list[int]]) -> None:
    """What recording infers, described outputs included, against the wheel's inference."""

    def meta(value: Any) -> Any:
        if isinstance(value, list):
            return [meta(v) for v in value]
        return None if value is None else Meta(tuple(value.shape), value.dtype)

    metas = [meta(a) for a in args]
    inferred = dict(zip((s.name for s in definition.returns), infer_op(definition, metas, attrs)))
    for slot in definition.outputs:
        if slot.described and shapes.get(slot.name):
            # the wheels write statistics flattened or not, or leave them unknown; only the count is certain
            got = described_meta(definition, slot.name, metas, attrs)
            assert not got.shape or math.prod(got.shape) == math.prod(shapes[slot.name]), (slot.name, got.shape, shapes[slot.name])
        elif slot.name in shapes and not slot.described:
            got, expected = inferred[slot.name].shape, shapes[slot.name]
            known = [g if e < 0 else e for g, e in zip(got, expected)]
            assert len(got) == len(expected) and list(got) == known, (slot.name, got, expected)
