"""The operators of tests/ops/cases_*.py, one by one: outputs, gradients, LoD, and shapes inferred at compile time."""

from __future__ import annotations

import gzip
import importlib
import json
import sys
from pathlib import Path
from typing import Any, Dict, List, Optional

import numpy as np

WHEELS = ("1.8.5", "2.6.2")
ROOT = Path(__file__).resolve().parents[2]
TABLES = (
    "elementwise",
    "math",
    "reduction",
    "manipulation",
    "indexing",
    "activation",
    "logic",
    "creation",
    "search",
    "linalg",
)
sys.path.insert(0, str(ROOT / "tests" / "ops"))


def protos(version: str) -> Dict[str, Any]:
    """Slots and attributes of every operator of a wheel."""
    with gzip.open(str(ROOT / "tests" / "references" / ("op_protos_%s.json.gz" % version)), "rt") as file:
        found: Dict[str, Any] = json.load(file)
        return found


def packed(array: Any) -> Dict[str, Any]:
    """An array as JSON keeps it; nine digits hold a float32, seventeen a float64."""
    array = np.asarray(array)
    flat = array.reshape(-1)
    if array.dtype.kind == "c":
        flat = np.stack([flat.real, flat.imag], -1).reshape(-1)
    data = flat.tolist()
    if array.dtype.kind in "fc":
        digits = "%.9g" if array.dtype in (np.float32, np.complex64) else "%.17g"
        data = [float(digits % number) for number in data]
    return {"dtype": str(array.dtype), "shape": list(array.shape), "data": data}


class Recorder:
    """Runs the rows of one table under the wheel at hand."""

    def __init__(self, version: str) -> None:
        import paddle

        self.age = int(version[0])
        self.protos = protos(version)
        if self.age == 1:
            import paddle.fluid as framework
        else:
            import paddle.static as framework

            paddle.enable_static()
        self.framework = framework
        self.core = paddle.fluid.core if self.age == 1 else paddle.base.core

    def build(self, case: Any, arrays: Dict[str, List[np.ndarray]], unknown: str = "") -> Any:
        """A program with that one operator: (program, input variables, output variables by slot)."""
        program = self.framework.Program()
        block = program.global_block()
        proto = self.protos[case.type]
        first = next(iter(arrays), None)
        inputs: Dict[str, Any] = {}
        for slot, values in arrays.items():
            inputs[slot] = []
            for number, value in enumerate(values):
                shape = list(value.shape)
                if shape and (unknown == "all" or (unknown == "first" and slot == first)):
                    shape[0] = -1
                var = block.create_var(
                    name="%s_%d" % (slot, number),
                    shape=shape,
                    dtype=str(value.dtype),
                    lod_level=int(slot == first and number == 0),
                    stop_gradient=value.dtype.kind not in "fc",
                )
                inputs[slot].append(var)
        outputs: Dict[str, Any] = {}
        for slot in proto["outputs"]:
            name = slot.rstrip("~*?")
            if slot.endswith("?") and name not in case.outs:
                continue
            count = case.outs.get(name, 1)
            outputs[name] = [block.create_var(name="%s_out_%d" % (name, n), dtype="float32") for n in range(count)]
        block.append_op(type=case.type, inputs=inputs, outputs=outputs, attrs=dict(case.attrs))
        described = [slot.rstrip("~*?") for slot in proto["outputs"] if "~" in slot]
        return program, inputs, {slot: value for slot, value in outputs.items() if slot not in described}

    def inferred(self, case: Any, arrays: Dict[str, List[np.ndarray]], unknown: str) -> Any:
        """Shape, dtype number and LoD level of each output; None where the wheel refuses such shapes."""
        try:
            _, _, outputs = self.build(case, arrays, unknown)
        except Exception:
            return None
        return {
            slot: [[list(var.shape), int(getattr(var.dtype, "value", var.dtype)), var.lod_level] for var in values]
            for slot, values in outputs.items()
        }

    def tensor(self, value: np.ndarray, with_lod: bool) -> Any:
        """A fed tensor; the first one has two sequences, to see which outputs take them over."""
        tensor = self.core.LoDTensor()
        tensor.set(value, self.core.CPUPlace())
        if with_lod and value.ndim and value.shape[0] > 1:
            tensor.set_lod([[0, 1, value.shape[0]]])
        return tensor

    def run(self, case: Any, arrays: Dict[str, List[np.ndarray]], gradient: bool, lod: bool = True) -> Dict[str, Any]:
        """Outputs and, if asked for, input gradients."""
        program, inputs, outputs = self.build(case, arrays)
        feed, fetch = {}, {}
        first = next(iter(arrays), None)
        for slot, values in arrays.items():
            for number, value in enumerate(values):
                feed[inputs[slot][number].name] = self.tensor(value, lod and slot == first and number == 0)
        for slot, variables in outputs.items():
            for number, var in enumerate(variables):
                fetch["%s %d" % (slot, number)] = var
        if gradient:
            self.add_gradients(case, program, inputs, outputs, feed, fetch)
        executor = self.framework.Executor(self.core.CPUPlace())
        scope = self.core.Scope()
        with self.framework.scope_guard(scope):
            results = executor.run(program, feed=feed, fetch_list=list(fetch.values()), return_numpy=False)
        found: Dict[str, Any] = {}
        for name, value in zip(fetch, results):
            entry = packed(np.array(value))
            if "@" not in name:
                entry["lod"] = value.lod()
            found[name] = entry
        return found

    def add_gradients(self, case: Any, program: Any, inputs: Any, outputs: Any, feed: Any, fetch: Any) -> None:
        """Differentiate every float output towards every float input."""
        from op_cases import cotangent

        block = program.global_block()
        targets, given, wanted = [], [], []
        plain = self.run(case, {s: [np.array(feed[v.name]) for v in vs] for s, vs in inputs.items()}, False, False)
        for slot, variables in outputs.items():
            for number, var in enumerate(variables):
                entry = plain["%s %d" % (slot, number)]
                if not entry["dtype"].startswith(("float", "complex")):
                    continue
                key = "%s %s %d" % (case.key, slot, number)
                value = cotangent(key, entry["shape"], entry["dtype"])
                grad = block.create_var(name="given_" + var.name, shape=var.shape, dtype=entry["dtype"])
                feed[grad.name] = self.tensor(value, False)
                targets.append(var)
                given.append(grad)
        for slot, variables in inputs.items():
            for number, var in enumerate(variables):
                if not var.stop_gradient:
                    wanted.append(("%s@GRAD %d" % (slot, number), var))
        if not targets or not wanted:
            return
        with self.framework.program_guard(program):
            grads = self.framework.gradients(targets, [var for _, var in wanted], given)
        for (name, _), grad in zip(wanted, grads):
            if grad is not None:
                fetch[name] = grad

    def record(self, case: Any) -> Optional[Dict[str, Any]]:
        """All that is known of one row."""
        arrays = case.arrays()
        found: Dict[str, Any] = {}
        if case.grad:
            try:
                found["values"] = self.run(case, arrays, True)
            except Exception as error:
                print("%-28s no gradient: %s" % (case.key, str(error).strip().splitlines()[-1][:150]))
        if "values" not in found:
            found["values"] = self.run(case, arrays, False)
        for unknown in ("none", "first", "all"):
            found[unknown] = self.inferred(case, arrays, unknown)
        return found


def record_table(name: str, version: str) -> Dict[str, Any]:
    """What the wheel answers to every row of one table."""
    recorder = Recorder(version)
    found = {}
    for case in importlib.import_module("cases_" + name).CASES:
        if recorder.age in case.ages and case.type in recorder.protos:
            try:
                found[case.key] = recorder.record(case)
            except Exception as error:
                print("%-28s FAILED: %s" % (case.key, " ".join(str(error).split())[-400:]))
    return found


def recordings(version: str) -> Dict[str, Any]:
    """One data file for each table."""
    return {
        "ops_math_%s_%s.json.gz" % (name, version): (lambda name=name: record_table(name, version)) for name in TABLES
    }
