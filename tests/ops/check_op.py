"""Comparing an operator with what a wheel recorded for a row of the tables."""

from __future__ import annotations

import gzip
import json
import warnings
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from op_cases import Case, cotangent

from paddle_compat.core.infer import infer_op
from paddle_compat.core.op import Meta, Op, find_op

REFERENCES = Path(__file__).resolve().parents[1] / "references"
WHEELS = {1: "1.8.5", 2: "2.6.2"}


@lru_cache(maxsize=None)
def recorded(table: str, age: int) -> dict[str, Any]:
    """The data file of one table and wheel."""
    with gzip.open(REFERENCES / f"ops_math_{table}_{WHEELS[age]}.json.gz", "rt") as file:
        return json.load(file)


def rows(table: str, cases: list[Case]) -> list[Any]:
    """pytest parameters: every row with every wheel that answered it."""
    import pytest

    return [
        pytest.param(case, age, id=f"{case.key}-{WHEELS[age]}")
        for case in cases
        for age in case.ages
        if case.key in recorded(table, age)
    ]


def unpacked(entry: dict[str, Any]) -> np.ndarray:
    """An array of a data file."""
    dtype = np.dtype(entry["dtype"])
    data = np.array(entry["data"], "float64" if dtype.kind == "c" else dtype)
    if dtype.kind == "c":
        data = data.reshape(-1, 2) @ np.array([1, 1j])
    return data.astype(dtype).reshape(entry["shape"])


def attributes(op: Op, case: Case, age: int) -> dict[str, Any]:
    """The row's attributes, and the private switches that the 1.x front-end turns on."""
    private = {name: age == 1 for name in op.attrs if name.startswith("_")}
    return {**private, **case.attrs}


def call(op: Op, case: Case, age: int) -> tuple[dict[str, list[torch.Tensor]], dict[str, list[torch.Tensor]]]:
    """Run an operator's function: its inputs by slot, and its outputs by slot."""
    inputs: dict[str, list[torch.Tensor]] = {}
    for slot, arrays in case.arrays().items():
        inputs[slot] = [torch.tensor(array) for array in arrays]
        for tensor in inputs[slot]:
            tensor.requires_grad_(tensor.is_floating_point() or tensor.is_complex())
    unknown = set(inputs) - {slot.name for slot in op.inputs}
    assert not unknown, f"{op.type} lacks the slots {unknown}"
    arguments: list[Any] = []
    for slot in op.inputs:
        given = inputs.get(slot.name, [])
        arguments.append(given if slot.is_list else given[0] if given else None)
    values = op.fn(*arguments, **attributes(op, case, age))
    if len(op.returns) == 1:
        values = (values,)
    assert len(values) == len(op.returns)
    outputs = {}
    for slot, value in zip(op.returns, values):
        if value is not None:
            outputs[slot.name] = list(value) if slot.is_list else [value]
    return inputs, outputs


def check(table: str, case: Case, age: int) -> None:
    """Outputs and gradients of a row equal what the wheel recorded."""
    op = find_op(case.type)
    assert op is not None, case.type
    reference = recorded(table, age)[case.key]["values"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        inputs, outputs = call(op, case, age)
    targets, given = [], []
    for name, entry in reference.items():
        slot, number = name.split()
        known = op.slot(slot)
        if "@" in slot or (known is not None and known.described):
            continue
        got = outputs[slot][int(number)]
        compare(got, entry, case.tol, f"{case.key} {name}")
        if got.requires_grad:
            targets.append(got)
            given.append(torch.tensor(cotangent(f"{case.key} {name}", entry["shape"], entry["dtype"])))
    wanted = [name for name in reference if "@" in name]
    if wanted:
        sources = [inputs[name.split("@")[0]][int(name.split()[1])] for name in wanted]
        assert targets, f"{case.key}: nothing carries a gradient, the wheel has {wanted}"
        assert op.grad_slots(age) is not None, f"{case.key}: declared without gradient, the wheel has one"
        grads = torch.autograd.grad(targets, sources, given, allow_unused=True)
        for name, source, grad in zip(wanted, sources, grads):
            compare(
                torch.zeros_like(source) if grad is None else grad, reference[name], case.gtol, f"{case.key} {name}"
            )


def compare(got: torch.Tensor, entry: dict[str, Any], tol: float, what: str) -> None:
    """Same type, same shape, and numbers within `tol` of the largest."""
    value, expected = got.detach().numpy(force=True), unpacked(entry)
    assert value.dtype == expected.dtype, f"{what}: {value.dtype}, the wheel has {expected.dtype}"
    assert value.shape == expected.shape, f"{what}: {value.shape}, the wheel has {expected.shape}"
    if expected.dtype.kind in "fc":
        finite = np.abs(expected[np.isfinite(expected)])
        np.testing.assert_allclose(value, expected, rtol=tol, atol=tol * max(1.0, finite.max(initial=0)), err_msg=what)
    else:
        np.testing.assert_array_equal(value, expected, err_msg=what)


def check_inference(table: str, case: Case, age: int, unknown: str) -> None:
    """Shapes, types and LoD levels inferred from shapes alone equal what the wheel wrote at compile time."""
    op = find_op(case.type)
    assert op is not None
    expected = recorded(table, age)[case.key][unknown]
    inputs = {}
    for number, (slot, arrays) in enumerate(case.arrays().items()):
        metas = []
        for position, array in enumerate(arrays):
            shape = list(array.shape)
            if shape and (unknown == "all" or (unknown == "first" and number == 0)):
                shape[0] = -1
            metas.append(Meta(tuple(shape), torch.tensor(array).dtype, int(number == position == 0)))
        inputs[slot] = metas
    given = [inputs.get(s.name, []) if s.is_list else next(iter(inputs.get(s.name, [])), None) for s in op.inputs]
    inferred = infer_op(op, given, {**op.attrs, **attributes(op, case, age)})
    for slot, meta in zip(op.returns, inferred):
        metas = meta if isinstance(meta, list) else [meta]
        # (an unknown dimension that is unbound gives nobody knows how many outputs)
        for number, (shape, _, level) in list(enumerate(expected.get(slot.name, ())))[: len(metas)]:
            name = f"{case.key} {slot.name} {number}"
            run = recorded(table, age)[case.key]["values"][f"{slot.name} {number}"]
            got = metas[number]
            if list(got.shape) != shape:  # some of the wheels' rules promise what their kernels do not keep
                known = [a != -1 or b == -1 for a, b in zip(got.shape, shape)]
                assert all(known) or not fits(shape, run["shape"]), f"{name}: {got.shape}, the wheel knows {shape}"
                assert fits(list(got.shape), run["shape"]), f"{name}: {got.shape}, a run gives {run['shape']}"
            assert str(got.dtype) == "torch." + run["dtype"], name
            if age == 1:  # in 2.x, LoD is what 1.8 made of it
                assert got.lod_level == level, f"{name}: LoD level"


def fits(inferred: list[int], run: list[int]) -> bool:
    """Whether a shape with unknown dimensions describes one of a run."""
    return len(inferred) == len(run) and all(a in (-1, b) for a, b in zip(inferred, run))
