"""One process of the job of `test_operators.py`: every operator that the tables of tests/ops know, on plain and on dist tensors.

Writes what differs, and which operators ran whole and which divided.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections import Counter
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import paddle
import paddle.distributed as dist
from paddle.distributed.auto_parallel.api import dtensor_from_local

sys.path.append(str(Path(sys.argv[2]) / "ops"))
check_op, gradient_cases = import_module("check_op"), import_module("gradient_cases")
eager, operators, spmd, calls = (
    import_module(f"paddle_compat.{name}") for name in ("core.eager", "core.op", "engine.spmd", "engine.spmd_calls")
)
RULES = import_module("paddle_compat.engine.spmd_rules").RULES

LAYOUTS = ("rows", "columns", "partial", "first rows")
UNDEFINED = {"eig", "eigh", "eigvals", "svd", "lstsq", "qr"}  # signs and orders are torch's own choice
EACH = 1  # cases of an operator that may be divided


def laid(mesh: Any, layout: str, array: np.ndarray, number: int, differentiable: bool) -> Any:
    """An input in a layout."""
    if layout == "first rows":
        layout = "" if number else "rows"
    if layout == "partial" and array.dtype.kind == "f":
        part = paddle.to_tensor((array * (0.25 if dist.get_rank() else 0.75)).astype(array.dtype))
        made = dtensor_from_local(part, mesh, [dist.Partial()])
    else:
        cut = layout in ("rows", "columns") and array.ndim
        made = dist.shard_tensor(
            paddle.to_tensor(array), mesh, [dist.Shard(0 if layout == "rows" else array.ndim - 1) if cut else dist.Replicate()]
        )
    made = made.detach()
    made.stop_gradient = not differentiable
    return made


def run(case: Any, make: Any) -> tuple[list[Any], list[Any]]:
    """The outputs of an operator, and the gradients of its inputs."""
    op = operators.find_op(case.type)
    given: list[Any] = []
    leaves: list[Any] = []
    for slot in op.inputs:
        held = [make(array, len(leaves) + n, array.dtype.kind in "fc") for n, array in enumerate(case.inputs.get(slot.name, ()))]
        leaves += held
        given.append(held if slot.is_list else held[0] if held else None)
    switches = {name: case.age == 1 for name, default in op.attrs.items() if name.startswith("_") and isinstance(default, bool)}
    out = eager.run(op, tuple(given), {**switches, **case.attrs})
    outs = [value for value in spmd.values([out]) if isinstance(value, paddle.Tensor)]
    for value in outs:
        if value._t.requires_grad:
            value.backward(paddle.full_like(value, 0.5) * paddle.to_tensor(np.float32(1.5)).astype(value.dtype), retain_graph=True)
    return [value.numpy() for value in outs], [None if leaf.grad is None else leaf.grad.numpy() for leaf in leaves]


def different(got: list[Any], wanted: list[Any], tolerance: float) -> str:
    """What differs; nothing: ''."""
    if len(got) != len(wanted):
        return f"{len(got)} for {len(wanted)}"
    for at, (one, other) in enumerate(zip(got, wanted)):
        if one is None or other is None:
            if one is not other and np.abs(other if one is None else one).max(initial=0):
                return f"{at}: one has none"
        elif one.shape != other.shape or one.dtype != other.dtype:
            return f"{at}: {one.dtype}{list(one.shape)} for {other.dtype}{list(other.shape)}"
        elif other.dtype.kind in "fc":
            largest = max(1.0, np.abs(other[np.isfinite(other)]).max(initial=0))
            if not np.allclose(one, other, rtol=tolerance, atol=tolerance * largest, equal_nan=True):
                return f"{at}: values differ by {np.nanmax(np.abs(one - other))}"
        elif not np.array_equal(one, other):
            return f"{at}: values differ"
    return ""


def cases() -> list[Any]:
    """Some cases of each operator."""
    chosen: list[Any] = []
    count: Counter[str] = Counter()

    def offer(case: Any) -> None:
        op = operators.find_op(case.type)
        fits = op is not None and not (op.random or op.inplace) and case.type not in UNDEFINED and not any(case.lods.values())
        if fits and count[case.type] < (EACH if case.type in RULES else 1):
            count[case.type] += 1
            chosen.append(case)

    for case in gradient_cases.every():
        offer(case)
    for name in ("logic", "search", "creation"):
        for row in check_op.rows(name, import_module(f"cases_{name}").CASES):
            case, age = row.values
            offer(gradient_cases.Recorded(f"{case.key}-{age}", case.type, age, case.arrays(), case.attrs, {}, {}, {}, {}))
    return chosen


def main() -> None:
    warnings.simplefilter("ignore")
    mesh = dist.ProcessMesh([0, 1], dim_names=["x"])
    whole: set[str] = set()
    divided: set[str] = set()
    real = calls.whole, calls.cut_of

    def counted(definition: Any, *rest: Any) -> Any:
        whole.add(definition.type)
        return real[0](definition, *rest)

    def cut(definition: Any, *rest: Any) -> Any:
        found = real[1](definition, *rest)
        if found is not None:
            divided.add(definition.type)
        return found

    calls.whole, calls.cut_of = counted, cut
    differences: dict[str, str] = {}
    count = 0
    for case in cases():
        try:
            wanted = run(case, lambda array, number, grad: paddle.to_tensor(array, stop_gradient=not grad))
        except Exception:
            continue  # no case that eager mode has
        for layout in LAYOUTS if case.type in RULES else LAYOUTS[2:]:
            count += 1
            name = f"{case.name} {layout}"
            try:
                got = run(case, partial(laid, mesh, layout))
            except Exception as error:
                differences[name] = f"{type(error).__name__}: {str(error)[-300:]}"
                continue
            for what, one, other in zip(("output", "gradient"), got, wanted):
                if text := different(one, other, max(case.tolerance, 2e-5)):
                    differences[name] = f"{what} {text}"
    answer = {"differences": differences, "whole": sorted(whole), "divided": sorted(divided), "count": count}
    (Path(sys.argv[1]) / f"{dist.get_rank()}.json").write_text(json.dumps(answer))


main()
